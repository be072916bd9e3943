"""Excel files -> tables: which sheet, its names and marks, and what else the file holds."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from discoreport.data.distinct_values import Column
from discoreport.data.readers.delimited import MISSING_MARKS
from discoreport.data.readers.source_file import File
from discoreport.data.table import Table, unique
from discoreport.errors import DataError, library_reading, require_package, suggest

_ERROR_CELL = re.compile(rb'<c\b(?=[^>]*\bt="e")[^>]*\br="([A-Z]+)(\d+)"')
_CELL = re.compile(rb'<c\b[^>]*?\br="([A-Z]+)(\d+)"')
_EMPTY_CELLS, _SPARSE = 10_000_000, 50
"""A sheet may have this many cells, or this many for each that is filled."""
_UNPACKED, _TIMES_PACKED = 2**24, 100
"""A file may unpack to this many bytes, or to this many times its own: those of 100,000 records do to 9 to 12 times."""
_HIDDEN = re.compile(rb'<(col|row)\b(?=[^>]*\bhidden="(?:1|true)")')
_TOLD = re.compile(r"docProps/(core|custom)\.xml|xl/.*(comments|threadedComments?/?).*\.xml")
"""The parts of the file that say something besides its sheets."""
_PROPERTY = re.compile(rb"<(?:\w+:)?(creator|lastModifiedBy|title|subject|description|keywords|category)\b[^>]*>[^<]")


def read_excel(path: Path, content: bytes, file: File) -> Table:
    """Read one sheet of an Excel file.

    Parameters
    ----------
    path
        What it is called.
    content
        What is in it.
    file
        Which sheet, by default the first in sight that holds anything, and how many rows to skip.

    Raises
    ------
    DataError
        Where it isn't a whole file, or has no such sheet.
    """
    require_package("openpyxl", "files", "Excel files need")
    _require_unpacks(path, content)
    with library_reading(path.name, "Excel file"), pd.ExcelFile(io.BytesIO(content), engine="openpyxl") as book:
        hidden = {sheet.title for sheet in book.book.worksheets if sheet.sheet_state != "visible"}
        parts = {sheet.title: getattr(sheet, "_worksheet_path", "") for sheet in book.book.worksheets}
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            inside = {part: package.read(part) for part in package.namelist() if _TOLD.match(part)}
            read = {name: package.read(part) for name, part in parts.items() if part in package.namelist()}
        for name, part in read.items():
            _require_filled(path, name, part)
        sheets = pd.read_excel(book, sheet_name=None, header=None, keep_default_na=False, na_values=[""])
    filled = {str(name): sheet for name, sheet in sheets.items() if not sheet.empty}
    name = _chosen(path, file, list(map(str, sheets)), filled, hidden)
    part, warnings = read.get(name, b""), [*_aside(filled, name, hidden), *_comments(inside)]
    sheet = filled[name].iloc[file.skip_rows or 0 :]
    if sheet.empty:
        raise DataError(f"'{path.name}' has no records. An empty file can't be assessed.{file.as_read}")
    if len(sheet) == 1 and len(filled) > 1:
        others = ", ".join(repr(other) for other in filled if other != name)
        raise DataError(f"Sheet '{name}' of '{path.name}' has no records. Name another one with sheet: {others}.")
    hint = "If its table begins further down or in another sheet, say so with skip_rows or sheet."
    names = unique(["" if pd.isna(value) else value for value in sheet.iloc[0]], path.name, hint)
    notes = [*_of_sheet(part, name, len(filled), name in hidden), *_beside(inside)]
    errors = Counter(
        _place(column) for column, row in _ERROR_CELL.findall(part) if int(row) > 1 + (file.skip_rows or 0)
    )
    columns: dict[str, Column] = {}
    for place, column_name in enumerate(names):
        column = sheet.iloc[1:, place]
        marks = column.isin(MISSING_MARKS)
        if errors[place]:
            notes.append(f"'{column_name}': {errors[place]:,} error cells (such as #DIV/0!) read as missing")
        if marks.any() and pd.api.types.is_numeric_dtype(column[~marks].infer_objects().dtype):
            notes.append(f"'{column_name}': {', '.join(map(repr, column[marks].unique()))} read as missing")
            column = column.mask(marks)
        columns[column_name] = column.infer_objects()
    return Table(path.name, columns, notes=tuple(notes), warnings=tuple(warnings))


def _require_unpacks(path: Path, content: bytes) -> None:
    """Refuse a small file that would take minutes and the memory, before it is unpacked."""
    with library_reading(path.name, "Excel file"), zipfile.ZipFile(io.BytesIO(content)) as package:
        size = sum(part.file_size for part in package.infolist())
    if size > max(_UNPACKED, _TIMES_PACKED * len(content)):
        raise DataError(
            f"'{path.name}' unpacks to {size / 1e6:,.0f} MB, {size // len(content):,} times its size, as no table of "
            "records does. Save it as CSV."
        )


def _require_filled(path: Path, name: str, part: bytes) -> None:
    """Refuse a sheet that is empty but for a stray cell far away: all the cells between would fill the memory."""
    cells = _CELL.findall(part)
    columns, rows = {column for column, _ in cells}, {int(row) for _, row in cells}
    width = max(map(_place, columns), default=-1) + 1
    height = max(rows, default=0)
    if width * height > max(_EMPTY_CELLS, _SPARSE * len(cells)):
        last = max(columns, key=_place).decode()
        raise DataError(
            f"'{path.name}': sheet '{name}' reaches to column {last} and row {height:,}, but only {len(cells):,} of "
            "its cells are filled. Remove the stray cells far away, or save the table as CSV."
        )


def _chosen(path: Path, file: File, names: list[str], filled: dict[str, Any], hidden: set[str]) -> str:
    """Choose the sheet: the one that is asked for, else the first in sight that holds anything."""
    if file.sheet is not None:
        name = names[file.sheet - 1] if isinstance(file.sheet, int) and file.sheet <= len(names) else file.sheet
        if name not in filled:
            raise DataError(
                f"'{path.name}' has no sheet {file.sheet!r} that holds anything. {suggest(str(name), filled)}"
            )
        return str(name)
    if not filled:
        raise DataError(f"'{path.name}' has no records. An empty file can't be assessed.")
    return next((name for name in filled if name not in hidden), next(iter(filled)))


def _of_sheet(part: bytes, name: str, n_sheets: int, is_hidden: bool) -> Iterator[str]:
    """Say which sheet is read, and what of it is out of sight."""
    if n_sheets > 1 or is_hidden:
        others = f", {n_sheets - 1} other sheets left" if n_sheets > 1 else ""
        yield f"{'hidden ' if is_hidden else ''}sheet '{name}' read{others}"
    found = Counter(_HIDDEN.findall(part))
    for kind, words in ((b"col", "columns"), (b"row", "rows")):
        if found[kind]:
            yield f"sheet '{name}' has hidden {words}; they were read like the others"


def _aside(filled: dict[str, Any], name: str, hidden: set[str]) -> Iterator[str]:
    """Name the other sheets that look like data: that have its names, or nearly as many rows."""
    read = filled[name]
    ours = {str(value) for value in read.head(_TITLES).to_numpy().ravel() if isinstance(value, str)}
    for other, sheet in filled.items():
        if other == name:
            continue
        theirs = {str(value) for value in sheet.head(_TITLES).to_numpy().ravel() if isinstance(value, str)}
        alike = len(ours & theirs) * 2 > min(len(ours), len(theirs)) and len(sheet) > 1
        if alike or (len(sheet) * 2 > len(read) and len(sheet) > _FEW_ROWS):
            kind = "hidden sheet" if other in hidden else "sheet"
            yield (
                f"{kind} '{other}' looks like data ({len(sheet) - 1:,} rows) and was not assessed: remove it, or "
                "assess it as a file of its own with sheet"
            )


_TITLES = 5
"""Rows among which the names of a sheet are looked for."""
_FEW_ROWS = 20
"""A sheet with no more rows is a note."""


def _comments(inside: dict[str, bytes]) -> Iterator[str]:
    n_comments = sum(part.count(b"<comment ") + part.count(b"<threadedComment ") for part in inside.values())
    if n_comments:
        yield f"{n_comments:,} comments on cells were not assessed: remove them before release"


def _beside(inside: dict[str, bytes]) -> Iterator[str]:
    """Name what the file says of itself."""
    core = inside.get("docProps/core.xml", b"")
    found = {name.decode() for name in _PROPERTY.findall(core)} - ({"creator"} if b">openpyxl<" in core else set())
    filled = sorted(found) + (["custom properties"] if "docProps/custom.xml" in inside else [])
    if filled:
        yield f"document properties are filled in: {', '.join(filled)}"


def _place(column: bytes) -> int:
    """Give the place of a column from 0 by its letters."""
    place = 0
    for letter in column:
        place = place * 26 + letter - ord("A") + 1
    return place - 1
