"""Control baseline: what the release adds over what anybody could infer about people it was not made from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import Field

from discoreport.assessment.accept_settings import SettingsGiven, settings_given
from discoreport.assessment.analyses.base import Analysis, Confidence, Options, with_options
from discoreport.assessment.analyses.control.control_validity import below_nothing, doubts, with_control
from discoreport.assessment.analyses.control.results import ControlBaseline, Excess, Method
from discoreport.assessment.analyses.count_cells import count_cells, of_files, require_confidence
from discoreport.assessment.engine_choice import MemoryFiles, read_all
from discoreport.assessment.formatting import counted, of_file, points
from discoreport.assessment.measure_files import warn_as_assess
from discoreport.assessment.measured import Measured
from discoreport.assessment.prepare import prepare
from discoreport.assessment.provenance import Source
from discoreport.assessment.release.documentation import Documentation
from discoreport.data.coding import code_variable
from discoreport.data.missing_values import marked
from discoreport.data.readers.read import read
from discoreport.data.table import require_columns
from discoreport.errors import SettingsError
from discoreport.measures import MEASURES
from discoreport.measures.cap import squared_deviations
from discoreport.measures.cells import Cells
from discoreport.measures.intervals import CONFIDENCE, METHODS, Interval, newcombe, welch
from discoreport.measures.key_index import combine
from discoreport.measures.memory_engine import Counter

SHARES = ("iS", "DiS", "DiSCO")
"""Shares of the records that have something, which the synthetic file alone decides for each record."""
COMPARABLE = (*SHARES, "DCAP_d")
"""What can be compared between two files of records, whatever their size."""


class ControlOptions(Options):
    """Of `excess_over_control`."""

    control: Any = Field(
        title="Control file", description="file with records of the same population that took no part in the synthesis"
    )
    confidence: Confidence = CONFIDENCE


def excess_over_control(
    original: object,
    synthetic: object,
    settings: SettingsGiven,
    *,
    control: object,
    confidence: float = CONFIDENCE,
) -> ControlBaseline:
    """Compare what the synthetic file gives away about the original with what it says of other people.

    Somebody may learn about a person from a synthetic file that was made without that person: the file then
    tells what is usual in the population. Records that took no part in the synthesis show how much of DiSCO is
    of this kind; what the records of the original have over them is what taking part adds.

    Parameters
    ----------
    original, synthetic
        As for `assess`, in memory; one synthetic file or a list of them.
    settings
        As for `assess_with`. Not `max_denominator`: it goes by a file's own counts, which grow with the file.
    control
        Records of the same population that took no part in the synthesis, of any number.
    confidence
        Of the intervals, above 0 and below 1.

    Returns
    -------
    ControlBaseline
        iS, DiS, DiSCO and DCAP_d of both, and the excess with its interval.

    Raises
    ------
    DataError, SettingsError
        As `assess`; and where the control lacks a column, or settings don't fit.

    Warns
    -----
    ComparisonWarning
        As `assess` does; and where the control matches the other files badly, is a copy of one of them, has more
        records of the original, whole, than chance would give it, or is of another population: where variables, or a
        key and another variable, are distributed otherwise, or where the excess is surely below 0.

    Notes
    -----
    An attribution to a control record is right when the synthetic file names its true target level. Whether the
    file names one at all for some keys is decided on the synthetic file alone. So, given the synthetic file, each
    record, of the original or of the control, is found or not, and each file is a sample of its own: files of
    different size compare. iS, DiS and DiSCO are proportions; the interval of their difference is Newcombe's
    hybrid score interval (1998, method 10). DCAP_d is a mean of probabilities; its interval is Welch's (1947).
    Both take the records of each file for independent draws: with clusters, such as the records of a unit, or with
    weights they are too narrow.

    Measures that depend on which other records a file has (UiO, repU, UiOiS, Dorig, DiSDiO, CAPd) change with the
    size of the file, and are not compared.

    Groups and levels are those of the original and the synthetic files, as without a control.

    Examples
    --------
    >>> import pandas as pd
    >>> from discoreport import Settings
    >>> original = pd.DataFrame({"age": [30, 31, 41, 42], "ill": ["yes", "no", "no", "no"]})
    >>> control = pd.DataFrame({"age": [30, 31, 41, 50, 51], "ill": ["no", "no", "yes", "no", "no"]})
    >>> baseline = excess_over_control(original, original, Settings(keys=["age"]), control=control)
    >>> row = baseline.table.set_index("measure").loc["DiSCO"]
    >>> [float(value) for value in row[["original", "control", "excess"]]]  # all four; only 31 "no" of five
    [100.0, 20.0, 80.0]
    >>> [round(float(end), 1) for end in row[["low", "high"]]]
    [15.2, 96.4]
    """
    settings = settings_given(settings)
    require_confidence(confidence, "excess_over_control")
    if settings.max_denominator is not None:
        raise SettingsError(
            "excess_over_control: max_denominator goes by the counts of a file itself, so that files of different "
            "size can't be compared. Leave it out."
        )
    tables = read_all(original, synthetic)
    of_control = read(control, "control")
    coded = prepare(MemoryFiles(tables), settings)
    require_columns([*coded.names, *([coded.unit.name] if coded.unit else [])], [of_control])
    *tables, of_control = marked([*tables, of_control], settings.missing_values)
    variables = {name: with_control(coded.variable(name), tables, of_control) for name in coded.names}
    keys, targets = coded.settings.keys, coded.settings.targets or ()
    unit = coded.unit and code_variable(coded.unit.name, [*tables, of_control])
    last = len(tables)
    findings, copies = doubts(variables, coded, of_control)
    ours, theirs = (
        count_cells(
            Counter(combine([of_files(variables[name], files) for name in keys], unit and of_files(unit, files))),
            [of_files(variables[name], files) for name in targets],
            coded.settings,
        )
        for files in (range(last), (last, *range(1, last)))
    )
    measures = COMPARABLE if targets else ("iS",)
    excesses = [
        excess
        for one, other in zip(ours, theirs, strict=True)
        for excess in _excesses(one.target, one.synthesis, one.left, other.left, measures, confidence)
    ]
    findings += below_nothing(
        [(one.target, one.synthesis, one.measure, one.excess, one.high) for one in excesses], confidence
    )
    warn_as_assess(tables, coded.settings, findings=findings)
    return ControlBaseline(
        settings=coded.settings,
        original=Source.of(tables[0]),
        control=Source.of(of_control),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        confidence=confidence,
        excesses=tuple(excesses),
        copies=copies,
        findings=tuple(findings),
        methods=METHODS,
    )


def _excesses(
    target: str, synthesis: int, ours: Cells, theirs: Cells, measures: Sequence[str], confidence: float
) -> Iterator[Excess]:
    n, n_control = ours.n_original, theirs.n_original
    for name in measures:
        count, other = (float(MEASURES[name].count(cells)) for cells in (ours, theirs))
        interval: Interval | None = None
        method: Method = "Newcombe" if name in SHARES else "Welch"
        if name in SHARES:
            interval = newcombe(count, n, other, n_control, confidence)
        elif min(n, n_control) > 1:
            deviation, other_deviation = (
                math.sqrt(squared_deviations(cells) / (cells.n_original - 1)) for cells in (ours, theirs)
            )
            interval = welch(count / n, deviation, n, other / n_control, other_deviation, n_control, confidence)
        if interval is not None:  # a difference of shares is one of at most all
            interval = max(interval[0], -1.0), min(interval[1], 1.0)
        yield Excess(
            target=target,
            synthesis=synthesis,
            measure=name,
            original=100 * count / n,
            control=100 * other / n_control,
            excess=100 * (count / n - other / n_control),
            low=None if interval is None else 100 * interval[0],
            high=None if interval is None else 100 * interval[1],
            method=method,
        )


def _in_short(found: ControlBaseline, _: Measured, __: Documentation) -> Iterator[str]:
    excesses = found.largest()
    for one in excesses[:1]:
        n_above = sum(other.low is not None and other.low > 0 for other in excesses)
        doubt = " (in doubt: see the warnings about the control)" if found.findings else ""
        yield (
            f"Control{doubt}: the greatest excess is {points(one.excess)} percentage points of DiSCO, of {one.target}"
            f"{of_file(one.synthesis, len(found.synthetic))}; "
            f"the interval is above 0 for {n_above} of {counted(len(excesses), 'target')}"
        )


ANALYSIS = Analysis(
    name="control",
    title="Control baseline",
    question="What does the release add to what anybody could infer from the population?",
    tells="The same measures for records that took no part in the synthesis, and how far the original exceeds them.",
    options=ControlOptions,
    runs=with_options(excess_over_control),
    in_short=_in_short,
)
