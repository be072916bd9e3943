"""Rows of bars below heads, each with a line across it and its counts at the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import Panel, rows
from discoreport.charts.drawing.marks import bars, grid, lines, names_below_heads, small, stacked, texts

_TOP, _INDENT, _NUMBER, _ACROSS = 30, 10, 40, 7

Bar = tuple[str, dict[str, Any]]
"""A name, and what its bar shows.

``x`` and ``text``, ``across`` where the line crosses it, and ``counts``; the rest is for the tooltip.
"""


def headed_bars(
    groups: Iterable[tuple[str, Sequence[Bar]]], *, row_height: int, room: int, title: str, counted: str, colour: str
) -> tuple[list[Any], float]:
    """Draw them.

    Parameters
    ----------
    groups
        From top to bottom, each a head and the bars below it.
    row_height, room
        In pixels: of a row, and what the counts have at the right.
    title, counted
        Of the axis, and above the counts.
    colour
        Of the line.

    Returns
    -------
    list of parts of a figure, and its height in pixels
    """
    shown = [row for head, below in groups for row in ((head, None), *below)]
    placed = rows([name for name, _ in shown], top=_TOP, row_height=row_height)
    height = placed.height
    panel = Panel(placed.left, theme.WIDTH - room - _NUMBER, title=title, ticks=(0, 50, 100))
    values = [bar | {"y": y} for (_, bar), y in zip(shown, placed.middles, strict=True) if bar is not None]
    across = [{"x": one["across"], "y": one["y"] - _ACROSS, "y2": one["y"] + _ACROSS} for one in values]
    counts = [{"x": theme.WIDTH, "y": one["y"], "text": one["counts"]} for one in values]
    return [
        *names_below_heads(placed, [bar is None for _, bar in shown], _INDENT),
        texts([{"x": theme.WIDTH, "y": 10, "text": counted}], align="right", size=theme.SMALL_SIZE),
        stacked(
            grid(panel, _TOP - 8, height),
            *bars(values, panel, theme.SYNTHETIC, thickness=8),
            lines(across, colour=colour, panel=panel, thickness=1.5),
        ),
        small(counts, align="right"),
    ], height
