"""Several synthetic files of one original in one hand: what any of them tells, what all tell, and their sum."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from discoreport.measures.alike_cells import KEYS_AT_ONCE, AlikeCells
from discoreport.measures.cells import Cells, Levels
from discoreport.measures.exclusions import Rules, exclude
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

    def together(self, rules: Rules) -> Any:
        """Give the rows that sums are taken over where the synthetic records of all files are added up."""

    def met(self, left: Sequence[Any], conditions: Mapping[str, Condition]) -> dict[str, Met]:
        """Count original records by how many of the files meet a condition; `left` is what exclusions leave of each."""

    def repeated(self, left: Sequence[Any]) -> list[Repeated]:
        """Count key combinations by how many files they are unique in; the cells are those of the keys alone."""


class InMemory:
    """The cells of several synthetic files, in memory, gone through some key combinations at a time.

    Those that hold an original record are the same in each, in the same order.

    Parameters
    ----------
    files
        One a file.
    """

    def __init__(self, files: Sequence[TargetCells]) -> None:
        first, *_ = self._files = files
        cuts = first.combinations[first.cells.starts[KEYS_AT_ONCE::KEYS_AT_ONCE]]
        bounds = [_bounds(one, cuts) for one in files]
        self._pieces = [[of_file[piece : piece + 2] for of_file in bounds] for piece in range(len(cuts) + 1)]
        """For each piece, and each file in it, the place of the first key combination and that behind the last."""

    def together(self, rules: Rules) -> AlikeCells:
        """Give the rows that sums are taken over where the synthetic records of all files are added up."""
        first, *_ = of_files = [one.cells.levels for one in self._files]
        levels = Levels(first.d_full, np.sum([one.s_full for one in of_files], axis=0))
        return AlikeCells.of_pieces(exclude(self._added_up(piece, levels), rules)[0] for piece in self._pieces)

    def _added_up(self, piece: Sequence[Sequence[int]], levels: Levels) -> TargetCells:
        some = [one.some(*bounds) for one, bounds in zip(self._files, piece, strict=True)]
        codes = [one.combinations * len(levels.d_full) + one.levels for one in some]

        def taken(file: int, counts: Whole) -> Tally:
            occurs = np.flatnonzero(counts > 0)
            return Tally(codes[file][occurs], counts[occurs])

        synthetic = added([taken(file, one.cells.s_full) for file, one in enumerate(some)])
        return cells_of(some[0].index, taken(0, some[0].cells.d_full), synthetic, levels)

    def met(self, left: Sequence[Cells], conditions: Mapping[str, Condition]) -> dict[str, Met]:
        """Count original records by how many of the files meet a condition."""
        of_any, of_all = dict.fromkeys(conditions, 0), dict.fromkeys(conditions, 0)
        for piece in self._pieces:
            some = [cells.some(*bounds) for cells, bounds in zip(left, piece, strict=True)]
            of_original = [cells.d_full > 0 for cells in some]
            d = some[0].d[of_original[0]]
            for name, condition in conditions.items():
                where = [condition(cells)[held] for cells, held in zip(some, of_original, strict=True)]
                of_any[name] += int(d[np.logical_or.reduce(where)].sum())
                of_all[name] += int(d[np.logical_and.reduce(where)].sum())
        return {name: Met(of_any[name], of_all[name]) for name in conditions}

    def repeated(self, left: Sequence[Cells]) -> list[Repeated]:
        """Count key combinations by how many files they are unique in."""
        n, in_original = np.zeros((2, len(left) + 1), np.int64)
        for piece in self._pieces:
            some = [
                replace(one, cells=cells).some(*bounds)
                for one, cells, bounds in zip(self._files, left, piece, strict=True)
            ]
            of_files = np.concatenate([one.combinations[one.cells.s == 1] for one in some])
            unique, n_files = np.unique(of_files, return_counts=True)
            held = np.isin(unique, some[0].combinations[some[0].cells.d == 1], assume_unique=True)
            n += np.bincount(n_files, minlength=len(n))
            in_original += np.bincount(n_files[held], minlength=len(n))
        return [Repeated(files, int(n[files]), int(in_original[files])) for files in range(1, len(n))]


def _bounds(one: TargetCells, cuts: Whole) -> list[int]:
    """Find the key combinations at which the pieces of a file begin and end, by their places."""
    starts = one.cells.starts
    return [0, *np.searchsorted(starts, np.searchsorted(one.combinations, cuts)).tolist(), len(starts)]
