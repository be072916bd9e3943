"""Flags by target level: one answer, with one reason, covers a level and its pairs."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release.documentation import Answer
from discoreport.assessment.results import Flag, OneWayFlag, TwoWayFlag
from discoreport.assessment.settings import CaseOf, Exclusion
from discoreport.form.model.draft_settings import Draft
from discoreport.form.model.exclusions import answer_by
from discoreport.form.model.statements import Statements

Known = bool | None


@dataclass(frozen=True)
class FlagGroup:
    """Flags that are answered together: of one target level, the one of the level itself first where there is one."""

    flags: tuple[Flag, ...]

    @property
    def case(self) -> tuple[str, str | None]:
        """Target and level."""
        return self.flags[0].case[:2]

    @property
    def target(self) -> str:
        """The target."""
        return self.flags[0].target

    @property
    def of_level(self) -> OneWayFlag | None:
        """The flag of the level itself."""
        first = self.flags[0]
        return first if isinstance(first, OneWayFlag) else None

    @property
    def pairs(self) -> tuple[TwoWayFlag, ...]:
        """Those of the level with a level of a key."""
        return tuple(flag for flag in self.flags if isinstance(flag, TwoWayFlag))

    def exclusions(self, *, reason: str, by: str) -> tuple[Exclusion, ...]:
        """Make what leaves out what the flags are about: the level, which takes its pairs with it, or the pairs."""
        wanted = (self.of_level,) if self.of_level else self.pairs
        return tuple(flag.exclusion(reason=reason, by=by) for flag in wanted)

    def rules(self, draft: Draft) -> tuple[Exclusion, ...]:
        """Give the exclusions in force that deal with its flags."""
        of_level = draft.exclusion_of((*self.case, None, None))
        own = (draft.exclusion_of(flag.case) for flag in self.pairs)
        return tuple(rule for rule in (of_level, *own) if rule is not None)

    def excluded(self, draft: Draft) -> bool:
        """Tell whether exclusions deal with all of its flags."""
        return all(_rule_on(flag.case, draft) is not None for flag in self.flags)


@dataclass(frozen=True)
class Said:
    """What was said of some flags: how many answers count; whether all are known, and why, where all say the same."""

    n_complete: int
    known: Known
    reason: str
    alike: bool
    same_reason: bool


def grouped(flags: Iterable[Flag]) -> tuple[FlagGroup, ...]:
    """Put flags of one target level together, in the order in which the levels come up."""
    by_level: dict[tuple[str, str | None], list[Flag]] = {}
    for flag in flags:
        by_level.setdefault(flag.case[:2], []).append(flag)
    ordered = (sorted(of_one, key=lambda flag: isinstance(flag, TwoWayFlag)) for of_one in by_level.values())
    return tuple(FlagGroup(tuple(of_one)) for of_one in ordered)


def _rule_on(case: CaseOf, draft: Draft) -> Exclusion | None:
    return draft.exclusion_of(case) or draft.exclusion_of((*case[:2], None, None))


def answers_of(
    flags: Sequence[Flag], draft: Draft, statements: Statements, assessment: Assessment | None
) -> tuple[Answer | None, ...]:
    """Give the answer to each flag: what an exclusion says of it, or else what a person said."""
    said = assessment.answers_to(flags) if assessment else (None,) * len(flags)
    rules = [_rule_on(flag.case, draft) for flag in flags]
    own = [statements.answer_to(flag.case) for flag in flags]
    return tuple(
        answer_by(rule, mine) if rule is not None else answer
        for rule, mine, answer in zip(rules, own, said, strict=True)
    )


def said_of(answers: Sequence[Answer | None]) -> Said:
    """Put answers together."""
    known = {None if answer is None else answer.prior_knowledge for answer in answers}
    reasons = {"" if answer is None else answer.reason for answer in answers}
    complete = sum(answer is not None and answer.complete for answer in answers)
    alike, same = len(known) == 1, len(reasons) == 1
    return Said(complete, known.pop() if alike else None, reasons.pop() if same else "", alike, same)


def answer_all(
    statements: Statements,
    draft: Draft,
    flags: Iterable[Flag],
    *,
    by: str,
    known: Known | str = "",
    reason: str | None = None,
) -> None:
    """Answer flags alike; those that an exclusion deals with stay as they are.

    Parameters
    ----------
    statements, draft
        What was said, and the settings.
    flags
        Which ones.
    by
        Who says so.
    known
        Whether anybody would know it; None opens them again, "" leaves what was said.
    reason
        Why; None leaves what was said.
    """
    made = []
    for flag in flags:
        if _rule_on(flag.case, draft) is not None:
            continue
        target, level, key, key_level = flag.case
        before = statements.answer_to(flag.case) or Answer.model_validate(
            {"target": target, "level": level} | ({} if key is None else {"key": key, "key_level": key_level})
        )
        says = before.prior_knowledge if known == "" else known
        why = before.reason if reason is None else reason.strip()
        if (says, why) != (before.prior_knowledge, before.reason):
            on = datetime.date.today() if says is not None else None
            before = before.model_copy(update={"prior_knowledge": says, "reason": why, "by": by, "on": on})
        made.append(before)
    statements.answer(*made)
