"""What `pooled` finds: each measure of the worst file, of any, of all, and of the files together."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from discoreport.assessment.analyses.result import Finite, OwnFigure, SettingsResult, SynthesesResult, is_of_keys
from discoreport.assessment.provenance import Source
from discoreport.data.findings.finding import Finding


class PooledFigure(Finite):
    """One measure of several files of one original.

    Parameters
    ----------
    target, measure
        Its name ("" for the keys alone), and the measure's published name.
    worst, file
        The largest figure among the assessed files, and which file has it, counting from 1; None where no file has
        anything to divide by.
    any, all
        Percent of the original records for which at least one file, or every file, meets the condition of the measure;
        None for measures that are not defined so.
    together
        The measure with the synthetic records of all files added up; None where there is nothing to divide by.
    """

    target: str
    measure: str
    worst: float | None
    file: int | None
    any: float | None
    all: float | None
    together: float | None


class UniqueInFiles(Finite):
    """Key combinations that are unique in exactly so many of the files, and those of them unique in the original."""

    files: int
    combinations: int
    unique_in_original: int

    @property
    def percent(self) -> float | None:
        """The share that is unique in the original; None where there is no combination."""
        return 100 * self.unique_in_original / self.combinations if self.combinations else None


class Pooled(SettingsResult, SynthesesResult):
    """What several files tell together; get one from `pooled`, or from `assess` with several files. Aggregates only.

    Parameters
    ----------
    settings
        What was asked, targets written out.
    original, synthetic
        The files.
    earlier
        Files of earlier releases of the same original, which were pooled with these.
    figures
        One for each measure of the keys, and of each target.
    repeated
        One for each number of files.
    findings
        How the earlier files differ from the original.
    """

    by_target = "figures"

    earlier: tuple[Source, ...] = ()
    figures: tuple[PooledFigure, ...]
    repeated: tuple[UniqueInFiles, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def n_files(self) -> int:
        """How many files are pooled, earlier ones among them."""
        return len(self.synthetic) + len(self.earlier)

    @property
    def of_assess(self) -> bool:
        """Whether `assess` finds the same without being asked: with several files, and no earlier ones."""
        return len(self.synthetic) > 1 and not self.earlier

    @property
    def table(self) -> pd.DataFrame:
        """One row for each measure: target (missing for the keys), measure, worst, file, any, all, together."""
        columns = list(PooledFigure.model_fields)
        rows = [one.model_dump() | {"target": None if is_of_keys(one.measure) else one.target} for one in self.figures]
        table = pd.DataFrame(rows, columns=columns)
        return table.astype(dict.fromkeys(("worst", "any", "all", "together"), "float64") | {"file": "Int64"})

    @property
    def unique_in_files(self) -> pd.DataFrame:
        """One row for each number of files: files, combinations unique in so many, and how many in the original."""
        return pd.DataFrame([one.model_dump() for one in self.repeated], columns=list(UniqueInFiles.model_fields))

    def figure(self, measure: str, target: str | None = None) -> PooledFigure | None:
        """Give one measure of a target, or (None) of the keys; None where there is none."""
        places = (one for one in self.figures if (one.target, one.measure) == (target or "", measure))
        return next(places, None)

    @property
    def main(self) -> tuple[PooledFigure, ...]:
        """RepU of the keys, then DiSCO of each target, most by any file first."""
        told = [one for one in self.figures if one.any is not None and one.measure in {"repU", "DiSCO"}]
        return tuple(sorted(told, key=lambda one: (one.measure != "repU", -(one.any or 0))))

    def own_figures(self) -> Iterator[OwnFigure]:
        """Give the figures of the worst file."""
        yield from ((one.target, one.file, one.measure, one.worst) for one in self.figures if one.file is not None)
