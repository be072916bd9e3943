"""The glossary's worked example: two made-up files that can be counted by hand, and every measure of them."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import pandas as pd

from discoreport.assessment.assess import assess

CELLS = (
    ("A", "yes", 1, 1),
    ("B", "no", 3, 2),
    ("C", "yes", 2, 2),
    ("C", "no", 1, 0),
    ("D", "yes", 0, 1),
    ("D", "no", 2, 0),
    ("E", "yes", 1, 0),
    ("F", "no", 0, 2),
)
"""Key, target level, original records, synthetic records."""


@dataclass(frozen=True)
class Example:
    """The cells, the records of both files, and every measure by its name."""

    cells: tuple[tuple[str, str, int, int], ...]
    n_original: int
    n_synthetic: int
    values: dict[str, float | None]


@functools.cache
def example() -> Example:
    """Measure the example; the figures are computed, like all others."""
    original, synthetic = (
        pd.DataFrame([(cell[0], cell[1]) for cell in CELLS for _ in range(cell[place])], columns=["key", "target"])
        for place in (2, 3)
    )
    (result,) = assess(original, synthetic, keys=["key"]).outcome.results
    return Example(CELLS, len(original), len(synthetic), result.values)
