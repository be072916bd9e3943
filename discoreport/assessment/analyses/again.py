"""With what the analyses of an assessment can be run again."""

from __future__ import annotations

from discoreport.assessment.analyses.mitigation.results import Mitigation
from discoreport.assessment.analyses.options import Options
from discoreport.assessment.analyses.registry import ANALYSES
from discoreport.assessment.assessment import Assessment


def asked_of(assessment: Assessment) -> dict[str, Options]:
    """Give the options of each analysis that an assessment holds, files as `Source`; but see `led_here`."""
    found = {}
    for name, result in assessment.analyses.filled():
        one = ANALYSES[name]
        options = {**one.options_of(result, assessment), **one.files_of(result, assessment)}
        if not one.lacking(options):
            found[name] = one.chosen(options)
    return found


def led_here(assessment: Assessment) -> Mitigation | None:
    """Give the mitigation that the assessed file came of; None where there is none."""
    found = assessment.analyses.mitigation
    return found if found and any(found.led_to(file) for file in assessment.synthetic) else None
