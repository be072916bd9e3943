"""What `utility` finds: how alike the files are in every table of one, two or three variables."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Self

import numpy as np
import pandas as pd

from discoreport.assessment.analyses.result import Finite, SettingsResult, SynthesesResult, set_otherwise
from discoreport.assessment.analyses.utility.declared_results import DeclaredResult, declared_table
from discoreport.assessment.analyses.utility.secondary_suppression import small_levels
from discoreport.assessment.formatting import level as written_level
from discoreport.assessment.settings import Settings

MEASURES = ("df", "VW", "S_pMSE", "pMSE", "MabsDD", "PO50")
"""The measures of a table, in the order of the columns."""


class LeftOut(Finite):
    """A variable that isn't compared, and why."""

    variable: str
    reason: str


class TableUtility(Finite):
    """How alike the original and one synthetic file are in one table.

    Parameters
    ----------
    synthesis
        Which synthetic file, counting from 1.
    variables
        The one, two or three variables of the table.
    df, VW, MabsDD, PO50
        See `discoreport.measures.table_utility.cell_sums`.
    common
        S_pMSE of the same table with the cells of fewer than ten records of either file put together: nothing that is
        said of it gives a small count back. None where one cell is left, and in records of an earlier version.
    """

    synthesis: int
    variables: tuple[str, ...]
    df: int
    VW: float
    MabsDD: float
    PO50: float
    common: float | None = None

    @property
    def S_pMSE(self) -> float | None:  # noqa: N802  # published measures keep their names
        """VW over df: 1 is what a correct synthesis gives on average. None where the table has one cell."""
        return self.VW / self.df if self.df else None

    @property
    def rank(self) -> float:
        """S_pMSE, below all others where there is none."""
        return -1.0 if self.S_pMSE is None else self.S_pMSE


class Distribution(Finite):
    """How many records of each file have each level of a variable.

    Parameters
    ----------
    variable
        Its name.
    classes
        Whether the first levels are classes of numbers.
    levels
        In the original's order, None for a missing value. Those with few records are not among them.
    n_together
        How many levels were put together because they are small; the last count of each file is theirs. 0 where
        none were.
    original, synthetic
        Records of each, those of the levels that were put together last; one tuple for each synthetic file.
    """

    variable: str
    classes: bool
    levels: tuple[str | None, ...]
    n_together: int
    original: tuple[int, ...]
    synthetic: tuple[tuple[int, ...], ...]

    @property
    def written(self) -> tuple[str, ...]:
        """The levels as they are written; those that were put together are counted."""
        rest = (f"{self.n_together:,} other levels",) if self.n_together else ()
        return (*map(written_level, self.levels), *rest)

    def at_least(self, smallest: int) -> Self | None:
        """Give the same with no count of either file below a limit; None where a file has no more records than that."""
        counts = np.array([self.original, *self.synthetic])
        n_levels = len(self.levels)
        rest = counts[:, n_levels:].sum(axis=1)
        if counts.sum(axis=1).min() < smallest:
            return None
        few = small_levels(counts[:, :n_levels], smallest, rest)
        kept = [place for place in range(n_levels) if place not in few]
        n_together = self.n_together + len(few)
        shown = np.column_stack([counts[:, kept], *([rest + counts[:, few].sum(axis=1)] if n_together else [])])
        original, *synthetic = (tuple(of_file) for of_file in shown.tolist())
        levels = tuple(self.levels[place] for place in kept)
        return self.model_copy(
            update={
                "levels": levels, "n_together": n_together, "original": original, "synthetic": tuple(synthetic)
            }
        )  # fmt: skip


class PairCell(Finite):
    """One cell of the table of two variables.

    Parameters
    ----------
    levels
        The level of each variable as it is written; small levels are put together.
    original, synthetic
        Records of the two files.
    standardised
        By how many standard errors the synthetic records differ from the original's share.
    """

    levels: tuple[str, str]
    original: int
    synthetic: int
    standardised: float


class PairTable(Finite):
    """The pair of variables with the highest S_pMSE, cell by cell, those that differ most first.

    Parameters
    ----------
    synthesis, variables
        Which synthetic file, and which two variables.
    n_cells
        How many cells it has.
    cells
        The first of them.
    """

    synthesis: int
    variables: tuple[str, str]
    n_cells: int
    cells: tuple[PairCell, ...]


class Utility(SettingsResult, SynthesesResult):
    """How alike the files are in tables of one, two or three variables; get one from `utility`. Aggregates only.

    Parameters
    ----------
    settings
        What was asked, targets written out.
    original, synthetic
        The files.
    variables
        The variables that were named; none where all were taken that can be.
    classes
        About how many classes numbers were put into.
    threes
        Of how many variables, the worst, all threes were looked at.
    left_out
        Variables that were not compared.
    distributions
        Of each variable; the order is that of the file.
    tables
        Every table of one, two and three variables, by synthesis.
    pair
        The worst pair cell by cell; None where there is one variable.
    declared
        What the requester will do with the file; none where nothing was declared.
    """

    variables: tuple[str, ...] = ()
    classes: int
    threes: int
    left_out: tuple[LeftOut, ...]
    distributions: tuple[Distribution, ...]
    tables: tuple[TableUtility, ...]
    pair: PairTable | None = None
    declared: tuple[DeclaredResult, ...] = ()

    def conflict(self, settings: Settings) -> str:
        """Name the first setting that an assessment has otherwise, of whatever was compared."""
        used = {*self.compared, *(name for one in self.declared for name in one.asked.variables)}
        return set_otherwise(self.settings, settings, used) or super().conflict(settings)

    def percentages(self) -> Iterator[float]:
        """Give none: what a file reproduces is no figure on risk."""
        yield from ()

    @property
    def compared(self) -> tuple[str, ...]:
        """The variables that were compared, in the order of the file."""
        return tuple(one.variable for one in self.distributions)

    def pMSE(self, one: TableUtility) -> float:  # noqa: N802  # published measures keep their names
        """Give the mean squared error of the propensity to be synthetic, of one of its tables."""
        n_d, n_s = self.original.n_records, self.synthetic[one.synthesis - 1].n_records
        c = n_s / (n_d + n_s)
        return one.VW * c * (1 - c) ** 2 / (n_d + n_s)

    @functools.cached_property
    def _worst(self) -> dict[tuple[str, ...], TableUtility]:
        worst: dict[tuple[str, ...], TableUtility] = {}
        for one in self.tables:
            if one.variables not in worst or one.rank > worst[one.variables].rank:
                worst[one.variables] = one
        return worst

    def worst(self, n_variables: int) -> tuple[TableUtility, ...]:
        """Give each table of so many variables once, of the file where it has the highest S_pMSE; the worst first."""
        found = [one for variables, one in self._worst.items() if len(variables) == n_variables]
        return tuple(sorted(found, key=lambda one: -one.rank))

    def of_files(self, n_variables: int) -> tuple[FileUtility, ...]:
        """Give mean and worst over all tables of so many variables, file by file; none where there are no tables."""
        of_files = {
            synthesis: [one for one in self.tables if one.synthesis == synthesis and len(one.variables) == n_variables]
            for synthesis in range(1, len(self.synthetic) + 1)
        }
        return tuple(FileUtility.of(synthesis, tables) for synthesis, tables in of_files.items() if tables)

    @property
    def table(self) -> pd.DataFrame:
        """One row a synthesis and table of one or two variables; ``second`` is missing for one variable.

        Columns synthesis, first, second, df, VW, S_pMSE, pMSE, MabsDD, PO50.
        """
        return self._tabulated(("first", "second"), (1, 2))

    @property
    def threes_table(self) -> pd.DataFrame:
        """One row a synthesis and table of three variables; columns as in `table`, and ``third``."""
        return self._tabulated(("first", "second", "third"), (3,))

    @property
    def pair_table(self) -> pd.DataFrame:
        """One row a cell of the worst pair, those that differ most first."""
        rows = [
            (*one.levels, one.original, one.synthetic, one.standardised)
            for one in (self.pair.cells if self.pair else ())
        ]
        names = self.pair.variables if self.pair else ("first", "second")
        return pd.DataFrame(rows, columns=[*names, "original", "synthetic", "standardised"])

    @property
    def declared_table(self) -> pd.DataFrame:
        """One row a declared analysis, group and synthesis, the lowest overlap first.

        Columns declared, group, synthesis; n_original, original, original_low, original_high, and the same of the
        synthetic file; difference and overlap, which is in percent. Shares and counts are in percent.
        """
        return declared_table(self.declared)

    @property
    def summary(self) -> pd.DataFrame:
        """One row a synthesis and number of variables: tables, mean and worst S_pMSE, MabsDD and PO50."""
        rows = [
            {"variables": n, **one.model_dump(exclude={"worst"}), "worst_of": ", ".join(one.worst)}
            for n in (1, 2, 3)
            for one in self.of_files(n)
        ]
        columns = ["variables", *(name for name in FileUtility.model_fields if name != "worst"), "worst_of"]
        return pd.DataFrame(rows, columns=columns)

    def _tabulated(self, names: Sequence[str], numbers: Sequence[int]) -> pd.DataFrame:
        """Give the tables of so many variables, whose names stand in columns of these names."""
        rows = [
            {"synthesis": one.synthesis, **dict(itertools.zip_longest(names, one.variables))}
            | {measure: getattr(one, measure) for measure in MEASURES if measure != "pMSE"}
            | {"pMSE": self.pMSE(one)}
            for one in self.tables
            if len(one.variables) in numbers
        ]
        table = pd.DataFrame(rows, columns=["synthesis", *names, *MEASURES])
        return table.astype({"synthesis": "int64", "df": "int64", **dict.fromkeys(MEASURES[1:], "float64")})


class FileUtility(Finite):
    """Mean and worst over all tables of so many variables of one synthetic file.

    Parameters
    ----------
    synthesis, n_tables
        Which file, and how many tables.
    mean_S_pMSE, worst_S_pMSE
        Over the tables that have one; None where none has.
    mean_MabsDD, worst_MabsDD, mean_PO50, worst_PO50
        Over all tables.
    worst
        The variables of the table with the highest S_pMSE.
    """

    of_risk = False

    synthesis: int
    n_tables: int
    mean_S_pMSE: float | None  # noqa: N815  # published measures keep their names
    worst_S_pMSE: float | None  # noqa: N815
    mean_MabsDD: float  # noqa: N815
    worst_MabsDD: float  # noqa: N815
    mean_PO50: float  # noqa: N815
    worst_PO50: float  # noqa: N815
    worst: tuple[str, ...]

    @classmethod
    def of(cls, synthesis: int, tables: Sequence[TableUtility]) -> FileUtility:
        """Take mean and worst of some tables."""
        known = [one.S_pMSE for one in tables if one.S_pMSE is not None]
        differences, told_apart = [one.MabsDD for one in tables], [one.PO50 for one in tables]
        return cls(
            synthesis=synthesis,
            n_tables=len(tables),
            mean_S_pMSE=fmean(known) if known else None,
            worst_S_pMSE=max(known, default=None),
            mean_MabsDD=fmean(differences),
            worst_MabsDD=max(differences),
            mean_PO50=fmean(told_apart),
            worst_PO50=max(told_apart),
            worst=max(tables, key=lambda one: one.rank).variables,
        )
