"""Cells that are alike, taken together: what is a sum over cells is a sum over few rows then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.measures.cells import Cells, Counts, Keys, Where
from discoreport.measures.key_index import joined
from discoreport.measures.tallies import DENSE


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
    of
        The cells themselves.
    """

    n: Counts
    key: Counts
    alike_keys: AlikeKeys
    of: Cells

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
        keys, excluded = cells.keys, cells.d is not cells.d_full or cells.s is not cells.s_full
        columns = [keys.d_full, keys.s_full, cells.named]
        of_keys, n_codes = _one_code([*columns, keys.d, keys.s] if excluded else columns)
        found, at, n_keys = _distinct(of_keys, n_codes)
        alike_keys = AlikeKeys(keys.d_full[at], keys.s_full[at], keys.d[at], keys.s[at], cells.named[at], n_keys)
        columns = [cells.spread(of_keys), cells.t, cells.d_full, cells.s_full]
        of_cells, n_codes = _one_code([*columns, cells.d, cells.s] if excluded else columns)
        _, at, n_cells = _distinct(of_cells, n_codes)
        return cls(
            starts=cells.starts[:0],
            d_full=cells.d_full[at],
            s_full=cells.s_full[at],
            d=cells.d[at],
            s=cells.s[at],
            n_original=cells.n_original,
            n_synthetic=cells.n_synthetic,
            levels=cells.levels,
            t=cells.t[at],
            n=n_cells,
            key=np.searchsorted(found, columns[0][at]),
            alike_keys=alike_keys,
            of=cells,
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


def _one_code(columns: Sequence[npt.NDArray[Any]]) -> tuple[Counts, int]:
    """Join columns of whole numbers into one code for each row; and what all codes are below."""
    parts = [(int(column.max(initial=0)) + 1, [column]) for column in columns]
    (codes,), n_codes, _ = joined([np.zeros(len(columns[0]), np.int64)], parts)
    return codes, n_codes


def _distinct(codes: Counts, n_codes: int) -> tuple[Counts, Counts, Counts]:
    """Give the codes that occur, rising, a row that has each, and how many rows have it."""
    if n_codes > DENSE * len(codes):
        found, at, counts = np.unique(codes, return_index=True, return_counts=True)
        return found, at, counts
    counts = np.bincount(codes, minlength=n_codes)
    found = np.flatnonzero(counts > 0)
    row = np.empty(n_codes, np.int64)
    row[codes] = np.arange(len(codes))
    return found, row[found], counts[found]
