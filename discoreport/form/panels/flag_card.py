"""A flag as a card: the finding in words, whether anybody would know it, why, and one click to exclude it."""

from __future__ import annotations

import datetime
from html import escape
from typing import Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import counted, percent
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.release.documentation import Answer
from discoreport.assessment.results import Flag, OneWayFlag
from discoreport.assessment.settings import TWO_WAY_THRESHOLD, Exclusion
from discoreport.form.model.exclusions import answer_by
from discoreport.form.model.state import LIVE
from discoreport.form.panels.panel import Context
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.html import page

_ANSWERS = [("open", "open"), ("yes, anybody", "yes"), ("no", "no")]
_TIPS = (
    "Not answered yet",
    "Somebody without the files would guess it as well",
    "It is news to somebody without the files",
)


class FlagCard:
    """One flag, used again for another after a run."""

    def __init__(self, context: Context) -> None:
        self.context, self.state = context, context.state
        self.filling = c.Filling()
        self.flag: Flag
        self.words = c.html()
        self.known = c.toggle("Is this something that anybody would know?", _TIPS, _ANSWERS, "open")
        self.reason = c.text("Reason", "Why, in words that an approver can follow", lines=2)
        self.consequence = c.html("", "d-second")
        self.exclude = c.button(
            "Exclude it", "Leave these records out of the figures; needs a reason and a name", self._exclude
        )
        self.undo = c.button("Undo the exclusion", "Count these records again", self._undo)
        self.message = c.Message()
        c.on_change(self.known, self.filling.told(lambda _: self._answer(), self.message))
        c.on_change(self.reason, self.filling.told(lambda _: self._answer(), self.message))
        buttons = c.box(self.exclude, self.undo, self.consequence, kind="row")
        self.view = c.box(self.words, self.known, self.reason, buttons, self.message, kind="card")

    def show(self, flag: Flag) -> None:
        """Show a flag."""
        if getattr(self, "flag", None) is not flag:
            self.message.value = ""
        self.flag = flag
        state = self.state
        assessment = state.assessment
        rule = state.draft.exclusion_of(flag.case)
        answer: Answer | None = None
        if rule is not None:
            answer = answer_by(rule, state.statements.answer_to(flag.case))
        elif assessment is not None:
            answer = assessment.answer(flag)
        known = None if answer is None else answer.prior_knowledge
        self.words.value = said_of(assessment, flag)
        with self.filling:
            self.known.value = {None: "open", True: "yes", False: "no"}[known]
            self.reason.value = answer.reason if answer else ""
            self.known.disabled = self.reason.disabled = rule is not None
        self.exclude.layout.display = "none" if rule else ""
        self.undo.layout.display = "" if rule else "none"
        self.consequence.value = self._consequence(rule)
        done = rule is not None or (answer is not None and answer.complete)
        (self.view.add_class if done else self.view.remove_class)("d-done")
        (self.view.remove_class if done else self.view.add_class)("d-open")

    def _consequence(self, rule: Exclusion | None) -> str:
        state = self.state
        if rule is not None:
            return f"Excluded by {escape(rule.by)}: the figures no longer count it."
        if state.stale:
            return "What excluding it would do is shown once the figures are up to date."
        name = escape(written_name(self.flag.target))
        if state.seconds > LIVE or not self.context.tasks.may_count:
            n = self.flag.disclosive_in_all
            share = self.flag.percent_original * n / self.flag.disclosive
            return f"Excluding it would take at least {counted(n, 'record')} ({percent(share)}) out of DiSCO of {name}."
        now, then = state.consequence(self.flag)
        before, after = (one.value("DiSCO", self.flag.target) for one in (now, then))
        return f"Excluding it would take DiSCO of {name} from {percent(before)} to {percent(after)}."

    def _answer(self) -> None:
        said = {"open": None, "yes": True, "no": False}[self.known.value]
        today = datetime.date.today() if said is not None else None
        self.state.statements.answer(_answer(self.flag, said, self.reason.value, self.state.by, today))

    def _exclude(self) -> None:
        """Exclude what the flag is about, for the reason given; that answers it as long as it is excluded."""
        with self.message.telling():
            rule = self.flag.exclusion(reason=self.reason.value.strip(), by=self.state.by)
            leave_out(self.context, rule.model_copy(update={"on": datetime.date.today()}))
            self.context.tasks.follow()

    def _undo(self) -> None:
        with self.message.telling():
            self.state.include(self.flag.case)
            self.context.tasks.follow()


def leave_out(context: Context, rule: Exclusion) -> None:
    """Leave out what a rule says, where the files may be looked into right now."""
    context.tasks.require_free()
    context.state.exclude(rule)


def _answer(flag: Flag, known: bool | None, reason: str, by: str, on: datetime.date | None) -> Answer:
    target, its_level, key, key_level = flag.case
    pair: dict[str, Any] = {} if key is None else {"key": key, "key_level": key_level}
    return Answer(
        target=target,
        level=its_level,
        prior_knowledge=known,
        reason=reason.strip(),
        by=by,
        on=on,
        **pair,
    )


def said_of(assessment: Assessment | None, flag: Flag) -> str:
    """Write what a flag has found."""
    label = assessment.labelled if assessment else (lambda _, text: text)
    if isinstance(flag, OneWayFlag):
        return page("flag", flag=flag, level=label(flag.target, flag.level))
    key_level = label(flag.key, flag.key_level)
    at_least, _ = assessment.settings.two_way_threshold if assessment else TWO_WAY_THRESHOLD
    level = label(flag.target, flag.target_level)
    return page("flag", flag=flag, level=level, key_level=key_level, at_least=at_least)
