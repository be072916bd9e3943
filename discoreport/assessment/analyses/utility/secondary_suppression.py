"""Which levels are put together, so that no small count is shown, nor can be worked out from the others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def small_levels(counts: npt.NDArray[np.int64], smallest: int, rest: npt.NDArray[np.int64] | None = None) -> list[int]:
    """Choose the levels that are put together.

    Parameters
    ----------
    counts
        Records by file and level; shape (files, levels).
    smallest
        Neither a level that is left nor what is put together has fewer records than this in any file, as long as
        there are levels to add.
    rest
        Records by file of levels that are together already.

    Returns
    -------
    list of int
        Places, rising.

    Examples
    --------
    Level 1 is small; alone it would be known from the total, so the next larger one joins it.

    >>> small_levels(np.array([[30, 4, 12, 40]]), 10)
    [1, 2]
    """
    least = counts.min(axis=0)
    by_size = [int(place) for place in np.argsort(least, kind="stable")]
    together = np.zeros(len(counts), np.int64) if rest is None else rest.copy()
    few: list[int] = []
    for place in by_size:
        short = together.any() and together.min() < smallest
        if least[place] >= smallest and not short:
            break
        few.append(place)
        together += counts[:, place]
    return sorted(few)
