"""Analyses as words of the command line: the first option of each goes by its name, the others beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic.fields import FieldInfo

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import FieldKind, Options, kind_of
from discoreport.assessment.analyses.mitigation.steps import Step
from discoreport.assessment.analyses.mitigation.steps_files import read_steps
from discoreport.assessment.option_notation import NAMES, Notation, by_name, each, one, several
from discoreport.assessment.toml import inline


def option_words(name: str) -> dict[str, str]:
    """Give the word by which the command line knows each option of an analysis.

    Examples
    --------
    >>> option_words("groups")
    {'by': '--groups', 'smallest': '--groups-smallest'}
    """
    main = f"--{name.replace('_', '-')}"
    options = list(ANALYSES[name].options.model_fields)
    words = {option: main if option == options[0] else f"{main}-{option.replace('_', '-')}" for option in options}
    return {**words, **ANALYSES[name].words}


def notation_of(field: FieldInfo) -> Notation:
    """Tell how an option is written after its word, and read again."""
    kind = kind_of(field)
    return one("|".join(filter(None, get_args(field.annotation)))) if kind == "choice" else _NOTATIONS[kind]


def texts_of(options: Options) -> dict[str, list[str]]:
    """Write each option that isn't as by default."""
    fields = type(options).model_fields
    return {name: list(notation_of(fields[name]).write(value)) for name, value in options.changed().items()}


def options_in(name: str, given: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Read the options of an analysis from the texts that were given for each; not checked yet."""
    words, fields = option_words(name), ANALYSES[name].options.model_fields
    return {option: notation_of(fields[option]).read(words[option], texts) for option, texts in given.items()}


def words_of(name: str, options: Options) -> list[str]:
    """Write an analysis as words of the command line; what is as by default is left out.

    Examples
    --------
    >>> words_of("groups", ANALYSES["groups"].chosen({"by": ["sex", "age"]}))
    ['--groups=sex', '--groups=age']
    >>> words_of("uncertainty", ANALYSES["uncertainty"].chosen({"confidence": 0.9}))
    ['--uncertainty', '--uncertainty-confidence=0.9']
    """
    named, changed = option_words(name), texts_of(options)
    first = next(iter(named))
    words = [] if first in changed else [named[first]]
    return words + [word for option, texts in changed.items() for word in each(named[option], texts)]


def read_all_steps(texts: Sequence[str]) -> list[Step]:
    """Read steps from files and lines of TOML."""
    return [step for text in texts for step in read_steps(text)]


_NOTATIONS: dict[FieldKind, Notation] = {
    "file": one("FILE"),
    "files": by_name("NAME=FILE"),
    "file list": several("FILE"),
    "steps": Notation("FILE", lambda _, texts: read_all_steps(texts), lambda steps: map(inline, steps)),
    "variables": NAMES,
    "names": NAMES,
    "number": one("NUMBER"),
    "numbers": several("NUMBER"),
    "text": one("TEXT"),
    "declared": several("TEXT"),
}
