"""What names a data file: a path, and how the file is read where it doesn't say so itself."""

from __future__ import annotations

import codecs
import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import url2pathname

import tomlkit

from discoreport.errors import SettingsError, kind_or_value, require_path, suggest
from discoreport.files import ending_of


@dataclass(frozen=True)
class Format:
    """One kind of data file: its name, its endings, and the options of `File` that say something of it."""

    name: str
    endings: tuple[str, ...]
    takes: tuple[str, ...] = ()


TEXT = Format("CSV", (".csv", ".csv.gz", ".tsv", ".txt"), ("delimiter", "decimal", "encoding", "skip_rows"))
PARQUET = Format("Parquet", (".parquet",))
EXCEL = Format("Excel", (".xlsx",), ("sheet", "skip_rows"))
SPSS = Format("SPSS", (".sav", ".zsav", ".por"), ("encoding",))
STATA = Format("Stata", (".dta",), ("encoding",))
SAS = Format("SAS", (".sas7bdat", ".xpt"), ("encoding",))
FORMATS = (TEXT, PARQUET, EXCEL, SPSS, STATA, SAS)
"""Every kind of file that is read; each has its reader in `discoreport.data.readers.read`."""
ENDINGS = tuple(ending for one in FORMATS for ending in one.endings)
DELIMITED = TEXT.endings
NEW_ENDINGS = (".csv", ".csv.gz", ".parquet")
"""What a new synthetic file may be."""
NEW_ENDINGS_IN_WORDS = f"{', '.join(NEW_ENDINGS[:-1])} or {NEW_ENDINGS[-1]}"
READ_AS = {
    "delimiter": 'the sign between the fields of a text file, such as ";"; a tab is "\\t"',
    "decimal": 'the decimal sign of a text file, "." or ","',
    "encoding": 'how a text, SPSS, Stata or SAS file writes its letters, such as "cp1250"',
    "sheet": "the sheet of an Excel file, by its name or by its number from 1",
    "skip_rows": "how many rows of a text or Excel file come before the one with the names",
}
"""How a file is read, by the names of `File`."""
HINT = "If its fields are separated by another sign, or its table begins further down, say so: delimiter, skip_rows."
"""What may mend a text that isn't a regular table."""
_DELIMITERS = "".join(map(chr, range(128))).translate(dict.fromkeys(map(ord, '"\r\n\0')))
_TAKEN = {ending: one.takes for one in FORMATS for ending in one.endings}


@dataclass(frozen=True, kw_only=True)
class File:
    """A data file and how it is read; it goes wherever a path does. What isn't given is found out.

    Parameters
    ----------
    path
        The file.
    delimiter
        The sign between the fields of a text file, such as ``";"``.
    decimal
        Its decimal sign, ``"."`` or ``","``.
    encoding
        How a text, SPSS, Stata or SAS file writes its letters, such as ``"cp1250"``.
    sheet
        The sheet of an Excel file, by its name or by its number from 1.
    skip_rows
        How many rows of a text or Excel file come before the one with the names.

    Examples
    --------
    >>> File("census.csv", encoding="cp1250", skip_rows=2)
    File('census.csv', encoding='cp1250', skip_rows=2)
    >>> File.parse('{path = "census.csv", encoding = "cp1250"}').encoding
    'cp1250'
    """

    path: str | Path = dataclasses.field(kw_only=False)
    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    sheet: str | int | None = None
    skip_rows: int | None = None

    def __post_init__(self) -> None:
        require_path(self.path, "File")
        if isinstance(self.delimiter, str) and self.delimiter in ("\\t", "tab"):
            object.__setattr__(self, "delimiter", "\t")
        right = {
            "path": isinstance(self.path, str | Path) and str(self.path) != "",
            "delimiter": isinstance(self.delimiter, str) and len(self.delimiter) == 1 and self.delimiter in _DELIMITERS,
            "decimal": isinstance(self.decimal, str) and self.decimal in (".", ","),
            "encoding": isinstance(self.encoding, str) and _is_encoding(self.encoding),
            "sheet": isinstance(self.sheet, str) or (_is_whole(self.sheet) and int(self.sheet or 0) >= 1),
            "skip_rows": _is_whole(self.skip_rows) and int(self.skip_rows or 0) >= 0,
        }
        for name, value in vars(self).items():
            if value is not None and not right[name]:
                raise SettingsError(
                    f"'{self.path}': {name} can't be {kind_or_value(value)}: it is {READ_AS.get(name, 'a path')}."
                )
        taken = _TAKEN.get(ending_of(Path(self.path)), ())
        for name in self.read_as:
            if name not in taken:
                having = f"It takes {', '.join(taken)}." if taken else "It takes no such options."
                raise SettingsError(f"'{Path(self.path).name}': {name} says nothing of such a file. {having}")

    @property
    def read_as(self) -> dict[str, str | int]:
        """How it is read, as far as that is given."""
        return {name: value for name, value in vars(self).items() if name != "path" and value is not None}

    @property
    def as_read(self) -> str:
        """Say how it was read, as a sentence that follows another one; empty where nothing is given."""
        said = ", ".join(f"{name} = {value!r}" for name, value in self.read_as.items())
        return f" It was read with {said}." if said else ""

    @classmethod
    def parse(cls, text: str) -> File:
        """Read what `str` writes: a path, or a line such as ``{path = "o.csv", sheet = 2}``."""
        if not (text.startswith("{") and text.endswith("}")):
            return cls(text)
        try:
            return cls.of(tomllib.loads(f"file = {text}")["file"])
        except tomllib.TOMLDecodeError:
            raise SettingsError(f'{text}: write it as {{path = "FILE", encoding = "..."}}.') from None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> File:
        """Take names and values, as configuration files hold them."""
        for name in values:
            if name not in ("path", *READ_AS):
                raise SettingsError(
                    f"{dict(values)}: no option '{name}' of a file. {suggest(name, ['path', *READ_AS])}"
                )
        if "path" not in values:
            raise SettingsError(f"{dict(values)}: a file needs its path.")
        return cls(**values)

    def __str__(self) -> str:
        """Write it in one line: the path alone where nothing else is given."""
        if not self.read_as:
            return str(self.path)
        table = tomlkit.inline_table()
        table.update({"path": str(self.path), **self.read_as})
        return str(table.as_string())

    def __repr__(self) -> str:
        """Write it as Python."""
        said = "".join(f", {name}={value!r}" for name, value in self.read_as.items())
        return f"File({str(self.path)!r}{said})"


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_encoding(name: str) -> bool:
    try:
        return bool(codecs.lookup(name)._is_text_encoding)
    except (LookupError, ValueError):
        return False


def source_of(source: object) -> object:
    """Give what is meant by a source: a path where that is all, a `File`, or a frame as it is.

    An address such as "file:///data/census.parquet" is the path that it stands for; a line such as
    ``{path = "o.csv", sheet = 2}``, and a mapping likewise, a `File`.
    """
    if isinstance(source, Mapping):
        source = File.of(source)
    elif isinstance(source, str):
        source = File.parse(source)
    if not isinstance(source, File):
        return source
    path = source.path
    if isinstance(path, str) and path.startswith("file:///"):
        source = dataclasses.replace(source, path=url2pathname(path.removeprefix("file://")))
    return source if source.read_as else source.path


def path_of(source: object) -> str | Path | None:
    """Give the path of a source, or None where it has none."""
    source = source_of(source)
    return source.path if isinstance(source, File) else source if isinstance(source, str | Path) else None


def read_like(source: object, read_as: Mapping[str, str | int]) -> object:
    """Give a source that is read in some way where it says nothing of it itself; what its kind doesn't take is left."""
    path = path_of(source)
    if path is None:
        return source
    taken = _TAKEN.get(ending_of(Path(path)), ())
    source = source_of(source)
    own = source.read_as if isinstance(source, File) else {}
    return source_of(File(path, **{name: value for name, value in read_as.items() if name in taken} | own))  # type: ignore[arg-type]


def takes(source: object, name: str) -> bool:
    """Tell whether an option says something of such a file."""
    path = path_of(source)
    return path is not None and name in _TAKEN.get(ending_of(Path(path)), ())
