"""Every analysis by name: the question it answers, what can be chosen, how it is run, and run again."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discoreport.assessment.analyses.check_items import FourChecks
from discoreport.assessment.analyses.control import ControlBaseline, excess_over_control
from discoreport.assessment.analyses.four_checks import four_checks
from discoreport.assessment.analyses.groups import Groups, groups
from discoreport.assessment.analyses.key_sets import Sensitivity
from discoreport.assessment.analyses.mitigation import Mitigation, mitigate
from discoreport.assessment.analyses.mitigation.trade import Trade, trade_off
from discoreport.assessment.analyses.options import (
    ControlOptions,
    FourChecksOptions,
    GroupsOptions,
    MitigationOptions,
    Options,
    ReleaseSizeOptions,
    ReleasesOptions,
    SensitivityOptions,
    TradeOffOptions,
    UncertaintyOptions,
)
from discoreport.assessment.analyses.release_size import ReleaseSizes, release_size, usual_sizes
from discoreport.assessment.analyses.releases import ReleaseComparison, compare_releases
from discoreport.assessment.analyses.result import AnalysisResult
from discoreport.assessment.analyses.sensitivity import sensitivity
from discoreport.assessment.analyses.uncertainty import Uncertainty, uncertainty
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.engines import name_of_frame
from discoreport.assessment.progress import Progress
from discoreport.assessment.results import Source
from discoreport.assessment.settings import Settings
from discoreport.assessment.toml import validated
from discoreport.errors import SettingsError

Run = Callable[[object, Sequence[object], Settings, Any, Progress | None], AnalysisResult]
"""Original, synthetic files, settings, options and progress -> result."""


@dataclass(frozen=True)
class Analysis:
    """One thing that an approver asks next.

    Parameters
    ----------
    name
        What it is called in the record (`Analyses`), on the command line and in configuration files.
    title, question, tells
        A few words for a heading, the question in the words of an approver, and a sentence on what answers it.
    options
        What can be chosen: a pydantic model whose fields have a description and, where need be, a default.
    runs
        Does it, with options of that model.
    options_of
        The options with which a result came about, by name; without those that name files of their own.
    files_of
        Those that do, with each file as a `Source`.
    """

    name: str
    title: str
    question: str
    tells: str
    options: type[Options]
    runs: Run
    options_of: Callable[[Any, Assessment], dict[str, Any]]
    files_of: Callable[[Any, Assessment], dict[str, Any]] = lambda *_: {}

    def chosen(self, options: Options | Mapping[str, Any] | None = None, where: str = "") -> Options:
        """Give the options as a model; the defaults where there are none.

        Parameters
        ----------
        options
            A model of `options`, or names and values for one.
        where
            What they come from, for the error; by default the name.

        Raises
        ------
        SettingsError
            Where an option is unknown, lacking or won't do.
        """
        return options if isinstance(options, Options) else validated(self.options, options or {}, where or self.name)

    def lacking(self, options: Mapping[str, Any]) -> list[str]:
        """Name the options that it can't do without and that are not given."""
        fields = self.options.model_fields.items()
        return [name for name, field in fields if field.is_required() and name not in options]

    def run(
        self,
        original: object,
        synthetic: Sequence[object],
        settings: Settings,
        options: Options | Mapping[str, Any] | None = None,
        progress: Progress | None = None,
    ) -> AnalysisResult:
        """Run it.

        Parameters
        ----------
        original, synthetic
            Paths or frames, in memory; the synthetic files of the assessment in their order.
        settings
            Those of the assessment.
        options
            A model of `options`, or names and values for one.
        progress
            Called with steps done, steps in all, and what comes next, where it takes several.

        Returns
        -------
        AnalysisResult
            For `Assessment.with_analysis`.

        Raises
        ------
        DataError, SettingsError
            As its function; and where an option is unknown or won't do.
        """
        return self.runs(original, synthetic, settings, self.chosen(options), progress)


def _sensitivity(
    original: object,
    synthetic: Sequence[object],
    settings: Settings,
    options: SensitivityOptions,
    progress: Progress | None,
) -> AnalysisResult:
    if settings.targets is not None:  # what an intruder knows can't be learnt
        settings = settings.for_targets([name for name in settings.targets if name not in options.candidates])
    return sensitivity(original, list(synthetic), settings, **dict(options), progress=progress)


def _of_sensitivity(found: Sensitivity, _: Assessment) -> dict[str, Any]:
    n = len(found.candidates)
    return {
        "candidates": found.candidates[len(found.settings.keys) :],
        "measures": found.measures,
        "most": sum(math.comb(n, size) for size in range(found.largest + 1)),
    }


def _control(
    original: object, synthetic: Sequence[object], settings: Settings, options: ControlOptions, _: Progress | None
) -> AnalysisResult:
    return excess_over_control(original, list(synthetic), settings, **dict(options))


def _uncertainty(
    original: object, synthetic: Sequence[object], settings: Settings, options: UncertaintyOptions, _: Progress | None
) -> AnalysisResult:
    return uncertainty(original, list(synthetic), settings, **dict(options))


def _of_control(found: ControlBaseline, _: Assessment) -> dict[str, Any]:
    return {"confidence": found.confidence}


def _files_of_control(found: ControlBaseline, _: Assessment) -> dict[str, Any]:
    return {"control": found.control}


def _of_uncertainty(found: Uncertainty, _: Assessment) -> dict[str, Any]:
    return {"collection": found.collection, "confidence": found.confidence}


def _groups(
    original: object, synthetic: Sequence[object], settings: Settings, options: GroupsOptions, _: Progress | None
) -> AnalysisResult:
    return groups(original, list(synthetic), settings, by=options.by or None, smallest=options.smallest)


def _of_groups(found: Groups, _: Assessment) -> dict[str, Any]:
    return {"by": tuple(dict.fromkeys(one.variable for one in found.groups)), "smallest": found.smallest}


def _release_size(
    original: object, synthetic: Sequence[object], settings: Settings, options: ReleaseSizeOptions, _: Progress | None
) -> AnalysisResult:
    return release_size(
        original, list(synthetic), settings, sizes=options.sizes or None, draws=options.draws, seed=options.seed
    )


def _of_release_size(found: ReleaseSizes, _: Assessment) -> dict[str, Any]:
    if len(found.synthetic) > 1:  # taken as they are
        return {}
    usual = found.n_records == usual_sizes(found.synthetic[0].n_records)
    seed = {} if found.seed is None else {"seed": found.seed}
    return {"sizes": () if usual else found.n_records, "draws": found.n_draws, **seed}


def _releases(
    original: object, synthetic: Sequence[object], settings: Settings, options: ReleasesOptions, _: Progress | None
) -> AnalysisResult:
    if options.name in options.releases:
        raise SettingsError(f"releases: '{options.name}' is what the assessed release is called. Use another name.")
    others = {name: list(files) for name, files in options.releases.items()}
    found = compare_releases(original, {options.name: list(synthetic), **others}, settings)
    own, *rest = found.releases
    files = tuple(_in_its_place(file, number, len(synthetic)) for number, file in enumerate(own.synthetic, start=1))
    return found.model_copy(update={"releases": (own.model_copy(update={"synthetic": files}), *rest)})


def _of_releases(found: ReleaseComparison, assessment: Assessment) -> dict[str, Any]:
    return {"name": found.assessed(assessment)}


def _files_of_releases(found: ReleaseComparison, assessment: Assessment) -> dict[str, Any]:
    assessed = found.assessed(assessment)
    return {"releases": {one.name: one.synthetic for one in found.releases if one.name != assessed}}


def _four_checks(
    original: object, synthetic: Sequence[object], _: Settings, options: FourChecksOptions, __: Progress | None
) -> AnalysisResult:
    return four_checks(original, list(synthetic), words=options.words)


def _of_four_checks(found: FourChecks, _: Assessment) -> dict[str, Any]:
    return {"words": found.words}


def _mitigation(
    original: object, synthetic: Sequence[object], settings: Settings, options: MitigationOptions, _: Progress | None
) -> AnalysisResult:
    found = mitigate(original, _chosen(synthetic, options.synthesis), settings, options.steps).mitigation
    return found.model_copy(update={"synthetic": _in_its_place(found.synthetic, options.synthesis, len(synthetic))})


def _of_mitigation(found: Mitigation, assessment: Assessment) -> dict[str, Any]:
    places = found.places(assessment)  # none where the assessed file came of the steps
    return {"steps": [one.step for one in found.steps], "synthesis": places[0]} if places else {}


def _trade_off(
    original: object,
    synthetic: Sequence[object],
    settings: Settings,
    options: TradeOffOptions,
    progress: Progress | None,
) -> AnalysisResult:
    file = _chosen(synthetic, options.synthesis)
    found = trade_off(original, file, settings, options.steps, most=options.most, progress=progress)
    return found.model_copy(update={"synthetic": _in_its_place(found.synthetic, options.synthesis, len(synthetic))})


def _of_trade_off(found: Trade, assessment: Assessment) -> dict[str, Any]:
    return {"steps": found.steps, "synthesis": found.places(assessment)[0], "most": len(found.choices)}


def _chosen(synthetic: Sequence[object], synthesis: int) -> object:
    if synthesis > len(synthetic):
        raise SettingsError(f"synthesis: there is no synthetic file {synthesis}, only {len(synthetic)}.")
    return synthetic[synthesis - 1]


def _in_its_place(file: Source, synthesis: int, m: int) -> Source:
    """Name a frame as the assessment does, so that it is known which of several it is."""
    return file if file.path is not None else file.model_copy(update={"name": name_of_frame(synthesis, m)})


ANALYSES: dict[str, Analysis] = {
    one.name: one
    for one in (
        Analysis(
            "sensitivity",
            "Sensitivity to the keys",
            "Which key carries the risk?",
            "What each key adds to the risk, over every subset of them, and how few of them suffice.",
            SensitivityOptions,
            _sensitivity,
            _of_sensitivity,
        ),
        Analysis(
            "control",
            "Control baseline",
            "What does the release add to what anybody could infer from the population?",
            "The same measures for records that took no part in the synthesis, and how far the original exceeds them.",
            ControlOptions,
            _control,
            _of_control,
            _files_of_control,
        ),
        Analysis(
            "uncertainty",
            "Uncertainty",
            "How far could the figures be off by chance?",
            "Confidence intervals over synthetic files and over records; where one would mislead, why.",
            UncertaintyOptions,
            _uncertainty,
            _of_uncertainty,
        ),
        Analysis(
            "groups",
            "Groups at risk",
            "Who is at risk?",
            "The share of the records given away, level by level, so that no average hides a small group.",
            GroupsOptions,
            _groups,
            _of_groups,
        ),
        Analysis(
            "release_size",
            "Release size",
            "What changes when fewer synthetic records are released?",
            "The measures for random parts of the synthetic file, or for synthetic files of several sizes.",
            ReleaseSizeOptions,
            _release_size,
            _of_release_size,
        ),
        Analysis(
            "releases",
            "Possible releases",
            "How do other possible releases compare?",
            "The measures of several files or methods for the same original, side by side.",
            ReleasesOptions,
            _releases,
            _of_releases,
            _files_of_releases,
        ),
        Analysis(
            "four_checks",
            "The four checks",
            "Is the file marked as synthetic, and built as it should be?",
            "Labelling and structure, tested on the files, and a note for users.",
            FourChecksOptions,
            _four_checks,
            _of_four_checks,
        ),
        Analysis(
            "mitigation",
            "Before and after changes",
            "What do changes of the file bring, and what do they cost?",
            "Steps applied to a synthetic file: risk before and after them, and what is lost.",
            MitigationOptions,
            _mitigation,
            _of_mitigation,
        ),
        Analysis(
            "trade_off",
            "Risk against loss",
            "Which changes are worth their cost?",
            "Every combination of some steps: the risk that is left, against what is lost.",
            TradeOffOptions,
            _trade_off,
            _of_trade_off,
        ),
    )
}
"""Every analysis by its name, in the order in which an approver asks."""
