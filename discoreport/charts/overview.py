"""The figure that comes first: what the original, and what the synthetic file, gives away about each target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import apart
from discoreport.assessment.shares import tip
from discoreport.charts.chart import NO_TARGETS, Chart, has_targets
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.arrows import NUMBER, arrows
from discoreport.charts.drawing.layout import Label, Panel, domain_for, rows, ticks_for
from discoreport.charts.drawing.marks import figure, grid, names_of, stacked, symbols, texts
from discoreport.charts.drawing.target_rows import averaged, by_risk, highest
from discoreport.charts.drawing.text import clean, counted, level
from discoreport.charts.figure_tables import of_targets

if TYPE_CHECKING:
    import altair as alt

OVERVIEW = "What does the synthetic file give away about each target?"
_HEAD, _NOTE = 28, 142
"""Pixels for the explanation of the signs, and for what to check."""
_IN_WORDS = {
    "Dorig": "what the original itself would give away",
    "DiSCO": "what the synthetic file gives away",
}


def overview(assessment: Assessment) -> alt.LayerChart:
    """Draw an arrow for each target from Dorig to DiSCO, the highest DiSCO on top.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        Means over the syntheses. Flagged targets have a diamond and say what to check.
    """
    targets = by_risk(assessment)
    notes = [_flags_in_words(assessment, target) for target in targets]
    flagged = any(notes)
    placed = rows([clean(target) for target in targets], top=_HEAD, notes=notes, note_width=_NOTE)
    values: list[dict[str, Any]] = [
        {
            "name": clean(target),
            "y": y,
            "x": assessment.value("Dorig", target),
            "x2": assessment.value("DiSCO", target),
            "tip": tip(assessment, "Dorig", target),
            "tip2": tip(assessment, "DiSCO", target),
        }
        for target, y in zip(targets, placed.middles, strict=True)
    ]
    domain = domain_for([value[end] for value in values for end in ("x", "x2")])
    panel = Panel(
        placed.left + NUMBER,
        theme.WIDTH - NUMBER - (_NOTE + 16 if flagged else 0),
        domain=domain,
        title=theme.PERCENT_TITLE,
        ticks=ticks_for(domain),
    )
    told = " A diamond marks findings that may be general knowledge, and levels that were left out." if flagged else ""
    return figure(
        names_of(placed),
        *_head(placed.height),
        stacked(grid(panel, _HEAD - 4, placed.height), *arrows(values, panel, placed.height)),
        *_remarks(placed.notes, panel.right + NUMBER, placed.height),
        height=placed.height,
        title=OVERVIEW,
        subtitle=f"Each arrow runs from Dorig to DiSCO; the target with the highest DiSCO is on top.{told}"
        + averaged(assessment),
        description=f"{OVERVIEW} {highest(assessment, targets, 'DiSCO', ['Dorig'])}{_flags_counted(notes)}"
        + averaged(assessment),
    )


def _head(height: float) -> list[alt.Chart]:
    """Say above the rows which sign stands for which measure."""
    first, second = (f"{name}: {words}" for name, words in _IN_WORDS.items())
    start, middle = 5.0, theme.WIDTH / 2
    return [
        symbols([{"x": start, "y": 8}], height, shape="circle", colour=theme.ORIGINAL, hollow=True),
        texts([{"x": start + 10, "y": 8, "text": first}], height, colour=theme.ORIGINAL),
        symbols([{"x": middle, "y": 8}], height, shape="triangle-right", colour=theme.SYNTHETIC, size=100),
        texts([{"x": middle + 10, "y": 8, "text": second}], height, colour=theme.SYNTHETIC, strong=True),
    ]


def _remarks(notes: Sequence[Label], x: float, height: float) -> list[alt.Chart]:
    """Write what to check at the right of flagged rows, behind a diamond."""
    flagged = [note for note in notes if note.lines]
    signs = [{"x": x, "y": note.middle} for note in flagged]
    words = [value for note in flagged for value in note.values(x + 10)]
    return [
        symbols(signs, height, shape="diamond", colour=theme.INK, size=60),
        texts(words, height, size=theme.SMALL_SIZE, colour=theme.INK),
    ]


@dataclass(frozen=True)
class Flags:
    """What is to be checked about a target: flagged levels, number of flagged pairs, of levels left out."""

    levels: tuple[str, ...]
    n_pairs: int
    n_left_out: int


def flags_of(assessment: Assessment, target: str) -> Flags:
    """Collect the flags of one target; one that several syntheses raise alike counts once."""
    levels = apart([level(one) for one in assessment.one_way_levels(target)])
    pairs = {
        (flag.key, flag.key_level, flag.target_level) for flag in assessment.outcome.two_way if flag.target == target
    }
    return Flags(tuple(levels), len(pairs), sum(rule.target == target for rule in assessment.settings.exclude))


def _flags_in_words(assessment: Assessment, target: str) -> str:
    """Name the flagged level and count the flagged pairs of one target; empty where none is flagged."""
    flags = flags_of(assessment, target)
    parts = [f"level {', '.join(flags.levels)}"] if flags.levels else []
    parts += [counted(flags.n_pairs, "pair").replace(" ", "\u00a0")] if flags.n_pairs else []
    left_out = [f"{counted(flags.n_left_out, 'level')} left out"] if flags.n_left_out else []
    return "; ".join([*(["check: " + "; ".join(parts)] if parts else []), *left_out])


def _flags_counted(notes: list[str]) -> str:
    n_flagged = sum(1 for note in notes if note)
    return f" {counted(n_flagged, 'target has', 'targets have')} findings to check." if n_flagged else ""


def overview_table(assessment: Assessment) -> pd.DataFrame:
    """Give both ends of each arrow, and what is flagged or left out.

    Parameters
    ----------
    assessment
        What is drawn.

    Returns
    -------
    pandas.DataFrame
        Columns target, synthesis, measure, percent, n_records, denominator, n_denominator, and of each
        target one_way (flagged levels), two_way (number of flagged pairs), left_out (number of rules).
    """
    table = of_targets(assessment, ("Dorig", "DiSCO"))
    flags = {target: flags_of(assessment, target) for target in assessment.targets}
    table["one_way"] = [", ".join(flags[target].levels) for target in table["target"]]
    table["two_way"] = [flags[target].n_pairs for target in table["target"]]
    table["left_out"] = [flags[target].n_left_out for target in table["target"]]
    return table


CHART = Chart("overview", OVERVIEW, overview, has_targets, NO_TARGETS, overview_table)
