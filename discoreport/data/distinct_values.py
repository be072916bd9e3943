"""One column of one file -> its distinct values, and for each record the number of its value."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import InvalidOperation
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from discoreport.data.level_text import ValueKind, is_among, kind_of, level_text, text_as_date
from discoreport.errors import DataError

Column: TypeAlias = "pd.Series[Any] | pa.ChunkedArray"
Codes: TypeAlias = npt.NDArray[np.int32]

MISSING = -1
_NULLABLE = {"i": pd.Int64Dtype(), "u": pd.UInt64Dtype(), "b": pd.BooleanDtype()}
"""Types that hold the same values, and missing ones."""
_LONGEST = 20
"""Signs of the longest whole number that 64 bits hold."""
_WIDEST_RANGE = 4
"""Whole numbers that span at most this many times the number of records are counted in a table, not hashed."""

_MOST_DIGITS = 15
"""Numbers that somebody wrote have no more significant digits than this."""
IN_SINGLE_PRECISION = "numbers of single precision, stored in double, read as such"
_ONE_TYPE = {"string", "boolean", "integer"}
"""Columns of objects, as pandas calls them, in which values that are equal have the same text."""


@dataclass(frozen=True)
class Distinct:
    """The distinct values of one column of one file.

    Parameters
    ----------
    kind
        What the values are, missing ones left aside. A column with nothing in it counts as text.
    codes
        For each record the position of its value, or `MISSING`; shape (records,).
    numbers
        The values, where `kind` is "number" and each is exact in its type; else None. Shape (values,).
    texts
        The texts of the values' levels, where `numbers` is None. Length: values. Texts may repeat.
    said
        What had to be decided to read the values, in words; None where nothing had.
    counts
        How many records have each value, where that is known already; shape (values,).
    """

    kind: ValueKind
    codes: Codes
    numbers: npt.NDArray[Any] | None
    texts: tuple[str, ...] | None
    said: str | None = None
    counts: npt.NDArray[np.int64] | None = None

    def level_texts(self) -> tuple[str, ...]:
        """Write the values as their levels' texts."""
        if self.texts is not None:
            return self.texts
        return tuple(level_text(value) or "" for value in self.numbers) if self.numbers is not None else ()


def distinct(column: Column, name: str) -> Distinct:
    """Find the distinct values of a column.

    Parameters
    ----------
    column
        One variable of one file; shape (records,).
    name
        The variable, for messages.

    Returns
    -------
    Distinct
        Values in no particular order.

    Raises
    ------
    DataError
        Where the values are of a kind that can't be compared (lists, dictionaries).
    """
    if isinstance(column, pa.ChunkedArray):
        return _of_arrow(column, name)
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _of_codes(column.cat.codes.to_numpy(), list(dtype.categories.to_numpy()), name)
    if isinstance(dtype, np.dtype):
        if dtype.kind in "iu":
            return _of_whole_numbers(column.to_numpy())
        if dtype.kind == "f":
            return _of_floats(column.to_numpy())
        if dtype.kind in "bOMm":
            return _of_values(column, name)
    if isinstance(dtype, pd.ArrowDtype | pd.StringDtype) or hasattr(column.array, "_mask"):
        return _of_arrow(pa.chunked_array([pa.array(column, from_pandas=True)]), name)
    return _of_values(column, name)


def without(column: Column, name: str, levels: Collection[str]) -> Column:
    """Take the values of some levels, as `is_among` compares them, for missing ones."""
    found = distinct(column, name)
    among = [is_among(text, levels) for text in found.level_texts()]
    gone = np.array([*among, False])[found.codes]  # the last place serves the code of missing values
    if isinstance(column, pa.ChunkedArray):
        return column.take(pa.array(np.arange(len(gone)), mask=gone))
    kept = _NULLABLE.get(column.dtype.kind) if isinstance(column.dtype, np.dtype) else None
    return (column if kept is None else column.astype(kept)).mask(gone)


def has_value(column: Column) -> bool:
    """Tell whether any record has a value."""
    if isinstance(column, pa.ChunkedArray):
        return bool(pc.any(pc.invert(pc.is_null(column, nan_is_null=True))).as_py())
    return bool(column.notna().any())


def is_plain(column: Column) -> bool:
    """Tell whether a column is of a kind whose values always have levels."""
    dtype = None if isinstance(column, pa.ChunkedArray) else column.dtype
    if dtype is not None and not isinstance(dtype, pd.ArrowDtype):
        return not pd.api.types.infer_dtype(column, skipna=True).startswith("mixed")
    kind = column.type if dtype is None else dtype.pyarrow_dtype
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_primitive(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind))


def has_one_value(column: Column, name: str) -> bool:
    """Tell whether all records have the same value, or all have none."""
    try:
        codes = distinct(column, name).codes
    except DataError:
        return False
    return bool((codes == codes[0]).all())


def _of_arrow(column: pa.ChunkedArray, name: str) -> Distinct:
    kind = column.type
    if pa.types.is_null(kind):
        return Distinct("text", np.full(len(column), MISSING, np.int32), None, ())
    if pa.types.is_integer(kind) and column.null_count == 0:
        return _of_whole_numbers(column.to_numpy())
    if pa.types.is_floating(kind):
        return _of_floats(column.to_numpy().astype(kind.to_pandas_dtype(), copy=False))
    if not pa.types.is_dictionary(kind):
        try:
            column = pc.dictionary_encode(column)
        except pa.ArrowNotImplementedError:
            raise DataError(f"Column '{name}' holds values of type {kind}, which have no levels to compare.") from None
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):  # a column without chunks stays one
        return Distinct("text", np.full(0, MISSING, np.int32), None, ())
    indices = pc.cast(whole.indices, pa.int64())  # some libraries count without a sign
    codes = pc.fill_null(indices, MISSING) if whole.null_count else indices
    return _of_codes(codes.to_numpy(zero_copy_only=False), _values_of(whole.dictionary), name)


def _values_of(dictionary: pa.Array) -> list[Any]:
    if pa.types.is_floating(dictionary.type):  # in their own precision: single 0.1 denotes 0.1
        return list(dictionary.to_numpy(zero_copy_only=False))
    try:
        values: list[Any] = dictionary.to_pylist()
    except (OverflowError, ValueError):
        values = [_value_of(value) for value in dictionary]
    return values


def _value_of(value: pa.Scalar) -> Any:
    """Give a value; as text where it is a date or a duration beyond what Python has, such as the year 10000."""
    try:
        return value.as_py()
    except (OverflowError, ValueError):
        if pa.types.is_duration(value.type):
            return f"{value.cast(pa.int64()).as_py()} {value.type.unit}"
        return text_as_date(str(value.cast(pa.string()).as_py()))


def _of_codes(codes: npt.NDArray[Any], values: list[Any], name: str) -> Distinct:
    """Take over codes that exist already, but only for the values that occur."""
    index = codes.astype(np.intp)
    index += 1  # the first place serves the code of missing values
    counts = np.bincount(index, minlength=len(values) + 1)[1:]
    kept = [code for code, value in enumerate(values) if counts[code] and level_text(value) is not None]
    if len(kept) == len(values) and counts.sum() == len(codes):
        return _described(values, codes.astype(np.int32), name, counts)
    renumber = np.full(len(values) + 1, MISSING, np.int32)
    renumber[1:][kept] = np.arange(len(kept), dtype=np.int32)
    return _described([values[code] for code in kept], renumber.take(index), name, counts[kept])


def _of_whole_numbers(values: npt.NDArray[Any]) -> Distinct:
    if not len(values):
        return Distinct("number", np.empty(0, np.int32), values, None)
    lowest, highest = int(values.min()), int(values.max())
    if highest - lowest > _WIDEST_RANGE * len(values) or highest > np.iinfo(np.int64).max:
        places, found = pd.factorize(values)
        return Distinct("number", places.astype(np.int32), np.asarray(found), None)
    offsets = values.astype(np.int64, copy=False) - lowest
    counts = np.bincount(offsets)
    found = np.flatnonzero(counts > 0)
    if len(found) == len(counts):
        codes = offsets.astype(np.int32)
    else:
        renumber = np.empty(len(counts), np.int32)
        renumber[found] = np.arange(len(found), dtype=np.int32)
        codes = renumber.take(offsets)
    return Distinct("number", codes, found + lowest, None, counts=counts[found])


def _of_floats(values: npt.NDArray[Any]) -> Distinct:
    codes, found = pd.factorize(values)
    numbers = np.asarray(found)
    numbers, said = in_single_precision(numbers) if numbers.dtype == np.float64 else (_shortest(numbers), None)
    return Distinct("number", codes.astype(np.int32), numbers, None, said)


def in_single_precision(numbers: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], str | None]:
    """Take doubles for what they denote: numbers that a file or a library has brought from single to double precision.

    Parameters
    ----------
    numbers
        The distinct values of a column.

    Returns
    -------
    numpy.ndarray, str or None
        Where every one of them is a number of single precision, and some have more digits than anybody writes, the
        shortest decimals that give the same single-precision numbers, and what was done in words. Else as they are.

    Examples
    --------
    >>> in_single_precision(np.array([16.799999237060547, 2.5]))
    (array([16.8,  2.5]), 'numbers of single precision, stored in double, read as such')
    >>> in_single_precision(np.array([16.799999237060547, 16.8]))[1] is None
    True
    """
    with np.errstate(over="ignore", under="ignore"):
        single = numbers.astype(np.float32)
    fractions = numbers[np.isfinite(numbers) & (numbers != np.round(numbers))]
    if (single == numbers).all() and any(len(_digits(value)) > _MOST_DIGITS for value in fractions.tolist()):
        return _shortest(single), IN_SINGLE_PRECISION
    return numbers, None


def _shortest(numbers: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Give the shortest decimals that denote numbers in their own precision: single 0.1 denotes 0.1, no double."""
    return np.array([float(str(value)) for value in numbers], np.float64)


def _digits(value: float) -> str:
    return repr(abs(value)).partition("e")[0].replace(".", "").strip("0")


def _of_values(column: pd.Series[Any], name: str) -> Distinct:
    try:
        codes, found = _factorized(column)
    except (TypeError, InvalidOperation):  # what can't be hashed, and decimals that signal where they are compared
        raise DataError(
            f"Column '{name}' holds values that have no levels to compare (lists or dictionaries)."
        ) from None
    return _of_codes(codes, found, name)


def _factorized(column: pd.Series[Any]) -> tuple[npt.NDArray[Any], list[Any]]:
    """Give the values numbers, type by type: to Python 1 equals True, and the first of the two would stand for both.

    What denotes the same in two types gets the same text later on.
    """
    if column.dtype != object or pd.api.types.infer_dtype(column, skipna=True) in _ONE_TYPE:
        codes, found = pd.factorize(column)
        return codes, list(found)
    filled = np.flatnonzero(column.notna().to_numpy())
    values = column.to_numpy()[filled]
    of_type, types = pd.factorize(np.fromiter(map(type, values), object, len(values)))
    codes, several = np.full(len(column), MISSING, np.int64), list[Any]()
    for number in range(len(types)):
        where = of_type == number
        own, found = pd.factorize(values[where])
        codes[filled[where]] = own + len(several)
        several += list(found)
    return codes, several


def _described(values: list[Any], codes: Codes, name: str, counts: npt.NDArray[np.int64]) -> Distinct:
    for value in values:
        if isinstance(value, list | dict | tuple | set | frozenset | np.ndarray):
            raise DataError(f"Column '{name}' holds values that have no levels to compare (lists or dictionaries).")
    values, said = _with_floats(values)
    kinds = {kind_of(value) for value in values}
    texts = tuple(level_text(value) or "" for value in values)
    if kinds == {"number"}:
        numbers = _exact(texts)
        if numbers is not None:
            return Distinct("number", codes, numbers, None, said, counts)
    # Numbers that meet text in one column are that column's text; dates and booleans likewise.
    kind: ValueKind = kinds.pop() if len(kinds) == 1 else "text"
    return Distinct(kind, codes, None, texts, said, counts)


def _with_floats(values: list[Any]) -> tuple[list[Any], str | None]:
    """Take the doubles among some values for what they denote."""
    places = [place for place, value in enumerate(values) if isinstance(value, float)]
    numbers, said = in_single_precision(np.array([values[place] for place in places], np.float64))
    if said is None:
        return values, None
    new = dict(zip(places, numbers.tolist(), strict=True))
    return [new.get(place, value) for place, value in enumerate(values)], said


def _exact(texts: tuple[str, ...]) -> npt.NDArray[Any] | None:
    """Put numbers into one array; None where it would not tell all of them apart."""
    if all(text.lstrip("-").isdigit() for text in texts):
        whole = [int(text) for text in texts if len(text) <= _LONGEST]
        inside = len(whole) == len(texts) and all(abs(value) <= np.iinfo(np.int64).max for value in whole)
        return np.array(whole, np.int64) if inside else None
    fractions = [float(text) for text in texts]
    exact = all(level_text(value) == text for value, text in zip(fractions, texts, strict=True))
    return np.array(fractions) if exact else None
