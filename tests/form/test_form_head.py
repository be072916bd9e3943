"""What the form says wherever one is in it: figures, thresholds, exclusions, what is open."""

import pandas as pd
import pytest

from discoreport import DisclosureForm, Exclusion
from discoreport.form.panels.open_items import place_of
from tests.forms import enter, find, press, shown, status, step
from tests.records import Answer, ChecklistAnswer, MitigationStep, SignOff
from tests.wording import percent, points

pytestmark = pytest.mark.usefixtures("short_pdf", "folder", "drawn")


@pytest.fixture
def form(small_files):
    made = DisclosureForm(*small_files)
    made.state.change(keys=("village",), targets=("trade",), two_way_threshold=(1, 50.0))
    made.tasks.run()
    return made


def policy_file(folder, content):
    path = folder / "house.toml"
    path.write_text(content, encoding="utf-8")
    return str(path)


THRESHOLD = '[[thresholds]]\nmeasure = "{}"\nlimit = {}\nsource = "manual"\n'


def test_thresholds_are_shown_where_the_figures_are(form, folder):
    step(form, "Results")
    assert "Thresholds: none set. Policy: the one that comes with discoreport." in shown(form)
    both = THRESHOLD.format("DiSCO", 5) + THRESHOLD.format("UiO", 99)
    form.state.statements.use_policy(policy_file(folder, both))
    step(form, "Results")
    assert "Thresholds: 1 above, 1 not above." in shown(form)
    assert "Policy: unnamed policy, house.toml." in shown(form)


def test_a_policy_file_without_a_name_is_no_missing_policy(form, folder):
    step(form, "Report")
    enter(form, "Policy file", policy_file(folder, "copies = 3\n"))
    assert "Policy in force: unnamed policy, house.toml; 0 thresholds" in shown(form)
    press(form, "Write HTML")
    page = (folder / "disclosure-report-internal.html").read_text(encoding="utf-8")
    assert "No policy was given" not in page
    assert "Policy: unnamed policy, house.toml. It sets no thresholds." in page


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_each_edition_has_a_bundle_of_its_own(form, folder):
    step(form, "Report")
    press(form, "Write bundle")
    internal = (folder / "disclosure-report" / "assessment.json").read_bytes()
    enter(form, "Edition", "external")
    press(form, "Write bundle")
    assert (folder / "disclosure-report-external" / "release.json").is_file()
    assert (folder / "disclosure-report" / "assessment.json").read_bytes() == internal
    press(form, "Write bundle")
    assert "It takes the place of the earlier bundle." in shown(form)


def test_a_signature_in_a_file_is_on_nothing_that_it_does_not_name(form, folder):
    file = folder / "said.toml"
    people = '[[decision.sign_offs]]\nrole = "preparer"\nname = "A"\n[[decision.sign_offs]]\nname = "B"\nfor = "{}"\n'
    file.write_text(people.format(form.assessment.state), encoding="utf-8")
    form.state.read_documentation(str(file))
    assert [one.name for one in form.assessment.signed_for_unknown] == ["A"]
    assert not form.assessment.signed_before
    step(form, "Report")
    form.panel("Report").said.unfold("decision")
    assert "Nothing says which figures and words this is on" in shown(form)
    form.state.decide(conditions="None.")
    assert [one.name for one in form.assessment.signed_for_unknown] == ["A"]
    press(form, "Sign again")
    assert not form.assessment.signed_for_unknown
    assert not form.assessment.signed_before
    form.state.statements.say(title="Another")
    assert [one.name for one in form.assessment.signed_before] == ["A", "B"]


# The head --------------------------------------------------------------------------------------------


def head(form):
    return shown(form.header.stays)


def test_the_head_says_what_is_left_out_with_figures_and_without(form):
    assert "In force" not in head(form)
    before = form.state.runs.current
    form.state.exclude(Exclusion(target="trade", level="Farmer", reason="all are", by="A"))
    form.tasks.run()
    assert "<b>In force:</b> 1 exclusion." in head(form)
    without = before.value("DiSCO", "trade")
    assert f"with nothing left out: {percent(without)}" in head(form)
    assert form.assessment.value("DiSCO", "trade") < without
    form.state.runs.current = None
    form.state.statements.say(mitigation=(MitigationStep(what="Merged levels"),))
    assert "not run yet" in head(form)
    assert "1 exclusion; the synthetic file was changed or recoded after the synthesis (1 step)" in head(form)


def test_the_head_says_what_the_most_exposed_target_gives_away_beyond_chance(form):
    excess = form.assessment.value("DiSCO", "trade") - form.assessment.value("baseDiSCO", "trade")
    assert f"beyond chance: {points(excess)} points" in head(form)


def test_the_head_says_what_is_open_and_leads_to_its_place(form):
    press(form, "What is open")
    assert form.opened.name == "Report"
    assert find(form, "What is open").description.split("\n")[1] == f"{len(form.assessment.open_items)} items"
    press(form, "2 flags not answered")
    assert form.opened.name == "Checks"
    step(form, "Report")
    press(form, "Not documented")
    assert form.panel("Report").said.folds["request"].made
    enter(form, "Purpose", "Teaching")
    press(form, "Not documented")
    assert form.panel("Report").said.folds["context"].made


@pytest.mark.slow
def test_every_open_item_leads_somewhere(form):
    for item in form.assessment.open_items:
        name, place = place_of(item, form.assessment.documentation)
        form.go_to(name, place)
        assert form.opened.name == name


def test_a_step_leads_back_and_on_from_its_end(form):
    step(form, "Results")
    press(form, "Go on to the flags", nth=1)
    assert form.opened.name == "Checks"
    press(form, "Back to the results")
    assert form.opened.name == "Results"


def test_what_was_written_can_be_opened_and_downloaded(form, folder):
    step(form, "Report")
    press(form, "Write HTML")
    assert "<b>disclosure-report-internal.html</b>" in shown(form)
    press(form, "Download")
    assert 'download="disclosure-report-internal.html"' in shown(form)
    assert "data:text/html;base64," in shown(form)
    press(form.panel("Report").files.view, "Open")
    assert 'data-kind="text/html"' in shown(form)
    (folder / "disclosure-report-internal.html").unlink()
    press(form, "Download")
    assert "Can&#x27;t read" in shown(form)
    step(form, "Results")
    step(form, "Report")
    assert "disclosure-report-internal.html</b>" not in shown(form)
    assert "base64" not in form.panel("Report").files.delivery.value


def test_what_was_written_before_a_change_is_told_apart(form):
    again = "Something was changed since: write it again."
    step(form, "Report")
    press(form, "Write HTML")
    assert again not in shown(form)
    enter(form, "Title", "Another")
    assert again in shown(form)
    assert status(form, "Report").endswith("changed since written")
    press(form, "Undo: title")
    assert again not in shown(form)
    enter(form, "Title", "Another")
    press(form, "Write HTML")
    assert again not in shown(form)
    assert status(form, "Report").endswith(", written")
    form.state.change(max_denominator=9)
    assert again in shown(form)


# Undo ------------------------------------------------------------------------------------------------


def doings(state):
    """Each kind of change, and what the button says of it."""
    flag = state.runs.flags[0]
    case = {"target": flag.case[0], "level": flag.case[1]}
    sign = SignOff(role="preparer", name="A", decision="approve")
    return {
        "role of trade: none": lambda: state.set_role("trade", ""),
        "setting: max denominator": lambda: state.change(max_denominator=9),
        "numeric groups of trade": lambda: state.change(numeric_groups={"trade": 3}),
        "exclusion of trade: Farmer": lambda: state.exclude(Exclusion(**case, reason="r", by="A")),
        "answer to trade: Farmer": lambda: state.statements.answer(Answer(**case, prior_knowledge=True, reason="r")),
        "title": lambda: state.statements.say(title="T"),
        "Request: purpose": lambda: state.statements.say_in("request", purpose="p"),
        "Scenario: keys (village)": lambda: state.statements.reason("keys", "village", "known"),
        "checklist: keys": lambda: state.statements.say(checklist=(ChecklistAnswer(item="keys", answer="yes"),)),
        "decision: decision approve": lambda: state.decide(decision="approve"),
        "signature: A (preparer)": lambda: state.decide(sign_offs=(sign,)),
        "Groups at risk: Groups by": lambda: state.questions.choose("groups", by=["trade"]),
        "policy: unnamed policy, house.toml": lambda: state.statements.use_policy("house.toml"),
    }


def all_of(state):
    saved = state.saved().model_dump(exclude={"made", "runs", "step"})
    return saved, state.assessment.state, state.assessment.signed_before


@pytest.mark.slow
def test_every_change_can_be_taken_back_and_done_again(form, folder):
    policy_file(folder, "copies = 3\n")
    state = form.state
    for said, change in doings(state).items():
        before, figures = all_of(state), state.runs.current
        change()
        assert find(form, "Undo").description.startswith(f"Undo: {said}")
        after = state.saved().draft, state.saved().documentation, state.saved().policy
        press(form, "Undo")
        assert all_of(state) == before
        assert state.runs.current is figures, "figures that are at hand are not made again"
        press(form, "Redo")
        assert (state.saved().draft, state.saved().documentation, state.saved().policy) == after
        press(form, "Undo")
        assert all_of(state) == before


@pytest.mark.slow
def test_many_steps_can_be_taken_back_and_a_signature_holds_again(form):
    state = form.state
    state.decide(sign_offs=(SignOff(role="preparer", name="A"),))
    for n in range(20):
        state.statements.say(title=f"T{n}")
    assert state.assessment.signed_before
    for _ in range(20):
        press(form, "Undo")
    assert not state.assessment.signed_before
    assert find(form, "Undo").description == "Undo: signature: A (preparer)"
    state.statements.say(title="other")
    assert find(form.header.work, "Undo").description == "Undo: title"
    assert not state.changes.redoes


def test_nothing_of_other_files_is_taken_back(form, small_files):
    form.state.change(max_denominator=9)
    other = pd.read_csv(small_files[0]).iloc[1:]
    form.state.choose(str(small_files[0]), (form.state.choice.give("other", other),))
    form.tasks.read_files()
    assert form.state.changes.undoes == ""
