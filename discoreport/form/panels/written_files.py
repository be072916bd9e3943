"""What was written: a short list, and each report to open or to download, by whoever sits far from the kernel, too."""

from __future__ import annotations

from html import escape
from pathlib import Path

import ipywidgets as w

from discoreport.assessment.formatting import counted
from discoreport.assessment.record import RECORDS
from discoreport.errors import OutputError
from discoreport.files import data_address
from discoreport.form.model.state import FormState
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.html import page

_TYPES = {".pdf": "application/pdf", ".html": "text/html", ".json": "application/json", ".txt": "text/plain"}
"""Endings of files that can be opened, and what they are; other files of a bundle are only counted."""
_LARGEST = 20_000_000
"""Bytes that are sent to the page."""


class WrittenFiles:
    """Lists what the form has written and what is still there.

    Parameters
    ----------
    state
        What the form knows.
    """

    def __init__(self, state: FormState) -> None:
        self.state = state
        self._rows: dict[Path, tuple[w.Widget, w.HTML]] = {}
        self.message = c.Message()
        self.delivery = c.html()
        self.list = c.box()
        self.rest = c.html("", "d-second")
        self.view = c.box(self.list, self.rest, self.message, self.delivery)

    def show(self) -> None:
        """List what is there now."""
        there = sorted(path.absolute() for path in self.state.written if path.exists())
        shown = [path for path in there if path.suffix in _TYPES and "checksums" not in path.parts]
        for path in shown:
            if path not in self._rows:
                self._rows[path] = self._row(path)
            self._rows[path][1].value = page(
                "written", path=path, kilobytes=path.stat().st_size / 1000, changed=self.state.changed_since(path)
            )
        views = tuple(self._rows[path][0] for path in shown)
        if tuple(self.list.children) != views:
            self.list.children = views
            self.delivery.value = ""  # what was sent doesn't stay in the page
        n_more = len(there) - len(shown)
        folders = dict.fromkeys(str(path.parent) for path in there if path not in shown)
        more = f"And {counted(n_more, 'file')} more, tables and figures, in {', '.join(folders)}." if n_more else ""
        self.rest.value = escape(more)

    def _row(self, path: Path) -> tuple[w.Widget, w.HTML]:
        words = c.html()
        name = path.name
        open_it = c.button("Open", f"Open {name} in a new tab", lambda: self._deliver(path, opened=True))
        download = c.button("Download", f"Save {name} where the browser keeps files", lambda: self._deliver(path))
        return c.box(words, open_it, download, kind="row"), words

    def _deliver(self, path: Path, *, opened: bool = False) -> None:
        with self.message.telling():
            try:
                size = path.stat().st_size
                content = path.read_bytes() if size <= _LARGEST else b""
            except OSError as error:
                raise OutputError(f"Can't read '{path}': {error.strerror}.") from None
            if not content:
                raise OutputError(f"'{path.name}' has {size / 1e6:,.0f} MB: open it in its folder, {path.parent}.")
            self.delivery.value = page(
                "delivery",
                name=self.download_name(path),
                address=data_address(_TYPES[path.suffix], content),
                kind=_TYPES[path.suffix],
                opened=opened,
            )

    def download_name(self, path: Path) -> str:
        """Name a file for where it goes alone: those of bundles, which are called alike, with their edition."""
        stem = Path(self.state.out).name
        if path.stem.startswith(stem):
            return path.name
        edition = "external" if (path.parent / RECORDS["external"]).exists() else "internal"
        return f"{stem}-{edition}-{path.name}"
