"""Was a variable recoded in one file? Other names, numbers moved or multiplied, day and month exchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import SMALL_CELL, Numbers, Variable, level_numbers

Counts = npt.NDArray[np.int64]

_FEWEST_NUMBERS = 8
"""Numbers with fewer distinct values are codes rather: they change places instead of being moved."""
_BINS = 40
_AT = np.linspace(0, 1, 11)
_LEAST = 0.02
"""Share of records that must lie elsewhere for a distribution to count as different."""
_CERTAIN = 40.0
"""How much worse than by chance two distributions must agree, as a likelihood ratio beyond its degrees of freedom."""
MOST_CODES = 24
"""Numbers with at most this many values may be codes."""
_LEAST_EXCHANGED = 0.05
_TIMES_BETTER = 5.0
_SIMILAR = 2.0
"""Shares of records up to this many times each other are similar."""
_MOST_NAMED = 3
_LEAST_DATES = 5.0
"""Percentage of records that must find their date once day and month change places, beyond those that do as it is."""
_DATES = (
    re.compile(r"(?P<before>\d{4}[-/.])(?P<first>\d{2})(?P<between>[-/.])(?P<second>\d{2})(?P<after>.*)"),
    re.compile(r"(?P<before>)(?P<first>\d{1,2})(?P<between>[-/.])(?P<second>\d{1,2})(?P<after>[-/.]\d{2,4}.*)"),
)


@dataclass(frozen=True)
class Renamed:
    """Levels that only the original has, and levels that only a synthetic file has, as many records as they hold.

    Parameters
    ----------
    n_levels, n_records
        The original's, and their records.
    pairs
        Levels that are likely the same: the original's text, and the synthetic file's.
    """

    n_levels: int
    n_records: int
    pairs: tuple[tuple[str, str], ...]


def renamed(variable: Variable, synthesis: int, apart: Sequence[int] = ()) -> Renamed | None:
    """Look for levels that are likely the same under another name.

    Parameters
    ----------
    variable
        Coded over all files.
    synthesis
        Which synthetic file.
    apart
        Levels of which something else is said.

    Returns
    -------
    Renamed or None
        Only levels count that the other file would hold several times, too. Small cells are not named.
    """
    d, s = (variable.counts[file][:-1].copy() for file in (0, synthesis))
    d[list(apart)] = s[list(apart)] = 0
    n_d, n_s = variable.counts[0].sum(), variable.counts[synthesis].sum()
    if not n_d or not n_s or not _are_names(variable):
        return None
    least_d, least_s = SMALL_CELL * max(1, n_d / n_s), SMALL_CELL * max(1, n_s / n_d)
    ours, theirs = np.flatnonzero((s == 0) & (d >= least_d)), np.flatnonzero((d == 0) & (s >= least_s))
    share_d, share_s = d[ours].sum() / n_d, s[theirs].sum() / n_s
    low, high = sorted((share_d, share_s))
    if low < _LEAST / 2 or high > _SIMILAR * low:
        return None
    ours, theirs = (places[np.argsort(-of[places], kind="stable")] for places, of in ((ours, d), (theirs, s)))
    pairs = [
        (variable.level_texts[one], variable.level_texts[other])
        for one, other in zip(ours, theirs, strict=False)
        if 1 / _SIMILAR <= d[one] * n_s / (s[other] * n_d) <= _SIMILAR
    ]
    return Renamed(len(ours), int(d[ours].sum()), tuple(pairs[:_MOST_NAMED]))


def _are_names(variable: Variable) -> bool:
    """Tell whether levels are names or codes: numbers that were rounded or blurred are others, too."""
    if variable.kind != "number":
        return True
    numbers = level_numbers(variable)
    numbers = numbers[np.isfinite(numbers)]
    return len(numbers) <= MOST_CODES and bool((numbers == np.round(numbers)).all())


def exchanged(variable: Variable, synthesis: int) -> tuple[float, float] | None:
    """Look whether the distributions agree much better once levels, which both files have, change places.

    Returns
    -------
    tuple of float or None
        Percentage of records that differ as it is, and with the commonest level of the one for that of the other, and
        so on.
    """
    d, s = variable.counts[0][:-1], variable.counts[synthesis][:-1]
    in_one = int(np.maximum(d, s)[(d == 0) | (s == 0)].max(initial=0))
    if not d.any() or not s.any() or in_one >= SMALL_CELL or len(d) > MOST_CODES or not _are_names(variable):
        return None
    before, after = different(d, s), different(np.sort(d), np.sort(s))
    clear = before[0] > _CERTAIN and before[1] > _LEAST_EXCHANGED
    return (100 * before[1], 100 * after[1]) if clear and _better(before, after) else None


@dataclass(frozen=True)
class Moved:
    """What makes two distributions agree much better: in words, and the percentage of records that lie elsewhere."""

    how: str
    before: float
    after: float


def moved(variable: Variable, synthesis: int, special: Sequence[int] = ()) -> Moved | None:
    """Look for a shift, a factor or a reversal of a number that makes the distributions agree much better.

    Parameters
    ----------
    variable
        Coded over all files, not grouped.
    synthesis
        Which synthetic file.
    special
        Levels that are codes, not numbers.
    """
    if variable.kind != "number":
        return None
    numbers = level_numbers(variable)
    ordinary = np.isfinite(numbers)
    ordinary[list(special)] = False
    ranked = np.flatnonzero(ordinary)[np.argsort(numbers[ordinary], kind="stable")]
    numbers, d, s = numbers[ranked], variable.counts[0][ranked], variable.counts[synthesis][ranked]
    if min((d > 0).sum(), (s > 0).sum()) < _FEWEST_NUMBERS:
        return None
    edges = _edges(numbers, s)

    def differ(values: Numbers) -> tuple[float, float]:
        return different(_binned(values, d, edges), _binned(numbers, s, edges))

    before = differ(numbers)
    if before[0] < _CERTAIN or before[1] < _LEAST:
        return None
    spacing = max(float(np.median(np.diff(numbers[of > 0]))) for of in (d, s))
    candidates = [
        (how, differ(moved))
        for how, moved in ((how, factor * numbers + shift) for how, factor, shift in _ways(numbers, d, s))
        if np.median(np.abs(moved - numbers)) >= spacing  # less is what rounding does
    ]
    how, after = min(candidates, key=lambda one: one[1][0], default=("", before))
    return Moved(how, 100 * before[1], 100 * after[1]) if _better(before, after) else None


def _better(before: tuple[float, float], after: tuple[float, float]) -> bool:
    """Tell whether two distributions agree much better than two others, and agree at all."""
    agree = after[0] < _CERTAIN or after[1] * _TIMES_BETTER < before[1]
    return agree and max(after[0], 0) * _TIMES_BETTER < before[0]


def different(d: Counts, s: Counts) -> tuple[float, float]:
    """Tell how two distributions differ.

    Returns
    -------
    float
        Likelihood ratio beyond what is expected of two samples of one population; and the share of records that would
        have to move.
    """
    both = d + s
    known = both > 0
    expected_d = both * (d.sum() / both.sum())
    expected_s = both - expected_d
    ratio = sum(
        2 * float((of[of > 0] * np.log(of[of > 0] / expected[of > 0])).sum())
        for of, expected in ((d, expected_d), (s, expected_s))
    )
    return ratio - (int(known.sum()) - 1), 0.5 * float(np.abs(d / d.sum() - s / s.sum()).sum())


def _edges(numbers: Numbers, s: Counts) -> Numbers:
    known = numbers[s > 0]
    if len(known) <= _BINS:
        return np.append(known, np.nextafter(known[-1], np.inf))
    places = np.searchsorted(np.cumsum(s), np.linspace(0, s.sum(), _BINS + 1)[1:-1], side="right")
    inner = np.unique(numbers[np.minimum(places, len(numbers) - 1)])
    return np.unique([known[0], *inner, np.nextafter(known[-1], np.inf)])


def _binned(values: Numbers, counts: Counts, edges: Numbers) -> Counts:
    bins = np.searchsorted(edges, values, side="right")
    return np.bincount(bins, counts, len(edges) + 1).astype(np.int64)


def _quantiles(numbers: Numbers, counts: Counts) -> Numbers:
    places = np.searchsorted(np.cumsum(counts), np.maximum(_AT * counts.sum(), 1))
    found: Numbers = numbers[places]
    return found


def _ways(numbers: Numbers, d: Counts, s: Counts) -> Iterator[tuple[str, float, float]]:
    """Give recodings of the original that bring some quantile to where the synthetic file has it: factor, and shift."""
    ours, theirs = _quantiles(numbers, d), _quantiles(numbers, s)
    for shift in np.unique(np.round(theirs - ours, 9)):
        if shift:
            yield f"{shift:+g}", 1.0, float(shift)
    known = (ours != 0) & (theirs != 0)
    for factor in np.unique(theirs[known] / ours[known]):
        if factor not in {1, -1}:
            yield f"times {factor:g}", float(factor), 0.0
    for around in np.unique(np.round([0, *(theirs + ours[::-1])], 9)):
        yield f"{around:g} minus the number", -1.0, float(around)


def day_and_month(variable: Variable, synthesis: int) -> tuple[float, float] | None:
    """Look whether more of the original's dates occur once day and month change places.

    Returns
    -------
    tuple of float or None
        Percentage of the original's records that find a synthetic one with their date, as it is and exchanged.
    """
    d, s = variable.counts[0][:-1], variable.counts[synthesis][:-1]
    if variable.numbers is not None or not variable.texts or not d.any() or not s.any():
        return None
    positions = {text: place for place, text in enumerate(variable.texts)}
    other = np.arange(len(d))
    for place, text in enumerate(variable.texts):
        found = next((match for match in (date.fullmatch(text) for date in _DATES) if match), None)
        if found is None:
            return None
        turned = f"{found['before']}{found['second']}{found['between']}{found['first']}{found['after']}"
        other[place] = positions.get(turned, place if int(found["second"]) > 12 or int(found["first"]) > 12 else -1)
    n_d, n_s = d.sum(), s.sum()
    turned_s = np.where(other >= 0, s[other], 0)
    before, after = (100 * float(np.minimum(d / n_d, of / n_s).sum()) for of in (s, turned_s))
    error = 100 / np.sqrt(min(n_d, n_s))
    return (before, after) if after - before > max(_LEAST_DATES, 2.5 * error) else None
