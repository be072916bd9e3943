"""One file or frame as the rest of the engine sees it: named columns, and what the file says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from discoreport.data.distinct_values import Column, distinct, has_one_value, has_value, is_plain, without
from discoreport.data.level_text import is_among
from discoreport.data.readers.source_file import HINT
from discoreport.errors import DataError, suggest

NO_NAME = "(no name)"


@dataclass(frozen=True)
class Table:
    """One file or frame.

    Parameters
    ----------
    name
        File name, or what the frame is to be called.
    columns
        Variables by name, in the order of the file; shape (records,) each.
    labels
        What a variable is called in words, where the file says so.
    value_labels
        For each variable its levels' labels by level text, where the file has them.
    missing_codes
        For each variable the levels, as text, that the file declares as missing although they are values.
    notes
        What had to be decided to read the file.
    doubts
        What is to be warned of about it.
    sha256
        Fingerprint of the file; None for a frame.
    path
        As it was given; None for a frame.
    delimiter
        Where it is read from a text file: the sign between its fields.
    decimal
        The decimal sign of such a file, where it is given.
    read_as
        How the file was to be read; see `File`.
    warnings
        What else the file holds and nobody assesses; of the original it concerns nobody who gets the synthetic file.
    unreadable
        For each column whose values can't be read, why.
    marks
        For each variable the levels that are to be taken for missing values; see `discoreport.data.missing_values`.
    """

    name: str
    columns: Mapping[str, Column]
    labels: Mapping[str, str] = field(default_factory=dict)
    value_labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    missing_codes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    sha256: str | None = None
    path: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    read_as: Mapping[str, str | int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def n_records(self) -> int:
        """Number of records."""
        return len(next(iter(self.columns.values()))) if self.columns else 0

    def column(self, name: str) -> Any:
        """Give one variable, if it can be read, without the levels that are to be taken for missing values."""
        if name in self.unreadable:
            raise DataError(f"Column '{name}' of '{self.name}' can't be read: {self.unreadable[name]}.")
        column = self.columns[name]
        return without(column, name, self.marks[name]) if name in self.marks else column

    def problem(self, name: str) -> str:
        """Say why a variable has no levels to compare; empty where it has."""
        try:
            self.column(name)
            if not is_plain(self.columns[name]):
                distinct(self.columns[name], name)
        except DataError as error:
            return str(error)
        return ""

    def holds(self, name: str, levels: Collection[str]) -> bool:
        """Tell whether a record has one of some levels, as `is_among` compares them."""
        texts = distinct(self.columns[name], name).level_texts() if name in self.columns else ()
        return any(is_among(text, levels) for text in texts)

    def without_values(self, names: Sequence[str]) -> set[str]:
        """Find the columns that have a value in no record."""
        return {name for name in names if not has_value(self.column(name))}

    def with_one_value(self, names: Sequence[str]) -> set[str]:
        """Find the columns that have one and the same value in all records, or none in any."""
        return {name for name in names if has_one_value(self.columns[name], name)}


def unique(names: Sequence[object], where: str, hint: str = "Rename one of the columns.") -> list[str]:
    """Write names as text, and raise where one occurs twice."""
    written = [str(name) for name in names]
    twice = [name for name, n in Counter(written).items() if n > 1]
    if twice:
        raise DataError(f"{where}: the column name '{twice[0]}' occurs twice. {hint}")
    return written


def readable_name(name: str) -> str:
    """Write the name of a variable; one that is empty is said to be."""
    return name if name.strip() else NO_NAME


def shared_columns(tables: Sequence[Table]) -> list[str]:
    """List the columns that every table has, in the order of the first."""
    return [name for name in tables[0].columns if all(name in table.columns for table in tables[1:])]


def require_columns(names: Sequence[str], tables: Sequence[Table]) -> None:
    """Raise where a table lacks one of the columns.

    Raises
    ------
    DataError
        Naming the column, the table, the nearest name and all columns.
    """
    for name in names:
        for table in tables:
            if name not in table.columns:
                hint = f" {HINT}" if len(table.columns) == 1 and table.delimiter is not None else ""
                raise DataError(f"No column '{name}' in '{table.name}'. {suggest(name, table.columns)}{hint}")
