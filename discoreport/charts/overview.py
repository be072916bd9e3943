"""The figure that comes first: what the original, and what the synthetic file, gives away about each target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import of_file, share
from discoreport.assessment.formatting import apart, percent, percentage, points
from discoreport.assessment.results import Result, excess
from discoreport.assessment.worst_file import worst_files, worst_first
from discoreport.charts.chart import NO_TARGETS, Chart, has_targets
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.arrows import NUMBER
from discoreport.charts.drawing.layout import Label, Panel, domain_for, rows, ticks_for
from discoreport.charts.drawing.marks import (
    Drawn,
    Layer,
    figure,
    grid,
    lines,
    names_of,
    sign,
    small,
    spots,
    stacked,
    symbols,
    texts,
)
from discoreport.charts.drawing.target_rows import named, of_worst
from discoreport.charts.drawing.text import clean, counted, level, listed
from discoreport.charts.figure_tables import of_targets

OVERVIEW = "What does the synthetic file give away about each target?"
_HEAD, _NOTE, _BEYOND = 46, 142, 62
"""Pixels for the explanation of the signs, for what to check, and for the points beyond chance."""
_NUMBER_TAKES = 22
"""Percentage points that a number beside its mark covers."""
_NOTHING = 0.05
"""Less than this is nothing beyond chance at one decimal."""


def overview(assessment: Assessment) -> Drawn:
    """Draw a line for each target from what chance would give to DiSCO, most beyond chance on top.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        Of several files, for each target the one that gives most away beyond chance. A thin mark is Dorig. Flagged
        targets have a diamond and say what to check.
    """
    targets = worst_first(assessment)
    notes = [_flags_in_words(assessment, target) for target in targets]
    flagged = any(notes)
    placed = rows(named(assessment, targets), top=_HEAD, notes=notes, note_width=_NOTE)
    found = worst_files(assessment)
    values = [_row(assessment, found[target], y) for target, y in zip(targets, placed.middles, strict=True)]
    domain = domain_for([value[measure] for value in values for measure in _DRAWN])
    panel = Panel(
        placed.left + NUMBER,
        theme.WIDTH - NUMBER - _BEYOND - (_NOTE + 16 if flagged else 0),
        domain=domain,
        title=theme.PERCENT_TITLE,
        ticks=ticks_for(domain),
    )
    worst = of_worst(assessment)
    to_check = f" {counted(sum(map(bool, notes)), 'target has', 'targets have')} findings to check." if flagged else ""
    told = " A diamond marks findings that may be general knowledge, and levels that were left out." if flagged else ""
    return figure(
        names_of(placed),
        *_head(panel.right + NUMBER),
        stacked(grid(panel, _HEAD - 4, placed.height), *_marks(values, panel)),
        *_beyond(values, panel.right + NUMBER),
        *_remarks(placed.notes, panel.right + NUMBER + _BEYOND),
        height=placed.height,
        question=OVERVIEW,
        subtitle="Each line runs from what chance would give to DiSCO; the target with most beyond chance is on top."
        + told
        + worst,
        description=f"{_in_words(values)}{to_check}{worst}",
    )


_DRAWN = ("baseDiSCO", "DiSCO", "Dorig")


def _row(assessment: Assessment, result: Result, y: float) -> dict[str, Any]:
    """Gather what is drawn of a target: its worst file's figures, and what tooltips tell of them."""
    file = of_file(assessment, result.synthesis)
    tips = {name: {**file, "measure": name, **share(assessment, result, name).words} for name in _DRAWN}
    figures = {name: result.values[name] for name in _DRAWN}
    return {"name": clean(result.target), "y": y, "tips": tips, "excess": excess(result.values), **figures}


def _marks(values: Sequence[dict[str, Any]], panel: Panel) -> list[Layer]:
    """Draw the lines, their ends, and the numbers of DiSCO, in the colour of what is beyond chance or not."""

    def at(measure: str, among: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {"x": one[measure], "y": one["y"], "name": one["name"], **one["tips"][measure]}
            for one in among
            if one[measure] is not None
        ]

    marks = [
        lines([{"x": one["x"], "y": one["y"] - 8, "y2": one["y"] + 8} for one in at("Dorig", values)],
              colour=theme.ORIGINAL, panel=panel, thickness=1.5),
        spots(at("Dorig", values), panel),
    ]  # fmt: skip
    for colour, shape, among in (
        (theme.SYNTHETIC, "triangle-right", [one for one in values if _is_beyond(one)]),
        (theme.GREY, "circle", [one for one in values if not _is_beyond(one)]),
    ):
        whole = [one for one in among if one["excess"] is not None]
        ends = [{"x": one["baseDiSCO"], "x2": one["DiSCO"], "y": one["y"], "name": one["name"]} for one in whole]
        numbers = [
            {"x": _clear_of_marks(one), "y": one["y"], "text": percentage(one["DiSCO"])}
            for one in among
            if one["DiSCO"] is not None
        ]
        marks += [
            lines(ends, colour=colour, panel=panel, thickness=2.5),
            symbols(at("baseDiSCO", among), shape="circle", colour=theme.MID_GREY, panel=panel, hollow=True),
            symbols(at("DiSCO", among), shape=shape, colour=colour, panel=panel, size=90),
            texts(numbers, panel=panel, colour=colour, strong=True, dx=11),
        ]
    return marks


def _clear_of_marks(value: dict[str, Any]) -> float:
    """Say after which mark the number of DiSCO stands, so that none runs through it."""
    last = max(value["DiSCO"], value["baseDiSCO"] or 0)
    own = value["Dorig"]
    return float(own if own is not None and last < own < last + _NUMBER_TAKES else last)


def _is_beyond(value: dict[str, Any]) -> bool:
    """Tell whether a target gives anything away beyond chance; where that isn't known, it may."""
    return value["excess"] is None or bool(value["excess"] >= _NOTHING)


def _beyond(values: Sequence[dict[str, Any]], x: float) -> list[Layer]:
    """Write the points beyond chance at the right of the rows."""
    drawn = []
    for colour, beyond in ((theme.SYNTHETIC, True), (theme.GREY, False)):
        numbers = [
            {"x": x + _BEYOND - 16, "y": one["y"], "text": points(one["excess"])}
            for one in values
            if _is_beyond(one) == beyond
        ]
        drawn.append(texts(numbers, align="right", colour=colour, strong=beyond))
    return drawn


def _in_words(values: Sequence[dict[str, Any]]) -> str:
    """Tell the figures of all targets where they are few, of the first and last otherwise."""

    def told(one: dict[str, Any]) -> str:
        by_chance = f"by chance {percent(one['baseDiSCO'])}, original {percent(one['Dorig'])}"
        return f"{one['name']} {percent(one['DiSCO'])}, {points(one['excess'])} points beyond chance ({by_chance})"

    if len(values) <= 6:
        return f"DiSCO: {listed([told(one) for one in values])}."
    first, n = listed([told(one) for one in values[:3]]), counted(len(values), "target")
    return f"DiSCO is furthest beyond chance for {first}, and least for {told(values[-1])}, of {n}."


def _head(beyond: float) -> list[Layer]:
    """Say above the rows which sign stands for which measure."""
    by_chance, given_away = "baseDiSCO: what chance would give", "DiSCO: what the synthetic file gives away"
    of_original = [{"x": 15.0, "y": 25, "text": "Dorig: what the original itself would give away"}]
    middle = theme.WIDTH / 2 - 20
    return [
        *sign(5.0, by_chance, shape="circle", colour=theme.MID_GREY, hollow=True, colour_of_words=theme.GREY),
        *sign(middle, given_away, shape="triangle-right", colour=theme.SYNTHETIC, size=100, strong=True),
        lines([{"x": 5.0, "y": 18, "y2": 32}], colour=theme.ORIGINAL, thickness=1.5),
        texts(of_original, colour=theme.ORIGINAL),
        small([{"x": beyond + _BEYOND - 16, "y": 25, "text": "beyond chance"}], align="right"),
    ]


def _remarks(notes: Sequence[Label], x: float) -> list[Layer]:
    """Write what to check at the right of flagged rows, behind a diamond."""
    flagged = [note for note in notes if note.lines]
    signs = [{"x": x, "y": note.middle} for note in flagged]
    words = [value for note in flagged for value in note.values(x + 10)]
    return [
        symbols(signs, shape="diamond", colour=theme.INK, size=60),
        texts(words, size=theme.SMALL_SIZE, colour=theme.INK),
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


def overview_table(assessment: Assessment) -> pd.DataFrame:
    """Give both ends of each line, the mark beside it, and what is flagged or left out.

    Parameters
    ----------
    assessment
        What is drawn.

    Returns
    -------
    pandas.DataFrame
        Columns target, synthesis, measure, percent, n_records, denominator, n_denominator, and of each
        target excess (of its worst file, in percentage points), one_way (flagged levels), two_way (number of
        flagged pairs), left_out (number of rules).
    """
    table = of_targets(assessment, _DRAWN, worst_first(assessment))
    flags = {target: flags_of(assessment, target) for target in assessment.targets}
    beyond = {target: excess(worst.values) for target, worst in worst_files(assessment).items()}
    table["excess"] = table["target"].map(beyond).astype("float64")
    table["one_way"] = [", ".join(flags[target].levels) for target in table["target"]]
    table["two_way"] = [flags[target].n_pairs for target in table["target"]]
    table["left_out"] = [flags[target].n_left_out for target in table["target"]]
    return table


CHART = Chart("overview", OVERVIEW, overview, has_targets, NO_TARGETS, overview_table)
