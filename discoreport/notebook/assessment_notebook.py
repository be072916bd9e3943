"""A record -> the notebook that repeats the assessment: parameters first, then prose, code and charts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import indent
from typing import Any

import nbformat
from markupsafe import Markup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from discoreport.assessment.analysed import led_here
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import Options
from discoreport.assessment.analyses.run import asked_of
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.code_to_repeat import asked_lines, left_out_lines, literal, mitigation_lines
from discoreport.assessment.provenance import Source
from discoreport.assessment.record import record_in
from discoreport.charts import CHARTS
from discoreport.data.engine.connection import ENGINES
from discoreport.errors import require_kind, require_new
from discoreport.files import write_file
from discoreport.measures import Measure
from discoreport.measures.registry import of_group
from discoreport.notebook.notebook_file import INTERNAL
from discoreport.report import templates as html_templates
from discoreport.report.internal_edition import InternalEdition

TEMPLATE = "repeat.html"
_CELL = re.compile(r"^%% (markdown|code)((?: [\w-]+)*)\n", re.MULTILINE)
_ELSEWHERE = re.compile(r"[A-Za-z][\w+.-]*://")


@dataclass(frozen=True)
class Section:
    """One part of the notebook: heading, the measures it explains, the table and the charts it shows."""

    heading: str
    measures: tuple[Measure, ...]
    table: str
    charts: tuple[Markup, ...]


class Repeat:
    """What the template reads.

    Parameters
    ----------
    assessment
        The record.
    folder
        Where the notebook will lie: relative paths are written from there.
    record
        The record's file.
    """

    def __init__(self, assessment: Assessment, folder: Path, record: Path | None) -> None:
        self.assessment, self.folder = assessment, folder
        self.edition = InternalEdition(assessment)
        self.record = "" if record is None else Path(os.path.relpath(record, folder)).as_posix()

    @cached_property
    def from_frames(self) -> bool:
        """Whether it was made from tables in memory."""
        sources = [self.assessment.original, *self.assessment.synthetic]
        for options in self._asked.values():
            options.with_files(sources.append)
        return any(source.path is None for source in sources)

    @cached_property
    def parameters(self) -> tuple[tuple[str, Markup], ...]:
        """Everything that can be set, by name, as Python."""
        settings, engine = self.assessment.settings, self.assessment.provenance.engine
        synthetic = tuple(self._path(source, f"synthetic_{n}") for n, source in enumerate(self.assessment.synthetic, 1))
        values: dict[str, object] = {
            "original": self._path(self.assessment.original, "original"),
            "synthetic": synthetic[0] if len(synthetic) == 1 else synthetic,
        }
        if self.record:
            values["record"] = self.record
        values |= {"keys": settings.keys, "targets": settings.targets or ()}
        written = {name: _python(value) for name, value in (values | settings.changed()).items()}
        if settings.exclude:
            rules = ",\n    ".join(
                literal(rule.model_dump(mode="json", exclude_unset=True)) for rule in settings.exclude
            )
            written["exclude"] = Markup(f"[\n    {rules},\n]")  # noqa: S704  # code, in a cell of code
        if self._asked:
            analyses = "".join(f"{name!r}: {table},\n" for name, table in self._asked_lines.items())
            written["analyses"] = Markup(f"{{\n{indent(analyses, '    ')}}}")  # noqa: S704  # likewise
        if engine in ENGINES and engine != "memory":
            written["engine"] = _python(engine)
        return tuple(written.items())

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """The parameters that `assess` takes by name."""
        return tuple(name for name, _ in self.parameters if name not in {"original", "synthetic", "record", "analyses"})

    @cached_property
    def _asked(self) -> dict[str, Options]:
        return asked_of(self.assessment)

    @cached_property
    def _asked_lines(self) -> dict[str, str]:
        return asked_lines(self._asked, self._placed, lambda name: f"{name}.csv")

    @cached_property
    def analyses(self) -> Markup:
        """The lines that run the analyses; empty where there are none."""
        lines = "assessment = analyse(assessment, original, synthetic, analyses)\n" if self._asked else ""
        lines += left_out_lines(self.assessment)
        mitigation = led_here(self.assessment)
        if mitigation is not None:
            result = next(n for n, file in enumerate(self.assessment.synthetic) if mitigation.led_to(file))
            place = "synthetic" if len(self.assessment.synthetic) == 1 else f"synthetic[{result}]"
            given = repr(self._path(mitigation.synthetic, "given"))
            lines += mitigation_lines(mitigation, "original", given, place)
        return Markup(lines)  # noqa: S704  # code, in a cell of code

    @cached_property
    def imports(self) -> str:
        """The lines that import what the notebook uses."""
        found = [word for word in ("analyse", "mitigate") if f"{word}(" in self.analyses]
        names = [*found, "assess", *(["load"] if self.record else [])]
        return f"from discoreport import {', '.join(names)}\nfrom discoreport.charts import draw"

    @cached_property
    def fingerprints(self) -> Markup | None:
        """SHA-256 of each file; None where none is known."""
        known = [source.sha256 for source in (self.assessment.original, *self.assessment.synthetic)]
        return _python(tuple(known)) if any(known) else None

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """What is shown, in the order in which a reviewer asks."""
        assessment = self.assessment
        rows = [
            Section("The whole in one figure", (), "", self._charts("overview")),
            Section(
                "Identity risk",
                of_group("identity"),
                "assessment.identity.round(1)",
                self._charts("identity", "class_sizes"),
            ),
        ]
        if assessment.targets:
            charts = self._charts("steps", "denominators")
            rows.append(Section("Attribute risk", of_group("attribute"), "assessment.attribute.round(1)", charts))
            rows.append(
                Section("The CAP family", of_group("cap"), "assessment.cap.round(1)", self._charts("cap", "tau"))
            )
            rows.append(Section("Checks", (), "assessment.one_way.round(1)", ()))
            rows.append(Section("Checks of pairs", (), "assessment.two_way.round(1)", self._charts("checks")))
        for heading, table, chart in (
            ("Exclusions", "assessment.exclusions", "exclusions"),
            ("Spread over the synthetic files", "assessment.spread.round(1)", "spread"),
        ):
            if self._charts(chart):
                rows.append(Section(heading, (), table, self._charts(chart)))
        for name, _ in assessment.analyses.filled():
            charts = self._charts(name) if name in CHARTS else ()
            rows.append(Section(ANALYSES[name].title, (), f"assessment.analyses.{name}.table", charts))
        return tuple(row for row in rows if row.table or row.charts)

    def _charts(self, *names: str) -> tuple[Markup, ...]:
        """Name, as Python, those of some charts that can be drawn."""
        return tuple(_python(name) for name in names if CHARTS[name].applies(self.assessment))

    def _path(self, source: Source, name: str) -> Any:
        return f"{name}.csv" if source.path is None else source.given(self._placed(source.path))

    def _placed(self, path: str) -> str:
        """Write a path as it looks from the folder; what is absolute, or elsewhere, stays as it is."""
        if _ELSEWHERE.match(path) or Path(path).is_absolute():
            return path
        return Path(os.path.relpath(Path(path).absolute(), self.folder)).as_posix()


def write_notebook(
    assessment: Assessment,
    path: str | Path,
    *,
    record: str | Path | None = None,
    templates: str | Path | None = None,
) -> Path:
    """Write a notebook that repeats an assessment from its files.

    Parameters
    ----------
    assessment
        From `assess` or `load`.
    path
        The file to write. Relative paths of the files are taken to start where this process runs, and
        written as they look from the notebook's folder.
    record
        The file that `assessment` was saved as, or the folder of its bundle. With it the notebook compares its
        figures with those of the record, and takes over what people said of the release.
    templates
        An organisation's folder, with a ``repeat.html`` of its own.

    Returns
    -------
    Path
        The file written: no outputs, and for the same record the same bytes. Every cell is tagged ``internal-only``,
        as they name levels, exclusions and answers, and show every figure once they were run.

    Raises
    ------
    OutputError
        Where it exists, or can't be written.
    """
    require_kind(assessment, Assessment, "write_notebook takes an assessment")
    path = Path(path)
    require_new(path)
    repeat = Repeat(assessment, path.absolute().parent, None if record is None else record_in(Path(record)))
    written = html_templates.fill(TEMPLATE, repeat, None if templates is None else Path(templates))
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "title": repeat.edition.title,
        "organisation": assessment.policy.organisation,
        "marking": assessment.policy.marking,
        "date": assessment.provenance.created.date().isoformat(),
    }
    content = new_notebook(cells=list(_cells(written)), metadata=metadata)
    return write_file(path, (nbformat.writes(content) + "\n").encode("utf-8"))


def _python(value: object) -> Markup:
    """Write a value as Python."""
    return Markup(literal(value))  # noqa: S704  # code, in a cell of code


def _cells(written: str) -> Iterator[nbformat.NotebookNode]:
    """Cut what the template gave into cells."""
    parts = _CELL.split(written)
    for n, (kind, tags, source) in enumerate(zip(parts[1::3], parts[2::3], parts[3::3], strict=True), start=1):
        metadata = {"tags": [*tags.split(), INTERNAL]}
        text = re.sub(r"\n{3,}", "\n\n", source).strip()
        if text and kind == "code":
            yield new_code_cell(text, id=f"cell-{n}", metadata=metadata)
        elif text:
            yield new_markdown_cell(text, id=f"cell-{n}", metadata=metadata)
