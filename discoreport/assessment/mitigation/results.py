"""What mitigation finds: the steps that were done, measures before and after, and the loss. Aggregates only."""

from __future__ import annotations

from typing import Literal

import pandas as pd

from discoreport.assessment.documentation import MitigationStep
from discoreport.assessment.mitigation.loss import Loss
from discoreport.assessment.mitigation.steps import Step
from discoreport.assessment.results import Held, Source
from discoreport.assessment.settings import Settings

Kind = Literal["removed", "changed", "added", "renamed"]


class StepRecord(Held):
    """One step as it was done.

    Parameters
    ----------
    step
        What was asked.
    what
        The same in words, without counts.
    kind
        Whether records were removed, values changed, or variables added or renamed.
    n_records
        Records removed or changed; all of them where a variable is added or renamed.
    n_left
        Records of the file after the step.
    """

    step: Step
    what: str
    kind: Kind
    n_records: int
    n_left: int


class Figure(Held):
    """One measure before and after.

    Parameters
    ----------
    target
        Its name; "" for measures of the keys alone.
    measure
        Published name.
    before, after
        In the measure's unit; None where there is nothing to divide by.
    """

    target: str
    measure: str
    before: float | None
    after: float | None


class Mitigation(Held):
    """What was done to a synthetic file, and what came of it. Aggregates only.

    Parameters
    ----------
    settings
        What was asked, targets written out.
    original, synthetic
        The files, the synthetic one as it was given.
    steps
        In their order.
    figures
        Measures before and after.
    loss
        What it costs.
    """

    settings: Settings
    original: Source
    synthetic: Source
    steps: tuple[StepRecord, ...]
    figures: tuple[Figure, ...]
    loss: Loss

    @property
    def table(self) -> pd.DataFrame:
        """Measures side by side: target, measure, before, after, change."""
        columns = list(Figure.model_fields)
        table = pd.DataFrame([one.model_dump() for one in self.figures], columns=columns)
        table = table.astype({"before": "float64", "after": "float64"})
        return table.assign(change=table["after"] - table["before"])

    @property
    def steps_table(self) -> pd.DataFrame:
        """One row a step: what, kind, n_records, n_left."""
        columns = ["what", "kind", "n_records", "n_left"]
        return pd.DataFrame([one.model_dump(include=set(columns)) for one in self.steps], columns=columns)

    @property
    def documentation(self) -> tuple[MitigationStep, ...]:
        """The steps as the documentation of a release holds them."""
        return tuple(MitigationStep(what=one.what, n_records=one.n_records) for one in self.steps)
