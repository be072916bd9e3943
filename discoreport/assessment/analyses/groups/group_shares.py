"""Groups at risk by the worst file: the share of each that is given away, for figure and report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from discoreport.assessment.analyses.groups.results import Groups, Place
from discoreport.assessment.analyses.measure_columns import Column, columns_of
from discoreport.assessment.formatting import clean
from discoreport.assessment.measured import Measured
from discoreport.assessment.worst_file import worst_file

SHARES = {"repU": "n_replicated", "DiSCO": "n_disclosed"}
"""The counts that measures are made of."""


@dataclass(frozen=True)
class GroupShares:
    """One group: a level of a variable, or several that were put together.

    Parameters
    ----------
    variable, level
        Which; the level as it is written, another one than all others of the variable.
    n_records
        Its original records.
    shares, averages
        By column, percent of its records, and of all records, in the file that is worst for its target, or for the
        keys.
    exposed
        By column, whether all its records, or all those of one of its levels, are given away by any synthetic file.
    """

    variable: str
    level: str
    n_records: int
    shares: dict[Column, float]
    averages: dict[Column, float]
    exposed: dict[Column, bool]

    @property
    def above_average(self) -> dict[Column, float]:
        """By column by how many percentage points more of it is given away than of all records."""
        return {column: self.shares[column] - self.averages[column] for column in self.shares}


def shares_of_groups(assessment: Measured, found: Groups, columns: Sequence[Column] | None = None) -> list[GroupShares]:
    """Give every group, variable by variable; of each the one that is given away most first.

    "Most" is by the first column of a target, else by repU; groups that are fully exposed come before all others.
    The columns are repU and those of the most exposed targets, unless others are asked for.
    """
    columns = columns or columns_of(assessment, found.settings.targets or ())
    worst = {column: worst_file(assessment, column.target).synthesis for column in columns}
    names, places = names_of_groups(found), found.places
    lines = []
    for place, of_group in _with_averages(found).groupby("place", sort=False):
        cases = {(row["target"], row["synthesis"]): row for row in of_group.to_dict("records")}
        first = next(iter(cases.values()))
        of = {column: cases[first["target"] if column.target is None else column.target, worst[column]]
              for column in columns}  # fmt: skip
        exposed = {target for (target, _), row in cases.items() if row["n_levels_exposed"]}
        lines.append(
            GroupShares(
                variable=str(first["variable"]),
                level=names[places[int(str(place))]],
                n_records=int(first["n_records"]),
                shares={column: float(of[column][column.measure]) for column in columns},
                averages={column: float(of[column][f"average_{column.measure}"]) for column in columns},
                exposed={column: column.target in exposed and column.measure == "DiSCO" for column in columns},
            )
        )
    decisive = next((column for column in columns if column.target is not None), columns[0])
    order = list(dict.fromkeys(one.variable for one in lines))
    return sorted(
        lines, key=lambda one: (order.index(one.variable), not any(one.exposed.values()), -one.shares[decisive])
    )


def names_of_groups(found: Groups) -> dict[Place, str]:
    """Give every group the text that figures and reports show."""
    return found.names(lambda one: clean(one.written))


def _with_averages(found: Groups) -> pd.DataFrame:
    """Give the table of groups with each group's place in `Groups.places`, and repU and DiSCO over all records."""
    numbers = {place: number for number, place in enumerate(found.places)}
    table = found.table.assign(place=[numbers[one.place] for one in found.groups])
    for measure, count in SHARES.items():
        whole = table[count].astype("float64").groupby([table["variable"], table["target"], table["synthesis"]])
        table[f"average_{measure}"] = 100 * whole.transform("sum") / found.original.n_records
    return table
