"""What the results of all analyses have in common: the files and settings that they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict

from discoreport.assessment.results import Held, Source
from discoreport.assessment.settings import Settings
from discoreport.errors import SettingsError


class Finite(Held):
    """Frozen; refuses what it doesn't know, and numbers that are none."""

    model_config = ConfigDict(allow_inf_nan=False)


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

    def conflict(self, settings: Settings) -> str:  # noqa: ARG002  # for those that have settings
        """Name the first setting that an assessment has otherwise; "" where there is none."""
        return ""

    def for_targets(self, names: Sequence[str]) -> Self:  # noqa: ARG002  # for those that have targets
        """Give the part that concerns some targets."""
        return self

    def percentages(self) -> Iterator[float]:
        """Give every percentage that it holds or that tables show of it."""
        for name in type(self).model_fields:
            if name not in _NO_FIGURES:
                yield from _numbers(getattr(self, name))

    def without_files(self, exclude: set[str] | None = None) -> Any:
        """Give what it holds as plain values, without what says which files it is of, and without some fields."""
        return _without_sources(self.model_dump(exclude=exclude))

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
    """The field with one entry or more a target."""

    settings: Settings

    def conflict(self, settings: Settings) -> str:
        """Name the first setting that an assessment has otherwise; targets may be fewer, and further keys grouped."""
        mine, targets = self.settings, self.settings.targets or ()
        if mine.keys != settings.keys:
            return "keys"
        if not set(targets) <= set(settings.targets or ()):
            return "targets"
        used = (*mine.keys, *targets)
        for name in ("numeric_groups", "special_codes"):
            ours, theirs = (getattr(one, name) for one in (mine, settings))
            if any(ours.get(variable) != theirs.get(variable) for variable in used):
                return name
        if any(mine.excludes_missing(variable) != settings.excludes_missing(variable) for variable in used):
            return "key_missing or target_missing"
        rules = [{rule.case for rule in one.exclude if rule.target in targets} for one in (mine, settings)]
        if rules[0] != rules[1]:
            return "exclude"
        return "" if mine.max_denominator == settings.max_denominator else "max_denominator"

    def for_targets(self, names: Sequence[str]) -> Self:
        """Give the part that concerns some targets."""
        of_keys = [""] if "" not in (self.settings.targets or ()) else []
        kept = tuple(one for one in self.entries if one.target in (*of_keys, *names))
        return self.model_copy(update={"settings": self.settings.for_targets(names), self.by_target: kept})

    @property
    def entries(self) -> tuple[Any, ...]:
        """What it has of each target; "" for the keys alone."""
        found: tuple[Any, ...] = getattr(self, self.by_target)
        return found


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


_NO_FIGURES = {"settings", "confidence", "steps", "findings"}
"""What was asked, and what is said of the files."""


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, dict):
        yield from _numbers(tuple(value.values()))
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


def require_belonging(result: AnalysisResult, name: str, original: Source, synthetic: Sequence[Source],
                      settings: Settings) -> None:  # fmt: skip
    """Make sure that a result is of the files and settings of an assessment.

    Raises
    ------
    SettingsError
        Names what is another.
    """
    if not result.original.can_be(original):
        raise SettingsError(f"{name}: made with another original file ({result.original.name}) than the assessment.")
    if not result.concerns(synthetic):
        raise SettingsError(f"{name}: made with other synthetic files than the assessment. Run it on these files.")
    other = result.conflict(settings)
    if other:
        raise SettingsError(f"{name}: made with other settings than the assessment ({other}). Run it with the same.")
