"""Records counted by code, and the counts of two files side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.measures.key_index import Whole

DENSE = 4
"""Codes below this many times the number of records are counted in a table instead of sorted."""


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
        found = np.flatnonzero(counts)
        return Tally(found, counts[found], counts)
    if n_codes <= np.iinfo(np.uint32).max:
        codes = codes.astype(np.uint32)
    found, counts = np.unique(codes, return_counts=True)
    return Tally(found.astype(np.int64), counts)


def align(original: Tally, synthetic: Tally) -> tuple[Whole, Whole, Whole]:
    """Lay the counts of two files side by side.

    Returns
    -------
    codes, original counts, synthetic counts : numpy.ndarray
        For each code that occurs in either file; shape (cells,) each.
    """
    if original.table is not None and synthetic.table is not None:
        codes = np.flatnonzero((original.table > 0) | (synthetic.table > 0))
        return codes, original.table[codes], synthetic.table[codes]
    place = np.searchsorted(original.codes, synthetic.codes)
    inside = place < len(original.codes)
    shared = inside.copy()
    shared[inside] = original.codes[place[inside]] == synthetic.codes[inside]
    new = synthetic.codes[~shared]
    # Where each code of the original lands once the new codes are put in between.
    at_original = np.arange(len(original.codes)) + np.searchsorted(new, original.codes)
    at_new = place[~shared] + np.arange(len(new))
    n_cells = len(original.codes) + len(new)
    codes = np.empty(n_cells, np.int64)
    codes[at_original] = original.codes
    codes[at_new] = new
    d = np.zeros(n_cells, np.int64)
    d[at_original] = original.counts
    s = np.zeros(n_cells, np.int64)
    s[at_original[place[shared]]] = synthetic.counts[shared]
    s[at_new] = synthetic.counts[~shared]
    return codes, d, s
