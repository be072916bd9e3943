"""The options with which the command line asks on: those of the registry of analyses, and of nothing else."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from typing import Any

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import FILES, Options, kind_of
from discoreport.assessment.analyses.run import chosen
from discoreport.assessment.command_line import notation_of, option_words, options_in
from discoreport.cli.options import add_option
from discoreport.errors import SettingsError


def add_analyses(command: argparse.ArgumentParser) -> None:
    """Add what can be asked next: an option for each analysis, and one for each of its own."""
    asked = command.add_argument_group(
        "what an approver asks next", "Each answer becomes part of the record and of the report. Files must fit memory."
    )
    for name, one in ANALYSES.items():
        described = one.options.described()
        for place, (option, word) in enumerate(option_words(name).items()):
            field = one.options.model_fields[option]
            notation = notation_of(field)
            told = described[option] if place else f"{one.question} {one.tells} {notation.metavar}: {described[option]}"
            nargs = None if place or field.is_required() else "?"
            add_option(asked, word, f"{name}.{option}", notation, told, nargs)


def add_files(command: argparse.ArgumentParser) -> None:
    """Add what names the files that analyses took beside the original and the synthetic ones."""
    for name, one in ANALYSES.items():
        for option, word in option_words(name).items():
            field = one.options.model_fields[option]
            if kind_of(field) in FILES:
                told = f"{one.options.described()[option]}, as the record had it"
                metavar = notation_of(field).metavar
                command.add_argument(word, dest=f"{name}.{option}", action="append", metavar=metavar, help=told)


def asked_in(parsed: argparse.Namespace, given: Mapping[str, Options]) -> dict[str, Options]:
    """Give what is asked next by options, which go first, and by a configuration file.

    Raises
    ------
    SettingsError
        Where an option is lacking or won't do.
    """
    by_options = analyses_of(parsed)
    try:
        return chosen({**given, **{name: {**dict(given.get(name, ())), **one} for name, one in by_options.items()}})
    except SettingsError as error:
        raise SettingsError(_REFUSED.sub(_by_its_word, str(error))) from None


_REFUSED = re.compile(r"^'(\w+)': (\w+)(?=: )")
"""How an analysis begins that refuses one of its options."""


def _by_its_word(found: re.Match[str]) -> str:
    name, option = found.groups()
    return option_words(name).get(option, found[0]) if name in ANALYSES else found[0]


def analyses_of(parsed: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Collect the analyses that were asked for by options, and what was chosen for each; not checked yet."""
    asked: dict[str, dict[str, Any]] = {}
    for name in ANALYSES:
        given = {option: getattr(parsed, f"{name}.{option}", None) for option in option_words(name)}
        if any(texts is not None for texts in given.values()):
            said = {option: [text for text in texts or () if text is not None] for option, texts in given.items()}
            asked[name] = options_in(name, {option: texts for option, texts in said.items() if texts})
    return asked
