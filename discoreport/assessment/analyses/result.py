"""What the results of all analyses have in common: the files and settings that they belong to."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict

from discoreport.assessment.frozen_model import LargeModel
from discoreport.assessment.measured import Measured
from discoreport.assessment.provenance import Source
from discoreport.assessment.results import Outcome
from discoreport.assessment.settings import OF_VARIABLES, Settings
from discoreport.assessment.worst_file import most_exposed_first
from discoreport.errors import SettingsError, require_kind, suggest
from discoreport.measures import MEASURES

OwnFigure = tuple[str, int, str, float | None]
"""A figure that an assessment has, too: target ("" for the keys alone), synthesis, measure, value."""
TOLERANCE = 1e-9
"""How far two may be apart that are the same, as a part of themselves: engines add in other orders."""


class Finite(LargeModel):
    """Frozen; refuses what it doesn't know, and numbers that are none."""

    model_config = ConfigDict(allow_inf_nan=False)
    of_risk: ClassVar[bool] = True
    """Whether its figures are on risk."""


class AnalysisResult(Finite):
    """What an analysis has found. Aggregates only.

    Parameters
    ----------
    original
        The file with the records whose risk is looked at.
    """

    original: Source

    def concerns(self, synthetic: Sequence[Source]) -> bool:
        """Tell whether it is of the synthetic files of an assessment."""
        raise NotImplementedError

    def parts_of(self, assessment: Measured) -> tuple[object, ...]:
        """List what in it can be of the assessed files, also by the figures where fingerprints don't say.

        One thing where it belongs to them; several where files can't be told apart.
        """
        raise NotImplementedError

    def conflict(self, settings: Settings) -> str:  # noqa: ARG002  # for those that have settings
        """Name the first setting that an assessment has otherwise; "" where there is none."""
        return ""

    def for_targets(self, names: Sequence[str]) -> Self | None:  # noqa: ARG002  # for those that have targets
        """Give the part that concerns some targets; None where it has no such part."""
        return self

    def percentages(self) -> Iterator[float]:
        """Give every percentage that it holds or that tables show of it."""
        for name in type(self).model_fields:
            if name not in _NO_FIGURES:
                yield from _numbers(getattr(self, name))

    def without_files(self, exclude: set[str] | None = None) -> Any:
        """Give what it holds as plain values, without what says which files it is of, and without some fields."""
        return _without_sources(self.model_dump(exclude=exclude))

    @property
    def repeatable(self) -> bool:
        """Whether it is as today's methods give it, and holds all that they take; earlier versions' may not."""
        return True

    @property
    def of_assess(self) -> bool:
        """Whether `assess` finds the same without being asked."""
        return False

    def for_record(self) -> Self:
        """Give the part that files and settings alone decide."""
        return self


class SettingsResult(AnalysisResult):
    """What an analysis has found under some settings.

    Parameters
    ----------
    settings
        What was asked, targets written out.
    """

    by_target: ClassVar[str] = ""
    """The field with one entry or more a target; "" where it has nothing of single targets."""

    settings: Settings

    def conflict(self, settings: Settings) -> str:
        """Name the first setting that an assessment has otherwise; targets may be fewer, and further keys grouped."""
        mine, targets = self.settings, self.settings.targets or ()
        if mine.keys != settings.keys:
            return "keys"
        if not set(targets) <= set(settings.targets or ()):
            return "targets"
        if mine.unit != settings.unit:
            return "unit"
        used = (*mine.keys, *targets)
        if otherwise := set_otherwise(mine, settings, used):
            return otherwise
        if any(mine.excludes_missing(variable) != settings.excludes_missing(variable) for variable in used):
            return "key_missing or target_missing"
        rules = [{rule.case for rule in one.exclude if rule.target in targets} for one in (mine, settings)]
        if rules[0] != rules[1]:
            return "exclude"
        return "" if mine.max_denominator == settings.max_denominator else "max_denominator"

    def for_targets(self, names: Sequence[str]) -> Self | None:
        """Give the part that concerns some targets; None where it has no such part."""
        of_keys = [""] if "" not in (self.settings.targets or ()) else []
        kept = tuple(one for one in self.entries if one.target in (*of_keys, *names))
        of_targets = {self.by_target: kept} if self.by_target else {}
        return self.model_copy(update={"settings": self.settings.for_targets(names), **of_targets})

    def decisive(self, assessment: Measured) -> tuple[str, str | None]:
        """Name what is told first, and ranked by: DiSCO of the assessment's most exposed target; else repU."""
        known = self.settings.targets or ()
        target = next((name for name in most_exposed_first(assessment) if name in known), None)
        return ("repU", None) if target is None else ("DiSCO", target)

    @property
    def entries(self) -> tuple[Any, ...]:
        """What it has of each target; "" for the keys alone."""
        return getattr(self, self.by_target) if self.by_target else ()


class SynthesesResult(AnalysisResult):
    """What an analysis has found of each synthetic file.

    Parameters
    ----------
    synthetic
        The files.
    """

    synthetic: tuple[Source, ...]

    def concerns(self, synthetic: Sequence[Source]) -> bool:
        """Tell whether it is of the synthetic files of an assessment, in the same order."""
        return same_files(self.synthetic, synthetic)

    def own_figures(self) -> Iterator[OwnFigure]:
        """Give the figures that an assessment of the same files has, too."""
        yield from ()

    def parts_of(self, assessment: Measured) -> tuple[object, ...]:
        """Give the whole, where it can be of the assessed files."""
        fits = self.concerns(assessment.synthetic) and (
            all_known((self.original, *self.synthetic), assessment) or agree(self.own_figures(), assessment.outcome)
        )
        return (self,) if fits else ()


class OneFileResult(SettingsResult):
    """What an analysis has found of one synthetic file.

    Parameters
    ----------
    synthetic
        The file, as it was given.
    """

    synthetic: Source

    def before(self) -> Iterator[tuple[str, str, float | None]]:
        """Give target, measure and value of what an assessment of the file has, too."""
        raise NotImplementedError

    def places(self, assessment: Measured) -> tuple[int, ...]:
        """List the assessed files that it can be of, counting from 1.

        Where neither fingerprints nor figures say which, names do; frames have those by their place.
        """
        comparable = len(assessment.synthetic) == 1 or not groups_by_number(self.settings)
        found = []
        for number, file in enumerate(assessment.synthetic, start=1):
            if not self.synthetic.can_be(file):
                continue
            if self.original.is_known_beside(assessment.original) and self.synthetic.is_known_beside(file):
                return (number,)
            figures = ((target, number, measure, value) for target, measure, value in self.before())
            if not comparable or agree(figures, assessment.outcome):
                found.append(number)
        named = [number for number in found if assessment.synthetic[number - 1].name == self.synthetic.name]
        return tuple(named if len(named) == 1 else found)

    def parts_of(self, assessment: Measured) -> tuple[object, ...]:
        """List the assessed files that it can be of."""
        return self.places(assessment)


def named(measure: str, target: str | None) -> str:
    """Name a measure with its target, where it is of one; None or "": of the keys."""
    return f"{measure} of {target}" if target else measure


def target_of(measure: str, target: str | None, measures: Sequence[str], targets: Sequence[str]) -> str:
    """Name the target that is meant: where none is named, the only one, or any for what is of the keys.

    Parameters
    ----------
    measure, target
        What is asked for.
    measures, targets
        What there is; without targets, "" stands for the keys.

    Raises
    ------
    SettingsError
        Where there is no such measure or target.
    """
    require_kind(measure, str, "measure: must be the name of one")
    if measure not in measures:
        raise SettingsError(f"No measure '{measure}' was evaluated. {suggest(measure, measures)}")
    known = tuple(targets) or ("",)
    if target is None and (len(known) == 1 or is_of_keys(measure)):
        target = known[0]
    if target not in known:
        raise SettingsError(f"No target '{target}'. {suggest(target or '', targets)}")
    return target


def agree(figures: Iterable[OwnFigure], outcome: Outcome) -> bool:
    """Tell whether figures are those of an assessment, as far as that has them.

    Identity risk is of the keys alone; in records saved before it was, it is what exclusions of some target leave.
    """
    results = (*outcome.identity, *outcome.results)
    for target, synthesis, measure, value in figures:
        known = [one for one in results if one.synthesis == synthesis and measure in one.values]
        if not is_of_keys(measure):
            known = [one for one in known if one.target == target]
        if known and not any(same_figure(value, one.values[measure]) for one in known):
            return False
    return True


def set_otherwise(one: Settings, other: Settings, variables: Collection[str]) -> str:
    """Name the first setting of single variables that two have otherwise for any of these; "" where there is none."""
    for name in OF_VARIABLES:
        ours, theirs = getattr(one, name), getattr(other, name)
        if any(ours.get(variable) != theirs.get(variable) for variable in variables):
            return name
    return ""


def is_of_keys(measure: str) -> bool:
    """Tell whether a measure is of the keys alone, whatever the target."""
    return MEASURES[measure].group == "identity"


def same_figure(one: float | None, other: float | None) -> bool:
    """Tell whether two figures are the same, or both missing; see `TOLERANCE`."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def groups_by_number(settings: Settings) -> bool:
    """Tell whether classes are formed by their number: then they depend on all files that are looked at together."""
    return any(isinstance(groups, int) for groups in settings.numeric_groups.values())


_NO_FIGURES = {"settings", "confidence", "steps", "findings", "methods"}
"""What was asked, and what is said of the files."""


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, dict):
        yield from _numbers(tuple(value.values()))
    elif isinstance(value, Finite) and not value.of_risk:
        return
    elif isinstance(value, BaseModel):
        yield from _numbers(tuple(getattr(value, name) for name in type(value).model_fields))


def _without_sources(found: Any) -> Any:
    if isinstance(found, Mapping):
        return {name: _without_sources(value) for name, value in found.items() if not _is_source(value)}
    if isinstance(found, tuple | list):
        return [_without_sources(value) for value in found if not _is_source(value)]
    return found


def _is_source(value: Any) -> bool:
    return isinstance(value, Mapping) and value.keys() == Source.model_fields.keys()


def same_files(files: Sequence[Source], others: Sequence[Source]) -> bool:
    """Tell whether files can be the same, one by one; see `Source.can_be`."""
    return len(files) == len(others) and all(one.can_be(other) for one, other in zip(files, others, strict=True))


def all_known(files: Sequence[Source], assessment: Measured) -> bool:
    """Tell whether fingerprints say that files, the original first, are those of an assessment."""
    pairs = itertools.zip_longest(files, (assessment.original, *assessment.synthetic))
    return all(one is not None and other is not None and one.is_known_beside(other) for one, other in pairs)


def require_belonging(result: AnalysisResult, name: str, assessment: Measured) -> None:
    """Make sure that a result is of the files and settings of an assessment.

    Raises
    ------
    SettingsError
        Names what is another.
    """
    if not result.original.can_be(assessment.original):
        raise SettingsError(f"{name}: made with another original file ({result.original.name}) than the assessment.")
    if not result.concerns(assessment.synthetic):
        raise SettingsError(f"{name}: made with other synthetic files than the assessment. Run it on these files.")
    other = result.conflict(assessment.settings)
    if other:
        raise SettingsError(f"{name}: made with other settings than the assessment ({other}). Run it with the same.")
    parts = result.parts_of(assessment)
    if not parts:
        raise SettingsError(
            f"{name}: made with other files of the same size than the assessment, as the figures differ. "
            "Run it on these files."
        )
    if len(parts) > 1:
        raise SettingsError(
            f"{name}: {' and '.join(map(str, parts))} can't be told apart: tables in memory have no fingerprint, and "
            "these have the same size and, where they can be compared, the same figures. Give files instead."
        )
