"""The command line that repeats an assessment, and its settings as options: written, and read again."""

from __future__ import annotations

import shlex
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from pydantic.fields import FieldInfo

from discoreport.assessment.analysed import led_here
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import FILES, FieldKind, Options, kind_of
from discoreport.assessment.analyses.mitigation.steps import Step, read_steps
from discoreport.assessment.analyses.run import asked_of, not_repeated
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.option_notation import NAMES, CommandOption, Notation, by_name, each, one, several
from discoreport.assessment.provenance import Source
from discoreport.assessment.settings import Settings
from discoreport.assessment.toml import inline
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
        ``--report`` on it. None as `command_words`.
    """
    words = command_words(assessment)
    return None if words is None else " ".join(map(shlex.quote, words))


def command_words(assessment: Assessment, path_of: Callable[[str], str] = str) -> list[str] | None:
    """Give the words of `command`.

    Parameters
    ----------
    assessment
        Any.
    path_of
        Makes the path that is written of the one there is.

    Returns
    -------
    list of str or None
        None where it was made from frames, where a name or a level holds signs by which options would be read
        otherwise (a configuration file can hold them), where it takes more than one command, or where an analysis can't
        be asked for again.
    """
    settings, asked, mitigation = assessment.settings, asked_of(assessment), led_here(assessment)
    if not_repeated(assessment) or (mitigation is not None and (asked or len(assessment.synthetic) > 1)):
        return None
    synthetic = assessment.synthetic if mitigation is None else (mitigation.synthetic,)
    sources = [assessment.original, *synthetic]
    for options in asked.values():
        options.with_files(sources.append)
    if any(source.path is None for source in sources):
        return None

    def word(source: Source) -> str:
        return source.model_copy(update={"path": path_of(source.path or "")}).word

    asked = {name: options.with_files(word) for name, options in asked.items()}
    if not _is_read_again(settings) or not all(
        _options_are_read_again(name, options) for name, options in asked.items()
    ):
        return None
    files = [word(source) for source in (assessment.original, *synthetic)]
    words = [f"./{file}" if file.startswith("-") else file for file in files]
    for name, texts in texts_of_settings(settings).items():
        words += each(OPTIONS[name].word, texts)
    for name, options in asked.items():
        words += words_of(name, options)
    if mitigation is not None:
        words += each("--steps", (inline(done.step.plain()) for done in mitigation.steps))
    return ["discoreport", "assess" if mitigation is None else "mitigate", *words]


def verify_words(assessment: Assessment, path_of: Callable[[str], str] = str) -> list[str]:
    """Give the words of the command line that checks a bundle, called "bundle", against its files.

    Parameters
    ----------
    assessment
        Of the bundle. Frames can't be named: where there are any, only the bundle is checked.
    path_of
        Makes the path that is written of the one there is.
    """
    words = ["discoreport", "verify", "bundle"]
    led = led_here(assessment)
    if all(source.path is not None for source in (assessment.original, *assessment.synthetic)):
        files = [path_of(source.path or "") for source in (assessment.original, *assessment.synthetic)]
        original, *synthetic = [f"./{file}" if file.startswith("-") else file for file in files]
        words += ["--original", original, "--synthetic", *synthetic]
        words += [f"--before={path_of(led.synthetic.path)}"] if led and led.synthetic.path else []
        for name, options in asked_of(assessment).items():
            named = options.with_files(lambda source: path_of(source.path or ""))
            of_files = {option for option, field in type(options).model_fields.items() if kind_of(field) in FILES}
            for option, texts in texts_of(named).items():
                words += each(option_words(name)[option], texts) if option in of_files else []
    words += ["--policy=policy.toml"] if assessment.policy.sha256 else []
    return words + (["--templates=templates"] if assessment.templates else [])


WIDEST_LINE = 84
"""Signs in a line of a command, as the page of the report holds them without breaking it."""


def copyable(words: Sequence[str], width: int = WIDEST_LINE) -> str:
    r"""Write a command in lines that a POSIX shell takes as one, however blanks at their ends are copied.

    Parameters
    ----------
    words
        Of the command.
    width
        Most signs in a line. A longer word goes on at the beginning of the next line.

    Examples
    --------
    >>> print(copyable(["discoreport", "assess", "my file.csv", "--key=age"], 30))
    discoreport assess \
      'my file.csv' --key=age
    """
    lines = [""]
    for word in words:
        written = shlex.quote(word)
        if lines[-1] and _cells(f"{lines[-1]} {written}{_GOES_ON}") > width:
            lines.append(" ")
        before = f"{lines[-1]} " if lines[-1] else ""
        first, *others = [written] if _cells(before + written + _GOES_ON) <= width else _in_pieces(word, width)
        lines[-1] = before + first
        lines += others
    joints = [_WITHIN if not line.startswith(" ") else _GOES_ON for line in lines[1:]]
    return "".join(f"{line}{joint}\n" for line, joint in zip(lines, joints, strict=False)) + lines[-1]


_GOES_ON, _WITHIN = " \\", "\\"
"""At the end of a line: between two words, and within one."""


def _cells(text: str) -> int:
    """Count the places that a text takes in a type of one width."""
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text)


def _in_pieces(word: str, width: int) -> list[str]:
    """Write a word in pieces, each quoted by itself, that stand behind one another."""
    room = width - len("  ''") - len(_GOES_ON)
    pieces, piece = [], ""
    for sign in word:
        if piece and _cells(shlex.quote(piece + sign)) > room:
            pieces.append(piece)
            piece = ""
        piece += sign
    return [shlex.quote(one) for one in (*pieces, piece)]


def _is_read_again(settings: Settings) -> bool:
    """Tell whether settings are read from their options as they are; but for reasons of exclusions."""
    texts = texts_of_settings(settings)
    try:
        again = Settings(**settings_in(texts))
    except SettingsError:
        return False
    same = all(getattr(again, name) == getattr(settings, name) for name in texts if name != "exclude")
    return same and [rule.case for rule in again.exclude] == [rule.case for rule in settings.exclude]


def _options_are_read_again(name: str, options: Options) -> bool:
    try:
        return ANALYSES[name].chosen(options_in(name, texts_of(options))).plain() == options.plain()
    except SettingsError:
        return False


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
