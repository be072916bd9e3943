"""A folder of releases: a bundle for each, one page over all, and the worst exit code."""

import io
import json
import os
import re
import shutil
import time
from html import unescape
from threading import Event, Thread
from urllib.parse import unquote

import pytest
from pypdf import PdfReader

from discoreport import cli, load
from discoreport.assessment import provenance
from discoreport.cli import audit_cache, messages, subprocesses
from discoreport.cli import audit_releases as cli_folder
from tests.commands import told
from tests.pages import templates as html_templates
from tests.pages import with_sums, write_folder
from tests.policies import Compared, under
from tests.records import Findings, releases_overview
from tests.wording import percentage

POLICY = '[[thresholds]]\nmeasure = "DiSCO"\nlimit = {limit}\nsource = "Policy 1"\n'
CONFIGURATION = 'original = "original.csv"\nsynthetic = "synthetic.csv"\nkeys = ["village"]\n'
DOCUMENTATION = 'id = "R-7"\ntitle = "The village file"\n'


@pytest.fixture(autouse=True)
def shortened(request):
    """Write words in place of reports, except where a test says so: "renders" has their pages, "draws" everything."""
    if "draws" not in request.keywords:
        request.getfixturevalue("quick" if "renders" in request.keywords else "no_pages")


@pytest.fixture
def releases(tmp_path, small_files):
    """Add releases of the small files to a folder."""

    def add(*names, configuration=CONFIGURATION):
        for name in names:
            folder = tmp_path / "releases" / name
            folder.mkdir(parents=True)
            for file in small_files:
                shutil.copy(file, folder)
            (folder / "assessment.toml").write_text(configuration)
        return tmp_path / "releases"

    return add


@pytest.fixture
def audit(tmp_path, capsys):
    def audit(*words, limit=None, out="out"):
        options = []
        if limit is not None:
            (tmp_path / "policy.toml").write_text(POLICY.format(limit=limit))
            options = ["--policy", tmp_path / "policy.toml"]
        words = ["audit", tmp_path / "releases", "--out", tmp_path / out, *options, *words]
        status = cli.main([str(word) for word in words])
        said = capsys.readouterr()
        if "--json" in words:
            told(said.out)
        return status, said.out, said.err

    return audit


class Assessed(list):
    """The releases that were assessed, and not taken over; `before` and `after` are called with the name of each."""

    before = after = staticmethod(lambda name: None)


@pytest.fixture
def assessed(monkeypatch):
    usual, names = cli_folder.assess, Assessed()

    def listed(parsed):
        names.append(parsed.out.name)
        names.before(parsed.out.name)
        code = usual(parsed)
        names.after(parsed.out.name)
        return code

    monkeypatch.setattr(cli_folder, "assess", listed)
    return names


def page(tmp_path):
    return (tmp_path / "out" / "overview.html").read_text(encoding="utf-8")


def text(html):
    return " ".join(unescape(re.sub("<[^>]*>", "", html)).split())


@pytest.mark.slow
@pytest.mark.renders
def test_each_release_has_a_bundle_and_stands_on_the_page_in_the_words_of_its_report(releases, audit, tmp_path):
    folder = releases("a & b", "ümläut #1")
    (folder / "a & b" / "documentation.toml").write_text(DOCUMENTATION)
    status, said, _ = audit(limit=0)
    assert status == 0
    assert said.splitlines()[:2] == ["a & b: written", "ümläut #1: written"]
    shown = page(tmp_path)
    sections = re.findall(r'<section class="release".*?</section>', shown, re.DOTALL)
    assert len(sections) == 2
    for name, section in zip(("a & b", "ümläut #1"), map(text, sections), strict=True):
        record = load(tmp_path / "out" / name / "assessment.json")
        assert section.startswith(name)
        of_keys, *_ = Findings(record).shown
        assert f"{percentage(of_keys.this_file.percent)} % ({of_keys.this_file.records}) are unique" in section.replace(
            "\N{NO-BREAK SPACE}", " "
        )
        assert "Target: trade." in section
        assert "Above the organisation's thresholds: DiSCO of trade" in section
        assert len(record.open_items) > 2
        for item in record.open_items:
            assert f"{item.what}. {item.detail}" in section
    assert "The village file (R-7)" in text(sections[0])
    assert "Of 2 releases, 2 are above a threshold of the organisation, and of 2 something is open." in text(shown)
    links = re.findall(r'href="([^"]*)"', shown)
    assert len([link for link in links if "report.html" in link]) > 4
    for link in links:
        file, _, place = link.partition("#")
        target = tmp_path / "out" / unquote(file) if file else tmp_path / "out" / "overview.html"
        assert not place or f'id="{place}"' in target.read_text(encoding="utf-8")


def test_a_figure_that_cannot_be_compared_is_neither_above_nor_not(small, monkeypatch):
    def release(name, *values):
        found = releases_overview.Release(name, small)
        (threshold,) = under(small, ("DiSCO", 50)).policy.thresholds
        rows = tuple(Compared(threshold, "trade", value) for value in values)
        monkeypatch.setitem(found.edition.__dict__, "compared", rows)
        return found

    several = [
        release("low", 1),
        release("unknown", 1, None),
        release("above", 99, None),
        releases_overview.Release("failed"),
    ]
    ordered = sorted(several, key=lambda one: one.weight)
    assert [one.name for one in ordered] == ["failed", "above", "unknown", "low"]
    shown = releases_overview.Overview(tuple(ordered), (), None)
    assert (shown.n_above, shown.n_unknown) == (1, 1)
    said = text(html_templates.fill("overview.html", shown, None))
    assert "1 is above a threshold of the organisation, 1 has a figure that can't be compared with one, and" in said


def test_no_threshold_is_said_and_none_above(releases, audit, tmp_path):
    releases("one")
    audit()
    assert "none set" in text(page(tmp_path))
    audit(limit=100)
    assert "No figure is above the organisation's thresholds" in text(page(tmp_path))
    assert "0 of 1" in text(page(tmp_path))


def test_a_release_that_fails_stops_no_other_and_is_shown_first(releases, audit, tmp_path):
    folder = releases("a", "b", "c")
    (folder / "b" / "synthetic.csv").unlink()
    status, said, error = audit("--fail-on", "open")
    assert status == 5
    assert said.splitlines()[1].startswith("b: failed")
    assert {re.match("(discoreport: )?([abc]): ", line).group(2) for line in error.splitlines()} == {*"abc"}
    assert "discoreport: b: No file" in error
    assert not (tmp_path / "out" / "b").exists()
    assert (tmp_path / "out" / "c" / "assessment.json").is_file()
    assert re.findall("<h2>(.)</h2>", page(tmp_path)) == ["b", "a", "c"]
    assert "Of 3 releases, 1 could not be assessed" in text(page(tmp_path))
    assert "Failed: not assessed. No file" in text(page(tmp_path))


def test_where_all_fail_the_page_says_so(releases, audit, tmp_path):
    releases("a", configuration='original = "gone.csv"\nsynthetic = "gone.csv"\nkeys = ["x"]\n')
    assert audit()[0] == 5
    assert "Of 1 release, 1 could not be assessed, 0 are above" in text(page(tmp_path))


def test_an_earlier_report_of_a_release_that_fails_now_is_not_taken_for_it(releases, audit, tmp_path):
    folder = releases("a")
    assert audit()[0] == 0
    (folder / "a" / "assessment.toml").write_text("keys = 3")
    assert audit()[0] == 2
    assert "report.html" not in page(tmp_path)
    assert "is of an earlier run." in text(page(tmp_path))


@pytest.mark.slow
def test_the_worst_exit_code_wins(releases, audit, take_pango_away):
    releases("a", "b")
    assert audit("--fail-on", "thresholds", limit=100)[0] == 0
    assert audit("--fail-on", "thresholds", limit=0)[0] == 3
    assert list(cli_folder.MEANINGS) == [0, 4, 3, 5, 2, 70]

    take_pango_away()
    assert audit(out="another")[0] == 4
    assert audit("--fail-on", "open", out="third")[0] == 3


@pytest.mark.slow
def test_what_is_no_release_is_named_unless_hidden(releases, audit, tmp_path):
    folder = releases("a", ".cache")
    (folder / ".cache" / "assessment.toml").unlink()
    (folder / "forgotten").mkdir()
    (folder / "policy.txt").write_text("")
    _, said, _ = audit("--json")
    assert json.loads(said)["not_looked_at"] == ["forgotten"]
    assert "were not looked at: forgotten." in text(page(tmp_path))
    assert audit(out="releases/out")[0] == 0
    assert json.loads(audit("--json", out="releases/out")[1])["not_looked_at"] == ["forgotten"]


def test_json_is_all_there_is_on_the_output(releases, audit, tmp_path):
    folder = releases("a", "b")
    (folder / "b" / "assessment.toml").write_text("kyes = []")
    status, said, _ = audit("--json", "--fail-on", "open")
    content = json.loads(said)
    assert content["exit_code"] == status == 2
    assert [one["release"] for one in content["releases"]] == ["a", "b"]
    assert content["releases"][0]["record"] == load(tmp_path / "out" / "a" / "assessment.json").fingerprint
    assert content["releases"][0]["exit_code"] == 3
    assert "kyes" in content["releases"][1]["error"]


def test_quiet_says_nothing(releases, audit):
    releases("a")
    assert audit("--quiet")[:2] == (0, "")


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--fail-on", "flag"], "no such reason"), (["--fail-on", "thresholds"], "--policy FILE")],
)
def test_options_are_looked_at_before_the_work(words, said, releases, audit, tmp_path):
    releases("a")
    status, _, error = audit(*words)
    assert status == 2
    assert said in error
    assert not (tmp_path / "out").exists()


def test_a_folder_without_releases_and_the_folder_itself_are_errors(releases, audit, tmp_path):
    assert "There is no folder" in audit()[2]
    (tmp_path / "releases" / "notes").mkdir(parents=True)
    status, _, error = audit()
    assert status == 2
    assert "--write-config" in error
    releases("a")
    assert "name another folder" in audit(out="releases")[2]
    releases("overview.html")
    assert "give this release another name" in audit()[2]


def test_what_people_and_names_say_is_text(releases, audit, tmp_path):
    folder = releases("<img src=x onerror=alert(1)>", "b")
    (folder / "b" / "assessment.toml").write_text('"<script>alert(1)<_script>" = 3')
    assert audit()[0] == 2
    assert not re.search(r"<(img|script)", page(tmp_path))


def test_no_level_stands_on_the_page(releases, audit, tmp_path):
    releases("a")
    audit(limit=0)
    for level in ("Achterbach", "Glassblower", "Hamlet", "Farrier"):
        assert level not in page(tmp_path)


def test_a_run_that_is_stopped_says_what_is_left(releases, audit, assessed, tmp_path):
    releases("a", "b")

    def stop_at_the_second(name):
        if name == "b":
            raise KeyboardInterrupt

    assessed.before = stop_at_the_second
    status, _, error = audit()
    assert status == 130
    assert "finished before are kept" in error
    assert (tmp_path / "out" / "a" / "assessment.json").is_file()
    assert not (tmp_path / "out" / "overview.html").exists()


def test_nobodys_file_is_taken_for_an_earlier_overview(releases, audit, tmp_path):
    releases("a")
    assert audit()[0] == 0
    assert audit()[0] == 0
    for name in ("overview.html", "overview.pdf"):
        (tmp_path / f"of {name}").mkdir()
        file = tmp_path / f"of {name}" / name
        file.write_text("<h1>mine</h1>")
        status, _, error = audit(out=f"of {name}")
        assert status == 5
        assert "isn't an earlier overview" in error
        assert file.read_text() == "<h1>mine</h1>"
        assert not (tmp_path / f"of {name}" / "a").exists()


def test_no_earlier_pdf_stays_beside_a_page_without_one(releases, audit, tmp_path, take_pango_away):
    releases("a")
    audit()
    assert (tmp_path / "out" / "overview.pdf").exists()
    take_pango_away()
    assert audit()[0] == 4
    assert not (tmp_path / "out" / "overview.pdf").exists()


@pytest.mark.slow
@pytest.mark.draws
def test_the_page_is_a_pdf_too(small, tmp_path):
    paths, missing = releases_overview.write_overview(
        [releases_overview.Release("small", small), releases_overview.Release("gone", error="No file.")], tmp_path
    )
    assert missing is None
    assert [path.name for path in paths] == ["overview.html", "overview.pdf"]
    pdf = PdfReader(io.BytesIO(paths[1].read_bytes()))
    assert pdf.metadata.title == "Overview of releases"
    shown = " ".join(one.extract_text() for one in pdf.pages)
    assert "small/report.html" in shown
    assert "More" not in shown


def test_a_fault_in_one_release_stops_none_of_the_others_and_shows_its_place_but_no_value(
    tmp_path, releases, audit, assessed
):
    releases("a", "b", "c")
    words = "Mr Smith"

    def failing(name):
        if name == "b":
            raise OverflowError(words)

    assessed.before = failing
    status, _, err = audit()
    assert status == 70
    assert [(tmp_path / "out" / name / "assessment.json").exists() for name in "abc"] == [True, False, True]
    for text in (err, unescape(page(tmp_path))):
        assert "a fault in discoreport itself" in text
        assert "OverflowError" in text
        assert "in failing" in text
        assert "Smith" not in text


CONTROL = CONFIGURATION + '[analyses.control]\ncontrol = "control.csv"\n'


def test_an_unchanged_release_keeps_its_bundle_and_says_what_it_said(releases, audit, assessed, tmp_path):
    releases("a", "b")
    status, _, error = audit("--fail-on", "open,warnings", "--json")
    report = tmp_path / "out" / "a" / "report.html"
    written = report.stat().st_mtime_ns
    again, said, error_again = audit("--fail-on", "open,warnings", "--json")
    assert assessed == ["a", "b"]
    assert (again, sorted(error_again.splitlines())) == (status, sorted(error.splitlines()))
    assert status == 3
    assert [one["taken_over"] for one in json.loads(said)["releases"]] == [True, True]
    assert report.stat().st_mtime_ns == written
    assert audit()[1].startswith("a: unchanged; its bundle is the earlier one\n")
    assert audit("--again")[1].startswith("a: written\n")
    assert assessed == ["a", "b", "a", "b"]


def change(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


CHANGES = {
    "original": lambda place: change(place / "releases/a/original.csv", "\n", "\r\n"),
    "synthetic": lambda place: change(place / "releases/a/synthetic.csv", "\n", "\r\n"),
    "a setting": lambda place: change(place / "releases/a/assessment.toml", '["village"]', '["village", "trade"]'),
    "documentation": lambda place: change(place / "releases/a/documentation.toml", "R-7", "R-8"),
    "no documentation": lambda place: (place / "releases/a/documentation.toml").unlink(),
    "policy": lambda place: change(place / "policy.toml", "Policy 1", "Policy 2"),
    "control": lambda place: change(place / "releases/a/control.csv", "\n", "\r\n"),
    "templates": lambda place: (place / "ours/report.css").write_text("p {}"),
    "bundle": lambda place: change(place / "out/a/summary.txt", "\n", "\n\n"),
    "a table": lambda place: (place / "out/a/tables/attribute.csv").unlink(),
    "notes": lambda place: (place / "out" / audit_cache.NOTES).write_text("[]"),
    "nothing": lambda _: None,
}


@pytest.mark.parametrize("changed", CHANGES)
def test_what_is_changed_is_assessed_again(changed, releases, audit, assessed, tmp_path):
    folder = releases("a", configuration=CONTROL)
    shutil.copy(folder / "a/original.csv", folder / "a/control.csv")
    (folder / "a/documentation.toml").write_text(DOCUMENTATION)
    (tmp_path / "policy.toml").write_text(POLICY.format(limit=100))
    (tmp_path / "ours").mkdir()
    words = ["--policy", tmp_path / "policy.toml", "--templates", tmp_path / "ours"]
    assert audit(*words)[0] == 0
    CHANGES[changed](tmp_path)
    assert audit(*words)[0] == 0
    assert len(assessed) == (1 if changed == "nothing" else 2)


def test_an_earlier_file_another_version_and_what_was_not_whole_are_assessed_again(
    releases, audit, assessed, monkeypatch, take_pango_away
):
    folder = releases("a")
    audit()
    audit("--earlier", folder / "a/synthetic.csv")
    monkeypatch.setattr(provenance, "__version__", "0.2")
    audit("--earlier", folder / "a/synthetic.csv")
    assert len(assessed) == 3
    take_pango_away()
    assert audit("--again")[0] == audit()[0] == 4
    assert len(assessed) == 5


def test_a_file_that_changes_during_the_work_is_not_known_afterwards(releases, audit, assessed):
    original = releases("a") / "a/original.csv"
    before = original.read_bytes()
    assessed.after = lambda _: original.write_bytes(before + before[before.index(b"\n") + 1 :])
    audit()
    assessed.after = lambda _: None
    original.write_bytes(before)
    audit()
    assert len(assessed) == 2


def test_releases_side_by_side_are_told_in_their_order(releases, audit, monkeypatch):
    releases("a", "b", "c")
    began = []

    def in_a_thread(_, options, name):
        began.append(name)
        time.sleep(0.2 if name == "a" else 0)
        return subprocesses.Ended(5, f"{name} is out of order", f"{name}: said\n")

    monkeypatch.setattr(cli_folder, "in_a_process", in_a_thread)
    status, said, error = audit("--jobs", "2")
    assert status == 5
    assert sorted(began) == ["a", "b", "c"]
    assert [line[0] for line in said.splitlines()[:3]] == ["a", "b", "c"]
    assert [line.removeprefix("discoreport: ")[0] for line in error.splitlines()] == [*"aabbcc"]
    assert "--jobs 0" in audit("--jobs", "0")[2]


@pytest.mark.slow
def test_processes_give_what_one_gives(releases, audit):
    folder = releases("a", "b")
    (folder / "b" / "synthetic.csv").unlink()
    one = audit("--fail-on", "open", "--json", out="one")
    two = audit("--fail-on", "open", "--json", "--jobs", "2", out="two")
    assert one[0] == two[0] == 5
    assert one[2].replace("out", "two") == two[2].replace("out", "two")
    alike = ("release", "exit_code", "failed", "open_items", "warnings", "error")
    found = [
        [{name: made.get(name) for name in alike} for made in json.loads(said)["releases"]] for _, said, _ in (one, two)
    ]
    assert found[0] == found[1]


def dies(options, name):
    os._exit(9)


@pytest.mark.slow
def test_a_process_that_dies_is_one_release_that_failed():
    ended = subprocesses.in_a_process(dies, [], "a")
    assert (ended.code, "enough memory?" in ended.words) == (5, True)


def test_what_is_noted_side_by_side_is_all_noted(tmp_path, monkeypatch):
    usual, met = audit_cache.write_file, Event()

    def slow_at_first(path, content):
        if not met.is_set():
            met.set()
            other.start()
            other.join(0.1)  # as long as the first is being written, the second waits
        usual(path, content)

    for name in "ab":
        write_folder(tmp_path / name, with_sums({"summary.txt": b""}))
    monkeypatch.setattr(audit_cache, "write_file", slow_at_first)
    notes = audit_cache.Notes(tmp_path)
    other = Thread(target=notes.note, args=(tmp_path / "b", "2"))
    notes.note(tmp_path / "a", "1")
    other.join()
    noted = audit_cache.Notes(tmp_path)
    assert [noted.know(tmp_path / name, made) for name, made in (("a", "1"), ("b", "2"))] == [True, True]


def test_progress_is_shown_on_a_terminal_alone(monkeypatch, capsys):
    monkeypatch.setattr(messages, "SLOW", -1)
    shown = []
    for terminal, quiet in ((False, False), (True, True), (True, False)):
        monkeypatch.setattr("sys.stderr.isatty", lambda terminal=terminal: terminal, raising=False)
        with messages.Bar(quiet=quiet) as bar:
            bar(0, 2, "making the PDF")
            shown.append(bar._bar is not None)
    assert shown == [False, False, True]
    assert capsys.readouterr().out == ""
