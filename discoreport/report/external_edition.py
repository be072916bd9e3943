"""The external edition, as its templates read it."""

from __future__ import annotations

import re

from discoreport.assessment.command_line import copyable
from discoreport.assessment.release.policy import Logo
from discoreport.assessment.release.public_record import PublicRecord, texts
from discoreport.measures import GROUPS, Measure
from discoreport.measures.registry import Group, of_group
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

    name = "external"

    def __init__(self, found: PublicRecord, logo: Logo | None = None) -> None:
        self.documentation = found.documentation
        self.otherwise = ", ".join(file.name for file in found.synthetic[:1])
        self.organisation = found.organisation
        self.marking = found.marking
        self.logo = logo or found.logo
        self.created = found.created
        self.record = found.record
        self.census = found.documentation.source.collection == "population"
        self.policy = found.policy
        self.synthetic = found.synthetic
        self.variables = found.variables
        self.findings = found.findings
        self.utility = found.utility
        self.m = len(found.synthetic)
        self.verify = copyable(
            ["discoreport", "verify", "bundle", "--synthetic", *(one.name for one in self.synthetic)]
        )

    @property
    def glossary(self) -> tuple[tuple[Group, tuple[Measure, ...]], ...]:
        """The measures that somebody has named in words that are for everybody."""
        said = {word for _, text in texts(self.documentation) for word in re.findall(r"\w+", text)}
        found = ((group, tuple(one for one in of_group(group) if one.name in said)) for group in GROUPS)
        return tuple((group, measures) for group, measures in found if measures)
