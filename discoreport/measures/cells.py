"""The cells that every measure is a sum over: records by key combination q and target level t.

A cell (q, t) knows how many original and synthetic records it holds, before and after exclusions,
and the same for its key combination. Nothing in proportion to keys times levels is ever laid out:
only cells that hold a record exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from discoreport.measures.chance import Chance

Counts = npt.NDArray[np.int64]
Where = npt.NDArray[np.bool_]
Name = TypeVar("Name")


class Target(Protocol):
    """The full cells of one target and one synthesis, and what their keys and levels are, in any engine.

    `discoreport.measures.memory_engine.TargetCells` says what each is.
    """

    @property
    def cells(self) -> Any: ...  # noqa: D102
    @property
    def keys(self) -> Sequence[Any]: ...  # noqa: D102
    @property
    def levels(self) -> Any: ...  # noqa: D102
    @property
    def key_codes(self) -> Sequence[Any]: ...  # noqa: D102
    @property
    def alike(self) -> Any: ...  # noqa: D102
    def rows(self, left: Any) -> Any: ...  # noqa: D102
    def most_disclosive(self, rows: Any) -> tuple[Any, int, int]: ...  # noqa: D102
    def pairs(self, left: Any, at_least: int, percentage: float) -> Iterable[tuple[Any, ...]]: ...  # noqa: D102
    def tables(self, pairs: Sequence[tuple[int, int]], classes: Mapping[int, Any]) -> list[Any]: ...  # noqa: D102
    def sure_by_level(self) -> Any: ...  # noqa: D102
    def at_levels(self, rows: Any) -> list[Any]: ...  # noqa: D102
    def original_without(self, apart: Mapping[int, Any]) -> int: ...  # noqa: D102


class Summed:
    """Sums over rows, the same for every engine's cells, key combinations and levels."""

    @staticmethod
    def total(values: npt.NDArray[Any], where: Where | None = None) -> Any:
        """Add up a column over all rows, or over some."""
        return values.sum() if where is None else (values * where).sum()  # faster than sum(where=...)

    @staticmethod
    def largest(values: Counts, where: Where) -> Any:
        """Give the largest value over some rows; 0 where there are none."""
        return (values * where).max(initial=0)

    @staticmethod
    def number(where: Where) -> Any:
        """Count the rows that meet a condition."""
        return np.count_nonzero(where)

    @staticmethod
    def log(counts: Counts) -> npt.NDArray[np.float64]:
        """Take the natural logarithm of counts; 0 where there is none."""
        logs: npt.NDArray[np.float64] = np.log(np.maximum(counts, 1))
        return logs

    @staticmethod
    def collect(sums: Mapping[Name, Any]) -> dict[Name, Any]:
        """Turn sums into plain numbers, all at once; here they are numbers already."""
        return dict(sums)

    @staticmethod
    def share(part: npt.NDArray[Any], whole: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Divide, row by row; 0 where the whole is."""
        shares: npt.NDArray[np.float64] = part / np.maximum(whole, 1)
        shares[whole == 0] = 0  # three passes take half the time of a division of some rows
        return shares


@dataclass(frozen=True)
class Keys(Summed):
    """Records by key combination.

    Parameters
    ----------
    d_full, s_full
        Original and synthetic records before exclusions; shape (combinations,).
    d, s
        The same after exclusions.
    """

    d_full: Counts
    s_full: Counts
    d: Counts
    s: Counts


@dataclass(frozen=True)
class Levels(Summed):
    """Records by target level.

    Parameters
    ----------
    d_full, s_full
        Original and synthetic records before exclusions; shape (levels,).
    """

    d_full: Counts
    s_full: Counts


@dataclass(frozen=True)
class Cells(Summed):
    """Cells of one target and one synthesis, sorted by key combination.

    Parameters
    ----------
    starts
        Where each key combination begins; shape (combinations,).
    d_full, s_full
        Original and synthetic records of each cell; shape (cells,).
    d, s
        The same after exclusions. The very same arrays where nothing is excluded.
    n_original, n_synthetic
        Records in the two files, before exclusions (N_d, N_s).
    levels
        Records by target level.
    t
        Target level of each cell, as a place in these; shape (cells,).
    """

    starts: npt.NDArray[np.int64]
    d_full: Counts
    s_full: Counts
    d: Counts
    s: Counts
    n_original: int
    n_synthetic: int
    levels: Levels
    t: Counts

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[Any, Any, int, int]]) -> Cells:
        """Build cells from rows of q, t, original records, synthetic records.

        Examples
        --------
        >>> cells = Cells.from_rows([("F 30", "yes", 2, 1), ("F 30", "no", 1, 0), ("M 41", "no", 1, 3)])
        >>> cells.n_original, cells.n_synthetic, cells.d_key.tolist()
        (4, 4, [3, 3, 1])
        """
        ordered = sorted(rows, key=lambda row: (str(row[0]), str(row[1])))
        keys = [row[0] for row in ordered]
        starts = [place for place, key in enumerate(keys) if place == 0 or key != keys[place - 1]]
        d = np.array([row[2] for row in ordered], np.int64)
        s = np.array([row[3] for row in ordered], np.int64)
        levels = {level: place for place, level in enumerate(sorted({row[1] for row in ordered}, key=str))}
        t = np.array([levels[row[1]] for row in ordered], np.int64)
        of_levels = Levels(*(np.bincount(t, counts, len(levels)).astype(np.int64) for counts in (d, s)))
        return cls(np.array(starts, np.int64), d, s, d, s, int(d.sum()), int(s.sum()), of_levels, t)

    @classmethod
    def example(cls, *more: tuple[str, str, int, int]) -> Cells:
        """Build the small table that the examples of the measures share.

        Of five original records, three have the keys F 30 (two "yes", one "no"), one has F 31 ("no"),
        one M 41 ("no"). Of five synthetic records, one has F 30 ("yes"), one F 31 ("no"), three have
        M 41 (one "no", two "yes").

        Parameters
        ----------
        *more
            Further rows, as for `from_rows`.
        """
        rows = [("F 30", "yes", 2, 1), ("F 30", "no", 1, 0), ("F 31", "no", 1, 1), ("M 41", "no", 1, 1)]
        return cls.from_rows([*rows, ("M 41", "yes", 0, 2), *more])

    def part(self, in_original: Where, in_synthetic: Where) -> Cells:
        """Give the same cells, with no records left but those of the cells that meet a condition.

        What a key combination gives away stays that of the full tables. Sums over key combinations
        (``d_key``, ``s_key``, ``keys``) are not to be had from a part; `left` has them.
        """
        return replace(self, d=self.d_full * in_original, s=self.s_full * in_synthetic)

    left = part

    def piece(self, first: int, end: int) -> Cells:
        """Give the cells of some key combinations: from the one in a place to that before another, or the last."""
        n = len(self.starts)
        here = slice(*(int(self.starts[place]) if place < n else len(self.d_full) for place in (first, end)))
        d_full, s_full = self.d_full[here], self.s_full[here]
        return replace(
            self,
            starts=self.starts[first:end] - here.start,
            d_full=d_full,
            s_full=s_full,
            d=d_full if self.d is self.d_full else self.d[here],
            s=s_full if self.s is self.s_full else self.s[here],
            t=self.t[here],
        )

    # Sums of a cell's key combination ------------------------------------------------------------

    @cached_property
    def _lengths(self) -> npt.NDArray[np.int64]:
        return np.diff(self.starts, append=len(self.d_full))

    def _by_key(self, counts: Counts) -> Counts:
        return np.add.reduceat(counts, self.starts) if len(self.starts) < len(counts) else counts

    def spread(self, of_keys: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Give each cell what its key combination has."""
        return np.repeat(of_keys, self._lengths) if len(self.starts) < len(self.d_full) else of_keys

    @cached_property
    def d_key_full(self) -> Counts:
        """Original records with the cell's key combination, before exclusions (d_q)."""
        return self.spread(self.keys.d_full)

    @cached_property
    def s_key_full(self) -> Counts:
        """Synthetic records with the cell's key combination, before exclusions (s_q)."""
        return self.spread(self.keys.s_full)

    @cached_property
    def d_key(self) -> Counts:
        """Original records with the cell's key combination, after exclusions."""
        return self.d_key_full if self.d is self.d_full else self.spread(self.keys.d)

    @cached_property
    def s_key(self) -> Counts:
        """Synthetic records with the cell's key combination, after exclusions."""
        return self.s_key_full if self.s is self.s_full else self.spread(self.keys.s)

    # What an intruder would conclude -------------------------------------------------------------

    @cached_property
    def disclosive_in_original(self) -> Where:
        """Cells whose key combination has this one target level in the full original table."""
        certain: Where = (self.d_full > 0) & (self.d_full == self.d_key_full)
        return certain

    @cached_property
    def disclosive_in_synthetic(self) -> Where:
        """Cells whose key combination has this one target level in the full synthetic table."""
        return (self.s_full > 0) & self.key_disclosive_in_synthetic

    @cached_property
    def key_disclosive_in_synthetic(self) -> Where:
        """Cells whose key combination has just one target level, this or another, in the synthetic table."""
        return self.spread(self.named)

    @cached_property
    def certainty(self) -> npt.NDArray[np.float64]:
        """Share of the cell's level among the synthetic records with its keys, p = s_tq / s_q; 0 where s_q is."""
        return self.share(self.s_full, self.s_key_full)

    @cached_property
    def attributable(self) -> npt.NDArray[np.float64]:
        """Original records left, times the probability that the synthetic file attributes them rightly."""
        return self.d * self.certainty

    # What chance alone would give ----------------------------------------------------------------

    @property
    def drawn(self) -> Cells:
        """The rows that sums of `chance` go over: their ``d``, ``chance`` and ``total``; here the cells themselves."""
        return self

    @cached_property
    def chance(self) -> Chance:
        """What each cell would give away were the target shuffled among the synthetic records; of the full tables."""
        sizes, size = np.unique(self.keys.s_full, return_inverse=True)
        level_sizes, of_level, n_levels = np.unique(self.levels.s_full, return_inverse=True, return_counts=True)
        return Chance(sizes, level_sizes, n_levels, self.spread(size), of_level[self.t])

    # One row a key combination -------------------------------------------------------------------

    @cached_property
    def keys(self) -> Keys:
        """The same counts summed over target levels."""
        d_full, s_full = self._by_key(self.d_full), self._by_key(self.s_full)
        d = d_full if self.d is self.d_full else self._by_key(self.d)
        s = s_full if self.s is self.s_full else self._by_key(self.s)
        return Keys(d_full, s_full, d, s)

    @cached_property
    def named(self) -> Where:
        """Key combinations that have just one target level in the synthetic table; shape (combinations,)."""
        one: Where = self._by_key((self.s_full > 0).astype(np.int64)) == 1
        return one

    @cached_property
    def by_key(self) -> EachKey:
        """The same cells, whose sums are taken for each key combination instead of over all.

        A measure that is counted on them has its parts, one a key combination.

        Examples
        --------
        >>> Cells.example().by_key.total(Cells.example().d).tolist()  # F 30, F 31, M 41
        [3, 1, 1]
        """
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        return EachKey(**own | {"n_original": self.keys.d_full, "n_synthetic": self.keys.s_full})


class _One(Keys):
    """Key combinations that are not added up."""

    @staticmethod
    def total(values: npt.NDArray[Any], where: Where | None = None) -> Any:
        """Give the value of the key combination itself, or 0 where it doesn't meet a condition."""
        return values if where is None else values * where

    @staticmethod
    def number(where: Where) -> Any:
        """Count the key combination itself, where it meets a condition."""
        return where.astype(np.int64)


class EachKey(Cells):
    """Cells whose sums and numbers of records are arrays, one value a key combination; see `Cells.by_key`."""

    def total(self, values: npt.NDArray[Any], where: Where | None = None) -> Any:  # type: ignore[override]
        """Add up a column over the rows of each key combination, or over some of them."""
        return self._by_key(values if where is None else values * where)

    def number(self, where: Where) -> Any:  # type: ignore[override]
        """Count the rows of each key combination that meet a condition."""
        return self._by_key(where.astype(np.int64))

    @cached_property
    def keys(self) -> Keys:
        """The key combinations, each for itself."""
        keys = super().keys
        return _One(keys.d_full, keys.s_full, keys.d, keys.s)
