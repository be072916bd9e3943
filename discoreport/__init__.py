"""Measure what a synthetic data set gives away about the records of the original, and report it."""

import warnings
from importlib import import_module
from typing import TYPE_CHECKING

from discoreport.version import __version__ as __version__

if TYPE_CHECKING:  # what a type checker sees; everybody else gets a name when asking for it, by the table below
    from discoreport import examples
    from discoreport.assessment.analyses.control import excess_over_control
    from discoreport.assessment.analyses.four_checks.checks import four_checks
    from discoreport.assessment.analyses.four_checks.write_user_note import user_note
    from discoreport.assessment.analyses.groups import groups
    from discoreport.assessment.analyses.groups.records_at_risk_file import write_records_at_risk
    from discoreport.assessment.analyses.membership import membership
    from discoreport.assessment.analyses.mitigation.apply import mitigate
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
    from discoreport.form import DisclosureForm
    from discoreport.notebook import write_notebook
    from discoreport.report import Report
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
    "Assessment": "discoreport.assessment.assessment",
    "Certificate": "discoreport.report.bundle",
    "ComparisonWarning": "discoreport.errors",
    "DisclosureForm": "discoreport.form",
    "DiscoReportError": "discoreport.errors",
    "Documentation": "discoreport.assessment.release.documentation",
    "Exclusion": "discoreport.assessment.settings",
    "File": "discoreport.data.readers.source_file",
    "Policy": "discoreport.assessment.release.policy",
    "Report": "discoreport.report",
    "Settings": "discoreport.assessment.settings",
    "analyse": "discoreport.assessment.analyses.run",
    "assess": "discoreport.assessment.assess",
    "check_signature": "discoreport.report.signing",
    "compare_releases": "discoreport.assessment.analyses.releases",
    "excess_over_control": "discoreport.assessment.analyses.control",
    "four_checks": "discoreport.assessment.analyses.four_checks.checks",
    "groups": "discoreport.assessment.analyses.groups",
    "load": "discoreport.assessment.record",
    "membership": "discoreport.assessment.analyses.membership",
    "mitigate": "discoreport.assessment.analyses.mitigation.apply",
    "pooled": "discoreport.assessment.analyses.pooled",
    "read_documentation": "discoreport.assessment.release.documentation_file",
    "read_policy": "discoreport.assessment.release.policy",
    "release_size": "discoreport.assessment.analyses.release_size",
    "replicated_uniques": "discoreport.assessment.replicated_uniques",
    "sensitivity": "discoreport.assessment.analyses.sensitivity",
    "trade_off": "discoreport.assessment.analyses.trade_off",
    "uncertainty": "discoreport.assessment.analyses.uncertainty",
    "user_note": "discoreport.assessment.analyses.four_checks.write_user_note",
    "utility": "discoreport.assessment.analyses.utility",
    "verify": "discoreport.report.verify",
    "write_bundle": "discoreport.report.bundle",
    "write_notebook": "discoreport.notebook",
    "write_records_at_risk": "discoreport.assessment.analyses.groups.records_at_risk_file",
}
"""Where each public name but `examples` is: imported when it is asked for, so that the command line answers at once."""
_MODULES = ("assessment", "charts", "errors", "examples", "report")
"""Had as attributes without an import of their own."""
_DEPRECATED: dict[str, str] = {}
"""Public names that the next release is without: by name, where it is, such as ``discoreport.report.verify.verify``.

Whatever is removed stands here for one release first, and warns.
"""


def __getattr__(name: str) -> object:
    """Import what is asked for, and warn of what goes."""
    if name in _MODULES:
        return import_module(f"discoreport.{name}")
    if name in _LATER:
        found = getattr(import_module(_LATER[name]), name)
        globals()[name] = found  # asked for once
        return found
    if name in _DEPRECATED:
        module, _, found = _DEPRECATED[name].rpartition(".")
        words = f"discoreport.{name} goes with the next release. Use {_DEPRECATED[name]}."
        warnings.warn(words, DeprecationWarning, stacklevel=2)
        return getattr(import_module(module), found)
    raise AttributeError(f"module 'discoreport' has no attribute '{name}'")


def __dir__() -> list[str]:
    """List what users may rely on."""
    return sorted([*__all__, "__version__"])
