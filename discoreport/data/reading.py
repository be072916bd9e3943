"""Files and frames -> tables: named columns, what the file says of them, and the file's fingerprint."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from discoreport.data.distinct import Column
from discoreport.data.levels import decimal_text, level_text
from discoreport.errors import DataError, MissingPackageError, suggest

_NUMBER = r"^-?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][+-]?[0-9]+)?$"
_FEW = 10
_EXACT_DIGITS = 15
"""Numerals up to this length are told apart by floating-point numbers."""
MISSING_MARKS = ("NA", "N/A", "NaN", "nan", "NULL", "null", "None", "#N/A", ".")
"""Texts that mean "missing" in a column of numbers. In a column of text they are levels like any other."""


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
    notes
        What had to be decided to read the file.
    sha256
        Fingerprint of the file; None for a frame.
    path
        As it was given; None for a frame.
    """

    name: str
    columns: Mapping[str, Column]
    labels: Mapping[str, str] = field(default_factory=dict)
    value_labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    sha256: str | None = None
    path: str | None = None

    @property
    def n_records(self) -> int:
        """Number of records."""
        return len(next(iter(self.columns.values()))) if self.columns else 0


def read(source: object, name: str) -> Table:
    """Read a file, or take a frame.

    Parameters
    ----------
    source
        A path (.csv, .csv.gz, .tsv, .txt, .parquet, .xlsx, .sav, .zsav, .por, .dta, .sas7bdat, .xpt)
        or a pandas, Polars or PyArrow table. It is never changed.
    name
        What to call a frame, which has no name of its own.

    Returns
    -------
    Table
        With at least one record and no name twice.

    Raises
    ------
    DataError
        Where there is no such file, it can't be read, it is empty, or a column name occurs twice.
    MissingPackageError
        Where reading this format needs the extra ``files``.
    """
    if isinstance(source, str | Path):
        table = _read_file(Path(source))
    elif isinstance(source, Table):
        table = source
    else:
        table = Table(name, _columns_of(source))
    if not table.columns:
        raise DataError(f"'{table.name}' has no columns.")
    if table.n_records == 0:
        raise DataError(f"'{table.name}' has no records. An empty file can't be assessed.")
    return table


def _unique(names: Sequence[object], where: str) -> list[str]:
    written = [str(name) for name in names]
    twice = [name for name, n in Counter(written).items() if n > 1]
    if twice:
        raise DataError(f"{where}: the column name '{twice[0]}' occurs twice. Rename one of the columns.")
    return written


def _columns_of(frame: object) -> dict[str, Column]:
    if isinstance(frame, pd.DataFrame):
        names = _unique(list(frame.columns), "data frame")
        return {name: frame.iloc[:, place] for place, name in enumerate(names)}
    if isinstance(frame, pa.Table):
        return dict(zip(_unique(frame.column_names, "table"), frame.columns, strict=True))
    try:
        native = nw.from_native(frame)  # type: ignore[call-overload]
    except TypeError:
        raise DataError(
            f"Can't read a {type(frame).__name__}. Give a path, or a pandas, Polars or PyArrow table."
        ) from None
    eager = native.collect() if isinstance(native, nw.LazyFrame) else native
    if not isinstance(eager, nw.DataFrame):
        raise DataError("Give a table, not a single column.")
    return _columns_of(eager.to_arrow())


def _read_file(path: Path) -> Table:
    if path.is_dir():
        raise DataError(f"'{path}' is a folder. Name a file in it.")
    if not path.is_file():
        beside = [other.name for other in path.parent.iterdir() if other.is_file()] if path.parent.is_dir() else []
        empty = "Its folder is empty." if path.parent.is_dir() else "Its folder doesn't exist."
        hint = suggest(path.name, sorted(beside), listed=len(beside) <= _FEW) if beside else empty
        raise DataError(f"No file '{path}'. {hint}".strip())
    kind = "".join(path.suffixes[-2:]).lower() if path.suffix.lower() == ".gz" else path.suffix.lower()
    reader = _READERS.get(kind)
    if reader is None:
        raise DataError(f"'{path.name}': can't read files that end in '{kind}'. {suggest(kind, _READERS)}")
    if path.stat().st_size == 0:
        raise DataError(f"'{path.name}' has no records. An empty file can't be assessed.")
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return replace(reader(path), sha256=sha256, path=str(path))


def _read_csv(path: Path) -> Table:
    raw = path.read_bytes()
    notes: list[str] = []
    if raw[:2] == b"\x1f\x8b":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as error:
            raise DataError(f"'{path.name}' is not a whole gzip file: {error}.") from None
    encoding = "utf-8-sig"
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    else:
        try:
            raw.decode(encoding)
        except UnicodeDecodeError:
            encoding = "cp1252"
            notes.append("not in UTF-8; read as Windows-1252")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        raise DataError(f"'{path.name}' is neither in UTF-8 nor in Windows-1252. Save it as UTF-8.") from None
    if "\0" in text:
        raise DataError(f"'{path.name}' holds zero bytes: it isn't a text file.")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    delimiter = "\t" if path.suffix.lower() == ".tsv" else delimiter_of(text)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    names = _unique(next(reader, []), path.name)
    if not names:
        raise DataError(f"'{path.name}' has no header line.")
    try:
        table = pa_csv.read_csv(
            pa.BufferReader(text.encode("utf-8")),
            read_options=pa_csv.ReadOptions(column_names=names, skip_rows=reader.line_num),
            parse_options=pa_csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=len(names) > 1
            ),
            convert_options=pa_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.dictionary(pa.int32(), pa.string())),
                null_values=[""],
                strings_can_be_null=True,
            ),
        )
    except pa.ArrowInvalid as error:
        if "Empty CSV file" in str(error) or "Could not skip initial" in str(error):
            raise DataError(f"'{path.name}' has no records. An empty file can't be assessed.") from None
        # Only how many columns: the rest of Arrow's message quotes the record.
        told = re.search(r"Expected \d+ columns, got \d+", str(error))
        raise DataError(
            f"'{path.name}' isn't a regular table: {told.group() if told else 'a line is broken'}."
        ) from None
    columns: dict[str, Column] = {}
    for name, column in zip(names, table.columns, strict=True):
        columns[name], note = typed(column, delimiter)
        notes += [f"'{name}': {note}"] if note else []
    return Table(path.name, columns, notes=tuple(notes))


def delimiter_of(text: str) -> str:
    """Take the sign that splits the header line into most fields."""
    line = text.split("\n", 1)[0]
    widths = {sign: len(next(csv.reader([line.rstrip("\r")], delimiter=sign), [])) for sign in ",;\t|"}
    return max(widths, key=lambda sign: widths[sign])


def typed(column: pa.ChunkedArray, delimiter: str) -> tuple[pa.ChunkedArray, str | None]:
    """Take a text column for numbers or booleans where all of its values are, and say what was decided.

    Looks at distinct values only. Leading zeros mean a code, which stays text.
    """
    coded = column.unify_dictionaries().combine_chunks()
    if isinstance(coded, pa.ChunkedArray):
        return column, None
    values = coded.dictionary
    if len(values) and pc.all(pc.is_in(pc.utf8_lower(values), pa.array(["true", "false"]))).as_py():
        return pa.chunked_array([pc.equal(pc.utf8_lower(values), "true").take(coded.indices)]), None
    marks = pc.is_in(values, pa.array(MISSING_MARKS))
    numerals = values.filter(pc.invert(marks))
    if not len(numerals) or not pc.all(pc.match_substring_regex(numerals, _NUMBER)).as_py():
        return column, None
    if pc.any(pc.match_substring_regex(numerals, "^-?0[0-9]")).as_py():
        return column, None
    commas = pc.any(pc.match_substring(numerals, ",")).as_py()
    if commas and (delimiter == "," or pc.any(pc.match_substring(numerals, ".")).as_py()):
        return column, None
    plain = pc.replace_substring(values, ",", ".") if commas else values
    plain = pc.if_else(marks, None, plain)
    numbers = _numbers(plain)
    if numbers is None:
        return column, None
    said = [f"'{mark}' read as missing" for mark in values.filter(marks).to_pylist()]
    said += ["decimal commas read"] if commas else []
    return pa.chunked_array([numbers.take(coded.indices)]), ", ".join(said) or None


def _numbers(values: pa.Array) -> pa.Array | None:
    """Convert numerals; None where the type would not tell all of them apart."""
    if not pc.any(pc.match_substring_regex(values, "[.eE]")).as_py():
        try:
            return pc.cast(values, pa.int64())
        except pa.ArrowInvalid:  # more digits than fit
            return None
    numbers = pc.cast(values, pa.float64())
    long = values.filter(pc.fill_null(pc.greater(pc.utf8_length(values), _EXACT_DIGITS), False)).to_pylist()
    exact = {decimal_text(Decimal(text)) for text in long}
    return numbers if len({float(text) for text in exact}) == len(exact) else None


def _read_parquet(path: Path) -> Table:
    try:
        schema = pq.read_schema(path)
        texts = [
            entry.name for entry in schema if pa.types.is_string(entry.type) or pa.types.is_large_string(entry.type)
        ]
        names = _unique(schema.names, path.name)
        table = pq.read_table(path, read_dictionary=texts)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"'{path.name}' isn't a whole Parquet file: {error}") from None
    kept = [
        (name, column)
        for name, column in zip(names, table.columns, strict=True)
        if not name.startswith("__index_level_")
    ]
    return Table(path.name, dict(kept))


def _read_excel(path: Path) -> Table:
    _import("openpyxl", "Excel files")
    try:
        sheets = pd.read_excel(
            path, sheet_name=None, header=None, keep_default_na=False, na_values=[""], engine="openpyxl"
        )
    except (ValueError, KeyError, OSError, SyntaxError, zipfile.BadZipFile, zlib.error) as error:
        raise DataError(f"'{path.name}' isn't a whole Excel file ({type(error).__name__}).") from None
    filled = {name: sheet for name, sheet in sheets.items() if not sheet.empty}
    if not filled:
        raise DataError(f"'{path.name}' has no records. An empty file can't be assessed.")
    sheet_name, sheet = next(iter(filled.items()))
    notes = [f"sheet '{sheet_name}' read, {len(filled) - 1} other sheets left"] if len(filled) > 1 else []
    names = _unique(["" if pd.isna(value) else value for value in sheet.iloc[0]], path.name)
    columns: dict[str, Column] = {}
    for place, name in enumerate(names):
        column = sheet.iloc[1:, place]
        marks = column.isin(MISSING_MARKS)
        if marks.any() and pd.api.types.is_numeric_dtype(column[~marks].infer_objects().dtype):
            notes.append(f"'{name}': {', '.join(map(repr, column[marks].unique()))} read as missing")
            column = column.mask(marks)
        columns[name] = column.infer_objects()
    return Table(path.name, columns, notes=tuple(notes))


def _read_with_labels(path: Path) -> Table:
    pyreadstat = _import("pyreadstat", "SPSS, Stata and SAS files")
    reader = getattr(pyreadstat, _STATISTICS[path.suffix.lower()])
    user_missing = (
        {"user_missing": True} if path.suffix.lower() in {".sav", ".zsav", ".por", ".dta", ".sas7bdat"} else {}
    )
    try:
        frame, meta = reader(str(path), **user_missing)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeDecodeError) as error:
        raise DataError(f"'{path.name}' can't be read: {error}") from None
    names = _unique(meta.column_names, path.name)
    columns: dict[str, Column] = {name: _blank_is_missing(frame.iloc[:, place]) for place, name in enumerate(names)}
    labels = {name: label for name, label in meta.column_names_to_labels.items() if label}
    value_labels = {
        name: {level_text(value) or "": str(label) for value, label in of_variable.items()}
        for name, of_variable in meta.variable_value_labels.items()
    }
    return Table(path.name, columns, labels, value_labels)


def _blank_is_missing(column: pd.Series[Any]) -> pd.Series[Any]:
    """SPSS, Stata and SAS know no other missing text than a blank one."""
    return column if pd.api.types.is_numeric_dtype(column.dtype) else column.mask(column.eq(""))


def _import(package: str, what: str) -> Any:
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError:
        raise MissingPackageError(
            f"{what} need the package {package}, which the extra 'files' brings: pip install 'discoreport[files]'"
        ) from None


_STATISTICS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
_READERS: dict[str, Callable[[Path], Table]] = {
    ".csv": _read_csv,
    ".csv.gz": _read_csv,
    ".tsv": _read_csv,
    ".txt": _read_csv,
    ".parquet": _read_parquet,
    ".xlsx": _read_excel,
    **dict.fromkeys(_STATISTICS, _read_with_labels),
}


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
                raise DataError(f"No column '{name}' in '{table.name}'. {suggest(name, table.columns)}")
