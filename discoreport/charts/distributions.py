"""The figure of distributions: each variable as the original and the synthetic file have it, side by side."""

from __future__ import annotations

import pandas as pd

from discoreport.assessment.analyses.utility.results import Distribution, TableUtility
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import number, percent
from discoreport.charts.chart import Chart
from discoreport.charts.drawing.distribution_panels import PANELS, Compared, distribution_panels
from discoreport.charts.drawing.marks import Drawn, figure
from discoreport.charts.drawing.target_rows import named, of_several
from discoreport.charts.drawing.text import clean, counted, listed

DISTRIBUTIONS = "How is each variable distributed?"
MOST_DRAWN = 5 * PANELS
"""Variables that have a panel, those that differ most; the table has all."""
_MOST_LEVELS = 8
"""Levels of a panel; the others are put together where there are more."""


def n_pages(assessment: Assessment) -> int:
    """Say how many figures there are, of twelve variables each; further variables are in the table alone."""
    found = assessment.analyses.utility
    return 0 if found is None else -(-min(len(found.compared), MOST_DRAWN) // PANELS)


def distributions(assessment: Assessment, page: int = 1) -> Drawn:
    """Draw twelve variables as the original and the synthetic file have them, those that differ most first.

    Parameters
    ----------
    assessment
        With the analysis ``utility``.
    page
        Which twelve, counting from 1; see `n_pages`.

    Returns
    -------
    altair.LayerChart
        A panel for each variable, by S_pMSE, of the file where that is highest.
    """
    found = assessment.analyses.utility
    assert found is not None  # noqa: S101  # the chart applies only then
    of_variables = {one.variable: one for one in found.distributions}
    worst, before = found.worst(1), PANELS * (page - 1)
    shown = worst[before : before + PANELS]
    panels = [_panel(assessment, of_variables[one.variables[0]], one) for one in shown]
    n = len(worst)
    files = of_several(found.synthetic, ", each panel has the one that differs most")
    of = f" {before + 1} to {before + len(shown)} of {counted(n, 'variable')}." if n > PANELS else ""
    layers, height = distribution_panels(panels)
    said = listed([f"{clean(one.name)}: {_furthest(one)}" for one in panels[:3]])
    return figure(
        *layers,
        height=height,
        question=DISTRIBUTIONS,
        subtitle=f"% of the records of each file. The variable that differs most comes first.{of}{files}",
        description=f"The level that differs most, of {said}.{of}{files}",
    )


def _panel(assessment: Assessment, one: Distribution, table: TableUtility) -> Compared:
    """Give the shares of a variable's levels; of many levels the commonest, the others together."""
    one = commonest(one, _MOST_LEVELS)
    files = one.original, one.synthetic[table.synthesis - 1]
    shares = [tuple(100 * n / sum(of_file) for n in of_file) for of_file in files]
    levels = tuple(assessment.labelled(one.variable, level) for level in one.levels)
    written = one.model_copy(update={"levels": levels}).written
    return Compared(named(assessment, [one.variable])[0], f"S_pMSE {number(table.S_pMSE)}", written, *shares)


def commonest(one: Distribution, most: int) -> Distribution:
    """Give a distribution with the levels that most original records have, the others put together."""
    n_levels = len(one.levels)
    if n_levels <= most:
        return one
    kept = sorted(sorted(range(n_levels), key=lambda place: -one.original[place])[: most - 1])

    def shown(of_file: tuple[int, ...]) -> tuple[int, ...]:
        return (*(of_file[place] for place in kept), sum(of_file) - sum(of_file[place] for place in kept))

    return one.model_copy(
        update={
            "levels": tuple(one.levels[place] for place in kept),
            "n_together": one.n_together + n_levels - len(kept),
            "original": shown(one.original),
            "synthetic": tuple(map(shown, one.synthetic)),
        }
    )


def distributions_table(assessment: Assessment) -> pd.DataFrame:
    """Give every level of every variable, by file, small ones together: records, and their share.

    Where a panel puts further levels together, they have a row of their own, too.
    """
    found = assessment.analyses.utility
    rows = []
    for one in found.distributions if found else ():
        for part in dict.fromkeys((one, commonest(one, _MOST_LEVELS))):
            files = [("original", "", part.original)]
            files += [("synthetic", str(n), of_file) for n, of_file in enumerate(part.synthetic, start=1)]
            for file, synthesis, counts in files:
                for level, n in zip(part.written, counts, strict=True):
                    rows.append((one.variable, level, file, synthesis, n, 100 * n / sum(counts)))
    columns = ["variable", "level", "file", "synthesis", "n_records", "percent"]
    return pd.DataFrame(rows, columns=columns).drop_duplicates(ignore_index=True)


def _furthest(one: Compared) -> str:
    place = max(range(len(one.levels)), key=lambda place: abs(one.original[place] - one.synthetic[place]))
    return f"{clean(one.levels[place])} {percent(one.original[place])} against {percent(one.synthetic[place])}"


CHART = Chart(
    "distributions",
    DISTRIBUTIONS,
    distributions,
    lambda one: one.analyses.utility is not None,
    "It shows the analysis 'utility', which wasn't run.",
    distributions_table,
)
