"""One variable of several files -> shared levels, and one code for each record of each file.

From here on the engine sees whole numbers only. Values that denote the same level get the same
code, whatever type each file stores them in; what had to be read differently is kept as a repair.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.data.distinct_values import MISSING, Codes, Distinct
from discoreport.data.harmonise import Repair, agree, codes_by_label
from discoreport.data.level_text import (
    ValueKind,
    level_text,
    number_of,
    text_as_number,
    written_number,
)
from discoreport.data.parallel import in_threads
from discoreport.data.table import Table
from discoreport.data.texts_as_numbers import alike
from discoreport.errors import SettingsError, suggest

Numbers = npt.NDArray[np.float64]
_FEW = 40
SMALL_CELL = 10
"""A level with fewer records than this is somebody's; messages and findings don't show it."""


@dataclass(frozen=True)
class Variable:
    """One variable, coded alike in the original (file 0) and every synthetic file.

    Parameters
    ----------
    name
        The variable.
    kind
        What its values are in the original, or in the first file that has any.
    kinds
        What its values are in each file.
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
    declared
        Levels that a file declares as missing although they are values.
    """

    name: str
    kind: ValueKind
    kinds: tuple[ValueKind, ...]
    codes: tuple[Codes, ...]
    numbers: npt.NDArray[Any] | None
    texts: tuple[str, ...] | None
    has_missing: bool
    repairs: tuple[Repair, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    weights: tuple[npt.NDArray[np.int64], ...] | None = None
    declared: tuple[str, ...] = ()

    @property
    def n_levels(self) -> int:
        """Number of levels, a missing value not counted."""
        found = self.numbers if self.numbers is not None else self.texts
        return 0 if found is None else len(found)

    @property
    def has_levels(self) -> bool:
        """Whether the levels are here; those of a variable with very many stay in its engine."""
        return self.numbers is not None or self.texts is not None

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

    def texts_of(self, codes: Sequence[int]) -> list[str | None]:
        """Give the texts of several codes; see `text`."""
        return [self.text(code) for code in codes]

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """Records by file and code, missing values last; shape (files, levels + 1)."""
        weights = self.weights or (None,) * len(self.codes)

        def count(file: int) -> npt.NDArray[Any]:
            return np.bincount(as_index(self.codes[file]), weights[file], self.n_levels + 1)

        counted = in_threads(count, range(len(self.codes)), max(map(len, self.codes), default=0))
        return np.array(counted).astype(np.int64, copy=False)

    def packed(self) -> Variable:
        """Give the same with codes in as few bytes as can be, where one is kept for each record of many variables."""
        if self.weights is not None:
            return self
        small = np.min_scalar_type(self.n_codes)
        return replace(self, codes=tuple(codes.astype(small) for codes in self.codes)).with_counts(self.counts)

    def with_counts(self, counts: npt.NDArray[np.int64]) -> Variable:
        """Give the same with its `counts`, which are known and needn't be found again."""
        known = replace(self)
        known.__dict__["counts"] = counts
        return known

    @property
    def common_levels(self) -> list[tuple[str, str, int]]:
        """The levels that many original records have: text, label and records; rarer ones are somebody's."""
        rows = zip(self.level_texts, self.counts[0], strict=False)
        return [(text, self.labels.get(text, ""), int(n)) for text, n in rows if n >= SMALL_CELL]

    def suggest(self, level: str) -> str:
        """Build the sentence that helps after an unknown level; names no level of few records."""
        common = [text for text, *_ in self.common_levels]
        if common and len(common) <= _FEW:
            return suggest(level, common)
        return f"{suggest(level, common, listed=False)} There are {self.n_levels:,} levels.".strip()

    def n_levels_in(self, file: int) -> int:
        """Count the levels that occur in one file."""
        return int((self.counts[file][:-1] > 0).sum())

    def n_missing_in(self, file: int) -> int:
        """Count the records of one file without a value."""
        return int(self.counts[file][-1])

    def n_declared_in(self, file: int) -> int:
        """Count the records of one file with a level that is declared as missing."""
        return int(self.counts[file][[self.code_of(level) for level in self.declared]].sum()) if self.declared else 0

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

    def require_level(self, level: str | None, where: str = "") -> int:
        """Give the code of a level, or say that no file has it; `where` begins what is said."""
        try:
            return self.code_of(level)
        except KeyError:
            hint = "" if level is None else self.suggest(level)
        what = "missing values" if level is None else f"level '{level}'"
        raise SettingsError(f"{where}'{self.name}' has no {what} in any file. {hint}".rstrip())

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {text: code for code, text in enumerate(self.level_texts)}

    @cached_property
    def _codes_by_label(self) -> dict[str, str]:
        return codes_by_label([self.labels])


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
    found, left = alike([table.column(name) for table in tables], tables, name)
    declared = [table.missing_codes.get(name, frozenset()) for table in tables]
    found = [_as_numbers(values, codes) for values, codes in zip(found, declared, strict=True)]
    labels = [table.value_labels.get(name, {}) for table in tables]
    kinds = tuple(values.kind for values in found)
    filled = [values for values in found if values.numbers is None or len(values.numbers)]
    filled = [values for values in filled if values.texts is None or len(values.texts)]
    kind: ValueKind = filled[0].kind if filled else "text"
    has_missing = any(bool((values.codes == MISSING).any()) for values in found)
    said = *left, *(Repair(file, values.said) for file, values in enumerate(found) if values.said)
    merged_labels = {text: label for one in reversed(labels) for text, label in one.items()}

    if filled and all(values.numbers is not None for values in filled) and not _loses_digits(filled):
        numbers = rising(np.concatenate([values.numbers for values in filled if values.numbers is not None]))

        places = [places_among(numbers, numbers[:0] if one.numbers is None else one.numbers) for one in found]
        known = frozenset().union(*declared)
        missing = (
            tuple(text for text in (level_text(number) or "" for number in numbers) if text in known) if known else ()
        )
        codes = _recoded(found, places, len(numbers))
        return _counted(
            Variable(name, kind, kinds, codes, numbers, None, has_missing, said, merged_labels, weights, missing),
            found,
            places,
        )

    before = [values.level_texts() for values in found]
    texts, repairs = agree([list(values.level_texts()) for values in found], [v.kind for v in found], labels)
    levels = sorted(set().union(*texts), key=_sort_key)
    position = {text: place for place, text in enumerate(levels)}
    places = [np.array([position[text] for text in of_file], np.int64) for of_file in texts]
    codes = _recoded(found, places, len(levels))
    known = frozenset(
        new
        for olds, news, of_file in zip(before, texts, declared, strict=True)
        for old, new in zip(olds, news, strict=True)
        if old in of_file
    )
    missing = tuple(level for level in levels if level in known)
    said += repairs
    return _counted(
        Variable(name, kind, kinds, codes, None, tuple(levels), has_missing, said, merged_labels, weights, missing),
        found,
        places,
    )


def _as_numbers(values: Distinct, declared: Collection[str]) -> Distinct:
    """Take values for numbers where all are, but for codes that the file declares as missing, such as Stata's .a."""
    ordinary = [text for text in values.texts or () if text not in declared]
    numbers = values.kind == "text" and declared and ordinary and all(number_of(text) is not None for text in ordinary)
    return replace(values, kind="number") if numbers else values


def rising(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Sort values and drop repetitions; faster than `numpy.unique`, which hashes where nothing else is asked for."""
    ordered = np.sort(values)
    return ordered[starts_of(ordered)]


def starts_of(ordered: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Give the places in rising values where another one begins."""
    new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return np.flatnonzero(new)


def places_among(levels: npt.NDArray[Any], values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Find where values stand among rising levels: in rising order, as a search that jumps about takes eight times."""
    order = np.argsort(values)
    places = np.empty(len(values), np.int64)
    places[order] = np.searchsorted(levels, values[order])
    return places


def renumbered(codes: Sequence[npt.NDArray[Any]]) -> tuple[list[npt.NDArray[np.int64]], npt.NDArray[Any]]:
    """Give the codes of several files new numbers, closely packed and rising, and the codes that these stand for."""
    found = rising(np.concatenate(codes))
    return [places_among(found, of_file) for of_file in codes], found


def _loses_digits(found: list[Distinct]) -> bool:
    """Tell whether putting these numbers into one array would make distinct ones equal."""
    types = {values.numbers.dtype.kind for values in found if values.numbers is not None}
    large = any(
        values.numbers.dtype.kind in "iu"
        and len(values.numbers)
        and np.abs(values.numbers.astype(np.float64)).max() >= 2**53
        for values in found
        if values.numbers is not None
    )
    unsigned = any(values.numbers.dtype == np.uint64 for values in found if values.numbers is not None)
    return large and (len(types) > 1 or unsigned)


def _recoded(found: Sequence[Distinct], places: Sequence[npt.NDArray[Any]], n_levels: int) -> tuple[Codes, ...]:
    """Give the code of each record of each file, where the values of each have their places among the levels."""

    def recode(file: int) -> Codes:
        codes, of_values = found[file].codes, places[file]
        table = np.append(of_values, n_levels).astype(np.int32)  # the code -1, missing, picks the last place
        if len(of_values) == n_levels and (of_values[1:] > of_values[:-1]).all() and not (codes == MISSING).any():
            return codes  # every level has its place already
        return table[as_index(codes)]

    return tuple(in_threads(recode, range(len(found)), max(len(values.codes) for values in found)))


def _counted(variable: Variable, found: Sequence[Distinct], places: Sequence[npt.NDArray[Any]]) -> Variable:
    """Give the same variable with its `counts`, where those of all values are known, and each is one record."""
    known = [values.counts for values in found if values.counts is not None]
    if variable.weights is not None or len(known) < len(found):
        return variable
    counts = np.zeros((len(found), variable.n_levels + 1), np.int64)
    for of_file, codes, of_values, n in zip(counts, variable.codes, places, known, strict=True):
        np.add.at(of_file, of_values, n)  # two spellings may be one level
        of_file[-1] = len(codes) - of_file.sum()
    return variable.with_counts(counts)


def as_index(codes: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Give codes as NumPy's own whole numbers, by which it indexes and counts in half the time, this copy included."""
    return codes.astype(np.intp, copy=False)


def _sort_key(text: str) -> tuple[bool, float, str]:
    number = number_of(text)
    return (number is None, number or 0.0, text)


OF_DATES = (
    "it holds dates. Put their years, or years and months as one number, into a column of its own and group that."
)


def level_numbers(variable: Variable) -> Numbers:
    """Give the levels of a variable as numbers; NaN where a level isn't one. Shape (levels,)."""
    if variable.numbers is not None:
        return variable.numbers.astype(np.float64)
    read = [written_number(text) for text in variable.level_texts]
    return np.array([np.nan if number is None else number for number in read], np.float64)
