"""Several files in one hand: what any, all and together tell, by what is known, by hand and record by record."""

import itertools
import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from discoreport import Exclusion, Settings, analyse, assess, examples, load, pooled
from discoreport.assessment.analyses import ANALYSES
from discoreport.errors import DataError
from discoreport.measures import MEASURES
from tests.commands import asked_of
from tests.engines import unwarned
from tests.intruder import Attack, Rules
from tests.strategies import often, problems, sometimes

# Files this small differ, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")

EXPECTED = json.loads((Path(__file__).parent / "beyond.json").read_text(encoding="utf-8"))["pooled"]
SETS = {tuple(case["synthetic"]): case["keys"] for case in EXPECTED}
FILES = ("original", "synthetic_1", "leaky")
ANY_OR_ALL = ("repU", "DiS", "DiSCO")


def found_of(files, keys, engine=None, most=None):
    cases = [case for case in EXPECTED if tuple(case["synthetic"]) == files][:most]
    paths = [examples.path(name.partition(".")[0]) for name in files]
    targets = [case["target"] for case in cases]
    if engine is None:
        return cases, pooled(examples.path("original"), paths, Settings(keys=keys, targets=targets))
    return cases, assess(examples.path("original"), paths, keys=keys, targets=targets, engine=engine).analyses.pooled


def as_expected(found, case):
    target = case["target"]
    for which in ("any", "all"):
        for measure, value in case["expected"][which].items():
            figure = found.figure(measure, None if measure == "repU" else target)
            assert math.isclose(getattr(figure, which), value, rel_tol=1e-9, abs_tol=1e-9), (which, measure)
    for group, values in case["expected"]["together"].items():
        for measure, value in values.items():
            together = found.figure(measure, None if group == "identity" else target).together
            assert math.isclose(together, value, rel_tol=1e-9, abs_tol=1e-9), measure
    assert found.unique_in_files.to_dict("records") == case["expected"]["unique_in_files"]


@pytest.mark.parametrize("files", SETS)
def test_the_example_survey_has_the_expected_figures(files):
    cases, found = found_of(files, SETS[files])
    for case in cases:
        as_expected(found, case)


def test_of_files_that_tie_the_first_is_named():
    random = np.random.default_rng(3)
    for _ in range(20):
        files = [pd.DataFrame({"a": random.integers(0, 9, 50), "t": random.integers(0, 3, 50)}) for _ in range(4)]
        found = pooled(files[0], files[1:], Settings(keys=["a"]))
        of_original = [one.name for one in MEASURES.values() if one.depends == "original" and one.group != "identity"]
        assert {found.figure(name, "t").file for name in of_original} == {1}


@pytest.mark.spark_cases(1)
@pytest.mark.slow
def test_every_engine_finds_the_same(engine):
    files = ("synthetic_1.csv.gz", "leaky.csv.gz")
    most = 1 if engine == "spark" else None  # a target takes it long
    cases, found = found_of(files, SETS[files], engine, most)
    for case in cases:
        as_expected(found, case)
    _, here = found_of(files, SETS[files], most=most)
    assert here.repeated == found.repeated
    for place, told in figures(here).items():
        assert figures(found)[place] == same(told)


def test_pooling_as_it_says_in_the_manual():
    original = pd.DataFrame({"age": [30, 31, 41, 41], "ill": ["yes", "no", "no", "no"]})
    first, second = original.assign(ill=["yes", "yes", "no", "no"]), original.assign(ill=["no", "no", "no", "yes"])
    found = assess(original, [first, second], keys="age").analyses.pooled
    row = found.table.set_index(["target", "measure"]).loc[("ill", "DiSCO")]
    assert row[["worst", "file", "any", "all", "together"]].tolist() == [75.0, 1, 100.0, 0.0, 0.0]
    assert found.table["target"].isna().sum() == 4  # identity is of the keys
    assert found.unique_in_files.to_numpy().tolist() == [[1, 0, 0], [2, 2, 2]]


# Record by record -----------------------------------------------------------------------------------------


def rules_of(problem, target):
    told = problem.settings
    without = [name for name in problem.keys if rule_of(told.get("key_missing", "level"), name) == "exclude"]
    mine = [rule for rule in told.get("exclude", ()) if rule["target"] == target]
    return Rules(
        levels={rule["level"] for rule in mine if "key" not in rule},
        pairs={(rule["level"], rule["key"], rule["key_level"]) for rule in mine if "key" in rule},
        without_missing_keys=set(without),
        without_missing_target=rule_of(told.get("target_missing", "level"), target) == "exclude",
        max_denominator=told.get("max_denominator"),
    )


def rule_of(told, name):
    return told if isinstance(told, str) else told.get(name, "level")


def settings_of(problem):
    told = dict(problem.settings)
    told["exclude"] = [Exclusion(**rule) for rule in told.get("exclude", ())]
    told.pop("one_way_threshold", None)
    told.pop("two_way_threshold", None)
    return Settings(keys=problem.keys, targets=problem.targets, **told)


def brute(problem, target):
    """Count any and all by looking at one original record after the other, and the files as one."""
    rules = rules_of(problem, target)
    attacks = [Attack(problem.original, file, problem.keys, target, rules) for file in problem.synthetic]
    together = Attack(problem.original, [*itertools.chain(*problem.synthetic)], problem.keys, target, rules)
    yes = {
        "DiS": lambda attack, q, t: attack.s.is_certain_of_anything(q),
        "DiSCO": lambda attack, q, t: attack.s.is_certain_of(q, t),
    }
    n, left = len(problem.original), attacks[0].d.left
    counts = {
        (name, which.__name__): 100 * sum(which(meets(one, q, t) for one in attacks) for q, t in left) / n
        for name, meets in yes.items()
        for which in (any, all)
    }
    return counts, together.measures()


def brute_keys(problem):
    """Count replicated uniques, and what is unique in how many files, key combination by key combination."""
    left_out = rules_of(problem, problem.targets[0]).without_missing_keys

    def crowds(records):
        kept = [one for one in records if not any(one[key] is None for key in left_out)]
        return Counter(tuple(one[key] for key in problem.keys) for one in kept)

    d, files = crowds(problem.original), [crowds(file) for file in problem.synthetic]
    unique = [q for q, n in d.items() if n == 1]
    shares = {which.__name__: 100 * sum(which(file[q] == 1 for file in files) for q in unique) for which in (any, all)}
    times = Counter(q for file in files for q, n in file.items() if n == 1)
    repeated = [
        [j, sum(n == j for n in times.values()), sum(n == j and d[q] == 1 for q, n in times.items())]
        for j in range(1, len(files) + 1)
    ]
    return {which: value / len(problem.original) for which, value in shares.items()}, repeated


@often
@given(problems())
def test_figures_are_those_that_are_counted_record_by_record(problem):
    original, synthetic = problem.frames()
    found = quietly(original, synthetic, settings_of(problem))
    for target in problem.targets:
        counts, together = brute(problem, target)
        for (measure, which), value in counts.items():
            assert math.isclose(getattr(found.figure(measure, target), which), value, abs_tol=1e-9), (measure, which)
        for one in found.figures:
            if one.target == target and one.measure in together:
                expected = together[one.measure]
                known = math.nan if one.together is None else one.together
                assert known == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True), one.measure
    shares, repeated = brute_keys(problem)
    for which, value in shares.items():
        assert math.isclose(getattr(found.figure("repU"), which), value, abs_tol=1e-9)
    assert found.unique_in_files.to_numpy().tolist() == repeated


# Properties -----------------------------------------------------------------------------------------------


def figures(found):
    def number(value):
        return math.nan if value is None else value

    return {
        (one.target, one.measure): [number(value) for value in (one.worst, one.any, one.all, one.together)]
        for one in found.figures
    }


def same(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True)


def quietly(*files, **earlier):
    with unwarned():  # nobody is told, and so the files need not be compared
        return pooled(*files, **earlier)


@pytest.mark.slow
@sometimes
@given(problems(most_synthetic=1))
def test_one_file_without_earlier_ones_has_its_own_figures(problem):
    original, synthetic = problem.frames()
    found = quietly(original, synthetic, settings_of(problem))
    with unwarned():
        result = assess(original, synthetic, **settings_of(problem).model_dump(exclude_unset=True)).outcome
    values = {("", name): value for name, value in result.identity[0].values.items()}
    values |= {(one.target, name): value for one in result.results for name, value in one.values.items()}
    for (target, measure), told in figures(found).items():
        own = math.nan if values[target, measure] is None else values[target, measure]
        assert told == same([own] * 4 if measure in ANY_OR_ALL else [own, math.nan, math.nan, own]), measure


@sometimes
@given(problems())
def test_all_is_no_more_than_the_worst_and_any_no_less(problem):
    original, synthetic = problem.frames()
    for one in quietly(original, synthetic, settings_of(problem)).figures:
        if one.any is not None:
            assert one.all <= one.worst + 1e-9
            assert one.worst <= one.any + 1e-9


@sometimes
@given(problems())
def test_order_of_rows_and_of_files_does_not_matter(problem):
    original, synthetic = problem.frames()
    settings = settings_of(problem)
    found = quietly(original, synthetic, settings)
    turned = quietly(original.iloc[::-1], [file.iloc[::-1] for file in synthetic[::-1]], settings)
    assert turned.repeated == found.repeated
    for place, told in figures(found).items():
        assert figures(turned)[place] == same(told)


@sometimes
@given(problems(with_settings=False))  # exclusions would name levels that one file lacks
def test_earlier_files_count_for_any_and_all_and_together_but_are_never_the_worst(problem):
    original, synthetic = problem.frames()
    settings = settings_of(problem)
    whole, part = (
        quietly(original, synthetic, settings),
        quietly(original, synthetic[0], settings, earlier=synthetic[1:]),
    )
    alone = quietly(original, synthetic[0], settings)
    assert part.repeated == whole.repeated
    for place, (worst, *others) in figures(part).items():
        assert worst == same(figures(alone)[place][0])
        assert others == same(figures(whole)[place][1:])


# Earlier files --------------------------------------------------------------------------------------------


def test_classes_of_numbers_are_those_of_the_assessed_files():
    original, synthetic = examples.read("original"), examples.read("synthetic_1")
    earlier = examples.read("synthetic_2").assign(age=lambda frame: frame["age"] + 500)
    settings = Settings(keys=["sex", "age"], targets=["employment"], numeric_groups={"age": 8})
    alone, beside = quietly(original, synthetic, settings), quietly(original, synthetic, settings, earlier=earlier)
    assert figures(beside)["employment", "DiSCO"][0] == figures(alone)["employment", "DiSCO"][0]
    assert any("age" in finding.variable for finding in beside.findings)  # it is warned of


def test_an_earlier_file_that_lacks_a_column_is_named():
    frame = pd.DataFrame({"age": [30, 31], "ill": ["y", "n"]})
    with pytest.raises(DataError, match="No column 'ill' in 'earlier'"):
        pooled(frame, frame, Settings(keys=["age"], targets=["ill"]), earlier=frame[["age"]])


# Where it stands ------------------------------------------------------------------------------------------


def test_with_several_files_it_is_always_found_and_with_one_only_when_asked(survey, survey_of_three):
    assert survey.analyses.pooled is None
    found = survey_of_three.analyses.pooled
    assert found.n_files == 3
    assert found.figure("repU").any == pytest.approx(26.88)
    assert survey_of_three.value("repU") == pytest.approx(12.7, abs=0.05)
    assert "pooled" not in asked_of(survey_of_three)  # nobody asked: the assessment has it anyway
    assert {one.measure for one in found.figures} == set(MEASURES)


def test_earlier_files_take_the_place_of_what_the_assessment_found(survey_of_three, tmp_path):
    files = examples.path("original"), [examples.path(f"synthetic_{n}") for n in (1, 2, 3)]
    more = analyse(survey_of_three, *files, {"pooled": {"earlier": [str(examples.path("leaky"))]}})
    assert more.analyses.pooled.n_files == 4
    assert more.analyses.pooled.figure("repU").any > survey_of_three.analyses.pooled.figure("repU").any
    assert load(more.save(tmp_path / "record.json")).analyses == more.analyses
    (earlier,) = asked_of(more)["pooled"].earlier
    assert earlier.name == "leaky.csv.gz"


@pytest.mark.slow
@pytest.mark.parametrize("earlier", [pytest.param(True, marks=pytest.mark.slow), False])
def test_files_that_are_counted_where_they_are_are_pooled_there(earlier, tmp_path):
    ibis = pytest.importorskip("ibis")
    backend = pytest.importorskip("duckdb") and ibis.duckdb.connect()
    frames = [pd.read_csv(examples.path(name))[["sex", "age", "employment"]][:200] for name in FILES]
    for name, frame in zip(FILES, frames, strict=True):
        frame.to_parquet(tmp_path / name)
    tables = [backend.read_parquet(tmp_path / name) for name in FILES]
    settings = Settings(keys=["sex", "age"], targets=["employment"], numeric_groups={"age": 8})
    there, here = (
        pooled(of[0], of[1], settings, earlier=of[2]) if earlier else pooled(of[0], of[1:], settings)
        for of in (tables, frames)
    )
    assert there.repeated == here.repeated
    for place, told in figures(here).items():
        assert figures(there)[place] == same(told)


def test_one_line_says_which_figure_is_which(survey_of_three):
    lines = [*ANALYSES["pooled"].in_short(survey_of_three.analyses.pooled, survey_of_three, None)]
    assert "by the worst file" in lines[0]
    assert "by any" in lines[0]
