"""How numbers and levels become text, everywhere: console, charts, report."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence

from discoreport.data.table import readable_name

NO_BREAK = "\N{NO-BREAK SPACE}"
NOT_AVAILABLE = "n/a"
MISSING_LEVEL = "(missing)"
EMPTY_LEVEL = "(empty text)"
name = readable_name
_JOINERS = "\u200c\u200d"
LONGEST_LEVEL = 80
"""Signs of a level that are shown; the tables in a bundle have all of them."""


def number(value: float | None) -> str:
    """Write a count or a plain number.

    Examples
    --------
    >>> number(48842), number(1.4632), number(2.0), number(None)
    ('48,842', '1.46', '2', 'n/a')
    """
    if value is None or math.isnan(value):
        return NOT_AVAILABLE
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def estimate(value: float | None) -> str:
    """Write a mean, a share or a difference of them with three digits, and the whole part always.

    Examples
    --------
    >>> estimate(2538.33), estimate(34.281), estimate(-0.01234), estimate(0.0), estimate(None)
    ('2,538', '34.3', '−0.0123', '0', 'n/a')
    """
    if value is None or math.isnan(value):
        return NOT_AVAILABLE
    digits = max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0
    return f"{value:,.{min(digits, 12)}f}".replace("-", "−")


def percentage(value: float | None) -> str:
    """Write a percentage without its sign, with one decimal.

    What isn't 0 never reads as 0.0, and what isn't all never reads as 100.0.

    Examples
    --------
    >>> percentage(13.02), percentage(0.0), percentage(0.006), percentage(99.97), percentage(None)
    ('13.0', '0.0', '< 0.1', '> 99.9', 'n/a')
    """
    if value is None or math.isnan(value):
        return NOT_AVAILABLE
    if 0 < value < 0.05:
        return "< 0.1"
    if 99.95 <= value < 100:
        return "> 99.9"
    return f"{value:.1f}"


def percent(value: float | None) -> str:
    """Write a percentage with its sign.

    Examples
    --------
    >>> percent(13.02).replace(NO_BREAK, " "), percent(None)
    ('13.0 %', 'n/a')
    """
    written = percentage(value)
    return written if written == NOT_AVAILABLE else f"{written}{NO_BREAK}%".replace(" ", NO_BREAK)


def points(value: float | None) -> str:
    """Write a difference of percentages, which may be below 0, without its unit.

    Examples
    --------
    >>> points(12.34), points(-2.06), points(0.0), points(-0.01), points(None)
    ('12.3', '−2.1', '0.0', '> −0.1', 'n/a')
    """
    if value is None or math.isnan(value) or value >= 0:
        return percentage(value)
    written = percentage(-value)
    return written.replace("< ", "> −") if written.startswith("<") else f"−{written}"


def counted(number: int, singular: str, plural: str = "") -> str:
    """Write a number of things.

    Examples
    --------
    >>> counted(1, "target"), counted(5000, "record")
    ('1 target', '5,000 records')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def of_file(synthesis: int, n_files: int, *, worst: bool = True) -> str:
    """Name the file that a figure is of, in brackets behind it; nothing where there is one.

    Examples
    --------
    >>> of_file(2, 3)
    ' (file 2 of 3, the worst)'
    """
    return f" (file {synthesis} of {n_files}{', the worst' if worst else ''})" if n_files > 1 else ""


def listed(names: Sequence[str], most: int) -> str:
    """Write the names of variables, the first of them where they are many.

    Examples
    --------
    >>> listed(["age", "sex", "region"], most=2)
    'age, sex and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(name, names[:most])) + more


def level(text: str | None, *, whole: bool = False) -> str:
    """Write a level; a missing value is named, an empty text is shown as such, a very long one loses its middle.

    Parameters
    ----------
    text
        The level; None is a missing value. One that reads like the name of a missing value or of an empty text is
        put into quotation marks.
    whole
        Whether a long one keeps its middle.

    Examples
    --------
    >>> level("Single"), level(None), level("")
    ('Single', '(missing)', '(empty text)')
    >>> level("(missing)")
    '“(missing)”'
    >>> level("a" * 200 + "b")
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa … aaaaaaaaaaaaaab'
    """
    if text is None:
        return MISSING_LEVEL
    if text in {MISSING_LEVEL, EMPTY_LEVEL}:
        return f"“{text}”"
    if len(text) > LONGEST_LEVEL and not whole:
        return f"{text[:40]} … {text[-15:]}"
    return text if text.strip() else EMPTY_LEVEL


def clean(name: str) -> str:
    r"""Make a user's text fit to be shown on one line.

    Parameters
    ----------
    name
        Any text.

    Returns
    -------
    str
        White space is one blank; control signs and halves of signs are replaced, signs that turn the
        direction of writing are left out; an empty text is said to be empty.

    Examples
    --------
    >>> clean("net \n income")
    'net income'
    >>> clean("")
    '(empty text)'
    """
    spaced = " ".join(name.split())
    return "".join(map(_fit_to_show, spaced)) or EMPTY_LEVEL


def _fit_to_show(sign: str) -> str:
    category = unicodedata.category(sign)
    if category == "Cf" and sign not in _JOINERS:
        return ""
    return "\ufffd" if category in {"Cc", "Cs"} or sign in "\ufffe\uffff" else sign


def apart(texts: Sequence[str]) -> list[str]:
    """Make every text another one: those that are the same are numbered.

    Examples
    --------
    >>> apart(["a … b", "c", "a … b"])
    ['a … b (1)', 'c', 'a … b (2)']
    """
    total, so_far = Counter(texts), Counter[str]()
    told = []
    for text in texts:
        so_far[text] += 1
        told.append(text if total[text] == 1 else f"{text} ({so_far[text]})")
    return told


class Unquoted(str):
    """Words that stand for a value, and a name in Python lines: written without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)
