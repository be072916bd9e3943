"""The figure of equivalence classes: how many records share the same keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import Classes, classes_by_size, classes_of_worst, of_file
from discoreport.assessment.formatting import number, percent, percentage
from discoreport.assessment.worst_file import worst_file
from discoreport.charts.chart import Chart
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import Panel, rows
from discoreport.charts.drawing.marks import Drawn, Layer, bars, figure, grid, names_of, small, stacked, texts
from discoreport.charts.drawing.text import counted, listed
from discoreport.charts.figure_tables import SHARE_COLUMNS, by_synthesis, cells, table_of

CLASS_SIZES = "How many records share the same keys?"
_FILES = {"original": theme.ORIGINAL, "synthetic": theme.SYNTHETIC}
_TOP, _ROW, _APART = 46, 42, 8
"""Pixels for the heads, for a size, and from its middle to the middle of a bar."""
_LABEL, _NUMBER, _COLUMN = 62, 44, 78
"""Pixels for the name of the file, for the number after a bar, and for a column of counts."""


def class_sizes(assessment: Assessment) -> Drawn:
    """Draw how many records of each file have a key combination that 1, 2, 3 to 4 ... records share.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        A bar for each file and size, with the records and key combinations at the right; of several synthetic
        files, the one that replicates most uniques. Missing keys may be left out, other exclusions are not taken
        into account.
    """
    found = classes_of_worst(assessment)
    placed = rows(list(found["original"]), top=_TOP, row_height=_ROW)
    height = placed.height
    panel = Panel(placed.left + _LABEL, theme.WIDTH - 2 * _COLUMN - _NUMBER, title="% of the records of each file")
    columns = {"n_records": theme.WIDTH - _COLUMN, "n_classes": theme.WIDTH}
    heads = [
        {"x": columns["n_records"], "y": 24, "text": "records"},
        {"x": columns["n_classes"], "y": 10, "text": "combinations"},
        {"x": columns["n_classes"], "y": 24, "text": "of keys"},
    ]
    corner = [{"x": 0, "y": 10, "text": "records with"}, {"x": 0, "y": 24, "text": "the same keys"}]
    marks: list[Layer] = []
    drawn: list[Layer] = []
    for (file, colour), away in zip(_FILES.items(), (-_APART, _APART), strict=True):
        values = _values(assessment, file, found[file], [middle + away for middle in placed.middles])
        drawn += bars(values, panel, colour, thickness=11)
        labels = [{"x": panel.left - 8, "y": value["y"], "text": file} for value in values]
        marks.append(texts(labels, align="right", size=theme.SMALL_SIZE, colour=colour))
        for of_column, x in columns.items():
            counts = [round(getattr(one, of_column)) for one in found[file].values()]
            written = [
                {"x": x, "y": value["y"], "text": number(count)} for value, count in zip(values, counts, strict=True)
            ]
            marks.append(texts(written, align="right", size=theme.SMALL_SIZE))
    return figure(
        names_of(placed),
        small(corner),
        small(heads, align="right"),
        *marks,
        stacked(grid(panel, _TOP - 6, height), *drawn),
        height=height,
        question=CLASS_SIZES,
        subtitle="The fewer records share their keys, the easier each is to single out. Those in the first row are "
        "unique." + _left_out(found) + _of_worst(assessment),
        description=f"{_in_words(found)}{_of_worst(assessment)}",
    )


def _values(
    assessment: Assessment, file: str, found: Mapping[str, Classes], places: Sequence[float]
) -> list[dict[str, Any]]:
    several = of_file(assessment, worst_file(assessment).synthesis) if file == "synthetic" else {}
    return [
        {"x": one.share.percent, "y": y, "text": percentage(one.share.percent), "size": size, "file": file}
        | several
        | one.share.words
        for (size, one), y in zip(found.items(), places, strict=True)
    ]


def _left_out(found: Mapping[str, Mapping[str, Classes]]) -> str:
    """Say how many records have missing keys that do not count; empty where there are none."""
    counts = {
        file: round(next(iter(sizes.values())).share.n_denominator or 0)
        - round(sum(one.n_records for one in sizes.values()))
        for file, sizes in found.items()
    }
    told = [counted(n, f"{file} record") for file, n in counts.items() if n]
    return f" Left out for missing keys: {listed(told)}." if told else ""


def _of_worst(assessment: Assessment) -> str:
    m, file = len(assessment.synthetic), worst_file(assessment).synthesis
    return f" Synthetic values are of file {file} of {m}, which replicates most uniques." if m > 1 else ""


def _in_words(found: Mapping[str, Mapping[str, Classes]]) -> str:
    """Tell both files' shares for each size that any record has."""
    told = [
        f"{size}: {percent(one.share.percent)} ({percent(other.share.percent)})"
        for (size, one), other in zip(found["original"].items(), found["synthetic"].values(), strict=True)
        if one.n_records or other.n_records
    ]
    return f"Records with the same keys, % of the original (of the synthetic) records: {listed(told)}."


def class_sizes_table(assessment: Assessment) -> pd.DataFrame:
    """Give the sizes of key combinations.

    Returns
    -------
    pandas.DataFrame
        Columns table ("original" or "synthetic"), synthesis (none for the original), size, n_classes,
        percent, n_records, denominator, n_denominator.
    """
    rows: list[tuple[Any, ...]] = []
    for table, sizes in classes_by_size(assessment).items():
        for size, several in sizes.items():
            named = by_synthesis(several, worst_file(assessment).synthesis)
            rows += [
                (table, "" if table == "original" else synthesis, size, one.n_classes, *cells(one.share))
                for synthesis, one in named
            ]
    return table_of(rows, ["table", "synthesis", "size", "n_classes", *SHARE_COLUMNS])


CHART = Chart(
    "class_sizes",
    CLASS_SIZES,
    class_sizes,
    lambda one: bool(one.outcome.class_sizes),
    "The assessment was saved before the sizes of key combinations were counted.",
    class_sizes_table,
    whole=True,
)
