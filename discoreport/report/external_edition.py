"""The external edition, as its templates read it."""

from __future__ import annotations

from discoreport.assessment.release.policy import Logo
from discoreport.assessment.release.public_record import PublicRecord
from discoreport.report.both_editions import Edition


class ExternalEdition(Edition):
    """The external edition, as the templates read it: made from its record, and from nothing else.

    Parameters
    ----------
    found
        From `public`.
    logo
        Stands in for that of the policy.
    """

    def __init__(self, found: PublicRecord, logo: Logo | None = None) -> None:
        super().__init__(
            "external",
            found.documentation,
            otherwise=", ".join(file.name for file in found.synthetic[:1]),
            organisation=found.organisation,
            marking=found.marking,
            logo=logo or found.logo,
            created=found.created,
            record=found.record,
            census=found.documentation.source.collection == "population",
        )
        self.policy = found.policy
        self.synthetic = found.synthetic
        self.variables = found.variables
        self.findings = found.findings
        self.m = len(found.synthetic)
