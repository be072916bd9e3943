"""Levels that mean "missing" in some variables, in every file: found, and set on the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from discoreport.data.harmonise import codes_by_label
from discoreport.data.level_text import text_as_number
from discoreport.data.table import Table
from discoreport.errors import SettingsError

SomeTable = TypeVar("SomeTable", bound=Table)


def marked(tables: Sequence[SomeTable], missing_values: Mapping[str, Sequence[str]]) -> list[SomeTable]:
    """Take some levels for missing values, whichever way a file writes them.

    Parameters
    ----------
    tables
        The original first. Their records stay as they are; `Table.column` leaves the levels out.
    missing_values
        For each variable, which every file has, its levels or their value labels.

    Raises
    ------
    SettingsError
        Where a level occurs in no file: it may be misspelt.
    """
    marks: dict[str, frozenset[str]] = {}
    for name, levels in missing_values.items():
        labels = [table.value_labels.get(name, {}) for table in tables]
        by_level = {level: _writings(level, labels) for level in levels}
        for level, writings in by_level.items():
            if not any(table.holds(name, writings) for table in tables):
                raise SettingsError(f"missing_values: '{name}' has no value {level!r} in any file.")
        marks[name] = frozenset().union(*by_level.values())
    return [replace(table, marks=marks) for table in tables] if marks else list(tables)


def _writings(level: str, labels: Sequence[Mapping[str, str]]) -> frozenset[str]:
    """Give a level, and what else denotes it: its value label, or the value that it is the label of."""
    written = {level, text_as_number(level)}
    for label, text in codes_by_label(labels).items():
        if written & {label, text}:
            written |= {label, text}
    return frozenset(written)
