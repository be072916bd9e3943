"""A parser that tells of a mistake in one line, and whose help fits a screen."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from discoreport.errors import SettingsError, suggest

WIDTH = 100
"""Signs of a line of the short help."""
_FIRST_WORDS = re.compile(r"(.*?)(?:[;:] |\. |, such as|$)")
"""What is said of an option up to the first stop."""


class UsageError(SettingsError):
    """The command line as it was written says nothing that could be done."""


class HelpAll(argparse.Action):
    """Shows all options, and stops."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Show the whole help of the command."""
        argparse.ArgumentParser.print_help(parser)
        parser.exit()


class OneLineParser(argparse.ArgumentParser):
    """Tells of a mistake in one line, with the nearest name; its help can be short.

    Attributes
    ----------
    common
        The options that the short help shows; where there are none, the help is whole.
    """

    common: Sequence[str] = ()

    def error(self, message: str) -> NoReturn:
        """Refuse what was written.

        Raises
        ------
        UsageError
            Always.
        """
        found = re.search(r"invalid choice: '?(.*?)'? \(choose from (.*)\)", message)
        if found:
            known = [name.strip(" '") for name in found.group(2).split(",")]
            message = f"{message[: found.start()]}no such choice '{found.group(1)}'. {suggest(found.group(1), known)}"
        raise UsageError(f"{message}{'' if message.endswith(('.', '?')) else '.'} See {self.prog} --help")

    def show_first(self, common: Sequence[str]) -> None:
        """Let ``--help`` show these options alone, and ``--help-all`` all of them."""
        if common:
            self.common = common
            self.add_argument("--help-all", action=HelpAll, nargs=0, help="show all options, and stop")

    def print_help(self, file: Any = None) -> None:
        """Show the help, the short one where there is one."""
        text = "\n".join(self._short()) + "\n" if self.common else self.format_help()
        self._print_message(text, file or sys.stdout)

    def _short(self) -> Iterator[str]:
        named = [one.metavar or one.dest for one in self._actions if not one.option_strings]
        yield f"usage: {self.prog} {' '.join(map(str, named))} [options]"
        yield ""
        yield from textwrap.wrap(self.description or "", WIDTH)
        yield ""
        formatter = self._get_formatter()
        for one in self._actions:
            if not one.option_strings or {*self.common, "--help-all"} & {*one.option_strings}:
                head = f"  {formatter._format_action_invocation(one)}"
                found = _FIRST_WORDS.match(formatter._expand_help(one) if one.help else "")
                words = "" if found is None else " ".join(found.group(1).split())
                yield f"{head:30} {textwrap.shorten(words, WIDTH - 30, placeholder=' ...')}".rstrip()
        examples = (self.epilog or "").strip().split("\n\n")
        if self.epilog:
            yield ""
            yield "\n\n".join(examples[:1])
