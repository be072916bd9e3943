"""The record: what people say of a release, the policy, earlier and later versions."""

import functools
import json
import os
import re
import sys
from dataclasses import replace
from datetime import date, timedelta
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import pytest

from discoreport import (
    Assessment,
    ComparisonWarning,
    Documentation,
    Report,
    Settings,
    assess,
    examples,
    load,
    read_documentation,
    read_policy,
    release_size,
    uncertainty,
)
from discoreport.assessment.counts_behind_percentages import share
from discoreport.assessment.signed_content import LEFT_OUT, state_of
from discoreport.errors import RecordError, SettingsError
from discoreport.measures import MEASURES
from tests.commands import stops
from tests.engines import Engine
from tests.pages import InternalEdition, example
from tests.policies import under
from tests.records import (
    SCHEMA_VERSION,
    Answer,
    Decision,
    Finding,
    Release,
    analyses,
    documentation_file,
    figures,
    is_public,
    parse,
    write_documentation,
)

RECORDS = Path(__file__).parent / "records"
PYDANTIC = tuple(map(int, version("pydantic").split(".")[:2]))


# Versions ------------------------------------------------------------------------------------------------


def decided(assessment, **values):
    documentation = assessment.documentation.model_copy(update={"decision": Decision.model_validate(values)})
    return [(one.what, one.detail) for one in assessment.with_documentation(documentation).open_items]


def test_dates_that_cannot_be_are_said_in_words(small):
    made = small.provenance.created.date()
    before, later = (str(made + timedelta(days=days)) for days in (-3, 3))
    told = decided(small, decision="approve", date=before, review_by=later)
    assert ("Decision dated before the figures", f"It is dated {before}; they were made on {made}.") in told
    told = decided(small, decision="approve", date=later, review_by=before)
    assert ("Review before the decision", f"The decision is dated {later}, the review {before}.") in told
    told = decided(small, decision="approve", date=before, figures_of=before)  # made again after the decision
    assert "Decision dated before the figures" not in [what for what, _ in told]


def test_one_name_that_signs_twice_is_said(small):
    signatures = [{"role": "preparer", "name": "A. Officer"}, {"role": "custodian", "name": "officer, a"}]
    told = decided(small, sign_offs=signatures)
    detail = "It counts once: A. Officer (preparer), officer, a (custodian)."
    assert ("One name has signed twice", detail) in told
    assert "One name has signed twice" not in [what for what, _ in decided(small, sign_offs=signatures[:1])]


def test_nobody_can_say_themselves_what_a_signature_is_on(tmp_path):
    (tmp_path / "said.toml").write_text('[[decision.sign_offs]]\nname = "A"\nstate = "0123"\n')
    with pytest.raises(SettingsError, match="state is kept by the program"):
        read_documentation(tmp_path / "said.toml")


def test_a_file_says_by_its_fingerprint_what_a_signature_is_on(small, tmp_path):
    path = tmp_path / "said.toml"
    sign = '[decision]\ndecision = "approve"\n{}[[decision.sign_offs]]\nname = "B"\n{}'

    def told(of_decision, of_signature):
        path.write_text(sign.format(of_decision, of_signature))
        words = small.documentation.model_copy(update={"decision": Decision()})
        return small.with_documentation(read_documentation(path, onto=words))

    unsaid = "Signed, for which figures isn't said"
    it_is, other = f'for = "{small.state[:16]}"\n', f'for = "{"0" * 64}"\n'
    assert unsaid in whats(told("", it_is))
    assert [one.name for one in told(it_is, "").signed_for_unknown] == ["B"]
    assert unsaid not in whats(told(it_is, it_is))
    assert "before the last change" not in whats(told(it_is, it_is))
    assert "Signed before the last change" in whats(told(it_is, other))
    assert "Decided before the last change" in whats(told(other, it_is))
    page = Report(told(it_is, "")).html
    assert "for which figures isn't said" in page
    assert small.state[:16] in page
    again = write_documentation(tmp_path / "again.toml", told(it_is, it_is))
    assert read_documentation(again).decision.sign_offs[0].state == small.state[:16]
    for wrong in ("'soon'", "7", "'abc'"):
        path.write_text(f"[decision]\nfor = {wrong}\n")
        with pytest.raises(SettingsError, match="for must be the fingerprint that the report gives"):
            read_documentation(path)


def test_a_file_changes_nothing_of_what_an_earlier_signature_was_on(small):
    signed = {"name": "B", "role": "checker", "date": "2026-11-20", "state": "0" * 64}
    said = {"decision": "approve", "state": "1" * 64, "figures_of": "2026-11-20", "sign_offs": [signed]}
    before = Documentation.model_validate({"decision": said})
    repeated = {name: value for name, value in signed.items() if name != "state"}
    file = {"decision": {"decision": "approve", "sign_offs": [repeated, {**repeated, "name": "C"}]}}
    after = documentation_file.added(before, Documentation.model_validate(file)).decision
    assert [one.state for one in after.sign_offs] == ["0" * 64, ""]
    assert after.state == "1" * 64
    rejected = documentation_file.added(before, Documentation.model_validate({"decision": {"decision": "reject"}}))
    assert (rejected.decision.state, rejected.decision.figures_of) == ("", None)


def test_a_record_of_every_earlier_version_still_loads():
    known = sorted(RECORDS.glob("version_*.json"))
    assert len(known) == SCHEMA_VERSION - 1
    for path in known:
        loaded = load(path)
        assert loaded.schema_version == SCHEMA_VERSION
        assert loaded.value("DiSCO", "marital") > 0
        assert "marital" in Report(loaded).html


@pytest.fixture
def later_measure(monkeypatch):
    """A measure that a later version has, and records of this one lack."""

    def enter(**facts):
        later = replace(MEASURES["DiS"], name="later", weighed=True, **{"may_be_lacking": True, **facts})
        monkeypatch.setitem(MEASURES, "later", later)

    enter()
    example.cache_clear()
    yield enter
    example.cache_clear()


def test_a_measure_that_an_earlier_record_lacks_is_not_measured_there(
    small, found, small_files, choices, tmp_path, later_measure
):
    with_values = "release_size", "releases", "uncertainty", "mitigation"
    earlier = functools.reduce(lambda assessment, name: assessment.with_analysis(found[name]), with_values, small)
    loaded = load(earlier.save(tmp_path / "a.json"))
    assert loaded == earlier
    assert loaded.not_measured == ("later",)
    assert loaded.attribute["later"].isna().all()
    assert loaded.value("later", "trade") is None
    assert share(loaded, loaded.outcome.results[0], "later").words["value"] == "n/a"
    assert "did not measure later." in Report(load(small.save(tmp_path / "b.json"))).html
    governed = under(loaded, ("later", 5))
    told = ["later of trade: it was not measured, so it can't be compared with 5 %."]
    assert stops(governed, ["thresholds"]) == {"thresholds": told}

    found = loaded.analyses
    assert "later" not in found.release_size.measures
    assert "later" not in {*found.releases.measures, *found.uncertainty.table["measure"]}
    assert loaded.with_analysis(release_size(*small_files, loaded.settings, draws=1)).value("later", "trade") is None

    files, given = (small_files[0], small_files[1:]), {"releases": choices["releases"]}
    checks = [*figures(loaded, *files, Engine()), *analyses(loaded, *files, given)]
    assert "fails" not in {one.outcome for one in checks}
    told = {one.what for one in checks if one.detail.endswith("without all that is counted now: later.")}
    assert told == {"figures", *(f"analysis {name}" for name in with_values)}


def test_a_measure_that_every_version_has_must_be_in_the_record(analysed, tmp_path, later_measure):
    path = analysed.save(tmp_path / "a.json")
    later_measure(may_be_lacking=False)
    with pytest.raises(RecordError, match="not every measure"):
        load(path)
    small = analysed.model_copy(update={"analyses": type(analysed.analyses)()})
    with pytest.raises(RecordError, match="measures don't fit the rest"):
        load(small.save(tmp_path / "b.json"))


def test_an_assessment_of_today_has_the_later_measure(small_files, tmp_path, later_measure):
    path = assess(*small_files, keys=["village"]).save(tmp_path / "a.json")
    assert load(path).not_measured == ()
    assert load(path).value("later", "trade") == load(path).value("DiS", "trade")


def test_a_kind_of_interval_that_nobody_knows_is_refused(small_files, later_measure):
    later_measure(depends="the weather")
    with pytest.raises(KeyError, match="the weather"):
        uncertainty(*small_files, Settings(keys=["village"], targets=["trade"]))


def test_a_share_of_what_nobody_can_count_is_refused(small, later_measure):
    later_measure(of=replace(MEASURES["DiS"].of, records="cells", count=MEASURES["DiS"].count))
    with pytest.raises(KeyError, match="cells"):
        share(small, small.outcome.results[0], "later")


def test_a_record_of_a_newer_version_is_refused(small, tmp_path):
    path = small.save(tmp_path / "a.json")
    path.write_text(path.read_text().replace(f'"schema_version": {SCHEMA_VERSION}', '"schema_version": 99'))
    with pytest.raises(RecordError, match="schema version 99; this discoreport reads up to"):
        load(path)


def test_a_record_of_files_that_nobody_could_read_so_is_refused(small_files, tmp_path):
    path = assess(*small_files, keys="village").save(tmp_path / "a.json")
    content = json.loads(path.read_text())
    content["synthetic"][0]["read_as"] = {"delimiter": ";;"}
    path.write_text(json.dumps(content))
    with pytest.raises(RecordError, match=r"synthetic.0: .*delimiter can't be ';;'"):
        load(path)


def test_the_record_of_an_external_edition_is_refused(small, tmp_path):
    path = tmp_path / "release.json"
    path.write_bytes(Report(small, edition="external").record)
    with pytest.raises(RecordError, match="external edition"):
        load(path)


def test_a_folder_stands_for_the_record_in_it(small, tmp_path):
    with pytest.raises(RecordError, match=r"holds no record \(assessment.json or release.json\)"):
        load(tmp_path)
    (tmp_path / "release.json").write_bytes(Report(small, edition="external").record)
    with pytest.raises(RecordError, match="external edition"):
        load(tmp_path)
    small.save(tmp_path / "assessment.json")
    assert load(tmp_path) == load(str(tmp_path)) == small


@pytest.mark.skipif(PYDANTIC < (2, 14), reason="earlier ones write the same schema in fewer words")
def test_the_schema_is_exported():
    path = Path(__file__).parents[2] / "discoreport" / "assessment" / "assessment.schema.json"
    schema = Assessment.model_json_schema()
    assert json.loads(path.read_text()) == schema, f"{path}: write json.dumps(Assessment.model_json_schema(), indent=1)"


def test_the_record_holds_all_that_a_report_prints(documented, tmp_path):
    loaded = load(documented.save(tmp_path / "a.json"))
    assert loaded == documented
    assert loaded.fingerprint == documented.fingerprint
    assert Report(loaded).html == Report(documented).html


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are text")
def test_a_file_whose_name_is_no_text_has_a_record(small_files, tmp_path):
    path = tmp_path / os.fsdecode(b"na\xefve.csv")
    path.write_bytes(small_files[0].read_bytes())
    assert (
        load(assess(path, small_files[1], keys="village").save(tmp_path / "a.json")).original.name == "na\ufffdve.csv"
    )


@pytest.mark.parametrize(
    "content", ['{"schema_version": []}', "[" * 100_000, '{"schema_version": {"a": 1}}', '{"schema_version": true}']
)
def test_what_is_no_record_is_said_to_be_none(tmp_path, content):
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(RecordError, match="isn't a"):
        load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record.update(synthetic=[]),
        lambda record: record["original"].update(n_records=0),
        lambda record: record["outcome"]["results"][0].update(synthesis=9),
        lambda record: record["outcome"]["results"][0].update(target="other"),
        lambda record: record["outcome"]["results"][0]["values"].pop("DiSCO"),
        lambda record: record["outcome"]["results"][0]["values"].update(DiSCO=float("nan")),
        lambda record: record["outcome"]["identity"].clear(),
        lambda record: record["variables"][0].update(role="other"),
        lambda record: record["findings"][0].update(synthesis=9),
    ],
)
def test_a_record_whose_parts_do_not_fit_is_refused(small, tmp_path, change):
    record = json.loads(small.record)
    change(record)
    (tmp_path / "a.json").write_text(json.dumps(record))
    with pytest.raises(RecordError, match="don't fit the rest"):
        load(tmp_path / "a.json")


# Documentation -------------------------------------------------------------------------------------------


def test_the_file_to_fill_in_asks_for_everything_and_reads_back(survey, tmp_path):
    path = write_documentation(tmp_path / "approval.toml", survey)
    said = read_documentation(path)
    text = path.read_text()
    for name, field in Documentation.model_fields.items():
        assert name == "history" or name in text or field.default == ()
    assert {answer.case for answer in said.answers} == {flag.case for flag in survey.outcome.flags}
    assert [entry.item for entry in said.checklist] == [item.item for item in survey.policy.checklist]
    assert survey.with_documentation(said).unanswered == survey.unanswered  # blank answers answer nothing
    with pytest.raises(OSError, match="exists"):
        write_documentation(path, survey)


def test_what_was_said_before_is_in_the_file_to_fill_in(documented, tmp_path):
    said = read_documentation(write_documentation(tmp_path / "approval.toml", documented))
    old = documented.documentation
    assert said.request == old.request
    assert said.scenario == old.scenario
    assert said.answers[: len(old.answers)] == old.answers
    assert said.checklist[: len(old.checklist)] == old.checklist


def test_an_answer_to_a_level_comes_back_from_record_and_file(survey, tmp_path):
    said = {"target": "worked_abroad", "level": "No", "prior_knowledge": True, "reason": "nine in ten"}
    loaded = load(answered(survey, **said).save(tmp_path / "a.json"))
    again = read_documentation(write_documentation(tmp_path / "approval.toml", loaded))
    assert again.answers[0] == loaded.documentation.answers[0]


@pytest.mark.parametrize("name", [" spaced ", "a.b", "q\"uo'te", "new\nline", "", "\u2028\x07"])
def test_reasons_keep_the_names_of_variables_as_they_are(name, tmp_path):
    frame = pd.DataFrame({name: ["a"] * 60 + [" a "] * 3, "b": ["x\n"] * 60 + [""] * 3})
    assessment = assess(frame, frame, keys=[name], two_way_threshold=(1, 50))
    said = assessment.with_documentation(Documentation.model_validate({"scenario": {"keys": {name: "why"}}}))
    again = read_documentation(write_documentation(tmp_path / "approval.toml", load(said.save(tmp_path / "a.json"))))
    assert said.with_documentation(again).documentation.scenario.keys == {name: "why"}
    assert {answer.case for answer in again.answers} == {flag.case for flag in said.outcome.flags}


def test_a_file_adds_to_what_was_said(documented, tmp_path):
    path = tmp_path / "more.toml"
    path.write_text('version = "1.0"\n[decision]\ndecision = "approve"\ndate = 2026-11-30\n')
    said = read_documentation(path, onto=documented.documentation)
    assert said.version == "1.0"
    assert said.decision.date == date(2026, 11, 30)
    assert said.decision.sign_offs == documented.documentation.decision.sign_offs
    assert said.request == documented.documentation.request


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[request]\nporpose = 'x'\n", "request.porpose: no such name. Did you mean 'purpose'?"),
        ("tittle = 'x'\n", "tittle: no such name. Did you mean 'title'?"),
        ("[decision]\ndecision = 'yes'\n", "decision.decision: no such choice"),
        ("[decision]\ndate = 'soon'\n", "decision.date"),
        ("[[decision.sign_offs]]\nrole = 'boss'\n", "decision.sign_offs.0.role"),
        ("[[answers]]\ntarget = 'marital'\nlevel = 'x'\nkey = 'age'\n", "answers.0: a rule with a key needs"),
        ("history = []\n", "history: is kept by the program"),
        ("= 1\n", "isn't a TOML file"),
        ("a = " + "[" * 20_000, "isn't a TOML file"),
        ('"a\\nb" = 1\n', "no such name"),
    ],
)
def test_a_wrong_file_says_where_and_what(tmp_path, content, said):
    path = tmp_path / "approval.toml"
    path.write_text(content)
    with pytest.raises(SettingsError) as raised:
        read_documentation(path)
    assert said in str(raised.value)
    assert "approval.toml" in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "said",
    [
        {"answers": [{"target": "martial", "level": "Single"}]},
        {"answers": [{"target": "marital", "level": "Single", "key": "agge", "key_level": "16"}]},
        {"scenario": {"keys": {"agge": "why"}}},
        {"scenario": {"targets": {"martial": "why"}}},
        {"checklist": [{"item": "identifier", "answer": "yes"}]},
    ],
)
def test_unknown_names_are_refused_with_the_nearest(survey, said):
    with pytest.raises(SettingsError, match="Did you mean"):
        survey.with_documentation(Documentation.model_validate(said))


def test_every_field_says_what_it_is_and_who_may_see_it():
    public = set()

    def walk(model, place):
        for name, field in model.model_fields.items():
            assert field.title, (model, name)
            inner = field.annotation if isinstance(field.annotation, type) else None
            if inner is not None and hasattr(inner, "model_fields"):
                walk(inner, f"{place}{name}.")
            elif is_public(field):
                public.add(place + name)

    walk(Documentation, "")
    assert public == {
        "id", "title", "version", "status",
        "request.project", "request.requester", "request.custodian", "request.dataset", "request.purpose",
        "request.users", "request.clearance",
        "context.access", "context.summary",
        "source.unit", "source.collection", "source.period", "source.identifiers",
        "synthesis.software", "synthesis.method", "synthesis.processing", "synthesis.privacy_budget",
        "labelling.file_name", "labelling.variable", "labelling.note", "labelling.words",
        "uses.suitable", "uses.unsuitable",
        "decision.decision", "decision.date", "decision.conditions",
    }  # fmt: skip


# Flags and answers ---------------------------------------------------------------------------------------


def answered(assessment, **answer):
    return assessment.with_documentation(Documentation(answers=(Answer(**answer),)))


def test_a_flag_is_answered_by_yes_or_no_and_a_reason(survey):
    flag = next(flag for flag in survey.outcome.two_way if flag.target == "marital")
    case = dict(zip(("target", "level", "key", "key_level"), flag.case, strict=True))
    assert flag in survey.unanswered
    assert flag in answered(survey, **case).unanswered
    assert flag in answered(survey, **case, prior_knowledge=True).unanswered
    assert flag in answered(survey, **case, prior_knowledge=True, reason=" ").unanswered
    assert flag not in answered(survey, **case, prior_knowledge=True, reason="the law").unanswered
    assert flag not in answered(survey, **case, prior_knowledge=False, reason="news to me").unanswered


def test_what_everybody_knows_of_everybody_covers_the_pairs_of_the_level(survey):
    pairs = [flag for flag in survey.unanswered if flag.target == "worked_abroad" and flag.case[2]]
    assert len(pairs) == 27
    of_level = {"target": "worked_abroad", "level": "No", "reason": "nine in ten"}
    known, news = (answered(survey, **of_level, prior_knowledge=is_known) for is_known in (True, False))
    assert not [flag for flag in known.unanswered if flag.target == "worked_abroad"]
    assert [flag for flag in news.unanswered if flag.target == "worked_abroad"] == pairs


def test_an_answer_to_no_flag_is_said_to_be_one(survey):
    stray = answered(survey, target="marital", level="Sngle", prior_knowledge=True, reason="typing error")
    assert [answer.level for answer in stray.stray_answers] == ["Sngle"]
    assert any("1 answer to no flag" in item.what for item in stray.open_items)


@pytest.mark.parametrize(
    "said",
    [
        {"checklist": [{"item": "keys", "answer": "no"}, {"item": "keys", "answer": "yes"}]},
        {"answers": [{"target": "marital", "level": "Single", "reason": reason} for reason in "ab"]},
    ],
)
def test_nothing_is_answered_twice(survey, said):
    with pytest.raises(SettingsError, match="answered twice"):
        survey.with_documentation(Documentation.model_validate(said))


# What is open --------------------------------------------------------------------------------------------


def whats(assessment):
    return " | ".join(item.what for item in assessment.open_items)


def test_open_things_are_open_until_somebody_has_done_them(survey_of_three):
    plain = whats(survey_of_three)
    for said in ("flags not answered", "1 exclusion not documented", "of the checklist", "No decision", "Sign-off"):
        assert said in plain
    names = ("target", "level", "key", "key_level")
    flags = [
        {name: part for name, part in zip(names, flag.case, strict=True) if name[:3] != "key" or flag.case[2]}
        for flag in survey_of_three.outcome.flags
    ]
    flags = [{**flag, "prior_knowledge": True, "reason": "r"} for flag in flags]
    sign = {"date": str(survey_of_three.provenance.created.date()), "decision": "approve"}
    people = [("preparer", "A"), ("checker", "B"), ("checker", "C"), ("custodian", "D")]
    full = {
        "status": "decided",
        "answers": flags,
        "checklist": [
            {"item": item.item, "answer": "n.a." if item.item == "exclusions" else "yes"}
            for item in survey_of_three.policy.checklist
        ],
        "decision": {
            "decision": "approve",
            "sign_offs": [{"role": role, "name": name, **sign} for role, name in people],
        },
        "request": {"purpose": "x"}, "context": {"access": "open"}, "source": {"unit": "person"},
        "synthesis": {"method": "x"}, "labelling": {"note": "yes"}, "scenario": {
            "keys": dict.fromkeys(survey_of_three.settings.keys, "x"),
            "targets": dict.fromkeys(survey_of_three.targets, "x"),
        },
        "uses": {"suitable": "x"}, "after_release": {"contact": "x"},
    }  # fmt: skip
    whole = survey_of_three.with_documentation(Documentation.model_validate(full))
    assert whats(whole) == "1 exclusion not documented | Signed, for which figures isn't said | Not checked"

    def with_people(people):
        decision = {**full["decision"], "sign_offs": [{"role": role, "name": name, **sign} for role, name in people]}
        return whats(survey_of_three.with_documentation(Documentation.model_validate({**full, "decision": decision})))

    assert "Sign-off" in with_people([("preparer", "A"), ("checker", "B"), ("checker", "b"), ("custodian", "D")])
    assert "Sign-off" in with_people([("preparer", "A"), ("checker", "B"), ("checker", "a"), ("custodian", "D")])
    for name in ("A. Officer", "officer  a", "\N{FULLWIDTH LATIN CAPITAL LETTER A}.Officer"):
        people = [("preparer", "A Officer"), ("checker", "B"), ("checker", name), ("custodian", "D")]
        assert "Sign-off" in with_people(people)
    unexplained = {**full, "scenario": {"keys": {"sex": "x"}}}
    assert "10 variables without a reason" in whats(
        survey_of_three.with_documentation(Documentation.model_validate(unexplained))
    )
    refused = {**full, "decision": {**full["decision"], "decision": "reject"}}
    assert "Not of one mind" in whats(survey_of_three.with_documentation(Documentation.model_validate(refused)))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("settings", "name"),
    [({"max_denominator": 5}, "max_denominator"), ({"key_missing": "exclude"}, "key_missing"),
     ({"target_missing": "exclude"}, "target_missing")],
)  # fmt: skip
def test_records_that_a_setting_leaves_out_need_a_reason(settings, name):
    frame = pd.DataFrame({"a": ["x", None, *"yyyyyy"], "b": [None, "u", *"vvvvvv"]})
    found = assess(frame, frame, keys="a", targets="b", **settings)
    (item,) = [one for one in found.open_items if one.what == "Records left out without a reason"]
    assert item.detail == f"Why don't they count? Settings: {name}."
    assert "Records left out without a reason" in Report(found).html.split('id="request"')[0]
    said = found.with_documentation(Documentation.model_validate({"scenario": {"left_out": "not asked of them"}}))
    assert "Records left out without a reason" not in whats(said)
    assert "not asked of them" in Report(said).html
    assert "left out" not in whats(assess(frame, frame, keys="a", targets="b"))


def test_warnings_are_open_until_they_are_explained():
    with pytest.warns(ComparisonWarning):
        poor = assess(examples.read("original"), examples.read("original").replace({"sex": {"Male": "M"}}), keys="sex")
    assert "warning" in whats(poor)
    explained = poor.with_documentation(Documentation.model_validate({"comparability": {"remarks": "coded anew"}}))
    assert "warning" not in whats(explained)
    assert "coded anew" in Report(explained).html


# Runs ----------------------------------------------------------------------------------------------------


def test_a_run_follows_another(documented):
    again = assess(
        examples.path("original"),
        examples.path("synthetic_1"),
        keys=["sex", "age"],
        targets=["marital", "education"],
        exclude=[{"target": "marital", "level": "Single", "key": "age", "key_level": "16", "reason": "r", "by": "b"}],
    ).following(documented)
    said, before = again.documentation, documented.documentation
    assert again.policy == documented.policy
    assert said.request == before.request
    assert set(said.scenario.keys) == {"sex", "age"}
    assert set(said.scenario.targets) == {"marital", "education"}
    assert {answer.target for answer in said.answers} == {"marital"}
    (run,) = said.history
    assert run.record == documented.fingerprint
    assert run.settings == documented.settings
    assert (run.target, run.repU) == ("worked_abroad", documented.value("repU"))
    assert run.record[:16] in Report(again).html
    assert not again.stray_answers  # what it answered is excluded now
    assert len(again.following(again).documentation.history) == 2


def test_decision_and_signatures_stay_with_the_run_that_they_are_on(small, small_files):
    signed = {"role": "custodian", "name": "D", "date": "2026-11-20", "decision": "approve"}
    decision = {"decision": "approve", "date": "2026-11-20", "sign_offs": [signed]}
    said = {"status": "decided", "decision": decision, "scenario": {"rejected": {"village": "not known then"}}}
    decided = small.with_documentation(Documentation.model_validate(said))
    again = assess(*small_files, keys=["village"]).following(decided)
    assert again.documentation.decision == Documentation().decision
    assert again.documentation.status == "draft"
    assert not again.documentation.scenario.rejected  # it is a key now
    assert "No decision" in whats(again)


# Policy --------------------------------------------------------------------------------------------------


def test_a_policy_file_keeps_what_it_does_not_name(small, tmp_path):
    path = tmp_path / "policy.toml"
    path.write_text('organisation = "Office"\n[[thresholds]]\nmeasure = "repU"\nlimit = 5\nsource = "rule 1"\n')
    policy = read_policy(path)
    assert policy.organisation == "Office"
    assert policy.thresholds[0].limit == 5
    assert policy.checklist == small.policy.checklist
    assert len(policy.checklist) >= 20
    assert policy.small_cell_limit == 10


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("organization = 'x'", "Did you mean 'organisation'?"),
        ("[[thresholds]]\nmeasure = 'DisCO'\nlimit = 5\nsource = 'x'", "Did you mean 'DiSCO'?"),
        ("[[thresholds]]\nmeasure = 'baseCAPd'\nlimit = 5\nsource = 'x'", "no measure 'baseCAPd' that a threshold"),
        ("[[thresholds]]\nmeasure = 'DiSCO'\nlimit = 101\nsource = 'x'", "thresholds.0.limit"),
        ("[[thresholds]]\nmeasure = 'DiSCO'\nlimit = 5", "thresholds.0.source"),
        ("small_cell_limit = -1", "small_cell_limit"),
        ("[[checklist]]\nitem = 'a'\ntext = 'A'\n[[checklist]]\nitem = 'a'\ntext = 'B'", "two items"),
        ("logo = 'https://example.org/logo.png'", "logo"),
        ("logo = '../logo.png'", "must lie beside the policy or below it"),
        ("logo = '/etc/hostname'", "must lie beside the policy or below it"),
        ("logo = 'notes.txt'", "must be a PNG, JPEG or SVG"),
        ("logo = 'fake.png'", "isn't what its name says"),
        ("templates = '..'", "must lie beside the policy or below it"),
        ("templates = 'nowhere'", "there is no folder"),
        ("templates = '" + "a" * 5000 + "'", "templates can't be a path"),
        ('logo = "a\\u0000.png"', "logo can't be a path"),
        ("logo = 'ring.png'", "logo "),
    ],
)
def test_a_wrong_policy_says_what_would_do(tmp_path, content, said):
    (tmp_path / "fake.png").write_bytes(b"<svg>")
    (tmp_path / "ring.png").symlink_to("ring.png")
    (tmp_path / "policy.toml").write_text(content)
    with pytest.raises(SettingsError) as raised:
        read_policy(tmp_path / "policy.toml")
    assert said in str(raised.value)


def test_a_logo_may_not_be_a_link_that_leads_out(tmp_path):
    (tmp_path / "office").mkdir()
    (tmp_path / "secret.svg").write_text("<svg/>")
    (tmp_path / "office" / "logo.svg").symlink_to(tmp_path / "secret.svg")
    (tmp_path / "office" / "policy.toml").write_text('logo = "logo.svg"')
    with pytest.raises(SettingsError, match="must lie beside the policy or below it"):
        read_policy(tmp_path / "office" / "policy.toml")


@pytest.mark.slow
def test_thresholds_compare_and_decide_nothing(documented, survey_of_three, tmp_path):
    html = Report(documented).html
    assert "Above the organisation's thresholds" in html
    assert "Release policy 2.1, section 4" in html
    path = tmp_path / "policy.toml"
    path.write_text('[[thresholds]]\nmeasure = "DiSCO"\nlimit = 100\nsource = "rule"\n')
    assert "No figure is above the organisation" in Report(survey_of_three.with_policy(read_policy(path))).html
    said = re.sub(r"<(head|svg).*?</\1>", "", html, flags=re.DOTALL).casefold()
    for word in ("safe", "anonymous", "no risk"):
        assert word not in said


def test_one_file_above_a_threshold_is_enough(survey_of_three):
    governed = under(survey_of_three, ("DiSCO", 1))
    first, *others = governed.outcome.results
    for limit, above in ((1, True), (100, None)):
        missing = first.model_copy(update={"values": {**first.values, "DiSCO": None}})
        outcome = governed.outcome.model_copy(update={"results": (missing, *others)})
        report = InternalEdition(under(governed, ("DiSCO", limit)).model_copy(update={"outcome": outcome}))
        assert next(row.above for row in report.compared if row.place == first.target) is above


# Release size --------------------------------------------------------------------------------------------


def test_other_sizes_of_the_release_go_into_record_and_report(small, small_files, tmp_path):
    found = release_size(*small_files, small.settings, sizes=[20, 57], draws=2)
    loaded = load(small.with_analysis(found).save(tmp_path / "a.json"))
    assert loaded.analyses.release_size == found
    assert "only some of the synthetic records are released" in Report(loaded).html
    assert "only some of the synthetic records are released" not in Report(small).html


def of_version_2(**changes):
    return {**json.loads((RECORDS / "version_2.json").read_text()), **changes}


def test_release_sizes_of_an_earlier_version_are_those_they_were(tmp_path):
    found, kept = load(RECORDS / "version_2.json"), of_version_2()["release_sizes"]
    sizes = found.analyses.release_size
    assert [one.model_dump(exclude={"synthesis"}) for one in sizes.sizes] == kept
    assert {one.synthesis for one in sizes.sizes} == {1}
    assert sizes.settings == found.settings.for_targets(["marital"])  # income was not looked at
    assert (sizes.original, sizes.synthetic) == (found.original, found.synthetic)
    assert [name for name, _ in found.analyses.filled()] == ["release_size", "four_checks"]
    assert load(found.save(tmp_path / "a.json")) == found


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_release_sizes_of_several_files_are_those_of_each(tmp_path, small_files):
    original, synthetic = small_files
    half = tmp_path / "half.csv"
    half.write_text("\n".join(synthetic.read_text().splitlines()[:41]) + "\n")
    made = assess(original, [synthetic, half], keys=["village"])
    found = release_size(original, [synthetic, half], made.settings)
    content = json.loads(made.record)
    sizes = [one.model_dump(mode="json", exclude={"synthesis"}) for one in found.sizes]
    (tmp_path / "a.json").write_text(json.dumps({**content, "schema_version": 2, "release_sizes": sizes}))
    without = found.model_copy(update={"utility": ()})  # it wasn't measured then
    assert load(tmp_path / "a.json") == made.with_analysis(without)


def test_an_earlier_version_kept_no_seed_so_that_other_figures_are_not_checked():
    found = load(RECORDS / "version_2.json")
    files = examples.path("original"), [examples.path("synthetic_1")]
    (same,) = (check for check in analyses(found, *files, {}) if "release_size" in check.what)
    assert (same.outcome, same.detail[:38]) == ("unchecked", "An earlier version wrote the record, w")  # figures hold
    sizes = found.analyses.release_size
    other = sizes.sizes[0].model_copy(update={"values": {**sizes.sizes[0].values, "iS": 0.5}})
    for seed, outcome in ((None, "unchecked"), (1, "fails")):
        changed = sizes.model_copy(update={"seed": seed, "sizes": (other, *sizes.sizes[1:])})
        changed = found.model_copy(update={"analyses": found.analyses.model_copy(update={"release_size": changed})})
        assert {check.outcome for check in analyses(changed, *files, {}) if "release_size" in check.what} == {outcome}


@pytest.mark.parametrize(
    "changes",
    [
        {"release_sizes": "many"},
        {"release_sizes": [1]},
        {"release_sizes": [{"target": "marital"}]},
        {"synthetic": []},
        {"settings": {}},
        {"analyses": [1]},
        {"release_sizes": [{"target": "other", "n_synthetic": 1, "draw": 1, "values": {}}]},
        {"release_sizes": [{"target": "marital", "n_synthetic": 0, "draw": 1, "values": {}}]},
    ],
)
def test_a_spoilt_record_of_an_earlier_version_is_refused(tmp_path, changes):
    (tmp_path / "a.json").write_text(json.dumps(of_version_2(**changes)))
    with pytest.raises(RecordError, match="isn't a whole assessment"):
        load(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("outcome", "results", 0, "removed"), {}),
        (("outcome", "results", 0, "removed", "original"), {"remaining": 1}),
        (("outcome", "results", 0, "tau"), [1.0]),
        (("settings", "tau"), [0.5]),
        (("outcome", "class_sizes", -1, "synthesis"), 2),
        (("documentation", "title"), "half a sign: \ud800"),
    ],
    ids=["no exclusions counted", "a reason not counted", "one tau", "other taus", "sizes of no file", "half a sign"],
)
def test_a_record_that_lacks_a_count_or_has_one_of_no_file_or_holds_half_a_sign_is_refused(small, place, value):
    content = json.loads(small.record)
    held = functools.reduce(lambda inside, name: inside[name], place[:-1], content)
    held[place[-1]] = value
    with pytest.raises(RecordError, match=r"a whole assessment|isn't JSON"):
        parse(json.dumps(content).encode(), "record")


def _governed(original, synthetic, limit=50, measure="DiSCO", **settings):
    """Assess under a policy with one threshold; what the page says, without its tags."""
    return under(assess(original, synthetic, **settings), (measure, limit))


_PEOPLE = pd.DataFrame({"sex": [*"FM"] * 100, "age": [*range(20, 70)] * 4, "ill": [*"nnny"] * 50})
_DRAWN = _PEOPLE.sample(200, replace=True, random_state=1).reset_index(drop=True)


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_where_files_do_not_match_no_low_figure_passes_a_threshold():
    lower = _PEOPLE.assign(sex=_PEOPLE["sex"].str.lower())
    for measure in ("DiSCO", "repU"):
        (row,) = InternalEdition(_governed(_PEOPLE, lower, measure=measure, keys=["sex", "age"])).compared
        assert (row.value, row.above) == (0, None)
    page = re.sub(r"<[^>]+>", "", Report(_governed(_PEOPLE, lower, keys=["sex", "age"])).html)
    assert "The figures can't be compared with the organisation's thresholds." in page
    assert "No figure is above" not in page
    assert stops(_governed(_PEOPLE, lower, keys=["sex", "age"]), ["thresholds"])["thresholds"]
    assert Release("a", _governed(_PEOPLE, lower, keys=["sex", "age"])).unknown


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_a_figure_above_a_threshold_is_above_it_whatever_the_files():
    half = _PEOPLE.assign(sex=_PEOPLE["sex"].where(_PEOPLE["age"] < 50, "x"))
    governed = _governed(_PEOPLE, half, limit=1, keys=["sex", "age"])
    governed = governed.model_copy(
        update={"findings": (Finding("sex", 1, "low_overlap", "warning", "few levels meet"),)}
    )
    assert InternalEdition(governed).compared[0].above is True


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_what_is_wrong_with_one_target_leaves_the_others_comparable():
    original, synthetic = (_PEOPLE.assign(job=list(words) * 100) for words in ("ab", "xy"))
    compared = InternalEdition(_governed(original, synthetic, limit=100, keys=["sex", "age"])).compared
    assert {row.place: row.above for row in compared} == {"job": None, "ill": False}


def test_what_else_a_release_holds_leaves_figures_comparable():
    governed = _governed(_PEOPLE, _DRAWN, limit=100, keys=["sex", "age"])
    beside = (
        Finding("", 1, "also_holds", "warning", "a second sheet"),
        Finding("x", 1, "not_comparable", "warning", ""),
    )
    for findings, above in ((beside, False), ((*beside, Finding("", 1, "encoding", "warning", "")), None)):
        told = governed.model_copy(update={"findings": findings})
        assert InternalEdition(told).compared[0].above is above
        assert told.mismatched is (above is None)


def test_an_identifier_alone_does_not_say_that_the_files_do_not_match():
    numbered, drawn = (people.assign(number=range(200)) for people in (_PEOPLE, _DRAWN))
    with pytest.warns(ComparisonWarning, match="Low figures can't be taken at face value. number: every original"):
        page = re.sub(r"<[^>]+>", "", Report(_governed(numbered, drawn, keys=["sex", "age"])).html)
    assert "don't match well" not in page
    assert "1 warning about the files." in page


def leaves(value, place=()):
    """Give every value of a record with its way there, and how that reads whatever the number in a list."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from leaves(one, (*place, name))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from leaves(one, (*place, number))
    else:
        yield place, value


def shortened(value):
    """Give a record with the first of each list only, as one stands for all."""
    if isinstance(value, dict):
        return {name: shortened(one) for name, one in value.items()}
    return [shortened(one) for one in value[:1]] if isinstance(value, list) else value


def changed(record, place, value):
    """Give a record with another value at one place."""
    copy = json.loads(json.dumps(record))
    *way, last = place
    functools.reduce(lambda part, step: part[step], way, copy)[last] = [value, "other"]
    return copy


def test_a_change_of_any_part_of_the_record_makes_signatures_stale_but_of_what_is_named(analysed):
    record = json.loads(analysed.record)
    assert record.keys() == Assessment.model_fields.keys()
    assert all(record["analyses"].values())
    record = shortened(record)
    seen = set()
    for place, value in leaves(record):
        kind = tuple("" if isinstance(step, int) else step for step in place)
        if kind in seen:
            continue
        seen.add(kind)
        left_out = any(kind[: len(named)] == named for named in LEFT_OUT) or kind[-1] == "path"
        part = {place[0]: record[place[0]]}  # the fingerprint is of all parts
        if place[0] == "analyses":
            part = {"analyses": {place[1]: record["analyses"][place[1]]}}
        assert (state_of(changed(part, place, value)) == state_of(part)) is left_out, place
    for named in LEFT_OUT:
        *way, last = named
        assert last in functools.reduce(lambda part, step: part[step], way, record), named


def test_another_analysis_or_another_answer_of_one_makes_a_signature_stale(analysed):
    signature = {"decision": "approve", "state": analysed.state, "sign_offs": [{"name": "A", "state": analysed.state}]}
    words = analysed.documentation.model_copy(update={"decision": Decision.model_validate(signature)})
    signed = analysed.with_documentation(words)
    assert not signed.signed_before
    for name, found in signed.analyses.filled():
        other = signed.model_copy(update={"analyses": signed.analyses.model_copy(update={name: None})})
        assert other.signed_before, name
        assert other.decided_before, name
        moved = found.model_copy(update={"original": found.original.model_copy(update={"path": "/elsewhere.csv"})})
        same = signed.analyses.model_copy(update={name: moved})
        assert not signed.model_copy(update={"analyses": same}).signed_before
