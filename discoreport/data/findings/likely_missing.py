"""Does a level mean "missing"? Texts such as ? or n/a, and numbers such as -9 or 999 that stand for no value."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from discoreport.data.coding import SMALL_CELL, Variable, level_numbers

_WORDS = re.compile(
    "na|nan|null|none|nil|missing|unknown|unk|unavailable|notavailable|notapplicable|notstated|notknown|noanswer|"
    "noreply|noresponse|nodata|novalue|nonresponse|undefined|unspecified|unanswered|keineangabe|fehlend|weissnicht|"
    "manquant|inconnu|nonrenseigne|nsp|desconocido|nosabe"
)
"""Texts that mean "missing", in small letters and without signs."""
_TIMES = 2
"""Shares of records that differ by more than this factor differ."""
_MOST_NAMED = 3
_CODE = re.compile(r"-?(9{2,}|8{2,}|7{2,}|9*[6-9])(\.0+)?|-[1-9]|-?9+\.9+")
"""Numbers that often stand for no value: -9, 99, 998, -1."""
_DIGITS = range(1, 20)
_LIKE_CODES = np.array(
    [
        *range(1, 10),
        *(float(digit * n) for digit in "789" for n in _DIGITS),
        *(float("9" * n + last) for last in "678" for n in _DIGITS),
        *(float("9" * n + "." + "9" * m) for n in _DIGITS for m in _DIGITS),
    ]
)
"""Whatever `_CODE` takes, without its sign: most numbers need not be written to be told from codes."""


def is_mark(text: str) -> bool:
    """Tell whether a text looks as if it meant "missing".

    Examples
    --------
    >>> [is_mark(text) for text in ("?", "<NA>", "NA ", "-nan", "1.#IND", "Missing", "", "Nadia", "no", "A1")]
    [True, True, True, True, True, True, True, False, False, False]
    """
    letters = re.sub(r"[\W_]+", "", re.sub(r"^-?1\.#", "", text.casefold()))
    return not letters or bool(_WORDS.fullmatch(letters)) or text.startswith(("1.#", "-1.#"))


def texts(variable: Variable) -> list[int]:
    """Find the levels that look as if they meant "missing" by their text alone."""
    if variable.texts is None:
        return []
    return [place for place, text in enumerate(variable.texts) if is_mark(text)]


def codes(variable: Variable, file: int) -> list[int]:
    """Find numbers that look like codes: negative among positive ones, or nines far above all others, with mass."""
    if variable.kind != "number":
        return []
    counts = variable.counts[file][:-1]
    numbers = level_numbers(variable)
    there = np.flatnonzero((counts > 0) & np.isfinite(numbers))
    there = there[np.argsort(numbers[there], kind="stable")]
    like = np.isin(np.abs(numbers[there]), _LIKE_CODES)
    like[like] = [bool(_CODE.fullmatch(variable.text(place) or "")) for place in there[like]]
    rest = there[~like]
    if not len(rest):
        return []
    low, high = numbers[rest[0]], numbers[rest[-1]]
    # Numbers as others have in plenty near them are numbers, whatever they look like.
    near = max(np.diff(numbers[rest]).max(initial=0), 0.1 * (high - low), 1)

    def goes_on(number: float) -> bool:
        return bool(np.isin([number + 1, number + 2], numbers[there]).all())

    far = []
    for place in [*there[like & (numbers[there] > high)], *there[like & (numbers[there] < low)][::-1]]:
        number = numbers[place]
        if number > high + near or number < low - near or (number < 0 <= low and not goes_on(number)):
            far += [int(place)] if counts[place] >= SMALL_CELL else []
        else:
            low, high = min(low, number), max(high, number)
    return far


def meant(variable: Variable, places: Sequence[int], ours: int, theirs: int, certain: bool) -> tuple[str, int] | None:
    """Tell whether some levels of one file are what another has as missing values, or lacks.

    Parameters
    ----------
    variable
        Coded over all files.
    places
        Levels that may mean "missing".
    ours, theirs
        The file that has them, and the other one; 0 is the original.
    certain
        Whether nothing else is likely. Otherwise as many records must have them as have no value in the other file.

    Returns
    -------
    tuple or None
        What to say of it, and how many records have them.
    """
    here, there = (variable.counts[file] for file in (ours, theirs))
    places = [place for place in places if here[place]]
    n_here, n_there = int(here.sum()), int(there.sum())
    if not places or not n_there:
        return None
    have, others = int(here[places].sum()), int(there[places].sum())
    gaps, own_gaps = int(there[-1]), int(here[-1])
    fewer_marks = _TIMES * others * n_here < have * n_there
    more_gaps = gaps * n_here > _TIMES * own_gaps * n_there
    as_many = 1 / _TIMES <= have * n_there / (max(gaps, 1) * n_here) <= _TIMES
    became_gaps = gaps > 0 and fewer_marks and more_gaps and (certain or as_many)
    lacking = not others and have * min(1, n_there / n_here) >= SMALL_CELL
    if not became_gaps and not lacking:
        return None
    both = ((variable.level_texts[place], here[place]) for place in places)
    named = [text for text, n in both if n >= SMALL_CELL or (is_mark(text) and text.isprintable())]
    shown = ", ".join(f"'{text}'" for text in named[:_MOST_NAMED]) or "a level"
    example = named[0] if named else "..."  # a rare level is somebody's
    other = "the other file lacks" if lacking and not became_gaps else "are missing values in the other file"
    return (
        f"{shown} of one file may stand for missing values, which {other}. If so, name "
        f'{"them" if len(named) > 1 else "it"}: missing_values={{"{variable.name}": ["{example}"]}}, '
        f"--missing {variable.name}={example}",
        have,
    )
