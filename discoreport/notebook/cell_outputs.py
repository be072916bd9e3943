"""Outputs of code cells -> what a page can show of them."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from markupsafe import Markup

from discoreport.files import data_address
from discoreport.notebook.formulas import draw
from discoreport.notebook.markdown_cells import PICTURES, Outline, to_html
from discoreport.notebook.sanitise_html import clean
from discoreport.notebook.sanitise_svg import clean_drawing
from discoreport.notebook.vega_outputs import drawn
from discoreport.notebook.widget_outputs import CONTROL, VIEW, outputs_of

MAX_LINES, MAX_SIGNS = 200, 2_000
"""Lines of a text, and signs of a line, that are shown."""
LONG, _SIGNS_A_LINE = 25, 95
"""Lines on paper from which on a text may be parted, as keeping it whole would leave half a page empty."""
PICTURES_MAY_BE = 10
"""How many times larger than a text a picture may be."""
_WIDEST = 10_000
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_REPR = re.compile(r"<[^<>]*>|[\w.]+\(.*\)", re.DOTALL)
"""What Python says of an object in place of showing it."""
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+")

OutputKind = Literal["figure", "html", "text", "warning", "error", "note"]


@dataclass(frozen=True)
class Shown:
    """One output as the page shows it: `content` is escaped by the template unless it is Markup.

    `drawn` is what a screen reader speaks of a drawing that is in the page as it is; None where it is none.
    """

    kind: OutputKind
    content: str
    drawn: str | None = None

    @property
    def long(self) -> bool:
        """Whether a text may be parted over pages."""
        return sum(1 + len(line) // _SIGNS_A_LINE for line in self.content.split("\n")) > LONG


def show(
    outputs: Sequence[Mapping[str, Any]],
    *,
    largest: int,
    description: str = "",
    states: Mapping[str, Any] | None = None,
) -> tuple[Shown, ...]:
    """Choose for each output the form that a page can show.

    Parameters
    ----------
    outputs
        Those of one cell, as the notebook holds them.
    largest
        Signs that an output may have.
    description
        What a figure of this cell says in words, where it doesn't say so itself.
    states
        Of the notebook's controls, by their ids.

    Returns
    -------
    tuple of Shown
        Vectors before pictures; of a control its static content or how it stood, or a line that it can't be shown.
    """
    return tuple(one for output in _whole(outputs, states or {}) for one in _show(output, largest, description))


def _whole(outputs: Iterable[Mapping[str, Any]], states: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Put what controls showed in their place, and streams together."""
    shown: list[Mapping[str, Any]] = []
    for output in outputs:
        data = output.get("data")
        held = (
            outputs_of(data, states) if isinstance(data, Mapping) and VIEW in data and "text/html" not in data else []
        )
        shown.extend(held or [output])
    return _streams_joined(shown)


def _streams_joined(outputs: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Join what was printed to the same stream; kernels cut it wherever they happen to send it."""

    def of(output: Mapping[str, Any]) -> str:
        return str(output.get("name")) if output.get("output_type") == "stream" else ""

    for stream, following in itertools.groupby(outputs, of):
        if stream:
            text = "".join(_joined(one.get("text")) for one in following)
            yield {"output_type": "stream", "name": stream, "text": text}
        else:
            yield from following


def _show(output: Mapping[str, Any], largest: int, description: str) -> Iterator[Shown]:
    match output.get("output_type"):
        case "stream":
            text = _joined(output.get("text"))
            if text.strip():
                yield Shown("warning" if output.get("name") == "stderr" else "text", shorten(terminal(text)))
        case "error":
            lines = "\n".join(str(line) for line in output.get("traceback") or ())
            text = terminal(lines) or f"{output.get('ename')}: {output.get('evalue')}"
            yield Shown("error", shorten(text))
        case "display_data" | "execute_result":
            data = output.get("data") or {}
            metadata = output.get("metadata") or {}
            yield from _display(data, metadata, largest, description)


def _display(data: Mapping[str, Any], metadata: Mapping[str, Any], largest: int, description: str) -> Iterator[Shown]:
    text = _joined(data.get("text/plain"))
    too_large = 0
    for media_type in ("image/svg+xml", "text/html", *PICTURES, "text/markdown"):
        content = _joined(data.get(media_type))
        if not content:
            continue
        if len(content) > largest * (PICTURES_MAY_BE if media_type.startswith("image/") else 1):
            too_large = max(too_large, len(content))
            continue
        told = _told(metadata.get(media_type), description, text)
        shown = _form(media_type, content, told, _width(metadata.get(media_type)))
        if shown is not None:
            yield shown
            return
    if chart := drawn(data, _joined(data.get("text/html"))):
        shown = _form("image/svg+xml", chart[0], description or chart[1])
        if shown is not None:
            yield shown
            return
    if too_large:
        yield Shown("note", f"An output of {too_large / 1e6:,.1f} MB is left out.")
    elif VIEW in data:
        named = re.match(r"[A-Z]\w*", text)
        yield Shown("note", CONTROL.format(f" ({named[0]})" if named else ""))
    elif "text/latex" in data and len(_joined(data["text/latex"])) <= largest:
        yield _formula(_joined(data["text/latex"]).strip(), text)
    elif isinstance(data.get("application/json"), dict | list):
        yield Shown("text", shorten(json.dumps(data["application/json"], indent=2, ensure_ascii=False)))
    elif text and not (set(data) - {"text/plain"} and _REPR.fullmatch(text.strip())):
        yield Shown("text", shorten(terminal(text)))
    elif data:
        yield Shown("note", "An output that only a notebook can show stands here.")


def _formula(latex: str, text: str) -> Shown:
    """Draw a formula, or the formulas in a text; of what can't be drawn give the text that stands beside it."""
    inside = latex.strip("$")
    if "$" in inside.replace("\\$", ""):
        return Shown("html", to_html(latex, Outline(shift=2), {}, None))
    image = draw(inside, display=True)
    if image is not None:
        return Shown("html", Markup(image))  # noqa: S704  # escaped
    return Shown("text", shorten(terminal(text) if text and not _REPR.fullmatch(text) else inside))


def _width(metadata: object) -> str:
    """Give the width that a notebook names for a picture as a style; "" where it names none."""
    width = metadata.get("width") if isinstance(metadata, Mapping) else None
    return f"width:{width:.0f}px" if isinstance(width, int | float) and 0 < width < _WIDEST else ""


def _form(media_type: str, content: str, told: str, style: str = "") -> Shown | None:
    """Give one form of an output; None where nothing of it can be shown."""
    if media_type == "image/svg+xml":
        try:
            drawing = clean_drawing(content, told)
        except ValueError:
            return None
        if drawing.alone:
            return Shown("figure", Markup(drawing.svg), drawing.spoken)  # noqa: S704  # cleaned
        address = data_address(media_type, drawing.svg.encode("utf-8"))
        return Shown("figure", Markup('<img alt="{}" src="{}">').format(told, address))
    if media_type.startswith("image/"):
        if not _BASE64.fullmatch(content):
            return None
        address = f"data:{media_type};base64,{''.join(content.split())}"
        styled = Markup(' style="{}"').format(style) if style else ""
        return Shown("figure", Markup('<img alt="{}" src="{}"{}>').format(told, address, styled))
    written = clean(content) if media_type == "text/html" else to_html(content, Outline(shift=2), {}, None)
    return Shown("html", written) if written else None


def _told(metadata: object, description: str, text: str) -> str:
    """Say in words what a figure shows, as far as anybody has said so."""
    own = metadata.get("alt") if isinstance(metadata, Mapping) else None
    if isinstance(own, str) and own:
        return own
    spoken = text.strip()
    return description or ("" if _REPR.fullmatch(spoken) else spoken[:MAX_SIGNS]) or "Figure without a description"


def _joined(content: object) -> str:
    """Give a text that notebooks keep whole or in lines; "" for anything else."""
    if isinstance(content, list):
        return "".join(str(line) for line in content)
    return content if isinstance(content, str) else ""


def terminal(text: str) -> str:
    r"""Write a text as a terminal would leave it: without colours, and with what was overwritten gone.

    Examples
    --------
    >>> terminal("10%\r100%\x1b[31m done\x1b[0m")
    '100% done'
    """
    lines = _ESCAPES.sub("", text).replace("\r\n", "\n").split("\n")
    return "\n".join(_taken_back(line.rstrip("\r").rpartition("\r")[2]) for line in lines).strip("\n")


def _taken_back(line: str) -> str:
    """Leave out the signs that are taken back, and what takes them back."""
    if "\b" not in line:
        return line
    kept: list[str] = []
    for sign in line:
        if sign != "\b":
            kept.append(sign)
        elif kept:
            kept.pop()
    return "".join(kept)


def shorten(text: str) -> str:
    """Leave out the middle of a long text, and say how much that is."""
    lines = [line if len(line) <= MAX_SIGNS else f"{line[:MAX_SIGNS]} …" for line in text.split("\n")]
    if len(lines) > MAX_LINES:
        half = MAX_LINES // 2
        left_out = len(lines) - 2 * half
        lines = [*lines[:half], f"… {left_out:,} lines left out …", *lines[-half:]]
    return "\n".join(lines)
