"""Confidence intervals of proportions, means and their differences. Everything is a share, 0 to 1, not a percentage.

Quantiles are SciPy's. Its Wilson interval takes whole counts alone, and ours may be fractions; its Welch and Student
want all values, and cells give sums. statsmodels has Newcombe's five lines, the same figures, in 67 MB. Tests compare.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev
from typing import Any

import numpy as np
import numpy.typing as npt

Interval = tuple[float, float]
Parts = npt.NDArray[Any]
CONFIDENCE = 0.95
"""The share of intervals that is to hold the true value, unless another is asked for."""
METHODS = 2
"""Which generation of methods this is; results that hold another were made by earlier ones, and are not the same."""
ENOUGH = 5
"""How many key combinations, by their effective number, must carry a figure for an interval; from simulations."""
_NOTHING = 1e-9
"""What is less than this, as a part of the largest, is a rounding error."""


def normal_quantile(confidence: float) -> float:
    """Give the z for which a standard normal variable lies between -z and z with this probability.

    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    return NormalDist().inv_cdf((1 + confidence) / 2)


def t_quantile(confidence: float, freedom: float) -> float:
    """Give the t for which a variable of Student's distribution lies between -t and t with this probability.

    Parameters
    ----------
    confidence
        Above 0, below 1.
    freedom
        Degrees of freedom, above 0; any number, whole or not.

    Examples
    --------
    >>> [round(t_quantile(0.95, freedom), 3) for freedom in (1, 2, 4.5, 9, 100, 5000)]
    [12.706, 4.303, 2.659, 2.262, 1.984, 1.96]
    """
    from scipy.special import stdtrit  # imported where an interval is wanted

    return float(stdtrit(freedom, (1 + confidence) / 2))


def effective(weights: Parts) -> float:
    """Give how many equal weights would carry as much as these do; 0 where all are 0.

    References
    ----------
    Kish, "Survey sampling", 1965.

    Examples
    --------
    >>> effective(np.array([5, 5, 5, 0])), round(effective(np.array([90, 5, 5])), 2)
    (3.0, 1.23)
    """
    whole = float((weights * weights).sum())
    return float(weights.sum()) ** 2 / whole if whole else 0.0


def residuals(part: Parts, whole: Parts, sizes: Parts) -> Parts:
    """Give what each key combination adds to the error of the ratio of two sums.

    Parameters
    ----------
    part, whole
        What is divided and what it is divided by, of each key combination.
    sizes
        The original records of each. Their sum is fixed, so that what goes with the size of a key combination
        adds no error: it is taken out by least squares.

    Examples
    --------
    >>> residuals(np.array([2, 0, 0, 2]), np.array([2, 2, 2, 2]), np.array([2, 2, 2, 2])).tolist()
    [1.0, -1.0, -1.0, 1.0]
    """
    off = part - part.sum() / whole.sum() * whole
    off = off - (off @ sizes) / max(sizes @ sizes, 1) * sizes
    return np.where(np.abs(off) > _NOTHING * max(whole.max(), sizes.max()), off, 0.0)


def by_cluster(part: Parts, whole: Parts, sizes: Parts, confidence: float = CONFIDENCE) -> Interval | None:
    """Give the interval of a share, the ratio of two sums, where key combinations are found as a whole or not.

    It is Wilson's score interval with as many records as independent ones would have to be for the share to vary
    as it does from key combination to key combination, and with Student's quantile, as that variation is estimated
    from few. At 0 and at all, where nothing varies, it is the exact interval of as many key combinations as there are.

    Parameters
    ----------
    part, whole, sizes
        As for `residuals`.

    Returns
    -------
    Interval or None
        None where fewer than `ENOUGH` key combinations carry the share.

    References
    ----------
    Wilson 1927; Clopper and Pearson, "The use of confidence or fiducial limits", 1934; Kish, "Survey sampling", 1965;
    Satterthwaite, "An approximate distribution of estimates of variance components", 1946.

    Examples
    --------
    >>> found, records = np.array([2, 0] * 6), np.array([2] * 12)  # 6 of 12 key combinations
    >>> [round(end, 3) for end in by_cluster(found, records, records)]
    [0.246, 0.754]
    >>> [round(end, 3) for end in by_cluster(0 * found, records, records)]  # none of 12: 1 - 0.025 ** (1/12)
    [0.0, 0.265]
    >>> by_cluster(found[:4], records[:4], records[:4]) is None
    True
    """
    share = float(part.sum() / whole.sum())
    if part.sum() in (0, whole.sum()):
        n = effective(whole)
        far = 1 - ((1 - confidence) / 2) ** (1 / n)
        return None if n < ENOUGH else (0.0, far) if share == 0 else (1 - far, 1.0)
    squares = residuals(part, whole, sizes) ** 2
    if effective(squares) < ENOUGH:
        return None
    n = int(((whole > 0) | (sizes > 0)).sum())
    error = float(squares.sum()) * n / (n - 1) / float(whole.sum()) ** 2
    spread = max(1 / effective(squares) - 1 / n, _NOTHING)
    return _score(share, share * (1 - share) / error, t_quantile(confidence, 2 / spread))


def _score(share: float, n: float, quantile: float) -> Interval:
    """Give the shares from which one of n independent records is no further than a quantile of standard errors."""
    square = quantile**2 / n
    centre = (share + square / 2) / (1 + square)
    half = math.sqrt(square * share * (1 - share) + square**2 / 4) / (1 + square)
    return centre - half, centre + half


def wilson(n_successes: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Give Wilson's score interval of a proportion.

    Parameters
    ----------
    n_successes, n
        How many of how many; n is 1 or more.

    References
    ----------
    Wilson, "Probable inference, the law of succession, and statistical inference", 1927.

    Examples
    --------
    >>> [round(end, 4) for end in wilson(81, 263)]  # Newcombe 1998, table I
    [0.2553, 0.3662]
    >>> [round(end, 4) for end in wilson(0, 20)]
    [0.0, 0.1611]
    """
    low, high = _score(n_successes / n, n, normal_quantile(confidence))
    # At 0 and at all the ends are exact; rounding must not move them.
    return (0.0 if n_successes == 0 else low), (1.0 if n_successes == n else high)


def newcombe(
    n_successes: float, n: int, n_other_successes: float, n_other: int, confidence: float = CONFIDENCE
) -> Interval:
    """Give the interval of the difference between two independent proportions, from their two score intervals.

    Parameters
    ----------
    n_successes, n
        Of the first sample.
    n_other_successes, n_other
        Of the second, which is taken away.

    References
    ----------
    Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17,
    1998, method 10.

    Examples
    --------
    >>> [round(end, 4) for end in newcombe(56, 70, 48, 80)]  # Newcombe 1998, table II, (a)
    [0.0524, 0.3339]
    >>> [round(end, 4) for end in newcombe(10, 10, 0, 10)]  # (g)
    [0.6075, 1.0]
    """
    share, other = n_successes / n, n_other_successes / n_other
    low, high = wilson(n_successes, n, confidence)
    other_low, other_high = wilson(n_other_successes, n_other, confidence)
    difference = share - other
    return (
        difference - math.hypot(share - low, other_high - other),
        difference + math.hypot(high - share, other - other_low),
    )


def welch(
    mean: float,
    deviation: float,
    n: int,
    other: float,
    other_deviation: float,
    n_other: int,
    confidence: float = CONFIDENCE,
) -> Interval | None:
    """Give Welch's interval of the difference between two means; None where neither sample varies.

    Parameters
    ----------
    mean, deviation, n
        Mean, standard deviation and number of values of the first sample.
    other, other_deviation, n_other
        The same of the second, which is taken away. Both have 2 values or more.

    References
    ----------
    Welch, "The generalization of 'Student's' problem when several different population variances are involved", 1947.

    Examples
    --------
    >>> [round(end, 3) for end in welch(0.5, 0.2, 100, 0.4, 0.1, 25)]  # 84.2 degrees of freedom
    [0.044, 0.156]
    """
    parts = deviation**2 / n, other_deviation**2 / n_other
    error = sum(parts)
    if math.sqrt(error) < _NOTHING:
        return None
    freedom = error**2 / (parts[0] ** 2 / (n - 1) + parts[1] ** 2 / (n_other - 1))
    half = t_quantile(confidence, freedom) * math.sqrt(error)
    return mean - other - half, mean - other + half


def mean_interval(mean: float, deviation: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Give Student's interval of a mean.

    Parameters
    ----------
    mean, deviation, n
        Mean, standard deviation and number of values; 2 or more.

    References
    ----------
    Student, "The probable error of a mean", 1908.

    Examples
    --------
    >>> [round(end, 3) for end in mean_interval(9.488, 0.4625, 5)]
    [8.914, 10.062]
    """
    half = t_quantile(confidence, n - 1) * deviation / math.sqrt(n)
    return mean - half, mean + half


def t_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Give Student's interval of the mean of a few values; 2 or more.

    Examples
    --------
    >>> [round(end, 3) for end in t_interval([9.54, 10.26, 9.10, 9.20, 9.34])]
    [8.914, 10.062]
    """
    return mean_interval(fmean(values), stdev(values), len(values), confidence)


def overlap(one: Interval, other: Interval) -> float:
    """Give which share of two intervals lies in both: the mean of its shares of the one and of the other.

    Parameters
    ----------
    one, other
        Neither is a single point.

    Returns
    -------
    float
        1 where they are the same, 0 where they only touch; below 0 where they are apart, the further the lower.

    References
    ----------
    Karr, Kohnen, Oganian, Reiter and Sanil, "A framework for evaluating the utility of data altered to protect
    confidentiality", The American Statistician 60, 2006; Snoke, Raab, Nowok, Dibben and Slavkovic, "General and
    specific utility measures for synthetic data", Journal of the Royal Statistical Society A 181, 2018.

    Examples
    --------
    Half of the first and a quarter of the second lie in both.

    >>> overlap((0, 2), (1, 5))
    0.375
    >>> overlap((0, 1), (0, 1)), overlap((0, 1), (2, 3))
    (1.0, -1.0)
    """
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return (shared / (one[1] - one[0]) + shared / (other[1] - other[0])) / 2
