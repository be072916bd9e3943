"""Exporters for nbconvert: any notebook as a page or a PDF in the look of the report, and as teaching material."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

import nbformat
from nbconvert.exporters.exporter import Exporter
from nbconvert.exporters.templateexporter import TemplateExporter
from nbconvert.utils.exceptions import ConversionException
from nbformat.reader import NotJSONError
from traitlets import Bool, Enum, Int, Unicode
from traitlets.config import Config

from discoreport.charts.drawing.fallback_font import with_code_points
from discoreport.errors import DiscoReportError
from discoreport.notebook.code_cells import LARGEST_OUTPUT
from discoreport.notebook.handout import MADE, handout
from discoreport.notebook.notebook_file import CODE, Document, Options, cells_of, read
from discoreport.notebook.paper_tables import for_paper
from discoreport.report import pdf as pdf_writer
from discoreport.report import templates as html_templates

TEMPLATE = "notebook.html"
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_HALVES = re.compile("[\ud800-\udfff]")


class CannotExportError(ConversionException, DiscoReportError):
    """A notebook can't be read, or can't be laid out."""


class DiscoReportExporter(TemplateExporter):
    """What all exporters have in common: the options, and the page.

    Not an exporter of its own. The page is filled by the report's own templates and environment, in
    which everything is escaped, rather than by those of nbconvert; their folder is `templates`.
    """

    title = Unicode("", help="Title; by default that of the metadata, or the first heading, or the file name.").tag(
        config=True
    )
    date = Unicode("", help="Date on the first page, such as 2026-11-28; by default that of the metadata.").tag(
        config=True
    )
    marking = Unicode("", help="Stands on every page; by default that of the metadata.").tag(config=True)
    code = Enum(CODE, default_value="show", help="Code: show it, fold it (on paper it is left out), or hide it.").tag(
        config=True
    )
    edition = Enum(
        ("internal", "external"),
        default_value="internal",
        help="internal: complete; external: without the cells that are tagged internal-only.",
    ).tag(config=True)
    contents = Bool(True, help="Whether there is a table of contents.").tag(config=True)
    largest_output = Int(
        LARGEST_OUTPUT, min=1_000, help="Signs that an output may have to be shown; a picture ten times as many."
    ).tag(config=True)
    templates = Unicode("", help="An organisation's folder: own looks, words, logo, or notebook.html.").tag(config=True)

    form: Any = "pdf"
    solutions: ClassVar[Any] = "plain"
    slides: ClassVar[bool] = False

    @property
    def default_config(self) -> Config:
        """Keep those ways to leave out cells in force that nbconvert has of its own."""
        return Config({"TagRemovePreprocessor": {"enabled": True}, "RegexRemovePreprocessor": {"enabled": True}})

    def _init_preprocessors(self) -> None:
        Exporter._init_preprocessors(self)  # there is no folder of templates with a conf.json to look for

    def from_file(self, file_stream: Any, resources: Any = None, **kw: Any) -> Any:
        """Read a notebook and export it; see `from_notebook_node`."""
        try:
            notebook = nbformat.read(file_stream, as_version=4)
        except NotJSONError:
            raise CannotExportError("This isn't a notebook: it isn't JSON.") from None
        except (nbformat.ValidationError, ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
            raise CannotExportError(f"This isn't a whole notebook: {_short(error)}") from None
        return self.from_notebook_node(notebook, resources=resources, **kw)

    def from_notebook_node(self, nb: Any, resources: Any = None, **kw: Any) -> Any:
        """Export a notebook.

        Parameters
        ----------
        nb
            As nbformat gives it.
        resources
            Of nbconvert.
        **kw
            Handed on to nbconvert.

        Returns
        -------
        tuple
            What is to be written, and nbconvert's resources.

        Raises
        ------
        CannotExportError
            Where it isn't a whole notebook, or can't be laid out.
        """
        try:
            chosen, resources = Exporter.from_notebook_node(self, nb, resources, **kw)
        except nbformat.ValidationError as error:
            raise CannotExportError(f"This isn't a whole notebook: {_short(error)}") from None
        resources["output_extension"] = self._ending()
        return self._deliver(chosen, resources), resources

    def _ending(self) -> str:
        return str(self.file_extension)

    def _deliver(self, notebook: Any, resources: Any) -> Any:
        """Give what is to be written."""
        return self._pdf(notebook, resources) if self.form == "pdf" else self._page(notebook, resources)[0]

    def _page(self, notebook: Any, resources: Any) -> tuple[str, Document]:
        """Fill the template; PDF is made from the same text."""
        about = resources.get("metadata", {})
        own = Path(self.templates) if self.templates else None
        options = self._options()
        try:
            logo = html_templates.own_logo(own)
            path = str(about.get("path", "") or "")
            document = read(_whole(notebook), options, name=str(about.get("name", "") or ""), path=path, logo=logo)
            html = html_templates.fill(TEMPLATE, document, own)
            html = with_code_points(html, html_templates.fill("code_points.html", document, own))
        except DiscoReportError as error:
            raise CannotExportError(str(error)) from error
        return _UNWRITABLE.sub("�", html), document

    def _options(self) -> Options:
        kinds = {"code": self.exclude_code_cell, "markdown": self.exclude_markdown, "raw": self.exclude_raw}
        return Options(
            title=self.title,
            date=self.date,
            marking=self.marking,
            code="hide" if self.exclude_input else self.code,
            external=self.edition == "external",
            without=frozenset(kind for kind, excluded in kinds.items() if excluded),
            outputs=not self.exclude_output,
            contents=self.contents,
            largest_output=self.largest_output,
            solutions=self.solutions,
            slides=self.slides,
        )

    def _pdf(self, notebook: Any, resources: Any) -> bytes:
        html, document = self._page(notebook, resources)
        try:
            return pdf_writer.render(for_paper(html), [], document.created, drawings=document.drawings)
        except DiscoReportError as error:
            raise CannotExportError(str(error)) from error


def _whole(value: Any) -> Any:
    """Replace halves of signs, which JSON can hold and no file can, all over a notebook."""
    if isinstance(value, str):
        return _HALVES.sub("�", value)
    if isinstance(value, list):
        return [_whole(one) for one in value]
    return {name: _whole(one) for name, one in value.items()} if isinstance(value, dict) else value


def _short(error: BaseException) -> str:
    return str(getattr(error, "message", "") or error or type(error).__name__).splitlines()[0][:300]


class DiscoReportHTML(DiscoReportExporter):
    """One page that fetches nothing and runs nothing."""

    export_from_notebook = "discoreport (HTML)"
    output_mimetype = "text/html"
    file_extension = Unicode(".html").tag(config=True)
    form = "html"


class DiscoReportPDF(DiscoReportExporter):
    """A PDF that screen readers can read and archives can keep (PDF/A-3a, PDF/UA-1)."""

    export_from_notebook = "discoreport (PDF)"
    output_mimetype = "application/pdf"
    file_extension = Unicode(".pdf").tag(config=True)


class _Teaching(DiscoReportPDF):
    """Exercises; the file is called after what it is, so that it never takes the place of another."""

    called: ClassVar[str]
    form = Enum(("pdf", "html", "notebook"), default_value="pdf", help="What to write.").tag(config=True)

    def _ending(self) -> str:
        return f".{self.called}" + {"pdf": ".pdf", "html": ".html", "notebook": ".ipynb"}[self.form]

    def _deliver(self, notebook: Any, resources: Any) -> Any:
        if made := notebook["metadata"].get(MADE):
            raise CannotExportError(
                f"This notebook is a {made} already. Keep what is made in a folder of its own: --output-dir handouts"
            )
        if self.form == "notebook":
            chosen = nbformat.from_dict({**notebook, "cells": cells_of(notebook, self._options())})
            chosen.metadata[MADE] = self.called
            return nbformat.writes(self._notebook(chosen)) + "\n"
        return super()._deliver(notebook, resources)

    def _notebook(self, notebook: Any) -> Any:
        return notebook


class DiscoReportHandout(_Teaching):
    """Exercises for students: room in the place of each cell that is tagged "solution"."""

    export_from_notebook = "discoreport (handout)"
    called = "handout"
    solutions = "room"

    def _notebook(self, notebook: Any) -> Any:
        return handout(notebook)


class DiscoReportSolution(_Teaching):
    """Exercises for teachers: each solution is marked as one."""

    export_from_notebook = "discoreport (exercises with solutions)"
    called = "solution"
    solutions = "marked"


class DiscoReportSlides(DiscoReportPDF):
    """Slides as a PDF that needs no network: pages that lie, each solution on its own."""

    export_from_notebook = "discoreport (slides)"
    solutions = "marked"
    slides = True

    def _ending(self) -> str:
        return ".slides.pdf"
