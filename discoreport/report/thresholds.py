"""Figures next to the organisation's thresholds, and which of them are above."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import number
from discoreport.assessment.release.policy import Threshold
from discoreport.measures import MEASURES


@dataclass(frozen=True)
class Compared:
    """A figure next to the organisation's threshold. `place` is a target, or "" for the keys.

    `followed` says that it is the figure of an intruder who recodes what is known as the file was recoded;
    `in_doubt` that the files match so badly that a low figure means nothing.
    """

    threshold: Threshold
    place: str
    value: float | None
    followed: bool = False
    in_doubt: bool = False

    @property
    def above(self) -> bool | None:
        """Whether it is above; None where it can't be compared."""
        if self.value is None:
            return None
        return self.value > self.threshold.limit or (None if self.in_doubt else False)


def compared(assessment: Assessment, followed: Mapping[tuple[str, str], float]) -> tuple[Compared, ...]:
    """Set every figure that the policy has a threshold for beside it, of the worst synthetic file.

    Parameters
    ----------
    assessment
        With its policy.
    followed
        See `Asked.followed`.

    Returns
    -------
    tuple of Compared
        Those above come first, then those that can't be compared.
    """
    rows = [
        _compare(assessment, threshold, place, followed.get((place, threshold.measure)))
        for threshold in assessment.policy.thresholds
        for place in ([""] if MEASURES[threshold.measure].group == "identity" else assessment.targets)
    ]
    return tuple(sorted(rows, key=lambda row: (row.above is not True, row.above is False, -(row.value or 0))))


def in_words(assessment: Assessment, rows: Sequence[Compared]) -> str:
    """Say how many figures are above, not above, or can't be compared; "none set" where there is no threshold."""
    if not assessment.policy.thresholds:
        return "none set"
    counts = Counter(row.above for row in rows)
    parts = [(counts[True], "above"), (counts[None], "can't be compared"), (counts[False], "not above")]
    return ", ".join(f"{number(n)} {what}" for n, what in parts if n) or "nothing to compare"


def _compare(assessment: Assessment, threshold: Threshold, place: str, followed: float | None) -> Compared:
    value = _largest(assessment.values(threshold.measure, place or None), threshold.limit)
    takes_over = followed is not None and followed > (value or 0)
    in_doubt = assessment.in_doubt(place or None)
    return Compared(threshold, place, followed if takes_over else value, takes_over, in_doubt)


def _largest(values: Sequence[float | None], limit: float) -> float | None:
    """Give the largest value; None where one is missing that could be above the limit while no other is."""
    present = [value for value in values if value is not None]
    largest = max(present, default=None)
    return largest if largest is not None and (largest > limit or len(present) == len(values)) else None
