"""Completion for shells: scripts made of the parser, so that no option is forgotten."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping

SHELLS = ("bash", "zsh", "fish")


def script(shell: str, commands: Mapping[str, argparse.ArgumentParser], told: Mapping[str, str]) -> Iterator[str]:
    """Write the lines of the script with which a shell completes commands and options; files it completes by itself.

    Parameters
    ----------
    shell
        One of `SHELLS`.
    commands
        The parser of each command by its name.
    told
        What each does.
    """
    if shell == "zsh":
        yield "autoload -U +X bashcompinit && bashcompinit"
    yield from _fish(commands, told) if shell == "fish" else _bash(commands)


def _options(command: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    for one in command._actions:
        yield from ((word, one) for word in one.option_strings if word.startswith("--"))


def _bash(commands: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    yield "_discoreport() {"
    yield '  local current="${COMP_WORDS[COMP_CWORD]}" words=""'
    yield f'  if [ "$COMP_CWORD" -eq 1 ]; then words="{" ".join(commands)} --help --version"; else'
    yield '  case "${COMP_WORDS[1]}" in'
    for name, command in commands.items():
        choices = " ".join(
            str(choice) for one in command._actions if not one.option_strings for choice in one.choices or ()
        )
        yield f'    {name}) words="{" ".join([word for word, _ in _options(command)] + choices.split())}" ;;'
    yield "  esac; fi"
    yield "  COMPREPLY=()"
    yield '  if [ -n "$current" ] || [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi'
    yield "}"
    yield "complete -o default -F _discoreport discoreport"


def _fish(commands: Mapping[str, argparse.ArgumentParser], told: Mapping[str, str]) -> Iterator[str]:
    for name, command in commands.items():
        yield f"complete -c discoreport -n __fish_use_subcommand -f -a {name} -d {_quoted(told[name])}"
        for word, one in _options(command):
            takes = " -r" if one.nargs != 0 else ""
            words = _quoted(re.split(r"[;:] |\. ", (one.help or "").replace("%(default)s", str(one.default)))[0])
            of_command = _quoted(f"__fish_seen_subcommand_from {name}")
            yield f"complete -c discoreport -n {of_command} -l {word[2:]}{takes} -d {words}"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
