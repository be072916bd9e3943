"""Sums of a number by groups of records, by file: what means and their intervals are made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import Numbers
from discoreport.measures.table_utility import Cells, Counts


@dataclass(frozen=True)
class GroupSums:
    """Sums by file and group. Shape (files, groups) each, but for the codes.

    Parameters
    ----------
    codes
        Of each group, rising; shape (groups,).
    n
        Records that have a number.
    total, squares
        Of what the numbers have beyond `origin`, and its squares.
    least, most
        The smallest and the largest number; without records infinity and its negative.
    origin
        What the numbers are measured from: near their mean, so that squares lose no digits.
    """

    codes: Counts
    n: Counts
    total: Numbers
    squares: Numbers
    least: Numbers
    most: Numbers
    origin: float

    def together(self, place: npt.NDArray[np.int64], n_groups: int) -> GroupSums:
        """Put groups together: each goes to a place, those below 0 nowhere."""
        kept = place >= 0
        place = place[kept]
        together = _empty(len(self.n), np.arange(n_groups), self.origin)
        for file in range(len(self.n)):
            for name in ("n", "total", "squares"):
                np.add.at(getattr(together, name)[file], place, getattr(self, name)[file][kept])
            np.minimum.at(together.least[file], place, self.least[file][kept])
            np.maximum.at(together.most[file], place, self.most[file][kept])
        return together

    def mean(self, file: int, group: int) -> float:
        """Give the mean of one group in one file; it has a record."""
        if self.least[file, group] == self.most[file, group]:
            return float(self.least[file, group])
        return self.origin + float(self.total[file, group]) / int(self.n[file, group])

    def deviation(self, file: int, group: int) -> float:
        """Give the standard deviation of two numbers or more; exactly 0 where they are the same."""
        if self.least[file, group] == self.most[file, group]:
            return 0.0
        n, total = int(self.n[file, group]), float(self.total[file, group])
        return math.sqrt(max(float(self.squares[file, group]) - total * total / n, 0.0) / (n - 1))


def sums_of_cells(cells: Cells, numbers: Numbers) -> GroupSums:
    """Add numbers up by groups, in memory.

    Parameters
    ----------
    cells
        Of the groups' variables and, last, the number.
    numbers
        Of each code of the last variable; NaN where it counts for nothing. Shape (codes,).

    Examples
    --------
    Two groups; of the first, the original has 1 and twice 4.

    >>> cells = Cells(np.array([0, 1, 2]), np.array([[1, 2, 0], [0, 1, 3]]))
    >>> found = sums_of_cells(cells, np.array([1.0, 4.0]))
    >>> found.mean(0, 0), round(found.deviation(0, 0), 3), found.mean(1, 1), found.n.tolist()
    (3.0, 1.732, 1.0, [[3, 0], [1, 3]])
    """
    of_groups, digits = np.divmod(cells.codes, len(numbers))
    codes, place = np.unique(of_groups, return_inverse=True)
    values = numbers[digits]
    known = ~np.isnan(values)
    origin = origin_of(values[known], cells.counts[0][known])
    found = _empty(len(cells.counts), codes, origin)
    for file, counts in enumerate(cells.counts):
        used = known & (counts > 0)
        at, value, weight = place[used], values[used], counts[used]
        beyond = value - origin
        found.n[file] = np.bincount(at, weight, len(codes))
        found.total[file] = np.bincount(at, weight * beyond, len(codes))
        found.squares[file] = np.bincount(at, weight * beyond**2, len(codes))
        np.minimum.at(found.least[file], at, value)
        np.maximum.at(found.most[file], at, value)
    return found


def _empty(n_files: int, codes: Counts, origin: float) -> GroupSums:
    """Give sums over no record."""
    shape = n_files, len(codes)
    ends = np.full(shape, np.inf), np.full(shape, -np.inf)
    return GroupSums(codes, np.zeros(shape, np.int64), np.zeros(shape), np.zeros(shape), *ends, origin)


def origin_of(values: Numbers, n: Sequence[int] | Counts) -> float:
    """Give the mean of the original's numbers, that many records each; 0 where it has none."""
    n_records = int(np.sum(n))
    return float((values * np.asarray(n)).sum() / n_records) if n_records else 0.0
