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
        The options that the short help shows; where there are none, it shows all. None where there is no short help.
    """

    common: Sequence[str] | None = None

    def error(self, message: str) -> NoReturn:
        """Refuse what was written.

        Raises
        ------
        UsageError
            Always.
        """
        lacking = re.match(r"argument (--[\w-]+): expected .*argument", message)
        if lacking:
            option = self._option_string_actions[lacking.group(1)]
            message = (
                f"{lacking.group(1)}: write {option.metavar or ' or '.join(map(str, option.choices or ()))} after it"
            )
        found = re.search(r"invalid choice: '?(.*?)'? \(choose from (.*)\)", message)
        if found:
            known = [name.strip(" '") for name in found.group(2).split(",")]
            message = f"{message[: found.start()]}no such choice '{found.group(1)}'. {suggest(found.group(1), known)}"
        whole = "--help-all" if self.common else "--help"
        raise UsageError(f"{message}{'' if message.endswith(('.', '?')) else '.'} See {self.prog} {whole}")

    def show_first(self, common: Sequence[str]) -> None:
        """Let ``--help`` show these options alone, and ``--help-all`` all of them."""
        self.common = common
        if common:
            self.add_argument("--help-all", action=HelpAll, nargs=0, help="show all options, and stop")

    def print_help(self, file: Any = None) -> None:
        """Show the help, the short one where there is one."""
        text = self.format_help() if self.common is None else "\n".join(self.short_help()) + "\n"
        self._print_message(text, file or sys.stdout)

    def short_help(self) -> Iterator[str]:
        """Give the lines of the short help, as wide on every terminal: of common options the first words, else all."""
        yield " ".join(["usage:", self.prog, *self._required(), "[options]"])
        yield ""
        yield from textwrap.wrap(self.description or "", WIDTH, break_on_hyphens=False)
        yield ""
        formatter = self._get_formatter()
        for one in self._actions[1:]:  # all but --help
            if not one.option_strings or not self.common or {*self.common, "--help-all"} & {*one.option_strings}:
                head = f"  {formatter._format_action_invocation(one)}"
                words = formatter._expand_help(one) if one.help else ""
                found = _FIRST_WORDS.match(words)
                if self.common and found is not None:
                    words = textwrap.shorten(" ".join(found.group(1).split()), WIDTH - 30, placeholder=" ...")
                first, *others = textwrap.wrap(words, WIDTH - 30, break_on_hyphens=False) or [""]
                yield f"{head:30} {first}".rstrip()
                yield from (f"{'':31}{line}" for line in others)
        examples = (self.epilog or "").strip().split("\n\n")
        if self.epilog:
            yield ""
            yield from examples[0].split("\n")

    def _required(self) -> Iterator[str]:
        """Give what stands after the command, and the options that it can't do without."""
        for one in self._actions:
            if one.option_strings:
                yield from [f"{one.option_strings[0]} {one.metavar}"] if one.required else []
            else:
                yield {"?": "[{}]", "*": "[{} ...]"}.get(str(one.nargs), "{}").format(one.metavar)
