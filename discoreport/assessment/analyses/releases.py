"""Several possible releases of one original, side by side: other methods, other settings, other files."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import pandas as pd
from pydantic import BeforeValidator, Field

from discoreport.assessment.accept_settings import SettingsGiven, settings_given
from discoreport.assessment.analyses.base import Analysis, Options, in_its_place, several
from discoreport.assessment.analyses.count_cells import count_files
from discoreport.assessment.analyses.result import (
    AnalysisResult,
    Finite,
    OwnFigure,
    SettingsResult,
    agree,
    all_known,
    groups_by_number,
    is_of_keys,
    named,
    same_files,
    target_of,
)
from discoreport.assessment.analyses.utility.candidates import n_in_a_table, utilities, variables_of
from discoreport.assessment.analyses.utility.results import FileUtility
from discoreport.assessment.engine_choice import MemoryFiles, sources_of
from discoreport.assessment.formatting import percent
from discoreport.assessment.measure_files import doubts_of
from discoreport.assessment.measured import Measured
from discoreport.assessment.prepare import PreparedFiles, prepare
from discoreport.assessment.progress import Progress
from discoreport.assessment.provenance import Source
from discoreport.assessment.python_warnings import warn_of
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.results import Figures
from discoreport.assessment.settings import Settings
from discoreport.assessment.worst_file import worst_of
from discoreport.data.findings.finding import Finding
from discoreport.data.readers.read import read
from discoreport.errors import SettingsError, require_kind, suggest
from discoreport.measures.registry import measures_for

_SUMMARY = ("repU", "iS", "DiS", "DiSCO", "DiSDiO", "DCAP_d")


class Release(Finite):
    """One possible release.

    Parameters
    ----------
    name
        As it was given.
    synthetic
        Its files.
    utility
        How alike each of them and the original are, in tables of variables; none in records of an earlier version.
    """

    name: str
    synthetic: tuple[Source, ...]
    utility: tuple[FileUtility, ...] = ()


class ReleaseResult(Finite):
    """The measures of one release, target and synthesis.

    Parameters
    ----------
    release, target, synthesis
        Which; the target is "" where there is none, syntheses count from 1 within the release.
    values
        Every measure by its published name; None where there is nothing to divide by.
    """

    release: str
    target: str
    synthesis: int
    values: Figures


class ReleaseComparison(SettingsResult):
    """Several releases side by side; get one from `compare_releases`. Aggregates only.

    Parameters
    ----------
    settings
        What was asked, targets written out.
    original
        The file that all releases come from.
    releases
        In the order in which they were given.
    results
        Every release, target and synthesis.
    findings
        What differs between the files, with the release's name.
    """

    by_target = "results"

    releases: tuple[Release, ...]
    results: tuple[ReleaseResult, ...]
    findings: tuple[Finding, ...] = ()

    def concerns(self, synthetic: Sequence[Source]) -> bool:
        """Tell whether one of the releases is that of an assessment."""
        return any(same_files(one.synthetic, synthetic) for one in self.releases)

    def parts_of(self, assessment: Measured) -> tuple[str, ...]:
        """Name the releases that can be the assessed one.

        Where neither fingerprints nor figures say which, the names of their files do.
        """
        found = []
        for one in self.releases:
            if not same_files(one.synthetic, assessment.synthetic):
                continue
            if all_known((self.original, *one.synthetic), assessment):
                return (one.name,)
            if groups_by_number(self.settings) or agree(self._figures_of(one.name), assessment.outcome):
                found.append(one.name)
        names = [file.name for file in assessment.synthetic]
        named = [one.name for one in self.releases if [file.name for file in one.synthetic] == names]
        chosen = [name for name in named if name in found]
        return tuple(chosen if len(chosen) == 1 else found)

    def assessed(self, assessment: Measured) -> str | None:
        """Name the release that has the synthetic files of an assessment; None where there is none."""
        return next(iter(self.parts_of(assessment)), None)

    def by_risk(self, assessment: Measured) -> list[str]:
        """Name the releases, the one that gives away most first; see `decisive`."""
        measure, target = self.decisive(assessment)
        values = {one.name: self.value(measure, one.name, target) for one in self.releases}
        return sorted(values, key=lambda name: -(values[name] or 0.0))

    def _figures_of(self, release: str) -> Iterator[OwnFigure]:
        for one in self.results:
            if one.release == release:
                yield from ((one.target, one.synthesis, measure, value) for measure, value in one.values.items())

    @property
    def measures(self) -> tuple[str, ...]:
        """What was evaluated."""
        return tuple(self.results[0].values)

    @property
    def table(self) -> pd.DataFrame:
        """All figures, one row a release, target and synthesis."""
        rows = [(one.release, one.target, one.synthesis, *one.values.values()) for one in self.results]
        table = pd.DataFrame(rows, columns=["release", "target", "synthesis", *self.measures])
        return table.astype(dict.fromkeys(self.measures, "float64"))

    @property
    def summary(self) -> pd.DataFrame:
        """The main measures of each release and target, of its worst file; one row a release and target.

        ``synthesis`` is the file that gives most away of the target beyond chance; the measures of the keys are of
        ``synthesis_of_keys``, which replicates most uniques. Without targets, ``synthesis`` is that file.
        """
        chosen = [name for name in _SUMMARY if name in self.measures]
        targets = self.settings.targets or ("",)
        files = {"synthesis": "DiSCO", "synthesis_of_keys": "repU"} if self.settings.targets else {"synthesis": "repU"}
        rows = [
            (
                release.name,
                target,
                len(release.synthetic),
                *(self.file(measure, release.name, target) for measure in files.values()),
                *(self.value(name, release.name, target) for name in chosen),
            )
            for release in self.releases
            for target in targets
        ]
        table = pd.DataFrame(rows, columns=["release", "target", "n_syntheses", *files, *chosen])
        return table.astype(dict.fromkeys(chosen, "float64"))

    def side_by_side(self, measure: str) -> pd.DataFrame:
        """Give one measure with a row for each target and a column for each release, of its worst file."""
        targets = self.settings.targets or ("",)
        columns = {one.name: [self.value(measure, one.name, target) for target in targets] for one in self.releases}
        return pd.DataFrame(columns, index=pd.Index(targets, name="target"), dtype="float64")

    def value(self, measure: str, release: str, target: str | None = None) -> float | None:
        """Give one measure of one release, of its worst file; see `file`.

        Parameters
        ----------
        measure, release
            Their names.
        target
            Needed for everything but identity measures, unless there is just one.

        Raises
        ------
        SettingsError
            Where there is no such measure, release or target.
        """
        return self._worst(measure, release, target).values[measure]

    def file(self, measure: str, release: str, target: str | None = None) -> int:
        """Tell which file of a release is its worst, counting from 1.

        That gives most away of the target beyond chance; for measures of the keys, it replicates most uniques.
        Parameters and errors are as for `value`.
        """
        return self._worst(measure, release, target).synthesis

    def _worst(self, measure: str, release: str, target: str | None) -> ReleaseResult:
        target = target_of(measure, target, self.measures, self.settings.targets or ())
        names = [one.name for one in self.releases]
        if release not in names:
            raise SettingsError(f"No release '{release}'. {suggest(release, names)}")
        found = [one for one in self.results if (one.release, one.target) == (release, target)]
        return worst_of(found, of_keys=is_of_keys(measure))


Files = Annotated[tuple[Any, ...], BeforeValidator(several)]


class ReleasesOptions(Options):
    """Of `compare_releases`."""

    releases: dict[Annotated[str, Field(min_length=1)], Files] = Field(
        min_length=1, title="Other releases", description="other possible releases by name: their files"
    )
    name: str = Field("this release", title="Name of this release", description="what the assessed release is called")


def compare_releases(original: object, releases: Mapping[str, Any], settings: SettingsGiven) -> ReleaseComparison:
    """Measure several possible releases of one original alike.

    Parameters
    ----------
    original
        As for `assess`, in memory.
    releases
        By name of a method or a file: one synthetic file, or a list of them.
    settings
        As for `assess_with`. Without targets, those are the variables that all files have.

    Returns
    -------
    ReleaseComparison
        Every measure for every release.

    Raises
    ------
    DataError, SettingsError
        As `assess`; and where there is no release.

    Warns
    -----
    ComparisonWarning
        As `assess` does, with the release's name.

    Notes
    -----
    Each variable is coded once over all files. Numeric groups, and the classes in which `utility` compares numbers,
    are formed over all of them together, so that every release is measured by the same classes; alone, a release may
    have slightly others.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 31, 41, 41], "ill": ["y", "n", "n", "n"]})
    >>> alike = pd.DataFrame({"age": [30, 31, 31, 41], "ill": ["y", "n", "n", "n"]})
    >>> careful = pd.DataFrame({"age": [30, 30, 41, 41], "ill": ["y", "n", "n", "y"]})
    >>> compared = compare_releases(original, {"alike": alike, "careful": careful}, Settings(keys=["age"]))
    >>> compared.side_by_side("DiSCO")
            alike  careful
    target
    ill     100.0      0.0
    """
    settings = settings_given(settings)
    require_kind(releases, Mapping, "compare_releases: releases must be {'name': files}")
    if not releases:
        raise SettingsError("compare_releases: give at least one release, as {'name': files}.")
    files = {str(name): sources_of(original, synthetic) for name, synthetic in releases.items()}
    tables = [read(next(iter(files.values()))[0], "original")]
    place: list[tuple[str, int]] = []
    for name, (_, *sources) in files.items():
        for number, source in enumerate(sources, start=1):
            tables.append(read(source, name if len(sources) == 1 else f"{name} {number}"))
            place.append((name, number))
    coded = prepare(MemoryFiles(tables), settings)
    results = []
    for counted in count_files(coded):
        release, number = place[counted.synthesis - 1]
        values = counted.values(measures_for(coded.targets))
        results.append(ReleaseResult(release=release, target=counted.target, synthesis=number, values=values))
    doubts = doubts_of(MemoryFiles(tables), coded.settings)
    findings = tuple(_named(one, place) for one in dict.fromkeys([*coded.findings(), *doubts]))
    warn_of(findings, stacklevel=2)
    sources_of_release = {
        name: tuple(Source.of(table) for table, (of, _) in zip(tables[1:], place, strict=True) if of == name)
        for name in files
    }
    alike = _utilities(coded, place)
    order = {name: number for number, name in enumerate(files)}
    return ReleaseComparison(
        settings=coded.settings,
        original=Source.of(tables[0]),
        releases=tuple(
            Release(name=name, synthetic=sources, utility=tuple(alike.get(name, ())))
            for name, sources in sources_of_release.items()
        ),
        results=tuple(sorted(results, key=lambda one: order[one.release])),
        findings=findings,
    )


def _utilities(prepared: PreparedFiles, place: Sequence[tuple[str, int]]) -> dict[str, list[FileUtility]]:
    """Measure the utility of every file, by release."""
    variables = variables_of(prepared)
    n_records = sum(table.n_records for table in prepared.tables)
    found: dict[str, list[FileUtility]] = {}
    for one in utilities(variables, n_in_a_table(len(variables), len(place), n_records)):
        release, number = place[one.synthesis - 1]
        found.setdefault(release, []).append(one.model_copy(update={"synthesis": number}))
    return found


def _named(finding: Finding, place: Sequence[tuple[str, int]]) -> Finding:
    if not finding.synthesis:
        return finding
    name, number = place[finding.synthesis - 1]
    return dataclasses.replace(finding, synthesis=number, detail=f"{name}: {finding.detail}")


def _run(
    original: object, synthetic: Sequence[object], settings: Settings, options: ReleasesOptions, _: Progress | None
) -> AnalysisResult:
    if options.name in options.releases:
        raise SettingsError(f"releases: '{options.name}' is what the assessed release is called. Use another name.")
    others = {name: list(files) for name, files in options.releases.items()}
    found = compare_releases(original, {options.name: list(synthetic), **others}, settings)
    own, *rest = found.releases
    files = tuple(in_its_place(file, number, len(synthetic)) for number, file in enumerate(own.synthetic, start=1))
    return found.model_copy(update={"releases": (own.model_copy(update={"synthetic": files}), *rest)})


def _in_short(found: ReleaseComparison, assessment: Measured, _: Documentation) -> Iterator[str]:
    measure, target = found.decisive(assessment)
    names = found.by_risk(assessment)
    n_files = {one.name: len(one.synthetic) for one in found.releases}
    told = ", ".join(
        f"{name} {percent(found.value(measure, name, target))}"
        + (f" (file {found.file(measure, name, target)}, the worst)" if n_files[name] > 1 else "")
        for name in names
    )
    yield f"Releases: {named(measure, target)}: {told}"


def _options_from(found: ReleaseComparison, assessment: Measured) -> dict[str, Any]:
    assessed = found.assessed(assessment)
    others = {one.name: one.synthetic for one in found.releases if one.name != assessed}
    return {"name": assessed, "releases": others}


ANALYSIS = Analysis(
    name="releases",
    title="Possible releases",
    question="How do other possible releases compare?",
    tells="The measures of several files or methods for the same original, side by side.",
    options=ReleasesOptions,
    runs=_run,
    in_short=_in_short,
    options_from=_options_from,
)
