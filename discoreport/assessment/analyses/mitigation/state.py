"""A synthetic file between two steps."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from discoreport.assessment.analyses.mitigation.recoding import Column, Recoding
from discoreport.data.table import Table


@dataclass(frozen=True)
class State:
    """The synthetic file after some of the steps. Columns that a step leaves alone are shared with the state before.

    Parameters
    ----------
    columns
        Each variable by the name that the given file has for it; shape (records,) each.
    names
        What each is called now, in the order of the file.
    recodings
        By variable, what was done to values in a way that whoever knows somebody's true value can follow.
    classes
        Variables whose numbers were put into classes.
    """

    columns: Mapping[str, Column]
    names: Mapping[str, str]
    recodings: tuple[tuple[str, Recoding], ...] = ()
    classes: frozenset[str] = frozenset()

    @classmethod
    def of(cls, given: Table) -> State:
        """Give the state before any step."""
        return cls({name: as_series(column) for name, column in given.columns.items()}, {n: n for n in given.columns})

    @property
    def n_records(self) -> int:
        """Number of records."""
        return len(next(iter(self.columns.values())))

    @property
    def frame(self) -> pd.DataFrame:
        """The file."""
        return pd.DataFrame({shown: self.columns[name] for name, shown in self.names.items()})

    def table(self, given: Table) -> Table:
        """Give the file under the names that it came with, and no others."""
        return dataclasses.replace(given, columns={name: self.columns[name] for name in given.columns})

    def without(self, rows: npt.NDArray[np.int64]) -> State:
        """Remove records."""
        kept = np.delete(np.arange(self.n_records), rows)
        columns = {name: column.take(kept).reset_index(drop=True) for name, column in self.columns.items()}
        return dataclasses.replace(self, columns=columns)

    def followed_by(self, original: Table) -> Table:
        """Recode the original as the synthetic file was, as far as one can who sees the synthetic file."""
        columns = dict(original.columns)
        for name, recode in self.recodings:
            if name in columns:
                columns[name] = recode(as_series(columns[name]))
        return dataclasses.replace(original, columns=columns)


def as_series(column: Any) -> Column:
    """Give a column of a file as a series with rows counted from 0."""
    if isinstance(column, pd.Series):
        return column.reset_index(drop=True)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    series: Column = pd.Series(pd.arrays.ArrowExtensionArray(column))
    return series
