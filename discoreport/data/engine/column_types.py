"""Columns that stay in their engine -> columns of one type that tell their values apart just as memory would."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import ibis
import numpy as np

from discoreport.data.distinct_values import IN_SINGLE_PRECISION
from discoreport.data.engine.connection import Connection, is_nan
from discoreport.data.engine.engine_table import StoredTable
from discoreport.data.harmonise import Repair
from discoreport.data.level_text import WRITTEN, ValueKind
from discoreport.data.readers.delimited import MISSING_MARKS
from discoreport.data.texts_as_numbers import CODE, LEFT_AS_TEXT
from discoreport.errors import DataError

_OTHER_NUMERAL = r"^(-0|-?(0|[1-9][0-9]*)\.[0-9]*0)$"
"""Numerals that denote the same number as another one: 57.0 and 57."""
_MOST_DIGITS = 18
"""Whole numbers with no more digits than this fit into 64 bits."""


def denoted(
    name: str, tables: Sequence[StoredTable], connection: Connection
) -> tuple[list[ValueKind], list[Any], list[Repair]]:
    """Give one variable of several tables in a type that tells its values apart just as memory would.

    Returns
    -------
    list of ValueKind, list of ibis columns, list of Repair
        One a table, the original first, and what was decided.

    Raises
    ------
    DataError
        Where the type has no levels to compare, or more than one way to write a number.
    """
    columns = [table.column(name) for table in tables]
    texts = [
        table.delimiter is not None and column.type().is_string() for table, column in zip(tables, columns, strict=True)
    ]
    numbers = [
        _number(table, column, connection) if is_text else None
        for table, column, is_text in zip(tables, columns, texts, strict=True)
    ]
    doubled = [
        Repair(file, f"{LEFT_AS_TEXT} ({number[2]:,} of its spellings)")
        for file, number in enumerate(numbers)
        if number is not None and number[2]
    ]
    kinds: list[ValueKind] = []
    read, said = [], list(doubled)
    for file, (table, column, number) in enumerate(zip(tables, columns, numbers, strict=True)):
        kind: ValueKind
        if number is not None and not doubled:
            kind, value = "number", number[0]
            said += [Repair(file, number[1])] if number[1] else []
        elif doubled and texts[file]:
            kind, value = "text", column
        else:
            kind, value = _as_stored(table, column, name, connection)
        kinds.append(kind)
        read.append(value)
    return kinds, read, said


def _number(table: StoredTable, column: Any, connection: Connection) -> tuple[Any, str, int] | None:
    """Take a column of texts for numbers where all of them are.

    Returns
    -------
    ibis column, str, int
        The numbers, what was decided in words, and how many spellings denote what another one denotes. None where a
        text is no number.
    """
    bare = column.isin(list(MISSING_MARKS)).ifelse(ibis.null("string"), column)
    plain = bare if table.delimiter == "," else bare.replace(",", ".")
    asked = {
        "words": (~plain.re_search(WRITTEN)).sum(),
        "codes": plain.re_search(CODE).sum(),
        "fractions": plain.re_search("[.eE]").sum(),
        "points": bare.contains(".").sum(),
        "commas": bare.contains(",").sum(),
        "longest": plain.length().max(),
        **{f"mark{place}": (column == mark).sum() for place, mark in enumerate(MISSING_MARKS)},
    }
    (found,) = connection.fetch(table.records.aggregate(**asked)).to_pylist()
    if found["words"] or found["codes"] or found["longest"] is None or (found["commas"] and found["points"]):
        return None
    if not found["fractions"] and found["longest"] > _MOST_DIGITS:
        return None
    numbers = plain.cast("float64" if found["fractions"] else "int64")
    (n,) = connection.fetch(table.records.aggregate(texts=bare.nunique(), numbers=numbers.nunique())).to_pylist()
    said = [f"'{mark}' read as missing" for place, mark in enumerate(MISSING_MARKS) if found[f"mark{place}"]]
    said += ["decimal commas read"] if found["commas"] else []
    if found["fractions"]:
        numbers, single = _in_single_precision(table, numbers, connection)
        said += [single] if single else []
    return numbers, ", ".join(said), n["texts"] - n["numbers"]


def _in_single_precision(table: StoredTable, numbers: Any, connection: Connection) -> tuple[Any, str | None]:
    """Take doubles for numbers of single precision where memory would; see `in_single_precision`."""
    finite = numbers.abs() <= sys.float_info.max
    (found,) = connection.fetch(table.records.aggregate(largest=numbers.abs().max(where=finite))).to_pylist()
    if found["largest"] is None or found["largest"] > float(np.finfo(np.float32).max):
        return numbers, None
    single = numbers.cast("float32")
    digits = numbers.cast("string").replace(".", "")
    small = (numbers.abs() < 2**53).ifelse(numbers, 0.0)  # what is larger is whole, and may not fit into an integer
    asked = {
        "other": (single.cast("float64") != numbers).sum(),
        "long": (digits.re_search("[1-9][0-9]{15}") & (small != small.round())).sum(),
    }
    (found,) = connection.fetch(table.records.aggregate(**asked)).to_pylist()
    return (numbers, None) if found["other"] or not found["long"] else (_shortest(single), IN_SINGLE_PRECISION)


def _shortest(single: Any) -> Any:
    return single.cast("string").cast("float64")


def _as_stored(table: StoredTable, column: Any, name: str, connection: Connection) -> tuple[ValueKind, Any]:
    kind = column.type()
    if name in table.durations:
        kind = table.durations[name]
    elif kind.is_integer():
        return "number", column.cast("int64")
    elif kind.is_floating():
        whole = _shortest(column) if kind.is_float32() else column.cast("float64")
        whole = is_nan(column).ifelse(ibis.null("float64"), whole)
        return "number", whole if kind.is_float32() else _in_single_precision(table, whole, connection)[0]
    elif kind.is_date() or kind.is_timestamp():
        return "date", column
    elif kind.is_string():
        (found,) = connection.fetch(table.records.aggregate(n=column.re_search(_OTHER_NUMERAL).sum())).to_pylist()
        if found["n"]:
            raise DataError(
                f"'{name}' has so many distinct values that they are compared as they are stored, but '{table.name}' "
                "holds numbers as text, some of them written like 57.0. Store it as numbers."
            )
        return "text", column
    raise DataError(
        f"'{name}' has so many distinct values that they are compared as they are stored, which isn't possible for "
        f"{kind}. Store it as whole numbers, floating point, text or dates."
    )
