"""Measure what a synthetic data set gives away about the records of the original, and report it."""

from discoreport.assessment.assess import assess
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.record import load
from discoreport.assessment.release import release_size
from discoreport.assessment.settings import Exclusion, Settings
from discoreport.assessment.uniques import replicated_uniques
from discoreport.errors import ComparisonWarning, DiscoReportError
from discoreport.report import Report
from discoreport.version import __version__ as __version__

__all__ = [
    "Assessment",
    "ComparisonWarning",
    "DiscoReportError",
    "Exclusion",
    "Report",
    "Settings",
    "assess",
    "load",
    "release_size",
    "replicated_uniques",
]
