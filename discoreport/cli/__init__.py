"""The command line: each command is a thin layer over a call of the library."""

from __future__ import annotations

import argparse
import re
import signal
import sys
from collections.abc import Sequence

from discoreport.cli.at_once import said_at_once
from discoreport.cli.exit_codes import (
    DONE,
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

_LEFT = {"audit": "reports that were finished before are kept"}
"""What a command has written when the user stops it; the others nothing."""


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
    words = sys.argv[1:] if arguments is None else arguments
    parsed = argparse.Namespace(command="", json="--json" in words)
    with stopped_as_interrupted() as stopped:
        try:
            at_once = said_at_once(words)
            if at_once is not None:
                print(at_once, flush=True)
                return DONE
            parsed = _parsed(words)
            from discoreport.cli.commands import COMMANDS  # a wrong word is told without all that commands need

            status = COMMANDS[parsed.command](parsed)
            sys.stdout.flush()
        except UsageError as error:
            _tell_of_failure(str(error), USAGE, parsed)
            raise SystemExit(USAGE) from None
        except KeyboardInterrupt:
            say(f"discoreport: stopped; {_LEFT.get(parsed.command, 'nothing was written')}")
            return STOPPED + (stopped or [signal.SIGINT])[0]
        except BrokenPipeError:
            return read_no_further()
        except Exception as error:  # noqa: BLE001  # the one place that tells of what nobody foresaw
            status, told_of = told(error)
            _tell_of_failure(told_of, status, parsed)
    return status


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    built = parser()
    parsed, more = built.parse_known_args(words)
    command = getattr(parsed, "its_own", built)
    unknown = [word for word in more if word.startswith("-")]
    if unknown or (more and not hasattr(parsed, "synthetic")):
        command.error(_unknown(command, unknown or more))
    if parsed.command is None:
        built.error("the following arguments are required: COMMAND")
    if more:  # argparse takes no further files once options have begun
        parsed.synthetic += more
    return parsed


def _tell_of_failure(words: str, status: int, parsed: argparse.Namespace) -> None:
    """Say on the error output what went wrong, and, where JSON was asked for, on the output, too."""
    say(f"discoreport: {words}")
    if getattr(parsed, "json", False):
        tell_programs({"exit_code": status, "error": in_lines(words)})


def _unknown(command: argparse.ArgumentParser, words: Sequence[str]) -> str:
    flags = ["--help", *re.findall(r"--[\w-]+", command.format_usage())]
    hint = suggest(words[0].partition("=")[0], flags, listed=False)
    return f"unrecognized arguments: {' '.join(words)}. {hint}".rstrip()
