"""`Report`: renders an assessment once, and writes it as HTML or PDF, for inside or for outside."""

from __future__ import annotations

import datetime
import warnings
from functools import cached_property
from pathlib import Path

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.record import RECORDS
from discoreport.assessment.release.public_record import PublicRecord, public, require_discreet
from discoreport.charts import CHARTS
from discoreport.charts.drawing.fallback_font import with_code_points
from discoreport.charts.drawing.to_svg import picture
from discoreport.errors import ReplacedWarning, SettingsError, require_kind, require_path, suggest
from discoreport.files import in_place_of, write_file
from discoreport.report import pdf as pdf_writer
from discoreport.report import templates as html_templates
from discoreport.report.both_editions import EDITIONS, Edition, EditionName
from discoreport.report.csv_tables import external_tables, internal_tables, to_csv
from discoreport.report.external_edition import ExternalEdition
from discoreport.report.glossary_links import linked
from discoreport.report.internal_edition import InternalEdition
from discoreport.report.pdf import Attached
from discoreport.report.summary import summary

ENDINGS = (".html", ".pdf")
PICTURES = ("svg", "png")
"""The endings of a figure's files."""


class Report:
    """The disclosure report of one assessment.

    Parameters
    ----------
    release
        From `assess` or `load`. The report needs nothing else, least of all the data. The record of an
        external edition gives that edition again.
    edition
        "internal" is complete. "external" is for readers outside: it holds no figure on risk, no key or
        target, no level, no exclusion, no seed and no small count.
    templates
        An organisation's folder of templates; by default the one that the policy names, if it names any.

    Raises
    ------
    SettingsError
        Where there is no such edition or no such folder.

    Examples
    --------
    >>> from discoreport import Report, assess  # doctest: +SKIP
    >>> Report(assess("original.csv", "synthetic.csv", keys=["age"])).write("report.pdf")  # doctest: +SKIP
    """

    def __init__(
        self,
        release: Assessment | PublicRecord,
        *,
        edition: EditionName = "internal",
        templates: str | Path | None = None,
    ) -> None:
        require_kind(release, Assessment | PublicRecord, "a report is made of an assessment")
        require_kind(edition, str, "edition: must be text")
        if edition not in EDITIONS:
            raise SettingsError(f"No edition '{edition}'. {suggest(edition, EDITIONS)}")
        if templates is not None:
            require_path(templates, "templates")
        if isinstance(release, Assessment):
            templates = templates or release.policy.templates
        self.templates = Path(templates) if templates else None
        self.edition: EditionName = edition if isinstance(release, Assessment) else "external"
        shown = public(release) if isinstance(release, Assessment) and edition == "external" else release
        used = html_templates.fingerprints(self.templates)
        self.shown = shown if used == shown.templates else shown.model_copy(update={"templates": used})
        self._release = release

    @cached_property
    def record(self) -> bytes:
        """The record of this edition as JSON."""
        if isinstance(self.shown, Assessment):
            return self.shown.record
        return (self.shown.model_dump_json(indent=1) + "\n").encode("utf-8")

    @cached_property
    def _read(self) -> Edition:
        """What the templates read."""
        logo = html_templates.own_logo(self.templates)
        if isinstance(self.shown, Assessment):
            return InternalEdition(self.shown, logo)
        return ExternalEdition(self.shown, logo)

    @cached_property
    def html(self) -> str:
        """The whole report as one page that fetches nothing. PDF is made from the same text.

        Raises
        ------
        SettingsError
            Where an organisation's templates put into an external edition what must stay inside.
        """
        page = html_templates.fill("page.html", self._read, self.templates)
        if self.templates and isinstance(self._release, Assessment) and isinstance(self.shown, PublicRecord):
            ours = html_templates.words_in(html_templates.fill("page.html", self._read))
            added = dict.fromkeys(line for line in html_templates.words_in(page) if line not in ours)
            require_discreet(self._release, [("the page of these templates", line) for line in added])
        page = linked(page)
        return with_code_points(page, html_templates.fill("code_points.html", self._read, self.templates))

    @cached_property
    def pdf(self) -> bytes:
        """The report as PDF, with record and tables inside."""
        record = Attached(RECORDS[self.edition], self.record, "The record that this report was made from", "Source")
        attached = [Attached(f"{name}.csv", table, f"Table: {name}", "Data") for name, table in self.tables.items()]
        page = self.html
        return pdf_writer.render(page, [record, *attached], self._read.created, drawings=self._read.drawings)

    @cached_property
    def tables(self) -> dict[str, bytes]:
        """The tables as CSV, by name."""
        shown = self.shown
        found = internal_tables(shown) if isinstance(shown, Assessment) else external_tables(shown)
        return {name: to_csv(table) for name, table in found.items()}

    @cached_property
    def figures(self) -> dict[str, bytes]:
        """The figures as SVG and PNG, by file name; the external edition has none."""
        if not isinstance(self._read, InternalEdition):
            return {}
        return {
            f"{drawn.name}.{ending}": content
            for name in CHARTS
            for drawn in self._read.figures(name)
            for ending, content in zip(PICTURES, (str(drawn.svg).encode("utf-8"), picture(str(drawn.svg))), strict=True)
        }

    @property
    def created(self) -> datetime.datetime:
        """When the figures were made."""
        return self._read.created

    @cached_property
    def descriptions(self) -> dict[str, str]:
        """What the figures show, by the name of their files in a bundle."""
        if not isinstance(self._read, InternalEdition):
            return {}
        drawn = [(one.name, chart.title) for name, chart in CHARTS.items() for one in self._read.figures(name)]
        return {f"figures/{name}.{ending}": title for name, title in drawn for ending in PICTURES}

    @cached_property
    def summary(self) -> str:
        """The report in a few lines of plain text."""
        return summary(self._read, self.shown if isinstance(self.shown, Assessment) else None)

    def write(self, path: str | Path) -> Path:
        """Write the report.

        Parameters
        ----------
        path
            A file that ends in .html or .pdf.

        Returns
        -------
        Path
            The file written.

        Warns
        -----
        ReplacedWarning
            Where it takes the place of an earlier file, which stays as long as the new one isn't whole.

        Raises
        ------
        SettingsError
            Where the ending is another.
        OutputError
            Where the file can't be written.
        BrokenTemplateError
            Where a template of the organisation can't be filled.
        MissingPackageError
            Where a PDF is asked for and the libraries it needs are not installed; names them.
        """
        path = require_path(path, "write")
        ending = path.suffix.lower()
        if ending not in ENDINGS:
            raise SettingsError(f"Can't write a report that ends in '{ending}'. {suggest(ending, ENDINGS)}")
        content = self.pdf if ending == ".pdf" else self.html.encode("utf-8")
        replaced = in_place_of(path) if path.is_file() else ""
        written = write_file(path, content)
        if replaced:
            warnings.warn(replaced, ReplacedWarning, stacklevel=2)
        return written
