"""Where tables larger than memory are counted: DuckDB, Spark or any connection that Ibis makes."""

from __future__ import annotations

import contextlib
import re
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TypeVar

import pyarrow as pa

from discoreport.data.interruptible_call import wait_for
from discoreport.errors import DataError, SettingsError, require_kind, require_package, suggest

Found = TypeVar("Found")
EngineName = Literal["auto", "memory", "duckdb", "spark"]
ENGINES: tuple[EngineName, ...] = ("auto", "memory", "duckdb", "spark")
ENGINE_SETTINGS = {
    "engine": "what counts: memory, duckdb (files larger than memory) or spark; by default memory where the files fit",
    "memory_limit": 'most memory that DuckDB may use, such as "4GB"; by default four fifths of the machine\'s',
    "temporary_directory": "where DuckDB and Spark put what memory can't hold; by default the system's",
    "spark_master": 'the Spark cluster, such as "spark://host:7077"; by default all cores of this machine',
}
"""What each setting of the engine means, by the names of `assess`."""


_SIZE = re.compile(r"\s*\d+(\.\d+)?\s*([kmgt]?i?b|bytes?|%)\s*", re.IGNORECASE)
"""Memory, as DuckDB reads it."""


@dataclass(frozen=True)
class Engine:
    """Which engine counts, and what it may use. Nothing here changes a figure.

    Parameters
    ----------
    name
        "auto" takes Ibis tables where they are, files into memory where they fit, and else DuckDB.
    memory_limit, temporary_directory, spark_master
        See `ENGINE_SETTINGS`.
    """

    name: EngineName = "auto"
    memory_limit: str | None = None
    temporary_directory: str | Path | None = None
    spark_master: str | None = None

    def __post_init__(self) -> None:
        require_kind(self.name, str, "engine: must be text")
        if self.name not in ENGINES:
            raise SettingsError(f"No engine '{self.name}'. {suggest(str(self.name), ENGINES)}")
        if self.memory_limit is not None and not _SIZE.fullmatch(str(self.memory_limit)):
            raise SettingsError(f'memory_limit: must be a size such as "4GB" (got {self.memory_limit!r})')


def engine_from(values: Mapping[str, Any]) -> Engine:
    """Take the settings of the engine by the names of `assess`, as options and configuration files give them."""
    for name, value in values.items():
        if not isinstance(value, str):
            raise SettingsError(f"{name} must be text (got {value!r}): {ENGINE_SETTINGS[name]}")
    return Engine(**{"name" if name == "engine" else name: value for name, value in values.items()})


def bytes_of(written: str) -> float | None:
    """Read a size such as "4GB"; None where it is none.

    Examples
    --------
    >>> bytes_of("4GB"), bytes_of("512 MiB"), bytes_of("80%")
    (4000000000.0, 536870912.0, None)
    """
    found = re.fullmatch(r"\s*([0-9]+\.?[0-9]*)\s*([KMGT])(i?)B\s*", written, re.IGNORECASE)
    if found is None:
        return None
    return float(found[1]) * float(1024 if found[3] else 1000) ** ("KMGT".index(found[2].upper()) + 1)


@dataclass
class Connection:
    """A connection of Ibis, and how to ask it.

    Parameters
    ----------
    name
        "duckdb", "spark", or what Ibis calls the system.
    backend
        The connection itself.
    """

    name: str
    backend: Any
    _kept: list[Callable[[], object]] = field(default_factory=list)
    _lasting: list[Callable[[], object]] = field(default_factory=list)

    def fetch(self, expression: Any) -> pa.Table:
        """Compute a table and bring it here. Only for tables whose size doesn't grow with the data."""
        if self.name == "spark":  # Ibis would go through pandas, which makes fractions of large whole numbers
            return self.ask(lambda: self.backend._session.sql(self._sql(expression)).toArrow())
        return self.ask(lambda: self.backend.to_pyarrow(expression))

    def ask(self, question: Callable[[], Found]) -> Found:
        """Have the engine do something that may take long, and stop it where whoever waits is ended."""
        with clear_errors():
            if self.name == "duckdb":
                return wait_for(question, self.backend.con.interrupt)
            context = getattr(self.backend._session, "_sc", None) if self.name == "spark" else None
            if context is None:  # a system that may know the present thread alone
                return question()
            group = _new_name()
            in_thread = _import("pyspark", "spark").inheritable_thread_target(self.backend._session)
            in_group = _in_job_group(question, context, group)
            # Where Spark's threads aren't pinned to ours, the session comes back: there is nothing to carry over.
            asked: Callable[[], Found] = in_thread(in_group) if callable(in_thread) else in_group
            return wait_for(asked, lambda: context.cancelJobGroup(group))

    def put(self, table: pa.Table, *, lasting: bool = False) -> Any:
        """Give the engine a table, until `forget` or to the end."""
        with self._lasts(lasting):
            if self.name == "spark":  # Ibis would send it through Python workers
                return self.view(self.backend._session.createDataFrame(table))
            return _import("ibis", "duckdb").memtable(table)

    def keep(self, expression: Any, *, lasting: bool = False) -> Any:
        """Compute a table and keep it in the engine until `forget`, or to the end."""
        with self._lasts(lasting):
            return self._keep(expression)

    def view(self, frame: Any, *, lasting: bool = False) -> Any:
        """Name a frame of Spark in its session, until `forget` or to the end."""
        with self._lasts(lasting):
            name = _new_name()
            frame.createOrReplaceTempView(name)
            self._kept.append(lambda: self.backend._session.catalog.dropTempView(name))
            return self.backend.table(name)

    @contextlib.contextmanager
    def _lasts(self, lasting: bool) -> Iterator[None]:
        before = len(self._kept)
        yield
        if lasting:
            self._lasting += self._kept[before:]
            del self._kept[before:]

    def _keep(self, expression: Any) -> Any:
        if self.name == "duckdb":
            return self._keep_in_duckdb(expression)
        with clear_errors():
            if self.name == "spark":
                return self._keep_in_spark(expression)
            kept = expression.cache()
        self._kept.append(kept.release)
        return kept

    def forget(self) -> None:
        """Let go of all tables that were kept, lasting ones apart."""
        while self._kept:
            self._kept.pop()()

    def close(self) -> None:
        """Let go of all tables."""
        self._kept += self._lasting
        self._lasting = []
        self.forget()

    def _keep_in_duckdb(self, expression: Any) -> Any:
        name = _new_name()
        self.ask(lambda: self.backend.raw_sql(f'CREATE TEMPORARY TABLE "{name}" AS {self._sql(expression)}'))
        self._kept.append(lambda: self.backend.raw_sql(f'DROP TABLE "{name}"'))
        return self.backend.table(name)

    def _keep_in_spark(self, expression: Any) -> Any:
        frame = self.backend._session.sql(self._sql(expression)).persist()
        self._kept.append(frame.unpersist)
        return self.view(frame)

    def _sql(self, expression: Any) -> str:
        self.backend._run_pre_execute_hooks(expression)  # lets the engine know of the tables of codes
        return str(self.backend.compile(expression))


def _in_job_group(question: Callable[[], Found], context: Any, group: str) -> Callable[[], Found]:
    """Have Spark know what belongs to a question, so that it can be told to stop it and nothing else."""

    def asked() -> Found:
        context.setJobGroup(group, "discoreport")
        return question()

    return asked


def _new_name() -> str:
    """Make up a name for a table that no other has."""
    return f"discoreport_{uuid.uuid4().hex}"


@contextlib.contextmanager
def connect_duckdb(engine: Engine) -> Iterator[Connection]:
    """Start DuckDB with a temporary directory that is gone afterwards, whatever happens."""
    ibis = _import("ibis", "duckdb")
    _import("duckdb", "duckdb")
    with _temporary_directory(engine) as folder:
        settings: dict[str, Any] = {
            "temp_directory": folder,
            "preserve_insertion_order": False,
            "autoinstall_known_extensions": False,  # nothing is fetched
            "disabled_optimizers": "statistics_propagation",  # believes the extremes in Parquet files, which omit NaN
        }
        if engine.memory_limit is not None:
            settings["memory_limit"] = engine.memory_limit
        with clear_errors():
            backend = ibis.duckdb.connect(**settings)
        try:
            yield Connection("duckdb", backend)
        finally:
            backend.disconnect()


@contextlib.contextmanager
def connect_spark(engine: Engine) -> Iterator[Connection]:
    """Start Spark, or use the session that runs already; one that was started here ends here."""
    ibis = _import("ibis", "spark")
    sql = _import("pyspark.sql", "spark")
    running = sql.SparkSession.getActiveSession()
    if running is not None:
        if engine.spark_master not in (None, running.sparkContext.master):
            raise SettingsError(
                f"Spark runs already, with master '{running.sparkContext.master}': stop that session, or leave out "
                f"spark_master='{engine.spark_master}'."
            )
        yield Connection("spark", ibis.pyspark.connect(running))
        return
    master = engine.spark_master or "local[*]"
    with _temporary_directory(engine) as folder:
        builder = sql.SparkSession.builder.master(master).appName("discoreport")
        for name, value in _spark_settings(master, folder).items():
            builder = builder.config(name, value)
        with clear_errors():
            session = builder.getOrCreate()
        try:
            session.sparkContext.setLogLevel("OFF")  # an error comes as an exception; the log would quote a record
            yield Connection("spark", ibis.pyspark.connect(session))
        finally:
            session.stop()


def _spark_settings(master: str, folder: str) -> dict[str, str]:
    settings = {
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.ansi.enabled": "true",  # an error rather than a wrong number
        "spark.sql.autoBroadcastJoinThreshold": "64MB",
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if master.startswith("local"):
        here = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.local.dir": folder}
        settings |= {**here, "spark.sql.shuffle.partitions": "8"}
    return settings


def _temporary_directory(engine: Engine) -> tempfile.TemporaryDirectory[str]:
    parent = engine.temporary_directory
    if parent is not None and not Path(parent).is_dir():
        raise SettingsError(f"No temporary directory '{parent}'.")
    try:
        return tempfile.TemporaryDirectory(prefix="discoreport-", dir=parent, ignore_cleanup_errors=True)
    except OSError as error:
        raise SettingsError(
            f"Can't write into the temporary directory '{parent or tempfile.gettempdir()}': {error.strerror}. "
            "Name another one: temporary_directory."
        ) from None


def _import(module: str, engine: str) -> ModuleType:
    return require_package(module, engine, f"The engine '{engine}' needs")


def is_nan(column: Any) -> Any:
    """Tell record by record whether a floating-point column is not a number.

    By its text: DuckDB skips parts of a Parquet file by the extremes that the file states, and these omit NaN.
    """
    return column.cast("string").lower() == "nan"


@contextlib.contextmanager
def clear_errors() -> Iterator[None]:
    """Say in one line what an engine couldn't do."""
    try:
        yield
    except Exception as error:
        module = type(error).__module__.partition(".")[0]
        text = str(error)
        if text == "Query interrupted" or (module in {"duckdb", "_duckdb"} and "INTERRUPT" in text.upper()):
            raise KeyboardInterrupt from None
        if module not in {"duckdb", "_duckdb", "pyspark", "py4j", "ibis"}:
            raise
        # The first line says what is wrong; further ones, and what is quoted, may be somebody's record.
        said = re.sub(r"\"[^\"]*\"|'[^']*'", "'...'", text.strip().split("\n")[0])[:200]
        classes = re.findall(r"\[([A-Z]+(?:_[A-Z]+)+)[].]", text) if module == "py4j" else []
        if classes:  # Spark's own names for what went wrong, the cause last
            said = classes[-1].replace("_", " ").lower()
        if "No space left" in text or "max_temp_directory_size" in text:
            raise DataError(
                f"The disk of the temporary directory is full. Name another one with temporary_directory. ({said})"
            ) from error
        if "OutOfMemory" in type(error).__name__ or "OutOfMemoryError" in text:
            raise DataError(f"The engine needs more memory than it may use: raise memory_limit. ({said})") from error
        raise DataError(f"The engine can't count these files: {said}") from error
