"""The bundle: what it holds, that it is written as a whole, and what `verify` catches."""

import contextlib
import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pandas as pd
import pikepdf
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import NameOID
from pyhanko.pdf_utils.generic import StreamObject
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

from discoreport import Documentation, Report, assess, check_signature, load, verify, write_bundle
from discoreport.errors import OutputError, RecordError, ReplacedWarning, require_new
from tests.commands import run
from tests.pages import SUMS, contents, read_sums, sign, to_csv, with_sums, write_checker_layout, write_folder
from tests.pages import bundle as bundles
from tests.pages import verify as verifying
from tests.stand_ins import full_disk
from tests.tables import files

pytestmark = pytest.mark.usefixtures("short_pdf")


@pytest.fixture(scope="module")
def written(small, tmp_path_factory):
    return write_bundle(small, tmp_path_factory.mktemp("bundle") / "approval")


@pytest.fixture
def bundle(written, tmp_path):
    """A copy that may be changed."""
    return shutil.copytree(written, tmp_path / "approval")


@pytest.fixture(autouse=True, scope="module")
def rendered():
    """Render a record once for all tests, as it is the same and takes a second; give what was asked for."""
    made, asked = {}, []

    def once(report, *, pdf=True, tell=None):
        key = (report.record, report.edition, str(report.templates), pdf)
        asked.append(key)
        if key not in made:
            made[key] = contents(report, pdf=pdf)
        return made[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verifying, "contents", once)
        patch.setattr(bundles, "contents", once)
        yield asked


def files_in(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def sum_again(folder):
    """Do what somebody would who changes a file and hides it."""
    files = files_in(folder)
    files.pop(SUMS, None)
    (folder / SUMS).write_bytes(with_sums(files)[SUMS])


# What it holds -------------------------------------------------------------------------------------------


def test_the_bundle_is_whole(written, small):
    names = set(files_in(written))
    assert {"report.pdf", "report.html", "assessment.json", "summary.txt", SUMS} <= names
    figures = {name.rsplit(".", 1)[0] for name in names if name.startswith("figures/")}
    assert {"figures/overview", "figures/identity", "figures/steps", "figures/cap"} <= figures
    for figure in figures:
        assert {f"{figure}.svg", f"{figure}.png"} <= names
        assert f"tables/{figure.removeprefix('figures/')}.csv" in names
    assert load(written / "assessment.json") == small
    assert not list(written.parent.glob(".discoreport-*"))


def test_the_fingerprints_are_those_that_other_programs_compute(written):
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", SUMS], cwd=written, check=True)
    assert set(read_sums((written / SUMS).read_bytes())) == set(files_in(written)) - {SUMS}


def test_the_fingerprint_on_the_first_page_is_that_of_the_record(written):
    record = hashlib.sha256((written / "assessment.json").read_bytes()).hexdigest()
    assert record in (written / "report.html").read_text()
    assert record in (written / "summary.txt").read_text()


def test_the_tables_hold_the_figures_of_the_record(written, small):
    rows = list(csv.DictReader(io.StringIO((written / "tables" / "attribute.csv").read_text())))
    assert [row["target"] for row in rows] == ["trade"]
    assert float(rows[0]["DiSCO"]) == pytest.approx(small.value("DiSCO", "trade"))
    identity = list(csv.DictReader(io.StringIO((written / "tables" / "identity.csv").read_text())))
    unique = next(row for row in identity if row["measure"] == "UiO")
    assert (unique["n_records"], unique["n_denominator"]) == ("20", "63")


@pytest.mark.slow
def test_the_same_record_gives_the_same_bytes(small, written):
    assert contents(Report(small)) == files_in(written)


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t=", " =", "\r"])
def test_no_cell_is_a_formula(sign):
    written = to_csv(pd.DataFrame({f"{sign}head": [f"{sign}1+1"], "n": [-1.5]})).decode()
    head, row = list(csv.reader(io.StringIO(written, newline="")))
    assert head[0].startswith("'")
    assert row[0].startswith("'")
    assert row[1] == "-1.5"


# Writing -------------------------------------------------------------------------------------------------


@pytest.fixture
def two_steps(monkeypatch):
    """Let no folders change places at once."""
    monkeypatch.setattr("discoreport.files.exchanged", lambda *_: False)


@pytest.fixture(params=["at once", "in two steps"])
def exchange(request):
    """Let folders change places at once, and as where a system can't do that."""
    if request.param == "in two steps":
        request.getfixturevalue("two_steps")
    return request.param


@pytest.mark.usefixtures("exchange")
def test_an_earlier_bundle_is_gone_once_a_new_one_is_in_its_place(bundle, tmp_path):
    write_folder(bundle, {"report.html": b"new"})
    assert files_in(bundle) == {"report.html": b"new"}
    assert [path.name for path in tmp_path.iterdir()] == [bundle.name]


def test_there_is_a_bundle_at_any_moment(bundle, monkeypatch):
    """Where folders can change places, none is renamed away."""
    monkeypatch.setattr(type(bundle), "replace", lambda *_: pytest.fail("renamed"))
    write_folder(bundle, {"report.html": b"new"})
    assert files_in(bundle) == {"report.html": b"new"}


def test_a_bundle_is_on_the_disk_before_it_takes_its_place(bundle, monkeypatch):
    synced, before = [], []
    sync, exchange = os.fsync, files.exchanged
    monkeypatch.setattr(os, "fsync", lambda opened: (synced.append(os.fstat(opened).st_ino), sync(opened)))

    def exchanged(one, other):
        before.extend({path.stat().st_ino for path in (one, *files.inside(one))} - set(synced))
        return exchange(one, other)

    monkeypatch.setattr(files, "exchanged", exchanged)
    write_folder(bundle, {"report.html": b"new", "tables/a.csv": b"a"})
    assert synced
    assert not before
    assert synced[-1] == bundle.parent.stat().st_ino


KILLED = """
import os, pathlib, sys
from discoreport import files
from discoreport.report.bundle import write_folder
usual, renamed = files.exchanged, pathlib.Path.replace

def at_once(*places):
    usual(*places)
    os.kill(os.getpid(), 9)

def in_two_steps(self, target):
    renamed(self, target)
    os.kill(os.getpid(), 9)

files.exchanged = at_once if sys.argv[2] == "at once" else lambda *_: False
pathlib.Path.replace = in_two_steps
write_folder(sys.argv[1], {"report.html": b"new"})
"""


@pytest.mark.slow
@pytest.mark.fast_cases(1)
def test_a_kill_while_folders_change_places_loses_no_bundle_and_the_next_run_sweeps(bundle, tmp_path, exchange):
    before = files_in(bundle)
    done = subprocess.run([sys.executable, "-c", KILLED, bundle, exchange], check=False)
    assert done.returncode == -9
    (left,) = tmp_path.glob(".discoreport-unfinished-*")
    assert (left / "for").read_text() == bundle.name
    if exchange == "at once":
        assert files_in(bundle) == {"report.html": b"new"}
    with pytest.raises(TypeError):
        write_folder(bundle, {"report.html": None})  # sweeps, puts back, and fails
    assert files_in(bundle) == ({"report.html": b"new"} if exchange == "at once" else before)
    assert [path.name for path in tmp_path.iterdir()] == [bundle.name]


def test_what_another_run_is_at_work_on_is_not_swept(bundle):
    with files.workshop(bundle) as scratch:
        (scratch / "new").touch()
        write_folder(bundle, {"report.html": b"new"})
        assert (scratch / "new").exists()


def test_a_file_that_comes_in_the_last_moment_is_left_alone(bundle, monkeypatch, exchange):
    before, take_place = files_in(bundle), bundles.take_place

    def late(unfinished, folder):
        (folder / "letter.txt").write_text("mine")
        return take_place(unfinished, folder)

    monkeypatch.setattr(bundles, "take_place", late)
    with pytest.raises(OutputError, match=r"letter\.txt"):
        write_folder(bundle, {"report.html": b"new"})
    assert files_in(bundle) == {**before, "letter.txt": b"mine"}


@pytest.mark.parametrize("name", ["mine", "tables/mine"])
def test_an_empty_folder_of_others_is_left_alone(small, bundle, name):
    (bundle / name).mkdir()
    with pytest.raises(OutputError, match=name):
        write_bundle(small, bundle)
    assert (bundle / name).is_dir()


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("closed", ["private", "."])
def test_what_cannot_be_looked_into_is_left_alone(closed):
    """A folder of others, in the bundle's or in its place, whose parent is everybody's."""
    place = Path(tempfile.mkdtemp())
    try:
        (place / "b" / "private").mkdir(parents=True)
        (place / "b" / "private" / "letter.txt").write_text("mine")
        os.chown(place / "b", 65534, 65534)
        for path, mode in ((place, 0o777), (place / "b", 0o777), (place / "b" / closed, 0o700)):
            path.chmod(mode)
        if closed == ".":
            os.chown(place / "b", 0, 0)
        script = (
            "import os, sys; from discoreport.errors import OutputError\n"
            "from discoreport.report.bundle import write_folder\n"
            "os.setgid(65534); os.setuid(65534)\n"
            "try: write_folder(sys.argv[1], {'report.html': b'new'})\n"
            "except OutputError as error: print(error)"
        )
        done = subprocess.run([sys.executable, "-c", script, place / "b"], capture_output=True, text=True, check=True)
        assert "ermission" in done.stdout
        assert (place / "b" / "private" / "letter.txt").read_text() == "mine"
    finally:
        shutil.rmtree(place)


PLACES = {
    "is a mount point": (Path, "is_mount", lambda folder: lambda path: path == folder),
    "no permission": (os, "access", lambda folder: lambda path, _: path != folder.parent),
    "somebody else's": (os, "geteuid", lambda _: lambda: 12345),
    "free there": (shutil, "disk_usage", lambda _: lambda _: shutil._ntuple_diskusage(10**9, 10**9, 1000)),
    r"folder of temporary files .* TMPDIR": (
        shutil,
        "disk_usage",
        lambda folder: lambda place: shutil._ntuple_diskusage(0, 0, 10**9 if place == folder.parent else 1000),
    ),
}


@pytest.mark.parametrize(("said", "place"), PLACES.items(), ids=PLACES)
def test_a_folder_that_cannot_be_replaced_is_told_of_before_the_work(small, bundle, monkeypatch, rendered, said, place):
    of, name, answers = place
    bundle.parent.chmod(0o1777)
    monkeypatch.setattr(of, name, answers(bundle))
    rendered.clear()
    with pytest.raises(OutputError, match=said):
        write_bundle(small, bundle)
    assert not rendered


def test_a_file_in_a_folder_that_may_not_be_written_is_told_of_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path)
    with pytest.raises(OutputError, match="no permission for"):
        require_new(tmp_path / "new" / "risk.csv")


def test_a_run_that_fails_leaves_the_old_bundle(bundle, tmp_path):
    before = files_in(bundle)
    with full_disk(99), pytest.raises(OutputError, match="File too large"):
        write_folder(bundle, {"one.txt": b"1", "two.txt": bytes(100)})
    assert files_in(bundle) == before
    assert not list(tmp_path.glob(".discoreport-*"))


def test_a_folder_with_other_files_is_left_alone(small, bundle, tmp_path):
    (bundle / "letter.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"letter\.txt"):
        write_bundle(small, bundle)
    with pytest.raises(OutputError, match="is a file"):
        write_bundle(small, bundle / "letter.txt")
    assert (bundle / "letter.txt").read_text() == "mine"


def test_files_of_others_are_left_alone_though_their_fingerprints_are_listed(small, bundle, tmp_path):
    data = tmp_path / "data"
    (data / "tables").mkdir(parents=True)
    (data / "original.csv").write_text("mine")
    (data / "tables" / "codes.csv").write_text("mine")
    sum_again(data)
    with pytest.raises(OutputError, match=r"original\.csv"):
        write_bundle(small, data)
    (bundle / "letter.txt").write_text("mine")
    sum_again(bundle)
    with pytest.raises(OutputError, match=r"letter\.txt"):
        write_bundle(small, bundle)


@pytest.mark.parametrize("place", ["", "tables"])
def test_the_folder_that_one_is_in_is_not_replaced(small, bundle, monkeypatch, place):
    monkeypatch.chdir(bundle / place)
    with pytest.raises(OutputError, match="while you are in it"):
        write_bundle(small, "." if not place else "..")
    assert (bundle / SUMS).is_file()


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(5, "Input/output error")])
@pytest.mark.usefixtures("two_steps")
def test_a_stop_or_a_fault_between_two_steps_leaves_a_bundle(bundle, tmp_path, monkeypatch, n, error):
    usual, calls = type(bundle).replace, []

    def stopped(path, target):
        calls.append(path)
        if n == 0:
            raise error
        usual(path, target)
        if len(calls) == n:
            raise error

    before = files_in(bundle)
    monkeypatch.setattr(type(bundle), "replace", stopped)
    with pytest.raises((KeyboardInterrupt, OutputError)):
        write_folder(bundle, {"report.html": b"new"})
    assert files_in(bundle) == (before if n < 2 else {"report.html": b"new"})
    assert not list(tmp_path.glob(".discoreport-*"))


def test_the_layout_of_the_external_edition_names_no_key_and_no_original(small, tmp_path):
    report = Report(small, edition="external")
    folder = write_checker_layout(
        report, tmp_path / "checkers", command="discoreport assess original.csv --key village"
    )
    assert "village" not in (folder / "results.json").read_text()
    write_checker_layout(report, folder)  # an earlier one is replaced


@pytest.mark.parametrize("name", ["report.pdf", "report.html"])
def test_a_report_of_somebody_else_is_not_replaced(small, tmp_path, name):
    (tmp_path / name).write_text("of somebody else")
    with pytest.raises(OutputError, match=f"belong to a bundle: {name}"):
        write_bundle(small, tmp_path)
    assert (tmp_path / name).read_text() == "of somebody else"


def test_a_bundle_does_not_replace_one_of_the_other_edition(small, bundle):
    before = files_in(bundle)
    with pytest.raises(OutputError, match=r"another edition \(assessment\.json\)"):
        write_bundle(small, bundle, edition="external")
    assert files_in(bundle) == before


@pytest.mark.usefixtures("quick")
def test_the_layout_for_output_checkers_does_not_replace_one_of_the_other_edition(small, tmp_path):
    folder = write_checker_layout(Report(small), tmp_path / "checkers")
    before = files_in(folder)
    with pytest.raises(OutputError, match=r"another edition \(assessment\.json\)"):
        write_checker_layout(Report(small, edition="external"), folder)
    with pytest.raises(OutputError, match=r"another edition \(assessment\.json\)"):
        write_bundle(small, folder, edition="external")
    assert files_in(folder) == before


def test_a_file_that_takes_the_place_of_another_is_told_of(small, tmp_path):
    path = Report(small).write(tmp_path / "x.html")
    with pytest.warns(ReplacedWarning, match=r"x\.html' takes the place of the file that was written there on 20"):
        Report(small, edition="external").write(path)
    assert path.read_text(encoding="utf-8") == Report(small, edition="external").html


def test_a_record_or_a_bundle_that_takes_the_place_of_another_is_told_of(small, bundle, tmp_path):
    other = small.with_documentation(Documentation(title="Another one"))
    path = small.save(tmp_path / "record.json")
    small.save(path)  # which changes nothing
    with pytest.warns(ReplacedWarning, match="record.json' takes the place of the file"):
        other.save(path)
    assert load(path).documentation.title == "Another one"
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")  # WeasyPrint may leave a file open, which is no matter here
        write_bundle(other, bundle)
    told = [str(one.message) for one in said if one.category is ReplacedWarning]
    assert len(told) == 1
    assert f"{bundle.name}' takes the place of the folder" in told[0]


# Verifying -----------------------------------------------------------------------------------------------


def outcomes(checks):
    return {check.what: check.outcome for check in checks}


def test_a_bundle_holds(bundle, small_files):
    checks = verify(bundle, original=small_files[0], synthetic=[small_files[1]])
    assert {check.outcome for check in checks} == {"holds"}, checks
    assert {"fingerprints", "rendering", "original file", "synthetic file 1", "figures"} <= set(outcomes(checks))


def test_without_the_files_the_figures_are_not_checked(bundle):
    found = outcomes(verify(bundle))
    assert found["figures"] == found["original file"] == found["synthetic files"] == "unchecked"
    assert found["fingerprints"] == found["rendering"] == "holds"


def change_digit(path):
    """Change one digit somewhere in the middle of a file."""
    content = bytearray(path.read_bytes())
    place = next(i for i in range(len(content) // 2, len(content)) if chr(content[i]).isdigit())
    content[place] = ord("1") if content[place] != ord("1") else ord("2")
    path.write_bytes(bytes(content))


FILES = [
    "report.html",
    "tables/attribute.csv",
    "report.pdf",
    "figures/overview.svg",
    "figures/overview.png",
    "summary.txt",
]


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("name", [*FILES, "assessment.json"])
def test_one_changed_digit_is_caught(bundle, small_files, name):
    change_digit(bundle / name)
    try:
        checks = verify(bundle, original=small_files[0], synthetic=[small_files[1]])
    except RecordError:  # the digit made the record none
        assert name == "assessment.json"
        return
    assert outcomes(checks)["fingerprints"] == "fails"
    assert any(name in check.detail for check in checks if check.what == "fingerprints")


@pytest.mark.parametrize("name", FILES)
def test_one_changed_digit_is_caught_when_it_is_hidden(bundle, name):
    change_digit(bundle / name)
    sum_again(bundle)
    found = outcomes(verify(bundle))
    assert found["fingerprints"] == "holds"
    drawn = name.endswith((".pdf", ".png"))  # in a PDF, it is a matter of where the digit stands
    assert found["rendering"] in ({"unchecked", "fails"} if drawn else {"fails"})


def change_record(bundle, change):
    path = bundle / "assessment.json"
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record, indent=1))


@pytest.mark.slow
def test_a_figure_changed_in_record_and_report_alike_is_caught_by_the_files(small, tmp_path, small_files):
    record = json.loads(small.record)
    record["outcome"]["results"][0]["values"]["DiSCO"] = 1.0
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(record))
    forged = write_bundle(load(path), tmp_path / "forged")
    checks = verify(forged, original=small_files[0], synthetic=[small_files[1]])
    assert outcomes(checks)["rendering"] == "holds"
    (figures,) = [check for check in checks if check.what == "figures"]
    assert figures.outcome == "fails"
    assert "DiSCO" in figures.detail
    assert "trade, synthesis 1" in figures.detail


@pytest.mark.slow
def test_a_changed_setting_is_caught(bundle, small_files):
    change_record(bundle, lambda record: record["settings"].update(max_denominator=1))
    sum_again(bundle)
    found = outcomes(verify(bundle, original=small_files[0], synthetic=[small_files[1]]))
    assert found["rendering"] == found["figures"] == "fails"


def test_other_files_are_caught(bundle, small_files, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text(small_files[0].read_text().replace("Farrier", "Farmer", 1))
    found = outcomes(verify(bundle, original=other, synthetic=[small_files[1]]))
    assert found["original file"] == found["figures"] == "fails"
    assert found["synthetic file 1"] == "holds"
    found = outcomes(verify(bundle, original=small_files[0], synthetic=[small_files[0]]))
    assert found["synthetic file 1"] == found["figures"] == "fails"
    assert outcomes(verify(bundle, original=small_files[0], synthetic=[*small_files]))["synthetic files"] == "fails"
    assert (
        outcomes(verify(bundle, original=tmp_path / "none.csv", synthetic=[small_files[1]]))["original file"]
        == "unchecked"
    )


def test_missing_and_added_files_are_caught(bundle):
    (bundle / "summary.txt").unlink()
    (bundle / "tables" / "more.csv").write_text("a\n")
    details = [check.detail for check in verify(bundle) if check.what == "fingerprints"]
    assert details == ["missing: summary.txt.", "not listed: tables/more.csv."]
    (bundle / SUMS).unlink()
    assert outcomes(verify(bundle))["fingerprints"] == "fails"


@pytest.mark.parametrize("name", ["tables/more.csv", ".approved", "REPORT.PDF", "release.json", "figures/more.png"])
def test_an_added_file_is_caught_when_it_is_listed(bundle, name):
    (bundle / name).write_text("{}")
    sum_again(bundle)
    found = outcomes(verify(bundle))
    assert (found["fingerprints"], found["rendering"]) == ("holds", "fails")


def test_a_missing_figure_or_pdf_is_noticed_when_it_is_not_listed(bundle):
    (bundle / "report.pdf").unlink()
    sum_again(bundle)
    assert outcomes(verify(bundle))["PDF"] == "unchecked"
    (bundle / "figures" / "overview.png").unlink()
    sum_again(bundle)
    assert outcomes(verify(bundle))["rendering"] == "fails"


def test_what_is_neither_file_nor_folder_is_caught(bundle, tmp_path):
    (bundle / "more").symlink_to(tmp_path)
    os.mkfifo(bundle / "pipe")
    (check,) = [check for check in verify(bundle) if check.what == "files"]
    assert (check.outcome, check.detail) == ("fails", "neither file nor folder: more, pipe.")


@pytest.mark.parametrize("line", ["# approved by all\n", f"{'0' * 64}  report.html\n"])
def test_other_lines_among_the_fingerprints_are_caught(bundle, line):
    (bundle / SUMS).write_text(line + (bundle / SUMS).read_text())
    assert outcomes(verify(bundle))["fingerprints"] == "fails"


def test_what_is_added_to_the_pdf_and_no_signature_is_caught(bundle):
    with (bundle / "report.pdf").open("ab") as file:
        file.write(b"\n1 0 obj\n<< >>\nendobj\n")
    sum_again(bundle)
    (check,) = [check for check in verify(bundle) if check.what == "rendering"]
    assert (check.outcome, check.detail) == ("fails", "Something else than a signature was added to: report.pdf.")


@pytest.mark.slow
@pytest.mark.parametrize(("file", "place"), [("original", "records.0"), ("synthetic", "columns.1")])
def test_another_size_of_a_file_is_caught(small, small_files, tmp_path, file, place):
    record = json.loads(small.record)
    source = record["original"] if file == "original" else record["synthetic"][0]
    source["n_records" if file == "original" else "n_columns"] = 9999
    (tmp_path / "forged.json").write_text(json.dumps(record))
    if file == "original":  # the whole records that were counted are of another number
        with pytest.raises(RecordError, match="whole_records"):
            load(tmp_path / "forged.json")
        return
    forged = write_folder(tmp_path / "forged", contents(Report(load(tmp_path / "forged.json")), pdf=False))
    (check,) = [
        check
        for check in verify(forged, original=small_files[0], synthetic=[small_files[1]])
        if check.what == "figures"
    ]
    assert check.outcome == "fails"
    assert place in check.detail


def test_a_record_of_a_newer_version_can_not_be_checked(bundle):
    change_record(bundle, lambda record: record.update(schema_version=99))
    with pytest.raises(RecordError, match="schema version 99"):
        verify(bundle)


def test_a_folder_that_is_no_bundle_is_said_to_be_none(tmp_path):
    with pytest.raises(RecordError, match="There is no bundle"):
        verify(tmp_path / "none")
    (tmp_path / "a.txt").write_text("a")
    with pytest.raises(RecordError, match="holds no record"):
        verify(tmp_path)


def test_fingerprints_can_not_name_files_elsewhere(bundle):
    with (bundle / SUMS).open("a") as sums:
        sums.write(f"{'0' * 64}  ../../../etc/passwd\n")
    (check,) = [check for check in verify(bundle) if check.what == "fingerprints"]
    assert check.detail == "missing: ../../../etc/passwd."


def test_an_external_bundle_holds_and_is_checked_against_the_synthetic_file(small, small_files, tmp_path):
    folder = write_bundle(small, tmp_path / "public", edition="external")
    assert {check.outcome for check in verify(folder, synthetic=[small_files[1]])} == {"holds"}
    assert outcomes(verify(folder, synthetic=[small_files[0]]))["synthetic file 1"] == "fails"
    change_digit(folder / "release.json")
    sum_again(folder)
    with contextlib.suppress(RecordError):
        assert "fails" in outcomes(verify(folder)).values()


@pytest.mark.slow
def test_a_frame_has_no_fingerprint(small, tmp_path):
    frame = pd.DataFrame({"a": [1, 1, 2], "b": ["x", "y", "y"]})
    folder = write_bundle(assess(frame, frame, keys="a"), tmp_path / "frames")
    found = outcomes(verify(folder, original=frame, synthetic=[frame]))
    assert found["figures"] == "holds"
    assert found["original file"] == "unchecked"


# The command line ----------------------------------------------------------------------------------------


def test_the_command_says_a_line_for_each_finding_and_how_it_ended(bundle, small_files, capsys):
    files = ["--original", small_files[0], "--synthetic", small_files[1]]
    assert run("verify", bundle, *files) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("holds: ") for line in lines)
    assert run("verify", bundle) == 6
    assert "not checked: figures" in capsys.readouterr().out
    change_digit(bundle / "report.html")
    assert run("verify", bundle, *files) == 1
    assert "DOES NOT HOLD: fingerprints: changed: report.html." in capsys.readouterr().out
    assert run("verify", bundle / "nowhere") == 5


def test_report_writes_the_other_edition_and_a_file_to_fill_in(bundle, tmp_path, capsys):
    record = bundle / "assessment.json"
    assert run("report", record, "--write-documentation", tmp_path / "approval.toml") == 0
    (tmp_path / "more.toml").write_text('id = "X-9"\n[decision]\ndecision = "reject"\n')
    options = ["--documentation", tmp_path / "more.toml", "--edition", "external", "--out", tmp_path / "public"]
    assert run("report", record, *options) == 0
    assert "Decision: reject" in capsys.readouterr().out
    assert "X-9" in (tmp_path / "public" / "report.html").read_text()
    assert run("report", record) == 2
    assert run("report", tmp_path / "none.json", "--out", tmp_path / "x") == 5


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_assess_goes_on_from_an_earlier_run(bundle, small_files, tmp_path):
    options = ["--key", "village", "--previous", bundle / "assessment.json", "--out", tmp_path / "again"]
    assert run("assess", *small_files, *options) == 0
    again = load(tmp_path / "again" / "assessment.json")
    assert again.documentation.id == "S-1"
    assert len(again.documentation.history) == 1


@pytest.mark.slow
def test_report_signs_the_pdf_and_lays_it_out_for_output_checkers(bundle, small_files, tmp_path, capsys):
    key = ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "officer.p12").write_bytes(container_of(key))
    (tmp_path / "word").write_text("secret word\n")
    options = ["--sign", tmp_path / "officer.p12", "--passphrase-file", tmp_path / "word"]
    layout = ["--checker-layout", tmp_path / "checkers"]
    assert run("report", bundle / "assessment.json", *options, *layout, "--out", tmp_path / "signed") == 0
    assert "secret word" not in capsys.readouterr().out
    found = outcomes(verify(tmp_path / "signed", original=small_files[0], synthetic=[small_files[1]]))
    assert {what for what, outcome in found.items() if outcome != "holds"} == {
        "signature"
    }  # anybody makes a certificate
    assert found["signature"] == "unchecked"  # anybody can make a certificate
    laid_out = [path.read_bytes() for path in (tmp_path / "checkers").rglob("report.pdf")]
    assert [check_signature(pdf).signer for pdf in laid_out] == ["A. Officer"]
    results = json.loads((tmp_path / "checkers" / "results.json").read_text())["results"]
    assert {result["status"] for result in results.values()} == {"review"}
    assert run("report", bundle / "assessment.json", *layout, "--out", tmp_path / "signed") == 0  # both are replaced
    (tmp_path / "word").write_text("wrong\n")
    assert run("report", bundle / "assessment.json", *options, "--out", tmp_path / "signed") == 2
    assert "wrong" not in capsys.readouterr().err.replace("officer.p12", "").split("passphrase", 1)[-1]


@pytest.mark.slow
def test_a_pdf_that_was_changed_and_then_signed_is_caught(bundle, tmp_path):
    pdf = IncrementalPdfFileWriter(io.BytesIO((bundle / "report.pdf").read_bytes()))
    page = pdf.root["/Pages"]["/Kids"][0]
    page["/Contents"] = pdf.add_object(StreamObject(stream_data=b"0 0 300 300 re f"))
    pdf.update_container(page)
    changed = io.BytesIO()
    pdf.write(changed)
    (tmp_path / "anybody.p12").write_bytes(container_of(ec.generate_private_key(ec.SECP256R1())))
    (bundle / "report.pdf").write_bytes(sign(changed.getvalue(), tmp_path / "anybody.p12", "secret word"))
    sum_again(bundle)
    (check,) = [check for check in verify(bundle) if check.outcome == "fails"]
    assert check.what == "signature"
    assert check.detail == "A. Officer signed more than the record gives: the PDF was changed."


@pytest.mark.slow
def test_a_signed_pdf_that_cannot_be_made_again_here_is_not_checked(bundle, tmp_path, monkeypatch):
    (tmp_path / "officer.p12").write_bytes(container_of(ec.generate_private_key(ec.SECP256R1())))
    pdf = (bundle / "report.pdf").read_bytes()
    (bundle / "report.pdf").write_bytes(sign(pdf, tmp_path / "officer.p12", "secret word"))
    sum_again(bundle)
    made = verifying.contents
    monkeypatch.setattr(
        verifying,
        "contents",
        lambda *given, **named: {**made(*given, **named), "report.pdf": b"drawn with other fonts"},
    )
    found = outcomes(verify(bundle))
    assert found["rendering"] == found["signature"] == "unchecked"


def container_of(key):
    now = datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "A. Officer")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    encryption = serialization.BestAvailableEncryption(b"secret word")
    return pkcs12.serialize_key_and_certificates(b"A. Officer", key, certificate, None, encryption)


def test_record_and_tables_are_inside_the_pdf(written, small):
    with pikepdf.open(written / "report.pdf") as file:
        attached = {name: one.get_file().read_bytes() for name, one in file.attachments.items()}
    tables = {path.name: path.read_bytes() for path in (written / "tables").iterdir()}
    assert attached == {**tables, "assessment.json": small.record}


def test_a_bundle_without_a_signature_needs_nothing_to_look_at_one(bundle, small_files, uninstall):
    uninstall("pyhanko")
    found = verify(bundle, original=small_files[0], synthetic=[small_files[1]])
    assert {check.outcome for check in found} == {"holds"}
    with (bundle / "report.pdf").open("ab") as pdf:
        pdf.write(b"/ByteRange")
    assert outcomes(verify(bundle))["signature"] == "unchecked"
