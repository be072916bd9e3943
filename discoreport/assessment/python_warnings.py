"""What is warned of in Python's way, and where nobody is to be warned."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from discoreport.data.findings.finding import APART, COPYING, Finding
from discoreport.errors import ComparisonWarning

_UNWARNED = ContextVar("unwarned", default=False)


@contextmanager
def unwarned() -> Iterator[None]:
    """Let `warn_of` say nothing, for what tells of findings itself.

    It holds for the thread that asks; filters of `warnings` would hold for the others, too.
    """
    before = _UNWARNED.set(True)
    try:
        yield
    finally:
        _UNWARNED.reset(before)


def is_unwarned() -> bool:
    """Tell whether `warn_of` says nothing."""
    return _UNWARNED.get()


def warn_of(findings: Sequence[Finding], stacklevel: int) -> None:
    """Warn in Python's way of all findings that put low figures in doubt, except `unwarned`."""
    loud = [finding for finding in findings if finding.severity == "warning"]
    if not loud or _UNWARNED.get():
        return
    lines = [str(finding) for finding in loud[:8]]
    more = [f"and {len(loud) - 8} more; see .comparison"] if len(loud) > 8 else []
    kinds = {one.finding for one in loud}
    heads = {
        "The files don't match well.": kinds - APART,
        "Low figures can't be taken at face value.": kinds & APART - {*COPYING, "same_units"},
        "Records of the original are in a synthetic file.": kinds & {*COPYING},
    }
    message = " ".join([*(head for head, found in heads.items() if found), "; ".join(lines + more)])
    warnings.warn(message, ComparisonWarning, stacklevel=stacklevel + 1)
