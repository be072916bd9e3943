"""What a form keeps on disk: paths, settings, answers, words, never data; and how it saves itself."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from discoreport.assessment.record import json_object, read_bytes, whole
from discoreport.assessment.release.documentation import Decision, Documentation, Run
from discoreport.assessment.release.policy import Policy, default_policy
from discoreport.assessment.settings import Settings
from discoreport.errors import DiscoReportError, RecordError, writing
from discoreport.files import write_file
from discoreport.form.model.draft_settings import Draft
from discoreport.report.both_editions import EditionName

VERSION: Literal[1] = 1
ENDING = ".form.json"
DEFAULT_OUT = "disclosure-report"
"""Folder of the report where none is named."""


class Decided(BaseModel):
    """A decision and signatures on figures that the form doesn't show at the moment.

    Parameters
    ----------
    settings
        Of the figures; None where they were of other files.
    decision
        With the signatures.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    settings: Settings | None = None
    decision: Decision


class Saved(BaseModel):
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
    decided_on
        The settings of the figures that decision and signatures are on.
    elsewhere
        Earlier decisions and signatures on other figures.
    asked
        What is asked next: by analysis the options that are chosen. Answers are not kept: they can be asked for again.
    written
        Files that the form has written, and may write again.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    elsewhere: tuple[Decided, ...] = ()
    asked: dict[str, dict[str, JsonValue]] = {}
    written: tuple[str, ...] = ()


def beside(out: str | Path, ending: str) -> Path:
    """Name a file beside the folder of the bundle, which holds nothing but the bundle, and called like it."""
    folder = Path(out)
    return folder.with_name(folder.name + ending)


def autosave_of(out: str | Path) -> Path:
    """Name the file that a form saves itself in."""
    return beside(out, ENDING)


def write_saved(path: str | Path, saved: Saved) -> Path:
    """Write a form; a write that fails leaves the earlier file.

    Raises
    ------
    OutputError
        Where it can't be written.
    """
    path, content = Path(path), (saved.model_dump_json(indent=1) + "\n").encode("utf-8")
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


def set_aside(path: Path) -> Path:
    """Rename a saved form that is not to be written over; gives its new place."""
    stem = path.name.removesuffix(ENDING)
    number = 1
    while (other := path.with_name(f"{stem}.earlier-{number}{ENDING}")).exists():
        number += 1
    with writing(other):
        path.replace(other)
    return other


class Autosave:
    """Where the form has saved itself: `at`, None before the first time; `problem` says why it could not.

    Parameters
    ----------
    out
        Folder of the report. Where an earlier form lies in the place that goes with it, that one is `offered`, and
        nothing is saved before somebody has gone on with it, or begun anew.
    """

    def __init__(self, out: str | Path = "") -> None:
        place = autosave_of(out).absolute() if out else None
        self.offered = place if place and place.is_file() else None
        self.at: Path | None = None
        self.problem = ""
        self._ours: set[Path] = set()
        self._lock = threading.Lock()

    def write(self, saved: Saved) -> None:
        """Save; a file of another form in that place is set aside."""
        if self.offered is not None:
            return
        path = autosave_of(saved.out).absolute()
        with self._lock:
            try:
                if path not in self._ours and path.exists():
                    set_aside(path)
                write_saved(path, saved)
            except DiscoReportError as error:
                self.problem = str(error)
                return
            self._ours.add(path)
            self.at, self.problem = path, ""

    def begin_anew(self) -> None:
        """Leave the form that was offered where it is; it is set aside once this one saves itself."""
        self.offered = None

    def adopt(self, path: str | Path, out: str) -> None:
        """Go on writing to a file that was taken up, where it lies in the form's place; else set aside what lies there.

        What this form had saved in its place before is another form from now on.
        """
        self.offered = None
        place = autosave_of(out).absolute()
        self._ours = {place} if Path(path).absolute() == place else set()

    def part(self) -> None:
        """Keep what was saved last: the next time it is set aside, not written over."""
        self._ours.clear()
