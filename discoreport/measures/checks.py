"""Checks for disclosures that anybody might have known: one target level, or one level of one key."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discoreport.measures.cells import Cells
from discoreport.measures.memory import TargetCells


@dataclass(frozen=True)
class OneWay:
    """A target level that makes up most of the disclosive records (codes, not texts)."""

    level: int
    disclosive: int
    percent: float
    level_total: int


@dataclass(frozen=True)
class TwoWay:
    """A key level that goes with a target level for nearly all records (codes, not texts)."""

    key: int
    key_level: int
    target_level: int
    disclosive: int
    key_target_total: int
    key_total: int

    @property
    def percent(self) -> float:
        """Share of the original records with the key level that have the target level."""
        return 100 * self.key_target_total / self.key_total


def one_way(target: TargetCells, left: Cells, threshold: tuple[int, float]) -> OneWay | None:
    """Find out whether one target level makes up nearly all disclosive records.

    Parameters
    ----------
    target
        Full cells of one target and one synthesis.
    left
        The same after exclusions.
    threshold
        Records, and percentage of all disclosive records; both must be exceeded.

    Returns
    -------
    OneWay or None
        The level with most disclosive records, where it is to be flagged.
    """
    disclosive = left.d * left.disclosive_in_synthetic
    if not disclosive.any():
        return None
    by_level = np.bincount(target.levels, weights=disclosive).astype(np.int64)
    level = int(by_level.argmax())
    n_records = int(by_level[level])
    percent = 100 * n_records / int(by_level.sum())
    at_least, percentage = threshold
    if n_records <= at_least or percent <= percentage:
        return None
    return OneWay(level, n_records, percent, int(left.levels.d_full[level]))


def two_way(target: TargetCells, left: Cells, threshold: tuple[int, float]) -> list[TwoWay]:
    """Find pairs of a key level and a target level that nearly always go together.

    Parameters
    ----------
    target
        Full cells of one target and one synthesis.
    left
        The same after exclusions.
    threshold
        Disclosive records in a cell, and percentage of the original records with the key level; both
        must be exceeded.

    Returns
    -------
    list of TwoWay
        Pairs to be flagged, most disclosive records first.
    """
    at_least, percentage = threshold
    disclosive = left.d * left.disclosive_in_synthetic
    large = np.flatnonzero(disclosive > at_least)
    if not len(large):
        return []
    flags = []
    n_levels = int(target.levels.max()) + 1
    d = target.cells.d_full
    for place, of_cells in enumerate(target.key_codes):
        pairs = of_cells * n_levels + target.levels
        found, inverse = np.unique(pairs[large], return_inverse=True)
        sums = np.bincount(inverse, weights=disclosive[large]).astype(np.int64)
        key_levels = found // n_levels
        of_key = np.bincount(of_cells, weights=d)
        here = np.isin(of_cells, key_levels)
        place_of_pair = np.searchsorted(found, pairs[here])
        inside = place_of_pair < len(found)
        hit = inside & (found[np.minimum(place_of_pair, len(found) - 1)] == pairs[here])
        of_pair = np.bincount(place_of_pair[hit], weights=d[here][hit], minlength=len(found))
        flags += [
            TwoWay(place, int(pair // n_levels), int(pair % n_levels), int(n), int(both), int(of_key[pair // n_levels]))
            for pair, n, both in zip(found, sums, of_pair, strict=True)
        ]
    flags = [flag for flag in flags if flag.percent > percentage]
    return sorted(flags, key=lambda flag: (-flag.disclosive, flag.key, flag.key_level, flag.target_level))
