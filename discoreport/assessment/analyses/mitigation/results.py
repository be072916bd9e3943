"""What mitigation finds: the steps that were done, measures before and after, and the loss. Aggregates only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, Self

import pandas as pd

from discoreport.assessment.analyses.mitigation.loss import Loss
from discoreport.assessment.analyses.mitigation.steps import AddVariable, Step
from discoreport.assessment.analyses.result import Finite, OneFileResult
from discoreport.assessment.analyses.utility.candidates import RiskUtility
from discoreport.assessment.formatting import counted, number, percentage, points
from discoreport.assessment.measured import Measured
from discoreport.assessment.provenance import Source
from discoreport.assessment.release.documentation import MitigationStep
from discoreport.data.readers.read import read
from discoreport.errors import DataError

StepEffect = Literal["removed", "changed", "added", "renamed"]


class StepRecord(Finite):
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
    kind: StepEffect
    n_records: int
    n_left: int


class Figure(Finite):
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


class Mitigation(OneFileResult):
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
    utility
        How alike the file and the original are, and what it gives away, before the steps and after each; none in
        records of an earlier version.
    result
        The file that came of it, where that is known; see `with_result`.
    """

    by_target = "figures"

    steps: tuple[StepRecord, ...]
    figures: tuple[Figure, ...]
    loss: Loss
    utility: tuple[RiskUtility, ...] = ()
    result: Source | None = None

    def concerns(self, synthetic: Sequence[Source]) -> bool:
        """Tell whether the file as it was given, or the one that came of it, is among those of an assessment."""
        return self.led_to(*synthetic) or any(map(self.synthetic.can_be, synthetic))

    def for_targets(self, names: Sequence[str]) -> Self | None:
        """Give the part that concerns some targets; utility stands beside the risk of all of them, or it goes."""
        part = super().for_targets(names)
        whole = {*(self.settings.targets or ())} <= {*names}
        return part if whole or part is None else part.model_copy(update={"utility": ()})

    def before(self) -> Iterator[tuple[str, str, float | None]]:
        """Give the figures before the steps."""
        yield from ((one.target, one.measure, one.before) for one in self.figures)

    def parts_of(self, assessment: Measured) -> tuple[object, ...]:
        """List the assessed files that it can be of; else the file that came of it."""
        return self.places(assessment) or ((self.result,) if self.led_to(*assessment.synthetic) else ())

    def led_to(self, *files: Source) -> bool:
        """Tell whether a file, or any of several, came of the steps."""
        return self.result is not None and any(map(self.result.can_be, files))

    def with_result(self, path: str | Path) -> Self:
        """Say which file came of it, so that an assessment of that file can hold it.

        Parameters
        ----------
        path
            As `Mitigated.write` wrote it.

        Raises
        ------
        DataError
            Where it can't be read, or hasn't the records and variables that the steps left.
        """
        result = Source.of(read(path, "mitigated"))
        size = (self.steps[-1].n_left if self.steps else self.synthetic.n_records,
                self.synthetic.n_columns + sum(isinstance(one.step, AddVariable) for one in self.steps))  # fmt: skip
        if (result.n_records, result.n_columns) != size:
            raise DataError(
                f"'{path}' isn't what the steps led to: {result.n_records:,} records and {result.n_columns} variables; "
                f"the steps left {size[0]:,} and {size[1]}."
            )
        return self.model_copy(update={"result": result})

    @property
    def table(self) -> pd.DataFrame:
        """Measures side by side: target, measure, before, after, change."""
        columns = list(Figure.model_fields)
        table = pd.DataFrame([one.model_dump() for one in self.figures], columns=columns)
        table = table.astype({"before": "float64", "after": "float64"})
        return table.assign(change=table["after"] - table["before"])

    @property
    def of_keys(self) -> tuple[Figure, ...]:
        """The repU of the keys; where exclusions leave each target other records, the highest before and after."""
        found = [one for one in self.figures if one.measure == "repU"]
        before, after = (
            max((value for one in found if (value := getattr(one, when)) is not None), default=None)
            for when in ("before", "after")
        )
        return (Figure(target="", measure="repU", before=before, after=after),) if found else ()

    @property
    def main_figures(self) -> tuple[Figure, ...]:
        """What is told first: repU, and DiSCO of each target, the highest before the steps first."""
        of_targets = [one for one in self.figures if one.measure == "DiSCO"]
        return (*self.of_keys, *sorted(of_targets, key=lambda one: -(one.before or 0.0)))

    @property
    def steps_table(self) -> pd.DataFrame:
        """One row a step: what, kind, n_records, n_left."""
        columns = ["what", "kind", "n_records", "n_left"]
        return pd.DataFrame([one.model_dump(include=set(columns)) for one in self.steps], columns=columns)

    @property
    def documentation(self) -> tuple[MitigationStep, ...]:
        """The steps as the documentation of a release holds them."""
        return tuple(MitigationStep(what=one.what, n_records=one.n_records) for one in self.steps)


_DONE = {"removed": "removed", "changed": "changed", "added": "marked", "renamed": "in renamed variables"}


def told_changes(found: Mitigation) -> str:
    """Write what was done, repU and DiSCO of each target before and after, and the loss."""
    lines = [
        f"{one.what}: {counted(one.n_records, 'record')} {_DONE[one.kind]}, {number(one.n_left)} left"
        for one in found.steps
    ]
    of_keys = found.of_keys
    figures = [*of_keys, *(one for one in found.figures if one.measure == "DiSCO")]
    table = pd.DataFrame(
        {
            "before": [percentage(one.before) for one in figures],
            "after": [percentage(one.after) for one in figures],
            "change": [_change(one.before, one.after) for one in figures],
        },
        index=[one.measure if one in of_keys else f"{one.measure} of {one.target}" for one in figures],
    )
    return "\n".join(
        [
            *lines,
            "",
            "Risk, % of original records",
            table.to_string(),
            "",
            f"Lost: {found.loss.told}",
        ]
    )


def _change(before: float | None, after: float | None) -> str:
    return points(None if before is None or after is None else after - before)
