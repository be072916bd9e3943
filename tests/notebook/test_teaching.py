"""Exercises and solutions from one notebook."""

import io
import re

import nbformat
import pytest
from pypdf import PdfReader

from discoreport import DiscoReportError, examples
from discoreport.examples import exercises
from discoreport.examples.exercises import check
from tests import sentences
from tests.documents import README, ROOT, document
from tests.notebooks import code, display, export, notebook, prose

FOLDER = ROOT / "example_notebooks"
FOR_TEACHERS = (FOLDER / "for_teachers.md").read_text(encoding="utf-8")
WRONG_TURNS = FOR_TEACHERS.partition("## Wrong turns")[2].partition("\n## ")[0]
_MINUTES = r"^\| (\d[a-f]|\d, to begin) \| (\d+) \| "


@pytest.fixture
def lesson():
    made = notebook(
        prose("# Lesson\n\n## Exercise 1\n\nHow many?"),
        code("given = 1", outputs=[display(plain="GIVEN")]),
        code("solved = 42", "solution", outputs=[display(plain="ANSWER-1")]),
        prose(
            "## ANSWER-2\n\n![a](attachment:ANSWER-3.png)", "solution", attachments={"ANSWER-3.png": {"image/png": ""}}
        ),
        prose("## Exercise 2\n\nHow few?"),
        code("after", "solution", room=2),
    )
    made.metadata.widgets = {"application/vnd.jupyter.widget-state+json": {"state": "ANSWER-4"}}
    return made


def test_the_handout_has_room_in_place_of_each_solution(lesson):
    page, ending = export(lesson, "Handout", form="html")
    assert ending == ".handout.html"
    assert "GIVEN" in page
    assert "ANSWER" not in page
    assert "solved" not in page
    rooms = page.split('class="room"')[1:]
    assert [room.partition("</div>")[0].count("<br>") for room in rooms] == [
        8,
        2,
    ]  # a solution of two cells has one room


def test_the_handout_as_a_notebook_has_empty_cells_and_no_outputs(lesson):
    written, ending = export(lesson, "Handout", form="notebook")
    assert ending == ".handout.ipynb"  # never the name of the notebook itself
    assert "ANSWER" not in written
    assert "GIVEN" not in written
    given = nbformat.reads(written, as_version=4)
    nbformat.validate(given)
    assert [cell.source for cell in given.cells[1:] if "Exercise" not in cell.source] == [
        "given = 1",
        "# Your answer\n",
        "*Your answer*",
        "# Your answer\n",
    ]
    assert lesson.cells[2].source == "solved = 42"  # the lesson itself is as it was


def test_the_solution_keeps_and_marks_them(lesson):
    page, ending = export(lesson, "Solution", form="html")
    assert ending == ".solution.html"
    assert page.count('<p class="solution-label">Solution</p>') == 3
    assert "ANSWER-1" in page
    assert "ANSWER-1" in export(lesson, "Solution", form="notebook")[0]


@pytest.mark.parametrize("exporter", ["Handout", "Solution"])
@pytest.mark.parametrize("form", ["notebook", "html"])
def test_neither_holds_what_tags_leave_out(exporter, form):
    made = notebook(prose("# Lesson"), prose("FOR-INSIDE", "internal-only"), code("GONE = 1", "remove"), prose("kept"))
    inside, outside = (export(made, exporter, form=form, edition=edition)[0] for edition in ("internal", "external"))
    assert "FOR-INSIDE" in inside
    assert "FOR-INSIDE" not in outside
    for written in (inside, outside):
        assert "GONE" not in written
        assert "kept" in written


def test_both_are_pdf_by_default(lesson):
    for exporter, ending, holds in (("Handout", ".handout.pdf", False), ("Solution", ".solution.pdf", True)):
        written, found = export(lesson, exporter)
        text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(written)).pages)
        assert found == ending
        assert ("ANSWER-1" in text) is holds
        assert ("ANSWER" in written.decode("latin-1")) is False


def test_other_exporters_show_solutions_as_ordinary_cells(lesson):
    assert "ANSWER-1" in export(lesson)
    assert "solution-label" not in export(lesson).partition("<body")[2]


@pytest.mark.parametrize("made", ["Handout", "Solution"])
def test_what_is_a_handout_already_is_none_anew(lesson, made):
    written = nbformat.reads(export(lesson, made, form="notebook")[0], as_version=4)
    for again in ("Handout", "Solution"):
        with pytest.raises(DiscoReportError, match=f"is a {made.lower()} already.*--output-dir"):
            export(written, again, form="html")
    assert "GIVEN" in export(lesson, made, form="html")[0]


@pytest.mark.parametrize(
    ("task", "answer", "said"),
    [
        ("1b", (1965,), "Right."),
        ("1b", (39.3,), "Right."),
        ("1b", (3128,), "`== 1`"),
        ("1d", (50.5,), "divides by the synthetic uniques"),
        ("1d", (1060,), "`>= 1`"),
        ("1e", (5.0,), "Right."),
        ("1e", (24.9,), "divides by the synthetic records"),
        ("2b", (74.7, 51.3, 38.6), "Right."),
        ("2b", (74.7, 58.4, 75.4), "Figure 2: not yet. That takes any record that is right"),
        ("2b", (74.7, 58.4, 75.4), "(TCAP)"),
        ("2b", (74.7,), "Right so far: 1 of 3 figures."),
        ("2b", (1, 2, 3, 4), "asks for 3 figures (got 4)"),
        ("1e", (24.9, 5.0), "asks for 1 figure (got 2)"),
        ("1f", (651, 926), "more than one"),
        ("2d", (86, 5), "Right."),
        ("2d", (798, 5), "takes any Yes"),
        ("2d", (86, 4), "none of the usual mistakes"),
        ("2d", (86, 5.8), "how often it is true"),
        ("1b", ("39.3 %",), "Right."),
        ("1b", (0.393,), "a share of one"),
        ("3b", (13.0, 4), "Right."),
    ],
)
def test_an_answer_is_checked_and_a_usual_mistake_is_named(task, answer, said):
    assert said in check(task, *answer)


@pytest.mark.parametrize("task", list(exercises._TASKS))
def test_every_usual_mistake_of_a_task_is_named(task):
    known = exercises._TASKS[task]()
    exact = [100 * one.n / one.of for one in known.right]
    assert check(task, *exact) == check(task, *(one.n for one in known.right)) == "Right."
    for place, figure, words in known.mistakes:
        given = [figure.n, round(100 * figure.n / figure.of, 1)]
        wrong = [one for one in given if not known.right[place].given_by(one)]
        # out of the synthetic records is out of as many, where the files are of one size: 1e has another
        assert wrong or (task in {"1d", "3b"} and "divides by the synthetic records" in words)
        for answer in wrong:
            assert words in check(task, *exact[:place], answer, *exact[place + 1 :])


def test_the_exercises_say_every_check_and_the_minutes_add_up():
    said = " ".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("exercise_*.ipynb")))
    assert [task for task in exercises._TASKS if f'`check(\\"{task}\\", ' not in said] == []
    page = document("Notebooks and teaching")
    planned = [int(minutes) for minutes in re.findall(r"^\| (\d+) \| ", page, re.MULTILINE)]
    assert f"Three exercises make {sum(planned)} minutes" in page
    assert f"three exercises make {sum(planned)} minutes" in README.read_text(encoding="utf-8")
    of_task = {task: int(minutes) for task, minutes in re.findall(_MINUTES, FOR_TEACHERS, re.MULTILINE)}
    with_wrong_turns = re.findall(r"\d[a-f]", " ".join(re.findall(r"^\| ([^|]*) \|", WRONG_TURNS, re.MULTILINE)))
    for number, (name, minutes) in enumerate(
        zip(("1_keys", "2_disclosures", "3_decision"), planned[1:-1], strict=True), start=1
    ):
        exercise = nbformat.read(FOLDER / f"exercise_{name}.ipynb", as_version=4)
        assert exercise.metadata.description.startswith(f"About {minutes} minutes")
        assert sum(of_task[task] for task in of_task if task.startswith(str(number))) == minutes
        tasks = [
            f"{number}{letter}" for letter in re.findall(r"^## ([a-f])\)", sentences.prose(exercise), re.MULTILINE)
        ]
        assert [task for task in of_task if re.fullmatch(rf"{number}[a-f]", task)] == tasks
        assert set(tasks) <= set(with_wrong_turns)
        said = ", ".join(f"{task[1:].removeprefix(', ')} {of_task[task]}" for task in of_task if task[0] == str(number))
        assert f"**Minutes** (a plan): {said}." in exercise.cells[0].source
    for text in (page, FOR_TEACHERS):
        asked, left_out = re.search(r"classes of (\d+) minutes.*? without ((?:\d[a-f](?:, | and )?)+)", text).groups()
        first = sum(planned[:3]) - sum(of_task[task] for task in re.findall(r"\d[a-f]", left_out))
        assert max(first, sum(planned[3:])) <= int(asked)


@pytest.mark.parametrize("answer", ["many", None, "12,5"])
def test_an_answer_that_is_no_number_is_refused_in_words(answer):
    with pytest.raises(DiscoReportError, match="a number of records, or a percentage"):
        check("1b", answer)


def test_a_task_that_cannot_be_checked_says_which_can():
    with pytest.raises(DiscoReportError, match="1b"):
        check("1x", 3)


def test_what_the_page_for_teachers_says_in_figures_is_measured(survey, capsys):
    exec(sentences.lines("for_teachers"), {"survey": survey})
    assert sentences.wrong(FOR_TEACHERS, capsys.readouterr().out) == []
    without_tasks = re.sub(r"\b\d[a-f]\b", " ", re.sub(_MINUTES, "| ", FOR_TEACHERS, flags=re.MULTILINE))
    assert sentences.unfounded("for_teachers", without_tasks) == []


def test_slides_begin_at_headings_and_solutions(lesson):
    written, ending = export(lesson, "Slides")
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(written)).pages]
    assert ending == ".slides.pdf"
    begins = ["Lesson", "Exercise 1", "ANSWER-1", "ANSWER-2", "Exercise 2", "after"]
    assert [name in page for name, page in zip(begins, pages, strict=True)] == [True] * 6
    assert "GIVEN" in pages[1]
    sizes = {
        tuple(round(float(side) * 25.4 / 72) for side in page.mediabox[2:])
        for page in PdfReader(io.BytesIO(written)).pages
    }
    assert sizes == {(200, 112)}


def test_what_has_room_on_a_slide_stays_on_one():
    steps = "\n".join(f"step_{n} = {n}" for n in range(12))
    made = notebook(
        prose("# Lesson\n\n## Exercise\n\n```python\nasked = 1\n```"),
        code(steps, "solution", outputs=[display(plain="FIRST")]),
        prose("Why? " + "Because it is so. " * 30 + "LAST", "solution"),
    )
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(export(made, "Slides")[0])).pages]
    (solved,) = (text for text in pages if "step_0 = 0" in text)
    assert "FIRST" in solved
    assert "Why?" not in solved  # which would leave its last lines for the next
    (why,) = (text for text in pages if "Why?" in text)
    assert "LAST" in why


def test_a_table_of_contents_leaves_room_for_what_follows_on_its_page():
    made = notebook(prose("# Lesson"), prose("BEGIN"), *(prose(f"## Part {n}\n\nWords.") for n in range(12)))
    first = PdfReader(io.BytesIO(export(made, "PDF"))).pages[0].extract_text()
    assert "Contents" in first
    assert "BEGIN" in first


def test_what_says_that_code_follows_stays_with_it():
    filling = [prose(f"Filling {n}") for n in range(28)]
    asked = prose("LEADS to it:\n\n```python\n" + "\n".join(f"line_{n}" for n in range(18)) + "\n```")
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(export(notebook(*filling, asked), "PDF"))).pages]
    assert ["LEADS" in text for text in pages] == ["line_0" in text for text in pages]


def test_slides_are_those_that_the_notebook_names():
    made = notebook(prose("# Lesson"), *(prose(f"## Part {n}") for n in range(4)))
    for cell, kind in zip(made.cells, ("-", "slide", "skip", "notes", "fragment"), strict=True):
        cell.metadata.slideshow = {"slide_type": kind}
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(export(made, "Slides")[0])).pages]
    assert ["Part 0" in page for page in pages] == [False, True]
    assert "Part 3" in pages[1]
    assert not any("Part 1" in page or "Part 2" in page for page in pages)


def test_the_dictionary_has_every_variable_of_the_survey():
    known = examples.dictionary()
    assert list(known.index) == list(examples.read("original").columns)
    assert known.loc["income", ["levels", "missing"]].tolist() == ["400 to 13,600", 568]
    assert {name: len(file) for name, file in examples.unnamed().items()} == {"A": 5000, "B": 5000, "C": 5000}
