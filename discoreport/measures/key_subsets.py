"""Cells of every subset of some keys, refined from one subset to the next.

A subset's key combinations are those of a smaller subset, split by one more key. Records are sorted as
whole numbers once a subset. A record that no other record of either file shares its keys with stays alone
whatever key is added: such records leave the tables, and are put back as sums.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import Variable
from discoreport.measures.cells import Cells, Levels
from discoreport.measures.registry import Count, Measure

Whole = npt.NDArray[Any]
_WORTH_COMPACTING = 2
"""With at least this many keys still to add, finding the records that stay alone pays."""
_LIMIT = 2**63


@dataclass(frozen=True)
class SubsetCells:
    """The full cells of one subset of the keys.

    Parameters
    ----------
    places
        Which keys, as places in the list of all keys, in no particular order.
    cells
        Of the records that share their keys with another record of either file.
    alone_in_original, alone_in_synthetic
        Records of each file that share their keys with no other record of either file.
    """

    places: tuple[int, ...]
    cells: Cells
    alone_in_original: int
    alone_in_synthetic: int

    def values(self, measures: Sequence[Measure]) -> dict[str, float]:
        """Evaluate measures over all records.

        Parameters
        ----------
        measures
            Such as are sums over key combinations: all but `baseCAPd` and `baseMode`, which no key has a part in.

        Returns
        -------
        dict
            By name; NaN where there is nothing to divide by.
        """
        return {
            entry.name: entry.value(self._sum(entry.count), None if entry.of is None else self._sum(entry.of))
            for entry in measures
        }

    def _sum(self, count: Count) -> float:
        of_original, of_synthetic = _of_one_alone(count)
        return float(count(self.cells)) + self.alone_in_original * of_original + self.alone_in_synthetic * of_synthetic


@functools.cache
def _of_one_alone(count: Count) -> tuple[float, float]:
    """Evaluate a sum for one original record that is alone, and for one synthetic record."""
    rows = [("alone", "level", 1, 0)], [("alone", "level", 0, 1)]
    of_original, of_synthetic = (float(count(Cells.from_rows(row))) for row in rows)
    return of_original, of_synthetic


@dataclass(frozen=True)
class _Records:
    """The records of both files that may still share their keys with others.

    Parameters
    ----------
    codes
        Key combination of each record by the keys so far; all below `n_codes`.
    keys
        By place, the codes of the keys still to add.
    marks
        For each record twice its target level, and one more where it is synthetic; all below `n_marks`.
    alone
        Original and synthetic records that have left.
    """

    codes: Whole
    n_codes: int
    keys: Mapping[int, Whole]
    marks: Whole
    n_marks: int
    alone: tuple[int, int]


def cells_of_subsets(
    keys: Sequence[Variable], target: Variable | None, synthesis: int, most_keys: int | None = None
) -> list[Iterator[SubsetCells]]:
    """Count the cells of every subset of some keys.

    Parameters
    ----------
    keys
        Coded alike in all files; at least one.
    target
        The same; None counts key combinations alone, as if there were a target with one level.
    synthesis
        Which synthetic file, counting from 1.
    most_keys
        Leave out subsets of more keys than this.

    Returns
    -------
    list of iterators over SubsetCells
        Together they give each subset once; nothing excluded. They may be gone through at the same time.
    """
    widths = [max(key.n_codes, 1) for key in keys]
    order = sorted(range(len(keys)), key=lambda place: -widths[place])  # the ones that tell most apart split first
    n_original, n_synthetic = len(keys[0].codes[0]), len(keys[0].codes[synthesis])
    n_levels = 1 if target is None else max(target.n_codes, 1)
    levels: Whole = np.zeros(n_original + n_synthetic, np.uint32)
    if target is not None:
        levels = np.concatenate([target.codes[0], target.codes[synthesis]]).astype(np.uint32)
    marks = 2 * levels
    marks[n_original:] += 1
    records = _Records(
        codes=np.zeros(len(levels), np.uint32),
        n_codes=1,
        keys={
            place: np.concatenate([keys[place].codes[0], keys[place].codes[synthesis]]).astype(np.uint32)
            for place in order
        },
        marks=marks,
        n_marks=2 * n_levels,
        alone=(0, 0),
    )
    depth = len(keys) if most_keys is None else most_keys
    files = levels[:n_original], levels[n_original:]
    of_levels = Levels(*(np.bincount(of_file, minlength=n_levels).astype(np.int64) for of_file in files))
    start = iter([_counted((), records, of_levels)])
    if not depth:
        return [start]
    records = _compact(records, order)
    return [start, *_branches((), records, order, widths, depth, of_levels)]


def _branches(
    places: tuple[int, ...], records: _Records, order: Sequence[int], widths: Sequence[int], depth: int, levels: Levels
) -> Iterator[Iterator[SubsetCells]]:
    """Add one more key: each of those that come later in the order."""
    for number, place in enumerate(order):
        yield _visit((*places, place), records, place, order[number + 1 :], widths, depth, levels)


def _visit(
    places: tuple[int, ...],
    before: _Records,
    place: int,
    order: Sequence[int],
    widths: Sequence[int],
    depth: int,
    levels: Levels,
) -> Iterator[SubsetCells]:
    """Count a subset, and all that further keys make of it."""
    records = _split(before, place, widths[place])
    yield _counted(places, records, levels)
    if len(places) == depth:
        return
    if len(order) >= _WORTH_COMPACTING:
        records = _compact(records, order)
    for branch in _branches(places, records, order, widths, depth, levels):
        yield from branch


def _split(records: _Records, place: int, width: int) -> _Records:
    """Split the key combinations by one more key."""
    n_codes = records.n_codes * width
    if n_codes * records.n_marks >= _LIMIT:
        records = _compact(records, tuple(records.keys))
        n_codes = records.n_codes * width
    kind: Any = np.uint32 if n_codes * records.n_marks <= np.iinfo(np.uint32).max else np.uint64
    codes = records.codes.astype(kind, copy=False) * kind(width) + records.keys[place]
    return _Records(codes, n_codes, records.keys, records.marks, records.n_marks, records.alone)


def _compact(records: _Records, order: Sequence[int]) -> _Records:
    """Give the key combinations close numbers, and take out the records that are alone with theirs."""
    by_code = np.argsort(records.codes)
    codes = records.codes[by_code]
    begins = _begins(codes)
    alone = begins.copy()
    alone[:-1] &= begins[1:]
    kept = np.flatnonzero(~alone)
    rows = by_code[kept]
    marks = records.marks[rows]
    n_alone = len(codes) - len(kept)
    synthetic = int((records.marks & 1).sum()) - int((marks & 1).sum())
    numbers = np.cumsum(begins[kept], dtype=np.uint32) - np.uint32(1)
    return _Records(
        codes=numbers,
        n_codes=int(numbers[-1]) + 1 if len(numbers) else 1,
        keys={place: records.keys[place][rows] for place in order},
        marks=marks,
        n_marks=records.n_marks,
        alone=(records.alone[0] + n_alone - synthetic, records.alone[1] + synthetic),
    )


def _counted(places: tuple[int, ...], records: _Records, levels: Levels) -> SubsetCells:
    """Count the records by key combination and target level; those that are alone are put aside."""
    kind = records.codes.dtype.type
    cells = records.codes * kind(records.n_marks) + records.marks
    cells.sort()
    n_synthetic = np.cumsum(cells & kind(1), dtype=kind)  # up to here
    cells >>= kind(1)
    n_records = len(cells)
    at = np.flatnonzero(_begins(cells))
    size = _steps(at, n_records)
    s = n_synthetic[at + (size - 1)].astype(np.int64)
    s[1:] -= s[:-1].copy()
    combinations, t = np.divmod(cells[at], kind(records.n_marks // 2))
    begins = _begins(combinations)
    alone = begins & (size == 1)
    alone[:-1] &= begins[1:]
    kept = np.flatnonzero(~alone)
    n_alone, all_synthetic = len(alone) - len(kept), int(n_synthetic[-1]) if n_records else 0
    s = s[kept]
    d = size[kept] - s
    of_synthetic = int(s.sum())
    alone_synthetic = all_synthetic - of_synthetic
    starts, levels_left = np.flatnonzero(begins[kept]), t[kept].astype(np.int64)
    counted = Cells(starts, d, s, d, s, int(d.sum()), of_synthetic, levels, levels_left)
    return SubsetCells(
        places, counted, records.alone[0] + n_alone - alone_synthetic, records.alone[1] + alone_synthetic
    )


def _steps(places: npt.NDArray[np.int64], end: int) -> npt.NDArray[np.int64]:
    """Give the distance of each place from the next, and of the last from the end."""
    steps = np.empty_like(places)
    np.subtract(places[1:], places[:-1], out=steps[:-1])
    steps[-1:] = end - places[-1:]
    return steps


def _begins(values: Whole) -> npt.NDArray[np.bool_]:
    """Tell where a sorted array comes to another value."""
    begins = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    return begins
