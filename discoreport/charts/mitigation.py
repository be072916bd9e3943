"""The figure of mitigation: risk before and after some steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.mitigation.results import Figure, Mitigation
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import percent
from discoreport.charts.chart import of_analysis
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.arrows import NUMBER, arrows
from discoreport.charts.drawing.layout import Panel, rows
from discoreport.charts.drawing.marks import Drawn, figure, grid, names_of, sign, stacked
from discoreport.charts.drawing.target_rows import named
from discoreport.charts.drawing.text import clean, counted, listed

_TOP = 28
"""Pixels for the explanation of the signs."""


def mitigation(assessment: Assessment, found: Mitigation) -> Drawn:
    """Draw an arrow from before to after the steps, for repU and for DiSCO of each target.

    Parameters
    ----------
    assessment, found
        What targets are called in words, and what to draw.

    Returns
    -------
    altair.LayerChart
        The target that was most exposed before is on top, under repU.
    """
    drawn = found.main_figures
    placed = rows(list(map(_name, drawn, named(assessment, [one.target for one in drawn]))), top=_TOP)
    height = placed.height
    panel = Panel(placed.left + NUMBER, theme.WIDTH - NUMBER, title=theme.PERCENT_TITLE)
    values: list[dict[str, Any]] = [
        {
            "name": _name(one, clean(one.target)),
            "y": y,
            "x": one.before,
            "x2": one.after,
            "tip": {"measure": f"{one.measure} before", "value": percent(one.before)},
            "tip2": {"measure": f"{one.measure} after", "value": percent(one.after)},
        }
        for one, y in zip(drawn, placed.middles, strict=True)
    ]
    return figure(
        names_of(placed),
        *sign(5, "before", shape="circle", colour=theme.GREY, hollow=True),
        *sign(95, "after", shape="triangle-left", colour=theme.SYNTHETIC, size=100, strong=True, away=12),
        stacked(grid(panel, _TOP - 4, height), *arrows(values, panel)),
        height=height,
        question=ANALYSES["mitigation"].question,
        subtitle=f"repU, and DiSCO of each target, before and after {counted(len(found.steps), 'step')}. What the file "
        f"loses: {found.loss.told}.",
        description=f"{_in_words(drawn)} Loss: {found.loss.told}.",
    )


def _name(one: Figure, target: str) -> str:
    return f"{one.measure} of {target}" if one.measure == "DiSCO" else "repU, replicated uniques"


def _in_words(drawn: Sequence[Figure]) -> str:
    told = [f"{_name(one, clean(one.target))} from {percent(one.before)} to {percent(one.after)}" for one in drawn[:4]]
    more = f"; and {counted(len(drawn) - 4, 'more target')}" if len(drawn) > 4 else ""
    return f"{listed(told)}{more}."


CHART = of_analysis("mitigation", mitigation, lambda _, found: bool(found.main_figures), lambda _, found: found.table)
