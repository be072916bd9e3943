"""Measure what a synthetic data set gives away about the records of the original, and report it."""

import warnings
from importlib import import_module
from typing import TYPE_CHECKING

from discoreport import examples
from discoreport.assessment.analyses.control import excess_over_control
from discoreport.assessment.analyses.four_checks.checks import four_checks
from discoreport.assessment.analyses.four_checks.user_note import user_note
from discoreport.assessment.analyses.groups import groups
from discoreport.assessment.analyses.groups.exposed_records import write_records_at_risk
from discoreport.assessment.analyses.membership import membership
from discoreport.assessment.analyses.mitigation import mitigate
from discoreport.assessment.analyses.pooled import pooled
from discoreport.assessment.analyses.release_size import release_size
from discoreport.assessment.analyses.releases import compare_releases
from discoreport.assessment.analyses.run import analyse
from discoreport.assessment.analyses.sensitivity import sensitivity
from discoreport.assessment.analyses.trade_off import trade_off
from discoreport.assessment.analyses.uncertainty import uncertainty
from discoreport.assessment.analyses.utility import utility
from discoreport.assessment.assess import assess
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.record import load
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.release.documentation_file import read_documentation
from discoreport.assessment.release.policy import Policy, read_policy
from discoreport.assessment.replicated_uniques import replicated_uniques
from discoreport.assessment.settings import Exclusion, Settings
from discoreport.data.readers.source_file import File
from discoreport.errors import ComparisonWarning, DiscoReportError
from discoreport.report import Report
from discoreport.version import __version__ as __version__

if TYPE_CHECKING:
    from discoreport.form import DisclosureForm
    from discoreport.notebook import write_notebook
    from discoreport.report.bundle import Certificate, write_bundle
    from discoreport.report.signing import check_signature
    from discoreport.report.verify import verify

__all__ = [
    "Assessment",
    "Certificate",
    "ComparisonWarning",
    "DisclosureForm",
    "DiscoReportError",
    "Documentation",
    "Exclusion",
    "File",
    "Policy",
    "Report",
    "Settings",
    "analyse",
    "assess",
    "check_signature",
    "compare_releases",
    "examples",
    "excess_over_control",
    "four_checks",
    "groups",
    "load",
    "membership",
    "mitigate",
    "pooled",
    "read_documentation",
    "read_policy",
    "release_size",
    "replicated_uniques",
    "sensitivity",
    "trade_off",
    "uncertainty",
    "user_note",
    "utility",
    "verify",
    "write_bundle",
    "write_notebook",
    "write_records_at_risk",
]


_LATER = {
    "Certificate": "discoreport.report.bundle",
    "DisclosureForm": "discoreport.form",
    "check_signature": "discoreport.report.signing",
    "verify": "discoreport.report.verify",
    "write_bundle": "discoreport.report.bundle",
    "write_notebook": "discoreport.notebook",
}
"""Imported when they are asked for, as they need libraries that nothing else does: by name, their module."""
_DEPRECATED: dict[str, str] = {}
"""Public names that the next release is without: by name, where it is, such as ``discoreport.report.verify.verify``.

Whatever is removed stands here for one release first, and warns.
"""


def __getattr__(name: str) -> object:
    """Import what is imported later, and warn of what goes."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    if name in _DEPRECATED:
        module, _, found = _DEPRECATED[name].rpartition(".")
        words = f"discoreport.{name} goes with the next release. Use {_DEPRECATED[name]}."
        warnings.warn(words, DeprecationWarning, stacklevel=2)
        return getattr(import_module(module), found)
    raise AttributeError(f"module 'discoreport' has no attribute '{name}'")


def __dir__() -> list[str]:
    """List what users may rely on."""
    return sorted([*__all__, "__version__"])
