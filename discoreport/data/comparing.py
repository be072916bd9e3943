"""Do the files match? What differs between the original and each synthetic file, variable by variable."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import Variable, level_numbers
from discoreport.data.reading import Table

LOW_OVERLAP = 50.0
"""Warn where less than this percentage of the original's records has a level that the synthetic file has, too."""
LARGE_DIFFERENCE = 30.0
"""Warn where more than this percentage of records would have to change level for the distributions to agree."""
FEW_LEVELS = 100
"""Distributions are compared for variables with at most this many levels."""

Severity = Literal["note", "warning"]
Where = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]


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
        The finding in words. Names no level.
    """

    variable: str
    synthesis: int
    finding: str
    severity: Severity
    detail: str
    n_levels: int | None = None
    n_records: int | None = None
    percent: float | None = None


def compare_files(tables: Sequence[Table]) -> Iterator[Finding]:
    """Compare the lists of columns, and pass on what was decided on reading.

    Parameters
    ----------
    tables
        The original first.
    """
    original = tables[0]
    for synthesis, table in enumerate(tables):
        for note in table.notes:
            yield Finding("", synthesis, "reading", "note", note)
        for name in original.columns if synthesis else ():
            if name not in table.columns:
                yield Finding(name, synthesis, "column_only_in_original", "note", "not in the synthetic file")
        for name in table.columns:
            if name not in original.columns:
                yield Finding(name, synthesis, "column_only_in_synthetic", "note", "not in the original file")


@functools.singledispatch
def compare(variable: Variable, tables: Sequence[Table], special: Sequence[int] = ()) -> Iterator[Finding]:
    """Compare one variable between the original and each synthetic file.

    Parameters
    ----------
    variable
        Coded over all files, not grouped.
    tables
        The files it was coded from, the original first.
    special
        Levels that are codes, not numbers; they don't count for the range.

    Yields
    ------
    Finding
        In the order of the files.
    """
    name = variable.name
    for repair in variable.repairs:
        yield Finding(name, repair.file, "repair", "note", repair.what)
    d = variable.counts[0]
    if d[:-1].sum() == 0:
        yield Finding(name, 0, "all_missing", "note", "every value is missing in the original")
    elif d.sum() > FEW_LEVELS and (d[:-1] <= 1).all() and d[-1] == 0:
        yield Finding(name, 0, "identifier", "note", "every original record has a value of its own: an identifier?")
    for synthesis in range(1, len(variable.codes)):
        yield from _compare_with(variable, synthesis, tables, special)


def _compare_with(
    variable: Variable, synthesis: int, tables: Sequence[Table], special: Sequence[int]
) -> Iterator[Finding]:
    name = variable.name
    d, s = variable.counts[0], variable.counts[synthesis]
    n_original, n_synthetic = int(d.sum()), int(s.sum())
    d_level, s_level = d[:-1], s[:-1]
    yield from type_change(variable, synthesis)
    if _labels_disagree(tables[0], tables[synthesis], name):
        yield Finding(name, synthesis, "labels_disagree", "warning", "the files give the same value different labels")

    only_d = (d_level > 0) & (s_level == 0)
    only_s = (s_level > 0) & (d_level == 0)
    if only_d.any():
        yield _levels(
            name, synthesis, "levels_only_in_original", "levels occur in the original only", only_d, d_level, n_original
        )
    if only_s.any():
        yield _levels(
            name,
            synthesis,
            "levels_only_in_synthetic",
            "levels occur in the synthetic file only",
            only_s,
            s_level,
            n_synthetic,
        )
        yield from _near_matches(variable, synthesis, np.flatnonzero(only_d), np.flatnonzero(only_s))
    yield from _outside_range(variable, synthesis, special)
    for has, lacks, where, n in ((d, s, "original", n_original), (s, d, "synthetic", n_synthetic)):
        if has[-1] and not lacks[-1]:
            file = "original" if where == "original" else "synthetic file"
            yield Finding(
                name, synthesis, f"missing_only_in_{where}", "note", f"values are missing in the {file} only",
                None, int(has[-1]), 100 * int(has[-1]) / n,
            )  # fmt: skip

    present = int(d_level.sum())
    if not present:
        return
    overlap = 100 * int(d_level[s_level > 0].sum()) / present
    if overlap < LOW_OVERLAP:
        numeric = variable.kind == "number" and variable.n_levels > FEW_LEVELS
        advice = "group the variable (numeric_groups)" if numeric else "check that both files use the same codes"
        yield Finding(
            name, synthesis, "low_overlap", "warning",
            f"only {overlap:.1f} % of the original's records have a value that the synthetic file has, too: {advice}",
            None, int(d_level[s_level > 0].sum()), overlap,
        )  # fmt: skip
    elif variable.n_levels <= FEW_LEVELS:
        difference = 50 * float(np.abs(d / n_original - s / n_synthetic).sum())
        if difference > LARGE_DIFFERENCE:
            yield Finding(
                name, synthesis, "different_distribution", "warning",
                f"the distributions differ in {difference:.1f} % of the records: do codes mean the same in both files?",
                None, None, difference,
            )  # fmt: skip


def type_change(variable: Variable, synthesis: int) -> Iterator[Finding]:
    """Say where a synthetic file stores a variable in another type."""
    if variable.stored[0] != variable.stored[synthesis]:
        words = (
            f"stored as {variable.stored[0]} in the original and as {variable.stored[synthesis]} in the synthetic file"
        )
        yield Finding(variable.name, synthesis, "type_change", "note", words)


def _levels(
    name: str, synthesis: int, finding: str, words: str, where: Where, counts: npt.NDArray[np.int64], n_file: int
) -> Finding:
    n_levels, n_records = int(where.sum()), int(counts[where].sum())
    return Finding(name, synthesis, finding, "note", words, n_levels, n_records, 100 * n_records / n_file)


def _near_matches(variable: Variable, synthesis: int, only_d: Places, only_s: Places) -> Iterator[Finding]:
    if variable.numbers is not None:
        return
    texts = variable.level_texts
    folded = {_folded(texts[place]) for place in only_d}
    near = [place for place in only_s if _folded(texts[place]) in folded]
    if near:
        yield Finding(
            variable.name, synthesis, "near_match", "warning",
            "levels of the two files differ in nothing but spaces or capitals; they were not merged",
            len(near), int(variable.counts[synthesis][near].sum()), None,
        )  # fmt: skip


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", "".join(text.split())).casefold()


def _outside_range(variable: Variable, synthesis: int, special: Sequence[int]) -> Iterator[Finding]:
    if variable.kind != "number":
        return
    numbers = level_numbers(variable)
    ordinary = np.isfinite(numbers)
    ordinary[list(special)] = False
    d, s = variable.counts[0][:-1] * ordinary, variable.counts[synthesis][:-1] * ordinary
    if not d.any() or not s.any():
        return
    known = numbers[d > 0]
    outside = (s > 0) & ((numbers < known.min()) | (numbers > known.max()))
    if outside.any():
        n_file = int(variable.counts[synthesis].sum())
        yield _levels(
            variable.name, synthesis, "outside_range", "values lie outside the original's range", outside, s, n_file
        )


def _labels_disagree(original: Table, synthetic: Table, name: str) -> bool:
    ours, theirs = original.value_labels.get(name, {}), synthetic.value_labels.get(name, {})
    return any(theirs.get(text, label) != label for text, label in ours.items())
