"""The worst of several files: of each target the one with most beyond chance, of the keys the one with most repU."""

from __future__ import annotations

from typing import TypeVar

from discoreport.assessment.analysed import Analysed
from discoreport.assessment.measured import Measured
from discoreport.assessment.results import LevelRisk, Result, excess
from discoreport.assessment.shares import Share, of_original
from discoreport.assessment.unit_risks import UnitRisk

Kind = TypeVar("Kind", bound=Measured)


def worst_file(assessment: Measured, target: str | None = None) -> Result:
    """Find the file that is worst for a target, or for the keys (None).

    Parameters
    ----------
    assessment
        With one synthetic file or several.
    target
        Of the assessment; None for the keys.

    Returns
    -------
    Result
        Of the synthesis with the greatest excess, or for the keys the greatest repU; the first of those that tie.
        Where the excess isn't known, the greatest DiSCO decides.
    """
    if target is None:
        return max(assessment.identity_results, key=lambda result: result.values["repU"] or 0.0)
    return worst_files(assessment)[target]


def worst_files(assessment: Measured) -> dict[str, Result]:
    """Find for each target the file that is worst for it; see `worst_file`."""
    worst: dict[str, Result] = {}
    for result in assessment.outcome.results:
        if result.target not in worst or _weight(result) > _weight(worst[result.target]):
            worst[result.target] = result
    return worst


def worst_units(assessment: Measured) -> UnitRisk | None:
    """Give the identity risk of units in the file with most that are unique in both; None where none were counted."""
    return max(assessment.unit_risks, key=lambda risk: risk.percent, default=None)


def levels_of_worst(assessment: Measured, target: str) -> tuple[LevelRisk, ...]:
    """Give what is given away of each level of a target, in the file that is worst for it."""
    case = target, worst_file(assessment, target).synthesis
    return tuple(one for one in assessment.level_risks if (one.target, one.synthesis) == case)


def worst_first(assessment: Measured) -> tuple[str, ...]:
    """List the targets by what their worst files give away beyond chance, most first; ties stay in their order."""
    worst = worst_files(assessment)
    return tuple(sorted(assessment.targets, key=lambda name: _weight(worst[name]), reverse=True))


def of_worst_files(assessment: Kind) -> Kind:
    """Give an assessment as of one file whose figures are, target by target, those of the worst file; for a figure."""
    first, worst = {"synthesis": 1}, worst_files(assessment)
    outcome = assessment.outcome.model_copy(
        update={
            "identity": (worst_file(assessment).model_copy(update=first),),
            "results": tuple(worst[name].model_copy(update=first) for name in assessment.targets),
        }
    )
    return assessment.model_copy(update={"synthetic": assessment.synthetic[:1], "outcome": outcome})


def _weight(result: Result) -> tuple[float, float]:
    beyond, disco = excess(result.values), result.values["DiSCO"]
    return (-float("inf") if beyond is None else beyond), (0.0 if disco is None else disco)


def any_file(assessment: Analysed, measure: str, target: str | None = None) -> Share | None:
    """Give the original records that at least one of several files gives away, those of earlier releases among them.

    None where there is one file, where a measure has no such figure, and in records saved before it was found.
    """
    found = assessment.analyses.pooled
    figure = found.figure(measure, target) if found is not None and found.n_files > 1 else None
    return None if figure is None or figure.any is None else of_original(figure.any, assessment.original.n_records)
