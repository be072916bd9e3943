"""The figure of the trade between risk and loss: which of some steps to take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.trade_off import Choice, Option, Trade
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import percent, percentage
from discoreport.charts.chart import of_analysis
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import LINE, rows
from discoreport.charts.drawing.marks import Drawn, Layer, figure, lines, small, symbols, texts
from discoreport.charts.drawing.text import clean, counted
from discoreport.charts.drawing.xy_plane import Plane, axes, percent_ticks, steps_to

_PLANE, _LEFT, _COLUMN, _INDENT = 170, 34, 72, 18
"""Pixels of a plane's height, of its scale, of a column of figures, and of a letter."""


def trade_off(_: Assessment, found: Trade) -> Drawn:
    """Draw the risk that is left against the loss, for each choice of steps, and list those that no other one beats.

    Parameters
    ----------
    found
        What to draw.

    Returns
    -------
    altair.LayerChart
        A plane for DiSCO of the most exposed target and one for repU; filled dots with a letter are in the list.
    """
    options = found.options
    measures = [name for name in ("DiSCO", "repU") if all(getattr(one, name) is not None for one in found.choices)]
    width = (theme.WIDTH - 30) / 2
    across = steps_to(max(1.0, *(one.loss for one in found.choices)), 4)
    top = 34.0
    planes = {
        name: Plane(
            place * (width + 30) + _LEFT,
            place * (width + 30) + width - 18,
            top,
            top + _PLANE,
            (0, across[-1]),
            (0, (up := percent_ticks([getattr(one, name) for one in found.choices]))[-1]),
        )
        for place, name in enumerate(measures)
    }
    begin = top + _PLANE + 74
    words = [_steps(found, option) for option in options]
    placed = rows(words, top=begin, row_height=20, widest=theme.WIDTH - 4 * _COLUMN - _INDENT - 12)
    height = placed.height
    marks: list[Layer] = []
    for name, plane in planes.items():
        up = percent_ticks([plane.up[1]])
        marks += axes(plane, across=across, up=up, written="{:,.4g}".format, title=_ACROSS)
        marks += _points(found, options, name, plane)
        marks.append(texts([{"x": plane.left - _LEFT, "y": 8, "text": _HEADS[name]}], strong=True))
    return figure(
        *marks,
        texts([value for label in placed.names for value in label.values(_INDENT)]),
        *_list(found, options, placed.middles, begin),
        height=height,
        question=ANALYSES["trade_off"].question,
        subtitle=f"Each dot is one of {counted(len(found.choices), 'combination')} of "
        f"{counted(len(found.steps), 'step')}; further down and to the left is better. Filled dots: no other "
        "combination is as good in all figures and better in one.",
        description=_trade_in_words(found, options),
    )


def trade_off_table(_: Assessment, found: Trade) -> pd.DataFrame:
    """Give every combination of steps, what it brings and costs, and the letter that stands for it in the figure."""
    letters = {option.choice.steps: option.letter for option in found.options}
    return found.table.assign(letter=[letters.get(one.steps, "") for one in found.choices])


_HEADS = {"DiSCO": "DiSCO of the most exposed target, %", "repU": "repU, %"}
_ACROSS = "loss: how far distributions of pairs moved, %"


def _steps(found: Trade, option: Option) -> str:
    what = "; ".join(clean(found.steps[number - 1].words()) for number in option.choice.steps) or "the file as it is"
    return what + (f" (and {counted(option.n_others, 'other')} alike)" if option.n_others else "")


def _points(found: Trade, options: Sequence[Option], name: str, plane: Plane) -> list[Layer]:
    def value(one: Choice) -> dict[str, Any]:
        risk = getattr(one, name)
        steps = ", ".join(map(str, one.steps)) or "none"
        told = {"steps": steps, "measure": name, "value": percent(risk), "loss": percent(one.loss)}
        return {"x": plane.x(one.loss), "y": plane.y(risk), **told}

    chosen = [(option.letter, value(option.choice)) for option in options]
    others = [value(one) for one in found.choices if not one.efficient]
    return [
        symbols(others, shape="circle", colour=theme.MID_GREY, size=28, hollow=True),
        symbols([one for _, one in chosen], shape="circle", colour=theme.SYNTHETIC, size=45),
        texts(_letters(chosen), strong=True, size=theme.SMALL_SIZE),
    ]


def _letters(chosen: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Put the letters of dots that lie on one another side by side."""
    places: list[tuple[float, float, list[str]]] = []
    for letter, one in chosen:
        near = next((place for place in places if math.hypot(one["x"] - place[0], one["y"] - place[1]) < LINE), None)
        if near:
            near[2].append(letter)
        else:
            places.append((one["x"], one["y"], [letter]))
    return [{"x": x + 7, "y": y - 8, "text": ", ".join(letters)} for x, y, letters in places]


def _list(found: Trade, options: Sequence[Option], middles: Sequence[float], begin: float) -> list[Layer]:
    """Write the figures of each choice beside its steps."""
    columns = {"DiSCO": "DiSCO", "repU": "repU", "loss": "loss", "detail lost": "detail_lost"}
    starts = {name: theme.WIDTH - _COLUMN * (len(columns) - 1 - n) for n, name in enumerate(columns)}
    heads = [{"x": x, "y": begin - 12, "text": f"{name}, %"} for name, x in starts.items()]
    letters = [{"x": 0, "y": y, "text": option.letter} for option, y in zip(options, middles, strict=True)]
    cells = [
        {"x": starts[name], "y": y, "text": percentage(getattr(option.choice, field))}
        for option, y in zip(options, middles, strict=True)
        for name, field in columns.items()
    ]
    rest = len({tuple(round(v, 9) for v in one.figures) for one in found.choices if one.efficient}) - len(options)
    more = f" ({counted(rest, 'more')} in the table)" if rest else ""
    corner = [{"x": 0, "y": begin - 12, "text": f"combinations that no other one beats{more}"}]
    rule = [{"x": 0, "x2": theme.WIDTH, "y": begin - 2}]
    return [
        small(corner),
        small(heads, align="right"),
        lines(rule, colour=theme.LIGHT_GREY),
        texts(letters, strong=True),
        texts(cells, align="right", size=theme.SMALL_SIZE),
    ]


def _trade_in_words(found: Trade, options: Sequence[Option]) -> str:
    told = [
        f"{option.letter} ({_steps(found, option)}): "
        + "".join([f"DiSCO {percent(option.choice.DiSCO)}, " if option.choice.DiSCO is not None else ""])
        + f"repU {percent(option.choice.repU)}, loss {percent(option.choice.loss)}"
        for option in options[:4]
    ]
    return f"No other combination beats {'; '.join(told)}."


CHART = of_analysis("trade_off", trade_off, lambda _, found: len(found.choices) > 1, trade_off_table, whole=True)
