"""Confidence intervals of proportions, means and their differences. Everything is a share, 0 to 1, not a percentage."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev

Interval = tuple[float, float]
CONFIDENCE = 0.95
"""The share of intervals that is to hold the true value, unless another is asked for."""
_LARGE = 1000
"""With more degrees of freedom the first terms of an expansion are exact to ten digits."""


def normal_quantile(confidence: float) -> float:
    """Give the z for which a standard normal variable lies between -z and z with this probability.

    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    return NormalDist().inv_cdf((1 + confidence) / 2)


def t_quantile(confidence: float, freedom: int) -> float:
    """Give the t for which a variable of Student's distribution lies between -t and t with this probability.

    Parameters
    ----------
    confidence
        Above 0, below 1.
    freedom
        Degrees of freedom, 1 or more.

    References
    ----------
    Abramowitz and Stegun, "Handbook of mathematical functions", 26.7.3 to 26.7.5.

    Examples
    --------
    >>> [round(t_quantile(0.95, freedom), 3) for freedom in (1, 2, 4, 9, 100, 5000)]
    [12.706, 4.303, 2.776, 2.262, 1.984, 1.96]
    """
    z = normal_quantile(confidence)
    if freedom > _LARGE:
        terms = ((z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
        return z + math.fsum(term / freedom**power for power, term in enumerate(terms, start=1))
    low, high = z, 2 * z
    while _t_within(high, freedom) < confidence:
        low, high = high, 2 * high
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_within(middle, freedom) < confidence else (low, middle)
    return (low + high) / 2


def _t_within(t: float, freedom: int) -> float:
    """Give the probability that a variable of Student's distribution lies between -t and t."""
    angle = math.atan(t / math.sqrt(freedom))
    square = math.cos(angle) ** 2
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    total = 0.0
    for step in range(1 + odd, freedom, 2):  # 1, 3, ... or 2, 4, ...: as many terms as the closed form has
        total += term
        term *= square * step / (step + 1)
    if odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


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
    z = normal_quantile(confidence)
    share = n_successes / n
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    # At 0 and at all the ends are exact; rounding must not move them.
    return (0.0 if n_successes == 0 else centre - half), (1.0 if n_successes == n else centre + half)


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


def mean_interval(mean: float, deviation: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Give the normal interval of a mean of many values.

    Parameters
    ----------
    mean, deviation
        Mean and standard deviation of the values.
    n
        How many there are; 2 or more.

    Examples
    --------
    >>> [round(end, 3) for end in mean_interval(0.5, 0.2, 100)]
    [0.461, 0.539]
    """
    half = normal_quantile(confidence) * deviation / math.sqrt(n)
    return mean - half, mean + half


def welch(
    mean: float,
    deviation: float,
    n: int,
    other: float,
    other_deviation: float,
    n_other: int,
    confidence: float = CONFIDENCE,
) -> Interval:
    """Give Welch's interval of the difference between two means; degrees of freedom are rounded down.

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
    >>> [round(end, 3) for end in welch(0.5, 0.2, 100, 0.4, 0.1, 25)]  # 84 degrees of freedom
    [0.044, 0.156]
    """
    parts = deviation**2 / n, other_deviation**2 / n_other
    error = sum(parts)
    if error == 0:
        return mean - other, mean - other
    freedom = error**2 / (parts[0] ** 2 / (n - 1) + parts[1] ** 2 / (n_other - 1))
    half = t_quantile(confidence, max(math.floor(freedom), 1)) * math.sqrt(error)
    return mean - other - half, mean - other + half


def t_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Give Student's interval of the mean of a few values; 2 or more.

    References
    ----------
    Student, "The probable error of a mean", 1908.

    Examples
    --------
    >>> [round(end, 3) for end in t_interval([9.54, 10.26, 9.10, 9.20, 9.34])]
    [8.914, 10.062]
    """
    n = len(values)
    half = t_quantile(confidence, n - 1) * stdev(values) / math.sqrt(n)
    return fmean(values) - half, fmean(values) + half
