"""What may leave the building, picked out of an assessment piece by piece: the record of the external edition."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from pydantic import Field

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.frozen_model import FrozenModel
from discoreport.assessment.release.confidential_words import KEY, LEVEL, secrets
from discoreport.assessment.release.documentation import Documentation, Section, is_public
from discoreport.assessment.release.policy import Logo, Policy
from discoreport.assessment.release.public_utility import PublicUtility, public_utility
from discoreport.errors import SettingsError

SHOWN_FINDINGS = {
    "column_only_in_original": "Not in the synthetic file.",
    "column_only_in_synthetic": "Only in the synthetic file.",
    "different_distribution": "The shares of the values differ much.",
    "declared_in_one_file": "Codes that one file declares as missing are values in the other.",
    "encoding": "Letters seem to be in another encoding than the original's, or lost.",
    "labels_disagree": "The same value has different labels in the files.",
    "levels_only_in_original": "Some values of the original don't occur.",
    "levels_only_in_synthetic": "Some values don't occur in the original.",
    "low_overlap": "Most values of the original don't occur.",
    "missing_as_code": "Missing values are a code in one file and empty in the other.",
    "missing_as_text": "Missing values are a text in one file and empty in the other.",
    "missing_only_in_original": "Has no missing values; the original has.",
    "missing_only_in_synthetic": "Has missing values; the original has none.",
    "near_match": "Some values differ from the original's in nothing but spaces, capitals or leading zeros.",
    "outside_range": "Some values lie outside the range of the original.",
    "repair": "Written differently in the files; made to agree for the comparison.",
    "type_change": "Another type of values than in the original.",
}
"""What the external edition says of a finding. Kinds that are not listed here tell of records, and stay inside."""


_NAMES_OF_ORIGINAL = "column_only_in_original"
"""Names a variable that isn't released: a note to the users of a file may, the external edition doesn't."""


class PublicFile(FrozenModel):
    """A synthetic file: name, fingerprint, size. No size where it is below the small-cell limit."""

    name: str
    sha256: str | None
    n_records: int | None
    n_columns: int


class PublicVariable(FrozenModel):
    """A variable of the synthetic files. Whether it was a key or a target isn't said."""

    name: str
    label: str
    kind: str


class PublicFinding(FrozenModel):
    """How a variable differs between the files, without numbers and values."""

    variable: str
    file: str
    finding: str


class PublicRecord(FrozenModel):
    """All that the external edition shows and holds.

    No measure, no key or target, no level, no exclusion, no seed, no fingerprint of the original, no
    count below the small-cell limit. Built by `public`, never by leaving things out of a whole record.

    Parameters
    ----------
    record
        SHA-256 of the internal record that it was made from.
    documentation
        The fields that are for everybody.
    utility
        What the file reproduces, in bands; None where it wasn't looked at.
    templates
        As in an assessment.
    """

    schema_version: Literal[1] = 1
    edition: Literal["external"] = "external"
    record: str
    created: datetime.datetime
    discoreport: str
    organisation: str
    policy: str
    marking: str
    logo: Logo | None
    documentation: Documentation
    synthetic: tuple[PublicFile, ...]
    variables: tuple[PublicVariable, ...]
    findings: tuple[PublicFinding, ...]
    utility: PublicUtility | None = None
    templates: dict[str, str] = Field(default_factory=dict)


def public(assessment: Assessment, words: Iterable[tuple[str, str]] = ()) -> PublicRecord:
    """Pick out what may leave the building.

    Parameters
    ----------
    assessment
        The whole record.
    words
        Further words that go out; see `require_discreet`.

    Raises
    ------
    SettingsError
        Where somebody has written the seed, a measured figure or count, the name of a key, or the level of a flag, an
        exclusion or a group that is fully exposed into a field that is for everybody, a name or label, or a template.
    """
    require_discreet(assessment, words)
    policy, limit = assessment.policy, assessment.policy.small_cell_limit
    return PublicRecord(
        record=assessment.fingerprint,
        created=assessment.provenance.created,
        discoreport=assessment.provenance.discoreport,
        organisation=policy.organisation,
        policy=policy_name(policy),
        marking=policy.external_marking,
        logo=policy.logo,
        documentation=_public_part(assessment.documentation),
        synthetic=tuple(
            PublicFile(
                name=file.name,
                sha256=file.sha256,
                n_records=file.n_records if file.n_records >= limit else None,
                n_columns=file.n_columns,
            )
            for file in assessment.synthetic
        ),
        variables=tuple(
            PublicVariable(name=one.name, label=one.label, kind=one.kind)
            for one in sorted(assessment.described, key=lambda one: one.name)  # their order would tell the keys
        ),
        findings=_findings(assessment),
        utility=public_utility(assessment),
    )


def policy_name(policy: Policy) -> str:
    """Name a policy with its version."""
    return " ".join(word for word in (policy.name, policy.version) if word)


def require_discreet(assessment: Assessment, words: Iterable[tuple[str, str]] = ()) -> None:
    """Look for what must stay inside in all words that are for everybody.

    Parameters
    ----------
    assessment
        The whole record.
    words
        Further words that go out, such as those of an organisation's templates, by what they are called in errors.

    Raises
    ------
    SettingsError
        Names the place, and what kind of thing it holds.
    """
    policy = assessment.policy
    said = [*texts(_public_part(assessment.documentation)), *words]
    said += [(f"the policy's {name}", getattr(policy, name)) for name in ("organisation", "name", "version")]
    said += [("the policy's external_marking", policy.external_marking)]
    files = [(f"the name of synthetic file {n}", file.name) for n, file in enumerate(assessment.synthetic, start=1)]
    of_data = [(f"the name of variable '{one.name}'", one.name) for one in assessment.variables]
    of_data += [(f"the label of variable '{one.name}'", one.label) for one in assessment.described]
    for kind, told in secrets(assessment):
        # the values of a variable are in the file that is released, so that its name may speak of them
        for place, text in (*said, *files, *(of_data if kind not in (LEVEL, KEY) else ())):
            if told(text, (place, text) in files):
                raise SettingsError(
                    f"What may leave the building can't be written: {place} holds {kind}. Put it in other words."
                )


def texts(section: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """List the texts that people entered, by field; those that they chose from a list aren't theirs."""
    if isinstance(section, Section):
        for field, declared, value in section.entries():
            if declared.annotation is str or not isinstance(value, str):
                yield from texts(value, f"{name}.{field}" if name else field)
    elif isinstance(section, tuple):
        for number, value in enumerate(section):
            yield from texts(value, f"{name}.{number}")
    elif isinstance(section, str):
        yield name, section


def _public_part(section: Any) -> Any:
    """Keep the fields of a section that are for everybody, all the way down."""
    kept = {
        name: _public_value(value) for name, field, value in section.entries() if is_public(field) or _is_inner(value)
    }
    return type(section)(**kept)


def _is_inner(value: object) -> bool:
    """Tell whether a value is made of sections, whose own fields say what is for everybody."""
    several = value if isinstance(value, tuple) else (value,)
    return bool(several) and all(
        isinstance(one, Section) and any(map(is_public, type(one).model_fields.values())) for one in several
    )


def _public_value(value: Any) -> Any:
    if isinstance(value, Section):
        return _public_part(value)
    if isinstance(value, tuple):
        return tuple(_public_value(one) for one in value)
    return value


def _findings(assessment: Assessment) -> tuple[PublicFinding, ...]:
    found = {
        PublicFinding(
            variable=finding.variable,
            file=assessment.synthetic[finding.synthesis - 1].name if finding.synthesis else "",
            finding=SHOWN_FINDINGS[finding.finding],
        )
        for finding in assessment.findings
        if finding.finding in SHOWN_FINDINGS and finding.finding != _NAMES_OF_ORIGINAL
    }
    return tuple(sorted(found, key=lambda one: (one.variable, one.file, one.finding)))
