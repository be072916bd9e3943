"""Work beside the form: it can be watched and cancelled, and the latest request wins."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from discoreport.assessment.progress import Progress
from discoreport.form.model.interruption import Cancelled, Interruptible

Done = TypeVar("Done")
LONG = 0.5
"""Seconds after which progress is shown."""
AGAIN = 0.25
"""Seconds after which work that was given up is told so again: some code loses what is raised in it."""


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
