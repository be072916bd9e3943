"""The command line that repeats an assessment, and its settings as options: written, and read again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import Options
from discoreport.assessment.analyses.options_on_command_line import inline, options_in, texts_of, words_of
from discoreport.assessment.analyses.run import asked_of, led_here
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.option_notation import CommandOption, each
from discoreport.assessment.settings import Settings, settings_from
from discoreport.errors import SettingsError

OPTIONS: dict[str, CommandOption] = {
    name: option
    for name, field in Settings.model_fields.items()
    for option in field.metadata
    if isinstance(option, CommandOption)
}
"""The option of each setting."""


def settings_in(given: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Read settings from the texts that were given for each; not checked yet."""
    return {name: OPTIONS[name].notation.read(OPTIONS[name].word, texts) for name, texts in given.items()}


def texts_of_settings(settings: Settings) -> dict[str, list[str]]:
    """Write each setting that isn't as by default; reasons of exclusions have no place there."""
    changed = {"keys": settings.keys, "targets": settings.targets or (), **settings.changed()}
    texts = {name: list(OPTIONS[name].notation.write(value)) for name, value in changed.items()}
    return {name: found for name, found in texts.items() if found}


def command(assessment: Assessment) -> str | None:
    """Write the command line that repeats an assessment.

    Parameters
    ----------
    assessment
        Any.

    Returns
    -------
    str or None
        For a POSIX shell; where results go has to be added: ``--out``, and for a file that came of steps the
        ``--report`` on it. None where it was made from frames, where a name or a level holds signs by which options
        would be read otherwise (a configuration file can hold them), or where it takes more than one command.
    """
    settings, asked, mitigation = assessment.settings, asked_of(assessment), led_here(assessment)
    if mitigation is not None and (asked or len(assessment.synthetic) > 1):
        return None
    synthetic = assessment.synthetic if mitigation is None else (mitigation.synthetic,)
    sources = [assessment.original, *synthetic]
    for one in asked.values():
        one.with_files(sources.append)
    if any(source.path is None for source in sources):
        return None
    asked = {name: one.with_files(lambda source: source.word) for name, one in asked.items()}
    if not _is_read_again(settings) or not all(_options_are_read_again(name, one) for name, one in asked.items()):
        return None
    files = [source.word for source in (assessment.original, *synthetic)]
    words = [f"./{file}" if file.startswith("-") else file for file in files]
    for name, texts in texts_of_settings(settings).items():
        words += each(OPTIONS[name].word, texts)
    for name, one in asked.items():
        words += words_of(name, one)
    if mitigation is not None:
        words += each("--steps", (inline(one.step.plain()) for one in mitigation.steps))
    done = "assess" if mitigation is None else "mitigate"
    return " ".join(shlex.quote(word) for word in ("discoreport", done, *words))


def _is_read_again(settings: Settings) -> bool:
    """Tell whether settings are read from their options as they are; but for reasons of exclusions."""
    texts = texts_of_settings(settings)
    try:
        again = settings_from(settings_in(texts))
    except SettingsError:
        return False
    same = all(getattr(again, name) == getattr(settings, name) for name in texts if name != "exclude")
    return same and [rule.case for rule in again.exclude] == [rule.case for rule in settings.exclude]


def _options_are_read_again(name: str, options: Options) -> bool:
    try:
        return ANALYSES[name].chosen(options_in(name, texts_of(options))).plain() == options.plain()
    except SettingsError:
        return False
