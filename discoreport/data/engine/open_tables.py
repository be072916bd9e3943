"""Paths, globs and Ibis tables -> tables of one engine, checked before anything is counted."""

from __future__ import annotations

import codecs
import glob
import gzip
import hashlib
import re
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from discoreport.data.engine.connection import Connection, clear_errors, is_nan
from discoreport.data.engine.large_file_checks import check_csv, check_parquet, check_schemas, types_in
from discoreport.data.levels import number_of, text_as_number
from discoreport.data.readers.malformed_csv import CHUNK
from discoreport.data.readers.parquet import INDEX, numbering
from discoreport.data.readers.read import is_elsewhere, read, require_here
from discoreport.data.readers.source_file import DELIMITED, File
from discoreport.data.table import Table
from discoreport.errors import DataError, library_reading
from discoreport.files import ending_of, inside, require_readable, sha256_of

_PARQUET = ".parquet"
_FIRST = 1000
"""Records that are looked at before all of them are."""
IN_MEMORY = 3
"""What counting in memory needs, as a multiple of the size of the uncompressed file."""
_MOST_PACKED = 1100
"""No gzip file holds more than this many times its own size: 258 bytes take two bits at least."""
_INFINITE = ("inf", "-inf")
_HALF = "half precision"
"""Numbers that engines take for others: half 0.1 would be the single 0.09998."""


@dataclass(frozen=True)
class StoredTable(Table):
    """One table of an engine.

    Parameters
    ----------
    records
        The table, an Ibis expression.
    n_stored
        Number of records.
    durations
        The columns that hold durations, with their type; to engines they are whole numbers.
    connection
        Where it is.
    state
        What the system said of its files before they were read: that changes even where somebody puts a file back.
    """

    records: Any = None
    n_stored: int = 0
    durations: Mapping[str, Any] = field(default_factory=dict)
    connection: Any = None
    state: tuple[object, ...] = ()

    @property
    def n_records(self) -> int:
        """Number of records."""
        return self.n_stored

    def require_unchanged(self) -> None:
        """Make sure that what was counted is what the fingerprint is of: engines read files again and again.

        Raises
        ------
        DataError
            Where a file was replaced, added or taken away.
        """
        if self.path is None or self.sha256 is None:
            return
        try:
            files = files_of(self.path)
            now = (_state(files), _fingerprint(files))
        except (OSError, DataError):
            now = ((), None)
        if now != (self.state, self.sha256):
            raise DataError(
                f"'{self.name}' has changed since it was opened, so that figures would be of two files. "
                "Assess it again when nobody writes to it."
            )

    def column(self, name: str) -> Any:
        """Give one variable as an Ibis column; an empty field of a CSV file is missing, and so is a level marked so."""
        column = self._as_stored(name)
        return is_one_of(column, self.marks[name]).ifelse(None, column) if name in self.marks else column

    def holds(self, name: str, levels: Collection[str]) -> bool:
        """Tell whether a record has one of some levels, as `is_among` compares them."""
        return name in self.columns and self._count([is_one_of(self._as_stored(name), levels).sum()]) not in (
            [0],
            [None],
        )

    def _as_stored(self, name: str) -> Any:
        column = self.records[name]
        return column.nullif("") if self.delimiter is not None else column

    def problem(self, name: str) -> str:
        """Say why a variable has no levels to compare; empty where it has."""
        if name in self.unreadable:
            return (
                f"Column '{name}' of '{self.name}' is stored in {self.unreadable[name]}, which the engine "
                f"'{self.connection.name}' can't compare. Use the engine 'memory', or store it in another type."
            )
        kind = self.records[name].type()
        holds_nothing = kind.is_unknown() and str(kind.raw_type).strip('"') == "NULL"
        if not (kind.is_nested() or kind.is_unknown()) or holds_nothing:
            return ""
        if kind.is_nested():
            return f"Column '{name}' holds values of type {kind}, which have no levels to compare."
        return (
            f"Column '{name}' of '{self.name}' is stored in a type that the engine '{self.connection.name}' can't "
            "compare, such as nanoseconds with a time zone. Use the engine 'memory', or store it in another type."
        )

    def numbers_rows(self, name: str) -> bool:
        """Tell whether values are as many whole numbers in a row, in any order: that is no more than a place."""
        column = self.records[name]
        if not column.type().is_integer():
            return False
        least, most, n = self._count([column.min(), column.max(), column.nunique()])
        return n == self.n_stored and most - least + 1 == n

    def without_values(self, names: Sequence[str]) -> set[str]:
        """Find the columns that have a value in no record."""
        left = list(names)
        for part in (replace(self, records=self.records.limit(_FIRST)), self):  # most have one among the first records
            n_filled = part._count([part._filled(name).sum() for name in left])
            left = [name for name, n in zip(left, n_filled, strict=True) if not n]
        return set(left)

    def with_one_value(self, names: Sequence[str]) -> set[str]:
        """Find the columns that have one and the same value in all records, or none in any."""
        plain = [name for name in names if not self.problem(name)]
        filled = [self._filled(name) for name in plain]
        values = [self.column(name).nunique(where=where) for name, where in zip(plain, filled, strict=True)]
        found = self._count([*(where.sum() for where in filled), *values])
        counted = zip(plain, found[: len(plain)], found[len(plain) :], strict=True)
        return {name for name, n_filled, n in counted if not n_filled or (n_filled, n) == (self.n_stored, 1)}

    def _filled(self, name: str) -> Any:
        """Tell record by record whether a variable has a value."""
        column = self.column(name)
        return column.notnull() & ~is_nan(column) if column.type().is_floating() else column.notnull()

    def _count(self, numbers: Sequence[Any]) -> list[int]:
        """Compute some whole numbers in one go."""
        if not numbers:
            return []
        asked = {f"n{place}": number for place, number in enumerate(numbers)}
        (found,) = self.connection.fetch(self.records.aggregate(**asked)).to_pylist()
        return list(found.values())


def is_one_of(column: Any, levels: Collection[str]) -> Any:
    """Tell record by record whether a value has one of some levels, as `is_among` does."""
    kind = column.type()
    numbers = [number for number in map(number_of, levels) if number is not None]
    if kind.is_numeric():
        if kind.is_floating():
            numbers += [float(level) for level in levels if level in _INFINITE]
        if not numbers:
            return column.isnull() & column.notnull()
        value = column.cast("string").cast("float64") if kind.is_float32() else column
        return value.isin([int(number) if number.is_integer() else number for number in numbers])
    if kind.is_boolean():
        return column.ifelse("True", "False").isin(list(levels))
    if not kind.is_string():
        return column.cast("string").replace(" 00:00:00", "").isin(list(levels))
    written = [text_as_number(level) for level in levels if number_of(level) is not None]
    found = column.isin(list(levels))
    for number in written:
        zeros = "0*" if "." in number else r"(\.0+)?"
        found |= column.re_search(f"^{re.escape(number)}{zeros}$")
    return found


def is_expression(source: object) -> bool:
    """Tell whether something is an Ibis table, without importing Ibis."""
    return any(kind.__module__.startswith("ibis.") for kind in type(source).__mro__)


def files_of(source: str | Path) -> list[Path]:
    """List the files that a path, a folder or a glob stands for, in order; empty where there are none."""
    path = Path(source)
    require_readable(path)
    if path.is_dir():
        try:
            return sorted(file for file in inside(path) if file.name.endswith(_PARQUET) and file.is_file())
        except OSError as error:
            raise DataError(f"Can't read all of '{path}': {error.strerror}: '{error.filename}'.") from None
    if path.is_file():
        return [path]
    found = glob.glob(str(source), recursive=True)  # noqa: PTH207  # Path.glob takes no absolute patterns
    return sorted(Path(file) for file in found if Path(file).is_file())


def can_store(source: object) -> bool:
    """Tell whether an engine can read a source itself: paths and globs of Parquet and CSV files in UTF-8."""
    if isinstance(source, File):
        return source.encoding is None and can_store(source.path)
    if not isinstance(source, str | Path):
        return False
    files = files_of(source)
    return bool(files) and all(ending_of(file) in (*DELIMITED, _PARQUET) for file in files)


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
        if ending_of(file) == _PARQUET:
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
    state, sha256 = _state(files), _fingerprint(files)
    endings = {ending_of(one) for one in files}
    if endings <= {_PARQUET}:
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


def _fingerprint(files: Sequence[Path]) -> str | None:
    """Take the SHA-256 of a file; of several, that of the list of theirs."""
    if not files:
        return None
    digests = [sha256_of(path) for path in files]
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _state(files: Sequence[Path]) -> tuple[object, ...]:
    """Take down what changes whenever somebody writes to one of some files, or moves another to its place."""
    found = [(file, file.stat()) for file in files]
    return tuple((str(file), now.st_size, now.st_mtime_ns, now.st_ctime_ns) for file, now in found)
