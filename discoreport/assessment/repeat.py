"""The Python lines and the command that repeat an assessment."""

from __future__ import annotations

import datetime
import shlex
from collections.abc import Iterable, Mapping

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.results import Source
from discoreport.assessment.settings import Exclusion, Settings


def python_lines(assessment: Assessment) -> str:
    """Write the Python lines that repeat an assessment.

    Parameters
    ----------
    assessment
        Where it was made from frames, the lines call them ``original`` and ``synthetic_1``, ...

    Returns
    -------
    str
        A script.
    """
    settings = assessment.settings
    files = [_source(source, f"synthetic_{n}") for n, source in enumerate(assessment.synthetic, start=1)]
    synthetic = files[0] if len(files) == 1 else "[" + ", ".join(files) + "]"
    arguments = [_source(assessment.original, "original"), synthetic]
    arguments += [f"keys={list(settings.keys)!r}", f"targets={list(settings.targets or ())!r}"]
    arguments += [f"{name}={literal(value)}" for name, value in settings.changed().items()]
    imports = "from discoreport import Exclusion, assess" if settings.exclude else "from discoreport import assess"
    return f"{imports}\n\nassessment = assess(\n" + "".join(f"    {line},\n" for line in arguments) + ")\n"


def _source(source: Source, name: str) -> str:
    return name if source.path is None else repr(source.path)


def literal(value: object) -> str:
    """Write a setting as Python; dates as text, which does as well and needs no import."""
    if isinstance(value, datetime.date):
        return repr(value.isoformat())
    if isinstance(value, Exclusion):
        parts = [
            f"{name}={literal(getattr(value, name))}"
            for name in Exclusion.model_fields
            if name in value.model_fields_set
        ]
        return f"Exclusion({', '.join(parts)})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name!r}: {literal(entry)}" for name, entry in value.items()) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(literal(entry) for entry in value) + "]"
    return repr(value)


def command(assessment: Assessment) -> str | None:
    """Write the command line that repeats an assessment.

    Parameters
    ----------
    assessment
        Any.

    Returns
    -------
    str or None
        For a POSIX shell. None where it was made from frames, or where a name or a level holds signs
        that the options give a meaning to: a configuration file can hold them.
    """
    sources = (assessment.original, *assessment.synthetic)
    settings = assessment.settings
    names = (*settings.numeric_groups, *settings.special_codes, *(rule.target for rule in settings.exclude))
    levels = [level for rule in settings.exclude for level in (rule.level, rule.key_level)]
    plain = not any(sign in name for sign in "=@" for name in names) and not any(
        level is not None and (level == "" or "@" in level) for level in levels
    )
    if any(source.path is None for source in sources) or not plain:
        return None
    words = ["discoreport", "assess", *(source.path or "" for source in sources), *options(assessment.settings)]
    return " ".join(shlex.quote(word) for word in words)


def options(settings: Settings) -> list[str]:
    """Write settings as options of ``discoreport assess``; reasons of exclusions have none."""
    words = [*_each("--key", settings.keys), *_each("--target", settings.targets or ())]
    for name, groups in settings.numeric_groups.items():
        written = str(groups) if isinstance(groups, int) else ",".join(repr(value) for value in groups)
        words += ["--group", f"{name}={written}"]
    for name, codes in settings.special_codes.items():
        words += _each("--code", (f"{name}={code}" for code in codes))
    for option, rule in (("--key-missing", settings.key_missing), ("--target-missing", settings.target_missing)):
        if isinstance(rule, dict):
            words += _each(option, (f"{name}={how}" for name, how in rule.items()))
        elif rule != "level":
            words += [option, rule]
    words += _each("--exclude", (str(exclusion) for exclusion in settings.exclude))
    if settings.max_denominator is not None:
        words += ["--max-denominator", str(settings.max_denominator)]
    changed = settings.changed()
    lists = (
        ("--one-way-threshold", "one_way_threshold"),
        ("--two-way-threshold", "two_way_threshold"),
        ("--tau", "tau"),
    )
    for option, name in lists:
        if name in changed:
            words += [option, ",".join(repr(value) for value in getattr(settings, name))]
    return words


def _each(option: str, values: Iterable[str]) -> list[str]:
    return [word for value in values for word in (option, value)]
