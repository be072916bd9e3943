"""Whether two files tell of the same people record by record: first beside first, or first beside last."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

Codes = npt.NDArray[np.integer]

_BLOCK, _BLOCKS = 500, 10
"""So many records of the original are laid beside the synthetic file together, and so many such blocks at its head."""
_FEWEST = 30
_AWAY, _BESIDE = 60, 2
"""Places by which a block is moved to and fro, as where records were left out; and those that belong to the best one.

Sorted files, and months or quarters in turn, agree in other places just as well.
"""
_POINTS, _ERRORS = 0.05, 8.0
"""A variable follows the order where it agrees for so many more of the records, and by so many standard errors."""


@dataclass(frozen=True)
class Agreement:
    """Shares of records in which two variables agree: where blocks of records lie best, and at most elsewhere.

    `backwards` says that the places of the synthetic file were counted from its end.
    """

    here: float
    elsewhere: float
    n_records: int
    backwards: bool = False

    @property
    def follows(self) -> bool:
        """Whether the records stand in the same order, as far as this variable tells."""
        error = math.sqrt(max(self.elsewhere * (1 - self.elsewhere), 1 / self.n_records) / self.n_records)
        more = self.here - self.elsewhere
        return self.n_records >= _FEWEST and more >= _POINTS and more >= _ERRORS * error


def agreement(original: Codes, synthetic: Codes) -> Agreement | None:
    """Compare two variables place by place, also from the end; that in which they agree better.

    Parameters
    ----------
    original, synthetic
        Codes of one variable, one a record, in the order of the files, shape (N_d,) and (N_s,); the longer one is cut.

    Returns
    -------
    Agreement or None
        None where one of them is sorted, as a running number is: then its order says nothing of people.
    """
    n = min(len(original), len(synthetic), _BLOCK * _BLOCKS)
    if n < _FEWEST or _is_sorted(original[:n]) or _is_sorted(synthetic[:n]):
        return None
    ways = [_laid(original, synthetic, n), replace(_laid(original, synthetic[::-1], n), backwards=True)]
    return max(ways, key=lambda one: one.here - one.elsewhere)


def _laid(original: Codes, synthetic: Codes, n: int) -> Agreement:
    """Lay blocks of the first records of the original beside the synthetic file."""
    block = min(_BLOCK, 3 * n // 4)
    laid = np.array([_best(original, synthetic, start, block) for start in range(0, n - block + 1, block)])
    here, elsewhere = laid.mean(axis=0)
    return Agreement(float(here), float(elsewhere), len(laid) * block)


def _best(original: Codes, synthetic: Codes, start: int, block: int) -> tuple[float, float]:
    """Give the share of a block's records that agree where it lies best, and the most of them in any other place."""
    around = synthetic[max(start - _AWAY, 0) : start + block + _AWAY]
    agree = (sliding_window_view(around, block) == original[start : start + block]).mean(axis=1)
    best = int(agree.argmax())
    others = np.append(agree[: max(best - _BESIDE, 0)], agree[best + _BESIDE + 1 :])
    return float(agree[best]), float(others.max(initial=0.0))


def _is_sorted(codes: Codes) -> bool:
    return bool((codes[1:] >= codes[:-1]).all() or (codes[1:] <= codes[:-1]).all())
