"""A flag as a card: the finding in words, whether anybody would know it, why, and one click to exclude it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from discoreport.assessment.results import Flag, OneWayFlag
from discoreport.assessment.settings import Exclusion
from discoreport.assessment.writing import counted, level, number, percent
from discoreport.assessment.writing import name as written_name
from discoreport.form.model.state import LIVE
from discoreport.form.widgets import controls as c

if TYPE_CHECKING:
    from discoreport.form.panels.checks import ChecksStep

_ANSWERS = [("open", "open"), ("yes, anybody", "yes"), ("no", "no")]
_TIPS = (
    "Not answered yet",
    "Somebody without the files would guess it as well",
    "It is news to somebody without the files",
)


class FlagCard:
    """One flag, used again for another after a run."""

    def __init__(self, step: ChecksStep) -> None:
        self.step = step
        self.flag: Flag
        self.words = c.html()
        self.known = c.toggle("Is this something that anybody would know?", _TIPS, _ANSWERS, "open")
        self.reason = c.text("Reason", "Why, in words that an approver can follow", lines=2)
        self.consequence = c.html("", "d-second")
        self.exclude = c.button(
            "Exclude it", "Leave these records out of the figures; needs a reason and a name", self._exclude
        )
        self.undo = c.button("Undo the exclusion", "Count these records again", self._undo)
        self.message = c.html("", "d-empty")
        c.on_change(self.known, step.told(lambda _: self._answer(), self.message))
        c.on_change(self.reason, step.told(lambda _: self._answer(), self.message))
        buttons = c.box(self.exclude, self.undo, self.consequence, kind="row")
        self.view = c.box(self.words, self.known, self.reason, buttons, self.message, kind="card")

    def show(self, flag: Flag) -> None:
        """Show a flag."""
        if getattr(self, "flag", None) is not flag:
            self.message.value = ""
        self.flag = flag
        state = self.step.state
        assessment = state.assessment
        answer = assessment.answer(flag) if assessment else None
        rule = state.draft.exclusion_of(flag.case)
        known = None if answer is None else answer.prior_knowledge
        self.words.value = said_of(self.step, flag)
        self.known.value = {None: "open", True: "yes", False: "no"}[known]
        self.reason.value = answer.reason if answer else ""
        self.exclude.layout.display = "none" if rule else ""
        self.undo.layout.display = "" if rule else "none"
        self.consequence.value = self._consequence(rule)
        done = rule is not None or (answer is not None and answer.complete)
        (self.view.add_class if done else self.view.remove_class)("d-done")
        (self.view.remove_class if done else self.view.add_class)("d-open")

    def _consequence(self, rule: Exclusion | None) -> str:
        state = self.step.state
        if rule is not None:
            return f"Excluded by {escape(rule.by)}: the figures no longer count it."
        if state.stale:
            return "What excluding it would do is shown once the figures are up to date."
        name = escape(written_name(self.flag.target))
        if state.seconds > LIVE or not self.step.form.tasks.may_count:
            return (
                f"Excluding it would take at least {counted(self.flag.disclosive, 'record')} "
                f"({percent(self.flag.percent_original)}) out of DiSCO of {name}."
            )
        now, then = state.consequence(self.flag)
        before, after = (one.value("DiSCO", self.flag.target) for one in (now, then))
        return f"Excluding it would take DiSCO of {name} from {percent(before)} to {percent(after)}."

    def _answer(self) -> None:
        self.step.answer(self.flag, self.known.value, self.reason.value)

    def _exclude(self) -> None:
        with self.step.telling(self.message):
            self.step.exclude(self.flag, self.reason.value)

    def _undo(self) -> None:
        with self.step.telling(self.message):
            self.step.state.include(self.flag.case)


def said_of(step: ChecksStep, flag: Flag) -> str:
    """Write what a flag has found."""
    assessment = step.state.assessment
    label = assessment.labelled if assessment else (lambda _, text: text)
    target = escape(written_name(flag.target))
    if isinstance(flag, OneWayFlag):
        found = escape(level(label(flag.target, flag.level)))
        return (
            f"<h3>{target}: {found}</h3><p>{percent(flag.percent)} of the disclosive records of {target} "
            f"({number(flag.disclosive)}) have the level <b>{found}</b>, which "
            f"{counted(flag.level_total, 'original record')} have.</p>"
        )
    found = escape(level(label(flag.target, flag.target_level)))
    key = escape(f"{written_name(flag.key)}: {level(label(flag.key, flag.key_level))}")
    return (
        f"<h3>{target}: {found}, where {key}</h3><p>Of the {counted(flag.key_total, 'original record')} with {key}, "
        f"{percent(flag.percent)} ({number(flag.key_target_total)}) have the level <b>{found}</b>. "
        f"{counted(flag.disclosive, 'record')} of them are given away in large cells.</p>"
    )
