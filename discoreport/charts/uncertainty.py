"""Confidence intervals, and the figure of how far the measures could be off by chance."""

from __future__ import annotations

import pandas as pd

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.uncertainty.results import MeasureInterval, Uncertainty
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import percentage, points
from discoreport.assessment.worst_file import most_exposed_first
from discoreport.charts.chart import of_analysis
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
    small,
    stacked,
    symbols,
    texts,
)
from discoreport.charts.drawing.target_rows import named
from discoreport.charts.drawing.text import clean, counted, listed
from discoreport.charts.drawing.xy_plane import percent_ticks, shortened

_TOP, _WRITTEN, _APART = 30, 130, 5
"""Pixels for the explanation of the signs, for an interval in figures, and from a row's middle to each of two lines."""


def whiskers(values: Values, panel: Panel | None, colour: str, *, hollow: bool = False) -> list[Layer]:
    """Draw a dot at ``x`` of each value, and a line with upright ends from ``low`` to ``high`` where there is one.

    Without a panel, they are in pixels.
    """
    known = [value for value in values if value["low"] is not None]
    spans = [{"x": value["low"], "x2": value["high"], "y": value["y"]} for value in known]
    ends = [{"x": value[end], "y": value["y"] - 4, "y2": value["y"] + 4} for value in known for end in ("low", "high")]
    dots = [{name: value[name] for name in value if name not in {"low", "high"}} for value in values]
    return [
        lines(spans, colour=colour, panel=panel, thickness=2),
        lines(ends, colour=colour, panel=panel, thickness=1.5),
        symbols(dots, shape="circle", colour=colour, panel=panel, size=45, hollow=hollow),
    ]


def _kinds(assessment: Assessment, found: Uncertainty) -> dict[str, dict[str, MeasureInterval]]:
    """Give the intervals that are drawn: over records, unless the original is a census, and over syntheses."""
    of_records = found.of_targets("records", census=assessment.is_census)
    kinds = {"records": of_records, "syntheses": found.of_targets("syntheses")}
    return {over: intervals for over, intervals in kinds.items() if intervals}


def uncertainty(assessment: Assessment, found: Uncertainty) -> Drawn:
    """Draw DiSCO with its confidence intervals, over records and over syntheses.

    Parameters
    ----------
    assessment, found
        What to draw.

    Returns
    -------
    altair.LayerChart
        A row a target, the most exposed on top.
    """
    kinds = _kinds(assessment, found)
    targets = [
        name for name in most_exposed_first(assessment) if any(name in intervals for intervals in kinds.values())
    ]
    placed = rows(named(assessment, targets), top=_TOP, row_height=26)
    height = placed.height
    ticks = percent_ticks([one.high or 0 for of_kind in kinds.values() for one in of_kind.values()])
    right = theme.WIDTH - _WRITTEN * len(kinds)
    panel = Panel(placed.left, right, domain=(ticks[0], ticks[-1]), ticks=ticks, title=f"DiSCO, {theme.PERCENT_TITLE}")
    marks, words, heads = [], [], []
    for place, (over, intervals) in enumerate(kinds.items()):
        away = 0 if len(kinds) == 1 else _APART * (2 * place - 1)
        column = theme.WIDTH - _WRITTEN * (len(kinds) - 1 - place)
        heads.append({"x": column, "y": 8, "text": _HEADS[over]})
        known = [(name, y) for name, y in zip(targets, placed.middles, strict=True) if name in intervals]
        values = [
            {
                "name": clean(name),
                "y": y + away,
                "x": intervals[name].value,
                "low": intervals[name].low,
                "high": intervals[name].high,
                "measure": f"DiSCO, {_HEADS[over]}",
                "value": written(intervals[name]),
            }
            for name, y in known
        ]
        marks += whiskers(values, panel, _HUES[over], hollow=over == "syntheses")
        words += [{"x": column, "y": y, "text": written(intervals[name])} for name, y in known]
    m = len(found.synthetic)
    highest = ", that with the highest DiSCO" if m > 1 else ""
    over_records = f" Filled dots: of other key combinations (one file{highest})." if "records" in kinds else ""
    over_syntheses = f" Rings: of further syntheses (the mean over {m} files)." if "syntheses" in kinds else ""
    return figure(
        names_of(placed),
        small(heads, align="right"),
        texts(words, align="right", size=theme.SMALL_SIZE),
        stacked(grid(panel, _TOP - 6, height), *marks),
        height=height,
        question=ANALYSES["uncertainty"].question,
        subtitle=f"What to expect, with {100 * found.confidence:g} % intervals."
        f"{over_records}{over_syntheses}{shortened(ticks)}",
        description=_in_words(kinds, targets),
    )


_HEADS = {"records": "over records", "syntheses": "over syntheses"}
_HUES = {"records": theme.SYNTHETIC, "syntheses": theme.GREY}


def uncertainty_table(assessment: Assessment, found: Uncertainty) -> pd.DataFrame:
    """Give every measure with its interval, or why it has none, and whether the figure shows it (``drawn``)."""
    drawn = [one for intervals in _kinds(assessment, found).values() for one in intervals.values()]
    return found.table.assign(drawn=[one in drawn for one in found.intervals])


def written(one: MeasureInterval) -> str:
    """Write a percentage with its interval."""
    return f"{percentage(one.value)} ({points(one.low)} to {points(one.high)})"


def _in_words(kinds: dict[str, dict[str, MeasureInterval]], targets: list[str]) -> str:
    told = [
        f"{clean(name)} {written(one)} % {_HEADS[over]}"
        for name in targets[:3]
        for over, intervals in kinds.items()
        if (one := intervals.get(name))
    ]
    more = f"; and {counted(len(targets) - 3, 'more target')}" if len(targets) > 3 else ""
    return f"DiSCO of {listed(told)}{more}."


CHART = of_analysis("uncertainty", uncertainty, lambda one, found: bool(_kinds(one, found)), uncertainty_table)
