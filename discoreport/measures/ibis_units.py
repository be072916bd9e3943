"""Units in an engine beyond memory: the keys of the records that belong together, compared there as texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import ibis

from discoreport.data.coding import SMALL_CELL
from discoreport.data.engine.connection import Connection
from discoreport.measures.units import MOST_KINDS, KindOfUnit, UnitCounts, put_together

_A_UNIT = ("file", "unit", "alone")
"""What makes a unit: records without one are each alone, and those with the same keys are counted together."""


@dataclass
class StoredUnits:
    """The units of all tables of one engine; see `discoreport.measures.units.Members`.

    Parameters
    ----------
    connection
        Where the tables are.
    records
        Of all tables, kept there: file; unit, -1 for a record without one; own, its keys as text; alone, the same for
        a record without a unit and empty for others; k0, k1, ... the code of each key.
    n_files, n_keys
        How many tables and keys.
    """

    connection: Connection
    records: Any
    n_files: int
    n_keys: int

    @cached_property
    def _units(self) -> Any:
        """One row a unit: how many it stands for, its records, its composition as a number, the same in all files.

        Compositions are written down, records in order: equal texts are equal multisets.
        """
        records = self.records
        texts = {"own": records.own, **{f"k{place}": records[f"k{place}"].cast("string") for place in self._places}}
        grouped = records.group_by(*_A_UNIT).agg(
            size=records.count(),
            **{f"{name}_all": text.collect().sort().join(";") for name, text in texts.items()},
            **{f"{name}_one": text.min() for name, text in texts.items()},
        )
        in_unit = grouped.alone == ""
        units = grouped.select(
            *_A_UNIT,
            size=in_unit.ifelse(grouped["size"], 1),
            n=in_unit.ifelse(1, grouped["size"]),
            **{name: in_unit.ifelse(grouped[f"{name}_all"], grouped[f"{name}_one"]) for name in texts},
        )
        in_order = ibis.window(order_by=units.own)
        return self.connection.keep(units.mutate(composition=ibis.dense_rank().over(in_order)), lasting=True)

    @property
    def _places(self) -> range:
        return range(self.n_keys)

    def with_composition(self, records: Any, place: int) -> Any:
        """Give the composition of each record's unit as one more column of its key combination."""
        known = self._units.select(*_A_UNIT, **{f"q{place}": "composition"})
        joined = records.left_join(known, list(_A_UNIT), rname="{name}_of_unit")
        return joined.select(*records.columns, f"q{place}")

    def counts(self, missing_keys: Sequence[Sequence[int]] = (), *, kinds: bool = True) -> list[UnitCounts]:
        """Count units, and those that can be told from all others; one a synthesis."""
        records, kept = self.records, ibis.literal(value=True)
        for place, codes in enumerate(missing_keys):
            if codes:
                kept = kept & records[f"k{place}"].notin(list(map(int, codes)))
        n_left = records.group_by(*_A_UNIT).agg(left=kept.cast("int64").max() > 0) if any(missing_keys) else None
        units = self._units
        units = units.mutate(left=True) if n_left is None else units.join(n_left, list(_A_UNIT))
        alike = ibis.window(group_by=units.composition)
        counted = {}
        for file in range(self.n_files):
            here = units.file == file
            counted[f"full{file}"] = here.ifelse(units.n, 0).sum().over(alike)
            counted[f"n{file}"] = (here & units.left).ifelse(units.n, 0).sum().over(alike)
        units = self.connection.keep(units.mutate(**counted))
        return [self._of_file(units, file, kinds=kinds) for file in range(1, self.n_files)]

    def _of_file(self, units: Any, file: int, *, kinds: bool) -> UnitCounts:
        unique = (units.file == 0) & units.left & (units.n0 == 1)
        both = unique & (units[f"n{file}"] == 1)
        asked = {
            "ours": units.n.sum(where=units.file == 0),
            "theirs": units.n.sum(where=units.file == file),
            "unique": units.n.sum(where=unique),
            "met": units.n.sum(where=unique & (units[f"full{file}"] > 0)),
            "both": units.n.sum(where=both),
            "shared": units.n.sum(where=(units.file == 0) & (units[f"full{file}"] > 0)),
            "theirs_shared": units.n.sum(where=(units.file == file) & (units.full0 > 0)),
        }
        (row,) = self.connection.fetch(units.aggregate(**asked)).to_pylist()
        n = {name: int(value or 0) for name, value in row.items()}
        found = self._kinds(units.mutate(unique=unique, both=both).filter(units.file == 0)) if kinds else {}
        totals = n["ours"], n["unique"], n["both"]
        return UnitCounts(
            n_original=n["ours"],
            n_synthetic=n["theirs"],
            unique_in_original=n["unique"],
            unique_and_in_synthetic=n["met"],
            unique_in_both=n["both"],
            shared_original=n["shared"],
            shared_synthetic=n["theirs_shared"],
            kinds=tuple(kind for place, of in found.items() for kind in put_together(of, place, *totals)),
        )

    def _kinds(self, flagged: Any) -> dict[int | None, list[KindOfUnit]]:
        """Count the original's units by what they are alike in; only kinds of many are brought here."""
        places: list[int | None] = [None, *self._places]
        counts = {name: flagged[name] for name in ("size", "n", "unique", "both")}
        of_places = [
            flagged.select(
                place=ibis.literal(number, "int64"),
                written=ibis.literal("") if place is None else flagged[f"k{place}"],
                **counts,
            )
            for number, place in enumerate(places)
        ]
        every = ibis.union(*of_places, distinct=False) if len(of_places) > 1 else of_places[0]
        grouped = every.group_by("place", "size", "written").agg(
            n_units=every.n.sum(),
            n_unique=every.unique.ifelse(every.n, 0).sum(),
            n_both=every.both.ifelse(every.n, 0).sum(),
        )
        common = grouped.filter(grouped.n_units >= SMALL_CELL)
        first = ibis.window(group_by=common.place, order_by=[common.n_units.desc(), common.written])
        ranked = common.mutate(rank=ibis.row_number().over(first))
        found: dict[int | None, list[KindOfUnit]] = {place: [] for place in places}
        for row in self.connection.fetch(ranked.filter(ranked["rank"] < 2 * MOST_KINDS)).to_pylist():
            place = places[int(row["place"])]
            codes = tuple(sorted(map(int, row["written"].split(";")))) if row["written"] else ()
            n = (int(row[name]) for name in ("n_units", "n_unique", "n_both"))
            found[place].append(KindOfUnit(place, codes, int(row["size"]), *n))
        return found
