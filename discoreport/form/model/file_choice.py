"""Which files a form is about (each a path, a frame of the notebook, or an upload, named by a text); the open ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from discoreport.assessment.formatting import listed
from discoreport.assessment.progress import Progress
from discoreport.data.readers.source_file import File, source_of
from discoreport.errors import DataError
from discoreport.form.model.open_files import OpenFiles

UPLOADED = "upload: "
"""How the name of an upload begins in a field of files."""

LARGEST_UPLOAD = 10
"""MB that a notebook server takes in one message unless it is told otherwise: it drops what is larger in silence."""


def pasted(text: str) -> str:
    """Take spaces and a pair of quotes off a path, which file managers put around what they copy.

    Examples
    --------
    >>> pasted(' "/data/my survey.csv" ')
    '/data/my survey.csv'
    """
    text = text.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1].strip() if quoted else text


class Choice:
    """The files that were chosen, what their names mean, and the files that figures are of: those that were read last.

    Parameters
    ----------
    names
        Gives the names of the notebook, so that frames can be chosen by theirs.
    largest_upload
        MB that the server takes as an upload.
    """

    def __init__(self, names: Callable[[], Mapping[str, Any]] = dict, largest_upload: int = LARGEST_UPLOAD) -> None:
        self.largest_upload = largest_upload
        self.original = ""
        self.synthetic: tuple[str, ...] = ()
        self.names = names
        self._given: dict[str, object] = {}
        self.opened: OpenFiles | None = None
        self.expected: tuple[str | None, ...] = ()
        """SHA-256 of the files that the form was saved with."""

    @property
    def made(self) -> bool:
        """Whether any file was chosen."""
        return bool(self.original or self.synthetic)

    @property
    def texts(self) -> tuple[str, ...]:
        """The original and the synthetic files, by path or name."""
        return tuple(text for text in (self.original, *self.synthetic) if text)

    def _mark(self) -> tuple[tuple[str, int], ...]:
        """Tell what is chosen from what is chosen at another time: other names, or another table of the same name."""
        names = self.names()
        return tuple((text, id(self._given.get(text, names.get(text)))) for text in self.texts)

    def give(self, name: str, source: object) -> str:
        """Hold a frame or an uploaded table under a name by which it can be chosen; gives the name."""
        self._given[name] = source
        return name

    def choose(self, original: str, synthetic: Sequence[str]) -> None:
        """Choose the files by path or name."""
        self.original, self.synthetic = original, tuple(synthetic)

    def is_held(self, text: str) -> bool:
        """Tell whether a text names an upload, or a frame, rather than a file."""
        return text in self._given or text in self.names() or text.startswith(UPLOADED)

    def source(self, text: str) -> object:
        """Find what a text in a field of files means: an upload or frame of this name, or a path.

        Raises
        ------
        DataError
            Where it is empty, or names an upload that is gone.
        """
        if not text.strip():
            raise DataError("Choose the original and at least one synthetic file.")
        if text in self._given:
            return self._given[text]
        names = self.names()
        if text in names:
            return names[text]
        if text.startswith(UPLOADED):
            raise DataError(f"'{text.removeprefix(UPLOADED)}' was uploaded, and uploads are not kept. Upload it again.")
        source = source_of(text.strip())
        if isinstance(source, File):
            return replace(source, path=Path(source.path).expanduser())
        return Path(text.strip()).expanduser()

    def open(self, progress: Progress | None = None) -> OpenFiles:
        """Open the chosen files.

        Raises
        ------
        DataError
            Where one can't be read.
        """
        chosen = self._mark()
        original, *synthetic = (self.source(text) for text in (self.original, *(self.synthetic or ("",))))
        files = OpenFiles.open(original, synthetic, progress)
        files.chosen, files.sources = chosen, (original, *synthetic)
        return files

    def put(self, files: OpenFiles | None) -> None:
        """Put opened files, or none, in the place of those before."""
        if self.opened is not None:
            self.opened.close()
        self.opened = files

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
    def opened_names(self) -> tuple[str, ...]:
        """What the open files are called, the original first."""
        return tuple(table.name for table in self.opened.tables) if self.opened else ()

    @property
    def told_apart(self) -> str:
        """Say which files the figures are of, where others are chosen by now; "" where they are the same."""
        if not self.opened or not self.unread:
            return ""
        return f"These figures are of {listed(self.opened_names, 5)}. Not read yet: {listed(self.unread, 5)}."

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
        now = self._mark()
        if now == known:
            return ()
        new = [text for text, mark in zip(self.texts, now, strict=True) if mark not in known]
        gone = [str(mark[0]) for mark in known if mark not in now]
        return tuple(Path(text).name or text for text in new or gone or self.texts)

    @property
    def sources(self) -> Sequence[object]:
        """The original and the synthetic files, for what counts in memory."""
        files = self.require()
        return files.tables if files.engine == "memory" else files.sources
