"""Sizes of equivalence classes: how many records share their key combination with how many others."""

from __future__ import annotations

from typing import Any

from discoreport.measures.cells import Cells

SIZES: tuple[tuple[int, int | None], ...] = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, None))
"""Fewest and most records of a key combination, size by size; None where there is no most."""

TABLES = ("original", "synthetic")
"""The files whose records are counted."""


def class_sizes(cells: Cells) -> dict[tuple[str, int, str], Any]:
    """Count key combinations, and the records in them, by the records that share a combination.

    A key combination together with its records is an equivalence class. Records in classes of one are
    the unique ones; a record in a large class is hidden among others that look the same.

    Parameters
    ----------
    cells
        Of the keys alone, or of any target.

    Returns
    -------
    dict
        By table (of `TABLES`), place in `SIZES`, and "n_classes" (key combinations of a size) or "n_records" (the
        records in them): a sum for `Cells.collect`. The records of a table add up to those that exclusions leave.

    Examples
    --------
    >>> rows = [("F 30", "yes", 1, 2), ("F 31", "no", 1, 1), ("M 41", "no", 2, 1), ("M 50", "no", 0, 4)]
    >>> cells = Cells.from_rows(rows)
    >>> found = class_sizes(cells)
    >>> [int(found["original", place, "n_records"]) for place in range(3)]  # F 30 and F 31; M 41 twice
    [2, 2, 0]
    >>> [int(found["synthetic", place, "n_records"]) for place in range(3)]  # F 31 and M 41; F 30 twice; M 50
    [2, 2, 4]
    >>> [int(found["synthetic", place, "n_classes"]) for place in range(3)]
    [2, 1, 1]

    References
    ----------
    Samarati, "Protecting respondents' identities in microdata release", 2001 (k-anonymity).
    """
    keys = cells.keys
    sums: dict[tuple[str, int, str], Any] = {}
    for table, counts in zip(TABLES, (keys.d, keys.s), strict=True):
        for place, (least, most) in enumerate(SIZES):
            within = counts >= least if most is None else (counts >= least) & (counts <= most)
            sums[table, place, "n_classes"] = keys.number(within)
            sums[table, place, "n_records"] = keys.total(counts, within)
    return sums
