"""The one list of measures: what each is called, means and counts.

A measure is a sum over cells, divided by another. Its function gives the sum; the registry knows
what it is divided by. Both are written with the columns and sums of `Cells` alone, so that the
same definition serves every engine.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from discoreport.measures.cells import Cells

Group = Literal["identity", "attribute", "cap"]
GROUPS: tuple[Group, ...] = ("identity", "attribute", "cap")

Depends = Literal["both", "other records", "original", "synthetic", "synthetic records", "number", "chance"]
"""What the interval of a measure goes by; see `Measure`."""

Records = Literal[
    "original records",
    "synthetic records",
    "synthetic records whose keys occur in the original",
    "original records for which the synthetic file names one value",
    "cells",
]
"""Out of what a measure is, in words."""

Count = Callable[[Cells], Any]
"""A sum over cells; a plain number where the engine is in memory."""


@dataclass(frozen=True)
class Denominator:
    """What a measure is divided by.

    Parameters
    ----------
    records
        Out of what the measure is.
    count
        The sum that divides: how many those are, or a function of it.
    """

    records: Records
    count: Count

    def __call__(self, cells: Cells) -> Any:
        """Give the sum that divides."""
        return self.count(cells)


def denominator(records: Records) -> Callable[[Count], Denominator]:
    """Say of a function out of what a measure is that is divided by it."""
    return lambda count: Denominator(records, count)


@dataclass(frozen=True)
class Measure:
    """One published measure.

    Parameters
    ----------
    name
        As published.
    group
        The table it belongs to.
    stands_for
        The name in words.
    meaning
        One sentence that a data owner can read.
    formula
        As in section 2 of the design; percentages include the factor 100.
    source
        Where it is defined.
    count
        The sum that is divided.
    of
        What it is divided by; None where the sum is the measure.
    depends
        What decides whether it has an interval, and which. "both": a share of original records that the synthetic file
        decides on. "other records": as "both", but a record counts by which other records the original has.
        "original", "synthetic": a figure of that file alone. "synthetic records": divided by these, so that it isn't
        a share of the original. "number": a number of records. "chance": an expectation, which other figures
        are set against.
    weighed
        Whether it adds up probabilities: the records behind it are an expectation, not a whole number.
    unit
        "%" or "records".
    higher_is_worse
        Whether a higher figure means a higher risk; False where it only helps to read another.
    may_be_lacking
        Whether records of earlier versions lack it: in those it is "not measured", and its figures are missing.
    reference
        The measure that says what would be expected by chance; "" where there is none.
    """

    name: str
    group: Group
    stands_for: str
    meaning: str
    formula: str
    source: str
    count: Count
    of: Denominator | None
    depends: Depends
    weighed: bool = False
    unit: Literal["%", "records"] = "%"
    higher_is_worse: bool = True
    may_be_lacking: bool = False
    reference: str = ""

    def __call__(self, cells: Cells) -> float:
        """Evaluate the measure on the cells of one target and one synthesis.

        Returns
        -------
        float
            In `unit`; NaN where there is nothing to divide by.
        """
        return self.value(self.count(cells), None if self.of is None else self.of(cells))

    def value(self, count: float, of: float | None) -> float:
        """Divide the sums that an engine has found; NaN where there is nothing to divide by."""
        if of is None:
            return float(count)
        return float(count) / float(of) * (100 if self.unit == "%" else 1) if of else math.nan


MEASURES: dict[str, Measure] = {}
"""Every measure by its published name, in the order of the tables."""


def measure(
    group: Group,
    *,
    stands_for: str,
    meaning: str,
    formula: str,
    source: str,
    of: Denominator | None,
    depends: Depends,
    weighed: bool = False,
    unit: Literal["%", "records"] = "%",
    higher_is_worse: bool = True,
    may_be_lacking: bool = False,
    reference: str = "",
) -> Callable[[Count], Measure]:
    """Enter a function into the registry; see `Measure` for the arguments."""

    def enter(count: Count) -> Measure:
        words = count.__name__, group, stands_for, meaning, formula, source
        entry = Measure(*words, count, of, depends, weighed, unit, higher_is_worse, may_be_lacking, reference)
        object.__setattr__(entry, "__doc__", count.__doc__)
        object.__setattr__(entry, "__name__", count.__name__)
        MEASURES[entry.name] = entry
        return entry

    return enter


def by_chance(group: Group, name: str, *, formula: str, of: Denominator) -> Callable[[Count], Measure]:
    """Enter what a measure would be by chance; see `measure`."""
    return measure(
        group,
        stands_for=f"{name} by chance",
        meaning=f"{name} as it would be on average if the target were shuffled among the synthetic records.",
        formula=formula,
        source=f"the mean of {name} over all orders of the target in the synthetic file, in closed form",
        of=of,
        depends="chance",
        weighed=True,
        higher_is_worse=False,
        may_be_lacking=True,
    )


def doctests(module: dict[str, Any]) -> dict[str, str]:
    """Collect the examples of a module's measures for ``__test__``, where doctest looks for them."""
    return {name: value.__doc__ for name, value in module.items() if isinstance(value, Measure) and value.__doc__}


def later() -> frozenset[str]:
    """Name the measures that records of earlier versions may lack."""
    return frozenset(entry.name for entry in MEASURES.values() if entry.may_be_lacking)


def measures_for(targets: object) -> tuple[Measure, ...]:
    """List every measure; where there are no targets those of the keys alone."""
    return tuple(MEASURES.values()) if targets else of_group("identity")


def of_group(group: Group) -> tuple[Measure, ...]:
    """List the measures of one group in their order."""
    return tuple(entry for entry in MEASURES.values() if entry.group == group)
