"""Policies for tests: what a policy is made of, and the one that comes with the package."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

from discoreport.assessment.release.policy import Threshold, default_policy
from discoreport.assessment.release.thresholds import Compared, compared
