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
    lines = [*_head(edition), *_figures(assessment), *_decision(edition, assessment)]
    return "\n".join(map(in_one_line, lines)) + "\n"


def _head(edition: Edition) -> Iterator[str]:
    said = edition.documentation
    if edition.marking:
        yield edition.marking
    yield edition.title
    named = [part for part in (said.id, f"version {said.version}" if said.version else "") if part]
    yield ", ".join([*named, f"{edition.name} edition", said.status, f"assessed on {date(edition.created.date())}"])
    yield f"Record: {edition.record}"


def _figures(assessment: Assessment | None) -> Iterator[str]:
    if assessment is None:
        return
    yield ""
    yield from str(assessment).split("\n")
    yield ""
    thresholds = in_words(assessment, compared(assessment))
    yield f"Policy: {assessment.policy.called or 'none given'}; thresholds: {thresholds}"
    yield ""
    yield "What is open:"
    items = assessment.open_items
    for item in items:
        yield f"- {item.what}. {item.detail}"
    if not items:
        yield "- nothing"


def _decision(edition: Edition, assessment: Assessment | None) -> Iterator[str]:
    decision = edition.documentation.decision
    yield ""
    when = f", {date(decision.date)}" if decision.date else ""
    yield f"Decision: {decision.decision or 'none recorded'}{when}"
    if assessment is not None:
        yield f"Fingerprint of what is decided on and signed: {assessment.state}"
    if decision.conditions:
        yield f"Conditions: {decision.conditions}"
