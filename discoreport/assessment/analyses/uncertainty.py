"""Uncertainty: how far a figure could be off by chance, over syntheses and over the records of the original."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import pandas as pd

from discoreport.assessment.analyses.counting import code_files, require_confidence
from discoreport.assessment.analyses.result import Finite, OwnFigure, SettingsResult, SynthesesResult
from discoreport.assessment.engines import read_all
from discoreport.assessment.preparing import warn_of
from discoreport.assessment.results import Source, pooled
from discoreport.assessment.settings import Settings
from discoreport.errors import SettingsError
from discoreport.measures import MEASURES
from discoreport.measures.cap import squared_deviations
from discoreport.measures.cells import Cells
from discoreport.measures.intervals import CONFIDENCE, mean_interval, t_interval, wilson
from discoreport.measures.registry import of_group

Collection = Literal["", "population", "sample"]
Over = Literal["records", "syntheses"]
Method = Literal["", "Wilson", "normal", "Student"]

_SHARES = ("iS", "DiS", "DiSCO", "TCAP")
_OWN_RECORDS = "goes by which other records the original has, so that it changes with the size of a sample"
_OF_SYNTHETIC = "is a figure of the synthetic file itself, which is known in full"
_BY_SYNTHETIC = "divides by synthetic records, so that it isn't a share of the original"
_REASONS = {
    **dict.fromkeys(("UiO", "UiOiS", "repU", "Dorig", "DiSDiO", "CAPd"), _OWN_RECORDS),
    **dict.fromkeys(("UiS", "Dsyn", "CAPs"), _OF_SYNTHETIC),
    **dict.fromkeys(("DCAP_s", "DCAP_b", "TCAP_s", "TCAP_b"), _BY_SYNTHETIC),
    **dict.fromkeys(("max_denom", "mean_denom"), "is a number of records, not a share of them"),
    "baseCAPd": "only helps to read other measures",
}
"""Why a measure has no interval over the records of the original."""

_POPULATION = "the original has everybody of the population: there is nothing to infer from it"
_OWN_COUNTS = "max_denominator leaves out records by how many others are like them, which changes with the sample"
_NOTHING = "there is nothing to divide by"
_ONE_RECORD = "one record has no spread"
_ONE_SYNTHESIS = "one synthesis has no spread: make two or more"
_LARGEST = "the largest of several isn't a mean"


class MeasureInterval(Finite):
    """The confidence interval of one measure, or why it has none.

    Parameters
    ----------
    over
        "records": how far the figure could be off had other people of the population been in the original.
        "syntheses": how far the mean could be off had the method been run more often on the same original.
    target, synthesis
        Its name ("" for the keys alone, where there is no target), and which synthetic file; 0 for the mean over all.
    measure
        Published name.
    value, low, high
        The figure and its interval, in the measure's unit; None where there is none.
    method
        "Wilson", "normal", "Student", or "" where there is no interval.
    reason
        Why there is no interval; "" where there is one.
    """

    over: Over
    target: str
    synthesis: int
    measure: str
    value: float | None
    low: float | None
    high: float | None
    method: Method
    reason: str


class Uncertainty(SettingsResult, SynthesesResult):
    """The confidence intervals of the measures; get one from `uncertainty`. Aggregates only.

    Parameters
    ----------
    settings
        What was asked, targets written out.
    original, synthetic
        The files.
    confidence
        Such as 0.95.
    collection
        What was said of the original: "population", "sample", or "" where nothing was.
    intervals
        One for each way, target, synthesis and measure.
    """

    by_target = "intervals"

    confidence: float
    collection: Collection
    intervals: tuple[MeasureInterval, ...]

    @property
    def table(self) -> pd.DataFrame:
        """One row for each interval: over, target, synthesis, measure, value, low, high, method, reason."""
        columns = list(MeasureInterval.model_fields)
        table = pd.DataFrame([one.model_dump() for one in self.intervals], columns=columns)
        return table.astype(dict.fromkeys(("value", "low", "high"), "float64"))

    def own_figures(self) -> Iterator[OwnFigure]:
        """Give the figures of each synthetic file."""
        of_files = (one for one in self.intervals if one.synthesis)
        yield from ((one.target, one.synthesis, one.measure, one.value) for one in of_files)

    def of_targets(self, over: Over, *, census: bool = False) -> dict[str, MeasureInterval]:
        """Give by target the interval of DiSCO, over records that of the file that gives away most.

        Parameters
        ----------
        over
            "records" or "syntheses".
        census
            Whether the original is said to have the whole population: then there is none over records.
        """
        largest: dict[str, MeasureInterval] = {}
        for one in self.intervals:
            told = (one.over, one.measure) == (over, "DiSCO") and one.low is not None
            if told and not (census and over == "records"):
                known = largest.get(one.target)
                if known is None or (one.value or 0) > (known.value or 0):
                    largest[one.target] = one
        return largest


def uncertainty(
    original: object,
    synthetic: object,
    settings: Settings,
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
    *Over records.* Given the synthetic file, each original record is found or not, whatever the others are. iS, DiS
    and DiSCO are proportions of N_d such records, TCAP one of the records of DiS: Wilson's score interval. DCAP_d is
    a mean of probabilities: the normal interval. Records count as independent draws: with clusters or weights the
    intervals are too narrow. They say nothing of another synthesis, nor of people who took no part in it (see
    `excess_over_control`). A census has no such interval, nor have measures that depend on which other records a
    file has: those are missing, with the reason.

    *Over syntheses.* Student's interval of the mean of m figures, from m - 1 degrees of freedom. It concerns the
    method: the files at hand have the figures that they have.

    References
    ----------
    Wilson, "Probable inference, the law of succession, and statistical inference", 1927; Student, "The probable error
    of a mean", 1908.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 31, 41, 41], "ill": ["yes", "no", "no", "no"]})
    >>> synthetic = pd.DataFrame({"age": [30, 31, 31, 41], "ill": ["yes", "no", "yes", "no"]})
    >>> table = uncertainty(original, [synthetic, original], Settings(keys=["age"])).table
    >>> rows = table[table["measure"] == "DiSCO"][["over", "synthesis", "value", "low", "high"]]
    >>> rows.round(1).to_numpy().tolist()[:2]  # 3 of 4, and 4 of 4
    [['records', 1, 75.0, 30.1, 95.4], ['records', 2, 100.0, 51.0, 100.0]]
    """
    require_confidence(confidence, "uncertainty")
    if collection not in ("", "population", "sample"):
        raise SettingsError(f"uncertainty: collection must be 'population', 'sample' or '' (got {collection!r}).")
    tables = read_all(original, synthetic)
    coded = code_files(tables, settings)
    intervals: list[MeasureInterval] = []
    values: dict[tuple[str, str], list[float | None]] = {}
    for target, synthesis, cells in coded.cells():
        for one in _over_records(target, synthesis, cells, coded.settings, collection, confidence):
            intervals.append(one)
            values.setdefault((target, one.measure), []).append(one.value)
    intervals += _over_syntheses(values, confidence)
    warn_of(coded.findings, stacklevel=2)
    return Uncertainty(
        settings=coded.settings,
        original=Source.of(tables[0]),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        confidence=confidence,
        collection=collection,
        intervals=tuple(intervals),
    )


def _over_records(
    target: str, synthesis: int, cells: Cells, settings: Settings, collection: Collection, confidence: float
) -> Iterator[MeasureInterval]:
    n = cells.n_original
    for entry in MEASURES.values() if settings.targets else of_group("identity"):
        name, value = entry.name, entry(cells)
        method: Method = ""
        low = high = math.nan
        reason = _reason(name, value, n, settings, collection)
        if not reason and name in _SHARES:
            method = "Wilson"
            n_all = n if entry.of is None else int(entry.of(cells))
            low, high = (100 * end for end in wilson(float(entry.count(cells)), n_all, confidence))
        elif not reason:
            method = "normal"
            deviation = math.sqrt(squared_deviations(cells) / (n - 1))
            low, high = (100 * end for end in mean_interval(value / 100, deviation, n, confidence))
        yield MeasureInterval(
            over="records",
            target=target,
            synthesis=synthesis,
            measure=name,
            value=_known(value),
            low=_known(low),
            high=_known(high),
            method=method,
            reason=reason,
        )


def _reason(name: str, value: float, n: int, settings: Settings, collection: Collection) -> str:
    """Say why a measure has no interval over records; "" where it has one."""
    if name in _REASONS:
        return f"{name} {_REASONS[name]}"
    if collection == "population":
        return _POPULATION
    if settings.max_denominator is not None:
        return _OWN_COUNTS
    if math.isnan(value):
        return _NOTHING
    return _ONE_RECORD if name == "DCAP_d" and n == 1 else ""


def _over_syntheses(
    values: Mapping[tuple[str, str], Sequence[float | None]], confidence: float
) -> Iterator[MeasureInterval]:
    for (target, name), of_syntheses in values.items():
        present = [value for value in of_syntheses if value is not None]
        reason = _LARGEST if name == "max_denom" else _NOTHING if len(present) < len(of_syntheses) else ""
        if len(of_syntheses) == 1:
            reason = _ONE_SYNTHESIS
        low, high = (None, None) if reason else t_interval(present, confidence)
        yield MeasureInterval(
            over="syntheses",
            target=target,
            synthesis=0,
            measure=name,
            value=pooled(name, of_syntheses),
            low=low,
            high=high,
            method="" if reason else "Student",
            reason=reason,
        )


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
