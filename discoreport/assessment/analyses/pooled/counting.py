"""Cells of several files -> what they tell together, target by target, while the files are counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from discoreport.assessment.analyses.pooled.results import Pooled, PooledFigure, UniqueInFiles
from discoreport.assessment.analyses.result import same_figure
from discoreport.assessment.evaluate_measures import evaluate
from discoreport.assessment.provenance import Source
from discoreport.assessment.results import highest
from discoreport.assessment.settings import Settings
from discoreport.measures import MEASURES, Measure
from discoreport.measures.cells import Target
from discoreport.measures.exclusions import Rules
from discoreport.measures.memory_engine import TargetCells
from discoreport.measures.pooled import OF_KEYS, OF_TARGET, Condition, InMemory, Pool
from discoreport.measures.registry import of_group

_OF_TARGET = (*of_group("attribute"), *of_group("cap"))


class PooledCounts:
    """Gathers what several files tell together; the files that are not assessed come last.

    Parameters
    ----------
    n_assessed
        How many of the files are.
    """

    def __init__(self, n_assessed: int) -> None:
        self._n_assessed = n_assessed
        self._figures: list[PooledFigure] = []
        self._repeated: tuple[UniqueInFiles, ...] = ()

    def of_keys(self, files: Sequence[Target], rules: Rules) -> None:
        """Take the cells of the keys alone, one a file."""
        pool = _pool(files, rules)
        self._add("", of_group("identity"), pool, OF_KEYS)
        self._repeated = tuple(UniqueInFiles(**vars(one)) for one in pool.repeated())

    def of_target(self, name: str, files: Sequence[Target], rules: Rules) -> None:
        """Take the cells of one target, one a file."""
        self._add(name, _OF_TARGET, _pool(files, rules), OF_TARGET)

    def result(self, settings: Settings, original: Source, files: Sequence[Source]) -> Pooled:
        """Give what was found."""
        return Pooled(
            settings=settings,
            original=original,
            synthetic=tuple(files[: self._n_assessed]),
            earlier=tuple(files[self._n_assessed :]),
            figures=tuple(self._figures),
            repeated=self._repeated,
        )

    def _add(self, target: str, measures: Sequence[Measure], pool: Pool, conditions: Mapping[str, Condition]) -> None:
        met = pool.met(conditions)
        together = pool.together()
        of_all, n = evaluate(together, measures), together.n_original
        of_files = [evaluate(rows, measures) for rows in pool.rows()[: self._n_assessed]]
        for entry in measures:
            values = [values[entry.name] for values in of_files]
            worst = highest(values)
            first = next(file for file, value in enumerate(values, start=1) if same_figure(value, worst))
            counts = met.get(entry.name)
            self._figures.append(
                PooledFigure(
                    target=target,
                    measure=entry.name,
                    worst=worst,
                    file=None if worst is None else first,
                    any=None if counts is None else MEASURES[entry.name].value(counts.any, n),
                    all=None if counts is None else MEASURES[entry.name].value(counts.all, n),
                    together=of_all[entry.name],
                )
            )


def _pool(files: Sequence[Target], rules: Rules) -> Pool:
    if isinstance(files[0], TargetCells):
        return InMemory(files, rules)  # type: ignore[arg-type]  # all are in one engine
    from discoreport.measures.pooled_beyond_memory import Stored

    return Stored(files, rules)  # type: ignore[arg-type]
