"""The commands. The options of one are looked up when it is named, as they need most of the package."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from discoreport.cli.exit_codes import EXIT_CODES
from discoreport.cli.help_examples import EXAMPLES
from discoreport.cli.one_line_parser import OneLineParser
from discoreport.version import __version__

COMMANDS = {
    "demo": "assess the example survey and write its report into ./discoreport-demo",
    "assess": "assess synthetic files against their original and write the report",
    "audit": "assess a folder of releases: a bundle for each, and one page over all",
    "mitigate": "apply steps to a synthetic file, write the new file, and say what they bring and cost",
    "report": "write the report of a record anew: other edition, more documentation, a policy",
    "verify": "check that a bundle still holds, and that its figures are those of the files",
    "notebook": "write a notebook that repeats the assessment of a record",
    "form": "open the form in a browser: from two files to a report without writing code",
    "guide": "show the guide, which needs no internet: its topics, or a page",
    "completion": "write what lets a shell complete commands and options",
}
"""Every command, and what it does."""


class _Commands(argparse._SubParsersAction):  # type: ignore[type-arg]  # it takes none where it runs
    """The commands, of which the one that is named is filled."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Fill the parser of the command, and hand it the words that follow."""
        if values:
            _fill(str(values[0]), self.choices[values[0]])
        super().__call__(parser, namespace, values, option_string)


def parser(*, whole: bool = False) -> argparse.ArgumentParser:
    """Build the parser of the command line.

    Parameters
    ----------
    whole
        Whether every command has its options at once, and not when it is named.
    """
    built = OneLineParser(
        prog="discoreport",
        description="Measure what a synthetic data set gives away about the records of the original, and report it.",
        epilog=f"examples:\n{EXAMPLES['demo']}\n{EXAMPLES['assess']}\nexit codes:\n"
        + "".join(f"  {code:7}  {words}\n" for code, words in EXIT_CODES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    built.add_argument("--version", action="version", version=f"discoreport {__version__}")
    commands = built.add_subparsers(title="commands", metavar="COMMAND", dest="command", action=_Commands)
    for name, words in COMMANDS.items():
        command = commands.add_parser(name, help=words)
        if whole:
            _fill(name, command)
    return built


def _fill(name: str, command: OneLineParser) -> None:
    from discoreport.cli.command_options import COMMON, FILL

    FILL[name](command)
    command.epilog = f"examples:\n{EXAMPLES[name]}" if name in EXAMPLES else None
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.set_defaults(its_own=command)
    command.show_first(COMMON.get(name, ()))
