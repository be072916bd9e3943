"""A note for the users of a synthetic file: what it is, how it differs, what it is fit for. No figure of any risk."""

from __future__ import annotations

from collections.abc import Iterator

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import counted
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.release.documentation import Section
from discoreport.assessment.release.public_record import SHOWN_FINDINGS, require_discreet
from discoreport.assessment.release.public_utility import public_utility
from discoreport.errors import require_kind

_NOT_FOR_USERS = {"low_overlap", "missing_as_code", "missing_as_text", "near_match", "repair"}
"""Findings that tell of records, or of what was done to compare the files."""
DIFFERENCES = {finding: words for finding, words in SHOWN_FINDINGS.items() if finding not in _NOT_FOR_USERS}
"""What the note says of a finding."""

_MOST_LIMITS = 40
"""Variables and pairs that the note lists."""


def user_note(assessment: Assessment) -> str:
    """Write the note that goes with a synthetic file to its users.

    Parameters
    ----------
    assessment
        Its documentation is what a person said. Only what may leave the building is taken, and no figure of a risk, no
        value of a variable and no count of original records.

    Returns
    -------
    str
        Plain text, for a file beside the data.

    Raises
    ------
    SettingsError
        Where what a person said holds what must stay inside, as for the external edition.
    """
    require_kind(assessment, Assessment, "user_note takes an assessment")
    require_discreet(assessment)
    said = assessment.documentation
    lines = [said.request.dataset or said.title or "Synthetic data", ""]
    lines += [
        "THIS FILE IS SYNTHETIC. Its records were made by a computer program: they are no observations.",
        "What is found in it is not a finding about people: check it on the original data before you use it.",
        "",
        "Files",
    ]
    lines += [
        f"- {source.name}: {counted(source.n_records, 'record')}, {counted(source.n_columns, 'variable')}"
        for source in assessment.synthetic
    ]
    for heading, section in (("How the data were made", said.synthesis), ("How they are marked", said.labelling)):
        lines += _section(heading, section)
    steps = [step.what for step in said.mitigation if step.what]
    if steps:
        lines += ["", "What was done to the file afterwards", *(f"- {what}" for what in steps)]
    lines += ["", "How the file differs from the original"]
    differences = list(dict.fromkeys(_differences(assessment)))
    lines += differences or ["- No difference in variables, types, values or missing values was found."]
    reproduced = public_utility(assessment)
    limits = list(reproduced.limits) if reproduced else []
    if limits:
        shown = [f"- {one}" for one in limits[:_MOST_LIMITS]]
        shown += [f"- and {len(limits) - _MOST_LIMITS} more"] if len(limits) > _MOST_LIMITS else []
        lines += ["", "What it reproduces less closely (S_pMSE is 1 on average where only chance differs)", *shown]
    lines += _section("What the data may be used for", said.uses)
    return "\n".join(lines) + "\n"


def _section(heading: str, section: Section) -> Iterator[str]:
    entries = [f"- {field.title}: {value}" for _, field, value in section.entries(public=True)]
    if entries:
        yield from ("", heading, *entries)


def _differences(assessment: Assessment) -> Iterator[str]:
    for finding in assessment.findings:
        if finding.finding in DIFFERENCES:
            yield f"- {written_name(finding.variable)}: {DIFFERENCES[finding.finding]}"
