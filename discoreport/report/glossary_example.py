"""The glossary's worked example: two made-up files that can be counted by hand, and every measure of them."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from discoreport.assessment.assess import assess
from discoreport.assessment.results import EXCESS, excess

CELLS: tuple[tuple[str, str, int, int], ...] = (
    ("A", "yes", 0, 2),
    ("B", "no", 3, 2),
    ("C", "yes", 2, 2),
    ("C", "no", 1, 0),
    ("D", "yes", 0, 1),
    ("D", "no", 2, 0),
    ("E", "yes", 1, 0),
    ("F", "no", 1, 2),
    ("G", "yes", 2, 2),
    ("G", "no", 1, 1),
    ("H", "no", 1, 1),
)
"""Key, target level, original records, synthetic records."""


@dataclass(frozen=True)
class Example:
    """The cells, the records of both files, and every measure by its name."""

    cells: tuple[tuple[str, str, int, int], ...]
    n_original: int
    n_synthetic: int
    values: dict[str, float | None]


def _records(cells: Iterable[tuple[str, str, int]]) -> pd.DataFrame:
    rows = [(key, target) for key, target, n in cells for _ in range(n)]
    return pd.DataFrame(rows, columns=["key", "target"])


@functools.cache
def example() -> Example:
    """Measure the example; the figures are computed, like all others."""
    original = _records((key, target, n) for key, target, n, _ in CELLS)
    synthetic = _records((key, target, n) for key, target, _, n in CELLS)
    (result,) = assess(original, synthetic, keys=["key"]).outcome.results
    return Example(CELLS, len(original), len(synthetic), {**result.values, EXCESS: excess(result.values)})
