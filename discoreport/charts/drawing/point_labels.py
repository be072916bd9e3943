"""Names beside points of a plane, so that none lies on another."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from discoreport.charts.drawing.layout import LINE
from discoreport.charts.drawing.text import width_of
from discoreport.charts.drawing.theme import SMALL_SIZE
from discoreport.charts.drawing.xy_plane import Plane

_AWAY = 8
"""Pixels between a point and its name."""
_FAR = 8
"""Pixels that a name may rather cover than be one further away than a line, where it might be another point's."""


@dataclass(frozen=True)
class Named:
    """A point in pixels, its name, and whether that is written at any rate."""

    x: float
    y: float
    name: str
    always: bool = False


Box = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels."""


def labels_beside(points: Sequence[Named], plane: Plane, others: Sequence[Box]) -> list[tuple[Named, dict[str, Any]]]:
    """Find a place for the name of each point: at the right, at the left, above or below, on no other name or point.

    Parameters
    ----------
    points
        Those that matter most first.
    plane
        Names stay within it, or a little beyond its sides.
    others
        Where something stands already, the points among them.

    Returns
    -------
    list of tuple
        The point, and text, ``x`` and ``y`` of its name. A name without a place is left out, but where it is written
        at any rate: that lies above.
    """
    taken = [*others]
    found = []
    for one in points:
        width = width_of(one.name, SMALL_SIZE)
        places = [
            (left, one.y + down)
            for down in (0.0, -LINE, LINE, -2 * LINE, 2 * LINE)
            for left in (one.x + _AWAY, one.x - _AWAY - width, one.x - width / 2)
            if down or left != one.x - width / 2
        ]
        boxes = [(x, y - LINE / 2, x + width, y + LINE / 2) for x, y in places]
        fits = [box for box in boxes if _is_within(box, plane) and not any(meet(box, other) for other in taken)]
        if not fits and not one.always:
            continue
        box = fits[0] if fits else min(boxes, key=functools.partial(_cost, one=one, plane=plane, others=taken))
        taken.append(box)
        found.append((one, {"x": box[0], "y": box[1] + LINE / 2, "text": one.name}))
    return found


def around(x: float, y: float) -> Box:
    """Give the room that a point takes."""
    return x - 5, y - 5, x + 5, y + 5


def along(points: Sequence[tuple[float, float]]) -> list[Box]:
    """Give the room that a line through points takes, piece by piece."""
    boxes = []
    for (x, y), (x2, y2) in itertools.pairwise(points):
        n = max(1, math.ceil(max(abs(x2 - x), abs(y2 - y)) / 4))
        middles = [(x + (x2 - x) * (step + 0.5) / n, y + (y2 - y) * (step + 0.5) / n) for step in range(n)]
        boxes += [(middle - 2, height - 2, middle + 2, height + 2) for middle, height in middles]
    return boxes


def meet(one: Box, other: Box) -> bool:
    """Tell whether two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _cost(box: Box, one: Named, plane: Plane, others: Sequence[Box]) -> tuple[bool, float]:
    """Tell how badly a name stands: beyond the plane, and by the area that lies on others and the way to its point."""
    away = max(abs((box[1] + box[3]) / 2 - one.y) - LINE, 0)
    shared = ((min(box[2], one[2]) - max(box[0], one[0]), min(box[3], one[3]) - max(box[1], one[1])) for one in others)
    covered = sum(width * height for width, height in shared if width > 0 < height)
    return not _is_within(box, plane), covered + _FAR * away


def _is_within(box: Box, plane: Plane) -> bool:
    return box[0] >= plane.left and box[2] <= plane.right + 14 and box[1] >= plane.top - 10 and box[3] <= plane.bottom
