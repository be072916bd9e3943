"""Does a bundle still hold? Fingerprints, what was rendered, the files, and every figure computed again."""

from __future__ import annotations

import hashlib
import io
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from discoreport.assessment.assess import assess_with
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.record import parse
from discoreport.data.connecting import Engine
from discoreport.errors import ComparisonWarning, DataError, MissingPackageError, OutputError, RecordError
from discoreport.report.bundle import SUMS, contents, read_sums
from discoreport.report.external import PublicRecord, render_public
from discoreport.report.report import RECORDS, Report
from discoreport.version import __version__

Outcome = Literal["holds", "fails", "unchecked"]
TOLERANCE = 1e-9
"""How far a figure may be off, of itself: sums are taken in another order by another engine."""
_LISTED = 5
"""How many differing figures a line names."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Parameters
    ----------
    what
        Such as "fingerprints".
    outcome
        "holds", "fails", or "unchecked" where it could not be looked at.
    detail
        What was found. Names no level.
    """

    what: str
    outcome: Outcome
    detail: str
