"""The Python lines that repeat an assessment."""

from __future__ import annotations

import datetime
import itertools
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from discoreport.assessment.analysed import led_here
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import Options
from discoreport.assessment.analyses.mitigation.results import Mitigation
from discoreport.assessment.analyses.run import asked_of, not_repeated
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import Unquoted
from discoreport.assessment.provenance import Source
from discoreport.assessment.settings import Exclusion

_LINE = 64
"""Signs of a list on one line, so that what stands before it has room on a page, too."""


@dataclass(frozen=True)
class Lines:
    """Lines of Python, and what they import: names by module. As text they are a script."""

    body: str
    imports: Mapping[str, Set[str]]

    def __add__(self, other: Lines) -> Lines:
        modules = sorted({*self.imports, *other.imports})
        imports = {name: {*self.imports.get(name, ()), *other.imports.get(name, ())} for name in modules}
        return Lines(self.body + other.body, imports)

    def __str__(self) -> str:
        imports = (
            f"from {module} import {', '.join(sorted(names, key=str.swapcase))}\n"
            for module, names in self.imports.items()
        )
        return f"{''.join(imports)}\n{self.body}"


def python_lines(assessment: Assessment, path_of: Callable[[str], str] = str) -> str:
    """Write `lines_for` an assessment as a script."""
    return str(lines_for(assessment, path_of))


def lines_for(assessment: Assessment, path_of: Callable[[str], str] = str) -> Lines:
    """Give the Python lines that repeat an assessment.

    Parameters
    ----------
    assessment
        Where it was made from frames, the lines call them ``original`` and ``synthetic_1``, ...
    path_of
        Makes the path that is written of the one there is.
    """
    settings = assessment.settings
    arguments = [f"keys={literal(settings.keys)}", f"targets={literal(settings.targets or ())}"]
    arguments += [f"{name}={literal(value)}" for name, value in settings.changed().items()]
    lines = Lines(
        _called("assess", [*_files(assessment, path_of), *arguments]),
        {"discoreport": {"assess", *(["Exclusion"] if settings.exclude else [])}},
    )
    asked = asked_of(assessment)
    if asked:
        tables = [f"{name!r}: {table}" for name, table in asked_lines(asked, path_of).items()]
        body = _called("analyse", ["assessment", *_files(assessment, path_of), _within("{", tables, "}")])
        lines += Lines(body, {"discoreport": {"analyse"}})
    if said := left_out_lines(assessment):
        lines += Lines(said, {})
    mitigation = led_here(assessment)
    if mitigation is not None:
        result = _source(mitigation.result or mitigation.synthetic, "released", path_of)
        given = _source(mitigation.synthetic, "given", path_of)
        body = mitigation_lines(mitigation, _files(assessment, path_of)[0], given, result)
        lines += Lines(body, {"discoreport": {"mitigate"}})
    return lines


def left_out_lines(assessment: Assessment) -> str:
    """Say in comments which analyses the lines don't repeat."""
    titles = [ANALYSES[name].title for name in not_repeated(assessment)]
    return "".join(f"# Not repeated: {title}. It holds nothing but this release.\n" for title in titles)


def asked_lines(
    asked: Mapping[str, Options],
    path_of: Callable[[str], str] = str,
    frame_of: Callable[[str], object] = Unquoted,
) -> dict[str, str]:
    """Write the options of analyses as Python, by analysis.

    Parameters
    ----------
    asked
        From `asked_of`.
    path_of
        Makes the path that is written of the one there is.
    frame_of
        Makes what is written of a frame, called ``control``, ``earlier``, or ``release_1``, ...; by default its name.
    """
    numbers = itertools.count(1)

    def named(source: Source) -> object:
        if source.path is not None:
            return source.given(path_of(source.path))
        if source.name.startswith("earlier"):
            return frame_of(source.name.replace(" ", "_"))
        return frame_of("control" if source.name == "control" else f"release_{next(numbers)}")

    return {name: literal(options.with_files(named).changed()) for name, options in asked.items()}


def mitigation_lines(found: Mitigation, original: str, given: str, result: str) -> str:
    """Write the lines that enter the steps which the assessed file came of; files as Python."""
    steps = literal([one.step.plain() for one in found.steps])
    return (
        f"mitigated = mitigate({original}, {given}, assessment.settings, {steps})\n"
        f"assessment = assessment.with_analysis(mitigated.mitigation.with_result({result}))\n"
    )


def _called(function: str, arguments: Iterable[str]) -> str:
    lines = [f"    {line}\n" for argument in arguments for line in f"{argument},".splitlines()]
    return f"assessment = {function}(\n{''.join(lines)})\n"


def _files(assessment: Assessment, path_of: Callable[[str], str]) -> list[str]:
    """Write the original, and the synthetic file or files."""
    files = [_source(source, f"synthetic_{n}", path_of) for n, source in enumerate(assessment.synthetic, start=1)]
    return [
        _source(assessment.original, "original", path_of),
        files[0] if len(files) == 1 else "[" + ", ".join(files) + "]",
    ]


def _source(source: Source, name: str, path_of: Callable[[str], str]) -> str:
    return name if source.path is None else repr(source.given(path_of(source.path)))


def literal(value: object) -> str:
    """Write a setting as Python; dates as text, which does as well and needs no import."""
    if isinstance(value, datetime.date):
        return repr(value.isoformat())
    if isinstance(value, Exclusion):
        said = {name: getattr(value, name) for name in Exclusion.model_fields}
        kept = {"target", "level", *(["key_level"] if value.key is not None else [])}
        parts = [
            f"{name}={literal(entry)}"
            for name, entry in said.items()
            if name in kept or entry != Exclusion.model_fields[name].default
        ]
        return f"Exclusion({', '.join(parts)})"
    if isinstance(value, Mapping):
        return _within("{", [f"{name!r}: {literal(entry)}" for name, entry in value.items()], "}")
    if isinstance(value, tuple | list):
        return _within("[", [literal(entry) for entry in value], "]")
    return repr(value)


def _within(opens: str, entries: Sequence[str], closes: str) -> str:
    """Put entries between brackets, on several lines where one would be too long to be read, or copied whole."""
    line = f"{opens}{', '.join(entries)}{closes}"
    if len(line) <= _LINE and "\n" not in line:
        return line
    lines: list[str] = []
    for entry in entries:
        if lines and len(lines[-1].rpartition("\n")[2]) + len(entry) < _LINE and "\n" not in entry:
            lines[-1] += f" {entry},"
        else:
            lines.append(f"{entry},")
    return "\n".join([opens, *(textwrap.indent(line, "    ") for line in lines), closes])
