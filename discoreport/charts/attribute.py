"""Figures of attribute disclosure: the steps that lead to it, and how many records share a disclosure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.writing import number, percentage
from discoreport.charts import theme
from discoreport.charts.layout import Panel, rows
from discoreport.charts.marks import Values, bars, figure, grid, heads, lines, names_of, stacked, symbols, texts
from discoreport.charts.shares import tip
from discoreport.charts.targets import averaged, by_risk, highest
from discoreport.charts.text import clean, counted, listed

if TYPE_CHECKING:
    import altair as alt

STEPS = "At which step does disclosure happen?"
DENOMINATORS = "How many records share a disclosure?"

STEP_MEASURES = {
    "iS": ("the keys occur in the synthetic file", theme.LIGHT_GREY),
    "DiS": ("and it names one value only", theme.MID_GREY),
    "DiSCO": ("and that value is right", theme.SYNTHETIC),
    "DiSDiO": ("and the original itself names it", theme.ORIGINAL),
}


def steps(assessment: Assessment) -> alt.LayerChart:
    """Draw for each target the shares of original records that remain after each step, from iS to DiSDiO.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        Four columns of bars, means over the syntheses, the most exposed target on top.
    """
    targets = by_risk(assessment)
    top, number, gap = 56, 34, 12
    placed = rows([clean(target) for target in targets], top=top, widest=170)
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
        values: list[dict[str, Any]] = [
            {
                "name": clean(target),
                "y": y,
                "x": (value := assessment.value(measure, target)),
                "text": percentage(value),
                **tip(assessment, measure, target),
            }
            for target, y in zip(targets, placed.middles, strict=True)
        ]
        shown = bars(values, placed.height, panel, colour, strong=measure == "DiSCO")
        columns.append(stacked(grid(panel, top - 2, placed.height), *shown))
    return figure(
        names_of(placed),
        *heads([(name, words) for name, (words, _) in STEP_MEASURES.items()], starts, pitch - gap, placed.height),
        *columns,
        height=placed.height,
        title=STEPS,
        subtitle="Each column counts the original records for which its head, and all heads to its left, hold. "
        "The target with the highest DiSCO is on top." + averaged(assessment),
        description=f"{STEPS} {highest(assessment, targets, 'DiSCO', ['iS', 'DiS', 'DiSDiO'])}{averaged(assessment)}",
    )


def denominators(assessment: Assessment) -> alt.LayerChart:
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
    targets = by_risk(assessment)
    top, margin = 28, 44
    placed = rows([clean(target) for target in targets], top=top)
    values: list[dict[str, Any]] = [
        {
            "name": clean(target),
            "y": y,
            "x": assessment.value("mean_denom", target),
            "x2": largest(assessment, target),
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
        *_signs(placed.height),
        stacked(grid(panel, top - 4, placed.height), *_spans(values, known, panel, placed.height)),
        height=placed.height,
        title=DENOMINATORS,
        subtitle="Many records with the same keys and the same disclosed value hint at something that is generally "
        "known. The target with the highest DiSCO is on top."
        + (" Means, and the largest cell of all synthetic files." if len(assessment.synthetic) > 1 else ""),
        description=f"{DENOMINATORS} "
        + (f"Mean number of records in a disclosive cell: {listed(told)}." if told else "Nothing is disclosive."),
    )


def _ticks(most: float) -> list[int]:
    """Give 1, 2, 5, 10 and so on up to the first that is not exceeded; powers of ten where they are many."""
    steps = [step * 10**power for power in range(16) for step in (1, 2, 5)]
    needed = steps[: max(2, next(n for n, step in enumerate(steps) if step >= most) + 1)]
    if len(needed) <= 10:
        return needed
    return [10**power for power in range(len(str(needed[-1] - 1)) + 1)]


def largest(assessment: Assessment, target: str) -> float | None:
    """Give the most records in a disclosive cell of any synthesis."""
    found = [result.values["max_denom"] for result in assessment.outcome.results if result.target == target]
    return max((value for value in found if value is not None), default=None)


def _signs(height: float) -> list[alt.Chart]:
    middle = theme.WIDTH / 2
    return [
        symbols([{"x": 5, "y": 8}], height, shape="circle", colour=theme.SYNTHETIC),
        texts([{"x": 15, "y": 8, "text": "mean over the disclosive cells"}], height, colour=theme.SYNTHETIC),
        symbols([{"x": middle, "y": 8}], height, shape="square", colour=theme.GREY, hollow=True),
        texts([{"x": middle + 10, "y": 8, "text": "largest disclosive cell"}], height, colour=theme.GREY),
    ]


def _spans(values: Values, known: Values, panel: Panel, height: float) -> list[alt.Chart]:
    means = [
        {
            "x": value["x"],
            "y": value["y"],
            "name": value["name"],
            "text": number(value["x"]),
            "measure": "mean_denom",
            "value": f"{number(value['x'])} records",
        }
        for value in known
    ]
    most = [
        {
            "x": value["x2"],
            "y": value["y"],
            "name": value["name"],
            "text": number(value["x2"]),
            "measure": "max_denom",
            "value": counted(round(value["x2"]), "record"),
        }
        for value in known
    ]
    none = [
        {"x": panel.domain[0], "y": value["y"], "text": "n/a: nothing is disclosive"}
        for value in values
        if value not in known
    ]
    return [
        lines(known, height, colour=theme.LIGHT_GREY, panel=panel, thickness=2.5),
        symbols(most, height, shape="square", colour=theme.GREY, panel=panel, hollow=True),
        symbols(means, height, shape="circle", colour=theme.SYNTHETIC, panel=panel),
        texts(means, height, panel=panel, align="right", colour=theme.SYNTHETIC, strong=True, dx=-8),
        texts(most, height, panel=panel, colour=theme.GREY, dx=9),
        texts(none, height, panel=panel, colour=theme.GREY, dx=4),
    ]
