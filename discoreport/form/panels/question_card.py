"""A further question as a card: what it tells, what can be chosen, a button that runs it, and the answer."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from discoreport.assessment.analyses.registry import ANALYSES, Analysis
from discoreport.assessment.assessment import Assessment
from discoreport.form.panels.new_file import NewFile
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.mitigation_steps import StepsField
from discoreport.form.widgets.option_fields import Fields
from discoreport.form.widgets.report_sections import section

if TYPE_CHECKING:
    from discoreport.form.panels.questions import QuestionsStep

_STEPS = "steps"
STALE = "This answer is to the question as it was before: settings, files or options have changed. Run it again."


class QuestionCard:
    """One analysis of the registry."""

    def __init__(self, step: QuestionsStep, analysis: Analysis) -> None:
        self.step, self.state, self.analysis = step, step.state, analysis
        name, fields = analysis.name, analysis.options.model_fields
        self.fields = Fields(fields, analysis.options.described(), step.telling_choice(self))
        self.steps = StepsField(lambda steps: self.choose(_STEPS, steps), step.telling) if _STEPS in fields else None
        self.others = [one for one in ANALYSES.values() if _STEPS in one.options.model_fields and one is not analysis]
        self.take = c.button(
            "Take the steps of the other question", "The steps that were put together there", self._take
        )
        self.run = c.button(f"Run: {analysis.title}", analysis.tells, self._run)
        self.stale = c.html("", "d-empty")
        self.message = c.html("", "d-empty")
        self.answer = c.html()
        self.new_file = NewFile(self) if name == "mitigation" else None
        self._drawn: object = None
        self.view = c.box(
            c.html(f"<h3>{escape(analysis.question)}</h3><p class='d-second'>{escape(analysis.tells)}</p>"),
            *([self.steps.view, self.take] if self.steps else []), self.fields.view,
            c.box(self.run, kind="row"), self.message, self.stale, self.answer,
            *([self.new_file.view] if self.new_file else []),
            kind="card",
        )  # fmt: skip

    def choose(self, option: str, value: Any) -> None:
        """Enter a choice."""
        self.state.questions.choose(self.analysis.name, **{option: value})

    def _steps_elsewhere(self) -> list[Any]:
        return next((found for one in self.others if (found := self.state.questions.chosen(one.name).get(_STEPS))), [])

    def _take(self) -> None:
        self.choose(_STEPS, self._steps_elsewhere())

    def _run(self) -> None:
        self.step.form.tasks.ask([self.analysis.name], self.step, self.message)

    def show(self) -> None:
        """Show what is chosen, and whether the answer still holds."""
        name, questions, assessment = self.analysis.name, self.state.questions, self.state.assessment
        chosen, files = questions.chosen(name), self.state.files
        variables = [one.name for one in files.facts.values() if not one.problem] if files else []
        self.fields.show(chosen, variables)
        if self.steps:
            self.steps.show(chosen.get(_STEPS, ()), variables)
            offered = self._steps_elsewhere() and not chosen.get(_STEPS)
            self.take.layout.display = "" if offered else "none"
        stale = questions.stale(name, assessment) or (name in questions.answers and self.state.stale)
        self.stale.value = c.message(STALE, "warning") if stale else ""
        (self.answer.add_class if stale else self.answer.remove_class)("d-old")
        answered = questions.holds(name, assessment)
        (self.view.add_class if answered and not stale else self.view.remove_class)("d-done")
        if name not in questions.answers:
            self.put("", None)
        if self.new_file:
            self.new_file.show(ready=answered and not stale)

    def undrawn(self, assessment: Assessment | None) -> object:
        """Give what the answer would be written of; None where there is no answer, or where it is in sight so."""
        name, questions = self.analysis.name, self.state.questions
        if assessment is None or not questions.holds(name, assessment):
            return None
        of = (questions.answers[name], assessment.policy, assessment.documentation.source)
        return None if of == self._drawn else of

    def draw(self, assessment: Assessment) -> str:
        """Write the answer as the report does: words, figure, table."""
        return section(assessment, f"analyses/{self.analysis.name}")

    def put(self, drawn: str, of: object) -> None:
        """Show what was written, and note of what."""
        self.answer.value, self._drawn = drawn, of
