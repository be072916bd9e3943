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
        yield "whence compdef >/dev/null || { autoload -Uz compinit && compinit }"
        yield "autoload -U +X bashcompinit && bashcompinit"
    yield from _fish(commands, told) if shell == "fish" else _bash(commands)


def _options(command: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    for one in command._actions:
        yield from ((word, one) for word in one.option_strings if word.startswith("--"))


def _values(one: argparse.Action) -> str:
    """Give the values of which something takes one; nothing where a shell would take one of them for several words."""
    values = [str(value) for value in one.choices or ()]
    return "" if any(" " in value for value in values) else " ".join(values)


def _first(command: argparse.ArgumentParser) -> str:
    """Give the values of what stands behind a command."""
    return " ".join(_values(one) for one in command._actions if not one.option_strings and _values(one))


def _bash(commands: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    taken = {word: _values(one) for command in commands.values() for word, one in _options(command) if _values(one)}
    yield "_discoreport() {"
    yield '  local current="${COMP_WORDS[COMP_CWORD]}" options="" values=""'
    yield f'  if [ "$COMP_CWORD" -eq 1 ]; then values="{" ".join(commands)} --help --version"; else'
    yield '  case "${COMP_WORDS[1]}" in'
    for name, command in commands.items():
        yield f'    {name}) options="{" ".join(word for word, _ in _options(command))}" values="{_first(command)}" ;;'
    yield "  esac"
    yield '  case "${COMP_WORDS[COMP_CWORD-1]}" in'
    yield from (f'    {word}) options="" values="{values}" ;;' for word, values in taken.items())
    yield "  esac; fi"
    yield '  if [ -n "$current" ]; then values="$values $options"; fi'
    yield '  COMPREPLY=($(compgen -W "$values" -- "$current"))'
    yield "}"
    yield "complete -o default -F _discoreport discoreport"


def _fish(commands: Mapping[str, argparse.ArgumentParser], told: Mapping[str, str]) -> Iterator[str]:
    for name, command in commands.items():
        yield f"complete -c discoreport -n __fish_use_subcommand -f -a {name} -d {_quoted(told[name])}"
        of_command = _quoted(f"__fish_seen_subcommand_from {name}")
        if _first(command):
            yield f"complete -c discoreport -n {of_command} -f -a {_quoted(_first(command))}"
        for word, one in _options(command):
            takes = f" -x -a {_quoted(_values(one))}" if _values(one) else " -r" if one.nargs != 0 else ""
            words = _quoted(re.split(r"[;:] |\. ", (one.help or "").replace("%(default)s", str(one.default)))[0])
            yield f"complete -c discoreport -n {of_command} -l {word[2:]}{takes} -d {words}"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
