"""Where things stand in a figure: rows with names of any length, and panels with a scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from discoreport.charts.drawing import theme
from discoreport.charts.drawing.text import width_of, wrapped

if TYPE_CHECKING:
    import altair as alt

LINE = 14
WIDEST_NAME = 190
_GAP = 12


@dataclass(frozen=True)
class Label:
    """Lines of one text that belong to a row."""

    lines: tuple[str, ...]
    middle: float

    def values(self, x: float) -> list[dict[str, Any]]:
        """Give each line with its place, centred on the row."""
        first = self.middle - (len(self.lines) - 1) * LINE / 2
        return [{"x": x, "y": first + n * LINE, "text": line} for n, line in enumerate(self.lines)]


@dataclass(frozen=True)
class Rows:
    """Rows of a figure, from top to bottom.

    Parameters
    ----------
    names, notes
        Label of each row, and the text at its right; empty where there are none.
    middles
        Vertical middle of each row in pixels.
    left
        Pixels from the left edge that the names take, with the gap after them.
    height
        Pixels from the top edge to the end of the last row.
    """

    names: tuple[Label, ...]
    notes: tuple[Label, ...]
    middles: tuple[float, ...]
    left: float
    height: float


def rows(
    names: Sequence[str],
    *,
    top: float = 0,
    row_height: float | None = None,
    widest: float = WIDEST_NAME,
    notes: Sequence[str] = (),
    note_width: float = 0,
) -> Rows:
    """Place rows under one another, each as high as its name and note need.

    Parameters
    ----------
    names
        Clean names.
    top
        Pixels left free for heads.
    row_height
        Least height; by default it goes down where there are many rows.
    widest
        Most pixels for a line of a name.
    notes, note_width
        A text for each row, and the room for it.
    """
    least = row_height or (24 if len(names) <= 30 else 18)
    blocks = [wrapped(name, widest) for name in names]
    beside = [wrapped(note, note_width, theme.SMALL_SIZE) if note else [] for note in notes]
    labels, remarks, middles = [], [], []
    y = top
    for n, lines in enumerate(blocks):
        more = beside[n] if beside else []
        most = max(len(lines), len(more))
        height = max(least, most * LINE + (least - LINE if most > 1 else 0) / 2 + 4)
        middles.append(y + height / 2)
        labels.append(Label(tuple(lines), middles[-1]))
        remarks.append(Label(tuple(more), middles[-1]))
        y += height
    taken = max((width_of(line) for lines in blocks for line in lines), default=0)
    left = math.ceil(min(taken, widest)) + _GAP
    return Rows(tuple(labels), tuple(remarks) if notes else (), tuple(middles), left, y)


@dataclass(frozen=True)
class Panel:
    """A horizontal scale between two places of the figure.

    Parameters
    ----------
    left, right
        Its ends in pixels.
    domain
        What the ends stand for.
    title
        Title of the axis.
    ticks
        Values to mark; empty for no axis.
    logarithmic
        Whether the scale is.
    """

    left: float
    right: float
    domain: tuple[float, float] = (0, 100)
    title: str = ""
    ticks: Sequence[float] = field(default=(0, 20, 40, 60, 80, 100))
    logarithmic: bool = False

    def x(self) -> alt.X:
        """Encode the field ``x`` on this scale."""
        import altair as alt

        scale = {
            "type": "log" if self.logarithmic else "linear",
            "domain": list(self.domain),
            "range": [round(self.left), round(self.right)],
            "nice": False,
            **({} if self.logarithmic else {"zero": False}),
        }
        axis = {"values": list(self.ticks), "title": self.title or None, "format": ",d", "grid": False}
        return alt.X("x:Q", scale=scale, axis={**axis, "orient": "bottom"} if self.ticks else None)


def domain_for(values: Iterable[float | None]) -> tuple[float, float]:
    """Give 0 to 100, or further in tens where a percentage of something else goes beyond."""
    most = max((value for value in values if value is not None), default=0)
    return (0, 100 if most <= 100 else -(-most // 10) * 10)


def ticks_for(domain: tuple[float, float]) -> tuple[float, ...]:
    """Mark five steps between 0 and the end."""
    return tuple(domain[1] * step / 5 for step in range(6))
