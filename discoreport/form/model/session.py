"""Who is at a form, and what they do there: what they choose and say, taken back and done again; listeners are told."""

from __future__ import annotations

import enum
from collections.abc import Callable

from discoreport.errors import SettingsError
from discoreport.form.model.approver_questions import Questions
from discoreport.form.model.change_history import Changes, Snapshot
from discoreport.form.model.draft_settings import Draft
from discoreport.form.model.runs import Runs
from discoreport.form.model.statements import Statements
from discoreport.form.model.viewers import LOOKING, Viewer


class Change(enum.Enum):
    """What has changed."""

    FILES = enum.auto()
    SETTINGS = enum.auto()
    STATEMENTS = enum.auto()
    RUN = enum.auto()
    QUESTIONS = enum.auto()
    WRITTEN = enum.auto()
    ALL = enum.auto()


Listener = Callable[[Change], None]


class Sitting:
    """What people choose and say, and the figures that were made of it."""

    def __init__(self) -> None:
        self.draft = Draft()
        self.statements = Statements(lambda: self.tell(Change.STATEMENTS))
        self.questions = Questions(lambda: self.tell(Change.QUESTIONS))
        self.runs = Runs()
        self.by = ""
        self.viewer: Viewer = ""
        self._prepared_by = ""
        self._listeners: list[Listener] = []
        self.changes = Changes()
        self.changes.begin(self._snapshot())

    def save_by_itself(self) -> None:
        """Save, once there is anything to save."""
        raise NotImplementedError

    def listen(self, listener: Listener) -> None:
        """Have a function called with what has changed."""
        self._listeners.append(listener)

    def tell(self, change: Change) -> None:
        """Note what has changed, save, and tell everybody."""
        self.changes.note(self._snapshot(), self.who)
        self.save_by_itself()
        for listener in self._listeners:
            listener(change)

    @property
    def who(self) -> str:
        """Who is at work, and as what, as far as they have said so."""
        return " as ".join(filter(None, (self.by, self.viewer)))

    def open_as(self, viewer: Viewer) -> None:
        """Have the form opened by somebody else, who has not said their name yet and takes nothing of others back."""
        if viewer != self.viewer:
            self._prepared_by = self.by if self.viewer not in LOOKING else self._prepared_by
            self.viewer, self.by = viewer, "" if viewer in LOOKING else self._prepared_by
            self.changes.begin(self._snapshot())
            self.tell(Change.ALL)

    def undo(self) -> None:
        """Take the last change back."""
        if self.changes.undoes:
            self._put_back(self.changes.undo(self.who))

    def redo(self) -> None:
        """Do again what was taken back last."""
        if self.changes.redoes:
            self._put_back(self.changes.redo(self.who))

    def _snapshot(self) -> Snapshot:
        said = self.statements
        decided = said.decided_on, said.decided_for, said.elsewhere
        asked = {name: options for name, options in self.questions.options.items() if options}
        return Snapshot(self.draft, said.documentation, said.policy, *decided, asked)

    def _put_back(self, then: Snapshot) -> None:
        """Put a state back, with its figures where they are at hand."""
        self.draft, said = then.draft, self.statements
        said.documentation, said.policy = then.documentation, then.policy
        said.decided_on, said.decided_for, said.elsewhere = then.decided_on, then.decided_for, then.elsewhere
        self.questions.options = {name: dict(options) for name, options in then.asked.items()}
        if self.runs.current is not None and self.stale and not self.problem:
            known = self.runs.of(self.draft.settings())
            if known is not None:
                self.runs.enter(known, kept=False)
        self.tell(Change.ALL)

    @property
    def problem(self) -> str:
        """What is wrong with the settings as they are; "" where nothing is."""
        try:
            self.draft.settings()
        except SettingsError as error:
            return str(error)
        return ""

    @property
    def stale(self) -> bool:
        """Whether the figures are not those of the settings as they are now."""
        current = self.runs.current
        return current is None or bool(self.problem) or self.draft.settings() != current.settings
