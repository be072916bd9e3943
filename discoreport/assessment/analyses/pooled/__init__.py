"""The pooled intruder: who gets several synthetic files of one original, or has those of earlier releases."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from discoreport.assessment.accept_settings import SettingsGiven, settings_given
from discoreport.assessment.analyses.base import Analysis, Options, in_its_place, several
from discoreport.assessment.analyses.pooled.counting import PooledCounts
from discoreport.assessment.analyses.pooled.results import Pooled
from discoreport.assessment.analyses.result import AnalysisResult
from discoreport.assessment.engine_choice import Files, open_files, sources_of
from discoreport.assessment.formatting import counted, of_file, percent
from discoreport.assessment.measure_files import doubts_of
from discoreport.assessment.measured import Measured
from discoreport.assessment.prepare import PreparedFiles, missing_keys_of, prepare, rules_for, special_codes_of
from discoreport.assessment.progress import Progress
from discoreport.assessment.provenance import Source
from discoreport.assessment.python_warnings import is_unwarned, warn_of
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.settings import Settings
from discoreport.data.coding import Variable
from discoreport.data.engine.connection import Engine
from discoreport.data.findings.finding import Finding
from discoreport.data.numeric_groups import group
from discoreport.data.table import require_columns
from discoreport.measures.exclusions import Rules


class PooledOptions(Options):
    """Of `pooled`."""

    earlier: Annotated[tuple[Any, ...], BeforeValidator(several)] = Field(
        (), title="Earlier files", description="synthetic files of earlier releases of the same original"
    )


def pooled(original: object, synthetic: object, settings: SettingsGiven, *, earlier: object = ()) -> Pooled:
    """Measure what several synthetic files of one original give away to somebody who has all of them.

    Parameters
    ----------
    original, synthetic
        As for `assess`; one synthetic file or a list of them. Counted where `assess` would count them.
    settings
        As for `assess_with`.
    earlier
        Synthetic files of earlier releases of the same original, one or a list: pooled, but not assessed themselves.
        They have keys and targets, too.

    Returns
    -------
    Pooled
        Each measure of the worst assessed file, of any file, of all, and of the files together.

    Raises
    ------
    DataError, SettingsError
        As `assess`; and where an earlier file lacks a column.

    Warns
    -----
    ComparisonWarning
        As `assess` does.

    Notes
    -----
    *Any* counts the original records for which at least one file meets the condition of repU, DiS or DiSCO, *all*
    those for which every file does. *Together* has the synthetic records of all files in one: an intruder who trusts
    no single file. Where a key combination is unique in several files, it is more often unique in the original:
    `Pooled.unique_in_files` has the counts.

    Classes of numbers are those of the original and the assessed files, as without earlier ones.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 31, 41, 41], "ill": ["yes", "no", "no", "no"]})
    >>> first = original.assign(ill=["yes", "yes", "no", "no"])
    >>> second = original.assign(ill=["no", "no", "no", "yes"])
    >>> found = pooled(original, [first, second], Settings(keys=["age"], targets=["ill"]))
    >>> row = found.figure("DiSCO", "ill")  # the first file tells of 30 and 41, the second of 31; together of nobody
    >>> row.worst, row.any, row.all, row.together
    (75.0, 100.0, 0.0, 0.0)
    >>> found.unique_in_files.to_numpy().tolist()  # 30 and 31, in both
    [[1, 0, 0], [2, 2, 2]]
    """
    settings = settings_given(settings)
    _, *assessed = sources_of(original, synthetic)
    before: tuple[object, ...] = tuple(earlier) if isinstance(earlier, list | tuple) else (earlier,)
    with open_files(original, assessed, Engine(), before) as files:
        places = range(len(assessed) + 1)
        found = _count(files, files.some(places), settings)
        doubts = [] if is_unwarned() else doubts_of(files.some(places), found.settings)
    warn_of(list(dict.fromkeys([*found.findings, *doubts])), stacklevel=2)
    return found


def _count(files: Files, assessed: Files, settings: Settings) -> Pooled:
    """Count the cells of all files, coded as those are that are assessed."""
    prepared = prepare(assessed, settings)
    settings, m = prepared.settings, len(assessed.tables) - 1
    require_columns([*prepared.names, *([settings.unit] if settings.unit is not None else [])], files.tables)
    alone = len(files.tables) == len(assessed.tables)
    marked = prepared.files if alone else files.with_missing(settings.missing_values)
    keys = [_coded(name, marked, prepared) for name in settings.keys]
    unit = None if settings.unit is None else marked.code(settings.unit)
    counts, counter = PooledCounts(m), marked.count(keys, unit)
    counts.of_keys(counter.of_keys(), Rules(missing_keys=missing_keys_of(keys, settings)))
    for name in settings.targets or ():
        target = _coded(name, marked, prepared)
        counts.of_target(name, counter.of_target(target), rules_for(target, keys, settings))
    files.require_unchanged()
    original, *sources = map(Source.of, files.tables)
    found = counts.result(settings, original, sources)
    return found.model_copy(update={"findings": tuple(_doubts(files, found))})


def _coded(name: str, files: Files, prepared: PreparedFiles) -> Variable:
    """Code a variable of all files, in the classes that it has where the earlier ones are left out."""
    if len(files.tables) == len(prepared.tables):
        return prepared.variable(name).variable
    coded, settings = files.code(name), prepared.settings
    if name not in settings.numeric_groups:
        return coded
    known = prepared.variable(name).grouping
    bounds = [-math.inf, *(known.breaks if known else ()), math.inf]
    return group(coded, bounds, special_codes_of(coded, settings))[0]


def _doubts(files: Files, found: Pooled) -> Iterator[Finding]:
    """Give what `assess` would warn of were the earlier files assessed: badly matched, they make figures low."""
    if not found.earlier:
        return
    n = len(files.tables)
    plain = {name: getattr(found.settings, name) for name in ("keys", "targets", "missing_values")}
    for finding in doubts_of(files.some([0, *range(n - len(found.earlier), n)]), Settings(**plain)):
        of = f"{found.earlier[finding.synthesis - 1].name}: " if finding.synthesis else "earlier files: "
        yield dataclasses.replace(finding, synthesis=0, detail=f"{of}{finding.detail}")


def _run(
    original: object, synthetic: Sequence[object], settings: Settings, options: PooledOptions, _: Progress | None
) -> AnalysisResult:
    found = pooled(original, list(synthetic), settings, earlier=options.earlier)
    m = len(synthetic)
    placed = (in_its_place(file, number, m) for number, file in enumerate(found.synthetic, start=1))
    return found.model_copy(update={"synthetic": tuple(placed)})


def _in_short(found: Pooled, _: Measured, __: Documentation) -> Iterator[str]:
    files = counted(found.n_files, "file")
    for one in found.main[:2]:
        of = "" if one.measure == "repU" else f" of {one.target}"
        file = "" if one.file is None else of_file(one.file, len(found.synthetic), worst=False)
        worst = f"{percent(one.worst)} by the worst file{file}"
        yield f"Pooled ({files}): {one.measure}{of} {worst}, {percent(one.any)} by any"


ANALYSIS = Analysis(
    name="pooled",
    title="Several files together",
    question="What do several files, or earlier releases, tell together?",
    tells="Each measure by the worst file, by any file, by all of them, and with their records added up.",
    options=PooledOptions,
    runs=_run,
    in_short=_in_short,
    words={"earlier": "--earlier"},
)
