"""Compared variables -> the utility of each table, in any engine."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.assessment.analyses.utility.compared_variables import Compared
from discoreport.assessment.analyses.utility.results import Distribution, PairCell, PairTable, TableUtility
from discoreport.assessment.analyses.utility.secondary_suppression import small_levels
from discoreport.assessment.engine_choice import Files
from discoreport.assessment.progress import Progress, Steps
from discoreport.data.coding import SMALL_CELL, Variable
from discoreport.measures.table_utility import Cells, Counts, cell_sums, put_together, standardised
from discoreport.measures.tables_in_memory import Group, count_tables


def count(
    files: Files, compared: Sequence[Compared], threes: int, progress: Progress | None
) -> tuple[tuple[TableUtility, ...], PairTable | None]:
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

    Returns
    -------
    tuple of TableUtility, PairTable or None
        The utility of every table, by synthesis, and the worst pair; None where there is none.
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
    return tuple(sorted(found, key=lambda one: one.synthesis)), pair


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


MOST_CELLS = 400
"""Of a pair the cells that differ most are kept, at most this many."""


def distribution_of(compared: Compared) -> Distribution:
    """Give the records of each level in every file; levels with few original records are put together."""
    variable = compared.variable
    counts = variable.counts[:, : variable.n_codes]
    places = _groups_of(counts)
    shown = np.array([counts[:, together].sum(axis=1) for together in places])
    single = [together[0] for together in places if len(together) == 1]
    original, *synthetic = (tuple(of_file) for of_file in shown.T.tolist())
    return Distribution(
        variable=variable.name,
        classes=compared.n_classes > 0,
        levels=tuple(variable.texts_of(single)),
        n_together=len(places[-1]) if len(places[-1]) > 1 else 0,
        original=original,
        synthetic=tuple(synthetic),
    )


def pair_table(first: Compared, second: Compared, synthesis: int, cells: Cells) -> PairTable:
    """Give the table of two variables, levels with few original records put together, the worst cells first."""
    of_each = (first, second)
    groups = [_groups_of(one.variable.counts[:, : one.variable.n_codes]) for one in of_each]
    new, names = [], []
    for one, together in zip(of_each, groups, strict=True):
        new.append(np.zeros(max(one.variable.n_codes, 1), np.int64))
        for number, levels in enumerate(together):
            new[-1][levels] = number
        names.append(distribution_of(one).written)
    rows, columns = np.divmod(cells.codes, max(second.variable.n_codes, 1))
    place = new[0][rows] * len(groups[1]) + new[1][columns]
    n_cells = len(groups[0]) * len(groups[1])
    d, s = summed(place, cells.counts[[0, synthesis]], n_cells)
    filled = np.flatnonzero((d > 0) | (s > 0))
    differs = standardised(d[filled], s[filled])
    order = np.argsort(-np.abs(differs), kind="stable")[:MOST_CELLS]
    return PairTable(
        synthesis=synthesis,
        variables=(first.variable.name, second.variable.name),
        n_cells=len(filled),
        cells=tuple(
            PairCell(
                levels=(names[0][filled[n] // len(groups[1])], names[1][filled[n] % len(groups[1])]),
                original=int(d[filled[n]]),
                synthetic=int(s[filled[n]]),
                standardised=float(differs[n]),
            )
            for n in order
        ),
    )


def _groups_of(counts: npt.NDArray[np.int64]) -> list[list[int]]:
    """Give the levels in their order, each alone, and at the end those that are put together."""
    few = small_levels(counts[:1], SMALL_CELL)
    return [*([place] for place in range(counts.shape[1]) if place not in few), *([few] if few else [])]


def summed(place: npt.NDArray[np.int64], counts: Counts, n_cells: int) -> Counts:
    """Add counts up by place, file by file; those below 0 go nowhere."""
    kept = place >= 0
    found = [np.bincount(place[kept], of_file[kept], n_cells) for of_file in counts]
    return np.array(found).astype(np.int64)
