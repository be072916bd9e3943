"""Uncertainty: how far a figure could be off by chance, over syntheses and over the records of the original."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from discoreport.assessment.accept_settings import SettingsGiven, settings_given
from discoreport.assessment.analyses.base import Analysis, Confidence, Options, with_options
from discoreport.assessment.analyses.count_cells import count_files, require_confidence
from discoreport.assessment.analyses.result import same_figure
from discoreport.assessment.analyses.uncertainty.results import Collection, MeasureInterval, Method, Over, Uncertainty
from discoreport.assessment.engine_choice import MemoryFiles, read_all
from discoreport.assessment.formatting import of_file, percent, points
from discoreport.assessment.measure_files import warn_as_assess
from discoreport.assessment.measured import Measured
from discoreport.assessment.prepare import prepare
from discoreport.assessment.provenance import Source
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.results import over_syntheses
from discoreport.assessment.settings import Settings
from discoreport.errors import SettingsError
from discoreport.measures import MEASURES, Measure
from discoreport.measures.cells import Cells
from discoreport.measures.intervals import (
    CONFIDENCE,
    ENOUGH,
    METHODS,
    Interval,
    Parts,
    by_cluster,
    effective,
    residuals,
    t_interval,
)
from discoreport.measures.registry import Depends, measures_for

_OTHER_RECORDS = "goes by which other records the original has, so that it changes with the size of a sample"
_REASONS: dict[Depends, str] = {
    "other records": _OTHER_RECORDS,
    "original": _OTHER_RECORDS,
    "synthetic": "is a figure of the synthetic file itself, which is known in full",
    "synthetic records": "divides by synthetic records, so that it isn't a share of the original",
    "number": "is a number of records, not a share of them",
    "chance": "is what chance gives on average, worked out exactly for these files",
}
"""Why a measure has no interval over the records of the original; those that depend on both files have one."""

_POPULATION = "the original has everybody of the population: there is nothing to infer from it"
_OWN_COUNTS = "max_denominator leaves out records by how many others are like them, which changes with the sample"
_NOTHING = "there is nothing to divide by"
_FEW = f"fewer than {ENOUGH} key combinations carry the figure, by their effective number: too few to tell from"
_ONE_SYNTHESIS = "one synthesis has no spread: make two or more"
_LARGEST = "the largest of several isn't a mean"
_OF_ORIGINAL = "it is a figure of the original alone, the same whatever is synthesised"
_NO_SPREAD = "all files have the same figure: so few can't show how far others would be from it"


class UncertaintyOptions(Options):
    """Of `uncertainty`."""

    collection: Collection = Field(
        "", title="Population or sample", description='whether the original has the whole "population" or is a "sample"'
    )
    confidence: Confidence = CONFIDENCE

    def as_said(self, documentation: Documentation) -> Self:
        """Give the same with what is said of the original, where nothing was chosen."""
        return self if self.collection else self.model_copy(update={"collection": documentation.source.collection})


def uncertainty(
    original: object,
    synthetic: object,
    settings: SettingsGiven,
    *,
    collection: Collection = "",
    confidence: float = CONFIDENCE,
) -> Uncertainty:
    """Give measures with their confidence intervals, and say where an interval would mislead.

    Parameters
    ----------
    original, synthetic
        As for `assess`, in memory; one synthetic file or a list of them.
    settings
        As for `assess_with`.
    collection
        "population" where the original has everybody, "sample" where it is one; as in the documentation.
    confidence
        Above 0 and below 1.

    Returns
    -------
    Uncertainty
        Every measure over records, and over syntheses.

    Raises
    ------
    DataError, SettingsError
        As `assess`; and where the confidence isn't a probability.

    Warns
    -----
    ComparisonWarning
        As `assess` does.

    Notes
    -----
    *Over records.* A key combination gives away all its records with the level that the file names, or none: key
    combinations, not records, are what varies by chance. The interval says what to expect on average were the
    original made of other key combinations of the same kind, with the people who have them, as many records in all,
    and synthesised alike: also where the synthetic file is a copy. Where the key combinations are the same and only
    the people are others, it is wider than it need be. See `by_cluster`; simulations are in the documentation. Of
    several files each has its own, and the highest among them that of the highest. It doesn't say what this file
    gives away about people who took no part in it: for that, see `excess_over_control`. Key combinations count as
    independent: with weights it is too narrow, and with households unless they are the unit of the settings. With a
    unit, all units of one composition vary as one. A census has no such interval, nor have measures that
    depend on which other records a file has, nor figures that few key combinations carry: those are missing, with
    the reason.

    *Over syntheses.* Student's interval of the mean of m figures, from m - 1 degrees of freedom, within what is
    possible. It concerns the method: the files at hand have the figures that they have. There is none where few key
    combinations carry the figure, as it is then far from normal, and none of width 0.

    References
    ----------
    As for `by_cluster`; Student, "The probable error of a mean", 1908.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [*range(20, 40)], "ill": ["yes", "no", "no", "no"] * 5})
    >>> synthetic = original.assign(ill="no")
    >>> import warnings
    >>> warnings.simplefilter("ignore")  # the second file is a copy
    >>> table = uncertainty(original, [synthetic, original], Settings(keys=["age"])).table
    >>> rows = table[table["measure"] == "DiSCO"][["over", "synthesis", "value", "low", "high"]]
    >>> rows.round(1).to_numpy().tolist()[:2]  # 15 of 20 key combinations, and all of them
    [['records', 1, 75.0, 51.6, 89.4], ['records', 2, 100.0, 83.2, 100.0]]
    """
    settings = settings_given(settings)
    require_confidence(confidence, "uncertainty")
    if collection not in ("", "population", "sample"):
        raise SettingsError(f"uncertainty: collection must be 'population', 'sample' or '' (got {collection!r}).")
    tables = read_all(original, synthetic)
    coded = prepare(MemoryFiles(tables), settings)
    intervals: list[MeasureInterval] = []
    figures: dict[tuple[str, str], list[_Figure]] = {}
    for counted in count_files(coded):
        clusters = np.unique(counted.full.clusters, return_inverse=True)[1] if coded.unit else None
        for entry in measures_for(coded.settings.targets):
            figure = _figure(entry, counted.cells_of(entry), clusters)
            figures.setdefault((counted.target, entry.name), []).append(figure)
            told = _over_records(figure, entry, coded.settings, collection, confidence)
            intervals.append(_entry("records", counted.target, counted.synthesis, entry, _known(figure.value), told))
    for (target, name), of_syntheses in figures.items():
        value = over_syntheses(name, [_known(one.value) for one in of_syntheses])
        told = _over_syntheses(of_syntheses, MEASURES[name], confidence)
        intervals.append(_entry("syntheses", target, 0, MEASURES[name], value, told))
    warn_as_assess(tables, coded.settings)
    return Uncertainty(
        settings=coded.settings,
        original=Source.of(tables[0]),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        confidence=confidence,
        collection=collection,
        intervals=tuple(intervals),
        methods=METHODS,
    )


@dataclass(frozen=True)
class _Figure:
    """A measure of one file, and what it consists of, one a key combination; see `residuals`."""

    value: float
    part: Parts
    whole: Parts
    sizes: Parts

    @property
    def carried(self) -> float:
        """The effective number of key combinations that the figure varies by; 0 where it can't be told."""
        apart = len(self.part) and self.whole.sum() > 0
        return effective(residuals(self.part, self.whole, self.sizes) ** 2) if apart else 0.0


def _figure(entry: Measure, cells: Cells, clusters: npt.NDArray[np.int64] | None) -> _Figure:
    """Take a measure apart: by key combination, or by what these belong to, where records of a unit vary together."""
    of_keys = cells.by_key
    sizes = of_keys.total(cells.d_full)
    if entry.of is None or entry.depends == "original":  # these have no interval
        return _Figure(entry(cells), sizes[:0], sizes[:0], sizes[:0])
    parts: list[Parts] = [entry.count(of_keys), entry.of(of_keys), sizes]
    if clusters is not None:
        parts = [np.bincount(clusters, part) for part in parts]
    return _Figure(entry(cells), *parts)


def _over_records(
    figure: _Figure, entry: Measure, settings: Settings, collection: Collection, confidence: float
) -> Interval | str:
    """Give the interval as percentages, or say why there is none."""
    if entry.depends != "both":
        return f"{entry.name} {_REASONS[entry.depends]}"
    if collection == "population":
        return _POPULATION
    if settings.max_denominator is not None:
        return _OWN_COUNTS
    if math.isnan(figure.value):
        return _NOTHING
    ends = by_cluster(figure.part, figure.whole, figure.sizes, confidence)
    return _FEW if ends is None else (100 * ends[0], 100 * ends[1])


def _over_syntheses(figures: Sequence[_Figure], entry: Measure, confidence: float) -> Interval | str:
    """Give the interval of the mean in the measure's unit, or say why there is none."""
    values = [one.value for one in figures]
    if len(values) == 1:
        return _ONE_SYNTHESIS
    if entry.of is None:
        return _LARGEST
    if entry.depends == "original":
        return _OF_ORIGINAL
    if any(map(math.isnan, values)):
        return _NOTHING
    if fmean(one.carried for one in figures) < ENOUGH:
        return _FEW
    if same_figure(min(values), max(values)):
        return _NO_SPREAD
    low, high = t_interval(values, confidence)
    most = 100.0 if entry.unit == "%" and entry.depends != "synthetic records" else math.inf
    return max(low, 0.0), min(high, most)


def _entry(
    over: Over, target: str, synthesis: int, entry: Measure, value: float | None, told: Interval | str
) -> MeasureInterval:
    """Put an interval, or the reason why there is none, into words."""
    low, high = (None, None) if isinstance(told, str) else told
    method: Method = "by key combination" if over == "records" else "Student"
    return MeasureInterval(
        over=over,
        target=target,
        synthesis=synthesis,
        measure=entry.name,
        value=value,
        low=low,
        high=high,
        method=method if low is not None else "",
        reason=told if isinstance(told, str) else "",
    )


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _in_short(found: Uncertainty, _: Measured, said: Documentation) -> Iterator[str]:
    intervals = found.of_targets("records", census=found.is_of_population(said))
    for one in sorted(intervals.values(), key=lambda one: -(one.value or 0.0))[:1]:
        interval, file = f"{points(one.low)} to {points(one.high)}", of_file(one.synthesis, len(found.synthetic))
        yield f"Uncertainty: DiSCO of {one.target} {percent(one.value)}, interval {interval} over records{file}"


ANALYSIS = Analysis(
    name="uncertainty",
    title="Uncertainty",
    question="How far could the figures be off by chance?",
    tells="Confidence intervals over synthetic files and over records; where one would mislead, why.",
    options=UncertaintyOptions,
    runs=with_options(uncertainty),
    in_short=_in_short,
)
