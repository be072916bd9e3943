"""Compared variables -> the utility of each table, in any engine."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from discoreport.assessment.analyses.utility.compared_variables import Compared
from discoreport.assessment.analyses.utility.distributions import pair_table
from discoreport.assessment.analyses.utility.results import PairTable, TableUtility
from discoreport.assessment.engine_choice import Files
from discoreport.assessment.progress import Progress, Steps
from discoreport.data.coding import SMALL_CELL, Variable
from discoreport.measures.table_utility import Cells, Counts, cell_sums, put_together
from discoreport.measures.tables_in_memory import Group, count_tables


@dataclass(frozen=True)
class Counted:
    """The utility of every table, by synthesis, and the worst pair; None where there is none."""

    tables: tuple[TableUtility, ...]
    pair: PairTable | None


def count(files: Files, compared: Sequence[Compared], threes: int, progress: Progress | None) -> Counted:
    """Measure every table of one and of two variables, and those of three of the worst.

    Parameters
    ----------
    files
        In any engine; they stay open.
    compared
        The variables.
    threes
        Of how many of them, those that differ most, tables of three are counted.
    progress
        Told of every variable.
    """
    variables = [one.variable for one in compared]
    places = range(len(variables))
    tell = Steps(progress, len(variables) + 1)
    found: list[TableUtility] = []
    for variable in variables:
        found += _measured([variable], Cells(np.arange(variable.n_codes), variable.counts[:, : variable.n_codes]))
    by_risk = sorted(
        places, key=lambda place: -max(one.rank for one in found if one.variables == (variables[place].name,))
    )
    worst: tuple[TableUtility, Group, Cells] | None = None
    pairs = list(itertools.combinations(places, 2))
    told = -1
    for group, cells in zip(pairs, tables_of(files, variables, pairs), strict=True):
        if group[0] != told:
            told = group[0]
            tell.next(f"tables with {variables[told].name}")
        measured = _measured([variables[place] for place in group], cells)
        found += measured
        most = max(measured, key=lambda one: one.rank)
        if worst is None or most.rank > worst[0].rank:
            worst = most, group, cells
    of_three = list(itertools.combinations(sorted(by_risk[:threes]), 3))
    for three, cells in zip(of_three, tables_of(files, variables, of_three), strict=True):
        found += _measured([variables[place] for place in three], cells)
    tell.done()
    pair = None
    if worst is not None:
        one, (first, second), cells = worst
        pair = pair_table(compared[first], compared[second], one.synthesis, cells)
    return Counted(tuple(sorted(found, key=lambda one: one.synthesis)), pair)


def tables_of(files: Files, variables: Sequence[Variable], groups: Sequence[Group]) -> Iterator[Cells]:
    """Count the cells of several tables, wherever the files are."""
    if not groups:
        return iter(())
    if files.engine == "memory":
        return count_tables(variables, groups)
    from discoreport.measures import tables_in_engine

    stored: Any = files
    return tables_in_engine.count_tables(stored, variables, groups)


def _measured(variables: Sequence[Variable], cells: Cells) -> list[TableUtility]:
    """Measure one table of every synthetic file."""
    names = tuple(variable.name for variable in variables)
    return [
        TableUtility(
            synthesis=synthesis,
            variables=names,
            **vars(cell_sums(cells.counts[0], of_file)),
            common=_of_common(cells.counts[0], of_file),
        )
        for synthesis, of_file in enumerate(cells.counts[1:], start=1)
    ]


def _of_common(original: Counts, synthetic: Counts) -> float | None:
    """Give S_pMSE with cells of few records put together; None where one cell is left."""
    found = cell_sums(*put_together(original, synthetic, SMALL_CELL))
    return found.VW / found.df if found.df else None
