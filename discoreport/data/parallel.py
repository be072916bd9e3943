"""Several pieces of work at once, their results one after another; NumPy lets threads compute side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from threading import Event
from typing import TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")
_MOST = 4
"""Memory grows with each thread; more of them than this gain little."""
_LOOK = 0.1
"""Seconds."""
_WORTH_IT = 100_000
"""Records; threads take longer to begin than fewer to be counted."""


def in_threads(function: Callable[[Piece], Result], pieces: Sequence[Piece], n_records: int) -> list[Result]:
    """Apply a function to several pieces, at once where there are many records to go through.

    Examples
    --------
    >>> in_threads(abs, [-1, 2, -3], n_records=1_000_000)
    [1, 2, 3]
    """
    if n_records < _WORTH_IT or len(pieces) < 2:
        return [function(piece) for piece in pieces]
    with ThreadPoolExecutor(max_workers=min(_MOST, _n_processors(), len(pieces))) as pool:
        return [*pool.map(function, pieces)]


def gather(work: Sequence[Iterator[Result]]) -> Iterator[Result]:
    """Go through several iterators at once, and give what they give as it comes.

    Parameters
    ----------
    work
        Each is gone through in one thread, the first ones first.

    Yields
    ------
    Result
        In no particular order; none is None. An error in one iterator is raised once the others are through.

    Examples
    --------
    >>> sorted(gather([iter([1, 4]), iter([2]), iter([])]))
    [1, 2, 4]
    """
    found: SimpleQueue[Result | None] = SimpleQueue()
    stop = Event()

    def go_through(one: Iterator[Result]) -> None:
        try:
            for result in one:
                if stop.is_set():
                    return
                found.put(result)
        finally:
            found.put(None)

    with ThreadPoolExecutor(max_workers=min(_MOST, _n_processors())) as pool:
        futures = [pool.submit(go_through, one) for one in work]
        try:
            left = len(futures)
            while left:
                try:
                    result = found.get(timeout=_LOOK)
                except Empty:  # now whoever waits can be ended, in threads other than the first, too
                    continue
                if result is None:
                    left -= 1
                else:
                    yield result
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
    for future in futures:
        future.result()


def _n_processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
