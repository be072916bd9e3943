"""What pydantic refuses, said plainly: what was wrong, what was got, and what would do."""

from __future__ import annotations

import datetime
import re
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from discoreport.errors import suggest

_SHOWN = 60
"""Signs of a value that an error shows."""
_PLAIN = (str, bytes, int, float, list, tuple, set, frozenset, dict, datetime.date, type(None))


def shown(value: object) -> str:
    """Write a value that won't do for an error, as far as anybody reads it."""
    if not isinstance(value, _PLAIN):
        return type(value).__name__  # a table or a column would show records
    try:
        written = repr(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        return "a number of thousands of digits"
    return written if len(written) <= _SHOWN else written[:_SHOWN] + "..."


def first_problem(error: ValidationError) -> tuple[str, Any]:
    """Give the place of the first thing that is wrong, a name that is unknown before others, and what is said of it."""
    problems = error.errors()
    problem = next((one for one in problems if one["type"] == "extra_forbidden"), problems[0])  # the misspelt one
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


def refusal(model: type[BaseModel], error: ValidationError, where: str) -> str:
    """Say the first thing that is wrong with the values for a model; `where` says what they come from."""
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
    return " ".join(f"'{where}': {place}: {message}".splitlines())


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
