"""Tables of one, two or three variables, counted where the records are: what comes here are their cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import ibis
import numpy as np

from discoreport.data.coding import Variable
from discoreport.errors import DataError
from discoreport.measures.ibis_engine import StoredFiles
from discoreport.measures.table_utility import Cells, Group, widths_of

_AT_ONCE = 30
"""How many tables are counted in one query."""


def count_tables(files: StoredFiles, variables: Sequence[Variable], groups: Sequence[Group]) -> Iterator[Cells]:
    """Count as `discoreport.measures.table_utility.count_tables` does, in an engine beyond memory.

    Parameters
    ----------
    files
        The tables; they stay open.
    variables, groups
        As there.

    Raises
    ------
    DataError
        Where the tables changed while they were counted.
    """
    connection, n_files = files.connection, len(files.tables)
    connection.forget()
    coded = [files.coded(variables, file).mutate(file=ibis.literal(file, "int64")) for file in range(n_files)]
    records = connection.keep(ibis.union(*coded, distinct=False))
    of_files = [f"n{file}" for file in range(n_files)]
    for first in range(0, len(groups), _AT_ONCE):
        part = groups[first : first + _AT_ONCE]
        widest = max(map(len, part))
        selected = [
            records.select(
                table=ibis.literal(number, "int64"),
                **{
                    f"code{n}": records[f"c{group[n]}"].cast("int64") if n < len(group) else ibis.literal(0, "int64")
                    for n in range(widest)
                },
                file=records.file,
            )
            for number, group in enumerate(part)
        ]
        rows = ibis.union(*selected, distinct=False) if len(selected) > 1 else selected[0]
        names = ["table", *(f"code{n}" for n in range(widest))]
        n = {name: rows.count(where=rows.file == file) for file, name in enumerate(of_files)}
        fetched = connection.fetch(rows.group_by(names).agg(**n))
        if any(fetched[name].null_count for name in names):
            raise DataError("The tables changed while they were counted: a record has a value that was not there.")
        found = {name: fetched[name].to_numpy().astype(np.int64) for name in fetched.column_names}
        in_order = np.lexsort([found[name] for name in reversed(names)])
        ends = np.searchsorted(found["table"][in_order], np.arange(len(part) + 1))
        counts = np.array([found[name][in_order] for name in of_files])
        for place, group in enumerate(part):
            here = slice(ends[place], ends[place + 1])
            codes = np.zeros(ends[place + 1] - ends[place], np.int64)
            for digit, width in enumerate(widths_of(variables, group)):
                codes = codes * width + found[f"code{digit}"][in_order][here]
            if counts[:, here].sum(axis=1).tolist() != [table.n_records for table in files.tables]:
                raise DataError("The tables changed while they were counted: not every record was found again.")
            yield Cells(codes, counts[:, here])
