"""Options of the command line -> settings, by name."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from discoreport.assessment.command_line import OPTIONS, settings_in
from discoreport.assessment.option_notation import NAMES_WITH_SIGNS, Notation, pair_of
from discoreport.data.readers.source_file import READ_AS, read_like, takes
from discoreport.errors import DataError, SettingsError, suggest


def add_option(
    command: argparse._ActionsContainer, word: str, name: str, notation: Notation, described: str, nargs: Any = None
) -> None:
    """Add an option under a name; all that is given for it is kept."""
    more = "; repeat it for more" if notation.several else ""
    command.add_argument(
        word, dest=name, action="append", metavar=notation.metavar, help=f"{described}{more}", nargs=nargs
    )


def given_of(parsed: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Collect the options that were given, by name."""
    return {name: getattr(parsed, name) for name in names if getattr(parsed, name) is not None}


def settings_of(parsed: argparse.Namespace) -> dict[str, Any]:
    """Collect the settings that were given as options, by name."""
    values = given_of(parsed, OPTIONS)
    if "keys" not in values and not parsed.config:
        raise SettingsError("Name at least one key: --key NAME")
    return settings_in(values)


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


@contextlib.contextmanager
def signs_hinted(parsed: argparse.Namespace) -> Iterator[None]:
    """Add to an error where names with signs go, if an option may hold one that means something else there."""
    of_pairs = (name for name, option in OPTIONS.items() if "=" in option.notation.metavar)
    texts = [text for name in of_pairs for text in getattr(parsed, name) or ()]
    try:
        yield
    except (DataError, SettingsError) as error:
        joined = _joined(parsed, str(error))
        if joined:
            raise type(error)(f"{error} {joined}") from None
        if NAMES_WITH_SIGNS not in str(error) and any(
            text.count("=") > 1 + text.count("@") or text.count("@") > 1 for text in texts
        ):
            raise type(error)(f"{error} {NAMES_WITH_SIGNS}") from None
        raise


def _joined(parsed: argparse.Namespace, said: str) -> str:
    """Say how several names are written, where an option holds them with commas, and the error is about that."""
    for name in ("keys", "targets"):
        for text in getattr(parsed, name) or ():
            if "," in text and f"'{text}'" in said:
                word = OPTIONS[name].word
                return "Repeat the option for each: " + " ".join(f"{word} {one.strip()}" for one in text.split(","))
    return ""
