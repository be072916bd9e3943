"""The command line: each command is a thin layer over a call of the library."""

from __future__ import annotations

import argparse
import contextlib
import re
import signal
from collections.abc import Iterator, Sequence

from discoreport.cli import commands
from discoreport.cli.parser import parser
from discoreport.cli.screen import say
from discoreport.errors import DiscoReportError, suggest

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments
        By default those of the process.

    Returns
    -------
    int
        0; 1 where the PDF could not be written, or where a bundle doesn't hold; 2 after an error, which is
        told in one line, or where a bundle could not be checked; 3 where something is found that the user
        wants to be stopped by; 130 where the user stopped it, and nothing was written; 143 where the
        system did.
    """
    parsed, more = parser().parse_known_args(arguments)
    unknown = [word for word in more if word.startswith("-")]
    if unknown or (more and not hasattr(parsed, "synthetic")):
        parsed.its_own.error(_unknown(parsed.its_own, unknown or more))
    if more:  # argparse takes no further files once options have begun
        parsed.synthetic += more
    with _terminated_as_interrupted() as terminated:
        try:
            return commands.COMMANDS[parsed.command](parsed)
        except DiscoReportError as error:
            say(f"discoreport: {error}")
            return 2
        except KeyboardInterrupt:
            say(f"discoreport: stopped; {commands.LEFT.get(parsed.command, 'nothing was written')}")
            return 128 + (signal.SIGTERM if terminated else signal.SIGINT)


def _unknown(command: argparse.ArgumentParser, words: Sequence[str]) -> str:
    flags = re.findall(r"--[\w-]+", command.format_usage())
    hint = suggest(words[0].partition("=")[0], flags, listed=False)
    return f"unrecognized arguments: {' '.join(words)}. {hint}".rstrip()


@contextlib.contextmanager
def _terminated_as_interrupted() -> Iterator[list[int]]:
    """Take the signal with which a system ends a process for Ctrl-C, so that nothing is left behind; list it."""
    terminated: list[int] = []

    def stop(number: int, frame: object) -> None:  # noqa: ARG001
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough: now it tidies up
        terminated.append(number)
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # signals go to the main thread only
        yield terminated
        return
    try:
        yield terminated
    finally:
        signal.signal(signal.SIGTERM, before)
