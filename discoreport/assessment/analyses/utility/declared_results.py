"""What declared analyses give in the original and in each synthetic file, and how far their intervals overlap."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import pandas as pd

from discoreport.assessment.analyses.result import Finite
from discoreport.assessment.analyses.utility.declared import Declared
from discoreport.assessment.formatting import level as written_level
from discoreport.measures import intervals


class Estimate(Finite):
    """A mean, or a share in percent, in one file.

    Parameters
    ----------
    n
        The records that it is of; of a count those that are counted.
    value
        None without records.
    low, high
        The 95 % interval; None where there are fewer than two records, or all have the same number.
    """

    n: int
    value: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def interval(self) -> intervals.Interval | None:
        """Both ends; None where there is none."""
        return None if self.low is None or self.high is None else (self.low, self.high)


class DeclaredGroup(Finite):
    """One group of a declared analysis, or all records.

    Parameters
    ----------
    levels
        Of each variable of the groups, and of what is counted; none where there is one group.
    n_together
        How many groups were put together as their records are few; 0 where none were.
    original, synthetic
        One estimate for each synthetic file.
    """

    levels: tuple[str | None, ...]
    n_together: int
    original: Estimate
    synthetic: tuple[Estimate, ...]

    @property
    def written(self) -> str:
        """The group as it is written."""
        if self.n_together:
            return f"{self.n_together:,} other groups"
        return ", ".join(map(written_level, self.levels)) or "all records"

    def difference(self, synthesis: int) -> float | None:
        """Give synthetic less original; None where one of them is missing."""
        one, other = self.original.value, self.synthetic[synthesis - 1].value
        return None if one is None or other is None else other - one

    def overlap(self, synthesis: int) -> float | None:
        """Give which share of the intervals, in percent, lies in both; None where one of them is missing."""
        shared = self._shared(synthesis)
        return None if shared is None else 100 * max(shared, 0.0)

    def rank(self, synthesis: int) -> float:
        """Give the overlap, below 0 the further the intervals are apart; lowest where it is missing."""
        shared = self._shared(synthesis)
        return -float("inf") if shared is None else shared

    def _shared(self, synthesis: int) -> float | None:
        one, other = self.original.interval, self.synthetic[synthesis - 1].interval
        return None if one is None or other is None else intervals.overlap(one, other)

    @property
    def worst(self) -> int:
        """The synthesis with the lowest overlap."""
        return min(range(1, len(self.synthetic) + 1), key=self.rank)


class DeclaredSummary(Finite):
    """How far one synthetic file reproduces a declared analysis.

    Parameters
    ----------
    synthesis, n_groups
        Which file, and how many groups.
    n_missing
        Groups whose intervals can't be compared.
    mean, lowest
        Of the overlap in percent; None where no group's is known.
    """

    synthesis: int
    n_groups: int
    n_missing: int
    mean: float | None
    lowest: float | None


class DeclaredResult(Finite):
    """What one declared analysis gives.

    Parameters
    ----------
    asked
        The analysis.
    left_out
        Records of each file, the original first, that have no value of the variables, or none that counts.
    n_small
        Groups that are not listed, as all together have too few original records; 0 where the others are listed.
    groups
        In the order of their levels; those of few original records put together at the end.
    """

    asked: Declared
    left_out: tuple[int, ...]
    n_small: int = 0
    groups: tuple[DeclaredGroup, ...]

    @property
    def worst(self) -> tuple[DeclaredGroup, ...]:
        """The groups, those that can't be compared first, then by the overlap in the file where it is lowest."""
        return tuple(sorted(self.groups, key=lambda one: one.rank(one.worst)))

    def of_files(self) -> tuple[DeclaredSummary, ...]:
        """Sum the overlaps up, file by file; none where no group is listed."""
        n_files = len(self.left_out) - 1
        return tuple(self._of_file(synthesis) for synthesis in range(1, n_files + 1)) if self.groups else ()

    def _of_file(self, synthesis: int) -> DeclaredSummary:
        overlaps = [one.overlap(synthesis) for one in self.groups]
        known = [one for one in overlaps if one is not None]
        return DeclaredSummary(
            synthesis=synthesis,
            n_groups=len(overlaps),
            n_missing=len(overlaps) - len(known),
            mean=fmean(known) if known else None,
            lowest=min(known, default=None),
        )

    @property
    def worst_file(self) -> DeclaredSummary | None:
        """The file with the lowest overlap, one of which none is known before others."""
        return min(self.of_files(), key=lambda one: -1.0 if one.lowest is None else one.lowest, default=None)

    def fewest(self, group: DeclaredGroup) -> int:
        """Give the smallest count behind the figures of a group, in any file: of a share, of those without it, too."""
        counts = [one.n for one in (group.original, *group.synthetic)]
        if self.asked.figure == "share":
            having = [round(one.n * (one.value or 0) / 100) for one in (group.original, *group.synthetic)]
            counts += [*having, *(n - some for n, some in zip(counts, having, strict=True))]
        return min(counts)


def worst_first(declared: Sequence[DeclaredResult]) -> list[DeclaredResult]:
    """Sort declared analyses by the group with the lowest overlap; those without any that can be compared first."""
    return sorted(
        declared, key=lambda one: min((group.rank(group.worst) for group in one.groups), default=-float("inf"))
    )


_OF_FILE = ("n", "value", "low", "high")


def declared_table(declared: Sequence[DeclaredResult]) -> pd.DataFrame:
    """Give a row for each declared analysis, group and synthesis; analyses and groups in the order of `worst_first`."""
    rows: list[dict[str, Any]] = []
    for one in worst_first(declared):
        for group in one.worst:
            for synthesis, of_file in enumerate(group.synthetic, start=1):
                row: dict[str, Any] = {"declared": str(one.asked), "group": group.written, "synthesis": synthesis}
                row |= {_named("original", name): getattr(group.original, name) for name in _OF_FILE}
                row |= {_named("synthetic", name): getattr(of_file, name) for name in _OF_FILE}
                rows.append(row | {"difference": group.difference(synthesis), "overlap": group.overlap(synthesis)})
    numbers = [_named(file, name) for file in ("original", "synthetic") for name in _OF_FILE]
    table = pd.DataFrame(rows, columns=["declared", "group", "synthesis", *numbers, "difference", "overlap"])
    figures = {name: "float64" for name in (*numbers, "difference", "overlap") if not name.startswith("n_")}
    return table.astype({"synthesis": "int64", "n_original": "int64", "n_synthetic": "int64", **figures})


def _named(file: str, name: str) -> str:
    """Name a column: n_original, original, original_low."""
    return {"n": f"n_{file}", "value": file}.get(name, f"{file}_{name}")
