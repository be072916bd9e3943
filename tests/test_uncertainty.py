"""Confidence intervals of the measures: by hand, against an intruder, and the reasons where there is none."""

import statistics

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from discoreport import Settings, assess, examples
from discoreport.assessment.analyses.uncertainty import uncertainty
from discoreport.errors import SettingsError
from discoreport.measures import MEASURES
from discoreport.measures.intervals import t_interval, wilson
from tests.strategies import often, problems
from tests.test_brute_force import attacks, close_to
from tests.test_sensitivity import settings_of

# Files this small leave many levels out, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")


def by_place(found):
    return {(one.over, one.target, one.synthesis, one.measure): one for one in found.intervals}


@often
@given(problems())
def test_intervals_are_those_of_an_intruders_counts(problem):
    problem.settings["max_denominator"] = None
    found = by_place(uncertainty(*problem.frames(), settings_of(problem)))
    n = len(problem.original)
    for target, synthesis, attack in attacks(problem):
        measures = attack.measures()
        counts = {name: (measures[name] * n / 100, n) for name in ("iS", "DiS", "DiSCO")}
        counts["TCAP"] = (counts["DiSCO"][0], round(counts["DiS"][0]))
        for name, (count, n_all) in counts.items():
            row = found["records", target, synthesis, name]
            if not n_all:
                assert (row.value, row.low, row.high, row.reason) == (None, None, None, "there is nothing to divide by")
                continue
            assert (row.low, row.high) == close_to([100 * end for end in wilson(round(count), n_all)])
            assert row.value == close_to(measures[name])
        row = found["records", target, synthesis, "DCAP_d"]
        guesses = [float(attack.s.certainty_left(q, t)) for q, t in attack.d.left]
        guesses += [0.0] * (n - len(guesses))
        assert row.value == close_to(100 * statistics.mean(guesses))
        if n == 1:
            assert (row.low, row.reason) == (None, "one record has no spread")
        else:
            half = 1.959963984540054 * 100 * statistics.stdev(guesses) / n**0.5
            assert (row.low, row.high) == close_to((row.value - half, row.value + half))


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
            assert one.low <= one.value <= one.high
        if one.synthesis and one.target:
            figures = dict(enumerate(assessment.values(one.measure, one.target), start=1))
            assert one.value == pytest.approx(figures[one.synthesis])


def test_the_mean_over_syntheses_has_students_interval():
    files = [examples.path(f"synthetic_{number}") for number in (1, 2, 3)]
    settings = Settings(**examples.SETTINGS, targets=["marital"])
    found = by_place(uncertainty(examples.path("original"), files, settings))
    assessment = assess(examples.path("original"), files, **examples.SETTINGS, targets=["marital"])
    for name in set(MEASURES) - {"max_denom"}:
        row = found["syntheses", "marital", 0, name]
        values = assessment.values(name, "marital")
        assert row.value == pytest.approx(np.mean(values))
        assert (row.low, row.high) == pytest.approx(t_interval(values))
    assert found["syntheses", "marital", 0, "max_denom"].reason == "the largest of several isn't a mean"
    assert found["syntheses", "marital", 0, "max_denom"].value == max(assessment.values("max_denom", "marital"))


def test_one_synthesis_has_no_interval_over_syntheses():
    frame = pd.DataFrame({"age": [1, 2], "ill": ["y", "n"]})
    found = by_place(uncertainty(frame, frame, Settings(keys=["age"])))
    row = found["syntheses", "ill", 0, "DiSCO"]
    assert (row.value, row.low) == (100, None)
    assert "two or more" in row.reason


def test_a_census_has_no_interval_over_its_records_but_over_syntheses():
    frame = pd.DataFrame({"age": [1, 2, 3], "ill": ["y", "n", "n"]})
    other = pd.DataFrame({"age": [1, 2, 2], "ill": ["y", "n", "y"]})
    found = uncertainty(frame, [frame, other], Settings(keys=["age"]), collection="population")
    table = found.table.set_index(["over", "measure"])
    assert table.loc["records", "low"].isna().all()
    assert "everybody" in table.loc[("records", "DiSCO"), "reason"].iloc[0]
    assert table.loc[[("syntheses", "DiSCO")], "low"].notna().all()


def test_figures_that_go_by_the_other_records_have_no_interval():
    frame = pd.DataFrame({"age": [1, 2, 3], "ill": ["y", "n", "n"]})
    table = uncertainty(frame, frame, Settings(keys=["age"]), collection="sample").table.query("over == 'records'")
    with_interval = set(table[table["low"].notna()]["measure"])
    assert with_interval == {"iS", "DiS", "DiSCO", "DCAP_d", "TCAP"}
    limited = uncertainty(frame, frame, Settings(keys=["age"], max_denominator=1)).table.query("over == 'records'")
    assert limited["low"].isna().all()


def test_keys_alone_have_their_measures():
    frame = pd.DataFrame({"age": [1, 2, 3, 3]})
    table = uncertainty(frame, [frame, frame], Settings(keys=["age"], targets=[])).table
    assert set(table["measure"]) == {"UiO", "UiS", "UiOiS", "repU"}
    assert set(table["target"]) == {""}
    assert table.query("over == 'syntheses' and measure == 'repU'")["low"].to_list() == [50]


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
