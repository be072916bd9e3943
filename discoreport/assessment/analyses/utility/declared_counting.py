"""Declared analyses -> their figures in every file, in any engine; groups of few original records put together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from discoreport.assessment.accept_settings import require_no_unit
from discoreport.assessment.analyses.utility.compared_variables import has_labels
from discoreport.assessment.analyses.utility.counting import summed, tables_of
from discoreport.assessment.analyses.utility.declared import Declared
from discoreport.assessment.analyses.utility.declared_results import DeclaredGroup, DeclaredResult, Estimate
from discoreport.assessment.analyses.utility.secondary_suppression import small_levels
from discoreport.assessment.prepare import (
    PreparedFiles,
    missing_codes_of,
    prepare_variable,
    special_codes_of,
)
from discoreport.assessment.progress import Progress, Steps
from discoreport.data.coding import SMALL_CELL, Variable, level_numbers
from discoreport.data.numeric_groups import group, special_positions
from discoreport.data.table import require_columns
from discoreport.errors import SettingsError
from discoreport.measures.group_sums import GroupSums, sums_of_cells
from discoreport.measures.intervals import mean_interval, wilson
from discoreport.measures.table_utility import Cells, Counts
from discoreport.measures.tables_in_memory import widths_of

MOST_LEVELS_AS_THEY_ARE = 20
"""Groups go by numbers themselves where there are at most so many; by classes of them otherwise."""
MOST_GROUPS = 1000
"""Groups of one declared analysis."""
_MOST_CELLS = 2**62


def count_declared(
    prepared: PreparedFiles, declared: Sequence[Declared], classes: int, progress: Progress | None
) -> tuple[DeclaredResult, ...]:
    """Work out declared analyses.

    Parameters
    ----------
    prepared
        The files; their settings say what is a special code, and whether missing values are left out.
    declared
        The analyses.
    classes
        About how many classes numbers that make groups are put into, unless the settings group them.
    progress
        Told of every analysis.

    Raises
    ------
    DataError, SettingsError
        Where a variable or a level is unknown, or a variable can't be used so.
    """
    names = [name for one in declared for name in one.variables]
    require_columns(names, prepared.tables)
    require_no_unit(prepared.settings, names, "utility: declared")
    tell, found = Steps(progress, max(len(declared), 1)), []

    @cache
    def code(name: str) -> Variable:  # once for all of them, also as engines join the values that they gave last
        return prepared.files.code(name).packed()

    for one in declared:
        tell.next(str(one))
        found.append(_Asked(prepared, one, classes, code).result())
    return tuple(found)


@dataclass
class _Asked:
    """One declared analysis of some files."""

    prepared: PreparedFiles
    asked: Declared
    classes: int
    code: Callable[[str], Variable]

    def result(self) -> DeclaredResult:
        """Count, and put groups of few original records together."""
        count = {"mean": self._means, "share": self._shares, "count": self._counts}[self.asked.figure]
        return count([self._groups_of(name) for name in self.asked.by])

    # What is counted --------------------------------------------------------------------------------

    def _means(self, of_groups: Sequence[Variable]) -> DeclaredResult:
        sums = self._sums(of_groups)
        kept = ~self._excluded(sums.codes, of_groups)
        groups = self._groups(sums.codes[kept], sums.n[:, kept], of_groups)
        place = np.full(len(sums.codes), -1)
        place[kept] = groups.place
        summed = sums.together(place, groups.n)

        def estimate(file: int, number: int) -> Estimate:
            n = int(summed.n[file, number])
            if not n:
                return Estimate(n=0)
            mean, deviation = summed.mean(file, number), summed.deviation(file, number) if n > 1 else 0.0
            low, high = mean_interval(mean, deviation, n) if deviation else (None, None)
            return Estimate(n=n, value=mean, low=low, high=high)

        return self._result(groups, estimate, sums.n[:, kept].sum(axis=1))

    def _shares(self, of_groups: Sequence[Variable]) -> DeclaredResult:
        settings, tables = self.prepared.settings, self.prepared.tables
        variable = prepare_variable(self.code(self.asked.variable), tables, settings).variable
        level = variable.require_level(self.asked.level, f"declared '{self.asked}': ")
        cells = self._cells([*of_groups, variable])
        codes, digits = np.divmod(cells.codes, max(variable.n_codes, 1))
        kept = ~(self._excluded(codes, of_groups) | self._is_excluded(digits, variable))
        distinct, at = np.unique(codes[kept], return_inverse=True)
        counts = cells.counts[:, kept]
        of_level = np.where(digits[kept] == level, counts, 0)
        n, having = (summed(at, one, len(distinct)) for one in (counts, of_level))
        groups = self._groups(distinct, n, of_groups)
        n, having = (summed(groups.place, one, groups.n) for one in (n, having))

        def estimate(file: int, number: int) -> Estimate:
            return _share(int(having[file, number]), int(n[file, number]))

        return self._result(groups, estimate, counts.sum(axis=1))

    def _counts(self, of_groups: Sequence[Variable]) -> DeclaredResult:
        of_cells = [*of_groups, self._groups_of(self.asked.variable)]
        cells = self._cells(of_cells)
        kept = ~self._excluded(cells.codes, of_cells)
        counts = cells.counts[:, kept]
        groups = self._groups(cells.codes[kept], counts, of_cells)
        n, totals = summed(groups.place, counts, groups.n), counts.sum(axis=1)

        def estimate(file: int, number: int) -> Estimate:
            having = int(n[file, number])
            return _share(having, int(totals[file])).model_copy(update={"n": having})

        return self._result(groups, estimate, totals)

    def _result(self, groups: _Groups, estimate: Callable[[int, int], Estimate], n_used: Counts) -> DeclaredResult:
        files = range(1, len(self.prepared.tables))
        return DeclaredResult(
            asked=self.asked,
            left_out=tuple(table.n_records - int(n) for table, n in zip(self.prepared.tables, n_used, strict=True)),
            n_small=groups.n_small,
            groups=tuple(
                DeclaredGroup(
                    levels=levels,
                    n_together=n_together,
                    original=estimate(0, number),
                    synthetic=tuple(estimate(file, number) for file in files),
                )
                for number, (levels, n_together) in enumerate(groups.named)
            ),
        )

    # Variables ---------------------------------------------------------------------------------------

    def _groups_of(self, name: str) -> Variable:
        """Give a variable that makes groups: many numbers in classes."""
        settings, coded = self.prepared.settings, self.code(name)
        found = prepare_variable(coded, self.prepared.tables, settings).variable
        many = coded.kind == "number" and coded.n_levels > MOST_LEVELS_AS_THEY_ARE and not has_labels(coded)
        if found is coded and many:
            found = group(coded, self.classes, special_codes_of(coded, settings))[0]
        if not found.codes:
            raise SettingsError(f"declared '{self.asked}': '{name}' has too many distinct values to make groups.")
        return found

    def _cells(self, variables: Sequence[Variable]) -> Cells:
        if math.prod(widths_of(variables, range(len(variables)))) > _MOST_CELLS:
            raise SettingsError(f"declared '{self.asked}': its variables have too many values to be counted together.")
        in_memory = [one.packed() for one in variables]
        return next(iter(tables_of(self.prepared.files, in_memory, [tuple(range(len(variables)))])))

    def _sums(self, of_groups: Sequence[Variable]) -> GroupSums:
        name = self.asked.variable
        coded = self.code(name)
        if coded.kind != "number":
            raise SettingsError(f"declared '{self.asked}': '{name}' has no mean, as its values are no numbers.")
        special = special_positions(coded, special_codes_of(coded, self.prepared.settings))
        if not coded.has_levels:
            from discoreport.measures import tables_in_engine

            stored, large = cast(Any, self.prepared.files), cast(Any, coded)  # where levels are many
            return tables_in_engine.sums_by_group(stored, of_groups, large, special)
        numbers = level_numbers(coded)
        numbers[special] = 0
        n_others = int(coded.counts[0][:-1][~np.isfinite(numbers)].sum())
        if not np.isfinite(numbers).all():
            raise SettingsError(
                f"declared '{self.asked}': '{name}' has no finite number in {n_others:,} original records. "
                "Name such values in special_codes."
            )
        numbers[special] = np.nan
        numbers = np.append(numbers, np.full(int(coded.has_missing), np.nan))
        return sums_of_cells(self._cells([*of_groups, coded]), numbers)

    # Groups ------------------------------------------------------------------------------------------

    def _is_excluded(self, digits: Counts, variable: Variable) -> npt.NDArray[np.bool_]:
        """Tell of codes whether they are missing values that the settings leave out."""
        if not self.prepared.settings.excludes_missing(variable.name):
            return np.zeros(len(digits), bool)
        return np.isin(digits, missing_codes_of(variable))

    def _excluded(self, codes: Counts, variables: Sequence[Variable]) -> npt.NDArray[np.bool_]:
        """Tell of groups whether one of their levels is such a missing value."""
        found = np.zeros(len(codes), bool)
        for variable, digits in zip(variables, _digits(codes, variables), strict=True):
            found |= self._is_excluded(digits, variable)
        return found

    def _groups(self, codes: Counts, n: Counts, variables: Sequence[Variable]) -> _Groups:
        """Name the groups that have a record; those of few original ones are put together."""
        filled = np.flatnonzero(n.any(axis=0))
        few = small_levels(n[:1, filled], SMALL_CELL)
        if len(filled) - len(few) > MOST_GROUPS:
            raise SettingsError(
                f"declared '{self.asked}': it has more than {MOST_GROUPS:,} groups. Name fewer variables."
            )
        place = np.full(len(codes), -1)
        kept = np.delete(filled, few)
        place[kept] = np.arange(len(kept))
        digits = [of_variable[kept].tolist() for of_variable in _digits(codes, variables)]
        texts = [variable.texts_of(of_variable) for variable, of_variable in zip(variables, digits, strict=True)]
        named: list[tuple[tuple[str | None, ...], int]] = [
            (tuple(of_variable[number] for of_variable in texts), 0) for number in range(len(kept))
        ]
        n_small = len(few)
        if few and n[0, filled[few]].sum() >= SMALL_CELL:
            place[filled[few]] = len(kept)
            named.append(((), len(few)))
            n_small = 0
        return _Groups(place, named, n_small)


@dataclass(frozen=True)
class _Groups:
    """Where each group goes, -1 for those that are not listed; the levels of each, or how many it holds."""

    place: npt.NDArray[np.int64]
    named: list[tuple[tuple[str | None, ...], int]]
    n_small: int

    @property
    def n(self) -> int:
        return len(self.named)


def _digits(codes: Counts, variables: Sequence[Variable]) -> list[Counts]:
    """Take the codes of groups apart, variable by variable."""
    found = []
    for variable in reversed(variables):
        codes, digits = np.divmod(codes, max(variable.n_codes, 1))
        found.append(digits)
    return found[::-1]


def _share(having: int, n: int) -> Estimate:
    """Give a share in percent; it has an interval where it is of two records or more."""
    if not n:
        return Estimate(n=0)
    low, high = (100 * end for end in wilson(having, n)) if n > 1 else (None, None)
    return Estimate(n=n, value=100 * having / n, low=low, high=high)
