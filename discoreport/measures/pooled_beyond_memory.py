"""Several synthetic files in one hand, counted where the tables are; see `discoreport.measures.pooled`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import ibis

from discoreport.measures.cells import Levels
from discoreport.measures.exclusions import Rules, cells_left
from discoreport.measures.ibis_cells import Cells, combination
from discoreport.measures.ibis_engine import TargetCells
from discoreport.measures.pooled import Condition, Met, Repeated


class Stored:
    """The cells of several synthetic files, in one engine beyond memory.

    Parameters
    ----------
    files
        One a file.
    rules
        What is left out.
    """

    def __init__(self, files: Sequence[TargetCells], rules: Rules) -> None:
        self._files, self._rules = files, rules
        self._left: list[Any] = [cells_left(one, rules) for one in files]  # kept in tables of their own

    def rows(self) -> list[Any]:
        """Give the rows that sums are taken over, of each file by itself."""
        return self._left

    def together(self) -> Any:
        """Give the rows that sums are taken over where the synthetic records of all files are added up."""
        first = self._files[0].cells
        tables = [one.cells.table.select(*combination(one.cells.table), "t", "d_full", "s_full") for one in self._files]
        records = _union(tables)
        cells = records.group_by([*combination(records), "t"]).agg(
            d_full=records.d_full.max(), s_full=records.s_full.sum()
        )
        by_key = ibis.window(group_by=combination(cells))
        cells = first.connection.keep(
            cells.mutate(
                d_key_full=cells.d_full.sum().over(by_key),
                s_key_full=cells.s_full.sum().over(by_key),
                s_most=cells.s_full.max().over(by_key),
            )
        )
        known = first.of_levels
        of_levels = known and Levels(known.d_full, sum(one.cells.of_levels.s_full for one in self._files))
        n_synthetic = sum(one.cells.n_synthetic for one in self._files)
        in_all = Cells.of(first.connection, cells, first.n_original, n_synthetic, of_levels)
        return cells_left(TargetCells(in_all, self._files[0].keys), self._rules)

    def met(self, conditions: Mapping[str, Condition]) -> dict[str, Met]:
        """Count original records by how many of the files meet a condition."""
        tables = []
        for cells in self._left:
            where = {name: condition(cells).cast("int64") for name, condition in conditions.items()}
            table = cells.table.select(*combination(cells.table), "t", d=cells.d, **where)
            tables.append(table.filter(table.d > 0))
        records = _union(tables)
        counts: dict[str, Any] = {"d": records.d.max()}
        for name in conditions:
            counts |= {f"any_{name}": records[name].max(), f"all_{name}": records[name].min()}
        cells_met = records.group_by([*combination(records), "t"]).agg(**counts)
        sums = {name: cells_met.d.sum(where=cells_met[name] == 1) for name in counts if name != "d"}
        (found,) = self._files[0].cells.connection.fetch(cells_met.aggregate(**sums)).to_pylist()
        return {name: Met(int(found[f"any_{name}"] or 0), int(found[f"all_{name}"] or 0)) for name in conditions}

    def repeated(self) -> list[Repeated]:
        """Count key combinations by how many files they are unique in."""
        tables = []
        for cells in self._left:
            table = cells.table.select(*combination(cells.table), d=cells.d, s=cells.s)
            tables.append(table.filter(table.s == 1))
        records = _union(tables)
        by_key = records.group_by(combination(records)).agg(n_files=records.count(), d=records.d.max())
        by_files = by_key.group_by("n_files").agg(n=by_key.count(), unique=(by_key.d == 1).cast("int64").sum())
        found = {row["n_files"]: row for row in self._files[0].cells.connection.fetch(by_files).to_pylist()}
        nothing = {"n": 0, "unique": 0}
        return [
            Repeated(n, int(row["n"]), int(row["unique"]))
            for n in range(1, len(self._files) + 1)
            for row in [found.get(n, nothing)]
        ]


def _union(tables: Sequence[Any]) -> Any:
    return ibis.union(*tables, distinct=False) if len(tables) > 1 else tables[0]
