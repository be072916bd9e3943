"""Arrows from one value to another, the mark of every before and after."""

from __future__ import annotations

from typing import Any

from discoreport.assessment.formatting import percentage
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import Panel
from discoreport.charts.drawing.marks import Layer, Values, lines, symbols, texts

NUMBER = 52
"""Pixels that a number outside an arrow may take, "100.0" among them."""
_SAME = 0.05
"""Less than this is no change at one decimal."""


def arrows(values: Values, panel: Panel, *, after: str = theme.SYNTHETIC) -> list[Layer]:
    """Draw an arrow from ``x`` to ``x2`` at ``y`` of each value, with the numbers outside its ends.

    Parameters
    ----------
    values
        With a ``name``, and under ``tip`` and ``tip2`` what tooltips tell of both ends; where an end is
        missing, both are written at the left instead.
    panel
        Where to draw.
    after
        Colour of heads; beginnings are grey.
    """
    whole = [value for value in values if value["x"] is not None and value["x2"] is not None]
    number_in_units = NUMBER / (panel.right - panel.left) * (panel.domain[1] - panel.domain[0])
    leads = [
        {"x": panel.domain[0], "x2": low, "y": value["y"]}
        for value in whole
        if (low := min(value["x"], value["x2"]) - number_in_units) > panel.domain[0]
    ]
    unknown = [
        {"x": panel.domain[0], "y": value["y"], "text": f"{percentage(value['x'])} → {percentage(value['x2'])}"}
        for value in values
        if value not in whole
    ]
    return [
        lines(leads, colour=theme.FAINT, panel=panel),
        lines(_ends(whole, "x", "x2"), colour=theme.MID_GREY, panel=panel, thickness=2.5),
        symbols(_ends(whole, "x"), shape="circle", colour=theme.GREY, panel=panel, hollow=True),
        *_heads([value for value in whole if value["x2"] - value["x"] >= _SAME], panel, 1, after),
        *_heads([value for value in whole if value["x2"] - value["x"] <= -_SAME], panel, -1, after),
        *_heads([value for value in whole if abs(value["x2"] - value["x"]) < _SAME], panel, 0, after),
        texts(unknown, panel=panel, colour=theme.GREY, dx=4),
    ]


def _heads(values: Values, panel: Panel, direction: int, after: str) -> list[Layer]:
    """Draw the heads of arrows that point one way, or none, and the numbers outside both ends."""
    shape, size = {1: ("triangle-right", 100), -1: ("triangle-left", 100), 0: ("circle", 25)}[direction]
    inside, outside, away = ("left", "right", -11) if direction < 0 else ("right", "left", 11)
    ends = _ends(values, "x2")
    return [
        symbols(ends, shape=shape, colour=after, panel=panel, size=size),
        texts(_ends(values, "x"), panel=panel, align=inside, colour=theme.GREY, dx=-away),
        texts(ends, panel=panel, align=outside, colour=after, strong=True, dx=away),
    ]


def _ends(values: Values, end: str, other: str = "") -> list[dict[str, Any]]:
    """Give one end of each arrow with its number and its tooltip; with the other end, both and none of these."""
    if other:
        return [{field: value[field] for field in (end, other, "y", "name")} for value in values]
    tip = end.replace("x", "tip")
    return [
        {"x": value[end], "y": value["y"], "name": value["name"], "text": percentage(value[end]), **value.get(tip, {})}
        for value in values
    ]
