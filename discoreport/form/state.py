"""What a form knows, without widgets: files, settings, words, runs. Every step is a view of this one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discoreport.assessment import documenting
from discoreport.assessment.assess import assess_files
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.documentation import Answer, Decision, Documentation, Run
from discoreport.assessment.evaluating import measure_keys
from discoreport.assessment.policy import Policy, default_policy, read_policy
from discoreport.assessment.preparing import missing_keys_of, prepare
from discoreport.assessment.repeat import python_lines
from discoreport.assessment.results import ClassSize, Flag, Result
from discoreport.assessment.settings import CaseOf, Exclusion, Settings
from discoreport.errors import DataError, DiscoReportError, SettingsError
from discoreport.form.draft import Draft
from discoreport.form.files import HeldFiles, Progress
from discoreport.form.saving import DEFAULT_OUT, Saved, autosave_of, read_saved, set_aside, write_saved
from discoreport.measures.exclusions import Rules
from discoreport.report.edition import EditionName

LIVE = 1.5
"""Seconds: where a run takes no longer, figures follow each change by themselves."""

Listener = Callable[[str], None]


@dataclass(frozen=True)
class KeyFigures:
    """What the keys alone show: distinct combinations in the original, and the identity measures of each file."""

    n_combinations: int
    n_original: int
    results: tuple[Result, ...]


@dataclass(frozen=True)
class Entry:
    """One run in the history; the assessment is None where the run is known from a saved form only."""

    run: Run
    assessment: Assessment | None
    kept: bool


class FormState:
    """The model behind the form.

    Parameters
    ----------
    out
        Folder of the report.
    names
        Gives the names of the notebook, so that frames can be chosen by theirs.
    """

    def __init__(self, out: str | Path = DEFAULT_OUT, names: Callable[[], Mapping[str, Any]] = dict) -> None:
        self.original = ""
        self.synthetic: tuple[str, ...] = ()
        self.given: dict[str, object] = {}
        self.names = names
        self.files: HeldFiles | None = None
        self.draft = Draft()
        self.documentation = Documentation()
        self.policy: Policy = default_policy()
        self.current: Assessment | None = None
        self.entries: list[Entry] = []
        self.out = str(out)
        self.edition: EditionName = "internal"
        self.by = ""
        self.step = 0
        self.seconds = 0.0
        self.written: list[Path] = []
        self.saved_at: Path | None = None
        self.not_saved = ""
        self.decided_on: Settings | None = None
        self._expected: tuple[str | None, ...] = ()
        self._ours: set[Path] = set()
        self._listeners: list[Listener] = []
        self._said: tuple[object, Assessment] | None = None
        self._consequences: dict[CaseOf, Assessment] = {}

    # Who listens ---------------------------------------------------------------------------------

    def listen(self, listener: Listener) -> None:
        """Have a function called with what has changed: "files", "settings", "words", "run" or "written"."""
        self._listeners.append(listener)

    def tell(self, what: str) -> None:
        """Save, and tell everybody that something has changed."""
        self.save_by_itself()
        for listener in self._listeners:
            listener(what)

    # Files ---------------------------------------------------------------------------------------

    def give(self, name: str, source: object) -> str:
        """Hold a frame or an uploaded table under a name by which it can be chosen; gives the name."""
        self.given[name] = source
        return name

    def choose(self, original: str, synthetic: Sequence[str]) -> None:
        """Choose the files by path or name; `open` reads them."""
        self.original, self.synthetic = original, tuple(synthetic)
        self.save_by_itself()

    def source(self, text: str) -> object:
        """Find what a text in a field of files means: an upload or frame of this name, or a path.

        Raises
        ------
        DataError
            Where it is empty, or names an upload that is gone.
        """
        if not text.strip():
            raise DataError("Choose the original and at least one synthetic file.")
        if text in self.given:
            return self.given[text]
        names = self.names()
        if text in names:
            return names[text]
        if text.startswith(UPLOADED):
            raise DataError(f"'{text.removeprefix(UPLOADED)}' was uploaded, and uploads are not kept. Upload it again.")
        return Path(text.strip()).expanduser()

    def open(self, progress: Progress | None = None) -> HeldFiles:
        """Open the chosen files; `take` puts them in place.

        Raises
        ------
        DataError
            Where one can't be read.
        """
        if not self.synthetic:
            raise DataError("Choose the original and at least one synthetic file.")
        original, *synthetic = (self.source(text) for text in (self.original, *self.synthetic))
        return HeldFiles.open(original, synthetic, progress)

    def take(self, files: HeldFiles) -> None:
        """Put opened files in place. Settings stay as far as their variables are still there."""
        before, now = self.fingerprints, tuple(table.sha256 for table in files.tables)
        if before != now or None in now:
            self.decided_on = None
        if self.files is not None:
            self.files.close()
        self.files = files
        self.current, self._consequences = None, {}
        usable = [name for name, facts in files.facts.items() if not facts.problem]
        draft = self.draft
        if not draft.keys and not draft.targets:
            draft = draft.model_copy(update={"targets": tuple(usable)})
        self.draft = draft.model_copy(
            update={
                "keys": tuple(name for name in draft.keys if name in usable),
                "targets": tuple(name for name in draft.targets if name in usable),
            }
        )
        self.tell("files")

    @property
    def fingerprints(self) -> tuple[str | None, ...]:
        """SHA-256 of the open files."""
        return tuple(table.sha256 for table in self.files.tables) if self.files else self._expected

    @property
    def other_files(self) -> tuple[str, ...]:
        """The files that are not the ones the form was saved with, by name."""
        if self.files is None or len(self._expected) != len(self.files.tables):
            return ()
        pairs = zip(self._expected, self.files.tables, strict=True)
        return tuple(table.name for known, table in pairs if known and known != table.sha256)

    # Settings ------------------------------------------------------------------------------------

    def change(self, **values: Any) -> None:
        """Change settings by name; see `Draft`."""
        changed = self.draft.model_copy(update=values)
        if changed != self.draft:
            self.draft = changed
            self.tell("settings")

    def set_role(self, name: str, role: str) -> None:
        """Make a variable a "key", a "target", or neither ("")."""
        changed = self.draft.with_role(name, role, list(self.files.facts) if self.files else [])
        if changed != self.draft:
            self.draft = changed
            self.tell("settings")

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
        if self.current is None or self.problem:
            return True
        return self.draft.settings() != self.current.settings

    def key_figures(self) -> KeyFigures:
        """Count the keys alone, which is quick.

        Raises
        ------
        SettingsError, DataError
            Where the settings or a key won't do.
        """
        files, settings = self._held(), self.draft.settings()
        keys = [prepare(files.code(name), files.tables, settings).variable for name in settings.keys]
        rules = Rules(missing_keys=missing_keys_of(keys, settings))
        found = measure_keys(files.count(keys).of_keys(), rules)
        sizes: tuple[ClassSize, ...] = found[0][1]
        n_combinations = sum(one.n_classes for one in sizes if one.table == "original")
        return KeyFigures(n_combinations, files.tables[0].n_records, tuple(result for result, _ in found))

    def _held(self) -> HeldFiles:
        if self.files is None:
            raise DataError("Read the files first, in the step Data.")
        return self.files

    # Runs ----------------------------------------------------------------------------------------

    def compute(self, progress: Progress | None = None, settings: Settings | None = None) -> Assessment:
        """Assess the files with the settings as they are; `accept` puts the result in place.

        Raises
        ------
        SettingsError, DataError
            As `assess`.
        """
        return assess_files(self._held(), settings or self.draft.settings(), progress=progress)

    def accept(self, assessment: Assessment, *, kept: bool = True) -> None:
        """Put a result in place, and enter it into the history.

        Parameters
        ----------
        assessment
            From `compute`.
        kept
            False for a run that only followed a change: the next one takes its place in the history.
        """
        self.current, self._consequences = assessment, {}
        if self.entries and not self.entries[-1].kept:
            self.entries.pop()
        entry = Entry(documenting.run_of(assessment), assessment, kept)
        if self.entries and self.entries[-1].run.settings == assessment.settings:
            entry = Entry(entry.run, assessment, True)
            self.entries.pop()
        self.entries.append(entry)
        self.tell("run")

    def keep(self) -> None:
        """Keep the latest run in the history, whatever comes after it."""
        if self.entries:
            last = self.entries[-1]
            self.entries[-1] = Entry(last.run, last.assessment, True)

    def return_to(self, place: int) -> None:
        """Take up the settings of an earlier run, and its figures where they are at hand."""
        entry = self.entries[place]
        self.keep()
        self.draft = Draft.of(entry.run.settings, self.draft)
        if entry.assessment is None:
            self.tell("settings")
        else:
            self.accept(entry.assessment)

    def of_run(self, place: int) -> Assessment:
        """Give the figures of an earlier run, computed again where they are not at hand."""
        entry = self.entries[place]
        if entry.assessment is None:
            entry = Entry(entry.run, self.compute(settings=entry.run.settings), entry.kept)
            self.entries[place] = entry
        return entry.assessment or self.compute(settings=entry.run.settings)

    @property
    def assessment(self) -> Assessment | None:
        """The latest result with all that was said of it; None before the first run."""
        if self.current is None:
            return None
        cause = (id(self.current), self.decided_on, self.documentation, self.policy, len(self.entries))
        if self._said is None or self._said[0] != cause:
            self._said = (cause, self.with_words(self.current))
        return self._said[1]

    def with_words(self, assessment: Assessment) -> Assessment:
        """Add to an assessment policy, words and history, as far as they concern its variables."""
        items = {entry.item for entry in self.policy.checklist}
        said = documenting.fitting(self.documentation, assessment)
        if assessment.settings != self.decided_on:
            status = "draft" if said.status == "decided" else said.status
            said = said.model_copy(update={"decision": Decision(), "status": status})
        runs = [entry.run for entry in self.entries if entry.kept and entry.assessment is not self.current]
        said = said.model_copy(
            update={
                "checklist": tuple(entry for entry in said.checklist if entry.item in items),
                "history": (*said.history, *runs),
            }
        )
        return assessment.with_policy(self.policy).with_documentation(said)

    # Flags and exclusions ------------------------------------------------------------------------

    @property
    def flags(self) -> tuple[Flag, ...]:
        """The flags of the latest run, those first that its exclusions have not dealt with; then the others."""
        if self.current is None:
            return ()
        now = self.current.outcome.flags
        cases = {flag.case for flag in now}
        before = (self.current.outcome_without_exclusions or self.current.outcome).flags
        return (*now, *(flag for flag in before if flag.case not in cases))

    def excluded(self, case: CaseOf) -> Exclusion | None:
        """Give the exclusion of a case; None where there is none."""
        return next((rule for rule in self.draft.exclude if rule.case == case), None)

    def answer(self, answer: Answer) -> None:
        """Enter the answer to a flag in place of an earlier one; one that says nothing is taken out."""
        others = tuple(one for one in self.documentation.answers if one.case != answer.case)
        says = answer.prior_knowledge is not None or answer.reason.strip() or answer.action.strip()
        self.say(answers=(*others, answer) if says else others)

    def exclude(self, rule: Exclusion) -> None:
        """Leave a level out.

        Raises
        ------
        SettingsError
            Where it has no reason, or no name of who decided it.
        """
        if not rule.reason.strip():
            raise SettingsError("An exclusion needs a reason: what makes this common knowledge?")
        if not rule.by.strip():
            raise SettingsError("An exclusion needs a name: who decides it? Enter yours above.")
        self._known_level(rule.target, rule.level)
        if rule.key is not None:
            self._known_level(rule.key, rule.key_level)
        self.keep()
        others = tuple(one for one in self.draft.exclude if one.case != rule.case)
        self.change(exclude=(*others, rule))

    def _known_level(self, name: str, level: str | None) -> None:
        """Find out whether a level exists, so that a slip of the pen is told where it was made."""
        files = self._held()
        grouped = prepare(files.code(name), files.tables, self.draft.settings()).variable
        try:
            grouped.code_of(level)
        except KeyError:
            what = f"no level '{level}'" if level is not None else "no missing values"
            hint = grouped.suggest(level) if level is not None else ""
            raise SettingsError(f"'{name}' has {what} in any file. {hint}".strip()) from None

    def include(self, case: CaseOf) -> None:
        """Take an exclusion back."""
        self.keep()
        self.change(exclude=tuple(rule for rule in self.draft.exclude if rule.case != case))

    def consequence(self, flag: Flag) -> tuple[Assessment, Assessment]:
        """Work out what excluding a flagged level would do to its target.

        Returns
        -------
        Assessment, Assessment
            Of that target alone: as it is, and with the exclusion.
        """
        if self.current is None:
            raise DataError("There is no result yet.")
        now = self.current.for_targets([flag.target])
        if flag.case not in self._consequences:
            rule = flag.exclusion(reason="")
            further = now.settings.model_copy(update={"exclude": (*now.settings.exclude, rule)})
            self._consequences[flag.case] = self.compute(settings=further)
        return now, self._consequences[flag.case]

    # Words ---------------------------------------------------------------------------------------

    def say(self, **values: Any) -> None:
        """Change parts of the documentation by name."""
        changed = self.documentation.model_copy(update=values)
        if changed != self.documentation:
            self.documentation = changed
            self.tell("words")

    @property
    def decision(self) -> Decision:
        """Decision and signatures on the figures as they are; those on other figures stay with those."""
        holds = self.decided_on is not None and not self.stale and self.draft.settings() == self.decided_on
        return self.documentation.decision if holds else Decision()

    @property
    def decided_elsewhere(self) -> bool:
        """Whether there are a decision or signatures on other figures than the present ones."""
        return self.documentation.decision.filled and not self.decision.filled

    def decide(self, **values: Any) -> None:
        """Change decision and signatures; they are on the figures as they are.

        Raises
        ------
        SettingsError
            Where there are no figures, or not those of the settings.
        """
        changed = self.decision.model_copy(update=values)
        self.decided_on = self.ready().settings
        self.say(decision=changed)

    def say_in(self, section: str, **values: Any) -> None:
        """Change fields of one section of the documentation."""
        self.say(**{section: getattr(self.documentation, section).model_copy(update=values)})

    def reason(self, role: str, name: str, why: str) -> None:
        """Say why a variable is a key ("keys"), a target ("targets"), or was rejected as a key ("rejected")."""
        reasons = {**getattr(self.documentation.scenario, role), name: why.strip()}
        self.say_in("scenario", **{role: {one: text for one, text in reasons.items() if text}})

    def use_policy(self, path: str) -> None:
        """Read a policy file, or go back to the one that comes with discoreport where `path` is empty.

        Raises
        ------
        SettingsError
            Where it can't be read.
        """
        self.policy = read_policy(path) if path.strip() else default_policy()
        self.tell("words")

    # The report ----------------------------------------------------------------------------------

    def set_out(self, out: str) -> None:
        """Say where the report goes."""
        if not out.strip():
            raise SettingsError("Say where the report goes: a folder.")
        self.out = out.strip()
        self.tell("written")

    def ready(self) -> Assessment:
        """Give the assessment to report.

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

    def wrote(self, *paths: Path) -> None:
        """Note files that were written."""
        self.keep()
        self.written = [*(path for path in self.written if path not in paths), *paths]
        self.tell("written")

    def code(self) -> str:
        """Write the Python lines that do the same.

        Raises
        ------
        SettingsError
            Before the first run.
        """
        if self.current is None:
            raise SettingsError("There are no figures yet: run the assessment first.")
        lines = python_lines(self.current).replace(" import ", " import Report, ", 1)
        said = ""
        if self.documentation != Documentation() or self.policy != default_policy():
            lines = lines.replace("\n", "\nfrom discoreport.form import words_of\n", 1)
            said = f"assessment = words_of({str(self.saved_at or self.autosave)!r}, assessment)\n"
        if any(source.path is None for source in (self.current.original, *self.current.synthetic)):
            lines = "# original, synthetic_1, ... are data frames.\n" + lines
        target = str(Path(self.out, "report.pdf"))
        return f"{lines}{said}Report(assessment, edition={self.edition!r}).write({target!r})\n"

    # Saving --------------------------------------------------------------------------------------

    def saved(self) -> Saved:
        """Give what is kept on disk."""
        return Saved(
            original=self.original,
            synthetic=self.synthetic,
            fingerprints=self.fingerprints,
            draft=self.draft,
            documentation=self.documentation,
            policy=self.policy,
            out=self.out,
            edition=self.edition,
            by=self.by,
            step=self.step,
            runs=tuple(entry.run for entry in self.entries),
            decided_on=self.decided_on,
        )

    def save(self, path: str | Path) -> Path:
        """Write settings and words to a file; see `Saved`.

        Raises
        ------
        OutputError
            Where it can't be written.
        """
        return write_saved(path, self.saved())

    @property
    def autosave(self) -> Path:
        """Where the form saves itself."""
        return autosave_of(self.out)

    def save_by_itself(self) -> None:
        """Save beside the report's folder; a file of another form there is set aside, never written over."""
        path = self.autosave.absolute()
        if self.original == "" and self.draft == Draft() and self.documentation == Documentation():
            return
        try:
            if path not in self._ours and path.exists():
                set_aside(path)
            self.save(path)
        except DiscoReportError as error:
            self.not_saved = str(error)
            return
        self._ours.add(path)
        self.saved_at, self.not_saved = path, ""

    @property
    def earlier(self) -> Path | None:
        """The file of an earlier form in the place where this one would save itself; None where there is none."""
        path = self.autosave.absolute()
        return path if path not in self._ours and path.is_file() else None

    def restore(self, path: str | Path) -> None:
        """Take up a saved form; its files still have to be opened.

        Raises
        ------
        RecordError
            Where it can't be read.
        """
        saved = read_saved(path)
        self.original, self.synthetic = saved.original, saved.synthetic
        self._expected, self.decided_on = saved.fingerprints, saved.decided_on
        self.draft, self.documentation, self.policy = saved.draft, saved.documentation, saved.policy
        self.out, self.edition, self.by, self.step = saved.out or self.out, saved.edition, saved.by, saved.step
        self.entries = [Entry(run, None, True) for run in saved.runs]
        self.current = None
        if Path(path).absolute() == self.autosave.absolute():
            self._ours.add(self.autosave.absolute())
        self.tell("files")


UPLOADED = "upload: "
"""How the name of an upload begins in a field of files."""


def words_of(path: str | Path, assessment: Assessment) -> Assessment:
    """Add to an assessment what was said of it in a form.

    Parameters
    ----------
    path
        The file in which the form saved itself.
    assessment
        Made with the settings of the form.

    Raises
    ------
    RecordError
        Where the file can't be read.
    """
    state = FormState()
    saved = read_saved(path)
    state.documentation, state.policy, state.decided_on = saved.documentation, saved.policy, saved.decided_on
    state.entries = [Entry(run, None, True) for run in saved.runs if run.settings != assessment.settings]
    return state.with_words(assessment)
