"""What the user may set: one frozen, validated object for library, command line, form and record."""

from __future__ import annotations

import datetime
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from discoreport.assessment.frozen_model import FrozenModel
from discoreport.assessment.option_notation import CASES, GROUPS, NAMES, RULES, CommandOption, by_name, in_one, one
from discoreport.assessment.validation_errors import shown
from discoreport.data.level_text import level_text
from discoreport.errors import suggest

Missing = Literal["level", "exclude"]
ONE_WAY_THRESHOLD: tuple[int, float] = (50, 90)
TWO_WAY_THRESHOLD: tuple[int, float] = (4, 80)
TAU: tuple[float, ...] = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)
MOST_CLASSES = 10_000
"""Classes, or bounds between them, that the numbers of one variable are put into."""
MOST_COUNTED = 10**15
"""Records that a number may speak of: more than any file has."""
MOST_TAU = 1_000
"""Certainties that are counted in one assessment."""
OF_VARIABLES = ("numeric_groups", "special_codes", "missing_values")
"""Settings that are given by variable."""
MISSING_IN_TOML: dict[str, bool] = {"missing": True}
"""How a configuration file, which has no word for nothing, writes a missing value."""


def _as_level(value: object) -> str | None:
    return None if value == MISSING_IN_TOML else level_text(value)


LevelText = Annotated[str | None, BeforeValidator(_as_level)]
"""A level as the tables show it: text, or None for a missing value. Numbers, dates and booleans are accepted."""


def _as_code(value: object) -> str:
    code = _as_level(value)
    if code is None:
        raise ValueError("a missing value is a level of its own as it is")
    return code


Code = Annotated[str, BeforeValidator(_as_code)]
"""A special code: a level that isn't missing."""

_SEVERAL = (list, tuple, set, frozenset, np.ndarray)


def _no_boolean(value: object) -> object:
    if isinstance(value, bool | np.bool_):
        raise ValueError(f"must be a number (got {value})")
    return value


NUMBER = BeforeValidator(_no_boolean)
"""Stands after the bounds of a number: true and false are none, although Python counts with them."""
Whole = Annotated[int, NUMBER]
Real = Annotated[float, NUMBER]


def _names(value: object) -> object:
    """Take one name for a list of one, so that ``keys="age"`` isn't read as three letters."""
    return (value,) if isinstance(value, str | int | float | np.number) else value


def _name(value: object) -> object:
    """Take a name that is a number for its text, by which columns of frames are called, too."""
    return str(value) if isinstance(value, int | float | np.number) and not isinstance(value, bool) else value


Name = Annotated[str, BeforeValidator(_name)]
"""The name of a variable."""
Names = Annotated[tuple[Name, ...], BeforeValidator(_names)]
"""Names of variables, or one."""
NamesGiven = str | Sequence[str] | Sequence[int] | Sequence[str | int]
"""Names of variables, or one, as users give them."""
CaseOf = tuple[str, str | None, str | None, str | None]
"""Target, level, key and key level: what a flag, an answer and an exclusion have in common."""


class Case(FrozenModel):
    """A target level, everywhere or where one key has one level.

    Parameters
    ----------
    target, level
        The variable and its level. ``level=None`` is a missing value.
    key, key_level
        Only records where this key has this level.
    """

    target: Name
    level: LevelText
    key: Name | None = None
    key_level: LevelText = None

    @model_validator(mode="after")
    def _pair_is_whole(self) -> Self:
        if self.key is None and self.key_level is not None:
            raise ValueError("a rule with a key_level needs the key as well")
        if self.key is not None and "key_level" not in self.model_fields_set:
            raise ValueError("a rule with a key needs the key_level as well (None for a missing value)")
        return self

    @property
    def case(self) -> CaseOf:
        """Target, level, key and key level."""
        return self.target, self.level, self.key, self.key_level

    def __str__(self) -> str:
        """Write the case as the command line does: an empty level is a missing value."""
        rule = f"{self.target}={_written(self.level)}"
        return rule if self.key is None else f"{rule}@{self.key}={_written(self.key_level)}"


class Exclusion(Case):
    """A target level that isn't counted, everywhere or where one key has one level.

    Parameters
    ----------
    target, level
        The variable and the level of it that are left out. ``level=None`` is a missing value.
    key, key_level
        Leave the level out only in records where this key has this level.
    reason, by, on
        Why, in words an approver can follow, who decided it, and when.
    """

    reason: str = ""
    by: str = ""
    on: datetime.date | None = None

    if TYPE_CHECKING:  # what is taken, where fields say what is held

        def __init__(
            self,
            *,
            target: str | int,
            level: object,
            key: str | int | None = None,
            key_level: object = None,
            reason: str = "",
            by: str = "",
            on: datetime.date | str | None = None,
        ) -> None: ...

    @property
    def documented(self) -> bool:
        """Whether it says why, and who decided it."""
        return bool(self.reason.strip() and self.by.strip())


def _together(rules: Sequence[Exclusion]) -> Exclusion:
    """Make one exclusion of those of one case; different reasons and names are kept, one after the other."""
    if len(rules) == 1:
        return rules[0]
    reasons, names = (
        [*dict.fromkeys(filter(None, words))] for words in zip(*((one.reason, one.by) for one in rules), strict=True)
    )
    days = [rule.on for rule in rules if rule.on is not None]
    said = {"reason": "; ".join(reasons), "by": ", ".join(names), "on": max(days, default=None)}
    return rules[0].model_copy(update=said)


def _written(level: str | None) -> str:
    return "" if level is None else level or "''"


Classes = (
    Annotated[int, Field(ge=2, le=MOST_CLASSES), NUMBER]
    | Annotated[tuple[Real, ...], Field(max_length=MOST_CLASSES + 1)]
)
"""A number of classes, or the bounds between them."""
Threshold = tuple[Annotated[int, Field(ge=0, le=MOST_COUNTED), NUMBER], Annotated[float, Field(ge=0, le=100), NUMBER]]
"""Records and percentage that must both be exceeded."""


class Settings(FrozenModel):
    """The settings of one assessment: the arguments of `assess` under the same names, and described there.

    Frozen. What won't do is refused with a `SettingsError` that says what would.
    """

    # Each says its option of the command line, and how its value is written there.
    keys: Annotated[Names, CommandOption("--key", NAMES)] = Field(
        min_length=1, description="variables that an intruder may know"
    )
    targets: Annotated[Names | None, CommandOption("--target", NAMES)] = Field(
        None, description="variables to learn; by default all shared ones with a value that are not keys"
    )
    numeric_groups: Annotated[dict[Name, Classes], CommandOption("--group", GROUPS)] = Field(
        {}, description="numeric variables to put into about N classes, or between given breaks"
    )
    special_codes: Annotated[dict[Name, tuple[Code, ...]], CommandOption("--code", by_name("NAME=VALUE"))] = Field(
        {}, description="values that are codes, not numbers; each stays a level of its own"
    )
    missing_values: Annotated[dict[Name, tuple[Code, ...]], CommandOption("--missing", by_name("NAME=VALUE"))] = Field(
        {}, description='values that mean "missing", such as "?" or 999; they count as missing ones in every file'
    )
    key_missing: Annotated[Missing | dict[Name, Missing], CommandOption("--key-missing", RULES)] = Field(
        "level", description='missing keys: "level" (of its own) or "exclude", for all or by name'
    )
    target_missing: Annotated[Missing | dict[Name, Missing], CommandOption("--target-missing", RULES)] = Field(
        "level", description='missing targets: "level" (of its own) or "exclude", for all or by name'
    )
    exclude: Annotated[tuple[Exclusion, ...], CommandOption("--exclude", CASES)] = Field(
        (), description="target levels that are not counted, everywhere or with one key level"
    )
    max_denominator: Annotated[
        Annotated[int, Field(ge=1, le=MOST_COUNTED), NUMBER] | None, CommandOption("--max-denominator", one("N"))
    ] = Field(None, description="leave out cells with more records than this; by default no limit")
    one_way_threshold: Annotated[Threshold, CommandOption("--one-way-threshold", in_one("N,PERCENT"))] = Field(
        ONE_WAY_THRESHOLD,
        description="records of a level that are given away, and percentage of all that are, that raise a one-way flag",
    )
    two_way_threshold: Annotated[Threshold, CommandOption("--two-way-threshold", in_one("N,PERCENT"))] = Field(
        TWO_WAY_THRESHOLD, description="records in a cell, and percentage of the key level, that raise a two-way flag"
    )
    tau: Annotated[
        tuple[Annotated[float, Field(ge=0, le=1), NUMBER], ...], CommandOption("--tau", in_one("TAU,..."))
    ] = Field(
        TAU,
        max_length=MOST_TAU,
        description="how likely an attribution must be, 0 to 1, to count in DiSCO(tau)",
    )
    unit: Annotated[Name | None, CommandOption("--unit", one("NAME"))] = Field(
        None, description="variable of each file that says which records belong together, such as a household's number"
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            keys: NamesGiven,
            targets: NamesGiven | None = ...,
            numeric_groups: Mapping[str, int | Sequence[float]] = ...,
            special_codes: Mapping[str, object] = ...,
            missing_values: Mapping[str, object] = ...,
            key_missing: Missing | Mapping[str, Missing] = ...,
            target_missing: Missing | Mapping[str, Missing] = ...,
            exclude: Sequence[Exclusion | Mapping[str, Any]] = ...,
            max_denominator: int | None = ...,
            one_way_threshold: Sequence[float] = ...,
            two_way_threshold: Sequence[float] = ...,
            tau: Sequence[float] = ...,
            unit: str | int | None = ...,
        ) -> None: ...

    @field_validator("exclude")
    @classmethod
    def _each_case_once(cls, value: tuple[Exclusion, ...]) -> tuple[Exclusion, ...]:
        """Keep a case that several syntheses raise once, with all that is said of it."""
        by_case: dict[CaseOf, list[Exclusion]] = {}
        for rule in value:
            by_case.setdefault(rule.case, []).append(rule)
        return tuple(_together(rules) for rules in by_case.values())

    @field_validator("special_codes", "missing_values", mode="before")
    @classmethod
    def _one_code_is_a_list(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        return {name: tuple(codes) if isinstance(codes, _SEVERAL) else (codes,) for name, codes in value.items()}

    @classmethod
    def _refused(cls, error: ValidationError, values: Mapping[str, Any]) -> str:
        return _refused(error, values)

    @field_validator("numeric_groups")
    @classmethod
    def _breaks_rise(cls, value: dict[str, int | tuple[float, ...]]) -> dict[str, int | tuple[float, ...]]:
        for name, breaks in value.items():
            rise = isinstance(breaks, int) or (
                len(breaks) > 1
                and all(math.isfinite(bound) for bound in breaks)
                and all(low < high for low, high in itertools.pairwise(breaks))
            )
            if not rise:
                raise ValueError(f"the breaks of '{name}' must be at least two numbers in rising order")
        return value

    @model_validator(mode="after")
    def _names_agree(self) -> Settings:
        for role, names in (("keys", self.keys), ("targets", self.targets or ())):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"{role}: '{twice[0]}' is named twice")
        for name, codes in self.special_codes.items():
            twice = sorted(set(codes) & set(self.missing_values.get(name, ())))
            if twice:
                raise ValueError(f"'{name}': {twice[0]} is named in special_codes and in missing_values. Name it once")
        both = [name for name in self.targets or () if name in self.keys]
        if both:
            raise ValueError(
                f"'{both[0]}' is both a key and a target. What an intruder knows can't be learnt: name it once"
            )
        for setting in ("keys", "targets", "numeric_groups", "special_codes"):
            if self.unit is not None and self.unit in (getattr(self, setting) or ()):
                raise ValueError(
                    f"{setting}: '{self.unit}' is the unit, which only says which records belong together. Leave it out"
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

    def for_targets(self, names: Sequence[str]) -> Settings:
        """Give the part that concerns some of the targets, in the order asked for; others are passed over."""
        targets = tuple(name for name in names if name in (self.targets or ()))
        missing = self.target_missing
        return self.model_copy(
            update={
                "targets": targets,
                "exclude": tuple(rule for rule in self.exclude if rule.target in targets),
                "target_missing": missing
                if isinstance(missing, str)
                else {name: how for name, how in missing.items() if name in targets},
            }
        )

    def changed(self) -> dict[str, object]:
        """List the settings that differ from the defaults, keys and targets apart."""
        plain = Settings(keys=self.keys, targets=self.targets)
        return {
            name: getattr(self, name) for name in type(self).model_fields if getattr(self, name) != getattr(plain, name)
        }


_THRESHOLD = f"must be a number of records, up to {MOST_COUNTED:,}, and a percentage, 0 to 100"
_VALID = {
    "keys": "must be at least one name",
    "targets": "must be names",
    "numeric_groups": f"must give for each variable a number of classes from 2 to {MOST_CLASSES:,}, or rising breaks",
    "special_codes": "must give for each variable its codes",
    "missing_values": "must give for each variable the values that mean missing",
    "key_missing": "must be 'level' or 'exclude', for all or by name",
    "target_missing": "must be 'level' or 'exclude', for all or by name",
    "exclude": "must be a list of rules, each with target and level, and perhaps key, key_level, reason and by",
    "max_denominator": f"must be a whole number from 1 to {MOST_COUNTED:,}",
    "one_way_threshold": _THRESHOLD,
    "two_way_threshold": _THRESHOLD,
    "unit": "must be the name of a variable",
    "tau": f"must be at most {MOST_TAU:,} numbers from 0 to 1",
}
"""What would do, setting by setting."""


def _refused(error: ValidationError, values: Mapping[str, Any]) -> str:
    """Say everything that is wrong with settings."""
    for name in values:
        if name not in Settings.model_fields:
            return f"No setting '{name}'. {suggest(name, Settings.model_fields)}"
    lines: dict[str, str] = {}
    for problem in error.errors():
        name = str(problem["loc"][0]) if problem["loc"] else ""
        if problem["type"] == "value_error":
            message = problem["msg"].removeprefix("Value error, ")
            lines.setdefault(name, f"{name}: {message}" if name else message)
        else:
            lines.setdefault(name, f"{name}: {_VALID.get(name, problem['msg'])} (got {shown(values.get(name))})")
    return "; ".join(lines.values())
