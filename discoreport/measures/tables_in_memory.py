"""Records of several files by the cells of tables, in memory; all pairs of variables in few passes over the records."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import Variable, renumbered
from discoreport.measures.table_utility import Cells, Counts
from discoreport.measures.tallies import DENSE

Group = tuple[int, ...]
"""The places of the variables that a table is made of."""
_WIDEST_BUNDLE = 256
"""Variables that are counted at once have at most this many cells together: two such bundles stay in cache."""
_BLOCK = 2**15
"""Records that are counted at once, likewise."""


def count_tables(variables: Sequence[Variable], groups: Sequence[Group]) -> Iterator[Cells]:
    """Count the records of all files by the cells of several tables, in memory.

    Parameters
    ----------
    variables
        Coded alike over all files.
    groups
        Of each table which variables it is made of.

    Yields
    ------
    Cells
        Those that no file has may be among them.
    """
    n_records = sum(map(len, variables[0].codes)) if variables else 0
    if list(groups) == list(itertools.combinations(range(len(variables)), 2)):
        yield from count_pairs(variables, min(_WIDEST_BUNDLE, math.isqrt(n_records)))
        return
    for group in groups:
        yield _counted(variables, group, n_records)


def _counted(variables: Sequence[Variable], group: Group, n_records: int) -> Cells:
    """Count the cells of one table."""
    widths = widths_of(variables, group)
    codes = [
        _combined([variables[place].codes[file] for place in group], widths)
        for file in range(len(variables[group[0]].codes))
    ]
    n_cells = math.prod(widths)
    placed, found = (codes, np.arange(n_cells)) if n_cells <= DENSE * n_records else renumbered(codes)
    return Cells(found, np.array([np.bincount(of_file, minlength=len(found)) for of_file in placed]))


@dataclass(frozen=True)
class _Bundle:
    """Variables that stand side by side, and their codes as one number a record."""

    places: range
    widths: list[int]
    codes: list[npt.NDArray[np.integer]]

    @property
    def n_cells(self) -> int:
        """How many numbers there are."""
        return math.prod(self.widths)


def count_pairs(variables: Sequence[Variable], widest: int) -> Iterator[Cells]:
    """Count all pairs of variables, several at once: two bundles of variables are counted together, and added up.

    Parameters
    ----------
    variables
        Coded alike over all files, in memory.
    widest
        How many cells a bundle may have; a variable that has more is one of its own.

    Yields
    ------
    Cells
        In the order of `itertools.combinations`.
    """
    bundles = _bundles(variables, widest)
    n_records = sum(map(len, variables[0].codes)) if variables else 0
    for number, bundle in enumerate(bundles):
        counted: dict[Group, Counts] = {}
        if len(bundle.places) > 1:
            own = np.array([np.bincount(codes, minlength=bundle.n_cells) for codes in bundle.codes])
            counted |= _added_up(own, bundle, bundle)
        for other in bundles[number + 1 :]:
            if bundle.n_cells * other.n_cells <= widest**2 and len(bundle.places) + len(other.places) > 2:
                counted |= _added_up(_together(bundle, other), bundle, other)
        for first in bundle.places:
            for second in range(first + 1, len(variables)):
                found = counted.get((first, second))
                yield (
                    Cells(np.arange(found.shape[1]), found)
                    if found is not None
                    else _counted(variables, (first, second), n_records)
                )


def _bundles(variables: Sequence[Variable], widest: int) -> list[_Bundle]:
    """Put variables that stand side by side together as long as their cells are few."""
    widths = widths_of(variables, range(len(variables)))
    starts = [0]
    for place in range(1, len(widths)):
        if math.prod(widths[starts[-1] : place + 1]) > widest:
            starts.append(place)
    made = []
    for places in itertools.starmap(range, itertools.pairwise([*starts, len(widths)])):
        of_files = zip(*(variables[place].codes for place in places), strict=True)
        within = [widths[place] for place in places]
        made.append(_Bundle(places, within, [_combined(codes, within) for codes in of_files]))
    return made


def _together(one: _Bundle, other: _Bundle) -> Counts:
    """Count two bundles, the second one's codes changing fastest; shape (files, cells)."""
    counted = np.zeros((len(one.codes), one.n_cells * other.n_cells), np.int64)
    for file, codes in enumerate(zip(one.codes, other.codes, strict=True)):
        for start in range(0, len(codes[0]), _BLOCK):
            first, second = (of_bundle[start : start + _BLOCK] for of_bundle in codes)
            place = np.multiply(first, other.n_cells, dtype=np.intp)
            place += second
            counted[file] += np.bincount(place, minlength=counted.shape[1])
    return counted


def _added_up(counted: Counts, one: _Bundle, other: _Bundle) -> dict[Group, Counts]:
    """Give the tables of single variables: of one bundle with another, or of the same one with each other."""
    n_files = len(counted)
    found: dict[Group, Counts] = {}
    if one is other:
        table = counted.reshape(n_files, *one.widths)
        for first, second in itertools.combinations(range(len(one.places)), 2):
            others = tuple(axis + 1 for axis in range(len(one.places)) if axis not in (first, second))
            found[one.places[first], one.places[second]] = table.sum(axis=others).reshape(n_files, -1)
        return found
    table = counted.reshape(n_files, *one.widths, other.n_cells)
    for first, place in enumerate(one.places):
        others = tuple(axis + 1 for axis in range(len(one.places)) if axis != first)
        rows = table.sum(axis=others).reshape(n_files, one.widths[first], *other.widths)
        for second, beside in enumerate(other.places):
            others = tuple(axis + 2 for axis in range(len(other.places)) if axis != second)
            found[place, beside] = rows.sum(axis=others).reshape(n_files, -1)
    return found


def widths_of(variables: Sequence[Variable], group: Sequence[int]) -> list[int]:
    """Give for each variable of a table how many codes it has."""
    return [max(variables[place].n_codes, 1) for place in group]


def _combined(codes: Sequence[npt.NDArray[np.integer]], widths: Sequence[int]) -> npt.NDArray[np.integer]:
    """Combine codes into one number a record, in the smallest type that holds it: memory is what takes the time."""
    combined = codes[0].astype(np.min_scalar_type(math.prod(widths)))
    for of_variable, width in zip(codes[1:], widths[1:], strict=True):
        combined *= width
        combined += of_variable
    return combined
