"""What an auditor is told can be done as it is written: commands, fingerprints, seeds; and no path of the machine."""

import html
import re
import shutil
import subprocess

import pandas as pd
import pytest

from discoreport import Documentation, Report, analyse, assess
from tests.commands import DONE, FAILS, UNCHECKED, copyable, parser
from tests.pages import InternalEdition, fill, render

ODD = "what's \"it\" $HOME `x` \\ ; & | 'in' here? " + "a_name_that_is_far_too_long_for_one_line_of_a_page_" * 3
COMMAND = re.compile(r'<pre class="command"><code>(.*?)</code></pre>', re.DOTALL)


def in_shell(text):
    """Give the words that a shell makes of a command."""
    script = 'discoreport() { printf "%s\\n" "$@"; }\n' + text
    done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, check=True, text=True)
    assert not done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Files in folders of their own, under one name, with names that a shell would take apart."""
    folder = tmp_path_factory.mktemp("a folder of a server")
    frame = pd.DataFrame({"area": ["a", "b"] * 30, ODD: ["x", "y", "y"] * 20, "지역 이름": ["v"] * 60})
    paths = [folder / "original" / "data.csv", folder / "synthetic" / "data.csv", folder / "control.csv"]
    for n, path in enumerate(paths):
        path.parent.mkdir(exist_ok=True)
        frame.iloc[n:].to_csv(path, index=False)
    assessment = assess(*paths[:2], keys=["area", ODD], targets=["지역 이름"])
    assessment = analyse(assessment, *paths[:2], {"control": {"control": paths[2]}})
    return assessment.with_documentation(Documentation.model_validate({"synthesis": {"seed": "2718281"}}))


pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")


@pytest.fixture(scope="module")
def page(odd):
    """The box of the page."""
    return fill("sections/how_to_check.html", InternalEdition(odd))


def test_the_command_of_the_page_is_read_as_what_was_assessed(odd, page):
    _, command = (html.unescape(found) for found in COMMAND.findall(page))
    parsed = parser().parse_args(in_shell(command))
    assert (parsed.command, parsed.original, parsed.synthetic) == (
        "assess",
        "original/data.csv",
        ["synthetic/data.csv"],
    )
    assert parsed.keys == ["area", ODD]
    assert parsed.targets == ["지역 이름"]


def test_the_line_that_verifies_names_all_files_that_took_part(page):
    verify, _ = (html.unescape(found) for found in COMMAND.findall(page))
    parsed = parser().parse_args(in_shell(verify))
    assert (parsed.command, parsed.original, parsed.synthetic) == (
        "verify",
        "original/data.csv",
        ["synthetic/data.csv"],
    )
    assert getattr(parsed, "control.control") == ["control.csv"]


def test_no_line_of_a_command_is_wider_than_the_page(page):
    lines = [line for found in COMMAND.findall(page) for line in html.unescape(found).splitlines()]
    assert len(lines) > 4
    assert max(map(len, lines)) <= 84
    assert not any(line.endswith("\\ ") for line in lines)


@pytest.mark.slow
@pytest.mark.generated
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="Debian's poppler-utils are not installed")
def test_the_command_that_is_copied_from_the_pdf_is_the_one_of_the_page(odd, page, tmp_path):
    whole = Report(odd).html
    assert "a folder of a server" not in whole
    assert COMMAND.findall(whole) == COMMAND.findall(page)
    head = whole.partition("<body")[0]
    body = "".join(
        f'<div class="box"><pre class="command"><code>{one}</code></pre></div>' for one in COMMAND.findall(page)
    )
    (tmp_path / "box.pdf").write_bytes(
        render(f"{head}<body><h1>x</h1>{body}</body></html>", [], odd.provenance.created)
    )
    copied = subprocess.run(
        ["pdftotext", "box.pdf", "-"], cwd=tmp_path, capture_output=True, check=True, text=True
    ).stdout
    commands = re.findall(r"^discoreport (?:.*\\\n)+.*$", copied, re.MULTILINE)
    assert [in_shell(one) for one in commands] == [in_shell(html.unescape(one)) for one in COMMAND.findall(page)]


def test_the_page_names_no_folder_of_the_machine(odd, page):
    assert "a folder of a server" in odd.original.path
    assert "a folder of a server" not in page


def test_every_file_that_took_part_has_its_fingerprint_and_the_seed_is_told(odd, page):
    control = odd.analyses.control.control
    for expected in (odd.fingerprint, odd.original.sha256, odd.synthetic[0].sha256, control.sha256, "2718281"):
        assert expected in page


def test_a_word_that_is_wider_than_a_line_goes_on_in_the_next():
    word = "x" * 50 + "'" + "y" * 50
    written = copyable(["discoreport", word, "--key=a"], 40)
    assert max(map(len, written.splitlines())) <= 40
    assert in_shell(written) == [word, "--key=a"]


def test_the_exit_codes_that_are_told_are_those_of_verify(small):
    told = " ".join(Report(small).html.split())
    assert f"ends with {DONE} where all holds, {FAILS} where something doesn’t, {UNCHECKED} where something" in told
