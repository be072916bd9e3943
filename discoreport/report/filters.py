"""The filters of the templates; the only place where figures become text."""

from __future__ import annotations

import datetime
import itertools
import re
import textwrap
import unicodedata

from markupsafe import Markup

from discoreport.assessment import formatting
from discoreport.assessment.formatting import number, percent, percentage, points

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_LONGEST_WORD, _PIECE, _LONGEST_LINE = 24, 12, 100
_PIECES = re.compile(rf"\S{{1,{_PIECE}}}")
_SPECIAL = re.compile(r"[\\`*{}\[\]<>#|$~&\"']|(?<![^\W_])_|_(?![^\W_])|^[-+=]|^\d+[.)]")
_INDEX = re.compile(r"_([a-z']+)")


def formula(text: str) -> Markup:
    """Write a measure's formula with its indices set low.

    Examples
    --------
    >>> formula("100 × Σ d_tq [d_tq = d_q] / N_d")
    Markup('100 × Σ d<sub>tq</sub> [d<sub>tq</sub> = d<sub>q</sub>] / N<sub>d</sub>')
    """
    parts = _INDEX.split(text)
    written = Markup()
    for plain, index in itertools.zip_longest(parts[::2], parts[1::2], fillvalue=""):
        written += plain
        written += Markup("<sub>{}</sub>").format(index) if index else ""
    return written


def words(text: str) -> Markup:
    """Write what a person entered: a long word breaks every so many signs, and nowhere else.

    Examples
    --------
    >>> words("a" * 24 + " " + "a" * 30)
    Markup('aaaaaaaaaaaaaaaaaaaaaaaa aaaaaaaaaaaa<wbr>aaaaaaaaaaaa<wbr>aaaaaa')
    """
    parts = re.findall(r"\S+|\s+", text)
    pieces = [piece for word in parts for piece in ([word] if len(word) <= _LONGEST_WORD else _PIECES.findall(word))]
    written = Markup()
    for before, piece in itertools.pairwise(["", *pieces]):
        written += Markup("<wbr>") if before.strip() and piece.strip() else ""
        written += piece
    return written


def _on_its_own(text: str) -> Markup:
    """Keep a text that is written from right to left from turning the number behind it."""
    turns = any(unicodedata.bidirectional(sign) in {"R", "AL"} for sign in text)
    return words(text) + "\N{LEFT-TO-RIGHT MARK}" * turns


def name(text: str) -> Markup:
    """Write the name of a variable or a file."""
    return _on_its_own(formatting.name(text))


def level(text: str | None) -> Markup:
    """Write a level."""
    return _on_its_own(formatting.level(text))


def markdown(text: str | None) -> Markup:
    """Write a text on one line so that Markdown takes every sign of it as it is; a missing level by its name.

    Examples
    --------
    >>> print(markdown("a *b* in worked_abroad"))
    a &#42;b&#42; in worked_abroad
    """
    line = " ".join((formatting.level(None) if text is None else text).split())
    written = _SPECIAL.sub(lambda found: f"{found[0][:-1]}&#{ord(found[0][-1])};", line)
    return Markup(written)  # noqa: S704  # every sign with a meaning is written by its number


def shortened(text: str, most: int = _LONGEST_LINE) -> Markup:
    """Write the beginning of what a person entered, as much as a line holds.

    Examples
    --------
    >>> shortened("in short"), shortened("word " * 50).endswith("word …")
    (Markup('in short'), True)
    """
    return words(textwrap.shorten(text, most, placeholder=" …"))


def date(day: datetime.date) -> str:
    """Write a date.

    Examples
    --------
    >>> date(datetime.date(2026, 11, 3))
    '3 November 2026'
    """
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def css_text(text: str) -> Markup:
    r"""Write a text for a style sheet: every sign but letters, digits and blanks by its number.

    Examples
    --------
    >>> print(css_text('A "b" </style>'))
    "A \22 b\22  \3c \2f style\3e "
    """
    written = (sign if sign == " " or (sign.isascii() and sign.isalnum()) else f"\\{ord(sign):x} " for sign in text)
    return Markup(f'"{"".join(written)}"')  # noqa: S704  # no sign with a meaning is left


def mean(value: float | None) -> str:
    """Write a mean with two decimals, so that 1 stands under 1.52 as 1.00.

    Examples
    --------
    >>> mean(1.0), mean(1234.5678), mean(None)
    ('1.00', '1,234.57', 'n/a')
    """
    return percentage(None) if value is None else f"{value:,.2f}"


FILTERS = {
    one.__name__: one
    for one in (
        number, percentage, percent, points, name, level, words, shortened, markdown, date, formula, css_text, mean,
    )
}  # fmt: skip
