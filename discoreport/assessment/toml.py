"""TOML files -> models, and back, with errors that name file, place and what would do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

import tomlkit
from pydantic import BaseModel, ValidationError

from discoreport.assessment.settings import MISSING_IN_TOML, shown
from discoreport.errors import OutputError, SettingsError, suggest
from discoreport.files import write_file

Model = TypeVar("Model", bound=BaseModel)


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


def first_problem(error: ValidationError) -> tuple[str, Any]:
    """Give the place of the first thing that is wrong, and what pydantic says of it."""
    problem = error.errors()[0]
    return ".".join(str(part) for part in problem["loc"]), problem


_WORDS = {
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number",
    "float_type": "must be a number",
    "less_than_equal": "must be at most {le:,}",
    "less_than": "must be less than {lt:,}",
    "greater_than_equal": "must be at least {ge:,}",
    "greater_than": "must be more than {gt:,}",
    "too_long": "must have at most {max_length:,} entries",
}


def in_words(problem: Any) -> str:
    """Say plainly what pydantic has found wrong."""
    words = _WORDS.get(problem["type"])
    if words is None:
        return str(problem["msg"]).removeprefix("Value error, ").rstrip(".")
    said = words.format(**problem.get("ctx", {}))
    return f"{said} (got {shown(problem['input'])})"


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
        return model(**content)
    except ValidationError as error:
        place, problem = first_problem(error)
        if problem["type"] == "extra_forbidden":
            known = _fields(model, problem["loc"][:-1])
            message = f"no such name. {suggest(str(problem['loc'][-1]), known)}"
        elif problem["type"] == "missing":
            message = "it must be given."
        elif problem["type"] == "literal_error":
            known = [word for word in re.findall(r"'(.*?)'", problem["ctx"]["expected"]) if word]
            message = f"no such choice. {suggest(str(problem['input']), known)}"
        else:
            if problem["type"] in _WORDS:
                place = re.sub(r"(\.\d+)+$", "", place)
            message = in_words(problem) + "."
        raise SettingsError(" ".join(f"'{where}': {place}: {message}".splitlines())) from None


def _fields(model: type[BaseModel], place: tuple[int | str, ...]) -> list[str]:
    """List the names that a model knows at some place inside it."""
    for part in place:
        if isinstance(part, str) and part in model.model_fields:
            model = _model_in(model.model_fields[part].annotation) or model
    return list(model.model_fields)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part)) is not None), None)
