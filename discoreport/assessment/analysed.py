"""What was measured, and what analyses have found beyond."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from discoreport.assessment.analyses import Analyses
from discoreport.assessment.analyses.mitigation.results import Mitigation
from discoreport.assessment.analyses.result import AnalysisResult, require_belonging
from discoreport.assessment.measured import Measured
from discoreport.data.findings.finding import Finding
from discoreport.errors import require_kind


class Analysed(Measured):
    """The part of an `Assessment` that was measured and analysed. Its fields are described there."""

    analyses: Analyses = Analyses()

    def with_analysis(self, result: AnalysisResult) -> Self:
        """Give the same assessment with what an analysis has found, for record and report.

        Parameters
        ----------
        result
            From `sensitivity`, `excess_over_control`, `uncertainty`, `groups`, `release_size`, `compare_releases`,
            `four_checks`, `trade_off`, or the `mitigation` of what `mitigate` gives. Takes the place of an earlier one
            of its kind.
            It may be of fewer targets, and `sensitivity` of further candidate keys. One of the releases compared is
            the assessed one; steps were applied to an assessed file, or led to one.

        Raises
        ------
        SettingsError
            Where it is of other files, by their fingerprints (by sizes and figures, where one was a frame in memory),
            or of other settings; and where frames can't be told apart.
        """
        require_kind(result, AnalysisResult, "with_analysis takes what an analysis gives")
        analyses, name = self.analyses.with_result(result)
        require_belonging(result, name, self)
        return self.model_copy(update={"analyses": analyses})

    @property
    def doubts_of_analyses(self) -> tuple[tuple[str, Finding], ...]:
        """Warnings that analyses have found of their own files, by the analysis; not those of the assessment."""
        known = {finding.detail for finding in self.findings}
        found = ((name, one) for name, result in self.analyses.filled() for one in getattr(result, "findings", ()))
        doubts = [(name, one) for name, one in found if one.severity == "warning" and one.detail not in known]
        of_first = {one: name for name, one in reversed(doubts)}  # two analyses may have the same control file
        return tuple((name, one) for name, one in doubts if of_first[one] == name)

    def without_exclusions(self) -> Self:
        """Give the same assessment with nothing left out, and no analyses of it; itself where nothing is."""
        plain = super().without_exclusions()
        return self if plain is self else plain.model_copy(update={"analyses": Analyses()})

    def for_targets(self, names: Sequence[str]) -> Self:
        """Give the same assessment for some of its targets, in the order asked for."""
        return super().for_targets(names).model_copy(update={"analyses": self.analyses.for_targets(names)})


def led_here(assessment: Analysed) -> Mitigation | None:
    """Give the mitigation that an assessed file came of; None where there is none, or its steps were tried on one."""
    found = assessment.analyses.mitigation
    return found if found and found.led_to(*assessment.synthetic) else None
