"""The form, driven by its own buttons."""

import datetime
import json
import os
import re
import socket
from pathlib import Path
from types import SimpleNamespace

import ipywidgets as w
import numpy as np
import pandas as pd
import pytest

from discoreport import DisclosureForm, Documentation, Exclusion, Report, Settings, assess, examples, load, trade_off
from discoreport.assessment import copy_findings
from discoreport.cli import main
from discoreport.errors import RecordError, SettingsError
from discoreport.form import form as form_module
from discoreport.form.model.suggested_settings import codes_seen, hint
from discoreport.form.panels import PANELS, run_history
from discoreport.form.panels import results as results_step
from discoreport.form.panels.panel import Panel, Status
from discoreport.form.widgets import controls
from discoreport.form.widgets.style import sheet
from tests.forms import (
    Draft,
    Facts,
    Held,
    count_with,
    enter,
    find,
    inside,
    press,
    read_saved,
    shown,
    status,
    step,
    write_saved,
)
from tests.records import Answer, ChecklistAnswer, documentation_file, is_kept
from tests.tables import Table, code_variable

pytestmark = pytest.mark.usefixtures("short_pdf", "folder", "drawn")


@pytest.fixture
def small_form(small_files):
    return DisclosureForm(*small_files)


@pytest.fixture
def run_form(small_form):
    """A form that has run, with flags."""
    step(small_form, "Settings")
    enter(small_form, "Two-way: cells with more records than", "1")
    enter(small_form, "and percent above", "50", nth=1)
    choose(small_form, village="key")
    step(small_form, "Settings")
    press(small_form, "Run the assessment")
    return small_form


def choose(form, **roles):
    step(form, "Scenario")
    for name, role in roles.items():
        enter(form, f"Role of {name}", role)


def figures(assessment):
    """An assessment without the time at which it was made."""
    return assessment.model_copy(update={"provenance": None}).model_dump_json(exclude={"documentation": {"history"}})


# The whole path ------------------------------------------------------------------------------------


def test_leads_from_two_files_to_a_report(folder):
    form = DisclosureForm()
    assert status(form, "Data") == "open: choose files"
    press(form, "Try it with the example survey")
    assert status(form, "Data").startswith("done: 2 files")
    assert "5,000" in shown(form)
    press(form, "Go on to the scenario")
    press(form, "Take the suggested keys")
    assert form.state.draft.keys == ("sex", "age", "region", "settlement")
    for name in form.state.draft.keys:
        enter(form, name, "Anybody knows it.")
    press(form, "Go on to the settings")
    press(form, "Take the proposed groups and codes")
    press(form, "Run the assessment")
    expected = assess(examples.path("original"), examples.path("synthetic_1"), **examples.SETTINGS)
    assert form.assessment.outcome == expected.outcome
    assert "worked_abroad" in shown(form)
    enter(form, "Open a target", "marital")
    press(form, "Go on to the flags")
    enter(form, "Your name", "A. Officer")
    enter(form, "Is this something", "yes")
    enter(form, "Reason", "Nine in ten have never worked abroad.")
    press(form, "Exclude it")
    assert form.assessment.settings.exclude[0].target == "worked_abroad"
    assert form.assessment.value("DiSCO", "worked_abroad") < 1
    assert "before" in shown(form)
    press(form, "Go on to further questions")
    press(form, "Go on to the report")
    enter(form, "Title", "Northmoor, synthetic")
    press(form, "Write HTML")
    page = (folder / "disclosure-report-internal.html").read_text(encoding="utf-8")
    assert "Northmoor, synthetic" in page
    assert "Nine in ten have never worked abroad." in page
    assert f"in <code>{folder}</code>" in shown(form)
    assert "<b>disclosure-report-internal.html</b> (" in shown(form)


def test_a_variable_without_a_value_is_no_target_unless_it_is_chosen(small_files):
    frames = [pd.read_csv(path).assign(empty=None) for path in small_files]
    form = DisclosureForm(*frames)
    choose(form, village="key")
    assert form.state.draft.targets == ("trade",)
    choose(form, empty="target")
    assert form.state.draft.targets == ("trade", "empty")


@pytest.mark.draws
def test_figures_and_targets_open(run_form):
    step(run_form, "Results")
    assert "<svg" in shown(run_form)
    assert "var(--d-synthetic" in shown(run_form)
    enter(run_form, "Open a target", "trade")
    assert "For <b>trade</b>" in shown(run_form)
    assert 'href="#' not in shown(run_form)
    enter(run_form, "Figure", "spread")
    assert "There is one synthetic file only." in shown(run_form)


def test_without_pango_the_bundle_is_written_all_but_the_pdf(run_form, quick, take_pango_away):
    take_pango_away()
    step(run_form, "Report")
    press(run_form, "Write bundle")
    assert "this machine lacks Pango. On Debian" in shown(run_form)
    written = {path for path in Path("disclosure-report").rglob("*") if path.is_file()}
    assert {"assessment.json", "report.html", "SHA256SUMS"} <= {path.name for path in written}
    assert "report.pdf" not in {path.name for path in written}
    assert written == set(run_form.state.written)


@pytest.mark.slow
def test_bundle_holds_the_record_of_the_form(run_form, folder):
    step(run_form, "Report")
    press(run_form, "Write HTML")  # goes beside the bundle, which no other file may be in
    press(run_form, "Write bundle")
    press(run_form, "Write HTML")
    saved = load(folder / "disclosure-report" / "assessment.json")
    assert saved.record == run_form.record
    assert len(run_form.state.written) > 10


@pytest.mark.generated
def test_changing_and_running_again_gives_the_state_of_a_new_form(folder):
    files = examples.path("original"), examples.path("synthetic_1")
    form = DisclosureForm(*files)
    choose(form, sex="key", age="key", region="key", income="")
    step(form, "Settings")
    press(form, "Run the assessment")
    choose(form, region="target", settlement="key", income="target")
    step(form, "Settings")
    enter(form, "Count its numbers", "20", nth=1)
    enter(form, "Special codes", "-8", nth=1)
    press(form, "Run the assessment")

    new = DisclosureForm(*files, out="other")
    choose(new, sex="key", age="key", settlement="key")
    step(new, "Settings")
    enter(new, "Count its numbers", "20", nth=1)
    enter(new, "Special codes", "-8", nth=1)
    press(new, "Run the assessment")
    assert form.state.draft == new.state.draft
    assert figures(form.assessment) == figures(new.assessment)
    assert [status(form, name) for name in ("Data", "Scenario", "Settings", "Results", "Checks")] == [
        status(new, name) for name in ("Data", "Scenario", "Settings", "Results", "Checks")
    ]


class CountingPanel(Panel):
    name, called, purpose, intro = "Counts", "the counts", "See how many there are", "How many runs there were."

    @staticmethod
    def status(state):
        return Status("open", f"open: {len(state.runs.entries)} runs")

    def build(self):
        self.n = controls.html()
        return [self.n]

    def refresh(self, change):
        self.n.value = f"{len(self.state.runs.entries)} runs so far"


@pytest.mark.slow
def test_a_panel_more_is_a_line_in_the_list(small_files, monkeypatch):
    monkeypatch.setattr(form_module, "PANELS", (*PANELS[:3], CountingPanel, *PANELS[3:]))
    form = DisclosureForm(*small_files)
    choose(form, village="key")
    step(form, "Settings")
    form.go_to("Counts")
    assert "1 runs so far" in shown(form)
    assert status(form, "Counts") == "open: 1 runs"
    press(form, "Go on to the results")
    assert status(form, "Results") == "done"
    form.go_to("Counts")
    again = DisclosureForm.load("disclosure-report.form.json")
    assert "runs so far" in shown(again)


def test_a_form_saved_in_a_panel_that_is_not_there_opens_with_its_data(small_form, monkeypatch):
    choose(small_form, village="key")
    small_form.state.panel = "Counts"
    path = small_form.save("kept.json")
    assert DisclosureForm.load(path).state.panel == "Data"


# Data ----------------------------------------------------------------------------------------------


def test_tells_of_a_missing_file_where_it_was_named_and_goes_on(small_files):
    form = DisclosureForm()
    enter(form, "Original file", "no_such_file.csv")
    enter(form, "Synthetic files", str(small_files[1]))
    press(form, "Read the files")
    assert "No file" in shown(form)
    assert not find(form, "Read the files").disabled
    enter(form, "Original file", str(small_files[0]))
    press(form, "Read the files")
    assert "No file" not in shown(form)
    assert status(form, "Data").startswith("done")


def test_a_wrong_path_in_the_call_is_told_in_the_form():
    form = DisclosureForm("no_such_file.csv", "nor_this.csv")
    assert "No file" in shown(form)


@pytest.mark.slow
def test_takes_frames_and_several_synthetic_files():
    original, *synthetic = (examples.read(name) for name in ("original", "synthetic_1", "synthetic_2"))
    form = DisclosureForm(original, synthetic)
    choose(form, sex="key", age="key")
    step(form, "Results")
    press(form, "Run the assessment")
    assert len(form.assessment.synthetic) == 2
    assert form.assessment.original.path is None
    assert "original, synthetic_1, ... are data frames" in form.code()


def test_takes_an_upload_and_keeps_no_byte_of_it_in_the_widget(small_files):
    form = DisclosureForm()
    for label, path in zip(("Upload the original", "Upload synthetic"), small_files, strict=True):
        upload = find(form, label)
        upload.set_state({"value": [uploaded(path)]})
        assert upload.value == ()
    press(form, "Read the files")
    assert status(form, "Data").startswith("done: 2 files")
    assert form.state.files.tables[0].path is None
    assert form.state.files.tables[0].sha256 is not None


def uploaded(path):
    return {
        "name": path.name, "type": "text/csv", "size": path.stat().st_size, "last_modified": 0,
        "content": memoryview(path.read_bytes()),
    }  # fmt: skip


def test_says_how_large_an_upload_may_be():
    assert "up to 10 MB" in shown(DisclosureForm())
    assert "up to 500 MB" in shown(DisclosureForm(largest_upload=500))


def test_a_broken_upload_is_told_and_taken_out(tmp_path):
    form = DisclosureForm()
    path = tmp_path / "broken.parquet"
    path.write_bytes(b"not parquet")
    find(form, "Upload the original").set_state({"value": [uploaded(path)]})
    assert "isn&#x27;t a whole Parquet file" in shown(form)
    assert find(form, "Upload the original").value == ()


def test_files_can_be_chosen_from_a_list(small_files, monkeypatch):
    monkeypatch.chdir(small_files[0].parent)
    form = DisclosureForm(out=str(small_files[0].parent / "chosen"))
    listed = find(form, "Files and tables")
    listed.value = "original.csv"
    press(form, "Take as original")
    listed.value = "synthetic.csv"
    press(form, "Add as synthetic")
    press(form, "Read the files")
    assert (form.state.choice.original, form.state.choice.synthetic) == ("original.csv", ("synthetic.csv",))
    assert status(form, "Data").startswith("done")


def test_tables_of_the_notebook_can_be_chosen(small_files, monkeypatch):
    names = {
        "census": pd.read_csv(small_files[0]),
        "made_up": pd.read_csv(small_files[1]),
        "n": 3,
        "_hidden": pd.DataFrame(),
    }
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace(user_ns=names))
    form = DisclosureForm()
    listed = find(form, "Files and tables")
    assert [one for one in listed.options if one.startswith("table: ")] == ["table: census", "table: made_up"]
    for name, label in (("census", "Take as original"), ("made_up", "Add as synthetic")):
        listed.value = f"table: {name}"
        press(form, label)
    press(form, "Read the files")
    assert status(form, "Data").startswith("done: 2 files")
    assert form.state.files.tables[0].n_records == len(names["census"])


def test_shows_structure_and_common_levels_but_no_rare_one(small_form):
    step(small_form, "Data")
    assert "village" in shown(small_form)
    enter(small_form, "Levels of", "village")
    assert "Achterbach" in shown(small_form)
    assert "Zwischenau" not in shown(small_form)
    assert "Hamlet" not in shown(small_form)


def test_labels_of_the_file_are_shown(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame({"v1": [1.0, 2.0] * 30, "v2": [float(n % 3) for n in range(60)]})
    labels = {"column_labels": {"v1": "Sex of the person", "v2": "Mood"}, "variable_value_labels": {"v1": {1: "woman"}}}
    for name in ("a.sav", "b.sav"):
        pyreadstat.write_sav(frame, str(tmp_path / name), **labels)
    form = DisclosureForm("a.sav", "b.sav")
    step(form, "Data")
    assert "Sex of the person" in shown(form)
    enter(form, "Levels of", "v1")
    assert "woman" in shown(form)
    step(form, "Scenario")
    assert "Sex of the person" in shown(form)
    assert form.panel("Scenario").hint("v1").kind == "key"


# Scenario ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_figures_of_the_keys_follow_each_choice():
    original = examples.read("original")
    form = DisclosureForm(original, examples.read("synthetic_1"))
    for keys in (["sex"], ["sex", "age"], ["sex", "age", "region"]):
        choose(form, **{keys[-1]: "key"})
        n = len(original[keys].drop_duplicates())
        assert f"{n:,} distinct combinations" in shown(form)
        assert form.state.key_figures.results[0].values == form.assessment.outcome.identity[0].values


def test_search_lists_what_was_asked_for():
    form = DisclosureForm(examples.path("original"), examples.path("synthetic_1"))
    step(form, "Scenario")
    enter(form, "Search", "SET")
    roles = [one.description for one in inside(form) if str(getattr(one, "description", "")).startswith("Role of")]
    assert roles == ["Role of settlement"]


def test_reason_of_a_key_is_kept_while_it_is_none(small_form):
    choose(small_form, village="key")
    enter(small_form, "village", "On every envelope.")
    choose(small_form, village="")
    choose(small_form, village="key")
    assert find(small_form, "village").value == "On every envelope."


def test_hints_name_likely_keys_and_identifiers():
    assert hint(Facts("age", "", "number", 82, 5000, 0)).kind == "key"
    assert hint(Facts("x1", "Year of birth: town", "number", 30, 5000, 0)).kind == "key"
    assert hint(Facts("homepage", "", "text", 30, 5000, 0)).kind == ""
    assert hint(Facts("postcode", "", "text", 4000, 5000, 0)).kind == "watch"
    assert "identifier" in hint(Facts("id", "", "text", 5000, 5000, 0)).reason
    assert hint(Facts("income", "", "number", 900, 5000, 0)).kind == "watch"
    assert hint(Facts("income", "", "number", 900, 5000, 0), grouped=True).kind == ""


@pytest.mark.parametrize(
    ("name", "label", "kind"),
    [
        ("AGE", "Age of respondent", "key"),
        ("V201507x", "Respondent age", "key"),
        ("racethn", "", "key"),
        ("v7", "Race of respondent", "key"),
        ("v8", "Number of children in the household", "key"),
        ("v9", "Who won the presidential race", ""),
        ("v10", "How many children should a family have?", ""),
        ("v11", "Should the state do more for the city", ""),
        ("v12", "Trust in people of another race", ""),
        ("wage", "", ""),
        ("language", "", ""),
    ],
)
def test_suggests_keys_by_names_and_by_whole_labels_not_by_words_in_questions(name, label, kind):
    assert hint(Facts(name, label, "text", 9, 5000, 0)).kind == kind


def test_a_pasted_path_loses_its_quotes(small_files):
    form = DisclosureForm()
    enter(form, "Original file", f' "{small_files[0]}" ')
    enter(form, "Synthetic files", f"'{small_files[1]}'\n")
    press(form, "Read the files")
    assert status(form, "Data").startswith("done")
    assert find(form, "Original file").value == str(small_files[0])
    choose(form, village="key")
    form.tasks.run()
    step(form, "Report")
    enter(form, "Policy file", f'"{examples.FOLDER / "policy.toml"}"')
    assert form.assessment.policy.organisation == "Statistics Northmoor"


def test_files_beside_a_field_are_chosen_from_a_list(run_form):
    step(run_form, "Report")
    press(run_form, "Show: files for 'Policy file'")
    press(run_form, "Take this file")
    assert "Choose a file in the list first" in shown(run_form)
    enter(run_form, "Folder", f"'{examples.FOLDER.parent}'")
    enter(run_form, "Files and tables", f"{examples.FOLDER.name}/")
    press(run_form, "Open folder")
    enter(run_form, "Files and tables", "policy.toml")
    press(run_form, "Take this file")
    assert run_form.assessment.policy.organisation == "Statistics Northmoor"
    assert "Choose a file" not in shown(run_form)


def coded(values):
    column = pd.Series(values)
    return code_variable("x", [Table("a", {"x": column}), Table("b", {"x": column})])


@pytest.mark.parametrize(
    ("extra", "codes"),
    [
        ([-8] * 10 + [-9] * 12, ("-9", "-8")),
        ([999] * 10, ("999",)),
        ([9999999] * 10, ("9999999",)),
        ([99] * 20, ()),
        ([-8] * 3, ()),
        ([], ()),
    ],
)
def test_proposes_codes_where_the_data_show_them(extra, codes):
    assert codes_seen(coded([*range(98), *extra])) == codes


def test_negative_measurements_are_no_codes():
    assert codes_seen(coded([*np.repeat(range(-50, 50), 12)])) == ()


# Settings ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("wrong", ["many", "1", "5 3 1"])
def test_wrong_groups_are_told_beside_them(wrong):
    form = DisclosureForm(examples.path("original"), examples.path("synthetic_1"))
    choose(form, sex="key")
    step(form, "Settings")
    enter(form, "Count its numbers", "own", nth=1)
    enter(form, "Classes or bounds", wrong)
    assert 'role="alert"' in shown(form)
    assert form.state.draft.numeric_groups == {}
    enter(form, "Classes or bounds", "7")
    assert 'role="alert"' not in shown(form)
    assert form.state.draft.numeric_groups == {"income": 7}


@pytest.mark.slow
def test_numbers_keep_all_their_digits_where_one_beside_them_is_changed():
    form = DisclosureForm(examples.path("original"), examples.path("synthetic_1"))
    choose(form, sex="key")
    form.state.change(
        numeric_groups={"income": (-8.0, 1234567.0, 5234567.5)}, one_way_threshold=(1234567, 90.0), tau=(0, 1 / 3, 1)
    )
    step(form, "Settings")
    enter(form, "and percent above", "80")
    enter(form, "Classes or bounds", f"{find(form, 'Classes or bounds').value} 20000000")
    enter(form, "Probabilities", f"{find(form, 'Probabilities').value} 0.5")
    draft = form.state.draft
    assert draft.one_way_threshold == (1234567, 80)
    assert draft.numeric_groups == {"income": (-8, 1234567, 5234567.5, 20000000)}
    assert draft.tau == (0, 1 / 3, 1, 0.5)


def test_taking_up_settings_keeps_what_they_say_nothing_of():
    before = Draft(keys=("a",), numeric_groups={"c": 5}, special_codes={"c": ("9",)}, without_missing=("c",))
    taken = Draft.of(Draft(keys=("b",), numeric_groups={"b": 7}, without_missing=("b",)).settings(), before)
    assert taken.keys == ("b",)
    assert taken.numeric_groups == {"c": 5, "b": 7}
    assert taken.special_codes == {"c": ("9",)}
    assert taken.without_missing == ("c", "b")


@pytest.mark.slow
def test_a_number_with_many_values_waits_for_a_decision(folder):
    form = DisclosureForm(examples.path("original"), examples.path("synthetic_1"))
    choose(form, sex="key")
    assert status(form, "Settings") == "open: 1 to decide"
    step(form, "Settings")
    assert "How is income counted" in shown(form)
    groups = find(form, "Count its numbers", nth=1)
    assert groups.label == "choose"
    groups.value = "0"
    assert status(form, "Settings") == "done: defaults"
    assert "choose" not in [label for label, _ in groups.options]
    assert read_saved(folder / "disclosure-report.form.json").draft.each_counts == ("income",)
    groups.value = "20"
    assert form.state.draft.each_counts == ()
    assert "they begin at" in shown(form)


def test_roles_wait_for_a_decision_where_there_is_no_target_or_an_identifier(folder):
    frame = pd.DataFrame({"k": ["1", "2"] * 30, "name": [f"N{n}" for n in range(60)]})
    form = DisclosureForm(frame, frame)
    choose(form, k="key")
    enter(form, "k", "Anybody knows.")
    assert status(form, "Scenario") == "open: take care"
    assert "Take care of name" in shown(form)
    choose(form, name="")
    assert status(form, "Scenario") == "open: choose targets"
    choose(form, name="target")
    enter(form, "name", "It is what is to be protected.")
    assert status(form, "Scenario") == "done: 1 key, 1 target"


def test_a_unit_is_chosen_and_has_no_other_role():
    frame = pd.DataFrame({"house": [1, 1, 2, 2] * 15, "sex": ["f", "m"] * 30, "ill": ["y", "n", "n"] * 20})
    form = DisclosureForm(frame, frame)
    choose(form, sex="key", ill="target")
    unit = find(form, "Records that belong together")
    enter(form, "Records that belong together", "house")
    assert form.state.draft.settings() == Settings(keys=["sex"], targets=["ill"], unit="house")
    assert "says which records belong together" in shown(form)
    assert form.state.key_figures is not None
    enter(form, "Records that belong together", "ill")
    assert form.state.draft.settings() == Settings(keys=["sex"], targets=[], unit="ill")
    enter(form, "Records that belong together", "")
    assert form.state.draft.unit is None
    assert unit.value == ""


def test_a_likely_unit_is_proposed_waits_for_a_decision_and_is_offered_nowhere_else():
    frame = pd.DataFrame(
        {"hh_id": [n // 3 for n in range(120)], "sex": ["f", "m"] * 60, "ill": [*"yyn"] * 40, "town": [*"aabb"] * 30}
    )
    form = DisclosureForm(frame, frame)
    choose(form, sex="key")
    enter(form, "sex", "Everybody sees it.")
    assert "likely unit" in shown(form)
    assert status(form, "Scenario") == "open: take care"
    step(form, "Questions")
    fields = form.panel("Questions").cards[3].fields
    assert ("hh_id", "hh_id") in fields.controls["variables"].options
    form.state.questions.choose("groups", by=["hh_id", "town"])
    form.state.questions.choose("sensitivity", candidates=["hh_id"])
    step(form, "Scenario")
    press(form, "Take the suggested one: hh_id")
    assert form.state.draft.unit == "hh_id"
    assert status(form, "Scenario") == "done: 1 key, 2 targets"
    assert form.state.questions.options == {"groups": {"by": ["town"]}, "sensitivity": {}}
    step(form, "Questions")
    for card in form.panel("Questions").cards:
        for control in card.fields.controls.values():
            assert "hh_id" not in dict(getattr(control, "options", ()))
    step(form, "Data")
    assert "hh_id" not in dict(find(form, "Levels of").options)
    press(form, "Undo: ")
    assert form.state.questions.options["groups"] == {"by": ["hh_id", "town"]}


def test_no_value_of_the_unit_is_in_the_state_of_widgets_or_in_the_saved_form(folder):
    frame = pd.DataFrame(
        {
            "hh_id": [f"QZU_{n // 12}" for n in range(360)],
            "sex": [*"fm"] * 180,
            "ill": [*"yyn"] * 120,
            "town": [*"aabb"] * 90,
        }
    )
    form = DisclosureForm(frame, frame)
    step(form, "Data")
    enter(form, "Levels of", "hh_id")
    assert "QZU_" in shown(form), "before it is the unit"
    choose(form, sex="key", town="key")
    enter(form, "Records that belong together", "hh_id")
    step(form, "Results")
    press(form, "Run the assessment")
    for name in (one.name for one in PANELS if one.open_to("") and one.name != "Data"):
        step(form, name)
    press(form, "Show the Python lines")
    saved = form.save(folder / "unit.form.json").read_text(encoding="utf-8")
    state = json.dumps([one.get_state() for one in everything(form)], default=str)
    assert "hh_id" in state
    assert "hh_id" in saved
    assert "QZU_" not in state + saved


@pytest.mark.slow
def test_settings_of_a_variable_come_back_with_it():
    form = DisclosureForm(examples.path("original"), examples.path("synthetic_1"))
    choose(form, sex="key")
    step(form, "Settings")
    enter(form, "Count its numbers", "20", nth=1)
    choose(form, income="")
    assert form.state.draft.settings().numeric_groups == {}
    choose(form, income="target")
    assert form.state.draft.settings().numeric_groups == {"income": 20}


@pytest.mark.slow
def test_proposals_follow_the_role_of_a_number():
    form = DisclosureForm(examples.path("original"), examples.path("synthetic_1"))
    choose(form, sex="key")
    step(form, "Settings")
    assert "target, 82 distinct numbers; proposed: about 20 classes<" in shown(form)
    assert "target, 501 distinct numbers; proposed: about 20 classes, special codes -8<" in shown(form)
    choose(form, age="key")
    step(form, "Settings")
    assert "key, 82 distinct numbers<" in shown(form)


def test_asks_why_records_are_left_out_where_they_are(run_form):
    step(run_form, "Settings")
    assert not [one for one in inside(run_form) if getattr(one, "description", "") == "Records left out"]
    enter(run_form, "Leave out groups", "30")
    assert any("left out without a reason" in item.what for item in run_form.assessment.open_items)
    enter(run_form, "Records left out", "Farming is known of the whole village.")
    assert not any("left out without a reason" in item.what for item in run_form.assessment.open_items)


@pytest.mark.slow
def test_wrong_thresholds_change_nothing(run_form):
    step(run_form, "Settings")
    before = run_form.state.draft
    enter(run_form, "One-way: records above", "some")
    assert "not a number" in shown(run_form)
    enter(run_form, "Probabilities", "200")
    assert "from 0 to 1" in shown(run_form)
    assert run_form.state.draft == before


# Results, checks ------------------------------------------------------------------------------------


def test_a_slow_run_leaves_figures_marked_until_it_is_asked_for(run_form):
    run_form.state.seconds = 60
    choose(run_form, trade="")
    assert status(run_form, "Results").startswith("out of date")
    step(run_form, "Results")
    assert "have changed since" in shown(run_form)
    press(run_form, "Run the assessment")
    assert status(run_form, "Results") == "open: no targets"


def test_a_failed_run_leaves_the_last_figures_and_the_button(run_form):
    before = run_form.assessment
    step(run_form, "Results")

    def fail(*_, **__):
        raise SettingsError("it went wrong")

    count_with(run_form, fail)
    press(run_form, "Run the assessment")
    assert "it went wrong" in shown(run_form)
    assert run_form.assessment == before
    assert not find(run_form, "Run the assessment").disabled


def test_a_bug_shows_its_traceback_but_the_button_comes_back(run_form, caplog):
    step(run_form, "Results")

    def fail(*_, **__):
        raise ZeroDivisionError

    count_with(run_form, fail)
    press(run_form, "Run the assessment")
    assert "ZeroDivisionError" in caplog.text
    assert "The program itself has failed" in shown(run_form)
    assert not run_form.tasks.busy
    assert not find(run_form, "Run the assessment").disabled


def test_an_exclusion_needs_reason_and_name_and_can_be_undone(run_form):
    step(run_form, "Checks")
    before = run_form.assessment.outcome
    press(run_form, "Exclude it")
    assert "An exclusion needs a reason" in shown(run_form)
    enter(run_form, "Reason", "Everybody there farms.")
    press(run_form, "Exclude it")
    assert "needs a name" in shown(run_form)
    enter(run_form, "Your name", "B. Officer")
    press(run_form, "Exclude it")
    assert run_form.assessment.outcome_without_exclusions == before
    assert run_form.assessment.settings.exclude[0].by == "B. Officer"
    assert len(run_form.assessment.unanswered) == len(before.flags) - 1
    press(run_form, "Undo the exclusion")
    assert run_form.assessment.outcome == before
    assert find(run_form, "Reason").value == "Everybody there farms."


def test_consequence_is_told_before_it_happens(run_form):
    step(run_form, "Checks")
    enter(run_form, "Your name", "B. Officer")
    enter(run_form, "Reason", "Everybody there farms.")
    told = next(one.value for one in inside(run_form) if "would take DiSCO" in str(getattr(one, "value", "")))
    press(run_form, "Exclude it")
    after = run_form.assessment.value("DiSCO", "trade")
    assert f"to {form_percent(after)}." in told


def form_percent(value):
    from tests.wording import percent

    return percent(value)


@pytest.mark.slow
def test_the_exclusion_that_is_chosen_is_taken_back_though_another_is_written_alike(folder):
    frame = pd.DataFrame({"k": ["1", "2"] * 30, "a": ["b=c", "x"] * 30, "a=b": ["c", "y"] * 30})
    form = DisclosureForm(frame, frame)
    choose(form, k="key")
    alike = [
        Exclusion(target=target, level=level, reason="r", by="n") for target, level in (("a", "b=c"), ("a=b", "c"))
    ]
    assert str(alike[0]) == str(alike[1])
    for rule in alike:
        form.state.exclude(rule)
    step(form, "Checks")
    which = find(form, "Exclusion")
    which.index = 2
    press(form, "Undo it")
    assert form.state.draft.exclude == (alike[0],)
    press(form, "Undo it")
    assert form.state.draft.exclude == (alike[0],)


def test_own_exclusion_chooses_variable_and_level_and_is_told_before_it_happens(run_form):
    step(run_form, "Checks")
    enter(run_form, "Your name", "B. Officer")
    press(run_form, "Exclude this level")
    assert "Choose a target first" in shown(run_form)
    enter(run_form, "Target", "trade")
    enter(run_form, "Reason of this exclusion", "a slip")
    press(run_form, "Exclude this level")
    assert "Choose the level" in shown(run_form)
    assert run_form.state.draft.exclude == ()
    levels = find(run_form, "Level")
    assert [label for label, _ in levels.options] == [
        "choose", "Farmer (40 records)", "Farrier (11 records)", "a level of fewer than 10 records",
    ]  # fmt: skip
    levels.label = "Farmer (40 records)"
    told = next(one.value for one in reversed([*inside(run_form)]) if "would take" in str(getattr(one, "value", "")))
    press(run_form, "Exclude this level")
    assert run_form.assessment.settings.exclude[0].level == "Farmer"
    assert f"to {form_percent(run_form.assessment.value('DiSCO', 'trade'))}." in told


def test_own_exclusion_of_an_unknown_level_is_told(run_form):
    step(run_form, "Checks")
    enter(run_form, "Your name", "B. Officer")
    enter(run_form, "Target", "trade")
    find(run_form, "Level").label = "a level of fewer than 10 records"
    enter(run_form, "Level, as it is written", "Farmerr")
    enter(run_form, "Reason of this exclusion", "a slip")
    press(run_form, "Exclude this level")
    assert "no level" in shown(run_form)
    assert run_form.state.draft.exclude == ()
    enter(run_form, "Level, as it is written", "Beekeeper")
    press(run_form, "Exclude this level")
    assert run_form.assessment.settings.exclude[0].level == "Beekeeper"


def test_what_was_said_of_a_field_goes_once_it_is_mended(run_form):
    step(run_form, "Checks")
    enter(run_form, "Reason", "Everybody there farms.")
    press(run_form, "Exclude it")
    assert "needs a name" in shown(run_form)
    enter(run_form, "Your name", "B. Officer")
    assert "needs a name" not in shown(run_form)
    enter(run_form, "Target", "trade")
    press(run_form, "Exclude this level")
    assert "Choose the level" in shown(run_form)
    find(run_form, "Level").label = "Farmer (40 records)"
    assert "Choose the level" not in shown(run_form)
    press(run_form, "Exclude this level")
    assert "An exclusion needs a reason" in shown(run_form)
    enter(run_form, "Reason of this exclusion", "Everybody there farms.")
    assert "An exclusion needs a reason" not in shown(run_form)


def test_missing_values_are_left_out_only_where_they_were_chosen(folder):
    frame = pd.DataFrame({"k": ["1", "2"] * 30, "t": ["a", None, "b"] * 20})
    form = DisclosureForm(frame, frame)
    choose(form, k="key")
    form.tasks.run()
    step(form, "Checks")
    enter(form, "Your name", "B. Officer")
    enter(form, "Target", "t")
    enter(form, "Reason of this exclusion", "Everybody knows.")
    enter(form, "Only with key", "k")
    press(form, "Exclude this level")
    assert form.state.draft.exclude == ()
    find(form, "Level").label = "(missing)"
    assert [label for label, _ in find(form, "Level of the key").options if "missing" in label] == []
    press(form, "Exclude this level")
    assert form.state.draft.exclude == ()
    find(form, "Level of the key").label = "2 (30 records)"
    press(form, "Exclude this level")
    assert [(rule.level, rule.key, rule.key_level) for rule in form.state.draft.exclude] == [(None, "k", "2")]


def flags_form():
    """The example survey, run, at its flags."""
    form = DisclosureForm(examples.path("original"), examples.path("synthetic_1"))
    choose(form, **dict.fromkeys(examples.SETTINGS["keys"], "key"))
    form.state.change(numeric_groups=examples.SETTINGS["numeric_groups"], special_codes={"income": ("-8",)})
    form.tasks.run()
    step(form, "Checks")
    return form


@pytest.mark.slow
def test_one_answer_covers_a_level_and_its_pairs_and_the_example_takes_few_clicks():
    form = flags_form()
    n_flags, clicks = len(form.assessment.unanswered), 1
    enter(form, "Your name", "A. Officer")
    while form.assessment.unanswered:
        card = next(one for one in form.panel("Checks").cards if one.open)
        card.known.value = "no"
        assert "count yet: say why" in card.needs_reason.value
        card.reason.value = f"Nobody knows {card.group.case}."
        assert not card.needs_reason.value
        clicks += 2
    assert n_flags == 36
    assert clicks <= 30
    answers = form.assessment.documentation.answers
    assert len(answers) == n_flags
    assert {answer.by for answer in answers} == {"A. Officer"}
    assert {answer.reason for answer in answers if answer.target == "smoker"} == {"Nobody knows ('smoker', 'No')."}


@pytest.mark.slow
def test_several_levels_are_answered_at_once():
    form = flags_form()
    press(form, "Select all that are open")
    press(form, "Answer 36 flags")
    assert "Say whether anybody would know it" in shown(form)
    enter(form, "Of all selected", "no")
    press(form, "Answer 36 flags")
    assert "say why" in shown(form)
    assert len(form.assessment.unanswered) == 36
    enter(form, "Reason for all selected", "It is news.")
    first = form.panel("Checks").cards[0]
    first.select.value = False
    press(form, "Answer 8 flags")
    assert {flag.target for flag in form.assessment.unanswered} == {"worked_abroad"}


@pytest.mark.slow
def test_flags_of_a_level_can_be_answered_one_by_one_and_keep_their_words():
    form = flags_form()
    card = next(one for one in form.panel("Checks").cards if one.group.target == "smoker")
    card.one_by_one.button.click()
    second = card.single[1]
    second.known.value, second.reason.value = "no", "Of the young it is news."
    assert card.known.value is None
    card.reason.value = "Three in four don't smoke."
    card.known.value = "yes"
    said = {answer.key: answer for answer in form.assessment.documentation.answers if answer.target == "smoker"}
    assert all(answer.prior_knowledge for answer in said.values())
    assert second.reason.value == "Three in four don't smoke."
    second.reason.value = "So it is of the young."
    card.known.value = "no"
    said = {answer.key: answer for answer in form.assessment.documentation.answers if answer.target == "smoker"}
    assert said["age"].reason == "So it is of the young."
    assert not any(answer.prior_knowledge for answer in said.values())


@pytest.mark.slow
def test_leaving_a_level_out_answers_its_pairs_and_is_taken_back_as_a_whole():
    form = flags_form()
    enter(form, "Your name", "A. Officer")
    card = next(one for one in form.panel("Checks").cards if one.group.target == "smoker")
    card.reason.value = "Three in four don't smoke."
    card.exclude.click()
    assert [rule.case for rule in form.state.draft.exclude] == [("smoker", "No", None, None)]
    assert not any(flag.case[:2] == ("smoker", "No") for flag in form.assessment.unanswered)
    card = next(one for one in form.panel("Checks").cards if one.group.case == ("smoker", "No"))
    card.undo.click()
    assert form.state.draft.exclude == ()
    assert sum(flag.target == "smoker" for flag in form.assessment.unanswered) == 3


# Report --------------------------------------------------------------------------------------------


def test_fields_carry_the_titles_and_descriptions_of_the_documentation(run_form):
    step(run_form, "Report")
    report = run_form.panel("Report")
    for name, field in Documentation.model_fields.items():
        if name in report.said.head.controls:
            assert report.said.head.controls[name].description == field.title
    report.said.unfold("request")
    kind = type(run_form.state.statements.documentation.request)
    for name, field in kind.model_fields.items():
        assert report.said.parts["request"].fields.controls[name].tooltip == field.description


def test_every_field_of_the_record_can_be_entered(run_form):
    step(run_form, "Report")
    report = run_form.panel("Report")
    places = {
        "scenario": "Scenario",
        "answers": "Checks",
        "history": "kept by the program",
        "level_labels": "a documentation file",
        "sensitive": "a documentation file",
    }
    folds = {*report.said.parts, *report.said.head.controls}
    assert set(Documentation.model_fields) == folds | set(places)
    for name in report.said.parts:
        report.said.unfold(name)
    sections = {name: part.fields for name, part in report.said.parts.items() if hasattr(part, "fields")}
    assert len(sections) > 5
    for name, section in sections.items():
        declared = type(getattr(run_form.state.statements.documentation, name)).model_fields
        fields = {one for one, field in declared.items() if not is_kept(field)} - {"sign_offs"}
        assert set(section.controls) == fields


def test_labels_reach_the_record(run_form):
    step(run_form, "Report")
    run_form.panel("Report").said.unfold("labels")
    enter(run_form, run_form.state.draft.keys[0], " Where they live ")
    assert run_form.assessment.documentation.labels == {run_form.state.draft.keys[0]: "Where they live"}
    assert run_form.assessment.described[0].label == "Where they live"


@pytest.mark.slow
def test_checklist_and_sign_off_reach_the_record(run_form):
    step(run_form, "Report")
    report = run_form.panel("Report")
    report.said.unfold("checklist")
    enter(
        run_form,
        "Answer: The keys cover what a neighbour, a colleague, or somebody with another file could know.",
        "yes",
    )
    report.said.unfold("decision")
    enter(run_form, "Name", "A. Officer")
    enter(run_form, "Decision", "approve")
    said = run_form.assessment.documentation
    assert [(entry.item, entry.answer) for entry in said.checklist] == [("keys", "yes")]
    assert said.decision.sign_offs[0].name == "A. Officer"
    assert said.decision.decision == "approve"


def test_a_signature_says_what_it_lacks(run_form):
    step(run_form, "Report")
    run_form.panel("Report").said.unfold("decision")
    enter(run_form, "Name", "A. Officer")
    assert "counts once it has a date and a decision, too" in shown(run_form)
    enter(run_form, "Date", datetime.date.today(), nth=1)
    assert "counts once it has a decision, too" in shown(run_form)
    enter(run_form, "Decision", "approve", nth=1)
    assert "counts once it has" not in shown(run_form)


@pytest.mark.slow
def test_decision_and_signatures_stay_with_the_figures_they_are_on(run_form):
    step(run_form, "Report")
    run_form.panel("Report").said.unfold("decision")
    enter(run_form, "Decision", "approve")
    enter(run_form, "Name", "A. Officer")
    step(run_form, "Checks")
    enter(run_form, "Your name", "B. Officer")
    enter(run_form, "Reason", "Everybody there farms.")
    press(run_form, "Exclude it")
    assert not run_form.assessment.documentation.decision.filled
    step(run_form, "Report")
    assert find(run_form, "Name").value == ""
    assert "on other figures" in shown(run_form)
    again = DisclosureForm.load("disclosure-report.form.json")
    assert not again.assessment.documentation.decision.filled
    press(run_form, "Return to the first")
    assert run_form.assessment.documentation.decision.sign_offs[0].name == "A. Officer"
    assert find(run_form, "Name").value == "A. Officer"
    again = DisclosureForm.load(run_form.state.autosave.at)  # beside the one that was taken up
    assert again.assessment.documentation.decision.decision == "approve"


@pytest.mark.slow
def test_nothing_can_be_decided_before_there_are_figures(small_form):
    step(small_form, "Report")
    small_form.panel("Report").said.unfold("decision")
    enter(small_form, "Decision", "approve")
    assert "There are no figures yet" in shown(small_form)
    assert not small_form.state.statements.documentation.decision.filled


@pytest.mark.slow
def test_a_policy_file_that_is_not_there_is_told(run_form):
    step(run_form, "Report")
    enter(run_form, "Policy file", "none.toml")
    assert "Can&#x27;t read" in shown(run_form)
    enter(run_form, "Policy file", str(examples.FOLDER / "policy.toml"))
    assert run_form.assessment.policy.organisation == "Statistics Northmoor"


@pytest.mark.slow
def test_the_lines_do_the_same(run_form):
    step(run_form, "Report")
    enter(run_form, "Title", "By lines")
    step(run_form, "Checks")
    enter(run_form, "Your name", "B. Officer")
    enter(run_form, "Reason", "Everybody there farms.")
    press(run_form, "Exclude it")
    names = {}
    *code, report = run_form.code().splitlines()
    exec("\n".join(code), names)
    assert names["assessment"].documentation.title == "By lines"
    assert len(names["assessment"].documentation.history) == 1
    assert names["assessment"].outcome == run_form.assessment.outcome
    assert report == "Report(assessment, edition='internal').write('disclosure-report-internal.pdf')"


@pytest.mark.slow
@pytest.mark.parametrize("ending", [pytest.param("pdf", marks=pytest.mark.slow), "html"])
def test_a_file_of_somebody_else_is_not_replaced(run_form, tmp_path, ending):
    path = tmp_path / f"other-internal.{ending}"
    path.write_text("of somebody else")
    step(run_form, "Report")
    enter(run_form, "Folder of the report", str(tmp_path / "other"))
    press(run_form, f"Write {ending.upper()}")
    assert "this form hasn&#x27;t written it" in shown(run_form)
    assert path.read_text() == "of somebody else"
    path.unlink()
    for told in ("", f" It takes the place of the earlier {path.name}."):  # its own may be written again
        press(run_form, f"Write {ending.upper()}")
        assert f"Written: 1 file.{told}<" in shown(run_form)
    again = DisclosureForm.load(run_form.save(tmp_path / "kept.discoreport.json"))
    assert again.state.has_written(path)


@pytest.mark.slow
def test_each_edition_has_a_file_of_its_own(run_form, folder):
    step(run_form, "Report")
    press(run_form, "Write HTML")
    internal = (folder / "disclosure-report-internal.html").read_bytes()
    enter(run_form, "Edition", "external")
    press(run_form, "Write HTML")
    assert (folder / "disclosure-report-internal.html").read_bytes() == internal
    assert (folder / "disclosure-report-external.html").read_bytes() != internal
    assert run_form.code().splitlines()[-1].endswith(".write('disclosure-report-external.pdf')")


@pytest.mark.slow
def test_preview_is_the_report_and_can_run_nothing(run_form):
    step(run_form, "Report")
    press(run_form, "Show preview")
    assert "<iframe sandbox " in shown(run_form)
    press(run_form, "Hide preview")
    assert "<iframe" not in shown(run_form)


# Saving --------------------------------------------------------------------------------------------


def test_saves_itself_and_can_be_taken_up_again(run_form, folder):
    step(run_form, "Checks")
    enter(run_form, "Your name", "B. Officer")
    enter(run_form, "Reason", "Everybody there farms.")
    press(run_form, "Exclude it")
    again = DisclosureForm.load(folder / "disclosure-report.form.json")
    assert figures(again.assessment) == figures(run_form.assessment)
    assert again.state.statements.documentation == run_form.state.statements.documentation
    assert "Everybody there farms." in shown(again)  # the same step is open
    assert len(again.state.runs.entries) == len(run_form.state.runs.entries)


def test_what_is_saved_holds_no_value_of_the_data(run_form, folder):
    text = (folder / "disclosure-report.form.json").read_text(encoding="utf-8")
    assert read_saved(folder / "disclosure-report.form.json").draft == run_form.state.draft
    for value in ("Achterbach", "Zwischenau", "Hamlet", "Glassblower", "Farmer"):
        assert value not in text


@pytest.fixture
def earlier_form(run_form):
    """A form in whose place another one is opened."""
    run_form.state.statements.say(title="A week of work")
    return run_form


def saved_in(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.form.json")}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("given", [True, False])
def test_an_earlier_form_is_offered_before_anything_else_is_done_or_saved(earlier_form, small_files, folder, given):
    before = saved_in(folder)
    form = DisclosureForm(*(map(str, small_files) if given else ()))
    words = shown(form)
    assert f"There is an earlier form of {'the same files' if given else 'this folder'}" in words
    assert f"{datetime.date.today()}" in words
    assert "original.csv, synthetic.csv, 1 key, 1 target, 1 run" in words
    assert [one.description for one in inside(form) if isinstance(one, w.Button)] == [
        "Go on with it", "Look on", "Begin anew"
    ]  # fmt: skip
    assert "It is open in this notebook already" in words
    form.state.statements.say(title="An idle thought")  # as a notebook run by a program might
    form.tasks.run()
    assert saved_in(folder) == before


def test_an_earlier_form_of_other_files_is_told_apart(earlier_form, small_files):
    assert "an earlier form of other files" in shown(DisclosureForm(small_files[0], small_files[0]))


@pytest.mark.slow
def test_an_earlier_form_is_taken_up_by_a_click(earlier_form, small_files, folder):
    form = DisclosureForm(*small_files)
    press(form, "Go on with it")
    assert form.state.draft == earlier_form.state.draft
    assert form.assessment.outcome == earlier_form.assessment.outcome
    assert form.assessment.documentation.title == "A week of work"
    assert list(saved_in(folder)) == ["disclosure-report.form.json"]


@pytest.mark.slow
def test_an_earlier_form_is_set_aside_where_one_begins_anew_and_can_be_opened(earlier_form, small_files, folder):
    before = saved_in(folder)["disclosure-report.form.json"]
    form = DisclosureForm(*small_files)
    press(form, "Begin anew")
    assert form.state.files is not None
    assert saved_in(folder)["disclosure-report.earlier-1.form.json"] == before
    choose(form, trade="key")
    second = saved_in(folder)["disclosure-report.form.json"]
    step(form, "Data")
    which = find(form, "Open a saved form")
    assert [label[18:] for label, _ in which.options[1:]] == [
        "disclosure-report.earlier-1.form.json: original.csv, synthetic.csv, 1 key, 1 target, 1 run"
    ]
    which.value = which.options[1][1]
    press(form, "Open it")
    assert form.assessment.documentation.title == "A week of work"
    assert form.state.draft.keys == ("village",)
    assert read_saved(folder / "disclosure-report.earlier-2.form.json").draft.keys == ("trade",)
    assert json.loads(second)["draft"] == json.loads(saved_in(folder)["disclosure-report.earlier-2.form.json"])["draft"]


def test_an_earlier_form_that_cannot_be_read_is_kept(folder, small_files):
    (folder / "disclosure-report.form.json").write_text("{")
    form = DisclosureForm(*small_files)
    assert "it can&#x27;t be read" in shown(form)
    press(form, "Go on with it")
    assert "isn&#x27;t a saved form" in shown(form)
    press(form, "Begin anew")
    assert (folder / "disclosure-report.earlier-1.form.json").read_text() == "{"


@pytest.mark.slow
def test_roles_are_kept_by_name_and_come_back_with_their_variables(folder):
    frame = pd.DataFrame({"a": ["x", "y"] * 30, "b": ["u", "v", "w"] * 20, "c": ["r", "s"] * 30, "d": ["k", "l"] * 30})
    frame.to_csv("whole.csv", index=False)
    frame[["b", "d"]].to_csv("part.csv", index=False)
    form = DisclosureForm("whole.csv", "whole.csv")
    choose(form, c="key", a="key", b="key", d="target")
    before = form.state.draft
    step(form, "Data")
    for _ in range(2):  # by hand, and taken up again while they are away
        enter(form, "Original file", "part.csv")
        enter(form, "Synthetic files", "part.csv")
        press(form, "Read the files")
        assert form.state.draft.keys == ("b",)
        assert "keys: c, a" in shown(form)
        form = DisclosureForm.load("disclosure-report.form.json")
        step(form, "Data")
        enter(form, "Original file", "whole.csv")
        enter(form, "Synthetic files", "whole.csv")
        press(form, "Read the files")
        assert form.state.draft == before
        assert "They have no role for now" not in shown(form)


def test_a_role_given_meanwhile_is_not_taken_back(folder):
    draft = Draft(keys=("a", "b"), targets=("c",)).among(["b", "c"], ["b", "c"])
    assert draft.with_role("b", "", ["b", "c"]).among(["a", "b", "c"], []).keys == ("a",)


def test_nothing_is_done_where_there_is_nothing_to_show(folder):
    pd.DataFrame({"a": ["x", "y"] * 30, "b": ["u", "v", "w"] * 20}).to_csv("a.csv", index=False)
    form = DisclosureForm("a.csv", "a.csv")
    choose(form, a="key", b="")
    assert form.assessment is not None
    assert "done" not in status(form, "Results")
    assert "no targets" in status(form, "Results")


@pytest.fixture
def other_file(small_files, folder):
    pd.read_csv(small_files[1]).iloc[::2].to_csv("other.csv", index=False)
    return "other.csv"


def test_a_file_that_was_typed_and_not_read_marks_the_step_and_blocks_the_way_on(run_form, other_file):
    before = run_form.assessment
    step(run_form, "Data")
    enter(run_form, "Synthetic files", other_file)
    assert status(run_form, "Data") == "open: not read yet"
    assert find(run_form, "Go on to").disabled
    assert "Not read yet: other.csv" in shown(run_form)
    assert "These figures are of original.csv, synthetic.csv" in shown(run_form)
    assert run_form.assessment == before
    press(run_form, "Read the files")
    assert "not read yet" not in status(run_form, "Data")
    assert not find(run_form, "Go on to").disabled
    assert "These figures are of" not in shown(run_form)


def test_a_failed_read_leaves_the_files_and_figures_before_it_whole(run_form, folder):
    (folder / "broken.csv").write_text("a,b\n1\n")
    before, draft, files = run_form.assessment, run_form.state.draft, run_form.state.files
    step(run_form, "Data")
    enter(run_form, "Synthetic files", "broken.csv")
    press(run_form, "Read the files")
    assert "broken.csv" in shown(run_form)
    assert (run_form.assessment, run_form.state.draft, run_form.state.files) == (before, draft, files)
    assert status(run_form, "Data") == "open: not read yet"


def upload(form, content):
    now = datetime.datetime.now(datetime.UTC)
    file = {"name": "new.csv", "type": "text/csv", "size": len(content), "content": content, "last_modified": now}
    find(form, "Upload synthetic").value = (file,)


@pytest.mark.slow
def test_an_upload_of_the_same_name_has_to_be_read_again(run_form, folder):
    step(run_form, "Data")
    content = b"village,trade\n" + b"Hamlet,Farmer\n" * 60
    for _ in range(2):
        upload(run_form, content)
        assert status(run_form, "Data") == "open: not read yet"
        press(run_form, "Read the files")
        assert "not read" not in status(run_form, "Data")


def test_an_upload_that_came_empty_names_the_field_for_paths(run_form):
    step(run_form, "Data")
    upload(run_form, b"")
    words = shown(run_form)
    assert "new.csv: nothing has arrived. Uploads take files up to 10 MB" in words
    assert "the field Original file or Synthetic files above" in words
    assert "10 MB" in find(run_form, "Upload the original").tooltip


@pytest.mark.parametrize("shuffled", [False, True])
def test_the_original_as_its_own_synthetic_file_is_a_warning_at_once(folder, shuffled):
    original = examples.read("original").head(300)
    original.to_csv("original.csv", index=False)
    copy = original.sample(frac=1, random_state=1) if shuffled else original
    copy.to_csv("synthetic.csv", index=False)
    form = DisclosureForm("original.csv", "synthetic.csv")
    step(form, "Data")
    words = shown(form)
    assert "warning" in status(form, "Data")
    assert "is it a copy?" in words


def other_program(form):
    """What stands in a file that a form of another program has saved."""
    saved = form.state.saved()
    return saved.model_copy(update={"held": Held(computer=socket.gethostname(), process=os.getppid(), form="another")})


@pytest.mark.slow
def test_a_form_in_which_nothing_was_said_is_not_offered(small_files, folder):
    DisclosureForm(*small_files)
    form = DisclosureForm(*small_files)
    assert form.state.files is not None
    choose(form, village="key")
    assert list(saved_in(folder)) == ["disclosure-report.form.json"]
    again = DisclosureForm(*small_files)
    assert "There is an earlier form" in shown(again)


def test_the_second_of_two_forms_is_told_and_may_take_over(run_form, small_files, folder):
    place = folder / "disclosure-report.form.json"
    write_saved(place, other_program(run_form))
    second = DisclosureForm(*small_files)
    assert "It is open in another window" in shown(second)
    press(second, "Go on with it")
    second.state.statements.say(title="The second's")
    assert read_saved(place).documentation.title == "The second's"
    run_form.state.statements.say(title="The first's")
    assert read_saved(place).documentation.title == "The second's"
    assert read_saved(folder / "disclosure-report.other-1.form.json").documentation.title == "The first's"
    assert "This form is open elsewhere" in shown(run_form)
    press(run_form, "Take over")
    assert "This form is open elsewhere" not in shown(run_form)
    assert read_saved(place).documentation.title == "The first's"
    assert read_saved(folder / "disclosure-report.earlier-1.form.json").documentation.title == "The second's"
    assert len(saved_in(folder)) == 2


@pytest.mark.slow
def test_whoever_looks_on_leaves_the_form_alone_and_loses_nothing(run_form, small_files, folder):
    before = saved_in(folder)
    second = DisclosureForm(*small_files)
    press(second, "Look on")
    assert figures(second.assessment) == figures(run_form.assessment)
    step(second, "Results")
    assert saved_in(folder) == before
    second.state.statements.say(title="A note")
    assert {**saved_in(folder), **before} == saved_in(folder)
    assert read_saved(folder / "disclosure-report.other-1.form.json").documentation.title == "A note"
    run_form.state.statements.say(title="Work goes on")
    assert read_saved(folder / "disclosure-report.form.json").documentation.title == "Work goes on"
    assert "This form is open elsewhere" not in shown(run_form)
    press(second, "Look on")
    assert second.state.statements.documentation.title == "Work goes on"


def test_a_form_whose_program_has_ended_is_offered_without_more(run_form, small_files, folder, monkeypatch):
    place = folder / "disclosure-report.form.json"
    ended = other_program(run_form)
    write_saved(place, ended.model_copy(update={"held": ended.held.model_copy(update={"process": 2**22 + 1})}))
    assert "It is open" not in shown(DisclosureForm(*small_files))
    write_saved(place, ended.model_copy(update={"held": ended.held.model_copy(update={"computer": "elsewhere"})}))
    assert "last saved on elsewhere, and may be open there" in shown(DisclosureForm(*small_files))


@pytest.mark.slow
def test_frames_and_uploads_are_asked_for_again(small_files, folder):
    frames = [pd.read_csv(path) for path in small_files]
    form = DisclosureForm(*frames)
    choose(form, village="key")
    path = form.save(folder / "kept.json")
    again = DisclosureForm.load(path)
    assert "No file" in shown(again)
    assert again.state.draft.keys == ("village",)
    again = DisclosureForm.load(path, frames={"original": frames[0], "synthetic_1": frames[1]})
    assert again.assessment is not None
    with pytest.raises(RecordError, match="no file 'synthetic'"):
        DisclosureForm.load(path, frames={"synthetic": frames[1]})


def test_other_content_under_the_same_name_is_told(small_files, folder):
    for name, path in zip(("a.csv", "b.csv"), small_files, strict=True):
        (folder / name).write_bytes(path.read_bytes())
    form = DisclosureForm("a.csv", "b.csv")
    choose(form, village="key")
    (folder / "b.csv").write_bytes(small_files[0].read_bytes())
    again = DisclosureForm.load(form.save(folder / "kept.json"))
    assert status(again, "Data") == "problem: other files"


def test_a_place_that_cannot_be_written_is_told_and_nothing_is_lost(small_form, folder):
    (folder / "file").write_text("")
    step(small_form, "Report")
    enter(small_form, "Folder of the report", "file/below")
    assert "Not saved" in shown(small_form)
    choose(small_form, village="key")
    assert small_form.state.draft.keys == ("village",)


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", "[" * 100_000, '{"form_version": 9}', '{"form_version": 1, "draft": 3}']
)
def test_a_file_that_is_no_form_is_refused(folder, content):
    (folder / "x.json").write_text(content)
    with pytest.raises(RecordError):
        DisclosureForm.load(folder / "x.json")


@pytest.mark.slow
def test_no_code_is_looked_up_while_a_connection_is_at_work(occupy):
    form = DisclosureForm(examples.path("original"), examples.path("synthetic_1"))
    choose(form, sex="key")
    step(form, "Settings")
    occupy()
    enter(form, "Special codes", "-8", nth=1)
    assert "The files are being counted" in shown(form)
    assert form.state.draft.special_codes == {}


@pytest.mark.slow
def test_nothing_is_excluded_while_a_connection_is_at_work(run_form, occupy):
    step(run_form, "Checks")
    enter(run_form, "Your name", "B. Officer")
    enter(run_form, "Reason", "Everybody there farms.")
    enter(run_form, "Target", "trade")
    find(run_form, "Level").label = "Farmer (40 records)"
    enter(run_form, "Reason of this exclusion", "Everybody there farms.")
    occupy()
    for button in ("Exclude it", "Exclude this level"):
        press(run_form, button)
        assert "The files are being counted" in shown(run_form)
        assert run_form.state.draft.exclude == ()
        run_form.opened.cards[0].message.value = ""


# History -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_runs_can_be_compared_and_returned_to(run_form):
    first = run_form.assessment
    step(run_form, "Checks")
    enter(run_form, "Your name", "B. Officer")
    enter(run_form, "Reason", "Everybody there farms.")
    press(run_form, "Exclude it")
    assert len(run_form.state.runs.entries) == 2
    press(run_form, "Compare")
    assert "exclude: none" in shown(run_form)
    press(run_form, "Return to the first")
    assert run_form.assessment.outcome == first.outcome
    assert run_form.state.draft.exclude == ()
    assert len(run_form.state.runs.entries) == 3
    assert len(run_form.assessment.documentation.history) == 1
    choose(run_form, trade="key")
    assert len(run_form.assessment.documentation.history) == 3


def test_runs_that_only_follow_a_change_replace_each_other(run_form):
    n = len(run_form.state.runs.entries)
    choose(run_form, trade="")
    choose(run_form, trade="target")
    choose(run_form, trade="key")
    assert len(run_form.state.runs.entries) <= n + 1


# What a notebook sees --------------------------------------------------------------------------------


def test_widget_state_holds_no_rare_value(run_form):
    for name in (one.name for one in PANELS if one.open_to("")):
        step(run_form, name)
    state = json.dumps([one.get_state() for one in everything(run_form)], default=str)
    assert "village" in state
    assert "Hamlet0" not in state


def everything(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from everything(child)


def test_exports_that_show_no_widget_show_a_sentence(small_form):
    bundle = small_form._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "A disclosure form" in bundle["text/html"]


def test_the_page_of_its_own_listens_here_only_and_fetches_nothing(monkeypatch):
    app = pytest.importorskip("voila.app")
    made = {}

    class Page:
        def __init__(self, **options):
            made.update(options)

        def initialize(self, arguments):
            made["notebook"] = Path(arguments[0]).read_text(encoding="utf-8")

        def start(self):
            made["started"] = True

    monkeypatch.setattr(app, "Voila", Page)
    assert main(["form", "a.csv", "b.csv", "--no-browser", "--port", "9000"]) == 0
    assert (made["ip"], made["port"], made["open_browser"], made["started"]) == ("127.0.0.1", 9000, False, True)
    assert len(made["token"]) > 20
    policy = made["tornado_settings"]["headers"]["Content-Security-Policy"]
    assert policy.startswith("default-src 'self'")
    assert made["tornado_settings"]["websocket_max_message_size"] > 500e6
    assert "'a.csv', ['b.csv'], out='disclosure-report', largest_upload=500, open_as=''" in "".join(
        json.loads(made["notebook"])["cells"][0]["source"]
    )


def test_the_page_of_its_own_names_what_is_missing(uninstall, capsys):
    uninstall("voila")
    assert main(["form"]) == 2
    assert "pip install 'discoreport[app]'" in capsys.readouterr().err


@pytest.mark.slow
def test_every_control_has_a_label_and_a_tooltip(run_form):
    for name in (one.name for one in PANELS if one.open_to("")):
        step(run_form, name)
        if name == "Report":
            for section in run_form.panel("Report").said.parts:
                run_form.panel("Report").said.unfold(section)
                check_controls(run_form)
        check_controls(run_form)


def test_no_control_has_a_class_without_a_name_which_pages_refuse(run_form):
    for name in (one.name for one in PANELS if one.open_to("")):
        step(run_form, name)
        assert all("" not in one._dom_classes for one in inside(run_form))


@pytest.mark.slow
def test_every_field_says_in_a_line_what_to_enter_and_every_measure_has_its_meaning_at_hand(run_form):
    fields = (w.Text, w.Textarea, w.Dropdown, w.Select, w.SelectMultiple, w.DatePicker)
    unsaid = {"Reason", "Comment", "village", "trade"}  # many of a kind: the line stands above them
    seen = [name for name, tab in run_form.header.tabs.items() if tab in inside(run_form)]
    for name in seen:
        step(run_form, name)
        for part in run_form.panel("Report").said.folds.values() if name == "Report" else ():
            part.unfold()
        for box in [one for one in inside(run_form) if isinstance(one, w.Box) and "d-field" not in one._dom_classes]:
            for one in box.children:
                if isinstance(one, fields) and one.layout.display != "none":
                    said = one.tooltip == one.description  # a label that says it all
                    assert said or one.description in unsaid or re.search("above|cells with", one.description)
        assert "<abbr" not in shown(run_form)
        for measure in re.findall(r'popovertarget="([^"]+)"', shown(run_form)):
            assert f'popover id="{measure}"' in shown(run_form)
    step(run_form, "Results")
    assert 'aria-label="What is DiSCO?"' in shown(run_form)


def test_bars_of_target_levels_are_drawn_in_the_form_too(run_form):
    section = results_step.of_target(run_form.assessment, "trade")
    classes = set(re.findall(r'class="(track|given|mark|ends)"', section))
    assert classes == {"track", "given", "mark", "ends"}
    assert all(f".discoreport .{name} {{" in sheet() for name in classes)


def check_controls(form):
    for one in inside(form):
        if isinstance(one, w.HTML | w.Box):
            continue
        assert getattr(one, "description", "") or isinstance(one, w.IntProgress), one
        says_it_all = "d-fold" in one._dom_classes
        assert getattr(one, "tooltip", None) or getattr(one, "tooltips", ()) or says_it_all, one.description


def test_runs_that_are_compared_name_what_was_left_out_in_words():
    plain = Settings(keys=["age"], targets=["marital"])
    other = plain.model_copy(update={"exclude": (Exclusion(target="marital", level=None),)})
    assert run_history._differing(other, plain) == [("exclude", "marital: (missing)", "none")]


@pytest.mark.slow
def test_names_and_levels_are_escaped(folder):
    nasty = "<img src=x onerror=alert(1)>"
    frame = pd.DataFrame({nasty: ["a", "b"] * 60, "t": ["<script>alert(2)</script>"] * 119 + ["c"], "n": range(120)})
    form = DisclosureForm(frame, frame)
    choose(form, **{nasty: "key"})
    step(form, "Settings")
    press(form, "Run the assessment")
    form.panel("Results").target.value = "t"
    for name in (one.name for one in PANELS if one.open_to("")):
        step(form, name)
        assert "<img" not in shown(form)
        assert "<script" not in shown(form)


def test_working_outside_a_notebook_leaves_no_thread_and_no_file(small_form, folder):
    choose(small_form, village="key")
    assert [path.name for path in folder.iterdir()] == ["disclosure-report.form.json"]


@pytest.mark.slow
def test_a_decision_goes_with_the_figures_it_was_taken_on(run_form):
    step(run_form, "Report")
    run_form.panel("Report").said.unfold("decision")
    enter(run_form, "Decision", "approve")
    assert run_form.assessment.documentation.decision.decision == "approve"
    step(run_form, "Checks")
    enter(run_form, "Your name", "B. Officer")
    enter(run_form, "Reason", "Everybody there farms.")
    press(run_form, "Exclude it")
    assert run_form.assessment.documentation.decision.decision == ""
    step(run_form, "Report")
    assert find(run_form, "Decision").value == ""


def signed(form):
    step(form, "Report")
    form.panel("Report").said.unfold("decision")
    enter(form, "Decision", "approve")
    enter(form, "Name", "A. Officer")
    enter(form, "Date", datetime.date.today(), nth=1)
    enter(form, "Decision", "approve", nth=1)


def open_whats(form):
    return [item.what for item in form.assessment.open_items]


@pytest.mark.slow
@pytest.mark.parametrize("change", ["title", "answer", "checklist", "file"])
def test_a_signature_is_shown_as_stale_once_anything_has_changed_and_can_be_given_again(run_form, folder, change):
    signed(run_form)
    assert "Signed before the last change" not in open_whats(run_form)
    assert "have changed since" not in shown(run_form)
    statements = run_form.state.statements
    if change == "answer":
        flag = run_form.assessment.outcome.flags[0]
        statements.answer(Answer(target=flag.target, level=flag.case[1], prior_knowledge=False, reason="News."))
    elif change == "checklist":
        statements.say(checklist=(ChecklistAnswer(item=statements.policy.checklist[0].item, answer="yes"),))
    elif change == "title":
        enter(run_form, "Title", "Another")
    else:
        (folder / "said.toml").write_text('title = "from a file"\n')
        enter(run_form, "Documentation file", "said.toml")
        press(run_form, "Take up its words")
    assert {"Signed before the last change", "Decided before the last change"} <= {*open_whats(run_form)}
    assert "have changed since" in shown(run_form)
    assert "Signed before the last change" in Report(run_form.assessment).html
    again = DisclosureForm.load("disclosure-report.form.json")
    assert "Signed before the last change" in open_whats(again)
    press(run_form, "Sign again")
    press(run_form, "Decide again")
    assert "have changed since" not in shown(run_form)
    assert "Signed before the last change" not in open_whats(run_form)
    assert run_form.assessment.documentation.decision.sign_offs[0].name == "A. Officer"


@pytest.mark.generated
def test_a_decision_on_other_figures_is_kept_beside_that_on_these(run_form):
    signed(run_form)
    run_form.state.change(max_denominator=30)
    run_form.tasks.run()
    enter(run_form, "Decision", "reject")
    assert run_form.assessment.documentation.decision.sign_offs == ()
    press(run_form, "Return to the first")
    assert run_form.assessment.documentation.decision.decision == "approve"
    assert run_form.assessment.documentation.decision.sign_offs[0].name == "A. Officer"
    again = DisclosureForm.load(run_form.state.autosave.at)  # beside the one that was taken up
    assert again.assessment.documentation.decision.decision == "approve"
    again.state.return_to(1)
    again.tasks.run()
    assert again.assessment.documentation.decision.decision == "reject"


@pytest.mark.slow
def test_an_exclusion_that_is_undone_leaves_the_answer_and_its_reason_as_they_were(run_form):
    step(run_form, "Checks")
    enter(run_form, "Your name", "B. Officer")
    enter(run_form, "Is this something", "no")
    enter(run_form, "Reason", "It is news.")
    before = run_form.assessment.documentation.answers

    def card():
        return next(one for one in run_form.panel("Checks").cards if one.group.flags[0].case == before[0].case)

    press(card().view, "Exclude it")
    assert run_form.assessment.documentation.answers[0].action == "excluded"
    assert (card().known.value, card().reason.disabled) == ("yes", True)
    press(card().view, "Undo the exclusion")
    assert run_form.assessment.settings.exclude == ()
    assert run_form.assessment.documentation.answers == before
    assert (card().known.value, card().reason.value, card().reason.disabled) == ("no", "It is news.", False)


@pytest.mark.slow
def test_a_documentation_file_fills_the_fields_and_its_decision_is_on_these_figures():
    form = DisclosureForm(examples.path("original"), examples.path("synthetic_1"))
    choose(form, sex="key", age="key", region="key", settlement="key")
    step(form, "Report")
    enter(form, "Title", "to be replaced")
    enter(form, "Documentation file", str(examples.FOLDER / "documentation.toml"))
    press(form, "Take up its words")
    assert find(form, "Title").value == "Northmoor household survey 2025, synthetic file for teaching"
    said = form.assessment.documentation
    assert said.decision.sign_offs[0].name == "A. Officer"
    assert any(answer.level == "No" and answer.complete for answer in said.answers)
    step(form, "Scenario")
    assert find(form, "age").value == "Known to neighbours and colleagues, at least nearly."
    choose(form, region="target")
    assert not form.assessment.documentation.decision.filled


def test_a_documentation_file_that_names_something_else_changes_nothing(run_form, folder):
    step(run_form, "Report")
    enter(run_form, "Title", "as it was")
    press(run_form, "Take up its words")
    assert "Name the documentation file first" in shown(run_form)
    (folder / "said.toml").write_text('title = "other"\n[scenario.keys]\ntown = "Seen."\n')
    enter(run_form, "Documentation file", "said.toml")
    press(run_form, "Take up its words")
    assert "&#x27;town&#x27; is not a key" in shown(run_form)
    assert find(run_form, "Title").value == "as it was"


def test_a_documentation_file_is_read_once(run_form, folder, monkeypatch):
    (folder / "said.toml").write_text('title = "other"\n')
    read, times = documentation_file.read_toml, []
    monkeypatch.setattr(documentation_file, "read_toml", lambda path: times.append(path) or read(path))
    run_form.state.read_documentation("said.toml")
    assert len(times) == 1  # what was checked is what was taken


@pytest.mark.slow
def test_a_documentation_file_keeps_a_decision_that_is_on_other_figures(run_form, folder):
    step(run_form, "Report")
    run_form.panel("Report").said.unfold("decision")
    enter(run_form, "Decision", "approve")
    choose(run_form, trade="")
    choose(run_form, trade="key")
    (folder / "said.toml").write_text('title = "other"\n')
    step(run_form, "Report")
    enter(run_form, "Documentation file", "said.toml")
    press(run_form, "Take up its words")
    assert find(run_form, "Title").value == "other"
    assert "on other figures" in shown(run_form)
    assert not run_form.assessment.documentation.decision.filled


def to_press_next(form):
    """By its words: the way on stands at the head and at the foot of a step."""
    return list(dict.fromkeys(one.description for one in inside(form) if "d-primary" in one._dom_classes))


@pytest.mark.slow
def test_marks_the_one_button_to_press_next():
    form = DisclosureForm()
    assert to_press_next(form) == ["Read the files"]
    press(form, "Try it with the example survey")
    assert to_press_next(form) == ["Go on to the scenario"]
    press(form, "Go on to the scenario")
    assert to_press_next(form) == ["Take the suggested keys: sex, age, region, settlement"]
    press(form, "Take the suggested keys")
    assert to_press_next(form) == ["Go on to the settings"]
    press(form, "Go on to the settings")
    assert to_press_next(form) == ["Take the proposed groups and codes"]
    form.state.seconds = 60  # figures no longer follow by themselves
    press(form, "Take the proposed groups")
    assert to_press_next(form) == ["Run the assessment"]
    press(form, "Run the assessment")
    assert to_press_next(form) == ["Go on to the flags"]
    press(form, "Go on to the flags")
    assert to_press_next(form) == ["Go on to further questions"]
    press(form, "Go on to further questions")
    assert to_press_next(form) == ["Go on to the report"]
    press(form, "Run: Groups")
    enter(form, "Smallest group", "20")
    assert to_press_next(form) == ["Run 1 question again"]
    press(form, "Run 1 question again")
    press(form, "Go on to the report")
    assert to_press_next(form) == ["Write PDF"]


@pytest.mark.slow
@pytest.mark.draws
def test_a_figure_is_drawn_once_for_the_same_figures_and_again_for_others(run_form, drawings):
    step(run_form, "Results")
    for name in ("cap", "steps", "cap"):
        enter(run_form, "Figure", name)
    assert drawings == ["cap", "steps"]  # the first one was there from before
    before = find(run_form, "Figure").value, run_form.panel("Results").figure.picture.value
    choose(run_form, village="target", trade="key")
    step(run_form, "Results")
    assert drawings == ["cap", "steps", "cap"]
    assert run_form.panel("Results").figure.picture.value != before[1]


@pytest.mark.draws
def test_what_was_drawn_before_a_change_is_marked_until_it_is_drawn_anew(run_form, drawings):
    step(run_form, "Results")
    results, seen = run_form.panel("Results"), []
    assert "<svg" in results.figure.picture.value

    def before():
        seen.append(("d-waits" in results.figure.picture._dom_classes, results.figure.said.value))

    drawings.before = before
    choose(run_form, village="target", trade="key")
    step(run_form, "Results")
    (marked, said), *_ = seen
    assert marked
    assert "The figure is being drawn. What is in sight is of before." in said
    assert "d-waits" not in results.figure.picture._dom_classes
    assert "being drawn" not in shown(run_form)


def test_figures_of_other_settings_are_marked_wherever_they_are(run_form):
    run_form.state.seconds = 100  # figures don't follow by themselves
    choose(run_form, village="target", trade="key")
    for name in ("Results", "Checks"):
        step(run_form, name)
        assert "The settings have changed since these figures were made." in shown(run_form)
    assert "d-old" in run_form.panel("Results").body._dom_classes
    assert "d-old" in run_form.panel("Checks").compared._dom_classes
    for _ in range(2):
        press(run_form, "Undo: ")
    assert "The settings have changed" not in shown(run_form)
    assert "d-old" not in run_form.panel("Checks").compared._dom_classes


def test_what_is_shown_of_the_report_goes_with_any_change(run_form):
    state = run_form.state
    changes = (lambda: state.statements.say(title="Another"), lambda: state.set_role("trade", "key"))
    for button in ("preview", "the Python lines"):
        for change in changes:
            step(run_form, "Report")
            press(run_form, f"Show {button}")
            find(run_form, f"Hide {button}")
            step(run_form, "Scenario")
            change()
            step(run_form, "Report")
            find(run_form, f"Show {button}")
            state.undo()


def test_what_is_of_all_targets_is_drawn_where_there_are_more_than_a_figure_shows():
    frame = pd.DataFrame({"key": [*"aabbcd"], **{f"target {n}": [n, n, 2, 3, 4, 5] for n in range(14)}})
    assessment = assess(frame, frame, keys="key")
    steps = [{"step": "remove replicated uniques"}]
    assessment = assessment.with_analysis(trade_off(frame, frame, assessment.settings, steps))
    assert "<svg" in results_step._drawn(assessment, "figure", "trade_off")


def test_whole_records_are_compared_once_for_the_same_files(small_files, monkeypatch):
    times = []
    real = copy_findings.in_disguise
    monkeypatch.setattr(copy_findings, "in_disguise", lambda *given: times.append(1) or real(*given))
    form = DisclosureForm(*small_files)
    choose(form, village="key")
    form.tasks.run()
    first = form.assessment
    form.state.change(max_denominator=3)
    form.tasks.run()
    assert form.assessment.settings != first.settings
    assert form.assessment.copies.equals(first.copies)
    assert len(times) == 1


def test_copies_are_told_as_soon_as_files_are_read():
    form = DisclosureForm(examples.path("original"), examples.path("leaky"))
    step(form, "Data")
    assert "1,534 of 5,000 synthetic records" in shown(form)
    assert "No warnings" not in shown(form)
    assert status(form, "Data") == "open: 1 warning to explain"
    assert "To decide here: 1 warning about the files" in shown(form)
    assert to_press_next(form) == []
    enter(form, "What explains the warnings", "The synthesiser was shown the answers.")
    assert status(form, "Data") == "done: 2 files, 1 warning"
    assert "To decide here" not in shown(form)
    assert to_press_next(form) == ["Go on to the scenario"]
