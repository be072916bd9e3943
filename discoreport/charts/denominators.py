"""The figure of disclosive cells: how many records share a disclosure."""

from __future__ import annotations

from typing import Any

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import share
from discoreport.assessment.formatting import number
from discoreport.assessment.results import Result
from discoreport.assessment.worst_file import most_exposed_first, worst_file, worst_files
from discoreport.charts.chart import NO_TARGETS, Chart, has_targets
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import Panel, rows
from discoreport.charts.drawing.marks import (
    Drawn,
    Layer,
    Values,
    figure,
    grid,
    lines,
    names_of,
    sign,
    stacked,
    symbols,
    texts,
)
from discoreport.charts.drawing.target_rows import named, of_worst
from discoreport.charts.drawing.text import clean, counted, listed
from discoreport.charts.figure_tables import by_synthesis, table_of

DENOMINATORS = "How many records share a disclosure?"


def denominators(assessment: Assessment) -> Drawn:
    """Draw for each target how many original records the cells hold that make up DiSCO.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        From the mean to the largest cell, on a logarithmic scale; targets in the order of DiSCO.
    """
    targets, worst = most_exposed_first(assessment), worst_files(assessment)
    top, margin = 28, 44
    placed = rows(named(assessment, targets), top=top)
    values: list[dict[str, Any]] = [
        {
            "name": clean(target),
            "y": y,
            "x": worst[target].values["mean_denom"],
            "x2": worst[target].values["max_denom"],
        }
        for target, y in zip(targets, placed.middles, strict=True)
    ]
    known = [value for value in values if value["x"] is not None and value["x2"]]
    ticks = _ticks(max((value["x2"] for value in known), default=1))
    panel = Panel(
        placed.left + margin,
        theme.WIDTH - margin,
        domain=(ticks[0], ticks[-1]),
        ticks=ticks,
        title="original records in a disclosive cell (logarithmic scale)",
        logarithmic=True,
    )
    told = [f"{value['name']} {number(value['x'])} (largest {number(value['x2'])})" for value in known[:3]]
    return figure(
        names_of(placed),
        *sign(5, "mean over the disclosive cells", shape="circle", colour=theme.SYNTHETIC),
        *sign(theme.WIDTH / 2, "largest disclosive cell", shape="square", colour=theme.GREY, hollow=True),
        stacked(grid(panel, top - 4, placed.height), *_spans(values, known, panel)),
        height=placed.height,
        question=DENOMINATORS,
        subtitle="Many records with the same keys and the same disclosed value hint at something that is generally "
        "known. The target with the highest DiSCO is on top." + of_worst(assessment),
        description=(
            f"Mean number of records in a disclosive cell: {listed(told)}." if told else "Nothing is disclosive."
        ),
    )


def _ticks(most: float) -> list[int]:
    """Give 1, 2, 5, 10 and so on up to the first that is not exceeded; powers of ten where they are many."""
    steps = [step * 10**power for power in range(16) for step in (1, 2, 5)]
    needed = steps[: max(2, next(n for n, step in enumerate(steps) if step >= most) + 1)]
    if len(needed) <= 10:
        return needed
    return [10**power for power in range(len(str(needed[-1] - 1)) + 1)]


def _spans(values: Values, known: Values, panel: Panel) -> list[Layer]:

    def read(value: dict[str, Any], end: str, measure: str, told: str) -> dict[str, Any]:
        written = {"text": number(value[end]), "measure": measure, "value": told}
        return {"x": value[end], "y": value["y"], "name": value["name"], **written}

    means = [read(value, "x", "mean_denom", f"{number(value['x'])} records") for value in known]
    most = [read(value, "x2", "max_denom", counted(round(value["x2"]), "record")) for value in known]
    none = [
        {"x": panel.domain[0], "y": value["y"], "text": "n/a: nothing is disclosive"}
        for value in values
        if value not in known
    ]
    return [
        lines(known, colour=theme.LIGHT_GREY, panel=panel, thickness=2.5),
        symbols(most, shape="square", colour=theme.GREY, panel=panel, hollow=True),
        symbols(means, shape="circle", colour=theme.SYNTHETIC, panel=panel),
        texts(means, panel=panel, align="right", colour=theme.SYNTHETIC, strong=True, dx=-8),
        texts(most, panel=panel, colour=theme.GREY, dx=9),
        texts(none, panel=panel, colour=theme.GREY, dx=4),
    ]


def denominators_table(assessment: Assessment) -> pd.DataFrame:
    """Give the sizes of disclosive cells.

    Returns
    -------
    pandas.DataFrame
        Columns target, synthesis, n_records (disclosive ones, those of DiSCO), n_cells (that hold
        them), mean_denom, max_denom.
    """
    rows: list[tuple[Any, ...]] = []
    for target in most_exposed_first(assessment):
        results = [result for result in assessment.outcome.results if result.target == target]
        found = [_sizes_of_cells(assessment, result) for result in results]
        named = by_synthesis(found, worst_file(assessment, target).synthesis)
        rows += [(target, synthesis, *sizes) for synthesis, sizes in named]
    return table_of(rows, ["target", "synthesis", "n_records", "n_cells", "mean_denom", "max_denom"])


def _sizes_of_cells(assessment: Assessment, result: Result) -> tuple[float | None, ...]:
    n_records = share(assessment, result, "DiSCO").n_records
    mean_denom, max_denom = result.values["mean_denom"], result.values["max_denom"]
    n_cells = round((n_records or 0) / mean_denom) if mean_denom else 0
    return n_records, n_cells, mean_denom, max_denom


CHART = Chart("denominators", DENOMINATORS, denominators, has_targets, NO_TARGETS, denominators_table)
