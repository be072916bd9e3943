"""Where people's answers and what was measured can't both hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from discoreport.assessment.analyses.four_checks.results import CheckItem
from discoreport.assessment.documented import Documented
from discoreport.assessment.formatting import counted, listed
from discoreport.assessment.results import OneWayFlag
from discoreport.data.findings.comparison import FEW_LEVELS
from discoreport.data.findings.finding import COPYING

_NAMED = 3
"""How many variables or files a sentence names."""
_MOST_HAVE_IT = 0.5
"""What fewer than this share of the original's records have is nothing that one would guess of anybody."""
_LABELS = {"file_name": "the name of the file", "variable": "a variable or value"}
"""Fields of the labelling that the four checks answer, too."""


@dataclass(frozen=True)
class Contradiction:
    """What somebody said, and what was found instead.

    Parameters
    ----------
    section
        The report's section in which it was said.
    said, found
        Both in words. They name variables and files, never levels.
    """

    section: str
    said: str
    found: str


def contradictions(assessment: Documented) -> tuple[Contradiction, ...]:
    """List the answers that can't hold beside what was measured, or beside each other."""
    return tuple(
        one for part in (_checklist, _labelling, _source, _common_knowledge, _status) for one in part(assessment)
    )


# The checklist -------------------------------------------------------------------------------------


def _checklist(assessment: Documented) -> Iterator[Contradiction]:
    """Look behind every item that was answered with yes and that can be looked behind."""
    against = {item: (said, found) for item, said, found in _looked_behind(assessment) if found}
    for entry in assessment.documentation.checklist:
        if entry.answer == "yes" and entry.item in against:
            said, found = against[entry.item]
            yield Contradiction("checklist", f"the checklist says that {said}", found)


def _looked_behind(assessment: Documented) -> Iterator[tuple[str, str, str]]:
    """Give items, what a yes to each means, and what speaks against it; "" where nothing does."""

    def told(words: str, names: Sequence[str]) -> str:
        return words.format(_listed(names)) if names else ""

    def files(words: str, items: Iterable[CheckItem]) -> str:
        return told(words, [assessment.synthetic[one.synthesis - 1].name for one in items])

    said = assessment.documentation
    unique = [one.variable for one in assessment.findings if one.finding == "identifier"]
    unique += [one.detail for one in _no(assessment, "no_identifiers")]
    yield "identifiers", "identifiers were removed", told("nearly every record has a value of its own in {}", unique)
    no_target = "" if assessment.targets else "there is no target"
    yield "targets", "every sensitive variable is a target", no_target
    numbers = [one for one in assessment.variables if one.kind == "number" and not one.classes]
    fine = [one.name for one in numbers if one.n_levels > FEW_LEVELS]
    not_grouped = told(f"not grouped, with more than {FEW_LEVELS} distinct numbers: {{}}", fine)
    yield "grouping", "numbers are grouped", not_grouped
    n = sum(one.finding not in COPYING for one in assessment.warnings)
    unsaid = f"nothing is said of {counted(n, 'warning')}" if n and not said.comparability.remarks else ""
    yield "comparability", "the warnings about the files were followed up", unsaid
    without = [one.name for one in assessment.synthetic if not one.sha256]
    unknown = told("no fingerprint of {}, which came from memory", without)
    yield "files", "the fingerprints are those of the files to be released", unknown
    n = len(assessment.unanswered)
    yield "flags", "each flag was answered", f"{counted(n, 'flag')} without an answer" if n else ""
    n = sum(not rule.documented for rule in assessment.settings.exclude)
    undocumented = f"{counted(n, 'exclusion')} without a reason or a name" if n else ""
    yield "exclusions", "each exclusion would hold for anybody", undocumented
    unnamed = files("no such word in the name of {}", _no(assessment, "file_name"))
    yield "label_name", "the name of the file says that it is synthetic", unnamed
    by_names = {one.synthesis for one in _no(assessment, "names")}
    unmarked = [one for one in _no(assessment, "variable") if one.synthesis in by_names]
    yield (
        "label_data",
        "the data say that they are synthetic",
        files("no variable says so, nor do all names, in {}", unmarked),
    )
    no_note = "under labelling it says that there is none" if said.labelling.note == "no" else ""
    yield "user_note", "users get a note", no_note
    in_order = files("rows follow those of the original in {}", _no(assessment, "own_order_of_rows"))
    yield "structure", "the structure gives nothing away", in_order


# The other answers ---------------------------------------------------------------------------------


def _labelling(assessment: Documented) -> Iterator[Contradiction]:
    found = assessment.analyses.four_checks
    if found is None:
        return
    said, measured = assessment.documentation.labelling, found.labelling
    for name, what in _LABELS.items():
        word, fact = getattr(said, name), getattr(measured, name)
        if {word, fact} == {"yes", "no"}:
            says, found_to = ("says", "it doesn't") if word == "yes" else ("doesn't say", "it does")
            yield Contradiction("labelling", f"it is said that {what} {says} that the data are synthetic", found_to)


def _source(assessment: Documented) -> Iterator[Contradiction]:
    said, uncertainty = assessment.documentation.source.collection, assessment.analyses.uncertainty
    if said == "population" and assessment.analyses.control is not None:
        against = "a control file has people of the same population who are not in it"
        yield Contradiction("source", "the original is said to have the whole population", against)
    if uncertainty is not None and {said, uncertainty.collection} == {"population", "sample"}:
        against = f"the intervals were asked for as of a {uncertainty.collection}"
        yield Contradiction("source", f"the original is said to be a {said}", against)


def _common_knowledge(assessment: Documented) -> Iterator[Contradiction]:
    """Tell of what is called common knowledge, or left out as such, although most records have another level."""
    excluded = {rule.case for rule in assessment.settings.exclude}
    outcome = assessment.outcome_without_exclusions or assessment.outcome
    flags = [flag for flag in outcome.flags if isinstance(flag, OneWayFlag)]
    answers = zip(flags, assessment.answers_to(flags), strict=True)
    taken = excluded | {flag.case for flag, answer in answers if answer is not None and answer.accepts}
    most = _MOST_HAVE_IT * assessment.original.n_records
    rare = [flag.target for flag in flags if flag.case in taken and flag.level_total < most]
    if rare:
        against = "fewer than half of the original records have that level"
        yield Contradiction("checks", f"a level of {_listed(rare)} is taken for common knowledge", against)
    named = assessment.sensitive.items()
    sensitive = [name for name, levels in named if any((name, level, None, None) in taken for level in levels)]
    if sensitive:
        by_policy = all(assessment.policy.sensitive.get(name) for name in sensitive)
        against = f"{'the policy' if by_policy else 'somebody'} calls that level sensitive"
        yield Contradiction("checks", f"a level of {_listed(sensitive)} is taken for common knowledge", against)
    refusals = (one for one in assessment.documentation.answers if one.complete and not one.accepts)
    refused = [one.target for one in refusals if one.case in excluded]
    if refused:
        yield Contradiction("exclusions", f"a level of {_listed(refused)} is no common knowledge", "it is excluded")


def _status(assessment: Documented) -> Iterator[Contradiction]:
    status, decision = assessment.documentation.status, assessment.documentation.decision.decision
    if status == "decided" and not decision:
        yield Contradiction("decision", "the status is “decided”", "there is no decision")
    elif decision and status != "decided":
        yield Contradiction("decision", f"the status is “{status}”", "there is a decision")


# Helpers -------------------------------------------------------------------------------------------


def _no(assessment: Documented, item: str) -> list[CheckItem]:
    """Give what the four checks answer with no, one a file; empty where they weren't run."""
    found = assessment.analyses.four_checks
    return [one for one in found.items if one.item == item and one.outcome == "no"] if found else []


def _listed(names: Sequence[str]) -> str:
    return listed(list(dict.fromkeys(names)), _NAMED)
