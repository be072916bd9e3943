"""Further questions in the form, asked by its own buttons."""

import json

import ipywidgets as w
import pandas as pd
import pytest

from discoreport import DisclosureForm, load
from discoreport.assessment.analyses import ANALYSES
from discoreport.form.widgets.mitigation_steps import MitigationSteps
from tests.commands import steps_from
from tests.forms import enter, find, inside, press, read_saved, shown, status, step

pytestmark = pytest.mark.usefixtures("folder", "drawn")


@pytest.fixture
def form(small_files):
    """A form that has run, with its further questions open."""
    form = DisclosureForm(*small_files)
    step(form, "Scenario")
    enter(form, "Role of village", "key")
    step(form, "Results")
    press(form, "Run the assessment")
    step(form, "Questions")
    return form


def add_steps(form):
    enter(form, "Next step", "merge levels")
    enter(form, "Variable", "trade")
    enter(form, "Fewer than", "10")
    press(form, "Add the step")
    enter(form, "Next step", "remove replicated uniques")
    press(form, "Add the step")


def names(form):
    return [name for name, _ in form.assessment.analyses.filled()]


def run_code(form):
    """The assessment that the lines of the form make, without the report that they write."""
    made = {}
    exec("\n".join(line for line in form.code().splitlines() if not line.startswith("Report(")), made)
    return made["assessment"]


def test_every_question_is_a_card_with_its_options(form):
    words = shown(form)
    for one in ANALYSES.values():
        assert one.question in words
        assert one.tells in words
        find(form, f"Run: {one.title}", kind=w.Button)
        for name, field in one.options.model_fields.items():
            assert name == "steps" or find(form, field.title).tooltip.casefold().startswith(
                field.description.casefold()
            )


def test_an_answer_goes_into_assessment_code_and_report(form, folder):
    assert status(form, "Questions") == "open: none asked"
    press(form, "Run: Groups")
    assert status(form, "Questions") == f"done: 1 of {len(ANALYSES)}"
    assert names(form) == ["groups"]
    assert run_code(form).analyses == form.assessment.analyses
    (folder / "a.json").write_bytes(form.record)
    assert load(folder / "a.json").analyses == form.assessment.analyses


@pytest.mark.slow
def test_what_is_chosen_is_what_is_asked(form, small_files, folder):
    enter(form, "Groups by", ("trade",))
    enter(form, "Smallest group", "20")
    press(form, "Run: Groups")
    found = form.assessment.analyses.groups
    assert {one.variable for one in found.groups} == {"trade"}
    assert found.smallest == 20
    enter(form, "Population or sample", "sample")
    enter(form, "Confidence", "0.9", nth=1)
    press(form, "Run: Uncertainty")
    assert (form.assessment.analyses.uncertainty.collection, form.assessment.analyses.uncertainty.confidence) == (
        "sample",
        0.9,
    )
    enter(form, "Sizes", "20, 57")
    enter(form, "Seed", "7")
    press(form, "Run: Release size")
    assert form.assessment.analyses.release_size.n_records == (20, 57)
    assert form.assessment.analyses.release_size.seed == 7
    enter(form, "Measures", "repU, DiSCO")
    press(form, "Run: Sensitivity")
    assert form.assessment.analyses.sensitivity.measures == ("repU", "DiSCO")
    pd.read_csv(small_files[0]).iloc[::2].to_csv("control.csv", index=False)
    enter(form, "Control file", "control.csv")
    press(form, "Run: Control")
    assert form.assessment.analyses.control.control.name == "control.csv"
    enter(form, "Other releases", f"same = {small_files[1]}\nboth = {small_files[1]}\nboth = control.csv")
    press(form, "Run: Possible releases")
    assert [len(one.synthetic) for one in form.assessment.analyses.releases.releases] == [1, 1, 2]
    enter(form, "Declared analyses", "count trade\n\nshare of trade=Farmer by village")
    press(form, "Run: Utility")
    asked = [str(one.asked) for one in form.assessment.analyses.utility.declared]
    assert asked == ["count of trade", "share of trade = Farmer by village"]


MISTAKES = [
    ({}, "Run: Control", "control: it must be given"),
    ({"Control file": "nothing.csv"}, "Run: Control", "nothing.csv"),
    ({"Other releases": "x.csv"}, "", "write it as name = value"),
    ({"Measures": "DisCo"}, "Run: Sensitivity", "Did you mean"),
    ({"Smallest group": "3"}, "Run: Groups", "no level of fewer than 10 records"),
    ({"Smallest group": "few"}, "Run: Groups", "smallest"),
    ({}, "Run: Before and after", "steps"),
    ({"Declared analyses": "median of trade"}, "Run: Utility", "write it as"),
]


def test_a_mistake_is_told_in_its_card(form):
    for entries, button, said in MISTAKES:
        for label, value in entries.items():
            enter(form, label, value)
        if button:
            press(form, button)
        told = [one.value for one in inside(form) if isinstance(one, w.HTML) and 'role="alert"' in one.value]
        assert any(said in words for words in told), said
    assert names(form) == []


@pytest.mark.slow
def test_an_answer_to_other_settings_is_marked_and_left_out(form):
    press(form, "Run: Groups")
    press(form, "Run: The four checks")
    step(form, "Settings")
    enter(form, "Leave out groups", "9")
    step(form, "Questions")
    assert status(form, "Questions").startswith("out of date: 1")
    assert shown(form).count("This answer is to the question as it was before") == 1
    assert names(form) == ["four_checks"]
    press(form, "Run 1 question again")
    assert status(form, "Questions") == f"done: 2 of {len(ANALYSES)}"
    assert form.assessment.analyses.groups.settings.max_denominator == 9


def test_an_answer_with_other_options_is_marked(form):
    press(form, "Run: Groups")
    enter(form, "Smallest group", "20")
    assert status(form, "Questions") == "out of date: 1"
    press(form, "Run 1 question again")
    assert form.assessment.analyses.groups.smallest == 20


@pytest.mark.slow
def test_an_answer_holds_for_its_targets_only(form):
    press(form, "Run: Groups")
    for role in ("", "target"):  # fewer targets than it was asked for, then more
        form.state.set_role("trade", role)
        assert not form.state.stale
        assert names(form) == []
        press(form, "Run 1 question again")
        assert names(form) == ["groups"]


@pytest.mark.slow
def test_going_on_later_options_are_there_and_answers_are_asked_again(form, folder):
    enter(form, "Smallest group", "20")
    press(form, "Run: Groups")
    saved = read_saved(folder / "disclosure-report.form.json")
    assert saved.asked == {"groups": {"smallest": "20"}}
    again = DisclosureForm.load("disclosure-report.form.json")
    step(again, "Questions")
    assert find(again, "Smallest group").value == "20"
    assert names(again) == []
    press(again, "Run: Groups")
    assert again.assessment.analyses == form.assessment.analyses


def test_no_rare_value_is_in_the_state_of_widgets_or_in_the_saved_form(form, folder):
    press(form, "Run: Groups")
    press(form, "Run: Sensitivity")
    state = json.dumps([one.get_state() for one in inside(form)], default=str)
    assert "Who is at risk?" in state
    assert "Hamlet0" not in state
    assert "Hamlet0" not in (folder / "disclosure-report.form.json").read_text()


@pytest.mark.draws
def test_an_answer_is_shown_as_in_the_report(form):
    press(form, "Run: Groups")
    words = shown(form)
    assert "No level of the variables looked at" in words or "fully exposed" in words
    assert "<svg" in words
    assert "Achterbach" in words
    assert "Hamlet0" not in words


# Steps and the new file ----------------------------------------------------------------------------


@pytest.mark.slow
def test_steps_are_put_together_and_taken_back(form):
    press(form, "Add the step")
    assert "Replicated uniques were removed." in shown(form)
    enter(form, "Next step", "limit values")
    press(form, "Add the step")
    assert "Step 1, limit values" in shown(form)
    enter(form, "Next step", "add variable")
    press(form, "Add the step")
    assert [one["step"] for one in form.state.questions.options["mitigation"]["steps"]] == [
        "remove replicated uniques",
        "add variable",
    ]
    press(form, "Remove the last step")
    press(form, "Take the steps of the other question")
    assert form.state.questions.options["trade_off"] == {"steps": [{"step": "remove replicated uniques"}]}
    press(form, "Run: Risk against loss")
    assert len(form.assessment.analyses.trade_off.choices) == 2


@pytest.mark.parametrize(
    ("step", "values", "expected"),
    [
        ("limit values", {"Variable": "trade", "Top": "80.5", "Keep": "-8, -9"}, {"top": 80.5, "keep": ("-8", "-9")}),
        ("smooth", {"Variable": "trade", "Neighbours": "7", "Digits": "1"}, {"neighbours": 7, "digits": 1}),
        ("merge levels", {"Variable": "trade", "Mapping": "a = b\nc=d"}, {"mapping": {"a": "b", "c": "d"}}),
        ("group values", {"Variable": "trade", "Groups": "20"}, {"groups": 20}),
        ("group values", {"Variable": "trade", "Groups": "0 10 20.5"}, {"groups": (0, 10, 20.5)}),
        ("mark names", {"Prefix": "syn_"}, {"prefix": "syn_"}),
        ("remove replicated uniques", {"Keys": ("village",)}, {"keys": ("village",)}),
    ],
)
def test_every_value_of_a_step_can_be_entered(step, values, expected):
    made = []
    field = MitigationSteps(made.extend)
    field.show([], ["village", "trade"])
    enter(field.view, "Next step", step)
    for label, value in values.items():
        enter(field.view, label, value)
    press(field.view, "Add the step")
    (built,) = steps_from(made)
    assert {name: getattr(built, name) for name in expected} == expected


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_the_new_file_is_written_and_can_take_the_place_of_the_one_before(form, folder, small_files):
    add_steps(form)
    press(form, "Run: Before and after")
    found = form.assessment.analyses.mitigation
    assert [one.kind for one in found.steps] == ["changed", "removed"]
    press(form, "Write the new file")
    assert "Say where the new file goes" in shown(form)
    enter(form, "New file", str(small_files[1]))
    press(form, "Write the new file")
    assert "exists. Name another file" in shown(form)
    enter(form, "New file", "released.csv")
    press(form, "Write the new file")
    assert "Written: released.csv." in shown(form)
    assert len(pd.read_csv("released.csv")) == found.steps[-1].n_left
    press(form, "Go on with the new file")
    assert form.assessment.synthetic[0].name == "released.csv"
    assert form.assessment.analyses.mitigation.led_to(form.assessment.synthetic[0])
    assert [one.what for one in form.assessment.documentation.mitigation] == [one.what for one in found.steps]
    assert run_code(form).analyses.mitigation == form.assessment.analyses.mitigation
