"""Mitigation: what can be done to a synthetic file before its release, what it brings and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from discoreport.assessment.analyses.base import Analysis, Options, file_of, in_its_place
from discoreport.assessment.analyses.mitigation.apply import mitigate
from discoreport.assessment.analyses.mitigation.results import Mitigation
from discoreport.assessment.analyses.mitigation.steps import Steps, Synthesis
from discoreport.assessment.analyses.result import AnalysisResult
from discoreport.assessment.formatting import percent
from discoreport.assessment.measured import Measured
from discoreport.assessment.progress import Progress
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.settings import Settings


class MitigationOptions(Options):
    """Of `mitigate`."""

    steps: Steps
    synthesis: Synthesis = 1


def _run(
    original: object, synthetic: Sequence[object], settings: Settings, options: MitigationOptions, _: Progress | None
) -> AnalysisResult:
    found = mitigate(original, file_of(synthetic, options.synthesis), settings, options.steps).mitigation
    return found.model_copy(update={"synthetic": in_its_place(found.synthetic, options.synthesis, len(synthetic))})


def _in_short(found: Mitigation, assessment: Measured, _: Documentation) -> Iterator[str]:
    for one in found.of_keys:
        led = found.led_to(*assessment.synthetic)
        what = "Changes made" if led else "Changes tried"
        yield f"{what}: repU from {percent(one.before)} to {percent(one.after)}"


def _options_from(found: Mitigation, assessment: Measured) -> dict[str, Any]:
    places = found.places(assessment)  # none where the assessed file came of the steps
    return {"steps": [one.step for one in found.steps], "synthesis": places[0]} if places else {}


ANALYSIS = Analysis(
    name="mitigation",
    title="Before and after changes",
    question="What do changes of the file bring, and what do they cost?",
    tells="Steps applied to a synthetic file: risk before and after them, and what is lost.",
    options=MitigationOptions,
    runs=_run,
    in_short=_in_short,
    options_from=_options_from,
)
