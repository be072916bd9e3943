"""Configuration files: files and settings of an assessment as TOML, under the names of `assess`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tomlkit

from discoreport.assessment.accept_settings import ANALYSES_IN_CONFIGURATION, FILES_IN_CONFIGURATION, known_in
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import Options
from discoreport.assessment.analyses.run import chosen
from discoreport.assessment.settings import Settings
from discoreport.assessment.toml import in_toml, read_toml, toml_level, write_toml
from discoreport.data.engine.connection import ENGINE_SETTINGS, Engine
from discoreport.data.readers.source_file import File, source_of
from discoreport.errors import SettingsError


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
    analyses
        What is asked next, by name of the analysis.
    """

    original: str | File | None = None
    synthetic: tuple[str | File, ...] = ()
    out: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    engine: Mapping[str, Any] = field(default_factory=dict)
    analyses: Mapping[str, Options] = field(default_factory=dict)


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
    content = known_in(path, read_toml(path))
    original, synthetic, out = (content.pop(name, None) for name in FILES_IN_CONFIGURATION)
    several = synthetic if isinstance(synthetic, list) else [synthetic]
    if synthetic is None:
        several = []
    for name, value in (("original", original), ("out", out), *(("synthetic", file) for file in several)):
        if value is not None and not isinstance(value, str if name == "out" else str | dict):
            raise SettingsError(f"'{path.name}': {name} must be a path (got {value!r})")

    def placed(file: Any) -> Any:
        if isinstance(file, Mapping):
            given = File.of(file)
            return replace(given, path=placed(str(given.path)))
        return None if file is None else str(path.parent / file)

    engine = {name: content.pop(name) for name in ENGINE_SETTINGS if name in content}
    if isinstance(engine.get("temporary_directory"), str):
        engine["temporary_directory"] = placed(engine["temporary_directory"])
    files = tuple(map(placed, several))
    asked = {
        name: options.with_files(lambda file: placed(_path_of(file, path)))
        for name, options in _asked(content.pop(ANALYSES_IN_CONFIGURATION, {}), path).items()
    }
    return Configuration(placed(original), files, placed(out), content, engine, asked)


def _asked(content: object, path: Path) -> dict[str, Options]:
    """Read the tables of the analyses."""
    tables = content.values() if isinstance(content, dict) else [content]
    if not all(isinstance(table, dict) for table in tables):
        raise SettingsError(
            f"'{path.name}': an analysis has a table of its own, such as [{ANALYSES_IN_CONFIGURATION}.groups]"
        )
    return chosen(content, where=f"{path.name}, {ANALYSES_IN_CONFIGURATION}")  # type: ignore[arg-type]  # it is a mapping


def _path_of(file: object, path: Path) -> object:
    if not isinstance(file, str | Mapping):
        raise SettingsError(f"'{path.name}': {ANALYSES_IN_CONFIGURATION}: a file must be a path (got {file!r})")
    return file


def write_configuration(
    path: str | Path,
    original: object,
    synthetic: Sequence[object],
    settings: Settings,
    engine: Engine = Engine(),  # noqa: B008  # frozen
    analyses: Mapping[str, Options] | None = None,
    out: str | Path | None = None,
) -> Path:
    """Write a configuration file to start from: every setting, with a word on each.

    Parameters
    ----------
    path
        The file to write.
    original, synthetic
        Paths or `File`; written relative to the configuration file.
    settings
        What is set; defaults are written out, too.
    engine
        Which engine counts, and what it may use.
    analyses
        What is asked next, with every option; what isn't is named in comments.
    out
        Where to write; by default a folder ``report`` beside the configuration file.

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

    def relative(file: object) -> Any:
        source = source_of(file)
        if isinstance(source, File):
            return _in_one({"path": relative(source.path), **source.read_as})
        return Path(os.path.relpath(str(source), path.parent)).as_posix()

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
    document["out"] = "report" if out is None else relative(str(out))
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
    asked = {name: options.with_files(relative) for name, options in (analyses or {}).items()}
    if asked:
        document.add(tomlkit.nl())
        document[ANALYSES_IN_CONFIGURATION] = _tables(asked)
    for name, one in ANALYSES.items():
        if name not in asked:
            document.add(tomlkit.nl())
            document.add(tomlkit.comment(one.question))
            document.add(tomlkit.comment(f"[{ANALYSES_IN_CONFIGURATION}.{name}]"))
    return write_toml(path, document)


def _tables(asked: Mapping[str, Options]) -> tomlkit.items.Table:
    """Write a table for each analysis, with a word on each option."""
    tables = tomlkit.table(is_super_table=True)
    for name, options in asked.items():
        table = tomlkit.table()
        table.add(tomlkit.comment(ANALYSES[name].question))
        for option, description in options.described().items():
            table.add(tomlkit.comment(description))
            table[option] = _in_one(options.plain()[option])
        tables[name] = table
    return tables


def _in_one(value: Any) -> Any:
    """Write a value in one piece, without tables of its own."""
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        table.update(in_toml(value))
        return table
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        several = tomlkit.array().multiline(multiline=True)
        several.extend(_in_one(one) for one in value)
        return several
    return value
