"""The engine beyond memory: cells as an Ibis table, with the columns and sums that the measures are written with.

Records are counted by key combination and target level where they are; the cells stay there, too.
What comes here are sums, and the rows of the checks that raise a flag.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import ibis
import numpy as np

from discoreport.data.coding import SMALL_CELL, Variable
from discoreport.data.engine.coded_tables import StoredColumns
from discoreport.data.engine.connection import Connection
from discoreport.data.engine.high_cardinality import LargeVariable
from discoreport.errors import DataError
from discoreport.measures.by_level import MOST_LEVELS, AtLevel, counted_apart
from discoreport.measures.cells import Levels as KnownLevels
from discoreport.measures.cells import Name
from discoreport.measures.cells import Summed as KnownSummed
from discoreport.measures.chance import Chance
from discoreport.measures.disclosure_checks import MOST_PAIRS

Found = TypeVar("Found")

_WIDEST = 2**62


class Summed:
    """Sums over the rows of an Ibis table; numbers only once they are collected."""

    @staticmethod
    def total(values: Any, where: Any = None) -> Any:
        """Add up a column over all rows, or over some."""
        return values.sum(where=where)

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
            rows = self._fetch(table.group_by("s_key_full", "t").agg(d=table.d.sum()))
            level_sizes, of_level, n_levels = np.unique(self.of_levels.s_full, return_inverse=True, return_counts=True)
            level_size = of_level[rows["t"].astype(np.int64)]
        else:  # too many levels to bring here: those of one size are alike, but for the ones that are counted apart
            by_level = self.table.group_by("t").agg(s_level=self.table.s_full.sum())
            found = self._fetch(by_level.group_by("s_level").agg(n=by_level.count()).order_by("s_level"))
            level_sizes, n_levels = found["s_level"], found["n"]
            joined = table.join(by_level, "t")
            level = joined.t.isin([*self.apart]).ifelse(joined.t, -1) if self.apart else ibis.literal(-1, "int64")
            joined = joined.select("s_key_full", "s_level", "d", t=level)
            rows = self._fetch(joined.group_by("s_key_full", "s_level", "t").agg(d=joined.d.sum()))
            level_size = np.searchsorted(level_sizes, rows["s_level"])
        sizes, size = np.unique(rows["s_key_full"], return_inverse=True)
        return Drawn(rows["d"], rows["t"], Chance(sizes, level_sizes, n_levels, size, level_size))

    def _fetch(self, table: Any) -> dict[str, Any]:
        fetched = self.connection.fetch(table)
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


@dataclass(frozen=True)
class TargetCells:
    """The full cells of one target and one synthesis; see `discoreport.measures.memory_engine.TargetCells`."""

    cells: Cells
    keys: Sequence[Variable]

    @property
    def levels(self) -> Any:
        """Target level of each cell."""
        return self.cells.table.t

    @property
    def key_codes(self) -> list[Any]:
        """For each key, the code of each cell."""
        return key_codes(self.cells.table, self.keys)

    def most_disclosive(self, left: Cells) -> tuple[int, int, int]:
        """Find the target level with most disclosive records."""
        table = left.table
        by_level = table.group_by("t").agg(
            d_full=table.d_full.sum(), disclosive=left.d.sum(where=left.disclosive_in_synthetic).fill_null(0)
        )
        first = by_level.order_by(by_level.disclosive.desc(), by_level.t).limit(1)
        (row,) = left.connection.fetch(first).to_pylist()
        return row["t"], int(row["disclosive"]), int(row["d_full"])

    def pairs(self, left: Cells, at_least: int, percentage: float) -> Iterator[tuple[Any, ...]]:
        """Pair the levels of each key with the target's levels, where that gives much away."""
        large = left.disclosive_in_synthetic & (left.d > at_least)
        counts = {
            "both": left.d_full,
            "disclosive": large.ifelse(left.d, 0.0),
            "total": left.disclosive_in_synthetic.ifelse(left.d, 0.0),
        }
        of_keys = [
            left.table.select("t", place=ibis.literal(place, "int64"), key=codes, **counts)
            for place, codes in enumerate(key_codes(left.table, self.keys))
        ]
        table = ibis.union(*of_keys, distinct=False)
        pairs = table.group_by("place", "key", "t").agg(
            disclosive=table.disclosive.sum(), both=table.both.sum(), total=table.total.sum()
        )
        pairs = pairs.mutate(of_key=pairs.both.sum().over(ibis.window(group_by=[pairs.place, pairs.key])))
        flagged = pairs.filter((pairs.disclosive > 0) & (100 * pairs.both / pairs.of_key.nullif(0) > percentage))
        most_first = ibis.window(group_by=flagged.place, order_by=[flagged.disclosive.desc(), flagged.key, flagged.t])
        ranked = flagged.mutate(rank=ibis.row_number().over(most_first))
        for row in left.connection.fetch(ranked.filter(ranked.rank < MOST_PAIRS)).to_pylist():
            counted = (int(row[name]) for name in ("disclosive", "both", "of_key", "total"))
            yield row["place"], row["key"], row["t"], *counted

    def tables(self, pairs: Sequence[tuple[int, int]], classes: Mapping[int, Any]) -> list[tuple[Any, Any]]:
        """Count original and synthetic records by the classes of two variables; see the engine in memory."""
        if not pairs:
            return []
        codes = [*key_codes(self.cells.table, self.keys), self.cells.table.t]
        used = sorted({place for pair in pairs for place in pair})
        of_records = {f"class{place}": _class_of(codes[place], classes[place]) for place in used}
        table = self.cells.table.select("d_full", "s_full", **of_records)
        of_pairs = [
            table.select(
                pair=ibis.literal(number, "int64"),
                first=table[f"class{first}"],
                second=table[f"class{second}"],
                d=table.d_full,
                s=table.s_full,
            )
            for number, (first, second) in enumerate(pairs)
        ]
        records = ibis.union(*of_pairs, distinct=False) if len(of_pairs) > 1 else of_pairs[0]
        summed = records.group_by("pair", "first", "second").agg(d=records.d.sum(), s=records.s.sum())
        fetched = self.cells.connection.fetch(summed)
        found = {name: fetched[name].to_numpy() for name in fetched.column_names}
        counted = []
        for number, (first, second) in enumerate(pairs):
            here = found["pair"] == number
            places = (found["first"][here], found["second"][here])
            d, s = (np.zeros((int(classes[first].max()) + 1, int(classes[second].max()) + 1)) for _ in range(2))
            d[places], s[places] = found["d"][here], found["s"][here]
            counted.append((d, s))
        return counted

    def sure_by_level(self) -> Any:
        """Count the original records for which the synthetic file names some level with certainty, by their level."""
        table, sure = self.cells.table, self.cells.key_disclosive_in_synthetic
        by_level = table.group_by("t").agg(n=table.d_full.sum(where=sure).fill_null(0))
        return self.cells.connection.fetch(by_level)["n"].to_numpy()

    def at_levels(self, left: Cells) -> list[AtLevel]:
        """Count what is given away of the levels that are counted apart."""
        apart, table = left.apart, left.table.select("t", d=left.d, sure=left.disclosive_in_synthetic)
        if not apart:
            return []
        table = table.filter(table.sure & table.t.isin([*apart]))
        found = left.connection.fetch(table.group_by("t").agg(n=table.d.sum())).to_pylist()
        disclosed = {int(row["t"]): int(row["n"]) for row in found}
        by_chance = left.drawn.d * left.drawn.chance.correct
        return [
            AtLevel(level, n, disclosed.get(level, 0), float(by_chance[left.drawn.t == level].sum()))
            for level, n in apart.items()
        ]

    def original_without(self, apart: Mapping[int, Any]) -> int:
        """Count the original records that have none of some levels; for each key its place, and codes."""
        codes = self.key_codes
        left = functools.reduce(operator.and_, (codes[place].notin(list(map(int, of))) for place, of in apart.items()))
        (found,) = self.cells.connection.fetch(
            self.cells.table.aggregate(n=self.cells.table.d_full.sum(where=left))
        ).to_pylist()
        return int(found["n"] or 0)


def combination(table: Any) -> list[Any]:
    """Give the columns that a key combination is made of."""
    return [table[name] for name in table.columns if name.startswith("q")]


def _class_of(code: Any, classes: Any) -> Any:
    """Give the class of a code, in the engine: as few comparisons as there are runs of codes in one class."""
    ends = [*np.flatnonzero(np.diff(classes)).tolist(), len(classes) - 1]
    cases = [(code <= end, ibis.literal(int(classes[end]), "int64")) for end in ends]
    return ibis.cases(*cases)


def packed(keys: Sequence[Variable]) -> list[list[int]]:
    """Sort keys into packs, each of which goes into one whole number (mixed radix)."""
    packs: list[list[int]] = [[]]
    n_codes = 1
    for place, key in enumerate(keys):
        width = max(key.n_codes, 1)
        if n_codes * width >= _WIDEST:
            packs.append([])
            n_codes = 1
        packs[-1].append(place)
        n_codes *= width
    return packs


def key_codes(table: Any, keys: Sequence[Variable]) -> list[Any]:
    """Take key combinations apart."""
    taken = []
    for rest, pack in zip(combination(table), packed(keys), strict=True):
        codes = []
        for place in reversed(pack):
            width = max(keys[place].n_codes, 1)
            codes.append((rest % width).cast("int64"))
            rest = rest // width  # noqa: PLW2901  # what is left to take apart
        taken += codes[::-1]
    return taken


@dataclass
class Counter:
    """Counts cells where the tables are, target by target.

    Parameters
    ----------
    files
        The tables.
    keys
        The key variables, in the user's order.
    """

    files: StoredColumns
    keys: Sequence[Variable]

    def of_target(self, target: Variable) -> list[TargetCells]:
        """Count the cells of one target; one a synthesis."""
        return [TargetCells(cells, self.keys) for cells in self._cells(target)]

    def of_keys(self) -> list[TargetCells]:
        """Count the key combinations alone, as if there were a target with one level; one a synthesis."""
        return [TargetCells(cells, self.keys) for cells in self._cells(None)]

    def _cells(self, target: Variable | None) -> list[Cells]:
        connection, tables = self.files.connection, self.files.tables
        connection.forget()
        records = ibis.union(*(self._records(file, target) for file in range(len(tables))), distinct=False)
        counted = records.group_by([*combination(records), records.t]).agg(
            **{f"n{file}": records.count(where=records.file == file).cast("float64") for file in range(len(tables))}
        )
        by_key = ibis.window(group_by=combination(counted))
        sums = {f"key{file}": counted[f"n{file}"].sum().over(by_key) for file in range(len(tables))}
        most = {f"most{file}": counted[f"n{file}"].max().over(by_key) for file in range(1, len(tables))}
        counted = connection.keep(counted.mutate(**sums, **most))
        known = target is not None and not isinstance(target, LargeVariable)
        return [
            Cells.of(
                connection,
                counted.select(
                    *combination(counted),
                    "t",
                    d_full="n0",
                    s_full=f"n{file}",
                    d_key_full="key0",
                    s_key_full=f"key{file}",
                    s_most=f"most{file}",
                ),
                tables[0].n_records,
                tables[file].n_records,
                KnownLevels(target.counts[0], target.counts[file]) if target is not None and known else None,
            )
            for file in range(1, len(tables))
        ]

    def _records(self, file: int, target: Variable | None) -> Any:
        """Give one table's records as key combination, target level and number of the table."""
        coded = self.files.coded([*self.keys, *([target] if target else [])], file)
        combined = {}
        for number, pack in enumerate(packed(self.keys)):
            first, *others = pack
            combined[f"q{number}"] = coded[f"c{first}"]
            for place in others:
                combined[f"q{number}"] = combined[f"q{number}"] * max(self.keys[place].n_codes, 1) + coded[f"c{place}"]
        level = coded[f"c{len(self.keys)}"] if target else ibis.literal(0, "int64")
        return coded.select(**combined, t=level, file=ibis.literal(file, "int64"))


class StoredFiles(StoredColumns):
    """The original and the synthetic files, in one engine beyond memory."""

    @property
    def engine(self) -> str:
        """The engine's name."""
        return self.connection.name

    def count(self, keys: Sequence[Variable]) -> Counter:
        """Get ready to count cells by these keys."""
        return Counter(self, keys)

    def once(self, what: str, find: Callable[[], Found]) -> Found:  # noqa: ARG002  # opened for one assessment
        """Find what depends on the files alone."""
        return find()

    def require_unchanged(self) -> None:
        """Raise where a file is another than was opened, once all is counted."""
        for table in self.tables:
            table.require_unchanged()
