"""Whether a synthetic file is built as the original is: variables, types, values, the order of rows, whole records."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.assessment.copy_findings import Copies, compared, count_copies
from discoreport.assessment.engine_choice import MemoryFiles
from discoreport.data.coding import Numbers, Variable, code_variable, level_numbers
from discoreport.data.findings.comparison import FEW_LEVELS, compare, compare_as_counted
from discoreport.data.table import Table, readable_name, shared_columns

BEYOND_CHANCE = 4.0
"""Rows follow each other where they agree by more standard deviations than this: once in 30,000 random orders."""

Question = tuple[str, str, str, str]
"""A name for machines, the question, what is wrong ("" where nothing is), and what is said then."""

QUESTIONS = {
    "type_change": ("Do variables have the same types?", "the same"),
    "levels_only_in_original": ("Do all values of the original occur?", "all do"),
    "levels_only_in_synthetic": ("Do all values occur in the original?", "all do"),
    "outside_range": ("Do numbers lie in the original's range?", "all do"),
    "missing_only_in_original": ("Are values missing where the original has missing ones?", "they are"),
    "missing_only_in_synthetic": ("Are values missing only where the original has missing ones?", "they are"),
}
"""What is asked of each variable, by the finding of the comparison that answers it; and the good answer."""


def compare_structure(
    original: Table, synthetic: Table, labels: Sequence[str], unit: str | None = None
) -> Iterator[Question]:
    """Compare how two files are built.

    Parameters
    ----------
    original, synthetic
        The files.
    labels
        Variables that mark the synthetic file as such; the original need not have them.
    unit
        The variable that says which records belong together: its values aren't compared.

    Yields
    ------
    Question
        Answers name variables and count records; they name no level.
    """
    files = [original, synthetic]
    lacking = [name for name in original.columns if name not in synthetic.columns]
    added = [name for name in synthetic.columns if name not in original.columns and name not in labels]
    shared = shared_columns(files)
    yield "no_variable_lacking", "Does it have all variables of the original?", _listed(lacking), "all of them"
    yield "no_variable_added", "Does it have no others, labels apart?", _listed(added), "no others"
    moved = "in another order" if [name for name in synthetic.columns if name in original.columns] != shared else ""
    yield "same_order", "Are they in the same order?", moved, "the same"
    if not shared:
        return
    problems = [name for name in shared if any(file.problem(name) for file in files)]
    if problems:
        yield "all_comparable", "Can all shared variables be compared?", _listed(problems), ""
    shared = [name for name in shared if name not in problems]
    if not shared:
        return
    of_unit = code_variable(unit, files) if unit in shared and unit is not None else None
    following = [code_variable(name, files) for name in shared]
    variables = [variable for variable in following if variable.name != unit]
    if not variables:
        return
    findings = {variable.name: [*compare(variable, files), *compare_as_counted(variable)] for variable in variables}
    found = {name: {one.finding for one in of_variable} for name, of_variable in findings.items()}
    for finding, (question, good) in QUESTIONS.items():
        yield finding, question, _listed(name for name, of in found.items() if finding in of), good
    in_order = _listed(_following(following))
    yield "own_order_of_rows", "Is the order of the rows its own?", in_order, "no variable follows the original's"
    (copies,) = count_copies(MemoryFiles(files), [compared(variable) for variable in variables], of_unit)
    yield "no_identical_records", "Does no whole record occur in the original?", _identical(copies), "none does"
    if copies.units is not None:
        whole = str(copies.units) if copies.units.synthetic_units else ""
        yield "no_identical_units", "Does no whole unit occur in the original?", whole, "none does"
    unique = [variable for variable in variables if "identifier" in found[variable.name]]
    identifiers = [one.name for one in unique if (one.counts[0] * one.counts[1])[:-1].any()]  # some value occurs
    yield "no_identifiers", "Are there no identifiers of the original's?", _listed(identifiers), "no variable has any"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(readable_name, names))


def _ranks_beyond_chance(ours: Numbers, theirs: Numbers) -> float:
    if not len(ours) or not np.ptp(ours) or not np.ptp(theirs):
        return 0.0
    from scipy.stats import spearmanr  # slow to import, and needed for numbers of many values alone

    return float(abs(spearmanr(ours, theirs).statistic) * math.sqrt(len(ours) - 1))


def _following(variables: Sequence[Variable]) -> list[str]:
    """Name the variables whose values at the same rows have more in common than by chance.

    Of numbers, ranks are correlated (Spearman 1904), which has a deviation of 1 / root(n - 1) over all orders of rows.
    """
    following = []
    for variable in variables:
        n = min(map(len, variable.codes))
        ours, theirs = (codes[:n] for codes in variable.codes)
        if n < 2:
            continue
        if variable.numbers is not None and variable.n_levels > FEW_LEVELS:
            known = (ours < variable.n_levels) & (theirs < variable.n_levels)
            numbers = level_numbers(variable)
            beyond = _ranks_beyond_chance(*(numbers[codes[known]] for codes in (ours, theirs)))
        else:
            beyond = matches_beyond_chance(ours, theirs, variable.n_levels + 1)
        if not math.isnan(beyond) and beyond > BEYOND_CHANCE:
            following.append(variable.name)
    return following


def _identical(copies: Copies) -> str:
    """Say how many synthetic records equal an original record, and how many equal just one."""
    found = copies.matches
    if not found.synthetic_records:
        return ""
    said = (
        f"{found.synthetic_records:,} of {found.n_synthetic:,} records occur in the original, "
        f"{found.on_unique:,} of them for a single original record"
    )
    return f"{said}. Left aside: {_listed(copies.left_out)}" if copies.left_out else said


Values = npt.NDArray[Any]


def matches_beyond_chance(codes: Values, others: Values, n_codes: int) -> float:
    """Count the rows that agree, and set them against a random order of the rows.

    Parameters
    ----------
    codes, others
        Levels of the same rows in two files, from 0 to `n_codes` - 1; shape (rows,) each, 2 rows or more.

    Returns
    -------
    float
        How many standard deviations the number of agreeing rows lies above its mean over all orders of the rows;
        NaN where every order gives the same number.

    Notes
    -----
    With a level l in d_l rows of one file and s_l rows of the other, the mean is the sum of d_l s_l over n, and the
    variance (A - B/n + A²/n²) / (n - 1), with A the sum of d_l s_l and B that of d_l s_l (d_l + s_l).

    References
    ----------
    Hoeffding, "A combinatorial central limit theorem", 1951.

    Examples
    --------
    >>> a = np.array([0, 0, 1, 1])
    >>> round(matches_beyond_chance(a, a, 2), 3)  # 4 agree; mean 2, variance (8 - 32/4 + 64/16) / 3 = 4/3
    1.732
    """
    n = len(codes)
    d, s = (np.bincount(values, minlength=n_codes).astype(np.float64) for values in (codes, others))
    together, three = float((d * s).sum()), float((d * s * (d + s)).sum())
    variance = (together - three / n + (together / n) ** 2) / (n - 1)
    if variance <= 1e-12 * max(together, 1):
        return math.nan
    return (int(np.count_nonzero(codes == others)) - together / n) / math.sqrt(variance)
