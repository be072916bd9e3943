"""Membership: how well somebody tells from the synthetic file who was in the original."""

import json
import math
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import ComparisonWarning, Documentation, Settings, analyse, assess, examples, load, membership
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.membership import base_rate_in
from discoreport.assessment.analyses.membership.results import COLUMNS, at_base_rate
from discoreport.errors import DataError, SettingsError
from discoreport.measures.near_records import _numbers, distances, n_joins

# Files this small differ, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")

EXPECTED = json.loads((Path(__file__).parent / "beyond.json").read_text(encoding="utf-8"))["membership"]
KEYS = ["sex", "age"]


def of_case(case):
    files = (examples.path(case[name].partition(".")[0]) for name in ("original", "synthetic", "control"))
    original, synthetic, control = files
    settings = Settings(keys=case["variables"][:1], targets=[])
    chosen = {"control": control, "variables": case["variables"], "base_rate": case["base_rate"]}
    return membership(original, synthetic, settings, **chosen)


@pytest.mark.parametrize("case", [EXPECTED[0], *(pytest.param(one, marks=pytest.mark.slow) for one in EXPECTED[1:])])
def test_the_example_survey_has_the_expected_figures(case):
    found = of_case(case).table
    assert tuple(found.columns) == COLUMNS
    for (_, row), expected in zip(found.iterrows(), case["expected"], strict=True):
        for name, value in expected.items():
            assert math.isclose(row[name], value, rel_tol=1e-9, abs_tol=1e-9), name
        assert row["recall"] == row["TPR"]
        assert row["low"] <= row["advantage"] <= row["high"]


# Distances -------------------------------------------------------------------------------------------------------

RECORDS = st.integers(1, 6).flatmap(
    lambda k: st.tuples(
        *(st.lists(st.tuples(*[st.integers(0, 3)] * k), min_size=1, max_size=12) for _ in range(2)),
        st.integers(0, 3),
    )
)


@given(RECORDS)
def test_the_nearest_record_is_the_one_that_all_pairs_give(problem):
    synthetic, records, most = problem
    columns = [[np.array(column) for column in zip(*rows, strict=True)] for rows in (synthetic, records)]
    nearest = [min(sum(a != b for a, b in zip(one, other, strict=True)) for other in synthetic) for one in records]
    assert distances(*columns, most).tolist() == [min(one, most + 1) for one in nearest]


def test_numbers_of_many_levels_stay_apart():
    random = np.random.default_rng(1)
    columns = [random.integers(0, 10**6, 300) for _ in range(12)]  # 10**72 combinations
    columns = [np.concatenate([column, column[:50]]) for column in columns]
    numbers = _numbers(columns)
    assert len(set(numbers.tolist())) == 300
    assert numbers[300:].tolist() == numbers[:50].tolist()


def test_joins_are_counted():
    assert n_joins(8, 2) == 28 + 8 + 1
    assert n_joins(2, 5) == 2 + 1


# What it says ----------------------------------------------------------------------------------------------------


def people(seed, n):
    random = np.random.default_rng(seed)
    return pd.DataFrame({f"v{place}": random.integers(0, 12, n) for place in range(6)})


ALL = Settings(keys=[f"v{place}" for place in range(6)], targets=[])


def test_members_that_were_copied_are_told_from_others():
    original, control = people(1, 400), people(2, 400)
    (exact, *_) = membership(original, original.sample(frac=1, random_state=3), ALL, control=control).guesses
    assert exact.TPR == 100
    assert exact.advantage > 99
    assert exact.low > 95
    assert exact.precision > 99


def test_nobody_is_told_by_a_file_of_nobody():
    original, control = people(1, 50), people(2, 50)
    nothing = membership(original, people(3, 5) + 100, ALL, control=control, differing=1).guesses
    assert [(one.TPR, one.FPR, one.precision, one.F1, one.relative_F1) for one in nothing] == [
        (0, 0, None, None, None)
    ] * 2
    assert at_base_rate(0.0, 0.5, 0.1) == (0.0, None, None)


def coverage(runs):
    """The share of runs on independent files whose interval holds 0."""
    held = 0
    for seed in range(runs):
        frames = [people(3 * seed + place, 60)[["v0", "v1"]] for place in range(3)]
        one = membership(frames[0], frames[1], Settings(keys=["v0", "v1"], targets=[]), control=frames[2], differing=0)
        held += one.worst.low <= 0 <= one.worst.high
    return held / runs


@pytest.mark.slow
def test_independent_files_have_an_advantage_of_0_within_its_interval():
    assert 0.91 <= coverage(200) <= 0.99


def test_numbers_are_known_in_the_classes_of_the_settings():
    random = np.random.default_rng(5)
    frames = [pd.DataFrame({"sex": "f", "age": random.normal(50, 20, 80)}) for _ in range(3)]
    plain = membership(*frames[:2], Settings(keys=KEYS), control=frames[2], differing=0)
    grouped = membership(*frames[:2], Settings(keys=KEYS, numeric_groups={"age": 3}), control=frames[2], differing=0)
    assert plain.worst.TPR == 0
    assert grouped.worst.TPR == 100
    assert grouped.worst.FPR == 100  # values beyond those of the other files are in the classes at the ends


def test_a_missing_value_is_a_value_like_others():
    frame = pd.DataFrame({"sex": ["f", None], "age": [1, 2]})
    found = membership(frame, frame, Settings(keys=KEYS), control=frame.assign(sex="f"), differing=0)
    assert (found.worst.TPR, found.worst.FPR) == (100, 50)


def test_the_worst_file_leads():
    original, control = people(1, 100), people(2, 100)
    found = membership(original, [people(3, 100), original], ALL, control=control)
    assert found.worst.synthesis == 2
    assert {one.synthesis for one in found.of_worst_file} == {2}
    assert found.table["synthesis"].tolist() == [1, 1, 1, 2, 2, 2]


# The base rate ---------------------------------------------------------------------------------------------------


def test_the_base_rate_is_a_share_or_the_size_of_the_population_or_the_share_of_both_files():
    files = people(1, 100), people(2, 100)
    options = {"control": people(3, 300)}
    assert membership(*files, ALL, **options).rate == 0.25
    share, size = (membership(*files, ALL, **options, base_rate=rate) for rate in (0.05, 2000))
    assert share.rate == size.rate == 0.05
    assert share.table.equals(size.table)


@pytest.mark.parametrize(
    ("rate", "said"), [(0, "above 0"), (1, "below 1"), (-2, "above 0"), (80, "everybody was in it")]
)
def test_a_base_rate_that_is_none_is_refused(rate, said):
    with pytest.raises(SettingsError, match=said):
        membership(people(1, 100), people(2, 100), ALL, control=people(3, 100), base_rate=rate)


def test_the_documentation_says_how_large_the_population_is():
    files = people(1, 100), people(2, 100)
    said = Documentation.model_validate({"source": {"population": "2,000"}})
    assessment = assess(*files, keys=list(ALL.keys), targets=[]).with_documentation(said)
    found = analyse(assessment, *files, {"membership": {"control": people(3, 100)}}).analyses.membership
    assert found.rate == 0.05
    with pytest.raises(SettingsError, match=r"source\.population"):
        base_rate_in("a million")


# Who asks --------------------------------------------------------------------------------------------------------


def test_nothing_is_measured_without_a_control_file():
    with pytest.raises(SettingsError, match="not measured without a control file"):
        membership(people(1, 10), people(2, 10), ALL, control=None)
    with pytest.raises(SettingsError, match="control"):
        ANALYSES["membership"].run(people(1, 10), [people(2, 10)], ALL, {})


def test_a_control_that_took_part_is_warned_of():
    original = people(1, 100)
    with pytest.warns(ComparisonWarning, match="is it a copy"):
        found = membership(original, people(2, 100), ALL, control=original)
    assert [one.finding for one in found.findings if one.severity == "warning"] == ["control_is_copy"]
    with pytest.warns(ComparisonWarning, match=r"more about the control than about the original \(membership\)"):
        membership(original, people(3, 100), ALL, control=people(3, 100))


def test_what_cannot_be_compared_is_refused():
    files = people(1, 10), people(2, 10)
    with pytest.raises(DataError, match="No column 'v5' in 'control'"):
        membership(*files, ALL, control=people(3, 10).drop(columns="v5"))
    units = [frame.assign(home=range(10)) for frame in (*files, people(3, 10))]
    with pytest.raises(SettingsError, match="'home' is the unit"):
        membership(*units[:2], Settings(keys=["v0"], targets=[], unit="home"), control=units[2], variables=["home"])
    many = pd.DataFrame({f"w{place}": [1, 2] for place in range(60)})
    with pytest.raises(SettingsError, match="Name fewer variables"):
        membership(many, many, Settings(keys=["w0"], targets=[]), control=many, variables=list(many), differing=4)


def test_tables_of_an_engine_are_refused_with_the_reason():
    ibis = pytest.importorskip("ibis")
    table = ibis.memtable(people(1, 10))
    with pytest.raises(DataError, match="in memory: give files or frames instead of Ibis tables"):
        membership(table, people(2, 10), ALL, control=people(3, 10))


def test_it_is_saved_and_loaded(tmp_path):
    files = people(1, 100), people(2, 100)
    assessment = assess(*files, keys=list(ALL.keys), targets=[])
    found = membership(*files, assessment.settings, control=people(3, 100), variables=["v1", "v2"], base_rate=0.1)
    again = load(assessment.with_analysis(found).save(tmp_path / "record.json")).analyses.membership
    assert again == found
    assert again.known == ("v1", "v2")
    other = assessment.settings.model_copy(update={"unit": "home"})
    with pytest.raises(SettingsError, match="other settings than the assessment \\(unit\\)"):
        assessment.model_copy(update={"settings": other}).with_analysis(found)


@pytest.mark.parametrize(
    ("said", "rate"),
    [("2.5 %", 0.025), ("1,200,000", 1_200_000), ("12,345.5", 12_345.5), ("0.05", 0.05), ("1 000", 1000)],
)
def test_what_is_said_of_the_population_is_read(said, rate):
    assert base_rate_in(said) == pytest.approx(rate)


@pytest.mark.parametrize("said", ["2,5 %", "5,5 %", "0,05", "12,34", "1,2345", "1.200.000", "many"])
def test_a_comma_that_may_be_a_decimal_one_is_refused(said):
    with pytest.raises(SettingsError, match="population"):
        base_rate_in(said)


def test_a_control_coded_otherwise_in_a_named_variable_is_doubted():
    random = np.random.default_rng(2)
    frames = [pd.DataFrame({"sex": random.choice([*"fm"], 300), "edu": random.choice([*"abc"], 300)}) for _ in range(3)]
    frames[2]["edu"] = frames[2]["edu"].str.upper()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        found = membership(
            frames[0], frames[1], {"keys": "sex", "targets": []}, control=frames[2], variables=["sex", "edu"]
        )
    assert "control_low_overlap" in {one.finding for one in found.findings}


def test_a_base_rate_in_words_is_refused():
    frame = pd.DataFrame({"sex": [*"fmfm"]})
    with pytest.raises(SettingsError, match="base_rate"):
        membership(frame, frame, {"keys": "sex"}, control=frame, base_rate="5 %")
