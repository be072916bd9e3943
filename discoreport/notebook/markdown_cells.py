"""Markdown cells -> HTML, with headings that a table of contents can lead to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import mistune
from markupsafe import Markup
from mistune.plugins.table import table_in_list, table_in_quote

from discoreport.files import data_address
from discoreport.notebook.formulas import with_drawings
from discoreport.notebook.markdown_tables import BAR, with_whole_tables
from discoreport.notebook.sanitise_html import clean, plain

LONGEST = 200_000
"""Signs of one cell; of a longer one the first are shown as they were written."""
LARGEST_PICTURE = 10_000_000
"""Bytes of a picture file that is taken into the page."""
_PLUGINS: Any = [
    "table", "strikethrough", "task_lists", "def_list", "footnotes", "url", "math", table_in_list, table_in_quote,
]  # fmt: skip
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""Media types of pictures made of pixels that a page shows."""
_SIGNATURES = {
    ".png": ("image/png", b"\x89PNG\r\n"),
    ".jpg": ("image/jpeg", b"\xff\xd8\xff"),
    ".jpeg": ("image/jpeg", b"\xff\xd8\xff"),
    ".gif": ("image/gif", b"GIF8"),
    ".webp": ("image/webp", b"RIFF"),
    ".svg": ("image/svg+xml", b""),
}


_SOURCE = re.compile(r"""(<img\b[^<>]{0,2000}?\ssrc\s*=\s*)(?:(["'])(.*?)\2|([^\s"'<>]+))""", re.IGNORECASE | re.DOTALL)
"""The address of a picture in HTML: quoted or not."""
_ENVIRONMENT = r"\\begin\{(?P<named>[a-z]{1,20}\*?)\}[\s\S]{0,4000}?\\end\{(?P=named)\}"
"""A formula without marks, as notebooks show it."""


_NOTE = re.compile(r'(<(?:sup|li)[^<>]* id="|<a[^<>]* href="#|<a href="#)(fn(?:ref)?-[^"<>]+)"')
_NOTED = re.compile(r' id="(note\d+-fn(?:ref)?-[^"<>]+)"')
"""Footnotes and what leads to them, which each cell counts from 1."""


@dataclass(frozen=True)
class Heading:
    """A heading: its level from 1 to 6, its text, and the id that leads to it."""

    level: int
    text: str
    id: str


@dataclass
class Outline:
    """The headings of a notebook in their order, and how many levels they are moved down by."""

    shift: int = 0
    without_first: bool = False
    headings: list[Heading] = field(default_factory=list)
    n_with_notes: int = 0
    _passed: bool = False
    _times: dict[str, int] = field(default_factory=dict)

    def enter(self, text: str, level: int) -> Heading | None:
        """Take up a heading; None for the first one where the page has it as its title."""
        if self.without_first and not self._passed:
            self._passed = True
            return None
        level = min(max(level + self.shift, 1), 6)
        name = wanted = re.sub(r"\s", "-", text) or "section"
        while name in self._times:
            self._times[wanted] += 1
            name = f"{wanted}-{self._times[wanted]}"
        self._times[name] = 1
        heading = Heading(level, text, name)
        self.headings.append(heading)
        return heading


class _Renderer(mistune.HTMLRenderer):
    """Writes headings into the outline, and takes pictures into the page."""

    def __init__(self, outline: Outline, picture: Callable[[str], str | None]) -> None:
        super().__init__(escape=False)
        self._outline, self._picture = outline, picture

    def heading(self, text: str, level: int, **_: Any) -> str:
        entered = self._outline.enter(plain(text), level)
        if entered is None:
            return ""
        name = mistune.escape(entered.id)
        return f'<h{entered.level} id="{name}">{text}</h{entered.level}>\n'

    def image(self, text: str, url: str, title: str | None = None) -> str:  # noqa: ARG002
        address = self._picture(url)
        source = f' src="{mistune.escape(address)}"' if address else ""
        return f'<img alt="{mistune.escape(plain(text))}"{source}>'

    def inline_math(self, text: str) -> str:
        if text[-1:].isspace():  # amounts of money rather
            return mistune.escape(f"${text}$")
        return f'<span class="math">{mistune.escape(text.strip())}</span>'

    def block_math(self, text: str) -> str:
        return f'<div class="math">{mistune.escape(text.strip())}</div>\n'

    def task_list_item(self, text: str, checked: bool = False) -> str:  # as mistune calls it
        mark = "[x] " if checked else "[ ] "
        return "<li>" + (text.replace("<p>", f"<p>{mark}", 1) if text.startswith("<p>") else mark + text) + "</li>\n"

    def inline_html(self, html: str) -> str:
        return self._with_pictures(html)

    def block_html(self, html: str) -> str:
        return self._with_pictures(html) + "\n"

    def _with_pictures(self, written: str) -> str:
        """Take the pictures in that HTML names, as those of Markdown."""

        def taken(found: re.Match[str]) -> str:
            address = self._picture(unescape(found[3] if found[2] else found[4]))
            return found[1] + (f'"{mistune.escape(address)}"' if address else '""')

        return _SOURCE.sub(taken, written)


def _environment(_: object, found: re.Match[str], state: Any) -> int:
    state.append_token({"type": "inline_math", "raw": found[0]})
    return found.end()


def to_html(source: str, outline: Outline, attachments: Mapping[str, Any], folder: Path | None) -> Markup:
    """Turn a Markdown cell into HTML.

    Parameters
    ----------
    source
        Markdown; HTML in it is cleaned. Formulas are drawn, or left as they were written, without their marks.
    outline
        Takes up the headings.
    attachments
        Pictures that the cell brings along: by name, then by media type, in base64.
    folder
        Where the notebook lies: pictures in it and below are taken into the page. None for nowhere.

    Returns
    -------
    Markup
        Nothing in it is fetched or run.
    """
    if len(source) > LONGEST:
        return Markup("<pre>{}</pre>").format(cut(source, LONGEST))
    before = len(outline.headings)
    written = _written(source, outline, lambda url: _picture(url, attachments, folder))
    notes: set[str] = set()
    if "footnote-ref" in written:
        outline.n_with_notes += 1
        written = _NOTE.sub(rf'\1note{outline.n_with_notes}-\2"', written)
        notes = set(_NOTED.findall(written))
    ids = {heading.id for heading in outline.headings[before:]} | notes
    return Markup(with_drawings(clean(written, ids)))  # noqa: S704  # cleaned


def enter_headings(source: str, outline: Outline) -> None:
    """Let an outline take up the headings of a Markdown cell, and no more of it."""
    if len(source) <= LONGEST:
        _written(source, outline, lambda _: None)


def _written(source: str, outline: Outline, picture: Callable[[str], str | None]) -> str:
    """Write Markdown as HTML that isn't cleaned yet."""
    renderer = _Renderer(outline, picture)
    write = mistune.create_markdown(escape=False, renderer=renderer, plugins=_PLUGINS)
    write.inline.register("environment", _ENVIRONMENT, _environment, before="escape")
    return str(write(with_whole_tables(source))).replace(BAR, "|")


def cut(text: str, most: int) -> str:
    r"""Give the first signs of a text, and say how many are left out.

    Examples
    --------
    >>> cut("abc", 3), cut("abcde", 3)
    ('abc', 'abc\n… 2 signs left out …')
    """
    return text if len(text) <= most else f"{text[:most]}\n… {len(text) - most:,} signs left out …"


def _picture(url: str, attachments: Mapping[str, Any], folder: Path | None) -> str | None:
    if url.startswith("data:"):
        return url
    if url.startswith("attachment:"):
        name = url.removeprefix("attachment:")
        found = attachments.get(name) or attachments.get(unquote(name))
        forms = found if isinstance(found, Mapping) else {}
        for media_type in ("image/svg+xml", *PICTURES):
            if isinstance(forms.get(media_type), str):
                return f"data:{media_type};base64,{forms[media_type]}"
        return None
    return _file(url, folder)


def _file(url: str, folder: Path | None) -> str | None:
    """Take a picture in from the notebook's folder; links that lead out of it aren't followed."""
    if folder is None or re.match(r"[a-z][\w+.-]*:|//", url, re.IGNORECASE):
        return None
    root = folder.resolve()
    try:
        path = (root / unquote(url)).resolve()
        known = _SIGNATURES.get(path.suffix.lower())
        if known is None or not path.is_relative_to(root) or path.stat().st_size > LARGEST_PICTURE:
            return None
        content = path.read_bytes()
    except (OSError, ValueError):
        return None
    return data_address(known[0], content) if content.startswith(known[1]) else None
