"""The example notebooks: they run from a clean kernel, are stored without outputs, and can be exported."""

import functools
import io
from pathlib import Path

import nbformat
import pytest
from pypdf import PdfReader

from tests.notebooks import export

FOLDER = Path(__file__).parent.parent / "example_notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
WRITES = {"first_report": "first-report.pdf", "audit_pipeline": "audit/report/assessment.json"}


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_stored_small_and_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.outputs and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code")
    assert path.stat().st_size < 50_000
    assert notebook.cells[0].source.startswith("# ")


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """Run a notebook once, however many tests look at it."""
    nbclient = pytest.importorskip("nbclient")

    @functools.cache
    def run(path):
        folder = tmp_path_factory.mktemp(path.stem)
        notebook = nbformat.read(path, as_version=4)
        nbclient.NotebookClient(notebook, timeout=180, resources={"metadata": {"path": str(folder)}}).execute()
        return notebook, folder

    return run


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the kernel's libraries
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_from_a_clean_kernel(path, run):
    notebook, folder = run(path)
    if path.stem in WRITES:
        assert (folder / WRITES[path.stem]).exists()
    assert "False" not in [
        one["data"]["text/plain"] for cell in notebook.cells for one in cell.get("outputs", ()) if "data" in one
    ]
    assert all(output.get("name") != "stderr" for cell in notebook.cells for output in cell.get("outputs", ()))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_exporter_takes_it(path, run):
    notebook, _ = run(path)
    page = export(notebook, name=path.stem)
    n_tables = sum("text/html" in one.get("data", {}) for cell in notebook.cells for one in cell.get("outputs", ()))
    n_figures = sum(
        "image/svg+xml" in one.get("data", {}) for cell in notebook.cells for one in cell.get("outputs", ())
    )
    assert page.count("<table") >= n_tables
    assert page.count("<figure>") == n_figures
    for exporter in ("PDF", "Handout", "Solution"):
        written = export(notebook, exporter, name=path.stem)
        content = written if isinstance(written, bytes) else written[0]
        text = "".join(one.extract_text() for one in PdfReader(io.BytesIO(content)).pages)
        first = " ".join(notebook.cells[0].source.splitlines()[0].removeprefix("# ").split())
        assert first in " ".join(text.split())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_handout_of_the_exercises_gives_nothing_away(run):
    notebook, _ = run(FOLDER / "exercises.ipynb")
    for form in ("html", "notebook"):
        content, _ = export(notebook, "Handout", form=form)
        for cell in notebook.cells:
            if "solution" in cell.metadata.get("tags", ()):
                assert cell.source.splitlines()[0] not in content
        assert "Exercise 3" in content
