"""The notebook that repeats an assessment: runs, and gives the same figures to the last digit."""

import datetime
import io
import shutil
from pathlib import Path

import nbformat
import pytest
from pypdf import PdfReader

from discoreport import Documentation, assess, cli, examples, load, release_size, write_notebook
from discoreport.assessment.analyses import ANALYSES
from discoreport.errors import OutputError
from tests.commands import literal, python_lines
from tests.notebooks import export

SHARED = Path(__file__).parents[3] / "shared"
SD2011 = SHARED / "oracle" / "sd2011"


def sources(path, kind="code"):
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def run_without_charts(path):
    """Run the code of a notebook in this process; charts have tests of their own, and a slow one runs it all."""
    names = {"display": print}
    for source in sources(path):
        if not source.startswith("draw("):
            lines = source.splitlines()
            exec(source, names)
            if lines[-1].startswith("assessment.outcome =="):
                assert eval(lines[-1], names)
            if lines[-1].startswith("[file.name"):
                assert eval(lines[-1], names) == []
    return names["assessment"]


def test_is_stored_without_outputs_and_the_same_each_time(small, tmp_path):
    first = write_notebook(small, tmp_path / "one.ipynb")
    second = write_notebook(small, tmp_path / "two.ipynb")
    assert first.read_bytes() == second.read_bytes()
    made = nbformat.read(first, as_version=4)
    nbformat.validate(made)
    assert all(not cell.outputs and cell.execution_count is None for cell in made.cells if cell.cell_type == "code")
    assert made.cells[2].metadata.tags == ["parameters", "internal-only"]
    assert "Teaching" in made.cells[0].source


@pytest.mark.slow
def test_repeats_the_survey_to_the_last_digit(survey_of_three, tmp_path):
    survey_of_three.save(tmp_path / "assessment.json")
    path = write_notebook(survey_of_three, tmp_path / "repeat.ipynb", record=tmp_path / "assessment.json")
    again = run_without_charts_in(path, tmp_path)
    assert again.outcome == survey_of_three.outcome
    assert again.settings == survey_of_three.settings
    assert again.outcome_without_exclusions == survey_of_three.outcome_without_exclusions


def run_without_charts_in(path, folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return run_without_charts(path)


@pytest.mark.notebook
def test_every_setting_and_other_sizes_are_repeated(small_files, tmp_path):
    original, synthetic = small_files
    made = assess(
        original,
        synthetic,
        keys=["village"],
        targets=["trade"],
        target_missing={"trade": "exclude"},
        exclude=[{"target": "trade", "level": "Farmer", "reason": 'they "all" are\n%% code', "on": "2026-11-28"}],
        max_denominator=30,
        one_way_threshold=(1, 50.5),
        two_way_threshold=(1, 50),
        tau=(0.25, 1),
        engine="duckdb",
    )
    made = made.with_analysis(release_size(original, synthetic, made.settings, sizes=[20, 40], draws=2, seed=7))
    path = write_notebook(made, tmp_path / "repeat.ipynb")
    again = run_without_charts(path)
    assert again.outcome == made.outcome
    assert again.settings == made.settings
    assert again.analyses == made.analyses
    assert again.provenance.engine == "duckdb"


def test_says_where_the_figures_or_the_files_are_others(small_files, tmp_path):
    for file in small_files:
        shutil.copy(file, tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        made = assess("original.csv", "synthetic.csv", keys=["village"])
        made.save("assessment.json")
        write_notebook(load("assessment.json"), "sub/repeat.ipynb", record="assessment.json")
        assert "original = '../original.csv'" in sources("sub/repeat.ipynb")[0]
        with Path("synthetic.csv").open("a") as file:
            file.write("Achterbach,Farmer\n")
        patch.chdir("sub")
        with pytest.raises(AssertionError):
            run_without_charts("repeat.ipynb")


@pytest.mark.filterwarnings("ignore:Records of the original")  # the file is the original itself
def test_what_was_made_from_frames_says_so(tmp_path):
    original = examples.read("original").head(60)
    made = assess(original, original, keys=["sex"], targets=["smoker"])
    path = write_notebook(made, tmp_path / "repeat.ipynb")
    assert "say here where they are" in " ".join(sources(path, "markdown"))


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_every_frame_gets_the_name_of_a_file(tmp_path):
    frame = examples.read("original").head(60)
    file = tmp_path / "original.csv"
    frame.to_csv(file, index=False)
    made = assess(file, file, keys=["sex"], targets=["smoker"])
    releases = {"a": frame.head(40), "b": frame.head(50)}
    asked = {"control": {"control": frame.tail(30)}, "releases": {"releases": releases}}
    for name, options in asked.items():
        made = made.with_analysis(ANALYSES[name].run(file, [file], made.settings, options))
    path = write_notebook(made, tmp_path / "repeat.ipynb")
    (parameters,) = [cell for cell in sources(path) if cell.startswith("original =")]
    compile(parameters, "parameters", "exec")
    values = {}
    exec(parameters, {}, values)  # written above
    assert values["analyses"]["control"]["control"] == "control.csv"
    assert list(values["analyses"]["releases"]["releases"].values()) == [["release_1.csv"], ["release_2.csv"]]
    assert "say here where they are" in " ".join(sources(path, "markdown"))


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize(
    "text",
    ["*a* _b_ `c`", "# a", "1. a", "- a", "+ a", "a | b", "<b>a</b>", "$a$ and $b$", "[a](http://b)", "![a](b)",
     "a\n\n# b", "a\n%% code\nb", "&amp;", "\\*a", "https://evil.example", "~~a~~", "worked_abroad", "12) x"],
)  # fmt: skip
def test_words_are_words_in_markdown(text, small, tmp_path):
    said = Documentation.model_validate({"request": {"purpose": text}, "title": text})
    made = nbformat.read(write_notebook(small.with_documentation(said), tmp_path / "n.ipynb"), as_version=4)
    harmless = Documentation.model_validate({"request": {"purpose": "a"}, "title": "a"})
    other = nbformat.read(write_notebook(small.with_documentation(harmless), tmp_path / "m.ipynb"), as_version=4)
    assert [cell.cell_type for cell in made.cells] == [cell.cell_type for cell in other.cells]
    made.cells = made.cells[:1]
    made.metadata.title = "T"
    page = export(made).partition("<body")[2]
    from html import unescape
    from re import sub

    assert f"Purpose. {' '.join(text.split())}" in unescape(sub("<[^>]*>", "", page))


def test_text_becomes_python_by_being_quoted():
    for value in ("'; import os #", "a\"b'c\n", "\\", None, datetime.date(2026, 1, 2), {"a'": (1, 2.5)}):
        read = eval(literal(value))
        assert read == (
            {"a'": [1, 2.5]} if isinstance(value, dict) else "2026-01-02" if hasattr(value, "day") else value
        )


def test_the_python_lines_of_the_report_hold_dates(small_files):
    rule = {"target": "trade", "level": "Farmer", "reason": "all are", "by": "A.", "on": "2026-11-28"}
    made = assess(*small_files, keys=["village"], exclude=[rule])
    names = {}
    exec(python_lines(made), names)
    assert names["assessment"].settings == made.settings


def test_nothing_of_it_is_in_an_external_edition(survey, tmp_path):
    made = nbformat.read(write_notebook(survey, tmp_path / "n.ipynb"), as_version=4)
    assert '<div class="cell ' in export(made)
    assert '<div class="cell ' not in export(made, edition="external")


def test_a_file_that_exists_is_left_alone(small, tmp_path):
    (tmp_path / "n.ipynb").write_text("mine")
    with pytest.raises(OutputError, match="exists"):
        write_notebook(small, tmp_path / "n.ipynb")
    assert (tmp_path / "n.ipynb").read_text() == "mine"


def test_the_command_writes_it(small, tmp_path, capsys):
    small.save(tmp_path / "assessment.json")
    words = ["notebook", str(tmp_path / "assessment.json"), "--out", str(tmp_path / "n.ipynb")]
    assert cli.main(words) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "n.ipynb")
    assert "record = 'assessment.json'" in sources(tmp_path / "n.ipynb")[0]
    assert cli.main(words) == 5


def executed(path):
    nbclient = pytest.importorskip("nbclient")
    made = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(made, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
    return made


@pytest.mark.notebook
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the kernel's libraries
def test_runs_from_a_clean_kernel_and_is_exported(documented, tmp_path):
    documented.save(tmp_path / "assessment.json")
    made = executed(write_notebook(documented, tmp_path / "repeat.ipynb", record=tmp_path / "assessment.json"))
    results = [
        output.data["text/plain"] for cell in made.cells for output in cell.get("outputs", ()) if "data" in output
    ]
    assert "True" in results
    assert "[]" in results
    page = export(made)
    assert page.count("<figure>") == sum("figure" in cell.metadata.tags for cell in made.cells) > 5
    assert "without a description" not in page
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(export(made, "PDF"))).pages)
    assert "Nine in ten people of the region" in text


@pytest.mark.notebook
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.skipif(not SD2011.is_dir(), reason="the reference data are not here")
def test_repeats_the_papers_data_to_the_last_digit(tmp_path):
    original, *synthetic = [SD2011 / f"{name}.csv.gz" for name in ("original", "s5_1", "s5_2")]
    keys = ["sex", "age", "region", "placesize"]
    made = assess(original, synthetic, keys=keys, numeric_groups={"income": 20}, special_codes={"income": [-8]})
    made.save(tmp_path / "assessment.json")
    ran = executed(write_notebook(made, tmp_path / "repeat.ipynb", record=tmp_path / "assessment.json"))
    assert "True" in [one.data["text/plain"] for cell in ran.cells for one in cell.get("outputs", ()) if "data" in one]
