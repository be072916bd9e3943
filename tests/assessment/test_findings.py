"""The rows that page 1, summary.txt and the console share: the keys, then each target, of its worst file."""

import numpy as np
import pandas as pd
import pytest

from discoreport import ComparisonWarning, Documentation, Report, assess
from tests.policies import under
from tests.records import MOST_ROWS, Findings
from tests.wording import percentage, points


def row_of(assessment, place):
    findings = Findings(assessment)
    return next(row for row in (findings.keys, *findings.targets) if row.place == place)


@pytest.fixture(scope="module")
def many():
    """Twelve targets, of which the later ones follow the key more closely."""
    random = np.random.default_rng(1)
    key = random.integers(0, 40, 300)
    targets = {f"t{n}": np.where(random.random(300) < n / 12, key % 5, random.integers(0, 5, 300)) for n in range(12)}
    frame = pd.DataFrame({"key": key, **targets})
    return assess(frame.iloc[:150], frame.iloc[150:], keys="key")


def test_the_keys_come_first_then_what_is_most_beyond_chance(documented):
    findings = Findings(documented)
    order = ["employment", "marital", "education", "income", "smoker", "wellbeing", "worked_abroad"]
    assert [row.place for row in findings.shown] == [None, *order]
    employment = findings.shown[1]
    assert employment.original.percent == pytest.approx(70.98)
    assert employment.this_file.percent == pytest.approx(38.64)
    assert employment.this_file.records == 1932
    assert employment.by_chance == pytest.approx(13.27, abs=0.01)
    assert employment.excess == pytest.approx(38.64 - employment.by_chance)
    assert (findings.keys.by_chance, findings.keys.excess) == (None, None)


def test_each_row_is_of_its_worst_file(survey_of_three):
    findings = Findings(survey_of_three)
    found = survey_of_three.attribute["DiSCO"] - survey_of_three.attribute["baseDiSCO"]
    for row in findings.targets:
        assert row.excess == pytest.approx(found.loc[row.place].max())
        assert row.synthesis == found.loc[row.place].idxmax()
        assert row.this_file.percent == survey_of_three.attribute.loc[(row.place, row.synthesis), "DiSCO"]
    assert findings.keys.this_file.percent == max(survey_of_three.values("repU"))


def test_at_most_eight_rows_and_what_the_others_are_like(many):
    findings = Findings(under(many, ("DiSCO", 1)))
    assert len(findings.shown) == MOST_ROWS
    assert len(findings.left) == 13 - MOST_ROWS
    assert min(row.excess for row in findings.shown[1:]) >= max(row.excess for row in findings.left)
    n_above = sum(row.status == "above" for row in findings.left)
    assert n_above
    assert findings.rest.startswith("5 more targets: none more than")
    assert findings.rest.endswith(f"{n_above} above")
    assert findings.rest in str(under(many, ("DiSCO", 1)))
    assert Findings(many).rest.endswith("points beyond chance")


def test_answers_of_reviewers_stand_in_words(documented, survey_of_three):
    assert row_of(documented, "smoker").accepted == ("“No” (1,618 records)",)
    assert row_of(documented, "employment").accepted == ("2 of 3 flagged pairs",)
    assert row_of(documented, "education").accepted == ("0 of 1 flagged pair",)  # nobody has answered it
    assert row_of(documented, "income").accepted == ()  # nothing is flagged
    unanswered = documented.with_documentation(Documentation())
    assert row_of(unanswered, "smoker").accepted == ("not “No”", "0 of 2 flagged pairs")
    assert row_of(survey_of_three, "worked_abroad").accepted == ("left out: “No”",)
    assert row_of(survey_of_three, "marital").accepted == ("left out: 1 pair",)


def test_a_row_says_how_it_stands_beside_the_threshold(small):
    assert row_of(small, "trade").status == "none set"
    assert row_of(under(small, ("DiSCO", 5)), "trade").status == "above"
    assert row_of(under(small, ("DiSCO", 95)), "trade").status == "not above"
    several = row_of(under(small, ("DiSCO", 95), ("iS", 50)), "trade")
    assert several.status == "above"  # the worse one counts
    assert several.comparison.threshold.measure == "iS"
    assert several.threshold == f"50 ({percentage(small.value('iS', 'trade'))})"  # a figure that is in no column
    strict = under(small, ("repU", 5))
    accepted = strict.with_documentation(Documentation.model_validate({"criteria": {"accepted": {"repU": "few"}}}))
    assert (row_of(strict, None).has_reason, row_of(accepted, None).has_reason) == (False, True)


def test_people_in_sensitive_levels_are_counted(survey, survey_of_three):
    named = {"employment": ("Unemployed",)}
    found = Findings(under(survey, sensitive=named))
    assert found.names_sensitive
    assert {row.place: row.sensitive for row in found.shown if row.sensitive} == {
        "employment": ("14 of the 328 with Unemployed",)
    }
    assert "14 of the 328 with Unemployed" in found.as_texts().to_string()
    assert not Findings(survey).names_sensitive
    assert "sensitive levels" not in Findings(survey).as_texts()
    several = Findings(under(survey_of_three, sensitive=named))
    (row,) = [row for row in several.targets if row.place == "employment"]
    levels = survey_of_three.levels.query("target == 'employment' and level == 'Unemployed'").set_index("synthesis")
    worst = levels["disclosed"].idxmax()
    told = f"{levels.loc[worst, 'disclosed']} of the 328 with Unemployed"
    assert row.sensitive == (told if worst == row.synthesis else f"{told} (file {worst})",)


def test_a_figure_that_cannot_be_compared_is_not_said_to_be_low():
    frame = pd.DataFrame({"key": ["a", "b", "c"] * 20, "target": ["x", "y", "z"] * 20})
    with pytest.warns(ComparisonWarning, match="no key combination"):
        apart = assess(frame, frame.assign(key=frame["key"].str.upper()), keys="key")
    assert row_of(under(apart, ("DiSCO", 50)), "target").status == "can't be compared"


def test_a_threshold_that_another_file_exceeds_says_which():
    key = np.repeat(np.arange(40), 6)
    original = pd.DataFrame({"key": key, "t": np.where(key < 10, "y", "x")})
    same_for_all = original.assign(t="x")  # right for three in four, and so would chance be
    knows_half = original.assign(t=np.where(key < 20, original["t"], np.tile(["x", "y"], 120)))
    row = row_of(under(assess(original, [same_for_all, knows_half], keys="key"), ("DiSCO", 60)), "t")
    assert (row.synthesis, row.this_file.percent, row.status) == (2, 50, "above")
    assert row.threshold == "60 (75.0 in file 1)"


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")  # a file and itself
def test_a_target_without_a_name_is_no_key():
    frame = pd.DataFrame({"key": [1, 2, 3, 3], "": [*"xyxy"]})
    found = under(assess(frame, frame, keys="key", targets=[""]), ("DiSCO", 1), ("repU", 90))
    keys, target = Findings(found).shown
    assert (keys.place, keys.this_file.percent, keys.status) == (None, 50, "not above")
    assert (target.place, target.this_file.percent, target.status) == ("", 50, "above")


def test_console_summary_and_page_show_the_same_figures(documented):
    report = Report(documented)
    printed, summary = str(documented), report.summary
    for row in Findings(documented).shown:
        figures = [percentage(row.original.percent), percentage(row.this_file.percent)]
        figures += [percentage(row.by_chance), points(row.excess)] if row.place else []
        (line,) = [line for line in printed.splitlines() if line.startswith((f"{row.place or 'the keys'} ",))]
        assert line in summary
        assert all(figure in line.split() for figure in figures)
