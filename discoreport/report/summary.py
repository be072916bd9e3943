"""The report in a few lines of plain text, for a mail or a ticket."""

from __future__ import annotations

from collections.abc import Iterator

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release.thresholds import compared, in_words
from discoreport.printable import in_one_line
from discoreport.report.both_editions import Edition
from discoreport.report.filters import date


def summary(edition: Edition, assessment: Assessment | None) -> str:
    """Write the summary of one edition.

    Parameters
    ----------
    edition
        Title, status, decision.
    assessment
        Its figures and what is open; None in the external edition.

    Returns
    -------
    str
        Lines of plain text.
    """
    return "\n".join(map(in_one_line, _lines(edition, assessment))) + "\n"


def _lines(edition: Edition, assessment: Assessment | None) -> Iterator[str]:
    said = edition.documentation
    if edition.marking:
        yield edition.marking
    yield edition.title
    named = [part for part in (said.id, f"version {said.version}" if said.version else "") if part]
    yield ", ".join([*named, f"{edition.name} edition", said.status, f"assessed on {date(edition.created.date())}"])
    yield f"Record: {edition.record}"
    if assessment is not None:
        yield ""
        yield from str(assessment).split("\n")
        yield ""
        thresholds = in_words(assessment, compared(assessment))
        yield f"Policy: {assessment.policy.called or 'none given'}; thresholds: {thresholds}"
        yield ""
        yield "What is open:"
        yield from [f"- {item.what}. {item.detail}" for item in assessment.open_items] or ["- nothing"]
    yield ""
    when = f", {date(said.decision.date)}" if said.decision.date else ""
    yield f"Decision: {said.decision.decision or 'none recorded'}{when}"
    if assessment is not None:
        yield f"Fingerprint of what is decided on and signed: {assessment.state}"
    if said.decision.conditions:
        yield f"Conditions: {said.decision.conditions}"
