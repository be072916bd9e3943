"""Choosing a file from a list of what is in a folder, beside the field that takes its path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from discoreport.errors import SettingsError
from discoreport.form.model.file_choice import pasted
from discoreport.form.model.open_files import listed
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.fold import Fold

UP = ".. (folder above)"


class FileList:
    """Folders and files of some kinds, to go through.

    Parameters
    ----------
    endings
        Of the files that are listed.
    further
        Gives further entries, listed first.
    """

    def __init__(self, endings: Sequence[str], further: Callable[[], Sequence[str]] = tuple) -> None:
        self._endings, self._further, self._filling = tuple(endings), further, c.Filling()
        self._folder = Path.cwd()
        self.message = c.Message()
        self.where = c.text("Folder", "Whose files are listed below", str(self._folder))
        c.on_change(self.where, self._filling.told(self.go_to, self.message))
        self.listed = c.pick("Files and tables", "Data files in the folder, and tables in this notebook", rows=7)
        self.open_folder = c.button("Open folder", "List the chosen folder", self._open)
        self.list()

    def list(self) -> None:
        """List the folder."""
        folders, files = listed(self._folder, self._endings)
        above = [UP] if self._folder.parent != self._folder else []
        self.listed.options = [*self._further(), *files, *(name + "/" for name in folders), *above]
        with self._filling:
            self.where.value = str(self._folder)

    def go_to(self, folder: str) -> None:
        """List another folder.

        Raises
        ------
        DataError
            Where it can't be read.
        """
        path = Path(pasted(folder)).expanduser()
        listed(path, self._endings)
        self._folder = path.resolve()
        self.list()

    def _open(self) -> None:
        with self.message.telling():
            chosen = self.listed.value
            if not chosen or (chosen != UP and not chosen.endswith("/")):
                raise SettingsError("Choose a folder in the list first; folders end in a slash.")
            self.go_to(str(self._folder.parent if chosen == UP else self._folder / chosen))

    def chosen(self) -> str:
        """Give the entry that is chosen: a path, or a further entry as it is.

        Raises
        ------
        SettingsError
            Where none is, or a folder.
        """
        chosen = self.listed.value
        if not chosen or chosen == UP or chosen.endswith("/"):
            raise SettingsError("Choose a file in the list first.")
        if chosen in self._further():
            return str(chosen)
        path = self._folder / chosen
        return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


class FileChooser:
    """A list under a field, folded away, from which the field can be filled.

    Parameters
    ----------
    field
        Takes the path; its label names the list, too.
    endings
        Of the files that are listed.
    put
        Puts the path into the field; by default in the place of what is in it.
    """

    def __init__(self, field: Any, endings: Sequence[str], put: Callable[[str], object] | None = None) -> None:
        self._field, self._endings, self._put = field, endings, put or partial(setattr, field, "value")
        self.fold = Fold(f"files for '{field.description}'", self._build)
        self.view = c.box(field, self.fold.view, kind="chooser")

    def _build(self) -> Any:
        self.files = FileList(self._endings)
        self.take = c.button("Take this file", f"Put its path into the field '{self._field.description}'", self._take)
        return c.box(
            self.files.where, self.files.listed, c.box(self.files.open_folder, self.take, kind="row"),
            self.files.message,
        )  # fmt: skip

    def _take(self) -> None:
        with self.files.message.telling():
            self._put(self.files.chosen())
