"""Measure what a synthetic data set gives away about the records of the original, and report it."""

from typing import TYPE_CHECKING

from discoreport.assessment.assess import assess
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.record import load
from discoreport.assessment.release import release_size
from discoreport.assessment.settings import Exclusion, Settings
from discoreport.assessment.uniques import replicated_uniques
from discoreport.errors import ComparisonWarning, DiscoReportError
from discoreport.report import Report
from discoreport.version import __version__ as __version__

if TYPE_CHECKING:
    from discoreport.form import DisclosureForm

__all__ = [
    "Assessment",
    "ComparisonWarning",
    "DisclosureForm",
    "DiscoReportError",
    "Exclusion",
    "Report",
    "Settings",
    "assess",
    "load",
    "release_size",
    "replicated_uniques",
]


def __getattr__(name: str) -> object:
    """Import the form when it is asked for: it needs ipywidgets, which nothing else does."""
    if name == "DisclosureForm":
        from discoreport.form import DisclosureForm

        return DisclosureForm
    raise AttributeError(f"module 'discoreport' has no attribute '{name}'")
