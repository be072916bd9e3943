"""The figure of target levels: whose records are given away, and whose would be by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import of_file
from discoreport.assessment.formatting import number, percent, percentage
from discoreport.assessment.results import LevelRisk
from discoreport.assessment.worst_file import levels_of_worst, worst_first
from discoreport.charts.chart import Chart
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.headed_bars import headed_bars
from discoreport.charts.drawing.marks import Drawn, figure
from discoreport.charts.drawing.target_rows import named, of_worst
from discoreport.charts.drawing.text import clean, counted, level, listed

LEVELS = "Of which target levels are records given away?"
_TARGETS, _MOST = 6, 5
"""How many targets are drawn, and levels of each: those with most records given away beyond chance."""


def levels(assessment: Assessment) -> Drawn:
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
    heads = named(assessment, [target for target, _ in found])
    parts, height = headed_bars(
        [
            (head, [(_name(assessment, one), _value(assessment, one)) for one in of_target])
            for head, (_, of_target) in zip(heads, found, strict=True)
        ],
        row_height=17,
        room=120,
        title="% of the original records with the level",
        counted="records",
        colour=theme.INK,
    )
    worst = of_worst(assessment)
    return figure(
        *parts,
        height=height,
        question=LEVELS,
        subtitle="A bar is the share of a level's original records that the synthetic file gives away, the line across "
        f"it what chance would give. At most {_TARGETS} targets and {_MOST} levels of each are shown, those furthest "
        "beyond chance." + worst,
        description=f"{_in_words(assessment, found)}{worst}",
    )


def _drawn(assessment: Assessment, target: str) -> tuple[LevelRisk, ...]:
    """Choose the levels of a target that are drawn, in their order: sensitive ones, and the furthest beyond chance."""
    found, sensitive = levels_of_worst(assessment, target), assessment.sensitive.get(target, ())

    def beyond(one: LevelRisk) -> tuple[bool, float]:
        return not one.n_others and one.level in sensitive, one.disclosed - one.by_chance

    most = sorted(found, key=beyond, reverse=True)[:_MOST]
    return tuple(one for one in found if one in most)


def _name(assessment: Assessment, one: LevelRisk) -> str:
    return counted(one.n_others, "other level") if one.n_others else level(assessment.labelled(one.target, one.level))


def _value(assessment: Assessment, one: LevelRisk) -> dict[str, Any]:
    share = 100 * one.disclosed / one.original
    counts = f"{number(one.disclosed)} of {number(one.original)}"
    file = of_file(assessment, one.synthesis)
    tip = {"name": clean(one.target), "measure": "DiSCO", "value": percent(share), "count": counts, **file}
    across = 100 * one.by_chance / one.original
    return {"x": share, "text": percentage(share), "across": across, "counts": counts, **tip}


def _in_words(assessment: Assessment, found: Sequence[tuple[str, Sequence[LevelRisk]]]) -> str:
    """Tell of the first targets the level that is furthest beyond chance."""
    told = []
    for target, of_target in found[:3]:
        one = max(of_target, key=lambda one: one.disclosed - one.by_chance)
        counts = f"{number(one.disclosed)} of {number(one.original)}, by chance {number(round(one.by_chance))}"
        told.append(f"{_name(assessment, one)} of {clean(target)} ({counts})")
    return f"Furthest beyond chance: {listed(told)}."


CHART = Chart(
    "levels",
    LEVELS,
    levels,
    lambda one: bool(one.outcome.levels),
    "The assessment has no targets, or was saved before their levels were counted.",
    lambda one: one.levels,
)
