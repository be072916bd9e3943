"""Rows of tables as the templates read them: of a setting, of a kind of unit, of a target."""

from __future__ import annotations

from dataclasses import dataclass

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import Share, share
from discoreport.assessment.formatting import MISSING_LEVEL
from discoreport.assessment.results import OneWayFlag, Result, TwoWayFlag, excess
from discoreport.assessment.settings import Settings
from discoreport.assessment.unit_risks import UnitKind, UnitRisk
from discoreport.data.level_text import level_text
from discoreport.measures import EXCESS
from discoreport.measures.exclusions import REASONS
from discoreport.measures.identity import n_original
from discoreport.measures.registry import of_group


@dataclass(frozen=True)
class SettingRow:
    """One setting: its name, its value in words, and whether it differs from the default."""

    name: str
    value: str
    changed: bool


def setting_rows(settings: Settings) -> tuple[SettingRow, ...]:
    """List the settings in words, keys and targets apart."""
    changed = settings.changed()
    names = [name for name in type(settings).model_fields if name not in {"keys", "targets"}]
    return tuple(SettingRow(name, _in_words(getattr(settings, name)), name in changed) for name in names)


def _in_words(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_in_words(entry)}" for name, entry in value.items()) or "none"
    if isinstance(value, tuple | list):
        return ", ".join(MISSING_LEVEL if entry is None else _in_words(entry) for entry in value) or "none"
    return level_text(value) or ""


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


def unit_blocks(assessment: Assessment, risk: UnitRisk | None) -> tuple[UnitBlock, ...]:
    """Lay out the kinds of the file that is worst for units: all sizes, and the most exposed compositions."""
    return tuple(
        UnitBlock(heading, tuple(UnitRow(kind.labelled(assessment.labelled), kind) for kind in kinds))
        for heading, kinds in (risk.shown if risk else ())
    )


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
