"""Options of the command line -> settings, by name."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from discoreport.assessment.settings import Settings
from discoreport.errors import SettingsError


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


def pair_of(option: str, text: str) -> tuple[str, str]:
    """Take NAME=VALUE apart.

    Raises
    ------
    SettingsError
        Where there is no such sign in it.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingsError(f"{option} {text}: write it as NAME=VALUE")
    return name, value


def _groups(name: str, text: str) -> int | list[float]:
    try:
        return int(text) if "," not in text else [float(part) for part in text.split(",")]
    except ValueError:
        raise SettingsError(f"--group {name}={text}: give a whole number, or breaks separated by commas") from None


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
