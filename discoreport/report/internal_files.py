"""What the internal edition says of the files: their variables, whether they match, and copied records."""

from __future__ import annotations

from functools import cached_property

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.copy_findings import Copies
from discoreport.assessment.counts_behind_percentages import Share
from discoreport.assessment.provenance import Source, VariableSummary
from discoreport.data.findings.finding import COPYING, Finding
from discoreport.report.both_editions import Edition

_CONTROL = "The control file is in doubt"
_DOUBTED = {"control": _CONTROL, "membership": _CONTROL, "pooled": "An earlier file is in doubt"}
"""What is said on the first page of files of further analyses, by analysis; other releases only stand beside it."""


class InternalFiles(Edition):
    """The part of the internal edition that is on the files.

    Attributes
    ----------
    assessment
        The record.
    original, synthetic
        The files.
    labels
        What variables are called in words, by name.
    warnings
        Findings that put low figures in doubt.
    """

    assessment: Assessment
    original: Source
    synthetic: tuple[Source, ...]
    labels: dict[str, str]
    warnings: tuple[Finding, ...]

    @cached_property
    def key_variables(self) -> tuple[VariableSummary, ...]:
        """The keys, as the original has them."""
        return tuple(variable for variable in self.assessment.described if variable.role == "key")

    @cached_property
    def target_variables(self) -> tuple[VariableSummary, ...]:
        """The targets, as the original has them."""
        return tuple(variable for variable in self.assessment.described if variable.role == "target")

    def file_of(self, finding: Finding) -> str:
        """Name the file that a finding concerns."""
        return self.synthetic[finding.synthesis - 1].name if finding.synthesis else self.original.name

    def concerns(self, finding: Finding) -> str:
        """Name what a finding concerns: a variable, the keys together, or the whole file."""
        return finding.concerns

    @cached_property
    def nothing_in_common(self) -> tuple[int, ...]:
        """The syntheses with which the original shares no key combination."""
        return tuple(finding.synthesis for finding in self.warnings if finding.finding == "no_shared_keys")

    @cached_property
    def nothing_left(self) -> tuple[str, ...]:
        """What the settings leave no record for: the keys, or targets."""
        return tuple(dict.fromkeys(one.concerns for one in self.warnings if one.finding == "nothing_left"))

    @cached_property
    def not_assessed(self) -> tuple[str, ...]:
        """Variables in all files that are neither key nor target."""
        return tuple(finding.variable for finding in self.assessment.findings if finding.finding == "not_assessed")

    @cached_property
    def badly_matched(self) -> tuple[Finding, ...]:
        """The warnings that tell how the files match."""
        return tuple(finding for finding in self.warnings if finding.finding not in COPYING)

    @cached_property
    def copied(self) -> tuple[Finding, ...]:
        """What is to be said of records of the original in a synthetic file."""
        return tuple(one for one in (*self.assessment.findings, *self.assessment.copies_told) if one.finding in COPYING)

    @cached_property
    def doubted(self) -> tuple[tuple[str, Finding], ...]:
        """What puts in doubt the files that figures of the findings are compared or put together with, and which."""
        found = self.assessment.doubts_of_analyses
        return tuple((_DOUBTED[name], one) for name, one in found if name in _DOUBTED)

    @cached_property
    def copies(self) -> Copies | None:
        """The whole records of the original in the synthetic file that has most; None where they weren't counted."""
        return max(self.assessment.whole_records, key=lambda one: one.matches.share, default=None)

    @cached_property
    def control_copies(self) -> Share | None:
        """How many records of the control are in the original, if there is one and they were counted."""
        found = self.assessment.analyses.control
        if found is None or found.copies is None:
            return None
        n = found.control.n_records
        return Share(100 * found.copies / n, found.copies, "control records", n)

    @cached_property
    def notes(self) -> tuple[Finding, ...]:
        """All other findings; what was not assessed stands in the scenario."""
        told = (*self.assessment.findings, *self.assessment.copies_told)
        return tuple(one for one in told if one.finding != "not_assessed" and one.severity == "note")
