"""Units: records that belong together, such as households. Who knows one member's keys knows those of all.

A unit's composition is the sorted multiset of the keys of its records. It joins the key combination of each of them,
so that every measure follows. Compositions are compared value by value, never by a number that could stand for two.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import SMALL_CELL, Variable

Whole = npt.NDArray[np.int64]
MOST_KINDS = 100
"""So many kinds of unit are counted apart for each key: the commonest."""


@dataclass(frozen=True)
class Members:
    """The units of all files, in memory.

    Parameters
    ----------
    units
        For each file the unit of each record, numbered from 0; shape (records,) each.
    compositions
        For each file the composition of each unit, numbered alike in all files; shape (units,) each.
    written
        The sorted keys of each composition, as bytes of whole numbers.
    """

    units: tuple[Whole, ...]
    compositions: tuple[Whole, ...]
    written: tuple[bytes, ...]

    @property
    def n_compositions(self) -> int:
        """How many compositions there are in all files."""
        return len(self.written)

    @cached_property
    def codes(self) -> tuple[tuple[int, ...], ...]:
        """The sorted keys of each composition."""
        return tuple(tuple(np.frombuffer(keys, np.int64).tolist()) for keys in self.written)

    @property
    def of_records(self) -> list[Whole]:
        """For each file the composition of each record's unit; shape (records,) each."""
        return [of_units[units] for of_units, units in zip(self.compositions, self.units, strict=True)]


def members_of(codes: Sequence[npt.NDArray[Any]], unit: Variable) -> Members:
    """Put the records of each unit together.

    Parameters
    ----------
    codes
        For each file the keys of each record as one number, alike in all files.
    unit
        Says which records belong together; those without a value, or with one that the file declares as missing,
        are each a unit of their own.

    Examples
    --------
    >>> import pandas as pd
    >>> from discoreport.data.coding import code_variable
    >>> from discoreport.data.table import Table
    >>> table = Table("file", {"household": pd.Series(["a", "b", "a", None, None])})
    >>> found = members_of([np.array([3, 1, 2, 1, 2])], code_variable("household", [table]))
    >>> [found.codes[of_record] for of_record in found.of_records[0]]
    [(2, 3), (1,), (2, 3), (1,), (2,)]
    """
    numbers: dict[bytes, int] = {}
    units, compositions = [], []
    for of_file, of_unit in zip(codes, unit.codes, strict=True):
        marks = of_unit.astype(np.int64)
        alone = np.flatnonzero(is_alone(of_unit, unit))
        marks[alone] = unit.n_levels + 1 + np.arange(len(alone))
        order = np.lexsort((of_file, marks))
        begins = np.diff(marks[order], prepend=-1) != 0
        place = np.empty(len(marks), np.int64)
        place[order] = np.cumsum(begins) - 1
        keys = of_file[order].astype(np.int64).tobytes()
        bounds = [*(8 * np.flatnonzero(begins)).tolist(), len(keys)]
        found = [numbers.setdefault(keys[at:end], len(numbers)) for at, end in itertools.pairwise(bounds)]
        units.append(place)
        compositions.append(np.array(found, np.int64))
    return Members(tuple(units), tuple(compositions), tuple(numbers))


def is_alone(codes: npt.NDArray[np.int32], unit: Variable) -> npt.NDArray[np.bool_]:
    """Tell record by record whether it has no unit, by its code."""
    declared = [unit.code_of(level) for level in unit.declared]
    return (codes >= unit.n_levels) | np.isin(codes, declared)


@dataclass(frozen=True)
class KindOfUnit:
    """Original units that are alike in their size and in one key, and how many of them can be told apart.

    Parameters
    ----------
    key
        Place of the key; None where they are alike in their size alone.
    codes
        The codes of that key, of all of a unit's records, rising; None where several kinds are put together.
    size
        How many records each has; None likewise.
    n_units, n_unique, n_replicated
        Units; those whose composition no other original unit has; and those of them whose composition is unique in
        the synthetic file, too.
    """

    key: int | None
    codes: tuple[int, ...] | None
    size: int | None
    n_units: int
    n_unique: int
    n_replicated: int


@dataclass(frozen=True)
class UnitCounts:
    """How many units two files have, and how many compositions are of one unit alone.

    Parameters
    ----------
    n_original, n_synthetic
        Units of the files, nothing left out.
    unique_in_original, unique_and_in_synthetic, unique_in_both
        Compositions of one original unit, as UiO, UiOiS and repU count key combinations of one record. A unit counts
        as long as any of its records is left.
    shared_original, shared_synthetic
        Units of each file whose composition the other has, nothing left out.
    kinds
        Of the original's units.
    """

    n_original: int
    n_synthetic: int
    unique_in_original: int
    unique_and_in_synthetic: int
    unique_in_both: int
    shared_original: int
    shared_synthetic: int
    kinds: tuple[KindOfUnit, ...] = ()


def put_together(
    kinds: Iterable[KindOfUnit], key: int | None, n_units: int, unique: int, both: int
) -> list[KindOfUnit]:
    """Show the commonest kinds, and all others as one, so that none is of fewer than the small-cell limit.

    Parameters
    ----------
    kinds
        By one key, or by size alone; those of few units may be lacking.
    key
        Its place.
    n_units, unique, both
        Of all units together.
    """
    common = sorted(
        (one for one in kinds if one.n_units >= SMALL_CELL), key=lambda one: (-one.n_units, one.codes or ())
    )
    common = common[:MOST_KINDS]
    while common and 0 < n_units - sum(one.n_units for one in common) < SMALL_CELL:
        common.pop()  # so few others would be shown by what is lacking
    others = KindOfUnit(
        key,
        None,
        None,
        n_units - sum(one.n_units for one in common),
        unique - sum(one.n_unique for one in common),
        both - sum(one.n_replicated for one in common),
    )
    ordered = sorted(common, key=lambda one: (one.size or 0, one.codes or ()))
    return [*ordered, *([others] if others.n_units else [])]


def count_units(
    keys: Sequence[Variable],
    unit: Variable,
    members: Members,
    missing_keys: Sequence[Sequence[int]] = (),
    *,
    kinds: bool = True,
) -> list[UnitCounts]:
    """Count units in memory, and those that can be told from all others; one a synthesis.

    Parameters
    ----------
    keys, unit
        Coded alike in all files.
    members
        Of them.
    missing_keys
        For each key the codes of missing values that are left out; see `Rules`.
    kinds
        Whether kinds of unit are counted, too.
    """
    n_compositions = members.n_compositions
    left = [_has_any_left(keys, members, file, missing_keys) for file in range(len(members.units))]
    d, *s = (
        np.bincount(of_file[of_left], minlength=n_compositions)
        for of_file, of_left in zip(members.compositions, left, strict=True)
    )
    of_original = replace(unit, codes=unit.codes[:1])
    by: dict[int | None, Members] = {}
    if kinds:
        by[None] = members_of([np.zeros_like(members.units[0])], of_original)
        by |= {place: members_of([key.codes[0]], of_original) for place, key in enumerate(keys)}
    ours = members.compositions[0]
    d_full = np.bincount(ours, minlength=n_compositions)
    found = []
    for of_file, of_left in zip(members.compositions[1:], s, strict=True):
        s_full = np.bincount(of_file, minlength=n_compositions)
        unique = d == 1
        both = unique & (of_left == 1)
        flags = [left[0] & of_composition[ours] for of_composition in (unique, both)]
        totals = len(ours), int(flags[0].sum()), int(flags[1].sum())
        shown = [
            kind
            for place, of_kind in by.items()
            for kind in put_together(_kinds(place, of_kind, *flags), place, *totals)
        ]
        found.append(
            UnitCounts(
                n_original=len(ours),
                n_synthetic=len(of_file),
                unique_in_original=totals[1],
                unique_and_in_synthetic=int(np.count_nonzero(unique & (s_full > 0))),
                unique_in_both=totals[2],
                shared_original=int(d_full[s_full > 0].sum()),
                shared_synthetic=int(s_full[d_full > 0].sum()),
                kinds=tuple(shown),
            )
        )
    return found


def _has_any_left(
    keys: Sequence[Variable], members: Members, file: int, missing_keys: Sequence[Sequence[int]]
) -> npt.NDArray[np.bool_]:
    """Tell for each unit of a file whether any of its records has no missing key that is left out."""
    kept = np.ones(len(members.units[file]), bool)
    for key, codes in zip(keys, missing_keys or [()] * len(keys), strict=True):
        kept &= ~np.isin(key.codes[file], codes)
    left: npt.NDArray[np.bool_] = np.bincount(members.units[file], kept, len(members.compositions[file])) > 0
    return left


def _kinds(
    place: int | None, alike: Members, unique: npt.NDArray[np.bool_], both: npt.NDArray[np.bool_]
) -> Iterator[KindOfUnit]:
    """Count the units of one file by what they are alike in."""
    kind = alike.compositions[0]
    counts = (np.bincount(kind, of, len(alike.codes)).astype(int) for of in (np.ones(len(kind)), unique, both))
    for codes, *n in zip(alike.codes, *(of.tolist() for of in counts), strict=True):
        yield KindOfUnit(place, () if place is None else codes, len(codes), *n)
