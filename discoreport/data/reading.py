"""Files and frames -> tables: named columns, what the file says of them, and the file's fingerprint."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.request import url2pathname

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from discoreport.data.delimited import DELIMITED, MISSING_MARKS, read_delimited
from discoreport.data.distinct import Column
from discoreport.data.levels import level_text
from discoreport.data.table import Table, unique
from discoreport.errors import DataError, library_reading, require_package, suggest
from discoreport.files import ending_of, require_readable

_FEW = 10
"""Up to so many files of a folder are listed after a wrong name."""


def read(source: object, name: str) -> Table:
    """Read a file, or take a frame.

    Parameters
    ----------
    source
        A path (.csv, .csv.gz, .tsv, .txt, .parquet, .xlsx, .sav, .zsav, .por, .dta, .sas7bdat, .xpt)
        or a pandas, Polars or PyArrow table. It is never changed.
    name
        What to call a frame, which has no name of its own.

    Returns
    -------
    Table
        With at least one record and no name twice.

    Raises
    ------
    DataError
        Where there is no such file, it can't be read, it is empty, or a column name occurs twice.
    MissingPackageError
        Where reading this format needs the extra ``files``.
    """
    if isinstance(source, str | Path):
        require_here(source)
        table = _read_file(Path(source))
    elif isinstance(source, Table):
        table = source
    else:
        table = Table(name, _columns_of(source))
    if not table.columns:
        raise DataError(f"'{table.name}' has no columns.")
    if table.n_records == 0:
        raise DataError(f"'{table.name}' has no records. An empty file can't be assessed.")
    return table


def local(source: object) -> object:
    """Give the path that an address like "file:///data/census.parquet" stands for; anything else as it is."""
    if isinstance(source, str) and source.startswith("file:///"):
        return url2pathname(source.removeprefix("file://"))
    return source


def is_elsewhere(source: object) -> bool:
    """Tell whether a source is the address of something on another machine, such as "s3a://bucket/census.parquet"."""
    return isinstance(source, str) and "://" in source


def require_here(source: object) -> None:
    """Raise where a source is on another machine."""
    if is_elsewhere(source):
        raise DataError(
            f"'{source}' isn't on this machine. The engine 'spark' counts Parquet files that its cluster can read; "
            "copy other files here."
        )


def _columns_of(frame: object) -> dict[str, Column]:
    if isinstance(frame, pd.DataFrame):
        names = unique(list(frame.columns), "data frame")
        return {name: frame.iloc[:, place] for place, name in enumerate(names)}
    if isinstance(frame, pa.Table):
        return dict(zip(unique(frame.column_names, "table"), frame.columns, strict=True))
    try:
        native = nw.from_native(frame)  # type: ignore[call-overload]
    except TypeError:
        raise DataError(
            f"Can't read a {type(frame).__name__}. Give a path, or a pandas, Polars or PyArrow table."
        ) from None
    eager = native.collect() if isinstance(native, nw.LazyFrame) else native
    if not isinstance(eager, nw.DataFrame):
        raise DataError("Give a table, not a single column.")
    return _columns_of(eager.to_arrow())


def _read_file(path: Path) -> Table:
    require_readable(path)
    if path.is_dir():
        raise DataError(f"'{path}' is a folder. Name a file in it.")
    if not path.is_file():
        beside = [other.name for other in path.parent.iterdir() if other.is_file()] if path.parent.is_dir() else []
        empty = "Its folder is empty." if path.parent.is_dir() else "Its folder doesn't exist."
        hint = suggest(path.name, sorted(beside), listed=len(beside) <= _FEW) if beside else empty
        raise DataError(f"No file '{path}'. {hint}".strip())
    ending = ending_of(path)
    reader = _READERS.get(ending)
    if reader is None:
        raise DataError(f"'{path.name}': can't read files that end in '{ending}'. {suggest(ending, _READERS)}")
    try:
        content = path.read_bytes()  # once: what is counted is what the fingerprint is of, whoever replaces the file
    except OSError as error:
        raise DataError(f"Can't read '{path}': {error.strerror}.") from None
    if not content:
        raise DataError(f"'{path.name}' has no records. An empty file can't be assessed.")
    return replace(reader(path, content), sha256=hashlib.sha256(content).hexdigest(), path=str(path))


def _read_parquet(path: Path, content: bytes) -> Table:
    with library_reading(path.name, "Parquet file"):
        schema = pq.read_schema(pa.BufferReader(content))
    texts = [entry.name for entry in schema if pa.types.is_string(entry.type) or pa.types.is_large_string(entry.type)]
    names = unique(schema.names, path.name)
    with library_reading(path.name, "Parquet file"):
        table = pq.read_table(pa.BufferReader(content), read_dictionary=texts)
    kept = [
        (name, column)
        for name, column in zip(names, table.columns, strict=True)
        if not name.startswith("__index_level_")
    ]
    return Table(path.name, dict(kept))


def _read_excel(path: Path, content: bytes) -> Table:
    require_package("openpyxl", "files", "Excel files need")
    with library_reading(path.name, "Excel file"):
        sheets = pd.read_excel(
            io.BytesIO(content), sheet_name=None, header=None, keep_default_na=False, na_values=[""], engine="openpyxl"
        )
    filled = {name: sheet for name, sheet in sheets.items() if not sheet.empty}
    if not filled:
        raise DataError(f"'{path.name}' has no records. An empty file can't be assessed.")
    sheet_name, sheet = next(iter(filled.items()))
    notes = [f"sheet '{sheet_name}' read, {len(filled) - 1} other sheets left"] if len(filled) > 1 else []
    names = unique(["" if pd.isna(value) else value for value in sheet.iloc[0]], path.name)
    columns: dict[str, Column] = {}
    for place, name in enumerate(names):
        column = sheet.iloc[1:, place]
        marks = column.isin(MISSING_MARKS)
        if marks.any() and pd.api.types.is_numeric_dtype(column[~marks].infer_objects().dtype):
            notes.append(f"'{name}': {', '.join(map(repr, column[marks].unique()))} read as missing")
            column = column.mask(marks)
        columns[name] = column.infer_objects()
    return Table(path.name, columns, notes=tuple(notes))


def _read_with_labels(path: Path, content: bytes) -> Table:
    pyreadstat = require_package("pyreadstat", "files", "SPSS, Stata and SAS files need")
    reader = getattr(pyreadstat, _STATISTICS[path.suffix.lower()])
    user_missing = {} if path.suffix.lower() in _WITHOUT_USER_MISSING else {"user_missing": True}
    kind = f"file of the kind {path.suffix.lower()}"
    with library_reading(path.name, kind, told=(pyreadstat.ReadstatError,)):
        frame, meta = reader(io.BytesIO(content), **user_missing)
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
    return Table(path.name, columns, labels, value_labels, missing_codes)


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


_STATISTICS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
_WITHOUT_USER_MISSING = {".por", ".xpt"}
"""What is declared as missing in these comes as missing, and no longer as a code."""
_READERS: dict[str, Callable[[Path, bytes], Table]] = {
    **dict.fromkeys(DELIMITED, read_delimited),
    ".parquet": _read_parquet,
    ".xlsx": _read_excel,
    **dict.fromkeys(_STATISTICS, _read_with_labels),
}
