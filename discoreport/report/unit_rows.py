"""Kinds of unit, such as households by size, laid out for a table: a block a heading, a row a kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.unit_risks import UnitKind
from discoreport.assessment.worst_file import worst_units


@dataclass(frozen=True)
class UnitRow:
    """One kind in words, and what was counted."""

    words: str
    kind: UnitKind


@dataclass(frozen=True)
class UnitBlock:
    """The kinds below a heading."""

    heading: str
    rows: tuple[UnitRow, ...]


def unit_blocks(assessment: Assessment) -> tuple[UnitBlock, ...]:
    """Lay out the kinds of the file that is worst for units: all sizes, and the most exposed compositions."""
    risk = worst_units(assessment)
    if risk is None:
        return ()
    return tuple(UnitBlock(heading, _rows(assessment, kinds)) for heading, kinds in risk.shown)


def _rows(assessment: Assessment, kinds: Sequence[UnitKind]) -> tuple[UnitRow, ...]:
    return tuple(UnitRow(kind.labelled(assessment.labelled), kind) for kind in kinds)
