"""Analyses as words of the command line: the first option of each goes by its name, the others beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tomlkit

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import Options, kind_of
from discoreport.assessment.toml import in_toml


def option_words(name: str) -> dict[str, str]:
    """Give the word by which the command line knows each option of an analysis.

    Examples
    --------
    >>> option_words("groups")
    {'by': '--groups', 'smallest': '--groups-smallest'}
    """
    main = f"--{name.replace('_', '-')}"
    options = list(ANALYSES[name].options.model_fields)
    return {option: main if option == options[0] else f"{main}-{option}" for option in options}


def words_of(name: str, options: Options) -> list[str]:
    """Write an analysis as words of the command line; what is as by default is left out.

    Examples
    --------
    >>> words_of("groups", ANALYSES["groups"].chosen({"by": ["sex", "age"]}))
    ['--groups=sex', '--groups=age']
    >>> words_of("uncertainty", ANALYSES["uncertainty"].chosen({"confidence": 0.9}))
    ['--uncertainty', '--uncertainty-confidence=0.9']
    """
    named, changed = option_words(name), options.changed()
    first = next(iter(named))
    words = [] if first in changed else [named[first]]
    for option, value in changed.items():
        words += each(named[option], _texts(kind_of(type(options).model_fields[option]), value))
    return words


def each(option: str, values: Iterable[str]) -> list[str]:
    """Write an option for each value; in one word, so that a value may begin as options do."""
    return [f"{option}={value}" for value in values]


def _texts(kind: str, value: Any) -> list[str]:
    if kind == "files":
        return [f"{release}={file}" for release, files in value.items() for file in files]
    if kind == "steps":
        return [inline(step) for step in value]
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def inline(step: dict[str, Any]) -> str:
    """Write a step in a line of TOML, as the command line takes it.

    Examples
    --------
    >>> inline({"step": "limit values", "variable": "age", "top": 80})
    '{step = "limit values", variable = "age", top = 80}'
    """
    table = tomlkit.inline_table()
    table.update(in_toml(step))
    return table.as_string()
