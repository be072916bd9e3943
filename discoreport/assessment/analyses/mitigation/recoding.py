"""New values for the levels of one variable: limits, smoothing, merged levels, classes. Nothing is changed in place.

Levels are those that `assess` sees, coded over the files together, so that what is done to a level of the synthetic
file is done to the same level of the original, however either file writes it. A level that only the original has gets
what the step makes of a value like it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from discoreport.assessment.analyses.mitigation.steps import GroupValues, LimitValues, MergeLevels, Smooth
from discoreport.data.coding import Variable, level_numbers
from discoreport.data.distinct_values import distinct
from discoreport.data.level_text import level_text
from discoreport.data.numeric_groups import group
from discoreport.errors import SettingsError

Column: TypeAlias = "pd.Series[Any]"
Where = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Moves: TypeAlias = Mapping[int, str | float]
"""By code, the new level of those that get one: its text, or its number."""


def moves_of(variable: Variable, column: Column, step: LimitValues | Smooth | MergeLevels | GroupValues) -> Moves:
    """Find out what a step makes of each level.

    Parameters
    ----------
    variable
        Coded over the original and the synthetic file, which is the last.
    column
        As the synthetic file writes it.
    step
        What is done.

    Raises
    ------
    SettingsError
        Where the step doesn't fit the variable, or names a level that the synthetic file doesn't have.
    """
    codes = _Names(variable, column)
    kept = codes.of((*step.keep, *variable.declared))
    if isinstance(step, LimitValues):
        return limits(variable, step, kept)
    if isinstance(step, Smooth):
        return means(variable, step, kept)
    if isinstance(step, MergeLevels):
        return merged(variable, step, codes)
    return classes(variable, step, kept)


def limits(variable: Variable, step: LimitValues, keep: set[int]) -> Moves:
    """Put numbers beyond the limits to the limits."""
    numbers = _numbers(variable, keep)
    moves: dict[int, str | float] = {}
    for limit, beyond in ((step.bottom, np.less), (step.top, np.greater)):
        if limit is not None:
            moves |= dict.fromkeys(np.flatnonzero(beyond(numbers, limit)).tolist(), float(limit))
    return moves


def means(variable: Variable, step: Smooth, keep: set[int]) -> Moves:
    """Put each number to the mean of its neighbours in rank among those of the synthetic file.

    A number that only the original has gets the mean of the neighbours that it would have there.
    """
    numbers = _numbers(variable, keep)
    codes = variable.codes[-1]
    ordered = np.append(numbers, np.nan)[codes]
    ordered = np.sort(ordered[np.isfinite(ordered)])
    known = np.flatnonzero(np.isfinite(numbers))
    if not len(ordered):
        return {}
    upto = np.concatenate([[0.0], np.cumsum(ordered - ordered[0])])
    values = np.unique(numbers[known])
    low = np.maximum(np.searchsorted(ordered, values, side="left") - step.neighbours, 0)
    high = np.minimum(np.searchsorted(ordered, values, side="right") + step.neighbours, len(ordered))
    found = (upto[high] - upto[low]) / (high - low) + ordered[0]
    digits = 0 if step.digits is None and (ordered == np.round(ordered)).all() else step.digits
    found = np.maximum.accumulate(found if digits is None else np.round(found, digits))  # rounding keeps the order
    new = found[np.searchsorted(values, numbers[known])]
    return {
        code: mean for code, mean, old in zip(known.tolist(), new.tolist(), numbers[known], strict=True) if mean != old
    }


def merged(variable: Variable, step: MergeLevels, codes: _Names) -> Moves:
    """Merge levels by a mapping, or the small ones of the synthetic file.

    Merged by count, a level that the synthetic file doesn't have goes where the small ones go: whoever looks for it
    would look there.
    """
    counts = variable.counts[-1][:-1]
    if step.mapping:
        missing = [level for level in step.mapping if not any(counts[code] for code in codes.of([level]))]
        if missing:
            raise SettingsError(f"merge levels: '{step.variable}' has no level '{missing[0]}' in the synthetic file.")
        return {code: codes.level(into) for level, into in step.mapping.items() for code in codes.of([level])}
    small = set(np.flatnonzero(counts < (step.fewer_than or 0)).tolist()) - codes.of(step.keep)
    return dict.fromkeys(small, codes.level(step.into)) if any(counts[code] for code in small) else {}


def classes(variable: Variable, step: GroupValues, keep: set[int]) -> Moves:
    """Put numbers into the classes of the synthetic file's numbers.

    Numbers beyond the first and the last class belong to them.
    """
    numbers = level_numbers(variable)
    numbers[list(keep)] = np.nan
    own_levels = variable.counts[-1][:-1] > 0
    own_levels[list(keep)] = False
    ordinary = np.flatnonzero(own_levels)
    place = np.full(variable.n_levels + 1, len(ordinary), np.int32)
    place[ordinary] = np.arange(len(ordinary))
    own = dataclasses.replace(
        variable,
        codes=(place[variable.codes[-1]],),
        numbers=None if variable.numbers is None else variable.numbers[ordinary],
        texts=None if variable.texts is None else tuple(variable.texts[code] for code in ordinary),
    )
    _, found = group(own, step.groups if isinstance(step.groups, int) else list(step.groups), ())
    known = np.flatnonzero(np.isfinite(numbers))
    of_known = np.searchsorted(np.array(found.breaks), numbers[known], side="right")
    return {code: found.labels[place] for code, place in zip(known.tolist(), of_known.tolist(), strict=True)}


def followed(variable: Variable, moves: Moves) -> Variable:
    """Give levels their new values in all files alike; those that no record has any more stay known."""
    numbers = [value for value in moves.values() if not isinstance(value, str)]
    moved = list(moves)
    if variable.numbers is not None and len(numbers) == len(moves):
        old, new = variable.numbers, np.array(numbers, np.float64)
        if old.dtype.kind in "iu" and (new == np.round(new)).all():
            new = new.astype(np.int64)
        levels: Any = np.unique(np.concatenate([old, new]))
        places, targets = np.searchsorted(levels, old), np.searchsorted(levels, new)
        shown: dict[str, Any] = {"numbers": levels, "texts": None}
    else:
        texts = [value if isinstance(value, str) else level_text(value) or "" for value in moves.values()]
        levels = tuple(sorted({*variable.level_texts, *texts}))
        position = {text: place for place, text in enumerate(levels)}
        places = np.array([position[text] for text in variable.level_texts], np.int64)
        targets = np.array([position[text] for text in texts], np.int64)
        shown = {"numbers": None, "texts": levels}
    places[moved] = targets
    table = np.append(places, len(levels)).astype(np.int32)
    return dataclasses.replace(variable, codes=tuple(table[codes] for codes in variable.codes), **shown)


def written(column: Column, variable: Variable, moves: Moves) -> Column:
    """Write the new values into the synthetic file's column.

    Numbers keep the column's type where it can hold them; where a level gets a text, all values are written as text.

    Parameters
    ----------
    column
        Before; shape (records,).
    variable
        Likewise; its last file is this one.
    moves
        What the step makes of its levels.
    """
    codes = variable.codes[-1]
    moved = np.zeros(variable.n_levels + 1, bool)
    moved[list(moves)] = True
    where = moved[codes]
    if not where.any():
        return column
    if not any(isinstance(value, str) for value in moves.values()):
        numbers = np.full(variable.n_levels + 1, np.nan)
        numbers[list(moves)] = list(moves.values())
        return _with_numbers(column, where, numbers[codes[where]])
    texts = texts_of(column, variable.name)
    own = dict(zip((variable.text(code) for code in codes[::-1].tolist()), texts[::-1], strict=True))
    new = np.full(variable.n_levels + 1, None, object)
    for code, value in moves.items():
        new[code] = own.get(str(value), value)  # an own level as this file writes it
    return pd.Series(np.where(where, new[codes], texts), dtype=object)


def n_changed(variable: Variable, moves: Moves) -> int:
    """Count the records of the synthetic file whose level is another than before."""
    texts = variable.level_texts
    other = [code for code, value in moves.items() if level_text(value) != texts[code]]
    return int(variable.counts[-1][other].sum()) if other else 0


# Levels and numbers ------------------------------------------------------------------------------


class _Names:
    """Finds levels by what people call them: as `assess` shows them, as the file writes them, or by their labels."""

    def __init__(self, variable: Variable, column: Column) -> None:
        self._variable = variable
        self._column = column

    def of(self, levels: Iterable[str | None]) -> set[int]:
        """Give the codes of levels; those that no file has are passed over, and missing values."""
        return {code for level in levels if level is not None and (code := self._code(level)) is not None}

    def level(self, name: str) -> str:
        """Give the level that a name stands for, or the name, as a new one."""
        code = self._code(name)
        return name if code is None else self._variable.level_texts[code]

    def _code(self, level: str) -> int | None:
        try:
            return self._variable.code_of(level)
        except KeyError:
            pass
        found = distinct(self._column, self._variable.name)
        places = [place for place, text in enumerate(found.level_texts()) if text == level]
        codes = self._variable.codes[-1][found.codes == places[0]] if places else []
        return next((int(code) for code in codes[:1] if code < self._variable.n_levels), None)  # it may mean missing


def texts_of(column: Column, name: str) -> npt.NDArray[np.object_]:
    """Give the text of each record's value as the file has it; None for a missing value."""
    found = distinct(column, name)
    return np.array([*found.level_texts(), None], object)[found.codes]


def _numbers(variable: Variable, keep: set[int]) -> Numbers:
    """Read levels as numbers; NaN for those that are kept, and for what only the original has and is none."""
    numbers = level_numbers(variable)
    numbers[list(keep)] = np.nan
    none = ~np.isfinite(numbers) & (variable.counts[-1][:-1] > 0)
    none[list(keep)] = False
    if none.any():
        raise SettingsError(
            f"'{variable.name}' has values that aren't numbers. If they are codes, name them in keep; else merge its "
            "levels."
        )
    numbers[~np.isfinite(numbers)] = np.nan
    return numbers


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
