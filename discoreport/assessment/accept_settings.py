"""What users give for settings: an object, names and values, or a configuration file; anything else is refused."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from discoreport.assessment.settings import Settings
from discoreport.assessment.toml import given_as, read_toml
from discoreport.data.engine.connection import ENGINE_SETTINGS
from discoreport.errors import SettingsError, require_kind, suggest

SettingsGiven = Settings | Mapping[str, Any] | str | os.PathLike[str]
"""Settings, the same by name, or the path of a configuration file."""
FILES_IN_CONFIGURATION = ("original", "synthetic", "out")
ANALYSES_IN_CONFIGURATION = "analyses"


def settings_given(given: object) -> Settings:
    """Take settings in each of the ways in which users give them.

    Parameters
    ----------
    given
        As `SettingsGiven`. Of a configuration file, files, engine and analyses are passed over.

    Raises
    ------
    SettingsError
        Where it is anything else, and where a setting won't do.
    """
    return given_as(
        Settings,
        given,
        _read,
        lambda values: Settings(**values),
        "settings must be Settings, names and values, or the path of a configuration file",
    )


def _read(path: str | os.PathLike[str]) -> Settings:
    content = known_in(Path(path), read_toml(Path(path)))
    return Settings(**{name: value for name, value in content.items() if name in Settings.model_fields})


def known_in(path: Path, content: dict[str, Any]) -> dict[str, Any]:
    """Give what a configuration file holds, once every name is known."""
    known = [*FILES_IN_CONFIGURATION, *Settings.model_fields, *ENGINE_SETTINGS, ANALYSES_IN_CONFIGURATION]
    for name in content:
        if name not in known:
            raise SettingsError(f"'{path.name}': no setting '{name}'. {suggest(name, known)}")
    return content


def names_given(given: object, what: str) -> tuple[str, ...]:
    """Take names of variables, or one; each once.

    Raises
    ------
    SettingsError
        Where they are none.
    """
    several = [given] if isinstance(given, str | int) else given
    require_kind(several, Iterable, f"{what} must be names")
    names = [str(name) if isinstance(name, int) else name for name in several]  # type: ignore[attr-defined]
    for name in names:
        require_kind(name, str, f"{what} must be names")
    return tuple(dict.fromkeys(names))


def require_no_unit(settings: Settings, names: Sequence[str], what: str) -> None:
    """Refuse the unit among variables whose values are shown.

    Raises
    ------
    SettingsError
        Where it is.
    """
    if settings.unit in names:
        raise SettingsError(f"{what}: '{settings.unit}' is the unit; its values are shown nowhere. Leave it out.")
