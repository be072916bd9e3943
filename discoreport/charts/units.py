"""The figure of units, such as households: those of each kind that can be singled out."""

from __future__ import annotations

from typing import Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import of_file
from discoreport.assessment.formatting import number, percent, percentage
from discoreport.assessment.unit_risks import UnitKind, UnitRisk
from discoreport.assessment.worst_file import worst_units
from discoreport.charts.chart import Chart
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.headed_bars import headed_bars
from discoreport.charts.drawing.marks import Drawn, figure
from discoreport.charts.drawing.target_rows import of_several
from discoreport.charts.drawing.text import clean, listed

UNITS = "Which kinds of unit can be singled out?"
_NO_UNIT = "The settings name no unit, such as a household's number."


def units(assessment: Assessment) -> Drawn:
    """Draw for each kind of original unit the share that is unique in both files.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        A bar a size, then a bar for each of the most exposed compositions, with a mark at what is unique in the
        original; of several files the one with most.
    """
    risk = worst_units(assessment)
    assert risk is not None  # noqa: S101  # the chart applies only then
    parts, height = headed_bars(
        [
            (head, [(_name(assessment, kind), _value(assessment, risk, kind)) for kind in kinds])
            for head, kinds in risk.shown
        ],
        row_height=19,
        room=110,
        title="% of the original units of the kind",
        counted="units",
        colour=theme.ORIGINAL,
    )
    worst = of_several(assessment.synthetic, f" the one with most is shown, file {risk.synthesis}")
    return figure(
        *parts,
        height=height,
        question=UNITS,
        subtitle="A bar is the share of a kind's original units whose keys, of all records together, are unique in "
        "both files; the line across it those that are unique in the original." + worst,
        description=f"{_in_words(assessment, risk)}{worst}",
    )


def _name(assessment: Assessment, kind: UnitKind) -> str:
    key = "" if kind.key is None else f" ({clean(kind.key)})"
    return f"{clean(kind.labelled(assessment.labelled))}{key}"


def _value(assessment: Assessment, risk: UnitRisk, kind: UnitKind) -> dict[str, Any]:
    counts = f"{number(kind.n_replicated)} of {number(kind.n_units)}"
    tip = {"name": _name(assessment, kind), "measure": "unique in both", "value": percent(kind.percent)}
    written = {"text": percentage(kind.percent), "across": kind.percent_unique, "counts": counts, "count": counts}
    return {"x": kind.percent} | written | tip | of_file(assessment, risk.synthesis)


def _in_words(assessment: Assessment, risk: UnitRisk) -> str:
    """Tell of all units, and of the kinds that are most exposed."""
    first = sorted(risk.sizes, key=lambda kind: -kind.percent)[:1]
    told = [
        f"{_name(assessment, kind)} ({number(kind.n_replicated)} of {number(kind.n_units)})"
        for kind in (*first, *risk.most_exposed[:2])
    ]
    return f"{risk}. Most exposed: {listed(told)}."


CHART = Chart(
    "units", UNITS, units, lambda one: bool(one.outcome.units), _NO_UNIT, lambda one: one.unit_kinds, whole=True
)
