"""TOML files -> models, and back, with errors that name file, place and what would do."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import tomlkit
from pydantic import BaseModel, ValidationError

from discoreport.assessment.settings import MISSING_IN_TOML
from discoreport.assessment.validation_errors import refusal
from discoreport.errors import OutputError, SettingsError, require_kind
from discoreport.files import write_file

Model = TypeVar("Model", bound=BaseModel)


def given_as(
    kind: type[Model],
    given: object,
    read: Callable[[str | os.PathLike[str]], Model],
    made: Callable[[dict[str, Any]], Model],
    what: str,
) -> Model:
    """Take a model in each of the ways in which users give it: an object, names and values, or the path of a file.

    Parameters
    ----------
    kind, given
        The model, and what was given.
    read, made
        What reads its file, and what makes it of names and values.
    what
        Says what must be given, where it is anything else.

    Raises
    ------
    SettingsError
        Where it is anything else, and as `read` and `made` do.
    """
    if isinstance(given, kind):
        return given
    if isinstance(given, str | os.PathLike):
        return read(given)
    require_kind(given, Mapping, what)
    names: dict[Any, Any] = dict(given)  # type: ignore[call-overload]  # a mapping, as was just made sure
    for name in names:
        require_kind(name, str, f"{what}, whose names are text")
    return made(names)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises
    ------
    SettingsError
        Where there is no such file, or it isn't TOML.
    """
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        raise SettingsError(f"Can't read '{path}': {getattr(error, 'strerror', error)}.") from None
    return parsed_toml(content, f"'{path}' isn't a TOML file")


def parsed_toml(written: bytes, failed: str) -> dict[str, Any]:
    """Read TOML; `failed` stands before the reason why it can't be read."""
    try:
        return tomllib.loads(written.decode("utf-8"))
    except UnicodeDecodeError:
        raise SettingsError(f"{failed}: it isn't in UTF-8.") from None
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, and dates that no calendar has, too
        raise SettingsError(f"{failed}: {error}.") from None


def write_toml(path: Path, document: tomlkit.TOMLDocument) -> Path:
    """Write a TOML file that doesn't exist yet.

    Raises
    ------
    OutputError
        Where it exists, can't be written, or would hold a name that is not in UTF-8.
    """
    try:
        content = tomlkit.dumps(document).encode("utf-8")
    except UnicodeEncodeError:
        raise OutputError(
            f"Can't write '{path}': it would hold a name that is not in UTF-8. Rename that file."
        ) from None
    return write_file(path, content, new=True)


def toml_level(level: str | None) -> Any:
    """Write a level; TOML has no word for a missing value."""
    if level is not None:
        return level
    missing = tomlkit.inline_table()
    missing.update(MISSING_IN_TOML)
    return missing


def in_toml(value: Any) -> Any:
    """Write plain values, nested ones, too, with missing values as `toml_level` does; a name without a value goes."""
    if isinstance(value, Mapping):
        return {name: in_toml(one) for name, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [toml_level(None) if one is None else in_toml(one) for one in value]
    return value


def inline(values: Mapping[str, Any]) -> str:
    """Write names and values in a line of TOML, as the command line takes steps.

    Examples
    --------
    >>> inline({"step": "limit values", "variable": "age", "top": 80})
    '{step = "limit values", variable = "age", top = 80}'
    """
    table = tomlkit.inline_table()
    table.update(in_toml(values))
    return table.as_string()


def from_inline(line: str, failed: str) -> Any:
    """Read what `inline` writes; `failed` stands before the reason why it can't be read."""
    return parsed_toml(f"line = {line}".encode(), failed)["line"]


def validated(model: type[Model], content: Mapping[str, Any], where: str) -> Model:
    """Build a model.

    Parameters
    ----------
    model
        Its class.
    content
        Values by name, nested as the model is.
    where
        What they come from, for the error.

    Raises
    ------
    SettingsError
        With the first thing that is wrong.
    """
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise SettingsError(refusal(model, error, where)) from None
