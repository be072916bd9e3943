"""What each key adds to the risk, as the report has it."""

from __future__ import annotations

from dataclasses import dataclass

from discoreport.assessment.analyses.measure_columns import Column, columns_of
from discoreport.assessment.analyses.sensitivity.results import Sensitivity
from discoreport.assessment.assessment import Assessment


@dataclass(frozen=True)
class KeyShares:
    """What each key adds to one measure: the keys that add most first.

    Parameters
    ----------
    column, file
        The measure, and of which target; the synthetic file where it is highest, counting from 1.
    with_all, with_none, with_keys
        The measure with all candidates known, with none, and with the keys of the assessment.
    shares, without
        By key what it adds, and the measure where the intruder lacks it; that is None for further candidates.
    enough
        The fewest keys with which the measure exceeds the organisation's threshold, and that threshold; None where
        there is no threshold, or it isn't exceeded.
    """

    column: Column
    file: int
    with_all: float | None
    with_none: float | None
    with_keys: float | None
    shares: dict[str, float | None]
    without: dict[str, float | None]
    enough: tuple[tuple[str, ...], float] | None

    @property
    def most(self) -> str:
        """The key that adds most."""
        return next(iter(self.shares))


def key_shares(assessment: Assessment, found: Sensitivity) -> tuple[KeyShares, ...]:
    """Give for repU and DiSCO of the most exposed target what each key adds."""
    columns = columns_of(assessment, found.targets, found.measures)
    firsts = {column.measure: column for column in reversed(columns)}
    return tuple(_shares(assessment, found, firsts[name]) for name in ("repU", "DiSCO") if name in firsts)


def _shares(assessment: Assessment, found: Sensitivity, column: Column) -> KeyShares:
    measure, target = column.measure, column.target
    added = found.added(measure, target)
    strictest = min((one.limit for one in assessment.policy.thresholds if one.measure == measure), default=None)
    keys = None if strictest is None else found.smallest_exceeding(measure, strictest, target)
    return KeyShares(
        column,
        found.file(measure, target),
        found.value(measure, found.candidates, target),
        found.value(measure, (), target) if () in found.subsets else None,
        found.value(measure, found.settings.keys, target),
        {key: added[key] for key in found.by_added(added)},
        found.without(measure, target),
        None if keys is None or strictest is None else (keys, strictest),
    )
