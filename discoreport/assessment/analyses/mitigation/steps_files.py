"""Steps of mitigation in TOML: read from a file or a line, and a file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomlkit
from pydantic_core import PydanticUndefined

from discoreport.assessment.analyses.mitigation.steps import STEPS, Step, steps_from
from discoreport.assessment.toml import from_inline, read_toml, write_toml
from discoreport.errors import SettingsError, suggest

_NAME = "steps"


def read_steps(source: str | Path) -> tuple[Step, ...]:
    """Read steps.

    Parameters
    ----------
    source
        A TOML file with ``[[steps]]``, or a step in a line of TOML.

    Raises
    ------
    SettingsError
        Where it can't be read, or a step or a name is unknown.

    Examples
    --------
    >>> read_steps('{step = "limit values", variable = "age", top = 80}')[0].words()
    'age was top-coded at 80'
    """
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return steps_from(from_inline(source, f"'{source}' isn't a step in TOML"))
    path = Path(source)
    content = read_toml(path)
    for name in content:
        if name != _NAME:
            raise SettingsError(f"'{path.name}': no such name '{name}'. {suggest(name, [_NAME])}")
    if not content.get(_NAME):
        raise SettingsError(f"'{path.name}' has no steps. A step begins with [[{_NAME}]].")
    try:
        return steps_from(content[_NAME])
    except SettingsError as error:
        raise SettingsError(f"'{path.name}': {error}") from None


def write_steps(path: str | Path) -> Path:
    """Write a file of steps to start from: one step, and every other one as a comment, with a word on each value.

    Parameters
    ----------
    path
        The file to write.

    Raises
    ------
    OutputError
        Where it exists, or can't be written.
    """
    lines = ["# What is done to the synthetic file, in this order. Uncomment what you want."]
    for number, (name, kind) in enumerate(STEPS.items()):
        lines += ["", f"# {(kind.__doc__ or name).partition(chr(10))[0]}"]
        step = [f"[[{_NAME}]]", f'step = "{name}"']
        lines += [f"# {line}" for line in step] if number else step
        for field, described in kind.model_fields.items():
            if field != "step":
                lines.append(f"# {field} = {_example(described.default)}  # {described.description}")
    return write_toml(Path(path), tomlkit.parse("\n".join(lines) + "\n"))


def _example(default: Any) -> str:
    if default is None or default is PydanticUndefined:
        return "..."
    return str(tomlkit.item(list(default) if isinstance(default, tuple) else default).as_string())
