"""Text files with a sign between their fields -> tables: encoding, delimiter, fields."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import itertools
import re
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pa_csv

from discoreport.data.distinct_values import Column
from discoreport.data.interruptible_call import wait_for
from discoreport.data.readers.malformed_csv import CHUNK, require_regular
from discoreport.data.readers.source_file import HINT, File
from discoreport.data.table import Table, unique
from discoreport.errors import DataError

MISSING_MARKS = (
    "NA", "N/A", "NaN", "nan", "NULL", "null", "None", ".",
    "#N/A", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!",
)  # fmt: skip
"""Texts that mean "missing" in a column of numbers. In a column of text they are levels like any other."""
ZERO_BYTES = "holds zero bytes: it isn't a text file, or it is in UTF-16, where encoding = 'utf-16-le' would do"
_SAMPLE = 20
"""Lines among which the sign between fields is looked for."""


def read_delimited(path: Path, raw: bytes, file: File) -> Table:
    """Read a CSV file or one of its kin, compressed or not.

    Parameters
    ----------
    path
        What it is called.
    raw
        What is in it: UTF-8, UTF-16 with its mark, or else Windows-1252.
    file
        What is given of it: encoding, sign between fields, decimal sign, rows to skip.

    Returns
    -------
    Table
        Columns of text; what they denote is found when all files are compared
        (`discoreport.data.texts_as_numbers`). Empty
        fields are missing.

    Raises
    ------
    DataError
        Where it isn't a regular table of text. The message quotes no record.
    """
    if raw[:2] == b"\x1f\x8b":
        try:
            raw = gzip.decompress(raw)
        except gzip.BadGzipFile:  # whose message quotes the file
            raise DataError(f"'{path.name}' is not a whole gzip file.") from None
        except (EOFError, zlib.error) as error:
            raise DataError(f"'{path.name}' is not a whole gzip file: {error}.") from None
    text, notes = _decoded(raw, path, file.encoding)
    if "\0" in text:
        raise DataError(f"'{path.name}' {ZERO_BYTES}.")
    text = after_rows(text, file.skip_rows or 0)
    delimiter, names, n_lines = header_of(text, path, file.delimiter)
    unique(names, path.name, HINT)
    raw = text.encode("utf-8")
    del text  # as large as the file, and no longer needed
    pieces = (raw[at : at + CHUNK] for at in range(0, len(raw), CHUNK))
    lines = require_regular(pieces, delimiter, len(names), path.name, file.skip_rows or 0)
    try:
        table = wait_for(lambda: _table_of(raw, delimiter, names, n_lines))
    except pa.ArrowInvalid as error:
        if "Empty CSV file" in str(error) or "Could not skip initial" in str(error):
            raise DataError(f"'{path.name}' has no records. An empty file can't be assessed.{file.as_read}") from None
        # Only how many columns: the rest of Arrow's message quotes the record.
        told = re.search(r"Expected \d+ columns, got \d+", str(error))
        raise DataError(
            f"'{path.name}' isn't a regular table: {told.group() if told else 'a line is broken'}. {HINT}"
        ) from None
    columns: dict[str, Column] = dict(zip(names, table.columns, strict=True))
    return Table(path.name, columns, notes=tuple(notes), doubts=lines.doubts, delimiter=delimiter, decimal=file.decimal)


def _table_of(raw: bytes, delimiter: str, names: list[str], n_lines: int) -> pa.Table:
    """Split a text whose header takes some lines into columns of text."""
    return pa_csv.read_csv(
        pa.BufferReader(raw),
        read_options=pa_csv.ReadOptions(column_names=names, skip_rows=n_lines),
        parse_options=pa_csv.ParseOptions(
            delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=len(names) > 1
        ),
        convert_options=pa_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.dictionary(pa.int32(), pa.string())),
            null_values=[""],
            strings_can_be_null=True,
        ),
    )


def _decoded(raw: bytes, path: Path, encoding: str | None) -> tuple[str, list[str]]:
    """Give the text of a file, and what had to be decided to read it.

    Nothing is guessed from the letters: charset-normalizer reads the same ü as cp1250 in one file and cp775 in the
    next, and then the levels of original and synthetic file would not meet.
    """
    if encoding is not None:
        try:
            return raw.decode(encoding).removeprefix("\ufeff"), []
        except (UnicodeError, ValueError):
            raise DataError(f"'{path.name}' isn't in {encoding}. Name another encoding, or save it as UTF-8.") from None
    for tried in ("utf-16",) if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            return raw.decode(tried), ["not in UTF-8; read as Windows-1252"] if tried == "cp1252" else []
    raise DataError(
        f"'{path.name}' is neither in UTF-8 nor in Windows-1252. Save it as UTF-8, or name its encoding, such as "
        "encoding = 'cp1250'."
    )


def header_of(text: str, path: Path, delimiter: str | None = None) -> tuple[str, list[str], int]:
    """Read the header line.

    Parameters
    ----------
    text
        That begins with it.
    path
        Of the file.
    delimiter
        The sign between fields, where it is given.

    Returns
    -------
    str, list of str, int
        The sign between fields, their names, and how many lines of the file the header takes.

    Raises
    ------
    DataError
        Where there is none, or it isn't regular.
    """
    try:
        delimiter = delimiter or ("\t" if path.suffix.lower() == ".tsv" else _delimiter_of(text))
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        names = next(reader, [])
    except csv.Error as error:
        raise DataError(f"'{path.name}' isn't a regular table: {error}.") from None
    if not names:
        raise DataError(f"'{path.name}' has no header line. {HINT}")
    return delimiter, names, reader.line_num


def after_rows(text: str, n_rows: int) -> str:
    """Leave out the first lines of a text, however they end."""
    ends = [found.end() for found in itertools.islice(re.finditer("\r\n?|\n", text), n_rows)]
    return text if not n_rows else text[ends[-1] :] if len(ends) == n_rows else ""


def _delimiter_of(text: str) -> str:
    """Take the sign that splits the first lines into most fields: as many in each as in the header, if one does."""
    lines = re.split("\r\n?|\n", text, maxsplit=_SAMPLE)[:_SAMPLE]
    if len(lines) == _SAMPLE or not lines[-1]:
        lines = lines[:-1] or lines  # the last may go on
    widths = {}
    for sign in ",;\t|":
        header, *rows = [len(row) for row in csv.reader([line + "\n" for line in lines], delimiter=sign)]
        regular = bool(rows) and header > 1 and all(width == header for width in rows if width)
        widths[sign] = regular, header
    return max(widths, key=lambda sign: widths[sign])
