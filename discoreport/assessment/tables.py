"""TOML files -> models, with errors that name file, place and what would do."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from discoreport.errors import SettingsError, suggest

Model = TypeVar("Model", bound=BaseModel)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises
    ------
    SettingsError
        Where there is no such file, or it isn't TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"Can't read '{path}': {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SettingsError(f"'{path}' isn't a TOML file: {error}.") from None


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
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "extra_forbidden":
            known = _fields(model, problem["loc"][:-1])
            message = f"no such name. {suggest(str(problem['loc'][-1]), known)}"
        else:
            message = problem["msg"].removeprefix("Value error, ") + "."
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
