"""The engine in memory: coded columns -> cells, by sorting whole numbers.

Keys are combined once into one number a record (`key_index`); each target then costs one sort of the records of each
file (`tallies`). A table laid out in full is used only where it is little longer than the records themselves, so cost
grows with records, never with key levels times target levels.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import Variable, starts_of
from discoreport.data.parallel import in_threads
from discoreport.measures.alike_cells import AlikeCells
from discoreport.measures.by_level import AtLevel, counted_apart
from discoreport.measures.cells import Cells, Levels
from discoreport.measures.key_index import KeyIndex, Whole
from discoreport.measures.tallies import AT_ONCE, AnyTally, align, in_pieces, tally
from discoreport.measures.units import UnitCounts, count_units

_MOST_TOGETHER = 4 * AT_ONCE
"""Rows of classes of several variables; with more of them, pairs are counted cell by cell."""


@dataclass(frozen=True)
class TargetCells:
    """The full cells of one target and one synthesis, and what their keys and levels are.

    They are laid out some at a time for whatever is a sum over them, and all at once only for what asks for `cells`.

    Parameters
    ----------
    index
        The keys.
    original, synthetic
        Records by code: the key combination times the number of target levels, plus the target level.
    of_levels
        Records by target level.
    """

    index: KeyIndex
    original: AnyTally
    synthetic: AnyTally
    of_levels: Levels

    @cached_property
    def _laid(self) -> tuple[Cells, Whole]:
        """The cells, and the key combination of each."""
        codes, d, s = align(self.original, self.synthetic)
        combinations = codes // self.n_levels if self.n_levels > 1 else codes
        levels = combinations * -self.n_levels
        levels += codes  # many times faster than the remainder of a division
        starts = starts_of(combinations)
        n_original, n_synthetic = (int(counts.sum()) for counts in (self.of_levels.d_full, self.of_levels.s_full))
        return Cells(starts, d, s, d, s, n_original, n_synthetic, self.of_levels, levels), combinations

    @property
    def n_levels(self) -> int:
        """Target levels."""
        return len(self.of_levels.d_full)

    @property
    def n_cells(self) -> int:
        """Cells that hold a record."""
        return int(self.alike.n.sum())

    @property
    def cells(self) -> Cells:
        """Counts, nothing excluded."""
        return self._laid[0]

    @property
    def combinations(self) -> Whole:
        """Key combination of each cell; shape (cells,)."""
        return self._laid[1]

    def pieces(self) -> Iterator[TargetCells]:
        """Give the same cells some key combinations at a time."""
        for original, synthetic in in_pieces((self.original, self.synthetic), self.n_levels):
            yield replace(self, original=original, synthetic=synthetic)

    @property
    def levels(self) -> Whole:
        """Target level of each cell; shape (cells,)."""
        return self.cells.t

    @property
    def clusters(self) -> Whole:
        """What varies by chance as a whole where there is a unit: for each key combination its units' composition."""
        return self.index.compositions(self.combinations[self.cells.starts])

    @property
    def keys(self) -> tuple[Variable, ...]:
        """The key variables."""
        return self.index.keys

    @cached_property
    def key_codes(self) -> list[npt.NDArray[np.int64]]:
        """For each key, the code of each cell; shape (cells,) each."""
        return self.index.key_codes(self.combinations)

    @cached_property
    def alike(self) -> AlikeCells:
        """The cells, those that are alike taken together."""
        return AlikeCells.of_pieces(piece.cells for piece in self.pieces())

    def rows(self, left: Cells | None) -> AlikeCells:
        """Give the rows that sums over cells are taken over: few, as cells that are alike are one row.

        Parameters
        ----------
        left
            The cells after exclusions; None where nothing is left out.
        """
        return self.alike if left is None else AlikeCells.among(left)

    def most_disclosive(self, rows: AlikeCells) -> tuple[int, int, int]:
        """Find the target level with most disclosive records.

        Parameters
        ----------
        rows
            Of the cells after exclusions.

        Returns
        -------
        level, its disclosive records, its original records
            The level is a code; the first of those that share the first place.
        """
        by_level = np.bincount(rows.t, rows.n * rows.d * rows.disclosive_in_synthetic).astype(np.int64)
        level = int(by_level.argmax())
        return level, int(by_level[level]), int(rows.levels.d_full[level])

    def pairs(self, left: Cells | None, at_least: int, percentage: float) -> Iterator[tuple[int, ...]]:
        """Pair the levels of each key with the target's levels, where that gives much away.

        Parameters
        ----------
        left
            The cells after exclusions; None where nothing is left out.
        at_least
            Cells with more disclosive records than this count.
        percentage
            Pairs count that more than this percentage of the original records with the key level have.

        Yields
        ------
        number of the key, key level, target level, disclosive records, original records of the pair, of the key level,
        disclosive records of the pair in cells of any size
            Levels are codes.
        """
        combinations, levels, disclosive = self._given_away(left)
        large = disclosive > at_least
        if not large.any():
            return
        of_levels, n_levels = self.of_levels.d_full, self.n_levels
        of_cells = [of_key * n_levels + levels for of_key in self.index.key_codes(combinations)]
        asked = []
        for key, pairs in zip(self.keys, of_cells, strict=True):
            found = np.unique(pairs[large])
            asked.append(found[100 * of_levels[found % n_levels] >= percentage * key.counts[0][found // n_levels]])
        for place, of_pairs in enumerate(self._original_by_pair(asked)):
            at, met = _found_at(asked[place], of_cells[place])
            n, n_all = (np.bincount(at[of], disclosive[of], len(asked[place])) for of in (met & large, met))
            for pair, *counts in zip(asked[place].tolist(), n, of_pairs, n_all, strict=True):
                key_level, level = divmod(pair, n_levels)
                of_key = int(self.keys[place].counts[0][key_level])
                of_large, both, of_any = map(int, counts)
                if 100 * both / of_key > percentage:
                    yield place, key_level, level, of_large, both, of_key, of_any

    def _given_away(self, left: Cells | None) -> tuple[Whole, Whole, Whole]:
        """Give the key combinations, target levels and original records of the cells with disclosive records."""
        found = []
        pieces: Iterable[tuple[Whole, Cells]] = ((one.combinations, one.cells) for one in self.pieces())
        for combinations, cells in pieces if left is None else [(self.combinations, left)]:
            here = np.flatnonzero((cells.d > 0) & cells.disclosive_in_synthetic)
            found.append((combinations[here], cells.t[here], cells.d[here]))
        combinations, levels, disclosive = map(np.concatenate, zip(*found, strict=True))
        return combinations, levels, disclosive

    def _original_by_pair(self, asked: Sequence[Whole]) -> list[npt.NDArray[np.float64]]:
        """Count the original records of some pairs of a key level and a target level.

        Parameters
        ----------
        asked
            For each key the pairs, rising: the key level times the number of target levels, plus the target level.
        """
        counts = [np.zeros(len(pairs)) for pairs in asked]
        for counted, combinations, levels in self._pieces_of(self.original):
            for place, codes in zip(reversed(range(len(asked))), self.index.each_key(combinations), strict=True):
                if len(asked[place]):
                    at, met = _found_at(asked[place], codes * self.n_levels + levels)
                    counts[place] += np.bincount(at[met], counted[met], len(counts[place]))
        return counts

    def tables(
        self, pairs: Sequence[tuple[int, int]], classes: Mapping[int, Whole]
    ) -> list[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
        """Count original and synthetic records by the classes of two variables, nothing excluded.

        Parameters
        ----------
        pairs
            Places of two variables: keys in their order, then the target.
        classes
            For each place the class of each code.
        """
        if not pairs:
            return []
        files = (self._pairs_of(file, pairs, classes) for file in (self.original, self.synthetic))
        return [*zip(*files, strict=True)]

    def _pairs_of(
        self, file: AnyTally, pairs: Sequence[tuple[int, int]], classes: Mapping[int, Whole]
    ) -> list[npt.NDArray[np.float64]]:
        """Count the records of one file as `tables` does."""
        shape = {place: int(of_codes.max()) + 1 for place, of_codes in classes.items()}
        tables = [np.zeros((shape[first], shape[second])) for first, second in pairs]

        def add(rows: Mapping[int, Whole], records: npt.NDArray[Any]) -> None:
            for table, (first, second) in zip(tables, pairs, strict=True):
                both = np.bincount(rows[first] * shape[second] + rows[second], records, table.size)
                np.add(table, both.reshape(table.shape), out=table)

        n_together = math.prod(shape.values())
        together = np.zeros(n_together if n_together <= min(_MOST_TOGETHER, file.size) else 0)
        for records, combinations, levels in self._pieces_of(file):
            codes = [*self.index.key_codes(combinations), levels]
            rows = {place: of_codes[codes[place]] for place, of_codes in classes.items()}
            if len(together):
                row = functools.reduce(lambda row, place: row * shape[place] + rows[place], shape, 0)
                together += np.bincount(row, records, n_together)
            else:
                add(rows, records)
        if len(together):
            add(dict(zip(shape, np.indices(tuple(shape.values())).reshape(len(shape), -1), strict=True)), together)
        return tables

    def _pieces_of(self, file: AnyTally) -> Iterator[tuple[Whole, Whole, Whole]]:
        """Give the records of one file by cell, with key combination and target level, some at a time."""
        for (piece,) in in_pieces([file], self.n_levels):
            combinations = piece.codes // self.n_levels
            yield piece.counts, combinations, piece.codes - combinations * self.n_levels

    def sure_by_level(self) -> Whole:
        """Count the original records for which the synthetic file names some level with certainty, by their level."""
        rows = self.alike
        sure: Whole = np.bincount(rows.t, rows.n * rows.d_full * rows.key_disclosive_in_synthetic).astype(np.int64)
        return sure

    def at_levels(self, rows: AlikeCells) -> list[AtLevel]:
        """Count what is given away of the levels that are counted apart.

        Parameters
        ----------
        rows
            Of the cells after exclusions.
        """
        d_full, d = rows.levels.d_full, rows.n * rows.d
        disclosed = np.bincount(rows.t, d * rows.disclosive_in_synthetic, len(d_full))
        by_chance = np.bincount(rows.t, d * rows.chance.correct, len(d_full))
        return [
            AtLevel(level, int(d_full[level]), int(disclosed[level]), float(by_chance[level]))
            for level in counted_apart(d_full)
        ]

    def original_without(self, apart: Mapping[int, Whole]) -> int:
        """Count the original records that have none of some levels; for each key its place, and codes."""
        n = 0
        for counts, combinations, _ in self._pieces_of(self.original):
            codes = self.index.key_codes(combinations)
            left = ~np.logical_or.reduce([np.isin(codes[place], levels) for place, levels in apart.items()])
            n += int(counts[left].sum())
        return n


def _found_at(among: Whole, codes: Whole) -> tuple[Whole, npt.NDArray[np.bool_]]:
    """Give the places of codes among rising ones, and which codes are there at all; shape (codes,) each."""
    at = np.searchsorted(among, codes)
    return at, (among.take(at, mode="clip") == codes if len(among) else np.zeros(len(codes), bool))


class Counter:
    """Counts cells, target by target; what a target needs from the original is counted once.

    Parameters
    ----------
    index
        The keys of the original (file 0) and all synthetic files.
    """

    def __init__(self, index: KeyIndex) -> None:
        self.index = index

    def of_target(self, target: Variable) -> list[TargetCells]:
        """Count the cells of one target.

        Parameters
        ----------
        target
            Coded alike in all files.

        Returns
        -------
        list of TargetCells
            One a synthesis.
        """
        n_levels = max(target.n_codes, 1)

        def count(file: int) -> AnyTally:
            codes = self.index.codes[file] * n_levels
            codes += target.codes[file]
            return tally(codes, self.index.n_codes * n_levels)

        return self._counted(count, [counts[:n_levels] for counts in target.counts])

    def of_keys(self) -> list[TargetCells]:
        """Count the key combinations alone, as if there were a target with one level; one a synthesis."""
        return self._counted(
            lambda file: tally(self.index.codes[file], self.index.n_codes),
            [np.array([len(codes)]) for codes in self.index.codes],
        )

    def _counted(self, count: Callable[[int], AnyTally], by_level: Sequence[Whole]) -> list[TargetCells]:
        original, *syntheses = in_threads(count, range(len(by_level)), max(map(len, self.index.codes), default=0))
        d_levels, *s_levels = by_level
        return [
            TargetCells(self.index, original, synthetic, Levels(d_levels, of_synthetic))
            for synthetic, of_synthetic in zip(syntheses, s_levels, strict=True)
        ]

    def of_units(self, missing_keys: Sequence[Sequence[int]] = (), *, kinds: bool = True) -> list[UnitCounts]:
        """Count units, and those that can be told from all others; one a synthesis, none where there is no unit.

        Parameters
        ----------
        missing_keys
            For each key the codes of missing values that are left out; see `Rules`.
        kinds
            Whether kinds of unit are counted, too.
        """
        index = self.index
        if index.members is None or index.unit is None:
            return []
        return count_units(index.keys, index.unit, index.members, missing_keys, kinds=kinds)
