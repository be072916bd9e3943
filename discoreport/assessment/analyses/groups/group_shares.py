"""Groups at risk, means over the syntheses: the share of each that is given away, for figure and report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from discoreport.assessment.analyses.groups.results import Groups, Place
from discoreport.assessment.analyses.row_measures import Column, columns_of
from discoreport.assessment.formatting import clean
from discoreport.assessment.measured import Measured

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
        By column, percent of its records, and of all records: means over the syntheses.
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
    table, columns = means_of_groups(found), columns or columns_of(assessment, found.settings.targets or ())
    names, places = names_of_groups(found), found.places
    lines = []
    for _, of_group in table.groupby("place", sort=False):
        by_target = {row["target"]: row for row in of_group.to_dict("records")}
        first = next(iter(by_target.values()))
        of = {column: first if column.target is None else by_target[column.target] for column in columns}
        lines.append(
            GroupShares(
                variable=str(first["variable"]),
                level=names[places[int(first["place"])]],
                n_records=int(first["n_records"]),
                shares={column: float(of[column][column.measure]) for column in columns},
                averages={column: float(of[column][f"average_{column.measure}"]) for column in columns},
                exposed={column: bool(of[column]["exposed"]) and column.measure == "DiSCO" for column in columns},
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


def means_of_groups(found: Groups) -> pd.DataFrame:
    """Average over the syntheses; what any of them exposes is exposed. ``place`` is that in `Groups.places`."""
    numbers = {place: number for number, place in enumerate(found.places)}
    table = found.table.assign(place=[numbers[one.place] for one in found.groups])
    table["exposed"] = table["n_levels_exposed"] > 0
    group = ["place", "variable", "level", "n_levels", "merged", "target"]
    figures = [*SHARES.values(), "n_records", "n_unique", "n_determined", "UiO", "repU", "Dorig", "DiSCO", "average"]
    table = table.astype(dict.fromkeys([name for name in figures if name.startswith("n_")], "float64"))
    means = table.groupby(group, sort=False)[figures].mean()
    means["exposed"] = table.groupby(group, sort=False)["exposed"].any()
    means = means.reset_index()
    for measure, count in SHARES.items():
        whole = means.groupby(["variable", "target"])[count].transform("sum")
        means[f"average_{measure}"] = 100 * whole / found.original.n_records
    return means
