"""`Report`: renders an assessment once, and writes it as HTML or PDF, for inside or for outside."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from discoreport.assessment.assessment import Assessment
from discoreport.errors import SettingsError, suggest, writing
from discoreport.report import pdf as pdf_writer
from discoreport.report import tables as csv_tables
from discoreport.report import templates as html_templates
from discoreport.report.edition import EDITIONS, Edition, EditionName
from discoreport.report.external import ExternalEdition, PublicRecord, public
from discoreport.report.internal import InternalEdition
from discoreport.report.pdf import Attached

ENDINGS = (".html", ".pdf")
RECORDS = {"internal": "assessment.json", "external": "release.json"}
"""What the record of each edition is called, in a bundle and inside the PDF."""


class Report:
    """The disclosure report of one assessment.

    Parameters
    ----------
    assessment
        From `assess` or `load`. The report needs nothing else, least of all the data.
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
        self, assessment: Assessment, *, edition: EditionName = "internal", templates: str | Path | None = None
    ) -> None:
        if edition not in EDITIONS:
            raise SettingsError(f"No edition '{edition}'. {suggest(edition, EDITIONS)}")
        self.assessment = assessment
        self.edition = edition
        folder = templates or assessment.policy.templates
        self.templates = Path(folder) if folder else None

    @cached_property
    def public(self) -> PublicRecord:
        """What the external edition is made from."""
        return public(self.assessment)

    @cached_property
    def record(self) -> bytes:
        """The record of this edition as JSON."""
        if self.edition == "internal":
            return self.assessment.record
        return (self.public.model_dump_json(indent=1, exclude_defaults=False) + "\n").encode("utf-8")

    @cached_property
    def html(self) -> str:
        """The whole report as one page that fetches nothing. PDF is made from the same text."""
        logo = html_templates.own_logo(self.templates)
        read: Edition
        if self.edition == "internal":
            read = InternalEdition(self.assessment, logo)
        else:
            read = ExternalEdition(self.public, logo)
        return html_templates.fill("page.html", read, self.templates)

    @cached_property
    def tables(self) -> dict[str, bytes]:
        """The tables of this edition as CSV, by name."""
        if self.edition == "internal":
            found = csv_tables.internal_tables(self.assessment)
        else:
            found = csv_tables.external_tables(self.public)
        return {name: csv_tables.to_csv(table) for name, table in found.items()}

    @cached_property
    def pdf(self) -> bytes:
        """The report as PDF, with record and tables inside."""
        record = Attached(RECORDS[self.edition], self.record, "The record that this report was made from", "Source")
        attached = [Attached(f"{name}.csv", table, f"Table: {name}", "Data") for name, table in self.tables.items()]
        return pdf_writer.render(self.html, [record, *attached], self.assessment.provenance.created)

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
        path = Path(path)
        ending = path.suffix.lower()
        if ending not in ENDINGS:
            raise SettingsError(f"Can't write a report that ends in '{ending}'. {suggest(ending, ENDINGS)}")
        content = self.pdf if ending == ".pdf" else self.html.encode("utf-8")
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return path
