"""Identity measures: who can be singled out by the keys alone."""

from __future__ import annotations

from typing import Any

from discoreport.measures.cells import Cells
from discoreport.measures.registry import denominator, doctests, measure


@denominator("original records")
def n_original(cells: Cells) -> Any:
    """Give the number of records in the original."""
    return cells.n_original


@denominator("synthetic records")
def n_synthetic(cells: Cells) -> Any:
    """Give the number of records in the synthetic file."""
    return cells.n_synthetic


@measure(
    "identity",
    stands_for="Unique in Original",
    meaning="Original records that no other original record shares its key combination with.",
    formula="100 × #{q : d_q = 1} / N_d",
    source="Raab, Nowok, Dibben, section 3.2",
    of=n_original,
    depends="original",
)
def UiO(cells: Cells) -> Any:
    """Count the original records that are alone with their keys.

    >>> cells = Cells.from_rows([("F 30", "yes", 1, 2), ("F 31", "no", 1, 1), ("M 41", "no", 2, 1)])
    >>> UiO(cells)  # F 30 and F 31, of 4 original records
    50.0
    """
    return cells.keys.number(cells.keys.d == 1)


@measure(
    "identity",
    stands_for="Unique in Synthetic",
    meaning="Synthetic records that no other synthetic record shares its key combination with.",
    formula="100 × #{q : s_q = 1} / N_s",
    source="Raab, Nowok, Dibben, section 3.2",
    of=n_synthetic,
    depends="synthetic",
)
def UiS(cells: Cells) -> Any:
    """Count the synthetic records that are alone with their keys.

    >>> cells = Cells.from_rows([("F 30", "yes", 1, 2), ("F 31", "no", 1, 1), ("M 41", "no", 2, 1)])
    >>> UiS(cells)  # F 31 and M 41, of 4 synthetic records
    50.0
    """
    return cells.keys.number(cells.keys.s == 1)


@measure(
    "identity",
    stands_for="Unique in Original, in Synthetic",
    meaning="Unique original records whose key combination occurs in the synthetic file, once or more often.",
    formula="100 × #{q : d_q = 1, s*_q > 0} / N_d",
    source="Raab, Nowok, Dibben, section 3.2",
    of=n_original,
    depends="other records",
)
def UiOiS(cells: Cells) -> Any:
    """Count the unique original records that an intruder would find in the synthetic file.

    >>> cells = Cells.from_rows([("F 30", "yes", 1, 2), ("F 31", "no", 1, 0), ("M 41", "no", 2, 1)])
    >>> UiOiS(cells)  # F 30 alone, of 4
    25.0
    """
    return cells.keys.number((cells.keys.d == 1) & (cells.keys.s_full > 0))


@measure(
    "identity",
    stands_for="replicated Uniques",
    meaning="Unique original records whose key combination is unique in the synthetic file, too.",
    formula="100 × #{q : d_q = 1, s_q = 1} / N_d",
    source="Raab, Nowok, Dibben, section 3.2",
    of=n_original,
    depends="other records",
)
def repU(cells: Cells) -> Any:
    """Count the unique original records that are found, and found to be unique, in the synthetic file.

    >>> cells = Cells.from_rows([("F 30", "yes", 1, 2), ("F 31", "no", 1, 1), ("M 41", "no", 2, 1)])
    >>> repU(cells)  # F 31, of 4
    25.0
    """
    return cells.keys.number((cells.keys.d == 1) & (cells.keys.s == 1))


__test__ = doctests(globals())
