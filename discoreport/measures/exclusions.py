"""Cells that are not counted, for which reason, and how many records that takes out of each table."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from discoreport.measures import attribute
from discoreport.measures.cells import Cells, Target
from discoreport.measures.registry import Count

Parts = dict[str, tuple[Any, Any]]
"""For each reason in use the cells that it takes out of the original and of the synthetic table (conditions)."""

REASONS = ("excluded_level", "missing_target", "missing_key", "excluded_pair", "over_denominator")
"""In order of precedence: a cell that several rules leave out counts under the first."""

TABLES: dict[str, Count] = {
    "original": lambda cells: cells.total(cells.d),
    "synthetic": lambda cells: cells.total(cells.s),
    **{
        entry.name: entry.count
        for entry in (attribute.Dorig, attribute.Dsyn, attribute.iS, attribute.DiS, attribute.DiSCO, attribute.DiSDiO)
    },
}
"""The tables of records for which exclusions are accounted."""


@dataclass(frozen=True)
class Rules:
    """What to leave out for one target, in codes.

    Parameters
    ----------
    levels
        Target levels.
    missing_target
        Codes of missing target values, where they are left out.
    missing_keys
        For each key the codes of its missing values; none where they count.
    pairs
        Target level, number of the key, and key level.
    max_denominator
        Most records a cell may hold.
    """

    levels: tuple[int, ...] = ()
    missing_target: tuple[int, ...] = ()
    missing_keys: tuple[tuple[int, ...], ...] = ()
    pairs: tuple[tuple[int, int, int], ...] = ()
    max_denominator: int | None = None

    @property
    def any(self) -> bool:
        """Whether anything is left out at all."""
        return self != Rules(missing_keys=((),) * len(self.missing_keys))


def exclude(target: Target, rules: Rules) -> tuple[Cells | None, Parts]:
    """Apply the rules to the cells of one target and one synthesis.

    Parameters
    ----------
    target
        Full cells.
    rules
        What to leave out.

    Returns
    -------
    Cells or None
        With the counts that are left; None where nothing is left out.
    dict
        For each reason in use, which cells it leaves out. No cell is under two reasons.
    """
    parts: Parts = {}
    kept: Any = None
    for reason, where in _conditions(target, rules):
        here = _both(kept, where)
        parts[reason] = (here, here)
        kept = _both(kept, ~where)
    in_d = in_s = kept
    if rules.max_denominator is not None:
        full = target.cells
        small_d, small_s = full.d_full <= rules.max_denominator, full.s_full <= rules.max_denominator
        parts["over_denominator"] = (_both(kept, ~small_d), _both(kept, ~small_s))
        in_d, in_s = _both(kept, small_d), _both(kept, small_s)
    return (None if in_d is None else target.cells.left(in_d, in_s)), parts


def cells_left(target: Target, rules: Rules) -> Cells:
    """Give the cells of one target and one synthesis with the counts that rules leave."""
    left, _ = exclude(target, rules)
    full: Cells = target.cells
    return full if left is None else left


def _both(kept: Any, where: Any) -> Any:
    """Give the cells of a condition that are still counted; None stands for all of them."""
    return where if kept is None else kept & where


def _conditions(target: Target, rules: Rules) -> Iterator[tuple[str, Any]]:
    """Say which cells each reason leaves out, first reasons first."""
    if rules.levels:
        yield "excluded_level", _any([target.levels == level for level in rules.levels])
    if rules.missing_target:
        yield "missing_target", _any([target.levels == code for code in rules.missing_target])
    missing = [target.key_codes[place] == code for place, codes in enumerate(rules.missing_keys) for code in codes]
    if missing:
        yield "missing_key", _any(missing)
    if rules.pairs:
        pairs = [(target.levels == level) & (target.key_codes[key] == code) for level, key, code in rules.pairs]
        yield "excluded_pair", _any(pairs)


def _any(conditions: list[Any]) -> Any:
    return functools.reduce(operator.or_, conditions)


def account(target: Target, rows: Cells, parts: Parts) -> dict[tuple[str, str], Any]:
    """Count the records that the rules take out of each table.

    Parameters
    ----------
    target
        Full cells.
    rows
        What `Target.rows` gives of those after exclusions.
    parts
        As `exclude` gives them.

    Returns
    -------
    dict
        By table and reason, or table and ``remaining``: a sum for `Cells.collect`.
    """
    sums: dict[tuple[str, str], Any] = {(table, "remaining"): count(rows) for table, count in TABLES.items()}
    for reason in REASONS:
        taken = target.cells.part(*parts[reason]) if reason in parts else None
        sums |= {(table, reason): 0 if taken is None else count(taken) for table, count in TABLES.items()}
    return sums
