"""The command line: what it writes, says and returns."""

import contextlib
import functools
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from discoreport import Settings, assess, examples, load, release_size
from discoreport.cli import commands
from discoreport.cli.at_once import KEPT
from discoreport.cli.make_at_once import made
from discoreport.cli.options import settings_of
from discoreport.cli.passphrase import passphrase
from discoreport.errors import DataError, OutputError, RecordError, SettingsError
from tests.commands import EXIT_CODES, OPTIONS, command, in_front, parser, read_configuration, run, told
from tests.documents import ROOT, readme_and_guide
from tests.engines import ENGINE_SETTINGS
from tests.forms import Draft

pytestmark = pytest.mark.usefixtures("short_pdf")

SURVEY = [examples.path("original"), examples.path("synthetic_1")]
KEYS = ["--key", "sex", "--key", "age", "--key", "region", "--key", "settlement"]


def test_demo_writes_report_and_record_and_says_where(quick, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run("demo") == 0
    folder = tmp_path / "discoreport-demo"
    assert sorted(path.name for path in folder.iterdir()) == [
        "SHA256SUMS", "assessment.json", "figures", "report.html", "report.pdf", "summary.txt", "tables",
    ]  # fmt: skip
    said = capsys.readouterr().out
    assert "worked_abroad" in said
    assert "53.8" in said
    assert "discoreport-demo/report.pdf" in said


def test_assess_gives_what_the_library_gives(quick, tmp_path):
    options = ["--target", "income", "--target", "marital", "--group", "income=20", "--code", "income=-8"]
    assert run("assess", *SURVEY, *KEYS, *options, "--exclude", "marital=Single@age=16", "--out", tmp_path / "out") == 0
    by_library = assess(
        *SURVEY,
        keys=["sex", "age", "region", "settlement"],
        targets=["income", "marital"],
        numeric_groups={"income": 20},
        special_codes={"income": [-8]},
        exclude=[{"target": "marital", "level": "Single", "key": "age", "key_level": "16"}],
    )
    loaded = load(tmp_path / "out" / "assessment.json")
    assert loaded.outcome == by_library.outcome
    assert loaded.settings == by_library.settings


@pytest.mark.slow
def test_the_command_of_the_report_repeats_the_assessment(quick, tmp_path, survey_of_three):
    words = shlex.split(command(survey_of_three))
    assert words[:2] == ["discoreport", "assess"]
    assert run(*words[1:], "--out", tmp_path / "again") == 0
    assert load(tmp_path / "again" / "assessment.json").outcome == survey_of_three.outcome


@pytest.mark.parametrize("name", ["a=b", "a@b", "-x", "--target", "", "it's"])
def test_the_command_of_the_report_holds_names_of_any_kind_or_is_not_given(survey, name):
    plain = not set(name) & set("=@") and name != ""  # of others, a command may be given that reads them right
    of_key, of_target = Settings(keys=[name], targets=["ill"]), Settings(keys=["sex"], targets=[name])
    rule = {"target": "ill", "level": "y", "key": name, "key_level": "x=y"}
    for settings, must_be_given in (
        (of_key, True),
        (of_target, True),
        (with_more(of_key, numeric_groups={name: [-1.5, 3]}, special_codes={name: ["-8", "a=b"]}), plain),
        (with_more(of_key, key_missing={name: "exclude"}), plain),
        (with_more(of_target, target_missing={name: "exclude"}), plain),
        (with_more(of_key, exclude=[rule]), plain),
        (with_more(of_target, exclude=[{"target": name, "level": "-y"}]), plain),
    ):
        words = command(survey.model_copy(update={"settings": settings}))
        assert words is not None or not must_be_given
        if words is not None:
            parsed = parser().parse_args(shlex.split(words)[1:])
            assert Settings(**settings_of(parsed)) == settings


OTHERS = {
    "keys": ["sex", "-x"],
    "targets": ["ill", "it's"],
    "numeric_groups": {"sex": 7, "ill": [-1.5, 3, 1e30]},
    "special_codes": {"sex": ["-8", "a=b"], "ill": ["x@y"]},
    "missing_values": {"ill": ["?", "999"]},
    "key_missing": {"sex": "exclude"},
    "target_missing": "exclude",
    "exclude": [
        {"target": "ill", "level": None},
        {"target": "ill", "level": "a=b", "key": "sex", "key_level": None},
    ],
    "max_denominator": 7,
    "one_way_threshold": [3, 12.5],
    "two_way_threshold": [0, 100],
    "tau": [0.25, 1],
    "unit": "-house",
}


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_written_in_the_command_and_read_again(survey, name):
    usual = {"keys": ["sex"], "targets": ["ill"]}
    settings = Settings(**{**usual, name: OTHERS[name]})
    assert getattr(settings, name) != getattr(Settings(**usual), name)
    words = shlex.split(command(survey.model_copy(update={"settings": settings})))
    assert Settings(**settings_of(parser().parse_args(words[1:]))) == settings


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_an_argument_of_the_library_and_is_taken_up_by_a_form(name, monkeypatch):
    given = {"keys": ["sex"], "targets": ["ill"]} | {name: OTHERS[name]}
    settings = Settings(**given)
    monkeypatch.setattr("discoreport.assessment.assess.assess_with", lambda *given, **_: given[2])
    assert assess("original.csv", "synthetic.csv", **given) == settings
    in_form = Draft.of(settings).settings()
    if name == "target_missing":  # a form says it of each
        assert in_form.excludes_missing("ill")
    else:
        assert getattr(in_form, name) == getattr(settings, name)


def with_more(settings, **more):
    return Settings(**{**settings.model_dump(exclude_unset=True), **more})


def test_the_command_of_the_report_takes_files_that_look_like_options(survey):
    files = [survey.original, *survey.synthetic]
    original, synthetic = (one.model_copy(update={"path": f"-{number}.csv"}) for number, one in enumerate(files))
    words = command(survey.model_copy(update={"original": original, "synthetic": (synthetic,)}))
    parsed = parser().parse_args(shlex.split(words)[1:])
    assert [Path(parsed.original), *map(Path, parsed.synthetic)] == [Path("-0.csv"), Path("-1.csv")]


@pytest.mark.slow
def test_the_python_lines_of_the_report_repeat_the_assessment(survey_of_three):
    from tests.commands import python_lines

    names = {}
    exec(python_lines(survey_of_three), names)
    assert names["assessment"].outcome == survey_of_three.outcome
    assert names["assessment"].settings == survey_of_three.settings


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--key", "aeg"], "No column 'aeg' in 'original.csv.gz'. Did you mean 'age'?"),
        (["--key", "age", "--target", "incom"], "Did you mean 'income'?"),
        (["--key", "age", "--group", "income"], "--group income: write it as NAME=VALUE"),
        (["--key", "age", "--group", "income=many"], "give a whole number"),
        (["--key", "age", "--group", "marital=3"], "can't be grouped"),
        (["--key", "age", "--exclude", "marital=Singel"], "Did you mean 'Single'?"),
        (["--key", "age", "--key-missing", "sometimes"], "'level' or 'exclude'"),
        (["--key", "age", "--key-missing", "sex=exclude"], "'sex' is not a key"),
        (["--key", "age", "--one-way-threshold", "many,90"], "one_way_threshold"),
        (["--key", "age", "--max-denominator", "0"], "max_denominator"),
        ([], "Name at least one key"),
    ],
)
def test_a_mistake_is_one_clear_line_and_no_fault(words, said, tmp_path, capsys):
    assert run("assess", *SURVEY, *words, "--out", tmp_path / "out") in (2, 5)
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert "Traceback" not in error
    assert not (tmp_path / "out").exists()


def test_a_missing_file_is_named(tmp_path, capsys):
    assert run("assess", tmp_path / "nothing.csv", SURVEY[1], *KEYS, "--out", tmp_path) == 5
    assert "nothing.csv" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("in the way")
    assert run("assess", *SURVEY, *KEYS, "--target", "smoker", "--out", tmp_path / "file" / "out") == 5
    assert "file" in capsys.readouterr().err


def test_a_bad_match_is_said_aloud(quick, tmp_path, capsys):
    original, synthetic = tmp_path / "o.csv", tmp_path / "s.csv"
    original.write_text("sex,ill\n" + "M,yes\nF,no\n" * 20)
    synthetic.write_text("sex,ill\n" + "1,yes\n2,no\n" * 20)
    assert run("assess", original, synthetic, "--key", "sex", "--out", tmp_path / "out") == 0
    assert "Warning: sex, synthesis 1" in capsys.readouterr().err
    assert "check that both files use the same codes" in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.slow
def test_without_pango_the_html_is_written_and_the_exit_code_is_4(quick, take_pango_away, tmp_path, capsys):
    take_pango_away()
    assert run("assess", *SURVEY, *KEYS, "--target", "smoker", "--out", tmp_path) == 4
    assert (tmp_path / "report.html").exists()
    assert "libpangoft2-1.0-0" in capsys.readouterr().err


def test_help_has_examples(capsys):
    with pytest.raises(SystemExit) as stopped:
        run("--help")
    assert stopped.value.code == 0
    assert "discoreport assess original.csv synthetic.csv" in capsys.readouterr().out
    assert run("assess", "-h") == 0
    assert "discoreport assess original.csv synthetic.csv" in capsys.readouterr().out


def test_what_is_said_at_once_is_what_the_options_say():
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    assert kept == made(), "after a change of commands or options: python -m discoreport.cli.make_at_once"


@pytest.mark.slow
def test_the_module_runs_like_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "discoreport", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("discoreport ")


@pytest.mark.slow
def test_a_configuration_file_repeats_the_command(quick, tmp_path):
    words = ["--key", "age", "--key", "sex", "--target", "marital", "--target", "income", "--group", "income=20"]
    words += ["--code", "income=-8", "--exclude", "marital=@sex=Male", "--exclude", "marital=Single@age=16"]
    words += ["--key-missing", "age=exclude", "--target-missing", "exclude", "--max-denominator", "9"]
    words += ["--one-way-threshold", "20,30", "--two-way-threshold", "2,70.5", "--tau", "0.5,1"]
    assert run("assess", *SURVEY, *words, "--out", tmp_path / "by_options") == 0
    assert run("assess", *SURVEY, *words, "--write-config", tmp_path / "assessment.toml") == 0
    assert run("assess", "--config", tmp_path / "assessment.toml") == 0
    by_options, by_file = (load(tmp_path / name / "assessment.json") for name in ("by_options", "report"))
    assert by_file.settings == by_options.settings
    assert by_file.outcome == by_options.outcome


@pytest.mark.slow
def test_an_option_goes_before_the_configuration_file(quick, tmp_path):
    (tmp_path / "a.toml").write_text('keys = ["age"]\ntargets = ["smoker"]\nmax_denominator = 3\n')
    options = ["--config", tmp_path / "a.toml", "--target", "marital", "--out", tmp_path / "out"]
    assert run("assess", *SURVEY, *options) == 0
    settings = load(tmp_path / "out" / "assessment.json").settings
    assert (settings.keys, settings.targets, settings.max_denominator) == (("age",), ("marital",), 3)


def test_a_configuration_file_says_where_to_write_and_what_it_cannot_hold(quick, tmp_path, capsys):
    policy = tmp_path / "policy.toml"
    policy.write_text('organisation = "Statistics Northmoor"\n')
    words = [*KEYS, "--out", tmp_path / "elsewhere", "--policy", policy, "--write-config", tmp_path / "assessment.toml"]
    assert run("assess", *SURVEY, *words) == 0
    assert read_configuration(tmp_path / "assessment.toml").out == str(tmp_path / "elsewhere")
    assert "no place for --policy" in capsys.readouterr().err


@pytest.mark.slow
def test_a_configuration_file_names_the_engine(quick, tmp_path):
    (tmp_path / "place").mkdir()
    words = [*KEYS, "--target", "smoker", "--engine", "duckdb", "--memory-limit", "1GB"]
    words += ["--temporary-directory", tmp_path / "place"]
    assert run("assess", *SURVEY, *words, "--write-config", tmp_path / "assessment.toml") == 0
    assert run("assess", "--config", tmp_path / "assessment.toml") == 0
    assert load(tmp_path / "report" / "assessment.json").provenance.engine == "duckdb"
    options = ["--config", tmp_path / "assessment.toml", "--engine", "memory", "--out", tmp_path / "out"]
    assert run("assess", *options) == 0
    assert load(tmp_path / "out" / "assessment.json").provenance.engine == "memory"
    given = read_configuration(tmp_path / "assessment.toml").engine
    assert given == {"engine": "duckdb", "memory_limit": "1GB", "temporary_directory": str(tmp_path / "place")}
    written = (tmp_path / "assessment.toml").read_text()
    assert all(f"# {description}\n" in written for description in ENGINE_SETTINGS.values())
    assert "# spark_master = ..." in written


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('kyes = ["age"]', "Did you mean 'keys'?"),
        ('keys = ["age"]\nengine = "duck"', "No engine 'duck'. Did you mean 'duckdb'?"),
        ('keys = ["age"]\nmemory_limit = 4', "memory_limit must be text (got 4)"),
        ("keys = [", "isn't a TOML file"),
        ('keys = ["age"]\nmax_denominator = "many"', "max_denominator"),
        ('keys = ["age"]\nsynthetic = [1]', "synthetic must be a path"),
        ('keys = ["age"]\n[[exclude]]\ntarget = "marital"\nlevle = "Single"', "exclude"),
    ],
)
def test_a_mistake_in_a_configuration_file_is_named(content, said, tmp_path, capsys):
    (tmp_path / "a.toml").write_text(content)
    assert run("assess", *SURVEY, "--config", tmp_path / "a.toml", "--out", tmp_path / "out") == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_other_sizes_of_the_release_are_measured_where_asked_for(quick, tmp_path):
    options = ["--key", "sex", "--key", "age", "--target", "smoker", "--release-size"]
    assert run("assess", *SURVEY, *options, "--out", tmp_path / "out") == 0
    found = load(tmp_path / "out" / "assessment.json")
    assert found.analyses.release_size == release_size(*SURVEY, found.settings)
    assert found.analyses.release_size.n_records == (250, 500, 1000, 1750, 2500, 3750, 5000)
    assert " --release-size" in command(found)
    assert "--release-size-" not in command(found)


# How a command ends --------------------------------------------------------------------------------------


def test_every_exit_code_is_documented(capsys):
    with pytest.raises(SystemExit):
        run("--help")
    shown, written = capsys.readouterr().out, readme_and_guide()
    for code, words in EXIT_CODES.items():
        assert f"{code:7}  {words}" in shown
        assert f"| {code} | {words} |" in written


@pytest.fixture
def report_does(monkeypatch):
    """Give what puts something else in place of what the command `report` does."""
    return functools.partial(monkeypatch.setitem, commands.COMMANDS, "report")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyError("Zwischenau"), 70, "KeyError"),
        (OverflowError("Zwischenau"), 70, "OverflowError"),
        (MemoryError("Zwischenau"), 5, "memory"),
        (OSError(28, "No space left on device", "/data/x"), 5, "No space left on device: '/data/x'"),
        (DataError("in words"), 5, "in words"),
        (RecordError("in words"), 5, "in words"),
        (OutputError("in words"), 5, "in words"),
        (SettingsError("in words"), 2, "in words"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_whatever_goes_wrong_has_an_exit_code_of_its_kind_and_no_value(error, code, said, report_does, capsys):
    def fails(_):
        raise error

    report_does(fails)
    assert run("report", "assessment.json", "--out", "b") == code
    shown = capsys.readouterr().err
    assert said in shown
    assert "Zwischenau" not in shown
    assert ("Traceback" in shown and "in fails" in shown) == (code == 70)


@pytest.mark.parametrize(
    "content",
    [
        "[analyses.mitigation]\nsteps = 1",
        f"tau = [{'9' * 5000}]",
        "keys = 2024-02-31",
        'original = "a\\u0000b"',
        "[analyses.mitigation]\nsteps = 'none'",
        "exclude = 1",
    ],
)
def test_a_configuration_that_makes_no_sense_is_told_in_a_line(content, tmp_path, capsys):
    files = "" if "original" in content else "original = 'o.csv'\n"
    (tmp_path / "a.toml").write_text(f"{files}synthetic = 's.csv'\n{content}")
    assert run("assess", "--config", tmp_path / "a.toml", "--out", tmp_path / "b") == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def started(words, tmp_path, **environment):
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "discoreport", *map(str, words)]
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    variables = {**os.environ, **environment}
    return subprocess.run(command, cwd=tmp_path, capture_output=True, encoding=encoding, env=variables, check=False)


FAIL = ["assess", "o.csv", "s.csv", "--key", "k", "--out", "b", "--fail-on", "flags,open"]


def of_many_signs(folder):
    for name in ("o.csv", "s.csv"):
        (folder / name).write_text("k,łódź\n1,ж\n2,ш\n", encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_a_terminal_of_few_signs_changes_no_exit_code(encoding, quick, tmp_path, monkeypatch):
    of_many_signs(tmp_path)
    monkeypatch.chdir(tmp_path)
    for more in ([], ["--json"]):
        screen = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        with contextlib.redirect_stdout(screen):
            assert run(*FAIL, *more) == 3
        screen.flush()
        said = screen.buffer.getvalue().decode(encoding)
        assert json.loads(said)["exit_code"] == 3 if more else "d\\u017a" in said


@pytest.mark.generated
def test_a_process_on_a_terminal_of_few_signs_changes_no_exit_code(tmp_path):
    of_many_signs(tmp_path)
    done = started(FAIL, tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 3, done.stderr
    assert "d\\u017a" in done.stdout


@pytest.mark.slow
def test_names_that_are_not_utf_8_are_told_in_a_line(tmp_path):
    files = ["o.csv", os.fsdecode(b"s\xff.csv")]
    done = started(["assess", *files, "--key", "k", "--write-config", "c.toml"], tmp_path)
    assert done.returncode == 5, done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("words", [["--out", "x" * 300], ["--out", "a\0b"], ["--out", "b", "--templates", "x" * 300]])
def test_places_that_cannot_be_are_told_in_a_line(words, quick, small_files, capsys):
    assert run("assess", *small_files, "--key", "village", *words) in (2, 5)
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU"])
def test_a_signal_to_stop_is_told_and_lets_the_command_tidy_up(sent, report_does, capsys):
    number, tidied = getattr(signal, sent), []

    def works(_):
        with contextlib.ExitStack() as stack:
            stack.callback(tidied.append, True)
            os.kill(os.getpid(), number)
            time.sleep(5)

    report_does(works)
    with in_front(number):
        assert run("report", "assessment.json") == 128 + number
    assert tidied
    assert "stopped; nothing was written" in capsys.readouterr().err


def test_a_signal_that_is_ignored_stays_so(report_does):
    """As nohup wants it."""
    report_does(lambda _: os.kill(os.getpid(), signal.SIGHUP) or 0)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run("report", "assessment.json") == 0
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["asess"], "Did you mean 'assess'?"),
        (["assess", "o.csv", "s.csv", "--keys", "sex"], "Did you mean '--key'?"),
        (["report", "a.json", "--edition", "external "], "Did you mean 'external'?"),
        (["form", "--port", "many"], "invalid int value: 'many'"),
        (
            ["assess", "o.csv", "s.csv", "--trade-off"],
            "--trade-off: write FILE after it. See discoreport assess --help-all",
        ),
        (["report", "a.json", "--edition"], "--edition: write internal or external after it."),
        ([], "required: COMMAND"),
        (["--hepl"], "Did you mean '--help'?"),
    ],
)
def test_a_typing_error_is_told_in_one_line_with_the_nearest_name(words, said, capsys):
    with pytest.raises(SystemExit) as stopped:
        run(*words)
    shown = capsys.readouterr()
    assert stopped.value.code == 2
    assert said in shown.err
    assert (shown.err.count("\n"), shown.out) == (1, "")


@pytest.mark.parametrize(
    ("words", "code"),
    [(["--keys", "sex"], 2), (["--fail-on", "typo"], 2), (["--key", "sex"], 5), (["--key", "sex", "--tau", "x"], 2)],
)
def test_programs_are_told_of_an_error_in_json(words, code, tmp_path, capsys):
    given = ["assess", tmp_path / "none.csv", tmp_path / "none.csv", *words, "--out", tmp_path / "out", "--json"]
    try:
        status = run(*given)
    except SystemExit as stopped:
        status = stopped.code
    content = told(capsys.readouterr().out)
    assert status == content["exit_code"] == code
    assert set(content) == {"exit_code", "error"}
    assert content["error"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--memory-limit", "much"], "memory_limit: must be a size such as \"4GB\" (got 'much')"),
        (["--read", "delimiter=;;"], "delimiter can't be ';;': it is the sign between the fields"),
        (["--documentation", __file__], "isn't a TOML file"),
        (["--documentation", SURVEY[0]], "isn't a TOML file: it isn't in UTF-8"),
        (["--templates", "none"], "There is no template folder 'none'"),
    ],
)
def test_an_option_that_will_not_do_is_told_in_one_line_before_the_work(words, said, tmp_path, capsys):
    assert run("assess", *SURVEY, "--key", "sex", *words, "--out", tmp_path / "out") == 2
    told_of = capsys.readouterr().err
    assert said in told_of
    assert told_of.count("\n") == 1  # files that don't match would be warned of first


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--key", "sex,age"], "--key sex --key age"),
        (["--key", "sex", "--exclude", "marital:Single"], "such as marital=Single"),
    ],
)
def test_what_to_write_is_said_of_names_that_are_joined(words, said, tmp_path, capsys):
    assert run("assess", *SURVEY, *words, "--out", tmp_path / "out") in (2, 5)
    assert said in capsys.readouterr().err


def test_a_folder_stands_for_the_record_in_it(quick, small, tmp_path):
    small.save(tmp_path / "assessment.json")
    assert run("report", tmp_path, "--write-documentation", tmp_path / "said.toml") == 0
    assert run("notebook", tmp_path, "--out", tmp_path / "repeat.ipynb") == 0


def test_the_passphrase_comes_from_a_file_a_descriptor_or_the_environment(tmp_path, monkeypatch, capsys):
    (tmp_path / "secret").write_text("pass word\n")
    monkeypatch.setenv("SECRET", "pass word")
    descriptor = os.open(tmp_path / "secret", os.O_RDONLY)
    given = [["file", tmp_path / "secret"], ["env", "SECRET"], ["fd", descriptor]]
    for way, value in given:
        parsed = parser().parse_args(["report", "a.json", "--sign", "o.p12", f"--passphrase-{way}={value}"])
        assert passphrase(parsed) == "pass word"
    os.close(descriptor)  # is still open: libraries need their standard input
    for words in (["--passphrase-env=NONE"], ["--passphrase-fd=99"], ["--passphrase-env=SECRET", "--passphrase-fd=0"]):
        with pytest.raises(SettingsError, match=r"passphrase"):
            passphrase(parser().parse_args(["report", "a.json", "--sign", "o.p12", *words]))


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", "<&-", ">&-", "2>&-"])
def test_closed_input_and_output_change_nothing_of_what_is_written(closed, small, tmp_path):
    small.save(tmp_path / "assessment.json")
    words = shlex.join([sys.executable, "-m", "discoreport", "report", str(tmp_path), "--out", str(tmp_path / "out")])
    done = subprocess.run(["sh", "-c", f"{words} {closed}"], capture_output=True, check=False)
    assert done.returncode in (0, 4)  # whether or not Pango is here
    assert (done.stderr == b"") is (done.returncode == 0)
    assert len([*(tmp_path / "out" / "figures").iterdir()]) > 2


def test_without_a_terminal_signing_says_where_the_passphrase_may_be(quick, small, tmp_path):
    small.save(tmp_path / "assessment.json")
    words = ["report", tmp_path, "--sign", tmp_path / "officer.p12", "--out", tmp_path / "out"]
    done = subprocess.run(
        [sys.executable, "-m", "discoreport", *map(str, words)],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, start_new_session=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "--passphrase-file FILE, --passphrase-fd NUMBER or --passphrase-env NAME" in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_fits_a_screen_and_help_all_has_every_option(capsys):
    commands = next(one for one in parser(whole=True)._actions if one.choices).choices
    for name, asked in commands.items():
        assert run(name, "--help") == 0
        shown = capsys.readouterr().out.splitlines()
        assert len(shown) <= 24, name
        assert all(len(line) <= 110 for line in shown), name
        if not asked.common:
            continue
        assert any("--help-all" in line for line in shown)
        with pytest.raises(SystemExit):
            run(name, "--help-all")
        whole = capsys.readouterr().out
        assert all(word in whole for one in asked._actions for word in one.option_strings)
        assert {*asked.common} <= {word for one in asked._actions for word in one.option_strings}


TYPED = [
    (["ass"], "assess"),
    (["assess", "--doc"], "--documentation"),
    (["verify", "--auth"], "--authorities"),
    (["completion", "fi"], "fish"),
    (["completion", ""], "bash zsh fish"),
    (["report", "--edition", ""], "internal external"),
    (["assess", "--engine", "d"], "duckdb"),
    (["assess", ""], ""),
]
"""Words before the cursor, and what a shell makes of the last."""


@pytest.mark.parametrize(("typed", "expected"), TYPED)
def test_bash_completes_commands_options_and_values(typed, expected, capsys, tmp_path):
    assert run("completion", "bash") == 0
    (tmp_path / "completion").write_text(capsys.readouterr().out)
    words = " ".join(f"'{word}'" for word in ["discoreport", *typed])
    asked = f"source completion; COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _discoreport; echo ${{COMPREPLY[*]}}"
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.strip() == expected
    assert done.stderr == ""


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish here")
@pytest.mark.parametrize(("typed", "expected"), TYPED[:-1])
def test_fish_completes_commands_options_and_values(typed, expected, capsys, tmp_path):
    assert run("completion", "fish") == 0
    (tmp_path / "completion").write_text(capsys.readouterr().out)
    asked = f"source completion; cd (mktemp -d); complete -C 'discoreport {' '.join(typed)}'"
    done = subprocess.run(["fish", "-N", "-c", asked], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert {line.partition("\t")[0] for line in done.stdout.splitlines()} == {*expected.split()}
    assert done.stderr == ""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh here")
def test_zsh_takes_its_completion_whether_it_completes_already_or_not(capsys, tmp_path):
    assert run("completion", "zsh") == 0
    (tmp_path / "completion").write_text(capsys.readouterr().out)
    for before in ("", "autoload -Uz compinit && compinit -u -D; "):
        asked = f"{before}source ./completion; print $_comps[discoreport]"
        done = subprocess.run(
            ["zsh", "-f", "-c", asked], capture_output=True, text=True, check=True, cwd=tmp_path,
            env={**os.environ, "HOME": str(tmp_path)},  # where zsh keeps what it completes
        )  # fmt: skip
        assert "_discoreport" in done.stdout
        assert done.stderr == ""


def test_every_shell_has_every_option(capsys):
    commands = next(one for one in parser(whole=True)._actions if one.choices).choices
    for shell in ("bash", "zsh", "fish"):
        run("completion", shell)
        shown = capsys.readouterr().out
        for name, asked in commands.items():
            assert name in shown
            for word in (word for one in asked._actions for word in one.option_strings if word.startswith("--")):
                assert (f"-l {word[2:]} " if shell == "fish" else word) in shown


@pytest.mark.slow
def test_a_bundle_of_the_command_line_holds_with_every_default(tmp_path, capsys):
    files = [str(examples.path(name)) for name in ("original", "synthetic_1")]
    assert run("assess", *files, "--key", "sex", "--target", "smoker", "--out", tmp_path / "out") == 0
    record = load(tmp_path / "out" / "assessment.json")
    assert repr(record.settings) == repr(assess(*files, keys="sex", targets="smoker").settings)
    verified = run("verify", tmp_path / "out", "--original", files[0], "--synthetic", files[1])
    assert verified == 0, capsys.readouterr().out


def test_the_guide_names_every_option_that_is_called_otherwise_than_its_setting():
    words = {name: option.word for name, option in OPTIONS.items()}
    called = {name: word for name, word in words.items() if f"--{name.replace('_', '-')}" != word}
    assert called.pop("keys") == "--key"
    assert called.pop("targets") == "--target"
    text = (ROOT / "discoreport/guide/own-files.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(--\w+)` \(`(\w+)`\)", text)) == {(word, name) for name, word in called.items()}
