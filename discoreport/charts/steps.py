"""The figure of attribute disclosure: the steps that lead to it."""

from __future__ import annotations

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.worst_file import most_exposed_first
from discoreport.charts.chart import NO_TARGETS, Chart, has_targets
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import Panel, rows
from discoreport.charts.drawing.marks import Drawn, bars, figure, grid, heads, names_of, stacked
from discoreport.charts.drawing.target_rows import highest, measured, named, of_worst
from discoreport.charts.drawing.text import paragraph
from discoreport.charts.figure_tables import of_targets

STEPS = "At which step does disclosure happen?"

STEP_MEASURES = {
    "iS": ("the keys occur in the synthetic file", theme.LIGHT_GREY),
    "DiS": ("and it names one value only", theme.MID_GREY),
    "DiSCO": ("and that value is right", theme.SYNTHETIC),
    "DiSDiO": ("and the original itself names it", theme.ORIGINAL),
}


def steps(assessment: Assessment) -> Drawn:
    """Draw for each target the shares of original records that remain after each step, from iS to DiSDiO.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        Four columns of bars, of each target's worst file, the most exposed target on top.
    """
    targets = most_exposed_first(assessment)
    top, number, gap = 56, 34, 12
    placed = rows(named(assessment, targets), top=top, widest=170)
    pitch = (theme.WIDTH - placed.left) / len(STEP_MEASURES)
    starts = [placed.left + n * pitch for n in range(len(STEP_MEASURES))]
    columns = []
    for start, (measure, (_, colour)) in zip(starts, STEP_MEASURES.items(), strict=True):
        panel = Panel(
            start,
            start + pitch - number - gap,
            ticks=(0, 50, 100),
            title=theme.PERCENT_TITLE if measure == "iS" else "",
        )
        values = measured(assessment, measure, targets, placed.middles)
        shown = bars(values, panel, colour, strong=measure == "DiSCO")
        columns.append(stacked(grid(panel, top - 2, placed.height), *shown))
    return figure(
        names_of(placed),
        *heads(
            [(name, paragraph(words, pitch - gap, theme.SMALL_SIZE)) for name, (words, _) in STEP_MEASURES.items()],
            starts,
        ),
        *columns,
        height=placed.height,
        question=STEPS,
        subtitle="Each column counts the original records for which its head, and all heads to its left, hold. "
        "The target with the highest DiSCO is on top." + of_worst(assessment),
        description=f"{highest(assessment, targets, 'DiSCO', ['iS', 'DiS', 'DiSDiO'])}{of_worst(assessment)}",
    )


CHART = Chart("steps", STEPS, steps, has_targets, NO_TARGETS, lambda one: of_targets(one, STEP_MEASURES))
