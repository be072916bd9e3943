"""One thing that differs between the files, or looks wrong: what it says, and what kinds there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from discoreport.data.table import readable_name

Severity = Literal["note", "warning"]

COPYING = ("copy", "copies", "copies_to_the_last", "copies_in_disguise", "same_order")
"""Findings that tell of records of the original in a synthetic file."""
_CONCERNED = {
    **dict.fromkeys(
        ("no_shared_keys", "nothing_left", "higher_without_unit", "low_overlap_of_keys", "repeated"), "the keys"
    ),
    **dict.fromkeys(
        (
            "reading",
            "also_holds",
            "given_twice",
            "control_is_copy",
            "control_in_original",
            "control_is_synthetic",
            "control_differs",
            "control_above_original",
            *COPYING,
        ),
        "the whole file",
    ),
}
"""What findings without a variable concern."""
BESIDE = frozenset({*COPYING, "also_holds", "column_only_in_synthetic", "not_comparable", "same_units"})
"""Warnings that say nothing of whether figures are too low."""
APART = BESIDE | {"code_in_classes", "higher_without_unit", "identifier", "nothing_left", "repeated"}
"""Warnings that say something else than that the files don't match."""


@dataclass(frozen=True)
class Finding:
    """One thing that differs, or that was repaired.

    Parameters
    ----------
    variable
        Its name; "" where the finding concerns the whole file.
    synthesis
        Which synthetic file, counting from 1; 0 where it concerns the original or all files.
    finding
        What kind of thing, as one word for machines.
    severity
        "warning" where low figures can't be taken at face value because of it.
    n_levels, n_records, percent
        How many levels, how many records have them, and their share of the file; None where it doesn't apply.
    detail
        The finding in words. Names no level of few records.
    """

    variable: str
    synthesis: int
    finding: str
    severity: Severity
    detail: str
    n_levels: int | None = None
    n_records: int | None = None
    percent: float | None = None

    def __str__(self) -> str:
        """Say the finding, after what it concerns."""
        of_file = f", synthesis {self.synthesis}" if self.synthesis else ""
        return f"{self.concerns}{of_file}: {self.detail}"

    @property
    def concerns(self) -> str:
        """What it concerns, in words: a variable, the keys together, or the whole file."""
        return readable_name(self.variable or _CONCERNED.get(self.finding, ""))


def mismatched(findings: Iterable[Finding]) -> bool:
    """Tell whether any warning says that the files don't match."""
    return any(one.severity == "warning" and one.finding not in APART for one in findings)


def describes(findings: Sequence[Finding], synthesis: int) -> bool:
    """Tell by what was found of a variable whether a copy of the original would have its values.

    An identifier can be numbered anew, and a variable be recoded so that no value is left: what else the records hold
    may be copied all the same.
    """
    return not any(
        one.finding in {"identifier", "all_missing"}
        or (one.finding == "low_overlap" and one.synthesis == synthesis and not one.n_records)
        for one in findings
    )
