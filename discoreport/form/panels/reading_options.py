"""How a file is read, where it doesn't say so itself: asked for one file at a time, and only where wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from discoreport.data.readers.source_file import READ_AS, File, path_of, takes
from discoreport.errors import SettingsError
from discoreport.form.widgets import controls as c


class Reading:
    """The choice of a file, and its fields.

    Parameters
    ----------
    changed
        Called with the text that names a file now, and the one that is to.
    told
        Wraps what is done with a value, so that errors are told.
    """

    def __init__(self, changed: Callable[[str, str], object], told: Callable[[Any], Any]) -> None:
        self._changed, self._filling = changed, c.Filling()
        tip = "Choose a file to say how it is read, where that isn't found out: encoding, sheet, rows to skip"
        self.file = c.choice("How a file is read", tip, [("–", "")], "")
        c.on_change(self.file, told(lambda _: self._show()))
        self.fields = {
            name: c.text(name.replace("_", " ").capitalize(), f"{words[:1].upper()}{words[1:]}", kind="narrow")
            for name, words in READ_AS.items()
        }
        for name, field in self.fields.items():
            c.on_change(field, told(partial(self._set, name)))
        self._row = c.box(*self.fields.values(), kind="row")
        self.view = c.box(self.file, self._row)
        self.offer([])

    def offer(self, texts: list[str]) -> None:
        """Offer the chosen files by the texts that name them."""
        kept = [text for text in dict.fromkeys(texts) if _named(text)]
        options = [("–", ""), *((_named(text), text) for text in kept)]
        with self._filling:
            if list(self.file.options) != options:
                now = self.file.value
                self.file.options = options
                self.file.value = now if now in kept else ""
        self.file.layout.display = "" if kept else "none"
        self._show()

    def _show(self) -> None:
        text = self.file.value
        read_as = File.parse(text).read_as if text else {}
        with self._filling:
            for name, field in self.fields.items():
                field.value = str(read_as.get(name, ""))
                field.layout.display = "" if text and takes(text, name) else "none"
        self._row.layout.display = "" if text else "none"

    def _set(self, name: str, value: str) -> None:
        text = self.file.value
        if self._filling.now or not text:
            return
        file = File.parse(text)
        read_as = {other: said for other, said in file.read_as.items() if other != name}
        whole = name in ("sheet", "skip_rows") and value.isascii() and value.isdigit()
        said = {name: int(value) if whole else value} if value else {}
        after = str(File.of({"path": file.path, **read_as, **said}))
        with self._filling:
            self.file.options = [(label, after if one == text else one) for label, one in self.file.options]
            self.file.value = after
        self._changed(text, after)


def _named(text: str) -> str:
    """Give the path of a text that names a file of a kind for which something can be said; else nothing."""
    try:
        path = path_of(text)
    except SettingsError:
        return ""
    return str(path) if any(takes(text, name) for name in READ_AS) else ""
