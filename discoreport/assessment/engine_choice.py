"""Which engine counts: memory, DuckDB, Spark, or wherever an Ibis table is. All give the same figures."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from discoreport.data.coding import Variable, code_variable
from discoreport.data.engine.connection import Connection, Engine, bytes_of, connect_duckdb, connect_spark
from discoreport.data.engine.open_tables import IN_MEMORY, can_store, exceed, is_expression, open_table, size_of_records
from discoreport.data.missing_values import marked
from discoreport.data.readers.read import is_elsewhere, read
from discoreport.data.readers.source_file import path_of, source_of
from discoreport.data.table import Table
from discoreport.errors import DataError, SettingsError
from discoreport.measures.cells import Target
from discoreport.measures.key_index import combine
from discoreport.measures.memory_engine import Counter
from discoreport.measures.units import UnitCounts

Found = TypeVar("Found")


class Counting(Protocol):
    """What counts cells once the keys are coded."""

    def of_keys(self) -> Sequence[Any]:
        """Count the key combinations alone; one table of cells a synthesis."""

    def of_target(self, target: Variable) -> Sequence[Target]:
        """Count the cells of one target; one a synthesis."""

    def of_units(self, missing_keys: Sequence[Sequence[int]] = (), *, kinds: bool = True) -> Sequence[UnitCounts]:
        """Count units, and those that can be told from all others; one a synthesis, none where there is no unit."""


class Files(Protocol):
    """The original and the synthetic files, in one engine."""

    @property
    def engine(self) -> str:
        """The engine's name."""

    @property
    def tables(self) -> Sequence[Table]:
        """The files, the original first."""

    def code(self, name: str) -> Variable:
        """Code one variable of all files alike."""

    def with_missing(self, missing_values: Mapping[str, Sequence[str]]) -> Files:
        """Give the same files with some levels taken for missing values; see `marked`."""

    def some(self, places: Sequence[int]) -> Files:
        """Give some of the files, by their places; the original is the first."""

    def count(self, keys: Sequence[Variable], unit: Variable | None = None) -> Counting:
        """Get ready to count cells by these keys, and by those of all records of a unit where there is one."""

    def require_unchanged(self) -> None:
        """Raise where a file is another than was opened, once all is counted."""

    def once(self, what: str, find: Callable[[], Found]) -> Found:
        """Find what depends on the files alone; whoever keeps them open need not look for it again."""


@dataclass(frozen=True)
class MemoryFiles:
    """Files that were read into memory."""

    tables: Sequence[Table]
    engine: str = "memory"

    def code(self, name: str) -> Variable:
        """Code one variable of all files alike."""
        return code_variable(name, self.tables)

    def with_missing(self, missing_values: Mapping[str, Sequence[str]]) -> MemoryFiles:
        """Give the same files with some levels taken for missing values; see `marked`."""
        return replace(self, tables=marked(self.tables, missing_values))

    def some(self, places: Sequence[int]) -> MemoryFiles:
        """Give some of the files, by their places; the original is the first."""
        return replace(self, tables=[self.tables[place] for place in places])

    def count(self, keys: Sequence[Variable], unit: Variable | None = None) -> Counter:
        """Get ready to count cells by these keys, and by those of all records of a unit where there is one."""
        return Counter(combine(keys, unit))

    def require_unchanged(self) -> None:
        """Nothing to do: each file was read once."""

    def once(self, what: str, find: Callable[[], Found]) -> Found:  # noqa: ARG002  # opened for one assessment
        """Find what depends on the files alone."""
        return find()


@contextlib.contextmanager
def open_files(original: object, synthetic: object, engine: Engine, earlier: Sequence[object] = ()) -> Iterator[Files]:
    """Open the files in the engine that is asked for, or that they need.

    Parameters
    ----------
    original, synthetic
        As for `assess`.
    engine
        Its name and what it may use.
    earlier
        Files of earlier releases; they come last.

    Yields
    ------
    Files
        Until the block ends; then temporary files are gone.

    Raises
    ------
    DataError
        Where a source can't be opened in this engine.
    MissingPackageError
        Where the engine isn't installed.
    """
    sources = [*sources_of(original, synthetic), *map(source_of, earlier)]
    names = _names(len(sources) - 1 - len(earlier), len(earlier))
    name = chosen(sources, engine)
    if name == "memory":
        yield MemoryFiles([read(source, called) for source, called in zip(sources, names, strict=True)])
        return
    connections = {"duckdb": connect_duckdb, "spark": connect_spark}
    if name in connections:
        _require_room(sources, engine)
    with connections[name](engine) if name in connections else _connection_of(sources) as connection:
        from discoreport.measures.ibis_engine import StoredFiles

        try:
            named = zip(sources, names, strict=True)
            yield StoredFiles(connection, [open_table(source, called, connection) for source, called in named])
        finally:
            connection.close()


def chosen(sources: Sequence[object], engine: Engine) -> str:
    """Choose the engine for some sources: "memory", "duckdb", "spark", or "ibis" for tables that bring their own."""
    expressions = [is_expression(source) for source in sources]
    if any(expressions):
        if not all(expressions):
            raise DataError("Give Ibis tables for all files or for none: figures are counted where the tables are.")
        if engine.name == "memory":
            raise SettingsError("Ibis tables are counted where they are: leave out engine='memory'.")
        return "ibis"
    if engine.name != "auto":
        return engine.name
    if not all(can_store(source) for source in sources):
        return "memory"
    paths = [path for path in map(path_of, sources) if path is not None]
    several = not all(Path(path).is_file() for path in paths)  # folders and globs
    return "duckdb" if several or exceed(paths, _available() // IN_MEMORY) else "memory"


def _require_room(sources: Sequence[object], engine: Engine) -> None:
    """Refuse, before the work, what neither memory nor the temporary directory can hold."""
    files = [path for path in map(path_of, sources) if path is not None and not is_elsewhere(path)]
    limit = bytes_of(engine.memory_limit) if engine.memory_limit else _available()
    folder = Path(engine.temporary_directory or tempfile.gettempdir())
    if limit is None or not folder.is_dir():
        return  # the engine says what is wrong
    free = shutil.disk_usage(folder).free
    if exceed(files, limit + free):
        needed = sum(map(size_of_records, files)) - limit
        raise DataError(
            f"The disk of the temporary directory '{folder}' has {free / 1e9:.3f} GB free; what memory can't hold may "
            f"take {needed / 1e9:.3f} GB. Name another one with temporary_directory, or raise memory_limit."
        )


def _available() -> int:
    """Give the bytes of memory that are free to use; half of all where the system doesn't say."""
    try:
        told = Path("/proc/meminfo").read_text(encoding="ascii")
        return next(int(line.split()[1]) * 1024 for line in told.splitlines() if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return 8 * 1024**3


@contextlib.contextmanager
def _connection_of(sources: Sequence[Any]) -> Iterator[Connection]:
    """Take the connection that Ibis tables bring."""
    import ibis

    backends = {id(backend): backend for backend in (ibis.get_backend(source) for source in sources)}
    if len(backends) > 1:
        raise DataError("The Ibis tables are in different connections: make all of them in one.")
    (backend,) = backends.values()
    yield Connection({"pyspark": "spark"}.get(backend.name, backend.name), backend)


def sources_of(original: object, synthetic: object) -> list[object]:
    """List the original and one or more synthetic files, in this order; see `source_of`."""
    files = list(synthetic) if isinstance(synthetic, list | tuple) else [synthetic]
    if not files:
        raise DataError("There is no synthetic file to assess.")
    return [source_of(source) for source in (original, *files)]


def _names(m: int, n_earlier: int = 0) -> list[str]:
    synthetic = (name_of_frame(number, m) for number in range(1, m + 1))
    return ["original", *synthetic, *(name_of_frame(n, n_earlier, "earlier") for n in range(1, n_earlier + 1))]


def name_of_frame(number: int, of: int, what: str = "synthetic") -> str:
    """Name a synthetic file that is a frame: which it is, counting from 1, of how many."""
    return what if of == 1 else f"{what} {number}"


def read_all(original: object, synthetic: object) -> list[Table]:
    """Read the original and one or more synthetic files into memory, in this order."""
    sources = sources_of(original, synthetic)
    return [read(source, name) for source, name in zip(sources, _names(len(sources) - 1), strict=True)]
