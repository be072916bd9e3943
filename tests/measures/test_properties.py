"""What holds for every measure, whatever the data."""

import copy
import itertools
import random
import re
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import Exclusion, assess, load
from discoreport.measures import GROUPS, MEASURES
from tests.counting import WITHOUT_KEYS
from tests.intruder import IDENTITY
from tests.strategies import problems, sometimes

# Files this small leave many levels out, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")

PUBLISHED = {
    "identity": [*IDENTITY],
    "attribute": ["Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DiSDiO", "max_denom", "mean_denom", "baseDiS", "baseDiSCO"],
    "cap": [
        "baseCAPd",
        "baseMode",
        "CAPd",
        "CAPs",
        "DCAP_d",
        "DCAP_s",
        "DCAP_b",
        "TCAP_s",
        "TCAP_b",
        "TCAP",
        "baseDCAP_d",
    ],
}
REFERENCES = {"DiS": "baseDiS", "DiSCO": "baseDiSCO", "DCAP_d": "baseDCAP_d"}
MAY_EXCEED_100 = {"DCAP_s", "DCAP_b", "TCAP_s", "TCAP_b"}  # original records over synthetic ones
COUNTS = {"max_denom", "mean_denom"}
SLACK = 1e-9


def assess_frames(problem, original, synthetic, **changed):
    chosen = {"keys": problem.keys, "targets": problem.targets, **problem.settings, **changed}
    chosen["exclude"] = [Exclusion(**rule) for rule in chosen.get("exclude", ())]
    return assess(original, synthetic, **chosen)


def assess_problem(problem, **changed):
    return assess_frames(problem, *problem.frames(), **changed)


def values_of(assessment):
    """All figures by target and synthesis, the keys alone among them."""
    figures = {}
    for result in (*assessment.outcome.identity, *assessment.outcome.results):
        for name, value in result.values.items():
            figures[(result.target, result.synthesis, name)] = float("nan") if value is None else value
        for table, counts in result.removed.items():
            for reason, n in counts.items():
                figures[(result.target, result.synthesis, table, reason)] = n
    for one in assessment.outcome.class_sizes:
        figures[("", one.synthesis, one.table, one.size, "classes")] = one.n_classes
        figures[("", one.synthesis, one.table, one.size, "records")] = one.n_records
    return figures


def flags_of(assessment):
    one_way = {(flag.synthesis, flag.target, flag.disclosive, flag.percent) for flag in assessment.outcome.one_way}
    return one_way, {tuple(flag.model_dump().items()) for flag in assessment.outcome.two_way}


def assert_same(one, other):
    assert values_of(one) == pytest.approx(values_of(other), nan_ok=True, rel=1e-9, abs=1e-9)
    assert flags_of(one) == flags_of(other)
    assert {name for *_, name in values_of(one)} >= set(MEASURES)


def rows(assessment):
    """The figures of each target and synthesis as one dict; missing ones are left out."""
    for result in assessment.outcome.results:
        yield {name: value for name, value in result.values.items() if value is not None}


# The registry ------------------------------------------------------------------------------------


def test_every_published_measure_is_in_the_registry():
    assert list(GROUPS) == list(PUBLISHED)
    assert {group: [m.name for m in MEASURES.values() if m.group == group] for group in GROUPS} == PUBLISHED


def test_the_references_by_chance_are_measures_themselves():
    assert {name: entry.reference for name, entry in MEASURES.items() if entry.reference} == REFERENCES
    for name, reference in REFERENCES.items():
        measured, by_chance = MEASURES[name], MEASURES[reference]
        assert (measured.group, measured.of) == (by_chance.group, by_chance.of)
        assert (measured.higher_is_worse, by_chance.higher_is_worse) == (True, False)


@pytest.mark.parametrize("name", [name for names in PUBLISHED.values() for name in names])
def test_every_measure_is_explained_in_words(name):
    entry = MEASURES[name]
    assert entry.name == name
    for words in (entry.stands_for, entry.meaning, entry.formula, entry.source):
        assert words.strip()
    assert entry.meaning.endswith(".")
    assert len(entry.meaning.split()) > 4
    assert ">>> " in entry.__doc__
    assert entry.unit == ("records" if name in COUNTS else "%")


@pytest.mark.slow
@sometimes
@given(problems())
def test_every_measure_is_in_the_tables(problem):
    assessment = assess_problem(problem)
    assert list(assessment.identity.columns) == PUBLISHED["identity"]
    assert list(assessment.attribute.columns) == PUBLISHED["attribute"]
    assert list(assessment.cap.columns) == PUBLISHED["cap"]
    places = [(target, number) for target in problem.targets for number in range(1, len(problem.synthetic) + 1)]
    assert list(assessment.attribute.index) == list(assessment.cap.index) == places
    assert set(assessment.summary.index) == set(problem.targets)
    assert assessment.summary["DiSCO"].is_monotonic_decreasing


# What does not matter ----------------------------------------------------------------------------


@sometimes
@given(problems(), st.randoms(use_true_random=False))
def test_ignores_row_order(problem, shuffler):
    before = assess_problem(problem)
    shuffled = copy.deepcopy(problem)
    for file in (shuffled.original, *shuffled.synthetic):
        shuffler.shuffle(file)
    after = assess_problem(shuffled)
    assert_same(before, after)
    pd.testing.assert_frame_equal(before.comparison, after.comparison)


@pytest.mark.slow
@sometimes
@given(problems(), st.sampled_from(["repeated", "text", "reversed", "dates", "two levels"]))
def test_ignores_the_index(problem, kind):
    original, synthetic = problem.frames()

    def reindexed(frame):
        n = len(frame)
        return {
            "repeated": lambda: frame.set_axis([0] * n),
            "text": lambda: frame.set_axis([f"record {place % 3}" for place in range(n)]),
            "reversed": lambda: frame.set_axis(range(n, 0, -1)),
            "dates": lambda: frame.set_axis(pd.date_range("2011-05-01", periods=n)),
            "two levels": lambda: frame.set_index(["sex"], drop=False, append=True) if "sex" in frame else frame,
        }[kind]()

    before = assess_frames(problem, original, synthetic)
    assert_same(before, assess_frames(problem, reindexed(original), synthetic))
    assert_same(before, assess_frames(problem, original, [reindexed(frame) for frame in synthetic]))


@pytest.mark.slow
@sometimes
@given(problems(), st.randoms(use_true_random=False))
def test_ignores_column_order_and_other_columns(problem, shuffler):
    original, synthetic = problem.frames()

    def shuffled(frame):
        names = list(frame.columns)
        shuffler.shuffle(names)
        return frame[names].assign(**{f"other {shuffler.random()}": 1})

    before = assess_frames(problem, original, synthetic)
    after = assess_frames(problem, shuffled(original), [shuffled(frame) for frame in synthetic])
    assert_same(before, after)


@pytest.mark.slow
@sometimes
@given(problems(), st.randoms(use_true_random=False))
def test_ignores_the_order_of_keys_and_targets(problem, shuffler):
    keys, targets = list(problem.keys), list(problem.targets)
    shuffler.shuffle(keys)
    shuffler.shuffle(targets)
    after = assess_problem(problem, keys=keys, targets=targets)
    assert_same(assess_problem(problem), after)
    assert list(after.attribute.index.get_level_values("target").unique()) == targets


@sometimes
@given(problems(), st.randoms(use_true_random=False), st.sampled_from(["text", "numbers", "dates"]))
def test_ignores_what_levels_are_called(problem, shuffler, kind):
    new_names = {
        "text": ["zz", "a", "<b>", "1 | 2", " "],
        "numbers": [3, -1, 0, 2**40, 7],
        "dates": list(pd.date_range("1999-12-31", periods=5)),
    }[kind]
    renamed = unshared(problem)
    for name in (*problem.keys, *problem.targets):
        shuffler.shuffle(new_names)
        levels = [level for level in problem.levels(name) if level is not None]
        new_name = {None: None, **dict(zip(levels, new_names, strict=False))}
        for record in (record for file in (renamed.original, *renamed.synthetic) for record in file):
            record[name] = new_name[record[name]]
        for rule in renamed.settings["exclude"]:
            if rule["target"] == name:
                rule["level"] = new_name[rule["level"]]
            if rule.get("key") == name:
                rule["key_level"] = new_name[rule["key_level"]]
    before, after = assess_problem(problem), assess_problem(renamed)
    assert values_of(before) == pytest.approx(values_of(after), nan_ok=True, rel=1e-9, abs=1e-9)
    one_way, two_way = zip(flags_of(before), flags_of(after), strict=True)
    assert one_way[0] == one_way[1]
    assert len(two_way[0]) == len(two_way[1])


def unshared(problem):
    """Copy a problem so that no two records are the same object."""
    copied = copy.deepcopy(problem)
    copied.original = [dict(record) for record in problem.original]
    copied.synthetic = [[dict(record) for record in file] for file in problem.synthetic]
    return copied


def same_records(problem):
    """Give the files of a problem in every form a frame may have."""
    original, synthetic = problem.frames()
    files = [original, *synthetic]
    texts = [frame.astype("string") for frame in files]
    return {
        "text": [frame.astype("str") for frame in files],
        "string": texts,
        "category": [frame.astype("category") for frame in files],
        "original as category only": [files[0].astype("category"), *files[1:]],
        "Polars": [pl.from_pandas(frame) for frame in texts],
        "Polars lazy": [pl.from_pandas(frame).lazy() for frame in texts],
        "Polars categorical": [pl.from_pandas(frame).with_columns(pl.all().cast(pl.Categorical)) for frame in texts],
        "PyArrow": [pa.Table.from_pandas(frame, preserve_index=False) for frame in texts],
        "PyArrow dictionary": [pa.Table.from_pandas(frame.astype("category"), preserve_index=False) for frame in texts],
        "PyArrow in chunks": [in_chunks(frame) for frame in texts],
        "pandas on PyArrow": [frame.astype(pd.ArrowDtype(pa.string())) for frame in texts],
    }


def in_chunks(frame):
    schema = pa.schema([(name, pa.string()) for name in frame.columns])
    parts = [frame.iloc[place : place + 2] for place in range(0, len(frame), 2)]
    return pa.concat_tables([pa.Table.from_pandas(part, schema=schema, preserve_index=False) for part in parts])


@pytest.mark.generated
@sometimes
@given(problems(), st.data())
def test_ignores_which_library_and_type_holds_the_data(problem, data):
    before = assess_problem(problem)
    forms = same_records(problem)
    ours, theirs = (data.draw(st.sampled_from(sorted(forms))) for _ in range(2))
    assert_same(before, assess_frames(problem, forms[ours][0], forms[theirs][1:]))


@pytest.mark.generated
@sometimes
@given(problems(), st.data())
def test_numbers_give_the_same_figures_in_every_type(problem, data):
    codes = {"f": 1, "m": 2, "old": -8, "young": 57, "Missing": 10, "low": 0, "high": 3, "no": 0, "yes": 1}
    numeric = unshared(problem)
    for record in (record for file in (numeric.original, *numeric.synthetic) for record in file):
        record.update({name: codes.get(level, level) for name, level in record.items()})
    for rule in numeric.settings["exclude"]:
        rule["level"] = codes.get(rule["level"], rule["level"])
        if "key" in rule:
            rule["key_level"] = codes.get(rule["key_level"], rule["key_level"])
    original, synthetic = numeric.frames()
    before = assess_problem(problem)

    def stored(frame):
        columns = {}
        for name in frame.columns:
            whole = all(value is None or isinstance(value, int) for value in frame[name])
            dtype = data.draw(st.sampled_from(["Int64", "float64", "float32", "category", "object", "string", "Int8"]))
            columns[name] = frame[name].astype(dtype if whole else "object")
        return pd.DataFrame(columns)

    after = assess_frames(numeric, stored(original), [stored(frame) for frame in synthetic])
    assert values_of(before) == pytest.approx(values_of(after), nan_ok=True, rel=1e-9, abs=1e-9)


@pytest.mark.slow
@sometimes
@given(problems())
def test_several_synthetic_files_give_what_each_gives_alone(problem):
    original, synthetic = problem.frames()
    together = values_of(assess_problem(problem, exclude=[]))
    for synthesis, frame in enumerate(synthetic, start=1):
        alone = values_of(assess_frames(problem, original, frame, exclude=[]))
        mine = {(target, 1, *name): value for (target, number, *name), value in together.items() if number == synthesis}
        assert mine == pytest.approx(alone, nan_ok=True, rel=1e-9, abs=1e-9)


@pytest.mark.slow
@sometimes
@given(problems())
def test_never_changes_the_inputs(problem):
    original, synthetic = problem.frames()
    files = [original.astype("category"), *synthetic]
    copies = [frame.copy(deep=True) for frame in files]
    settings = copy.deepcopy(problem.settings)
    assess_frames(problem, files[0], files[1:])
    assert problem.settings == settings
    for frame, before in zip(files, copies, strict=True):
        pd.testing.assert_frame_equal(frame, before, check_exact=True)
        assert frame.attrs == before.attrs


def test_never_changes_numbers_that_are_grouped():
    original = pd.DataFrame({"key": np.arange(20.0), "target": pd.array([1, 2] * 10, "Int64")})
    original.loc[3, "key"] = np.nan
    before = original.copy(deep=True)
    original["key"].to_numpy().setflags(write=False)
    assess(original, original, keys="key", numeric_groups={"key": 5}, special_codes={"key": [7]})
    pd.testing.assert_frame_equal(original, before, check_exact=True)


@pytest.mark.slow
@sometimes
@given(problems())
def test_saving_and_loading_gives_an_equal_assessment(problem):
    assessment = assess_problem(problem)
    with tempfile.TemporaryDirectory() as folder:
        loaded = load(assessment.save(Path(folder) / "assessment.json"))
    assert loaded == assessment
    assert loaded.model_dump_json() == assessment.model_dump_json()
    for name in (
        "identity",
        "attribute",
        "cap",
        "class_sizes",
        "levels",
        "summary",
        "one_way",
        "two_way",
        "exclusions",
        "comparison",
    ):
        pd.testing.assert_frame_equal(getattr(loaded, name), getattr(assessment, name))
    assert loaded.without_exclusions() == assessment.without_exclusions()


# Bounds ------------------------------------------------------------------------------------------


def assert_rising(row, *names):
    present = [row[name] for name in names if name in row]
    assert all(low <= high + SLACK for low, high in itertools.pairwise(present)), (names, present)


@pytest.mark.slow
@sometimes
@given(problems())
def test_bounds_hold_whatever_is_excluded(problem):
    for row in rows(assess_problem(problem)):
        for name, value in row.items():
            assert value >= 0
            if name not in MAY_EXCEED_100 | COUNTS:
                assert value <= 100 + SLACK
        assert_rising(row, "repU", "UiOiS", "UiO")
        assert_rising(row, "repU", "UiO")
        assert_rising(row, "DiSDiO", "DiSCO", "DiS", "iS")
        assert_rising(row, "DiSDiO", "Dorig")
        assert_rising(row, "DCAP_d", "iS")
        assert_rising(row, "UiOiS", "iS")
        assert_rising(row, "mean_denom", "max_denom")
        assert_rising(row, "DiSCO", "TCAP")
        assert_rising(row, "baseDiSCO", "baseDiS", "iS")
        assert_rising(row, "baseDiSCO", "baseDCAP_d", "iS")
        if "DCAP_b" in row:
            assert row["DCAP_b"] >= row["DCAP_s"] - SLACK
            assert row["TCAP_b"] >= row["TCAP_s"] - SLACK


@pytest.mark.slow
@sometimes
@given(problems())
def test_classes_of_the_keys_hold_every_record_once(problem):
    assessment = assess_problem(problem).without_exclusions()
    sizes = assessment.class_sizes.groupby(["table", "synthesis"])
    for synthesis, file in enumerate(problem.synthetic, start=1):
        assert sizes["n_records"].sum()["original", synthesis] == len(problem.original)
        assert sizes["n_records"].sum()["synthetic", synthesis] == len(file)
    assert sizes["percent"].sum().to_list() == pytest.approx([100] * 2 * len(problem.synthetic))
    alone = assessment.class_sizes.query("size == '1'").set_index(["table", "synthesis"])["percent"]
    for result in assessment.outcome.identity:
        assert alone["original", result.synthesis] == pytest.approx(result.values["UiO"])
        assert alone["synthetic", result.synthesis] == pytest.approx(result.values["UiS"])


@sometimes
@given(problems(with_settings=False))
def test_bounds_hold_where_nothing_is_excluded(problem):
    for row in rows(assess_problem(problem)):
        assert_rising(row, "UiO", "Dorig", "CAPd")
        assert_rising(row, "Dsyn", "CAPs")
        assert_rising(row, "UiS", "Dsyn")
        assert_rising(row, "baseCAPd", "CAPd")
        assert_rising(row, "baseCAPd", "baseMode")
        assert_rising(row, "DiSCO", "DCAP_d", "iS")
        assert row["baseCAPd"] > 0


@sometimes
@given(problems(same_size=True))
def test_files_of_equal_size_have_equal_denominators(problem):
    for row in rows(assess_problem(problem)):
        assert row["DCAP_s"] == pytest.approx(row["DCAP_d"])
        assert row["TCAP_s"] == pytest.approx(row["DiSCO"])


@sometimes
@given(problems())
def test_a_synthetic_file_that_is_the_original_gives_all_of_it_away(problem):
    original, _ = problem.frames()
    exclude = [rule for rule in problem.settings["exclude"] if occurs(rule, problem.original)]
    assessment = assess_frames(problem, original, original.sample(frac=1, random_state=1), exclude=exclude)
    for row in rows(assessment):
        assert row["repU"] == row["UiOiS"] == row["UiS"] == row["UiO"]
        assert row["DiSCO"] == row["DiSDiO"] == row["Dsyn"] == row["Dorig"] == row["DiS"]
        assert row["DCAP_d"] == pytest.approx(row["CAPd"]) == row["CAPs"]
        assert row.get("TCAP", 100) == 100
    for row in rows(assessment.without_exclusions()):
        assert row["iS"] == 100
    assert {finding.finding for finding in assessment.warnings} <= {"nothing_left", "copy"}


def occurs(rule, records):
    in_key = "key" not in rule or any(record[rule["key"]] == rule["key_level"] for record in records)
    return in_key and any(record[rule["target"]] == rule["level"] for record in records)


@pytest.mark.slow
@sometimes
@given(problems())
def test_exclusions_never_add_records(problem):
    left = assess_problem(problem)
    full = left.without_exclusions()
    for less, more in zip(rows(left), rows(full), strict=True):
        for name in ("Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DiSDiO", "max_denom", *REFERENCES.values()):
            assert less[name] <= more[name] + SLACK
    before = full.exclusions["remaining"]
    after = left.exclusions.drop(columns=["target", "synthesis", "table"]).sum(axis=1)
    pd.testing.assert_series_equal(before, after, check_names=False)


@pytest.mark.generated
@sometimes
@given(problems())
def test_leaving_out_every_level_leaves_nothing(problem):
    for target in problem.targets:
        exclude = [{"target": target, "level": level} for level in problem.levels(target)]
        assessment = assess_problem(problem, targets=[target], exclude=exclude, target_missing="level")
        for row in rows(assessment):
            assert {value for name, value in row.items() if name not in WITHOUT_KEYS} == {0}
            assert not row.keys() & {"TCAP", "TCAP_b", "DCAP_b", "mean_denom"}
        assert assessment.one_way.empty
        assert assessment.two_way.empty


@pytest.mark.slow
@sometimes
@given(problems(with_settings=False))
def test_one_more_key_finds_no_fewer_uniques_and_no_more_matches(problem):
    more = list(rows(assess_problem(problem)))
    fewer = list(rows(assess_problem(problem, keys=problem.keys[:-1])))
    for few, many in zip(fewer, more, strict=True):
        assert few["UiO"] <= many["UiO"] + SLACK
        assert few["Dorig"] <= many["Dorig"] + SLACK
        assert few["CAPd"] <= many["CAPd"] + SLACK
        assert few["iS"] >= many["iS"] - SLACK


@pytest.mark.slow
@sometimes
@given(problems(with_settings=False))
def test_every_record_twice_changes_nothing_but_uniques(problem):
    twice = copy.deepcopy(problem)
    twice.original *= 2
    twice.synthetic = [file * 2 for file in twice.synthetic]
    for once, doubled in zip(rows(assess_problem(problem)), rows(assess_problem(twice)), strict=True):
        assert doubled["UiO"] == doubled["UiS"] == doubled["repU"] == 0
        for name in set(once) - set(PUBLISHED["identity"]) - COUNTS - {"baseDiS", "baseDiSCO"}:  # larger draws
            assert doubled[name] == pytest.approx(once[name])
        assert doubled["max_denom"] == 2 * once["max_denom"]


# Numbers in classes ------------------------------------------------------------------------------

_BOUND = r"(-?[\d,]+(?:\.\d+)?(?:e[+-]?\d+)?)"


def holds(label, value):
    """Tell whether a value belongs to a class, going by what its label says in words."""
    number = lambda text: float(text.replace(",", ""))  # noqa: E731
    if match := re.fullmatch(rf"under {_BOUND}", label):
        return value < number(match[1])
    if match := re.fullmatch(rf"{_BOUND} and over", label):
        return value >= number(match[1])
    if match := re.fullmatch(rf"{_BOUND} to under {_BOUND}", label):
        return number(match[1]) <= value < number(match[2])
    if match := re.fullmatch(rf"{_BOUND} to {_BOUND}", label):
        return number(match[1]) <= value <= number(match[2])
    return value == number(label)


def classes_of(values, groups, codes=(), synthetic=()):
    """Group values and give the class of each, found by keys that no two records share."""
    n = len(values)
    original = pd.DataFrame({"record": range(n), "amount": values})
    more = [pd.DataFrame({"record": range(len(file)), "amount": file}) for file in synthetic]
    assessment = assess(
        original,
        [original, *more],
        keys="record",
        targets="amount",
        numeric_groups={"amount": groups},
        special_codes={"amount": list(codes)},
        two_way_threshold=(0, 0),
    )
    pairs = [flag for flag in assessment.outcome.two_way if flag.synthesis == 1]
    assert len(pairs) == n
    classes = {int(pair.key_level): pair.target_level for pair in pairs}
    return [classes[record] for record in range(n)], assessment


def amount(assessment):
    (variable,) = (variable for variable in assessment.variables if variable.name == "amount")
    return variable


numbers = st.one_of(
    st.integers(-20, 20),
    st.integers(-40, 40).map(lambda number: number / 4),
    st.integers(10**6, 10**6 + 50),
    st.floats(-1e6, 1e6, allow_nan=False).map(lambda number: round(number, 2)),
)
amounts = st.lists(numbers, min_size=1, max_size=40)


def quantiles(values, groups):
    """Breaks by numpy, those that rounding alone sets apart taken for one."""
    found = np.unique(np.quantile(np.array(values, float), np.arange(groups + 1) / groups, method="linear"))
    apart = np.diff(found, prepend=-np.inf) > 1e-9 * np.maximum(1, np.abs(found))
    return found[apart]


@sometimes
@given(amounts, st.integers(2, 12))
def test_every_number_falls_in_the_class_that_its_label_says(values, groups):
    classes, assessment = classes_of(values, groups)
    variable = amount(assessment)
    for value, label in zip(values, classes, strict=True):
        holding = [other for other in variable.classes if holds(other, value)]
        assert holding == [label]
    assert len(set(variable.classes)) == len(variable.classes) <= groups


@sometimes
@given(amounts, amounts, st.integers(2, 12))
def test_breaks_are_quantiles_of_all_files_together(original, synthetic, groups):
    classes, assessment = classes_of(original, groups, synthetic=[synthetic])
    variable = amount(assessment)
    expected = quantiles([*original, *original, *synthetic], groups)
    if variable.grouped_by == "quantiles":
        assert len(expected) - 1 >= 3 or len(expected) == 1
        bounds = expected
    else:
        assert variable.grouped_by == "equal widths"
        assert len(expected) - 1 < 3
        bounds = np.linspace(expected[0], expected[-1], groups + 1)
    place = np.searchsorted(bounds[1:-1], original, side="right")
    assert classes == [variable.classes[number] for number in place]


@pytest.mark.parametrize("n", [100, 101, 997])
@pytest.mark.parametrize("groups", [3, 5, 7, 10, 20, 30])
def test_breaks_equal_those_of_numpy_where_numbers_repeat(n, groups):
    rng = np.random.default_rng(groups * n)
    values = np.round(np.exp(rng.normal(7, 1, n)), -2)
    classes, assessment = classes_of(values, groups)
    assert amount(assessment).grouped_by == "quantiles"
    place = np.searchsorted(quantiles(np.tile(values, 2), groups)[1:-1], values, side="right")
    assert classes == [amount(assessment).classes[number] for number in place]


def test_missing_values_and_special_codes_stay_out_of_the_classes():
    values = [-8, 1, 2, 3, 4, 5, 6, -9, None, 999]
    classes, assessment = classes_of(values, 3, codes=[-8, "-9", 999])
    assert [classes[place] for place in (0, 7, 8, 9)] == ["-8", "-9", None, "999"]
    assert set(classes[1:7]) == set(amount(assessment).classes)
    plain, other = classes_of([1, 2, 3, 4, 5, 6], 3)
    assert classes[1:7] == plain
    assert amount(assessment).breaks == amount(other).breaks
    assert amount(assessment).special_codes == ("-8", "-9", "999")


@pytest.mark.parametrize("n_at", [(90, 5, 5), (70, 10, 20)], ids=["one class", "two classes"])
def test_fewer_than_three_classes_by_quantiles_fall_back_to_equal_widths_and_say_so(n_at):
    values = [0] * n_at[0] + [10] * n_at[1] + [40] * n_at[2]
    classes, assessment = classes_of(values, 4)
    assert len(quantiles(values, 4)) - 1 in (1, 2)
    assert amount(assessment).grouped_by == "equal widths"
    assert list(amount(assessment).breaks) == [10, 20, 30]
    said = assessment.comparison.query("finding == 'grouping'")
    assert said["variable"].tolist() == ["amount"]
    assert "equal width" in said["detail"].iloc[0]
    assert len({classes[0], classes[n_at[0]], classes[-1]}) == 3


def test_three_classes_by_quantiles_are_enough():
    values = [0] * 40 + [10] * 25 + [20] * 15 + [40] * 20
    _, assessment = classes_of(values, 4)
    assert len(quantiles(values, 4)) - 1 == 3
    assert amount(assessment).grouped_by == "quantiles"
    assert "grouping" not in set(assessment.comparison["finding"])


@sometimes
@given(st.lists(st.floats(0.01, 1e6, allow_nan=False), min_size=8, max_size=40, unique=True))
def test_bounds_between_classes_are_as_round_as_the_values_allow(values):
    _, assessment = classes_of(values, 4)
    for bound in amount(assessment).breaks:
        low = max(value for value in values if value < bound)
        high = min(value for value in values if value >= bound)
        digits = len(repr(bound).replace(".", "").strip("0"))
        rounder = {float(f"{end:.{d}e}") for end in (low, bound, high) for d in range(max(digits - 2, 0))}
        assert not [number for number in rounder if low < number <= high]


def test_zero_has_no_sign_in_labels():
    _, assessment = classes_of([-2.0, -1.0, -0.0, -0.0, 1.0, 2.0], 3)
    assert not [label for label in amount(assessment).classes if re.search(r"-0(?![.\d])", label)]


def test_given_breaks_are_taken_as_they_are():
    classes, assessment = classes_of([0, 1, 9.99, 10, 15, 20], [0, 10, 15, 20])
    assert amount(assessment).grouped_by == "given breaks"
    names = amount(assessment).classes
    assert len(names) == 3
    assert classes == [names[place] for place in (0, 0, 0, 1, 2, 2)]


def test_numbers_outside_given_breaks_are_refused():
    with pytest.raises(ValueError, match="outside the breaks"):
        classes_of([0, 1, 2, 30], [0, 10, 20])
    with pytest.raises(ValueError, match="outside the breaks"):
        classes_of([1, 2, 3], [0, 10, 20], synthetic=[[-1]])


def test_numbers_written_as_text_are_grouped_alike():
    values = [*range(1, 40), None]
    original = pd.DataFrame({"k": values, "t": ["x", "y"] * 20})
    plain = assess(original, original, keys="k", numeric_groups={"k": 5})
    as_text = original.assign(k=original["k"].astype("Int64").astype("string"))
    for other in (as_text, as_text.astype("category"), original.astype({"k": "float32"}).astype({"k": "category"})):
        mixed = assess(original, other, keys="k", numeric_groups={"k": 5})
        assert_same(plain, mixed)
        assert_same(plain, assess(other, other, keys="k", numeric_groups={"k": 5}))


def test_a_constant_is_one_class():
    classes, assessment = classes_of([5, 5, 5], 10)
    assert len(set(classes)) == len(amount(assessment).classes) == 1


def test_grouping_ignores_row_order():
    values = [random.Random(1).randrange(1000) for _ in range(300)]
    original = pd.DataFrame({"k": values, "t": [value % 7 for value in values]})
    before = assess(original, original, keys="k", numeric_groups={"k": 20})
    shuffled = original.sample(frac=1, random_state=2)
    after = assess(shuffled, shuffled.iloc[::-1], keys="k", numeric_groups={"k": 20})
    assert_same(before, after)
    assert before.variables == after.variables
