"""Assessments under policies of tests, and what is compared with a policy."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

from discoreport import Policy
from discoreport.assessment.release.thresholds import Compared, compared


def under(assessment, *limits, **changes):
    """Put an assessment under its policy with some changes; limits are of measures: ``("DiSCO", 5)``."""
    if limits:
        changes["thresholds"] = [{"measure": name, "limit": limit, "source": "Policy 1"} for name, limit in limits]
    return assessment.with_policy(Policy(**{**assessment.policy.model_dump(), **changes}))
