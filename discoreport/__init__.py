"""Measure what a synthetic data set gives away about the people in the original, and report it."""

from discoreport.assessment.assess import assess
from discoreport.assessment.assessment import Assessment, load
from discoreport.assessment.settings import Exclusion, Settings
from discoreport.errors import ComparisonWarning, DiscoReportError

__version__ = "0.1.0"

__all__ = ["Assessment", "ComparisonWarning", "DiscoReportError", "Exclusion", "Settings", "assess", "load"]
