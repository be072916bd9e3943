"""Paths, globs and Ibis tables -> tables of one engine, checked before anything is counted."""

from __future__ import annotations

import codecs
import glob
import gzip
import re
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from discoreport.data.engine.connection import Connection, clear_errors
from discoreport.data.engine.engine_table import PARQUET, StoredTable, files_of, fingerprint_of, state_of
from discoreport.data.engine.large_file_checks import check_csv, check_parquet, check_schemas, types_in
from discoreport.data.readers.malformed_csv import CHUNK
from discoreport.data.readers.parquet import INDEX, numbering
from discoreport.data.readers.read import is_elsewhere, read, require_here
from discoreport.data.readers.source_file import DELIMITED, File
from discoreport.errors import DataError, library_reading
from discoreport.files import ending_of, require_readable

IN_MEMORY = 3
"""What counting in memory needs, as a multiple of the size of the uncompressed file."""
_MOST_PACKED = 1100
"""No gzip file holds more than this many times its own size: 258 bytes take two bits at least."""
_HALF = "half precision"
"""Numbers that engines take for others: half 0.1 would be the single 0.09998."""


def is_expression(source: object) -> bool:
    """Tell whether something is an Ibis table, without importing Ibis."""
    return any(kind.__module__.startswith("ibis.") for kind in type(source).__mro__)


def can_store(source: object) -> bool:
    """Tell whether an engine can read a source itself: paths and globs of Parquet and CSV files in UTF-8."""
    if isinstance(source, File):
        return source.encoding is None and can_store(source.path)
    if not isinstance(source, str | Path):
        return False
    files = files_of(source)
    return bool(files) and all(ending_of(file) in (*DELIMITED, PARQUET) for file in files)


def exceed(sources: Sequence[str | Path], n_bytes: float) -> bool:
    """Tell whether sources hold more than so many bytes that are not compressed; unpacks none where that is plain."""
    packed = sum(file.stat().st_size for source in sources for file in files_of(source) if file.suffix == ".gz")
    plain = sum(size_of_records(source, unpack=False) for source in sources)
    least, most = plain + packed, plain + packed * _MOST_PACKED
    if least > n_bytes or most <= n_bytes:
        return least > n_bytes
    return sum(map(size_of_records, sources)) > n_bytes


def size_of_records(source: str | Path, *, unpack: bool = True) -> int:
    """Estimate the bytes of a source that is not compressed; gzip files hold none where they aren't unpacked."""
    size = 0
    for file in files_of(source):
        if ending_of(file) == PARQUET:
            size += _parquet_size(file)
        elif file.suffix != ".gz":
            size += file.stat().st_size
        elif unpack:
            size += _unpacked_size(file)
    return size


def _unpacked_size(file: Path) -> int:
    """Count the bytes that a compressed file holds: between as many as its own and a thousand times as many."""
    try:
        with gzip.open(file) as unpacked:
            return sum(map(len, iter(lambda: unpacked.read(CHUNK), b"")))
    except (OSError, EOFError, zlib.error):
        return file.stat().st_size  # reading it will say what is wrong


def _parquet_size(file: Path) -> int:
    try:
        with library_reading(file.name, "Parquet file"):
            found = pq.read_metadata(file)
    except DataError:
        return 0  # reading it will say what is wrong
    sizes = [found.row_group(place).total_byte_size for place in range(found.num_row_groups)]
    return int(max(sum(sizes), 4 * found.num_rows * found.num_columns))


def open_table(source: object, name: str, connection: Connection) -> StoredTable:
    """Make one source a table of an engine.

    Parameters
    ----------
    source
        An Ibis table of this connection, a frame, or a path, a folder or a glob of Parquet or CSV files.
    name
        What to call an Ibis table or a frame.
    connection
        Of the engine.

    Returns
    -------
    StoredTable
        With at least one record; all of its files have the same columns, of the same types.

    Raises
    ------
    DataError
        Where there are no files, they can't be read, they differ in their columns, or they are empty.
    """
    if is_expression(source):
        table = StoredTable(name, _columns(source), records=source)
    elif isinstance(source, str | Path | File):
        table = _open_files(source if isinstance(source, File) else File(source), connection)
    else:
        table = _open_frame(source, name, connection)
    counted = connection.fetch(table.records.aggregate(n=table.records.count()))
    n_records = int(counted["n"][0].as_py())
    if not n_records:
        as_read = source.as_read if isinstance(source, File) else ""
        raise DataError(f"'{table.name}' has no records. An empty file can't be assessed.{as_read}")
    table = replace(table, n_stored=n_records, connection=connection)
    left = [name for name in table.columns if name.startswith(INDEX) and table.numbers_rows(name)]
    columns = {name: column for name, column in table.columns.items() if name not in left}
    return replace(table, columns=columns, notes=(*table.notes, *map(numbering, left)))


def _columns(records: Any) -> dict[str, Any]:
    return {name: records[name] for name in records.columns}


def _open_frame(frame: object, name: str, connection: Connection) -> StoredTable:
    columns = read(frame, name).columns
    arrays, durations, unreadable = {}, {}, {}
    for column, values in columns.items():
        try:
            array = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([pa.Array.from_pandas(values)])
        except pa.ArrowException:
            raise DataError(
                f"Column '{column}' of '{name}' holds values of several types, which the engine '{connection.name}' "
                "doesn't take. Give them one type, or use the engine 'memory'."
            ) from None
        kind = array.type
        if pa.types.is_duration(kind):
            durations[column], array = kind, array.cast(pa.int64())
        if pa.types.is_float16(kind):
            unreadable[column], array = _HALF, array.cast(pa.float32())
        arrays[column] = array.cast(kind.value_type) if pa.types.is_dictionary(kind) else array
    records = connection.put(pa.table(arrays), lasting=True)
    return StoredTable(name, _columns(records), records=records, durations=durations, unreadable=unreadable)


def _open_files(file: File, connection: Connection) -> StoredTable:
    source = file.path
    _require_readable_so(file, connection.name)
    files = files_of(source)
    notes: list[str] = []
    unreadable: dict[str, str] = {}
    elsewhere = is_elsewhere(source)
    if connection.name != "spark" or ending_of(Path(source)) in DELIMITED:
        require_here(source)
    if not files and not elsewhere:
        raise DataError(f"No file matches '{source}'.")
    for one in files:
        require_readable(one)
    state, sha256 = state_of(files), fingerprint_of(files)
    endings = {ending_of(one) for one in files}
    if endings <= {PARQUET}:
        delimiter, doubts = None, tuple[str, ...]()
        notes, durations = check_parquet(files), types_in(files, pa.types.is_duration)
        unreadable = dict.fromkeys(types_in(files, pa.types.is_float16), _HALF)
        with clear_errors():
            records = _read_parquet(connection, [_literal(one, connection) for one in files] or [str(source)])
    elif endings <= set(DELIMITED):
        delimiter, names, doubts = check_csv(files, file)
        durations = {}
        paths = [_literal(one, connection) for one in files]
        with clear_errors():
            records = _read_csv(connection, paths, delimiter, names, file.skip_rows or 0)
    else:
        raise DataError(
            f"The engine '{connection.name}' reads Parquet and CSV files; '{source}' has files that end in "
            f"{', '.join(sorted(endings))}."
        )
    return StoredTable(
        Path(source).name, _columns(records), sha256=sha256, path=str(source),
        records=records, delimiter=delimiter, decimal=file.decimal, read_as=file.read_as, notes=tuple(notes),
        doubts=doubts, state=state, durations=durations, unreadable=unreadable,
    )  # fmt: skip


def _literal(file: Path, connection: Connection) -> str:
    """Write the path of one file so that no engine takes signs in it for a pattern of paths."""
    if connection.name == "spark":
        return re.sub(r"([*?\[\]{}\\])", r"\\\1", str(file.absolute()))
    return glob.escape(str(file))


def _read_parquet(connection: Connection, files: list[str]) -> Any:
    if connection.name != "spark":
        return connection.backend.read_parquet(files)
    reader = connection.backend._session.read
    frames = reader.parquet(*files)
    check_schemas(
        (file, reader.parquet(file).schema.simpleString()) for file in frames.inputFiles() if "://" in files[0]
    )
    return connection.view(frames, lasting=True)


def _require_readable_so(file: File, engine: str) -> None:
    """Refuse what only memory can honour."""
    if file.encoding is not None and codecs.lookup(file.encoding).name not in ("utf-8", "utf-8-sig", "ascii"):
        raise DataError(
            f"The engine '{engine}' reads text files in UTF-8 alone (got encoding={file.encoding!r}): save "
            f"'{Path(file.path).name}' as UTF-8, or use the engine 'memory'."
        )
    if file.skip_rows and engine == "spark":
        raise DataError(
            f"The engine 'spark' skips no rows (got skip_rows={file.skip_rows}): remove them from "
            f"'{Path(file.path).name}', or use the engine 'memory' or 'duckdb'."
        )


def _read_csv(connection: Connection, files: list[str], delimiter: str, names: Sequence[str], skip_rows: int) -> Any:
    """Read every field as text, with nothing left to guess: an engine might leave out lines before a broken one."""
    marks = {"header": True, "quote": '"', "escape": '"'}
    if connection.name != "spark":
        columns = dict.fromkeys(names, "VARCHAR")
        return connection.backend.read_csv(
            files, columns=columns, auto_detect=False, delim=delimiter, strict_mode=True, skip=skip_rows, **marks
        )
    if any("\\" in file for file in files):
        raise DataError(
            "Spark takes *, ?, \\, brackets and braces in paths for patterns: rename the file or its folder."
        )
    strict = {"multiLine": True, "mode": "FAILFAST", "enforceSchema": False, "columnPruning": False}
    reader = connection.backend._session.read.options(sep=delimiter, **strict, **marks)
    return connection.view(reader.csv(files), lasting=True)
