"""The figure of the spread: how much disclosure differs between synthetic files from one original."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import NOT_AVAILABLE, percentage
from discoreport.assessment.shares import shares, tip
from discoreport.charts.chart import Chart
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import Panel, rows
from discoreport.charts.drawing.marks import figure, grid, lines, names_of, stacked, symbols, texts
from discoreport.charts.drawing.target_rows import by_risk, highest
from discoreport.charts.drawing.text import clean, counted
from discoreport.charts.figure_tables import of_targets

if TYPE_CHECKING:
    import altair as alt

SPREAD = "Do the synthetic files differ in what they give away?"


def has_several(assessment: Assessment) -> bool:
    """Tell whether there are several synthetic files, and targets."""
    return len(assessment.synthetic) > 1 and bool(assessment.targets)


def spread(assessment: Assessment) -> alt.LayerChart:
    """Draw DiSCO of each synthesis and the mean, the target with the highest mean on top.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        A ring for each synthesis, a line for the mean; both ends are written at the right.
    """
    targets = by_risk(assessment)
    top, right = 26, 140
    placed = rows([clean(target) for target in targets], top=top)
    height = placed.height
    panel = Panel(placed.left, theme.WIDTH - right, title=theme.PERCENT_TITLE)
    dots, means, numbers, ranges = [], [], [], []
    widest = 0.0
    for target, y in zip(targets, placed.middles, strict=True):
        found = shares(assessment, "DiSCO", target)
        known = [one.percent for one in found if one.percent is not None]
        mean = assessment.value("DiSCO", target)
        dots += [
            {"x": one.percent, "y": y, "name": clean(target), "synthesis": str(number), "measure": "DiSCO"} | one.words
            for number, one in enumerate(found, start=1)
            if one.percent is not None
        ]
        told = tip(assessment, "DiSCO", target)
        means += [] if mean is None else [{"x": mean, "y": y - 8, "y2": y + 8, "name": clean(target), **told}]
        numbers.append({"x": theme.WIDTH - right + 50, "y": y, "text": percentage(mean)})
        both = f"{percentage(min(known))} to {percentage(max(known))}" if known else NOT_AVAILABLE
        ranges.append({"x": theme.WIDTH, "y": y, "text": both})
        widest = max(widest, max(known) - min(known)) if known else widest
    columns = [{"x": theme.WIDTH - right + 50, "y": 8, "text": "mean"}, {"x": theme.WIDTH, "y": 8, "text": "range"}]
    m = len(assessment.synthetic)
    return figure(
        names_of(placed),
        texts(columns, height, align="right", size=theme.SMALL_SIZE, colour=theme.GREY),
        texts(numbers, height, align="right", strong=True, colour=theme.SYNTHETIC),
        texts(ranges, height, align="right", size=theme.SMALL_SIZE),
        stacked(
            grid(panel, top - 4, height),
            symbols(dots, height, shape="circle", colour=theme.SYNTHETIC, panel=panel, size=45, hollow=True),
            lines(means, height, colour=theme.INK, panel=panel, thickness=2),
        ),
        height=height,
        title=SPREAD,
        subtitle=f"Rings: DiSCO of each of {m} synthetic files; upright lines: their mean. The highest is on top.",
        description=f"{SPREAD} {highest(assessment, targets, 'DiSCO')} Values are means over {m} synthetic files; for "
        f"the {counted(len(targets), 'target')} the files differ by {widest:.1f} percentage points at most.",
    )


def spread_table(assessment: Assessment) -> pd.DataFrame:
    """Give DiSCO of each synthesis and the mean: target, synthesis, measure, percent and the records behind it."""
    return of_targets(assessment, ("DiSCO",))


CHART = Chart("spread", SPREAD, spread, has_several, "There is one synthetic file only.", spread_table)
