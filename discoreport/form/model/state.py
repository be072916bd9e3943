"""What a form knows, without widgets: files, settings, statements, runs. Every panel is a view of this one object."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from discoreport.assessment.release import documentation_file
from discoreport.assessment.release.documentation import Decision, Documentation
from discoreport.assessment.release.documentation_file import read_documentation
from discoreport.assessment.release.policy import default_policy
from discoreport.errors import SettingsError
from discoreport.files import sha256_of
from discoreport.form.model.autosave import Autosave
from discoreport.form.model.draft_settings import Draft
from discoreport.form.model.file_choice import Choice
from discoreport.form.model.report_files import lines_of
from discoreport.form.model.runs import Entry
from discoreport.form.model.saved_form import DEFAULT_OUT, Saved, autosave_of, read_saved, write_saved
from discoreport.form.model.session import Change, Session
from discoreport.form.model.viewers import LOOKING
from discoreport.report.both_editions import EditionName

__all__ = ["Change", "FormState"]


class FormState(Session):
    """The model behind the form.

    Parameters
    ----------
    out
        Folder of the report.
    choice
        Which files it is about.
    """

    def __init__(self, out: str | Path = DEFAULT_OUT, choice: Choice | None = None) -> None:
        super().__init__(choice or Choice())
        self.autosave = Autosave(out)
        self.out = str(out)
        self.edition: EditionName = "internal"
        self.panel = ""
        self.written: list[Path] = []
        self._written_of: dict[Path, tuple[object, ...]] = {}

    # The decision and the report -----------------------------------------------------------------

    @property
    def decision(self) -> Decision:
        """Decision and signatures on the figures as they are; those on other figures stay with those."""
        return self.statements.decision_on(None if self.stale else self.draft.settings())

    @property
    def decided_elsewhere(self) -> bool:
        """Whether there are a decision or signatures on other figures than the present ones."""
        said = self.statements
        return (said.documentation.decision.filled or bool(said.elsewhere)) and not self.decision.filled

    def decide(self, **values: Any) -> None:
        """Change decision and signatures; they are on the figures as they are.

        Raises
        ------
        SettingsError
            Where there are no figures, or not those of the settings.
        """
        self.statements.decide(self.ready(), **values)

    def sign_again(self, place: int) -> None:
        """Put a signature on the figures and words as they are now."""
        entries = list(self.decision.sign_offs)
        entries[place] = entries[place].model_copy(update={"state": self.ready().state})
        self.decide(sign_offs=tuple(entries))

    def read_documentation(self, path: str) -> None:
        """Take up a documentation file; what it leaves out stays as it is.

        A decision or a signature in it is on what it says itself; nobody has signed the present figures by a file.

        Raises
        ------
        SettingsError
            Where it can't be read, or names what these figures don't have, or where there are no figures yet.
        """
        assessment, before, in_file = self.ready(), self.statements.documentation, read_documentation(path)
        documentation_file.check(assessment, in_file)
        said = documentation_file.added(before.model_copy(update={"decision": self.decision}), in_file)
        self.statements.say(**{**dict(said), "decision": before.decision})
        self.statements.put(assessment, said.decision)

    def set_out(self, out: str) -> None:
        """Say where the report goes."""
        if not out.strip():
            raise SettingsError("Say where the report goes: a folder.")
        self.out = out.strip()
        self.tell(Change.WRITTEN)

    def wrote(self, *paths: Path, of: tuple[object, ...]) -> None:
        """Note files that were written, and of which parts; see `parts`."""
        self.runs.keep()
        self._written_of |= dict.fromkeys((path.absolute() for path in paths), of)
        self.written = [*(path for path in self.written if path not in paths), *paths]
        self.tell(Change.WRITTEN)

    def has_written(self, path: Path) -> bool:
        """Tell whether a file is one of this form's own."""
        return path.absolute() in (one.absolute() for one in self.written)

    def changed_since(self, path: Path) -> bool:
        """Tell whether anything is known to have changed since a file was written."""
        of = self._written_of.get(path.absolute())
        return of is not None and (self.stale or list(map(id, of)) != list(map(id, self.parts)))

    def code(self) -> str:
        """Write the Python lines that do the same.

        Raises
        ------
        SettingsError
            Before the first run.
        """
        current = self.runs.current
        if current is None:
            raise SettingsError("There are no figures yet: run the assessment first.")
        said = self.statements.documentation != Documentation() or self.statements.policy != default_policy()
        saved = (self.autosave.at or autosave_of(self.out)) if said else None
        return lines_of(self.questions.add_to(current), saved=saved, out=self.out, edition=self.edition)

    # Saving --------------------------------------------------------------------------------------

    def saved(self) -> Saved:
        """Give what is kept on disk."""
        return Saved(
            original=self.choice.original,
            synthetic=self.choice.synthetic,
            fingerprints=self.choice.fingerprints,
            draft=self.draft,
            documentation=self.statements.documentation,
            policy=self.statements.policy,
            out=self.out,
            edition=self.edition,
            by=self._prepared_by if self.viewer in LOOKING else self.by,
            step=self.panel,
            runs=tuple(entry.run for entry in self.runs.entries),
            decided_on=self.statements.decided_on,
            decided_for=self.statements.decided_for,
            elsewhere=self.statements.elsewhere,
            asked=self.questions.options,
            written=tuple(str(path.absolute()) for path in self.written),
            untouched=self.untouched,
            made=tuple(self.changes.made),
        )

    def save(self, path: str | Path) -> Path:
        """Write settings and words to a file; see `Saved`.

        Raises
        ------
        OutputError
            Where it can't be written.
        """
        return write_saved(path, self.saved())

    def save_by_itself(self) -> None:
        """Save beside the report's folder, once there is anything to save."""
        if self.choice.original or self.draft != Draft() or self.statements.documentation != Documentation():
            self.autosave.write(self.saved())

    def take_over(self) -> None:
        """Save in the place where another form has saved itself; what it has saved is kept under another name."""
        self.autosave.take_over(self.saved())
        self.tell(Change.WRITTEN)

    def restore(self, path: str | Path, *, look_on: bool = False) -> None:
        """Take up a saved form; its files still have to be opened.

        Parameters
        ----------
        path
            Of the form.
        look_on
            Whether its file is left to the form that is at work on it.

        Raises
        ------
        RecordError
            Where it can't be read.
        """
        saved, content = read_saved(path), sha256_of(Path(path))
        self.choice.choose(saved.original, saved.synthetic)
        self.choice.put(None)
        self.choice.expected = saved.fingerprints
        self.draft = saved.draft
        self._as_read = saved.draft if saved.untouched else Draft()
        self.statements.take(saved)
        self.questions.options, self.questions.answers = dict(saved.asked), {}
        self.out, self.edition, self.by, self.panel = saved.out or self.out, saved.edition, saved.by, saved.step
        if self.viewer in LOOKING:
            self._prepared_by, self.by = self.by, ""
        self.written = [Path(path) for path in saved.written]
        self.runs.current, self.runs.entries = None, [Entry(run) for run in saved.runs]
        self.changes.made = list(saved.made)
        self.changes.begin(self._snapshot())
        if look_on:
            self.autosave.look_on(Path(path).absolute(), self.saved())
        else:
            self.autosave.adopt(path, content, self.out)
        self.tell(Change.FILES)
