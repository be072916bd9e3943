"""The figures of a record, computed again from the files, and compared."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from discoreport.assessment.analysed import led_here
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import Analysis, Options
from discoreport.assessment.analyses.pooled.results import Pooled
from discoreport.assessment.analyses.result import AnalysisResult, SettingsResult, same_figure
from discoreport.assessment.analyses.run import not_repeated
from discoreport.assessment.assess import assess_with
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.engine_choice import read_all
from discoreport.assessment.measured import Measured
from discoreport.assessment.provenance import Source
from discoreport.assessment.python_warnings import unwarned
from discoreport.data.engine.connection import ENGINES, Engine
from discoreport.data.findings.finding import COPYING
from discoreport.data.readers.source_file import read_like
from discoreport.data.table import Table
from discoreport.errors import DiscoReportError
from discoreport.measures.registry import later

Holds = Literal["holds", "fails", "unchecked"]
_LISTED = 5
"""How many things a line names."""
_NOT_COMPUTED = {"schema_version", "original", "synthetic", "provenance"} | (
    {*Assessment.model_fields} - {*Measured.model_fields}
)
_ASKED = {"settings", "result"}
"""What an analysis was asked, and the file that came of it, which are no figures."""
_IN_MEMORY = frozenset({"copies_to_the_last", "copies_in_disguise", "same_order"})
"""Findings that are looked for in memory only."""
_LATER = ("utility", "common", "most_DiSCO")
"""Parts of analyses that records of earlier versions lack."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Parameters
    ----------
    what
        Such as "fingerprints".
    outcome
        "holds", "fails", or "unchecked" where it could not be looked at.
    detail
        What was found. Names no level.
    """

    what: str
    outcome: Holds
    detail: str


def figures(
    assessment: Assessment, original: object, synthetic: Sequence[object], engine: Engine, *, earlier: bool = False
) -> Iterator[Check]:
    """Compute every figure again, and compare all that a fresh record has; `earlier` ones may lack some of it."""
    what = "figures"
    if original is None or not synthetic:
        yield Check(what, "unchecked", "Not computed again: that takes the original and the synthetic files.")
        return
    used = assessment.provenance.engine
    if engine.name == "auto" and used in ENGINES:
        engine = replace(engine, name=used)
    try:
        with unwarned():  # findings are part of what is compared
            again = assess_with(original, list(synthetic), assessment.settings, engine=engine)
    except DiscoReportError as error:  # whether the files are those of the record is said above
        yield Check(what, "unchecked", f"Could not be computed again: {error}")
        return
    lacking = _lacking(assessment, again, earlier=earlier)
    reported, computed = (_computed(one, *lacking) for one in (assessment, again))
    not_measured = assessment.not_measured
    reported, computed = (_without(one, not_measured) for one in (reported, computed))
    differing = list(_differences(reported, computed))
    if differing:
        yield Check(what, "fails", f"{len(differing):,} differ from what the files give: {named(differing)}.")
    elif lacking[0] or not_measured:
        yield _of_earlier_version(what, [*sorted(lacking[0]), *not_measured])
    else:
        n_figures = sum(len(result.values) for result in assessment.outcome.results)
        yield Check(what, "holds", f"{n_figures:,} measures, and all flags and counts, are what the files give.")
    for name, result in assessment.analyses.filled():
        found = getattr(again.analyses, name)
        if result.of_assess and found is not None:
            yield compared(f"analysis {name}", result, found)


def analyses(
    assessment: Assessment, original: object, synthetic: Sequence[object], given: Mapping[str, Mapping[str, Any]]
) -> Iterator[Check]:
    """Run every analysis again that the record holds, as far as its files are there; those are read once."""
    tables = functools.cache(lambda: read_all(original, list(synthetic)))
    alone = not_repeated(assessment)
    for name, result in assessment.analyses.filled():
        if result is led_here(assessment) or result.of_assess:  # see `verify_mitigation`, `figures`
            continue
        analysis = ANALYSES[name]
        what = f"analysis {name}"
        if name in alone:
            yield Check(what, "unchecked", "Not computed again: it holds nothing but this release.")
            continue
        options = {**analysis.options_of(result, assessment), **given.get(name, {})}
        recorded: list[Source] = []
        files = analysis.files_of(result, assessment)
        if files:
            analysis.chosen({**options, **files}).with_files(recorded.append)
        lacking = list(dict.fromkeys([*analysis.lacking(options), *(name for name in files if name not in options)]))
        if original is None or not synthetic:
            yield Check(what, "unchecked", "Not computed again: that takes the original and the synthetic files.")
        elif lacking:
            yield Check(what, "unchecked", f"Not computed again: that takes other files, too ({', '.join(lacking)}).")
        else:
            asked = analysis.chosen(options).with_files(read_as_recorded(recorded))
            yield _analysis(what, analysis, result, assessment, tables, asked)


def read_as_recorded(recorded: Sequence[Source]) -> Callable[[object], object]:
    """Give what makes files, in their order, be read as they were."""
    ways = iter([one.read_as for one in recorded])
    return lambda file: read_like(file, next(ways, {}))


def _analysis(
    what: str,
    analysis: Analysis,
    result: AnalysisResult,
    assessment: Assessment,
    tables: Callable[[], list[Table]],
    options: Options,
) -> Check:
    settings = assessment.settings
    if isinstance(result, SettingsResult):
        settings = settings.for_targets(result.settings.targets or ())
    try:
        with unwarned():
            original, *synthetic = tables()
            again = analysis.run(original, synthetic, settings, options).for_record()
    except DiscoReportError as error:
        return Check(what, "unchecked", f"Can't be run again: {error}")
    return compared(what, result, again)


def compared(what: str, result: AnalysisResult, again: AnalysisResult) -> Check:
    """Compare the figures of an analysis with those that come of the files."""
    reported, computed = (_figures_of(one) for one in (result, again))
    not_measured = sorted(later() & (_measures_in(computed) - _measures_in(reported)))
    new = _parts_in(computed) - _parts_in(reported)
    not_measured += [part for part in _LATER if part in new]
    differing = list(_differences(*(_without(one, not_measured) for one in (reported, computed))))
    if differing and not result.repeatable:
        return Check(
            what,
            "unchecked",
            "Made by an earlier version, by other methods or with less of what was chosen written down.",
        )
    if differing:
        return Check(what, "fails", f"{len(differing):,} differ from what the files give: {named(differing)}.")
    if not_measured:
        return _of_earlier_version(what, not_measured)
    return Check(what, "holds", "All figures are what the files give.")


def _figures_of(result: AnalysisResult) -> Any:
    found = result.without_files(_ASKED)
    if isinstance(result, Pooled):
        for figure in found["figures"]:  # any file that ties may be named; it was read only if it has the figure
            del figure["file"]
    return found


def _of_earlier_version(what: str, lacking: Sequence[str]) -> Check:
    detail = f"An earlier version wrote the record, without all that is counted now: {named(lacking)}."
    return Check(what, "unchecked", detail)


def _tables_in(found: Any) -> Iterator[Mapping[str, Any]]:
    """Give every mapping in nested values."""
    if isinstance(found, Mapping):
        yield found
    if isinstance(found, Mapping | list | tuple):
        for one in found.values() if isinstance(found, Mapping) else found:
            yield from _tables_in(one)


def _measures_in(found: Any) -> set[str]:
    """Name the measures that nested values have figures of."""
    tables = list(_tables_in(found))
    named = {one["measure"] for one in tables if isinstance(one.get("measure"), str)}
    return named.union(*(one["values"] for one in tables if isinstance(one.get("values"), Mapping)))


def _parts_in(found: Any) -> set[str]:
    """Name the parts that nested values have, as far as there is anything in them."""
    return {name for table in _tables_in(found) for name, one in table.items() if one or isinstance(one, float)}


def _without(found: Any, measures: Sequence[str]) -> Any:
    """Give nested values without the figures of some measures, and without some parts."""
    if isinstance(found, Mapping):
        return {name: _without(one, measures) for name, one in found.items() if name not in measures}
    if isinstance(found, list | tuple):
        of_others = (one for one in found if not (isinstance(one, Mapping) and one.get("measure") in measures))
        return [_without(one, measures) for one in of_others]
    return found


def _lacking(reported: Assessment, again: Assessment, *, earlier: bool) -> tuple[set[str], set[str]]:
    """Tell which parts and findings one of the two lacks: records of earlier versions, and engines beyond memory."""
    parts = {"class_sizes"} if earlier and not reported.outcome.class_sizes else set()
    parts |= {"levels"} if (earlier or reported.not_measured) and not reported.outcome.levels else set()
    parts |= {"without_unit"} if earlier and not reported.outcome.without_unit else set()
    parts |= {"whole_records"} if earlier and not reported.whole_records else set()
    in_memory = {one.provenance.engine for one in (reported, again)} == {"memory"}
    findings = set() if in_memory else {*_IN_MEMORY}
    findings |= _IN_MEMORY - {"copies_in_disguise"} if earlier else set()
    return parts, findings | {*COPYING} if "whole_records" in parts else findings


def _computed(assessment: Assessment, lacking: set[str], findings: set[str]) -> dict[str, Any]:
    """Give all that isn't lacking, but what the files are called, what people said and what was asked besides."""
    found = assessment.model_dump(exclude=_NOT_COMPUTED | lacking)
    found["findings"] = [one for one in found["findings"] if one["finding"] not in findings]
    found["records"] = [one.n_records for one in (assessment.original, *assessment.synthetic)]
    found["columns"] = [one.n_columns for one in (assessment.original, *assessment.synthetic)]
    for outcome in (found["outcome"], found["outcome_without_exclusions"] or {}):
        for part in lacking & {"class_sizes", "levels", "without_unit"}:
            outcome.pop(part, None)
    return found


def _differences(reported: Any, computed: Any, place: str = "") -> Iterator[str]:
    """Name the places at which two nested values differ."""
    if isinstance(reported, Mapping) and isinstance(computed, Mapping):
        for name in dict.fromkeys([*reported, *computed]):
            yield from _differences(reported.get(name), computed.get(name), f"{place}.{name}" if place else str(name))
    elif isinstance(reported, tuple | list) and isinstance(computed, tuple | list):
        if len(reported) != len(computed):
            yield f"{place} (reported {len(reported):,}, computed {len(computed):,})"
            return
        for number, (one, other) in enumerate(zip(reported, computed, strict=True)):
            of_target = isinstance(one, Mapping) and "values" in one  # a result
            called = f"{one['target'] or 'keys'}, synthesis {one['synthesis']}" if of_target else number
            yield from _differences(one, other, f"{place}.{called}")
    elif isinstance(reported, float) and isinstance(computed, int | float):
        if not same_figure(reported, computed):
            yield f"{place} (reported {reported:.6g}, computed {computed:.6g})"
    elif reported != computed:
        yield place


def named(several: Sequence[str]) -> str:
    """Write the first names, and how many more there are."""
    more = f" and {len(several) - _LISTED} more" if len(several) > _LISTED else ""
    return ", ".join(several[:_LISTED]) + more
