"""`Report`: renders an assessment once, and writes it as HTML or PDF."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from discoreport.assessment.assessment import Assessment
from discoreport.charts import theme
from discoreport.errors import SettingsError, suggest, writing
from discoreport.report import pdf, templates
from discoreport.report.view import View

ENDINGS = (".html", ".pdf")


class Report:
    """The disclosure report of one assessment.

    Parameters
    ----------
    assessment
        From `assess` or `load`. The report needs nothing else, least of all the data.
    title
        What it is called; by default after the original file.

    Examples
    --------
    >>> from discoreport import Report, assess  # doctest: +SKIP
    >>> Report(assess("original.csv", "synthetic.csv", keys=["age"])).write("report.pdf")  # doctest: +SKIP
    """

    def __init__(self, assessment: Assessment, *, title: str | None = None) -> None:
        self.assessment = assessment
        self.title = title or f"Disclosure report: {assessment.original.name}"

    @cached_property
    def html(self) -> str:
        """The whole report as one page that fetches nothing. PDF is made from the same text."""
        page = templates.environment().get_template("page.html")
        return page.render(report=View(self.assessment, self.title), theme=theme)

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
        MissingPackageError
            Where a PDF is asked for and the libraries it needs are not installed; names them.
        """
        path = Path(path)
        ending = path.suffix.lower()
        if ending not in ENDINGS:
            raise SettingsError(f"Can't write a report that ends in '{ending}'. {suggest(ending, ENDINGS)}")
        content = pdf.render(self.html, self.assessment) if ending == ".pdf" else self.html.encode("utf-8")
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return path
