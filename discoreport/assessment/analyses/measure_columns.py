"""Columns of figures and tables: the same few measures for each row, be it a key, a group or a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discoreport.assessment.formatting import clean
from discoreport.assessment.measured import Measured
from discoreport.assessment.worst_file import most_exposed_first

MOST_TARGETS = 4
"""How many targets have a column: the most exposed ones."""


@dataclass(frozen=True)
class Column:
    """A measure, and of which target; None for the keys."""

    measure: str
    target: str | None

    @property
    def told(self) -> str:
        """The column in words."""
        return f"{self.measure} of {clean(self.target)}" if self.target is not None else self.measure


def columns_of(
    assessment: Measured, targets: Sequence[str], measures: Sequence[str] = ("repU", "DiSCO")
) -> list[Column]:
    """Choose what has a column: repU, and DiSCO of the most exposed targets.

    Parameters
    ----------
    assessment
        Says which targets are most exposed.
    targets, measures
        Those that there are figures of.
    """
    first = [Column("repU", None)] if "repU" in measures else []
    chosen = [target for target in most_exposed_first(assessment) if target in targets][:MOST_TARGETS]
    return first + [Column("DiSCO", target) for target in chosen if "DiSCO" in measures]
