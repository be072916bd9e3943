"""The Python lines that do what was done in a form."""

from __future__ import annotations

from pathlib import Path

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.repeat import Lines, lines_for
from discoreport.form.model.saved_form import beside
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
    lines = lines_for(assessment)
    if saved is not None:
        body = f"assessment = words_of({str(saved)!r}, assessment)\n"
        lines += Lines(body, {"discoreport.form": {"words_of"}})
    report = f"Report(assessment, edition={edition!r}).write({str(beside(out, '.pdf'))!r})\n"
    lines += Lines(report, {"discoreport": {"Report"}})
    frames = any(source.path is None for source in (assessment.original, *assessment.synthetic))
    return ("# original, synthetic_1, ... are data frames.\n" if frames else "") + str(lines)
