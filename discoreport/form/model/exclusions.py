"""Exclusions: what each of them needs, and what it would do."""

from __future__ import annotations

from collections.abc import Iterable

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import level as written_level
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.prepare import marked_files
from discoreport.assessment.release.documentation import Answer
from discoreport.assessment.settings import Exclusion, Settings
from discoreport.errors import SettingsError
from discoreport.form.model.open_files import OpenFiles

MOST_TO_CHOOSE = 200
"""How many levels a list offers."""


def in_words(case: Answer | Exclusion) -> str:
    """Say which level an exclusion leaves out, or an answer is about."""
    words = f"{written_name(case.target)}: {written_level(case.level)}"
    return words if case.key is None else f"{words}, where {written_name(case.key)} is {written_level(case.key_level)}"


def require_sound(rule: Exclusion, files: OpenFiles, settings: Settings) -> None:
    """Refuse an exclusion that says too little, or that is about nothing.

    Raises
    ------
    SettingsError
        Where it has no reason, no name of who decided it, or a level that no file has.
    """
    if not rule.reason.strip():
        raise SettingsError("An exclusion needs a reason: what makes this common knowledge?")
    if not rule.by.strip():
        raise SettingsError("An exclusion needs a name: who decides it? Enter yours above.")
    prepared = marked_files(files, settings)
    prepared.variable(rule.target).variable.require_level(rule.level)
    if rule.key is not None:
        prepared.variable(rule.key).variable.require_level(rule.key_level)


def levels_to_choose(files: OpenFiles, settings: Settings, name: str) -> tuple[list[tuple[str, str, int]], bool]:
    """List the levels of a variable as it is counted, and whether it has missing values.

    Levels of few records are somebody's: they are not listed, and have to be typed.
    """
    variable = marked_files(files, settings).variable(name).variable
    if not variable.has_levels:
        return [], variable.has_missing
    return variable.common_levels[:MOST_TO_CHOOSE], variable.has_missing


EXCLUDED = "excluded"
"""The action of an answer to a flag whose level is left out."""


def answer_by(rule: Exclusion, own: Answer | None) -> Answer:
    """Give the answer that an exclusion is to a flag, beside a person's own, which it never changes.

    Parameters
    ----------
    rule
        The exclusion.
    own
        What was answered apart from it; where that says "common knowledge", too, its words stay.
    """
    if own is not None and own.accepts:
        return own.model_copy(update={"action": own.action or EXCLUDED})
    said = {"prior_knowledge": True, "reason": rule.reason, "by": rule.by, "on": rule.on, "action": EXCLUDED}
    pair = {} if rule.key is None else {"key": rule.key, "key_level": rule.key_level}
    return Answer.model_validate({"target": rule.target, "level": rule.level, **pair, **said})


def answers_with(assessment: Assessment, own: Iterable[Answer]) -> tuple[Answer, ...]:
    """Give people's own answers, and in their place what exclusions in force say of the flags that they deal with."""
    answers = {answer.case: answer for answer in own}
    flagged = {flag.case for flag in (assessment.outcome_without_exclusions or assessment.outcome).flags}
    for rule in assessment.settings.exclude:
        if rule.case in flagged:
            answers[rule.case] = answer_by(rule, answers.get(rule.case))
    return tuple(answers.values())
