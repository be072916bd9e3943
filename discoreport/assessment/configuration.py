"""Configuration files: files and settings of an assessment as TOML, under the names of `assess`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit

from discoreport.assessment.settings import Settings
from discoreport.assessment.tables import read_toml, toml_level, write_toml
from discoreport.data.connecting import ENGINE_SETTINGS, Engine
from discoreport.errors import SettingsError, suggest

_FILES = ("original", "synthetic", "out")


@dataclass(frozen=True)
class Configuration:
    """What a configuration file holds.

    Parameters
    ----------
    original, synthetic, out
        Paths, relative ones taken from the folder of the configuration file; None or empty where not given.
    settings
        Settings by name, not validated yet: the command line may add to them.
    engine
        What is said of the engine, likewise.
    """

    original: str | None = None
    synthetic: tuple[str, ...] = ()
    out: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    engine: Mapping[str, Any] = field(default_factory=dict)


def read_configuration(path: str | Path) -> Configuration:
    """Read a configuration file.

    Parameters
    ----------
    path
        A TOML file.

    Returns
    -------
    Configuration
        With every name known.

    Raises
    ------
    SettingsError
        Where there is no such file, it isn't TOML, or a name is unknown.
    """
    path = Path(path)
    content = read_toml(path)
    known = [*_FILES, *Settings.model_fields, *ENGINE_SETTINGS]
    for name in content:
        if name not in known:
            raise SettingsError(f"'{path.name}': no setting '{name}'. {suggest(name, known)}")
    original, synthetic, out = (content.pop(name, None) for name in _FILES)
    several = synthetic if isinstance(synthetic, list) else [synthetic]
    if synthetic is None:
        several = []
    for name, value in (("original", original), ("out", out), *(("synthetic", file) for file in several)):
        if value is not None and not isinstance(value, str):
            raise SettingsError(f"'{path.name}': {name} must be a path (got {value!r})")

    def placed(file: str | None) -> str | None:
        return None if file is None else str(path.parent / file)

    engine = {name: content.pop(name) for name in ENGINE_SETTINGS if name in content}
    if isinstance(engine.get("temporary_directory"), str):
        engine["temporary_directory"] = placed(engine["temporary_directory"])
    files = tuple(str(path.parent / file) for file in several)
    return Configuration(placed(original), files, placed(out), content, engine)


def write_configuration(
    path: str | Path,
    original: str,
    synthetic: Sequence[str],
    settings: Settings,
    engine: Engine = Engine(),  # noqa: B008  # frozen
) -> Path:
    """Write a configuration file to start from: every setting, with a word on each.

    Parameters
    ----------
    path
        The file to write.
    original, synthetic
        Paths; written relative to the configuration file.
    settings
        What is set; defaults are written out, too.
    engine
        Which engine counts, and what it may use.

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    OutputError
        Where it exists, or can't be written.
    """
    path = Path(path)

    def relative(file: str) -> str:
        return Path(os.path.relpath(file, path.parent)).as_posix()

    def describe(name: str, description: str, value: Any) -> None:
        document.add(tomlkit.nl())
        document.add(tomlkit.comment(description))
        if value is None:
            document.add(tomlkit.comment(f"{name} = ..."))
        else:
            document[name] = value

    document = tomlkit.document()
    document.add(tomlkit.comment("Repeat this assessment: discoreport assess --config " + path.name))
    document.add(tomlkit.nl())
    document["original"] = relative(original)
    document["synthetic"] = [relative(file) for file in synthetic]
    document["out"] = "report"
    values = settings.model_dump(exclude_unset=False)
    tables = {name: value for name, value in values.items() if isinstance(value, dict)}
    for name, described in Settings.model_fields.items():
        if name not in tables and name != "exclude":
            describe(name, described.description or "", values[name])
    for name, description in ENGINE_SETTINGS.items():
        value = getattr(engine, "name" if name == "engine" else name)
        describe(name, description, str(Path(value).absolute()) if name == "temporary_directory" and value else value)
    for name, table in tables.items():
        document.add(tomlkit.nl())
        document.add(tomlkit.comment(Settings.model_fields[name].description or ""))
        document[name] = table
    document.add(tomlkit.nl())
    document.add(tomlkit.comment(Settings.model_fields["exclude"].description or ""))
    rules = tomlkit.aot()
    for rule in settings.exclude:
        written = tomlkit.table()
        for name, value in rule.model_dump(exclude_unset=True).items():
            written[name] = toml_level(value)
        rules.append(written)
    if settings.exclude:
        document["exclude"] = rules
    return write_toml(path, document)
