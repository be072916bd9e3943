"""The utility of several candidates for a release in a few figures each, and the risk beside it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from discoreport.assessment.analyses.result import Finite
from discoreport.assessment.analyses.utility.compared_variables import CLASSES, compared_variables
from discoreport.assessment.analyses.utility.results import FileUtility, TableUtility
from discoreport.assessment.prepare import PreparedFiles
from discoreport.assessment.results import excess
from discoreport.data.coding import Variable
from discoreport.measures.table_utility import Cells, cell_sums
from discoreport.measures.tables_in_memory import Group, count_tables

MOST_TABLES = 20_000
"""So many tables of candidates are looked at; beyond that those of single variables alone."""
MOST_READ = 5 * 10**8
"""So many times a record is counted, likewise."""


class RiskUtility(Finite):
    """Risk and utility of one state of a synthetic file.

    Parameters
    ----------
    repU
        In percent; None where it wasn't measured.
    excess
        The largest over the targets of what DiSCO has beyond chance, in percentage points; None without targets.
    target
        Of which target; "" without any.
    tables
        Its utility over all pairs of variables, or over single ones where pairs are too many.
    most_DiSCO
        DiSCO of the target where it is highest, in percent; None without targets, and in records of an earlier version.
    """

    repU: float | None  # noqa: N815  # published measures keep their names
    excess: float | None
    target: str
    tables: FileUtility | None
    most_DiSCO: float | None = None  # noqa: N815


def variables_of(prepared: PreparedFiles) -> list[Variable]:
    """Code all variables of files in memory as `utility` compares them."""
    return [one.variable for one in compared_variables(prepared, (), CLASSES)[0]]


def n_in_a_table(n_variables: int, n_candidates: int, n_records: int) -> int:
    """Say whether tables are of two variables or, where that would take long, of one.

    Parameters
    ----------
    n_variables, n_candidates
        How many there are.
    n_records
        Of the original and all candidates together.
    """
    n_pairs = n_variables * (n_variables - 1) // 2
    return 2 if n_pairs and n_pairs * n_candidates <= MOST_TABLES and n_pairs * n_records <= MOST_READ else 1


def utilities(variables: Sequence[Variable], n_together: int) -> tuple[FileUtility, ...]:
    """Compare candidates with the original in all tables of one or two variables.

    Parameters
    ----------
    variables
        Coded alike over the original, which comes first, and the candidates.
    n_together
        See `n_in_a_table`.

    Returns
    -------
    tuple of FileUtility
        One for each candidate, counting from 1; none where there is no variable.
    """
    places = range(len(variables))
    groups: list[Group] = [(place,) for place in places]
    if n_together == 2:
        groups = list(itertools.combinations(places, 2))
        counted: Iterable[Cells] = count_tables(variables, groups)
    else:
        counted = (Cells(np.arange(one.n_codes), one.counts[:, : one.n_codes]) for one in variables)
    tables: dict[int, list[TableUtility]] = {}
    for group, cells in zip(groups, counted, strict=True):
        names = tuple(variables[place].name for place in group)
        for candidate, of_file in enumerate(cells.counts[1:], start=1):
            measured = vars(cell_sums(cells.counts[0], of_file))
            tables.setdefault(candidate, []).append(TableUtility(synthesis=candidate, variables=names, **measured))
    return tuple(FileUtility.of(candidate, found) for candidate, found in tables.items())


def most_beyond_chance(values: Iterable[tuple[str, Mapping[str, float | None]]]) -> tuple[float | None, str]:
    """Give the largest excess of DiSCO, and of which target; None and "" where there is none.

    Parameters
    ----------
    values
        Target, and its figures by measure; those without DiSCO or its reference don't count.
    """
    known = [(excess(of_target), target) for target, of_target in values if {"DiSCO", "baseDiSCO"} <= {*of_target}]
    found = [(value, target) for value, target in known if value is not None]
    return max(found, default=(None, ""), key=lambda one: one[0])
