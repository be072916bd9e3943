"""The layout for output checkers: what their viewers need, and what must not happen."""

import hashlib
import json
from datetime import UTC, datetime

import pytest

from discoreport.errors import OutputError, SettingsError
from discoreport.report.sacro_layout import KINDS, LARGEST, checker_layout

CREATED = datetime(2026, 11, 28, 9, 30, 0, 123456, tzinfo=UTC)
BUNDLE = {
    "tables/attribute.csv": b"target,DiSCO\nincome,12.5\n",
    "figures/overview.png": b"\x89PNG",
    "figures/overview.svg": b"<svg/>",
    "assessment.json": '{"version": "1", "results": {}, "name": "Łódź"}'.encode(),
    "summary.txt": b"In short",
    "report.pdf": b"%PDF-1.7",
}
DESCRIPTIONS = {"tables/attribute.csv": "How much of each variable is given away", "summary.txt": "x <img> Ä"}


def laid_out(files=BUNDLE, **changed):
    given = {"version": "0.1.0", "created": CREATED, "descriptions": {}, "command": "discoreport assess a b"}
    return checker_layout(files, **given | changed)


def results(layout):
    return json.loads(layout["results.json"])["results"]


def test_every_file_of_the_bundle_is_an_output_with_its_bytes():
    layout = laid_out()
    listed = [output["files"] for output in results(layout).values()]
    assert all(len(files) == 1 for files in listed)
    assert sorted(layout[files[0]["name"]] for files in listed) == sorted(BUNDLE.values())


def test_outputs_have_what_viewers_read():
    for name, output in results(laid_out(descriptions=DESCRIPTIONS)).items():
        assert output["uid"] == name
        assert output["status"] == "review"
        assert output["summary"] == "review"
        assert output["type"] == "custom"
        assert output["timestamp"] == "2026-11-28T09:30:00+00:00"
        assert output["command"] == "discoreport assess a b"
        assert output["outcome"] == {}
        assert output["exception"] == ""
        assert output["fair"] == {}
        assert output["files"][0]["sdc"] == {}
        assert output["properties"]["method"] in set(KINDS.values())
        assert all(isinstance(comment, str) for comment in output["comments"])


def test_the_version_is_one_that_the_viewer_takes_and_the_tool_says_its_own():
    content = json.loads(laid_out()["results.json"])
    major, minor, _ = content["version"].split(".")
    assert (major, minor) >= ("0", "4")  # compared as the viewer does
    assert content["tool"] == {"name": "discoreport", "version": "0.1.0"}
    assert json.loads(laid_out(layout_version="1.0.2")["results.json"])["version"] == "1.0.2"


def test_only_results_json_looks_like_a_list_of_outputs():
    layout = laid_out()
    beside = [name for name in layout if name.endswith(".json") and "/" not in name]
    assert sorted(beside) == ["config.json", "results.json"]
    assert "results" not in json.loads(layout["config.json"])
    assert all(layout[name].isascii() for name in beside)


def test_checksums_are_those_of_the_files_and_nothing_else():
    layout = laid_out()
    checksums = {name for name in layout if name.startswith("checksums/")}
    assert len(checksums) * 2 == len(layout)
    for name in checksums:
        content = layout[name.removeprefix("checksums/").removesuffix(".txt")]
        assert layout[name].decode() == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    "name",
    [
        "summary.txt",
        "Summary.TXT",
        "missing-files.txt",
        "metadata-redacted.json",
        "outputs.json",
        "results.json",
        "config.json",
    ],
)
def test_nothing_is_called_as_a_file_of_the_layout_or_of_the_viewer(name):
    (output,) = results(laid_out({name: b"x"})).values()
    assert output["files"][0]["name"].rpartition("/")[2] == f"report_{name}"


def test_descriptions_stand_with_their_file_as_plain_text():
    outputs = results(laid_out(descriptions=DESCRIPTIONS))
    table = outputs["tables_attribute.csv"]["comments"]
    assert table == [DESCRIPTIONS["tables/attribute.csv"], "In the bundle of discoreport: tables/attribute.csv"]
    assert outputs["report_summary.txt"]["comments"][0] == "x ‹img› Ä"
    assert outputs["report.pdf"]["comments"] == []


def test_a_description_without_its_file_is_refused():
    with pytest.raises(SettingsError, match=r"Did you mean 'tables/attribute\.csv'"):
        laid_out(descriptions={"tables/atribute.csv": "x"})


def test_the_same_bundle_gives_the_same_bytes():
    backwards = dict(reversed(BUNDLE.items()))
    assert laid_out() == laid_out(backwards)
    assert list(laid_out()) == list(laid_out(backwards))


@pytest.mark.parametrize(
    "name",
    [
        "../x.csv",
        "a/../../x.csv",
        "/etc/x.csv",
        "a//x.csv",
        "./x.csv",
        "..\\x.csv",
        "C:x.csv",
        "C:/x.csv",
        "x\0.csv",
        "a\nb.csv",
        "x.csv\n",
        ".hidden.csv",
        "<img src=x>.csv",
        "",
    ],
)
def test_names_that_leave_the_folder_or_break_it_are_refused(name):
    with pytest.raises(OutputError, match="can't be the name of an output"):
        laid_out({name: b""})


@pytest.mark.parametrize("name", ["report.html", "SHA256SUMS", "data.parquet", "x.csv.exe", "csv"])
def test_other_types_are_refused(name):
    with pytest.raises(OutputError, match=r"don't release files such as .*\.csv"):
        laid_out({name: b""})


def test_files_of_more_than_16_mb_are_refused():
    assert "report.pdf" in laid_out({"report.pdf": bytes(LARGEST)})
    with pytest.raises(OutputError, match=r"'report\.pdf' has 16\.0 MB.*up to 16 MB"):
        laid_out({"report.pdf": bytes(LARGEST + 1)})


@pytest.mark.parametrize("other", ["tables_age.csv", "tables_Age.csv", "TABLES/age.csv"])
def test_two_files_that_would_get_one_name_are_refused(other):
    with pytest.raises(OutputError, match="would both be called"):
        laid_out({"tables/age.csv": b"", other: b""})


def test_a_bundle_without_files_lists_no_outputs():
    layout = laid_out({})
    assert results(layout) == {}
    assert set(layout) == {"results.json", "config.json", "checksums/results.json.txt", "checksums/config.json.txt"}


def test_acros_own_reader_reads_it(tmp_path):
    record = pytest.importorskip("acro.record", reason="ACRO needs an earlier pandas; .ci/versions tries it")
    version = pytest.importorskip("acro.version").__version__
    for place, content in laid_out(layout_version=version, descriptions=DESCRIPTIONS).items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(content)
    read = record.load_records(str(tmp_path))
    assert read.results.keys() == results(laid_out()).keys()
    assert {one.status for one in read.results.values()} == {"review"}
    assert {one.command for one in read.results.values()} == {"discoreport assess a b"}
