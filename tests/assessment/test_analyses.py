"""What an approver asks next becomes part of an assessment, where it belongs to it, and of nothing else."""

import json
import typing
import warnings

import numpy as np
import pandas as pd
import pytest

from discoreport import (
    ComparisonWarning,
    Exclusion,
    Settings,
    analyse,
    assess,
    compare_releases,
    examples,
    groups,
    load,
    mitigate,
    release_size,
    replicated_uniques,
    sensitivity,
    trade_off,
    write_records_at_risk,
)
from discoreport.assessment import prepare
from discoreport.assessment.analyses import ANALYSES, Analyses
from discoreport.assessment.analyses import release_size as release_sizes
from discoreport.errors import DataError, RecordError, SettingsError
from tests.conftest import STEPS
from tests.engines import unwarned
from tests.intruder import IDENTITY

NAMES = list(ANALYSES)
A_COPY = pytest.mark.filterwarnings("ignore:Records of the original")  # the synthetic file is the original itself
ANOTHER_POPULATION = pytest.mark.filterwarnings(
    "ignore:.*the control's records are distributed otherwise"
)  # all are well


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


@A_COPY
def test_other_groups_are_refused():
    frame = pd.DataFrame({"age": range(40), "ill": ["y", "n"] * 20})
    found = ANALYSES["groups"].run(frame, [frame], Settings(keys=["age"], numeric_groups={"age": 4}))
    assert assess(frame, frame, keys="age", numeric_groups={"age": 4}).with_analysis(found).analyses.groups == found
    with pytest.raises(SettingsError, match="numeric_groups"):
        assess(frame, frame, keys="age", numeric_groups={"age": 5}).with_analysis(found)


@A_COPY
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


def tables(seed, n=60):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"age": random.integers(0, 40, n), "sex": random.choice(["f", "m"], n)})
    return frame.assign(ill=random.choice(["y", "n"], n))


SETTINGS = Settings(keys=["age", "sex"], targets=["ill"])
OF_TABLES = {
    "pooled": {"earlier": [tables(7)]},
    "sensitivity": None,
    "control": {"control": tables(9)},
    "membership": {"control": tables(9)},
    "uncertainty": None,
    "groups": {"by": ["sex"], "smallest": 1},
    "release_size": None,
    "releases": {"releases": {"further": tables(8)}},
    "mitigation": {"steps": [{"step": "add variable"}]},
    "trade_off": {"steps": [{"step": "add variable"}]},
}


def asked_of(name, *frames, **choices):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        return ANALYSES[name].run(frames[0], list(frames[1:]), SETTINGS, {**(OF_TABLES.get(name) or {}), **choices})


def assessed(*frames, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        return assess(frames[0], list(frames[1:]), **{"keys": ["age", "sex"], "targets": ["ill"], **settings})


@pytest.mark.parametrize("name", OF_TABLES)
def test_what_is_of_other_tables_of_the_same_size_is_refused(name):
    one, other, another = tables(1), tables(2), tables(3)
    of_these = asked_of(name, one, other)
    assert dict(assessed(one, other).with_analysis(of_these).analyses.filled()) == {name: of_these.for_record()}
    for frames in ((one, another), (another, other)):
        with pytest.raises(SettingsError, match=f"{name}: made with other files of the same size"):
            assessed(*frames).with_analysis(of_these)


@pytest.mark.parametrize("name", OF_TABLES)
def test_what_is_of_a_table_belongs_to_the_file_with_the_same_records_alone(name, tmp_path):
    files = []
    for number in (1, 2, 3):
        files.append(tmp_path / f"{number}.csv")
        tables(number).to_csv(files[-1], index=False)
    of_tables = asked_of(name, tables(1), tables(2))
    assessed(*files[:2]).with_analysis(of_tables)
    with pytest.raises(SettingsError, match="made with other files of the same size"):
        assessed(files[0], files[2]).with_analysis(of_tables)


@pytest.mark.parametrize("more", [{}, {"numeric_groups": {"age": 4}}])
@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize("name", ["mitigation", "trade_off", "releases"])
def test_of_several_tables_of_one_size_the_right_one_is_known(name, same, more):
    one, other, another = tables(1), tables(2), tables(2 if same else 3)
    several = [other] if name == "releases" else [other, another]
    settings = SETTINGS.model_copy(update=more)
    assessment = assessed(one, *several, **more)
    choices = [{"releases": {"a": another, "b": other}}] if name == "releases" else [{"synthesis": 1}, {"synthesis": 2}]
    for choice in choices:
        options = {**OF_TABLES[name], **choice}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ComparisonWarning)
            result = ANALYSES[name].run(one, several, settings, options)
        chosen = ANALYSES[name].options_of(result, assessment.with_analysis(result))
        assert chosen == {**chosen, **({"name": "this release"} if name == "releases" else choice)}


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
@pytest.mark.parametrize("function", [lambda *given: mitigate(*given).mitigation, trade_off])
def test_a_table_is_found_by_its_figures_or_not_at_all(function):
    one, other, another = tables(1), tables(2), tables(3)
    steps = OF_TABLES["mitigation"]["steps"]
    for place, frame in enumerate((other, another), start=1):
        result = function(one, frame, SETTINGS, steps)
        assert result.places(assessed(one, other, another).with_analysis(result)) == (place,)
    with pytest.raises(SettingsError, match="1 and 2 can't be told apart"):
        assessed(one, other, other.copy()).with_analysis(function(one, other, SETTINGS, steps))
    more = {"numeric_groups": {"age": 4}}  # classes of all files together aren't those of one
    with pytest.raises(SettingsError, match="1 and 2 can't be told apart"):
        assessed(one, other, another, **more).with_analysis(
            function(one, other, SETTINGS.model_copy(update=more), steps)
        )


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_of_several_releases_of_one_size_the_assessed_one_is_found():
    one, other, another = tables(1), tables(2), tables(3)
    compared = compare_releases(one, {"first": other, "second": another}, SETTINGS)
    for name, frame in (("first", other), ("second", another)):
        assert compared.assessed(assessed(one, frame).with_analysis(compared)) == name
    twice = compare_releases(one, {"first": other, "second": other.copy()}, SETTINGS)
    with pytest.raises(SettingsError, match="first and second can't be told apart"):
        assessed(one, other).with_analysis(twice)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("exclude", [[], [Exclusion(target="ill", level="y", key="sex", key_level="f")]])
@pytest.mark.parametrize(
    "more", [{}, {"key_missing": "exclude"}, {"max_denominator": 3}, {"numeric_groups": {"age": 5}}]
)
def test_what_is_of_the_same_tables_belongs_whatever_was_asked(exclude, more):
    frames = [tables(seed) for seed in (1, 2, 3, 8, 9)]
    for frame in frames:
        frame.loc[frame.index[:5], "sex"] = None
        frame["rich"] = frame["ill"].to_numpy()[::-1]
    settings = Settings(keys=["age", "sex"], targets=["ill", "rich"], exclude=exclude, **more)
    choices = {**OF_TABLES, "releases": {"releases": {"further": frames[3]}}, "control": {"control": frames[4]}}
    choices["membership"] = {"control": frames[4]}
    choices["pooled"] = {"earlier": [frames[4]]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        assessment = assess(frames[0], frames[1:3], **settings.model_dump(exclude_unset=True))
        for name in OF_TABLES:
            if not (name == "control" and "max_denominator" in more):
                result = ANALYSES[name].run(frames[0], frames[1:3], settings, choices[name])
                assessment = assessment.with_analysis(result)
    part = assessment.for_targets(["rich"])
    for _, result in part.analyses.filled():
        part.with_analysis(result)


def test_another_run_begins_without_the_analyses_of_the_one_before(analysed, small, small_files):
    again = assess(*small_files, keys=["village"]).following(analysed)
    assert again.documentation.history
    assert again.analyses == Analyses()
    assert analysed.following(small).analyses == analysed.analyses


@A_COPY
@ANOTHER_POPULATION
def test_some_targets_have_their_part_of_the_analyses():
    frame = pd.DataFrame({"age": range(40), "ill": ["y", "n"] * 20, "rich": ["y"] * 40})
    settings = Settings(keys=["age"], targets=["ill", "rich"])
    assessment = assess(frame, frame, keys="age")
    whole = {
        "control": {"control": frame[::2].assign(ill="n")},
        "releases": {"releases": {"other": frame[:30]}},
        "mitigation": {"steps": [{"step": "add variable"}]},
    }
    for name in ("sensitivity", "control", "uncertainty", "groups", "release_size", "releases", "mitigation"):
        assessment = assessment.with_analysis(ANALYSES[name].run(frame, [frame], settings, whole.get(name)))
    part = assessment.for_targets(["rich"])
    assert len(list(part.analyses.filled())) == 7
    for name, result in part.analyses.filled():
        assert result.settings.targets == ("rich",), name
        assert {one.target for one in result.entries} == {"rich"}, name
    assert part.analyses.sensitivity.targets == ("rich",)


@A_COPY
@ANOTHER_POPULATION
def test_some_targets_can_be_saved_with_their_part_of_the_analyses(tmp_path):
    frame = pd.DataFrame({"age": range(40), "ill": ["y", "n"] * 20, "rich": ["y"] * 40})
    assessment = assess(frame, frame, keys="age")
    choices = {
        "control": {"control": frame[::2].assign(ill="n")},
        "membership": {"control": frame[::2].assign(ill="n")},
        "releases": {"releases": {"other": frame[:30]}},
        "mitigation": {"steps": [{"step": "add variable"}]},
        "trade_off": {"steps": [{"step": "add variable"}]},
    }
    for name in NAMES:
        assessment = assessment.with_analysis(run(name, (frame, frame), assessment.settings, choices))
    for number, (targets, lost) in enumerate([([], ["trade_off"]), (["rich"], ["trade_off"]), (["rich", "ill"], [])]):
        part = assessment.for_targets(targets)
        assert [name for name in NAMES if name not in dict(part.analyses.filled())] == lost
        assert load(part.save(tmp_path / f"{number}.json")) == part


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
        ("release_size", lambda one: one["sizes"][0].update(synthesis=2)),
        ("release_size", lambda one: one["sizes"][0]["values"].pop("DiSCO")),
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
        lacking = {"control": ["control"], "membership": ["control"], "releases": ["releases"]}.get(name, [])
        assert analysis.lacking(options) == lacking
        lacking = ["earlier"] if name == "pooled" else lacking  # which can be left out
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


# Identity risk is that of the keys alone ----------------------------------------------------------

WITHOUT_IDENTITY = {"control", "membership", "four_checks", "utility"}
WHERE = ("synthesis", "release", "n_synthetic", "draw", "measure", "over", "steps", "variable", "level", "n_levels")


def identity_in(found):
    """Collect whatever a result says of identity risk, and of what; not of which target."""
    if isinstance(found, (list, tuple)):
        return set().union(*map(identity_in, found)) if found else set()
    if not isinstance(found, dict):
        return set()
    said = {name: value for name, value in found.items() if name in {*IDENTITY, "n_unique", "n_replicated"}}
    if found.get("measure") in IDENTITY:
        said |= {name: found[name] for name in found if name not in {*WHERE, "target"}}
    place = {name: found[name] for name in WHERE if name in found}
    mine = {json.dumps([place, said], sort_keys=True)} if said else set()
    inner = set().union(*(identity_in(value) for name, value in found.items() if name != "settings"))
    return mine | {json.dumps([place, one]) for one in inner}


def tables_with_gaps(seed, n=80):
    random = np.random.default_rng(seed)
    frame = tables(seed, n).assign(rich=random.choice(["y", "n", None], n, p=[0.2, 0.5, 0.3]))
    return frame.assign(sex=frame["sex"].mask(random.random(n) < 0.2))


OTHER_TARGETS = {
    "another order": {"targets": ["rich", "ill"]},
    "one target": {"targets": ["ill"]},
    "the other target": {"targets": ["rich"]},
    "a level left out": {"exclude": [Exclusion(target="ill", level="n")]},
    "a level of the second target left out": {"exclude": [Exclusion(target="rich", level="n")]},
    "both, in another order": {
        "targets": ["rich", "ill"],
        "exclude": [Exclusion(target="rich", level="n"), Exclusion(target="ill", level="n", key="sex", key_level="f")],
    },
    "missing targets left out": {"target_missing": "exclude"},
    "large cells left out": {"max_denominator": 1},
}


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
@pytest.mark.parametrize("key_missing", ["level", pytest.param("exclude", marks=pytest.mark.generated)])
@pytest.mark.parametrize(
    "change",
    [pytest.param(one, marks=[pytest.mark.generated] * (place > 1)) for place, one in enumerate(OTHER_TARGETS)],
)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITHOUT_IDENTITY])
def test_identity_risk_depends_on_no_target_no_order_and_no_exclusion(name, change, key_missing):
    files = tables_with_gaps(1), [tables_with_gaps(1).sample(frac=0.9, random_state=3), tables_with_gaps(2)]
    options = {**(OF_TABLES.get(name) or {})}
    if name == "releases":
        options = {"releases": {"further": tables_with_gaps(8)}}
    if name == "pooled":
        options = {"earlier": [tables_with_gaps(7)]}
    if name in {"mitigation", "trade_off"}:
        options = {
            "steps": [{"step": "remove replicated uniques"}, {"step": "limit values", "variable": "age", "top": 30}]
        }
    if name == "release_size":
        files = files[0], files[1][:1]
        options = {"draws": 2, "sizes": [20, 60]}
    plain = {"keys": ["age", "sex"], "targets": ["ill", "rich"], "key_missing": key_missing}
    found, changed = (
        identity_in(ANALYSES[name].run(*files, Settings(**settings), options).model_dump(mode="json"))
        for settings in (plain, {**plain, **OTHER_TARGETS[change]})
    )
    assert found
    assert changed == found


def test_parts_of_a_release_have_the_same_figures_however_many_are_counted_at_once(monkeypatch):
    frame = pd.DataFrame({"age": [*range(20)] * 3, "sex": ["f", "m", "m"] * 20, "ill": ["y", "n", "n", "n"] * 15})
    settings = Settings(keys=["age", "sex"])
    told = []
    with unwarned():
        at_once = release_size(frame, frame, settings, sizes=[7, 30], draws=3)
        monkeypatch.setattr(release_sizes, "AT_ONCE", 31)
        in_pieces = release_size(
            frame, frame, settings, sizes=[7, 30], draws=3, progress=lambda *state: told.append(state)
        )
    assert in_pieces.sizes == at_once.sizes
    assert [done for done, _, _ in told] == [*range(7)]


@pytest.mark.generated
def test_identity_risk_of_the_example_survey_is_that_of_the_report_in_every_analysis():
    files = examples.path("original"), examples.path("synthetic_1")
    settings = Settings(
        **examples.SETTINGS,
        targets=["worked_abroad", "employment"],
        exclude=[Exclusion(target="worked_abroad", level="No", reason="nine in ten say so", by="A. Officer")],
    )
    repU = assess(*files, **settings.model_dump(exclude_unset=True)).value("repU")  # noqa: N806  # as published
    assert round(repU, 1) == 13.0
    mark = {"step": "add variable"}
    assert sensitivity(*files, settings, measures="repU").value("repU", settings.keys) == pytest.approx(repU)
    assert compare_releases(files[0], {"this": files[1]}, settings).value("repU", "this") == pytest.approx(repU)
    figures = [one for one in mitigate(*files, settings, [mark]).mitigation.figures if one.measure == "repU"]
    assert [one.before for one in figures] == pytest.approx([repU, repU])
    assert [one.repU for one in trade_off(*files, settings, [mark]).choices] == pytest.approx([repU, repU])
    sizes = release_size(*files, settings, sizes=[5000], draws=1)
    assert sizes.value("repU", 5000) == pytest.approx(repU)
    table = groups(*files, settings).table.query("variable == 'sex' and target == 'employment'")
    assert 100 * table["n_replicated"].sum() / 5000 == pytest.approx(repU)


# Doubts are as loud as those of an assessment -------------------------------------------------------


def of_other_spelling(frame):
    return frame.assign(sex=frame["sex"].str.upper())


def of_other_combinations(frame):
    """Every level meets, and no combination of keys does."""
    return frame.assign(sex=np.where(frame["sex"] == "f", "m", "f"))


CROSSED = pd.DataFrame({"age": [1, 2] * 40, "sex": ["f", "m"] * 40, "ill": ["y", "n"] * 40})
DOUBTFUL = {
    "levels in capitals": (tables(1), of_other_spelling(tables(1))),
    "no combination of keys in common": (CROSSED, of_other_combinations(CROSSED)),
    "a column under another name": (tables(1).assign(income=range(60)), tables(2).assign(Income=range(60))),
}
NOT_OF_FIGURES = {"four_checks"}


def warnings_of(run, *arguments, **more):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(*arguments, **more)
    return [one for one in caught if issubclass(one.category, ComparisonWarning)]


@pytest.mark.parametrize("doubt", DOUBTFUL)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in NOT_OF_FIGURES])
def test_every_analysis_that_measures_warns_once_of_what_assess_warns_of(name, doubt):
    original, synthetic = DOUBTFUL[doubt]
    options = {**(OF_TABLES.get(name) or {})}
    if name in {"control", "membership"}:
        options = {"control": original.iloc[::-1].reset_index(drop=True)}
    if name == "releases":
        options = {"releases": {"further": original}}
    settings = Settings(keys=["age", "sex"], targets=["ill"])
    (of_assess,) = warnings_of(assess, original, synthetic, keys=["age", "sex"], targets=["ill"])
    (warned,) = warnings_of(ANALYSES[name].run, original, [synthetic], settings, options)
    said = str(of_assess.message).removeprefix("The files don't match well. ").split("; ")
    details = {one.partition(": ")[2] for one in said}
    assert all(detail in str(warned.message) for detail in details)


@pytest.mark.parametrize("left_out", [{"key_missing": "exclude"}, {"exclude": [Exclusion(target="ill", level="y")]}])
@pytest.mark.parametrize("name", [name for name in NAMES if name not in NOT_OF_FIGURES])
def test_every_analysis_warns_where_the_settings_leave_nothing(name, left_out):
    original = pd.DataFrame({"age": [None] * 60 if "key_missing" in left_out else [1, 2] * 30, "sex": "f", "ill": "y"})
    options = {**(OF_TABLES.get(name) or {})}
    for option in ("control", "releases"):
        if option in options:
            options[option] = original if option == "control" else {"further": original}
    if name == "mitigation" or name == "trade_off":
        options = {"steps": [{"step": "add variable"}]}
    settings = Settings(keys=["age", "sex"], targets=["ill"], **left_out)
    (warned,) = warnings_of(ANALYSES[name].run, original, [original], settings, options)
    assert "leave out every record" in str(warned.message)


def test_functions_that_measure_beside_the_analyses_warn_as_assess_does(tmp_path):
    original, synthetic = DOUBTFUL["no combination of keys in common"]
    settings = Settings(keys=["age", "sex"], targets=["ill"])
    for run in (
        lambda: replicated_uniques(original, synthetic, keys=["age", "sex"]),
        lambda: write_records_at_risk(original, synthetic, settings, tmp_path / "list.csv"),
        lambda: mitigate(original, synthetic, settings, [{"step": "add variable"}]),
        lambda: trade_off(original, synthetic, settings, [{"step": "add variable"}]),
    ):
        (warned,) = warnings_of(run)
        assert "no key combination of the original occurs" in str(warned.message)
        assert warned.filename == __file__


def test_several_analyses_at_once_warn_once():
    original, synthetic = DOUBTFUL["levels in capitals"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        assessment = assess(original, synthetic, keys=["age", "sex"], targets=["ill"])
    asked = {"sensitivity": {}, "groups": {}, "uncertainty": {}, "trade_off": {"steps": [{"step": "add variable"}]}}
    assert len(warnings_of(analyse, assessment, original, synthetic, asked)) == 1


@pytest.mark.slow
def test_files_that_match_are_not_warned_of():
    files = examples.path("original"), [examples.path("synthetic_1")]
    settings = Settings(**examples.SETTINGS, targets=["marital", "smoker"])
    for name in ("uncertainty", "groups", "mitigation", "trade_off"):
        assert warnings_of(ANALYSES[name].run, *files, settings, {} if name == "groups" else OF_TABLES[name]) == []


@pytest.mark.parametrize("name", ["groups", "uncertainty", "control", "mitigation"])
def test_files_are_not_compared_where_nobody_is_told(monkeypatch, small_files, small, choices, name):
    def compared(*_):
        raise AssertionError

    for function in ("compare", "doubts"):
        monkeypatch.setattr(prepare, function, compared)
    with unwarned():
        assert run(name, small_files, small.settings, choices)
