"""Calls of libraries that Python can't end while they last: whoever waits for one can be ended all the same."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

Done = TypeVar("Done")
_LOOK = 0.05
"""Seconds between two moments at which whoever waits can be ended."""
_LEFT = 10.0
"""Seconds for which a call is waited for that was told to stop."""


def wait_for(work: Callable[[], Done], stop: Callable[[], object] | None = None) -> Done:
    """Call a function in another thread, and wait for it such that Ctrl-C or Cancel takes effect at once.

    Parameters
    ----------
    work
        The call. An error in it is raised here.
    stop
        Called, again and again until the call has come back, where whoever waits is ended: it makes the library stop.
        Without it the call is left to itself, and what it gives is dropped.

    Examples
    --------
    >>> wait_for(lambda: 2 + 2)
    4
    """
    given: list[Done] = []
    failed: list[BaseException] = []
    ended = threading.Event()

    def do() -> None:
        try:
            given.append(work())
        except BaseException as error:  # noqa: BLE001  # raised by whoever waits
            failed.append(error)
        finally:
            ended.set()

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    try:
        while not ended.wait(_LOOK):
            pass
    except BaseException:
        if stop is not None:
            _have_it_stop(stop, ended)
        raise
    if failed:
        raise failed[0]
    return given[0]


def _have_it_stop(stop: Callable[[], object], ended: threading.Event) -> None:
    until = time.monotonic() + _LEFT
    while not ended.is_set() and time.monotonic() < until:
        try:
            stop()
            ended.wait(_LOOK)
        except BaseException:  # noqa: BLE001, S112  # ended once more: what began it is raised anyway
            continue
