"""What the user may set: one frozen, validated object for library, command line, form and record."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from discoreport.data.levels import level_text
from discoreport.errors import SettingsError, suggest

Missing = Literal["level", "exclude"]
ONE_WAY_THRESHOLD: tuple[int, float] = (50, 90)
TWO_WAY_THRESHOLD: tuple[int, float] = (4, 80)
LevelText = Annotated[str | None, BeforeValidator(level_text)]
"""A level as the tables show it: text, or None for a missing value. Numbers, dates and booleans are accepted."""


def _names(value: object) -> object:
    """Take one name for a list of one, so that ``keys="age"`` isn't read as three letters."""
    return (value,) if isinstance(value, str) else value


class Exclusion(BaseModel):
    """A target level that isn't counted, everywhere or where one key has one level.

    Parameters
    ----------
    target, level
        The variable and the level of it that are left out. ``level=None`` is a missing value.
    key, key_level
        Leave the level out only in records where this key has this level.
    reason, by
        Why, in words an approver can follow, and who decided it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    target: str
    level: LevelText
    key: str | None = None
    key_level: LevelText = None
    reason: str = ""
    by: str = ""

    @model_validator(mode="after")
    def _pair_is_whole(self) -> Exclusion:
        if self.key is None and self.key_level is not None:
            raise ValueError("an exclusion with a key_level needs the key as well")
        if self.key is not None and "key_level" not in self.model_fields_set:
            raise ValueError("an exclusion with a key needs the key_level as well (None for a missing value)")
        return self

    def __str__(self) -> str:
        rule = f"{self.target}={self.level}"
        return rule if self.key is None else f"{rule}@{self.key}={self.key_level}"


class Settings(BaseModel):
    """The settings of one assessment; the arguments of `assess` under the same names.

    Parameters
    ----------
    keys
        Variables that an intruder may know.
    targets
        Variables that an intruder wants to learn. None: every shared variable that isn't a key.
    numeric_groups
        For each variable to group: about how many classes, or the breaks themselves, rising.
    special_codes
        For each variable: the values that are codes, not numbers. Each stays a level of its own.
    key_missing, target_missing
        What a missing value counts as: "level" (a level of its own) or "exclude"; for all, or by name.
    exclude
        Target levels that are not counted.
    max_denominator
        Leave out cells with more records than this. None: no limit.
    one_way_threshold
        Records and percentage that both must be exceeded for a one-way flag.
    two_way_threshold
        Records in a cell and percentage that both must be exceeded for a two-way flag.

    Raises
    ------
    SettingsError
        When raised through `settings_from`: an unknown name, or values that contradict one another.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    keys: Annotated[tuple[str, ...], BeforeValidator(_names)] = Field(min_length=1)
    targets: Annotated[tuple[str, ...] | None, BeforeValidator(_names)] = None
    numeric_groups: dict[str, Annotated[int, Field(ge=2)] | tuple[float, ...]] = {}
    special_codes: dict[str, tuple[LevelText, ...]] = {}
    key_missing: Missing | dict[str, Missing] = "level"
    target_missing: Missing | dict[str, Missing] = "level"
    exclude: tuple[Exclusion, ...] = ()
    max_denominator: Annotated[int, Field(ge=1)] | None = None
    one_way_threshold: tuple[Annotated[int, Field(ge=0)], Annotated[float, Field(ge=0, le=100)]] = ONE_WAY_THRESHOLD
    two_way_threshold: tuple[Annotated[int, Field(ge=0)], Annotated[float, Field(ge=0, le=100)]] = TWO_WAY_THRESHOLD

    @field_validator("special_codes", mode="before")
    @classmethod
    def _one_code_is_a_list(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        return {name: codes if isinstance(codes, list | tuple) else (codes,) for name, codes in value.items()}

    @field_validator("numeric_groups")
    @classmethod
    def _breaks_rise(cls, value: dict[str, int | tuple[float, ...]]) -> dict[str, int | tuple[float, ...]]:
        for name, breaks in value.items():
            if isinstance(breaks, tuple) and (
                len(breaks) < 2 or any(low >= high for low, high in itertools.pairwise(breaks))
            ):
                raise ValueError(f"the breaks of '{name}' must be at least two numbers in rising order")
        return value

    @model_validator(mode="after")
    def _names_agree(self) -> Settings:
        for role, names in (("keys", self.keys), ("targets", self.targets or ())):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"{role}: '{twice[0]}' is named twice")
        both = [name for name in self.targets or () if name in self.keys]
        if both:
            raise ValueError(
                f"'{both[0]}' is both a key and a target. What an intruder knows can't be learnt: name it once"
            )
        if isinstance(self.key_missing, dict):
            self._require(self.key_missing, self.keys, "key_missing", "key")
        if self.targets is not None:
            if isinstance(self.target_missing, dict):
                self._require(self.target_missing, self.targets, "target_missing", "target")
            self._require((rule.target for rule in self.exclude), self.targets, "exclude", "target")
        self._require((rule.key for rule in self.exclude if rule.key is not None), self.keys, "exclude", "key")
        return self

    @staticmethod
    def _require(names: Iterable[str], known: Sequence[str], setting: str, role: str) -> None:
        for name in names:
            if name not in known:
                raise ValueError(f"{setting}: '{name}' is not a {role}. {suggest(name, known)}")

    def excludes_missing(self, name: str) -> bool:
        """Tell whether records in which this key or target is missing are left out."""
        rule = self.key_missing if name in self.keys else self.target_missing
        return (rule if isinstance(rule, str) else rule.get(name, "level")) == "exclude"

    def changed(self) -> dict[str, object]:
        """List the settings that differ from the defaults, keys and targets apart."""
        plain = Settings(keys=self.keys, targets=self.targets)
        return {
            name: getattr(self, name) for name in type(self).model_fields if getattr(self, name) != getattr(plain, name)
        }


def settings_from(values: Mapping[str, Any]) -> Settings:
    """Build settings from names and values.

    Parameters
    ----------
    values
        Settings by name, as keyword arguments, a configuration file or a record give them.

    Returns
    -------
    Settings
        Validated and frozen.

    Raises
    ------
    SettingsError
        With one line for each thing that is wrong.
    """
    for name in values:
        if name not in Settings.model_fields:
            raise SettingsError(f"No setting '{name}'. {suggest(name, Settings.model_fields)}")
    try:
        return Settings(**values)
    except ValidationError as error:
        lines = []
        for problem in error.errors():
            place = ".".join(
                str(part) for part in problem["loc"] if part not in {"constrained-int", "tuple[float, ...]"}
            )
            got = "" if problem["type"] in {"value_error", "missing"} else f" (got {problem['input']!r})"
            message = problem["msg"].removeprefix("Value error, ")
            lines.append(f"{place}: {message}{got}" if place else f"{message}{got}")
        raise SettingsError("; ".join(lines)) from None
