"""The settings of an assessment in words."""

from __future__ import annotations

from dataclasses import dataclass

from discoreport.assessment.formatting import MISSING_LEVEL
from discoreport.assessment.settings import Settings
from discoreport.data.levels import level_text


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
