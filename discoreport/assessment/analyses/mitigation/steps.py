"""What can be done to a synthetic file before its release: steps as frozen models, in words and in figures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

import tomlkit
from pydantic import BeforeValidator, Field, ValidationError, model_validator
from pydantic_core import PydanticUndefined

from discoreport.assessment.analyses.base import OF_FILE, Chosen, Variables
from discoreport.assessment.settings import MOST_COUNTED, NUMBER, Classes, LevelText, Real, Whole
from discoreport.assessment.toml import from_inline, read_toml, write_toml
from discoreport.assessment.validation_errors import in_words
from discoreport.errors import SettingsError, suggest

MOST_NEIGHBOURS = 10**9
MOST_DIGITS = 15
"""More than any file has records."""
Variable = Annotated[str, OF_FILE, Field(description="the variable that is changed")]
Keys = Annotated[Variables, Field(description="variables that tell records apart; by default the keys of the settings")]
Kept = Annotated[
    tuple[LevelText, ...], Field(description="values that are codes or levels of their own, and stay as they are")
]


class _Step(Chosen):
    def words(self) -> str:
        """Say what is done, without any count."""
        raise NotImplementedError

    def plain(self) -> dict[str, Any]:
        """Give it as a mapping, as configuration files hold it: its name, and what differs from the defaults."""
        return {"step": type(self).model_fields["step"].default, **self.model_dump(exclude_defaults=True)}


class RemoveReplicatedUniques(_Step):
    """Remove the synthetic records that are unique on the keys, as an original record is with the same keys."""

    step: Literal["remove replicated uniques"] = "remove replicated uniques"
    keys: Keys = ()

    def words(self) -> str:
        """Say what is done."""
        return f"Replicated uniques were removed{_on(self.keys)}"


class RemoveUniquesInOriginal(_Step):
    """Remove the synthetic records that are unique on the keys and whose keys occur in the original, however often."""

    step: Literal["remove uniques in original"] = "remove uniques in original"
    keys: Keys = ()

    def words(self) -> str:
        """Say what is done."""
        return f"Unique records whose keys occur in the original were removed{_on(self.keys)}"


class LimitValues(_Step):
    """Bottom and top coding: put numbers below the bottom to the bottom, and those above the top to the top."""

    step: Literal["limit values"] = "limit values"
    variable: Variable
    bottom: Real | None = Field(None, description="numbers below it are put to it; by default there is none")
    top: Real | None = Field(None, description="numbers above it are put to it; by default there is none")
    keep: Kept = ()

    @model_validator(mode="after")
    def _limits_agree(self) -> Self:
        limits = [limit for limit in (self.bottom, self.top) if limit is not None]
        if not limits or not all(map(math.isfinite, limits)):
            raise ValueError("needs a bottom, a top, or both")
        if self.bottom is not None and self.top is not None and self.bottom > self.top:
            raise ValueError("the bottom is above the top")
        return self

    def words(self) -> str:
        """Say what is done."""
        below = None if self.bottom is None else f"bottom-coded at {self.bottom:,.10g}"
        above = None if self.top is None else f"top-coded at {self.top:,.10g}"
        return f"{self.variable} was {' and '.join(words for words in (below, above) if words)}"


class Smooth(_Step):
    """Put each number to the mean of those next to it in rank.

    The mean is over the values from `neighbours` ranks below to `neighbours` ranks above, fewer at the ends, so that
    the smallest and the largest value are means, too. Equal values stay equal, and no two values change places.
    """

    step: Literal["smooth"] = "smooth"
    variable: Variable
    neighbours: Annotated[int, Field(ge=1, le=MOST_NEIGHBOURS), NUMBER] = Field(
        5, description="how many numbers on either side are taken into the mean"
    )
    keep: Kept = ()
    digits: Annotated[int, Field(ge=-MOST_DIGITS, le=MOST_DIGITS), NUMBER] | None = Field(
        None, description="decimals to round to; by default none for whole numbers, and no rounding for others"
    )

    def words(self) -> str:
        """Say what is done."""
        return f"{self.variable} was smoothed over {self.neighbours} neighbours on either side"


class MergeLevels(_Step):
    """Merge small categories, by count or by a mapping."""

    step: Literal["merge levels"] = "merge levels"
    variable: Variable
    fewer_than: Annotated[int, Field(ge=2, le=MOST_COUNTED), NUMBER] | None = Field(
        None, description="levels with fewer records than this in the synthetic file are merged"
    )
    mapping: dict[str, str] | None = Field(
        None, description="or else the new level of each level that gets one; levels not named stay"
    )
    into: str = Field("Other", description="what levels are called that are merged by count")
    keep: Kept = ()

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.fewer_than is None) == (not self.mapping):
            raise ValueError("needs either fewer_than or a mapping")
        return self

    def words(self) -> str:
        """Say what is done."""
        if self.fewer_than is None:
            return f"Levels of {self.variable} were merged"
        return f"Levels of {self.variable} with fewer than {self.fewer_than} records were merged"


class GroupValues(_Step):
    """Put the numbers of a variable into classes, whose names take their place."""

    step: Literal["group values"] = "group values"
    variable: Variable
    groups: Classes = Field(
        description="about how many classes, by quantiles of the synthetic file, or the breaks themselves"
    )
    keep: Kept = ()

    @model_validator(mode="after")
    def _breaks_rise(self) -> Self:
        if isinstance(self.groups, tuple) and (len(self.groups) < 2 or sorted(set(self.groups)) != list(self.groups)):
            raise ValueError("the breaks must be at least two numbers in rising order")
        return self

    def words(self) -> str:
        """Say what is done."""
        return f"{self.variable} was put into classes"


class AddVariable(_Step):
    """Add a variable, as the first, that says of each record that it is synthetic."""

    step: Literal["add variable"] = "add variable"
    name: str = Field("synthetic_data", min_length=1, description="what the variable is called")
    value: str = Field("synthetic, not a real person", description="what it says")

    def words(self) -> str:
        """Say what is done."""
        return f'The variable {self.name} marks each record: "{self.value}"'


class MarkNames(_Step):
    """Put something before or after the name of each variable, so that it says that the data are synthetic."""

    step: Literal["mark names"] = "mark names"
    prefix: str = Field("", description="what is put before each name")
    suffix: str = Field("", description="what is put after each name")

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not (self.prefix or self.suffix):
            raise ValueError("needs a prefix, a suffix, or both")
        return self

    def words(self) -> str:
        """Say what is done."""
        parts = [f'"{text}" {where} them' for text, where in ((self.prefix, "before"), (self.suffix, "after")) if text]
        return f"Names of variables were marked: {' and '.join(parts)}"


Step = Annotated[
    RemoveReplicatedUniques
    | RemoveUniquesInOriginal
    | LimitValues
    | Smooth
    | MergeLevels
    | GroupValues
    | AddVariable
    | MarkNames,
    Field(discriminator="step"),
]
"""One thing that can be done to a synthetic file; ``step`` tells which."""

STEPS: dict[str, type[_Step]] = {str(kind.model_fields["step"].default): kind for kind in get_args(get_args(Step)[0])}
"""Every step by its name."""


def steps_from(steps: Any) -> tuple[Step, ...]:
    """Build steps from models or mappings, such as a configuration file gives.

    Parameters
    ----------
    steps
        One, or several in their order.

    Raises
    ------
    SettingsError
        With the first thing that is wrong.

    Examples
    --------
    >>> (step,) = steps_from([{"step": "limit values", "variable": "income", "top": 5000}])
    >>> step.words()
    'income was top-coded at 5,000'
    """
    given = list(steps) if isinstance(steps, list | tuple) else [steps]
    return tuple(_step(number, one) for number, one in enumerate(given, start=1))


Synthesis = Annotated[
    Whole,
    Field(ge=1, title="Synthetic file", description="which synthetic file the steps are applied to, counting from 1"),
]
Steps = Annotated[
    tuple[Step, ...],
    BeforeValidator(steps_from),
    Field(min_length=1, title="Steps", description="what is done to the file, in this order"),
]


def _step(number: int, given: Any) -> Any:
    if isinstance(given, _Step):
        return given
    if not isinstance(given, Mapping):
        raise SettingsError(f"Step {number}: it must have a name and its values (got {given!r}).")
    name = str(given.get("step", ""))
    if name not in STEPS:
        raise SettingsError(f"Step {number}: no step '{name}'. {suggest(name, STEPS)}")
    known = [field for field in STEPS[name].model_fields if field != "step"]
    for field in given:
        if field not in ("step", *known):
            raise SettingsError(f"Step {number}, {name}: no such name '{field}'. {suggest(field, known)}")
    try:
        return STEPS[name].model_validate(given)
    except ValidationError as error:
        problem = error.errors()[0]
        place = "".join(f", {part}" for part in problem["loc"][:1])
        raise SettingsError(f"Step {number}, {name}{place}: {in_words(problem)}.") from None


def _on(keys: Sequence[str]) -> str:
    return f" (on {', '.join(keys)})" if keys else ""


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
