"""What may leave the building, picked out of an assessment piece by piece: the record of the external edition."""

from __future__ import annotations

import datetime
import functools
import re
from collections.abc import Callable, Iterator, Set
from typing import Any, Literal

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.documentation import Documentation, Section, is_public
from discoreport.assessment.policy import Logo
from discoreport.assessment.results import Held
from discoreport.assessment.writing import percentage
from discoreport.errors import SettingsError
from discoreport.measures import MEASURES

SHOWN_FINDINGS = {
    "column_only_in_original": "Not in the synthetic file.",
    "column_only_in_synthetic": "Only in the synthetic file.",
    "different_distribution": "The shares of the values differ much.",
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


SHORTEST_LEVEL = 3
"""Levels shorter than this are not looked for in the words that people enter, and seeds only after the word."""
_SEED = "the seed of the synthesis"
_PERCENTAGE = re.compile(
    r"(?P<bound>[<>] )?(?<!\d)(?<!\d[.,])(?P<number>\d+(?:[.,]\d+)?) ?(?:%|per ?cent)", re.IGNORECASE
)
_MEASURE = re.compile(rf"(?<!\w)(?:{'|'.join(MEASURES)})(?!\w)", re.IGNORECASE)


class PublicFile(Held):
    """A synthetic file: name, fingerprint, size. No size where it is below the small-cell limit."""

    name: str
    sha256: str | None
    n_records: int | None
    n_columns: int


class PublicVariable(Held):
    """A variable of the synthetic files. Whether it was a key or a target isn't said."""

    name: str
    label: str
    kind: str


class PublicFinding(Held):
    """How a variable differs between the files, without numbers and values."""

    variable: str
    file: str
    finding: str


class PublicRecord(Held):
    """All that the external edition shows and holds.

    No measure, no key or target, no level, no exclusion, no seed, no fingerprint of the original, no
    count below the small-cell limit. Built by `public`, never by leaving things out of a whole record.

    Parameters
    ----------
    record
        SHA-256 of the internal record that it was made from.
    documentation
        The fields that are for everybody.
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


def public(assessment: Assessment) -> PublicRecord:
    """Pick out what may leave the building.

    Parameters
    ----------
    assessment
        The whole record.

    Raises
    ------
    SettingsError
        Where somebody has written the seed, a measured percentage, or the level of a flag, an exclusion or a
        group that is fully exposed into a field that is for everybody, or into the name of a synthetic file.
    """
    require_discreet(assessment)
    policy, limit = assessment.policy, assessment.policy.small_cell_limit
    return PublicRecord(
        record=assessment.fingerprint,
        created=assessment.provenance.created,
        discoreport=assessment.provenance.discoreport,
        organisation=policy.organisation,
        policy=" ".join(word for word in (policy.name, policy.version) if word),
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
            for one in sorted(assessment.variables, key=lambda one: one.name)  # their order would tell the keys
        ),
        findings=_findings(assessment),
    )


def require_discreet(assessment: Assessment) -> None:
    """Look for what must stay inside in the words that are for everybody.

    Raises
    ------
    SettingsError
        Names the field, and what kind of thing it holds.
    """
    texts = [*_texts(_public_part(assessment.documentation))]
    files = [(f"the name of synthetic file {n}", file.name) for n, file in enumerate(assessment.synthetic, start=1)]
    for kind, secret in _secrets(assessment):
        for place, text in [*texts, *(files if kind == _SEED else [])]:
            if secret(" ".join(text.split())):
                raise SettingsError(
                    f"What may leave the building can't be written: {place} holds {kind}. Put it in other words."
                )


def _secrets(assessment: Assessment) -> Iterator[tuple[str, Callable[[str], object]]]:
    """Say how to find in a text what must stay inside, by kind. Numbers may have a comma, words other capitals."""
    outcomes = [assessment.outcome, *filter(None, [assessment.outcome_without_exclusions])]
    results = [result for outcome in outcomes for result in (*outcome.results, *outcome.identity)]
    figures = {value for result in results for value in result.values.values() if value}
    figures |= {abs(value) for _, found in assessment.analyses.filled() for value in found.percentages() if value}
    cases = [flag.case for outcome in outcomes for flag in outcome.flags]
    cases += [rule.case for rule in assessment.settings.exclude]
    levels = {(name, level) for target, own, key, of_key in cases for name, level in ((target, own), (key, of_key))}
    levels |= _exposed(assessment)
    labels = {one.name: one.value_labels for one in assessment.variables}
    words = {word for name, level in levels if level for word in (level, labels.get(name or "", {}).get(level, ""))}
    seed = assessment.documentation.synthesis.seed
    if seed:
        alone = rf"(?<![^\W_]){_written(seed)}(?![^\W_])|" if len(seed) >= SHORTEST_LEVEL else ""
        yield _SEED, re.compile(rf"{alone}seed[\W_]*{_written(seed)}(?![^\W_])", re.IGNORECASE).search
    if figures:
        yield "a measured figure", functools.partial(_tells_any, figures)
    for word in sorted(words):
        if len(word.strip()) >= SHORTEST_LEVEL:
            yield (
                "a level of a flag, of an exclusion or of a group that is fully exposed",
                re.compile(rf"(?<!\w){_written(word)}(?!\w)", re.IGNORECASE).search,
            )


def _tells_any(figures: Set[float], text: str) -> bool:
    """Tell whether a text holds a figure in percent, to whatever decimals.

    A whole number is one only where the text names a measure: "a sample of 10 %" is for everybody.
    """
    names_measure = _MEASURE.search(text)
    for found in _PERCENTAGE.finditer(text):
        number = found["number"].replace(",", ".")
        decimals = len(number.partition(".")[2])
        if {number, (found["bound"] or "") + number} & {percentage(value) for value in figures}:
            return True
        if (decimals > 1 or names_measure) and float(number) and number in {f"{one:.{decimals}f}" for one in figures}:
            return True
    return False


def _exposed(assessment: Assessment) -> set[tuple[str | None, str | None]]:
    """Give variable and level of the groups of which every record is given away."""
    found = assessment.analyses.groups
    return {(one.variable, one.level) for one in found.groups if one.flag and not one.merged} if found else set()


def _written(secret: str) -> str:
    return re.escape(" ".join(secret.split()))


def _texts(section: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """List the texts that people entered, by field; those that they chose from a list aren't theirs."""
    if isinstance(section, Section):
        for field, declared, value in section.entries():
            if declared.annotation is str or not isinstance(value, str):
                yield from _texts(value, f"{name}.{field}" if name else field)
    elif isinstance(section, tuple):
        for number, value in enumerate(section):
            yield from _texts(value, f"{name}.{number}")
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
    return bool(several) and all(isinstance(one, Section) and _any_public(type(one)) for one in several)


def _any_public(section: type[Section]) -> bool:
    return any(is_public(field) for field in section.model_fields.values())


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
        if finding.finding in SHOWN_FINDINGS
    }
    return tuple(sorted(found, key=lambda one: (one.variable, one.file, one.finding)))
