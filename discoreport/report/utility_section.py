"""What the file reproduces of the original, laid out for reading."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from discoreport.assessment.analyses.utility.declared_results import DeclaredResult, DeclaredSummary, worst_first
from discoreport.assessment.analyses.utility.results import FileUtility, PairCell, TableUtility, Utility

BEYOND = (3, 10)
"""Values of S_pMSE beyond which tables are counted: those that the authors of the measure name."""
CELLS = 10
"""How many cells of the worst pair the report lists; the table that comes with it has more."""


@dataclass(frozen=True)
class UtilitySection:
    """The figures of utility, as the templates read them; see `Utility`."""

    found: Utility

    @property
    def n_variables(self) -> int:
        """How many variables were compared."""
        return len(self.found.compared)

    @cached_property
    def variables(self) -> tuple[TableUtility, ...]:
        """Each variable, of the file where it differs most; the worst first."""
        return self.found.worst(1)

    @cached_property
    def pairs(self) -> tuple[TableUtility, ...]:
        """Each pair of variables, of the file where it differs most; the worst first."""
        return self.found.worst(2)

    @cached_property
    def threes(self) -> tuple[TableUtility, ...]:
        """Each three of variables that was looked at; the worst first."""
        return self.found.worst(3)

    @cached_property
    def of_files(self) -> tuple[tuple[str, FileUtility, FileUtility | None], ...]:
        """Name, figures of the variables and of the pairs of each synthetic file."""
        pairs = {one.synthesis: one for one in self.found.of_files(2)}
        return tuple(
            (self.found.synthetic[one.synthesis - 1].name, one, pairs.get(one.synthesis))
            for one in self.found.of_files(1)
        )

    @cached_property
    def beyond(self) -> dict[int, tuple[int, int]]:
        """By limit of S_pMSE how many variables, and how many pairs, are beyond it in some file."""
        return {
            limit: (sum(one.rank > limit for one in self.variables), sum(one.rank > limit for one in self.pairs))
            for limit in BEYOND
        }

    @property
    def cells(self) -> tuple[PairCell, ...]:
        """The cells of the worst pair that differ most."""
        return () if self.found.pair is None else self.found.pair.cells[:CELLS]

    @cached_property
    def declared(self) -> tuple[tuple[DeclaredResult, tuple[DeclaredSummary, ...]], ...]:
        """Each declared analysis with what sums it up file by file; the one that is reproduced least comes first."""
        return tuple((one, one.of_files()) for one in worst_first(self.found.declared))
