"""A synthetic file between two steps."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from discoreport.assessment.analyses.mitigation.recoding import Column
from discoreport.data.coding import Variable
from discoreport.data.table import Table

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class State:
    """The synthetic file after some of the steps. Columns that a step leaves alone are shared with the state before.

    Parameters
    ----------
    columns
        Each variable by the name that the given file has for it; shape (records,) each.
    names
        What each is called now, in the order of the file.
    kept
        Which records of the given file are left; None where all are.
    recoded
        By variable what the steps made of its levels in the original, in all records of the given file, and in the
        file as it is now: whoever knows somebody's true value can do to it what was done to the file.
    classes
        Variables whose numbers were put into classes.
    smoothed
        Variables whose numbers were put to means.
    """

    columns: Mapping[str, Column]
    names: Mapping[str, str]
    kept: Rows | None = None
    recoded: Mapping[str, Variable] = field(default_factory=dict)
    classes: frozenset[str] = frozenset()
    smoothed: frozenset[str] = frozenset()

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

    def without(self, rows: Rows) -> State:
        """Remove records."""
        left = np.delete(np.arange(self.n_records), rows)
        return dataclasses.replace(
            self,
            columns={name: column.take(left).reset_index(drop=True) for name, column in self.columns.items()},
            kept=left if self.kept is None else self.kept[left],
            recoded={name: with_rows(variable, left) for name, variable in self.recoded.items()},
        )

    def variable(self, coded: Variable) -> Variable:
        """Give a variable as the original, the given file and this one have it, each as the steps recode it.

        Parameters
        ----------
        coded
            For the files as they came, the given one twice.
        """
        if coded.name in self.recoded:
            return self.recoded[coded.name]
        return coded if self.kept is None else with_rows(coded, self.kept)


def with_rows(variable: Variable, rows: Rows) -> Variable:
    """Give a variable with some of the records of its last file."""
    *others, last = variable.codes
    return dataclasses.replace(variable, codes=(*others, last[rows]))


def as_series(column: Any) -> Column:
    """Give a column of a file as a series with rows counted from 0."""
    if isinstance(column, pd.Series):
        return column.reset_index(drop=True)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    series: Column = pd.Series(pd.arrays.ArrowExtensionArray(column))
    return series
