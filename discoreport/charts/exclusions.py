"""The figure of exclusions: what they change."""

from __future__ import annotations

from typing import Any

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import shares, tip
from discoreport.assessment.formatting import percent
from discoreport.assessment.worst_file import most_exposed_first, worst_file, worst_value
from discoreport.charts.chart import Chart
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.arrows import NUMBER, arrows
from discoreport.charts.drawing.layout import Panel, rows
from discoreport.charts.drawing.marks import Drawn, figure, grid, heads, names_of, stacked
from discoreport.charts.drawing.target_rows import named, of_worst
from discoreport.charts.drawing.text import clean, counted, listed, paragraph
from discoreport.charts.figure_tables import SHARE_COLUMNS, by_synthesis, cells, table_of

EXCLUSIONS = "What do the exclusions change?"
MEASURES_SHOWN = {
    "Dorig": ("what the original itself would give away", theme.ORIGINAL),
    "DiSCO": ("what the synthetic file gives away", theme.SYNTHETIC),
}


def exclusions(assessment: Assessment) -> Drawn:
    """Draw Dorig and DiSCO before and after exclusions, for each target that loses records by them.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        An arrow a target and measure, of its worst file before and after; the target whose DiSCO was highest
        before is on top.
    """
    plain = assessment.without_exclusions()
    targets = affected(assessment)
    top, gap = 48, 6
    placed = rows(named(assessment, targets), top=top, widest=160)
    pitch = (theme.WIDTH - placed.left) / len(MEASURES_SHOWN)
    starts = [placed.left + n * pitch + NUMBER for n in range(len(MEASURES_SHOWN))]
    panels = []
    for start, (measure, (_, colour)) in zip(starts, MEASURES_SHOWN.items(), strict=True):
        panel = Panel(
            start,
            start + pitch - 2 * NUMBER - gap,
            ticks=(0, 50, 100),
            title=theme.PERCENT_TITLE if measure == "Dorig" else "",
        )
        values = [
            {
                "name": clean(target),
                "y": y,
                "x": worst_value(plain, measure, target),
                "x2": worst_value(assessment, measure, target),
                "tip": tip(plain, measure, target),
                "tip2": tip(assessment, measure, target),
            }
            for target, y in zip(targets, placed.middles, strict=True)
        ]
        drawn = arrows(values, panel, after=colour)
        panels.append(stacked(grid(panel, top - 6, placed.height), *drawn))
    rest = len(assessment.targets) - len(targets)
    unchanged = f" {counted(rest, 'target loses', 'targets lose')} no records and are not shown." if rest else ""
    return figure(
        names_of(placed),
        *heads(
            [(name, paragraph(words, pitch - NUMBER, theme.SMALL_SIZE)) for name, (words, _) in MEASURES_SHOWN.items()],
            starts,
        ),
        *panels,
        height=placed.height,
        question=EXCLUSIONS,
        subtitle="Each arrow runs from the value with all records (ring) to the value after exclusions (point)."
        + unchanged
        + of_worst(assessment),
        description=f"{_in_words(plain, assessment, targets)}{of_worst(assessment)}",
    )


def affected(assessment: Assessment) -> list[str]:
    """Name the targets that lose records in any table, the one whose DiSCO was highest before first."""
    if assessment.outcome_without_exclusions is None:
        return []
    losing = {
        result.target
        for result in assessment.outcome.results
        if any(n for counts in result.removed.values() for reason, n in counts.items() if reason != "remaining")
    }
    return [target for target in most_exposed_first(assessment.without_exclusions()) if target in losing]


def _in_words(plain: Assessment, assessment: Assessment, targets: list[str]) -> str:
    told = [
        f"{clean(target)} {percent(worst_value(assessment, 'DiSCO', target))} "
        f"(before {percent(worst_value(plain, 'DiSCO', target))})"
        for target in targets[:6]
    ]
    more = f", and {counted(len(targets) - 6, 'more target')}" if len(targets) > 6 else ""
    return f"DiSCO after exclusions: {listed(told)}{more}."


def exclusions_table(assessment: Assessment) -> pd.DataFrame:
    """Give Dorig and DiSCO with all records and after exclusions.

    Returns
    -------
    pandas.DataFrame
        Columns target, synthesis, measure, exclusions ("none" or "applied"), percent, n_records,
        denominator, n_denominator, left_out (records of the measure that exclusions take out).
    """
    plain = assessment.without_exclusions()
    targets = affected(assessment)
    rows: list[tuple[Any, ...]] = []
    for target in targets:
        for measure in MEASURES_SHOWN:
            for name, one in (("none", plain), ("applied", assessment)):
                found = list(by_synthesis(shares(one, measure, target), worst_file(one, target).synthesis))
                left_out = [_left_out(result, measure) for result in one.outcome.results if result.target == target]
                rows += [
                    (target, synthesis, measure, name, *cells(each), n)
                    for (synthesis, each), n in zip(found, left_out, strict=True)
                ]
    return table_of(rows, ["target", "synthesis", "measure", "exclusions", *SHARE_COLUMNS, "left_out"])


def _left_out(result: Any, measure: str) -> int | None:
    counts = result.removed.get(measure)
    return None if counts is None else sum(n for reason, n in counts.items() if reason != "remaining")


CHART = Chart(
    "exclusions", EXCLUSIONS, exclusions, lambda one: bool(affected(one)), "No record is left out.", exclusions_table
)
