"""One table of an engine: its files, and what is asked of its columns before they are coded."""

from __future__ import annotations

import glob
import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from discoreport.data.engine.connection import is_nan
from discoreport.data.level_text import number_of, text_as_number
from discoreport.data.table import Table
from discoreport.errors import DataError
from discoreport.files import inside, require_readable, sha256_of

PARQUET = ".parquet"
_FIRST = 1000
"""Records that are looked at before all of them are."""


_INFINITE = ("inf", "-inf")


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
            now = (state_of(files), fingerprint_of(files))
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


def files_of(source: str | Path) -> list[Path]:
    """List the files that a path, a folder or a glob stands for, in order; empty where there are none."""
    path = Path(source)
    require_readable(path)
    if path.is_dir():
        try:
            return sorted(file for file in inside(path) if file.name.endswith(PARQUET) and file.is_file())
        except OSError as error:
            raise DataError(f"Can't read all of '{path}': {error.strerror}: '{error.filename}'.") from None
    if path.is_file():
        return [path]
    found = glob.glob(str(source), recursive=True)  # noqa: PTH207  # Path.glob takes no absolute patterns
    return sorted(Path(file) for file in found if Path(file).is_file())


def fingerprint_of(files: Sequence[Path]) -> str | None:
    """Take the SHA-256 of a file; of several, that of the list of theirs."""
    if not files:
        return None
    digests = [sha256_of(path) for path in files]
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()


def state_of(files: Sequence[Path]) -> tuple[object, ...]:
    """Take down what changes whenever somebody writes to one of some files, or moves another to its place."""
    found = [(file, file.stat()) for file in files]
    return tuple((str(file), now.st_size, now.st_mtime_ns, now.st_ctime_ns) for file, now in found)
