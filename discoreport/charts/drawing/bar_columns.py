"""Columns of bars: the same few measures for each row, be it a target, a key, a group or a release."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from discoreport.assessment.analyses.measure_columns import Column
from discoreport.assessment.assessment import Assessment
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import LINE, Panel, Rows, rows
from discoreport.charts.drawing.marks import Drawn, Layer, Values, heads, lines, stacked, symbols, texts
from discoreport.charts.drawing.target_rows import named
from discoreport.charts.drawing.text import wrapped

GAP = 12
_BELOW = 8
"""Pixels between columns, and from the middle of a row to its bar."""


@dataclass(frozen=True)
class Grid:
    """Where columns stand.

    Parameters
    ----------
    assessment
        Says what targets are called in words.
    columns
        From left to right.
    names
        Of the rows.
    row_height, widest
        Pixels of a row, and of a line of a name.
    domain
        What the ends of a bar's track stand for.
    """

    assessment: Assessment
    columns: Sequence[Column]
    names: Sequence[str]
    row_height: float = 30
    widest: float = 150
    domain: tuple[float, float] = (0, 100)

    @cached_property
    def left(self) -> float:
        """Pixels that the names of the rows take."""
        return rows(self.names, row_height=self.row_height, widest=self.widest).left

    @cached_property
    def placed(self) -> Rows:
        """The rows, below the heads."""
        top = 14 + LINE * max(len(self._words(column)) for column in self.columns) + 6
        return rows(self.names, top=top, row_height=self.row_height, widest=self.widest)

    @property
    def pitch(self) -> float:
        """Pixels from one column to the next; a few don't spread over the whole width."""
        return min((theme.WIDTH - self.left + GAP) / len(self.columns), 180)

    @property
    def starts(self) -> list[float]:
        """The left edge of each column."""
        return [self.left + n * self.pitch for n in range(len(self.columns))]

    def draw(self, values: Callable[[Column], Values]) -> list[Layer | Drawn]:
        """Draw the bars of each column, below the measure and the target.

        Parameters
        ----------
        values
            Gives for a column its bars; see `bar_column`. Those that are not ``own`` are grey.
        """
        drawn: list[Layer | Drawn] = [*heads([(one.measure, self._words(one)) for one in self.columns], self.starts)]
        for start, one in zip(self.starts, self.columns, strict=True):
            panel = Panel(start, start + self.pitch - GAP, domain=self.domain, ticks=())
            found, marks = values(one), list[Layer]()
            for colour, own in ((theme.SYNTHETIC, True), (theme.MID_GREY, False)):
                bars = [value for value in found if value["own"] is own]
                marks += bar_column([{name: bar[name] for name in bar if name != "own"} for bar in bars], panel, colour)
            drawn.append(stacked(*marks))
        return drawn

    def _words(self, column: Column) -> list[str]:
        width = self.pitch - GAP / 2
        if column.target is None:
            return wrapped("replicated uniques", width, theme.SMALL_SIZE)
        return wrapped(f"of {named(self.assessment, [column.target])[0]}", width, theme.SMALL_SIZE)


def bar_column(values: Values, panel: Panel, colour: str) -> list[Layer]:
    """Draw a bar from 0 to ``x`` of each value on a track, under its ``text``; with ``mark``, a line at that value."""
    low, high = panel.domain
    zero = max(low, 0)
    known = [{**value, "y": value["y"] + _BELOW} for value in values if value["x"] is not None]
    tracks = [{"x": low, "x2": high, "y": value["y"] + _BELOW} for value in values]
    drawn = [{**value, "x": zero, "x2": min(value["x"], high)} for value in known]
    beyond = [{**value, "x": high} for value in known if value["x"] > high]
    marked: list[dict[str, Any]] = [
        {"x": value["mark"], "y": value["y"] - 5, "y2": value["y"] + 5} for value in known if "mark" in value
    ]
    return [
        lines(tracks, colour=theme.FAINT, panel=panel, thickness=5),
        lines(drawn, colour=colour, panel=panel, thickness=5),
        lines(marked, colour=theme.INK, panel=panel, thickness=1.5),
        symbols(beyond, shape="triangle-right", colour=colour, panel=panel, size=50),
        texts([{**value, "x": low} for value in values], panel=panel, size=theme.SMALL_SIZE, dy=-3),
    ]
