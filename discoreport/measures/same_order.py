"""Whether two files tell of the same people record by record: first beside first, second beside second."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.integer]

_MOST = 50_000
"""So many records at the head of the files are looked at."""
_FEWEST = 30
_AWAY = (*range(1, 13), 24, 52)
"""Records so far apart are compared, too: sorted files, and months or quarters in turn, agree there just as well."""
_POINTS, _ERRORS = 0.05, 6.0
"""A variable follows the order where it agrees for so many more of the records, and by so many standard errors."""


@dataclass(frozen=True)
class Agreement:
    """How often two variables agree in the same place, and the most they do some places apart; shares of records."""

    here: float
    elsewhere: float
    n_records: int

    @property
    def follows(self) -> bool:
        """Whether the records stand in the same order, as far as this variable tells."""
        error = math.sqrt(max(self.elsewhere * (1 - self.elsewhere), 1 / self.n_records) / self.n_records)
        more = self.here - self.elsewhere
        return self.n_records >= _FEWEST and more >= _POINTS and more >= _ERRORS * error


def agreement(original: Codes, synthetic: Codes) -> Agreement | None:
    """Compare two variables place by place.

    Parameters
    ----------
    original, synthetic
        Codes of one variable, one a record, in the order of the files, shape (N_d,) and (N_s,); the longer one is cut.

    Returns
    -------
    Agreement or None
        None where one of them is sorted, as a running number is: then its order says nothing of people.
    """
    n = min(len(original), len(synthetic), _MOST)
    a, b = original[:n], synthetic[:n]
    if n < _FEWEST or _is_sorted(a) or _is_sorted(b):
        return None
    apart = [one for away in _AWAY if away < n for one in (a[away:] == b[:-away], a[:-away] == b[away:])]
    return Agreement(float((a == b).mean()), max(float(one.mean()) for one in apart), n)


def _is_sorted(codes: Codes) -> bool:
    return bool((codes[1:] >= codes[:-1]).all() or (codes[1:] <= codes[:-1]).all())
