"""Step 5, Flags: each flag answered, with an exclusion where it is common knowledge; before and after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from discoreport.assessment.formatting import counted
from discoreport.errors import SettingsError
from discoreport.form.model.exclusions import in_words
from discoreport.form.model.flag_groups import FlagGroup, answer_all, grouped
from discoreport.form.model.state import Change, FormState
from discoreport.form.panels.flag_card import ANSWERS, KNOWN, NEEDS_REASON, QUESTION, TIPS, FlagCard
from discoreport.form.panels.own_exclusion import OwnExclusion
from discoreport.form.panels.panel import STALE, Panel, Status
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.html import page
from discoreport.report.internal_edition import InternalEdition

_CARDS = 8
"""How many levels with flags are shown at a time."""


class FlagsPanel(Panel):
    """Answers flags, and leaves out what is common knowledge."""

    name = "Checks"
    title = "Flags"
    called = "the flags"
    purpose = "What is common knowledge, and what is left out because of that"
    intro = (
        "Not everything that the keys give away is news: nearly all sixteen-year-olds are single. Answer each flag; "
        "exclude what anybody would know. Flags may be left open: the report says so, and shows the figures with and "
        "without exclusions."
    )

    @staticmethod
    def status(state: FormState) -> Status:
        """Tell how far it is."""
        assessment = state.assessment
        if assessment is None:
            return Status("open", "open")
        n_open = len(assessment.unanswered)
        if n_open:
            return Status("open", f"open: {counted(n_open, 'flag')}")
        return Status(
            "done", "done" + (f": {counted(len(state.draft.exclude), 'exclusion')}" if state.draft.exclude else "")
        )

    def build(self) -> list[Any]:
        """Make the controls."""
        self.by = c.text("Your name", "Stands beside your answers and exclusions in the report", kind="wide")
        c.on_change(self.by, self.told(self._named))
        self.said = c.html()
        self.several = SeveralFlags(self, lambda: self.cards[: len(self._groups)])
        self.cards: list[FlagCard] = []
        self._groups: tuple[FlagGroup, ...] = ()
        self.list = c.box()
        self.more = c.button("Show more flags", "Flags with fewer records", self._more)
        self._limit = _CARDS
        self.stale = c.Message()
        self.excluded = c.html()
        self.undo_which = c.choice("Exclusion", "Which exclusion to take back", [("–", "")], "", kind="wide")
        self.undo = c.button("Undo it", "Count these records again", self._undo)
        self.undo_box = c.box(self.undo_which, self.undo, kind="row")
        self.compared = c.html()
        self.own = OwnExclusion(self)
        flags = c.box(c.heading("Flags"), self.by, self.said, self.several.view, self.list, self.more)
        rules = c.box(
            c.heading("Before and after"), self.stale, self.compared, self.excluded, self.undo_box, self.own.view,
        )  # fmt: skip
        return [c.box(flags, rules, kind="columns")]

    def refresh(self, change: Change) -> None:
        """Show flags, answers and exclusions."""
        if change == Change.SETTINGS and self.tasks.busy:
            return  # figures follow at once
        with self.filling:
            self.by.value = self.state.by
            self._show_cards()
            if change in {Change.ALL, Change.FILES, Change.RUN, Change.SETTINGS}:
                self.own.show()
                self._show_exclusions()

    # Flags ---------------------------------------------------------------------------------------

    def _show_cards(self) -> None:
        assessment = self.state.assessment
        if assessment is None:
            self.said.value = c.paragraph("Run the assessment first: flags come with the results.")
        else:
            n_open = len(assessment.unanswered)
            n_answered = len(assessment.outcome.flags) - n_open
            self.said.value = page(
                "flags", n_open=n_open, n_answered=n_answered, n_excluded=len(self.state.draft.exclude)
            )
        groups = grouped(self.state.runs.flags)
        self._groups = groups[: self._limit]
        while len(self.cards) < len(self._groups):
            self.cards.append(FlagCard(self.context, self.several.show))
        for card, group in zip(self.cards, self._groups, strict=False):
            card.show(group)
        c.put_in(self.list, [card.view for card in self.cards[: len(self._groups)]])
        self.more.layout.display = "" if len(groups) > len(self._groups) else "none"
        self.more.description = f"Show {counted(len(groups) - len(self._groups), 'more level', 'more levels')}"
        self.several.show()

    def _more(self) -> None:
        self._limit += _CARDS
        with self.filling:
            self._show_cards()

    def _named(self, name: str) -> None:
        self.state.by = name.strip()
        for message in (*(card.message for card in self.cards), self.own.message):
            message.value = ""  # what they asked for may be there now
        self.state.tell(Change.STATEMENTS)

    # Exclusions ----------------------------------------------------------------------------------

    def _undo(self) -> None:
        if self.undo_which.value:
            self.state.include(self.undo_which.value)
            self.tasks.follow()

    def _show_exclusions(self) -> None:
        rules = self.state.draft.exclude
        self.excluded.value = page("exclusions", rules=[(in_words(rule), rule) for rule in rules])
        self.undo_which.options = [("–", ""), *((in_words(rule), rule.case) for rule in rules)]
        self.undo_which.value = ""
        self.undo_box.layout.display = "" if rules else "none"
        assessment, stale = self.state.assessment, self.state.runs.current is not None and self.state.stale
        self.stale.say(STALE if stale else "", "warning")
        (self.compared.add_class if stale else self.compared.remove_class)("d-old")
        if assessment is None or assessment.outcome_without_exclusions is None:
            self.compared.value = c.paragraph("Nothing is left out, so there is one set of figures.")
            return
        self.compared.value = before_and_after(InternalEdition(assessment))


class SeveralFlags:
    """One answer, with one reason, to the flags of all levels that are selected.

    Parameters
    ----------
    panel
        Where it stands.
    cards
        Gives the cards in sight.
    """

    def __init__(self, panel: Panel, cards: Callable[[], list[FlagCard]]) -> None:
        self._panel, self._cards = panel, cards
        self.all = c.button("Select all that are open", "Select each level with an open flag", self._select_all)
        self.known = c.toggle(f"Of all selected: {QUESTION.lower()}", TIPS[1:], ANSWERS[1:], None)
        self.reason = c.text("Reason for all selected", "Why, in words that an approver can follow", lines=2)
        self.answer = c.button("", "Give this answer and reason to all flags that are selected", self._answer)
        self.message = c.Message()
        for field in (self.known, self.reason):
            c.on_change(field, panel.told(lambda _: None, self.message))
        self._fields = c.box(self.known, self.reason, self.answer, self.message, kind="card")
        self.view = c.box(self.all, self._fields)

    def _selected(self) -> list[FlagCard]:
        return [card for card in self._cards() if card.select.value and not card.select.disabled]

    def show(self) -> None:
        """Show how many are selected."""
        n_open = sum(card.open for card in self._cards())
        n_flags = sum(len(card.group.flags) for card in self._selected())
        self.all.layout.display = "" if n_open > 1 else "none"
        self._fields.layout.display = "" if n_flags else "none"
        self.answer.description = f"Answer {counted(n_flags, 'flag')}"

    def _select_all(self) -> None:
        for card in self._cards():
            card.select.value = card.open
        self.show()

    def _answer(self) -> None:
        with self.message.telling():
            if self.known.value is None:
                raise SettingsError("Say whether anybody would know it: yes or no.")
            if not self.reason.value.strip():
                raise SettingsError(NEEDS_REASON)
            state, cards = self._panel.state, self._selected()
            flags = [flag for card in cards for flag in card.group.flags]
            known, reason = KNOWN[self.known.value], self.reason.value
            for card in cards:
                card.select.value = False
            with self._panel.filling:
                self.known.value, self.reason.value = None, ""
            answer_all(state.statements, state.draft, flags, by=state.by, known=known, reason=reason)


def before_and_after(edition: InternalEdition) -> str:
    """Write the figures without and with exclusions side by side, most records left out first."""
    before = {row.name: row for row in edition.without_exclusions.targets}
    rows = sorted(edition.targets, key=lambda row: -row.left_out["original"])
    return page("before_and_after", rows=[(before[row.name], row) for row in rows])
