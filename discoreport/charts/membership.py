"""The figure of membership: how often somebody is right who says "was in it", by how many of the population were."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.membership.results import Guess, Membership
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import percent, percentage, points
from discoreport.charts.chart import of_analysis
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.marks import (
    CURVE_STYLES,
    Drawn,
    Layer,
    curves,
    figure,
    lines,
    small,
    spots,
    symbols,
    texts,
)
from discoreport.charts.drawing.target_rows import of_several
from discoreport.charts.drawing.text import listed
from discoreport.charts.drawing.xy_plane import Plane, axes, percent_ticks

_RATES = tuple(n / 200 for n in (*range(1, 20), *range(20, 200, 4)))
"""Where the curves are computed: most densely where few of the population were in the original."""
_LEFT, _GAP, _TOP, _PLANE, _ROW = 34, 30, 62, 170, 16
"""Pixels of the upward scale, between the planes, above them, of their height, and of a line of the key."""
_ACROSS = "% of the population in the original (base rate)"

_Read = Callable[[Guess], float | None]
_HEADS: dict[str, tuple[str, _Read]] = {
    "precision": ("Of those called members, so many are, %", lambda one: one.precision),
    "relative F1": ("Relative F1, %: 0 is calling everybody a member", lambda one: one.relative_F1),
}
"""By what is drawn its head, and how it is read."""


def membership(_: Assessment, found: Membership) -> Drawn:
    """Draw precision and relative F1 against the base rate, a curve for each number of differing variables.

    Parameters
    ----------
    found
        What to draw.

    Returns
    -------
    altair.LayerChart
        Of the file with the greatest advantage; dots are at the base rate of the population.
    """
    called = found.of_worst_file
    width = (theme.WIDTH - _GAP) / 2
    top = _TOP + _ROW * (len(called) - 1)
    height = top + _PLANE + 42.0
    marks: list[Layer] = []
    for place, (name, (head, read)) in enumerate(_HEADS.items()):
        series = [[(rate, read(found.guess(one, rate))) for rate in _RATES] for one in called]
        known = [value for of_one in series for _, value in of_one if value is not None]
        up = percent_ticks(known if place else [100])
        left = place * (width + _GAP) + _LEFT
        plane = Plane(left, left + width - _LEFT - 8, top, top + _PLANE, (0, 1), (0, up[-1]))
        across = (0, 0.25, 0.5, 0.75, 1)
        marks += axes(plane, across=across, up=up, written=lambda tick: f"{100 * tick:,.0f}", title=_ACROSS)
        marks.append(texts([{"x": left - _LEFT, "y": top - 18, "text": head}], strong=True))
        if name == "precision":
            marks += _everybody(plane)
        for one, of_one in zip(called, series, strict=True):
            marks += _drawn(found.guess(one), name, read, of_one, plane, found.rate)
    told = f" the one with the greatest advantage is shown, file {found.worst.synthesis}"
    worst = of_several(found.synthetic, told)
    return figure(
        *_key(found),
        *marks,
        height=height,
        question=ANALYSES["membership"].question,
        subtitle="Somebody is called a member where a synthetic record differs in at most so many of the "
        f"{len(found.known)} variables. Dots: at the base rate of {percent(100 * found.rate)}"
        f"{', the original among both files' if found.base_rate is None else ''}. Relative F1 below 0 isn't drawn."
        f"{worst}",
        description=f"{_in_words(found)}{worst}",
    )


def _words(differing: int) -> str:
    return "all alike" if differing == 0 else f"at most {differing} differing"


def _key(found: Membership) -> list[Layer]:
    """Name the curves, with TPR, FPR and advantage of each."""
    drawn: list[Layer] = []
    for row, one in enumerate(found.of_worst_file):
        hue, dash = CURVE_STYLES[one.differing % len(CURVE_STYLES)]
        guess, y = found.guess(one), 10.0 + _ROW * row
        told = (
            f"{_words(one.differing)}: called members {percent(guess.TPR)} of the original, {percent(guess.FPR)} of "
            f"the control; advantage {points(guess.advantage)} ({points(guess.low)} to {points(guess.high)})"
        )
        drawn += [
            lines([{"x": 0, "x2": 24, "y": y}], colour=hue, thickness=2, dash=dash),
            texts([{"x": 32, "y": y, "text": told}]),
        ]
    return drawn


def _everybody(plane: Plane) -> list[Layer]:
    """Draw what calling everybody a member gives: the base rate."""
    ends = [{"x": plane.x(0), "y": plane.y(0), "curve": 0}, {"x": plane.x(1), "y": plane.y(100), "curve": 0}]
    word = [{"x": plane.x(0.98), "y": plane.y(6), "text": "straight line: calling everybody one"}]
    return [
        curves(ends, colour=theme.LIGHT_GREY, thickness=1),
        small(word, align="right"),
    ]


def _drawn(
    guess: Guess,
    name: str,
    read: _Read,
    series: Sequence[tuple[float, float | None]],
    plane: Plane,
    rate: float,
) -> list[Layer]:
    """Draw the curve of one guess, where it isn't below the scale, and its dot at the base rate."""
    hue, dash = CURVE_STYLES[guess.differing % len(CURVE_STYLES)]
    shown = [(at, value) for at, value in series if value is not None and value >= 0]
    values = [{"x": plane.x(at), "y": plane.y(value), "curve": guess.differing} for at, value in shown]
    here = read(guess)
    pointed: list[dict[str, Any]] = [
        {
            "x": plane.x(at),
            "y": plane.y(value),
            "measure": f"{name}, {_words(guess.differing)}, base rate {percent(100 * at)}",
            "value": percent(value),
        }
        for at, value in [*shown, *([(rate, here)] if here is not None and here >= 0 else [])]
    ]
    dot = pointed[len(shown) :]
    return [
        curves(values, colour=hue, dash=dash),
        symbols(dot, shape="circle", colour=hue, size=44),
        spots(pointed),
    ]


def _in_words(found: Membership) -> str:
    guesses = [found.guess(one) for one in found.of_worst_file]
    told = [
        f"{_words(one.differing)} {percent(one.TPR)} of the original and {percent(one.FPR)} of the control, an "
        f"advantage of {points(one.advantage)} percentage points, precision {percentage(one.precision)} % and relative "
        f"F1 {percentage(one.relative_F1)} %"
        for one in guesses
    ]
    return f"Called members are, at a base rate of {percent(100 * found.rate)}: {listed(told)}."


def membership_table(_: Assessment, found: Membership) -> pd.DataFrame:
    """Give every guess at the base rate of the population, and what the curves show of the worst file at others."""
    rows = [(100 * found.rate, guess) for guess in found.guesses]
    rows += [(100 * rate, found.guess(one, rate)) for one in found.of_worst_file for rate in _RATES]
    columns = list(found.table.columns)
    values = [[rate, *(getattr(guess, name) for name in columns)] for rate, guess in rows]
    table = pd.DataFrame(values, columns=["base_rate", *columns])
    return table.astype(dict.fromkeys(["base_rate", *columns[2:]], "float64"))


CHART = of_analysis("membership", membership, lambda _, found: bool(found.called), membership_table, whole=True)
