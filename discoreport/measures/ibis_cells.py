"""Cells as an Ibis table, with the columns and sums of measures; see `discoreport.measures.cells`."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import ibis
import numpy as np

from discoreport.data.coding import SMALL_CELL
from discoreport.data.engine.connection import Connection
from discoreport.errors import DataError
from discoreport.measures.by_level import MOST_LEVELS, counted_apart
from discoreport.measures.cells import Name
from discoreport.measures.cells import Summed as KnownSummed
from discoreport.measures.chance import Chance

_PARTS = 2.0**80
"""Fractions are added up as whole numbers of parts, up to 2^46 in all: sums of floating point depend on their order."""


def exact_sum(values: Any, where: Any = None) -> Any:
    """Add up a column over all rows, or over some, so that the order that an engine meets them in changes nothing."""
    return (values * _PARTS).cast("decimal(38, 0)").sum(where=where).cast("float64") / _PARTS


class Summed:
    """Sums over the rows of an Ibis table; numbers only once they are collected."""

    @staticmethod
    def total(values: Any, where: Any = None) -> Any:
        """Add up a column over all rows, or over some."""
        return exact_sum(values, where)

    @staticmethod
    def largest(values: Any, where: Any) -> Any:
        """Give the largest value over some rows; 0 where there are none."""
        return values.max(where=where)

    @staticmethod
    def number(where: Any) -> Any:
        """Count the rows that meet a condition."""
        return where.sum()

    @staticmethod
    def log(counts: Any) -> Any:
        """Take the natural logarithm of counts; 0 where there is none."""
        return ibis.greatest(counts, 1.0).ln()

    @staticmethod
    def share(part: Any, whole: Any) -> Any:
        """Divide, row by row; 0 where the whole is."""
        return (whole > 0).ifelse(part / whole.nullif(0), 0.0)


@dataclass(frozen=True)
class Keys(Summed):
    """Records by key combination; see `discoreport.measures.cells.Keys`."""

    table: Any

    def __getattr__(self, name: str) -> Any:
        """Give the columns s_full, d and s."""
        return self.table[name]


@dataclass(frozen=True)
class Levels(Summed):
    """Records by target level; see `discoreport.measures.cells.Levels`."""

    table: Any

    @property
    def d_full(self) -> Any:
        """Original records before exclusions."""
        return self.table["d_full"]


@dataclass(frozen=True)
class Drawn(KnownSummed):
    """Original records left by the synthetic records of their keys and of their level, here and not in the engine.

    Parameters
    ----------
    d, t
        Original records, and their target level; shape (rows,) each. Of levels that are too many to bring here, only
        those that are counted apart have their code.
    chance
        What each row would give away by chance.
    """

    d: Any
    t: Any
    chance: Chance


@dataclass(frozen=True)
class Cells(Summed):
    """Cells of one target and one synthesis; see `discoreport.measures.cells.Cells` for what each column is.

    Parameters
    ----------
    connection
        Where the table is.
    table
        Columns q0, q1, ... (key combination), t (target level), d_full, s_full, and their sums by key
        combination, d_key_full and s_key_full, with the largest s_full, s_most.
        Counts are floating point, exact up to 2^53.
    d, s, d_key, s_key
        What exclusions have left.
    n_original, n_synthetic
        Records in the two files.
    of_levels
        Records by target level, where they are known already.
    """

    connection: Connection
    table: Any
    d: Any
    s: Any
    d_key: Any
    s_key: Any
    n_original: int
    n_synthetic: int
    of_levels: Any = None
    _known: dict[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, connection: Connection, table: Any, n_original: int, n_synthetic: int, of_levels: Any) -> Cells:
        """Take a table of cells, nothing excluded."""
        columns = (table.d_full, table.s_full, table.d_key_full, table.s_key_full)
        return cls(connection, table, *columns, n_original, n_synthetic, of_levels)

    def __getattr__(self, name: str) -> Any:
        """Give the columns d_full, s_full, d_key_full and s_key_full."""
        return self.table[name]

    def part(self, in_original: Any, in_synthetic: Any) -> Cells:
        """Give the same cells, with no records left but those of the cells that meet a condition."""
        return replace(self, d=in_original.ifelse(self.d_full, 0.0), s=in_synthetic.ifelse(self.s_full, 0.0))

    def left(self, in_original: Any, in_synthetic: Any) -> Cells:
        """Give what exclusions leave, summed anew by key combination."""
        part = self.part(in_original, in_synthetic)
        table = self.table.mutate(d=part.d, s=part.s)
        by_key = ibis.window(group_by=combination(table))
        table = self.connection.keep(table.mutate(d_key=table.d.sum().over(by_key), s_key=table.s.sum().over(by_key)))
        return replace(self, table=table, d=table.d, s=table.s, d_key=table.d_key, s_key=table.s_key)

    @property
    def disclosive_in_original(self) -> Any:
        """Cells whose key combination has this one target level in the full original table."""
        return (self.d_full > 0) & (self.d_full == self.d_key_full)

    @property
    def disclosive_in_synthetic(self) -> Any:
        """Cells whose key combination has this one target level in the full synthetic table."""
        return (self.s_full > 0) & (self.s_full == self.s_key_full)

    @property
    def key_disclosive_in_synthetic(self) -> Any:
        """Cells whose key combination has just one target level, this or another, in the synthetic table."""
        return (self.s_key_full > 0) & (self.s_most == self.s_key_full)

    @property
    def certainty(self) -> Any:
        """Share of the cell's level among the synthetic records with its keys; 0 where there are none."""
        return self.share(self.s_full, self.s_key_full)

    @property
    def attributable(self) -> Any:
        """Original records left, times the probability that the synthetic file attributes them rightly."""
        return self.d * self.certainty

    @cached_property
    def keys(self) -> Keys:
        """The same counts summed over target levels."""
        table = self.table.select(*combination(self.table), "s_full", d=self.d, s=self.s)
        by_key = table.group_by(combination(table))
        return Keys(by_key.agg(s_full=table.s_full.sum(), d=table.d.sum(), s=table.s.sum()).select("s_full", "d", "s"))

    @cached_property
    def levels(self) -> Any:
        """Original records by target level."""
        return self.of_levels or Levels(self.table.group_by("t").agg(d_full=self.table.d_full.sum()))

    @cached_property
    def apart(self) -> dict[int, int]:
        """The original records of the levels that are counted apart, by code."""
        if self.of_levels:
            return {level: int(self.of_levels.d_full[level]) for level in counted_apart(self.of_levels.d_full)}
        levels = self.table.group_by("t").agg(d=self.table.d_full.sum())
        commonest = levels.filter(levels.d >= SMALL_CELL).order_by(levels.d.desc(), levels.t).limit(MOST_LEVELS)
        found = self._fetch(commonest)
        return dict(sorted(zip(found["t"].astype(int).tolist(), found["d"].astype(int).tolist(), strict=True)))

    @cached_property
    def drawn(self) -> Drawn:
        """The rows that sums of chance go over; few, whatever the number of cells."""
        table = self.table.select("t", "s_key_full", d=self.d)
        table = table.filter(table.t.notnull() & (table.d > 0) & (table.s_key_full > 0))
        if self.of_levels:
            rows = self._fetch(table.group_by("s_key_full", "t").agg(d=table.d.sum()), "s_key_full", "t")
            level_sizes, of_level, n_levels = np.unique(self.of_levels.s_full, return_inverse=True, return_counts=True)
            level_size = of_level[rows["t"].astype(np.int64)]
        else:  # too many levels to bring here: those of one size are alike, but for the ones that are counted apart
            by_level = self.table.group_by("t").agg(s_level=self.table.s_full.sum())
            found = self._fetch(by_level.group_by("s_level").agg(n=by_level.count()).order_by("s_level"))
            level_sizes, n_levels = found["s_level"], found["n"]
            joined = table.join(by_level, "t")
            level = joined.t.isin([*self.apart]).ifelse(joined.t, -1) if self.apart else ibis.literal(-1, "int64")
            joined = joined.select("s_key_full", "s_level", "d", t=level)
            by = ["s_key_full", "s_level", "t"]
            rows = self._fetch(joined.group_by(by).agg(d=joined.d.sum()), *by)
            level_size = np.searchsorted(level_sizes, rows["s_level"])
        sizes, size = np.unique(rows["s_key_full"], return_inverse=True)
        return Drawn(rows["d"], rows["t"], Chance(sizes, level_sizes, n_levels, size, level_size))

    def _fetch(self, table: Any, *in_order_of: str) -> dict[str, Any]:
        fetched = self.connection.fetch(table.order_by(in_order_of) if in_order_of else table)
        return {name: fetched[name].to_numpy() for name in fetched.column_names}

    def collect(self, sums: Mapping[Name, Any]) -> dict[Name, Any]:
        """Turn sums into plain numbers: a query for each table (cells, combinations, levels), none twice."""
        operations = {name: value.op() for name, value in sums.items() if isinstance(value, ibis.Expr)}
        tables: dict[Any, dict[Any, str]] = {}
        for operation in operations.values():
            if operation not in self._known:
                (table,) = operation.relations
                asked = tables.setdefault(table, {})
                asked.setdefault(operation, f"n{len(asked)}")
        for table, asked in tables.items():
            found = self._ask(table.to_expr(), asked)
            self._known.update({operation: found[name] or 0 for operation, name in asked.items()})
        return {name: self._known[operations[name]] if name in operations else sums[name] for name in sums}

    def _ask(self, table: Any, asked: Mapping[Any, str]) -> dict[str, Any]:
        sums = {name: operation.to_expr() for operation, name in asked.items()}
        if not {"t", "s_full"} <= set(table.columns):
            return dict(self.connection.fetch(table.aggregate(**sums)).to_pylist()[0])
        # Cells: find out, too, whether every record found its cell.
        known = functools.reduce(operator.and_, (column.notnull() for column in (*combination(table), table.t)))
        sums |= {"unknown": (~known).sum(), "n_d": table.d_full.sum(), "n_s": table.s_full.sum()}
        (found,) = self.connection.fetch(table.aggregate(**sums)).to_pylist()
        if found["unknown"] or (found["n_d"], found["n_s"]) != (self.n_original, self.n_synthetic):
            raise DataError(
                "The tables changed while they were counted, or the engine compares their values in a way of its own: "
                f"of {self.n_original:,} and {self.n_synthetic:,} records, {found['n_d'] or 0:,.0f} and "
                f"{found['n_s'] or 0:,.0f} were counted, {found['unknown'] or 0:,} of the cells without a level."
            )
        return dict(found)


def combination(table: Any) -> list[Any]:
    """Give the columns that a key combination is made of."""
    return [table[name] for name in table.columns if name.startswith("q")]
