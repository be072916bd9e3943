"""The variable that says which records belong together: records without it, and values that two files share."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import numpy as np

from discoreport.data.coding import Variable
from discoreport.data.findings.finding import Finding
from discoreport.data.table import Table

MOST_WITHOUT = 50.0
"""Warn where more than this percentage of a file's records have no unit: then hardly any belong together."""


def about_units(unit: Variable, tables: Sequence[Table]) -> Iterator[Finding]:
    """Say what is to be known of the variable that says which records belong together; no value is named.

    Parameters
    ----------
    unit
        Coded alike in all files.
    tables
        The files, the original first.
    """
    for file, table in enumerate(tables):
        n = table.n_records
        without = unit.n_missing_in(file) + unit.n_declared_in(file)
        if without:
            percent = 100 * without / n
            detail = (
                f"{without:,} of {n:,} records ({percent:.1f} %) have no value: each of them is taken for a unit of "
                "its own"
            )
            severity = "warning" if percent > MOST_WITHOUT else "note"
            yield Finding(unit.name, file, "no_unit", severity, detail, None, without, percent)  # type: ignore[arg-type]
        n_values = unit.n_levels_in(file) - sum(bool(unit.counts[file][unit.code_of(one)]) for one in unit.declared)
        if n_values + without == n:
            detail = "each record is a unit of its own, so that units change no figure"
            yield Finding(unit.name, file, "units_of_one", "note", detail)
        elif n_values == 1 and not without:
            detail = "all records have the same value, and are one unit: no such unit can be met in another file"
            yield Finding(unit.name, file, "one_unit", "warning", detail)
    for synthesis in range(1, len(tables)):
        yield from _same_values(unit, synthesis)


def _same_values(unit: Variable, synthesis: int) -> Iterator[Finding]:
    """Tell of values that units have in both files."""
    n_both = values_in_both(unit, synthesis)
    if n_both:
        percent = 100 * n_both / unit.n_levels_in(0)
        said = f"{percent:.1f} % of the original's units have a value that a unit of the synthetic file has, too: "
        if is_numbering(unit):
            said += "a numbering from 1, perhaps. Equal numbers must not mean that one was made from the other"
        else:
            said += "whoever knows a unit's value looks it up. Number the synthetic file's units anew, or leave it out"
        severity = "note" if is_numbering(unit) else "warning"
        yield Finding(unit.name, synthesis, "same_units", severity, said, n_both, None, percent)  # type: ignore[arg-type]


@functools.singledispatch
def values_in_both(unit: Variable, synthesis: int) -> int:
    """Count the values that both the original and a synthetic file have."""
    d, s = (unit.counts[file][:-1] > 0 for file in (0, synthesis))
    return int((d & s).sum())


def is_numbering(unit: Variable) -> bool:
    """Tell whether all values are the whole numbers from 0 or 1 on; of very many values that isn't known."""
    numbers = unit.numbers
    if numbers is None or not len(numbers) or float(numbers[0]) not in (0.0, 1.0):
        return False
    return bool(np.array_equal(numbers, numbers[0] + np.arange(len(numbers))))
