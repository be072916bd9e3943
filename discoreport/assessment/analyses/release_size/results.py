"""What `release_size` finds: the measures, and how alike the files are, by number of records released."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import pandas as pd
from pydantic import Field, model_validator

from discoreport.assessment.analyses.result import (
    Finite,
    OwnFigure,
    SettingsResult,
    SynthesesResult,
    target_of,
)
from discoreport.assessment.analyses.utility.results import FileUtility
from discoreport.assessment.results import Figures, highest, over_syntheses
from discoreport.errors import SettingsError
from discoreport.measures.registry import later, measures_for


class ReleaseSize(Finite):
    """The measures of one target where only some synthetic records are released.

    Parameters
    ----------
    target
        Its name; "" where there is none.
    synthesis
        The synthetic file that the records are of, counting from 1.
    n_synthetic, draw
        How many records, and which draw of them.
    values
        Every measure by its published name; None where there is nothing to divide by.
    """

    target: str
    synthesis: int
    n_synthetic: int = Field(ge=1)
    draw: int = Field(ge=1)
    values: Figures


class SizeUtility(Finite):
    """How alike the original and some synthetic records are.

    Parameters
    ----------
    synthesis, n_synthetic, draw
        As in `ReleaseSize`.
    tables
        Over all pairs of variables, or over single ones where pairs are too many.
    """

    synthesis: int
    n_synthetic: int = Field(ge=1)
    draw: int = Field(ge=1)
    tables: FileUtility


class ReleaseSizes(SettingsResult, SynthesesResult):
    """The measures by number of records released; get one from `release_size`. Aggregates only.

    Parameters
    ----------
    settings
        What was asked, targets written out.
    original, synthetic
        The files.
    seed
        What started the random numbers; None where files were taken as they are, and in records of an earlier
        version, which didn't keep it.
    sizes
        One for each target, draw and size.
    utility
        One for each draw and size; none in records of an earlier version.
    """

    by_target = "sizes"

    seed: int | None
    sizes: tuple[ReleaseSize, ...]
    utility: tuple[SizeUtility, ...] = ()

    @model_validator(mode="after")
    def _of_its_files(self) -> Self:
        if any(not 1 <= one.synthesis <= len(self.synthetic) for one in self.sizes):
            raise ValueError("sizes: of a file that there isn't")
        required = set(self.measures) - later()
        if not all(one.values.keys() >= required for one in self.sizes):
            raise ValueError("sizes: not every measure")
        return self

    @property
    def measures(self) -> tuple[str, ...]:
        """What was evaluated."""
        lacking = later() - {name for one in self.sizes for name in one.values}
        return tuple(one.name for one in measures_for(self.settings.targets) if one.name not in lacking)

    @property
    def n_records(self) -> tuple[int, ...]:
        """The numbers of records looked at, rising."""
        return tuple(sorted({one.n_synthetic for one in self.sizes}))

    @property
    def n_draws(self) -> int:
        """How many times parts were drawn."""
        return max((one.draw for one in self.sizes), default=1)

    @property
    def repeatable(self) -> bool:
        """Whether the seed is known, or nothing was drawn."""
        return self.seed is not None or all(map(self._is_whole, self.sizes))

    def _is_whole(self, one: ReleaseSize) -> bool:
        return one.n_synthetic == self.synthetic[one.synthesis - 1].n_records

    def own_figures(self) -> Iterator[OwnFigure]:
        """Give the figures of whole files."""
        for one in self.sizes if self.repeatable else ():
            if self._is_whole(one):
                yield from ((one.target, one.synthesis, measure, value) for measure, value in one.values.items())

    def without_files(self, exclude: set[str] | None = None) -> Any:
        """Give what it holds as plain values, without what it was drawn of and by."""
        return super().without_files({"seed", *(exclude or ())})

    @property
    def table(self) -> pd.DataFrame:
        """One row for each target, draw and size: target, synthesis, n_synthetic, draw, and the measures."""
        names = self.measures
        rows = [
            (one.target, one.synthesis, one.n_synthetic, one.draw, *(one.values[name] for name in names))
            for one in self.sizes
        ]
        table = pd.DataFrame(rows, columns=["target", "synthesis", "n_synthetic", "draw", *names])
        return table.astype(dict.fromkeys(names, "float64"))

    @property
    def spread(self) -> pd.DataFrame:
        """Mean, least and largest value over the draws: one row for each target, size and measure."""
        rows = []
        for place, values in self.table.groupby(["target", "n_synthetic"], sort=False):
            spread = values[list(self.measures)].agg(["mean", "min", "max"], skipna=False).T
            rows += [(*place, *row) for row in spread.itertuples()]
        return pd.DataFrame(rows, columns=["target", "n_synthetic", "measure", "mean", "min", "max"])

    def value(self, measure: str, n_synthetic: int, target: str | None = None) -> float | None:
        """Give one measure for one size: the mean over the draws (of ``max_denom`` the largest), of files the highest.

        Parameters
        ----------
        measure, n_synthetic
            Its published name; one of `n_records`.
        target
            Needed for everything but identity measures, unless there is just one.

        Raises
        ------
        SettingsError
            Where there is no such measure, size or target.
        """
        values = [one.values[measure] for one in self._of(measure, n_synthetic, target)]
        return highest(values) if len(self.synthetic) > 1 else over_syntheses(measure, values)

    def file(self, measure: str, n_synthetic: int, target: str | None = None) -> int:
        """Tell which file a figure is of: of several of this size the first where it is highest; see `value`."""
        known = {one.synthesis: one.values[measure] for one in self._of(measure, n_synthetic, target)}
        return next(synthesis for synthesis, value in known.items() if value == highest(known.values()))

    def _of(self, measure: str, n_synthetic: int, target: str | None) -> list[ReleaseSize]:
        """Give the draws, or files, of one target and size, that have a measure."""
        target = target_of(measure, target, self.measures, self.settings.targets or ())
        if n_synthetic not in self.n_records:
            raise SettingsError(f"No size {n_synthetic:,}. Sizes: {', '.join(f'{size:,}' for size in self.n_records)}.")
        return [one for one in self.sizes if (one.target, one.n_synthetic) == (target, n_synthetic)]
