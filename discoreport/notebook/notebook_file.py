"""A notebook as its template reads it: title, contents, and cells chosen by their tags."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from markupsafe import Markup

from discoreport.assessment.release.policy import Logo
from discoreport.notebook.cell_outputs import LONG, Shown, show
from discoreport.notebook.code_cells import LARGEST_OUTPUT, highlight
from discoreport.notebook.handout import SOLUTION, room_of, tags_of
from discoreport.notebook.markdown_cells import Heading, Outline, cut, enter_headings, to_html
from discoreport.notebook.sanitise_html import clean
from discoreport.notebook.slides import begin_slides, shown_on_slides
from discoreport.notebook.text_direction import side
from discoreport.notebook.widget_outputs import states_of
from discoreport.version import __version__

Code = Literal["show", "fold", "hide"]
CODE: tuple[Code, ...] = ("show", "fold", "hide")
INTERNAL = "internal-only"
REMOVE = {"remove", "remove-cell", "remove_cell"}
HIDE_INPUT = {"hide-input", "hide_input", "remove-input", "remove_input"}
HIDE_OUTPUT = {"hide-output", "hide_output", "remove-output", "remove_output"}
_LONGEST_FIELD = 400
_DEEPEST_CONTENTS = 3


@dataclass(frozen=True)
class Options:
    """What the user asks of an export; see the options of the exporters, which have the same names.

    `without` has the types of cells that are left out, such as "raw".
    """

    title: str = ""
    date: str = ""
    marking: str = ""
    code: Code = "show"
    external: bool = False
    without: frozenset[str] = frozenset()
    outputs: bool = True
    contents: bool = True
    largest_output: int = LARGEST_OUTPUT
    solutions: Literal["plain", "marked", "room"] = "plain"
    slides: bool = False


@dataclass(frozen=True)
class Cell:
    """One cell: prose or code, both as HTML, its outputs, and what else the page says of it."""

    kind: Literal["markdown", "code", "raw", "room"]
    html: str = ""
    code: str = ""
    outputs: tuple[Shown, ...] = ()
    caption: str = ""
    solution: bool = False
    lines: int = 0
    begins: bool = False

    @property
    def long(self) -> bool:
        """Whether its code may be parted over pages."""
        return self.code.count("\n") > LONG


@dataclass(frozen=True)
class Document:
    """Everything that the template reads."""

    title: str
    subtitle: str
    authors: tuple[str, ...]
    organisation: str
    date: str
    description: str
    marking: str
    label: str
    language: str
    name: str
    created: datetime.datetime
    cells: tuple[Cell, ...]
    headings: tuple[Heading, ...]
    code: Code
    logo: Logo | None = None
    slides: bool = False
    discoreport: str = field(default=__version__)

    @property
    def sides(self) -> dict[str, Markup]:
        """Which of the first lines run from right to left, as an attribute."""
        lines = {"title": self.title, "subtitle": self.subtitle, "description": self.description}
        return {name: side(text) for name, text in lines.items()}

    @property
    def english(self) -> Markup:
        """What an element says whose words are those of the page, where the notebook is in another language."""
        return Markup() if self.language.partition("-")[0] == "en" else Markup(' lang="en"')

    @property
    def contents(self) -> tuple[Heading, ...]:
        """The headings that the table of contents lists."""
        return tuple(heading for heading in self.headings if heading.level <= _DEEPEST_CONTENTS)

    @property
    def drawings(self) -> dict[str, str]:
        """The drawings that are in the page as they are, and what a screen reader speaks of each."""
        outputs = (one for cell in self.cells for one in cell.outputs)
        return {str(one.content): one.drawn for one in outputs if one.drawn is not None}


def read(
    notebook: Mapping[str, Any], options: Options, *, name: str, path: str = "", logo: Logo | None = None
) -> Document:
    """Lay a notebook out for its template.

    Parameters
    ----------
    notebook
        As nbformat gives it.
    options
        What the user asks for.
    name, path
        Of the notebook's file, and of the folder it lies in.
    logo
        Stands on the first page.

    Returns
    -------
    Document
        With everything cleaned that comes from the notebook.
    """
    metadata = notebook["metadata"]
    chosen = cells_of(notebook, options)
    if options.slides:
        chosen = shown_on_slides(chosen)
    folder = Path(path) if path and Path(path).is_dir() else None
    title = _line(options.title) or _line(metadata.get("title"))
    rough = Outline()
    for cell in chosen:
        if cell["cell_type"] == "markdown" and not _left_out(cell, options):
            enter_headings(cell["source"], rough)
    first = rough.headings[0] if rough.headings else None
    without_first = first is not None and first.level == 1 and (not title or first.text == title)
    levels = [heading.level for heading in rough.headings[1 if without_first else 0 :]]
    outline = Outline(shift=2 - min(levels, default=2), without_first=without_first)
    prose = [
        to_html(cell["source"], outline, cell.get("attachments") or {}, folder)
        if cell["cell_type"] == "markdown" and not _left_out(cell, options)
        else Markup()
        for cell in chosen
    ]
    language = metadata.get("language_info", {})
    lexer = _line(language.get("pygments_lexer")) or _line(language.get("name"))
    states = states_of(metadata)
    cells = [_cell(cell, html, lexer, options, states) for cell, html in zip(chosen, prose, strict=True)]
    if options.slides:
        starts = begin_slides(chosen)
        cells = [replace(cell, begins=start) for cell, start in zip(cells, starts, strict=True)]
    created = _moment(options.date or metadata.get("date"))
    return Document(
        title=title or (first.text if first is not None and without_first else "") or _line(name) or "Notebook",
        subtitle=_line(metadata.get("subtitle")),
        authors=tuple(_authors(metadata.get("authors"))),
        organisation=_line(metadata.get("organisation")),
        date=_line(options.date) or _line(metadata.get("date")),
        description=_line(metadata.get("description")),
        marking=_line(options.marking) or _line(metadata.get("marking")),
        label=_label(chosen, options),
        language=_language(metadata.get("lang")),
        name=_line(name),
        created=created or datetime.datetime.now(datetime.UTC).replace(microsecond=0),
        cells=tuple(_in_one_room(cell for cell in cells if cell.html or cell.code or cell.outputs or cell.lines)),
        headings=tuple(outline.headings) if options.contents else (),
        code=options.code,
        logo=logo,
        slides=options.slides,
    )


def cells_of(notebook: Mapping[str, Any], options: Options) -> list[Any]:
    """Give the cells that an export may hold at all, in their order."""
    left_out = REMOVE | ({INTERNAL} if options.external else set())
    return [
        cell for cell in notebook["cells"] if cell["cell_type"] not in options.without and not tags_of(cell) & left_out
    ]


def _left_out(cell: Mapping[str, Any], options: Options) -> bool:
    return options.solutions == "room" and SOLUTION in tags_of(cell)


def _in_one_room(cells: Iterable[Cell]) -> list[Cell]:
    """Give a solution of several cells one room."""
    given: list[Cell] = []
    for cell in cells:
        if given and cell.kind == given[-1].kind == "room":
            given[-1] = Cell("room", lines=given[-1].lines + cell.lines)
        else:
            given.append(cell)
    return given


def _cell(cell: Mapping[str, Any], html: Markup, lexer: str, options: Options, states: Mapping[str, Any]) -> Cell:
    tags = tags_of(cell)
    solution = SOLUTION in tags and options.solutions == "marked"
    if _left_out(cell, options):
        return Cell("room", lines=room_of(cell))
    if cell["cell_type"] == "markdown":
        return Cell("markdown", html, solution=solution)
    if cell["cell_type"] == "raw":
        return Cell("raw", _raw(cell, options))
    by_nbconvert = (cell["metadata"].get("transient") or {}).get("remove_source")  # its remove_input_tags
    hide_code = options.code == "hide" or tags & HIDE_INPUT or by_nbconvert
    hide_outputs = not options.outputs or tags & HIDE_OUTPUT
    caption = _line(cell["metadata"].get("caption"))
    described = _line(cell["metadata"].get("alt")) or caption
    shown = () if hide_outputs else cell["outputs"]
    outputs = show(shown, largest=options.largest_output, description=described, states=states)
    code = Markup() if hide_code else highlight(cell["source"], lexer)
    return Cell("code", code=code, outputs=outputs, caption=caption, solution=solution)


def _raw(cell: Mapping[str, Any], options: Options) -> Markup:
    """Show HTML and Markdown as such, text as it is; of other formats say that they are left out."""
    kind = cell["metadata"].get("raw_mimetype") or cell["metadata"].get("format") or ""
    source = cut(cell["source"], options.largest_output)
    if kind == "text/html":
        return clean(source)
    if kind == "text/markdown":
        return to_html(source, Outline(shift=2), {}, None)
    if kind in ("", "text/plain"):
        return Markup('<pre class="output text">{}</pre>').format(source) if source.strip() else Markup()
    return Markup('<p class="omitted">A raw cell for another format ({}) is left out.</p>').format(str(kind)[:80])


def _label(cells: Iterable[Mapping[str, Any]], options: Options) -> str:
    """Say which edition it is, where the notebook has cells for inside only, or is an exercise."""
    if options.solutions != "plain":
        return "Exercises" if options.solutions == "room" else "Exercises with solutions"
    if options.external:
        return "External edition"
    return "Internal edition: holds cells for inside only" if any(INTERNAL in tags_of(one) for one in cells) else ""


def _line(value: object) -> str:
    """Give a field of the metadata as one line; "" where it isn't text."""
    return " ".join(value.split())[:_LONGEST_FIELD] if isinstance(value, str) else ""


def _authors(value: object) -> Iterable[str]:
    for author in value if isinstance(value, list) else [value]:
        named = _line(author.get("name") if isinstance(author, Mapping) else author)
        if named:
            yield named


def _language(value: object) -> str:
    written = _line(value)
    return written if written.replace("-", "").isalnum() and written.isascii() else "en"


def _moment(value: object) -> datetime.datetime | None:
    """Read a date; None where it isn't one that is written like 2026-11-28."""
    try:
        found = datetime.datetime.fromisoformat(_line(value))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=datetime.UTC)
