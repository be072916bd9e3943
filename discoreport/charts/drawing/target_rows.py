"""Targets in the order of their risk, with the values and words that figures share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import tip
from discoreport.assessment.formatting import percent, percentage
from discoreport.assessment.worst_file import most_exposed_first, worst_file, worst_files
from discoreport.charts.drawing.text import clean, counted, listed


def named(assessment: Assessment, variables: Sequence[str]) -> list[str]:
    """Name variables, each with what it is called in words, if it is."""
    labels = assessment.labels
    return [f"{clean(name)} ({clean(labels[name])})" if name in labels else clean(name) for name in variables]


def of_several(files: Sequence[object], told: str) -> str:
    """Say which of several synthetic files is drawn; empty for one."""
    return f" Of {len(files)} synthetic files{told}." if len(files) > 1 else ""


def of_worst(assessment: Assessment, *, keys: bool = False) -> str:
    """Say that each target, and where they are drawn the keys, have their worst file of several; empty for one."""
    of_keys = f", and repU the one that replicates most uniques (file {worst_file(assessment).synthesis})" * keys
    told = f", each target has the one that gives most away beyond chance{of_keys}"
    return of_several(assessment.synthetic, told)


def measured(
    assessment: Assessment, measure: str, targets: Sequence[str], middles: Sequence[float]
) -> list[dict[str, Any]]:
    """Give a measure of each target's worst file at the middle of its row: value, text and tooltip."""
    worst = worst_files(assessment)
    return [
        {
            "name": clean(target),
            "y": y,
            "x": (value := worst[target].values[measure]),
            "text": percentage(value),
            **tip(assessment, measure, target),
        }
        for target, y in zip(targets, middles, strict=True)
    ]


def highest(assessment: Assessment, targets: Sequence[str], measure: str, also: Sequence[str] = ()) -> str:
    """Tell a measure's values in words: of all targets where they are few, of the first and last otherwise.

    Parameters
    ----------
    assessment
        Where the values are; of several files, that of each target's worst one is told.
    targets
        In any order.
    measure, also
        What to tell, and what to add in brackets.
    """
    worst = worst_files(assessment)

    def told(target: str) -> str:
        values = worst[target].values
        more = ", ".join(f"{name} {percent(values[name])}" for name in also)
        return f"{clean(target)} {percent(values[measure])}" + (f" ({more})" if more else "")

    targets = sorted(targets, key=most_exposed_first(assessment, measure).index)
    if len(targets) <= 6:
        return f"{measure}: {listed([told(target) for target in targets])}."
    first = listed([told(target) for target in targets[:3]])
    return (
        f"{measure} is highest for {first}, and lowest for {told(targets[-1])}, of {counted(len(targets), 'target')}."
    )
