"""Options of the command line -> settings, by name."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from discoreport.assessment.settings import Settings
from discoreport.data.source import READ_AS, read_like, takes
from discoreport.errors import DataError, SettingsError, suggest

NAMES_WITH_SIGNS = "A name that holds = or @ has its place in a configuration file: --config FILE."


def given_of(parsed: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Collect the options that were given, by name."""
    return {name: getattr(parsed, name) for name in names if getattr(parsed, name) is not None}


def settings_of(parsed: argparse.Namespace) -> dict[str, Any]:
    """Collect the settings that were given as options, by name."""
    values = given_of(parsed, Settings.model_fields)
    if "keys" not in values and not parsed.config:
        raise SettingsError("Name at least one key: --key NAME")
    if "numeric_groups" in values:
        pairs = [pair_of("--group", text) for text in values["numeric_groups"]]
        values["numeric_groups"] = {name: _groups(name, text) for name, text in pairs}
    for option, setting in (("--code", "special_codes"), ("--missing", "missing_values")):
        if setting in values:
            codes: dict[str, list[str]] = {}
            for name, code in (pair_of(option, text) for text in values[setting]):
                codes.setdefault(name, []).append(code)
            values[setting] = codes
    for option, name in (("--key-missing", "key_missing"), ("--target-missing", "target_missing")):
        if name in values:
            values[name] = _missing(option, values[name])
    if "exclude" in values:
        values["exclude"] = [_exclusion(text) for text in values["exclude"]]
    for name in ("one_way_threshold", "two_way_threshold", "tau"):
        if name in values:
            values[name] = values[name].split(",")
    return values


def read_alike(files: Iterable[object], parsed: argparse.Namespace, *, lenient: bool = False) -> list[object]:
    """Give files as ``--read`` says that all of them are read, where nothing else is said of one.

    Raises
    ------
    SettingsError
        Where an option is unknown, or, unless `lenient`, says nothing of any of the files.
    """
    said: dict[str, str | int] = {}
    for name, value in (pair_of("--read", text) for text in parsed.read or ()):
        if name not in READ_AS:
            raise SettingsError(f"--read {name}: no such option. {suggest(name, READ_AS)}")
        said[name] = int(value) if name in ("sheet", "skip_rows") and value.isascii() and value.isdigit() else value
    files = list(files)
    for name in said:
        if not lenient and not any(takes(file, name) for file in files):
            raise SettingsError(f"--read {name}: it says nothing of any of these files. It is {READ_AS[name]}.")
    return [read_like(file, said) for file in files]


def pair_of(option: str, text: str) -> tuple[str, str]:
    """Take NAME=VALUE apart.

    Raises
    ------
    SettingsError
        Where there is no such sign in it.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingsError(f"{option} {text}: write it as NAME=VALUE. {NAMES_WITH_SIGNS}")
    return name, value


@contextlib.contextmanager
def signs_hinted(parsed: argparse.Namespace) -> Iterator[None]:
    """Add to an error where names with signs go, if an option may hold one that means something else there."""
    texts = [*(parsed.exclude or ()), *(parsed.special_codes or ()), *(parsed.missing_values or ())]
    try:
        yield
    except (DataError, SettingsError) as error:
        if any(text.count("=") > 1 + text.count("@") or text.count("@") > 1 for text in texts):
            raise type(error)(f"{error} {NAMES_WITH_SIGNS}") from None
        raise


def _groups(name: str, text: str) -> int | list[float]:
    try:
        return int(text) if "," not in text else [float(part) for part in text.split(",")]
    except ValueError:
        hint = f". {NAMES_WITH_SIGNS}" if "=" in text else ""
        raise SettingsError(
            f"--group {name}={text}: give a whole number, or breaks separated by commas{hint}"
        ) from None


def _missing(option: str, texts: Iterable[str]) -> str | dict[str, str]:
    rules = [pair_of(option, text) if "=" in text else ("", text) for text in texts]
    for_all = [rule for name, rule in rules if not name]
    if for_all and len(rules) > 1:
        raise SettingsError(f"{option}: give one rule for all, or rules by name, not both")
    return for_all[0] if for_all else dict(rules)


def _exclusion(text: str) -> dict[str, str | None]:
    target, at, key = text.partition("@")
    name, level = pair_of("--exclude", target)
    values: dict[str, str | None] = {"target": name, "level": level or None}
    if at:
        key_name, key_level = pair_of("--exclude", key)
        values |= {"key": key_name, "key_level": key_level or None}
    return values
