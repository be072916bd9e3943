"""The figure of certainty: how much is given away when less certain attributions count as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import expected, of_file
from discoreport.assessment.formatting import percent, percentage
from discoreport.assessment.worst_file import most_exposed_first, worst_file, worst_files
from discoreport.charts.chart import Chart
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.marks import Drawn, bands, curves, figure, spots
from discoreport.charts.drawing.target_rows import named, of_worst
from discoreport.charts.drawing.text import clean, counted, listed, wrapped
from discoreport.charts.drawing.xy_plane import EndLabel, Plane, axes, end_labels, percent_ticks, room_for, shortened
from discoreport.charts.figure_tables import SHARE_COLUMNS, by_synthesis, cells, table_of

TAU = "How much is given away when less certain guesses count as well?"
MOST_NAMED = 8
"""How many targets are named; the others are grey lines."""
_TOP, _LEFT, _WIDEST, _BELOW = 30, 34, 180, 38
_LEAST = 280
"""Pixels of the plane, where the names do not need more."""


@dataclass(frozen=True)
class _Curve:
    """One target: DiSCO(tau) of its worst file, and the least and the largest of any file, by rising tau."""

    target: str
    file: dict[str, str]
    worst: list[float]
    least: list[float]
    largest: list[float]


def tau(assessment: Assessment) -> Drawn:
    """Draw DiSCO(tau) against tau, a line a target.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        Of each target's worst file, for the most exposed target with a band from the least to the largest
        of any file. The 8 most exposed targets are named at the right, the others are grey lines.
    """
    taus = sorted(set(assessment.settings.tau))
    found = _curves(assessment, taus)
    first, rest = found[:MOST_NAMED], found[MOST_NAMED:]
    m = len(assessment.synthetic)
    labels = [
        EndLabel(curve.worst[-1], percentage(curve.worst[-1]), tuple(wrapped(words, _WIDEST)), theme.INK)
        for curve, words in zip(first, named(assessment, [curve.target for curve in first]), strict=True)
    ]
    if rest:
        end = sum(curve.worst[-1] for curve in rest) / len(rest)
        labels.append(EndLabel(end, "", (counted(len(rest), "more target"),), theme.GREY))
    ticks = percent_ticks([value for curve in found for value in curve.largest])
    plane = Plane(
        _LEFT,
        theme.WIDTH - room_for(labels),
        _TOP,
        _TOP + max(_LEAST, sum(label.height for label in labels)),
        (taus[0], taus[-1]),
        (0, ticks[-1]),
    )
    height = plane.bottom + _BELOW
    span = [
        {"x": plane.x(least), "y": plane.y(low), "y2": plane.y(high), "curve": 0}
        for least, low, high in zip(taus, first[0].least, first[0].largest, strict=True)
    ]
    return figure(
        *axes(
            plane,
            across=_marked(taus, plane),
            up=ticks,
            written="{:.3g}".format,
            title="tau: how certain an attribution must be to count",
            title_up=theme.PERCENT_TITLE,
        ),
        curves(_lines(rest, taus, plane), colour=theme.LIGHT_GREY, thickness=1),
        *([bands(span, colour=theme.SYNTHETIC)] if m > 1 else []),
        curves(_lines(first[1:], taus, plane), colour=theme.SYNTHETIC, thickness=1.8),
        curves(_lines(first[:1], taus, plane), colour=theme.SYNTHETIC, thickness=3),
        spots(_spots(assessment, [*rest, *first[::-1]], taus, plane)),
        *end_labels(labels, plane, low=plane.top - 12, high=height),
        height=height,
        question=TAU,
        subtitle="DiSCO(tau) counts what the synthetic file attributes rightly with a certainty of tau or more: at "
        "tau = 1 it is DiSCO, at 0 it is DCAP_d (where nothing is excluded)."
        + (f" Named are the {len(first)} targets with the highest DiSCO." if rest else "")
        + of_worst(assessment)
        + (" The band is the range of the first target's values." if m > 1 else "")
        + shortened(ticks),
        description=_in_words(found, taus) + of_worst(assessment),
    )


def _curves(assessment: Assessment, taus: Sequence[float]) -> list[_Curve]:
    """Give the values of the worst file among those of all, the target with the highest DiSCO first."""
    places = [assessment.settings.tau.index(least) for least in taus]
    values: dict[str, list[list[float]]] = {target: [] for target in assessment.targets}
    for result in assessment.outcome.results:
        values[result.target].append([result.tau[place] for place in places])
    worst = worst_files(assessment)
    return [
        _Curve(
            target,
            of_file(assessment, worst[target].synthesis),
            [worst[target].tau[place] for place in places],
            [min(several) for several in zip(*values[target], strict=True)],
            [max(several) for several in zip(*values[target], strict=True)],
        )
        for target in most_exposed_first(assessment)
    ]


def _lines(found: Sequence[_Curve], taus: Sequence[float], plane: Plane) -> list[dict[str, Any]]:
    return [
        {"x": plane.x(least), "y": plane.y(value), "curve": number, "name": clean(curve.target)}
        for number, curve in enumerate(found)
        for least, value in zip(taus, curve.worst, strict=True)
    ]


def _spots(
    assessment: Assessment, found: Sequence[_Curve], taus: Sequence[float], plane: Plane
) -> list[dict[str, Any]]:
    """Give the values at each certainty for the pointer to find."""
    n = assessment.original.n_records
    return [
        {"x": plane.x(least), "y": plane.y(value), "name": clean(curve.target), "tau": f"{least:.3g}", **curve.file}
        | expected(value, n).words
        for curve in found
        for least, value in zip(taus, curve.worst, strict=True)
    ]


def _marked(taus: Sequence[float], plane: Plane) -> list[float]:
    """Choose the certainties to write below: all, or as many as there is room for, the last included."""
    kept = [taus[-1]]
    for least in reversed(taus):
        if plane.x(kept[-1]) - plane.x(least) >= 30:
            kept.append(least)
    return kept


def _in_words(found: Sequence[_Curve], taus: Sequence[float]) -> str:
    """Tell both ends of the curves of the most exposed targets."""
    told = [f"{clean(curve.target)} {percent(curve.worst[-1])} ({percent(curve.worst[0])})" for curve in found[:6]]
    told += [counted(len(found) - 6, "more target")] if len(found) > 6 else []
    return f"DiSCO(tau) at tau = {taus[-1]:.3g} (and at {taus[0]:.3g}): {listed(told)}."


def tau_table(assessment: Assessment) -> pd.DataFrame:
    """Give DiSCO(tau): target, synthesis, tau, percent and the records expected behind it."""
    n = assessment.original.n_records
    rows: list[tuple[Any, ...]] = []
    for target in most_exposed_first(assessment):
        worst = worst_file(assessment, target).synthesis
        results = [result for result in assessment.outcome.results if result.target == target]
        for least in sorted(set(assessment.settings.tau)):
            place = assessment.settings.tau.index(least)
            found = [expected(result.tau[place], n) for result in results]
            rows += [(target, synthesis, least, *cells(one)) for synthesis, one in by_synthesis(found, worst)]
    return table_of(rows, ["target", "synthesis", "tau", *SHARE_COLUMNS])


CHART = Chart(
    "tau",
    TAU,
    tau,
    lambda one: bool(one.targets) and len(set(one.settings.tau)) > 1,
    "There are no targets, or fewer than two values of tau.",
    tau_table,
    whole=True,
)
