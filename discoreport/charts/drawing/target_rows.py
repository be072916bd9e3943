"""Targets in the order of their risk, with the values and words that figures share."""

from __future__ import annotations

from collections.abc import Sequence

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import percent
from discoreport.charts.drawing.text import clean, counted, listed


def by_risk(assessment: Assessment, measure: str = "DiSCO") -> list[str]:
    """List the targets, those with the highest mean over the syntheses first, missing ones last."""

    def risk(target: str) -> float:
        value = assessment.value(measure, target)
        return -1.0 if value is None else value

    return sorted(assessment.targets, key=risk, reverse=True)


def averaged(assessment: Assessment) -> str:
    """Say that values are means, where there are several syntheses; empty otherwise."""
    m = len(assessment.synthetic)
    return f" Values are means over {m} synthetic files." if m > 1 else ""


def of_worst(assessment: Assessment) -> str:
    """Say that each target has its worst file, where there are several; empty otherwise."""
    m = len(assessment.synthetic)
    return f" Of {m} synthetic files, each target has the one that gives most away beyond chance." if m > 1 else ""


def of_file(assessment: Assessment, synthesis: int) -> dict[str, str]:
    """Give what a tooltip adds to a value of one synthetic file, where there are several."""
    return {"synthesis": str(synthesis)} if len(assessment.synthetic) > 1 else {}


def highest(assessment: Assessment, targets: Sequence[str], measure: str, also: Sequence[str] = ()) -> str:
    """Tell a measure's values in words: of all targets where they are few, of the first and last otherwise.

    Parameters
    ----------
    assessment
        Where the values are.
    targets
        In any order.
    measure, also
        What to tell, and what to add in brackets.
    """

    def told(target: str) -> str:
        more = ", ".join(f"{name} {percent(assessment.value(name, target))}" for name in also)
        return f"{clean(target)} {percent(assessment.value(measure, target))}" + (f" ({more})" if more else "")

    targets = sorted(targets, key=by_risk(assessment, measure).index)
    if len(targets) <= 6:
        return f"{measure}: {listed([told(target) for target in targets])}."
    first = listed([told(target) for target in targets[:3]])
    return (
        f"{measure} is highest for {first}, and lowest for {told(targets[-1])}, of {counted(len(targets), 'target')}."
    )
