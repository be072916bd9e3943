"""Step 6, Questions: what an approver asks next, each question a card; the registry says which there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from discoreport.assessment.analyses.registry import ANALYSES
from discoreport.assessment.writing import counted
from discoreport.form.model.state import FormState
from discoreport.form.panels.panel import Status, Step
from discoreport.form.panels.question_card import QuestionCard
from discoreport.form.widgets import controls as c


class QuestionsStep(Step):
    """Runs further analyses, and shows their answers."""

    name = "Questions"
    called = "further questions"
    purpose = "What an approver asks next: which key carries the risk, what the release adds, who is at risk"
    intro = (
        "Each question can be asked or left; the report answers those that were asked and names the others. "
        "Answers hold for the figures as they are: when keys, targets or settings change, run them again."
    )

    @staticmethod
    def status(state: FormState) -> Status:
        """Tell how far it is."""
        answered = [name for name in ANALYSES if state.questions.holds(name, state.assessment)]
        stale = [name for name in state.questions.answers if _stale(state, name)]
        if stale:
            return Status("problem", f"out of date: {len(stale)}")
        return (
            Status("done", f"done: {len(answered)} of {len(ANALYSES)}")
            if answered
            else Status("open", "open: none asked")
        )

    def build(self) -> list[Any]:
        """Make the controls."""
        self.state_said = c.html("", "d-empty")
        self.again = c.button("", "Run them with settings and options as they are", self._again, primary=True)
        self.cards = [QuestionCard(self, one) for one in ANALYSES.values()]
        writing = [card.new_file.write for card in self.cards if card.new_file]
        self.run_buttons = (self.again, *(card.run for card in self.cards), *writing)
        return [self.state_said, c.box(self.again, kind="row"), *(card.view for card in self.cards)]

    def refresh(self, what: str) -> None:
        """Show choices and answers; say which are not up to date."""
        ready = self.state.assessment is not None
        self.state_said.value = "" if ready else "<p>Run the assessment first: questions are about its figures.</p>"
        stale = [name for name in self.state.questions.answers if _stale(self.state, name)]
        self.again.description = f"Run {counted(len(stale), 'question')} again"
        self.again.layout.display = "" if stale and ready and not self.state.stale else "none"
        self.leads_on(ready and not stale)
        for card in self.cards:
            card.show()
        if what != "settings":
            self._draw()

    def telling_choice(self, card: QuestionCard) -> Callable[[str, Callable[[], Any]], None]:
        """Give what enters a choice of a card, and tells there what is wrong with it."""

        def choose(option: str, read: Callable[[], Any]) -> None:
            with self.telling(card.message):
                card.choose(option, read())

        return choose

    def _again(self) -> None:
        self.form.tasks.ask([name for name in ANALYSES if _stale(self.state, name)], self)

    def _draw(self) -> None:
        assessment = self.state.assessment
        undrawn = {card: of for card in self.cards if (of := card.undrawn(assessment)) is not None}

        def show(drawn: dict[QuestionCard, str]) -> None:
            for card, content in drawn.items():
                card.put(content, undrawn[card])

        if assessment is not None and undrawn:
            self.form.tasks.draw(lambda: {card: card.draw(assessment) for card in undrawn}, show)


def _stale(state: FormState, name: str) -> bool:
    return name in state.questions.answers and (state.stale or state.questions.stale(name, state.assessment))
