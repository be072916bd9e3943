"""What a form does that may take long: reading files, assessing, drawing. Panels ask for it, and show its errors."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.progress import Progress
from discoreport.errors import DiscoReportError, SettingsError
from discoreport.form.model.approver_questions import Answer
from discoreport.form.model.background_work import Cancelled, Request, Worker
from discoreport.form.model.open_files import OpenFiles
from discoreport.form.model.state import FormState
from discoreport.form.widgets.controls import Message
from discoreport.form.widgets.style import get_ready_to_draw


class Tasks:
    """Does the form's work, one thing at a time; figures are drawn beside everything else.

    Parameters
    ----------
    state
        What the form knows.
    message_of
        Gives the message of a panel by its name.
    show_progress, show_busy
        As for `Worker`.
    """

    def __init__(
        self,
        state: FormState,
        message_of: Callable[[str], Message],
        show_progress: Callable[[tuple[int, int, str] | None], None] = lambda _: None,
        show_busy: Callable[[], None] = lambda: None,
    ) -> None:
        self.state, self._message_of = state, message_of
        self._worker = Worker(show_progress, show_busy)
        self._pictures = Worker(lambda _: None)

    @property
    def message(self) -> Message:
        """The message of the panel that is open."""
        return self._message_of(self.state.panel)

    @property
    def busy(self) -> bool:
        """Whether files are being read or figures being made."""
        return self._worker.busy

    @property
    def may_count(self) -> bool:
        """Whether something quick may be counted right now: a connection beyond memory does one thing at a time."""
        return not self.busy or self.state.files is None or self.state.files.engine == "memory"

    def require_free(self) -> None:
        """Refuse what has to look into the files while their connection is at work.

        Raises
        ------
        SettingsError
            Where it is.
        """
        if not self.may_count:
            raise SettingsError("The files are being counted. Do it once that is done, or cancel it.")

    def cancel(self) -> None:
        """Give up what is under way."""
        self._worker.cancel()

    def read_files(self, then: Callable[[], object] = lambda: None) -> None:
        """Read the chosen files, and do something after that."""

        def taken(files: OpenFiles) -> None:
            self.state.take(files)
            then()
            if self._pictures.beside():
                self.draw(get_ready_to_draw, lambda _: None)

        self.do(self.state.choice.open, taken, self._message_of("Data"))

    def run(self, *, kept: bool = True) -> None:
        """Assess the files with the settings as they are.

        Parameters
        ----------
        kept
            False for a run that only follows a change, and that the next one replaces in the history.
        """
        message = self.message
        try:
            settings = self.state.draft.settings()
        except DiscoReportError as error:
            message.say(str(error), "error")
            return

        def work(progress: Progress) -> tuple[Assessment, float]:
            started = time.monotonic()  # not before: the work before it may have had to be given up
            return self.state.compute(progress, settings), time.monotonic() - started

        def taken(found: tuple[Assessment, float]) -> None:
            assessment, self.state.seconds = found
            self.state.accept(assessment, kept=kept)

        self.do(work, taken, message)

    def follow(self) -> None:
        """Run again after an action that asks for it, unless figures are on their way already."""
        if self._could_run and not self.busy:
            self.run()

    def follow_live(self) -> None:
        """Run again after a change of settings, where runs are quick."""
        if self._could_run and self.state.follows:
            self.run(kept=False)

    @property
    def _could_run(self) -> bool:
        return self.state.files is not None and self.state.stale and not self.state.problem

    def ask(self, names: Sequence[str], message: Message) -> None:
        """Run analyses one after the other, and put their answers in place."""

        def work(progress: Progress) -> list[tuple[str, Answer]]:
            return [(name, self.state.ask(name, progress)) for name in names]

        self.do(work, lambda answers: self.state.questions.enter(*answers), message)

    def do(self, function: Callable[[Progress], Any], then: Callable[[Any], object], message: Message) -> None:
        """Do something that may take long, with progress; errors are told in a message."""

        def ended(error: BaseException) -> None:
            if isinstance(error, Cancelled):
                return
            if not isinstance(error, DiscoReportError):
                words = f"The program itself has failed ({type(error).__name__}); the log has more. Nothing was lost."
                message.say(words, "error")
                raise error
            message.say(str(error), "error")

        def done(result: Any) -> None:
            with message.telling():
                then(result)

        self._worker.start(Request(function, done, ended))

    def draw(self, function: Callable[[], Any], then: Callable[[Any], object]) -> None:
        """Draw figures beside everything else; only the latest request is shown."""

        def ended(error: BaseException) -> None:
            if not isinstance(error, Cancelled):
                raise error

        self._pictures.start(Request(lambda _: function(), then, ended, whole=True))  # type: ignore[arg-type]
