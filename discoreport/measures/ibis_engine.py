"""The engine beyond memory: records are counted by key combination and target level where they are.

The cells stay there, too (`ibis_cells.py`). What comes here are sums, and the rows of the checks that raise a flag.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import ibis
import numpy as np

from discoreport.data.coding import Variable
from discoreport.data.engine.coded_tables import StoredColumns
from discoreport.data.engine.high_cardinality import LargeVariable
from discoreport.measures.by_level import AtLevel
from discoreport.measures.cells import Levels as KnownLevels
from discoreport.measures.disclosure_checks import MOST_PAIRS
from discoreport.measures.ibis_cells import Cells, combination
from discoreport.measures.ibis_units import StoredUnits
from discoreport.measures.units import UnitCounts

Found = TypeVar("Found")

_WIDEST = 2**62


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

    @property
    def alike(self) -> Cells:
        """The rows that sums over cells are taken over: the cells themselves, where they are."""
        return self.cells

    def rows(self, left: Cells | None) -> Cells:
        """Give the rows that sums over cells are taken over."""
        return self.cells if left is None else left

    def most_disclosive(self, left: Cells) -> tuple[int, int, int]:
        """Find the target level with most disclosive records."""
        table = left.table
        by_level = table.group_by("t").agg(
            d_full=table.d_full.sum(), disclosive=left.d.sum(where=left.disclosive_in_synthetic).fill_null(0)
        )
        first = by_level.order_by(by_level.disclosive.desc(), by_level.t).limit(1)
        (row,) = left.connection.fetch(first).to_pylist()
        return row["t"], int(row["disclosive"]), int(row["d_full"])

    def pairs(self, left: Cells | None, at_least: int, percentage: float) -> Iterator[tuple[Any, ...]]:
        """Pair the levels of each key with the target's levels, where that gives much away."""
        left = self.rows(left)
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
    for rest, pack in zip(combination(table), packed(keys), strict=False):  # behind the keys comes a unit's composition
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
    unit
        Says which records belong together; the composition of a record's unit is a part of its combination then.
    """

    files: StoredColumns
    keys: Sequence[Variable]
    unit: Variable | None = None

    @cached_property
    def _units(self) -> StoredUnits | None:
        if self.unit is None:
            return None
        connection, n_files = self.files.connection, len(self.files.tables)
        kept = ("file", "unit", "alone", "own", *(f"k{place}" for place in range(len(self.keys))))
        of_files = [self._with_unit(self._coded(file, self.unit), file).select(*kept) for file in range(n_files)]
        records = connection.keep(ibis.union(*of_files, distinct=False), lasting=True)
        return StoredUnits(connection, records, n_files, len(self.keys))

    def of_units(self, missing_keys: Sequence[Sequence[int]] = (), *, kinds: bool = True) -> list[UnitCounts]:
        """Count units, and those that can be told from all others; see the engine in memory."""
        return self._units.counts(missing_keys, kinds=kinds) if self._units else []

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
        coded = self._coded(file, target, self.unit)
        level = coded[f"c{len(self.keys)}"] if target else ibis.literal(0, "int64")
        records = coded.mutate(t=level, file=ibis.literal(file, "int64"))
        if self._units:
            records = self._units.with_composition(self._with_unit(records, file), len(packed(self.keys)))
        return records.select(*(column.get_name() for column in combination(records)), "t", "file")

    def _coded(self, file: int, *others: Variable | None) -> Any:
        """Give one table's records as the codes of keys and others, and the key combination."""
        coded = self.files.coded([*self.keys, *(one for one in others if one)], file)
        combined = {}
        for number, pack in enumerate(packed(self.keys)):
            first, *rest = pack
            combined[f"q{number}"] = coded[f"c{first}"]
            for place in rest:
                combined[f"q{number}"] = combined[f"q{number}"] * max(self.keys[place].n_codes, 1) + coded[f"c{place}"]
        return coded.mutate(**combined)

    def _with_unit(self, coded: Any, file: int) -> Any:
        """Add what `StoredUnits` goes by; the unit is the last variable that was coded."""
        unit = self.unit
        last = max(int(name[1:]) for name in coded.columns if name.startswith("c"))
        code = coded[f"c{last}"]
        no_unit = [] if unit is None else [unit.n_levels, *map(unit.code_of, unit.declared)]
        own = ibis.literal(",").join([column.cast("string") for column in combination(coded)])
        alone = code.isin(no_unit)
        keys = {f"k{place}": coded[f"c{place}"] for place in range(len(self.keys))}
        return coded.mutate(
            own=own,
            unit=alone.ifelse(-1, code),
            alone=alone.ifelse(own, ""),
            file=ibis.literal(file, "int64"),
            **keys,
        )


class StoredFiles(StoredColumns):
    """The original and the synthetic files, in one engine beyond memory."""

    @property
    def engine(self) -> str:
        """The engine's name."""
        return self.connection.name

    def count(self, keys: Sequence[Variable], unit: Variable | None = None) -> Counter:
        """Get ready to count cells by these keys, and by those of all records of a unit where there is one."""
        return Counter(self, keys, unit)

    def once(self, what: str, find: Callable[[], Found]) -> Found:  # noqa: ARG002  # opened for one assessment
        """Find what depends on the files alone."""
        return find()

    def require_unchanged(self) -> None:
        """Raise where a file is another than was opened, once all is counted."""
        for table in self.tables:
            table.require_unchanged()
