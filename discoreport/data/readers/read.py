"""Files and frames -> tables: named columns, what the file says of them, and the file's fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import narwhals.stable.v2 as nw
import pandas as pd
import pyarrow as pa

from discoreport.data.distinct_values import Column
from discoreport.data.readers.delimited import read_delimited
from discoreport.data.readers.excel import read_excel
from discoreport.data.readers.parquet import read_parquet
from discoreport.data.readers.source_file import (
    EXCEL,
    FORMATS,
    PARQUET,
    SAS,
    SPSS,
    STATA,
    TEXT,
    File,
    Format,
    source_of,
)
from discoreport.data.readers.statistical_packages import read_statistics
from discoreport.data.table import Table, unique
from discoreport.errors import DataError, suggest
from discoreport.files import ending_of, require_readable

_FEW = 10
"""Up to so many files of a folder are listed after a wrong name."""


def read(source: object, name: str) -> Table:
    """Read a file, or take a frame.

    Parameters
    ----------
    source
        A path with one of `discoreport.data.readers.source_file.ENDINGS`, a `File`, or a pandas, Polars or PyArrow
        table. It is
        never changed.
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
    source = source_of(source)
    if isinstance(source, str | Path | File):
        file = source if isinstance(source, File) else File(source)
        require_here(file.path)
        table = _read_file(Path(file.path), file)
    elif isinstance(source, Table):
        table = source
    else:
        table = Table(name, _columns_of(source))
    if not table.columns:
        raise DataError(f"'{table.name}' has no columns.")
    if table.n_records == 0:
        as_read = source.as_read if isinstance(source, File) else ""
        raise DataError(f"'{table.name}' has no records. An empty file can't be assessed.{as_read}")
    return table


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


def _read_file(path: Path, file: File) -> Table:
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
    table = reader(path, content, file)
    return replace(table, sha256=hashlib.sha256(content).hexdigest(), path=str(path), read_as=file.read_as)


_OF_FORMATS: dict[Format, Callable[[Path, bytes, File], Table]] = {
    TEXT: read_delimited,
    PARQUET: read_parquet,
    EXCEL: read_excel,
    SPSS: read_statistics,
    STATA: read_statistics,
    SAS: read_statistics,
}
_READERS = {ending: _OF_FORMATS[one] for one in FORMATS for ending in one.endings}
