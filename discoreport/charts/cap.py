"""The figure of the CAP family: how often a guess from the keys is right, by several denominators."""

from __future__ import annotations

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.worst_file import most_exposed_first
from discoreport.charts.chart import NO_TARGETS, Chart, has_targets
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.bar_columns import bar_column
from discoreport.charts.drawing.layout import LINE, Panel, Rows, rows
from discoreport.charts.drawing.marks import Drawn, Layer, figure, lines, names_of, small, stacked, texts
from discoreport.charts.drawing.target_rows import highest, measured, named, of_worst
from discoreport.charts.drawing.text import paragraph
from discoreport.charts.figure_tables import of_targets

CAP = "How often would a guess from the keys be right?"

_GROUPS = {
    "original alone": ("baseCAPd", "CAPd"),
    "synthetic": ("CAPs",),
    "DCAP: guesses, however likely": ("DCAP_d", "DCAP_s", "DCAP_b"),
    "TCAP: certain guesses only": ("TCAP_s", "TCAP_b", "TCAP"),
}
MEASURES_SHOWN = {
    "baseCAPd": "without the keys",
    "CAPd": "with the keys",
    "CAPs": "alone, with the keys",
    "DCAP_d": "of original records",
    "DCAP_s": "of synthetic records",
    "DCAP_b": "of those found",
    "TCAP_s": "of synthetic records",
    "TCAP_b": "of those found",
    "TCAP": "of certain guesses",
}
_TOP, _GAP, _SMALL = 76, 8, 10


def cap(assessment: Assessment) -> Drawn:
    """Draw the CAP family of each target.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        A column a measure, of each target's worst file; targets in the order of DiSCO. A bar that would
        go beyond 100 % ends with a point.
    """
    targets = most_exposed_first(assessment)
    placed = rows(named(assessment, targets), top=_TOP, row_height=30, widest=124)
    pitch = (theme.WIDTH - placed.left + _GAP) / len(MEASURES_SHOWN)
    columns, over = [], False
    for n, measure in enumerate(MEASURES_SHOWN):
        panel = Panel(placed.left + n * pitch, placed.left + (n + 1) * pitch - _GAP, ticks=())
        values = measured(assessment, measure, targets, placed.middles)
        over = over or any(value["x"] is not None and value["x"] > panel.domain[1] for value in values)
        columns.append(stacked(*bar_column(values, panel, _colour(measure))))
    beyond = " A point marks what goes beyond 100 %: there are fewer synthetic records to divide by." if over else ""
    return figure(
        names_of(placed),
        *_heads(placed, pitch),
        *columns,
        height=placed.height,
        question=CAP,
        subtitle="Percentages (higher is worse); each bar runs from 0 to 100 %. The target with the highest DiSCO is "
        f"on top.{beyond}{of_worst(assessment)}",
        description=highest(assessment, targets, "DCAP_d", ["baseCAPd", "CAPd", "TCAP"]) + of_worst(assessment),
    )


def _colour(measure: str) -> str:
    if measure in _GROUPS["original alone"]:
        return theme.ORIGINAL
    return theme.MID_GREY if measure == "CAPs" else theme.SYNTHETIC


def _heads(placed: Rows, pitch: float) -> list[Layer]:
    """Write the groups, the measures and what each is divided by."""
    groups, rules, names, words = [], [], [], []
    place = 0
    for group, measures in _GROUPS.items():
        x, x2 = placed.left + place * pitch, placed.left + (place + len(measures)) * pitch - _GAP
        groups.append({"x": x, "y": 6, "text": group})
        rules.append({"x": x, "x2": x2, "y": 16})
        for measure in measures:
            here = placed.left + place * pitch
            names.append({"x": here, "y": 26, "text": measure})
            words += [
                {"x": here, "y": 27 + LINE + n * (_SMALL + 2), "text": line}
                for n, line in enumerate(paragraph(MEASURES_SHOWN[measure], pitch - 2, _SMALL))
            ]
            place += 1
    return [
        small(groups),
        lines(rules, colour=theme.LIGHT_GREY),
        texts(names, size=theme.SMALL_SIZE, strong=True),
        texts(words, size=_SMALL, colour=theme.GREY),
    ]


CHART = Chart("cap", CAP, cap, has_targets, NO_TARGETS, lambda one: of_targets(one, MEASURES_SHOWN))
