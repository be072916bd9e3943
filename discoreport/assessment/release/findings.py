"""What an approver reads first: a row for the keys and one a target, of its worst file, most beyond chance first."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from discoreport.assessment.counts_behind_percentages import Share, any_file, share
from discoreport.assessment.documented import Documented
from discoreport.assessment.formatting import counted, number, percentage, points
from discoreport.assessment.formatting import level as written_level
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.release.documentation import Answer
from discoreport.assessment.release.sensitive_levels import SensitiveLevel, sensitive_levels
from discoreport.assessment.release.thresholds import Compared, compared
from discoreport.assessment.results import EXCESS, Flag, OneWayFlag, Result, excess
from discoreport.assessment.worst_file import worst_file, worst_files, worst_first
from discoreport.data.level_text import level_text

MOST_ROWS = 8
"""How many rows page 1 has, the keys among them."""
_LEVEL = 24
"""Signs of a level that a row shows."""
STATUS = {True: "above", False: "not above", None: "can't be compared"}
NONE_SET = "none set"


@dataclass(frozen=True)
class FindingRow:
    """What was found of the keys, or of one target, in the file that is worst for it.

    Parameters
    ----------
    place
        The target; None for the keys.
    synthesis
        Which file, counting from 1: the one with most beyond chance, or with most replicated uniques.
    original, this_file
        Of targets Dorig and DiSCO, of the keys UiO and repU.
    any_file
        The same, DiSCO or repU, by at least one of several files; None where there is one.
    by_chance, excess
        BaseDiSCO, and what DiSCO is beyond it, in percent and percentage points; None for the keys, and in records
        saved before these were measured.
    sensitive
        How many of the people with a level that the policy calls sensitive are given away, in words.
    accepted
        What reviewers have taken for common knowledge, what of the flags they haven't, and what was left out, in words;
        empty where nothing is flagged or left out.
    comparison
        The figure with a threshold that decides: one that is above, else one that can't be compared, else the one
        nearest to its threshold. None where there is no threshold.
    worst_of
        Which file that figure is of, where it isn't one of this row.
    has_reason
        Whether somebody has said why that figure can be accepted.
    """

    place: str | None
    synthesis: int
    original: Share
    this_file: Share
    any_file: Share | None
    by_chance: float | None
    excess: float | None
    sensitive: tuple[str, ...]
    accepted: tuple[str, ...]
    comparison: Compared | None
    worst_of: int | None
    has_reason: bool

    @property
    def status(self) -> str:
        """How it stands beside the threshold: above, not above, can't be compared, none set."""
        if self.comparison is None:
            return NONE_SET
        return STATUS[self.comparison.above]

    @property
    def threshold(self) -> str:
        """The threshold, after the measure's name; with the figure, where that is none of this row."""
        one = self.comparison
        if one is None:
            return ""
        limit = level_text(one.threshold.limit) or ""
        if one.followed:
            return f"{limit} ({one.written} with the original recoded alike)"
        if one.of or self.worst_of is not None:
            of_file = f" in file {self.worst_of}" if self.worst_of is not None else ""
            return f"{limit} ({one.written}{' ' * bool(one.of)}{one.of}{of_file})"
        own = {"DiSCO", "repU", EXCESS}
        return limit if one.threshold.measure in own else f"{limit} ({one.written})"


class Findings:
    """The rows of an assessment; page 1, the summary, the console and notebooks show them.

    Parameters
    ----------
    assessment
        Any.
    """

    def __init__(self, assessment: Documented) -> None:
        self._assessment = assessment
        self.n_files = len(assessment.synthetic)

    @cached_property
    def keys(self) -> FindingRow:
        """The row of the keys."""
        worst = worst_file(self._assessment)
        original, this_file = (share(self._assessment, worst, name) for name in ("UiO", "repU"))
        return self._row(None, worst.synthesis, original, this_file, None, None)

    @cached_property
    def targets(self) -> tuple[FindingRow, ...]:
        """The rows of the targets, most beyond chance first; where that isn't known, most disclosive first."""
        return tuple(map(self._target, worst_first(self._assessment)))

    @property
    def shown(self) -> tuple[FindingRow, ...]:
        """The rows that page 1 has a place for."""
        return (self.keys, *self.targets)[:MOST_ROWS]

    @property
    def left(self) -> tuple[FindingRow, ...]:
        """The other rows."""
        return (self.keys, *self.targets)[MOST_ROWS:]

    @property
    def rest(self) -> str:
        """Say how many rows there are beyond those shown, and what they are like; "" where there are none."""
        if not self.left:
            return ""
        statuses = [row.status for row in self.left]
        parts = [f"{n:,} {status}" for status in ("above", "can't be compared") if (n := statuses.count(status))]
        most = max((row.excess for row in self.left if row.excess is not None), default=None)
        told = (
            [] if most is None else [f"none {f'more than {percentage(most)} points ' if most > 0 else ''}beyond chance"]
        )
        thresholds = ", ".join(parts) or "none above a threshold" if set(statuses) != {NONE_SET} else ""
        return f"{counted(len(self.left), 'more target')}: {'; '.join(filter(None, [*told, thresholds]))}"

    @cached_property
    def _worst(self) -> dict[str, Result]:
        return worst_files(self._assessment)

    def _target(self, name: str) -> FindingRow:
        worst = self._worst[name]
        original, this_file = (share(self._assessment, worst, measure) for measure in ("Dorig", "DiSCO"))
        by_chance, beyond = worst.values["baseDiSCO"], excess(worst.values)
        return self._row(name, worst.synthesis, original, this_file, by_chance, beyond)

    def _row(
        self,
        place: str | None,
        synthesis: int,
        original: Share,
        this_file: Share,
        by_chance: float | None,
        excess: float | None,
    ) -> FindingRow:
        comparison = self._decisive(place)
        return FindingRow(
            place,
            synthesis,
            original,
            this_file,
            any_file(self._assessment, "repU" if place is None else "DiSCO", place),
            by_chance,
            excess,
            () if place is None else tuple(self._sensitive(place, synthesis)),
            () if place is None else tuple(self._accepted(place)),
            comparison,
            None if comparison is None else self._other_file(comparison, synthesis),
            comparison is not None and comparison.name in self._assessment.documentation.criteria.accepted,
        )

    # As a table ----------------------------------------------------------------------------------

    def as_texts(self) -> pd.DataFrame:
        """Give the rows that page 1 shows as texts, for the console and for summary.txt."""
        rows = [
            {
                "": "the keys" if row.place is None else written_name(row.place),
                "worst file": f"{row.synthesis} of {self.n_files}",
                "original": percentage(row.original.percent),
                "by chance": "-" if row.place is None else percentage(row.by_chance),
                "this file": percentage(row.this_file.percent),
                "records": number(row.this_file.records),
                "any file": "-" if row.any_file is None else percentage(row.any_file.percent),
                "beyond": "-" if row.place is None else points(row.excess),
                "sensitive levels": "; ".join(row.sensitive) or "-",
                "common knowledge": "; ".join(row.accepted) or "-",
                "threshold": f"{row.comparison.threshold.measure} {row.threshold}" if row.comparison else "-",
                "status": f"{row.status}, reason given" if row.has_reason else row.status,
            }
            for row in self.shown
        ]
        table = pd.DataFrame(rows).set_index("")
        table.index.name = None
        lacking = {
            "worst file": self.n_files == 1,
            "any file": self.keys.any_file is None,
            "sensitive levels": not self.names_sensitive,
            "threshold": not self._compared,
        }
        return table.drop(columns=[name for name, left in lacking.items() if left])

    # Thresholds ----------------------------------------------------------------------------------

    @cached_property
    def _compared(self) -> tuple[Compared, ...]:
        return compared(self._assessment)

    def _decisive(self, place: str | None) -> Compared | None:
        rows = [row for row in self._compared if row.target == place]
        order = {True: 0, None: 1, False: 2}
        return min(rows, key=lambda row: (order[row.above], row.threshold.limit - (row.value or 0)), default=None)

    def _other_file(self, one: Compared, synthesis: int) -> int | None:
        """Find the file that a compared figure is of; None where that is the row's own, or none of the files'."""
        if self.n_files == 1 or one.file is None:
            return None
        same = not one.of and self._assessment.values(one.threshold.measure, one.target)[synthesis - 1] == one.value
        return None if same else one.file

    # Sensitive levels ----------------------------------------------------------------------------

    @property
    def names_sensitive(self) -> bool:
        """Whether the policy calls any level of a target sensitive."""
        return bool(self._levels)

    @cached_property
    def _levels(self) -> dict[str, tuple[SensitiveLevel, ...]]:
        return sensitive_levels(self._assessment)

    def _sensitive(self, place: str, synthesis: int) -> Iterator[str]:
        for one in self._levels.get(place, ()):
            elsewhere = one.worst is not None and one.worst.synthesis != synthesis
            yield f"{one.words} (file {one.worst.synthesis})" if one.worst and elsewhere else one.words

    # Answers of reviewers ------------------------------------------------------------------------

    def _accepted(self, target: str) -> Iterator[str]:
        flags = self._flags.get(target, ())
        accepted = [(flag, answer) for flag, answer in flags if answer is not None and answer.accepts]
        known = [flag for flag, answer in accepted if answer.case == flag.case]
        for flag in known:
            if isinstance(flag, OneWayFlag):
                yield f"{self._level(target, flag.level)} ({counted(flag.disclosive, 'record')})"
        pairs = [flag for flag, _ in flags if not isinstance(flag, OneWayFlag)]
        n_known = sum(not isinstance(flag, OneWayFlag) for flag in known)  # beyond what a level covers
        if n_known:
            yield f"{n_known:,} of {counted(len(pairs), 'flagged pair')}"
        waiting = [flag for flag, answer in flags if answer is None or not answer.accepts]
        levels = [self._level(target, flag.level) for flag in waiting if isinstance(flag, OneWayFlag)]
        if levels:
            yield f"not {', '.join(dict.fromkeys(levels))}"
        n_waiting = len(waiting) - len(levels)
        if n_waiting and not n_known:
            yield f"0 of {counted(n_waiting, 'flagged pair')}"
        rules = [rule for rule in self._assessment.settings.exclude if rule.target == target]
        without = [self._level(target, rule.level) for rule in rules if rule.key is None]
        if without:
            yield f"left out: {', '.join(without)}"
        n_pairs = len(rules) - len(without)
        if n_pairs:
            yield f"left out: {counted(n_pairs, 'pair')}"

    @cached_property
    def _flags(self) -> dict[str, list[tuple[Flag, Answer | None]]]:
        """The flags by target, and what somebody has said of each, alone or with a level."""
        flags = self._assessment.outcome.flags
        by_target: dict[str, list[tuple[Flag, Answer | None]]] = {}
        for flag, answer in zip(flags, self._assessment.answers_to(flags), strict=True):
            by_target.setdefault(flag.target, []).append((flag, answer))
        return by_target

    def _level(self, target: str, level: str | None) -> str:
        text = written_level(self._assessment.labelled(target, level))
        return f"“{textwrap.shorten(text, _LEVEL, placeholder=' …') if len(text) > _LEVEL else text}”"
