"""Step 6, Questions: what an approver asks next, each question a card; the registry says which there are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import Analysis
from discoreport.assessment.analyses.mitigation import MitigationOptions
from discoreport.assessment.analyses.mitigation.apply import mitigate, require_data_file
from discoreport.assessment.analyses.mitigation.results import Mitigation
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import counted
from discoreport.assessment.progress import Progress
from discoreport.assessment.python_warnings import unwarned
from discoreport.data.readers.source_file import NEW_ENDINGS_IN_WORDS
from discoreport.errors import SettingsError
from discoreport.form.model.file_choice import pasted
from discoreport.form.model.state import Change, FormState
from discoreport.form.panels.panel import Context, Panel, Status
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.mitigation_steps import MitigationSteps
from discoreport.form.widgets.option_fields import Fields
from discoreport.form.widgets.style import section

_STEPS = "steps"
STALE = "This answer is to the question as it was before: settings, files or options have changed. Run it again."


class QuestionsPanel(Panel):
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
        self.state_said = c.Message()
        self.again = c.button("", "Run them with settings and options as they are", self._again, primary=True)
        self.cards = [QuestionCard(self.context, one) for one in ANALYSES.values()]
        writing = [card.new_file.write for card in self.cards if card.new_file]
        self.run_buttons = (self.again, *(card.run for card in self.cards), *writing)
        return [
            c.heading("What an approver asks next"),
            self.state_said,
            c.box(self.again, kind="row"),
            *(card.view for card in self.cards),
        ]

    def refresh(self, change: Change) -> None:
        """Show choices and answers; say which are not up to date."""
        ready = self.state.assessment is not None
        self.state_said.value = c.paragraph(
            "" if ready else "Run the assessment first: questions are about its figures."
        )
        stale = [name for name in self.state.questions.answers if _stale(self.state, name)]
        self.again.description = f"Run {counted(len(stale), 'question')} again"
        self.again.layout.display = "" if stale and ready and not self.state.stale else "none"
        self.leads_on(ready and not stale)
        for card in self.cards:
            card.show()
        if change != Change.SETTINGS:
            self._draw()

    def _again(self) -> None:
        self.tasks.ask([name for name in ANALYSES if _stale(self.state, name)], self.message)

    def _draw(self) -> None:
        assessment = self.state.assessment
        undrawn = {card: of for card in self.cards if (of := card.undrawn(assessment)) is not None}

        def show(drawn: dict[QuestionCard, str]) -> None:
            for card, content in drawn.items():
                card.put(content, undrawn[card])

        for card in undrawn:
            card.answer.wait()
        if assessment is not None and undrawn:
            self.tasks.draw(lambda: {card: card.draw(assessment) for card in undrawn}, show)


def _stale(state: FormState, name: str) -> bool:
    return name in state.questions.answers and (state.stale or state.questions.stale(name, state.assessment))


class QuestionCard:
    """One analysis of the registry."""

    def __init__(self, context: Context, analysis: Analysis) -> None:
        self.state, self.tasks, self.analysis = context.state, context.tasks, analysis
        name, fields = analysis.name, analysis.options.model_fields
        self.fields = Fields(fields, self._enter)
        self.steps = MitigationSteps(lambda steps: self.choose(_STEPS, steps)) if _STEPS in fields else None
        self.others = [one for one in ANALYSES.values() if _STEPS in one.options.model_fields and one is not analysis]
        self.take = c.button(
            "Take the steps of the other question",
            "The steps that were put together there",
            lambda: self.choose(_STEPS, self._steps_elsewhere()),
        )
        self.run = c.button(f"Run: {analysis.title}", analysis.tells, lambda: self.tasks.ask([name], self.message))
        self.stale = c.Message()
        self.message = c.Message()
        self.answer = c.Drawn("The answer")
        self.new_file = NewFile(context, analysis) if name == "mitigation" else None
        self._drawn: object = None
        self.view = c.box(
            c.heading(analysis.question, analysis.tells, level=3),
            *([self.steps.view, self.take] if self.steps else []), self.fields.view,
            c.box(self.run, kind="row"), self.message, self.stale, self.answer.view,
            *([self.new_file.view] if self.new_file else []),
            kind="card",
        )  # fmt: skip

    def choose(self, option: str, value: Any) -> None:
        """Enter a choice."""
        self.state.questions.choose(self.analysis.name, **{option: value})

    def _enter(self, option: str, read: Callable[[], Any]) -> None:
        with self.message.telling():
            self.choose(option, read())

    def _steps_elsewhere(self) -> list[Any]:
        return next((found for one in self.others if (found := self.state.questions.chosen(one.name).get(_STEPS))), [])

    def show(self) -> None:
        """Show what is chosen, and whether the answer still holds."""
        name, questions, assessment = self.analysis.name, self.state.questions, self.state.assessment
        chosen, files = questions.chosen(name), self.state.files
        usable = [one.name for one in files.facts.values() if not one.problem] if files else []
        variables = [one for one in usable if one != self.state.draft.unit]  # which no question takes
        self.fields.show(chosen, variables)
        if self.steps:
            self.steps.show(chosen.get(_STEPS, ()), variables)
            offered = self._steps_elsewhere() and not chosen.get(_STEPS)
            self.take.layout.display = "" if offered else "none"
        stale = questions.stale(name, assessment) or (name in questions.answers and self.state.stale)
        self.stale.say(STALE if stale else "", "warning")
        (self.answer.view.add_class if stale else self.answer.view.remove_class)("d-old")
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
        self.answer.put(drawn)
        self._drawn = of


class NewFile:
    """Asks for a path, writes the file, and offers to go on with it."""

    def __init__(self, context: Context, analysis: Analysis) -> None:
        self.context, self.state, self.analysis = context, context.state, analysis
        self.path = c.text(
            "New file",
            f"Ends in {NEW_ENDINGS_IN_WORDS}; no file is written over",
            placeholder="released.csv",
            kind="wide",
        )
        self.write = c.button("Write the new file", "The synthetic file after all steps", self._write)
        self.go_on = c.button("Go on with the new file", "Assess it in place of the one before", self._go_on)
        self.message = c.Message()
        self.view = c.box(c.box(self.path, self.write, self.go_on, kind="row"), self.message)
        self.written: Path | None = None

    def show(self, *, ready: bool) -> None:
        """Offer what can be done now."""
        self.view.layout.display = "" if ready else "none"
        self.go_on.layout.display = "" if self.written else "none"

    def _write(self) -> None:
        with self.message.telling():
            if not self.path.value.strip():
                raise SettingsError("Say where the new file goes: a path.")
            path = Path(pasted(self.path.value)).expanduser()
            require_data_file(path)
            self.context.tasks.do(lambda progress: self._make(path, progress), self._wrote, self.message)

    def _make(self, path: Path, progress: Progress) -> tuple[Path, Mitigation]:
        state, name = self.state, self.analysis.name
        options = self.analysis.chosen(state.questions.answers[name].options)
        if not isinstance(options, MitigationOptions):
            raise TypeError(type(options))
        progress(0, 2, "applying the steps")
        original, *synthetic = state.choice.sources
        with unwarned():
            made = mitigate(original, synthetic[options.synthesis - 1], state.ready().settings, options.steps)
        progress(1, 2, f"writing {path.name}")
        return made.write(path), made.mitigation.with_result(path)

    def _wrote(self, written: tuple[Path, Mitigation]) -> None:
        """Note which file came of the steps, so that its own report can say so."""
        self.written, mitigation = written
        name = self.analysis.name
        before = self.state.questions.answers[name]
        self.state.questions.enter((name, type(before)(mitigation, before.options, before.targets)))
        self.message.say(f"Written: {self.written}.")

    def _go_on(self) -> None:
        """Take the new file in place of the one that the steps were applied to, and assess it."""
        with self.message.telling():
            answer = self.state.questions.answers[self.analysis.name]
            if self.written is None or not isinstance(answer.result, Mitigation):
                raise SettingsError("Write the new file first.")
            synthetic = list(self.state.choice.synthetic)
            synthetic[int(answer.options.get("synthesis", 1)) - 1] = str(self.written)
            self.state.choose(self.state.choice.original, synthetic)
            self.state.statements.say(mitigation=answer.result.documentation)
            self.written = None
            self.context.go_to("Data")
            self.context.tasks.read_files(then=self._assess)

    def _assess(self) -> None:
        self.context.go_to("Results")
        self.context.tasks.run()
