"""Keys combined into one number for each record (mixed radix), and taken apart again."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import Variable, renumbered
from discoreport.data.parallel import in_threads
from discoreport.measures.units import Members, members_of

Whole = npt.NDArray[np.int64]
Part = tuple[int, Sequence[npt.NDArray[Any]]]
"""What codes are joined of: what its codes are below, and these, for each file."""
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
        widths = [key.n_codes for key in self.keys]
        if self.members is not None:
            widths.append(self.members.n_compositions)
        return taken_apart(combinations, widths, self.stages)


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
    parts: list[Part] = [(max(key.n_codes, 1), key.codes) for key in keys]
    codes, n_codes, stages = joined(parts, limit)
    if unit is None:
        return KeyIndex(tuple(keys), tuple(codes), n_codes, tuple(stages))
    members = members_of(codes or [np.zeros(len(of_file), np.int64) for of_file in unit.codes], unit)
    parts.append((members.n_compositions, members.of_records))
    codes, n_codes, stages = joined(parts, limit)
    return KeyIndex(tuple(keys), tuple(codes), n_codes, tuple(stages), unit, members)


def joined(parts: Sequence[Part], limit: int = _LIMIT) -> tuple[list[Whole], int, list[tuple[int, Whole]]]:
    """Join parts, each of codes below its width, into one number for each record of each file; see `KeyIndex`."""
    codes = [np.empty(len(of_file), np.int64) for _, first in parts[:1] for of_file in first]
    n_codes = 1
    stages = []
    begun = 0
    for place, (width, _) in enumerate(parts):
        if place and n_codes * width >= limit:
            _append(codes, parts[:place], begun)
            codes, found = renumbered(codes)
            stages.append((place - 1, found))
            n_codes, begun = len(found), place
        n_codes *= width
    _append(codes, parts, begun)
    if n_codes >= _ROOM_FOR_TARGET:
        codes, found = renumbered(codes)
        stages.append((len(parts) - 1, found))
        n_codes = len(found)
    return codes, n_codes, stages


def _append(codes: Sequence[Whole], parts: Sequence[Part], begin: int) -> None:
    """Append parts to the codes of each file, in place; the first of all begins them."""

    def append(file: int) -> None:
        of_file = codes[file]
        for place in range(begin, len(parts)):
            width, of_part = parts[place]
            if place:
                of_file *= width
                of_file += of_part[file]
            else:
                of_file[:] = of_part[file]

    in_threads(append, range(len(codes)), max(map(len, codes), default=0))


def taken_apart(codes: Whole, widths: Sequence[int], stages: Iterable[tuple[int, Whole]]) -> Iterator[Whole]:
    """Take joined codes apart, the last part first; widths and stages as those of `joined`."""
    before = dict(stages)
    for place, width in reversed([*enumerate(widths)]):
        if place in before:
            codes = before[place][codes]
        above = codes // width
        yield codes - above * width
        codes = above
