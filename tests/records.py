"""What records, documentation and checks are made of."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

from discoreport.assessment.analyses.utility.results import Distribution, FileUtility, TableUtility
from discoreport.assessment.measured import SCHEMA_VERSION
from discoreport.assessment.record import json_object, parse, whole
from discoreport.assessment.release import documentation_file
from discoreport.assessment.release.documentation import (
    Answer,
    ChecklistAnswer,
    Decision,
    MitigationStep,
    SignOff,
    is_kept,
    is_public,
)
from discoreport.assessment.release.documentation_file import write_documentation
from discoreport.assessment.release.findings import MOST_ROWS, Findings
from discoreport.assessment.worst_file import most_exposed_first, worst_file, worst_files, worst_first, worst_value
from discoreport.data.findings.finding import COPYING, Finding
from discoreport.report import releases_overview
from discoreport.report.releases_overview import Release
from discoreport.report.verify_figures import analyses, compared, figures
