"""The files that are open in a form, what they were called when they were read, and what is chosen by now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from discoreport.assessment.formatting import listed
from discoreport.errors import DataError
from discoreport.form.model.file_choice import Choice
from discoreport.form.model.open_files import OpenFiles


class HeldFiles:
    """The files that figures are of: those that were read last, whole, whatever has been chosen since.

    Parameters
    ----------
    choice
        Which files are chosen.
    """

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.opened: OpenFiles | None = None
        self.expected: tuple[str | None, ...] = ()
        """SHA-256 of the files that the form was saved with."""

    def put(self, files: OpenFiles) -> None:
        """Put opened files in the place of those before."""
        if self.opened is not None:
            self.opened.close()
        self.opened = files

    def drop(self, expected: tuple[str | None, ...]) -> None:
        """Let go of the open files: others are to be read, and it is known what they were."""
        if self.opened is not None:
            self.opened.close()
        self.opened, self.expected = None, expected

    def require(self) -> OpenFiles:
        """Give the open files.

        Raises
        ------
        DataError
            Where there are none.
        """
        if self.opened is None:
            raise DataError("Read the files first, in the step Data.")
        return self.opened

    @property
    def fingerprints(self) -> tuple[str | None, ...]:
        """SHA-256 of the open files."""
        return tuple(table.sha256 for table in self.opened.tables) if self.opened else self.expected

    @property
    def names(self) -> tuple[str, ...]:
        """What the open files are called, the original first."""
        return tuple(table.name for table in self.opened.tables) if self.opened else ()

    @property
    def told_apart(self) -> str:
        """Say which files the figures are of, where others are chosen by now; "" where they are the same."""
        if not self.opened or not self.unread:
            return ""
        return f"These figures are of {listed(self.names, 5)}. Not read yet: {listed(self.unread, 5)}."

    @property
    def others(self) -> tuple[str, ...]:
        """The files that are not the ones the form was saved with, by name."""
        if self.opened is None or len(self.expected) != len(self.opened.tables):
            return ()
        pairs = zip(self.expected, self.opened.tables, strict=True)
        return tuple(table.name for known, table in pairs if known and known != table.sha256)

    @property
    def unread(self) -> tuple[str, ...]:
        """The chosen files that have not been read, by name; those that were taken out of the choice, too."""
        known = self.opened.chosen if self.opened else ()
        now = self.choice.mark()
        if now == known:
            return ()
        new = [text for text, mark in zip(self.choice.texts, now, strict=True) if mark not in known]
        gone = [str(mark[0]) for mark in known if mark not in now]
        return tuple(Path(text).name or text for text in new or gone or self.choice.texts)

    @property
    def sources(self) -> Sequence[object]:
        """The original and the synthetic files, for what counts in memory."""
        files = self.require()
        return files.tables if files.engine == "memory" else files.sources
