"""The figure of identity disclosure: who can be singled out by the keys."""

from __future__ import annotations

from typing import Any

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import Share, shares, worst_share
from discoreport.assessment.formatting import percent, percentage
from discoreport.assessment.worst_file import worst_file, worst_value
from discoreport.charts.chart import Chart
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import LINE, Panel
from discoreport.charts.drawing.marks import Drawn, bars, figure, grid, small, stacked, texts
from discoreport.charts.drawing.target_rows import of_several
from discoreport.charts.drawing.text import paragraph
from discoreport.charts.figure_tables import SHARE_COLUMNS, by_synthesis, cells, table_of

IDENTITY = "How many records are unique on the keys?"
MOST_SYNTHESES = 12
"""With more of them, the worst, the lowest and the highest are drawn."""

MEASURES_SHOWN = {
    "UiO": ("unique in the original", theme.ORIGINAL),
    "UiS": ("unique in the synthetic file, % of synthetic records", theme.MID_GREY),
    "UiOiS": ("unique in the original, and the keys occur in the synthetic file", theme.SYNTHETIC),
    "repU": ("unique in the original and unique in the synthetic file", theme.SYNTHETIC),
}
_NAMES, _LABELS, _ROW = 234, 68, 18
"""Pixels for names and their meaning, for labels of syntheses, and for a bar."""


def identity(assessment: Assessment) -> Drawn:
    """Draw UiO, UiS, UiOiS and repU of the keys alone, for each synthesis.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        Bars; exclusions that depend on a target are not taken into account.
    """
    names: list[dict[str, Any]] = []
    words: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    drawn: dict[str, list[dict[str, Any]]] = {}
    labelled = len(assessment.synthetic) > 1
    left = _NAMES + (_LABELS if labelled else 0)
    y = 16.0
    for measure, (meaning, _) in MEASURES_SHOWN.items():
        values = _values(assessment, measure)
        explained = paragraph(meaning, _NAMES - 54, theme.SMALL_SIZE)
        places = [y + _ROW * n for n in range(len(values))]
        names.append({"x": 0, "y": y, "text": measure})
        words += [{"x": 46, "y": y + n * LINE, "text": line} for n, line in enumerate(explained)]
        labels += [{"x": left - 8, "y": place, "text": label} for (label, _), place in zip(values, places, strict=True)]
        drawn[measure] = [
            {"x": one.percent, "y": place, "text": percentage(one.percent), "measure": measure, **one.words}
            | ({"synthesis": label} if label else {})
            for (label, one), place in zip(values, places, strict=True)
        ]
        y += max(_ROW * len(values), LINE * len(explained)) + 14
    y -= 14
    panel = Panel(
        left,
        theme.WIDTH - 42,
        title="% of original records, for UiS % of synthetic records (higher is worse)",
    )
    shown = [
        mark for name, (_, colour) in MEASURES_SHOWN.items() for mark in bars(drawn[name], panel, colour, thickness=11)
    ]
    m = len(assessment.synthetic)
    return figure(
        texts(names, strong=True),
        small(words),
        texts(labels, align="right", size=theme.SMALL_SIZE),
        stacked(grid(panel, 0, y), *shown),
        height=y,
        question=IDENTITY,
        subtitle="A unique record is alone with its combination of keys. Replicated uniques (repU) would be found, "
        "and look unique, in the synthetic file." + (f" There are {m} synthetic files." if m > 1 else ""),
        description=f"{_in_words(assessment)}"
        + of_several(assessment.synthetic, ", the one that replicates most uniques"),
    )


def _in_words(assessment: Assessment) -> str:
    alone, synthetic, found, both = (percent(worst_value(assessment, name)) for name in MEASURES_SHOWN)
    return (
        f"Unique in the original (UiO): {alone}; of these, keys that occur in the synthetic file (UiOiS): {found}, "
        f"keys that are unique in it, too (repU): {both} of the original records. Unique in the synthetic file (UiS): "
        f"{synthetic} of the synthetic records."
    )


def _values(assessment: Assessment, measure: str) -> list[tuple[str, Share]]:
    """Give the values of one measure with a label each; one without a label where they do not differ."""
    found = shares(assessment, measure)
    if measure == "UiO" or len(found) == 1:
        return [("", found[0])]
    if len(found) <= MOST_SYNTHESES:
        return [(f"synthetic {synthesis}", one) for synthesis, one in enumerate(found, start=1)]
    rising = sorted((one for one in found if one.percent is not None), key=lambda one: one.percent or 0)
    worst = worst_share(assessment, measure)
    return [("worst file", worst), ("lowest", rising[0]), ("highest", rising[-1])] if rising else [("", found[0])]


def identity_table(assessment: Assessment) -> pd.DataFrame:
    """Give the identity measures: synthesis, measure, percent and the records behind it."""
    rows = [
        (synthesis, measure, *cells(one))
        for measure in MEASURES_SHOWN
        for synthesis, one in by_synthesis(shares(assessment, measure), worst_file(assessment).synthesis)
    ]
    return table_of(rows, ["synthesis", "measure", *SHARE_COLUMNS])


CHART = Chart("identity", IDENTITY, identity, lambda _: True, "", identity_table, whole=True)
