"""The engine in memory: coded columns -> cells, by sorting whole numbers.

Keys are combined once into one number a record (`key_index`); each target then costs one sort of the records of each
file (`tallies`). A table laid out in full is used only where it is little longer than the records themselves, so cost
grows with records, never with key levels times target levels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import Variable
from discoreport.data.parallel import in_blocks, in_threads
from discoreport.measures.alike_cells import AlikeCells
from discoreport.measures.by_level import AtLevel, counted_apart
from discoreport.measures.cells import Cells, Levels
from discoreport.measures.key_index import KeyIndex, Whole
from discoreport.measures.tallies import Tally, align, tally
from discoreport.measures.units import UnitCounts, count_units

_AT_ONCE = 2**15
"""What is computed of so many cells stays near the processor."""


@dataclass(frozen=True)
class TargetCells:
    """The full cells of one target and one synthesis, and what their keys and levels are.

    Parameters
    ----------
    cells
        Counts, nothing excluded.
    index
        The keys.
    combinations
        Key combination of each cell; shape (cells,).
    """

    cells: Cells
    index: KeyIndex
    combinations: Whole

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

    def some(self, first: int, end: int) -> TargetCells:
        """Give the cells of some key combinations, as `Cells.some`."""
        return TargetCells(self.cells.some(first, end), self.index, self.combinations[self.cells.places(first, end)])

    @cached_property
    def alike(self) -> AlikeCells:
        """The cells, those that are alike taken together."""
        return AlikeCells.among(self.cells)

    def rows(self, left: Cells) -> AlikeCells:
        """Give the rows that sums over cells are taken over: few, as cells that are alike are one row.

        Parameters
        ----------
        left
            The cells after exclusions.
        """
        return self.alike if left is self.cells else AlikeCells.among(left)

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

    def pairs(self, left: Cells, at_least: int, percentage: float) -> Iterator[tuple[int, ...]]:
        """Pair the levels of each key with the target's levels, where that gives much away.

        Parameters
        ----------
        left
            The cells after exclusions.
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
        given_away = np.flatnonzero((left.d > 0) & left.disclosive_in_synthetic)
        disclosive, levels = left.d[given_away], self.levels[given_away]
        large = disclosive > at_least
        if not large.any():
            return
        of_levels = self.cells.levels.d_full
        n_levels = len(of_levels)
        of_cells = [of_key * n_levels + levels for of_key in self.index.key_codes(self.combinations[given_away])]
        asked = []
        for key, pairs in zip(self.keys, of_cells, strict=True):
            found = np.unique(pairs[large])
            asked.append(found[100 * of_levels[found % n_levels] > percentage * key.counts[0][found // n_levels]])
        for place, of_pairs in enumerate(self._original_by_pair(asked)):
            for pair, both in zip(asked[place].tolist(), of_pairs.tolist(), strict=True):
                key_level, level = divmod(pair, n_levels)
                of_key = int(self.keys[place].counts[0][key_level])
                if 100 * both / of_key > percentage:
                    here = of_cells[place] == pair
                    n, n_all = int(disclosive[here & large].sum()), int(disclosive[here].sum())
                    yield place, key_level, level, n, int(both), of_key, n_all

    def _original_by_pair(self, asked: Sequence[Whole]) -> list[npt.NDArray[np.float64]]:
        """Count the original records of some pairs of a key level and a target level.

        Parameters
        ----------
        asked
            For each key the pairs, rising: the key level times the number of target levels, plus the target level.
        """
        counts = [np.zeros(len(pairs)) for pairs in asked]
        held = np.flatnonzero(self.cells.d_full > 0)
        for first in range(0, len(held), _AT_ONCE):
            here = held[first : first + _AT_ONCE]
            levels, d = self.levels[here], self.cells.d_full[here]
            for place, codes in zip(
                reversed(range(len(asked))), self.index.each_key(self.combinations[here]), strict=True
            ):
                if len(asked[place]):
                    pairs = codes * len(self.cells.levels.d_full) + levels
                    at = np.searchsorted(asked[place], pairs)
                    met = asked[place].take(at, mode="clip") == pairs
                    counts[place] += np.bincount(at[met], d[met], len(counts[place]))
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
        shape = {place: int(of_codes.max()) + 1 for place, of_codes in classes.items()}
        d, s = self.cells.d_full, self.cells.s_full
        if math.prod(shape.values()) <= len(d):  # cells of the same classes are one row from here on
            together = self._together(classes, shape)
            n_rows = math.prod(shape.values())
            d, s = in_threads(lambda of: np.bincount(together, of, n_rows), (d, s), len(together))
            rows = [*np.indices(tuple(shape.values())).reshape(len(shape), -1)]
        else:
            codes = [*self.key_codes, self.levels]
            rows = [of_codes[codes[place]] for place, of_codes in classes.items()]
        of_rows = dict(zip(shape, rows, strict=True))
        counted = []
        for first, second in pairs:
            size = shape[first] * shape[second]
            both = of_rows[first] * shape[second] + of_rows[second]
            of_files = (np.bincount(both, of, size).astype(np.float64) for of in (d, s))
            of_original, of_synthetic = (of.reshape(shape[first], shape[second]) for of in of_files)
            counted.append((of_original, of_synthetic))
        return counted

    def _together(self, classes: Mapping[int, Whole], shape: Mapping[int, int]) -> npt.NDArray[np.uint32]:
        """Give the classes of each cell as one number, those of the last variable changing fastest; shape (cells,)."""
        joined = np.empty(len(self.levels), np.uint32)
        step, parts = 1, {}
        for place in reversed(shape):
            parts[place] = (classes[place] * step).astype(np.uint32)
            step *= shape[place]

        def join(here: slice) -> None:
            block = joined[here]
            block[:] = 0
            keys = zip(reversed(range(len(self.keys))), self.index.each_key(self.combinations[here]), strict=True)
            for place, codes in [(len(self.keys), self.levels[here]), *keys]:
                if place in parts:
                    block += parts[place][codes]

        in_blocks(join, len(joined))
        return joined

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
        left = np.ones(len(self.levels), bool)
        for place, levels in apart.items():
            left &= ~np.isin(self.key_codes[place], levels)
        return int(self.cells.d_full[left].sum())


class Counter:
    """Counts cells, target by target; what a target needs from the original is counted once.

    Parameters
    ----------
    index
        The keys of the original (file 0) and all synthetic files.
    """

    def __init__(self, index: KeyIndex) -> None:
        self.index = index
        self._files = range(len(index.codes))
        self._n_records = max(map(len, index.codes), default=0)

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
        n_cells = self.index.n_codes * n_levels

        def count(file: int) -> Tally:
            codes = self.index.codes[file] * n_levels
            codes += target.codes[file]
            return tally(codes, n_cells)

        original, *syntheses = in_threads(count, self._files, self._n_records)
        d_levels, *s_levels = (counts[:n_levels] for counts in target.counts)

        def lay(synthesis: int) -> TargetCells:
            levels = Levels(d_levels, s_levels[synthesis])
            return cells_of(self.index, original, syntheses[synthesis], levels)

        return in_threads(lay, range(len(syntheses)), self._n_records)

    def of_keys(self) -> list[TargetCells]:
        """Count the key combinations alone, as if there were a target with one level; one a synthesis."""

        def count(file: int) -> Tally:
            return tally(self.index.codes[file], self.index.n_codes)

        original, *syntheses = in_threads(count, self._files, self._n_records)
        n_original, *n_synthetic = (np.array([len(codes)]) for codes in self.index.codes)

        def lay(synthesis: int) -> TargetCells:
            levels = Levels(n_original, n_synthetic[synthesis])
            return cells_of(self.index, original, syntheses[synthesis], levels)

        return in_threads(lay, range(len(syntheses)), self._n_records)

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


def cells_of(index: KeyIndex, original: Tally, synthetic: Tally, of_levels: Levels) -> TargetCells:
    """Lay the records of the original and of one synthetic file side by side, by key combination and target level.

    Parameters
    ----------
    index
        The keys.
    original, synthetic
        Records by code: the key combination times the number of target levels, plus the target level.
    of_levels
        Records by target level.
    """
    codes, d, s = align(original, synthetic)
    n_levels = len(of_levels.d_full)
    combinations = codes // n_levels if n_levels > 1 else codes
    levels = combinations * -n_levels
    levels += codes  # many times faster than the remainder of a division
    starts = np.flatnonzero(np.append(True, combinations[1:] != combinations[:-1])) if len(codes) else codes
    n_original, n_synthetic = (int(counts.sum()) for counts in (of_levels.d_full, of_levels.s_full))
    return TargetCells(Cells(starts, d, s, d, s, n_original, n_synthetic, of_levels, levels), index, combinations)
