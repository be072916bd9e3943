"""Checks for disclosures that anybody might have known: one target level, or one level of one key."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from discoreport.measures.attribute import DiSCO, max_denom
from discoreport.measures.cells import Cells, Target

MOST_PAIRS = 1000
"""At most this many flagged pairs of one key are listed, those with most disclosive records."""


@dataclass(frozen=True)
class OneWay:
    """A target level that makes up most of the disclosive records (codes, not texts)."""

    level: Any
    disclosive: int
    percent: float
    level_total: int


@dataclass(frozen=True)
class TwoWay:
    """A key level that goes with a target level for nearly all records (codes, not texts)."""

    key: int
    key_level: Any
    target_level: Any
    disclosive: int
    key_target_total: int
    key_total: int
    disclosive_total: int

    @property
    def percent(self) -> float:
        """Share of the original records with the key level that have the target level."""
        return 100 * self.key_target_total / self.key_total


def one_way(target: Target, rows: Cells, threshold: tuple[int, float]) -> OneWay | None:
    """Find out whether one target level makes up nearly all disclosive records.

    Parameters
    ----------
    target
        Full cells of one target and one synthesis.
    rows
        What `Target.rows` gives of the same after exclusions.
    threshold
        Records, and percentage of all disclosive records; both must be exceeded.

    Returns
    -------
    OneWay or None
        The level with most disclosive records, where it is to be flagged.
    """
    at_least, percentage = threshold
    n_all = int(rows.collect({"n": DiSCO.count(rows)})["n"])
    if n_all <= at_least:
        return None
    level, n_records, level_total = target.most_disclosive(rows)
    if n_records <= at_least or 100 * n_records / n_all <= percentage:
        return None
    return OneWay(level, n_records, 100 * n_records / n_all, level_total)


def two_way(target: Target, left: Cells | None, rows: Cells, threshold: tuple[int, float]) -> list[TwoWay]:
    """Find pairs of a key level and a target level that nearly always go together.

    Parameters
    ----------
    target
        Full cells of one target and one synthesis.
    left
        The cells after exclusions; None where nothing is left out.
    rows
        What `Target.rows` gives of these.
    threshold
        Disclosive records in a cell, and percentage of the original records with the key level; both
        must be exceeded.

    Returns
    -------
    list of TwoWay
        Pairs to be flagged, most disclosive records first; at most `MOST_PAIRS` for each key.
    """
    at_least, percentage = threshold
    if rows.collect({"most": max_denom.count(rows)})["most"] <= at_least:
        return []
    by_key: list[list[TwoWay]] = [[] for _ in target.keys]
    for pair in target.pairs(left, at_least, percentage):
        flag = TwoWay(*pair)
        by_key[flag.key].append(flag)
    listed = (sorted(flags, key=_most_first)[:MOST_PAIRS] for flags in by_key)
    return sorted(itertools.chain.from_iterable(listed), key=_most_first)


def _most_first(flag: TwoWay) -> tuple[int, int, int, int]:
    return -flag.disclosive, flag.key, flag.key_level, flag.target_level
