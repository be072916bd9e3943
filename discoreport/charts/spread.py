"""The figure of the spread: how much disclosure differs between synthetic files from one original."""

from __future__ import annotations

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import shares, tip
from discoreport.assessment.formatting import NOT_AVAILABLE, percentage
from discoreport.assessment.worst_file import most_exposed_first, worst_files
from discoreport.charts.chart import Chart
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import Panel, rows
from discoreport.charts.drawing.marks import Drawn, figure, grid, names_of, small, stacked, symbols, texts
from discoreport.charts.drawing.target_rows import highest, named, of_worst
from discoreport.charts.drawing.text import clean, counted
from discoreport.charts.figure_tables import of_targets

SPREAD = "Do the synthetic files differ in what they give away?"


def spread(assessment: Assessment) -> Drawn:
    """Draw DiSCO of each synthesis, that of the worst filled; the target whose worst file has most is on top.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        A ring for each synthesis, a dot for the worst, whose value and number are written at the right.
    """
    targets, worst = most_exposed_first(assessment), worst_files(assessment)
    top, right = 26, 152
    placed = rows(named(assessment, targets), top=top)
    height = placed.height
    panel = Panel(placed.left, theme.WIDTH - right, title=theme.PERCENT_TITLE)
    dots, most, numbers, ranges = [], [], [], []
    widest = 0.0
    for target, y in zip(targets, placed.middles, strict=True):
        found = shares(assessment, "DiSCO", target)
        known = [one.percent for one in found if one.percent is not None]
        value, file = worst[target].values["DiSCO"], worst[target].synthesis
        dots += [
            {"x": one.percent, "y": y, "name": clean(target), "synthesis": str(number), "measure": "DiSCO"} | one.words
            for number, one in enumerate(found, start=1)
            if one.percent is not None and number != file
        ]
        told = tip(assessment, "DiSCO", target)
        most += [] if value is None else [{"x": value, "y": y, "name": clean(target), **told}]
        numbers.append({"x": theme.WIDTH - right + 62, "y": y, "text": f"{percentage(value)} ({file})"})
        both = f"{percentage(min(known))} to {percentage(max(known))}" if known else NOT_AVAILABLE
        ranges.append({"x": theme.WIDTH, "y": y, "text": both})
        widest = max(widest, max(known) - min(known)) if known else widest
    columns = [{"x": theme.WIDTH - right + 62, "y": 8, "text": "worst file"}]
    columns.append({"x": theme.WIDTH, "y": 8, "text": "range"})
    m = len(assessment.synthetic)
    return figure(
        names_of(placed),
        small(columns, align="right"),
        texts(numbers, align="right", strong=True, colour=theme.SYNTHETIC),
        texts(ranges, align="right", size=theme.SMALL_SIZE),
        stacked(
            grid(panel, top - 4, height),
            symbols(dots, shape="circle", colour=theme.SYNTHETIC, panel=panel, size=45, hollow=True),
            symbols(most, shape="circle", colour=theme.SYNTHETIC, panel=panel, size=45),
        ),
        height=height,
        question=SPREAD,
        subtitle=f"Rings: DiSCO of each of {m} synthetic files; filled: of the one that gives most away beyond chance, "
        "with its number. The highest is on top.",
        description=f"{highest(assessment, targets, 'DiSCO')}{of_worst(assessment)} For "
        f"the {counted(len(targets), 'target')} the files differ by {widest:.1f} percentage points at most.",
    )


CHART = Chart(
    "spread",
    SPREAD,
    spread,
    lambda one: len(one.synthetic) > 1 and bool(one.targets),
    "There is one synthetic file only.",
    lambda one: of_targets(one, ("DiSCO",)),
)
