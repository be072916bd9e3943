"""Target levels that few records have, put together."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from discoreport.assessment.results import LevelRisk


def put_together(levels: Iterable[LevelRisk], fewer_than: int) -> tuple[LevelRisk, ...]:
    """Put the levels of each target and file together that fewer original records have than a limit.

    Parameters
    ----------
    levels
        Of any targets and files.
    fewer_than
        Records. Levels that were put together already stay so.

    Returns
    -------
    tuple of LevelRisk
        In their order; of each target and file the row of others last.
    """
    by_case: dict[tuple[str, int], list[LevelRisk]] = {}
    for one in levels:
        by_case.setdefault((one.target, one.synthesis), []).append(one)
    return tuple(itertools.chain.from_iterable(_of_one(rows, fewer_than) for rows in by_case.values()))


def _of_one(rows: list[LevelRisk], fewer_than: int) -> list[LevelRisk]:
    small = [one for one in rows if one.n_others or one.original < fewer_than]
    return [one for one in rows if one not in small] + ([together(small)] if small else [])


def together(rows: list[LevelRisk]) -> LevelRisk:
    """Add up the rows of one target and file.

    Examples
    --------
    >>> row = dict(target="trade", synthesis=1, original=8, disclosed=2, by_chance=1.5)
    >>> both = together([LevelRisk(**row, level="Baker"), LevelRisk(**row, level=None, n_others=3)])
    >>> both.n_others, both.original, both.disclosed, both.by_chance
    (4, 16, 4, 3.0)
    """
    return LevelRisk(
        target=rows[0].target,
        synthesis=rows[0].synthesis,
        level=None,
        n_others=sum(one.n_others or 1 for one in rows),
        original=sum(one.original for one in rows),
        disclosed=sum(one.disclosed for one in rows),
        by_chance=sum(one.by_chance for one in rows),
    )
