"""The figure of groups at risk: which levels of a variable are given away more than the average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.groups.group_shares import GroupShares, shares_of_groups
from discoreport.assessment.analyses.groups.results import Groups
from discoreport.assessment.analyses.measure_columns import Column
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import worst_name
from discoreport.assessment.formatting import percent, percentage
from discoreport.assessment.worst_file import worst_file
from discoreport.charts.chart import of_analysis
from discoreport.charts.drawing.bar_columns import Grid
from discoreport.charts.drawing.marks import Drawn, figure, names_below_heads
from discoreport.charts.drawing.target_rows import named, of_worst
from discoreport.charts.drawing.text import clean, counted, listed

MOST_ROWS, LEAST_OF_VARIABLE = 18, 3
"""How many groups are shown in all, and of one variable where there are many."""


def shown(lines: Sequence[GroupShares]) -> list[GroupShares]:
    """Choose the groups that are shown: of each variable those that are given away most."""
    variables = list(dict.fromkeys(one.variable for one in lines))
    most = max(LEAST_OF_VARIABLE, MOST_ROWS // len(variables))
    chosen = [one for name in variables for one in [one for one in lines if one.variable == name][:most]]
    return chosen[:MOST_ROWS]


def groups(assessment: Assessment, found: Groups) -> Drawn:
    """Draw for each group the share of its records that is given away, and a line at the average.

    Parameters
    ----------
    assessment, found
        What to draw.

    Returns
    -------
    altair.LayerChart
        Of the worst file of each target, and of the keys; a diamond marks what is fully exposed by any file.
    """
    every = shares_of_groups(assessment, found)
    lines = shown(every)
    columns = list(lines[0].shares)
    names, owners = _names(assessment, lines)
    grid = Grid(assessment, columns, names, row_height=26, widest=170)
    placed = grid.placed
    places = {id(owner): y for owner, y in zip(owners, placed.middles, strict=True) if owner is not None}

    def values(column: Column) -> list[dict[str, Any]]:
        return [
            {
                "x": one.shares[column],
                "y": places[id(one)],
                "text": percentage(one.shares[column]) + (" ◆" if one.exposed[column] else ""),
                "mark": one.averages[column],
                "group": clean(one.level),
                "measure": column.told,
                "value": percent(one.shares[column]),
                "count": f"of {one.n_records:,} original records",
                "own": True,
            }
            for one in lines
        ]

    left = len(every) - len(lines)
    more = f" {counted(left, 'more group is', 'more groups are')} in the table." if left else ""
    flagged = any(any(one.exposed.values()) for one in lines)
    diamond = " A diamond: all records of a level are given away." if flagged else ""
    return figure(
        *names_below_heads(placed, [owner is None for owner in owners], 8),
        *grid.draw(values),
        height=placed.height,
        question=ANALYSES["groups"].question,
        subtitle="% of the original records of each group (higher is worse); bars run from 0 to 100 %, the upright "
        f"line is the average over all records. The group that is given away most comes first.{diamond}{more}"
        + of_worst(assessment, keys=True),
        description=f"{_in_words(every, columns)}{of_worst(assessment, keys=True)}",
    )


def groups_table(assessment: Assessment, found: Groups) -> pd.DataFrame:
    """Give every group: its counts and shares by target and synthesis; says which synthesis is worst for the target."""
    table = found.table
    worst = {name: worst_file(assessment, name or None).synthesis for name in found.settings.targets or ("",)}
    several = len(found.synthetic) > 1
    table["synthesis"] = [
        worst_name(synthesis) if several and synthesis == worst[target] else str(synthesis)
        for target, synthesis in zip(table["target"], table["synthesis"], strict=True)
    ]
    return table


def _names(assessment: Assessment, lines: Sequence[GroupShares]) -> tuple[list[str], list[GroupShares | None]]:
    """Name the rows: the variable above its groups."""
    names: list[str] = []
    owners: list[GroupShares | None] = []
    for place, one in enumerate(lines):
        if place == 0 or lines[place - 1].variable != one.variable:
            names += named(assessment, [one.variable])
            owners.append(None)
        names.append(f"{clean(assessment.labelled(one.variable, one.level) or '')} ({one.n_records:,})")
        owners.append(one)
    return names, owners


def _in_words(lines: Sequence[GroupShares], columns: Sequence[Column]) -> str:
    told = []
    for column in columns[:2]:
        most = max(lines, key=lambda one: one.shares[column])  # used at once
        told.append(
            f"{column.told} is highest for {clean(most.level)} of {clean(most.variable)}: "
            f"{percent(most.shares[column])} against {percent(most.averages[column])} on average"
        )
    n_exposed = sum(any(one.exposed.values()) for one in lines)
    exposed = f" {counted(n_exposed, 'group has', 'groups have')} a level that is fully exposed." if n_exposed else ""
    return f"{listed(told)}.{exposed}"


CHART = of_analysis("groups", groups, lambda _, found: bool(found.groups), groups_table, whole=True)
