"""What `sensitivity` finds: the risk by subset of the keys, and what each key adds to it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from pydantic import model_validator

from discoreport.assessment.analyses.result import Finite, OwnFigure, SettingsResult, SynthesesResult, target_of
from discoreport.assessment.results import highest
from discoreport.errors import SettingsError, suggest


class SubsetFigures(Finite):
    """One measure of all subsets of the keys.

    Parameters
    ----------
    target
        Its name; "" where only identity measures are evaluated.
    synthesis
        Which synthetic file, counting from 1.
    measure
        Published name.
    values
        One for each subset; None where there is nothing to divide by.
    """

    target: str
    synthesis: int
    measure: str
    values: tuple[float | None, ...]


class Sensitivity(SettingsResult, SynthesesResult):
    """The measures of every subset of the keys; get one from `sensitivity`. Aggregates only.

    Parameters
    ----------
    settings
        What was asked, targets written out; its keys are where `leave_one_out` and `add_one_in` start.
    original, synthetic
        The files.
    candidates
        The variables that subsets were taken of, the keys of the settings first.
    targets
        The targets counted; none where only identity measures are evaluated.
    measures
        What was evaluated.
    largest
        All subsets of up to this many keys were evaluated.
    subsets
        What is known in each, in the order of the candidates; smaller subsets first, the empty one among them.
    figures
        One for each target, synthesis and measure.
    """

    by_target = "figures"

    candidates: tuple[str, ...]
    targets: tuple[str, ...]
    measures: tuple[str, ...]
    largest: int
    subsets: tuple[tuple[str, ...], ...]
    figures: tuple[SubsetFigures, ...]

    @model_validator(mode="after")
    def _a_figure_a_subset(self) -> Self:
        n = len(self.candidates)
        if len(self.subsets) < sum(math.comb(n, size) for size in range(min(self.largest, n) + 1)):
            raise ValueError("subsets: not all of those that were evaluated")
        if any(len(one.values) != len(self.subsets) for one in self.figures):
            raise ValueError("figures: not one value for each subset")
        return self

    @property
    def complete(self) -> bool:
        """Whether every subset was evaluated."""
        return self.largest == len(self.candidates)

    @property
    def table(self) -> pd.DataFrame:
        """All figures: target, synthesis, n_keys, keys (joined by ", "), and the measures."""
        by_file: dict[tuple[str, int], list[SubsetFigures]] = {}
        for one in self.figures:
            by_file.setdefault((one.target, one.synthesis), []).append(one)
        rows = [
            (target, synthesis, len(keys), ", ".join(keys), *values)
            for (target, synthesis), found in by_file.items()
            for keys, *values in zip(self.subsets, *(one.values for one in found), strict=True)
        ]
        table = pd.DataFrame(rows, columns=["target", "synthesis", "n_keys", "keys", *self.measures])
        return table.astype(dict.fromkeys(self.measures, "float64"))

    def own_figures(self) -> Iterator[OwnFigure]:
        """Give the figures with the keys of the settings."""
        if self.settings.keys in self.subsets:
            place = self.subsets.index(self.settings.keys)
            yield from ((one.target, one.synthesis, one.measure, one.values[place]) for one in self.figures)

    def for_targets(self, names: Sequence[str]) -> Self | None:
        """Give the part that concerns some targets."""
        part = super().for_targets(names)
        return part and part.model_copy(update={"targets": tuple(name for name in names if name in self.targets)})

    def value(self, measure: str, keys: Sequence[str], target: str | None = None) -> float | None:
        """Give one measure of one subset, of the file where it is highest; see `file`.

        Parameters
        ----------
        measure
            One of `measures`.
        keys
            The subset, in any order.
        target
            Needed for everything but identity measures, unless there is just one.

        Raises
        ------
        SettingsError
            Where there is no such measure, target or candidate, or the subset was not evaluated.
        """
        return self._of(self._values(measure, target), keys)

    def file(self, measure: str, target: str | None = None) -> int:
        """Tell which file the figures are of: the first where the measure is highest with the keys of the settings.

        Where those were not evaluated, with all candidates. Parameters and errors are as for `value`.
        """
        known = {one.synthesis: one.values[self._decisive] for one in self._figures(measure, target)}
        return next(synthesis for synthesis, value in known.items() if value == highest(known.values()))

    def leave_one_out(self, measure: str, target: str | None = None) -> pd.DataFrame:
        """Take each key of the settings away: key, value with it and without it, and the difference it makes."""
        keys, values = self.settings.keys, self._values(measure, target)
        without = [(key, keys, tuple(other for other in keys if other != key)) for key in keys]
        return self._steps(values, without)

    def add_one_in(self, measure: str, target: str | None = None) -> pd.DataFrame:
        """Add each further candidate to the keys of the settings: key, value with it and without it, difference."""
        keys, values = self.settings.keys, self._values(measure, target)
        return self._steps(values, [(key, (*keys, key), keys) for key in self.candidates[len(keys) :]])

    def smallest_exceeding(self, measure: str, level: float, target: str | None = None) -> tuple[str, ...] | None:
        """Find the fewest keys with which a measure exceeds a level.

        Parameters
        ----------
        measure, target
            As for `value`.
        level
            In the measure's unit; to be exceeded, not just reached.

        Returns
        -------
        tuple of str or None
            Of the smallest such subsets that were evaluated the one with the highest figure; None where there is none.
        """
        values = self._values(measure, target)
        above = [(len(keys), -value, keys) for keys, value in values.items() if value is not None and value > level]
        if not above:
            return None
        *_, keys = min(above, key=lambda one: one[:2])
        return keys

    def shapley(self, measure: str, target: str | None = None) -> pd.DataFrame:
        """Share a measure out among the candidates: how much each adds on average over all orders of learning them.

        Parameters
        ----------
        measure, target
            As for `value`.

        Returns
        -------
        pandas.DataFrame
            One row a candidate, in their order: key, share. The shares add up to the measure with all candidates
            less the measure without any. A share is negative where a key makes the intruder find less; it is
            missing where the measure is missing for some subset.

        Raises
        ------
        SettingsError
            Where not every subset was evaluated.

        Notes
        -----
        The share of key i is the sum over subsets S without i of |S|! (n - |S| - 1)! / n! (v(S and i) - v(S)).

        References
        ----------
        Shapley, "A value for n-person games", 1953.
        """
        if not self.complete:
            raise SettingsError(
                f"Shares need every subset of the {len(self.candidates)} candidates, "
                f"{2 ** len(self.candidates):,} in all: raise most, or name fewer candidates."
            )
        place = {name: number for number, name in enumerate(self.candidates)}
        risk = np.full(2 ** len(place), np.nan)
        for keys, value in self._values(measure, target).items():
            risk[sum(1 << place[key] for key in keys)] = np.nan if value is None else value
        return pd.DataFrame({"key": self.candidates, "share": _shares(risk, len(place))})

    def percentages(self) -> Iterator[float]:
        """Give every percentage that it holds or that tables show of it."""
        yield from super().percentages()
        for measure in self.measures if self.complete else ():
            for target in self.targets or ("",):
                yield from self.shapley(measure, target)["share"].dropna()

    # Helpers -------------------------------------------------------------------------------------

    def _steps(
        self,
        values: dict[tuple[str, ...], float | None],
        steps: Sequence[tuple[str, tuple[str, ...], tuple[str, ...]]],
    ) -> pd.DataFrame:
        rows = [(key, self._of(values, more), self._of(values, fewer)) for key, more, fewer in steps]
        table = pd.DataFrame(rows, columns=["key", "with", "without"]).astype({"with": "float64", "without": "float64"})
        table["difference"] = table["with"] - table["without"]
        return table

    def added(self, measure: str, target: str | None = None) -> dict[str, float | None]:
        """Give by candidate what it adds to a measure: its Shapley value, or the difference that it makes to the keys.

        Shapley values need every subset; see `complete`.
        """
        if self.complete:
            table = self.shapley(measure, target)
            return _by_key(table["key"], table["share"])
        table = pd.concat([self.leave_one_out(measure, target), self.add_one_in(measure, target)])
        return _by_key(table["key"], table["difference"])

    def by_added(self, added: Mapping[str, float | None]) -> list[str]:
        """List the candidates, the one that adds most first."""
        return sorted(self.candidates, key=lambda key: -(added[key] or 0.0))

    def without(self, measure: str, target: str | None = None) -> dict[str, float | None]:
        """Give by key of the settings a measure where the intruder lacks that key."""
        table = self.leave_one_out(measure, target)
        return _by_key(table["key"], table["without"])

    def _of(self, values: dict[tuple[str, ...], float | None], keys: Sequence[str]) -> float | None:
        for key in keys:
            if key not in self.candidates:
                raise SettingsError(f"No candidate '{key}'. {suggest(key, self.candidates)}")
        ordered = tuple(name for name in self.candidates if name in keys)
        if ordered not in values:
            raise SettingsError(
                f"The subset {', '.join(ordered)} was not evaluated: all of up to {self.largest} keys were. Raise most."
            )
        return values[ordered]

    def _values(self, measure: str, target: str | None) -> dict[tuple[str, ...], float | None]:
        """Give one measure by subset, of the file where it is highest."""
        file = self.file(measure, target)
        found = next(one.values for one in self._figures(measure, target) if one.synthesis == file)
        return dict(zip(self.subsets, found, strict=True))

    def _figures(self, measure: str, target: str | None) -> list[SubsetFigures]:
        target = target_of(measure, target, self.measures, self.targets)
        return [one for one in self.figures if (one.target, one.measure) == (target, measure)]

    @property
    def _decisive(self) -> int:
        """The place of the subset that says which file is worst."""
        keys = self.settings.keys
        return self.subsets.index(keys) if keys in self.subsets else len(self.subsets) - 1


def _by_key(keys: pd.Series, values: pd.Series) -> dict[str, float | None]:
    return {key: None if pd.isna(value) else float(value) for key, value in zip(keys, values, strict=True)}


def _shares(risk: npt.NDArray[np.float64], n_keys: int) -> list[float]:
    """Compute Shapley values; `risk` has one figure a subset, numbered by its keys as bits."""
    subsets = np.arange(len(risk))
    n_known = np.bitwise_count(subsets)
    weight = np.array([1 / (n_keys * math.comb(n_keys - 1, size)) for size in range(n_keys)])
    shares = []
    for place in range(n_keys):
        without = np.flatnonzero(~subsets & (1 << place))
        added = risk[without | (1 << place)] - risk[without]
        shares.append(math.fsum(weight[n_known[without]] * added))
    return shares
