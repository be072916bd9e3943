"""The figure of the control baseline: what the release adds to what anybody could infer."""

from __future__ import annotations

from typing import Any

import pandas as pd

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.control.results import ControlBaseline, Excess
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import percent, points
from discoreport.charts.chart import of_analysis
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.arrows import NUMBER, arrows
from discoreport.charts.drawing.layout import Panel, rows
from discoreport.charts.drawing.marks import Drawn, figure, grid, lines, names_of, sign, small, stacked, texts
from discoreport.charts.drawing.target_rows import named, of_several
from discoreport.charts.drawing.text import clean, counted, listed
from discoreport.charts.drawing.xy_plane import steps_to
from discoreport.charts.uncertainty import whiskers

_TOP, _WRITTEN = 46, 122
"""Pixels for the explanation of the signs, and for the excess in figures."""


def control(assessment: Assessment, found: ControlBaseline) -> Drawn:
    """Draw DiSCO for the control and for the original, and the excess with its interval.

    Parameters
    ----------
    assessment, found
        What targets are called in words, and what to draw.

    Returns
    -------
    altair.LayerChart
        A row a target, of the synthetic file that adds most; the target with the largest excess is on top.
    """
    shown = found.largest()
    placed = rows(named(assessment, [one.target for one in shown]), top=_TOP)
    height = placed.height
    room = theme.WIDTH - placed.left - _WRITTEN - 2 * NUMBER
    left = Panel(
        placed.left + NUMBER, placed.left + NUMBER + room * 0.5, ticks=(0, 50, 100), title="DiSCO, % of the records"
    )
    ends = [end for one in shown for end in (one.low, one.high, one.excess) if end is not None]
    ticks = _ticks(min(ends), max(ends))
    right = Panel(
        left.right + NUMBER + 10,
        theme.WIDTH - _WRITTEN,
        domain=(ticks[0], ticks[-1]),
        ticks=ticks,
        title="excess, percentage points",
    )
    values: list[dict[str, Any]] = [
        {
            "name": clean(one.target),
            "y": y,
            "x": one.control,
            "x2": one.original,
            "tip": _tip("control", one.control, found.control.n_records),
            "tip2": _tip("original", one.original, found.original.n_records),
        }
        for one, y in zip(shown, placed.middles, strict=True)
    ]
    spans = [
        {
            "name": clean(one.target),
            "y": y,
            "x": one.excess,
            "low": one.low,
            "high": one.high,
            "measure": "excess",
            "value": _interval(one),
        }
        for one, y in zip(shown, placed.middles, strict=True)
    ]
    words = [{"x": theme.WIDTH, "y": y, "text": _interval(one)} for one, y in zip(shown, placed.middles, strict=True)]
    zero = [{"x": 0, "y": _TOP - 6, "y2": height}]
    file = of_several(found.synthetic, " the one that adds most is shown")
    return figure(
        names_of(placed),
        *sign(5.0, "control: what anybody could infer", shape="circle", colour=theme.GREY, hollow=True),
        *sign(245.0, "records of the original", shape="triangle-right", colour=theme.SYNTHETIC, size=100, strong=True),
        small([{"x": left.left, "y": 28, "text": "control → original"}, {"x": right.left, "y": 28, "text": "excess"}]),
        small([{"x": theme.WIDTH, "y": 28, "text": "excess (interval)"}], align="right"),
        texts(words, align="right", size=theme.SMALL_SIZE),
        stacked(grid(left, _TOP - 6, height), *arrows(values, left)),
        stacked(
            grid(right, _TOP - 6, height),
            lines(zero, colour=theme.INK, panel=right, thickness=1),
            *whiskers(spans, right, theme.SYNTHETIC),
        ),
        height=height,
        question=ANALYSES["control"].question,
        subtitle=f"Records that took no part in the synthesis ({found.control.n_records:,}) show what the file tells "
        f"of anybody. Where the {100 * found.confidence:g} % interval of the excess holds 0, nothing is shown to be "
        f"added.{file}",
        description=f"{_in_words(shown)}{file}",
    )


def control_table(_: Assessment, found: ControlBaseline) -> pd.DataFrame:
    """Give every excess, with the sizes of both files, and whether the figure shows it (``drawn``)."""
    drawn = {(one.target, one.synthesis) for one in found.largest()}
    table = found.table
    places = zip(table["target"], table["synthesis"], table["measure"], strict=True)
    return table.assign(drawn=[measure == "DiSCO" and (target, n) in drawn for target, n, measure in places])


def _ticks(low: float, high: float) -> tuple[float, ...]:
    """Mark a scale around 0, and on both sides where there is anything."""
    up = steps_to(max(high, 1.0), 3 if low < 0 else 4)
    step = up[1]
    below = [-step * n for n in range(1, 1 + int(-min(low, 0.0) // step) + (min(low, 0.0) % step > 0))]
    return (*reversed(below), *up)


def _tip(records: str, value: float, n: int) -> dict[str, str]:
    return {"measure": f"DiSCO, {records}", "value": percent(value), "count": f"of {n:,} records"}


def _interval(one: Excess) -> str:
    if one.low is None or one.high is None:
        return f"{points(one.excess)} (no interval)"
    return f"{points(one.excess)} ({points(one.low)} to {points(one.high)})"


def _in_words(shown: list[Excess]) -> str:
    told = [
        f"{clean(one.target)} {percent(one.original)} against {percent(one.control)} of the control, an excess of "
        f"{_interval(one)} percentage points"
        for one in shown[:3]
    ]
    more = f"; and {counted(len(shown) - 3, 'more target')}" if len(shown) > 3 else ""
    return f"DiSCO of {listed(told)}{more}."


CHART = of_analysis("control", control, lambda _, found: bool(found.largest()), control_table)
