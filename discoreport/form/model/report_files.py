"""What the form writes: one file or the bundle, which can be given up until the last moment; and the Python lines."""

from __future__ import annotations

import warnings
from pathlib import Path

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.code_to_repeat import Lines, lines_for
from discoreport.assessment.progress import Progress
from discoreport.errors import OutputError, ReplacedWarning
from discoreport.form.model.saved_form import beside
from discoreport.report import Report
from discoreport.report.both_editions import EditionName
from discoreport.report.bundle import deliver


def report_file(out: str | Path, edition: EditionName, ending: str) -> Path:
    """Name the file of an edition, beside the folder of the bundle; each edition has its own.

    Examples
    --------
    >>> report_file("released/report", "external", ".pdf").as_posix()
    'released/report-external.pdf'
    """
    return beside(out, f"-{edition}{ending}")


def write_report(
    assessment: Assessment, path: Path, edition: EditionName, progress: Progress, *, replace: bool
) -> tuple[list[Path], str]:
    """Write the report as one file.

    Parameters
    ----------
    assessment
        With all that was said of it.
    path
        A file that ends in .html or .pdf.
    edition
        Which one.
    progress
        Called before each step; raises where nobody wants the result any more.
    replace
        Whether a file that is there already may go.

    Returns
    -------
    list of Path, str
        The files written, and what is to be said of them.

    Raises
    ------
    OutputError
        Where the file can't be written, or is there and may not go.
    MissingPackageError
        As `Report.write`.
    """
    if path.exists() and not replace:
        raise OutputError(f"'{path}' exists, and this form hasn't written it. Name another folder, or remove the file.")
    before = path.exists()
    report = Report(assessment, edition=edition)
    progress(0, 3, "drawing the figures")
    report.html  # noqa: B018  # kept by the report
    progress(1, 3, "laying out the pages")
    if path.suffix == ".pdf":
        report.pdf  # noqa: B018
    progress(2, 3, f"writing {path.name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReplacedWarning)  # said below
        written = report.write(path)
    return [written], f"It takes the place of the earlier {path.name}." if before else ""


def write_all(assessment: Assessment, folder: Path, edition: EditionName, progress: Progress) -> tuple[list[Path], str]:
    """Write the bundle; without the PDF where the libraries for it are not installed.

    Parameters
    ----------
    assessment, edition, progress
        As for `write_report`.
    folder
        Where to.

    Returns
    -------
    list of Path, str
        As `write_report`.

    Raises
    ------
    OutputError
        Where the folder can't be written, or holds files that belong to no bundle.
    """
    replaced = "It takes the place of the earlier bundle." if folder.exists() and any(folder.iterdir()) else ""
    missing = deliver(Report(assessment, edition=edition), folder, progress=progress)
    written = sorted(path for path in folder.rglob("*") if path.is_file())
    return written, f"{replaced} There is no PDF in it. {missing}" if missing else replaced


def lines_of(assessment: Assessment, *, saved: Path | None, out: str, edition: EditionName) -> str:
    """Write the Python lines that do what was done in a form.

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
    report = f"Report(assessment, edition={edition!r}).write({str(report_file(out, edition, '.pdf'))!r})\n"
    lines += Lines(report, {"discoreport": {"Report"}})
    frames = any(source.path is None for source in (assessment.original, *assessment.synthetic))
    return ("# original, synthetic_1, ... are data frames.\n" if frames else "") + str(lines)
