"""The new synthetic file that came of some steps: written to a path, and taken in place of the one before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from discoreport.assessment.analyses.mitigation.applying import mitigate, require_data_file
from discoreport.assessment.analyses.mitigation.results import Mitigation
from discoreport.assessment.analyses.options import MitigationOptions
from discoreport.assessment.preparing import unwarned
from discoreport.assessment.progress import Progress
from discoreport.errors import SettingsError
from discoreport.form.panels.data import DataStep
from discoreport.form.panels.results import ResultsStep
from discoreport.form.widgets import controls as c

if TYPE_CHECKING:
    from discoreport.form.panels.question_card import QuestionCard


class NewFile:
    """Asks for a path, writes the file, and offers to go on with it."""

    def __init__(self, card: QuestionCard) -> None:
        self.card, self.state = card, card.state
        self.path = c.text(
            "New file",
            "Ends in .csv, .csv.gz or .parquet; no file is written over",
            placeholder="released.csv",
            kind="wide",
        )
        self.write = c.button("Write the new file", "The synthetic file after all steps", self._write)
        self.go_on = c.button("Go on with the new file", "Assess it in place of the one before", self._go_on)
        self.message = c.html("", "d-empty")
        self.view = c.box(c.box(self.path, self.write, self.go_on, kind="row"), self.message)
        self.written: Path | None = None

    def show(self, *, ready: bool) -> None:
        """Offer what can be done now."""
        self.view.layout.display = "" if ready else "none"
        self.go_on.layout.display = "" if self.written else "none"

    def _write(self) -> None:
        with self.card.step.telling(self.message):
            if not self.path.value.strip():
                raise SettingsError("Say where the new file goes: a path.")
            path = Path(self.path.value.strip()).expanduser()
            require_data_file(path)
            self.card.step.form.tasks.do(
                lambda progress: self._make(path, progress), self._wrote, self.card.step, self.message
            )

    def _make(self, path: Path, progress: Progress) -> tuple[Path, Mitigation]:
        state, name = self.state, self.card.analysis.name
        options = self.card.analysis.chosen(state.questions.answers[name].options)
        if not isinstance(options, MitigationOptions):
            raise TypeError(type(options))
        progress(0, 2, "applying the steps")
        original, *synthetic = state.sources
        with unwarned():
            made = mitigate(original, synthetic[options.synthesis - 1], state.ready().settings, options.steps)
        progress(1, 2, f"writing {path.name}")
        return made.write(path), made.mitigation.with_result(path)

    def _wrote(self, written: tuple[Path, Mitigation]) -> None:
        """Note which file came of the steps, so that its own report can say so."""
        self.written, mitigation = written
        name = self.card.analysis.name
        before = self.state.questions.answers[name]
        self.state.questions.enter((name, type(before)(mitigation, before.options, before.targets)))
        self.card.step.say(f"Written: {self.written}.", place=self.message)

    def _go_on(self) -> None:
        """Take the new file in place of the one that the steps were applied to, and assess it."""
        with self.card.step.telling(self.message):
            answer = self.state.questions.answers[self.card.analysis.name]
            if self.written is None or not isinstance(answer.result, Mitigation):
                raise SettingsError("Write the new file first.")
            synthetic = list(self.state.choice.synthetic)
            synthetic[int(answer.options.get("synthesis", 1)) - 1] = str(self.written)
            self.state.choose(self.state.choice.original, synthetic)
            self.state.words.say(mitigation=answer.result.documentation)
            self.written = None
            form = self.card.step.form
            form.go_to(DataStep.name)
            form.tasks.read_files(then=self._assess)

    def _assess(self) -> None:
        form = self.card.step.form
        form.go_to(ResultsStep.name)
        form.tasks.run()
