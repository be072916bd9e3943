"""What an approver asks next becomes part of an assessment, where it belongs to it, and of nothing else."""

import json
import typing

import pandas as pd
import pytest

from discoreport import Exclusion, Settings, assess, load, mitigate
from discoreport.assessment.analyses.held import Analyses
from discoreport.assessment.analyses.registry import ANALYSES
from discoreport.errors import DataError, RecordError, SettingsError
from tests.conftest import STEPS

NAMES = list(ANALYSES)


def run(name, files, settings, choices):
    return ANALYSES[name].run(files[0], list(files[1:]), settings, choices.get(name))


def test_every_analysis_of_the_record_is_in_the_registry():
    assert list(Analyses.model_fields) == NAMES
    assert all(one.name == name and one.question.endswith("?") for name, one in ANALYSES.items())


def test_every_option_is_described_and_has_the_default_of_the_library():
    for name, one in ANALYSES.items():
        for option, field in one.options.model_fields.items():
            described = field.description or next(
                (part.description for part in field.metadata if getattr(part, "description", None)), ""
            )
            assert described, (name, option)


def test_a_record_holds_every_analysis(analysed, tmp_path):
    assert [name for name, _ in analysed.analyses.filled()] == NAMES
    loaded = load(analysed.save(tmp_path / "a.json"))
    assert loaded == analysed
    assert loaded.record == analysed.record


def test_an_assessment_has_none_unless_asked(small, tmp_path):
    assert list(small.analyses.filled()) == []
    content = json.loads(small.record)
    del content["analyses"]  # as records were written before
    (tmp_path / "a.json").write_text(json.dumps(content))
    assert load(tmp_path / "a.json") == small


@pytest.mark.parametrize("name", NAMES)
def test_what_is_of_another_original_is_refused(small, small_files, found, choices, tmp_path, name):
    other = tmp_path / "other.csv"
    other.write_text(small_files[0].read_text().replace("Farrier", "Fletcher"))
    assessment = assess(other, small_files[1], keys=["village"], two_way_threshold=(1, 50))
    with pytest.raises(SettingsError, match=f"{name}: made with another original file"):
        assessment.with_analysis(found[name])


@pytest.mark.parametrize("name", NAMES)
def test_what_is_of_another_synthetic_file_is_refused(small, small_files, found, tmp_path, name):
    other = tmp_path / "other.csv"
    other.write_text(small_files[1].read_text() + "Achterbach,Farmer\n")
    assessment = assess(small_files[0], other, keys=["village"], two_way_threshold=(1, 50))
    with pytest.raises(SettingsError, match=f"{name}: made with other synthetic files"):
        assessment.with_analysis(found[name])


OTHERWISE = {
    "keys": {"keys": ["trade"], "targets": ["village"]},
    "targets": {"keys": ["village"], "targets": []},
    "special_codes": {"keys": ["village"], "special_codes": {"trade": ["Farmer"]}},
    "key_missing or target_missing": {"keys": ["village"], "key_missing": "exclude"},
    "exclude": {"keys": ["village"], "exclude": [Exclusion(target="trade", level="Farmer")]},
    "max_denominator": {"keys": ["village"], "max_denominator": 9},
}


@pytest.mark.parametrize("name", [name for name in NAMES if name != "four_checks"])
@pytest.mark.parametrize("setting", OTHERWISE)
def test_what_was_asked_otherwise_is_refused(small_files, found, name, setting):
    assessment = assess(*small_files, **OTHERWISE[setting])
    with pytest.raises(SettingsError, match=rf"{name}: made with other settings than the assessment \({setting}\)"):
        assessment.with_analysis(found[name])


def test_other_groups_are_refused():
    frame = pd.DataFrame({"age": range(40), "ill": ["y", "n"] * 20})
    found = ANALYSES["groups"].run(frame, [frame], Settings(keys=["age"], numeric_groups={"age": 4}))
    assert assess(frame, frame, keys="age", numeric_groups={"age": 4}).with_analysis(found).analyses.groups == found
    with pytest.raises(SettingsError, match="numeric_groups"):
        assess(frame, frame, keys="age", numeric_groups={"age": 5}).with_analysis(found)


def test_fewer_targets_and_further_candidates_belong():
    frame = pd.DataFrame({"age": range(40), "sex": ["f", "m"] * 20, "ill": ["y", "n"] * 20, "rich": ["y"] * 40})
    assessment = assess(frame, frame, keys="age")
    found = ANALYSES["sensitivity"].run(frame, [frame], assessment.settings, {"candidates": ["sex"]})
    assert found.targets == ("ill", "rich")
    assert found.candidates == ("age", "sex")
    assert assessment.with_analysis(found).analyses.sensitivity == found


def test_an_analysis_takes_the_place_of_an_earlier_one(small, small_files, found):
    again = ANALYSES["groups"].run(small_files[0], small_files[1:], small.settings, {"by": ["trade"]})
    both = small.with_analysis(found["groups"]).with_analysis(again)
    assert both.analyses == Analyses(groups=again)


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_steps_that_led_to_the_assessed_file_belong_to_it(small_files, small, tmp_path):
    mitigated = mitigate(*small_files, small.settings, [*STEPS, {"step": "add variable"}])
    path = mitigated.write(tmp_path / "released.csv")
    assessment = assess(small_files[0], path, keys=["village"])
    with pytest.raises(SettingsError, match="mitigation: made with other synthetic files"):
        assessment.with_analysis(mitigated.mitigation)
    known = assessment.with_analysis(mitigated.mitigation.with_result(path)).analyses.mitigation
    assert known.led_to(assessment.synthetic[0])
    assert not known.led_to(small.synthetic[0])
    with pytest.raises(DataError, match="57 records and 2 variables; the steps left"):
        mitigated.mitigation.with_result(small_files[1])


def test_another_run_begins_without_the_analyses_of_the_one_before(analysed, small, small_files):
    again = assess(*small_files, keys=["village"]).following(analysed)
    assert again.documentation.history
    assert again.analyses == Analyses()
    assert analysed.following(small).analyses == analysed.analyses


def test_some_targets_have_their_part_of_the_analyses():
    frame = pd.DataFrame({"age": range(40), "ill": ["y", "n"] * 20, "rich": ["y"] * 40})
    settings = Settings(keys=["age"], targets=["ill", "rich"])
    assessment = assess(frame, frame, keys="age")
    whole = {
        "control": {"control": frame[::2]},
        "releases": {"releases": {"other": frame}},
        "mitigation": {"steps": [{"step": "add variable"}]},
    }
    for name in ("sensitivity", "control", "uncertainty", "groups", "releases", "mitigation"):
        assessment = assessment.with_analysis(ANALYSES[name].run(frame, [frame], settings, whole.get(name)))
    part = assessment.for_targets(["rich"])
    for name, result in part.analyses.filled():
        assert result.settings.targets == ("rich",), name
        assert {one.target for one in result.entries} == {"rich"}, name
    assert part.analyses.sensitivity.targets == ("rich",)


def test_figures_with_exclusions_are_not_those_without(small_files, choices):
    rules = [Exclusion(target="trade", level="Farmer")]
    assessment = assess(*small_files, keys=["village"], exclude=rules)
    assessment = assessment.with_analysis(run("groups", small_files, assessment.settings, choices))
    assert assessment.analyses.groups
    assert assessment.without_exclusions().analyses == Analyses()


@pytest.mark.parametrize("name", NAMES)
def test_a_result_of_another_assessment_spoils_a_record(analysed, tmp_path, name):
    content = json.loads(analysed.record)
    content["analyses"][name]["original"]["sha256"] = "0" * 64
    (tmp_path / "a.json").write_text(json.dumps(content))
    with pytest.raises(RecordError, match=rf"analyses\.{name} don't fit the rest"):
        load(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("sensitivity", lambda one: one["figures"][0]["values"].pop()),
        ("sensitivity", lambda one: one["figures"][0].update(target="other")),
        ("control", lambda one: one["excesses"][0].update(original=float("nan"))),
        ("groups", lambda one: one["groups"][0].update(target="other")),
        ("uncertainty", lambda one: one["intervals"][0].update(low=float("inf"))),
    ],
)
def test_a_record_with_a_spoilt_analysis_is_refused(analysed, tmp_path, name, change):
    content = json.loads(analysed.record)
    change(content["analyses"][name])
    (tmp_path / "a.json").write_text(json.dumps(content))
    with pytest.raises(RecordError, match=f"analyses.{name}"):
        load(tmp_path / "a.json")


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_an_analysis_can_be_run_again_with_what_its_result_tells(analysed, small_files, found, choices):
    for name, analysis in ANALYSES.items():
        options = analysis.options_of(found[name], analysed)
        lacking = {"control": ["control"], "releases": ["releases"]}.get(name, [])
        assert analysis.lacking(options) == lacking
        options |= {option: choices[name][option] for option in lacking}
        assert analysis.run(small_files[0], small_files[1:], analysed.settings, options) == found[name]


def test_an_unknown_option_is_refused_with_the_nearest_name(small_files, small):
    with pytest.raises(SettingsError, match="Did you mean 'candidates'"):
        ANALYSES["sensitivity"].run(small_files[0], small_files[1:], small.settings, {"candidate": ["trade"]})
    with pytest.raises(SettingsError, match="there is no synthetic file 2"):
        ANALYSES["trade_off"].run(*small_files[:1], small_files[1:], small.settings, {"steps": STEPS, "synthesis": 2})


def test_results_are_told_apart_by_their_type(found):
    kinds = [typing.get_args(field.annotation)[0] for field in Analyses.model_fields.values()]
    assert [type(result) for result in found.values()] == kinds
