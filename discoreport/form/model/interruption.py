"""Work in a thread that can be ended from outside between any two steps of Python, as Ctrl-C ends a program."""

from __future__ import annotations

import ctypes
import shutil
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Done = TypeVar("Done")
_WHOLE = ("<frozen importlib", shutil.__file__)
"""Files of code that is let come to its end, for half of it would be left behind: imports, and folders cleared away."""
_BEGIN = threading.Thread.start.__code__
"""Until the thread that it begins is under way, what is raised in the one at work may be raised in that one instead:
both have one number, and the one at work waits for the other for ever."""


class Cancelled(BaseException):
    """Raised inside work whose result nobody wants any more; no error, so that nothing takes it for one."""


class Interruptible:
    """Calls a function; another thread may end it.

    A library that is at work outside Python is ended once it comes back.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: int | None = None

    def call(self, function: Callable[[], Done]) -> Done:
        """Call a function.

        Raises
        ------
        Cancelled
            Where `interrupt` was called meanwhile.
        """
        try:
            try:
                with self._lock:
                    self._thread = threading.get_ident()
                return function()
            finally:
                self._leave()
        except Cancelled:
            self._leave()  # which is not done yet where it was interrupted itself
            raise

    def interrupt(self) -> None:
        """End the function as soon as Python is at its next step, where one is being called that can be ended now."""
        with self._lock:
            if self._thread is not None and not _is_at_whole(self._thread):
                _raise_in(self._thread, Cancelled)

    def _leave(self) -> None:
        with self._lock:
            self._thread = None
            _raise_in(threading.get_ident(), None)  # what was to be raised and isn't yet would end something else


def _is_at_whole(thread: int) -> bool:
    """Tell whether a thread is in code that is let come to its end."""
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_code.co_filename.startswith(_WHOLE):
            return True
        if frame.f_code is _BEGIN and frame.f_locals["self"].ident is None:
            return True
        frame = frame.f_back
    return False


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Have an exception raised in a thread; None: the one that waits to be raised isn't."""
    raised = ctypes.py_object() if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
