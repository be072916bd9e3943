"""The files that a form holds: opened once, each variable coded once, nothing written anywhere."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from discoreport.assessment.copy_findings import exceeding, whole_records
from discoreport.assessment.engine_choice import Counting, Files, Found, open_files
from discoreport.assessment.progress import Progress
from discoreport.assessment.release.policy import default_policy
from discoreport.data.coding import Variable
from discoreport.data.engine.connection import Engine
from discoreport.data.findings.comparison import compare, compare_as_counted, compare_files
from discoreport.data.findings.doubts import doubts
from discoreport.data.findings.finding import Finding
from discoreport.data.readers.read import read
from discoreport.data.readers.source_file import ENDINGS
from discoreport.data.table import Table, shared_columns
from discoreport.errors import DataError
from discoreport.form.model.likely_keys import looks_like

MOST_LISTED = 40
"""How many levels a list shows."""


@dataclass(frozen=True)
class Facts:
    """What is to be known of a variable before it gets a role. No values.

    Parameters
    ----------
    name, label
        Its name, and what the file calls it in words.
    kind
        What its values are; "" where the variable can't be used.
    n_levels, n_records
        Distinct values in the original, and records.
    percent_missing
        Share of the original's records without a value.
    gaps
        Whether any file has a missing value.
    problem
        Why the variable can't be used; "" where it can.
    looks
        What its values look like; see `looks_like`.
    """

    name: str
    label: str
    kind: str
    n_levels: int
    n_records: int
    percent_missing: float
    gaps: bool = False
    problem: str = ""
    looks: str = ""


class OpenFiles:
    """The original and the synthetic files, ready to be counted again and again.

    Codes are kept here, in memory, for as long as the form holds the files.

    Parameters
    ----------
    files
        In any engine.
    stack
        What closes them.
    """

    def __init__(self, files: Files, stack: ExitStack) -> None:
        self._files, self._stack = files, stack
        self._coded: dict[tuple[str, frozenset[str]], Variable] = {}
        self._found: dict[tuple[str, frozenset[tuple[str, frozenset[str]]]], Any] = {}
        self.facts: dict[str, Facts] = {}
        self.findings: tuple[Finding, ...] = ()
        self.chosen: tuple[tuple[str, int], ...] = ()
        """As what they were chosen; see `Choice.mark`."""
        self.sources: tuple[object, ...] = ()
        """What they were read from."""

    @classmethod
    def open(cls, original: object, synthetic: Sequence[object], progress: Progress | None = None) -> OpenFiles:
        """Open the files, look at every shared variable, and compare the files on it.

        Parameters
        ----------
        original, synthetic
            As for `assess`.
        progress
            Called with steps done, steps in all, and what comes next.

        Raises
        ------
        DataError
            Where a file can't be read, or no column is in all files.
        """
        tell = progress or (lambda *_: None)
        tell(0, 1, "reading the files")
        with ExitStack() as stack:
            held = cls(stack.enter_context(open_files(original, list(synthetic), Engine())), stack)
            names = shared_columns(held.tables)
            if not names:
                raise DataError("The files have no column in common. Are they the original and a copy of it?")
            findings = list(compare_files(held.tables))
            for place, name in enumerate(names):
                tell(place, len(names), f"looking at {name}")
                findings += held._look_at(name)
            tell(len(names), len(names), "comparing whole records")
            copies, told = whole_records(held)
            held.findings = (*findings, *told, *exceeding(copies, default_policy().copies))
            held._stack = stack.pop_all()
        return held

    def _look_at(self, name: str) -> Iterable[Finding]:
        table = self.tables[0]
        label = table.labels.get(name, "")
        try:
            variable = self.code(name)
        except DataError as error:
            self.facts[name] = Facts(name, label, "", 0, table.n_records, 0.0, problem=str(error))
            return ()
        percent = 100 * (variable.n_missing_in(0) + variable.n_declared_in(0)) / table.n_records
        gaps = variable.has_missing or bool(variable.declared)
        self.facts[name] = Facts(
            name, label, variable.kind, variable.n_levels_in(0), table.n_records, percent, gaps,
            looks=looks_like(variable),
        )  # fmt: skip
        return (*compare(variable, self.tables), *doubts(variable, self.tables), *compare_as_counted(variable))

    @property
    def engine(self) -> str:
        """The engine's name."""
        return self._files.engine

    @property
    def tables(self) -> Sequence[Table]:
        """The files, the original first."""
        return self._files.tables

    def require_unchanged(self) -> None:
        """Raise where a file is another than was opened, once all is counted."""
        self._files.require_unchanged()

    def code(self, name: str) -> Variable:
        """Code one variable of all files alike, once."""
        known = name, self.tables[0].marks.get(name, frozenset())
        if known not in self._coded:
            self._coded[known] = self._files.code(name)
        return self._coded[known]

    def once(self, what: str, find: Callable[[], Found]) -> Found:
        """Find what depends on the files alone, and on what is missing in them, once."""
        known = what, frozenset(self.tables[0].marks.items())
        if known not in self._found:
            self._found[known] = find()
        found: Found = self._found[known]
        return found

    def with_missing(self, missing_values: Mapping[str, Sequence[str]]) -> OpenFiles:
        """Give the same files, and the codes that are known, with some levels taken for missing values."""
        if not missing_values:
            return self
        held = copy(self)
        held._files = self._files.with_missing(missing_values)
        return held

    def some(self, places: Sequence[int]) -> Files:
        """Give some of the files, by their places; what is known of their codes is not kept for these."""
        return self._files.some(places)

    def count(self, keys: Sequence[Variable], unit: Variable | None = None) -> Counting:
        """Get ready to count cells by these keys, and by those of all records of a unit where there is one."""
        return self._files.count(keys, unit)

    def close(self) -> None:
        """Let go of the files and the codes."""
        self._coded.clear()
        self._found.clear()
        self._stack.close()

    def common_levels(self, name: str) -> tuple[tuple[str, str, int], ...]:
        """List the levels that many original records have: level, its label, records; the most frequent first.

        Levels of few records are somebody's and stay out; so do all where a variable is too large to be listed.
        """
        variable = self.code(name)
        if type(variable) is not Variable:
            return ()
        return tuple(sorted(variable.common_levels, key=lambda row: -row[2])[:MOST_LISTED])


def uploaded(name: str, content: bytes) -> Table:
    """Read a file that was uploaded; only what was read from it is kept.

    Parameters
    ----------
    name
        Its file name, which says what kind of file it is.
    content
        Its bytes. Libraries read files, so they are on disk for as long as that takes, where nobody else may read.

    Raises
    ------
    DataError
        As `read`.
    """
    with tempfile.TemporaryDirectory(prefix="discoreport-") as folder:
        path = Path(folder, Path(name).name or "upload")
        path.write_bytes(content)
        return replace(read(path, name), path=None)


def frames_in(names: Mapping[str, Any]) -> dict[str, Any]:
    """Find the tables among the names of a notebook: pandas, Polars and PyArrow."""
    kinds = {("pandas", "DataFrame"), ("polars", "DataFrame"), ("polars", "LazyFrame"), ("pyarrow", "Table")}

    def is_table(value: object) -> bool:
        kind = type(value)
        return (kind.__module__.partition(".")[0], kind.__name__) in kinds

    return {name: value for name, value in names.items() if not name.startswith("_") and is_table(value)}


def listed(folder: Path, endings: tuple[str, ...] = ENDINGS) -> tuple[list[str], list[str]]:
    """List the folders, and the files with some endings, in a folder, by name.

    Raises
    ------
    DataError
        Where it can't be read.
    """
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name.casefold())
    except OSError as error:
        raise DataError(f"Can't list '{folder}': {error.strerror}.") from None
    seen = [path for path in entries if not path.name.startswith(".")]
    folders = [path.name for path in seen if path.is_dir()]
    return folders, [path.name for path in seen if path.name.lower().endswith(endings)]
