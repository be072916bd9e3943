"""What is open before a release can be decided: warnings, thresholds, contradictions, flags, answers, sign-off."""

from __future__ import annotations

import datetime
import itertools
import re
import textwrap
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from discoreport.assessment.documented import Documented
from discoreport.assessment.formatting import counted, listed
from discoreport.assessment.release.contradictions import contradictions
from discoreport.assessment.release.documentation import CHECKERS, Documentation, Section
from discoreport.assessment.release.sensitive_levels import not_assessed, not_counted
from discoreport.assessment.release.thresholds import compared
from discoreport.data.findings.finding import COPYING
from discoreport.data.level_text import level_text

_ELSEWHERE = {"comparability", "criteria", "decision"}
"""Sections that have an item of their own."""
_LEFT_OUT = {"missing_target": "target_missing", "missing_key": "key_missing", "over_denominator": "max_denominator"}
"""Settings that leave out records without naming a level, by the reason that they are counted under."""
_COPIES = dict(
    zip(
        COPYING,
        (
            "{} looks like a copy of the original",
            "{} has whole records of the original",
            "{} has whole records of the original, to the last digit",
            "{} looks like a copy in which some values were changed",
            "{} has records in the order of the original",
        ),
        strict=True,
    )
)
"""What is open where records of the original are found in a synthetic file."""
_CHANGED = "Answers, checklist, documentation, settings or figures have changed since"
NOT_IN_MEMORY = "looked for in memory only"
_TIME_ZONES = datetime.timedelta(days=1)
"""Figures have their time in UTC, people have their own days."""
_FIGURES, _CONDITIONS = 3, 100
"""How many figures an item names, and how many signs of the conditions."""
_NAMED, _SIGNS = 6, 80
"""How many variables an item names, and how many signs their names have together."""


@dataclass(frozen=True)
class OpenItem:
    """One thing that a person still has to do or to look at.

    Parameters
    ----------
    section
        The report's section that has more on it.
    what, detail
        What is open, in short and in a sentence. Names variables and files, never levels.
    """

    section: str
    what: str
    detail: str


def open_items(assessment: Documented) -> tuple[OpenItem, ...]:
    """List what is open, in the order of weight.

    Parameters
    ----------
    assessment
        With its documentation and policy.

    Returns
    -------
    tuple of OpenItem
        Empty where nothing is.
    """
    return tuple(
        item
        for part in (
            _files, _thresholds, _sensitive, _contradictions, _targets, unanswered_flags, exclusions, _checklist,
            _sign_off, _conditions, _sections, _not_checked,
        )
        for item in part(assessment)
    )  # fmt: skip


def _files(assessment: Documented) -> Iterator[OpenItem]:
    n_warnings = len([one for one in assessment.warnings if one.finding not in COPYING])
    if n_warnings and not assessment.documentation.comparability.remarks:
        them = "it is" if n_warnings == 1 else "they are"
        yield OpenItem(
            "comparability",
            f"{counted(n_warnings, 'warning')} about the files",
            f"Low figures can't be taken at face value until {them} explained.",
        )
    for finding, what in _COPIES.items():
        found = [one for one in (*assessment.findings, *assessment.copies_told) if one.finding == finding]
        if found:
            names = _listed([assessment.synthetic[one.synthesis - 1].name for one in found])
            yield OpenItem("comparability", what.format(names), "Say why, or release another file.")
    doubted = list(dict.fromkeys(name.replace("_", " ") for name, _ in assessment.doubts_of_analyses))
    if doubted:
        what = f"Files of further analyses are in doubt: {listed(doubted, _FIGURES)}"
        yield OpenItem("analyses", what, "What they are compared with may not be what it is taken for.")


def _thresholds(assessment: Documented) -> Iterator[OpenItem]:
    accepted = assessment.documentation.criteria.accepted
    without = [row for row in compared(assessment) if row.above is not False and row.name not in accepted]
    above = [f"{row.name} ({row.written}; threshold {level_text(row.threshold.limit)})" for row in without if row.above]
    unknown = [row.name for row in without if row.above is None]
    if above:
        figures = listed(above, _FIGURES)
        yield OpenItem("criteria", "Above a threshold without a reason", f"{figures}. Why can it be accepted?")
    if unknown:
        what = f"{counted(len(unknown), 'figure')} not comparable with a threshold"
        yield OpenItem("criteria", what, f"They could be above it: {_listed(unknown)}. Why can that be accepted?")


def _sensitive(assessment: Documented) -> Iterator[OpenItem]:
    names = list(not_assessed(assessment))
    if names:
        yield OpenItem(
            "scenario", "Sensitive variables are no targets", f"Levels are called sensitive of {_listed(names)}."
        )
    not_apart = [f"{n:,} of {target}" for target, n in not_counted(assessment)]
    if not_apart:
        why = f"fewer than {assessment.smallest_level} original records have them, or none"
        yield OpenItem("criteria", "Sensitive levels that aren't counted", f"{_begun(_listed(not_apart))}: {why}.")


def _contradictions(assessment: Documented) -> Iterator[OpenItem]:
    for one in contradictions(assessment):
        detail = f"{_begun(one.said)}, but {one.found}."
        yield OpenItem(one.section, "An answer contradicts what was found", detail)


def _targets(assessment: Documented) -> Iterator[OpenItem]:
    if not assessment.targets:
        yield OpenItem("scenario", "Attribute risk was not assessed", "There is no target.")
    said = assessment.documentation.scenario
    without = [name for name in assessment.settings.keys if name not in said.keys]
    without += [name for name in assessment.targets if name not in said.targets]
    if said.filled and without:
        yield OpenItem(
            "scenario", f"{counted(len(without), 'variable')} without a reason", f"Why chosen? {_listed(without)}."
        )


def unanswered_flags(assessment: Documented) -> Iterator[OpenItem]:
    """Tell of flags that nobody has answered, and of answers that no flag asks for."""
    flags = assessment.unanswered
    if flags:
        targets = list(dict.fromkeys(flag.target for flag in flags))
        yield OpenItem(
            "checks",
            f"{counted(len(flags), 'flag')} not answered",
            f"In {counted(len(targets), 'target')} ({_listed(targets)}), part of what looks like disclosure may be "
            "common knowledge.",
        )
    strays = assessment.stray_answers
    if strays:
        yield OpenItem(
            "checks",
            f"{counted(len(strays), 'answer')} to no flag",
            "No flag of this run has the levels that they name.",
        )


def exclusions(assessment: Documented) -> Iterator[OpenItem]:
    """Tell of exclusions that lack a reason or a name, and of records left out without a word."""
    n_undocumented = sum(not rule.documented for rule in assessment.settings.exclude)
    if n_undocumented:
        yield OpenItem(
            "exclusions",
            f"{counted(n_undocumented, 'exclusion')} not documented",
            "Each needs a reason, and the name of who decided it.",
        )
    removed = [one.removed.get("original", {}) for one in (*assessment.outcome.results, *assessment.outcome.identity)]
    by = [setting for reason, setting in _LEFT_OUT.items() if any(counts.get(reason) for counts in removed)]
    if by and not assessment.documentation.scenario.left_out:
        yield OpenItem(
            "exclusions", "Records left out without a reason", f"Why don't they count? Settings: {', '.join(by)}."
        )


def _checklist(assessment: Documented) -> Iterator[OpenItem]:
    answers = {entry.item: entry.answer for entry in assessment.documentation.checklist}
    items = assessment.policy.checklist
    n_open = sum(entry.required and not answers.get(entry.item) for entry in items)
    n_no = sum(answers.get(entry.item) == "no" for entry in items)
    if n_open:
        what = f"{counted(n_open, 'item')} of the checklist"
        yield OpenItem("checklist", what, f"Of {len(items)}, not answered yet.")
    if n_no:
        yield OpenItem("checklist", f"{counted(n_no, 'item')} of the checklist answered with no", "See the comments.")


def _sections(assessment: Documented) -> Iterator[OpenItem]:
    documentation = assessment.documentation
    empty = [
        (Documentation.model_fields[name].title or name).lower()
        for name in Documentation.model_fields
        if isinstance(section := getattr(documentation, name), Section)
        and not section.filled
        and name not in _ELSEWHERE
    ]
    if empty:
        yield OpenItem("request", "Not documented", f"Nothing was entered about: {', '.join(empty)}.")


def _sign_off(assessment: Documented) -> Iterator[OpenItem]:
    decision = assessment.documentation.decision
    if not decision.decision:
        yield OpenItem("decision", "No decision", "Nobody has recorded one yet.")
    yield from _dates(assessment)
    before = assessment.signed_before
    if before:
        named = _listed([f"{entry.name} ({entry.role})" for entry in before])
        yield OpenItem("decision", "Signed before the last change", f"{_CHANGED}: {named}. Sign again.")
    unknown = [f"{entry.name} ({entry.role})" for entry in assessment.signed_for_unknown]
    unknown += ["the decision"] if decision.decision and not decision.state else []
    if unknown:
        why = "Nothing says which figures and words they are on"
        yield OpenItem("decision", "Signed, for which figures isn't said", f"{why}: {_listed(unknown)}.")
    named_once: dict[tuple[str, ...], list[str]] = {}
    for entry in decision.sign_offs:
        if entry.name:
            named_once.setdefault(_person(entry.name), []).append(f"{entry.name} ({entry.role})")
    twice = [name for names in named_once.values() if len(names) > 1 for name in names]
    if twice:
        yield OpenItem("decision", "One name has signed twice", f"It counts once: {_listed(twice)}.")
    everybody = [entry for entry in decision.sign_offs if entry not in before]
    signed = [entry for entry in everybody if not entry.lacking]
    preparers, checkers = (
        {_person(entry.name) for entry in signed if entry.role == role} for role in ("preparer", "checker")
    )
    independent = checkers - preparers
    missing = []
    if not preparers:
        missing.append("the preparer")
    if len(independent) < CHECKERS:
        missing.append(f"{CHECKERS - len(independent)} of {CHECKERS} independent checkers")
    if not any(entry.role == "custodian" for entry in signed):
        missing.append("the custodian")
    if missing:
        yield OpenItem("decision", "Sign-off", f"Missing: {', '.join(missing)}.")
    differing = {entry.decision for entry in signed} - {decision.decision}
    if decision.decision and differing:
        yield OpenItem("decision", "Not of one mind", f"Somebody signed for: {', '.join(sorted(differing))}.")


def _conditions(assessment: Documented) -> Iterator[OpenItem]:
    decision = assessment.documentation.decision
    if decision.decision == "approve with conditions" and not decision.conditions:
        yield OpenItem("decision", "Conditions not named", "It was approved with conditions; which?")
    approved = decision.decision.startswith("approve")
    if approved and decision.conditions and decision.conditions_met not in {"yes", "n.a."}:
        told = textwrap.shorten(decision.conditions, _CONDITIONS, placeholder=" …")
        yield OpenItem("decision", "Conditions not met yet", f"Nobody has said that they are: {told}")


def _not_checked(assessment: Documented) -> Iterator[OpenItem]:
    """Say what could have been looked at and wasn't, so that no list reads as if nothing were left."""
    lacking = []
    if assessment.analyses.four_checks is None:
        lacking.append("whether names and values say that the data are synthetic (the four checks were not run)")
    if not assessment.whole_records:
        lacking.append("whole records of the original in the synthetic file (assess the files anew)")
    if assessment.provenance.engine != "memory":
        lacking.append(f"records copied to the last digit, in disguise or in order ({NOT_IN_MEMORY})")
    if lacking:
        yield OpenItem("analyses", "Not checked", f"{_begun('; '.join(lacking))}.")


def _dates(assessment: Documented) -> Iterator[OpenItem]:
    """Say what can't be as a decision's dates have it, and whether it is on what is there now."""
    decision = assessment.documentation.decision
    if assessment.decided_before:
        yield OpenItem("decision", "Decided before the last change", f"{_CHANGED}. Decide again.")
    made = decision.figures_of or assessment.provenance.created.date()
    if decision.decision and decision.date and decision.date < made - _TIME_ZONES:
        yield OpenItem(
            "decision", "Decision dated before the figures", f"It is dated {decision.date}; they were made on {made}."
        )
    early = [
        f"{entry.name}, {entry.date}"
        for entry in decision.sign_offs
        if entry.name and entry.date and not entry.state and entry.date < made - _TIME_ZONES
    ]
    if early:
        yield OpenItem("decision", "Signed before the figures were made", f"Made on {made}: {_listed(early)}.")
    if decision.date and decision.review_by and decision.review_by < decision.date:
        dates = f"The decision is dated {decision.date}, the review {decision.review_by}."
        yield OpenItem("decision", "Review before the decision", dates)


def _person(name: str) -> tuple[str, ...]:
    """Tell people apart however their names are spelled: capitals, spaces, points and order don't matter."""
    return tuple(sorted(filter(None, re.split(r"[\W_]+", unicodedata.normalize("NFKC", name).casefold()))))


def _begun(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _listed(names: list[str]) -> str:
    """Write the first names, as many as a line or two hold."""
    lengths = itertools.accumulate(len(name) for name in names)
    n_named = max(1, min(_NAMED, sum(length <= _SIGNS for length in lengths)))
    return listed(names, n_named)
