"""Coded variables -> cells, target by target, for all that is counted of files in memory."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from discoreport.assessment.evaluate_measures import evaluate
from discoreport.assessment.prepare import PreparedFiles, missing_keys_of, rules_for
from discoreport.assessment.settings import MOST_COUNTED, Settings
from discoreport.assessment.validation_errors import shown
from discoreport.data.coding import Variable
from discoreport.errors import SettingsError
from discoreport.measures import Measure
from discoreport.measures.cells import Cells
from discoreport.measures.exclusions import Rules, cells_left
from discoreport.measures.key_index import combine
from discoreport.measures.memory_engine import Counter, TargetCells


@dataclass(frozen=True)
class Counted:
    """The cells of one target and one synthesis.

    Parameters
    ----------
    target, synthesis
        Which; the target is "" where there is none, syntheses count from 1.
    full
        All cells.
    left
        What exclusions leave.
    of_keys
        The key combinations: only missing keys can be left out. What is known of a target hides nobody, so identity
        risk is the same whatever the targets and their exclusions.
    """

    target: str
    synthesis: int
    full: TargetCells
    left: Cells
    of_keys: Cells

    def cells_of(self, measure: Measure) -> Cells:
        """Give the cells that a measure is of."""
        return self.of_keys if measure.group == "identity" else self.left

    def values(self, measures: Sequence[Measure]) -> dict[str, float | None]:
        """Evaluate measures by name, in their order; None where there is nothing to divide by."""
        alone = [measure for measure in measures if measure.group == "identity"]
        others = [measure for measure in measures if measure not in alone]
        found = {**evaluate(self.of_keys, alone), **evaluate(self.left, others)}
        return {measure.name: found[measure.name] for measure in measures}


def count_cells(counter: Counter, targets: Iterable[Variable], settings: Settings) -> Iterator[Counted]:
    """Count the cells of each target and synthesis.

    Parameters
    ----------
    counter
        Of the keys.
    targets
        Coded for the same files; may be an iterator, as one is held at a time.
    settings
        What is left out.

    Yields
    ------
    Counted
        Without targets, those of the keys alone: the target is "", and only measures of the keys mean anything.
    """
    keys, target = counter.index.keys, None
    alone = Rules(missing_keys=missing_keys_of(keys, settings))
    of_keys = [(full, cells_left(full, alone)) for full in counter.of_keys()]
    for target in targets:
        rules = rules_for(target, keys, settings)
        for synthesis, full in enumerate(counter.of_target(target), start=1):
            yield Counted(target.name, synthesis, full, cells_left(full, rules), of_keys[synthesis - 1][1])
    if target is None:
        for synthesis, (full, left) in enumerate(of_keys, start=1):
            yield Counted("", synthesis, full, left, left)


def count_files(prepared: PreparedFiles) -> Iterator[Counted]:
    """Count the cells of each target and synthesis of files in memory."""
    return count_cells(Counter(combine(prepared.keys, prepared.unit)), prepared.targets, prepared.settings)


def of_files(variable: Variable, files: Sequence[int]) -> Variable:
    """Give a variable as some of its files have it, in another order perhaps."""
    return dataclasses.replace(variable, codes=tuple(variable.codes[file] for file in files))


def require_whole(number: Any, least: int, what: str, most: int = MOST_COUNTED) -> int:
    """Give a whole number from some other up to a third; numbers of NumPy are taken, too.

    Raises
    ------
    SettingsError
        Where it is anything else; true and false are.
    """
    known = isinstance(number, int | float | np.integer | np.floating) and not isinstance(number, bool)
    if not known or not least <= number <= most or int(number) != number:
        raise SettingsError(f"{what} must be a whole number from {least} to {most:,} (got {shown(number)}).")
    return int(number)


def require_confidence(confidence: float, where: str) -> None:
    """Refuse what isn't a probability.

    Raises
    ------
    SettingsError
        Where it isn't above 0 and below 1.
    """
    if not isinstance(confidence, int | float) or not 0 < confidence < 1:
        raise SettingsError(f"{where}: confidence must be above 0 and below 1, such as 0.95 (got {confidence}).")
