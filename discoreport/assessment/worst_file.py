"""The worst of several files: of each target the one with most beyond chance, of the keys the one with most repU."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

from discoreport.assessment.measured import Measured
from discoreport.assessment.results import LevelRisk, Result, excess, figure_of
from discoreport.assessment.unit_risks import UnitRisk

Kind = TypeVar("Kind", bound=Measured)


class _Valued(Protocol):
    """What has figures by measure."""

    @property
    def values(self) -> Mapping[str, float | None]: ...


Valued = TypeVar("Valued", bound=_Valued)


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
        return worst_of(assessment.identity_results, of_keys=True)
    return worst_of(one for one in assessment.outcome.results if one.target == target)


def worst_of(results: Iterable[Valued], *, of_keys: bool = False) -> Valued:
    """Find the worst of several results of one target, or of the keys, as `worst_file` does; the first that tie."""
    return max(results, key=(lambda one: (one.values["repU"] or 0.0, 0.0)) if of_keys else _weight)


def worst_files(assessment: Measured) -> dict[str, Result]:
    """Find for each target the file that is worst for it; see `worst_file`."""
    of_target: dict[str, list[Result]] = {}
    for result in assessment.outcome.results:
        of_target.setdefault(result.target, []).append(result)
    return {target: worst_of(results) for target, results in of_target.items()}


def worst_value(assessment: Measured, measure: str, target: str | None = None) -> float | None:
    """Give one measure, or the excess, of the file that is worst for a target, or for the keys (None)."""
    return figure_of(worst_file(assessment, target).values, measure)


def most_exposed_first(assessment: Measured, measure: str = "DiSCO") -> list[str]:
    """List the targets by a measure of their worst files, the highest first, missing ones last."""
    values = {name: result.values[measure] for name, result in worst_files(assessment).items()}
    return sorted(assessment.targets, key=lambda name: -1.0 if (value := values[name]) is None else value, reverse=True)


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


def _weight(result: _Valued) -> tuple[float, float]:
    beyond, disco = excess(result.values), result.values["DiSCO"]
    return (-float("inf") if beyond is None else beyond), (0.0 if disco is None else disco)
