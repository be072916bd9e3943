"""Replicated uniques: who is unique on the keys in both files, and in which synthetic rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from discoreport.assessment.engine_choice import MemoryFiles, read_all
from discoreport.assessment.measure_files import warn_as_assess
from discoreport.assessment.prepare import prepare
from discoreport.assessment.settings import Settings
from discoreport.data.coding import Variable
from discoreport.measures.key_index import combine
from discoreport.measures.tallies import AnyTally, tally

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Uniques:
    """Records that are unique on the keys.

    Parameters
    ----------
    n_original, n_synthetic
        Records in the two files.
    unique_in_original, unique_in_synthetic
        Records that no other record of the same file shares its keys with.
    found_in_original
        Unique synthetic records whose keys occur in the original, once or more often.
    replicated
        Unique synthetic records whose keys are unique in the original, too.
    found_rows, replicated_rows
        Positions of these synthetic records, counting from 0. Not for publication.
    """

    n_original: int
    n_synthetic: int
    unique_in_original: int
    unique_in_synthetic: int
    found_in_original: int
    replicated: int
    found_rows: Rows = field(repr=False)
    replicated_rows: Rows = field(repr=False)

    @property
    def UiO(self) -> float:  # noqa: N802  # published names
        """Unique original records, % of the original."""
        return 100 * self.unique_in_original / self.n_original

    @property
    def UiS(self) -> float:  # noqa: N802
        """Unique synthetic records, % of the synthetic file."""
        return 100 * self.unique_in_synthetic / self.n_synthetic

    @property
    def repU(self) -> float:  # noqa: N802
        """Replicated uniques, % of the original."""
        return 100 * self.replicated / self.n_original

    @property
    def percent_found(self) -> float:
        """Unique synthetic records whose keys occur in the original, % of the synthetic file."""
        return 100 * self.found_in_original / self.n_synthetic

    @property
    def percent_replicated(self) -> float:
        """Replicated uniques, % of the synthetic file."""
        return 100 * self.replicated / self.n_synthetic


def replicated_uniques(
    original: object,
    synthetic: object,
    keys: Sequence[str] | str,
    *,
    numeric_groups: Mapping[str, int | Sequence[float]] | None = None,
    special_codes: Mapping[str, Sequence[object]] | None = None,
    missing_values: Mapping[str, Sequence[object]] | None = None,
) -> Uniques:
    """Find the synthetic records that repeat a unique combination of keys of the original.

    Parameters
    ----------
    original, synthetic
        Paths or frames, as for `assess`.
    keys
        Variables that an intruder may know.
    numeric_groups, special_codes, missing_values
        As for `assess`, of the keys.

    Returns
    -------
    Uniques
        Counts, percentages, and the rows of the synthetic file.

    Raises
    ------
    DataError
        Where a file or a column is not there or can't be compared.

    Warns
    -----
    ComparisonWarning
        As `assess` does.

    References
    ----------
    Raab, Nowok and Dibben, "Practical privacy metrics for synthetic data", section 3.2.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 31, 41, 41]})
    >>> synthetic = pd.DataFrame({"age": [41, 30, 30, 31]})
    >>> uniques = replicated_uniques(original, synthetic, keys="age")
    >>> uniques.unique_in_original, uniques.unique_in_synthetic, uniques.found_in_original, uniques.replicated
    (2, 2, 2, 1)
    >>> uniques.found_rows.tolist(), uniques.replicated_rows.tolist()
    ([0, 3], [3])
    """
    tables = read_all(original, synthetic)
    settings = Settings(
        keys=keys,
        targets=(),
        numeric_groups=numeric_groups or {},
        special_codes=special_codes or {},
        missing_values=missing_values or {},
    )
    found = count_uniques(prepare(MemoryFiles(tables), settings).keys)
    warn_as_assess(tables, settings)
    return found


def count_uniques(keys: Sequence[Variable]) -> Uniques:
    """Find unique records of two files whose keys are coded alike.

    Parameters
    ----------
    keys
        As the original (file 0) and one synthetic file (file 1) have them.
    """
    index = combine(keys)
    of_original, of_synthetic = (tally(codes, index.n_codes) for codes in index.codes)
    rows = index.codes[1]
    unique = _times(of_synthetic, rows) == 1
    in_original = _times(of_original, rows)
    found, replicated = np.flatnonzero(unique & (in_original > 0)), np.flatnonzero(unique & (in_original == 1))
    return Uniques(
        n_original=len(index.codes[0]),
        n_synthetic=len(rows),
        unique_in_original=int(np.count_nonzero(of_original.counts == 1)),
        unique_in_synthetic=int(np.count_nonzero(unique)),
        found_in_original=len(found),
        replicated=len(replicated),
        found_rows=found,
        replicated_rows=replicated,
    )


def _times(counted: AnyTally, rows: Rows) -> Rows:
    """Tell for each row how often its code was counted; 0 where it never was."""
    place = np.minimum(np.searchsorted(counted.codes, rows), len(counted.codes) - 1)
    return np.where(counted.codes[place] == rows, counted.counts[place], 0)
