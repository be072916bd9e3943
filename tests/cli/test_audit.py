"""Assessments in a pipeline: what they say to programs, and when they stop them."""

import json

import pandas as pd
import pytest

from discoreport import cli, examples, load
from tests.commands import _sentence, told
from tests.policies import Compared, under

pytestmark = pytest.mark.usefixtures("no_pages")

POLICY = """
[[thresholds]]
measure = "DiSCO"
limit = {limit}
source = "Policy 1"
"""


@pytest.fixture
def run(tmp_path, capsys):
    def run(*words, limit=None, files=("original", "synthetic_1"), target="worked_abroad"):
        options = ["--key", "sex", "--key", "region", "--out", tmp_path / "out"]
        options += ["--target", target] if target else []
        if limit is not None:
            (tmp_path / "policy.toml").write_text(POLICY.format(limit=limit))
            options += ["--policy", tmp_path / "policy.toml"]
        paths = [examples.path(file) if isinstance(file, str) else file for file in files]
        status = cli.main([str(word) for word in ("assess", *paths, *options, *words)])
        said = capsys.readouterr()
        if "--json" in words:
            told(said.out)
        return status, said.out, said.err

    return run


def test_quiet_says_nothing(run, tmp_path):
    assert run("--quiet") == (0, "", "")
    assert (tmp_path / "out" / "assessment.json").exists()


def test_json_is_all_there_is_on_the_output_and_names_the_record(run, tmp_path):
    status, out, _ = run("--json", limit=0)
    said = json.loads(out)
    assert status == said["exit_code"] == 0
    record = load(tmp_path / "out" / "assessment.json")
    assert said["record"] == record.fingerprint
    assert said["folder"] == str(tmp_path / "out")
    assert [item["what"] for item in said["open_items"]] == [item.what for item in record.open_items]
    assert said["above_thresholds"] == [
        {
            "measure": "DiSCO",
            "target": "worked_abroad",
            "value": record.value("DiSCO", "worked_abroad"),
            "of": None,
            "limit": 0.0,
            "source": "Policy 1",
        }
    ]
    assert said["failed"] == {}


@pytest.mark.slow
def test_a_figure_above_a_threshold_stops_where_asked_for(run):
    status, _, error = run("--fail-on", "thresholds", "--quiet", limit=0)
    assert status == 3
    assert "DiSCO of worked_abroad" in error
    assert "is above 0 % (Policy 1)" in error
    assert run("--fail-on", "thresholds", limit=100)[0] == 0
    assert run(limit=0)[0] == 0


@pytest.mark.parametrize(
    ("value", "limit", "said"),
    [
        (13.02, 5, "13.0 % is above 5 %"),
        (5.04, 5, "5.04 % is above 5 %"),
        (0.02, 0, "0.02 % is above 0 %"),
        (5.96, 5.955, "6.0 % is above 5.955 %"),
        (12.3456789, 12.3412345, "12.35 % is above 12.3412345 %"),
    ],
)
def test_a_figure_above_a_threshold_reads_as_such(small, value, limit, said):
    (threshold,) = under(small, ("repU", limit)).policy.thresholds
    row = Compared(threshold, "", value)
    assert _sentence(row, ()) == f"repU: {said} (Policy 1)."


def test_a_figure_that_cannot_be_compared_does_not_pass_for_low(run, tmp_path):
    empty = tmp_path / "empty.csv"
    pd.DataFrame({"sex": ["x"] * 5, "region": ["y"] * 5, "smoker": ["z"] * 5}).to_csv(empty, index=False)
    (tmp_path / "policy.toml").write_text(POLICY.format(limit=50).replace("DiSCO", "TCAP"))
    options = ["--policy", tmp_path / "policy.toml", "--json", "--fail-on", "thresholds"]
    status, out, _ = run(*options, files=("original", empty), target="smoker")
    said = json.loads(out)
    assert status == 3
    assert said["not_comparable"][0]["value"] is None
    assert "nothing to divide by" in said["failed"]["thresholds"][0]


def test_a_threshold_that_nothing_was_compared_with_does_not_pass(run, tmp_path):
    keys_only = tmp_path / "keys.csv"
    examples.read("original")[["sex", "region"]].to_csv(keys_only, index=False)
    (tmp_path / "policy.toml").write_text(POLICY.format(limit=50))
    options = ["--policy", tmp_path / "policy.toml", "--json", "--fail-on", "thresholds"]
    status, out, _ = run(*options, files=(keys_only, keys_only), target=None)
    said = json.loads(out)
    assert status == 3
    assert said["failed"]["thresholds"] == ["DiSCO: there is no target, so nothing was compared with 50 %."]
    assert [(one["measure"], one["target"], one["value"]) for one in said["not_comparable"]] == [("DiSCO", None, None)]


def test_thresholds_that_nobody_gave_are_an_error(run, tmp_path):
    status, _, error = run("--fail-on", "thresholds")
    assert status == 2
    assert "--policy FILE" in error
    assert not (tmp_path / "out").exists()


def test_an_unanswered_flag_stops_and_an_answered_one_does_not(run, tmp_path):
    options = ["--one-way-threshold", "1,1", "--two-way-threshold", "100000,100"]
    status, out, _ = run(*options, "--fail-on", "flags", "--json")
    assert status == 3
    assert json.loads(out)["unanswered_flags"] == 1
    flag = load(tmp_path / "out" / "assessment.json").unanswered[0]
    (tmp_path / "said.toml").write_text(
        f'[[answers]]\ntarget = "worked_abroad"\nlevel = "{flag.level}"\nprior_knowledge = true\nreason = "known"\n'
    )
    assert run(*options, "--fail-on", "flags", "--documentation", tmp_path / "said.toml")[0] == 0


def test_files_that_do_not_match_stop_where_asked_for(run, tmp_path):
    other = tmp_path / "other.csv"
    pd.DataFrame({"sex": [1, 2], "region": [1, 2], "smoker": [1, 2]}).to_csv(other, index=False)
    status, _, error = run("--fail-on", "flags,warnings", "--quiet", files=("original", other), target="smoker")
    assert status == 3
    assert "discoreport: sex, synthesis 1:" in error


def test_anything_open_stops_where_asked_for(run):
    status, out, _ = run("--fail-on", "open", "--json")
    assert status == 3
    assert any("No decision" in sentence for sentence in json.loads(out)["failed"]["open"])


def test_an_exclusion_without_reason_or_name_is_no_answer(run):
    options = ["--exclude", "worked_abroad=No", "--fail-on", "flags", "--json"]
    status, out, _ = run(*options)
    assert status == 3
    assert json.loads(out)["failed"]["flags"][-1].startswith("1 exclusion not documented")


def test_a_copy_stops_a_run(run):
    status, out, _ = run("--fail-on", "warnings", "--json", files=("original", "original"))
    assert status == 3
    assert "is it a copy?" in json.loads(out)["failed"]["warnings"][0]


@pytest.mark.parametrize("written", ["threshold", "flags,", "", "flags,all"])
def test_a_misspelt_reason_never_passes(written, run, tmp_path):
    status, _, error = run("--fail-on", written)
    assert status == 2
    assert "no such reason" in error
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_being_stopped_goes_before_a_missing_pdf(run, take_pango_away):
    take_pango_away()
    assert run("--quiet")[0] == 4
    assert run("--fail-on", "open", "--quiet")[0] == 3


def test_a_configuration_file_is_audited_alike(tmp_path, capsys):
    words = ["assess", examples.path("original"), examples.path("synthetic_1"), "--key", "sex", "--target", "smoker"]
    assert cli.main([str(word) for word in [*words, "--write-config", tmp_path / "assessment.toml"]]) == 0
    capsys.readouterr()
    assert cli.main(["assess", "--config", str(tmp_path / "assessment.toml"), "--json", "--fail-on", "open"]) == 3
    assert json.loads(capsys.readouterr().out)["exit_code"] == 3
