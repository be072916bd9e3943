"""The worst of several files: of each target the one with most beyond chance, of the keys the one with most repU."""

from __future__ import annotations

from discoreport.assessment.measured import Measured
from discoreport.assessment.results import Result, excess


def worst_file(assessment: Measured, target: str = "") -> Result:
    """Find the file that is worst for a target, or for the keys ("").

    Parameters
    ----------
    assessment
        With one synthetic file or several.
    target
        Of the assessment.

    Returns
    -------
    Result
        Of the synthesis with the greatest excess, or for the keys the greatest repU; the first of those that tie.
        Where the excess isn't known, the greatest DiSCO decides.
    """
    if not target:
        return max(assessment.identity_results, key=lambda result: result.values["repU"] or 0.0)
    return max((result for result in assessment.outcome.results if result.target == target), key=_weight)


def worst_first(assessment: Measured) -> tuple[str, ...]:
    """List the targets by what their worst files give away beyond chance, most first; ties stay in their order."""
    return tuple(sorted(assessment.targets, key=lambda name: _weight(worst_file(assessment, name)), reverse=True))


def _weight(result: Result) -> tuple[float, float]:
    beyond, disco = excess(result.values), result.values["DiSCO"]
    return (-float("inf") if beyond is None else beyond), (0.0 if disco is None else disco)
