"""What is kept of the records of each level: distributions, and the worst pair cell by cell; small levels together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from discoreport.assessment.analyses.utility.compared_variables import Compared
from discoreport.assessment.analyses.utility.results import Distribution, PairCell, PairTable
from discoreport.assessment.analyses.utility.secondary_suppression import small_levels
from discoreport.data.coding import SMALL_CELL
from discoreport.measures.table_utility import Cells, standardised

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
    d, s = (_summed(place, cells.counts[file], n_cells) for file in (0, synthesis))
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


def _summed(place: npt.NDArray[np.int64], n: npt.NDArray[np.int64], n_cells: int) -> npt.NDArray[np.int64]:
    return np.bincount(place, n, n_cells).astype(np.int64)
