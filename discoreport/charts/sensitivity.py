"""The figure of the sensitivity to the keys: how much each of them adds to the risk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.measure_columns import Column, columns_of
from discoreport.assessment.analyses.sensitivity.results import Sensitivity
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import percent, points
from discoreport.charts.chart import of_analysis
from discoreport.charts.drawing.bar_columns import Grid
from discoreport.charts.drawing.marks import Drawn, figure, names_of
from discoreport.charts.drawing.target_rows import named
from discoreport.charts.drawing.text import clean, counted, listed
from discoreport.charts.drawing.xy_plane import steps_to


def sensitivity(assessment: Assessment, found: Sensitivity) -> Drawn:
    """Draw what each key adds to repU, and to DiSCO of the most exposed targets.

    Parameters
    ----------
    assessment, found
        What to draw.

    Returns
    -------
    altair.LayerChart
        Bars in percentage points, means over the syntheses; the key that adds most to the first column is on top.
    """
    columns = _columns(assessment, found)
    shares = {column: found.added(column.measure, column.target) for column in columns}
    keys = found.by_added(shares[columns[0]])
    own = found.settings.keys
    called = zip(keys, named(assessment, keys), strict=True)
    names = [words + ("" if key in own else " (no key)") for key, words in called]
    known = [value for of_column in shares.values() for value in of_column.values() if value is not None]
    ends = steps_to(max([1.0, *known]), 5)[-1], min([0.0, *known])
    grid = Grid(assessment, columns, names, domain=(min(ends), max(ends)))

    def values(column: Column) -> list[dict[str, Any]]:
        return [
            {
                "x": shares[column][key],
                "y": y,
                "text": points(shares[column][key]),
                "key": clean(key),
                "measure": column.told,
                "value": f"{points(shares[column][key])} percentage points",
                "own": key in own,
            }
            for key, y in zip(keys, grid.placed.middles, strict=True)
        ]

    grey = " Grey bars: variables that are no keys of this assessment." if len(own) < len(keys) else ""
    what = (
        "Percentage points that each key adds on average over all orders of learning the keys"
        if found.complete
        else "Percentage points that are lost without a key, or won with a further one"
    )
    return figure(
        names_of(grid.placed),
        *grid.draw(values),
        height=grid.placed.height,
        question=ANALYSES["sensitivity"].question,
        subtitle=f"{what}; bars of all columns have the same scale.{grey}{_of_worst(found, columns)}",
        description=f"{_in_words(found, columns, shares)}{_of_worst(found, columns)}",
    )


def sensitivity_table(assessment: Assessment, found: Sensitivity) -> pd.DataFrame:
    """Give what is drawn.

    Returns
    -------
    pandas.DataFrame
        Columns measure, target, key, role ("key" or "candidate"), share (percentage points), method ("Shapley", or
        "difference" where not every subset was evaluated), with_all and with_none (the measure with all candidates
        known, and with none), without (the measure with all keys of the assessment but this one), synthesis (the file
        that it is of).
    """
    rows: list[tuple[Any, ...]] = []
    for column in _columns(assessment, found):
        measure, target = column.measure, column.target
        lacking = found.without(measure, target)
        ends = [found.value(measure, keys, target) for keys in (found.candidates, ())]
        for key, share in found.added(measure, target).items():
            role = "key" if key in found.settings.keys else "candidate"
            method = "Shapley" if found.complete else "difference"
            rows.append(
                (measure, target or "", key, role, share, method, *ends, lacking.get(key), _file(found, column))
            )
    figures = ["share", "with_all", "with_none", "without"]
    names = ["measure", "target", "key", "role", "share", "method", "with_all", "with_none", "without", "synthesis"]
    return pd.DataFrame(rows, columns=names).astype(dict.fromkeys(figures, "float64"))


def _columns(assessment: Assessment, found: Sensitivity) -> list[Column]:
    return columns_of(assessment, found.targets, found.measures)


def _of_worst(found: Sensitivity, columns: Sequence[Column]) -> str:
    """Say which file each column is of, where there are several."""
    m, told = len(found.synthetic), [f"{column.told}: file {_file(found, column)}" for column in columns]
    return f" Of {m} files, each column has the one where its measure is highest ({listed(told)})." if m > 1 else ""


def _file(found: Sensitivity, column: Column) -> int:
    return found.file(column.measure, column.target)


def _in_words(found: Sensitivity, columns: Sequence[Column], shares: dict[Column, dict[str, float | None]]) -> str:
    told = []
    for column in columns[:3]:
        most = found.by_added(shares[column])[0]
        whole = found.value(column.measure, found.candidates, column.target)
        told.append(
            f"{clean(most)} adds most to {column.told}: {points(shares[column][most])} percentage points, of "
            f"{percent(whole)} with all {counted(len(found.candidates), 'variable')} known"
        )
    return f"{listed(told)}."


CHART = of_analysis(
    "sensitivity", sensitivity, lambda one, found: bool(_columns(one, found)), sensitivity_table, whole=True
)
