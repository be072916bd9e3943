"""The Python lines that do what was done in a form."""

from __future__ import annotations

from pathlib import Path

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.repeat import python_lines
from discoreport.form.saving import beside
from discoreport.report.edition import EditionName


def lines_of(assessment: Assessment, *, saved: Path | None, out: str, edition: EditionName) -> str:
    """Write the lines.

    Parameters
    ----------
    assessment
        What they compute.
    saved
        The file in which the form has saved what was said; None where nothing was.
    out
        Folder of the report.
    edition
        Of the report.
    """
    lines = python_lines(assessment).replace(" import ", " import Report, ", 1)
    said = ""
    if saved is not None:
        lines = lines.replace("\n", "\nfrom discoreport.form import words_of\n", 1)
        said = f"assessment = words_of({str(saved)!r}, assessment)\n"
    if any(source.path is None for source in (assessment.original, *assessment.synthetic)):
        lines = "# original, synthetic_1, ... are data frames.\n" + lines
    target = str(beside(out, ".pdf"))
    return f"{lines}{said}Report(assessment, edition={edition!r}).write({target!r})\n"
