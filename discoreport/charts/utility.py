"""The figure of utility: how far every variable and every pair of variables differs between the files."""

from __future__ import annotations

import itertools

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.utility.results import Utility
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import number
from discoreport.charts.chart import of_analysis
from discoreport.charts.drawing.marks import Drawn, figure
from discoreport.charts.drawing.pair_map import MOST_MAPPED, pair_map
from discoreport.charts.drawing.target_rows import named, of_several
from discoreport.charts.drawing.text import clean, counted

_MOST_LABELLED = 20
"""Of so many variables the map has what they are called in words, too; with more, rows are too low for that."""


def utility(assessment: Assessment, found: Utility) -> Drawn:
    """Draw S_pMSE of every variable and every pair of them, of the file where it is highest.

    Returns
    -------
    altair.LayerChart
        A square for each pair; the variables in the worst tables come first.
    """
    names = _order(found)
    shown = names[:MOST_MAPPED]
    worst = {one.variables: one.S_pMSE for n in (1, 2) for one in found.worst(n)}
    values = {
        (row, column): worst.get(tuple(sorted({shown[row], shown[column]}, key=found.compared.index)))
        for column, row in itertools.combinations_with_replacement(range(len(shown)), 2)
    }
    called = named(assessment, shown) if len(shown) <= _MOST_LABELLED else list(map(clean, shown))
    layers, height = pair_map(called, values)
    left = len(names) - len(shown)
    more = f" {counted(left, 'more variable is', 'more variables are')} in the table." if left else ""
    files = of_several(found.synthetic, ", each square has the one that differs most")
    return figure(
        *layers,
        height=height,
        question=ANALYSES["utility"].question,
        subtitle="S_pMSE of each pair of variables, and on the diagonal of each variable: 1 is what a correct "
        f"synthesis gives on average, and the darker, the further the files are apart.{files}{more}",
        description=f"{_in_words(found)}{files}{more}",
    )


def _order(found: Utility) -> list[str]:
    """List the variables by the worst table that each is in."""
    worst = dict.fromkeys(found.compared, -1.0)
    for one in (*found.worst(1), *found.worst(2)):
        for name in one.variables:
            worst[name] = max(worst[name], one.rank)
    return sorted(worst, key=lambda name: -worst[name])


def _in_words(found: Utility) -> str:
    told = []
    for n, what in ((1, "variable"), (2, "pair")):
        tables = found.worst(n)
        if tables and tables[0].S_pMSE is not None:
            names = " and ".join(map(clean, tables[0].variables))
            told.append(f"Of {counted(len(tables), what)}, {names} differs most: S_pMSE {number(tables[0].S_pMSE)}.")
    return " ".join(told)


CHART = of_analysis(
    "utility",
    utility,
    lambda _, found: any(one.S_pMSE is not None for one in found.tables),
    lambda _, found: found.table,
    whole=True,
)
