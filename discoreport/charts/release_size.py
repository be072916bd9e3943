"""The figure of release sizes: what changes when fewer synthetic records are released."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.release_size.results import ReleaseSizes
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import percent, percentage
from discoreport.charts.chart import of_analysis
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import LINE
from discoreport.charts.drawing.marks import (
    CURVE_STYLES,
    Drawn,
    Layer,
    bands,
    curves,
    figure,
    small,
    spots,
    symbols,
    texts,
)
from discoreport.charts.drawing.target_rows import named
from discoreport.charts.drawing.text import clean, counted, listed, wrapped
from discoreport.charts.drawing.xy_plane import (
    EndLabel,
    Plane,
    axes,
    end_labels,
    percent_ticks,
    room_for,
    shortened,
    steps_to,
)
from discoreport.errors import SettingsError, suggest
from discoreport.measures import MEASURES
from discoreport.measures.cap import WITHOUT_KEYS

if TYPE_CHECKING:
    import pandas as pd

MOST_TARGETS = 6
"""How many targets have a panel."""
MEASURES_SHOWN = ("DiSCO", "DCAP_d", "TCAP")
"""Measures that are drawn where none are named."""
_ALWAYS = ("target", "n_synthetic", "draw", "DiSCO")
_N_COLUMNS = 2
_LEFT, _GAP, _PLANE, _BELOW = 34, 24, 132, 36
"""Pixels for the upward scale, between columns, for the height of a plane, and below it."""
_OF_ORIGINAL = ("UiO", "Dorig", *WITHOUT_KEYS, "CAPd")
"""Measures on which the synthetic file has no influence: they have the hue of the original."""


@dataclass(frozen=True)
class _Point:
    """One measure at one size: the mean over draws, or the highest of several files, and the least and the largest."""

    size: int
    drawn: float
    least: float
    largest: float


@dataclass(frozen=True)
class _Panel:
    """Where one target is drawn, the lines of its name, and whether nothing is below it."""

    plane: Plane
    head: tuple[str, ...]
    is_last: bool

    def name(self) -> Layer:
        """Write the name above the plane."""
        first = self.plane.top - 10 - LINE * len(self.head) + LINE / 2
        values = [{"x": self.plane.left, "y": first + n * LINE, "text": line} for n, line in enumerate(self.head)]
        return texts(values, strong=True)


_Series = dict[str, dict[str, list[_Point]]]
"""By target, most exposed first, and by measure: the sizes at which it is known."""


def release(series: pd.DataFrame, measures: Sequence[str] = MEASURES_SHOWN) -> Drawn:
    """Draw measures against the number of synthetic records that are released, a panel a target.

    Parameters
    ----------
    series
        The table of what `release_size` gives, or some of its rows: target, n_synthetic, draw, and the measures.
    measures
        Measures in percent, by their published names.

    Returns
    -------
    altair.LayerChart
        Means over the draws, or of several files of one size the highest, with bands from the least to the largest.
        A size at which a measure is missing in any draw has no point. The 6 targets whose DiSCO is highest at the
        largest size have a panel.

    Raises
    ------
    SettingsError
        Where the table is empty or is not one of `release_size`, no measure is named, or a measure
        is unknown or not a percentage.

    References
    ----------
    Raab, Nowok and Dibben, "Practical privacy metrics for synthetic data", section 3.3.2.
    """
    return _release(series, measures, {})


def _release(series: pd.DataFrame, measures: Sequence[str], called: Mapping[str, str]) -> Drawn:
    """Draw as `release` says; by target what it is called where that isn't its name."""
    names = _known(series, measures)
    found = _collect(series, names)
    shown = dict(list(found.items())[:MOST_TARGETS])
    sizes = sorted({int(size) for size in series["n_synthetic"]})
    points = [point for curves_of in shown.values() for known in curves_of.values() for point in known]
    up = percent_ticks([point.largest for point in points])
    labels = {target: _labels(curves_of) for target, curves_of in shown.items()}
    heads = {target: called.get(target, clean(target)) for target in shown}
    panels = _panels(labels, heads, len(names), sizes[-1], up[-1])
    height = max(panel.plane.bottom for panel in panels.values()) + _BELOW
    marks = [
        mark
        for target, panel in panels.items()
        for mark in (
            panel.name(),
            *axes(
                panel.plane,
                across=[tick for tick in steps_to(sizes[-1], 4) if tick <= sizes[-1] and tick == int(tick)],
                up=up,
                written="{:,.0f}".format,
                title="synthetic records released" if panel.is_last else "",
            ),
            *_drawn(target, shown[target], sizes, panel.plane),
            *end_labels(labels[target], panel.plane, low=panel.plane.top - 8, high=panel.plane.bottom + 8),
        )
    ]
    unit = {"x": 0, "y": 6, "text": _unit(names)}
    return figure(
        small([unit]),
        *marks,
        height=height,
        question=ANALYSES["release_size"].question,
        subtitle=_subtitle(series, found, points, len(names) * len(sizes)) + shortened(up),
        description=_in_words(found, sizes),
    )


def release_size(assessment: Assessment, found: ReleaseSizes) -> Drawn:
    """Draw what an analysis has found; see `release`."""
    targets = found.settings.targets or ()
    return _release(found.table, MEASURES_SHOWN, dict(zip(targets, named(assessment, targets), strict=True)))


def _known(series: pd.DataFrame, measures: Sequence[str]) -> list[str]:
    """Check the table and the measures at the door; the same measure twice is drawn once."""
    absent = [name for name in _ALWAYS if name not in series.columns]
    if absent:
        raise SettingsError(f"No column '{absent[0]}': this isn't a table of release_size.")
    if series.empty:
        raise SettingsError("The table has no rows: release_size needs at least one target, and one size.")
    known = [entry.name for entry in MEASURES.values() if entry.unit == "%" and entry.name in series.columns]
    names = list(dict.fromkeys([measures] if isinstance(measures, str) else measures))
    if not names:
        raise SettingsError(f"No measure is named. {suggest('', known)}")
    for name in names:
        if name not in known:
            raise SettingsError(f"No measure '{name}' to draw against the number of records. {suggest(name, known)}")
    return names


def _collect(series: pd.DataFrame, measures: Sequence[str]) -> _Series:
    """Put the draws of each target and size together, the target with the highest DiSCO of the largest size first."""
    found: _Series = {}
    risks: dict[str, float] = {}
    drawn = "mean" if _of_draws(series) else "max"
    for group, rows in series.groupby(["target", "n_synthetic"], sort=True):
        target, size = cast("tuple[str, int]", group)
        of_target = found.setdefault(target, {name: [] for name in measures})
        for name in measures:
            if rows[name].notna().all():
                values = rows[name]
                point = _Point(int(size), float(values.agg(drawn)), float(values.min()), float(values.max()))
                of_target[name].append(point)
        risks[target] = float(rows["DiSCO"].agg(drawn))  # of the largest size in the end, for sizes rise
    return {target: found[target] for target in sorted(found, key=lambda target: -risks[target])}


def _of_draws(series: pd.DataFrame) -> bool:
    """Tell whether parts were drawn at random; else files were taken as they are."""
    return bool(series["draw"].max() > 1)


def _labels(curves_of: dict[str, list[_Point]]) -> list[EndLabel]:
    """Name each measure at the end of its curve."""
    return [
        EndLabel(known[-1].drawn if known else 0, percentage(known[-1].drawn if known else None), (name,), hue)
        for (name, known), (hue, _) in zip(curves_of.items(), _styles(curves_of), strict=True)
    ]


def _styles(measures: Iterable[str]) -> list[tuple[str, Sequence[float]]]:
    styles = itertools.cycle(CURVE_STYLES[:5])
    return [(theme.ORIGINAL, ()) if name in _OF_ORIGINAL else next(styles) for name in measures]


def _panels(
    labels: dict[str, list[EndLabel]], words: Mapping[str, str], n_measures: int, largest: int, top: float
) -> dict[str, _Panel]:
    """Put the planes in two columns, each row as far down as its names need; one target has the whole width."""
    n_columns = min(_N_COLUMNS, len(labels))
    column = (theme.WIDTH - _GAP * (n_columns - 1)) / n_columns
    width = column - _LEFT - max(room_for(of_target) for of_target in labels.values())
    heads = {target: tuple(wrapped(words[target], (column - _LEFT) * 0.94)) for target in labels}  # they are bold
    panels: dict[str, _Panel] = {}
    y = 10.0
    for start in range(0, len(heads), n_columns):
        row = list(heads)[start : start + n_columns]
        y += 12 + LINE * max(len(heads[target]) for target in row) + 10
        bottom = y + max(_PLANE, 17 * n_measures)
        for place, target in enumerate(row):
            left = place * (column + _GAP) + _LEFT
            plane = Plane(left, left + width, y, bottom, (0, largest), (0, top))
            panels[target] = _Panel(plane, heads[target], is_last=start + place + n_columns >= len(heads))
        y = bottom + 24
    return panels


def _drawn(target: str, curves_of: dict[str, list[_Point]], sizes: Sequence[int], plane: Plane) -> list[Layer]:
    """Draw the bands of all measures, and over them their curves with a dot at each size."""
    below, above, pointed = [], [], []
    for (name, known), (hue, dash) in zip(curves_of.items(), _styles(curves_of), strict=True):
        values = [
            {
                "x": plane.x(point.size),
                "y": plane.y(point.drawn),
                "curve": sizes.index(point.size) - place,  # another number after a gap, so that nothing bridges it
                "name": name,
            }
            for place, point in enumerate(known)
        ]
        spans = [
            {**value, "y": plane.y(point.least), "y2": plane.y(point.largest)}
            for value, point in zip(values, known, strict=True)
        ]
        if any(point.largest > point.least for point in known):
            below.append(bands(spans, colour=hue))
        above += [
            curves(values, colour=hue, dash=dash),
            symbols(values, shape="circle", colour=hue, size=6),
        ]
        pointed += [
            {
                "x": plane.x(point.size),
                "y": plane.y(point.drawn),
                "name": clean(target),
                "records_released": f"{point.size:,}",
                "measure": name,
                "value": _told(point),
            }
            for point in known
        ]
    return [*below, *above, spots(pointed)]


def _told(point: _Point) -> str:
    """Write what is drawn, and the range where there is one."""
    spread = f", from {percent(point.least)} to {percent(point.largest)}" if point.largest > point.least else ""
    return f"{percent(point.drawn)}{spread}"


def _unit(measures: Sequence[str]) -> str:
    entries = [MEASURES[name] for name in measures]
    if all(entry.of is MEASURES["DiSCO"].of and entry.higher_is_worse for entry in entries):
        return theme.PERCENT_TITLE
    return "% (higher is worse)" if all(entry.higher_is_worse for entry in entries) else "%"


def _subtitle(series: pd.DataFrame, found: _Series, points: Sequence[_Point], n_points: int) -> str:
    """Say what is drawn, and what is not."""
    n_draws = int(series.groupby(["target", "n_synthetic"]).size().max())
    words = ["The target with the highest DiSCO comes first."] if len(found) > 1 else []
    lines = f"means over {n_draws} draws" if _of_draws(series) else f"the highest of {n_draws} files"
    words.append(
        f"Lines are {lines}; bands run from the least to the largest."
        if n_draws > 1
        else "Each point is one synthetic file."
    )
    if len(found) > MOST_TARGETS:
        words.append(f"{counted(len(found) - MOST_TARGETS, 'more target is', 'more targets are')} not shown.")
    if len(points) < n_points * min(len(found), MOST_TARGETS):
        words.append("A measure has no point where it is missing.")
    return " ".join(words)


def _in_words(found: _Series, sizes: Sequence[int]) -> str:
    """Tell the values at the smallest and the largest size for the most exposed targets."""
    ends = sorted({sizes[0], sizes[-1]})
    span = f"From {sizes[0]:,} to" if len(ends) > 1 else "With"
    told = []
    for target, curves_of in list(found.items())[:3]:
        drawn = {name: {point.size: point.drawn for point in known} for name, known in curves_of.items()}
        values = [f"{name} {' to '.join(percent(of.get(size)) for size in ends)}" for name, of in drawn.items()]
        told.append(f"{clean(target)}: {listed(values)}")
    more = f"; and {counted(len(found) - 3, 'more target')}" if len(found) > 3 else ""
    return f"{span} {counted(sizes[-1], 'synthetic record')}: {'; '.join(told)}{more}."


CHART = of_analysis(
    "release_size",
    release_size,
    lambda _, found: bool(found.settings.targets),
    lambda _, found: found.spread,
    whole=True,
)
