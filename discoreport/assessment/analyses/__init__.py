"""The analyses: what an assessment holds of each, and the list of all.

Each is a room, a file or a folder of its name: options, result, function, and what is said of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import get_args

from discoreport.assessment.analyses.base import Analysis
from discoreport.assessment.analyses.control.results import ControlBaseline
from discoreport.assessment.analyses.four_checks.results import FourChecks
from discoreport.assessment.analyses.groups.results import Groups
from discoreport.assessment.analyses.membership.results import Membership
from discoreport.assessment.analyses.mitigation.results import Mitigation
from discoreport.assessment.analyses.pooled.results import Pooled
from discoreport.assessment.analyses.release_size.results import ReleaseSizes
from discoreport.assessment.analyses.releases import ReleaseComparison
from discoreport.assessment.analyses.result import AnalysisResult
from discoreport.assessment.analyses.sensitivity.results import Sensitivity
from discoreport.assessment.analyses.trade_off import Trade
from discoreport.assessment.analyses.uncertainty.results import Uncertainty
from discoreport.assessment.analyses.utility.results import Utility
from discoreport.assessment.frozen_model import LargeModel


class Analyses(LargeModel):
    """What was found when an approver asked on; None for what wasn't asked.

    Parameters
    ----------
    pooled
        What several files, or earlier releases, tell together; with several files, `assess` finds it.
    sensitivity
        Which key carries the risk.
    control
        What the release adds to what anybody could infer from the population.
    membership
        Whether somebody can tell who was in the original.
    uncertainty
        How far the figures could be off by chance.
    groups
        Who is at risk.
    release_size
        What changes when fewer records are released.
    releases
        Other possible releases.
    four_checks
        Labelling and structure; disclosure and documentation follow from the assessment that holds them.
    mitigation
        What was done to the synthetic file, or could be.
    trade_off
        Which of some steps are worth their cost.
    utility
        What the file reproduces of the original.
    """

    # Each is called like the room of its analysis, and stands where an approver asks for it.
    pooled: Pooled | None = None
    sensitivity: Sensitivity | None = None
    control: ControlBaseline | None = None
    membership: Membership | None = None
    uncertainty: Uncertainty | None = None
    groups: Groups | None = None
    release_size: ReleaseSizes | None = None
    releases: ReleaseComparison | None = None
    four_checks: FourChecks | None = None
    mitigation: Mitigation | None = None
    trade_off: Trade | None = None
    utility: Utility | None = None

    def filled(self) -> Iterator[tuple[str, AnalysisResult]]:
        """Give what was asked, by name."""
        for name in type(self).model_fields:
            result = getattr(self, name)
            if result is not None:
                yield name, result

    def with_result(self, result: AnalysisResult) -> tuple[Analyses, str]:
        """Put a result into its place, and say which that is."""
        fields = type(self).model_fields.items()
        name = next(name for name, field in fields if type(result) in get_args(field.annotation))
        return self.model_copy(update={name: result.for_record()}), name

    def agree(self, others: Analyses) -> bool:
        """Tell whether the same was found, to the last digit, whatever the files are called."""
        ours, theirs = ({name: one.without_files() for name, one in found.filled()} for found in (self, others))
        return ours == theirs

    def for_targets(self, names: Sequence[str]) -> Analyses:
        """Give the part that concerns some targets; what has no such part is left out."""
        return self.model_copy(update={name: result.for_targets(names) for name, result in self.filled()})


def _of_room(name: str) -> Analysis:
    room = import_module(f"{__name__}.{name}")
    analysis = getattr(room, "ANALYSIS", None)
    if not isinstance(analysis, Analysis) or analysis.name != name:
        raise ImportError(f"{room.__file__}: it has no ANALYSIS that is called '{name}'.")
    return analysis


ANALYSES: dict[str, Analysis] = {name: _of_room(name) for name in Analyses.model_fields}
"""Every analysis by its name, in the order in which an approver asks."""
