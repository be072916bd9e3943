"""Files that an engine is to read: looked through before, since engines read what differs without a word."""

from __future__ import annotations

import codecs
import gzip
import itertools
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from discoreport.data.readers.delimited import ZERO_BYTES, after_rows, header_of
from discoreport.data.readers.malformed_csv import CHUNK, require_regular
from discoreport.data.readers.parquet import notes_of
from discoreport.data.readers.source_file import File
from discoreport.data.table import unique
from discoreport.errors import DataError, library_reading


def check_parquet(files: Sequence[Path]) -> list[str]:
    """Read what the files say of their columns; an engine might silently convert or fill what differs.

    Gives what they say beside.
    """
    notes: dict[str, None] = {}

    def schemas() -> Iterator[tuple[str, dict[str, str]]]:
        for file in files:
            with library_reading(file.name, "Parquet file"):
                schema = pq.read_schema(file)
            require_distinct(schema.names, file)
            notes.update(dict.fromkeys(notes_of(schema)))
            yield file.name, {entry.name: _type_name(entry.type) for entry in schema}

    check_schemas(schemas())
    return list(notes)


def types_in(files: Sequence[Path], is_one: Callable[[Any], bool]) -> dict[str, Any]:
    """Give the columns of some types, such as durations, with their type; all files have the same."""
    return {entry.name: entry.type for entry in pq.read_schema(files[0]) if is_one(entry.type)} if files else {}


def _type_name(kind: Any) -> str:
    return _type_name(kind.value_type) if pa.types.is_dictionary(kind) else str(kind).removeprefix("large_")


def check_schemas(schemas: Iterator[tuple[str, Any]]) -> None:
    """Raise where files differ in their columns or in how they store them."""
    first_name, first = next(schemas, ("", None))
    for name, schema in schemas:
        if schema == first:
            continue
        if not isinstance(schema, dict) or first is None:
            raise DataError(f"The files differ in their columns: '{first_name}' has {first}, '{name}' has {schema}.")
        for column in [*first, *schema]:
            if column not in schema or column not in first:
                lacks, has = (name, first_name) if column not in schema else (first_name, name)
                raise DataError(
                    f"'{lacks}' has no column '{column}', '{has}' has one. All files must have the same columns."
                )
            if first[column] != schema[column]:
                raise DataError(
                    f"Column '{column}' is stored as {first[column]} in '{first_name}' and as {schema[column]} in "
                    f"'{name}'. Store it in one type in all files."
                )


def require_distinct(names: Sequence[str], file: Path) -> None:
    """Raise where a name occurs twice, capitals aside."""
    unique(names, file.name)
    if "" in names:
        raise DataError(
            f"'{file.name}': engines beyond memory don't take a column without a name. Give it one, or use the engine "
            "'memory'."
        )
    last = {name.lower(): name for name in names}
    for name in names:
        if last[name.lower()] != name:
            raise DataError(
                f"'{file.name}': engines beyond memory don't tell the columns '{name}' and '{last[name.lower()]}' "
                "apart. Rename one of them."
            )


def check_csv(files: Sequence[Path], given: File) -> tuple[str, list[str], tuple[str, ...]]:
    """Give the sign between fields, the names of the columns, which all files must have alike, and what is doubtful."""
    heads = [_looked_through(file, given) for file in files]
    for file, (delimiter, names, _) in zip(files, heads, strict=True):
        if (delimiter, names) != heads[0][:2]:
            raise DataError(
                f"'{file.name}' has the columns {', '.join(names)}, '{files[0].name}' has {', '.join(heads[0][1])}. "
                "All files must have the same columns in the same order."
            )
    return *heads[0][:2], tuple(doubt for *_, doubts in heads for doubt in doubts)


def _looked_through(file: Path, given: File) -> tuple[str, list[str], tuple[str, ...]]:
    """Read the header line, and all else to see that it is a table: engines read what isn't without a word."""
    opened = gzip.open if file.suffix == ".gz" else open
    try:
        with opened(file, "rb") as raw:
            pieces = _text_of(iter(lambda: raw.read(CHUNK), b""), file)
            first = after_rows(next(pieces, b"").decode("utf-8", "surrogateescape"), given.skip_rows or 0)
            delimiter, names, _ = header_of(first, file, given.delimiter)
            require_distinct(names, file)
            lines = require_regular(
                itertools.chain([first.encode("utf-8", "surrogateescape")], pieces),
                delimiter,
                len(names),
                file.name,
                given.skip_rows or 0,
            )
    except gzip.BadGzipFile:  # whose message quotes the file
        raise DataError(f"'{file.name}' is not a whole gzip file.") from None
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"'{file.name}' can't be read: {error}") from None
    if lines.mixed:
        raise DataError(
            f"'{file.name}': some lines end as on Windows and some don't, which engines beyond memory don't take. "
            "Save it with line ends of one kind, or use the engine 'memory'."
        )
    return delimiter, names, lines.doubts


def _text_of(pieces: Iterator[bytes], file: Path) -> Iterator[bytes]:
    """Pass on the pieces of a text without its byte order mark; raise where it isn't text in UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    first = True
    for piece in itertools.chain(pieces, [b""]):
        try:
            decoder.decode(piece, final=not piece)
        except UnicodeDecodeError:
            raise DataError(
                f"'{file.name}' can't be read as UTF-8. Save it as UTF-8, or name its "
                "encoding and use the engine 'memory'."
            ) from None
        if b"\0" in piece:
            raise DataError(f"'{file.name}' {ZERO_BYTES} with the engine 'memory'.")
        yield piece.removeprefix(codecs.BOM_UTF8) if first else piece
        first = False
