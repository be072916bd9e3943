"""Cells that are alike, taken together: what is a sum over cells is a sum over few rows then."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.measures.cells import Cells, Counts, Keys, Where
from discoreport.measures.key_index import joined, taken_apart
from discoreport.measures.tallies import AT_ONCE, AnyTally, Tally, tally


class _Several:
    """Sums over rows each of which stands for several, `n`; shape (rows,)."""

    n: Counts

    def total(self, values: npt.NDArray[Any], where: Where | None = None) -> Any:
        """Add up a column over all that the rows stand for, or over some."""
        return ((values if where is None else values * where) * self.n).sum()

    def number(self, where: Where) -> Any:
        """Count what the rows stand for that meet a condition."""
        return (where * self.n).sum()


@dataclass(frozen=True)
class AlikeKeys(_Several, Keys):
    """Key combinations that have the same records, taken together.

    Parameters
    ----------
    named
        Whether they have just one target level in the synthetic table; shape (rows,).
    n
        So many are alike; shape (rows,).
    """

    named: Where
    n: Counts


@dataclass(frozen=True)
class AlikeCells(_Several, Cells):
    """Cells of one target level, of the same records and of key combinations with the same records, taken together.

    Sums over them are those over the cells. Where key combinations begin is of no meaning.

    Parameters
    ----------
    n
        So many cells are alike; shape (rows,).
    key, alike_keys
        For each row the place of its key combination among these, which are alike, too; shape (rows,).
    """

    n: Counts
    key: Counts
    alike_keys: AlikeKeys

    @classmethod
    def among(cls, cells: Cells) -> AlikeCells:
        """Take cells together that are alike.

        Examples
        --------
        >>> cells = Cells.from_rows([("F 30", "yes", 1, 0), ("F 31", "no", 1, 2), ("M 41", "yes", 1, 0)])
        >>> alike = AlikeCells.among(cells)
        >>> list(zip(alike.d.tolist(), alike.s.tolist(), alike.n.tolist()))
        [(1, 0, 2), (1, 2, 1)]
        >>> int(alike.total(alike.d)), int(alike.keys.number(alike.keys.d == 1))
        (3, 3)
        """
        n_keys = len(cells.starts)
        step = max(1, AT_ONCE * n_keys // max(len(cells.t), 1))
        return cls.of_pieces(cells.piece(first, first + step) for first in range(0, max(n_keys, 1), step))

    @classmethod
    def of_pieces(cls, pieces: Iterable[Cells]) -> AlikeCells:
        """Take cells together that are alike, a piece at a time; the key combinations of each are in no other."""
        each = iter(pieces)
        first = next(each)
        found = [_Rows.of(first), *map(_Rows.of, each)]
        rows = found[0] if len(found) == 1 else _Rows.of_all(found)
        (named, *of_keys), (t, *of_cells) = rows.keys, rows.cells
        return cls(
            first.starts[:0],
            *_counts(of_cells),
            n_original=first.n_original,
            n_synthetic=first.n_synthetic,
            levels=first.levels,
            t=t,
            n=rows.n,
            key=rows.key,
            alike_keys=AlikeKeys(*_counts(of_keys), named.astype(bool), rows.n_keys),
        )

    def spread(self, of_keys: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Give each row what its key combination has."""
        return of_keys[self.key]

    @cached_property
    def keys(self) -> Keys:
        """The same counts summed over target levels."""
        return self.alike_keys

    @cached_property
    def named(self) -> Where:
        """Key combinations that have just one target level in the synthetic table."""
        return self.alike_keys.named


@dataclass(frozen=True)
class _Rows:
    """Rows of key combinations and of cells, those that are alike taken together.

    Parameters
    ----------
    keys
        Columns of key combinations: whether there is just one target level, then counts; shape (rows,) each.
    n_keys
        How many key combinations each row stands for.
    cells
        Columns of cells: their target level, then counts; shape (rows,) each.
    n
        How many cells each row stands for.
    key
        For each row of cells the one of its key combination.
    """

    keys: list[Counts]
    n_keys: Counts
    cells: list[Counts]
    n: Counts
    key: Counts

    @classmethod
    def of(cls, cells: Cells) -> _Rows:
        """Take the rows of some cells."""
        keys, excluded = cells.keys, cells.d is not cells.d_full or cells.s is not cells.s_full
        of_keys, of_cells = [cells.named, keys.d_full, keys.s_full], [cells.t, cells.d_full, cells.s_full]
        if excluded:
            of_keys, of_cells = [*of_keys, keys.d, keys.s], [*of_cells, cells.d, cells.s]
        return cls._together(of_keys, None, of_cells, None, cells.spread)

    @classmethod
    def of_all(cls, pieces: Sequence[_Rows]) -> _Rows:
        """Take the rows of several pieces."""
        before = itertools.accumulate((len(one.n_keys) for one in pieces[:-1]), initial=0)
        key = np.concatenate([one.key + n for one, n in zip(pieces, before, strict=True)])
        of_keys, of_cells = (
            [np.concatenate(columns) for columns in zip(*of_pieces, strict=True)]
            for of_pieces in ((one.keys for one in pieces), (one.cells for one in pieces))
        )
        n_keys, n = np.concatenate([one.n_keys for one in pieces]), np.concatenate([one.n for one in pieces])
        return cls._together(of_keys, n_keys, of_cells, n, lambda codes: codes[key])

    @classmethod
    def _together(
        cls,
        of_keys: Sequence[npt.NDArray[Any]],
        n_keys: Counts | None,
        of_cells: Sequence[npt.NDArray[Any]],
        n: Counts | None,
        spread: Callable[[Counts], Counts],
    ) -> _Rows:
        codes, keys, keys_alike = _alike(of_keys, n_keys)
        _, cells, (key, *cells_alike) = _alike([spread(codes), *of_cells], n)
        return cls(keys_alike, keys.counts, cells_alike, cells.counts, np.searchsorted(keys.codes, key))


def _counts(columns: Sequence[Counts]) -> tuple[Counts, Counts, Counts, Counts]:
    """Give original and synthetic records before and after exclusions, which are the same where nothing is excluded."""
    return columns[0], columns[1], columns[-2], columns[-1]


def _alike(columns: Sequence[npt.NDArray[Any]], n: Counts | None) -> tuple[Counts, AnyTally, list[Counts]]:
    """Take rows of whole numbers together that are alike.

    Parameters
    ----------
    columns
        Shape (rows,) each.
    n
        How many each row stands for; None where that is one.

    Returns
    -------
    code of each row, how often each code occurs, what each code that occurs has in each column
    """
    widths = [int(column.max(initial=0)) + 1 for column in columns]
    (codes,), n_codes, stages = joined([(width, [column]) for width, column in zip(widths, columns, strict=True)])
    found: AnyTally
    if n is None:
        found = tally(codes, n_codes)
    else:
        occurring, place = np.unique(codes, return_inverse=True)
        found = Tally(occurring, np.bincount(place, n).astype(np.int64))
    return codes, found, [*taken_apart(found.codes, widths, stages)][::-1]
