"""Where figures come from: input files, their variables, and with what an assessment was made."""

from __future__ import annotations

import datetime
import functools
import platform
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Self

from pydantic import Field, model_validator

from discoreport.assessment.frozen_model import FrozenModel
from discoreport.data.level_text import ValueKind
from discoreport.data.readers.source_file import File
from discoreport.data.table import Table
from discoreport.version import __version__


class Source(FrozenModel):
    """One input file or frame.

    Parameters
    ----------
    name, path
        File name and the path as given; `path` is None for a frame.
    sha256
        Fingerprint of the file; None for a frame.
    n_records, n_columns
        Its size.
    read_as
        How the file was to be read; see `File`.
    """

    name: str
    path: str | None
    sha256: str | None
    n_records: int
    n_columns: int
    read_as: dict[str, str | int] = Field({})

    @model_validator(mode="after")
    def _can_be_read_so(self) -> Self:
        str(self.word)
        return self

    @classmethod
    def of(cls, table: Table) -> Source:
        """Describe a table."""
        return cls(
            name=_as_text(table.name),
            path=None if table.path is None else _as_text(table.path),
            sha256=table.sha256,
            n_records=table.n_records,
            n_columns=len(table.columns),
            read_as=dict(table.read_as),
        )

    def given(self, path: str | None = None) -> Any:
        """Give what reads it again: its path, or another one, and how it is read where that was given."""
        path = self.path if path is None else path
        return {"path": path, **self.read_as} if self.read_as else path

    @property
    def word(self) -> str:
        """The same as a word of the command line; empty for a frame."""
        return "" if self.path is None else str(File.of({"path": self.path, **self.read_as}))

    def can_be(self, other: Source) -> bool:
        """Tell whether the other can be the same file: by fingerprints, or by size where one of them has none.

        Many files are of one size: see `is_known_beside`.
        """
        if self.is_known_beside(other):
            return self.sha256 == other.sha256
        return (self.n_records, self.n_columns) == (other.n_records, other.n_columns)

    def is_known_beside(self, other: Source) -> bool:
        """Tell whether fingerprints say if the other is the same file."""
        return bool(self.sha256 and other.sha256)


def _as_text(name: str) -> str:
    """Write the name of a file, which on Linux may hold bytes that are no text."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class VariableSummary(FrozenModel):
    """One key or target, as the original file has it.

    Parameters
    ----------
    name, label
        Its name, and what the file calls it in words.
    role
        "key" or "target".
    kind
        What its values are.
    n_levels, n_levels_synthetic
        Distinct values in the original, and in each synthetic file; missing ones not counted.
    percent_missing
        Share of the original's records without a value.
    special_codes
        Values that are codes, not numbers.
    missing_values
        Values that were taken for missing ones.
    classes
        How it was grouped: labels of the classes, rising; empty where it wasn't.
    breaks
        The bounds between the classes, rising.
    grouped_by
        "quantiles", "equal widths", "given breaks", or "".
    value_labels
        What the file calls its levels in words, by level.
    """

    name: str
    label: str
    role: str
    kind: ValueKind
    n_levels: int
    n_levels_synthetic: tuple[int, ...]
    percent_missing: float
    special_codes: tuple[str, ...] = ()
    missing_values: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    breaks: tuple[float, ...] = ()
    grouped_by: str = ""
    value_labels: dict[str, str] = Field({})


@functools.cache
def _versions(engine: str) -> dict[str, str]:
    names = ["numpy", "pandas", "pyarrow", "narwhals", "pydantic"]
    if engine != "memory":
        names += ["ibis-framework", {"spark": "pyspark"}.get(engine, engine)]
    return {name: version(name) for name in names if find_spec(name.partition("-")[0])}


class Provenance(FrozenModel):
    """Where, when and with what an assessment was made."""

    discoreport: str
    created: datetime.datetime
    python: str
    platform: str
    packages: dict[str, str]
    engine: str

    @classmethod
    def now(cls, engine: str) -> Provenance:
        """Take down the present state."""
        return cls(
            discoreport=__version__,
            created=datetime.datetime.now(datetime.UTC).replace(microsecond=0),
            python=platform.python_version(),
            platform=platform.platform(),
            packages=_versions(engine),
            engine=engine,
        )
