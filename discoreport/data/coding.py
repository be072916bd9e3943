"""One variable of several files -> shared levels, and one code for each record of each file.

From here on the engine sees whole numbers only. Values that denote the same level get the same
code, whatever type each file stores them in; what had to be read differently is kept as a repair.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.data.distinct import MISSING, Codes, Distinct, distinct, numbers_of
from discoreport.data.levels import (
    Kind,
    level_text,
    number_of,
    text_as_boolean,
    text_as_date,
    text_as_number,
)
from discoreport.data.reading import Table
from discoreport.errors import SettingsError

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Repair:
    """What was read differently so that the levels of a variable meet. File 0 is the original."""

    file: int
    what: str


@dataclass(frozen=True)
class Variable:
    """One variable, coded alike in the original (file 0) and every synthetic file.

    Parameters
    ----------
    name
        The variable.
    kind
        What its values are in the original, or in the first file that has any.
    stored
        The type that each file stores it in.
    codes
        For each file, the level of each record: 0 to `n_levels` - 1, and `n_levels` for a missing
        value. Shape (records,) each.
    numbers
        The levels as numbers, in rising order, where all are numbers; else None. Shape (levels,).
    texts
        The levels as text, sorted, where `numbers` is None.
    has_missing
        Whether any file has a missing value.
    repairs
        What was read differently.
    labels
        Value labels by level text, where a file brings them.
    weights
        Where the "records" are distinct values that an engine has counted: how many records have
        each. Shape (records,) each. None: each is one record.
    """

    name: str
    kind: Kind
    stored: tuple[str, ...]
    codes: tuple[Codes, ...]
    numbers: npt.NDArray[Any] | None
    texts: tuple[str, ...] | None
    has_missing: bool
    repairs: tuple[Repair, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    weights: tuple[npt.NDArray[np.int64], ...] | None = None

    @property
    def n_levels(self) -> int:
        """Number of levels, a missing value not counted."""
        found = self.numbers if self.numbers is not None else self.texts
        return 0 if found is None else len(found)

    @property
    def n_codes(self) -> int:
        """Number of codes in use: the levels, and one for missing values where there are any."""
        return self.n_levels + self.has_missing

    @cached_property
    def level_texts(self) -> tuple[str, ...]:
        """The levels as text, in the order of their codes."""
        if self.texts is not None:
            return self.texts
        return tuple(level_text(value) or "" for value in self.numbers) if self.numbers is not None else ()

    def text(self, code: int) -> str | None:
        """Give the text of one code; None for a missing value."""
        if code >= self.n_levels:
            return None
        return self.texts[code] if self.texts is not None else level_text(self.numbers[code])  # type: ignore[index]

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """Records by file and code, missing values last; shape (files, levels + 1)."""
        weights = self.weights or (None,) * len(self.codes)
        counted = [
            np.bincount(codes, of_codes, self.n_levels + 1) for codes, of_codes in zip(self.codes, weights, strict=True)
        ]
        return np.array(counted).astype(np.int64, copy=False)

    def n_levels_in(self, file: int) -> int:
        """Count the levels that occur in one file."""
        return int((self.counts[file][:-1] > 0).sum())

    def n_missing_in(self, file: int) -> int:
        """Count the records of one file without a value."""
        return int(self.counts[file][-1])

    def code_of(self, level: str | None) -> int:
        """Find the code of a level by its text or its value label.

        Raises
        ------
        KeyError
            Where no file has the level.
        """
        if level is None:
            if self.has_missing:
                return self.n_levels
            raise KeyError(level)
        positions = self._positions
        for text in (level, text_as_number(level), self._codes_by_label.get(level, level)):
            if text in positions:
                return positions[text]
        raise KeyError(level)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {text: code for code, text in enumerate(self.level_texts)}

    @cached_property
    def _codes_by_label(self) -> dict[str, str]:
        return {label: text for text, label in self.labels.items()}


def code_variable(
    name: str, tables: Sequence[Table], weights: tuple[npt.NDArray[np.int64], ...] | None = None
) -> Variable:
    """Code one variable of several files alike.

    Parameters
    ----------
    name
        A variable that every file has.
    tables
        The original first, then the synthetic files.
    weights
        As for `Variable`.

    Returns
    -------
    Variable
        With the same code for the same level in every file.

    Raises
    ------
    DataError
        Where the values have no levels to compare.
    """
    found = [distinct(table.columns[name], name) for table in tables]
    labels = [table.value_labels.get(name, {}) for table in tables]
    stored = tuple(values.stored for values in found)
    filled = [values for values in found if values.numbers is None or len(values.numbers)]
    filled = [values for values in filled if values.texts is None or len(values.texts)]
    kind: Kind = filled[0].kind if filled else "text"
    has_missing = any(bool((values.codes == MISSING).any()) for values in found)
    merged_labels = {text: label for one in reversed(labels) for text, label in one.items()}

    if filled and all(values.numbers is not None for values in filled) and not _loses_digits(filled):
        numbers = np.unique(np.concatenate([values.numbers for values in filled if values.numbers is not None]))
        places = [
            np.searchsorted(numbers, values.numbers) if values.numbers is not None else np.empty(0, np.int64)
            for values in found
        ]
        codes = tuple(_recode(values.codes, place, len(numbers)) for values, place in zip(found, places, strict=True))
        return Variable(name, kind, stored, codes, numbers, None, has_missing, (), merged_labels, weights)

    texts, repairs = _agree([list(values.level_texts()) for values in found], [v.kind for v in found], labels)
    levels = sorted(set().union(*texts), key=_sort_key)
    position = {text: place for place, text in enumerate(levels)}
    codes = tuple(
        _recode(values.codes, np.array([position[text] for text in of_file], np.int64), len(levels))
        for values, of_file in zip(found, texts, strict=True)
    )
    return Variable(name, kind, stored, codes, None, tuple(levels), has_missing, repairs, merged_labels, weights)


def _loses_digits(found: list[Distinct]) -> bool:
    """Tell whether putting these numbers into one array would make distinct ones equal."""
    types = {values.numbers.dtype.kind for values in found if values.numbers is not None}
    large = any(
        values.numbers.dtype.kind in "iu"
        and len(values.numbers)
        and np.abs(values.numbers.astype(np.float64)).max() > 2**53
        for values in found
        if values.numbers is not None
    )
    unsigned = any(values.numbers.dtype == np.uint64 for values in found if values.numbers is not None)
    return large and (len(types) > 1 or unsigned)


def _recode(codes: Codes, places: npt.NDArray[Any], n_levels: int) -> Codes:
    table = np.append(places, n_levels).astype(np.int32)  # the code -1, missing, picks the last place
    return table[codes]


def _sort_key(text: str) -> tuple[bool, float, str]:
    number = number_of(text)
    return (number is None, number or 0.0, text)


def _agree(
    texts: list[list[str]], kinds: list[Kind], labels: list[Mapping[str, str]]
) -> tuple[list[list[str]], tuple[Repair, ...]]:
    """Rewrite the texts of some files so that levels that denote the same meet."""
    repairs: list[Repair] = []
    present = {kind for kind, of_file in zip(kinds, texts, strict=True) if of_file}

    def rewrite(file: int, how: Callable[[str], str], what: str) -> None:
        after = [how(text) for text in texts[file]]
        if after != texts[file]:
            merged = len(set(texts[file])) - len(set(after))
            also = f"; {merged} of its levels became one with another" if merged else ""
            repairs.append(Repair(file, what + also))
            texts[file] = after

    labelled = {label: text for of_file in labels for text, label in of_file.items()}
    for file, kind in enumerate(kinds):
        if kind == "text" and not labels[file] and any(text in labelled for text in texts[file]):
            rewrite(file, lambda text: labelled.get(text, text), "levels matched by the value labels of another file")
        if kind == "text" and "number" in present:
            rewrite(file, text_as_number, "text read as numbers")
        if kind == "text" and "date" in present:
            rewrite(file, text_as_date, "text read as dates")
        if "boolean" in present and (kind == "text" or (kind == "number" and set(texts[file]) <= {"0", "1"})):
            rewrite(file, text_as_boolean, f"{kind} read as true or false")
    if present == {"text"}:
        _agree_on_numerals(texts, rewrite)
    return texts, tuple(repairs)


def _agree_on_numerals(texts: list[list[str]], rewrite: Callable[[int, Callable[[str], str], str], None]) -> None:
    """Let "57" in one file meet "57.0" in another, unless a file tells the two apart itself."""
    before = [set(of_file) for of_file in texts]
    after = [{text_as_number(text) for text in of_file} for of_file in before]
    told_apart = any(len(new) < len(old) for new, old in zip(after, before, strict=True))
    meets_more = any(len(new & after[0]) > len(old & before[0]) for new, old in zip(after[1:], before[1:], strict=True))
    if meets_more and not told_apart:
        for file in range(len(texts)):
            rewrite(file, text_as_number, "text read as numbers")


def level_numbers(variable: Variable) -> Numbers:
    """Give the levels of a variable as numbers; NaN where a level isn't one. Shape (levels,)."""
    if variable.numbers is not None:
        return variable.numbers.astype(np.float64)
    return numbers_of(Distinct("text", "", np.empty(0, np.int32), None, variable.level_texts))


def require_numbers(variable: Variable, special: Sequence[int]) -> Numbers:
    """Give the levels as numbers, or say which level keeps the variable from being grouped.

    Parameters
    ----------
    variable
        The variable to group.
    special
        Codes of the levels that are codes, not numbers.

    Returns
    -------
    numpy.ndarray
        Shape (levels,); NaN for the special codes that aren't numbers.

    Raises
    ------
    SettingsError
        Where a level that isn't a special code isn't a number.
    """
    numbers = level_numbers(variable)
    bad = ~np.isfinite(numbers)
    bad[list(special)] = False
    if bad.any():
        level = variable.level_texts[int(np.flatnonzero(bad)[0])]
        raise SettingsError(
            f"'{variable.name}' can't be grouped: its level '{level}' isn't a number. "
            "If it is a code, name it in special_codes."
        )
    return numbers
