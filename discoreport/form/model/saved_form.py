"""What a form keeps on disk (paths, settings, answers, words, never data), and the forms that lie there."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, JsonValue

from discoreport.assessment.formatting import counted
from discoreport.assessment.frozen_model import FrozenModel
from discoreport.assessment.record import json_object, read_bytes, whole
from discoreport.assessment.release.documentation import Decision, Documentation, Run
from discoreport.assessment.release.policy import Policy, default_policy
from discoreport.assessment.settings import Settings
from discoreport.errors import RecordError
from discoreport.files import write_file
from discoreport.form.model.draft_settings import Draft
from discoreport.report.both_editions import EditionName

VERSION: Literal[1] = 1
ENDING = ".form.json"
DEFAULT_OUT = "disclosure-report"
"""Folder of the report where none is named."""


class Decided(FrozenModel):
    """A decision and signatures on figures that the form doesn't show at the moment.

    Parameters
    ----------
    settings
        Of the figures; None where they were of other files that nobody knows any more.
    decision
        With the signatures.
    files
        SHA-256 of the files of the figures; empty where nobody has said, in forms of earlier versions.
    """

    settings: Settings | None = None
    decision: Decision
    files: tuple[str | None, ...] = ()


class Held(FrozenModel):
    """Which form is at work on a file.

    Parameters
    ----------
    computer, process
        Where it runs.
    form
        Tells the forms of one process apart.
    """

    computer: str = ""
    process: int = 0
    form: str = ""


class Made(FrozenModel):
    """One change: when (UTC), by whom, and what.

    Parameters
    ----------
    at, by
        When and who, as far as they have said so; with the role that they have opened the form in.
    what
        In words.
    """

    at: datetime.datetime
    by: str = ""
    what: str


class Saved(FrozenModel):
    """A form as it is saved.

    Parameters
    ----------
    form_version
        Of this layout.
    original, synthetic
        Paths, or what a frame or an upload was called.
    fingerprints
        SHA-256 of the files in the same order, None for a frame; shows whether they are still the same.
    draft, documentation, policy
        Settings, words, and what the organisation lays down.
    out, edition, by, step
        Where the report goes, which one, who is at work, and the name of the step that was open.
    runs
        Earlier runs.
    decided_on, decided_for
        The settings of the figures that decision and signatures are on, and the fingerprints of their files.
    elsewhere
        Earlier decisions and signatures on other figures.
    asked
        What is asked next: by analysis the options that are chosen. Answers are not kept: they can be asked for again.
    written
        Files that the form has written, and may write again.
    untouched
        Whether it was opened with its files, and nothing was chosen or said in it.
    held
        The form that saved it last.
    made
        What was changed, by whom and when.
    """

    form_version: Literal[1] = VERSION
    original: str = ""
    synthetic: tuple[str, ...] = ()
    fingerprints: tuple[str | None, ...] = ()
    draft: Draft = Draft()
    documentation: Documentation = Documentation()
    policy: Policy = Field(default_factory=default_policy)
    out: str = ""
    edition: EditionName = "internal"
    by: str = ""
    step: str = ""
    runs: tuple[Run, ...] = ()
    decided_on: Settings | None = None
    decided_for: tuple[str | None, ...] = ()
    elsewhere: tuple[Decided, ...] = ()
    asked: dict[str, dict[str, JsonValue]] = Field({})
    written: tuple[str, ...] = ()
    untouched: bool = False
    held: Held | None = None
    made: tuple[Made, ...] = ()


def beside(out: str | Path, ending: str) -> Path:
    """Name a file beside the folder of the bundle, which holds nothing but the bundle, and called like it."""
    folder = Path(out)
    return folder.with_name(folder.name + ending)


def autosave_of(out: str | Path) -> Path:
    """Name the file that a form saves itself in."""
    return beside(out, ENDING)


def content_of(saved: Saved) -> bytes:
    """Give what stands in the file of a saved form."""
    return (saved.model_dump_json(indent=1) + "\n").encode("utf-8")


def write_saved(path: str | Path, saved: Saved) -> Path:
    """Write a form; a write that fails leaves the earlier file.

    Raises
    ------
    OutputError
        Where it can't be written.
    """
    path, content = Path(path), content_of(saved)
    if path.is_file() and path.read_bytes() == content:
        return path  # its date says when it was last changed
    return write_file(path, content)


def read_saved(path: str | Path) -> Saved:
    """Read a form that was saved.

    Raises
    ------
    RecordError
        Where there is no such file, or it isn't a form.
    """
    path = Path(path)
    content = json_object(read_bytes(path), str(path), "a saved form")
    version = content.get("form_version")
    if isinstance(version, int) and version > VERSION:
        raise RecordError(f"'{path}' has form version {version}; this discoreport reads up to {VERSION}.")
    if version is None:
        raise RecordError(f"'{path}' isn't a saved form. A form saves itself in a file that ends in '{ENDING}'.")
    return whole(Saved, content, str(path), "form")


@dataclass(frozen=True)
class SavedForm:
    """A form on disk.

    Parameters
    ----------
    path
        Its file.
    changed
        When it was saved last, local time.
    saved
        What is in it; None where it can't be read.
    """

    path: Path
    changed: datetime.datetime
    saved: Saved | None

    @property
    def when(self) -> str:
        """The date, to the minute."""
        return self.changed.strftime("%Y-%m-%d %H:%M")

    @property
    def contents(self) -> str:
        """What is in it, in words: files, roles, answers, runs, decision."""
        saved = self.saved
        if saved is None:
            return "it can't be read"
        said, draft = saved.documentation, saved.draft
        counts = (
            (len(draft.keys), "key"), (len(draft.targets), "target"), (len(draft.exclude), "exclusion"),
            (len({**said.scenario.keys, **said.scenario.targets}), "reason"), (len(said.answers), "answer"),
            (len(said.checklist), "item of the checklist", "items of the checklist"), (len(saved.runs), "run"),
            (sum(bool(one.name) for one in said.decision.sign_offs), "signature"),
        )  # fmt: skip
        files = [Path(text).name for text in (saved.original, *saved.synthetic) if text]
        decided = [f"decision: {said.decision.decision}"] if said.decision.decision else []
        return ", ".join([*files, *(counted(n, *words) for n, *words in counts if n), *decided]) or "nothing yet"

    def is_of(self, original: str, synthetic: Sequence[str]) -> bool:
        """Tell whether it is about these files, by path or name."""
        if self.saved is None:
            return False
        then, now = (self.saved.original, *self.saved.synthetic), (original, *synthetic)
        return [Path(one).expanduser().absolute() for one in then] == [Path(one).expanduser().absolute() for one in now]


def saved_form(path: Path) -> SavedForm:
    """Look into the file of a saved form."""
    try:
        saved = read_saved(path)
    except RecordError:
        saved = None
    return SavedForm(path, datetime.datetime.fromtimestamp(path.stat().st_mtime), saved)  # local time


def saved_forms(out: str | Path) -> tuple[SavedForm, ...]:
    """List the forms that are saved beside the folder of a report, those set aside too; the latest first."""
    folder = autosave_of(out).absolute().parent
    found = [saved_form(path) for path in folder.glob(f"*{ENDING}") if path.is_file()]
    return tuple(sorted(found, key=lambda one: one.changed, reverse=True))
