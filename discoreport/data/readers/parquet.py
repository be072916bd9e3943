"""Parquet files -> tables; and what engines that read them themselves have to know of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from discoreport.data.interruptible_call import wait_for
from discoreport.data.readers.source_file import File
from discoreport.data.table import Table, unique
from discoreport.errors import library_reading

INDEX = "__index_level_"
"""How the name begins of a column that pandas made of the index of a frame."""
_TECHNICAL = {"pandas", "PANDAS_ATTRS", "ARROW:schema", "huggingface", "r", "geo"}
_PROGRAMS = ("org.apache.", "parquet.", "writer.")
"""How the names begin under which programs keep what they need to read a file again."""


def read_parquet(path: Path, content: bytes, _: File) -> Table:
    """Read a Parquet file.

    Raises
    ------
    DataError
        Where it isn't a whole one, or has a name twice.
    """
    with library_reading(path.name, "Parquet file"):
        schema = pq.read_schema(pa.BufferReader(content))
    texts = [entry.name for entry in schema if pa.types.is_string(entry.type) or pa.types.is_large_string(entry.type)]
    names = unique(schema.names, path.name)
    with library_reading(path.name, "Parquet file"):
        table = wait_for(lambda: pq.read_table(pa.BufferReader(content), read_dictionary=texts))
    columns = dict(zip(names, table.columns, strict=True))
    left = [name for name in names if name.startswith(INDEX) and _numbers_rows(columns[name])]
    kept = {name: column for name, column in columns.items() if name not in left}
    return Table(path.name, kept, notes=(*notes_of(schema), *map(numbering, left)))


def numbering(name: str) -> str:
    """Say that an index column was left aside."""
    return f"the index column '{name}' does nothing but number the rows, and was left aside"


def _numbers_rows(column: pa.ChunkedArray) -> bool:
    """Tell whether values are as many whole numbers in a row, in any order: that is no more than a place."""
    if not pa.types.is_integer(column.type) or column.null_count or not len(column):
        return False
    ends = pc.min_max(column).as_py()
    return bool(ends["max"] - ends["min"] + 1 == len(column) == pc.count_distinct(column).as_py())


def notes_of(schema: pa.Schema) -> list[str]:
    """Name what a file says beside its columns, by the names under which it does."""
    metadata = {key.decode("utf-8", "replace"): value for key, value in (schema.metadata or {}).items()}
    said = [key for key in metadata if key not in _TECHNICAL and not key.startswith(_PROGRAMS)]
    said += ["pandas attributes"] if _attributes(metadata.get("pandas")) else []
    return [f"it holds metadata, which were not assessed: {', '.join(said)}"] if said else []


def _attributes(described: bytes | None) -> Any:
    try:
        content = json.loads(described or b"{}")
    except ValueError:
        return None
    return content.get("attributes") if isinstance(content, dict) else None
