"""Tables that stay in their engine -> one code for each record, without a record leaving it.

What comes here are the distinct values of a variable and how many records have each. They go
through the same code as the values of a file in memory; the codes go back as a small table that
the engine joins to the records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discoreport.data.coding import Variable, code_variable
from discoreport.data.engine.connection import Connection
from discoreport.data.engine.engine_table import StoredTable
from discoreport.data.engine.high_cardinality import Mapped, large_variable
from discoreport.data.missing_values import marked
from discoreport.data.table import Table
from discoreport.errors import DataError

MOST_VALUES = 100_000
"""Variables with more distinct values than this in one file are not brought here."""
JOINED_AT_ONCE = 12
"""How many variables are coded in one query."""


@dataclass
class StoredColumns:
    """The variables of the original and the synthetic tables of one engine.

    Parameters
    ----------
    connection
        That they are all in.
    tables
        The original first.
    """

    connection: Connection
    tables: Sequence[StoredTable]
    _values: dict[str, list[pa.Array]] = field(default_factory=dict)

    def code(self, name: str) -> Variable:
        """Code one variable of all tables alike, from its distinct values.

        Raises
        ------
        DataError
            Where the values have no levels to compare.
        """
        found = []
        for table in self.tables:
            counted = self._count(table, name)
            if counted is None:
                return large_variable(name, self.tables, self.connection)
            found.append(counted)
        self._values[name] = [values for values, _ in found]
        small = []
        for table, (values, _) in zip(self.tables, found, strict=True):
            column = pa.chunked_array([pc.dictionary_encode(values) if pa.types.is_string(values.type) else values])
            small.append(
                Table(
                    table.name,
                    {name: column.cast(table.durations.get(name, column.type))},
                    value_labels=table.value_labels,
                    delimiter=table.delimiter,
                    decimal=table.decimal,
                )
            )
        return code_variable(name, small, tuple(counts for _, counts in found))

    def with_missing(self, missing_values: Mapping[str, Sequence[str]]) -> Self:
        """Give the same files with some levels taken for missing values; see `marked`."""
        return replace(self, tables=marked(self.tables, missing_values), _values={})

    def some(self, places: Sequence[int]) -> Self:
        """Give some of the files, by their places; the original is the first."""
        return replace(self, tables=[self.tables[place] for place in places], _values={})

    def _count(self, table: StoredTable, name: str) -> tuple[pa.Array, Any] | None:
        """Give the distinct values of a variable, a missing one last, and how many records have each.

        None where there are too many of them.
        """
        column = table.column(name)
        problem = table.problem(name)
        if problem:
            raise DataError(problem)
        if column.type().is_null():
            return pa.array([None]), np.array([table.n_stored])
        rows = table.records.select(value=column)
        counted = rows.filter(rows.value.notnull()).group_by("value").agg(n=lambda group: group.count())
        here = self.connection.fetch(counted.limit(MOST_VALUES + 1)).combine_chunks()
        if len(here) > MOST_VALUES:
            return None
        values = here["value"].combine_chunks()
        counts = here["n"].to_numpy().astype(np.int64)
        missing = table.n_stored - int(counts.sum())
        if missing < 0:
            raise DataError(f"'{table.name}' has changed while it was read.")
        if missing:
            values = pa.concat_arrays([values, pa.nulls(1, values.type)])
            counts = np.append(counts, missing)
        return values, counts

    def coded(self, variables: Sequence[Variable], file: int) -> Any:
        """Give one table as codes.

        Parameters
        ----------
        variables
            As `code` gives them, or grouped since.
        file
            Which table, the original being 0.

        Returns
        -------
        ibis table
            Columns c0, c1, ...: whole numbers. Null where the engine finds a value that it didn't find before.
        """
        table = self.tables[file]
        rows = table.records.select(
            **{
                f"v{place}": entry.columns[file] if isinstance(entry, Mapped) else table.column(entry.name)
                for place, entry in enumerate(variables)
            }
        )
        places = list(enumerate(variables))
        for first in range(0, len(places), JOINED_AT_ONCE):
            if first:
                rows = self.connection.keep(rows)  # a query grows slower the more tables it joins
            codes = {}
            for place, variable in places[first : first + JOINED_AT_ONCE]:
                code: Any = ibis.null("int64")
                codes_of = self._codes_of(variable, file)
                if codes_of is not None:
                    named = codes_of.select(**{f"value{place}": "value", f"code{place}": "code"})
                    rows = rows.left_join(named, [(f"v{place}", f"value{place}")])
                    code = rows[f"code{place}"]
                codes[f"c{place}"] = rows[f"v{place}"].isnull().ifelse(variable.n_levels, code)
            waiting = [f"v{place}" for place, _ in places[first + JOINED_AT_ONCE :]]
            rows = rows.select(*(f"c{place}" for place in range(first)), *waiting, **codes)
        return rows

    def _codes_of(self, variable: Variable, file: int) -> Any:
        """Give the values of a variable with their codes, as a table of the engine; None where a file has no value."""
        if isinstance(variable, Mapped):
            return variable.codes_of_values
        values = self._values[variable.name][file]
        known = pc.is_valid(values)
        if not pc.any(known).as_py():
            return None
        codes = pa.array(variable.codes[file].astype(np.int64))
        return self.connection.put(pa.table({"value": values.filter(known), "code": codes.filter(known)}))
