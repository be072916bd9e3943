"""Tables of one, two or three variables, counted where the records are: what comes here are their cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import ibis
import numpy as np

from discoreport.data.coding import Variable
from discoreport.data.engine.high_cardinality import LargeVariable
from discoreport.errors import DataError
from discoreport.measures.group_sums import GroupSums
from discoreport.measures.ibis_cells import exact_sum
from discoreport.measures.ibis_engine import StoredFiles
from discoreport.measures.table_utility import Cells
from discoreport.measures.tables_in_memory import Group, widths_of

_AT_ONCE = 30
"""How many tables are counted in one query."""


def count_tables(files: StoredFiles, variables: Sequence[Variable], groups: Sequence[Group]) -> Iterator[Cells]:
    """Count as `discoreport.measures.tables_in_memory.count_tables` does, in an engine beyond memory.

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


def sums_by_group(
    files: StoredFiles, of_groups: Sequence[Variable], variable: LargeVariable, special: Sequence[int]
) -> GroupSums:
    """Add the numbers of a variable up by groups where they are: too many are distinct to be brought here.

    Parameters
    ----------
    files
        The tables; they stay open.
    of_groups
        The variables that make groups.
    variable
        Of numbers.
    special
        Codes of it that count for nothing.

    Raises
    ------
    DataError
        Where the tables changed while they were counted, or a number is infinite.
    """
    connection, n_files = files.connection, len(files.tables)
    connection.forget()
    known = variable.codes_of_values.filter(~variable.codes_of_values.code.isin([*special]))
    known = known.mutate(value=known.value.cast("float64"))
    (ends,) = connection.fetch(known.aggregate(low=known.value.min(), high=known.value.max())).to_pylist()
    low, high = (0.0, 0.0) if ends["low"] is None else (ends["low"], ends["high"])
    if not math.isfinite(low + high):
        raise DataError(f"'{variable.name}' has infinite numbers. Name them in special_codes.")
    largest = max(abs(low), abs(high)) or 1.0
    of_original = exact_sum(known.value / largest * known.n0.cast("float64"))
    (told,) = connection.fetch(known.aggregate(total=of_original, n=known.n0.sum())).to_pylist()
    origin = largest * float(told["total"]) / told["n"] if told["n"] else 0.0
    reach = max(high - origin, origin - low) or 1.0
    last, names = f"c{len(of_groups)}", [f"c{place}" for place in range(len(of_groups))]
    values = known.select("value", number=known.code)
    coded = [
        files.coded([*of_groups, variable], file).mutate(file=ibis.literal(file, "int64")) for file in range(n_files)
    ]
    records = ibis.union(*coded, distinct=False)
    records = records.inner_join(values, records[last] == values.number)
    beyond = (records.value - origin) / reach
    summed = records.group_by(["file", *names]).agg(
        n=records.count(), total=exact_sum(beyond), squares=exact_sum(beyond * beyond),
        least=records.value.min(), most=records.value.max(),
    )  # fmt: skip
    fetched = connection.fetch(summed)
    if any(fetched[name].null_count for name in names):
        raise DataError("The tables changed while they were counted: a record has a value that was not there.")
    found = {name: fetched[name].to_numpy() for name in fetched.column_names}
    found |= {"total": found["total"] * reach, "squares": found["squares"] * reach**2}
    codes = np.zeros(len(found["file"]), np.int64)
    for name, width in zip(names, widths_of(of_groups, range(len(of_groups))), strict=True):
        codes = codes * width + found[name].astype(np.int64)
    distinct, place = np.unique(codes, return_inverse=True)
    at = found["file"].astype(np.int64), place
    nothing = {"n": 0, "total": 0.0, "squares": 0.0, "least": np.inf, "most": -np.inf}
    sums = {name: np.full((n_files, len(distinct)), empty) for name, empty in nothing.items()}
    for name, of_name in sums.items():
        of_name[at] = found[name]
    return GroupSums(distinct, **sums, origin=origin)
