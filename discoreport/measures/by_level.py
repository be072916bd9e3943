"""DiSCO by target level: how many original records of each level are given away, and how many would be by chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discoreport.data.coding import SMALL_CELL
from discoreport.measures.cells import Counts

MOST_LEVELS = 200
"""As many levels of a target are counted apart, the commonest; levels with fewer records than `SMALL_CELL` never."""


@dataclass(frozen=True)
class AtLevel:
    """One target level: its code, its original records, those of DiSCO, and those that chance would give."""

    level: int
    original: int
    disclosed: int
    by_chance: float


def counted_apart(d_full: Counts) -> list[int]:
    """Choose the levels that are counted apart.

    Parameters
    ----------
    d_full
        Original records by level, nothing excluded.

    Returns
    -------
    list of int
        Codes, rising.

    Examples
    --------
    >>> counted_apart(np.array([40, 9, 10, 0]))
    [0, 2]
    """
    commonest = np.argsort(-d_full, kind="stable")[:MOST_LEVELS]
    return sorted(int(level) for level in commonest if d_full[level] >= SMALL_CELL)
