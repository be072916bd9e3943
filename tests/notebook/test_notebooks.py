"""The example notebooks: they run from the installed wheel, are stored without outputs, and can be exported."""

import functools
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from pypdf import PdfReader

from discoreport.notebook.handout import handout
from tests import sentences
from tests.documents import readme_and_guide
from tests.notebooks import export

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "example_notebooks"
SD2011 = ROOT.parent / "shared" / "oracle" / "sd2011"
TOPICS = {
    "first_report",
    "the_form",
    "reading_the_numbers",
    "no_disclosures",
    "comparing_syntheses",
    "release_size",
    "worth_the_risk",
    "what_an_approver_asks",
    "large_files",
    "audit_pipeline",
    "sd2011",
    "exercise_1_keys",
    "exercise_2_disclosures",
    "exercise_3_decision",
}
EXERCISES = sorted(name for name in TOPICS if name.startswith("exercise"))
ALONE = """
import sys

def refuse(event, arguments):
    if event == "socket.getaddrinfo" and arguments[0] not in (None, "", "127.0.0.1", "localhost", b"127.0.0.1"):
        raise PermissionError(f"asked for {arguments[0]}")
    if event == "socket.connect" and isinstance(arguments[1], tuple) and arguments[1][0] != "127.0.0.1":
        raise PermissionError(f"asked for {arguments[1]}")

sys.addaudithook(refuse)
"""
"""Lets every Python process that finds it reach this machine only."""


def read(name):
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def outputs(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", ())]


def exported(notebook):
    cells = (cell for cell in notebook.cells if "hide-output" not in cell.metadata.get("tags", ()))
    return [output for cell in cells for output in cell.get("outputs", ())]


def test_each_topic_has_its_notebook():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == TOPICS


@pytest.mark.parametrize("name", sorted(TOPICS))
def test_is_stored_small_and_without_outputs(name):
    notebook = read(name)
    assert all(not cell.outputs and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code")
    assert (FOLDER / f"{name}.ipynb").stat().st_size < 20_000
    assert notebook.cells[0].source.startswith("# ")
    assert 15 <= len(notebook.cells) <= 30


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_has_solutions_and_a_summary_for_a_slide(name):
    notebook = read(name)
    assert sum("solution" in cell.metadata.get("tags", ()) for cell in notebook.cells) >= 6
    assert "**Afterwards you can**" in notebook.cells[0].source
    assert "MIT licence" in notebook.cells[0].source
    assert any(cell.source.endswith("\nexamples.dictionary()") for cell in notebook.cells)
    assert any("**Calls you need.**" in cell.source or "```python" in cell.source for cell in notebook.cells)
    summary = notebook.cells[-1]
    assert summary.source.startswith("## In one slide")
    assert summary.source.count("\n- ") == 4
    assert len(summary.source.split()) < 110


ANSWERS_IN_WORDS = {
    "exercise_2_disclosures": ("leaky", "low_fidelity", "synthetic_small", "copies", "equal an original record"),
    "exercise_3_decision": ("0.08",),
}
"""What would answer a question of the handout, beside the solutions' figures."""


@pytest.mark.parametrize("name", EXERCISES)
def test_a_handout_holds_no_figure_of_the_solutions(name):
    """Not in its questions, nor in "In one slide", nor in the lines that are given."""
    solved = [cell.source for cell in read(name).cells if "solution" in cell.metadata.get("tags", ())]
    kept = handout(read(name))
    given = "\n".join(cell.source for cell in kept.cells)
    assert not [cell for cell in kept.cells if cell.cell_type == "code" and cell.outputs]
    figures = {one for text in solved for one in re.findall(r"\d[\d,]*\.\d+|\b[1-9]\d{2,}\b", text)}
    allowed = {"100", "2026", "2027"}  # of percentages and dates
    assert sorted(one for one in figures - allowed if re.search(rf"(?<![\d.,]){re.escape(one)}(?![\d.])", given)) == []
    assert [word for word in ANSWERS_IN_WORDS.get(name, ()) if word in given] == []


def test_no_record_is_in_a_handout():
    """What is drawn from a file of the survey, row by row, stays off the paper."""
    for name in EXERCISES:
        kept = [cell for cell in read(name).cells if "solution" not in cell.metadata.get("tags", ())]
        rows = [cell for cell in kept if re.search(r"\.(sample|head|tail|iloc)\b", cell.source)]
        assert [cell for cell in rows if cell.cell_type == "code" and "hide-output" not in cell.metadata.tags] == []


def test_the_guide_makes_handouts_and_solutions_in_folders_of_their_own():
    made = re.findall(
        r"^jupyter nbconvert .*--to discoreport_(handout|solution|slides) (.*)exercise_",
        readme_and_guide(),
        re.MULTILINE,
    )
    assert len(made) == 4
    assert all("--output-dir" in words for _, words in made)  # else the next line would take them for exercises


def test_the_guide_has_every_notebook():
    assert [name for name in TOPICS if f"example_notebooks/{name}.ipynb" not in readme_and_guide()] == []


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """Put the wheel into a folder of its own; no Python process that finds it there reaches the network."""
    folder = tmp_path_factory.mktemp("installed")
    words = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder / "wheel"), str(ROOT)]
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    (wheel,) = (folder / "wheel").glob("*.whl")
    words = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder / "site"), str(wheel)]
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    (folder / "site" / "sitecustomize.py").write_text(ALONE)
    return folder / "site"


@pytest.fixture(scope="session")
def run(tmp_path_factory, installed):
    """Run a notebook once, however many tests look at it."""
    nbclient = pytest.importorskip("nbclient")

    @functools.cache
    def run(name):
        if name == "sd2011" and not SD2011.is_dir():
            pytest.skip("the reference data are not here")
        folder = tmp_path_factory.mktemp(name)
        notebook = read(name)
        for cell in notebook.cells:
            if "parameters" in cell.metadata.get("tags", ()):
                cell.source = f'folder = "{SD2011.resolve()}"\nending = ".csv.gz"'
        where = "import socket\n\nimport discoreport\n\nprint(discoreport.__file__)"
        notebook.cells.append(nbformat.v4.new_code_cell(where))
        notebook.cells.append(nbformat.v4.new_code_cell(sentences.lines(name)))
        notebook.cells.append(nbformat.v4.new_code_cell('socket.create_connection(("192.0.2.1", 80), 1)'))
        notebook.cells[-1].metadata.tags = ["raises-exception"]
        client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}})
        client.execute(env={**os.environ, "PYTHONPATH": str(installed)})
        refused, computed, place = notebook.cells.pop(), notebook.cells.pop(), notebook.cells.pop()
        assert place.outputs[0].text.startswith(str(installed))
        assert refused.outputs[0].ename == "PermissionError"
        (printed,) = (output.text for output in computed.outputs if output.get("name") == "stdout")
        return notebook, folder, printed

    return run


@pytest.mark.notebook
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the kernel's libraries
@pytest.mark.parametrize("name", sorted(TOPICS))
def test_runs_from_a_clean_kernel_without_network(name, run):
    notebook, folder, _ = run(name)
    said = [output["text"] for output in outputs(notebook) if output.get("name") == "stderr"]
    assert all("ComparisonWarning" in text for text in said)  # of files that leak, as some examples do
    shown = [output["data"]["text/plain"] for output in outputs(notebook) if "data" in output]
    assert len(shown) >= 4
    assert "False" not in " ".join(text for text in shown if len(text) < 100)
    written = {
        "first_report": {f"first-report.{ending}" for ending in ("html", "json", "pdf")},
        "exercise_3_decision": {"exercise_3"},
    }
    assert {path.name for path in folder.iterdir()} == written.get(name, set())


@pytest.mark.notebook
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", sorted(TOPICS))
def test_what_it_says_in_figures_is_what_it_computes(name, run):
    notebook, _, printed = run(name)
    assert sentences.wrong(sentences.prose(notebook), printed) == []


@pytest.mark.parametrize("name", sorted(TOPICS))
def test_every_figure_of_its_prose_is_computed_or_given(name):
    assert sentences.unfounded(name, sentences.prose(read(name))) == []


@pytest.mark.notebook
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_papers_figures_come_out(run):
    notebook, *_ = run("sd2011")
    assert outputs(notebook)[-1]["data"]["text/plain"] == "[]"
    assert sum("paper" in output.get("data", {}).get("text/plain", "") for output in outputs(notebook)) == 7


@pytest.mark.notebook
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", sorted(TOPICS))
def test_every_exporter_takes_it(name, run):
    notebook, *_ = run(name)
    page = export(notebook, name=name)
    n_tables = sum("text/html" in one.get("data", {}) for one in exported(notebook)) - 2 * (name == "the_form")
    n_figures = sum("image/svg+xml" in one.get("data", {}) for one in exported(notebook))
    assert page.count("<table") >= n_tables
    assert page.count("<figure>") == n_figures
    assert "without a description" not in page
    assert not [words for words in ("DisclosureForm(children", "<discoreport", "Figure size") if words in page]
    for exporter in ("PDF", "Handout", "Solution") if name in EXERCISES else ("PDF",):
        written = export(notebook, exporter, name=name)
        content = written if isinstance(written, bytes) else written[0]
        pages = [" ".join(one.extract_text().split()) for one in PdfReader(io.BytesIO(content)).pages]
        title = notebook.cells[0].source.splitlines()[0].removeprefix("# ")
        assert title in pages[0]
        assert all(len(text) > 150 for text in pages)  # no page is all but empty
        if exporter == "PDF":  # no sign of the code is cut
            joined = re.sub(r"discoreport[^P]{1,20}Page\d+of\d+", "", "".join("".join(pages).split()))
            joined = joined.replace("".join(f"{title}{name}".split()), "")  # a line may go on over the page
            for cell in notebook.cells:
                if cell.cell_type == "code" and "hide-input" not in cell.metadata.get("tags", ()):
                    assert all("".join(line.split()) in joined for line in cell.source.splitlines())


@pytest.mark.notebook
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", EXERCISES)
def test_the_handout_gives_nothing_away(name, run):
    notebook, *_ = run(name)
    solutions = [cell for cell in notebook.cells if "solution" in cell.metadata.get("tags", ())]
    asked = "\n".join(cell.source for cell in notebook.cells if cell not in solutions)
    for form in ("html", "notebook"):
        content, _ = export(notebook, "Handout", form=form)
        for cell in solutions:
            assert max((line for line in cell.source.splitlines() if line not in asked), key=len) not in content
        assert "In one slide" in content
        if form == "html":  # which keeps the outputs of the lines that are given
            assert [word for word in ANSWERS_IN_WORDS.get(name, ()) if word in content.partition("<body")[2]] == []
