"""Cells that are not counted, for which reason, and how many records that takes out of each table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discoreport.measures import attribute
from discoreport.measures.cells import Cells
from discoreport.measures.memory import TargetCells
from discoreport.measures.registry import Count

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
        Code of a missing target value, where it is left out.
    missing_keys
        For each key the code of its missing values, or None where they count.
    pairs
        Target level, number of the key, and key level.
    max_denominator
        Most records a cell may hold.
    """

    levels: tuple[int, ...] = ()
    missing_target: int | None = None
    missing_keys: tuple[int | None, ...] = ()
    pairs: tuple[tuple[int, int, int], ...] = ()
    max_denominator: int | None = None

    @property
    def any(self) -> bool:
        """Whether anything is left out at all."""
        return self != Rules(missing_keys=(None,) * len(self.missing_keys))


def exclude(target: TargetCells, rules: Rules) -> tuple[Cells, npt.NDArray[np.int8]]:
    """Apply the rules to the cells of one target and one synthesis.

    Parameters
    ----------
    target
        Full cells.
    rules
        What to leave out.

    Returns
    -------
    Cells
        With the counts that are left.
    numpy.ndarray
        For each cell the number of the reason in `REASONS` for which it is left out, the limit on
        denominators apart, or -1; shape (cells,).
    """
    full = target.cells
    reason = np.full(len(full.d_full), -1, np.int8)
    if not rules.any:
        return full, reason

    def mark(where: npt.NDArray[np.bool_], why: str) -> None:
        reason[where & (reason < 0)] = REASONS.index(why)

    if rules.levels:
        mark(np.isin(target.levels, rules.levels), "excluded_level")
    if rules.missing_target is not None:
        mark(target.levels == rules.missing_target, "missing_target")
    for place, code in enumerate(rules.missing_keys):
        if code is not None:
            mark(target.key_codes[place] == code, "missing_key")
    for level, place, key_level in rules.pairs:
        mark((target.levels == level) & (target.key_codes[place] == key_level), "excluded_pair")
    kept = reason < 0
    d, s = full.d_full * kept, full.s_full * kept
    if rules.max_denominator is not None:
        d *= d <= rules.max_denominator
        s *= s <= rules.max_denominator
    return full.counting(d, s), reason


def account(full: Cells, left: Cells, reason: npt.NDArray[np.int8]) -> dict[str, dict[str, int]]:
    """Count the records that the rules take out of each table.

    Parameters
    ----------
    full, left
        Cells before and after.
    reason
        As `exclude` gives it.

    Returns
    -------
    dict
        For each table: records removed for each reason, and ``remaining``.
    """
    removed: dict[str, dict[str, int]] = {table: {} for table in TABLES}
    for number, name in enumerate(REASONS):
        if name == "over_denominator":
            kept = reason < 0
            part = full.counting(full.d_full * kept - left.d, full.s_full * kept - left.s)
        else:
            here = reason == number
            if not here.any():
                for table in TABLES:
                    removed[table][name] = 0
                continue
            part = full.counting(full.d_full * here, full.s_full * here)
        for table, count in TABLES.items():
            removed[table][name] = int(count(part))
    for table, count in TABLES.items():
        removed[table]["remaining"] = int(count(left))
    return removed


def nothing_removed(cells: Cells) -> dict[str, dict[str, int]]:
    """Account for a target where nothing is left out."""
    return {table: {**dict.fromkeys(REASONS, 0), "remaining": int(count(cells))} for table, count in TABLES.items()}
