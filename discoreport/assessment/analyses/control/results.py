"""What `excess_over_control` finds: by how much the original's figures exceed the control's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pandas as pd

from discoreport.assessment.analyses.result import Finite, OwnFigure, SettingsResult, SynthesesResult
from discoreport.assessment.provenance import Source
from discoreport.data.findings.finding import Finding
from discoreport.measures.intervals import METHODS

Method = Literal["Newcombe", "Welch"]


class Excess(Finite):
    """One measure of the original over that of the control.

    Parameters
    ----------
    target, synthesis
        Its name ("" for the keys alone, where there is no target), and which synthetic file, counting from 1.
    measure
        One of `COMPARABLE`.
    original, control
        The measure for the records of the original, and of the control, in percent.
    excess
        The first less the second, in percentage points.
    low, high
        The confidence interval of the excess; None where a file has too few records for one, or none that differ.
    method
        "Newcombe" (hybrid score) for shares of records, "Welch" for means.
    """

    target: str
    synthesis: int
    measure: str
    original: float
    control: float
    excess: float
    low: float | None
    high: float | None
    method: Method


class ControlBaseline(SettingsResult, SynthesesResult):
    """What the release adds over the control; get one from `excess_over_control`. Aggregates only.

    Parameters
    ----------
    settings
        What was asked, targets written out.
    original, control, synthetic
        The files.
    confidence
        Of the intervals, such as 0.95.
    excesses
        One for each target, synthesis and measure.
    copies
        Records of the control that equal an original record in all variables that the files share, identifiers left
        out: what chance gives of `Assessment.copies`. None where nothing can be compared, and in earlier records.
    findings
        How the control differs from the other files.
    methods
        Which generation of methods made the intervals; see `METHODS`.
    """

    by_target = "excesses"

    control: Source
    confidence: float
    excesses: tuple[Excess, ...]
    copies: int | None = None
    findings: tuple[Finding, ...] = ()
    methods: int = 1

    @property
    def repeatable(self) -> bool:
        """Whether the intervals are made as they would be today."""
        return self.methods == METHODS

    @property
    def table(self) -> pd.DataFrame:
        """One row for each target, synthesis and measure, with both files' records."""
        columns = list(Excess.model_fields)
        table = pd.DataFrame([one.model_dump() for one in self.excesses], columns=columns)
        return table.astype(dict.fromkeys(("original", "control", "excess", "low", "high"), "float64")).assign(
            n_original=self.original.n_records, n_control=self.control.n_records
        )

    def own_figures(self) -> Iterator[OwnFigure]:
        """Give the figures of the original."""
        yield from ((one.target, one.synthesis, one.measure, one.original) for one in self.excesses)

    def largest(self, measure: str = "DiSCO") -> list[Excess]:
        """Give for each target the excess of the synthetic file that adds most, the largest first."""
        found: dict[str, Excess] = {}
        for one in self.excesses:
            if one.measure == measure and (one.target not in found or one.excess > found[one.target].excess):
                found[one.target] = one
        return sorted(found.values(), key=lambda one: -one.excess)
