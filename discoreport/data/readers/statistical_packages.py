"""Files of SPSS, Stata and SAS -> tables, with what they say of variables, levels and missing values."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from discoreport.data.distinct_values import Column
from discoreport.data.interruptible_call import wait_for
from discoreport.data.level_text import level_text
from discoreport.data.readers.source_file import File
from discoreport.data.table import Table, unique
from discoreport.errors import DataError, library_reading, require_package

_READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
_DECLARING = (".sav", ".zsav", ".dta", ".sas7bdat")
"""Files whose codes for missing values can be told apart."""
_OUT_OF_RANGE = "it holds dates before the year 1 or beyond 9999"


def read_statistics(path: Path, content: bytes, file: File) -> Table:
    """Read a file of SPSS, Stata or SAS.

    Parameters
    ----------
    path
        What it is called; its ending says what it is.
    content
        What is in it.
    file
        Its encoding, where that is given.

    Returns
    -------
    Table
        Codes that the file declares as missing stay values. Columns that can't be read are named.

    Raises
    ------
    DataError
        Where it can't be read.
    """
    ending = path.suffix.lower()
    pyreadstat = require_package("pyreadstat", "files", "SPSS, Stata and SAS files need")
    options: dict[str, Any] = {} if file.encoding is None else {"encoding": file.encoding}
    if ending in _DECLARING:
        options["user_missing"] = True

    def reader(**more: Any) -> Any:
        try:
            return wait_for(lambda: getattr(pyreadstat, _READERS[ending])(io.BytesIO(content), **options, **more))
        except UnicodeDecodeError:
            raise DataError(f"'{path.name}' can't be read: {_HINT}") from None
        except pyreadstat.ReadstatError as error:
            if "byte sequence" in str(error) or "encoding" in str(error):
                raise DataError(f"'{path.name}' can't be read: {_HINT}") from None
            raise

    with library_reading(path.name, f"file of the kind {ending}", told=(pyreadstat.ReadstatError,)):
        frame, meta, out_of_range = _read(reader)
    names = unique(meta.column_names, path.name)
    types = meta.readstat_variable_types
    columns: dict[str, Column] = {
        name: _blank_is_missing(_as_stored(frame.iloc[:, place], types.get(name))) for place, name in enumerate(names)
    }
    labels = {name: label for name, label in meta.column_names_to_labels.items() if label}
    value_labels = {
        name: {level_text(value) or "": str(label) for value, label in of_variable.items()}
        for name, of_variable in meta.variable_value_labels.items()
    }
    declared: dict[str, list[Any]] = {**meta.missing_ranges, **meta.missing_user_values}
    missing_codes = {name: _within(columns[name], ranges) for name, ranges in declared.items()}
    return Table(
        path.name, columns, labels, value_labels, missing_codes,
        notes=("its notes, or a text on the whole file, were not assessed",) if _said(meta) else (),
        unreadable=dict.fromkeys(out_of_range, _OUT_OF_RANGE),
    )  # fmt: skip


_HINT = "its letters are in another encoding. Name it with encoding, such as 'cp1252'."


def _read(reader: Callable[..., Any]) -> tuple[pd.DataFrame, Any, list[str]]:
    """Give the columns, what the file says of them, and those that can't be read, which come as they are stored."""
    try:
        return (*reader(), [])
    except (OverflowError, pd.errors.OutOfBoundsDatetime):
        stored, meta = reader(disable_datetime_conversion=True)
    failing = _failing(reader, meta.column_names)
    kept = [name for name in meta.column_names if name not in failing]
    good = reader(usecols=kept)[0] if kept else stored[[]]
    return pd.DataFrame({name: (good if name in kept else stored)[name] for name in meta.column_names}), meta, failing


def _said(meta: Any) -> bool:
    """Tell whether the file holds words of its own."""
    return any(str(note).strip() for note in meta.notes or ()) or bool((meta.file_label or "").strip())


def _failing(reader: Callable[..., Any], names: Sequence[str]) -> list[str]:
    """Find the columns that can't be read, in ever smaller parts of the file."""
    try:
        reader(usecols=list(names))
    except (OverflowError, pd.errors.OutOfBoundsDatetime):
        middle = len(names) // 2
        return list(names) if not middle else [*_failing(reader, names[:middle]), *_failing(reader, names[middle:])]
    return []


def _within(column: pd.Series[Any], ranges: list[Any]) -> frozenset[str]:
    """Give the values of a column, as texts of levels, that are one of some codes or lie in one of some ranges."""
    bounds = [(one["lo"], one["hi"]) if isinstance(one, dict) else (one, one) for one in ranges]
    return frozenset(
        level_text(value) or ""
        for value in column.dropna().unique()
        if any(isinstance(value, str) == isinstance(low, str) and low <= value <= high for low, high in bounds)
    )


def _as_stored(column: pd.Series[Any], stored: str | None) -> pd.Series[Any]:
    """Give Stata's numbers of single precision, which come in double, their own precision back."""
    if stored != "float":
        return column
    if pd.api.types.is_float_dtype(column.dtype):
        return column.astype(np.float32)
    return column.map(lambda value: np.float32(value) if isinstance(value, float) else value)


def _blank_is_missing(column: pd.Series[Any]) -> pd.Series[Any]:
    """SPSS, Stata and SAS know no other missing text than a blank one."""
    return column if pd.api.types.is_numeric_dtype(column.dtype) else column.mask(column.eq(""))
