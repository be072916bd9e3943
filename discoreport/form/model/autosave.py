"""How a form saves itself, and what it does where another form is at work in the same place: neither loses anything."""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import threading
import uuid
import weakref
from pathlib import Path

from discoreport.errors import DiscoReportError, RecordError, writing
from discoreport.files import sha256_of
from discoreport.form.model.saved_form import ENDING, Held, Saved, autosave_of, content_of, read_saved, write_saved

_here: weakref.WeakValueDictionary[str, Autosave] = weakref.WeakValueDictionary()
"""The forms of this process that are still there."""


class Autosave:
    """Where a form saves itself.

    A form writes over nothing but what it has written or read itself. Where its file holds something else, another
    form has saved there meanwhile: this one goes on in a file of its own beside it, until somebody decides. That needs
    no lock that a crash would leave behind or a network drive would not keep.

    Parameters
    ----------
    out
        Folder of the report. Where an earlier form lies in the place that goes with it, that one is `offered`, and
        nothing is saved before somebody has gone on with it, or begun anew.
    """

    def __init__(self, out: str | Path = "") -> None:
        self.form = uuid.uuid4().hex
        _here[self.form] = self
        place = autosave_of(out).absolute() if out else None
        self.offered = place if place and place.is_file() and is_worth_offering(place) else None
        self.at: Path | None = None
        """Where it has saved itself; None before the first time."""
        self.problem = ""
        """Why it could not."""
        self.taken: Path | None = None
        """Its place, where another form has saved itself there; it is beside it then."""
        self._left: dict[Path, str] = {}  # what this form has last seen of files that it may write over: SHA-256
        self._beside: Path | None = None
        self._read: bytes | None = None
        self._lock = threading.Lock()

    @property
    def held(self) -> Held:
        """Say which form it is, for its file."""
        return Held(computer=socket.gethostname(), process=os.getpid(), form=self.form)

    def write(self, saved: Saved) -> None:
        """Save; a file of another form in that place is set aside, or left alone where that form is still at work."""
        if self.offered is not None:
            return
        place = autosave_of(saved.out).absolute()
        with self._lock:
            try:
                if self.taken is not None and place != self.taken:
                    self.taken = None
                if self.taken is None:
                    self._make_room(place)
                if self.taken is not None:
                    if _said(saved) == self._read:
                        return  # nothing was changed here since it looked on
                    place = self._beside = self._beside or _free(place, "other")
                    self._read = None
                ours = saved.model_copy(update={"held": self.held})
                write_saved(place, ours)
                self._left[place] = hashlib.sha256(content_of(ours)).hexdigest()
            except (DiscoReportError, OSError) as error:
                self.problem = str(error)
                return
            self.at, self.problem = place, ""

    def _make_room(self, place: Path) -> None:
        if not place.exists():
            return
        if place not in self._left:
            if is_worth_offering(place):
                with writing(place):
                    place.replace(_free(place, "earlier"))
        elif self._left[place] != sha256_of(place):
            self.taken = place

    def adopt(self, path: str | Path, content: str, out: str) -> None:
        """Go on writing to a file that was taken up, where it lies in the form's place; else set aside what lies there.

        What this form had saved in its place before is another form from now on.

        Parameters
        ----------
        path
            The file.
        content
            SHA-256 of what was taken up.
        out
            Folder of the report.
        """
        self.offered = self.taken = self._beside = None
        place = autosave_of(out).absolute()
        self._left = {place: content} if Path(path).absolute() == place else {}

    def look_on(self, place: Path, saved: Saved) -> None:
        """Leave a file to the form that is at work on it; what is changed here is saved beside it.

        Parameters
        ----------
        place
            The file.
        saved
            What was taken up from it, as this form would save it.
        """
        self.offered, self.taken, self._beside, self._read, self._left = None, place, None, _said(saved), {}

    def take_over(self, saved: Saved) -> None:
        """Save in the place where another form is; what that one has saved is set aside, and it will be told."""
        beside, self.taken, self._beside, self._left = self._beside, None, None, {}
        self.write(saved)
        if beside is not None and not self.problem:
            with contextlib.suppress(OSError):
                beside.unlink()  # the same is in its place now


def _free(path: Path, what: str) -> Path:
    """Name a file beside a saved form that isn't there yet."""
    stem, number = path.name.removesuffix(ENDING), 1
    while (other := path.with_name(f"{stem}.{what}-{number}{ENDING}")).exists():
        number += 1
    return other


def is_worth_offering(path: Path) -> bool:
    """Tell whether anything was said in a saved form, or another program has it open; one that can't be read counts."""
    try:
        saved = read_saved(path)
    except RecordError:
        return True
    elsewhere = saved.held is not None and not _is_of_this_process(saved.held) and is_open(saved.held) is True
    return not saved.untouched or elsewhere


def is_open(held: Held | None) -> bool | None:
    """Tell whether a form is still there; None where that can't be told from here."""
    if held is None:
        return False
    if held.computer != socket.gethostname():
        return None
    if held.process == os.getpid():
        return held.form in _here
    if os.name != "posix":  # elsewhere the question might end the process
        return None
    try:
        os.kill(held.process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


def where_open(held: Held | None) -> str:
    """Say where a form is open besides; "" where it is not."""
    known = is_open(held)
    if held is None or known is False:
        return ""
    if known is None:
        return f"It was last saved on {held.computer or 'another computer'}, and may be open there"
    return "It is open in this notebook already" if _is_of_this_process(held) else "It is open in another window"


def _said(saved: Saved) -> bytes:
    """Give what is in a form, whichever step is open."""
    return content_of(saved.model_copy(update={"step": "", "held": None}))


def _is_of_this_process(held: Held) -> bool:
    return held.process == os.getpid() and held.computer == socket.gethostname()
