"""One target as the templates read it: its measures, what was left out of it, and its flags."""

from __future__ import annotations

from dataclasses import dataclass

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.results import OneWayFlag, Result, TwoWayFlag, excess
from discoreport.assessment.shares import Share, share
from discoreport.measures import EXCESS
from discoreport.measures.exclusions import REASONS
from discoreport.measures.identity import n_original
from discoreport.measures.registry import of_group


@dataclass(frozen=True)
class TargetRow:
    """One target: measures of the file that is worst for it, records left out by table and reason, and its flags."""

    name: str
    label: str
    shares: dict[str, Share]
    figures: dict[str, float | None]
    left_out: dict[str, int]
    removed: dict[str, int]
    one_way: tuple[OneWayFlag, ...]
    two_way: tuple[TwoWayFlag, ...]


def target_row(assessment: Assessment, worst: Result, label: str) -> TargetRow:
    """Lay out one target by what its worst file gives away; its label is what it is called in words."""
    attribute, cap = of_group("attribute"), of_group("cap")
    name, flags = worst.target, assessment.outcome.flags
    return TargetRow(
        name,
        label,
        {entry.name: share(assessment, worst, entry.name) for entry in attribute if entry.of is n_original},
        {**{entry.name: worst.values[entry.name] for entry in (*attribute, *cap)}, EXCESS.name: excess(worst.values)},
        {table: sum(worst.removed[table][why] for why in REASONS) for table in ("original", "DiSCO")},
        {reason: worst.removed["original"][reason] for reason in REASONS},
        tuple(flag for flag in flags if flag.target == name and isinstance(flag, OneWayFlag)),
        tuple(flag for flag in flags if flag.target == name and isinstance(flag, TwoWayFlag)),
    )
