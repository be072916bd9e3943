"""The settings as they are being made: whatever the user has chosen so far, whole or not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from discoreport.assessment.settings import (
    OF_VARIABLES,
    ONE_WAY_THRESHOLD,
    TAU,
    TWO_WAY_THRESHOLD,
    CaseOf,
    Exclusion,
    LevelText,
    Missing,
    Settings,
)
from discoreport.errors import SettingsError


class Draft(BaseModel):
    """Settings in the making; `settings` makes them whole.

    What was set for a variable that is neither key nor target at the moment is kept: it counts again
    when the variable is chosen again.

    Parameters
    ----------
    keys, targets
        Names, the keys in the order in which they were chosen.
    without_missing
        Variables whose missing values are left out.
    each_counts
        Numbers with many values of which somebody has said that each counts by itself.
    away
        Roles of variables that these files don't have, or can't have used, and that come back with them: by role, for
        each name those that come after it.
    numeric_groups, special_codes, missing_values, exclude, max_denominator, one_way_threshold, two_way_threshold, tau,
    unit
        As for `assess`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    keys: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    numeric_groups: dict[str, int | tuple[float, ...]] = {}
    special_codes: dict[str, tuple[LevelText, ...]] = {}
    missing_values: dict[str, tuple[LevelText, ...]] = {}
    without_missing: tuple[str, ...] = ()
    each_counts: tuple[str, ...] = ()
    exclude: tuple[Exclusion, ...] = ()
    max_denominator: int | None = None
    one_way_threshold: tuple[int, float] = ONE_WAY_THRESHOLD
    two_way_threshold: tuple[int, float] = TWO_WAY_THRESHOLD
    tau: tuple[float, ...] = TAU
    unit: str | None = None
    away: dict[str, dict[str, tuple[str, ...]]] = {}

    @classmethod
    def of(cls, settings: Settings, onto: Draft | None = None) -> Draft:
        """Take settings up again; what they say nothing of stays as it is in `onto`."""
        before = onto or cls()
        chosen = {*settings.keys, *(settings.targets or ()), *((settings.unit,) if settings.unit else ())}
        kept = tuple(name for name in before.without_missing if name not in chosen)
        of_variables: dict[str, Any] = {
            name: {of: value for of, value in getattr(before, name).items() if of not in chosen}
            | getattr(settings, name)
            for name in OF_VARIABLES
        }
        return cls(
            **{name: getattr(settings, name) for name in _as_they_are()},
            **of_variables,
            keys=settings.keys,
            targets=settings.targets or (),
            without_missing=(*kept, *sorted(filter(settings.excludes_missing, chosen - {settings.unit}))),
            each_counts=tuple(name for name in before.each_counts if name not in settings.numeric_groups),
            exclude=(*settings.exclude, *(rule for rule in before.exclude if not _applies(rule, settings))),
            away=before.away,
        )

    def settings(self) -> Settings:
        """Give the settings.

        Raises
        ------
        SettingsError
            Where there is no key yet, or a value won't do.
        """
        if not self.keys:
            raise SettingsError("Choose at least one key: a variable that an intruder may know.")
        chosen = {*self.keys, *self.targets}
        counted = {"missing_values": chosen | {self.unit}}
        rules = (rule for rule in self.exclude if rule.target in self.targets)
        of_variables: dict[str, Any] = {
            name: {of: value for of, value in getattr(self, name).items() if of in counted.get(name, chosen)}
            for name in OF_VARIABLES
        }
        return Settings(
            **{name: getattr(self, name) for name in _as_they_are()},
            **of_variables,
            keys=self.keys,
            targets=self.targets,
            key_missing=self._missing(self.keys),
            target_missing=self._missing(self.targets),
            exclude=tuple(rule for rule in rules if rule.key is None or rule.key in self.keys),
        )

    def _missing(self, names: Iterable[str]) -> Missing | dict[str, Missing]:
        left_out: dict[str, Missing] = {name: "exclude" for name in names if name in self.without_missing}
        return left_out or "level"

    def role(self, name: str) -> str:
        """Tell whether a variable is a "key", a "target", the "unit" or "" at the moment."""
        if name == self.unit:
            return "unit"
        return "key" if name in self.keys else "target" if name in self.targets else ""

    def with_role(self, name: str, role: str, order: list[str]) -> Draft:
        """Give a variable another role.

        Parameters
        ----------
        name
            The variable.
        role
            "key", "target", "unit" or "".
        order
            The variables as the file has them; targets follow it.
        """
        keys = [key for key in self.keys if key != name] + ([name] if role == "key" else [])
        targets = {target for target in self.targets if target != name} | ({name} if role == "target" else set())
        unit = name if role == "unit" else None if name == self.unit else self.unit
        return self.model_copy(
            update={"keys": tuple(keys), "targets": tuple(one for one in order if one in targets), "unit": unit},
        )

    def among(self, usable: Sequence[str], filled: Collection[str]) -> Draft:
        """Keep the roles of usable variables, and give back theirs to those that were away.

        Parameters
        ----------
        usable
            The variables as the file has them.
        filled
            Those with a value: targets, where there were no roles yet.
        """
        if not (self.keys or self.targets or self.away):
            return self.model_copy(update={"targets": tuple(filled)})
        roles: dict[str, tuple[str, ...]] = {}
        away: dict[str, dict[str, tuple[str, ...]]] = {}
        for role in ("keys", "targets"):
            waiting, names = self.away.get(role, {}), list(getattr(self, role))
            for name, after in reversed(waiting.items()):
                if name in usable and not self.role(name):
                    names.insert(min((names.index(one) for one in after if one in names), default=len(names)), name)
            gone = {name: tuple(names[place + 1 :]) for place, name in enumerate(names) if name not in usable}
            left = {name: after for name, after in waiting.items() if name not in usable} | gone
            roles[role] = tuple(name for name in names if name in usable)
            away |= {role: left} if left else {}
        order = {name: place for place, name in enumerate(usable)}
        roles["targets"] = tuple(sorted(roles["targets"], key=order.__getitem__))
        unit = self.unit if self.unit in usable else None
        return self.model_copy(update={**roles, "away": away, "unit": unit})

    def exclusion_of(self, case: CaseOf) -> Exclusion | None:
        """Give the exclusion of a case; None where there is none."""
        return next((rule for rule in self.exclude if rule.case == case), None)

    def with_exclusion(self, rule: Exclusion) -> Draft:
        """Add an exclusion, in place of an earlier one of the same case."""
        return self.model_copy(update={"exclude": (*self.without_exclusion(rule.case).exclude, rule)})

    def without_exclusion(self, case: CaseOf) -> Draft:
        """Take an exclusion back."""
        return self.model_copy(update={"exclude": tuple(rule for rule in self.exclude if rule.case != case)})


def _as_they_are() -> set[str]:
    """Name the settings that are the same for all variables."""
    return {*Settings.model_fields} & {*Draft.model_fields} - {"keys", "targets", "exclude", *OF_VARIABLES}


def _applies(rule: Exclusion, settings: Settings) -> bool:
    """Tell whether an exclusion is of variables that settings give these roles."""
    return rule.target in (settings.targets or ()) and (rule.key is None or rule.key in settings.keys)
