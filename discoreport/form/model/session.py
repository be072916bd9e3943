"""What people choose and say at a form, taken back and done again, and the runs made of it; listeners are told."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Sequence
from typing import Any

from discoreport.assessment.assess import assess_files
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.progress import Progress
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.release.policy import default_policy
from discoreport.assessment.settings import CaseOf, Exclusion, Settings
from discoreport.errors import DataError, DiscoReportError, SettingsError
from discoreport.form.model.approver_questions import Answer, Questions
from discoreport.form.model.change_history import Changes, Snapshot
from discoreport.form.model.draft_settings import Draft
from discoreport.form.model.exclusions import require_sound
from discoreport.form.model.file_choice import Choice
from discoreport.form.model.headline_figures import KeyFigures, count_keys
from discoreport.form.model.open_files import OpenFiles
from discoreport.form.model.runs import Runs
from discoreport.form.model.statements import Statements
from discoreport.form.model.viewers import LOOKING, Viewer

LIVE = 1.5
"""Seconds: where a run takes no longer, figures follow each change by themselves."""


class Change(enum.Enum):
    """What has changed."""

    FILES = enum.auto()
    SETTINGS = enum.auto()
    STATEMENTS = enum.auto()
    RUN = enum.auto()
    QUESTIONS = enum.auto()
    WRITTEN = enum.auto()
    ALL = enum.auto()


class Session:
    """What people choose and say, and the figures that were made of it.

    Parameters
    ----------
    choice
        Which files it is about.
    """

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.draft = Draft()
        self.statements = Statements(lambda: self.tell(Change.STATEMENTS))
        self.questions = Questions(lambda: self.tell(Change.QUESTIONS))
        self.runs = Runs()
        self.by = ""
        self.viewer: Viewer = ""
        self._prepared_by = ""
        self._listeners: list[Callable[[Change], None]] = []
        self.key_figures: KeyFigures | None = None
        self._key_figures_of: object = None
        self.seconds = 0.0
        """How long the last run took."""
        self.given: tuple[str, ...] = ()
        """The files that the form was opened with."""
        self._as_read = Draft()
        self._said: tuple[tuple[object, ...], Assessment] | None = None
        self._consequences: tuple[Assessment, dict[tuple[CaseOf, ...], Assessment]] | None = None
        self.changes = Changes()
        self.changes.begin(self._snapshot())

    def save_by_itself(self) -> None:
        """Save, once there is anything to save."""
        raise NotImplementedError

    def listen(self, listener: Callable[[Change], None]) -> None:
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

    # Files ---------------------------------------------------------------------------------------

    def choose(self, original: str, synthetic: Sequence[str]) -> None:
        """Choose the files by path or name; `Choice.open` reads them, `take` puts them in place."""
        self.choice.choose(original, synthetic)
        self.save_by_itself()

    def take(self, files: OpenFiles) -> None:
        """Put opened files in place. Settings stay as far as their variables are still there."""
        before, now = self.choice.fingerprints, tuple(table.sha256 for table in files.tables)
        self.statements.use_files(now)
        self.choice.put(files)
        self.runs.current = None
        usable = {name: facts for name, facts in files.facts.items() if not facts.problem}
        untouched = self.untouched
        self.draft = self.draft.among(list(usable), [name for name, facts in usable.items() if facts.n_levels])
        if untouched:
            self._as_read = self.draft
        if before != now or None in now:
            self.changes.begin(self._snapshot())  # what there was before was of other files
        self.tell(Change.FILES)

    @property
    def files(self) -> OpenFiles | None:
        """The open files; None before the first ones were read."""
        return self.choice.opened

    @property
    def untouched(self) -> bool:
        """Whether the files that the form was opened with were read, and nothing was said."""
        said, nothing = self.statements, Documentation()
        words = (said.documentation, said.elsewhere, said.policy) == (nothing, (), default_policy()) and not self.by
        chosen = self.choice.texts != self.given or self.draft not in (Draft(), self._as_read)
        return words and not (chosen or self.runs.entries or self.questions.options)

    # Settings ------------------------------------------------------------------------------------

    def change(self, **values: Any) -> None:
        """Change settings by name; see `Draft`."""
        self._put(self.draft.model_copy(update=values))

    def set_role(self, name: str, role: str) -> None:
        """Make a variable a "key", a "target", or neither ("")."""
        self._put(self.draft.with_role(name, role, list(self.files.facts) if self.files else []))

    def _put(self, draft: Draft) -> None:
        if draft != self.draft:
            if draft.unit is not None:
                self.questions.leave_out(draft.unit)
            self.draft = draft
            self.tell(Change.SETTINGS)

    def count_keys(self) -> None:
        """Count the keys alone, which is quick, where files or settings have changed since.

        `key_figures` has the figures then; None where there are no keys, or where they can't be counted.
        """
        if self._key_figures_of == (self.files, self.draft):
            return
        self._key_figures_of, self.key_figures = (self.files, self.draft), None
        if self.files is not None and self.draft.keys:
            with contextlib.suppress(DiscoReportError):  # the step Settings says what is wrong
                self.key_figures = count_keys(self.files, self.draft.settings())

    # Runs ----------------------------------------------------------------------------------------

    def compute(self, progress: Progress | None = None, settings: Settings | None = None) -> Assessment:
        """Assess the files with the settings as they are; `accept` puts the result in place.

        Raises
        ------
        SettingsError, DataError
            As `assess`.
        """
        return assess_files(self.choice.require(), settings or self.draft.settings(), progress=progress)

    def accept(self, assessment: Assessment, *, kept: bool = True) -> None:
        """Put a result in place, and enter it into the history.

        Parameters
        ----------
        assessment
            From `compute`.
        kept
            False for a run that only followed a change: the next one takes its place in the history.
        """
        self.runs.enter(assessment, kept=kept)
        self.tell(Change.RUN)

    @property
    def follows(self) -> bool:
        """Whether runs are so quick that figures follow each change by themselves."""
        return self.seconds < LIVE

    def return_to(self, place: int) -> None:
        """Take up the settings of an earlier run, and its figures where they are at hand."""
        entry = self.runs.entries[place]
        self.runs.keep()
        self.draft = Draft.of(entry.run.settings, self.draft)
        if entry.assessment is None:
            self.tell(Change.SETTINGS)
        else:
            self.accept(entry.assessment)

    def of_run(self, place: int, progress: Progress | None = None) -> Assessment:
        """Give the figures of an earlier run, computed again where they are not at hand; `Runs.complete` keeps them."""
        entry = self.runs.entries[place]
        return self.compute(progress, entry.run.settings) if entry.assessment is None else entry.assessment

    @property
    def assessment(self) -> Assessment | None:
        """The latest result with all that was said of it; None before the first run."""
        current, parts = self.runs.current, self.parts
        if current is None:
            return None
        if self._said is None or list(map(id, self._said[0])) != list(map(id, parts)):
            said = self.statements.add_to(current, self.runs.earlier)
            self._said = parts, self.questions.add_to(said)
        return self._said[1]

    @property
    def parts(self) -> tuple[object, ...]:
        """Give what the latest result with all that was said is made of; while none is another, it is the same."""
        said = self.statements
        return (
            self.runs.current, said.documentation, said.policy, said.decided_on, said.decided_for, said.files,
            said.elsewhere, *self.runs.earlier, *self.questions.answers.values(),
        )  # fmt: skip

    def ready(self) -> Assessment:
        """Give the assessment to report or to decide on.

        Raises
        ------
        SettingsError
            Where there is none, or its figures are not those of the settings as they are.
        """
        assessment = self.assessment
        if assessment is None:
            raise SettingsError("There are no figures yet. Run the assessment in the step Results.")
        if self.stale:
            raise SettingsError("The settings have changed since the figures were made. Run the assessment again.")
        return assessment

    # Further questions ---------------------------------------------------------------------------

    def ask(self, name: str, progress: Progress | None = None) -> Answer:
        """Run an analysis on the figures as they are; `Questions.enter` puts its answer in place.

        Raises
        ------
        SettingsError, DataError
            Where the figures are not those of the settings; and as the analysis.
        """
        return self.questions.ask(name, self.ready(), self.choice.sources, self.choice.source, progress)

    # Exclusions ----------------------------------------------------------------------------------

    def exclude(self, *rules: Exclusion) -> None:
        """Leave levels out, all of them or none.

        Raises
        ------
        SettingsError
            Where it has no reason, no name of who decided it, or a level that no file has; or is excluded already.
        """
        for rule in rules:
            require_sound(rule, self.choice.require(), self.draft.settings())
            before = self.draft.exclusion_of(rule.case)
            if before is not None:
                raise SettingsError(f"It is excluded already, by {before.by or 'somebody'}. Undo that first.")
        self.runs.keep()
        draft = self.draft
        for rule in rules:
            draft = draft.with_exclusion(rule)
        self._put(draft)

    def include(self, *cases: CaseOf) -> None:
        """Take exclusions back."""
        self.runs.keep()
        draft = self.draft
        for case in cases:
            draft = draft.without_exclusion(case)
        self._put(draft)

    def consequence(self, rules: Sequence[Exclusion]) -> tuple[Assessment, Assessment]:
        """Work out, once, what exclusions of one target would do to it: as it is, and with them."""
        current = self.runs.current
        if current is None:
            raise DataError("There is no result yet.")
        if self._consequences is None or self._consequences[0] is not current:
            self._consequences = current, {}
        now, known = current.for_targets([rules[0].target]), self._consequences[1]
        cases = tuple(rule.case for rule in rules)
        if cases not in known:
            further = now.settings.model_copy(update={"exclude": (*now.settings.exclude, *rules)})
            known[cases] = self.compute(settings=further)
        return now, known[cases]
