"""Whether the rows of two files follow each other: what records at the same place have in common beyond chance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[Any]


def matches_beyond_chance(codes: Values, others: Values, n_codes: int) -> float:
    """Count the rows that agree, and set them against a random order of the rows.

    Parameters
    ----------
    codes, others
        Levels of the same rows in two files, from 0 to `n_codes` - 1; shape (rows,) each, 2 rows or more.

    Returns
    -------
    float
        How many standard deviations the number of agreeing rows lies above its mean over all orders of the rows;
        NaN where every order gives the same number.

    Notes
    -----
    With a level l in d_l rows of one file and s_l rows of the other, the mean is the sum of d_l s_l over n, and the
    variance (A - B/n + A²/n²) / (n - 1), with A the sum of d_l s_l and B that of d_l s_l (d_l + s_l).

    References
    ----------
    Hoeffding, "A combinatorial central limit theorem", 1951.

    Examples
    --------
    >>> a = np.array([0, 0, 1, 1])
    >>> round(matches_beyond_chance(a, a, 2), 3)  # 4 agree; mean 2, variance (8 - 32/4 + 64/16) / 3 = 4/3
    1.732
    """
    n = len(codes)
    d, s = (np.bincount(values, minlength=n_codes).astype(np.float64) for values in (codes, others))
    together, three = float((d * s).sum()), float((d * s * (d + s)).sum())
    variance = (together - three / n + (together / n) ** 2) / (n - 1)
    if variance <= 1e-12 * max(together, 1):
        return math.nan
    return (int(np.count_nonzero(codes == others)) - together / n) / math.sqrt(variance)


def ranks_beyond_chance(values: Values, others: Values) -> float:
    """Correlate the ranks of the same rows in two files, and set that against a random order of the rows.

    Parameters
    ----------
    values, others
        Numbers without missing ones; shape (rows,) each, 2 rows or more. Equal numbers share their mean rank.

    Returns
    -------
    float
        Spearman's correlation times the root of n - 1: standard deviations above or below 0; NaN where one file has
        the same number throughout.

    References
    ----------
    Spearman, "The proof and measurement of association between two things", 1904.

    Examples
    --------
    >>> round(ranks_beyond_chance(np.array([1, 2, 3, 4, 5]), np.array([10, 20, 30, 40, 60])), 3)
    2.0
    """
    ranks = [_ranks(of_file) for of_file in (values, others)]
    if any(np.ptp(of_file) == 0 for of_file in ranks):
        return math.nan
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1]) * math.sqrt(len(values) - 1)


def _ranks(values: Values) -> npt.NDArray[np.float64]:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return ((2 * last - counts - 1) / 2)[place]
