"""Several people on one form: who sees, answers and signs what, and what each of them has changed."""

import datetime

import ipywidgets as w
import pytest

from discoreport import DisclosureForm
from discoreport.errors import SettingsError
from discoreport.form.model.viewers import place_of, signatures
from discoreport.form.standalone_page import notebook
from tests.forms import enter, find, inside, press, read_saved, shown, status, step
from tests.records import Answer, SignOff

pytestmark = pytest.mark.usefixtures("folder", "drawn")


@pytest.fixture
def prepared(small_files, folder):
    """A form that the preparer has filled in and signed, saved."""
    form = DisclosureForm(*small_files)
    state = form.state
    state.change(keys=("village",), targets=("trade",), two_way_threshold=(1, 50.0))
    form.tasks.run()
    state.by = "A. Officer"
    target, level, *_ = state.runs.flags[0].case
    state.statements.answer(Answer(target=target, level=level, prior_knowledge=True, reason="All are.", by=state.by))
    state.statements.say_in("request", purpose="Teaching")
    state.decide(sign_offs=(SignOff(role="preparer", name="A. Officer", decision="approve"),))
    return form.save(folder / "kept.form.json")


def controls(form):
    """What can be changed or pressed in the steps, by its label."""
    kinds = (w.Button, w.Text, w.Textarea, w.Dropdown, w.DatePicker, w.ToggleButtons, w.Combobox)
    return [one.description for one in inside(form._stack) if isinstance(one, kinds)]


def tabs(form):
    return [one.description.split("\n")[0] for one in inside(form.header.steps) if isinstance(one, w.Button)]


@pytest.mark.slow
def test_the_second_checker_sees_everything_and_changes_nothing_but_their_own_word(prepared):
    form = DisclosureForm.load(prepared, open_as="second checker")
    assert tabs(form) == ["1 Results", "2 Sign-off"]
    step(form, "Sign-off")
    assert controls(form) == ["Name", "Date", "Decision", "Comment"]
    for said in ("Teaching", "All are.", "A. Officer", "trade: Farmer", form.assessment.state[:16], "not answered"):
        assert said in shown(form)
    before = form.state.statements.documentation, form.state.draft
    enter(form, "Name", "B. Checker")
    assert form.state.changes.undoes == "signature: B. Checker (checker)"
    assert status(form, "Sign-off") == "open: date, decision"
    enter(form, "Decision", "approve")
    enter(form, "Date", datetime.date(2026, 11, 29))
    assert status(form, "Sign-off") == "signed"
    said = form.state.statements.documentation
    assert (said.model_copy(update={"decision": before[0].decision}), form.state.draft) == before
    signed = {one.name: one for one in said.decision.sign_offs if one.name}
    assert (signed["B. Checker"].role, signed["B. Checker"].state) == ("checker", form.assessment.state)
    assert signed["A. Officer"] == before[0].decision.sign_offs[0]
    assert place_of("second checker", signatures(said.decision)) == said.decision.sign_offs.index(signed["B. Checker"])
    form.go_to("Settings")
    assert form.opened.name == "Sign-off"


@pytest.mark.slow
def test_first_and_second_checker_have_a_signature_each(prepared):
    form = DisclosureForm.load(prepared, open_as="first checker")
    step(form, "Sign-off")
    enter(form, "Name", "B")
    enter(form, "Open as", "second checker")
    assert find(form.opened.view, "Name").value == ""
    enter(form.opened.view, "Name", "C")
    assert [(one.role, one.name) for one in form.state.decision.sign_offs if one.name] == [
        ("preparer", "A. Officer"), ("checker", "B"), ("checker", "C")
    ]  # fmt: skip
    assert not form.assessment.signed_before


def test_the_status_goes_by_the_decision(prepared):
    form = DisclosureForm.load(prepared)
    form.tasks.run()
    state = form.state
    state.statements.say(status="submitted")
    for decision, said in (("approve", "decided"), ("reject", "decided"), ("", "submitted"), ("reject", "decided")):
        state.decide(decision=decision)
        assert state.statements.documentation.status == said
        assert all(item.what != "An answer contradicts what was found" for item in state.assessment.open_items)
    state.statements.say(status="withdrawn")
    state.decide(decision="approve")
    assert state.statements.documentation.status == "withdrawn"
    state.undo()
    state.undo()
    assert state.changes.undoes == "decision: decision reject"


@pytest.mark.slow
def test_the_custodian_decides_and_what_changes_later_is_outdated(prepared):
    form = DisclosureForm.load(prepared, open_as="custodian")
    step(form, "Sign-off")
    enter(form, "Name", "D")
    enter(form, "Decision", "approve", nth=1)
    assert form.state.decision.decision == "approve"
    enter(form, "Open as", "preparer")
    form.state.statements.say(title="Another")
    enter(form, "Open as", "custodian")
    assert "have changed since this was given" in shown(form)
    press(form, "Sign again")
    assert [one.name for one in form.assessment.signed_before] == ["A. Officer"]


def test_the_preparer_signs_for_nobody_else(prepared):
    form = DisclosureForm.load(prepared, open_as="preparer")
    step(form, "Report")
    form.panel("Report").said.unfold("decision")
    names = [one for one in inside(form._stack) if getattr(one, "description", "") == "Name"]
    assert [one.value for one in names] == ["A. Officer"]
    assert "The others sign for themselves" in shown(form)


@pytest.mark.slow
def test_nobody_takes_back_what_others_did_and_names_stay_apart(prepared, folder):
    form = DisclosureForm.load(prepared)
    form.state.statements.say(title="By A")
    enter(form, "Open as", "first checker")
    assert not form.state.changes.undoes
    step(form, "Sign-off")
    enter(form, "Name", "B")
    assert form.state.changes.undoes
    assert read_saved(form.save(folder / "again.form.json")).by == "A. Officer"
    enter(form, "Open as", "")
    assert form.state.by == "A. Officer"


@pytest.mark.slow
def test_what_each_has_changed_is_listed_and_saved(prepared, folder):
    form = DisclosureForm.load(prepared, open_as="second checker")
    step(form, "Sign-off")
    enter(form, "Name", "B. Checker")
    enter(form, "Comment", "Seen.")
    made = [(one.by, one.what) for one in read_saved(form.save(folder / "again.form.json")).made]
    assert ("A. Officer", "Request: purpose") in made
    assert ("A. Officer", "answer to trade: Farmer") in made
    assert made[-1] == ("B. Checker as second checker", "signature: B. Checker (checker)")
    assert made.count(made[-1]) == 1
    step(form, "Results")
    step(form, "Sign-off")
    assert "<td>B. Checker as second checker</td><td>signature: B. Checker (checker)</td>" in shown(form)
    enter(form, "Open as", "")
    step(form, "Report")
    press(form, "Show: What was changed")
    assert "Request: purpose" in shown(form)


def test_nobody_opens_a_form_in_a_role_that_there_is_not(folder):
    with pytest.raises(SettingsError, match="Did you mean 'first checker'"):
        DisclosureForm(open_as="first cheker")


def test_the_page_of_its_own_opens_for_whom_it_is_told_to():
    assert "open_as='custodian'" in notebook(None, [], "out", "custodian")
