"""Records of the original that a synthetic file shows whole, or all but a variable or two: counted, and told of."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from discoreport.assessment.formatting import counted, listed, percentage
from discoreport.data.coding import Variable
from discoreport.data.findings.comparison import Meeting, all_missing, compare_as_counted, meeting
from discoreport.data.findings.finding import Finding, describes
from discoreport.data.table import shared_columns
from discoreport.errors import DataError
from discoreport.measures.cells import Target
from discoreport.measures.copied_records import CLEARLY, Matches, equal_records, matches, reordered, sums, without_some
from discoreport.measures.intervals import newcombe
from discoreport.measures.memory_engine import TargetCells
from discoreport.measures.same_order import agreement
from discoreport.measures.units import UnitCounts

if TYPE_CHECKING:
    from discoreport.assessment.engine_choice import Files

FEWEST_TELLING = 4
"""Fewer variables may be drawn together from one original record by an honest model, too."""
IN_DISGUISE = 10.0
"""Warn where so many percent more of the synthetic records than chance gives are an original one but for a variable."""
TO_THE_LAST = 2.0
"""Warn where more than this percentage of the synthetic records equal original ones in values of their own, too."""
_NAMED = 6
_COPY = "every combination of values occurs just as often as in the original: is it a copy?"


@dataclass(frozen=True)
class CopiedUnits:
    """Whole units of the original, such as households, in one synthetic file: all records alike, and no other.

    Parameters
    ----------
    n_synthetic
        Units of the synthetic file.
    synthetic_units
        Those of them that equal an original unit.
    original_units, unique_original_units
        Original units that they equal, and those of them that no other original unit equals.
    """

    n_synthetic: int
    synthetic_units: int
    original_units: int
    unique_original_units: int

    @classmethod
    def of(cls, counts: UnitCounts) -> Self:
        """Take them from units whose records were compared whole."""
        return cls(counts.n_synthetic, counts.shared_synthetic, counts.shared_original, counts.unique_and_in_synthetic)

    def __str__(self) -> str:
        """Say it."""
        shown = counted(self.original_units, "original one")
        return (
            f"{self.synthetic_units:,} of {counted(self.n_synthetic, 'synthetic unit')} equal an original one with all "
            f"of its records; they show {shown}, {self.unique_original_units:,} of which no other equals"
        )


@dataclass(frozen=True)
class Copies:
    """Whole records of the original in one synthetic file.

    Parameters
    ----------
    synthesis
        Which synthetic file, counting from 1.
    variables
        How many variables were compared: those in all files, without `left_out`.
    left_out
        Identifiers, and variables of which the synthetic file has no value of the original's.
    matches
        What was counted.
    units
        Of whole units; None where no variable says which records belong together.
    """

    synthesis: int
    variables: int
    left_out: tuple[str, ...]
    matches: Matches
    units: CopiedUnits | None = None


@dataclass(frozen=True)
class Compared:
    """A variable as whole records are compared by it.

    Parameters
    ----------
    variable
        Coded, not grouped.
    tells
        For each file but the original whether a copy would have its values.
    meetings
        For each of them how its values meet those of the original.
    """

    variable: Variable
    tells: tuple[bool, ...]
    meetings: tuple[Meeting, ...]


def compared(variable: Variable) -> Compared:
    """Take a variable, coded and not grouped, and tell in which files a copy would have its values."""
    found = [*compare_as_counted(variable)]
    if not variable.n_levels_in(0):
        found.append(all_missing(variable.name))
    files = range(1, len(variable.kinds))
    return Compared(
        variable.packed(),
        tuple(describes(found, synthesis) for synthesis in files),
        tuple(meeting(variable, synthesis) for synthesis in files),
    )


def whole_records(
    files: Files, known: Iterable[Compared] = (), unit: Variable | None = None
) -> tuple[tuple[Copies, ...], tuple[Finding, ...]]:
    """Count the whole records of the original in each synthetic file, and warn of copies, once for the same files.

    Parameters
    ----------
    files
        In any engine.
    known
        Variables that were coded already. Others are coded here; those whose values can't be compared are passed over.
    unit
        Says which records belong together: it takes no part, and whole units are counted, too.
    """
    what = "whole records" if unit is None else f"whole records and units by {unit.name}"
    return files.once(what, lambda: _whole_records(files, known, unit))


def _whole_records(
    files: Files, known: Iterable[Compared], unit: Variable | None
) -> tuple[tuple[Copies, ...], tuple[Finding, ...]]:
    by_name = {one.variable.name: one for one in known}
    variables = []
    for name in shared_columns(files.tables):
        if unit is not None and name == unit.name:
            continue
        with contextlib.suppress(DataError):  # nobody asked for this variable, so nobody is stopped by it
            variables.append(by_name.get(name) or compared(files.code(name)))
    found = {}
    for one, records in _counted(files, variables, unit):
        found[one.synthesis] = one, [*_found_in(variables, one, records)]
    in_order = [found[synthesis] for synthesis in sorted(found)]
    return tuple(one for one, _ in in_order), tuple(itertools.chain(*(told for _, told in in_order)))


def count_copies(files: Files, variables: Sequence[Compared], unit: Variable | None = None) -> tuple[Copies, ...]:
    """Count for each synthetic file the whole records that are the original's.

    Parameters
    ----------
    files
        In any engine.
    variables
        All that the files share.
    unit
        Says which records belong together, if anything does: none of these variables.

    Returns
    -------
    tuple of Copies
        One a synthesis; none where there is nothing to compare.
    """
    return tuple(sorted((one for one, _ in _counted(files, variables, unit)), key=lambda one: one.synthesis))


def _counted(files: Files, variables: Sequence[Compared], unit: Variable | None) -> Iterator[tuple[Copies, Target]]:
    """Count as `count_copies` does, in any order; with the records of each, by all variables as keys."""
    n = [table.n_records for table in files.tables]
    alike: dict[tuple[str, ...], list[int]] = {}  # mostly the same variables tell in every file: counted once
    for synthesis in range(1, len(n)):
        alike.setdefault(tuple(one.variable.name for one in telling(variables, synthesis)), []).append(synthesis)
    for names, syntheses in alike.items():
        kept = [one for one in variables if one.variable.name in names]
        if not kept:
            continue
        left_out = tuple(one.variable.name for one in variables if one.variable.name not in names)
        coded = [one.variable for one in kept]
        units = {}
        if unit is not None:
            of_units = files.count(coded, unit).of_units(kinds=False)
            units = {synthesis: CopiedUnits.of(of_units[synthesis - 1]) for synthesis in syntheses}
        of_keys = files.count(coded).of_keys()
        for synthesis in syntheses:
            cells = of_keys[synthesis - 1].alike
            counts = cells.collect(sums(cells.keys, n[0], n[synthesis]))
            by_order = reordered([one.meetings[synthesis - 1] for one in kept], n[0])
            found_there = matches(counts, n[0], n[synthesis], by_order)
            copies = Copies(synthesis, len(kept), left_out, found_there, units.get(synthesis))
            yield copies, of_keys[synthesis - 1]


def telling(variables: Sequence[Compared], synthesis: int) -> list[Compared]:
    """Pick the variables to compare records by; all of them where none tells records apart from an identifier."""
    return [one for one in variables if one.tells[synthesis - 1]] or list(variables)


def _found_in(variables: Sequence[Compared], copies: Copies, records: Target) -> Iterator[Finding]:
    """Warn of whole copies, however few; in memory, of copies in disguise and records in the same order, too."""
    if copies.matches.is_same:
        yield Finding("", copies.synthesis, "copy", "warning", _COPY)
    elif isinstance(records, TargetCells):
        yield from _to_the_last(copies, variables)
        yield from in_disguise(copies, telling(variables, copies.synthesis), records)
        yield from _in_the_same_order(variables, copies.synthesis)


def _to_the_last(copies: Copies, variables: Sequence[Compared]) -> Iterator[Finding]:
    """Warn where records equal original ones even in what was left aside, as an income to the cent: that is no chance.

    Running numbers meet in both files, too, but what else their records hold meets as chance has it.
    """
    kept, aside = (
        [one.variable for one in variables if (one.variable.name in copies.left_out) == left] for left in (False, True)
    )
    if not kept or not any(meeting(one, copies.synthesis).share for one in aside):
        return
    n, by_chance = equal_records(kept, aside, copies.synthesis)
    percent = 100 * n / copies.matches.n_synthetic
    more = n - by_chance
    if 100 * more / copies.matches.n_synthetic > TO_THE_LAST and more > CLEARLY * math.sqrt(by_chance):
        detail = (
            f"{n:,} of {counted(copies.matches.n_synthetic, 'synthetic record')} ({percentage(percent)} %) equal an "
            f"original record in {counted(len(variables), 'variable')}, {listed(copies.left_out, _NAMED)} among them, "
            "where nearly every record has a value of its own"
        )
        yield Finding("", copies.synthesis, "copies_to_the_last", "warning", detail, None, n, percent)


def in_disguise(copies: Copies, variables: Sequence[Compared], records: TargetCells) -> Iterator[Finding]:
    """Warn where records are those of the original but for one or two variables, more often than chance gives.

    Parameters
    ----------
    copies
        What was counted over all of the variables.
    variables
        Those that records were compared by, in memory.
    records
        The records by these variables as keys.

    Notes
    -----
    A copy whose sexes were exchanged, whose ages were moved by a year or whose regions were numbered anew has no whole
    record of the original, but all of them once that variable is left out. Each variable is left out in turn, and
    every two of them. What is found is set against chance as whole records are (`Matches.usual`); with the example
    survey and the two published data sets, honest syntheses exceed that by 4 % of their records at most.
    """
    known = max(copies.matches.share - copies.matches.usual, 0)
    meetings = [one.meetings[copies.synthesis - 1] for one in variables]
    seen: list[tuple[float, tuple[str, ...], Matches]] = []
    for left_out, found in without_some(records, meetings):
        n_left = len(variables) - len(left_out)
        more = found.share - found.usual - known
        exceeds = n_left >= FEWEST_TELLING and found.exceeds(found.usual, known + IN_DISGUISE / 100)
        dealt = n_left > 1 and found.were_dealt and not copies.matches.were_dealt and more > 0
        if exceeds or dealt:
            seen.append((more, left_out, found))
    if not seen:
        return
    most = max(more for more, *_ in seen)
    more, left_out, found = next(one for one in seen if one[0] >= 0.8 * most)
    percent = 100 * found.share
    detail = (
        f"{percentage(percent)} % of the records are records of the original but for {listed(left_out, _NAMED)}, where "
        f"{percentage(100 * found.usual)} % might be by chance: is it a copy in which these values were changed?"
    )
    yield Finding("", copies.synthesis, "copies_in_disguise", "warning", detail, None, None, percent)


def _in_the_same_order(variables: Sequence[Compared], synthesis: int) -> Iterator[Finding]:
    """Warn where variables agree record by record, as where only a part of them was synthesised in place."""
    coded = [one.variable for one in variables if one.variable.weights is None]
    found = {one.name: agreement(one.codes[0], one.codes[synthesis]) for one in coded}
    following = {name: one for name, one in found.items() if one is not None and one.follows}
    if following:
        most = max(following.values(), key=lambda one: one.here - one.elsewhere)
        place = "the same place, counted from the end" if most.backwards else "the same place"
        detail = (
            f"{listed([*following], _NAMED)}: the synthetic file has the original's value in {place}, up to "
            f"{percentage(100 * most.here)} % of the records, where at most {percentage(100 * most.elsewhere)} % agree "
            "in any other. Whoever knows somebody's place in the original knows these values: shuffle the records, "
            "and say how these variables were made"
        )
        yield Finding("", synthesis, "same_order", "warning", detail, None, None, 100 * most.here)


def exceeding(
    whole_records: Iterable[Copies], allowed: float, control: tuple[int, int] | None = None
) -> Iterator[Finding]:
    """Tell of whole records of the original where they exceed what the control shows, or the policy allows.

    Parameters
    ----------
    whole_records
        What was counted.
    allowed
        As `Policy.copies`.
    control
        Of a control file if it was asked about: how many of its records the original has, and how many it has.

    Yields
    ------
    Finding
        A warning, or a note where the synthetic file's own repetitions explain it: a model that holds some records
        likely draws them again and again.

    Notes
    -----
    With a control file (`excess_over_control`): where the share of the synthetic records that are in the original
    exceeds both that of the control's records and that of the synthetic records which meet another one of their own
    file, by Newcombe's interval of the difference. Without: where it exceeds the share of the original's records that
    meet another original one by more than `Policy.copies` percent of the synthetic records. So few variables with few
    levels, by which many people are alike, raise no alarm.
    """
    for one in whole_records:
        found, n = one.matches, one.matches.n_synthetic
        if control is not None:
            n_copies, n_control = control
            over = newcombe(found.synthetic_records, n, n_copies, n_control)[0] > 0
            warns = over and found.exceeds(found.usual)
            over, against = warns, f"of the control's {n_control:,} records, {n_copies:,} do"
        else:
            over, warns = (
                found.exceeds(usual, allowed / 100) or found.were_dealt
                for usual in (found.usual_in_original, found.usual)
            )
            against = f"by chance, {percentage(100 * found.usual)} % might"
        if over and not found.is_same:
            detail = f"{in_words(one)}; {against}"
            yield Finding(
                "", one.synthesis, "copies", "warning" if warns else "note", detail,
                None, found.synthetic_records, 100 * found.share,
            )  # fmt: skip


def in_words(copies: Copies) -> str:
    """Say how many whole records of the original a synthetic file shows."""
    found = copies.matches
    aside = f", {listed(copies.left_out, _NAMED)} left aside" if copies.left_out else ""
    variables = counted(copies.variables, "variable")
    shown = counted(found.original_records, "original record")
    return (
        f"{found.synthetic_records:,} of {counted(found.n_synthetic, 'synthetic record')} "
        f"({percentage(100 * found.share)} %) equal an original record in {variables}{aside}; "
        f"they show {shown}, {found.unique_original_records:,} of which no other equals"
        f"{f'. {copies.units}' if copies.units else ''}"
    )
