"""Records counted by code, and the counts of two files side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.data.parallel import in_threads
from discoreport.measures.key_index import Whole

DENSE = 4
"""Codes below this many times the number of records are counted in a table instead of sorted."""
_PIECE = 2**17
"""Codes that are merged at a time."""


@dataclass(frozen=True)
class Tally:
    """Records by code, for one file: codes that occur, rising, and how often each does.

    Parameters
    ----------
    codes, counts
        Shape (codes that occur,) each.
    table
        How often each code occurs, those that don't included, where they were counted so.
    """

    codes: Whole
    counts: Whole
    table: Whole | None = None


def tally(codes: npt.NDArray[Any], n_codes: int) -> Tally:
    """Count records by code.

    Parameters
    ----------
    codes
        Shape (records,).
    n_codes
        All codes are below this.
    """
    if n_codes <= DENSE * len(codes):
        counts = np.bincount(codes, minlength=n_codes)
        found = np.flatnonzero(counts > 0)  # far faster than of numbers
        return Tally(found, counts[found], counts)
    if n_codes <= np.iinfo(np.uint32).max:
        codes = codes.astype(np.uint32)
    found, counts = np.unique(codes, return_counts=True)
    return Tally(found.astype(np.int64), counts)


def added(tallies: Sequence[Tally]) -> Tally:
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
    starts = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
    return Tally(codes[starts], np.add.reduceat(counts[order], starts))


def align(original: Tally, synthetic: Tally) -> tuple[Whole, Whole, Whole]:
    """Lay the counts of two files side by side.

    Returns
    -------
    codes, original counts, synthetic counts : numpy.ndarray
        For each code that occurs in either file; shape (cells,) each.
    """
    if original.table is not None and synthetic.table is not None:
        codes = np.flatnonzero((original.table | synthetic.table) > 0)
        return codes, original.table[codes], synthetic.table[codes]
    tallies = original, synthetic
    cuts = original.codes[_PIECE::_PIECE]
    bounds = [[0, *np.searchsorted(one.codes, cuts).tolist(), len(one.codes)] for one in tallies]

    def merge(piece: int) -> tuple[Whole, Whole, Whole]:
        """Merge the codes between two cuts."""
        here = [slice(*of_file[piece : piece + 2]) for of_file in bounds]
        return _merged(*(Tally(one.codes[at], one.counts[at]) for one, at in zip(tallies, here, strict=True)))

    merged = in_threads(merge, range(len(cuts) + 1), len(original.codes))
    codes, d, s = (np.concatenate(parts) for parts in zip(*merged, strict=True))
    return codes, d, s


def _merged(original: Tally, synthetic: Tally) -> tuple[Whole, Whole, Whole]:
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
