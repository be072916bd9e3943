"""Distributions of many variables: small panels in columns, for each level a bar of either file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from discoreport.assessment.formatting import percent, percentage
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.marks import Drawn, Layer, lines, small, texts
from discoreport.charts.drawing.text import clean, wrapped

PANELS = 12
"""As many as a page holds."""
_COLUMNS, _APART = 4, 14
_ROW, _HALF = 22, 5
_NAMES, _NUMBER = 76, 29
_LEGEND, _BELOW, _LINE = 26, 14, 11


@dataclass(frozen=True)
class Compared:
    """One panel.

    Parameters
    ----------
    name, told
        The variable, and what stands under its name.
    levels
        As they are written.
    original, synthetic
        Shares in percent, one a level.
    """

    name: str
    told: str
    levels: tuple[str, ...]
    original: tuple[float, ...]
    synthetic: tuple[float, ...]


def distribution_panels(panels: Sequence[Compared]) -> tuple[list[Layer | Drawn], float]:
    """Draw the panels from left to right, and give the layers and the height that they take."""
    width = (theme.WIDTH - (_COLUMNS - 1) * _APART) / _COLUMNS
    heads: list[dict[str, Any]] = []
    told: list[dict[str, Any]] = []
    names: list[dict[str, Any]] = []
    numbers: list[dict[str, Any]] = []
    bars: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
    y = float(_LEGEND)
    for first in range(0, len(panels), _COLUMNS):
        lowest = y
        for column, panel in enumerate(panels[first : first + _COLUMNS]):
            left, below = column * (width + _APART), y
            for line in wrapped(clean(panel.name), width):
                heads.append({"x": left, "y": below + 7, "text": line})
                below += 14
            told.append({"x": left, "y": below + 8, "text": panel.told})
            below += 19
            most = max((*panel.original, *panel.synthetic, 1e-9))
            start, room = left + _NAMES, width - _NAMES - _NUMBER
            for level, *shares in zip(panel.levels, panel.original, panel.synthetic, strict=True):
                written = wrapped(clean(level), _NAMES - 6, theme.LEAST_SIZE)
                high = max(_ROW, len(written) * _LINE + 3)
                middle = below + high / 2
                for n, line in enumerate(written):
                    names.append({"x": start - 5, "y": middle + (n - (len(written) - 1) / 2) * _LINE, "text": line})
                for side, (file, share) in enumerate(zip(("original", "synthetic"), shares, strict=True)):
                    end, at = start + room * share / most, middle + (-_HALF, _HALF)[side]
                    tip = {"file": file, "group": clean(level), "value": percent(share)}
                    bars[side].append({"x": start, "x2": end, "y": at, **tip})
                    numbers.append({"x": end + 3, "y": at, "text": percentage(share)})
                below += high
            lowest = max(lowest, below)
        y = lowest + _BELOW
    height = y - _BELOW
    return [
        *_legend(),
        texts(heads, strong=True),
        small(told),
        texts(names, align="right", size=theme.LEAST_SIZE),
        lines(bars[0], colour=theme.ORIGINAL, thickness=7),
        lines(bars[1], colour=theme.SYNTHETIC, thickness=7),
        texts(numbers, size=theme.LEAST_SIZE, colour=theme.GREY),
    ], height


def _legend() -> list[Layer]:
    marks = []
    for x, words, colour in ((0, "original", theme.ORIGINAL), (84, "synthetic", theme.SYNTHETIC)):
        marks.append(lines([{"x": x, "x2": x + 14, "y": 8}], colour=colour, thickness=7))
        marks.append(texts([{"x": x + 19, "y": 8, "text": words}], size=theme.SMALL_SIZE, colour=colour))
    return marks
