"""How a command ends: its exit code, and what is said where something could not be done."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Iterator

from discoreport.errors import DataError, DiscoReportError, OutputError, RecordError
from discoreport.files import keep_open

DONE, FAILS, USAGE, EXCEEDED, NOT_WHOLE, UNREADABLE, UNCHECKED, FAULT, STOPPED = 0, 1, 2, 3, 4, 5, 6, 70, 128
EXIT_CODES = {
    str(DONE): "done; what verify was given all holds",
    str(FAILS): "verify: something does not hold",
    str(USAGE): "usage: an option, a setting, a template or one of their files won't do, or an extra is lacking",
    str(EXCEEDED): "written; something was found that --fail-on names",
    str(NOT_WHOLE): "written, but not the PDF, for want of a library",
    str(UNREADABLE): "data or a record can't be read or assessed as it is, nothing can be written, or memory or disk "
    "is full",
    str(UNCHECKED): "verify: all that was checked holds, and something could not be checked",
    str(FAULT): "a fault in discoreport itself, whose place is told",
    f"{STOPPED} + n": "stopped by the signal n, and nothing is left behind: 130 by Ctrl-C, 143 by SIGTERM, "
    "129 by SIGHUP, 152 by SIGXCPU, 141 where nobody reads on",
}
"""What each exit code means, the same of every command; audit gives the worst of its releases."""


def told(error: Exception) -> tuple[int, str]:
    """Give the exit code of an error, and what to say of it.

    Parameters
    ----------
    error
        One of ours is told in its words, and so is what the operating system refuses. Anything else is a fault of
        ours: its place is told, but not its words, which may quote a record.
    """
    if isinstance(error, DataError | RecordError | OutputError):
        return UNREADABLE, str(error)
    if isinstance(error, DiscoReportError):
        return USAGE, str(error)
    if isinstance(error, MemoryError):
        return UNREADABLE, "There is not enough memory for this. The engine duckdb needs less: --engine duckdb"
    if isinstance(error, OSError):
        names = [os.fsdecode(name) for name in (error.filename, error.filename2) if isinstance(name, str | bytes)]
        return UNREADABLE, f"{error.strerror or type(error).__name__}{''.join(f': {name!r}' for name in names[:1])}."
    places = "".join(traceback.format_tb(error.__traceback__))
    return FAULT, (
        f"a fault in discoreport itself.\nTraceback (most recent call last):\n{places}{type(error).__name__}\n"
        "What the error says is left out: it may quote a record. Please report the lines above."
    )


def write_whatever_is_said() -> None:
    """Let a terminal that can't write every sign write it as a code, and none fail for it, or for being closed."""
    keep_open(0, 1, 2)
    sys.stdout, sys.stderr = (stream or open(os.devnull, "w") for stream in (sys.stdout, sys.stderr))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # not every stream has an encoding
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def read_no_further() -> int:
    """End where nobody reads what is said."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what Python flushes at the end goes nowhere
    return STOPPED + 13


_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGXCPU") if hasattr(signal, name))


@contextlib.contextmanager
def stopped_as_interrupted() -> Iterator[list[int]]:
    """Take the signals with which a system ends a process for Ctrl-C, so that nothing is left behind; list them."""
    stopped: list[int] = []

    def stop(number: int, frame: object) -> None:  # noqa: ARG001
        for one in before:
            signal.signal(one, signal.SIG_IGN)  # once is enough: now it tidies up
        stopped.append(number)
        raise KeyboardInterrupt

    before = {}
    try:
        for one in _SIGNALS:
            if signal.getsignal(one) != signal.SIG_IGN:  # as nohup wants it
                before[one] = signal.signal(one, stop)
    except ValueError:  # signals go to the main thread only
        yield stopped
        return
    try:
        yield stopped
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
