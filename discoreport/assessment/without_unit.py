"""What somebody finds who knows the keys of one record, where a unit says which records belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from discoreport.assessment.engine_choice import Files
from discoreport.assessment.evaluate_measures import Collected, measure_keys
from discoreport.assessment.formatting import listed, percentage
from discoreport.assessment.results import Result
from discoreport.assessment.settings import Settings
from discoreport.data.coding import Variable
from discoreport.data.findings.finding import Finding
from discoreport.measures.cells import Target
from discoreport.measures.exclusions import Rules

_HIGHER = 0.5
"""Percentage points by which a figure must be higher without the unit to be told of."""
_NAMED = 4


class WithoutUnit:
    """The figures without the unit: whoever knows more can look for the one record alone, too.

    Figures of units are then not the highest. Where no unit is named, nothing is counted.
    """

    def __init__(self, files: Files, keys: Sequence[Variable], settings: Settings, of_keys: Rules) -> None:
        self._settings = settings
        self._counter = None if settings.unit is None else files.count(keys)
        cells = self._counter.of_keys() if self._counter else ()
        self._of_keys = self._of_keys_in_full = _measured(cells, of_keys)
        if of_keys.any:
            self._of_keys_in_full = _measured(cells, Rules())
        self._of_targets, self._in_full = Collected(), Collected()

    def add(self, target: Variable, rules: Rules) -> None:
        """Measure one target."""
        for synthesis, cells in enumerate(self._counter.of_target(target) if self._counter else (), start=1):
            self._of_targets.add(target.name, synthesis, target, cells, rules, self._settings)
            if rules.any:
                self._in_full.add(target.name, synthesis, target, cells, Rules(), self._settings)
            else:
                self._in_full.take(self._of_targets)

    @property
    def results(self) -> tuple[Result, ...]:
        """What was found: of the keys, then of each target."""
        return (*self._of_keys, *self._of_targets.results)

    @property
    def results_in_full(self) -> tuple[Result, ...]:
        """The same with nothing left out."""
        return (*self._of_keys_in_full, *self._in_full.results)

    def higher(self, of_units: Sequence[Result]) -> Iterator[Finding]:
        """Warn of each file in which somebody finds more so.

        Parameters
        ----------
        of_units
            What is found with the unit: of the keys alone and of each target, in the order in which they were added.
        """
        pairs = [*zip(of_units, self.results, strict=False)]
        for synthesis in range(1, len(self._of_keys) + 1):
            higher = [
                f"{' of '.join(filter(None, (measure, ours.target)))} {percentage(more)} "
                f"instead of {percentage(less)} %"
                for ours, theirs in pairs
                if ours.synthesis == synthesis
                and (measure := "DiSCO" if ours.target else "repU")
                and (more := theirs.values[measure] or 0) > (less := ours.values[measure] or 0) + _HIGHER
            ]
            if higher:
                detail = (
                    f"somebody who knows the keys of one record, and not of all in its '{self._settings.unit}', finds "
                    f"more: {listed(higher, _NAMED)}. Thresholds are compared with the highest; assess without the "
                    "unit, too, and decide on the higher figures"
                )
                yield Finding("", synthesis, "higher_without_unit", "warning", detail)


def _measured(cells: Sequence[Target], rules: Rules) -> tuple[Result, ...]:
    return tuple(one for one, _ in measure_keys(cells, rules))
