"""Keys combined into one number for each record (mixed radix), and taken apart again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import Variable, renumbered
from discoreport.measures.units import Members, members_of

Whole = npt.NDArray[np.int64]
_LIMIT = 2**62
_ROOM_FOR_TARGET = 2**38
"""Key combinations numbered up to here leave room for the levels of any target that fits into memory."""


@dataclass(frozen=True)
class KeyIndex:
    """The keys of all files, combined into one number for each record.

    Parameters
    ----------
    keys
        The key variables, in the user's order.
    codes
        For each file the key combination of each record; shape (records,) each.
    n_codes
        All codes are below this.
    stages
        How to take the numbers apart again: after which key they were renumbered, and the numbers before.
    unit, members
        What says which records belong together, and those that do: then the composition of a record's unit is a part
        of its combination, behind the keys.
    """

    keys: tuple[Variable, ...]
    codes: tuple[Whole, ...]
    n_codes: int
    stages: tuple[tuple[int, Whole], ...]
    unit: Variable | None = None
    members: Members | None = None

    def key_codes(self, combinations: Whole) -> list[npt.NDArray[np.int64]]:
        """Take key combinations apart.

        Parameters
        ----------
        combinations
            Shape (n,).

        Returns
        -------
        list of numpy.ndarray
            For each key its code; shape (n,) each.
        """
        return [*self.each_key(combinations)][::-1]

    def each_key(self, combinations: Whole) -> Iterator[Whole]:
        """Take key combinations apart, one key after the other, the last one first: few codes are held at a time."""
        return itertools.islice(self._taken_apart(combinations), 0 if self.members is None else 1, None)

    def compositions(self, combinations: Whole) -> Whole:
        """Give the composition of the units of key combinations, as a number; only where there is a unit."""
        return next(self._taken_apart(combinations))

    def _taken_apart(self, combinations: Whole) -> Iterator[Whole]:
        stages = dict(self.stages)
        rest = combinations
        widths = [key.n_codes for key in self.keys]
        if self.members is not None:
            widths.append(self.members.n_compositions)
        for place, width in reversed([*enumerate(widths)]):
            if place in stages:
                rest = stages[place][rest]
            above = rest // width
            yield rest - above * width
            rest = above


def combine(keys: Sequence[Variable], unit: Variable | None = None, *, limit: int = _LIMIT) -> KeyIndex:
    """Combine key variables into one number for each record of each file.

    Parameters
    ----------
    keys
        Coded alike in all files; none at all only where there is a unit.
    unit
        Says which records belong together. The keys of all of them are known together then: they are a part of each
        one's combination.
    limit
        Numbers are renumbered, closely packed, before they would reach this.

    Returns
    -------
    KeyIndex
        Equal numbers mean equal keys, across files.
    """
    first = keys[0] if keys else unit
    codes = [np.zeros(len(of_file), np.int64) for of_file in first.codes] if first else []
    parts: list[tuple[int, Sequence[npt.NDArray[Any]]]] = [(max(key.n_codes, 1), key.codes) for key in keys]
    codes, n_codes, stages = joined(codes, parts, limit)
    if unit is None:
        return KeyIndex(tuple(keys), tuple(codes), n_codes, tuple(stages))
    members = members_of(codes, unit)
    parts.append((members.n_compositions, members.of_records))
    codes, n_codes, stages = joined([np.zeros_like(of_file) for of_file in codes], parts, limit)
    return KeyIndex(tuple(keys), tuple(codes), n_codes, tuple(stages), unit, members)


def joined(
    codes: list[Whole], parts: Sequence[tuple[int, Sequence[npt.NDArray[Any]]]], limit: int = _LIMIT
) -> tuple[list[Whole], int, list[tuple[int, Whole]]]:
    """Join parts, each of codes below its width, into one number for each record, in place; see `KeyIndex`."""
    n_codes = 1
    stages = []
    for place, (width, of_part) in enumerate(parts):
        if n_codes * width >= limit:
            codes, found = renumbered(codes)
            stages.append((place - 1, found))
            n_codes = len(found)
        for of_file, of_next in zip(codes, of_part, strict=True):
            np.multiply(of_file, width, out=of_file)
            np.add(of_file, of_next, out=of_file)
        n_codes *= width
    if n_codes >= _ROOM_FOR_TARGET:
        codes, found = renumbered(codes)
        stages.append((len(parts) - 1, found))
        n_codes = len(found)
    return codes, n_codes, stages
