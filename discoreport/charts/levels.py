"""The figure of target levels: whose records are given away, and whose would be by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import number, percent, percentage
from discoreport.assessment.results import LevelRisk
from discoreport.assessment.worst_file import levels_of_worst, worst_first
from discoreport.charts.chart import Chart
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import Panel, rows
from discoreport.charts.drawing.marks import bars, figure, grid, lines, stacked, texts
from discoreport.charts.drawing.target_rows import of_file, of_worst
from discoreport.charts.drawing.text import clean, counted, level, listed

if TYPE_CHECKING:
    import altair as alt

LEVELS = "Of which target levels are records given away?"
_TARGETS, _MOST = 6, 5
"""How many targets are drawn, and levels of each: those with most records given away beyond chance."""
_TOP, _ROW, _INDENT, _RECORDS, _NUMBER = 30, 17, 10, 120, 40


def has_levels(assessment: Assessment) -> bool:
    """Tell whether target levels were counted."""
    return bool(assessment.outcome.levels)


def levels(assessment: Assessment) -> alt.LayerChart:
    """Draw for each target the share of each level's original records that is given away.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        A bar a level, with a mark at what chance would give; targets with most beyond chance on top, of several files
        the one that is worst for the target.
    """
    found = [(target, _drawn(assessment, target)) for target in worst_first(assessment)[:_TARGETS]]
    names, shown = [], []
    for target, of_target in found:
        names += [clean(target), *map(_name, of_target)]
        shown += [None, *of_target]
    placed = rows(names, top=_TOP, row_height=_ROW)
    height = placed.height
    heads = [line for label, one in zip(placed.names, shown, strict=True) if not one for line in label.values(0)]
    below = [line for label, one in zip(placed.names, shown, strict=True) if one for line in label.values(_INDENT)]
    panel = Panel(
        placed.left,
        theme.WIDTH - _RECORDS - _NUMBER,
        title="% of the original records with the level",
        ticks=(0, 50, 100),
    )
    values = [_value(assessment, one, y) for one, y in zip(shown, placed.middles, strict=True) if one]
    by_chance = [{"x": one["chance"], "y": one["y"] - 7, "y2": one["y"] + 7} for one in values]
    counts = [{"x": theme.WIDTH, "y": one["y"], "text": one["counts"]} for one in values]
    worst = of_worst(assessment)
    return figure(
        texts(heads, height, strong=True),
        texts(below, height),
        texts([{"x": theme.WIDTH, "y": 10, "text": "records"}], height, align="right", size=theme.SMALL_SIZE),
        stacked(
            grid(panel, _TOP - 8, height),
            *bars(values, height, panel, theme.SYNTHETIC, thickness=8),
            lines(by_chance, height, colour=theme.INK, panel=panel, thickness=1.5),
        ),
        texts(counts, height, align="right", size=theme.SMALL_SIZE, colour=theme.GREY),
        height=height,
        title=LEVELS,
        subtitle="A bar is the share of a level's original records that the synthetic file gives away, the line across "
        f"it what chance would give. At most {_TARGETS} targets and {_MOST} levels of each are shown, those furthest "
        "beyond chance." + worst,
        description=f"{LEVELS} {_in_words(found)}{worst}",
    )


def _drawn(assessment: Assessment, target: str) -> tuple[LevelRisk, ...]:
    """Choose the levels of a target that are drawn, in their order: sensitive ones, and the furthest beyond chance."""
    found, sensitive = levels_of_worst(assessment, target), assessment.sensitive.get(target, ())

    def beyond(one: LevelRisk) -> tuple[bool, float]:
        return not one.n_others and one.level in sensitive, one.disclosed - one.by_chance

    most = sorted(found, key=beyond, reverse=True)[:_MOST]
    return tuple(one for one in found if one in most)


def _name(one: LevelRisk) -> str:
    return counted(one.n_others, "other level") if one.n_others else level(one.level)


def _value(assessment: Assessment, one: LevelRisk, y: float) -> dict[str, Any]:
    share = 100 * one.disclosed / one.original
    counts = f"{number(one.disclosed)} of {number(one.original)}"
    file = of_file(assessment, one.synthesis)
    tip = {"name": clean(one.target), "measure": "DiSCO", "value": percent(share), "count": counts, **file}
    return {"x": share, "y": y, "text": percentage(share), "chance": 100 * one.by_chance / one.original} | {
        "counts": counts,
        **tip,
    }


def _in_words(found: Sequence[tuple[str, Sequence[LevelRisk]]]) -> str:
    """Tell of the first targets the level that is furthest beyond chance."""
    told = []
    for target, of_target in found[:3]:
        one = max(of_target, key=lambda one: one.disclosed - one.by_chance)
        counts = f"{number(one.disclosed)} of {number(one.original)}, by chance {number(round(one.by_chance))}"
        told.append(f"{_name(one)} of {clean(target)} ({counts})")
    return f"Furthest beyond chance: {listed(told)}."


def levels_table(assessment: Assessment) -> pd.DataFrame:
    """Give all levels of every file; see `Assessment.levels`."""
    return assessment.levels


CHART = Chart(
    "levels",
    LEVELS,
    levels,
    has_levels,
    "The assessment has no targets, or was saved before their levels were counted.",
    levels_table,
)
