"""What can be done to a synthetic file before its release: steps as frozen models, in words and in figures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from discoreport.assessment.settings import LevelText
from discoreport.errors import SettingsError


def _names(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], BeforeValidator(_names)]


class _Step(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    def words(self) -> str:
        """Say what is done, without any count."""
        raise NotImplementedError


class RemoveReplicatedUniques(_Step):
    """Remove the synthetic records that are unique on the keys, as an original record is with the same keys.

    Parameters
    ----------
    keys
        Variables that tell records apart; by default the keys of the settings.
    """

    step: Literal["remove replicated uniques"] = "remove replicated uniques"
    keys: Names = ()

    def words(self) -> str:
        """Say what is done."""
        return f"Replicated uniques were removed{_on(self.keys)}"


class RemoveUniquesInOriginal(_Step):
    """Remove the synthetic records that are unique on the keys and whose keys occur in the original, however often.

    Parameters
    ----------
    keys
        Variables that tell records apart; by default the keys of the settings.
    """

    step: Literal["remove uniques in original"] = "remove uniques in original"
    keys: Names = ()

    def words(self) -> str:
        """Say what is done."""
        return f"Unique records whose keys occur in the original were removed{_on(self.keys)}"


class LimitValues(_Step):
    """Bottom and top coding: put numbers below the bottom to the bottom, and those above the top to the top.

    Parameters
    ----------
    variable
        Its values are numbers, special codes apart.
    bottom, top
        The limits; None where there is none. At least one is needed.
    keep
        Values that are codes, not numbers, and stay as they are.
    """

    step: Literal["limit values"] = "limit values"
    variable: str
    bottom: float | None = None
    top: float | None = None
    keep: tuple[LevelText, ...] = ()

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

    Parameters
    ----------
    variable
        Its values are numbers, special codes apart.
    neighbours
        How many on either side.
    keep
        Values that are codes, not numbers, and stay as they are.
    digits
        Decimals to round to; by default none for whole numbers, and no rounding for others.
    """

    step: Literal["smooth"] = "smooth"
    variable: str
    neighbours: Annotated[int, Field(ge=1)] = 5
    keep: tuple[LevelText, ...] = ()
    digits: int | None = None

    def words(self) -> str:
        """Say what is done."""
        return f"{self.variable} was smoothed over {self.neighbours} neighbours on either side"


class MergeLevels(_Step):
    """Merge small categories, by count or by a mapping.

    Parameters
    ----------
    variable
        Any variable.
    fewer_than
        Levels with fewer records than this in the synthetic file are merged.
    mapping
        The new level of each level that gets one; levels not named stay.
    into
        What merged levels are called, where they are merged by count.
    keep
        Levels that are not merged by count, such as special codes. Missing values never are.
    """

    step: Literal["merge levels"] = "merge levels"
    variable: str
    fewer_than: Annotated[int, Field(ge=2)] | None = None
    mapping: dict[str, str] | None = None
    into: str = "Other"
    keep: tuple[LevelText, ...] = ()

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
    """Put the numbers of a variable into classes, whose names take their place.

    Parameters
    ----------
    variable
        Its values are numbers, special codes apart.
    groups
        About how many classes, by quantiles of the synthetic file; or the breaks themselves.
    keep
        Values that are codes, not numbers, and stay as they are.
    """

    step: Literal["group values"] = "group values"
    variable: str
    groups: Annotated[int, Field(ge=2)] | tuple[float, ...]
    keep: tuple[LevelText, ...] = ()

    @model_validator(mode="after")
    def _breaks_rise(self) -> Self:
        if isinstance(self.groups, tuple) and (len(self.groups) < 2 or sorted(set(self.groups)) != list(self.groups)):
            raise ValueError("the breaks must be at least two numbers in rising order")
        return self

    def words(self) -> str:
        """Say what is done."""
        return f"{self.variable} was put into classes"


class AddVariable(_Step):
    """Add a variable, as the first, that says of each record that it is synthetic.

    Parameters
    ----------
    name, value
        Its name, and what it says.
    """

    step: Literal["add variable"] = "add variable"
    name: str = "synthetic_data"
    value: str = "synthetic, not a real person"

    def words(self) -> str:
        """Say what is done."""
        return f'The variable {self.name} marks each record: "{self.value}"'


class MarkNames(_Step):
    """Put something before or after the name of each variable, so that it says that the data are synthetic.

    Parameters
    ----------
    prefix, suffix
        What to put there; at least one.
    """

    step: Literal["mark names"] = "mark names"
    prefix: str = ""
    suffix: str = ""

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

_ADAPTER: TypeAdapter[Step] = TypeAdapter(Step)


def steps_from(steps: Sequence[Any] | Mapping[str, Any]) -> tuple[Step, ...]:
    """Build steps from models or mappings, such as a configuration file gives.

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
    given = [steps] if isinstance(steps, Mapping | BaseModel) else list(steps)
    built = []
    for number, one in enumerate(given, start=1):
        try:
            built.append(_ADAPTER.validate_python(one.model_dump() if isinstance(one, BaseModel) else one))
        except ValidationError as error:
            problem = error.errors()[0]
            place = ".".join(str(part) for part in problem["loc"][1:])
            message = problem["msg"].removeprefix("Value error, ")
            raise SettingsError(f"Step {number}{place and f', {place}'}: {message}.") from None
    return tuple(built)


def _on(keys: Sequence[str]) -> str:
    return f" (on {', '.join(keys)})" if keys else ""
