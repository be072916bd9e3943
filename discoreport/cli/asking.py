"""The options with which the command line asks on: those of the registry of analyses, and of nothing else."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_args

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import Kind, Options, kind_of
from discoreport.assessment.analyses.command_words import option_words
from discoreport.assessment.analyses.mitigation.files import read_steps
from discoreport.assessment.analyses.run import chosen
from discoreport.cli.options import pair_of

_WRITTEN: dict[Kind, str] = {
    "file": "FILE",
    "files": "NAME=FILE",
    "steps": "FILE",
    "variables": "NAME",
    "names": "NAME",
    "number": "NUMBER",
    "numbers": "NUMBER",
    "text": "TEXT",
}
_SEVERAL: Collection[Kind] = ("files", "steps", "variables", "names", "numbers")


def add_analyses(command: argparse.ArgumentParser) -> None:
    """Add what can be asked next: an option for each analysis, and one for each of its own."""
    asked = command.add_argument_group(
        "what an approver asks next", "Each answer becomes part of the record and of the report. Files must fit memory."
    )
    for name, one in ANALYSES.items():
        described = one.options.described()
        for place, (option, word) in enumerate(option_words(name).items()):
            field = one.options.model_fields[option]
            kind = kind_of(field)
            more: dict[str, Any] = {} if place or field.is_required() else {"nargs": "?"}
            told = described[option] + ("; repeat it for more" if kind in _SEVERAL else "")
            asked.add_argument(
                word,
                dest=f"{name}.{option}",
                action="append",
                metavar=_written(kind, field.annotation),
                help=told if place else f"{one.question} {one.tells} {_written(kind, field.annotation)}: {told}",
                **more,
            )


def add_files(command: argparse.ArgumentParser) -> None:
    """Add what names the files that analyses took beside the original and the synthetic ones."""
    for name, one in ANALYSES.items():
        for option, word in option_words(name).items():
            kind = kind_of(one.options.model_fields[option])
            if kind in {"file", "files"}:
                told = f"{one.options.described()[option]}, as the record had it"
                command.add_argument(word, dest=f"{name}.{option}", action="append", metavar=_WRITTEN[kind], help=told)


def asked_in(parsed: argparse.Namespace, given: Mapping[str, Options]) -> dict[str, Options]:
    """Give what is asked next by options, which go first, and by a configuration file.

    Raises
    ------
    SettingsError
        Where an option is lacking or won't do.
    """
    by_options = analyses_of(parsed)
    return chosen({**given, **{name: {**dict(given.get(name, ())), **values} for name, values in by_options.items()}})


def analyses_of(parsed: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Collect the analyses that were asked for by options, and what was chosen for each; not checked yet."""
    asked: dict[str, dict[str, Any]] = {}
    for name, one in ANALYSES.items():
        for option, word in option_words(name).items():
            texts = getattr(parsed, f"{name}.{option}", None)
            if texts is not None:
                values = asked.setdefault(name, {})
                said = [text for text in texts if text is not None]
                if said:
                    values[option] = _read(kind_of(one.options.model_fields[option]), word, said)
    return asked


def steps_of(texts: Sequence[str]) -> list[Any]:
    """Read steps from files and lines of TOML."""
    return [step for text in texts for step in read_steps(text)]


def _written(kind: Kind, annotation: Any) -> str:
    return "|".join(filter(None, get_args(annotation))) if kind == "choice" else _WRITTEN[kind]


def _read(kind: Kind, word: str, texts: Sequence[str]) -> Any:
    if kind == "files":
        files: dict[str, list[str]] = {}
        for name, file in (pair_of(word, text) for text in texts):
            files.setdefault(name, []).append(file)
        return files
    if kind == "steps":
        return steps_of(texts)
    return list(texts) if kind in _SEVERAL else texts[-1]
