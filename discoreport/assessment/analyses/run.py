"""Several analyses at once: checked before the first is run, entered into the assessment, and asked again."""

from __future__ import annotations

from collections.abc import Mapping

from discoreport.assessment.analysed import led_here
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import Options
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.engine_choice import read_all
from discoreport.assessment.progress import Progress, Steps
from discoreport.assessment.python_warnings import unwarned, warn_of
from discoreport.errors import SettingsError, require_kind, suggest


def chosen(analyses: Mapping[str, object], *, where: str = "") -> dict[str, Options]:
    """Give the options of some analyses as models, in the order in which an approver asks.

    Parameters
    ----------
    analyses
        By name.
    where
        What they come from, for the error.

    Raises
    ------
    SettingsError
        Where there is no such analysis, or an option is unknown, lacking or won't do.
    """
    require_kind(analyses, Mapping, f"{where or 'analyses'}: must be {{'name': options}}, such as {{'groups': {{}}}}")
    for name in analyses:
        if name not in ANALYSES:
            raise SettingsError(f"{where or 'analyses'}: no analysis '{name}'. {suggest(name, ANALYSES)}")
    return {
        name: one.chosen(analyses[name], where and f"{where}, {name}")
        for name, one in ANALYSES.items()
        if name in analyses
    }


def analyse(
    assessment: Assessment,
    original: object,
    synthetic: object,
    analyses: Mapping[str, object],
    *,
    progress: Progress | None = None,
) -> Assessment:
    """Run analyses, and enter what they find into an assessment.

    Parameters
    ----------
    assessment
        Of the same files; its settings are those of the analyses.
    original, synthetic
        As for `assess`, in memory.
    analyses
        By name (see `discoreport.assessment.analyses.ANALYSES`) with their options, such as
        ``{"sensitivity": {"candidates": ["age"]}, "groups": {}}``.
    progress
        Called with steps done, steps in all, and what comes next.

    Returns
    -------
    Assessment
        The same, with what was found under `Assessment.analyses`.

    Raises
    ------
    SettingsError
        Before any work where an analysis or an option is unknown; and as each analysis.
    DataError
        As each analysis.

    Warns
    -----
    ComparisonWarning
        As `assess` does, once: of what the assessment has found already, and of what the analyses find beyond.

    Examples
    --------
    >>> import pandas as pd
    >>> from discoreport import assess
    >>> frame = pd.DataFrame({"age": [30, 31, 41, 41], "ill": ["yes", "no", "no", "no"]})
    >>> assessment = assess(frame, frame, keys=["age"])
    >>> assessment = analyse(assessment, frame, frame, {"four_checks": {}, "groups": {"smallest": 2}})
    >>> [name for name, _ in assessment.analyses.filled()]
    ['groups', 'four_checks']
    """
    require_kind(assessment, Assessment, "analyse: the first argument must be an assessment")
    asked = chosen(analyses)
    if not asked:
        return assessment
    table, *tables = read_all(original, synthetic)  # once for all of them
    tell = Steps(progress, len(asked))
    for name, options in asked.items():
        one = ANALYSES[name]
        tell.next(one.title)
        said = options.as_said(assessment.documentation)
        with unwarned():  # below, once for all of them
            result = one.run(table, tables, assessment.settings, said, progress and _within(one.title, progress))
        assessment = assessment.with_analysis(result)
    tell.done()
    warn_of([*(finding for _, finding in assessment.doubts_of_analyses), *assessment.warnings], stacklevel=2)
    return assessment


def _within(title: str, progress: Progress) -> Progress:
    """Put before what comes next the analysis that it is part of."""
    return lambda done, total, what: progress(done, total, f"{title}: {what}" if what else title)


def asked_of(assessment: Assessment) -> dict[str, Options]:
    """Give the options of each analysis that was asked for, files as `Source`; but see `led_here`, `not_repeated`."""
    found = {}
    for name, result in assessment.analyses.filled():
        if result.of_assess:
            continue
        one = ANALYSES[name]
        options = {**one.options_of(result, assessment), **one.files_of(result, assessment)}
        if not one.lacking(options):
            found[name] = one.chosen(options)
    return found


def not_repeated(assessment: Assessment) -> tuple[str, ...]:
    """Name the analyses that can't be asked for again: a comparison of releases that holds the assessed one alone."""
    asked, led = asked_of(assessment), led_here(assessment)
    filled = assessment.analyses.filled()
    return tuple(name for name, one in filled if not (one.of_assess or one is led or name in asked))
