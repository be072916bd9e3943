"""Target levels that policy or documentation call sensitive: how many people have them, and are given away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from discoreport.assessment.documented import Documented
from discoreport.assessment.formatting import level as written_level
from discoreport.assessment.results import LevelRisk


@dataclass(frozen=True)
class SensitiveLevel:
    """A level that is called sensitive, of a target of the assessment.

    Parameters
    ----------
    target, level
        Which; a level that is None is a missing value.
    worst
        Its counts in the synthetic file that gives away most of it. None where it isn't counted apart: too few
        original records have it, or none, or it is one of very many, or the record is of an earlier version.
    """

    target: str
    level: str | None
    worst: LevelRisk | None

    @property
    def words(self) -> str:
        """The counts in words: "14 of the 328 with Unemployed"."""
        if self.worst is None:
            return f"{written_level(self.level)}: not counted"
        return f"{self.worst.disclosed:,} of the {self.worst.original:,} with {written_level(self.level)}"


def sensitive_levels(assessment: Documented) -> dict[str, tuple[SensitiveLevel, ...]]:
    """Give for each target the levels that are called sensitive, in their order; targets without any are left out."""
    named = assessment.sensitive
    return {
        target: tuple(_counted(assessment, target, level) for level in named[target])
        for target in assessment.targets
        if named.get(target)
    }


def _counted(assessment: Documented, target: str, level: str | None) -> SensitiveLevel:
    counts = [one for one in assessment.level_risks if not one.n_others and (one.target, one.level) == (target, level)]
    return SensitiveLevel(target, level, max(counts, key=lambda one: one.disclosed, default=None))


def not_counted(assessment: Documented) -> Iterator[tuple[str, int]]:
    """Give the targets of which sensitive levels aren't counted apart, and how many."""
    for target, levels in sensitive_levels(assessment).items():
        n = sum(one.worst is None for one in levels)
        if n:
            yield target, n


def not_assessed(assessment: Documented) -> tuple[str, ...]:
    """Name the variables of which levels are called sensitive and that are no targets."""
    return tuple(name for name, levels in assessment.sensitive.items() if levels and name not in assessment.targets)
