"""Confidence intervals of the measures: by hand, against an intruder, and the reasons where there is none."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from discoreport import Settings, assess, examples, load, uncertainty
from discoreport.errors import SettingsError
from discoreport.measures import MEASURES
from tests.assessment.test_sensitivity import settings_of
from tests.benchmarks.coverage import COMMON, DESIGNS, FEW, NONE, RARE, SOME, covered, over_records, over_syntheses
from tests.counting import Cells, by_cluster, newcombe, t_interval, welch, wilson
from tests.intruder import IDENTITY
from tests.measures.test_brute_force import attacks, close_to
from tests.pages import InternalEdition, fill
from tests.records import analyses
from tests.strategies import often, problems

# Files this small leave many levels out, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")


def by_place(found):
    return {(one.over, one.target, one.synthesis, one.measure): one for one in found.intervals}


def by_hand(attack, name):
    """Count, for each key combination, the records that a measure is a share of, and what of them it has."""
    n_left, rows = dict.fromkeys(attack.d.left, 1), {}
    guesses = {
        "iS": lambda q, t: attack.s.knows(q),
        "DiS": lambda q, t: attack.s.is_certain_of_anything(q),
        "DiSCO": attack.s.is_certain_of,
        "DCAP_d": lambda q, t: float(attack.s.certainty_left(q, t)),
        "TCAP": attack.s.is_certain_of,
    }
    assert n_left.keys() <= set(attack.d.records)
    for q, _ in attack.d.records:
        rows.setdefault(q, [0, 0, 0])[2] += 1
    for q, t in attack.d.left:
        rows[q][0] += guesses[name](q, t)
        rows[q][1] += attack.s.is_certain_of_anything(q)
    part, certain, sizes = (np.array(column) for column in zip(*rows.values(), strict=True))
    return part, certain if name == "TCAP" else sizes, sizes


@pytest.mark.slow
@often
@given(problems())
def test_intervals_are_those_of_an_intruders_counts_by_key_combination(problem):
    problem.settings["max_denominator"] = None
    found = by_place(uncertainty(*problem.frames(), settings_of(problem)))
    for target, synthesis, attack in attacks(problem):
        measures = attack.measures()
        for name in ("iS", "DiS", "DiSCO", "DCAP_d", "TCAP"):
            row = found["records", target, synthesis, name]
            part, whole, sizes = by_hand(attack, name)
            if not whole.sum():
                assert (row.value, row.low, row.high, row.reason) == (None, None, None, "there is nothing to divide by")
                continue
            assert row.value == close_to(measures[name])
            ends = by_cluster(part, whole, sizes)
            if ends is None:
                assert (row.low, row.high) == (None, None)
                assert row.reason.startswith("fewer than 5 key combinations")
            else:
                assert (row.low, row.high) == close_to([100 * end for end in ends])


def test_what_is_summed_by_key_combination_adds_up_to_the_whole():
    whole = Cells.example()
    each = whole.by_key
    for rows, of_keys in ((whole, each), (whole.keys, each.keys)):
        assert of_keys.total(of_keys.d).sum() == rows.total(rows.d)
        assert of_keys.total(of_keys.d, of_keys.s > 0).sum() == rows.total(rows.d, rows.s > 0)
        assert of_keys.number(of_keys.s > 0).sum() == rows.number(rows.s > 0)
        for one in (of_keys.total(of_keys.d), of_keys.total(of_keys.d, of_keys.s > 0), of_keys.number(of_keys.s > 0)):
            assert one.shape == (3,)


def shares(random, n_keys):
    """Draw how many records each key combination has, and how many of them are found."""
    sizes = random.integers(1, 30, n_keys)
    return sizes * (random.random(n_keys) < random.choice([0, 0.02, 0.5, 0.99, 1])), sizes


def test_no_interval_over_records_leaves_what_is_possible_or_has_no_width():
    random = np.random.default_rng(4)
    n_given = 0
    for _ in range(2000):
        found, sizes = shares(random, random.integers(1, 60))
        ends = by_cluster(found, sizes, sizes)
        if ends is not None:
            n_given += 1
            assert 0 <= ends[0] <= found.sum() / sizes.sum() <= ends[1] <= 1
            assert ends[1] - ends[0] > 0.01
    assert n_given > 500


def test_the_interval_is_that_of_independent_records_where_every_key_combination_has_one():
    found, ones = np.array([1] * 81 + [0] * 182), np.ones(263, int)
    assert by_cluster(found, ones, ones) == pytest.approx(wilson(81, 263), abs=1e-3)


def test_the_interval_is_as_wide_when_all_key_combinations_have_ten_times_the_records():
    found, sizes = shares(np.random.default_rng(1), 60)
    assert by_cluster(10 * found, 10 * sizes, 10 * sizes) == pytest.approx(by_cluster(found, sizes, sizes))


def test_what_varies_with_the_size_of_key_combinations_alone_has_no_interval_and_says_why():
    original = pd.DataFrame({"age": [1, 1, 2, 2], "ill": list("ynyn")})
    row = by_place(uncertainty(original, original, Settings(keys=["age"])))["records", "ill", 1, "DCAP_d"]
    assert (row.value, row.low) == (50, None)
    assert row.reason.startswith("fewer than 5 key combinations")


def test_nothing_found_has_the_exact_interval_of_the_key_combinations():
    original = pd.DataFrame({"age": range(40), "ill": ["y", "n"] * 20})
    other = original.assign(ill=original["ill"].map({"y": "n", "n": "y"}))
    found = by_place(uncertainty(original, [other, original], Settings(keys=["age"])))
    far = 100 * (1 - 0.025 ** (1 / 40))
    none, every = (found["records", "ill", synthesis, "DiSCO"] for synthesis in (1, 2))
    assert (none.low, none.high) == pytest.approx((0, far))
    assert (every.low, every.high) == pytest.approx((100 - far, 100))


def made_anew(random, n=1000, n_keys=60):
    """Draw key combinations, an original and a synthetic file of the same people's population, as two frames."""
    sure = random.dirichlet([0.1] * 4, n_keys)
    frames = []
    for _ in range(2):
        q = random.integers(0, n_keys, n)
        t = (random.random(n)[:, None] > sure.cumsum(1)[q]).sum(1)
        frames.append(pd.DataFrame({"q": q, "t": t}))
    return frames


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("synthesis", ["independent", "copy"])
def test_the_interval_over_records_holds_the_mean_of_other_originals_with_other_key_combinations(synthesis):
    random, rows, earlier = np.random.default_rng(8), [], []
    for _ in range(150):
        original, other = made_anew(random)
        file = original if synthesis == "copy" else other
        one = by_place(uncertainty(original, file, Settings(keys=["q"])))["records", "t", 1, "DiSCO"]
        rows.append((one.value, one.low, one.high))
        earlier.append([100 * end for end in wilson(round(10 * one.value), 1000)])
    values, low, high = np.array(rows, float).T
    held = [low <= values.mean(), values.mean() <= high]
    assert not np.isnan(low).any()
    assert 0.91 <= np.logical_and(*held).mean() <= 0.99
    too_narrow = np.array(earlier)  # as independent records, the interval of earlier versions
    assert ((too_narrow[:, 0] <= values.mean()) & (values.mean() <= too_narrow[:, 1])).mean() < 0.6


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS, ids=lambda one: f"{one.name}, {one.synthesis}, {one.m}")
def test_intervals_hold_what_they_say_in_every_design(design):
    found = over_records(design, 300, np.random.default_rng(3), measures=("DiSCO",))
    given, held = covered(found["DiSCO"])
    assert given < 30 or held >= 91


@pytest.mark.slow
@pytest.mark.parametrize("design", [FEW, SOME, RARE, COMMON, NONE], ids=lambda one: one.name)
@pytest.mark.parametrize("m", [2, 5])
def test_intervals_over_syntheses_hold_the_mean_of_more_syntheses(design, m):
    given, held = covered(over_syntheses(replace(design, m=m), 300, np.random.default_rng(3)))
    assert given < 5 or held >= 91


@often
@given(problems())
def test_every_measure_has_an_interval_or_says_why_not(problem):
    found = uncertainty(*problem.frames(), settings_of(problem))
    n_rows = len(problem.targets) * len(MEASURES) * (len(problem.synthetic) + 1)
    assert len(found.table) == n_rows
    assessment = assess(*problem.frames(), **settings_of(problem).model_dump(exclude_unset=True))
    for one in found.intervals:
        assert bool(one.reason) == (one.low is None) == (one.high is None) == (one.method == "")
        if one.low is not None:
            assert 0 <= one.low <= one.value <= one.high
            assert one.low < one.high
            if one.measure in {entry.name for entry in MEASURES.values() if entry.depends == "both"}:
                assert one.high <= 100
        if one.synthesis and one.target:
            of = None if MEASURES[one.measure].group == "identity" else one.target
            figures = dict(enumerate(assessment.values(one.measure, of), start=1))
            assert one.value == pytest.approx(figures[one.synthesis])


@pytest.mark.slow
def test_the_mean_over_syntheses_has_students_interval():
    files = [examples.path(f"synthetic_{number}") for number in (1, 2, 3)]
    settings = Settings(**examples.SETTINGS, targets=["marital"])
    found = by_place(uncertainty(examples.path("original"), files, settings))
    assessment = assess(examples.path("original"), files, **examples.SETTINGS, targets=["marital"])
    of_original = {"UiO", "Dorig", "baseCAPd", "baseMode", "CAPd"}
    for name in set(MEASURES) - {"max_denom"}:
        row = found["syntheses", "marital", 0, name]
        values = assessment.values(name, "marital")
        assert row.value == pytest.approx(np.mean(values))
        if name in of_original:
            assert (row.low, row.reason[:38]) == (None, "it is a figure of the original alone, ")
        else:
            assert (row.low, row.high) == pytest.approx(t_interval(values))
    assert found["syntheses", "marital", 0, "max_denom"].reason == "the largest of several isn't a mean"
    assert found["syntheses", "marital", 0, "max_denom"].value == max(assessment.values("max_denom", "marital"))


def of_many(found, n=40):
    """Make an original of n key combinations and a file that gives away some of them."""
    original = pd.DataFrame({"age": range(n), "ill": ["y", "n"] * (n // 2)})
    return original, original.assign(ill=["y", "n"] * found + ["x"] * (n - 2 * found))


def test_the_mean_over_syntheses_stays_within_what_is_possible():
    original, low = of_many(3)
    high = of_many(17)[1]
    row = by_place(uncertainty(original, [low, high], Settings(keys=["age"])))["syntheses", "ill", 0, "DiSCO"]
    assert (row.value, row.low, row.high) == (50, 0, 100)


def test_files_with_the_same_figure_have_no_interval_over_syntheses():
    original, file = of_many(10)
    row = by_place(uncertainty(original, [file, file], Settings(keys=["age"])))["syntheses", "ill", 0, "DiSCO"]
    assert (row.value, row.low) == (50, None)
    assert "the same figure" in row.reason


def test_a_mean_over_syntheses_that_few_key_combinations_carry_has_no_interval():
    files = [of_many(number)[1] for number in (0, 1, 0, 0, 1)]
    found = by_place(uncertainty(of_many(0)[0], files, Settings(keys=["age"])))
    row = found["syntheses", "ill", 0, "DiSCO"]
    assert (row.value, row.low) == (2, None)
    assert row.reason.startswith("fewer than 5 key combinations")


def test_one_method_of_intervals_is_named_by_each_measures_entry():
    table = uncertainty(*of_many(10), Settings(keys=["age"])).table.query("over == 'records'").set_index("measure")
    for name, entry in MEASURES.items():
        assert (table.loc[name, "method"] == "by key combination") == (entry.depends == "both")


def test_one_synthesis_has_no_interval_over_syntheses():
    frame = pd.DataFrame({"age": [1, 2], "ill": ["y", "n"]})
    found = by_place(uncertainty(frame, frame, Settings(keys=["age"])))
    row = found["syntheses", "ill", 0, "DiSCO"]
    assert (row.value, row.low) == (100, None)
    assert "two or more" in row.reason


def test_a_census_has_no_interval_over_its_records_but_over_syntheses():
    frame, other = of_many(12)
    found = uncertainty(frame, [frame, other], Settings(keys=["age"]), collection="population")
    table = found.table.set_index(["over", "measure"]).sort_index()
    assert table.loc["records", "low"].isna().all()
    assert "everybody" in table.loc[("records", "DiSCO"), "reason"].iloc[0]
    assert table.loc[[("syntheses", "DiSCO")], "low"].notna().all()


def test_figures_that_go_by_the_other_records_have_no_interval():
    frame, _ = of_many(0)
    table = uncertainty(frame, frame, Settings(keys=["age"]), collection="sample").table.query("over == 'records'")
    with_interval = set(table[table["low"].notna()]["measure"])
    assert with_interval == {"iS", "DiS", "DiSCO", "DCAP_d", "TCAP"}
    limited = uncertainty(frame, frame, Settings(keys=["age"], max_denominator=1)).table.query("over == 'records'")
    assert limited["low"].isna().all()


def test_keys_alone_have_their_measures():
    frame = pd.DataFrame({"age": [1, 2, 3, 3]})
    table = uncertainty(frame, [frame, frame], Settings(keys=["age"], targets=[])).table
    assert set(table["measure"]) == set(IDENTITY)
    assert set(table["target"]) == {""}
    assert table.query("over == 'syntheses' and measure == 'repU'")["value"].to_list() == [50]


def test_wrong_settings_are_refused():
    frame = pd.DataFrame({"age": [1, 2], "ill": ["y", "n"]})
    with pytest.raises(SettingsError, match="collection must be"):
        uncertainty(frame, frame, Settings(keys=["age"]), collection="census")
    with pytest.raises(SettingsError, match="above 0 and below 1"):
        uncertainty(frame, frame, Settings(keys=["age"]), confidence=1)


def test_result_survives_json():
    frame = pd.DataFrame({"age": [1, 2], "ill": ["y", "n"]})
    found = uncertainty(frame, frame, Settings(keys=["age"]))
    assert type(found).model_validate_json(found.model_dump_json()) == found


@pytest.mark.slow
def test_intervals_of_earlier_methods_are_not_shown_and_said_to_be_theirs(tmp_path):
    original, file = of_many(12)
    assessment = assess(original, file, keys="age").with_analysis(uncertainty(original, file, Settings(keys=["age"])))
    content = json.loads(assessment.record)
    earlier = content["analyses"]["uncertainty"]
    assert earlier.pop("methods") == 2
    for one in earlier["intervals"]:
        if one["method"] == "by key combination":
            one.update(method="Wilson", low=one["value"] - 1, high=one["value"] + 1)
    path = tmp_path / "earlier.json"
    path.write_text(json.dumps(content))
    found = load(path)
    assert found.analyses.uncertainty.methods == 1
    assert not found.analyses.uncertainty.of_targets("records")
    page = fill("sections/analyses.html", InternalEdition(found))
    assert "The intervals of this record are not shown:" in page
    assert "Uncertainty:" not in str(found)
    (check,) = analyses(found, original, [file], {})
    assert (check.outcome, check.detail[:29]) == ("unchecked", "Made by an earlier version, b")


def test_intervals_are_those_of_scipy_and_statsmodels_where_they_have_them():
    from scipy import stats

    for n_found, n in ((0, 20), (1, 29), (81, 263), (40, 40)):
        there = stats.binomtest(n_found, n).proportion_ci(method="wilson")
        assert wilson(n_found, n) == pytest.approx((there.low, there.high), abs=1e-12)
    ours, other = [9.54, 10.26, 9.1, 9.2, 9.34], [8.1, 9.9, 7.2, 8.8]
    there = stats.ttest_1samp(ours, 0).confidence_interval()
    assert t_interval(ours) == pytest.approx((there.low, there.high))
    there = stats.ttest_ind(ours, other, equal_var=False).confidence_interval()
    parts = [part for one in (ours, other) for part in (np.mean(one), np.std(one, ddof=1), len(one))]
    assert welch(*parts) == pytest.approx((there.low, there.high))
    of_statsmodels = (-0.01449734033765325, 0.1812469540132548)  # confint_proportions_2indep, method="newcomb"
    assert newcombe(9, 70, 4, 80) == pytest.approx(of_statsmodels)


@pytest.mark.slow
def test_scipy_is_imported_only_where_an_interval_is_wanted():
    asked = "import sys; from discoreport import assess; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0
