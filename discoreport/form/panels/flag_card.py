"""The flags of one target level as a card: what was found, whether anybody would know it, why, and the exclusion."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from html import escape

import ipywidgets as w

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import counted, level, percent
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.settings import TWO_WAY_THRESHOLD, Exclusion
from discoreport.assessment.worst_file import worst_value
from discoreport.form.model.flag_groups import FlagGroup, Said, answer_all, answers_of, said_of
from discoreport.form.panels.panel import Context
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.fold import Fold
from discoreport.form.widgets.html import page

ANSWERS = [("open", "open"), ("yes, anybody", "yes"), ("no", "no")]
TIPS = (
    "Not answered yet",
    "Somebody without the files would guess it as well",
    "It is news to somebody without the files",
)
QUESTION = "Is this something that anybody would know?"
KNOWN = {"open": None, "yes": True, "no": False}
NEEDS_REASON = "Without a reason this answer doesn't count yet: say why."


class FlagCard:
    """The flags of one target level; used again for others after a run.

    Parameters
    ----------
    context
        What it may use of the form.
    selected
        Called where it was selected, or no longer is; None for a card that can't be.
    """

    def __init__(self, context: Context, selected: Callable[[], object] | None = None) -> None:
        self.context, self.state = context, context.state
        self.filling = c.Filling()
        self.group: FlagGroup
        self.open: bool
        """Whether one of its flags is not answered."""
        self._alike = self._same_reason = True
        self.select = w.Checkbox(False, indent=False, tooltip="Answer it together with others that are selected")
        self.select.add_class("d-select")
        self.title, self.words = c.html(), c.html()
        self.known = c.toggle(QUESTION, TIPS, ANSWERS, "open")
        self.reason = c.text("Reason", "Why, in words that an approver can follow", lines=2, hint=False)
        self.needs_reason = c.Message()
        self.consequence = c.html("", "d-second")
        self.exclude = c.button(
            "Exclude it", "Leave these records out of the figures; needs a reason and a name", self._exclude
        )
        self.undo = c.button("Undo the exclusion", "Count these records again", self._undo)
        self.message = c.Message()
        c.on_change(self.known, self.filling.told(lambda _: self._answer(known=True), self.message))
        c.on_change(self.reason, self.filling.told(lambda _: self._answer(known=False), self.message))
        c.on_change(self.select, self.filling.told(lambda _: selected and selected(), self.message))
        self.single: list[FlagCard] = []
        self._singles = c.box()
        self.one_by_one = Fold("the flags one by one", lambda: self._singles)
        self.one_by_one.button.on_click(lambda _: self._show_singles())
        buttons = c.box(self.exclude, self.undo, self.consequence, kind="row")
        self.view = c.box(
            c.box(self.title, self.select, kind="intro") if selected else self.title,
            self.words, self.known, self.reason, self.needs_reason, buttons, self.message, self.one_by_one.view,
            kind="card",
        )  # fmt: skip

    def show(self, group: FlagGroup) -> None:
        """Show flags of a level."""
        state = self.state
        if getattr(self, "group", None) is None or self.group.case != group.case:
            self.message.value = ""
        self.group = group
        draft = state.draft
        said = said_of(answers_of(group.flags, draft, state.statements, state.assessment))
        self._alike, self._same_reason = said.alike, said.same_reason
        self.open = said.n_complete < len(group.flags)
        excluded, rules = group.excluded(draft), group.rules(draft)
        self.title.value = f"<h3>{escape(title_of(state.assessment, group))}</h3>"
        self.words.value = found_by(state.assessment, group)
        with self.filling:
            self.known.value = {None: "open", True: "yes", False: "no"}[said.known] if said.alike else None
            self.reason.value = said.reason
            self.reason.placeholder = "" if said.same_reason else "several reasons: see the flags one by one"
            self.known.disabled = self.reason.disabled = excluded
            self.select.description = f"Select ({counted(len(group.flags), 'flag')})"
            self.select.disabled = excluded
        self.needs_reason.say(_lacking(said, len(group.flags)), "warning")
        self.exclude.layout.display = "none" if rules else ""
        self.undo.layout.display = "" if rules else "none"
        self.exclude.description = (
            "Exclude it" if len(self._rules()) == 1 else f"Exclude the {len(self._rules())} pairs"
        )
        self.consequence.value = self._consequence(rules)
        (self.view.remove_class if self.open else self.view.add_class)("d-done")
        (self.view.add_class if self.open else self.view.remove_class)("d-open")
        self.one_by_one.view.layout.display = "" if len(group.flags) > 1 else "none"
        self._show_singles()

    def _show_singles(self) -> None:
        if len(self.group.flags) < 2 or not self.one_by_one.unfolded:
            return
        while len(self.single) < len(self.group.flags):
            self.single.append(FlagCard(self.context))
        shown = self.single[: len(self.group.flags)]
        for card, flag in zip(shown, self.group.flags, strict=True):
            card.show(FlagGroup((flag,)))
        c.put_in(self._singles, [card.view for card in shown])

    def _rules(self, reason: str = "", by: str = "") -> tuple[Exclusion, ...]:
        return self.group.exclusions(reason=reason, by=by)

    def _consequence(self, rules: tuple[Exclusion, ...]) -> str:
        if rules:
            by = escape(", ".join(dict.fromkeys(rule.by for rule in rules)))
            return f"Excluded by {by}: the figures no longer count it."
        of_level, pairs = self.group.of_level, self.group.pairs  # records of pairs may be the same ones
        n = of_level.disclosive_in_all if of_level else max(flag.disclosive_in_all for flag in pairs)
        return consequence(self.context, self._rules(), n)

    def _answer(self, *, known: bool) -> None:
        """Enter what was changed; where flags differ in the rest, that stays with each."""
        says = known or self._alike
        why = not known or self._same_reason
        answer_all(
            self.state.statements, self.state.draft, self.group.flags, by=self.state.by,
            known=KNOWN[self.known.value] if says and self.known.value else "",
            reason=self.reason.value if why else None,
        )  # fmt: skip

    def _exclude(self) -> None:
        """Exclude what the flags are about, for the reason given; that answers them as long as it is excluded."""
        with self.message.telling():
            today = datetime.date.today()
            rules = self._rules(self.reason.value.strip(), self.state.by)
            leave_out(self.context, *(rule.model_copy(update={"on": today}) for rule in rules))
            self.context.tasks.follow()

    def _undo(self) -> None:
        with self.message.telling():
            self.state.include(*(rule.case for rule in self.group.rules(self.state.draft)))
            self.context.tasks.follow()


def _lacking(said: Said, n_flags: int) -> str:
    """Say why an answer doesn't count; "" where there is none, or where it does."""
    answered = said.known is not None or not said.alike
    return NEEDS_REASON if answered and said.n_complete < n_flags and said.same_reason and not said.reason else ""


def leave_out(context: Context, *rules: Exclusion) -> None:
    """Leave out what rules say, where the files may be looked into right now."""
    context.tasks.require_free()
    context.state.exclude(*rules)


def consequence(context: Context, rules: tuple[Exclusion, ...], n_records: int | None = None) -> str:
    """Say what exclusions of one target would do to its DiSCO.

    Parameters
    ----------
    context
        What may be used of the form.
    rules
        The exclusions.
    n_records
        Records that they take out of DiSCO at least, which is said where counting takes long; None: it isn't known.
    """
    state, target = context.state, rules[0].target
    if state.stale:
        return "What excluding it would do is shown once the figures are up to date."
    name = escape(written_name(target))
    if not state.follows or not context.tasks.may_count:
        if n_records is None:
            return "What excluding it does is shown with the figures: counting it takes long."
        share = percent(100 * n_records / state.assessment.original.n_records)  # type: ignore[union-attr]
        return f"Excluding it would take at least {counted(n_records, 'record')} ({share}) out of DiSCO of {name}."
    now, then = state.consequence(rules)
    before, after = (worst_value(one, "DiSCO", target) for one in (now, then))
    return f"Excluding it would take DiSCO of {name} from {percent(before)} to {percent(after)}."


def title_of(assessment: Assessment | None, group: FlagGroup) -> str:
    """Name the level that flags are of, with the key level where there is one flag of a pair."""
    title = f"{written_name(group.target)}: {level(_labelled(assessment, *group.case))}"
    if len(group.flags) == 1 and group.pairs:
        pair = group.pairs[0]
        title += f", where {written_name(pair.key)}: {level(_labelled(assessment, pair.key, pair.key_level))}"
    return title


def _labelled(assessment: Assessment | None, name: str, text: str | None) -> str | None:
    return assessment.labelled(name, text) if assessment else text


def found_by(assessment: Assessment | None, group: FlagGroup) -> str:
    """Write what flags have found."""
    at_least, _ = assessment.settings.two_way_threshold if assessment else TWO_WAY_THRESHOLD
    return page(
        "flag",
        of_level=group.of_level,
        pairs=[(flag, _labelled(assessment, flag.key, flag.key_level)) for flag in group.pairs],
        target=group.target,
        level=_labelled(assessment, *group.case),
        at_least=at_least,
    )
