"""Further questions from the command line and configuration files, and a synthetic file that is changed."""

import shlex
from typing import get_args

import pandas as pd
import pytest

from discoreport import Settings, analyse, load, mitigate, write_notebook
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.toml import inline
from discoreport.errors import OutputError, SettingsError
from tests.commands import (
    STEPS,
    asked_in,
    chosen,
    command,
    kind_of,
    option_words,
    parser,
    python_lines,
    read_configuration,
    read_steps,
    run,
    steps_from,
    words_of,
    write_configuration,
    write_steps,
)
from tests.notebook.test_repeat_notebook import run_without_charts_in
from tests.stand_ins import full_disk

pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")

TOML = """
[[steps]]
step = "merge levels"
variable = "trade"
fewer_than = 10

[[steps]]
step = "remove replicated uniques"
"""
FILES = ["original.csv", "synthetic.csv"]
KEYS = ["--key", "village", "--two-way-threshold", "1,50"]
SETTINGS = Settings(keys=["village"], two_way_threshold=(1, 50))


@pytest.fixture
def files(small_files, tmp_path, monkeypatch):
    """The small files, a control, another release and steps, in a folder that one works in."""
    monkeypatch.chdir(tmp_path)
    original, synthetic = (pd.read_csv(path) for path in small_files)
    original.to_csv("original.csv", index=False)
    synthetic.to_csv("synthetic.csv", index=False)
    original.iloc[::2].to_csv("control.csv", index=False)
    synthetic.iloc[:40].to_csv("half.csv", index=False)
    (tmp_path / "steps.toml").write_text(TOML)
    return tmp_path


@pytest.fixture
def record_only(monkeypatch):
    """Write the record alone: the rest of a bundle follows from it, and has tests of its own."""

    def write(report, folder, certificate, progress=None):
        folder.mkdir()
        (folder / "assessment.json").write_bytes(report.record)

    monkeypatch.setattr("discoreport.report.bundle.deliver", write)


ALL = [
    "--earlier", "half.csv",
    "--sensitivity-measures", "repU", "--sensitivity-measures", "DiSCO", "--control", "control.csv",
    "--membership", "control.csv", "--membership-variables", "village", "--membership-variables", "trade",
    "--membership-differing", "1", "--membership-base-rate", "68000",
    "--uncertainty", "sample", "--uncertainty-confidence", "0.9", "--groups", "village", "--groups", "trade",
    "--groups-smallest", "3", "--release-size", "20", "--release-size", "57", "--release-size-draws", "2",
    "--release-size-seed", "7", "--releases", "half=half.csv", "--releases", "both=synthetic.csv", "--releases",
    "both=half.csv", "--releases-name", "ours", "--four-checks", "--mitigation", "steps.toml",
    "--trade-off", "steps.toml", "--trade-off-most", "4", "--utility", "village", "--utility", "trade",
    "--utility-declared", "count of trade by village", "--utility-declared", "share trade=Farmer",
]  # fmt: skip


@pytest.fixture
def asked(files, record_only):
    """The record of a run that asks everything."""
    assert run("assess", *FILES, *KEYS, *ALL, "--quiet", "--out", "out") == 0
    return load("out/assessment.json")


# The command line ----------------------------------------------------------------------------------


def test_every_analysis_and_every_option_can_be_asked_for_with_its_description():
    words = " ".join(parser().parse_args(["assess"]).its_own.format_help().split())
    for name, one in ANALYSES.items():
        assert one.question in words
        for option, word in option_words(name).items():
            assert f"{word} " in words, (name, option)
            assert one.options.described()[option] in words


def test_every_kind_of_option_is_known():
    kinds = {name: [kind_of(field) for field in one.options.model_fields.values()] for name, one in ANALYSES.items()}
    assert kinds == {
        "pooled": ["file list"],
        "sensitivity": ["variables", "names", "number"],
        "control": ["file", "number"],
        "membership": ["file", "variables", "number", "number"],
        "uncertainty": ["choice", "number"],
        "groups": ["variables", "number"],
        "release_size": ["numbers", "number", "number"],
        "releases": ["files", "text"],
        "four_checks": ["names"],
        "mitigation": ["steps", "number"],
        "trade_off": ["steps", "number", "number"],
        "utility": ["variables", "number", "number", "declared"],
    }


def other(field):
    """A value of an option that isn't its default, whatever kind it is of."""
    kind = kind_of(field)
    if kind == "choice":
        return get_args(field.annotation)[-1]
    if kind == "number":
        return 7 if field.annotation is int else 0.125
    return {
        "file": "a=b c.csv",
        "files": {"x y": ["-a.csv", "b=c.csv"], "z": ["d.csv"]},
        "file list": ["-a.csv", "b=c.csv"],
        "steps": [{"step": "smooth", "variable": 'a "b"'}, {"step": "remove replicated uniques"}],
        "variables": ["-a", "b=c"],
        "names": ["x", "--y", "it's"],
        "numbers": [5, 7],
        "text": "a=b",
        "declared": ["mean of b by a", '{figure = "share", variable = "x by y", level = "=", by = ["z"]}'],
    }[kind]


@pytest.mark.parametrize(("name", "option"), [(n, o) for n, one in ANALYSES.items() for o in one.options.model_fields])
def test_every_option_of_every_analysis_is_written_and_read_again(name, option):
    fields = ANALYSES[name].options.model_fields
    given = {one: other(field) for one, field in fields.items() if one == option or field.is_required()}
    options = ANALYSES[name].chosen(given)
    assert option in options.changed()
    words = words_of(name, options)
    assert any(word.startswith(f"{option_words(name)[option]}=") for word in words)
    assert asked_in(parser().parse_args(["assess", *words]), {}) == {name: options}


@pytest.mark.slow
def test_everything_can_be_asked_and_the_record_asks_again(asked, files, record_only):
    by_library = analyse(
        asked,
        *FILES,
        {
            "pooled": {"earlier": ["half.csv"]},
            "sensitivity": {"measures": ["repU", "DiSCO"]},
            "control": {"control": "control.csv"},
            "membership": {
                "control": "control.csv",
                "variables": ["village", "trade"],
                "differing": 1,
                "base_rate": 68000,
            },
            "uncertainty": {"collection": "sample", "confidence": 0.9},
            "groups": {"by": ["village", "trade"], "smallest": 3},
            "release_size": {"sizes": [20, 57], "draws": 2, "seed": 7},
            "releases": {"releases": {"half": "half.csv", "both": ["synthetic.csv", "half.csv"]}, "name": "ours"},
            "four_checks": {},
            "mitigation": {"steps": read_steps("steps.toml")},
            "trade_off": {"steps": read_steps("steps.toml"), "most": 4},
            "utility": {
                "variables": ["village", "trade"],
                "declared": ["count of trade by village", {"figure": "share", "variable": "trade", "level": "Farmer"}],
            },
        },
    )
    assert list(ANALYSES) == [name for name, _ in asked.analyses.filled()]
    assert asked.analyses == by_library.analyses

    words = shlex.split(command(asked))
    assert words[:2] == ["discoreport", "assess"]
    assert run(*words[1:], "--quiet", "--out", "again") == 0
    assert load("again/assessment.json").analyses == asked.analyses

    names = {}
    exec(python_lines(asked), names)
    assert names["assessment"].analyses == asked.analyses

    path = write_notebook(asked, files / "sub" / "repeat.ipynb", record=files / "out" / "assessment.json")
    again = run_without_charts_in(path, path.parent)
    assert again.analyses.agree(asked.analyses)
    assert "'../control.csv'" in path.read_text()

    assert run("assess", *FILES, *KEYS, *ALL, "--write-config", "a.toml") == 0
    assert run("assess", "--config", "a.toml", "--quiet") == 0
    assert load("report/assessment.json").analyses.agree(asked.analyses)


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_verify_takes_the_files_that_analyses_took(files, capsys):
    assert run("assess", *FILES, *KEYS, *ALL, "--quiet", "--out", "out") == 0
    capsys.readouterr()
    run("verify", "out", "--original", FILES[0], "--synthetic", FILES[1])
    assert "not checked: analysis control" in capsys.readouterr().out
    others = [
        "--control",
        "control.csv",
        "--membership",
        "control.csv",
        "--earlier",
        "half.csv",
        "--releases",
        "half=half.csv",
        "--releases",
        "both=synthetic.csv",
    ]
    run("verify", "out", "--original", FILES[0], "--synthetic", FILES[1], *others, "--releases", "both=half.csv")
    said = capsys.readouterr().out
    assert all(f"holds: analysis {name}" in said for name in ANALYSES)


def test_other_findings_do_not_agree(analysed):
    changed = analysed.analyses.control.model_copy(update={"confidence": 0.9})
    assert analysed.analyses.agree(analysed.analyses)
    assert not analysed.analyses.agree(analysed.analyses.model_copy(update={"control": changed}))
    assert not analysed.analyses.agree(analysed.analyses.model_copy(update={"groups": None}))


def test_frames_have_names_in_the_python_lines(analysed, choices):
    releases = choices["releases"]["releases"]
    files = [releases["half"], *releases["two files"]]
    names = {f"release_{n}": file for n, file in enumerate(files, start=1)} | choices["control"]
    names["earlier"] = choices["pooled"]["earlier"][0]
    exec(python_lines(analysed), names)
    assert names["assessment"].analyses == analysed.analyses
    assert command(analysed) is None
    assert max(map(len, python_lines(analysed).splitlines())) <= 96  # a page takes them whole, to be copied
    many = analysed.model_copy(
        update={"settings": analysed.settings.model_copy(update={"targets": tuple(f"v{n}" for n in range(200))})}
    )
    assert len(python_lines(many).splitlines()) < len(python_lines(analysed).splitlines()) + 40


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--groups", "vilage"], "Did you mean 'village'?"),
        (["--uncertainty", "smaple"], "Did you mean 'sample'?"),
        (["--sensitivity-measures", "DisCo"], "Did you mean 'DiSCO'?"),
        (["--groups-smallest", "few"], "--groups-smallest: must be a whole number"),
        (["--release-size", "some"], "--release-size: must be a whole number"),
        (["--release-size", "58"], "58 records can't be drawn from 57"),
        (["--releases", "half.csv"], "--releases half.csv: write it as NAME=VALUE"),
        (["--mitigation", "nothing.toml"], "Can't read 'nothing.toml'"),
        (["--mitigation", '{step = "smoot"}'], "Did you mean 'smooth'?"),
        (["--mitigation", '{step = "smooth", variabl = "trade"}'], "Did you mean 'variable'?"),
        (["--mitigation", "{step = "], "isn't a step in TOML"),
        (["--control-confidence", "0.9"], "discoreport: --control: it must be given"),
        (["--records-at-risk", "original.csv"], "'original.csv' exists"),
    ],
)
def test_a_mistake_is_one_clear_line(words, said, files, record_only, capsys):
    assert run("assess", *FILES, *KEYS, *words, "--out", "out") in (2, 5)
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (files / "out").exists()


def test_an_unknown_option_is_told_with_the_nearest(capsys):
    with pytest.raises(SystemExit) as stopped:
        run("assess", "a.csv", "b.csv", "--sensitvity")
    assert stopped.value.code == 2
    assert "unrecognized arguments: --sensitvity. Did you mean '--sensitivity'?" in capsys.readouterr().err


def test_a_control_that_is_a_copy_is_warned_of(files, record_only, capsys):
    assert run("assess", *FILES, *KEYS, "--control", "original.csv", "--out", "out") == 0
    assert "Warning: control: the whole file: every combination" in capsys.readouterr().err


def test_records_at_risk_are_listed_on_request_only_and_nowhere_else(files, record_only, capsys):
    assert run("assess", *FILES, *KEYS, "--records-at-risk", "at_risk.csv", "--out", "out") == 0
    assert "lists records of the original" in capsys.readouterr().err
    rows = (files / "at_risk.csv").read_text().splitlines()
    assert rows[0].startswith("record,target")
    assert len(rows) > 10
    written_files = [path for path in (files / "out").rglob("*") if path.is_file()]
    assert written_files
    assert not any(
        b"at_risk" in content or rows[1].encode() in content
        for content in (path.read_bytes() for path in written_files)
    )


def test_records_at_risk_are_not_written_among_what_is_handed_over(files, record_only, capsys):
    (files / "link").symlink_to(files / "out")
    for place in ("out/at_risk.csv", "link/at_risk.csv", "sub/../out/at_risk.csv"):
        assert run("assess", *FILES, *KEYS, "--records-at-risk", place, "--out", "out") == 5
        assert "write it elsewhere" in capsys.readouterr().err
    assert not (files / "out").exists()


@pytest.mark.parametrize("option", ["--exclude=x@y=3@a=b=4", "--group=a=b=5"])
def test_names_with_signs_have_their_place_in_a_configuration_file(files, record_only, capsys, option):
    assert run("assess", *FILES, *KEYS, option, "--out", "out") == 2
    assert capsys.readouterr().err.count("A name that holds = or @ has its place in a configuration file") == 1


# Configuration files -------------------------------------------------------------------------------


def test_what_is_not_asked_stands_in_the_configuration_file_as_a_comment(files):
    write_configuration("a.toml", *FILES, SETTINGS, analyses=chosen({"groups": {}}))
    assert list(read_configuration("a.toml").analyses) == ["groups"]
    text = (files / "a.toml").read_text()
    assert all(one.question in text for one in ANALYSES.values())
    (files / "b.toml").write_text(text.replace("# [analyses.sensitivity]", "[analyses.sensitivity]"))
    assert list(read_configuration("b.toml").analyses) == ["sensitivity", "groups"]


def test_options_go_before_the_configuration_file(files, record_only):
    (files / "a.toml").write_text('keys = ["village"]\n[analyses.groups]\nby = ["trade"]\nsmallest = 3\n')
    options = ["--groups", "village", "--four-checks", "--quiet", "--out", "out"]
    assert run("assess", *FILES, "--config", "a.toml", *options) == 0
    found = load("out/assessment.json").analyses
    assert {one.variable for one in found.groups.groups} == {"village"}
    assert found.groups.smallest == 3
    assert [name for name, _ in found.filled()] == ["groups", "four_checks"]


def test_files_of_analyses_lie_beside_the_configuration_file(files):
    (files / "sub").mkdir()
    content = (
        '[analyses.control]\ncontrol = "c.csv"\n[analyses.releases]\nreleases = {x = "x.csv", y = ["a.csv", "/b"]}\n'
    )
    (files / "sub" / "a.toml").write_text(content)
    found = read_configuration("sub/a.toml").analyses
    assert found["control"].control == "sub/c.csv"
    assert found["releases"].releases == {"x": ("sub/x.csv",), "y": ("sub/a.csv", "/b")}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[analyses.sensitivty]", "Did you mean 'sensitivity'?"),
        ("[analyses.groups]\nbye = ['age']", "'a.toml, analyses, groups': bye: no such name. Did you mean 'by'?"),
        ("analyses = 1", "a table of its own"),
        ("[analyses]\ngroups = 1", "a table of its own"),
        ("[analyses.control]\ncontrol = 7", "a file must be a path (got 7)"),
        ("[[analyses.mitigation.steps]]\nstep = 'smoot'", "Did you mean 'smooth'?"),
        ("[analyses.mitigation]\nsteps = 'x'", "it must have a name and its values"),
    ],
)
def test_a_mistake_in_a_configuration_file_is_named(content, said, files):
    (files / "a.toml").write_text(content)
    with pytest.raises(SettingsError) as told:
        read_configuration("a.toml")
    assert said in str(told.value)
    assert ".." not in str(told.value)


# Several at once -----------------------------------------------------------------------------------


def test_what_is_said_of_the_original_goes_into_its_uncertainty(small, small_files):
    source = small.documentation.source.model_copy(update={"collection": "population"})
    documented = small.with_documentation(small.documentation.model_copy(update={"source": source}))
    assert analyse(documented, *small_files, {"uncertainty": {}}).analyses.uncertainty.collection == "population"
    asked = {"uncertainty": {"collection": "sample"}}
    assert analyse(documented, *small_files, asked).analyses.uncertainty.collection == "sample"


def test_nothing_is_run_before_all_is_checked(small, small_files):
    told = []
    with pytest.raises(SettingsError, match="Did you mean 'groups'"):
        analyse(small, *small_files, {"four_checks": {}, "group": {}}, progress=lambda *step: told.append(step))
    assert not told


def test_progress_names_the_analysis(small, small_files):
    told = []
    analyse(small, *small_files, {"sensitivity": {}, "groups": {}}, progress=lambda *step: told.append(step))
    assert told[0] == (0, 2, "Sensitivity to the keys")
    assert any(what == "Sensitivity to the keys: trade" for _, _, what in told)
    assert told[-1] == (2, 2, "")


# Mitigation ----------------------------------------------------------------------------------------


def test_writes_a_new_file_and_says_what_the_steps_did(files, capsys):
    assert run("mitigate", *FILES, *KEYS, "--steps", "steps.toml", "--out", "new.csv") == 0
    said = capsys.readouterr().out
    mitigated = mitigate(*FILES, SETTINGS, read_steps("steps.toml"))
    pd.testing.assert_frame_equal(pd.read_csv("new.csv"), mitigated.frame, check_dtype=False)
    for one in mitigated.mitigation.steps:
        assert f"{one.what}: {one.n_records} record" in said
    assert "repU " in said
    assert "DiSCO of trade" in said
    assert "Lost: distributions of single variables moved by" in said
    assert [path.name for path in files.iterdir() if "new" in path.name] == ["new.csv"]


def test_reports_on_the_new_file_and_what_led_to_it(files, record_only):
    options = ["--steps", "steps.toml", "--out", "new.csv", "--report", "out"]
    assert run("mitigate", *FILES, *KEYS, *options) == 0
    made = load("out/assessment.json")
    assert made.synthetic[0].name == "new.csv"
    assert made.analyses.mitigation.led_to(made.synthetic[0])
    assert [one.what for one in made.documentation.mitigation] == [one.what for one in made.analyses.mitigation.steps]

    names = {}
    exec(python_lines(made), names)
    assert names["assessment"].analyses == made.analyses

    path = write_notebook(made, files / "repeat.ipynb", record=files / "out" / "assessment.json")
    assert run_without_charts_in(path, files).analyses.agree(made.analyses)

    words = shlex.split(command(made))
    assert words[1] == "mitigate"
    assert run(*words[1:], "--out", "again.csv", "--report", "again") == 0
    again = load("again/assessment.json")
    assert again.outcome == made.outcome
    assert again.analyses.agree(made.analyses)


def test_tries_the_combinations_and_writes_nothing(files, capsys):
    before = sorted(files.iterdir())
    assert run("mitigate", *FILES, *KEYS, "--steps", "steps.toml", "--trade-off") == 0
    said = capsys.readouterr().out
    assert "1: Levels of trade with fewer than 10 records were merged" in said
    assert "1, 2" in said
    assert sorted(files.iterdir()) == before


@pytest.fixture
def in_capitals(files):
    """A synthetic file whose keys are spelt otherwise, so that nothing meets."""
    table = pd.read_csv("synthetic.csv")
    table.assign(village=table["village"].str.upper()).to_csv("capitals.csv", index=False)
    return ["original.csv", "capitals.csv"]


@pytest.mark.parametrize("more", [["--trade-off"], ["--out", "new.csv"]])
def test_steps_on_files_that_do_not_match_are_warned_of_and_can_stop_a_pipeline(in_capitals, more, files, capsys):
    step = ["--steps", '{step = "add variable"}']
    assert run("mitigate", *in_capitals, *KEYS, *step, *more) == 0
    assert "Warning: village, synthesis 1: only 0.0 % of the original's records" in capsys.readouterr().err
    (files / "new.csv").unlink(missing_ok=True)
    assert run("mitigate", *in_capitals, *KEYS, *step, *more, "--fail-on", "warnings") == 3
    assert "discoreport: village, synthesis 1: only 0.0 %" in capsys.readouterr().err
    assert (files / "new.csv").exists() == ("--out" in more)


def test_what_only_a_report_can_tell_needs_one(files, capsys):
    words = ["--steps", "steps.toml", "--out", "new.csv", "--fail-on", "thresholds"]
    assert run("mitigate", *FILES, *KEYS, *words) == 2
    assert "only warnings can be told" in capsys.readouterr().err
    assert not (files / "new.csv").exists()


def test_a_pipeline_passes_where_steps_are_applied_to_files_that_match_and_stops_at_another_release(
    files, in_capitals, record_only, capsys
):
    step = ["--steps", '{step = "add variable"}', "--fail-on", "warnings"]
    assert run("mitigate", *FILES, *KEYS, *step, "--out", "new.csv") == 0
    assert "Warning" not in capsys.readouterr().err
    options = ["--releases", "other=capitals.csv", "--fail-on", "warnings", "--out", "out"]
    assert run("assess", *FILES, *KEYS, *options) == 3
    assert "discoreport: releases: village, synthesis 1: other: only 0.0 %" in capsys.readouterr().err


@pytest.mark.parametrize("out", ["original.csv", "synthetic.csv", "half.csv", "./sub/../synthetic.csv"])
def test_no_file_is_written_over(out, files, capsys):
    (files / "sub").mkdir()
    before = (files / out).read_bytes()
    assert run("mitigate", *FILES, *KEYS, "--steps", "steps.toml", "--out", out) == 5
    assert "exists. Name another file" in capsys.readouterr().err
    assert (files / out).read_bytes() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--out", "new.xlsx"], "ends in .csv"),
        (["--out", "nowhere/new.csv"], "no such folder"),
        ([], "Say where to write the new file"),
        (["synthetic.csv", "--out", "new.csv"], "one synthetic file at a time"),
        (["--steps", '{step = "mark names", prefix = "s_"}', "--out", "new.csv", "--report", "out"], "marked names"),
    ],
)
def test_what_will_not_do_is_said_before_the_work(words, said, files, capsys, monkeypatch):
    monkeypatch.setattr("discoreport.cli.mitigate.mitigate", None)
    assert run("mitigate", *FILES, *KEYS, "--steps", "steps.toml", *words) in (2, 5)
    assert said in capsys.readouterr().err


def test_steps_are_asked_for(files, capsys):
    assert run("mitigate", *FILES, *KEYS, "--out", "new.csv") == 2
    assert "--write-steps" in capsys.readouterr().err
    (files / "none.toml").write_text("")
    assert run("mitigate", *FILES, *KEYS, "--out", "new.csv", "--steps", "none.toml") == 2
    assert "has no steps" in capsys.readouterr().err


def test_a_new_file_is_whole_or_not_there(files):
    mitigated = mitigate(*FILES, SETTINGS, read_steps("steps.toml"))
    before = sorted(files.iterdir())
    with full_disk(99), pytest.raises(OutputError, match="File too large"):
        mitigated.write(files / "new.csv")
    assert sorted(files.iterdir()) == before


def test_a_file_of_steps_to_start_from_has_every_step(files):
    assert run("mitigate", "--write-steps", "start.toml") == 0
    (only,) = read_steps("start.toml")
    assert only.step == "remove replicated uniques"
    text = (files / "start.toml").read_text()
    for name, kind in STEPS.items():
        assert f'step = "{name}"' in text
        assert all(field.description in text for option, field in kind.model_fields.items() if option != "step")
    with pytest.raises(OutputError, match="exists"):
        write_steps("start.toml")


def test_steps_of_the_configuration_file_are_taken(files, capsys):
    head = 'original = "original.csv"\nsynthetic = "synthetic.csv"\nkeys = ["village"]\n'
    (files / "a.toml").write_text(head + TOML.replace("[[steps]]", "[[analyses.mitigation.steps]]"))
    assert run("mitigate", "--config", "a.toml", "--out", "new.csv") == 0
    assert "Levels of trade with fewer than 10" in capsys.readouterr().out


@pytest.mark.parametrize("name", STEPS)
def test_a_step_is_written_in_a_line_and_read_again(name):
    values = {
        "limit values": {"top": 8.5, "keep": [None, "-8"]},
        "merge levels": {"mapping": {'a "b"': "c"}},
        "group values": {"groups": [1, 2.5, 3]},
        "mark names": {"suffix": "_s"},
    }
    needed = {"variable": "age"} if "variable" in STEPS[name].model_fields else {}
    (step,) = steps_from({"step": name, **needed, **values.get(name, {})})
    assert read_steps(inline(step.plain())) == (step,)
