"""Step 5, Checks: each flag answered, with an exclusion where it is common knowledge; before and after."""

from __future__ import annotations

import datetime
from typing import Any

import ipywidgets as w

from discoreport.assessment.formatting import counted, level
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.settings import Exclusion
from discoreport.form.model.state import Change, FormState
from discoreport.form.panels.flag_card import FlagCard, leave_out
from discoreport.form.panels.panel import Panel, Status
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.html import page
from discoreport.report.internal_edition import InternalEdition

_CARDS = 8
"""How many flags are shown at a time."""


class ChecksPanel(Panel):
    """Answers flags, and leaves out what is common knowledge."""

    name = "Checks"
    called = "the checks"
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
        self.cards: list[FlagCard] = []
        self.list = c.box()
        self.more = c.button("Show more flags", "Flags with fewer records", self._more)
        self._limit = _CARDS
        self.own_target = c.choice("Target", "The variable of which a level is left out", [("–", "")], "")
        self.own_level = _combobox("Level", "The level that is left out; empty is a missing value")
        self.own_key = c.choice(
            "Only with key", "Leave the level out only where this key has one level", [("any", "")], ""
        )
        self.own_key_level = _combobox("and its level", "The level of that key; empty is a missing value")
        self.own_reason = c.text("Reason", "Why, in words that an approver can follow", kind="wide")
        self.own_add = c.button("Exclude it", "Leave these records out of the figures", self._own)
        self.own_message = c.Message()
        c.on_change(self.own_target, self.told(lambda name: self._levels(self.own_level, name)))
        c.on_change(self.own_key, self.told(lambda name: self._levels(self.own_key_level, name)))
        self.excluded = c.html()
        self.undo_which = c.choice("Exclusion", "Which exclusion to take back", [("–", "")], "", kind="wide")
        self.undo = c.button("Undo it", "Count these records again", self._undo)
        self.undo_box = c.box(self.undo_which, self.undo, kind="row")
        self.compared = c.html()
        own = c.box(
            self.own_target, self.own_level, self.own_key, self.own_key_level, self.own_reason, self.own_add, kind="row"
        )
        flags = c.box(c.heading("Flags"), self.by, self.said, self.list, self.more)
        rules = c.box(
            c.heading("Before and after"), self.compared, self.excluded, self.undo_box,
            c.heading("An exclusion of your own", "For what no check has flagged."),
            own, self.own_message,
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
                draft = self.state.draft
                _options(self.own_target, [("–", "")], draft.targets)
                _options(self.own_key, [("any", "")], draft.keys)
                self._show_exclusions()

    # Flags ---------------------------------------------------------------------------------------

    def _show_cards(self) -> None:
        flags = self.state.runs.flags
        assessment = self.state.assessment
        if assessment is None:
            self.said.value = c.paragraph("Run the assessment first: flags come with the results.")
        else:
            n_open = len(assessment.unanswered)
            n_answered = len(assessment.outcome.flags) - n_open
            self.said.value = page(
                "flags", n_open=n_open, n_answered=n_answered, n_excluded=len(self.state.draft.exclude)
            )
        shown = flags[: self._limit]
        while len(self.cards) < len(shown):
            self.cards.append(FlagCard(self.context))
        for card, flag in zip(self.cards, shown, strict=False):
            card.show(flag)
        views = tuple(card.view for card in self.cards[: len(shown)])
        if tuple(self.list.children) != views:
            self.list.children = views
        self.more.layout.display = "" if len(flags) > len(shown) else "none"
        self.more.description = f"Show more flags ({len(flags) - len(shown)} more, answered or not)"

    def _more(self) -> None:
        self._limit += _CARDS
        with self.filling:
            self._show_cards()

    def _named(self, name: str) -> None:
        self.state.by = name.strip()
        self.state.tell(Change.STATEMENTS)

    # Exclusions ----------------------------------------------------------------------------------

    def _levels(self, field: Any, name: str) -> None:
        found = self.state.files.common_levels(name) if name and self.state.files else ()
        field.options = [text for text, _, _ in found]
        field.value = ""

    def _own(self) -> None:
        with self.own_message.telling():
            if not self.own_target.value:
                self.own_message.say("Choose a target first.", "error")
                return
            pair: dict[str, Any] = {}
            if self.own_key.value:
                pair = {"key": self.own_key.value, "key_level": self.own_key_level.value or None}
            self.state.by = self.by.value.strip()
            leave_out(
                self.context,
                Exclusion(
                    target=self.own_target.value, level=self.own_level.value or None, reason=self.own_reason.value,
                    by=self.state.by, on=datetime.date.today(), **pair,
                )
            )  # fmt: skip
            self.own_reason.value = ""
            self.tasks.follow()

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
        assessment = self.state.assessment
        if assessment is None or assessment.outcome_without_exclusions is None:
            self.compared.value = c.paragraph("Nothing is left out, so there is one set of figures.")
            return
        self.compared.value = before_and_after(InternalEdition(assessment))


def _combobox(label: str, tooltip: str) -> Any:
    """Ask for text, with proposals."""
    return w.Combobox(description=label, tooltip=tooltip, ensure_option=False, continuous_update=False)


def _options(field: Any, first: list[tuple[str, str]], names: tuple[str, ...]) -> None:
    options = (*first, *((written_name(name), name) for name in names))
    if tuple(field.options) != options:
        field.options = options


def in_words(rule: Exclusion) -> str:
    """Say what an exclusion leaves out."""
    words = f"{written_name(rule.target)}: {level(rule.level)}"
    return words if rule.key is None else f"{words}, where {written_name(rule.key)} is {level(rule.key_level)}"


def before_and_after(edition: InternalEdition) -> str:
    """Write the figures without and with exclusions side by side, most records left out first."""
    before = {row.name: row for row in edition.without_exclusions.targets}
    rows = sorted(edition.targets, key=lambda row: -row.left_out["original"])
    return page("before_and_after", rows=[(before[row.name], row) for row in rows])
