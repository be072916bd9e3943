"""What `uncertainty` finds: the interval of each measure, or why it has none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pandas as pd

from discoreport.assessment.analyses.result import Finite, OwnFigure, SettingsResult, SynthesesResult
from discoreport.assessment.release.documentation import Documentation
from discoreport.measures.intervals import METHODS

Collection = Literal["", "population", "sample"]
Over = Literal["records", "syntheses"]
Method = Literal["", "by key combination", "Student", "Wilson", "normal"]


class MeasureInterval(Finite):
    """The confidence interval of one measure, or why it has none.

    Parameters
    ----------
    over
        "records": the figure to expect where the original has other key combinations of the same kind, with the
        people who have them, and is synthesised alike. "syntheses": the mean to expect where the same original is
        synthesised more often.
    target, synthesis
        Its name ("" for the keys alone, where there is no target), and which synthetic file; 0 for the mean over all.
    measure
        Published name.
    value, low, high
        The figure and its interval, in the measure's unit; None where there is none.
    method
        "by key combination", "Student", or "" where there is no interval. "Wilson" and "normal" are of earlier
        versions: they took records for independent draws, and are too narrow.
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
    methods
        Which generation of methods made them; see `METHODS`.
    """

    by_target = "intervals"

    confidence: float
    collection: Collection
    intervals: tuple[MeasureInterval, ...]
    methods: int = 1

    @property
    def repeatable(self) -> bool:
        """Whether the intervals are made as they would be today; earlier ones did not hold what they said."""
        return self.methods == METHODS

    def is_of_population(self, said: Documentation) -> bool:
        """Tell whether the original has the whole population, as was chosen here or is said of it."""
        return "population" in (said.source.collection, self.collection)

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

        There are none of earlier methods, which did not hold what they said.

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
            if told and self.repeatable and not (census and over == "records"):
                known = largest.get(one.target)
                if known is None or (one.value or 0) > (known.value or 0):
                    largest[one.target] = one
        return largest
