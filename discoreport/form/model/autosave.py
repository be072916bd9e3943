"""A form saves itself beside the folder of its report, and never writes over another form."""

from __future__ import annotations

import threading
from pathlib import Path

from discoreport.errors import DiscoReportError
from discoreport.form.model.saved_form import Saved, autosave_of, set_aside, write_saved


class Autosave:
    """Where the form has saved itself: `at`, None before the first time; `problem` says why it could not."""

    def __init__(self) -> None:
        self.at: Path | None = None
        self.problem = ""
        self._ours: set[Path] = set()
        self._lock = threading.Lock()

    def write(self, saved: Saved) -> None:
        """Save; a file of another form in that place is set aside."""
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

    def adopt(self, path: str | Path, out: str) -> None:
        """Go on writing to a file that was taken up, where it lies in the form's place."""
        if Path(path).absolute() == autosave_of(out).absolute():
            self._ours.add(Path(path).absolute())

    def earlier(self, out: str) -> Path | None:
        """Find the file of an earlier form in the place where this one would save itself."""
        path = autosave_of(out).absolute()
        return path if path not in self._ours and path.is_file() else None
