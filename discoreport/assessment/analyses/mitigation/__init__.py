"""Mitigation: what can be done to a synthetic file before its release, what it brings and what it costs."""

from discoreport.assessment.analyses.mitigation.applying import Mitigated, mitigate
from discoreport.assessment.analyses.mitigation.results import Mitigation
from discoreport.assessment.analyses.mitigation.steps import (
    AddVariable,
    GroupValues,
    LimitValues,
    MarkNames,
    MergeLevels,
    RemoveReplicatedUniques,
    RemoveUniquesInOriginal,
    Smooth,
    Step,
)

__all__ = [
    "AddVariable",
    "GroupValues",
    "LimitValues",
    "MarkNames",
    "MergeLevels",
    "Mitigated",
    "Mitigation",
    "RemoveReplicatedUniques",
    "RemoveUniquesInOriginal",
    "Smooth",
    "Step",
    "mitigate",
]
