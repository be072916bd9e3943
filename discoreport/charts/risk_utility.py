"""The map of risk and utility: every candidate for a release, and those that no other one beats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import number, percent, points
from discoreport.assessment.risk_utility import RISKS, Candidate, Candidates, Risk, candidates, mapped
from discoreport.charts.chart import Chart
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import LINE
from discoreport.charts.drawing.marks import Drawn, Layer, curves, figure, lines, small, spots, symbols, texts
from discoreport.charts.drawing.point_labels import Box, Named, along, around, labels_beside, meet
from discoreport.charts.drawing.text import clean, width_of
from discoreport.charts.drawing.xy_plane import Plane, axes, steps_to

RISK_UTILITY = "What does less risk cost in utility?"
_LEFT, _GAP, _HIGH, _LOW, _HEAD, _BELOW = 34, 30, 128, 72, 40, 44
"""Pixels of the upward scale, between planes, of a plane's height, on the first page, above it and below it."""
_NARROW = 200
"""Pixels of width from which on a plane has room for all names."""
_FIRST = 330
"""Pixels of the width of the map on the first page, which stands beside a text."""
_HALF_NAME, _MOST_NAMED = 12, 9
"""Signs of a long name that are shown of its beginning and its end; and how many candidates are all named."""
_HEADS: dict[Risk, tuple[str, str]] = {
    "excess": ("DiSCO beyond chance", "points"),
    "repU": ("repU", "% of original records"),
    "DiSCO": ("DiSCO", "% of original records"),
}
"""By measure its words and its unit."""


def risk_utility(assessment: Assessment) -> Drawn:
    """Draw risk against utility of all candidates, two planes for each analysis that tried some.

    Returns
    -------
    altair.LayerChart
        Filled dots on the line: no other candidate has less risk without differing more from the original. DiSCO
        itself has a plane where the organisation has a threshold for it.
    """
    gathered = mapped(assessment)
    row = LINE + _HEAD + _HIGH + _BELOW
    height = float(row * len(gathered))
    measures = [name for name in RISKS if name != "DiSCO" or _limits(assessment, name)]
    width = (theme.WIDTH - _GAP * (len(measures) - 1)) / len(measures)
    marks: list[Layer] = []
    for place, one in enumerate(gathered):
        top = place * row + LINE + _HEAD
        marks.append(texts([{"x": 0, "y": place * row + 8, "text": _head(one)}], strong=True))
        for column, measure in enumerate(name for name in measures if one.known(name)):
            left = column * (width + _GAP) + _LEFT
            marks += _plane(assessment, one, measure, (left, left + width - _LEFT - 14, top, top + _HIGH))
    return figure(
        *marks,
        height=height,
        question=RISK_UTILITY,
        subtitle=_SUBTITLE,
        description=" ".join(one.in_words() for one in gathered),
    )


def first_map(assessment: Assessment) -> Drawn:
    """Draw one low plane for the first page: the first analysis that tried candidates, DiSCO beyond chance or repU."""
    one = mapped(assessment)[0]
    measure = one.decisive
    height = float(24 + _LOW + _BELOW - 8)
    marks = _plane(assessment, one, measure, (_LEFT, _FIRST - 16, 24, 24 + _LOW))
    drawn = figure(
        *marks, height=height, question=RISK_UTILITY, title=_head(one), subtitle="", description=one.in_words()
    )
    drawn.width = _FIRST
    return drawn


_SUBTITLE = (
    "Further down is less risk, further to the left is closer to the original. Filled dots on the line: no other "
    "candidate is as good in both and better in one."
)


def _head(one: Candidates) -> str:
    what = {"release_size": "synthetic records", "trade_off": "numbers: steps"}.get(one.analysis)
    return ANALYSES[one.analysis].title + (f" ({what})" if what else "")


def _above(assessment: Assessment, measure: Risk, width: float) -> str:
    """Say what a plane is of: of several targets, the worst of each candidate; of one its name, where it has room."""
    words, unit = _HEADS[measure]
    if measure != "repU" and len(assessment.targets) > 1:
        words += ", worst target"
    elif measure != "repU" and assessment.targets:
        named = f"{words} of {clean(assessment.targets[0])}"
        words = named if width_of(f"{named}, {unit}", theme.SMALL_SIZE) <= width else words
    return f"{words}, {unit}"


def _plane(
    assessment: Assessment, one: Candidates, measure: Risk, sides: tuple[float, float, float, float]
) -> list[Layer]:
    """Draw one plane."""
    left, right, top, bottom = sides
    risks = [(candidate, risk) for candidate in one.known(measure) if (risk := candidate.risk(measure)) is not None]
    limits = _limits(assessment, measure)
    most = max(5.0, *(risk for _, risk in risks))
    drawn = [limit for limit in limits if limit <= 2 * most]
    up = steps_to(max([most, *drawn]), 4 if bottom - top > _LOW else 2)
    lowest = min(risk for _, risk in risks)
    below = [-n * up[1] for n in range(math.ceil(-lowest / up[1] - 1e-9), 0, -1)] if lowest < 0 else []
    across = steps_to(max(1.0, *(candidate.difference for candidate, _ in risks)), 4)
    plane = Plane(left, right, top, bottom, (0, across[-1]), (below[0] if below else 0, up[-1]))
    of = "pairs" if one.n_together == 2 else "variables"
    return [
        texts(
            [{"x": left - _LEFT, "y": top - 24, "text": _above(assessment, measure, right - left + _LEFT + _GAP)}],
            size=theme.SMALL_SIZE,
        ),
        *axes(
            plane,
            across=across,
            up=[*below, *up],
            written="{:,.4g}".format,
            title=f"mean MabsDD of {of}, %"
            if _is_narrow(plane)
            else f"difference from the original in {of} (mean MabsDD), %",
        ),
        texts(
            _far_above([limit for limit in limits if limit not in drawn], plane),
            colour=theme.ORIGINAL,
            size=theme.SMALL_SIZE,
        ),
        *_dots(one, measure, drawn, plane),
    ]


def _limits(assessment: Assessment, measure: Risk) -> list[float]:
    """Give the organisation's thresholds for a measure."""
    return [one.limit for one in assessment.policy.thresholds if one.measure == measure]


def _far_above(limits: Sequence[float], plane: Plane) -> list[dict[str, Any]]:
    """Name the thresholds that are too far above all candidates to be drawn, above the plane."""
    told = f"threshold {', '.join(map(number, limits))}: further up"
    return [{"x": plane.right - width_of(told, theme.SMALL_SIZE), "y": plane.top - 9, "text": told}] if limits else []


def _threshold(limit: float, dots: Sequence[Box], plane: Plane) -> tuple[dict[str, Any], Box]:
    """Find a place at the line of a threshold where its name lies on no dot."""
    told, y = f"threshold {number(limit)}", plane.y(limit)
    width = width_of(told, theme.SMALL_SIZE)
    places = [(left, middle) for middle in (y - 8, y + 9) for left in (plane.right - width, plane.left + 4)]
    boxes = [(x, middle - 7, x + width, middle + 7) for x, middle in places]
    box = next((box for box in boxes if not any(meet(box, dot) for dot in dots)), boxes[0])
    return {"x": box[0], "y": box[1] + 7, "text": told}, box


def _dots(one: Candidates, measure: Risk, limits: Sequence[float], plane: Plane) -> list[Layer]:
    """Draw thresholds, the line of those that no other one beats, dots and names."""

    def place(candidate: Candidate) -> dict[str, Any]:
        return {"x": plane.x(candidate.difference), "y": plane.y(candidate.risk(measure) or 0.0)}

    def told(candidate: Candidate) -> dict[str, Any]:
        risk = candidate.risk(measure)
        value = f"{points(risk)} points of {clean(candidate.target)}" if measure == "excess" else percent(risk)
        loss = f"{percent(candidate.difference)}, S_pMSE {number(candidate.tables.mean_S_pMSE)} on average"
        return {**place(candidate), "release": clean(candidate.name), "measure": measure, "value": value, "loss": loss}

    efficient = one.efficient(measure)
    others = [candidate for candidate in one.known(measure) if candidate not in efficient]
    ordered = sorted([*efficient, *others], key=lambda c: (not c.assessed, c in others))
    narrow = _is_narrow(plane)
    few = len(ordered) <= _MOST_NAMED and not narrow
    named = [
        Named(**place(c), name=_named(c, narrow=narrow), always=c.assessed or (c in efficient and not narrow))
        for c in ordered
        if few or c in efficient or c.assessed
    ]
    strong = {_named(candidate, narrow=narrow) for candidate in efficient}
    dots = [around(**place(c)) for c in ordered]
    thresholds = [_threshold(limit, dots, plane) for limit in limits]
    rules = [{"x": plane.left, "x2": plane.right, "y": plane.y(limit)} for limit in limits]
    line = along([(at["x"], at["y"]) for at in map(place, efficient)])
    drawn = [
        *dots,
        *line,
        *(box for _, box in thresholds),
        *((one["x"], one["y"], one["x2"], one["y"] + 1) for one in rules),
    ]
    labels = labels_beside(named, plane, drawn)
    return [
        lines(rules, colour=theme.ORIGINAL, dash=(5, 3), thickness=1.4),
        texts([at for at, _ in thresholds], colour=theme.ORIGINAL, size=theme.SMALL_SIZE),
        curves([{**place(candidate), "curve": 0} for candidate in efficient], colour=theme.SYNTHETIC),
        symbols([place(c) for c in others], shape="circle", colour=theme.MID_GREY, size=30, hollow=True),
        symbols([place(c) for c in efficient], shape="circle", colour=theme.SYNTHETIC, size=55),
        spots([told(candidate) for candidate in ordered]),
        texts([at for of, at in labels if of.name in strong], size=theme.SMALL_SIZE, strong=True),
        small([at for of, at in labels if of.name not in strong]),
    ]


def _is_narrow(plane: Plane) -> bool:
    """Tell whether a plane has room for few names: there are more than two in a row."""
    return plane.right - plane.left < _NARROW


def _named(one: Candidate, *, narrow: bool) -> str:
    """Name a candidate beside its dot; a long name loses its middle, and in a narrow plane the assessed one its own."""
    if narrow and one.assessed:
        return "assessed"
    name = clean(one.name)
    short = name if len(name) <= 2 * _HALF_NAME else f"{name[:_HALF_NAME]}…{name[-_HALF_NAME:]}"
    return short + (" (assessed)" if one.assessed else "")


_UTILITY = ("mean_MabsDD", "worst_MabsDD", "mean_S_pMSE", "worst_S_pMSE")
_COLUMNS = (
    "analysis", "candidate", "assessed", "repU", "excess", "target", "DiSCO", "tables_of", "n_tables", *_UTILITY,
    *(f"beaten_by_none_in_{measure}" for measure in RISKS),
)  # fmt: skip


def risk_utility_table(assessment: Assessment) -> pd.DataFrame:
    """Give every candidate: risk, utility, and whether no other one beats it in either."""
    rows = []
    for one in candidates(assessment):
        best = [one.efficient(measure) for measure in RISKS]
        for c in one.tried:
            of_tables = one.n_together, c.tables.n_tables, *(getattr(c.tables, name) for name in _UTILITY)
            risks = c.repU, c.excess, c.target, c.DiSCO
            rows.append((one.analysis, c.name, c.assessed, *risks, *of_tables, *(c in several for several in best)))
    return pd.DataFrame(rows, columns=_COLUMNS)


CHART = Chart(
    "risk_utility",
    RISK_UTILITY,
    risk_utility,
    lambda one: bool(mapped(one)),
    "It shows releases, steps or sizes whose utility was measured: no such analysis was run.",
    risk_utility_table,
    whole=True,
)
