"""Work beside the form: it can be watched and cancelled, and the latest request wins."""

from __future__ import annotations

import asyncio
import ctypes
import shutil
import sys
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from discoreport.assessment.progress import Progress

Done = TypeVar("Done")
LONG = 0.5
"""Seconds after which progress is shown."""
AGAIN = 0.25
"""Seconds after which work that was given up is told so again: some code loses what is raised in it."""
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


class Request(Generic[Done]):
    """One piece of work, and what becomes of its result.

    Parameters
    ----------
    work
        Called with a progress function. In a thread it can be ended at any time: `Cancelled` is raised in it.
    then
        Called with the result.
    otherwise
        Called with the exception that the work ended in; with `Cancelled` where it was given up.
    whole
        Whether work that has begun is let come to its end, and its result dropped where nobody wants it any more.
    """

    def __init__(
        self,
        work: Callable[[Progress], Done],
        then: Callable[[Done], None],
        otherwise: Callable[[BaseException], None],
        *,
        whole: bool = False,
    ) -> None:
        self.work, self.then, self.otherwise = work, then, otherwise
        self.unwanted = threading.Event()
        self.reached = (0, 1, "working")
        self.loop: asyncio.AbstractEventLoop | None = None
        self._whole, self._doing = whole, Interruptible()

    def do(self, progress: Progress) -> tuple[Done | None, BaseException | None]:
        """Do it; gives the result, or the exception that it ended in."""
        try:
            return self._doing.call(lambda: self.work(progress)), None
        except BaseException as error:  # noqa: BLE001  # handed over to whoever asked, in the thread that asked
            return None, error

    def give_up(self) -> None:
        """Let it end as soon as it can."""
        self.unwanted.set()
        if self.loop is not None and not self._whole:
            self._doing.interrupt()


class Worker:
    """Does one thing at a time, in a thread where a notebook's event loop runs, else at once.

    A notebook may ask from several threads: cells and clicks need not come in the same one.

    Parameters
    ----------
    show
        Called with steps done, steps in all and what comes next once the work has taken `LONG`
        seconds, and with None when it ends.
    changed
        Called whenever it gets busy or idle.
    """

    def __init__(
        self,
        show: Callable[[tuple[int, int, str] | None], None],
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._show, self._changed = show, changed
        self._lock = threading.Lock()
        self._current: Request[object] | None = None
        self._next: Request[object] | None = None

    @property
    def busy(self) -> bool:
        """Whether anything is being done."""
        return self._current is not None

    @staticmethod
    def beside() -> bool:
        """Tell whether there is an event loop to work beside; else work is done at once."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return False
        return True

    def start(self, request: Request[object]) -> None:
        """Begin with a request; one that is under way is given up for it."""
        with self._lock:
            current = self._current
            if current is not None:
                self._next = request
                self._give_up(current)
                return
            self._current = request
        self._begin(request)

    def cancel(self) -> None:
        """Give up what is under way."""
        with self._lock:
            self._next = None
            if self._current is not None:
                self._give_up(self._current)

    def _give_up(self, request: Request[object]) -> None:
        """Have a request end, and look after it until it has."""
        request.give_up()
        if request.loop is not None:
            request.loop.call_soon_threadsafe(self._look_after, request)

    def _look_after(self, request: Request[object]) -> None:
        def again() -> None:
            if request is self._current:
                request.give_up()
                self._look_after(request)

        asyncio.get_running_loop().call_later(AGAIN, again)

    def _begin(self, request: Request[object]) -> None:
        self._changed()
        if not self.beside():
            self._end(request, *self._do(request, None))
            return
        loop = request.loop = asyncio.get_running_loop()
        loop.call_later(LONG, lambda: self._tell(request, request.reached))
        threading.Thread(target=lambda: self._in_thread(request, loop), daemon=True).start()

    def _in_thread(self, request: Request[object], loop: asyncio.AbstractEventLoop) -> None:
        result, error = self._do(request, loop)
        loop.call_soon_threadsafe(lambda: self._end(request, result, error))

    def _do(
        self, request: Request[object], loop: asyncio.AbstractEventLoop | None
    ) -> tuple[object, BaseException | None]:
        started, told = time.monotonic(), 0.0

        def progress(done: int, total: int, what: str) -> None:
            nonlocal told
            if request.unwanted.is_set():
                raise Cancelled
            request.reached = (done, total, what)
            now = time.monotonic()
            if now - started > LONG and now - told > LONG / 4:
                told = now
                if loop is None:
                    self._show((done, total, what))
                else:
                    loop.call_soon_threadsafe(lambda: self._tell(request, (done, total, what)))

        return request.do(progress)

    def _tell(self, request: Request[object], state: tuple[int, int, str]) -> None:
        if request is self._current:
            self._show(state)

    def _end(self, request: Request[object], result: object, error: BaseException | None) -> None:
        with self._lock:
            following = self._current = self._next
            self._next = None
        self._show(None)
        try:
            if error is not None:
                request.otherwise(error)
            elif request.unwanted.is_set():
                request.otherwise(Cancelled())
            else:
                request.then(result)
        finally:
            if following is not None:
                self._begin(following)
            self._changed()
