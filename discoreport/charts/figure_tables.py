"""What the tables beneath figures have in common: every number that is drawn, with the records behind it.

Tables are tidy: one row a value, names as the files have them. With several syntheses each has its row; the one
that the figure draws is called worst: "2 (worst)".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, TypeVar

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import Share, shares, worst_name
from discoreport.assessment.worst_file import most_exposed_first, worst_file

Value = TypeVar("Value")

SHARE_COLUMNS = ["percent", "n_records", "denominator", "n_denominator"]
"""A percentage, and the records behind it."""


def of_targets(assessment: Assessment, measures: Collection[str], targets: Sequence[str] = ()) -> pd.DataFrame:
    """Give measures of each target, in the order of risk or as given: target, synthesis, measure, percent, records."""
    rows = [
        (target, synthesis, measure, *cells(one))
        for target in targets or most_exposed_first(assessment)
        for worst in [worst_file(assessment, target).synthesis]
        for measure in measures
        for synthesis, one in by_synthesis(shares(assessment, measure, target), worst)
    ]
    return table_of(rows, ["target", "synthesis", "measure", *SHARE_COLUMNS])


def by_synthesis(found: Sequence[Value], worst: int) -> Iterator[tuple[str, Value]]:
    """Give each synthesis its number, and say where there are several which is the worst."""
    for number, one in enumerate(found, start=1):
        yield worst_name(number) if number == worst and len(found) > 1 else str(number), one


def cells(one: Share) -> tuple[Any, ...]:
    """Give what `SHARE_COLUMNS` hold of a share."""
    return one.percent, one.n_records, one.denominator, one.n_denominator


def table_of(rows: Sequence[tuple[Any, ...]], columns: Sequence[str]) -> pd.DataFrame:
    """Build a table whose numbers of records are whole numbers wherever all of them are."""
    table = pd.DataFrame(rows, columns=list(columns))
    for name in table.columns:
        if name == "percent" or name.endswith("_denom"):
            table[name] = table[name].astype("float64")
        elif name.startswith("n_") or name in {"disclosive", "disclosive_total", "left_out"}:
            values = table[name].astype("float64")
            table[name] = values.astype("Int64") if (values.dropna() % 1 == 0).all() else values
    return table
