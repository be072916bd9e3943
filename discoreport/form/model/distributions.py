"""How the numbers of a variable are spread, and where its classes begin: shown while they are being set.

Only what many records share: a class of few records is not counted, and no smallest or largest value is told.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discoreport.assessment.prepare import PreparedVariable, prepare_variable
from discoreport.assessment.settings import Settings
from discoreport.data.coding import SMALL_CELL, Variable, level_numbers
from discoreport.data.level_text import level_text
from discoreport.data.numeric_groups import Grouping
from discoreport.form.model.open_files import OpenFiles

N_BARS = 20
"""How many bars a distribution has where there are no classes."""


@dataclass(frozen=True)
class Bar:
    """Records between two bounds; open at an end where a bound is None.

    Parameters
    ----------
    low, high
        The bounds as text.
    n
        Original records; None where they are fewer than the small-cell limit.
    """

    low: str | None
    high: str | None
    n: int | None

    @property
    def words(self) -> str:
        """Say where it lies."""
        if self.low is None or self.high is None:
            return f"below {self.high}" if self.low is None else f"from {self.low}"
        return f"{self.low} to below {self.high}"


@dataclass(frozen=True)
class Distribution:
    """The spread of one variable in the original.

    Parameters
    ----------
    bars
        From the lowest numbers to the highest; empty where too few records have any.
    classes
        Whether they are the classes that will be counted.
    equal_widths
        Whether classes of equal width stand in for quantiles.
    n_small
        Classes of fewer records than the small-cell limit.
    """

    bars: tuple[Bar, ...]
    classes: bool
    equal_widths: bool = False

    @property
    def n_small(self) -> int:
        """How many bars have fewer records than the small-cell limit."""
        return sum(bar.n is None for bar in self.bars)

    @property
    def most(self) -> int:
        """Records of the highest bar."""
        return max((bar.n or 0 for bar in self.bars), default=0)

    @property
    def bounds(self) -> tuple[str, ...]:
        """The bounds between classes that both have many records."""
        pairs = zip(self.bars, self.bars[1:], strict=False)
        return tuple(first.high for first, second in pairs if first.high and first.n and second.n)


def distribution(files: OpenFiles, settings: Settings, name: str) -> Distribution:
    """Tell how the numbers of a variable are spread: over its classes, or evenly where it has none.

    Parameters
    ----------
    files
        Open.
    settings
        Of which groups, special codes and missing values count.
    name
        A variable that has numbers.

    Raises
    ------
    SettingsError
        Where it can't be grouped so.
    """
    held = files.with_missing({name: settings.missing_values[name]} if name in settings.missing_values else {})
    prepared = prepare_variable(held.code(name), held.tables, settings)
    if type(prepared.coded) is not Variable:
        return Distribution((), classes=False)
    return _of_classes(prepared, prepared.grouping) if prepared.grouping else _evenly(prepared)


def _count(n: int) -> int | None:
    return n if n >= SMALL_CELL else None


def _of_classes(prepared: PreparedVariable, grouping: Grouping) -> Distribution:
    edges = [None, *(level_text(bound) for bound in grouping.breaks), None]
    counts = prepared.variable.counts[0][: len(grouping.labels)]
    bars = [Bar(low, high, _count(int(n))) for low, high, n in zip(edges, edges[1:], counts, strict=False)]
    return Distribution(tuple(bars), classes=True, equal_widths=grouping.method == "equal widths")


def _evenly(prepared: PreparedVariable) -> Distribution:
    """Count records between bounds of equal distance, from what some records lie below to what as many lie above."""
    numbers = level_numbers(prepared.coded)
    counts = np.asarray(prepared.coded.counts[0][: prepared.coded.n_levels])
    kept = np.isfinite(numbers) & (counts > 0)
    kept[list(prepared.special)] = False
    numbers, counts = numbers[kept], counts[kept]
    order = np.argsort(numbers)
    numbers, counts = numbers[order], counts[order]
    below = np.cumsum(counts)
    if not below.size or below[-1] < 3 * SMALL_CELL:
        return Distribution((), classes=False)
    low = numbers[np.searchsorted(below, max(SMALL_CELL, below[-1] // 100))]
    high = numbers[np.searchsorted(below, below[-1] - max(SMALL_CELL, below[-1] // 100))]
    if low >= high:
        return Distribution((), classes=False)
    step = _round_step((high - low) / (N_BARS - 2))
    edges = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step
    places = np.searchsorted(edges, numbers, side="right")
    totals = np.bincount(places, counts, len(edges) + 1).astype(int)
    ends = [None, *(level_text(round(float(edge), 10)) for edge in edges), None]
    return Distribution(
        tuple(Bar(a, b, _count(int(n))) for a, b, n in zip(ends, ends[1:], totals, strict=False)), classes=False
    )


def _round_step(width: float) -> float:
    """Round a width up to 1, 2 or 5 times a power of ten."""
    power = 10 ** np.floor(np.log10(width))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= width * 0.999))
