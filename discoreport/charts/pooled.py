"""The figure of several files in one hand: the worst of them, any, and their records added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.pooled.results import Pooled, PooledFigure, UniqueInFiles
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import percent, percentage
from discoreport.charts.chart import of_analysis
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.bar_columns import bar_column
from discoreport.charts.drawing.layout import Panel, rows
from discoreport.charts.drawing.marks import Drawn, Layer, figure, lines, names_of, sign, small, stacked, symbols, texts
from discoreport.charts.drawing.target_rows import named
from discoreport.charts.drawing.text import clean, counted, listed

_SIGNS = {
    "worst": ("the worst file alone", "circle", theme.MID_GREY),
    "together": ("all records added up", "diamond", theme.ORIGINAL),
    "any": ("any of the files", "triangle-right", theme.SYNTHETIC),
}
"""By what is drawn its words, its sign and its colour, as they stand at the head."""
_REPEATED = "Key combinations unique in the files: unique in the original?"
_TOP, _COLUMN, _HEAD = 46, 66, 44
"""Pixels for the explanation of the signs, for a column of numbers, and for the head of the second part."""


def pooled(assessment: Assessment, found: Pooled) -> Drawn:
    """Draw repU, and DiSCO of each target, by the worst file, by any and together; and what repetition tells.

    Parameters
    ----------
    assessment, found
        What targets are called in words, and what to draw.

    Returns
    -------
    altair.LayerChart
        The keys first, then the targets, most by any file on top; below, for each number of files, the share of the
        key combinations unique in so many that are unique in the original.
    """
    shown = found.main
    targets = named(assessment, [one.target for one in shown])
    placed = rows(list(map(_name, shown, targets)), top=_TOP)
    second = placed.height + _HEAD
    several = [one for one in found.repeated if one.percent is not None]
    below = rows(
        [f"unique in {one.files} of {counted(found.n_files, 'file')}" for one in several], top=second, row_height=28
    )
    height = below.height
    left = max(placed.left, below.left)
    numbers = [theme.WIDTH - _COLUMN * n for n in (2, 1, 0)]
    panel = Panel(left, numbers[0] - _COLUMN, ticks=())
    m = len(found.synthetic)
    worst = f"the worst of {m} assessed files" if m > 1 else "the assessed file"
    return figure(
        names_of(replace(placed, height=height)),
        names_of(below),
        *_head(numbers),
        *_numbers(shown, placed.middles, numbers),
        stacked(*_marks(shown, placed.middles, panel)),
        texts([{"x": 0, "y": placed.height + 26, "text": _REPEATED}], strong=True),
        stacked(*bar_column(_bars(several, below.middles), Panel(left, theme.WIDTH, ticks=()), theme.ORIGINAL)),
        height=height,
        question=ANALYSES["pooled"].question,
        subtitle=f"{theme.PERCENT_TITLE}, from 0 to 100 %: records that {worst} gives away, "
        f"that at least one of all {found.n_files} files does, and that their records added up do.",
        description=f"{_in_words(shown)} {_repeated(several, found.n_files)}",
    )


def _name(one: PooledFigure, target: str) -> str:
    return "repU of the keys" if one.measure == "repU" else f"DiSCO of {target}"


def _marks(shown: Sequence[PooledFigure], middles: Sequence[float], panel: Panel) -> list[Layer]:
    low, high = panel.domain
    tracks = [{"x": low, "x2": high, "y": y} for y in middles]
    spans = []
    for one, y in zip(shown, middles, strict=True):
        ends = [value for value in (one.worst, one.any, one.together) if value is not None]
        spans.append({"x": min(ends), "x2": max(ends), "y": y})
    signs = []
    for what, (words, shape, colour) in _SIGNS.items():
        values: list[dict[str, Any]] = [
            {
                "x": value,
                "y": y,
                "name": "the keys" if one.measure == "repU" else clean(one.target),
                "measure": f"{one.measure}, {words}",
            }
            | {"value": percent(value)}
            for one, y in zip(shown, middles, strict=True)
            if (value := getattr(one, what)) is not None
        ]
        signs.append(symbols(values, shape=shape, colour=colour, panel=panel, hollow=what == "worst"))
    return [
        lines(tracks, colour=theme.FAINT, panel=panel, thickness=5),
        lines(spans, colour=theme.LIGHT_GREY, panel=panel, thickness=2),
        *signs,
    ]


def _head(numbers: Sequence[float]) -> list[Layer]:
    """Explain the signs, and head the columns of numbers."""
    drawn_signs, x = [], 5.0
    for words, shape, colour in _SIGNS.values():
        hollow = shape == "circle"
        drawn_signs += sign(x, words, shape=shape, colour=colour, hollow=hollow, colour_of_words=theme.GREY)
        x += 165
    heads = [
        {"x": place, "y": 30, "text": word}
        for place, word in zip(numbers, ("worst file", "together", "any"), strict=True)
    ]
    return [*drawn_signs, small(heads, align="right")]


def _numbers(shown: Sequence[PooledFigure], middles: Sequence[float], numbers: Sequence[float]) -> list[Layer]:
    drawn = []
    for what, place in zip(_SIGNS, numbers, strict=True):
        shares = [getattr(one, what) for one in shown]
        column = [{"x": place, "y": y, "text": percentage(share)} for share, y in zip(shares, middles, strict=True)]
        any_file = what == "any"
        colour = theme.SYNTHETIC if any_file else theme.INK
        drawn.append(texts(column, align="right", colour=colour, strong=any_file))
    return drawn


def _bars(several: Sequence[UniqueInFiles], middles: Sequence[float]) -> list[dict[str, Any]]:
    return [
        {
            "x": one.percent,
            "y": y,
            "text": f"{percent(one.percent)} ({one.unique_in_original:,} of {one.combinations:,})",
            "measure": f"unique in {counted(one.files, 'file')}, and in the original",
            "value": percent(one.percent),
        }
        for one, y in zip(several, middles, strict=True)
    ]


def _in_words(shown: Sequence[PooledFigure]) -> str:
    told = [
        f"{_name(one, clean(one.target))} {percent(one.worst)} by the worst file, {percent(one.any)} by any, "
        f"{percent(one.together)} together"
        for one in shown[:4]
    ]
    more = f"; and {counted(len(shown) - 4, 'more target')}" if len(shown) > 4 else ""
    return f"{listed(told)}{more}."


def _repeated(several: Sequence[UniqueInFiles], n_files: int) -> str:
    told = [f"{percent(one.percent)} of those unique in {one.files}" for one in several]
    return f"Of {counted(n_files, 'file')}, unique in the original, too, are {listed(told)}." if told else ""


def pooled_table(_: Assessment, found: Pooled) -> pd.DataFrame:
    """Give every measure by the worst file, by any, by all and together; below, how often repeated keys are real."""
    percentages = pd.Series([one.percent for one in found.repeated], dtype="float64")
    repeated = found.unique_in_files.assign(measure="unique_in_files", percent=percentages)
    return pd.concat([found.table, repeated], ignore_index=True).astype(dict.fromkeys(repeated.columns[:3], "Int64"))


CHART = of_analysis("pooled", pooled, lambda _, found: found.n_files > 1, pooled_table)
