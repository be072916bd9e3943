"""Words and numbers as figures show them: cleaned, wrapped, with units."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from discoreport.assessment import formatting
from discoreport.assessment.formatting import clean, counted
from discoreport.charts.drawing.theme import TEXT_SIZE

__all__ = ["clean", "counted", "level", "listed", "wrapped"]

_WIDTHS = {
    **dict.fromkeys("ijl.,:;'|! \u00a0", 0.28),
    **dict.fromkeys("ftrI-()[]{}/\\", 0.41),
    **dict.fromkeys("ckszvxy", 0.53),
    **dict.fromkeys("mwMW@%", 0.94),
}
"""Rounded up from the bundled font, in parts of its size."""


def level(text: str | None) -> str:
    """Write a level, a missing value included."""
    return clean(formatting.level(text))


def listed(parts: Sequence[str]) -> str:
    """Join parts as a sentence does.

    Examples
    --------
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def width_of(text: str, size: float = TEXT_SIZE) -> float:
    """Estimate the width of a text in pixels, rather too wide than too narrow."""
    return sum(map(_width_of_sign, text)) * size


def _width_of_sign(sign: str) -> float:
    if sign in _WIDTHS:
        return _WIDTHS[sign]
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.05
    if unicodedata.combining(sign):
        return 0.0
    return 0.7 if sign.isupper() or ord(sign) > 0x24F else 0.6


def wrapped(text: str, width: float, size: float = TEXT_SIZE) -> list[str]:
    """Break a text into lines, after blanks and joining signs where possible; nothing is cut.

    Parameters
    ----------
    text
        A clean text.
    width, size
        Room in pixels, and size of the type.

    Returns
    -------
    list of str
        At least one line.

    Examples
    --------
    >>> wrapped("satisfaction_with_public_transport", 120)
    ['satisfaction_with_', 'public_transport']
    """
    lines = [""]
    for piece in _pieces(text, width, size):
        if lines[-1] and width_of((lines[-1] + piece).rstrip(), size) > width:
            lines.append("")
        lines[-1] += piece
    return [line.strip() for line in lines if line.strip()] or [""]


def _pieces(text: str, width: float, size: float) -> list[str]:
    """Split a text where it may be broken, and by force where one piece is wider than the room."""
    pieces = []
    for piece in re.findall(r"[^ _\-./,;:]*[ _\-./,;:]*", text):
        while width_of(piece.rstrip(), size) > width and len(piece) > 1:
            fits = next(n for n in range(len(piece), 0, -1) if n == 1 or width_of(piece[:n], size) <= width)
            pieces.append(piece[:fits])
            piece = piece[fits:]  # noqa: PLW2901
        pieces.append(piece)
    return pieces


def paragraph(text: str, width: float, size: float = TEXT_SIZE) -> list[str]:
    """Break running text at blanks; those that are not to be broken stay.

    Examples
    --------
    >>> paragraph("one two three", 60)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width_of(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
