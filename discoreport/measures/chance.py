"""What a synthetic file gives away by chance: its target shuffled among its records, keys left in place.

Shuffled so, the s_q synthetic records of a key combination hold target levels drawn without replacement from all
N_s, of which S_t have the level t. All of them have it with the probability H(s_q, S_t, N_s): no draws are needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[Any]
Shares = npt.NDArray[np.float64]
_BLOCK = 2**20
"""As many probabilities are computed at a time."""
_SERIES_FROM = 16
"""From here on four terms of Stirling's series are exact in floating point."""


def all_among(n: Numbers, k: Numbers, n_all: int) -> Shares:
    """Give the probability that n records, drawn without replacement from n_all, are all among k of them.

    Parameters
    ----------
    n, k
        Whole numbers, 0 to n_all; of shapes that go together.
    n_all
        1 or more.

    Notes
    -----
    It is H(n, K, N) = C(K, n) / C(N, n), by Stirling's formula: logarithms of factorials would cancel each other, so
    that only what is left of them is computed. The fewer of n and N - K are drawn, by symmetry, which keeps it small.

    Examples
    --------
    >>> all_among(np.array([0, 1, 2, 3]), np.array(2), 5).round(4).tolist()  # 1, 2/5, 2/5 × 1/4, impossible
    [1.0, 0.4, 0.1, 0.0]
    """
    few, many = np.minimum(n, n_all - k), np.maximum(n, n_all - k)
    possible = k >= n
    few, many = np.where(possible, few, 0), np.where(possible, many, 0)
    upper, whole = n_all - many + 1.0, n_all + 1.0
    logarithm = (
        few * np.log1p(-many / whole)
        - (upper - few - 0.5) * np.log1p(-few / upper)
        + (whole - few - 0.5) * np.log1p(-few / whole)
        + (_rest(upper) - _rest(upper - few))
        - (_rest(np.array(whole)) - _rest(whole - few))
    )
    return np.where(possible, np.exp(logarithm), 0.0)


def _rest(z: Numbers) -> Shares:
    """Give what Stirling's formula lacks of the logarithm of (z - 1)!, of whole z from 1."""
    square = 1 / (z * z)
    series = (1 / 12 - (1 / 360 - (1 / 1260 - square / 1680) * square) * square) / z
    return np.where(z < _SERIES_FROM, _RESTS[np.minimum(z, _SERIES_FROM - 1).astype(np.int64)], series)


_RESTS = np.array(
    [0.0] + [math.lgamma(z) - (z - 0.5) * math.log(z) + z - math.log(2 * math.pi) / 2 for z in range(1, _SERIES_FROM)]
)


@dataclass(frozen=True)
class Chance:
    """What shuffling would give, row by row; a row is a cell, or cells that are alike.

    Parameters
    ----------
    sizes
        Numbers of synthetic records of key combinations, each once, rising (s_q).
    level_sizes, n_levels
        Numbers of synthetic records of target levels, each once, rising (S_t), and how many levels have them.
    size, level_size
        Of each row, the places in both; shape (rows,) each.
    """

    sizes: Numbers
    level_sizes: Numbers
    n_levels: Numbers
    size: Numbers
    level_size: Numbers

    @cached_property
    def _n_synthetic(self) -> int:
        return max(int(self.level_sizes @ self.n_levels), 1)

    @cached_property
    def _table(self) -> Shares:
        """By size and size of level; both are so few that this is shorter than twice the synthetic records."""
        n_blocks = 1 + len(self.sizes) * len(self.level_sizes) // _BLOCK
        blocks = np.array_split(self.sizes, n_blocks)
        table = np.concatenate([all_among(block[:, None], self.level_sizes, self._n_synthetic) for block in blocks])
        return table * (self.sizes > 0)[:, None]

    @cached_property
    def correct(self) -> Shares:
        """Probability that a key combination's synthetic records all have the row's level; 0 where there are none."""
        return self._table[self.size, self.level_size]

    @cached_property
    def certain(self) -> Shares:
        """Probability that they all have one level, whichever it is."""
        certain: Shares = (self._table @ self.n_levels)[self.size]
        return certain

    @cached_property
    def attributed(self) -> Shares:
        """Probability that one of them, taken at random, has the row's level."""
        shares: Shares = self.level_sizes / self._n_synthetic
        return shares[self.level_size] * (self.sizes > 0)[self.size]
