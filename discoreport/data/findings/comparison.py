"""Do the files match? What differs between the original and each synthetic file, variable by variable."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import Variable, level_numbers
from discoreport.data.findings.finding import Finding, Severity
from discoreport.data.level_text import exact_text, text_as_date
from discoreport.data.table import Table
from discoreport.errors import suggest

LOW_OVERLAP = 50.0
"""Warn where less than this percentage of the original's records has a level that the synthetic file has, too."""
LARGE_DIFFERENCE = 30.0
"""Warn where more than this percentage of records would have to change level for the distributions to agree."""
_ERRORS = 3.0
"""In small files they must be more than chance gives by so many standard errors, too."""
MANY_OUTSIDE = 50.0
"""Warn where more than this percentage of the synthetic records lies outside the original's range: another unit?"""
FEW_LEVELS = 100
"""Distributions are compared for variables with at most this many levels."""
_MANY_PAIRS = 10_000
"""Each pair of more names than this isn't compared sign by sign: it would take minutes."""

ALL_BUT = 0.99
"""Values that repeat or are missing don't make an identifier a measurement where they are this few."""
_THOUSANDS = re.compile(r"-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?")

FILES = {"original": "original", "synthetic": "synthetic file"}
"""What the files are called."""

Places = npt.NDArray[np.int64]


def compare_files(tables: Sequence[Table]) -> Iterator[Finding]:
    """Compare the lists of columns, tell of files given twice, and pass on what was decided on reading.

    Parameters
    ----------
    tables
        The original first.
    """
    original = tables[0]
    first: dict[str, int] = {}
    for synthesis, table in enumerate(tables):
        for note in table.notes:
            yield Finding("", synthesis, "reading", "note", note)
        for doubt in table.doubts:
            yield Finding("", synthesis, "reading", "warning", doubt)
        for warning in table.warnings:
            yield Finding("", synthesis, "also_holds", "warning" if synthesis else "note", warning)
        if synthesis and table.sha256 and first.setdefault(table.sha256, synthesis) < synthesis:
            same = first[table.sha256]
            detail = f"byte for byte the same file as synthesis {same}: as a synthesis of its own it adds nothing"
            yield Finding("", synthesis, "given_twice", "note", detail)
        lacking = [name for name in original.columns if name not in table.columns]
        for name in lacking:
            yield Finding(name, synthesis, "column_only_in_original", "note", "not in the synthetic file")
        own = [name for name in table.columns if name not in original.columns]
        alike, nearest = table.with_one_value(own), _names_like(lacking, len(own))
        for name in own:
            near = suggest(name, nearest(name), listed=False)
            detail = f"not in the original file, so it was not assessed. {near}".strip()
            severity: Severity = "warning" if near or name not in alike else "note"
            yield Finding(name, synthesis, "column_only_in_synthetic", severity, detail)


def _names_like(lacking: Sequence[str], n_own: int) -> Callable[[str], Sequence[str]]:
    """Give what finds the missing columns that a name may stand for: where they are many, those alike but for signs."""
    if len(lacking) * n_own <= _MANY_PAIRS:
        return lambda _: lacking
    by_name: dict[str, list[str]] = {}
    for name in lacking:
        by_name.setdefault(_letters(name), []).append(name)
    return lambda name: by_name.get(_letters(name), [])


def _letters(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())


@functools.singledispatch
def compare(variable: Variable, tables: Sequence[Table], special: Sequence[int] = ()) -> Iterator[Finding]:
    """Compare one variable between the original and each synthetic file, value by value.

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
        yield Finding(name, repair.file, "repair", "warning" if repair.merges else "note", repair.what)
    if not variable.n_levels_in(0):
        yield all_missing(name)
    for synthesis in range(1, len(variable.counts)):
        yield from _types(variable, synthesis, tables)
        yield from _one_file_only(variable, synthesis, tables)
        yield from _outside_range(variable, synthesis, tables, special)
        yield from missing_in_one_file(variable, synthesis, tables)
        yield from _declared_in_one_file(variable, synthesis, tables)


def all_missing(name: str) -> Finding:
    """Tell that no original record has a value."""
    return Finding(name, 0, "all_missing", "note", "every value is missing in the original")


def identifier(variable: Variable, n_records: int) -> Iterator[Finding]:
    """Warn where each of so many original records has a value of its own."""
    present = n_records - variable.n_missing_in(0)
    own = variable.n_levels_in(0)
    if present > FEW_LEVELS and own >= ALL_BUT * present:
        every = "every original record" if own == n_records else "nearly every original record"
        detail = f"{every} has a value of its own. Leave an identifier out; group a measurement"
        yield Finding(variable.name, 0, "identifier", "warning", detail)


@dataclass(frozen=True)
class Meeting:
    """How the values of one variable meet in the original and a synthetic file.

    Parameters
    ----------
    share
        Share of the pairs, of an original and a synthetic record, that have the same value, a missing one included.
    unique
        Values that one original record has.
    on_unique, on_the_same
        Synthetic records with one of these, and pairs of them with one and the same.
    """

    share: float
    unique: int
    on_unique: int
    on_the_same: int


@functools.singledispatch
def meeting(variable: Variable, synthesis: int) -> Meeting:
    """Tell how the values of one variable meet in the original and a synthetic file."""
    d, s = variable.counts[0], variable.counts[synthesis]
    once = s[d == 1]
    share = float(d.astype(np.float64) @ s) / (int(d.sum()) * int(s.sum()))
    return Meeting(share, len(once), int(once.sum()), int((once * (once - 1)).sum()) // 2)


def near_match(name: str, synthesis: int, n_levels: int, n_records: int) -> Iterator[Finding]:
    """Warn of levels of a synthetic file that are like levels of the original, where there are any."""
    if n_levels:
        words = (
            "levels of the two files differ in nothing but spaces, capitals or leading zeros, or in how a number or a "
            "date is written; they were not merged"
        )
        yield Finding(name, synthesis, "near_match", "warning", words, n_levels, n_records, None)


def missing_in_one_file(variable: Variable, synthesis: int, tables: Sequence[Table]) -> Iterator[Finding]:
    """Tell where values are missing in the original alone, or in a synthetic file alone."""
    for side, has, lacks in (("original", 0, synthesis), ("synthetic", synthesis, 0)):
        n_missing = variable.n_missing_in(has)
        if n_missing and not variable.n_missing_in(lacks):
            words = f"values are missing in the {FILES[side]} only"
            share = 100 * n_missing / tables[has].n_records
            yield Finding(variable.name, synthesis, f"missing_only_in_{side}", "note", words, None, n_missing, share)


def levels_only_in(
    side: str, variable: Variable, synthesis: int, tables: Sequence[Table], n_levels: int, n_records: int
) -> Iterator[Finding]:
    """Tell of levels that only the original has, or only a synthetic file, where there are any."""
    if n_levels:
        words = f"levels occur in the {FILES[side]} only"
        share = 100 * n_records / tables[0 if side == "original" else synthesis].n_records
        yield Finding(variable.name, synthesis, f"levels_only_in_{side}", "note", words, n_levels, n_records, share)


def outside_range(
    variable: Variable, synthesis: int, tables: Sequence[Table], n_levels: int, n_records: int
) -> Iterator[Finding]:
    """Tell of values outside the original's range where there are any; warn where they are many."""
    if n_levels:
        share = 100 * n_records / tables[synthesis].n_records
        severity: Severity = "warning" if share > MANY_OUTSIDE else "note"
        words = "values lie outside the original's range"
        yield Finding(variable.name, synthesis, "outside_range", severity, words, n_levels, n_records, share)


@functools.singledispatch
def compare_as_counted(variable: Variable) -> Iterator[Finding]:
    """Compare how one variable is distributed, in the levels or classes in which it is counted.

    Parameters
    ----------
    variable
        Coded over all files, and grouped where the settings ask for it.

    Yields
    ------
    Finding
        Warnings: where each record has a level of its own, or where so few levels meet, or shares differ so much,
        that low figures may be due to that.
    """
    d = variable.counts[0]
    yield from identifier(variable, int(d.sum()))
    present = int(d[:-1].sum())
    if not present:
        return
    for synthesis, s in enumerate(variable.counts[1:], start=1):
        shared = int(d[:-1][s[:-1] > 0].sum())
        overlap = 100 * shared / present
        if overlap < LOW_OVERLAP:
            yield low_overlap(variable, synthesis, shared, overlap)
        elif variable.n_levels <= FEW_LEVELS:
            difference = 50 * float(np.abs(d / d.sum() - s / s.sum()).sum())
            if difference > max(LARGE_DIFFERENCE, _by_chance(d, s)):
                yield Finding(
                    variable.name, synthesis, "different_distribution", "warning",
                    f"the distributions differ in {difference:.1f} % of the records: "
                    "do codes mean the same in both files?",
                    None, None, difference,
                )  # fmt: skip


def _by_chance(d: npt.NDArray[np.int64], s: npt.NDArray[np.int64]) -> float:
    """Give the difference of two samples of one population, in percent, that chance hardly ever exceeds.

    The mean and `_ERRORS` standard errors of the sum, level by level as of a normal distribution; a level that few
    have differs by no more than its two shares.
    """
    n, others = d.sum(), s.sum()
    p = (d + s) / (n + others)
    variances = p * (1 - p) * (1 / n + 1 / others)
    mean = np.minimum(np.sqrt(2 / np.pi * variances), 2 * p).sum()
    return float(50 * (mean + _ERRORS * np.sqrt((1 - 2 / np.pi) * variances.sum())))


def low_overlap(variable: Variable, synthesis: int, shared: int, overlap: float) -> Finding:
    """Warn that few of the original's records have a value that a synthetic file has."""
    measured = variable.kind == "number" and variable.n_levels > FEW_LEVELS and shared
    advice = "put its numbers into groups" if measured else "check that both files use the same codes and units"
    words = f"only {overlap:.1f} % of the original's records have a value that the synthetic file has: {advice}"
    return Finding(variable.name, synthesis, "low_overlap", "warning", words, None, shared, overlap)


def _declared_in_one_file(variable: Variable, synthesis: int, tables: Sequence[Table]) -> Iterator[Finding]:
    """Tell where codes are declared as missing in one of the files, and values like any other in the other."""
    ours, theirs = (tables[file].missing_codes.get(variable.name, frozenset()) for file in (0, synthesis))
    if bool(ours) != bool(theirs) and variable.n_declared_in(0) and variable.n_declared_in(synthesis):
        words = "codes that one file declares as missing are values in the other; they were taken for codes in both"
        yield Finding(variable.name, synthesis, "declared_in_one_file", "note", words)


def _types(variable: Variable, synthesis: int, tables: Sequence[Table]) -> Iterator[Finding]:
    name = variable.name
    ours, theirs = variable.kinds[0], variable.kinds[synthesis]
    if ours != theirs and variable.counts[0][:-1].any() and variable.counts[synthesis][:-1].any():
        yield Finding(name, synthesis, "type_change", "note", f"{ours} in the original, {theirs} in the synthetic file")
    our_labels, their_labels = (tables[file].value_labels.get(name, {}) for file in (0, synthesis))
    if any(their_labels.get(text, label) != label for text, label in our_labels.items()):
        yield Finding(name, synthesis, "labels_disagree", "warning", "the files give the same value different labels")


def _one_file_only(variable: Variable, synthesis: int, tables: Sequence[Table]) -> Iterator[Finding]:
    d, s = variable.counts[0][:-1], variable.counts[synthesis][:-1]
    only_d, only_s = np.flatnonzero((d > 0) & (s == 0)), np.flatnonzero((s > 0) & (d == 0))
    for side, only, counts in (("original", only_d, d), ("synthetic", only_s, s)):
        yield from levels_only_in(side, variable, synthesis, tables, len(only), int(counts[only].sum()))
    if len(only_s):
        yield from _near_matches(variable, synthesis, only_d, only_s)


def _near_matches(variable: Variable, synthesis: int, only_d: Places, only_s: Places) -> Iterator[Finding]:
    if variable.numbers is not None:
        return
    texts = variable.level_texts
    folded = {_folded(texts[place]) for place in only_d}
    near = [place for place in only_s if _folded(texts[place]) in folded]
    yield from near_match(variable.name, synthesis, len(near), int(variable.counts[synthesis][near].sum()))


def _folded(text: str) -> str:
    """Write texts alike that people take for the same: spaces, capitals, leading zeros, numbers and dates."""
    plain = unicodedata.normalize("NFKC", "".join(text_as_date(text.strip()).split())).casefold()
    plain = re.sub("^[+]?(-?)0*(?=[0-9])", r"\1", plain.replace("\N{MINUS SIGN}", "-"))
    number = plain.replace(",", "") if _THOUSANDS.fullmatch(plain) else plain.replace(",", ".", 1)
    return exact_text(number) or plain


def _outside_range(
    variable: Variable, synthesis: int, tables: Sequence[Table], special: Sequence[int]
) -> Iterator[Finding]:
    if variable.kind != "number":
        return
    numbers = level_numbers(variable)
    ordinary = np.isfinite(numbers)
    ordinary[list(special)] = False
    d, s = variable.counts[0][:-1] * ordinary, variable.counts[synthesis][:-1] * ordinary
    if d.any():
        known = numbers[d > 0]
        outside = (s > 0) & ((numbers < known.min()) | (numbers > known.max()))
        yield from outside_range(variable, synthesis, tables, int(outside.sum()), int(s[outside].sum()))
