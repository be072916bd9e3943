"""What functions take in the place of objects, and what they refuse with a plain sentence."""

import pandas as pd
import pytest

from discoreport import (
    Certificate,
    DiscoReportError,
    Documentation,
    Exclusion,
    File,
    Policy,
    Report,
    Settings,
    analyse,
    assess,
    compare_releases,
    excess_over_control,
    groups,
    load,
    mitigate,
    pooled,
    read_documentation,
    read_policy,
    release_size,
    sensitivity,
    trade_off,
    uncertainty,
    user_note,
    utility,
    verify,
    write_bundle,
    write_notebook,
    write_records_at_risk,
)
from discoreport.errors import SettingsError

ORIGINAL = pd.DataFrame({"age": [30, 31, 41, 41] * 5, "ill": ["yes", "no", "no", "no"] * 5})
SYNTHETIC = pd.DataFrame({"age": [30, 31, 31, 41] * 5, "ill": ["yes", "no", "no", "no"] * 5})
CONTROL = ORIGINAL.head(9)
SETTINGS = Settings(keys=["age"])
ASKING = {
    "excess_over_control": lambda settings: excess_over_control(
        ORIGINAL, SYNTHETIC, settings, control=ORIGINAL.head(9)
    ),
    "compare_releases": lambda settings: compare_releases(ORIGINAL, {"one": SYNTHETIC}, settings),
    "mitigate": lambda settings: mitigate(ORIGINAL, SYNTHETIC, settings, [{"step": "remove replicated uniques"}]),
    "trade_off": lambda settings: trade_off(ORIGINAL, SYNTHETIC, settings, [{"step": "remove replicated uniques"}]),
    **{
        one.__name__: lambda settings, one=one: one(ORIGINAL, SYNTHETIC, settings)
        for one in (groups, pooled, release_size, sensitivity, uncertainty, utility)
    },
}


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
@pytest.mark.parametrize("name", ASKING)
def test_settings_are_taken_by_name_and_from_a_file_wherever_they_are_taken(name, tmp_path):
    (tmp_path / "assessment.toml").write_text('original = "o.csv"\nkeys = ["age"]\nengine = "memory"\n')
    expected = repr(ASKING[name](SETTINGS))
    assert repr(ASKING[name]({"keys": "age"})) == expected
    assert repr(ASKING[name](tmp_path / "assessment.toml")) == expected
    for wrong in (None, 5, ["age"], {}, {"keys": ["age"], "typo": 1}, tmp_path / "none.toml"):
        with pytest.raises(SettingsError):
            ASKING[name](wrong)


def test_records_at_risk_take_no_other_settings(tmp_path):
    with pytest.raises(SettingsError, match="settings must be Settings"):
        write_records_at_risk(ORIGINAL, SYNTHETIC, 5, tmp_path / "list.csv")


def test_a_policy_is_taken_by_name_and_from_a_file(small, tmp_path):
    (tmp_path / "policy.toml").write_text('name = "Ours"\nsmall_cell_limit = 5\n')
    by_name, of_file = (
        small.with_policy({"name": "Ours", "small_cell_limit": 5}),
        small.with_policy(str(tmp_path / "policy.toml")),
    )
    assert by_name.policy.name == of_file.policy.name == "Ours"
    assert by_name.policy.checklist == small.policy.checklist
    by_name.save(tmp_path / "record.json")
    assert load(tmp_path / "record.json") == by_name
    for wrong in ("none.toml", 5, None, {"nmae": "Ours"}, {"logo": "logo.svg"}):
        with pytest.raises(SettingsError):
            small.with_policy(wrong)


def test_documentation_is_taken_by_name_and_from_a_file(small, tmp_path):
    (tmp_path / "said.toml").write_text('title = "A release"\n')
    assert small.with_documentation({"title": "A release"}) == small.with_documentation(tmp_path / "said.toml")
    for wrong in ("none.toml", 5, None, {"titel": "A release"}, {"history": []}):
        with pytest.raises(SettingsError):
            small.with_documentation(wrong)


def test_verify_takes_one_file_or_several_and_a_policy_by_name(small, small_files, tmp_path, quick):
    write_bundle(small, tmp_path / "bundle")
    one, several = (
        verify(tmp_path / "bundle", original=small_files[0], synthetic=given, engine="memory", policy={})
        for given in (small_files[1], [small_files[1]])
    )
    assert one == several
    assert [check.outcome for check in one if check.what in ("synthetic file 1", "policy")] == ["holds"] * 2


WRONG = {
    "a setting": (lambda: Settings(keys=["a"], targts=["b"]), "No setting 'targts'. Did you mean 'targets'"),
    "an exclusion": (lambda: Exclusion(taget="x", level=1), "taget: no such name. Did you mean 'target'"),
    "a key that is a number": (lambda: assess(ORIGINAL, SYNTHETIC, keys=[0]), "No column '0'"),
    "analyses": (lambda: analyse(assessment(), ORIGINAL, SYNTHETIC, ["groups"]), "{'name': options}"),
    "options": (lambda: analyse(assessment(), ORIGINAL, SYNTHETIC, {"groups": ["age"]}), "options must be"),
    "an analysis": (lambda: assessment().with_analysis("groups"), "takes what an analysis gives"),
    "an earlier run": (lambda: assessment().following("record.json"), "takes an earlier assessment"),
    "rule": (lambda: Settings(keys="age", exclude=Exclusion(target="ill", level="no")), "a list of rules"),
    "candidates": (lambda: sensitivity(ORIGINAL, SYNTHETIC, SETTINGS, candidates=5.5), "must be names"),
    "variables": (lambda: utility(ORIGINAL, SYNTHETIC, SETTINGS, variables=[None]), "must be names"),
    "groups": (lambda: groups(ORIGINAL, SYNTHETIC, SETTINGS, by=object()), "must be names"),
    "releases": (lambda: compare_releases(ORIGINAL, [SYNTHETIC], SETTINGS), "{'name': files}"),
    "a confidence": (lambda: uncertainty(ORIGINAL, SYNTHETIC, SETTINGS, confidence="95 %"), "above 0 and below 1"),
    "a passphrase": (lambda: Certificate("officer.p12", b"secret"), r"must be text \(got bytes\)"),
    "a record": (lambda: load(5), "path of a record"),
    "a report": (lambda: Report("assessment.json"), "made of an assessment"),
    "a bundle": (lambda: verify(None), "path of a bundle"),
    "a note": (lambda: user_note(None), "takes an assessment"),
    "a notebook": (lambda: write_notebook(None, "repeat.ipynb"), "takes an assessment"),
    "a policy": (lambda: Policy(name=["ours"]), "'Policy': name: "),
    "documentation": (lambda: Documentation(titel="x"), "titel: no such name. Did you mean 'title'"),
    "a policy's file": (lambda: read_policy({"name": "ours"}), r"policy: must be a path \(got dict\)"),
    "a documentation's file": (lambda: read_documentation(5), r"documentation: must be a path \(got int\)"),
    "a file": (lambda: File(None), r"File: must be a path \(got NoneType\)"),
    "an encoding": (lambda: File("o.csv", encoding=ORIGINAL), "encoding can't be DataFrame: "),
    "keys that hold data": (lambda: Settings(keys=ORIGINAL.values), r"keys: .* \(got ndarray\)"),
    "where to save": (lambda: assessment().save(ORIGINAL), r"save: must be a path \(got DataFrame\)"),
    "where to write": (lambda: Report(assessment()).write(5), r"write: must be a path \(got int\)"),
    "where to put a bundle": (lambda: write_bundle(assessment(), ["a"]), r"write_bundle: must be a path \(got list\)"),
    "templates": (lambda: Report(assessment(), templates=ORIGINAL), r"templates: must be a path \(got DataFrame\)"),
    "an edition": (lambda: Report(assessment(), edition=None), r"edition: must be text \(got NoneType\)"),
    "an engine": (lambda: assess(ORIGINAL, SYNTHETIC, keys="age", engine=ORIGINAL), r"engine: must be text"),
    "a measure": (lambda: assessment().value(["DiSCO"], "ill"), r"measure: must be the name of one \(got list\)"),
    "a measure of an analysis": (
        lambda: sensitivity_found().value(5, ["age"]),
        r"measure: must be the name of one \(got int\)",
    ),
}


def sensitivity_found():
    return sensitivity(ORIGINAL, SYNTHETIC, SETTINGS, measures=["repU"])


def assessment():
    return assess(ORIGINAL, SYNTHETIC, keys=["age"])


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said_in_a_sentence_of_our_own(what):
    call, words = WRONG[what]
    with pytest.raises(DiscoReportError, match=words) as error:
        call()
    assert "pydantic" not in str(error.value)
    assert error.value.__suppress_context__ or error.value.__context__ is None


def test_a_case_that_is_excluded_twice_is_one_exclusion_with_all_that_was_said():
    first = Exclusion(target="ill", level="no", reason="known", by="A")
    rules = [first, Exclusion(target="ill", level="no", reason="common", by="A"), {"target": "ill", "level": "yes"}]
    one, other = Settings(keys="age", exclude=rules).exclude
    assert (one.case, one.reason, one.by) == (first.case, "known; common", "A")
    assert other.level == "yes"


def test_what_is_printed_fits_a_line(analysed):
    results = [result for _, result in analysed.analyses.filled()]
    for one in (analysed, analysed.analyses, analysed.outcome, *results):
        assert len(repr(one)) < 600, type(one)
        assert "\n" not in repr(one)
    assert "subsets=<" in repr(analysed.analyses.sensitivity)


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_the_price_of_steps_is_the_highest_wherever_it_is_told():
    original = pd.DataFrame({"age": [1, 2, 3, 4, 5, 5], "a": list("xxyyyy"), "b": list("uvuvuv")})
    settings = Settings(keys=["age"], exclude=[{"target": "a", "level": "x"}])
    steps = [{"step": "limit values", "variable": "age", "top": 4}]
    made = mitigate(original, original, settings, steps).mitigation
    tried = trade_off(original, original, settings, steps)
    highest = max(one.after for one in made.figures if one.measure == "repU")
    assert made.main_figures[0].after == tried.choices[-1].repU == highest
    assert made.main_figures[0].before == tried.choices[0].repU
