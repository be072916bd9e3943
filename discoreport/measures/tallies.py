"""Records counted by code, and the counts of two files side by side."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import starts_of
from discoreport.measures.key_index import Whole

DENSE = 4
"""Codes below this many times the number of records are counted in a table instead of sorted."""
AT_ONCE = 2**16
"""About so many codes are laid out at a time: what is computed of them stays near the processor."""


@dataclass(frozen=True)
class Tally:
    """Records by code, for one file: codes that occur, rising, and how often each does.

    Parameters
    ----------
    codes, counts
        Shape (codes that occur,) each.
    """

    codes: Whole
    counts: Whole

    @property
    def size(self) -> int:
        """How many codes are held."""
        return len(self.codes)

    def between(self, first: int, end: int) -> Tally:
        """Give the records with codes from one to another, which isn't among them."""
        here = slice(*np.searchsorted(self.codes, [first, end]).tolist())
        return Tally(self.codes[here], self.counts[here])


@dataclass(frozen=True)
class FullTally:
    """Records by code, in a table of all codes, which has at most `DENSE` times as many places as the file has records.

    Parameters
    ----------
    table
        Shape (all codes,).
    first
        The first of the codes.
    """

    table: Whole
    first: int = 0

    @property
    def size(self) -> int:
        """How many codes are held."""
        return len(self.table)

    @cached_property
    def codes(self) -> Whole:
        """Codes that occur, rising; shape (codes that occur,)."""
        return np.flatnonzero(self.table > 0) + self.first  # far faster than of numbers

    @cached_property
    def counts(self) -> Whole:
        """How often each of them does; shape (codes that occur,)."""
        counts: Whole = self.table[self.codes - self.first]
        return counts

    def between(self, first: int, end: int) -> FullTally:
        """Give the records with codes from one to another, which isn't among them."""
        first = max(first, self.first)
        return FullTally(self.table[first - self.first : end - self.first], first)


AnyTally = Tally | FullTally


def tally(codes: npt.NDArray[Any], n_codes: int) -> AnyTally:
    """Count records by code.

    Parameters
    ----------
    codes
        Shape (records,).
    n_codes
        All codes are below this.
    """
    if n_codes <= DENSE * len(codes):
        return FullTally(np.bincount(codes, minlength=n_codes))
    ordered = codes.astype(np.uint32 if n_codes <= np.iinfo(np.uint32).max else np.int64)
    ordered.sort()
    starts = starts_of(ordered)
    return Tally(ordered[starts].astype(np.int64), np.diff(starts, append=len(ordered)))


def added(tallies: Sequence[AnyTally]) -> Tally:
    """Add up the records of several files by code.

    Examples
    --------
    >>> one, other = tally(np.array([0, 2, 2]), 4), tally(np.array([2, 3]), 4)
    >>> both = added([one, other])
    >>> both.codes.tolist(), both.counts.tolist()
    ([0, 2, 3], [1, 3, 1])
    """
    codes = np.concatenate([one.codes for one in tallies])
    counts = np.concatenate([one.counts for one in tallies])
    if not len(codes):
        return Tally(codes, counts)
    lowest = codes.min()
    if codes.max() - lowest < DENSE * len(codes):
        codes -= lowest
        table = np.bincount(codes, counts)
        found = np.flatnonzero(table > 0)
        return Tally(found + lowest, table[found].astype(np.int64))
    order = codes.argsort(kind="stable")  # runs in order are merged
    codes = codes[order]
    starts = starts_of(codes)
    return Tally(codes[starts], np.add.reduceat(counts[order], starts))


def in_pieces(tallies: Sequence[AnyTally], step: int, at_once: int = AT_ONCE) -> Iterator[list[AnyTally]]:
    """Cut tallies of several files at the same codes, multiples of a step, into pieces of about so many codes.

    Examples
    --------
    >>> one, other = tally(np.array([0, 4, 5, 9]), 10**9), tally(np.array([1, 3]), 10**9)
    >>> [[part.codes.tolist() for part in piece] for piece in in_pieces([one, other], step=3, at_once=2)]
    [[[0], [1]], [[4, 5, 9], [3]]]
    >>> part = FullTally(np.array([1, 0, 2, 3])).between(2, 4)
    >>> [piece.codes.tolist() for (piece,) in in_pieces([part], step=1, at_once=1)]
    [[2], [3]]
    """
    longest = max(tallies, key=lambda one: one.size)
    if isinstance(longest, FullTally):
        cuts = longest.first + np.arange(0, longest.size, max(at_once // step, 1) * step)[1:]
    else:
        cuts = np.unique(longest.codes[at_once::at_once] // step * step)
    bounds = [0, *cuts.tolist(), np.iinfo(np.int64).max]
    for first, end in itertools.pairwise(bounds):
        yield [one.between(first, end) for one in tallies]


def align(original: AnyTally, synthetic: AnyTally) -> tuple[Whole, Whole, Whole]:
    """Lay the counts of two files side by side.

    Returns
    -------
    codes, original counts, synthetic counts : numpy.ndarray
        For each code that occurs in either file; shape (cells,) each.
    """
    if isinstance(original, FullTally) and isinstance(synthetic, FullTally):
        places = np.flatnonzero((original.table | synthetic.table) > 0)
        return places + original.first, original.table[places], synthetic.table[places]
    # Sorted together, each code doubled and one more where it is synthetic, the codes of each file stay in their order.
    n = len(original.codes)
    codes = np.empty(n + len(synthetic.codes), np.int64)
    np.left_shift(original.codes, 1, out=codes[:n])
    np.left_shift(synthetic.codes, 1, out=codes[n:])
    codes[n:] |= 1
    codes.sort(kind="stable")  # two runs are merged
    of_synthetic = (codes & 1).astype(bool)
    codes >>= 1
    new = np.ones(len(codes) + 1, bool)
    np.not_equal(codes[1:], codes[:-1], out=new[1:-1])
    first = np.flatnonzero(new[:-1])
    in_original = ~of_synthetic[first]
    in_synthetic = of_synthetic[first] | ~new[1:][first]
    d, s = counts = np.empty((2, len(first)), np.int64)
    counts[:] = 0
    d[np.flatnonzero(in_original)] = original.counts
    s[np.flatnonzero(in_synthetic)] = synthetic.counts
    return codes[first], d, s
