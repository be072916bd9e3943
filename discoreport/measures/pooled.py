"""Several synthetic files of one original in one hand: what any of them tells, what all tell, and their sum."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from discoreport.measures.cells import Cells, Levels, Target
from discoreport.measures.key_index import Whole
from discoreport.measures.memory_engine import TargetCells, cells_of
from discoreport.measures.tallies import Tally, added

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
    """The cells of one target, or of the keys, in several synthetic files."""

    def together(self) -> Target:
        """Give the same cells with the synthetic records of all files added up, nothing excluded."""

    def met(self, left: Sequence[Any], conditions: Mapping[str, Condition]) -> dict[str, Met]:
        """Count original records by how many of the files meet a condition; `left` is what exclusions leave of each."""

    def repeated(self, left: Sequence[Any]) -> list[Repeated]:
        """Count key combinations by how many files they are unique in; the cells are those of the keys alone."""


class InMemory:
    """The cells of several synthetic files, in memory.

    Those that hold an original record are the same in each, in the same order.

    Parameters
    ----------
    files
        One a file.
    """

    def __init__(self, files: Sequence[TargetCells]) -> None:
        self._files = files
        self._n_levels = len(files[0].cells.levels.d_full)

    def together(self) -> TargetCells:
        """Give the same cells with the synthetic records of all files added up."""
        first, *_ = self._files
        codes = [one.combinations * self._n_levels + one.levels for one in self._files]
        n_codes = first.index.n_codes * self._n_levels

        def taken(of: Whole, counts: Whole) -> Tally:
            occurs = np.flatnonzero(counts > 0)
            return Tally(of[occurs], counts[occurs])

        original = added([taken(codes[0], first.cells.d_full)], n_codes)
        synthetic = added(
            [taken(of, one.cells.s_full) for of, one in zip(codes, self._files, strict=True)],
            n_codes,
        )
        of_levels = np.sum([one.cells.levels.s_full for one in self._files], axis=0)
        levels = Levels(first.cells.levels.d_full, of_levels)
        return cells_of(first.index, original, synthetic, self._n_levels, levels)

    @staticmethod
    def met(left: Sequence[Cells], conditions: Mapping[str, Condition]) -> dict[str, Met]:
        """Count original records by how many of the files meet a condition."""
        of_original = [cells.d_full > 0 for cells in left]
        d = left[0].d[of_original[0]]
        found = {}
        for name, condition in conditions.items():
            where = [condition(cells)[kept] for cells, kept in zip(left, of_original, strict=True)]
            any_of, all_of = np.logical_or.reduce(where), np.logical_and.reduce(where)
            found[name] = Met(int(d[any_of].sum()), int(d[all_of].sum()))
        return found

    def repeated(self, left: Sequence[Cells]) -> list[Repeated]:
        """Count key combinations by how many files they are unique in."""
        pairs = list(zip(self._files, left, strict=True))
        unique = np.sort(np.concatenate([one.combinations[cells.s == 1] for one, cells in pairs]))
        first = np.flatnonzero(np.diff(unique, prepend=-1))
        n_files = np.diff(first, append=len(unique))
        in_original = np.isin(unique[first], self._files[0].combinations[left[0].d == 1], assume_unique=True)
        return [
            Repeated(n, int((n_files == n).sum()), int((in_original & (n_files == n)).sum()))
            for n in range(1, len(left) + 1)
        ]
