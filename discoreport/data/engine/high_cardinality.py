"""Variables with more distinct values than may be brought here: numbered, compared and grouped in their engine."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import ibis
import numpy as np

from discoreport.data.coding import OF_DATES, Variable
from discoreport.data.engine.column_types import denoted
from discoreport.data.engine.connection import Connection
from discoreport.data.engine.engine_table import StoredTable
from discoreport.data.findings.comparison import (
    LOW_OVERLAP,
    Meeting,
    all_missing,
    compare,
    compare_as_counted,
    identifier,
    levels_only_in,
    low_overlap,
    meeting,
    missing_in_one_file,
    near_match,
    outside_range,
)
from discoreport.data.findings.finding import Finding
from discoreport.data.findings.unit_identifier import values_in_both
from discoreport.data.harmonise import Repair
from discoreport.data.level_text import WRITTEN, level_text, number_of, text_as_number
from discoreport.data.numeric_groups import (
    FEWEST_CLASSES,
    Grouping,
    between,
    class_labels,
    group,
    quantile_places,
    require_inside,
    roundest,
    special_positions,
)
from discoreport.data.table import Table
from discoreport.errors import DataError, SettingsError


@dataclass(frozen=True)
class Mapped(Variable):
    """A variable whose values stay in the engine, together with their codes.

    Parameters
    ----------
    columns
        For each file the variable as an Ibis column, in one type; a missing value is null.
    codes_of_values
        An Ibis table with the columns value and code.
    """

    columns: tuple[Any, ...] = ()
    codes_of_values: Any = None


@dataclass(frozen=True)
class LargeVariable(Mapped):
    """A variable of which only numbers of levels and records are known here.

    Parameters
    ----------
    connection
        Where its levels are: the table codes_of_values has n0, n1, ..., too, the records of each file.
    n_all
        Number of levels.
    n_found, n_missing
        For each file its levels, and its records without a value.
    """

    connection: Any = None
    n_all: int = 0
    n_found: tuple[int, ...] = ()
    n_missing: tuple[int, ...] = ()

    @property
    def n_levels(self) -> int:
        """Number of levels, a missing value not counted."""
        return self.n_all

    def suggest(self, level: str) -> str:  # noqa: ARG002  # the levels stay where they are
        """Say how many levels there are; none of them is brought here to be named."""
        return f"There are {self.n_all:,} levels."

    def n_levels_in(self, file: int) -> int:
        """Count the levels that occur in one file."""
        return self.n_found[file]

    def n_missing_in(self, file: int) -> int:
        """Count the records of one file without a value."""
        return self.n_missing[file]

    def text(self, code: int) -> str | None:
        """Give the text of one code; None for a missing value."""
        if code >= self.n_all:
            return None
        levels = self.codes_of_values
        (row,) = self.connection.fetch(levels.filter(levels.code == code).select("value")).to_pylist()
        return level_text(row["value"])

    def texts_of(self, codes: Sequence[int]) -> list[str | None]:
        """Give the texts of several codes, asked for at once."""
        levels = self.codes_of_values
        asked = levels.filter(levels.code.isin([*codes])).select("code", "value")
        rows = self.connection.fetch(asked).to_pylist()
        texts = {row["code"]: level_text(row["value"]) for row in rows}
        return [texts.get(code) for code in codes]

    def code_of(self, level: str | None) -> int:
        """Find the code of a level by its text."""
        if level is None:
            if self.has_missing:
                return self.n_all
            raise KeyError(level)
        levels = self.codes_of_values
        value: Any = level
        if levels.value.type().is_numeric():
            value = number_of(text_as_number(level))
        elif not levels.value.type().is_string():
            value = ibis.literal(level).cast(levels.value.type())
        if value is None:
            raise KeyError(level)
        rows = self.connection.fetch(levels.filter(levels.value == value).select("code")).to_pylist()
        if not rows:
            raise KeyError(level)
        return int(rows[0]["code"])


def large_variable(name: str, tables: Sequence[StoredTable], connection: Connection) -> LargeVariable:
    """Give the distinct values of a variable numbers, in the engine.

    Parameters
    ----------
    name
        The variable.
    tables
        The original first.
    connection
        Where they are.

    Raises
    ------
    DataError
        Where the files store it in different kinds, or in one that has more than one way to write a number.
    """
    empty = [_is_empty(table, name, connection) for table in tables]
    filled = [file for file, none in enumerate(empty) if not none]
    of_kinds, of_columns, said = denoted(name, [tables[file] for file in filled], connection)
    found = dict(zip(filled, zip(of_kinds, of_columns, strict=True), strict=True))
    nothing = of_kinds[0], ibis.null(of_columns[0].type())  # where every value is missing there is no type
    read = [found.get(file, nothing) for file in range(len(tables))]
    repairs = tuple(Repair(filled[one.file], one.what) for one in said)
    kinds = [kind for kind, _ in read]
    types = {column.type().copy(nullable=True) for _, column in read}
    if len(set(kinds)) > 1 or (len(types) > 1 and kinds[0] != "number"):
        stored = ", ".join(
            f"{column.type()} in '{table.name}'" for table, (_, column) in zip(tables, read, strict=True)
        )
        raise DataError(
            f"'{name}' has so many distinct values that they are compared as they are stored: {stored}. "
            "Store them in one type in all files."
        )
    columns = tuple(column for _, column in read)
    if len(types) > 1:  # whole numbers and fractions
        columns = tuple(
            _exact_fraction(table, column, name, connection) for table, column in zip(tables, columns, strict=True)
        )
    records = [
        table.records.select(value=column, file=ibis.literal(file, "int64"))
        for file, (table, column) in enumerate(zip(tables, columns, strict=True))
    ]
    values = ibis.union(*records, distinct=False)
    values = values.filter(values.value.notnull())
    levels = values.group_by("value").agg(
        **{f"n{file}": values.count(where=values.file == file) for file in range(len(tables))}
    )
    levels = connection.keep(
        levels.mutate(code=ibis.row_number().over(ibis.window(order_by=levels.value)).cast("int64")), lasting=True
    )
    asked = {"n": levels.count()}
    for file in range(len(tables)):
        asked |= {f"levels{file}": (levels[f"n{file}"] > 0).sum(), f"records{file}": levels[f"n{file}"].sum()}
    (n,) = connection.fetch(levels.aggregate(**asked)).to_pylist()
    n_missing = tuple(table.n_stored - int(n[f"records{file}"] or 0) for file, table in enumerate(tables))
    return LargeVariable(
        name=name,
        kind=kinds[0],
        kinds=tuple(kinds),
        codes=(),
        numbers=None,
        texts=None,
        has_missing=any(n_missing),
        columns=columns,
        codes_of_values=levels,
        connection=connection,
        repairs=repairs,
        n_all=int(n["n"]),
        n_found=tuple(int(n[f"levels{file}"] or 0) for file in range(len(tables))),
        n_missing=n_missing,
    )


def _is_empty(table: StoredTable, name: str, connection: Connection) -> bool:
    filled = table.records.aggregate(n=table.column(name).notnull().sum())
    return not connection.fetch(filled)["n"][0].as_py()


def _exact_fraction(table: StoredTable, column: Any, name: str, connection: Connection) -> Any:
    (found,) = connection.fetch(table.records.aggregate(low=column.min(), high=column.max())).to_pylist()
    if column.type().is_integer() and max(abs(found["low"] or 0), abs(found["high"] or 0)) > 2**53:
        raise DataError(f"'{name}' is stored as whole numbers here and as fractions there, but is too large for that.")
    return column.cast("float64")


@compare.register
def _(variable: LargeVariable, tables: Sequence[Table], special: Sequence[int] = ()) -> Iterator[Finding]:
    """Compare a variable between the original and each synthetic file, in the engine."""
    name, levels = variable.name, variable.codes_of_values
    yield Finding(
        name, 0, "many_values", "note",
        f"{variable.n_levels:,} distinct values: compared as they are stored, nothing repaired",
    )  # fmt: skip
    for repair in variable.repairs:
        yield Finding(name, repair.file, "repair", "note", repair.what)
    if not variable.n_levels_in(0):
        yield all_missing(name)
    ordinary = ~levels.code.isin(list(special))
    if levels.value.type().is_floating():
        ordinary &= levels.value.abs() <= sys.float_info.max  # for Spark, Ibis negates half of isinf
    for synthesis in range(1, len(tables)):
        d, s = levels.n0, levels[f"n{synthesis}"]
        only_d, only_s = (d > 0) & (s == 0), (s > 0) & (d == 0)
        asked = {
            "levels_original": only_d.sum(), "records_original": d.sum(where=only_d),
            "levels_synthetic": only_s.sum(), "records_synthetic": s.sum(where=only_s),
        }  # fmt: skip
        if variable.kind == "number":
            known = (d > 0) & ordinary
            asked |= {"low": levels.value.min(where=known), "high": levels.value.max(where=known)}
        (found,) = variable.connection.fetch(levels.aggregate(**asked)).to_pylist()
        for side in ("original", "synthetic"):
            n_levels, n_records = found[f"levels_{side}"], found[f"records_{side}"]
            yield from levels_only_in(side, variable, synthesis, tables, n_levels, n_records)
        if variable.kind == "text":
            near = _near(levels.filter(only_d).value, levels.filter(only_s).mutate(n=s))
            (alike,) = variable.connection.fetch(near).to_pylist()
            yield from near_match(variable.name, synthesis, alike["n_levels"], alike["n_records"] or 0)
        if found.get("low") is not None:
            outside = (s > 0) & ordinary & ((levels.value < found["low"]) | (levels.value > found["high"]))
            counted = levels.aggregate(levels=outside.sum(), records=s.sum(where=outside))
            (far,) = variable.connection.fetch(counted).to_pylist()
            yield from outside_range(variable, synthesis, tables, far["levels"], far["records"])
        yield from missing_in_one_file(variable, synthesis, tables)


def _near(ours: Any, theirs: Any) -> Any:
    """Count the levels that are like one of some others, and their records; engines don't know forms of letters."""
    others = ours.as_table().select(folded=_folded(ours)).distinct()
    near = theirs.mutate(folded=_folded(theirs.value)).semi_join(others, "folded")
    return near.aggregate(n_levels=near.count(), n_records=near.n.sum())


def _folded(text: Any) -> Any:
    plain = text.re_replace(r"\s+", "").lower().re_replace("^[+]", "")
    bare = plain.re_replace("^0+", "")
    plain = bare.re_search("^[0-9]").ifelse(bare, plain)
    is_number = plain.re_search(WRITTEN)
    return is_number.ifelse(is_number.ifelse(plain, "0").cast("float64").cast("string"), plain)


@compare_as_counted.register
def _(variable: LargeVariable) -> Iterator[Finding]:
    """Warn where each record has a value of its own, or few of the original's values occur in a synthetic file."""
    levels, files = variable.codes_of_values, range(1, len(variable.columns))
    d = levels.n0
    asked = {f"shared{file}": d.sum(where=levels[f"n{file}"] > 0) for file in files}
    (found,) = variable.connection.fetch(levels.aggregate(present=d.sum(), **asked)).to_pylist()
    present = found["present"] or 0
    yield from identifier(variable, present + variable.n_missing_in(0))
    for synthesis in files:
        shared = found[f"shared{synthesis}"] or 0
        if present and 100 * shared / present < LOW_OVERLAP:
            yield low_overlap(variable, synthesis, shared, 100 * shared / present)


@meeting.register
def _(variable: LargeVariable, synthesis: int) -> Meeting:
    """Tell how the values of a variable meet in two files, from the engine's counts."""
    levels, missing = variable.codes_of_values, [variable.n_missing_in(file) for file in (0, synthesis)]
    d, s = (levels[f"n{file}"].cast("float64") for file in (0, synthesis))
    asked = {"both": (d * s).sum(), "d": d.sum(), "s": s.sum(), "unique": (d == 1).sum()}
    asked |= {"on_unique": s.sum(where=d == 1), "on_the_same": (s * (s - 1)).sum(where=d == 1)}
    (found,) = variable.connection.fetch(levels.aggregate(**asked)).to_pylist()
    both, of_original, of_synthetic, unique, on_unique, twice = (found[name] or 0 for name in asked)
    d_missing, s_missing = missing
    share = (both + d_missing * s_missing) / ((of_original + d_missing) * (of_synthetic + s_missing))
    once = d_missing == 1  # a missing value is a level, too
    return Meeting(
        share, int(unique) + once, int(on_unique) + once * s_missing,
        int(twice) // 2 + once * s_missing * (s_missing - 1) // 2,
    )  # fmt: skip


@values_in_both.register
def _(unit: LargeVariable, synthesis: int) -> int:
    """Count the values that both the original and a synthetic file have, in the engine."""
    levels = unit.codes_of_values
    both = levels.aggregate(n=((levels.n0 > 0) & (levels[f"n{synthesis}"] > 0)).sum())
    return int(unit.connection.fetch(both)["n"][0].as_py() or 0)


@group.register
def _(variable: LargeVariable, groups: int | Sequence[float], codes: Sequence[str]) -> tuple[Variable, Grouping]:
    """Put a numeric variable into classes in the engine, by the breaks that memory would find."""
    if variable.kind != "number":
        as_text = (
            "its values are compared as text. Store it as numbers, written in one way in all files, or use the engine "
            "'memory'."
        )
        why = OF_DATES if variable.kind == "date" else as_text
        raise SettingsError(f"'{variable.name}' can't be grouped: {why}")
    special = sorted(set(special_positions(variable, codes)))
    levels = variable.codes_of_values
    files = range(len(variable.columns))
    n = sum((levels[f"n{file}"] for file in files[1:]), levels.n0)
    ordinary = levels.select("code", value=levels.value.cast("float64"), n=n)
    if special:
        ordinary = ordinary.filter(~ordinary.code.isin(special))
    breaks, method = _breaks(variable.connection, ordinary, groups)
    outside = (ordinary.value < breaks[0]) | (ordinary.value > breaks[-1]) | ordinary.value.isinf()
    (found,) = variable.connection.fetch(ordinary.aggregate(n=ordinary.n.sum(where=outside))).to_pylist()
    require_inside(variable, breaks, found["n"] or 0)
    if method != "given breaks":
        breaks = _rounded(variable.connection, ordinary, breaks)
    n_classes = max(len(breaks) - 1, 1)
    value = levels.value.cast("float64")
    code: Any = ibis.literal(0, "int64")
    for bound in breaks[1:-1]:
        code = code + (value >= float(bound)).cast("int64")
    for place, position in enumerate(special):
        code = (levels.code == position).ifelse(n_classes + place, code)
    coded = variable.connection.keep(
        levels.select("value", *(f"n{file}" for file in files), code=code.cast("int64")), lasting=True
    )
    sums = coded.group_by("code").agg(**{f"n{file}": coded[f"n{file}"].sum() for file in files})
    weights = np.zeros((len(files), n_classes + len(special) + 1), np.int64)
    for row in variable.connection.fetch(sums).to_pylist():
        weights[:, row["code"]] = [row[f"n{file}"] for file in files]
    weights[:, -1] = variable.n_missing
    labels = class_labels(breaks)
    special_texts = tuple(variable.text(position) or "" for position in special)
    grouped = Mapped(
        name=variable.name, kind=variable.kind, kinds=variable.kinds, has_missing=variable.has_missing,
        codes=tuple(np.arange(weights.shape[1], dtype=np.int32) for _ in files), weights=tuple(weights),
        numbers=None, texts=labels + special_texts, columns=variable.columns, codes_of_values=coded,
    )  # fmt: skip
    return grouped, Grouping(tuple(float(bound) for bound in breaks[1:-1]), method, labels)


def _breaks(connection: Connection, ordinary: Any, groups: int | Sequence[float]) -> tuple[Any, str]:
    if not isinstance(groups, int):
        return np.array(groups, np.float64), "given breaks"
    summary = ordinary.aggregate(n=ordinary.n.sum(), low=ordinary.value.min(), high=ordinary.value.max())
    (found,) = connection.fetch(summary).to_pylist()
    below, above, share = quantile_places(int(found["n"]), groups)
    upto = ordinary.mutate(upto=ordinary.n.sum().over(ibis.cumulative_window(order_by=ordinary.value)))
    asked = {f"low{place}": upto.value.min(where=upto.upto > float(at)) for place, at in enumerate(below)}
    asked |= {f"high{place}": upto.value.min(where=upto.upto > float(at)) for place, at in enumerate(above)}
    (values,) = connection.fetch(upto.aggregate(**asked)).to_pylist()
    low, high = (np.array([values[f"{end}{place}"] for place in range(groups + 1)]) for end in ("low", "high"))
    breaks = np.unique(between(low, high, share))
    if len(breaks) - 1 >= FEWEST_CLASSES:
        return breaks, "quantiles"
    return np.linspace(found["low"], found["high"], groups + 1), "equal widths"


def _rounded(connection: Connection, ordinary: Any, breaks: Any) -> Any:
    """Move the breaks between classes to rounder numbers, as in memory."""
    inner = [float(bound) for bound in breaks[1:-1]]
    if not inner:
        return breaks
    value = ordinary.value
    asked = {f"low{place}": value.max(where=value < bound) for place, bound in enumerate(inner)}
    asked |= {f"high{place}": value.min(where=value >= bound) for place, bound in enumerate(inner)}
    (beside,) = connection.fetch(ordinary.aggregate(**asked)).to_pylist()
    moved = [roundest(bound, beside[f"low{place}"], beside[f"high{place}"]) for place, bound in enumerate(inner)]
    return np.array([breaks[0], *moved, breaks[-1]])
