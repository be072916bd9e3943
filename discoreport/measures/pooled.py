"""Several synthetic files of one original in one hand: what any of them tells, what all tell, and their sum."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from discoreport.measures.alike_cells import AlikeCells
from discoreport.measures.cells import Levels
from discoreport.measures.exclusions import Rules, cells_left, exclude
from discoreport.measures.memory_engine import TargetCells
from discoreport.measures.tallies import added, in_pieces

Condition = Callable[[Any], Any]
"""Which cells meet something, in the columns of `Cells`."""

OF_KEYS: Mapping[str, Condition] = {"repU": lambda cells: (cells.d == 1) & (cells.s == 1)}
"""By measure of the keys which key combinations it counts; the cells are those of the keys alone."""
OF_TARGET: Mapping[str, Condition] = {
    "DiS": lambda cells: cells.key_disclosive_in_synthetic,
    "DiSCO": lambda cells: cells.disclosive_in_synthetic,
}
"""By measure of a target which cells it counts."""


@dataclass(frozen=True)
class Met:
    """Original records for which at least one file meets a condition, and for which every file does."""

    any: int
    all: int


@dataclass(frozen=True)
class Repeated:
    """Key combinations that are unique in so many of the files, and those of them that are unique in the original."""

    files: int
    combinations: int
    unique_in_original: int


class Pool(Protocol):
    """The cells of one target, or of the keys, in several synthetic files, as exclusions leave them."""

    def rows(self) -> list[Any]:
        """Give the rows that sums are taken over, of each file by itself."""

    def together(self) -> Any:
        """Give the rows that sums are taken over where the synthetic records of all files are added up."""

    def met(self, conditions: Mapping[str, Condition]) -> dict[str, Met]:
        """Count original records by how many of the files meet a condition."""

    def repeated(self) -> list[Repeated]:
        """Count key combinations by how many files they are unique in; the cells are those of the keys alone."""


class InMemory:
    """The cells of several synthetic files, in memory, gone through some key combinations at a time.

    Cells that hold an original record are the same in each, in the same order.

    Parameters
    ----------
    files
        One a file.
    rules
        What is left out.
    """

    def __init__(self, files: Sequence[TargetCells], rules: Rules) -> None:
        self._files, self._rules = files, rules

    def _pieces(self) -> Iterator[list[TargetCells]]:
        """Give the cells of all files, some key combinations at a time."""
        first, *_ = self._files
        for original, *synthetic in in_pieces(
            [first.original, *(one.synthetic for one in self._files)], first.n_levels
        ):
            yield [
                replace(one, original=original, synthetic=of_file)
                for one, of_file in zip(self._files, synthetic, strict=True)
            ]

    def rows(self) -> list[AlikeCells]:
        """Give the rows that sums are taken over, of each file by itself."""
        return [one.rows(exclude(one, self._rules)[0]) for one in self._files]

    def together(self) -> AlikeCells:
        """Give the rows that sums are taken over where the synthetic records of all files are added up."""
        first, *_ = of_files = [one.of_levels for one in self._files]
        levels = Levels(first.d_full, np.sum([one.s_full for one in of_files], axis=0))
        pieces = (
            replace(piece[0], synthetic=added([one.synthetic for one in piece]), of_levels=levels)
            for piece in self._pieces()
        )
        return AlikeCells.of_pieces(cells_left(piece, self._rules) for piece in pieces)

    def met(self, conditions: Mapping[str, Condition]) -> dict[str, Met]:
        """Count original records by how many of the files meet a condition."""
        of_any, of_all = dict.fromkeys(conditions, 0), dict.fromkeys(conditions, 0)
        for piece in self._pieces():
            left = [cells_left(one, self._rules) for one in piece]
            of_original = [cells.d_full > 0 for cells in left]
            d = left[0].d[of_original[0]]
            for name, condition in conditions.items():
                where = [condition(cells)[held] for cells, held in zip(left, of_original, strict=True)]
                of_any[name] += int(d[np.logical_or.reduce(where)].sum())
                of_all[name] += int(d[np.logical_and.reduce(where)].sum())
        return {name: Met(of_any[name], of_all[name]) for name in conditions}

    def repeated(self) -> list[Repeated]:
        """Count key combinations by how many files they are unique in."""
        n, in_original = np.zeros((2, len(self._files) + 1), np.int64)
        for piece in self._pieces():
            left = [cells_left(one, self._rules) for one in piece]
            of_files = [one.combinations[cells.s == 1] for one, cells in zip(piece, left, strict=True)]
            unique, n_files = np.unique(np.concatenate(of_files), return_counts=True)
            held = np.isin(unique, piece[0].combinations[left[0].d == 1], assume_unique=True)
            n += np.bincount(n_files, minlength=len(n))
            in_original += np.bincount(n_files[held], minlength=len(n))
        return [Repeated(files, int(n[files]), int(in_original[files])) for files in range(1, len(n))]
