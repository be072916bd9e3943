"""The figure of several possible releases of one original, side by side."""

from __future__ import annotations

from typing import Any

import pandas as pd

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.measure_columns import Column, columns_of
from discoreport.assessment.analyses.releases import ReleaseComparison
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import percent, percentage
from discoreport.charts.chart import of_analysis
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.bar_columns import Grid
from discoreport.charts.drawing.marks import Drawn, figure, names_of
from discoreport.charts.drawing.text import clean, counted, listed


def releases(assessment: Assessment, found: ReleaseComparison) -> Drawn:
    """Draw repU, and DiSCO of the most exposed targets, of each release.

    Parameters
    ----------
    assessment, found
        What to draw.

    Returns
    -------
    altair.LayerChart
        Of each release's worst file; the assessed one is orange, the others are grey.
    """
    names = found.by_risk(assessment)
    columns = columns_of(assessment, found.settings.targets or ())
    shares = {column: {name: found.value(column.measure, name, column.target) for name in names} for column in columns}
    assessed = found.assessed(assessment)
    written = [clean(name) + (" (assessed)" if name == assessed else "") for name in names]
    grid = Grid(assessment, columns, written)

    def values(column: Column) -> list[dict[str, Any]]:
        return [
            {
                "x": shares[column][name],
                "y": y,
                "text": percentage(shares[column][name]),
                "release": clean(name),
                "measure": column.told,
                "value": percent(shares[column][name]),
                "own": name == assessed,
            }
            for name, y in zip(names, grid.placed.middles, strict=True)
        ]

    told = f" Orange: the assessed one, {clean(assessed)}." if assessed else ""
    several = any(len(one.synthetic) > 1 for one in found.releases)
    worst = " Of a release with several files, each value is that of the worst one." if several else ""
    return figure(
        names_of(grid.placed),
        *grid.draw(values),
        height=grid.placed.height,
        question=ANALYSES["releases"].question,
        subtitle=f"{theme.PERCENT_TITLE}; bars run from 0 to 100 %. The release that gives away most is on top."
        f"{told}{worst}",
        description=f"{_in_words(names, shares)}{told}{worst}",
    )


def releases_table(assessment: Assessment, found: ReleaseComparison) -> pd.DataFrame:
    """Give the main measures of each release and target, of its worst file, and whether it is the assessed one."""
    table = found.summary
    return table.assign(assessed=table["release"] == found.assessed(assessment))


def _in_words(names: list[str], shares: dict[Column, dict[str, float | None]]) -> str:
    told = []
    for column in list(shares)[:2]:
        values = [f"{clean(name)} {percent(shares[column][name])}" for name in names[:6]]
        more = f", and {counted(len(names) - 6, 'more release')}" if len(names) > 6 else ""
        told.append(f"{column.told}: {listed(values)}{more}")
    return f"{'; '.join(told)}."


CHART = of_analysis("releases", releases, lambda _, found: len(found.releases) > 1, releases_table, whole=True)
