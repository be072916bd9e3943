"""New values for one column: limits, smoothing, merged levels, classes. A column is never changed in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from discoreport.assessment.analyses.mitigation.steps import GroupValues, LimitValues, MergeLevels, Smooth
from discoreport.data.coding import code_variable
from discoreport.data.distinct import MISSING, distinct
from discoreport.data.grouping import group
from discoreport.data.levels import level_text, number_of, text_as_number
from discoreport.data.table import Table
from discoreport.errors import SettingsError

Column: TypeAlias = "pd.Series[Any]"
Where = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]
Recoding = Callable[[Column], Column]
"""Gives a column its new values; what holds for the synthetic file holds for any other file of the same variables."""


def limited(column: Column, step: LimitValues) -> Column:
    """Put numbers beyond the limits to the limits.

    Examples
    --------
    >>> limited(pd.Series([17, 20, 95, -8]), LimitValues(variable="age", bottom=18, top=90, keep=[-8])).to_list()
    [18, 20, 90, -8]
    """
    numbers = _numbers(column, step.variable, step.keep)
    for limit, where in ((step.bottom, np.less), (step.top, np.greater)):
        if limit is not None:
            column = _with_numbers(column, where(numbers, limit), limit)
    return column


def smoothed(column: Column, step: Smooth) -> Column:
    """Put each number to the mean of its neighbours in rank.

    Examples
    --------
    >>> smoothed(pd.Series([30.0, 10.0, 20.0, 90.0]), Smooth(variable="pay", neighbours=1)).to_list()
    [47.0, 15.0, 20.0, 60.0]
    """
    numbers = _numbers(column, step.variable, step.keep)
    known = np.flatnonzero(np.isfinite(numbers))
    ordered = np.sort(numbers[known])
    upto = np.concatenate([[0.0], np.cumsum(ordered - ordered[0])]) if len(ordered) else np.zeros(1)
    values = np.unique(ordered)
    low = np.maximum(np.searchsorted(ordered, values, side="left") - step.neighbours, 0)
    high = np.minimum(np.searchsorted(ordered, values, side="right") + step.neighbours, len(ordered))
    means = (upto[high] - upto[low]) / (high - low) + ordered[:1]
    digits = 0 if step.digits is None and (values == np.round(values)).all() else step.digits
    means = np.maximum.accumulate(means if digits is None else np.round(means, digits))  # rounding keeps the order
    new = numbers.copy()
    new[known] = means[np.searchsorted(values, numbers[known])]
    changed = np.isfinite(new) & (new != numbers)
    return _with_numbers(column, changed, new[changed])


def merging(column: Column, step: MergeLevels) -> Recoding:
    """Find out which levels of the synthetic file are merged into which.

    Returns
    -------
    Recoding
        Merged by count, a level that the synthetic file doesn't have goes where the small ones go: whoever looks for
        it would look there.

    Raises
    ------
    SettingsError
        Where the mapping names a level that the synthetic file doesn't have.
    """
    levels, counts = _levels(column, step.variable)
    if step.mapping:
        known = {text_as_number(level) for level in levels}
        missing = [level for level in step.mapping if text_as_number(level) not in known]
        if missing:
            raise SettingsError(f"merge levels: '{step.variable}' has no level '{missing[0]}' in the synthetic file.")
        new = {text_as_number(level): into for level, into in step.mapping.items()}
        return lambda other: _mapped(other, step.variable, lambda level: new.get(text_as_number(level), level))
    small = step.fewer_than or 0
    kept = {text_as_number(level) for level, n in zip(levels, counts, strict=True) if n >= small}
    kept |= {text_as_number(level) for level in step.keep if level is not None}
    if all(text_as_number(level) in kept for level in levels):
        return lambda other: other
    return lambda other: _mapped(
        other, step.variable, lambda level: level if text_as_number(level) in kept else step.into
    )


def grouping(column: Column, step: GroupValues) -> Recoding:
    """Find the classes of the synthetic file's numbers.

    Returns
    -------
    Recoding
        Numbers beyond the first and the last class belong to them.

    Raises
    ------
    SettingsError
        Where a value isn't a number, or lies outside given breaks.
    """
    levels, _ = _levels(column, step.variable)
    variable = code_variable(step.variable, [Table("synthetic", {step.variable: column})])
    special = [level for level in step.keep if level is not None and level in levels]
    groups = step.groups if isinstance(step.groups, int) else list(step.groups)
    _, found = group(variable, groups, special)
    kept, breaks, labels = {*step.keep}, np.array(found.breaks), found.labels

    def label(level: str) -> str:
        number = None if level in kept else number_of(text_as_number(level))
        return level if number is None else labels[int(np.searchsorted(breaks, number, side="right"))]

    return lambda other: _mapped(other, step.variable, label)


def n_changed(before: Column, after: Column, name: str) -> int:
    """Count the records whose level is another than before."""
    if before is after:
        return 0
    old, new = (_texts(column, name) for column in (before, after))
    return int(np.count_nonzero(old != new))


# Levels and numbers of a column ------------------------------------------------------------------


def _texts(column: Column, name: str) -> npt.NDArray[np.object_]:
    found = distinct(column, name)
    texts = np.array([*found.level_texts(), None], object)
    return texts[found.codes]


def _levels(column: Column, name: str) -> tuple[list[str], list[int]]:
    found = distinct(column, name)
    texts = found.level_texts()
    counts = np.bincount(found.codes[found.codes != MISSING], minlength=len(texts))
    by_level: dict[str, int] = {}
    for text, n in zip(texts, counts, strict=True):
        by_level[text] = by_level.get(text, 0) + int(n)
    return list(by_level), list(by_level.values())


def _mapped(column: Column, name: str, new: Callable[[str], str]) -> Column:
    """Give levels another text; where any changes, all values are written as text, and meet their levels as before."""
    found = distinct(column, name)
    texts = found.level_texts()
    wanted = [new(text) for text in texts]
    moves = np.array([*(old != text for old, text in zip(texts, wanted, strict=True)), False])
    where = moves[found.codes]
    if not where.any():
        return column
    return pd.Series(np.array([*wanted, None], object)[found.codes], dtype=object)


def _numbers(column: Column, name: str, keep: Sequence[str | None]) -> Numbers:
    """Read a column as numbers; NaN for missing values and those that are kept."""
    found = distinct(column, name)
    texts = found.level_texts()
    numbers = np.full(len(texts) + 1, np.nan)
    for place, text in enumerate(texts):
        if text in keep or text_as_number(text) in keep:
            continue
        number = float(found.numbers[place]) if found.numbers is not None else number_of(text_as_number(text))
        if number is None or not np.isfinite(number):
            raise SettingsError(
                f"'{name}' has values that aren't numbers. If they are codes, name them in keep; else merge its levels."
            )
        numbers[place] = number
    return numbers[found.codes]


def _with_numbers(column: Column, where: Where, new: float | Numbers) -> Column:
    """Put numbers in some places, in the column's own type where it can hold them."""
    if not where.any():
        return column
    values = np.broadcast_to(np.asarray(new, np.float64), (int(where.sum()),))
    whole = bool((values == np.round(values)).all())
    dtype: Any = column.dtype
    if pd.api.types.is_bool_dtype(dtype) or not pd.api.types.is_numeric_dtype(dtype):
        changed = column.astype(object).copy()
        texts = all(isinstance(value, str) for value in column[where].head())
        plain = [int(value) if value.is_integer() else value for value in values.tolist()]
        changed[where] = np.array([level_text(value) if texts else value for value in plain], object)
        return changed
    if whole and pd.api.types.is_integer_dtype(dtype):
        changed = column.copy()
        changed[where] = values.astype(np.int64)
        return changed
    if pd.api.types.is_integer_dtype(dtype):
        floats: Any = "float64" if isinstance(dtype, np.dtype) else "Float64"
        column = column.astype(pd.ArrowDtype(pa.float64()) if isinstance(dtype, pd.ArrowDtype) else floats)
    changed = column.copy()
    changed[where] = values
    return changed
