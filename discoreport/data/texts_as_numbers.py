"""Texts of delimited files -> numbers, or true and false, where no two spellings in any of the files become one.

What a spelling denotes can't be seen in one file alone: "250.0" and "250.00" are codes if any of the files has both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from discoreport.data.distinct_values import MISSING, Codes, Column, Distinct, distinct, in_single_precision
from discoreport.data.harmonise import Repair
from discoreport.data.level_text import WRITTEN, exact_text
from discoreport.data.parallel import in_threads
from discoreport.data.readers.delimited import MISSING_MARKS
from discoreport.data.table import Table

_CANONICAL = r"^(0|-?(0|[1-9][0-9]*)\.[0-9]*[1-9]|-?[1-9][0-9]*)$"
"""Numerals of which no two denote the same number."""
LEFT_AS_TEXT = "left as text, because it writes numbers, or true and false, in more than one way"
_WRITTEN = re.compile(WRITTEN)
_BOOLEANS = ("true", "false")
CODE = "^-?[0-9]+[eE][0-9]+$"
"""Spellings such as 3E1, which no program gives a number, but which wards and products have."""


def alike(columns: Sequence[Column], tables: Sequence[Table], name: str) -> tuple[list[Distinct], list[Repair]]:
    """Find the distinct values of one variable of several files; texts of delimited files are taken for what they are.

    Parameters
    ----------
    columns
        The variable in each file, the original first.
    tables
        The files: whether they are delimited ones, and what they write decimals with.
    name
        The variable, for messages.

    Returns
    -------
    list of Distinct, list of Repair
        The texts of a file are read as numbers, or true and false, where all of them are, and no file writes one such
        value in two ways; else all files keep theirs. What was decided, in words.
    """
    written = [
        None if table.delimiter is None else _written(column) for column, table in zip(columns, tables, strict=True)
    ]
    typed = [None if texts is None else _typed(*texts, table) for texts, table in zip(written, tables, strict=True)]
    if all(as_type is None for as_type in typed):
        return in_threads(lambda column: distinct(column, name), columns, max(map(len, columns), default=0)), []
    found = [as_type or distinct(column, name) for as_type, column in zip(typed, columns, strict=True)]
    n_doubled = [
        _n_doubled(texts[0] if texts is not None else _texts_of(values), values, table)
        for texts, values, table in zip(written, found, tables, strict=True)
    ]
    if not any(n_doubled):
        return found, []
    repairs = [Repair(file, f"{LEFT_AS_TEXT} ({n:,} of its spellings)") for file, n in enumerate(n_doubled) if n]
    return [
        distinct(column, name) if as_type else values
        for as_type, values, column in zip(typed, found, columns, strict=True)
    ], repairs


def _texts_of(values: Distinct) -> pa.Array:
    return pa.array(values.texts if values.kind == "text" and values.texts else (), pa.string())


def settled(tables: Sequence[Table]) -> list[Table]:
    """Give tables columns of numbers, or of true and false, where `alike` takes their texts for such."""
    columns = [dict(table.columns) for table in tables]
    for name in dict.fromkeys(name for table in tables for name in table.columns):
        having = [file for file, table in enumerate(tables) if name in table.columns]
        if all(tables[file].delimiter is None for file in having):
            continue
        found, _ = alike([columns[file][name] for file in having], [tables[file] for file in having], name)
        for file, values in zip(having, found, strict=True):
            if tables[file].delimiter is not None and values.kind in {"number", "boolean"}:
                columns[file][name] = _column_of(values)
    return [replace(table, columns=of_table) for table, of_table in zip(tables, columns, strict=True)]


def _column_of(values: Distinct) -> pa.ChunkedArray:
    plain = values.numbers if values.texts is None else [text == "True" for text in values.texts]
    return pa.chunked_array([pa.array(plain).take(pa.array(values.codes, mask=values.codes == MISSING))])


def _written(column: Column) -> tuple[pa.Array, Codes] | None:
    """Give the texts that occur in a column, each once, and each record's; None where it holds anything else."""
    if isinstance(column, pd.Series):
        if column.dtype.kind != "O":
            return None
        try:
            column = pa.chunked_array([pa.array(column, pa.string(), from_pandas=True)])
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            return None
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return None
    whole = column if pa.types.is_dictionary(column.type) else pc.dictionary_encode(column)
    whole = whole.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):  # a column without chunks stays one
        return None
    codes = pc.fill_null(pc.cast(whole.indices, pa.int32()), MISSING).to_numpy(zero_copy_only=False)
    return _occurring(whole.dictionary.cast(pa.string()), codes, np.bincount(codes[codes >= 0]) > 0)


def _occurring(values: pa.Array, codes: Codes, kept: npt.NDArray[np.bool_]) -> tuple[pa.Array, Codes]:
    """Keep some of the values; records that have another one have none."""
    if len(kept) == len(values) and kept.all():
        return values, codes
    renumber = np.full(len(values) + 1, MISSING, np.int32)  # the last place serves the code of missing values
    places = np.flatnonzero(kept)
    renumber[places] = np.arange(len(places), dtype=np.int32)
    return values.take(pa.array(places)), renumber[codes]


def _typed(values: pa.Array, codes: Codes, table: Table) -> Distinct | None:
    """Take texts for numbers or booleans where all of them are; leading zeros mean codes, which stay text."""
    if not len(values):
        return None
    ends = values[0].as_py(), values[-1].as_py()
    # Arrow says of every text that it is no whole number, which takes long.
    whole = _whole_numbers(values) if all(text.removeprefix("-").isdigit() for text in ends) else None
    if whole is not None:
        return Distinct("number", codes, whole, None)
    if not all(map(_may_be_typed, ends)):
        return None
    if _are_booleans(values):
        texts = tuple("True" if text == "true" else "False" for text in pc.utf8_lower(values).to_pylist())
        return Distinct("boolean", codes, None, texts)
    marks = pc.is_in(values, pa.array(MISSING_MARKS))
    said = [f"'{mark}' read as missing" for mark in values.filter(marks).to_pylist()]
    numerals, codes = _occurring(values, codes, ~marks.to_numpy(zero_copy_only=False))
    commas, points = (pc.any(pc.match_substring(numerals, sign)).as_py() for sign in ",.")
    if points and (commas or table.decimal == ","):
        return None
    if commas:
        if not has_decimal_commas(table):
            return None
        numerals = pc.replace_substring(numerals, ",", ".")
        said.append("decimal commas read")
    if not len(numerals) or not pc.all(pc.match_substring_regex(numerals, WRITTEN)).as_py():
        return None
    powers = pc.any(pc.match_substring(numerals, "e", ignore_case=True)).as_py()
    if powers and pc.any(pc.match_substring_regex(numerals, CODE)).as_py():
        return None
    numbers = _numbers(numerals, whole=not (powers or points or commas))
    if numbers is None:
        return None
    if numbers.dtype == np.float64:
        numbers, single = in_single_precision(numbers)
        said += [single] if single else []
    return Distinct("number", codes, numbers, None, ", ".join(said) or None)


def _whole_numbers(values: pa.Array) -> npt.NDArray[np.int64] | None:
    """Give whole numbers that are all written in the one usual way, as most are; None where any isn't."""
    try:
        whole = pc.cast(values, pa.int64())
    except pa.ArrowInvalid:
        return None
    return np.asarray(whole) if pc.cast(whole, pa.string()).equals(values) else None


def _may_be_typed(text: str) -> bool:
    """Tell by one text whether all may be numbers, or true and false: most columns of text are told by it."""
    is_numeral = _WRITTEN.fullmatch(text.replace(",", ".")) is not None
    return is_numeral or text in MISSING_MARKS or text.lower() in _BOOLEANS


def _are_booleans(values: pa.Array) -> bool:
    return bool(pc.all(pc.is_in(pc.utf8_lower(values), pa.array(_BOOLEANS))).as_py())


def _numbers(numerals: pa.Array, *, whole: bool) -> npt.NDArray[Any] | None:
    """Convert numerals, all of them whole or not; None where a number is too large or too small for any type."""
    if whole:
        try:
            return np.asarray(pc.cast(numerals, pa.int64()))
        except pa.ArrowInvalid:  # more digits than fit
            return None
    numbers = np.asarray(pc.cast(numerals, pa.float64()))
    zeros = numerals.filter(pa.array(numbers == 0))
    vanished = pc.any(pc.match_substring_regex(zeros, "^[^eE]*[1-9]")).as_py()
    return numbers if np.isfinite(numbers).all() and not vanished else None


def has_decimal_commas(table: Table) -> bool:
    """Tell whether commas in the numbers of a table can be decimal ones: those of a "," file group thousands."""
    return table.decimal == "," or (table.decimal is None and table.delimiter not in {None, ","})


def _n_doubled(texts: pa.Array, values: Distinct, table: Table) -> int:
    """Count the spellings that denote what another one denotes, too: a number, or true or false."""
    if values.numbers is not None:
        return len(values.numbers) - len(np.unique(values.numbers))
    if len(texts) and _are_booleans(texts):
        return len(texts) - len(pc.unique(pc.utf8_lower(texts)))
    if has_decimal_commas(table):
        texts = pc.replace_substring(texts, ",", ".")
    numerals = texts.filter(pc.match_substring_regex(texts, WRITTEN))
    if not len(numerals):
        return 0
    is_canonical = pc.match_substring_regex(numerals, _CANONICAL)
    others = [exact_text(text) for text in numerals.filter(pc.invert(is_canonical)).to_pylist()]
    new = pa.array(set(others), pa.string())
    n_known = pc.sum(pc.is_in(new, numerals.filter(is_canonical))).as_py() or 0
    return len(others) - (len(new) - n_known)
