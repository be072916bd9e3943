"""What an assessment holds: figures, flags, what the files are, how it came about. Aggregates only."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from discoreport.assessment.frozen_model import FrozenModel, LargeModel
from discoreport.assessment.settings import CaseOf, Exclusion
from discoreport.assessment.unit_risks import UnitRisk
from discoreport.measures import MEASURES, attribute


class _Figures(dict[str, float | None]):
    """Figures by measure; None for one that records of earlier versions lack, too."""

    def __missing__(self, name: str) -> None:
        if name not in MEASURES or not MEASURES[name].may_be_lacking:
            raise KeyError(name)


Figures = Annotated[dict[str, float | None], AfterValidator(_Figures)]
"""Every measure by its published name; None where there is nothing to divide by. See `Measure.may_be_lacking`."""


def average(values: Sequence[float | None]) -> float | None:
    """Average figures; None where one is missing, as that one could be larger, and where there are none."""
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(values) else None


def over_syntheses(measure: str, values: Sequence[float | None]) -> float | None:
    """Put the values of one measure for several files together: the mean, and of ``max_denom`` the largest.

    None where one is missing.
    """
    mean = average(values)
    return mean if mean is None or measure != "max_denom" else max(value for value in values if value is not None)


def highest(values: Iterable[float | None]) -> float | None:
    """Give the highest of the figures of several files that there are; None where there are none."""
    return max((value for value in values if value is not None), default=None)


EXCESS = attribute.EXCESS.name
"""What a file gives away beyond chance: DiSCO minus baseDiSCO, in percentage points; a figure like a measure."""


def excess(values: Mapping[str, float | None]) -> float | None:
    """Give the excess among figures by measure, which may be negative; None where either of its two is missing."""
    value, reference = values["DiSCO"], values["baseDiSCO"]
    return None if value is None or reference is None else value - reference


def figure_of(values: Mapping[str, float | None], measure: str) -> float | None:
    """Give a measure of some figures, or their `excess`."""
    return excess(values) if measure == EXCESS else values[measure]


class Result(FrozenModel):
    """The measures of one target and one synthesis.

    Parameters
    ----------
    target
        Its name; "" for the measures of the keys alone.
    synthesis
        Which synthetic file, counting from 1.
    values
        Every measure by its published name; None where there is nothing to divide by.
    removed
        For each table the records left out for each reason, and ``remaining``.
    tau
        DiSCO in percent at each certainty of the settings.
    """

    target: str
    synthesis: int
    values: Figures
    removed: dict[str, dict[str, int]] = Field({})
    tau: tuple[float, ...] = ()


class OneWayFlag(FrozenModel):
    """A target level that makes up nearly all disclosive records.

    Parameters
    ----------
    synthesis, target, level
        Where, and which level; None is a missing value.
    disclosive, percent
        Its disclosive records, and their percentage of all disclosive records.
    percent_original
        The same records as a percentage of the original.
    level_total
        Original records that have the level.
    """

    synthesis: int
    target: str
    level: str | None
    disclosive: int
    percent: float
    percent_original: float
    level_total: int

    @property
    def case(self) -> CaseOf:
        """Target and level; no key."""
        return self.target, self.level, None, None

    @property
    def disclosive_in_all(self) -> int:
        """What an exclusion of the level takes from DiSCO: all of its disclosive records, as the check counts them."""
        return self.disclosive

    def exclusion(self, *, reason: str, by: str = "") -> Exclusion:
        """Make the exclusion that answers the flag; see `Exclusion` for reason and by."""
        return Exclusion(target=self.target, level=self.level, reason=reason, by=by)


class TwoWayFlag(FrozenModel):
    """A key level that goes with one target level for nearly all records.

    Parameters
    ----------
    synthesis, target, key, key_level, target_level
        Where, and which pair; a level that is None is a missing value.
    disclosive, percent_original
        Disclosive records of the pair in cells of more than the settings' number of records, which the check goes by,
        and their percentage of the original.
    disclosive_total
        All disclosive records of the pair, in cells of any size: what an exclusion of the pair takes from DiSCO. None
        in records saved before it was kept.
    key_target_total, key_total, percent
        Original records with the pair, with the key level, and the first as a percentage of the second.
    """

    synthesis: int
    target: str
    key: str
    key_level: str | None
    target_level: str | None
    disclosive: int
    key_target_total: int
    key_total: int
    percent: float
    percent_original: float
    disclosive_total: int | None = None

    @property
    def case(self) -> CaseOf:
        """Target, its level, key and key level."""
        return self.target, self.target_level, self.key, self.key_level

    @property
    def disclosive_in_all(self) -> int:
        """What an exclusion of the pair takes from DiSCO; at least so many where the whole number wasn't kept."""
        return self.disclosive if self.disclosive_total is None else self.disclosive_total

    def exclusion(self, *, reason: str, by: str = "") -> Exclusion:
        """Make the exclusion that answers the flag; see `Exclusion` for reason and by."""
        return Exclusion(
            target=self.target,
            level=self.target_level,
            key=self.key,
            key_level=self.key_level,
            reason=reason,
            by=by,
        )


Flag = OneWayFlag | TwoWayFlag


class ClassSize(FrozenModel):
    """Records of one file that share their key combination with about as many others.

    Parameters
    ----------
    table
        "original" or "synthetic".
    synthesis
        Which synthetic file, counting from 1; the original is repeated for each.
    least, most
        Fewest and most records of a key combination of this size; `most` is None where there is none.
    n_classes, n_records
        Key combinations of this size, and the records in them.
    """

    table: str
    synthesis: int
    least: int
    most: int | None
    n_classes: int
    n_records: int

    @property
    def size(self) -> str:
        """The size in words: "1", "3 to 4", "50 and more"."""
        if self.most is None:
            return f"{self.least:,} and more"
        return f"{self.least:,}" if self.most == self.least else f"{self.least:,} to {self.most:,}"


class LevelRisk(FrozenModel):
    """What is given away of one target level, or of all others together.

    Parameters
    ----------
    target, synthesis, level
        Where, and which level; None is a missing value.
    n_others
        Of a row that puts levels together, how many: those with fewer original records than the small-cell limit, and
        all but the commonest where there are very many.
    original, disclosed, by_chance
        Original records, nothing left out; those of DiSCO; and those that DiSCO would have by chance, on average.
    """

    target: str
    synthesis: int
    level: str | None
    n_others: int = 0
    original: int
    disclosed: int
    by_chance: float


class Outcome(LargeModel):
    """Figures and flags under one set of exclusions.

    Parameters
    ----------
    identity
        The keys alone, one a synthesis; only missing keys can be left out there.
    results
        Every target and synthesis, targets in the order of the settings.
    one_way, two_way
        Flags.
    class_sizes
        How many records share their keys with how many others, for each synthesis and file, rising;
        as for `identity`, only missing keys can be left out. Empty in records saved before they were counted.
    levels
        What is given away of each target level; empty in records saved before it was counted.
    units
        The identity risk of units, one a synthesis; empty where the settings name none.
    without_unit
        The figures of somebody who knows the keys of one record, not of all of its unit: of the keys ("" as the
        target), then of each target; empty where the settings name no unit, and in records saved before.
    """

    identity: tuple[Result, ...]
    results: tuple[Result, ...]
    one_way: tuple[OneWayFlag, ...]
    two_way: tuple[TwoWayFlag, ...]
    class_sizes: tuple[ClassSize, ...] = ()
    levels: tuple[LevelRisk, ...] = ()
    units: tuple[UnitRisk, ...] = ()
    without_unit: tuple[Result, ...] = ()

    @property
    def flags(self) -> tuple[Flag, ...]:
        """The flags, one-way first; of those that several syntheses raise alike the one with most records."""
        best: dict[CaseOf, Flag] = {}
        flags: tuple[Flag, ...] = (*self.one_way, *self.two_way)
        for flag in flags:
            known = best.get(flag.case)
            if known is None or flag.disclosive > known.disclosive:
                best[flag.case] = flag
        return tuple(sorted(best.values(), key=lambda flag: (isinstance(flag, TwoWayFlag), -flag.disclosive)))

    def for_targets(self, names: Sequence[str]) -> Outcome:
        """Give the part that concerns some targets."""
        return Outcome(
            identity=self.identity,
            results=tuple(one for name in names for one in self.results if one.target == name),
            one_way=tuple(one for one in self.one_way if one.target in names),
            two_way=tuple(one for one in self.two_way if one.target in names),
            class_sizes=self.class_sizes,
            levels=tuple(one for one in self.levels if one.target in names),
            units=self.units,
            without_unit=tuple(one for one in self.without_unit if one.target in ("", *names)),
        )


def put_together(levels: Iterable[LevelRisk], fewer_than: int) -> tuple[LevelRisk, ...]:
    """Put the levels of each target and file together that fewer original records have than a limit.

    Parameters
    ----------
    levels
        Of any targets and files.
    fewer_than
        Records. Levels that were put together already stay so.

    Returns
    -------
    tuple of LevelRisk
        In their order; of each target and file the row of others last.
    """
    by_case: dict[tuple[str, int], list[LevelRisk]] = {}
    for one in levels:
        by_case.setdefault((one.target, one.synthesis), []).append(one)
    return tuple(itertools.chain.from_iterable(_of_one(rows, fewer_than) for rows in by_case.values()))


def _of_one(rows: list[LevelRisk], fewer_than: int) -> list[LevelRisk]:
    small = [one for one in rows if one.n_others or one.original < fewer_than]
    return [one for one in rows if one not in small] + ([together(small)] if small else [])


def together(rows: list[LevelRisk]) -> LevelRisk:
    """Add up the rows of one target and file.

    Examples
    --------
    >>> row = dict(target="trade", synthesis=1, original=8, disclosed=2, by_chance=1.5)
    >>> both = together([LevelRisk(**row, level="Baker"), LevelRisk(**row, level=None, n_others=3)])
    >>> both.n_others, both.original, both.disclosed, both.by_chance
    (4, 16, 4, 3.0)
    """
    return LevelRisk(
        target=rows[0].target,
        synthesis=rows[0].synthesis,
        level=None,
        n_others=sum(one.n_others or 1 for one in rows),
        original=sum(one.original for one in rows),
        disclosed=sum(one.disclosed for one in rows),
        by_chance=sum(one.by_chance for one in rows),
    )
