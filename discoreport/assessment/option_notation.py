"""How values are written on the command line, and read again: one notation for each kind of value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discoreport.errors import SettingsError

NAMES_WITH_SIGNS = "A name that holds = or @ has its place in a configuration file: --config FILE."


@dataclass(frozen=True)
class Notation:
    """How one kind of value is written after an option, and read again.

    Parameters
    ----------
    metavar
        What stands for it in the help.
    read
        Takes the option and the texts that were given after it; gives the value, not validated yet.
    write
        Takes a value; gives the text of each time that the option is given.
    several
        Whether it may be given more than once; otherwise the last time counts.
    """

    metavar: str
    read: Callable[[str, Sequence[str]], Any]
    write: Callable[[Any], Iterable[str]]
    several: bool = True


@dataclass(frozen=True)
class CommandOption:
    """The option of the command line that a setting has, and how its value is written there."""

    word: str
    notation: Notation


def pair_of(option: str, text: str) -> tuple[str, str]:
    """Take NAME=VALUE apart.

    Raises
    ------
    SettingsError
        Where there is no such sign in it.
    """
    name, equals, value = text.partition("=")
    if not equals:
        example = f", such as {text.replace(':', '=', 1)}" if ":" in text else ""
        raise SettingsError(f"{option} {text}: write it as NAME=VALUE{example}. {NAMES_WITH_SIGNS}")
    return name, value


def each(option: str, texts: Iterable[str]) -> list[str]:
    """Write an option for each text; in one word, so that a text may begin as options do."""
    return [f"{option}={text}" for text in texts]


def one(metavar: str) -> Notation:
    """Give the notation of a single value."""
    return Notation(metavar, lambda _, texts: texts[-1], lambda value: [str(value)], several=False)


def several(metavar: str) -> Notation:
    """Give the notation of values that are given one by one."""
    return Notation(metavar, lambda _, texts: list(texts), lambda values: map(str, values))


def in_one(metavar: str) -> Notation:
    """Give the notation of numbers that are given at once, with commas between them."""
    return Notation(
        metavar,
        lambda _, texts: texts[-1].split(","),
        lambda values: [",".join(map(repr, values))],
        several=False,
    )


def by_name(metavar: str) -> Notation:
    """Give the notation of one value or more for each of some names."""

    def read(option: str, texts: Sequence[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, value in (pair_of(option, text) for text in texts):
            found.setdefault(name, []).append(value)
        return found

    return Notation(
        metavar, read, lambda values: (f"{name}={value}" for name, found in values.items() for value in found)
    )


def _read_groups(option: str, texts: Sequence[str]) -> dict[str, int | list[float]]:
    groups: dict[str, int | list[float]] = {}
    for name, text in (pair_of(option, text) for text in texts):
        try:
            groups[name] = int(text) if "," not in text else [float(part) for part in text.split(",")]
        except ValueError:
            raise SettingsError(
                f"{option} {name}={text}: give a whole number, or breaks separated by commas."
            ) from None
    return groups


def _written_groups(groups: Mapping[str, int | Sequence[float]]) -> Iterable[str]:
    for name, found in groups.items():
        yield f"{name}={found if isinstance(found, int) else ','.join(map(repr, found))}"


def _read_rules(option: str, texts: Sequence[str]) -> str | dict[str, str]:
    rules = [pair_of(option, text) if "=" in text else ("", text) for text in texts]
    for_all = [rule for name, rule in rules if not name]
    if for_all and len(rules) > 1:
        raise SettingsError(f"{option}: give one rule for all, or rules by name, not both")
    return for_all[0] if for_all else dict(rules)


def _written_rules(rules: str | Mapping[str, str]) -> Iterable[str]:
    return [rules] if isinstance(rules, str) else (f"{name}={rule}" for name, rule in rules.items())


def _read_cases(option: str, texts: Sequence[str]) -> list[dict[str, str | None]]:
    return [_read_case(option, text) for text in texts]


def _read_case(option: str, text: str) -> dict[str, str | None]:
    target, at, key = text.partition("@")
    name, level = pair_of(option, target)
    values: dict[str, str | None] = {"target": name, "level": level or None}
    if at:
        key_name, key_level = pair_of(option, key)
        values |= {"key": key_name, "key_level": key_level or None}
    return values


NAMES = several("NAME")
GROUPS = Notation("NAME=N", _read_groups, _written_groups)
RULES = Notation("[NAME=]RULE", _read_rules, _written_rules)
CASES = Notation("TARGET=LEVEL[@KEY=LEVEL]", _read_cases, lambda cases: map(str, cases))
