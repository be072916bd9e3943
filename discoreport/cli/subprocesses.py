"""Pieces of work in processes of their own, several at a time; what they say comes in their order."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import TypeVar

from discoreport.cli.exit_codes import UNREADABLE, stopped_as_interrupted, write_whatever_is_said

T = TypeVar("T")


@dataclass(frozen=True)
class Ended:
    """How a piece of work ended: exit code, why it failed, what it said, and whether it was done before."""

    code: int
    words: str = ""
    said: str = ""
    taken_over: bool = False


Work = Callable[[list[str], str], Ended]


def in_turn(work: Callable[[T], Ended], pieces: Sequence[T], jobs: int) -> Iterator[Ended]:
    """Do pieces of work, so many at a time, and give how they ended in their order.

    Where this is stopped, so are the processes that are at work.
    """
    if jobs == 1:
        yield from map(work, pieces)
        return
    pool = ThreadPoolExecutor(jobs)
    try:
        yield from pool.map(work, pieces)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()


def in_a_process(work: Work, options: list[str], name: str) -> Ended:
    """Do a piece of work in a process of its own, whose end, such as for want of memory, ends no other."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_alone, args=(work, options, name, sender), daemon=True)
    process.start()
    sender.close()
    try:
        ended: Ended = receiver.recv()
    except EOFError:
        process.join()
        ended = Ended(UNREADABLE, f"its process was ended from outside ({process.exitcode}): was there enough memory?")
    process.join()
    return ended


def _alone(work: Work, options: list[str], name: str, sender: Connection[Ended, Ended]) -> None:
    with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.suppress(KeyboardInterrupt):
        write_whatever_is_said()
        with stopped_as_interrupted():
            ended = work(options, name)
        sender.send(replace(ended, said=said.getvalue()))
