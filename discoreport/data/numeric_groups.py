"""Numeric variables in classes: quantile breaks over all files, special codes left out."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import OF_DATES, SMALL_CELL, Numbers, Variable, level_numbers
from discoreport.data.level_text import level_text
from discoreport.errors import SettingsError

_MOST_DIGITS = 18
FEWEST_CLASSES = 3
"""With fewer classes than this by quantiles, equal widths are used instead."""


@dataclass(frozen=True)
class Grouping:
    """How a variable was grouped.

    Parameters
    ----------
    breaks
        Bounds between the classes, rising; each belongs to the class above it. Quantiles are moved to
        rounder numbers that leave every value in its class. The smallest and the largest value are
        not among them.
    method
        "quantiles", "equal widths" (where quantiles gave fewer than 3 classes) or "given breaks".
    labels
        One text a class.
    """

    breaks: tuple[float, ...]
    method: str
    labels: tuple[str, ...]


def special_positions(variable: Variable, codes: Sequence[str]) -> list[int]:
    """Find the levels that are codes.

    Raises
    ------
    SettingsError
        Where a code occurs in no file.
    """
    positions = []
    for code in codes:
        try:
            positions.append(variable.code_of(code))
        except KeyError:
            raise SettingsError(
                f"special_codes: '{variable.name}' has no value {code} in any file. {variable.suggest(code)}"
            ) from None
    return positions


@functools.singledispatch
def group(variable: Variable, groups: int | Sequence[float], codes: Sequence[str]) -> tuple[Variable, Grouping]:
    """Put a numeric variable into classes.

    Parameters
    ----------
    variable
        Coded over the original and all synthetic files.
    groups
        About how many classes, or the breaks themselves.
    codes
        Values that are codes, not numbers: each stays a level of its own, after the classes.

    Returns
    -------
    Variable, Grouping
        The variable with classes for levels, and how they came about.

    Raises
    ------
    SettingsError
        Where a level isn't a number, nothing is left to group, or a value lies outside given breaks.
    """
    special = sorted(set(special_positions(variable, codes)))
    numbers = _numbers(variable, special)
    ordinary = np.ones(len(numbers), bool)
    ordinary[special] = False
    if not ordinary.any():
        raise SettingsError(f"'{variable.name}' can't be grouped: it has no numbers besides its special codes.")
    values = numbers[ordinary]
    counts = variable.counts[:, :-1].sum(axis=0)[ordinary]
    order = np.argsort(values)
    breaks, method = _breaks(values[order], counts[order], groups)
    outside = (values < breaks[0]) | (values > breaks[-1])
    require_inside(variable, breaks, int(counts[outside].sum()))
    n_classes = max(len(breaks) - 1, 1)
    new_code = np.empty(len(numbers) + 1, np.int32)
    if method != "given breaks":
        breaks = _rounded(breaks, values[order])
    classes = np.minimum(np.searchsorted(breaks, values, side="right") - 1, n_classes - 1)
    new_code[:-1][ordinary] = classes
    new_code[special] = n_classes + np.arange(len(special), dtype=np.int32)
    new_code[-1] = n_classes + len(special)
    labels = class_labels(breaks)
    texts = labels + tuple(variable.level_texts[position] for position in special)
    grouped = replace(variable, codes=tuple(new_code[codes] for codes in variable.codes), numbers=None, texts=texts)
    return grouped, Grouping(tuple(float(value) for value in breaks[1:-1]), method, labels)


def _numbers(variable: Variable, special: Sequence[int]) -> Numbers:
    """Give the levels as numbers, NaN for codes that aren't; or say which level keeps a variable from being grouped."""
    if variable.kind == "date":
        raise SettingsError(f"'{variable.name}' can't be grouped: {OF_DATES}")
    numbers = level_numbers(variable)
    bad = ~np.isfinite(numbers)
    bad[list(special)] = False
    if bad.any():
        places = np.flatnonzero(bad)
        most = int(places[variable.counts[0][places].argmax()])
        shown = f", among them '{variable.level_texts[most]}'" if variable.counts[0][most] >= SMALL_CELL else ""
        raise SettingsError(
            f"'{variable.name}' can't be grouped: {len(places)} of its levels aren't numbers{shown}. "
            "If they are codes, name them in special_codes."
        )
    return numbers


def require_inside(variable: Variable, breaks: Numbers, n_outside: int) -> None:
    """Raise where values lie outside given breaks."""
    if n_outside:
        raise SettingsError(
            f"numeric_groups: {n_outside:,} values of '{variable.name}' lie outside the breaks "
            f"{level_text(breaks[0])} to {level_text(breaks[-1])}. "
            "Widen the breaks, or name the values in special_codes."
        )


def _breaks(values: Numbers, counts: npt.NDArray[np.int64], groups: int | Sequence[float]) -> tuple[Numbers, str]:
    if not isinstance(groups, int):
        return np.array(groups, np.float64), "given breaks"
    breaks = np.unique(_quantiles(values, counts, groups))
    if len(breaks) - 1 >= FEWEST_CLASSES or len(values) == 1:
        return breaks, "quantiles"
    return np.linspace(values[0], values[-1], groups + 1), "equal widths"


def _quantiles(values: Numbers, counts: npt.NDArray[np.int64], n: int) -> Numbers:
    """Compute quantiles of type 7 at 0, 1/n, ..., 1 of values that occur `counts` times each."""
    upto = np.cumsum(counts)
    below, above, share = quantile_places(int(upto[-1]), n)
    low, high = (values[np.searchsorted(upto, place, side="right")] for place in (below, above))
    return between(low, high, share)


def quantile_places(n_values: int, n: int) -> tuple[Numbers, Numbers, Numbers]:
    """Say between which two values in rising order (from 0) each quantile of type 7 is, and how far from the first."""
    place = np.arange(n + 1) / n * (n_values - 1)
    below = np.floor(place + 4 * np.finfo(np.float64).eps)
    share = np.clip(place - below, 0, 1)
    share[np.abs(share) < 1e-12 * max(n_values, 1)] = 0
    return below, np.minimum(below + 1, n_values - 1), share


def between(low: Numbers, high: Numbers, share: Numbers) -> Numbers:
    """Go some share of the way between two values."""
    quantiles: Numbers = np.where(share == 0, low, low + share * (high - low))
    return quantiles


def _rounded(breaks: Numbers, values: Numbers) -> Numbers:
    """Move the breaks between classes to rounder numbers that leave every value in its class.

    Quantiles are values of single records, or lie between two of them; a bound that is printed must
    not give them away.
    """
    moved = breaks.copy()
    for place, bound in enumerate(breaks[1:-1], start=1):
        above = int(np.searchsorted(values, bound, side="left"))
        moved[place] = roundest(bound, values[above - 1], values[above])
    return moved


def roundest(number: float, low: float, high: float) -> float:
    """Find the number with fewest digits above `low` and up to `high`, the one nearest to `number`."""
    if number == 0:
        return number
    exact = Decimal(float(number))
    for digits in range(1, _MOST_DIGITS):
        unit = Decimal(1).scaleb(exact.adjusted() - digits + 1)
        near = [float(exact.quantize(unit, how)) for how in (ROUND_HALF_EVEN, ROUND_FLOOR, ROUND_CEILING)]
        inside = [rounded for rounded in near if low < rounded <= high]
        if inside:
            return min(inside, key=lambda rounded: abs(rounded - number))
    return number


def class_labels(breaks: Numbers) -> tuple[str, ...]:
    """Write one text a class."""
    breaks = breaks + 0.0  # minus zero is zero
    if len(breaks) == 1:
        return (f"{breaks[0]:,.10g}",)
    written = [f"{value:,.{10 if abs(value) < 1e10 else 17}g}" for value in breaks]
    if len(set(written)) < len(written):
        written = [repr(float(value)) for value in breaks]
    labels = [f"{low} to under {high}" for low, high in itertools.pairwise(written)]
    if len(labels) > 1:  # the smallest and the largest value are somebody's, and stay out of sight
        labels[0] = f"under {written[1]}"
        labels[-1] = f"{written[-2]} and over"
    return tuple(labels)
