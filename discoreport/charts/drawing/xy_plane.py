"""A plane with two scales: where curves run, and where the labels at their ends stand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import LINE
from discoreport.charts.drawing.marks import Layer, lines, small, texts
from discoreport.charts.drawing.text import width_of

LEADER = 16
"""Pixels between the end of a curve and its label."""


@dataclass(frozen=True)
class Plane:
    """A rectangle of the figure, and what its sides stand for.

    Parameters
    ----------
    left, right, top, bottom
        Its sides in pixels.
    across, up
        The values at the left and right, and at the bottom and top.
    """

    left: float
    right: float
    top: float
    bottom: float
    across: tuple[float, float]
    up: tuple[float, float]

    def x(self, value: float) -> float:
        """Give the pixel of a value across; the middle where the scale has no length."""
        low, high = self.across
        part = (value - low) / (high - low) if high > low else 0.5
        return self.left + part * (self.right - self.left)

    def y(self, value: float) -> float:
        """Give the pixel of a value upwards."""
        low, high = self.up
        return self.bottom - (value - low) / (high - low) * (self.bottom - self.top)


@dataclass(frozen=True)
class EndLabel:
    """What is written at the end of a curve, where it has the value `end`: a number, and lines of text after it.

    Without a number it belongs to several curves, and no hairline leads to it.
    """

    end: float
    number: str
    lines: tuple[str, ...]
    colour: str

    @property
    def height(self) -> float:
        """Pixels that it takes, with some air."""
        return len(self.lines) * LINE + 3


def steps_to(most: float, n: int) -> tuple[float, ...]:
    """Mark 0 and even steps up to the first that is not exceeded.

    Parameters
    ----------
    most
        The largest value.
    n
        How many steps there may be.

    Examples
    --------
    >>> steps_to(53.8, 5), steps_to(9, 2)
    ((0, 20, 40, 60), (0, 5, 10))
    """
    if most <= 0:
        return (0, 1)
    power = math.floor(math.log10(most / n))
    step = next(size for size in (1, 2, 5, 10) if size * 10.0**power * n >= most * (1 - 1e-9)) * 10.0**power
    step = int(step) if step == int(step) else step
    return tuple(place * step for place in range(math.ceil(most / step - 1e-9) + 1))


def percent_ticks(values: Iterable[float]) -> tuple[float, ...]:
    """Mark a scale for percentages, which ends at 10 at the earliest and at 100 where that is enough."""
    return steps_to(max([10.0, *values]), 5)


def shortened(ticks: Sequence[float]) -> str:
    """Say where a scale of percentages ends, if that is not 100; empty otherwise."""
    return "" if ticks[-1] == 100 else f" The scale ends at {ticks[-1]:,.0f} %."


def axes(
    plane: Plane,
    *,
    across: Sequence[float],
    up: Sequence[float],
    written: Callable[[float], str],
    title: str = "",
    title_up: str = "",
) -> list[Layer]:
    """Draw hairlines for the upward scale, a base line, and the numbers and titles of both.

    Parameters
    ----------
    plane
        Where.
    across, up
        Values to mark.
    written
        How those across are written.
    title, title_up
        Below, and above at the left edge.
    """
    hairs = [{"x": plane.left, "x2": plane.right, "y": plane.y(tick)} for tick in up]
    marks = [{"x": plane.x(tick), "y": plane.bottom, "y2": plane.bottom + 4} for tick in across]
    below = [{"x": plane.x(tick), "y": plane.bottom + 13, "text": written(tick)} for tick in across]
    beside = [{"x": plane.left - 7, "y": plane.y(tick), "text": f"{tick:,.0f}"} for tick in up]
    under = [{"x": plane.left, "y": plane.bottom + 30, "text": title}] if title else []
    above = [{"x": 0, "y": plane.top - 16, "text": title_up}] if title_up else []
    return [
        lines(hairs[1:], colour=theme.FAINT),
        lines(hairs[:1], colour=theme.LIGHT_GREY),
        lines(marks, colour=theme.LIGHT_GREY),
        small(below, align="center"),
        small(beside, align="right"),
        small([*under, *above]),
    ]


def apart(places: Sequence[float], heights: Sequence[float], low: float, high: float) -> list[float]:
    """Move labels as little as needed for none to lie on another.

    Parameters
    ----------
    places
        Where the middle of each would best be.
    heights
        Pixels of each.
    low, high
        Where the first may begin and the last end; they go beyond `high` where there are too many.

    Returns
    -------
    list of float
        A middle for each, in the same order; of equal places the earlier one comes first.

    Examples
    --------
    >>> apart([50, 50, 90], [20, 20, 20], 0, 100)
    [40.0, 60.0, 90.0]
    """
    order = sorted(range(len(places)), key=lambda n: places[n])
    blocks: list[tuple[float, list[int]]] = []  # the upper end of labels that touch one another, and which they are

    def begin(members: Sequence[int]) -> float:
        """Put touching labels where they are nearest to their places on average."""
        taken, wanted = 0.0, 0.0
        for n in members:
            wanted += places[n] - heights[n] / 2 - taken
            taken += heights[n]
        return max(low, min(wanted / len(members), high - taken))

    for n in order:
        members = [n]
        start = begin(members)
        while blocks and blocks[-1][0] + sum(heights[m] for m in blocks[-1][1]) > start:
            members = [*blocks.pop()[1], *members]
            start = begin(members)
        blocks.append((start, members))
    middles = [0.0] * len(places)
    for start, members in blocks:
        place = start
        for n in members:
            middles[n] = place + heights[n] / 2
            place += heights[n]
    return middles


def end_labels(labels: Sequence[EndLabel], plane: Plane, *, low: float, high: float) -> list[Layer]:
    """Write labels at the right of a plane, moved apart, with a hairline from the end of each curve.

    Parameters
    ----------
    labels
        In the order in which equal ends are written, from the top.
    plane
        Where.
    low, high
        Where labels may begin and end.
    """
    ends = [plane.y(label.end) for label in labels]
    middles = apart(ends, [label.height for label in labels], low, high)
    start = plane.right + LEADER
    number_end = start + number_width(labels)
    leaders, numbers = [], []
    words: dict[str, list[dict[str, Any]]] = {}
    for label, end, middle in zip(labels, ends, middles, strict=True):
        first = middle - (len(label.lines) - 1) * LINE / 2
        if label.number:
            leaders.append({"x": plane.right + 4, "x2": start - 2, "y": end, "y2": middle})
            numbers.append({"x": number_end, "y": first, "text": label.number})
        words.setdefault(label.colour, []).extend(
            {"x": number_end + 6, "y": first + n * LINE, "text": line} for n, line in enumerate(label.lines)
        )
    return [
        lines(leaders, colour=theme.LIGHT_GREY, slanting=True),
        texts(numbers, align="right", strong=True),
        *(texts(values, colour=colour) for colour, values in words.items()),
    ]


def number_width(labels: Sequence[EndLabel]) -> float:
    """Give the pixels that the numbers of labels take."""
    return max(width_of(label.number) for label in labels)


def room_for(labels: Sequence[EndLabel]) -> int:
    """Give the pixels that labels take at the right of a plane."""
    widest = max(width_of(line) for label in labels for line in label.lines)
    return math.ceil(LEADER + number_width(labels) + 6 + widest)
