"""What is open: thresholds, contradictions between answers and figures, conditions, dates, what nobody looked at."""

from datetime import timedelta

import pandas as pd
import pytest

from discoreport import ComparisonWarning, Documentation, Report, assess, four_checks, read_documentation
from discoreport.errors import SettingsError
from tests.policies import under
from tests.records import write_documentation


@pytest.fixture(scope="module")
def checked(small, small_files):
    """The small files with the four checks and nothing said."""
    plain = small.with_documentation(Documentation())
    return plain.with_analysis(four_checks(*small_files, assessment=plain))


def said(assessment, **values):
    return assessment.with_documentation(Documentation.model_validate(values))


def items(assessment, what):
    return [one for one in assessment.open_items if what in one.what]


def contradictions(assessment, **values):
    found = items(said(assessment, **values), "contradicts")
    return [(one.section, one.detail) for one in found]


def yes(item):
    return {"checklist": [{"item": item, "answer": "yes"}]}


# Thresholds ----------------------------------------------------------------------------------------------


def test_a_figure_above_a_threshold_is_open_until_somebody_says_why(small):
    strict = under(small, ("repU", 5), ("DiSCO", 5))
    (item,) = items(strict, "Above a threshold")
    assert item.section == "criteria"
    assert "repU (19.0; threshold 5)" in item.detail
    assert "DiSCO of trade" in item.detail
    one = said(strict, criteria={"accepted": {"repU": "hamlets of one house"}})
    assert "repU" not in items(one, "Above a threshold")[0].detail
    both = said(strict, criteria={"accepted": {"repU": "hamlets", "DiSCO of trade": "farms can be seen"}})
    assert not items(both, "Above a threshold")
    assert not items(under(small, ("repU", 100), ("DiSCO", 100)), "Above a threshold")


def test_a_figure_that_cannot_be_compared_is_open():
    frame = pd.DataFrame({"key": ["a", "b", "c"] * 20, "target": ["x", "y", "z"] * 20})
    with pytest.warns(ComparisonWarning, match="no key combination"):
        apart = assess(frame, frame.assign(key=frame["key"].str.upper()), keys="key")
    (item,) = items(under(apart, ("DiSCO", 50)), "not comparable")
    assert "DiSCO of target" in item.detail


def test_a_reason_for_a_figure_that_nobody_knows_is_refused(small):
    with pytest.raises(SettingsError, match="Did you mean 'repU'"):
        said(under(small, ("repU", 5)), criteria={"accepted": {"rpU": "typing error"}})
    assert said(small, criteria={"accepted": {"repU": "kept for a later policy"}}).documentation.criteria.filled


def test_reasons_are_written_to_a_file_and_read_again(small, tmp_path):
    strict = under(small, ("repU", 5), ("DiSCO", 5))
    path = write_documentation(tmp_path / "said.toml", strict)
    assert "[criteria.accepted]" in path.read_text()
    path.write_text(path.read_text().replace('"DiSCO of trade" = ""', '"DiSCO of trade" = "seen from the road"'))
    assert read_documentation(path).criteria.accepted == {"DiSCO of trade": "seen from the road"}


def test_a_reason_is_not_carried_over_to_a_figure_that_is_worse_now(small, small_files):
    accepted = {"repU": "few", "DiSCO of trade": "few"}
    before = said(under(small, ("repU", 5), ("DiSCO", 5)), criteria={"accepted": accepted})
    assert assess(*small_files, keys=["village"]).following(before).documentation.criteria.accepted == accepted
    original = pd.read_csv(small_files[0])
    with pytest.warns(ComparisonWarning, match="is it a copy"):
        worse = assess(original, original, keys=["village"]).following(before)
    assert not worse.documentation.criteria.filled


def test_a_reason_makes_a_signature_stale(small):
    strict = under(small, ("repU", 5))
    signed = {"decision": {"sign_offs": [{"name": "A", "state": strict.state}]}}
    plain = said(strict, **small.documentation.model_dump(exclude={"decision"}), **signed)
    assert not plain.signed_before
    assert said(plain, **plain.documentation.model_dump(exclude={"criteria"}), criteria={"accepted": {"repU": "x"}}
                ).signed_before  # fmt: skip


# Contradictions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "found"),
    [
        ("label_name", "no such word in the name of synthetic_file"),
        ("label_data", "no variable says so, nor do all names"),
        ("structure", "rows follow those of the original"),
        ("flags", "without an answer"),
    ],
)
def test_a_yes_in_the_checklist_that_the_files_deny_is_open(checked, small_files, tmp_path, item, found):
    if item == "label_name":  # the small file's name says that it is synthetic
        frame = pd.read_csv(small_files[1])
        paths = tmp_path / "a.csv", tmp_path / "b.csv"
        for path in paths:
            frame.to_csv(path, index=False)
        with pytest.warns(ComparisonWarning, match="is it a copy"):
            plain = assess(*paths, keys="village")
        checked, found = plain.with_analysis(four_checks(*paths)), "no such word in the name of b.csv"
    ((section, detail),) = contradictions(checked, **yes(item))
    assert section == "checklist"
    assert found in detail
    assert not contradictions(checked, checklist=[{"item": item, "answer": "no"}])
    assert not contradictions(checked)


def test_a_yes_in_the_checklist_that_other_answers_deny_is_open(small, small_files):
    rule = {"target": "trade", "level": "Farmer"}
    excluded = assess(*small_files, keys="village", exclude=[rule])
    assert "1 exclusion without a reason" in contradictions(excluded, **yes("exclusions"))[0][1]
    assert "there is none" in contradictions(small, **yes("user_note"), labelling={"note": "no"})[0][1]
    frames = assess(*map(pd.read_csv, small_files), keys="village")
    assert "no fingerprint" in contradictions(frames, **yes("files"))[0][1]
    assert not contradictions(small, **yes("files"))
    keys_alone = assess(*small_files, keys=["village", "trade"])
    assert "there is no target" in contradictions(keys_alone, **yes("targets"))[0][1]


def test_a_yes_in_the_checklist_that_findings_deny_is_open():
    frame = pd.DataFrame({"number": range(300), "group": ["a", "b", "c"] * 100})
    with pytest.warns(ComparisonWarning, match="value of its own"):
        found = assess(frame, frame.iloc[::-1], keys="group", targets="number")
    assert "value of its own in number" in contradictions(found, **yes("identifiers"))[0][1]
    assert "more than 100 distinct numbers: number" in contradictions(found, **yes("grouping"))[0][1]
    assert "nothing is said of" in contradictions(found, **yes("comparability"))[0][1]
    assert not contradictions(found, **yes("comparability"), comparability={"remarks": "it is a test"})


def test_what_is_said_of_labels_is_compared_with_the_four_checks(checked):
    assert contradictions(checked, labelling={"variable": "yes"}) == [
        ("labelling", "It is said that a variable or value says that the data are synthetic, but it doesn't.")
    ]
    assert contradictions(checked, labelling={"file_name": "no"})
    assert not contradictions(checked, labelling={"file_name": "yes", "variable": "no"})


def test_a_whole_population_has_no_control(analysed):
    assert contradictions(analysed, source={"collection": "population"})[0][0] == "source"
    assert not contradictions(analysed, source={"collection": "sample"})


def test_what_few_have_is_not_common_knowledge():
    original = pd.DataFrame({"key": range(200), "target": ["rare"] * 80 + ["x"] * 60 + ["y"] * 60})
    synthetic = original.iloc[:80]
    with pytest.warns(ComparisonWarning):
        found = assess(original, synthetic, keys="key", one_way_threshold=(50, 90), two_way_threshold=(500, 99))
    answer = {"target": "target", "level": "rare", "reason": "one would guess so"}
    ((section, detail),) = contradictions(found, answers=[{**answer, "prior_knowledge": True}])
    assert (section, "rare" in detail) == ("checks", False)
    assert "fewer than half" in detail
    assert not contradictions(found, answers=[{**answer, "prior_knowledge": False}])


def test_what_the_policy_calls_sensitive_is_not_common_knowledge(small_files):
    rule = {"target": "trade", "level": "Farmer", "reason": "r", "by": "b"}
    excluded = assess(*small_files, keys="village", exclude=[rule])
    assert not contradictions(excluded)
    assert contradictions(under(excluded, sensitive={"trade": ("Farmer",)})) == [
        ("checks", "A level of trade is taken for common knowledge, but the policy calls that level sensitive.")
    ]


def test_what_is_no_common_knowledge_is_not_excluded(small_files):
    case = {"target": "trade", "level": "Farmer"}
    excluded = assess(*small_files, keys="village", exclude=[{**case, "reason": "r", "by": "b"}])
    answer = {**case, "prior_knowledge": False, "reason": "news to me"}
    assert contradictions(excluded, answers=[answer])[0][0] == "exclusions"


@pytest.mark.parametrize(("status", "decision", "n"), [("decided", "", 1), ("draft", "approve", 1), ("draft", "", 0),
                                                       ("decided", "reject", 0)])  # fmt: skip
def test_status_and_decision_agree(small, status, decision, n):
    assert len(contradictions(small, status=status, decision={"decision": decision})) == n


# Decision ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decision", "open_"),
    [
        ({"decision": "approve with conditions"}, "Conditions not named"),
        ({"decision": "approve with conditions", "conditions": "Add a label."}, "Conditions not met yet"),
        ({"decision": "approve", "conditions": "Add a label.", "conditions_met": "no"}, "Conditions not met yet"),
        ({"decision": "approve", "conditions": "Add a label.", "conditions_met": "yes"}, ""),
        ({"decision": "approve", "conditions": "Only for teaching.", "conditions_met": "n.a."}, ""),
        ({"decision": "reject", "conditions": "Add a label."}, ""),
    ],
)
def test_conditions_are_open_until_somebody_says_that_they_are_met(small, decision, open_):
    assert [one.what for one in items(said(small, decision=decision), "Conditions")] == [open_] * bool(open_)


def test_signatures_older_than_the_figures_are_open(small):
    made = small.provenance.created.date()

    def early(**entry):
        return items(said(small, decision={"sign_offs": [{"name": "A", **entry}]}), "Signed before the figures")

    assert early(date=made - timedelta(days=5))
    assert not early(date=made)
    assert not early(date=made - timedelta(days=5), state=small.state)  # figures made again, and the same


# What nobody looked at -----------------------------------------------------------------------------------


def test_what_could_have_been_looked_at_and_was_not_is_said(small, checked):
    assert "four checks were not run" in items(small, "Not checked")[0].detail
    assert not items(checked, "Not checked")
    by_hand = said(checked, decision={"sign_offs": [{"name": "A. Officer"}]})
    detail = "Nothing says which figures and words they are on: A. Officer (checker)."
    assert items(by_hand, "Signed, for which figures isn't said")[0].detail == detail
    uncounted = checked.model_copy(update={"whole_records": ()})
    assert "hole records of the original" in items(uncounted, "Not checked")[0].detail


# In the report -------------------------------------------------------------------------------------------


def test_every_open_item_links_to_its_place(checked):
    strict = under(checked, ("repU", 5))
    page = Report(said(strict, **yes("flags"), decision={"decision": "approve", "conditions": "Add a label."})).html
    sections = {one.section for one in strict.open_items}
    assert {"criteria", "checklist", "checks", "decision", "request"} <= sections
    for section in sections | {"labelling", "source", "exclusions", "scenario", "comparability", "analyses"}:
        assert f'id="{section}"' in page


def test_a_signature_names_what_was_signed_and_goes_stale(small):
    plain = said(small, request={"purpose": "Teaching"})
    decision = {"decision": "approve", "state": plain.state, "sign_offs": [{"name": "A", "state": plain.state}]}
    signed = said(plain, request={"purpose": "Teaching"}, decision=decision)
    page = Report(signed).html
    assert page.count(f"{plain.state[:16]}…") == 2  # that of the report, and that of the signature
    assert "stale" not in page.lower()
    changed = Report(said(plain, request={"purpose": "Sale"}, decision=decision)).html
    assert "stale: signed before the last change" in changed
    assert "Stale: decided before the last change" in changed
    assert f"{plain.state[:16]}…" in changed
    by_hand = Report(said(plain, decision={"sign_offs": [{"name": "A"}]})).html
    assert "for which figures isn't said" in by_hand
