"""The command line: each command is a thin layer over a call of the library."""

from __future__ import annotations

import argparse
import re
import signal
import sys
from collections.abc import Sequence

from discoreport.cli import commands
from discoreport.cli.exit_codes import (
    STOPPED,
    USAGE,
    read_no_further,
    stopped_as_interrupted,
    told,
    write_whatever_is_said,
)
from discoreport.cli.messages import say, tell_programs
from discoreport.cli.one_line_parser import UsageError
from discoreport.cli.parser import parser
from discoreport.errors import suggest
from discoreport.printable import in_lines

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
        See `discoreport.cli.exit_codes.EXIT_CODES`.
    """
    write_whatever_is_said()
    try:
        parsed = _parsed(arguments)
    except UsageError as error:
        _tell_of_failure(str(error), USAGE, for_programs="--json" in (sys.argv[1:] if arguments is None else arguments))
        raise SystemExit(USAGE) from None
    with stopped_as_interrupted() as stopped:
        try:
            status = commands.COMMANDS[parsed.command](parsed)
            sys.stdout.flush()
        except KeyboardInterrupt:
            say(f"discoreport: stopped; {commands.LEFT.get(parsed.command, 'nothing was written')}")
            return STOPPED + (stopped or [signal.SIGINT])[0]
        except BrokenPipeError:
            return read_no_further()
        except Exception as error:  # noqa: BLE001  # the one place that tells of what nobody foresaw
            status, words = told(error)
            _tell_of_failure(words, status, for_programs=getattr(parsed, "json", False))
    return status


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parsed, more = parser().parse_known_args(arguments)
    unknown = [word for word in more if word.startswith("-")]
    if unknown or (more and not hasattr(parsed, "synthetic")):
        parsed.its_own.error(_unknown(parsed.its_own, unknown or more))
    if more:  # argparse takes no further files once options have begun
        parsed.synthetic += more
    return parsed


def _tell_of_failure(words: str, status: int, *, for_programs: bool) -> None:
    """Say on the error output what went wrong, and, where JSON was asked for, on the output, too."""
    say(f"discoreport: {words}")
    if for_programs:
        tell_programs({"exit_code": status, "error": in_lines(words)})


def _unknown(command: argparse.ArgumentParser, words: Sequence[str]) -> str:
    flags = re.findall(r"--[\w-]+", command.format_usage())
    hint = suggest(words[0].partition("=")[0], flags, listed=False)
    return f"unrecognized arguments: {' '.join(words)}. {hint}".rstrip()
