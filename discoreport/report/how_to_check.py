"""What an auditor needs to check a report years later: fingerprints, seeds, and commands without a path."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from discoreport.assessment.analysed import led_here
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.run import asked_of
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.code_to_repeat import python_lines
from discoreport.assessment.command_line import command_words, copyable, verify_words
from discoreport.assessment.provenance import Source


@dataclass(frozen=True)
class Fingerprint:
    """One file: what it is, its name, and its SHA-256; None where it was no file of the machine."""

    what: str
    name: str
    sha256: str | None


@dataclass(frozen=True)
class HowToCheck:
    """All of it, for an internal edition.

    Parameters
    ----------
    fingerprints
        Of the files that took part.
    seeds
        Of random numbers: what they were for, and the seed.
    verify
        The command that checks the bundle.
    command
        The one that gives the same figures; "" where none can.
    code
        The Python lines that do.
    placeholders
        Names in the commands that stand for files of the organisation.
    """

    fingerprints: tuple[Fingerprint, ...]
    seeds: tuple[tuple[str, str], ...]
    verify: str
    command: str
    code: str
    placeholders: tuple[str, ...]


def how_to_check(assessment: Assessment) -> HowToCheck:
    """Collect it from a record."""
    named = _names(source.path for _, source in _sources(assessment) if source.path)
    words = command_words(assessment, named)
    out = ["--out=again"] if led_here(assessment) is None else ["--out=again.csv", "--report=again"]
    placeholders = {"policy.toml": assessment.policy.sha256, "templates": assessment.templates}
    return HowToCheck(
        fingerprints=tuple(_fingerprints(assessment)),
        seeds=tuple(_seeds(assessment)),
        verify=copyable(verify_words(assessment, named)),
        command="" if words is None else copyable([*words, *out]),
        code=python_lines(assessment, named),
        placeholders=tuple(name for name, used in placeholders.items() if used),
    )


def _sources(assessment: Assessment) -> Iterator[tuple[str, Source]]:
    """List the files of data that took part, with what they are."""
    yield "original", assessment.original
    several = len(assessment.synthetic) > 1
    for n, source in enumerate(assessment.synthetic, start=1):
        yield f"synthetic {n}" if several else "synthetic", source
    led = led_here(assessment)
    if led is not None:
        yield "before the steps", led.synthetic
    for name, options in asked_of(assessment).items():
        found: list[Source] = []
        options.with_files(found.append)
        for source in found:
            yield ANALYSES[name].title, source


def _fingerprints(assessment: Assessment) -> Iterator[Fingerprint]:
    yield Fingerprint("record", "assessment.json", assessment.fingerprint)
    for what, source in _sources(assessment):
        yield Fingerprint(what, source.name, source.sha256)
    if assessment.policy.sha256:
        yield Fingerprint("policy", "policy.toml", assessment.policy.sha256)
    for name, sha256 in sorted(assessment.templates.items()):
        yield Fingerprint("template", name, sha256)


def _seeds(assessment: Assessment) -> Iterator[tuple[str, str]]:
    if assessment.documentation.synthesis.seed:
        yield "Synthesis", assessment.documentation.synthesis.seed
    drawn = assessment.analyses.release_size
    if drawn is not None and drawn.seed is not None:
        yield ANALYSES["release_size"].title, str(drawn.seed)


def _names(paths: Iterable[str]) -> Callable[[str], str]:
    """Give what makes of each path the name of its file, with as many folders as tell it from the others."""
    split = {path: re.split(r"[/\\]", path) for path in paths}

    def name_of(path: str) -> str:
        parts = split.get(path) or re.split(r"[/\\]", path)
        for n in itertools.count(1):
            name = parts[-n:]
            others = [other for other, found in split.items() if other != path and found[-n:] == name]
            if not others or n >= len(parts):
                break
        return "/".join(name)

    return name_of
