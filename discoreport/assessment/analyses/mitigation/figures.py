"""The risk and the loss of a synthetic file before and after mitigation."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

from discoreport.assessment.analyses.counting import count_cells, of_files
from discoreport.assessment.analyses.mitigation.loss import Loss, measure_loss
from discoreport.assessment.analyses.mitigation.results import Figure
from discoreport.assessment.analyses.mitigation.state import State
from discoreport.assessment.engines import read_all
from discoreport.assessment.preparing import prepare, with_targets
from discoreport.assessment.settings import Settings
from discoreport.assessment.uniques import Uniques, count_uniques
from discoreport.data.coding import Variable, code_variable
from discoreport.data.marking import marked
from discoreport.data.table import Table
from discoreport.errors import SettingsError
from discoreport.measures import MEASURES
from discoreport.measures.memory import Counter, combine
from discoreport.measures.registry import of_group


@dataclass(frozen=True)
class Compared:
    """The files that a state of the synthetic file is compared with.

    Parameters
    ----------
    original, given
        As they came.
    settings
        As they were asked for, targets written out.
    fixed
        The same with the breaks of numeric groups written out: those that `assess` finds for the files as they came.
    """

    original: Table
    given: Table
    settings: Settings
    fixed: Settings

    @classmethod
    def open(cls, original: object, synthetic: object, settings: Settings, function: str) -> Compared:
        """Read the files for a function, which takes one synthetic file."""
        original_table, *given = read_all(original, synthetic)
        if len(given) > 1:
            raise SettingsError(f"{function}: give one synthetic file at a time (got {len(given)}).")
        return cls.of(original_table, given[0], settings)

    @classmethod
    def of(cls, original: Table, given: Table, settings: Settings) -> Compared:
        """Check the settings, and find the breaks of numeric groups."""
        settings = with_targets(settings, [original, given])
        original, given = tables = marked([original, given], settings.missing_values)
        groups: dict[str, int | tuple[float, ...]] = {}
        for name in settings.numeric_groups:
            summary = prepare(code_variable(name, tables), tables, settings).summary
            groups[name] = (-math.inf, *summary.breaks, math.inf)
        return cls(original, given, settings, settings.model_copy(update={"numeric_groups": groups}))

    def figures(self, after: State) -> tuple[Figure, ...]:
        """Evaluate every measure before and after, with the same groups.

        For the figures after, the original is recoded as the synthetic file was.
        """
        names = (*self.settings.keys, *(self.settings.targets or ()))
        second = self._after(after)
        pairs = {name: self._pairs(name, second, after) for name in names}
        before_and_after = [self._measured({name: pair[place] for name, pair in pairs.items()}) for place in (0, 1)]
        return tuple(
            Figure(target=target, measure=measure, before=one[measure], after=other[measure])
            for target, one, other in zip(self.settings.targets or ("",), *before_and_after, strict=True)
            for measure in one
        )

    def uniques(self, state: State, keys: Sequence[str]) -> Uniques:
        """Find the unique records of a state."""
        second = self._after(state)
        return count_uniques([self._pairs(name, second, state)[1] for name in keys])

    def loss(self, after: State) -> Loss:
        """Compare the synthetic file with what it was, over all of its variables."""
        tables = [self.given, after.table(self.given)]
        variables, details = [], {}
        for name in self.given.columns:
            if self.given.problem(name):
                continue
            of_variable = list(tables)
            if name in after.classes:
                details[name] = code_variable(name, tables[:1])
                of_variable[0] = after.followed_by(
                    dataclasses.replace(self.given, columns={name: self.given.columns[name]})
                )
            variables.append(code_variable(name, of_variable))
        return measure_loss(variables, details)

    def _measured(self, variables: dict[str, Variable]) -> list[dict[str, float | None]]:
        """Evaluate every measure, target by target."""
        keys = [variables[name] for name in self.settings.keys]
        targets = [variables[name] for name in self.settings.targets or ()]
        measures = tuple(MEASURES.values()) if targets else of_group("identity")
        return [one.values(measures) for one in count_cells(Counter(combine(keys)), targets, self.settings)]

    def _after(self, state: State) -> list[Table]:
        """Give the original, recoded as the synthetic file was, and the synthetic file."""
        return [state.followed_by(self.original), state.table(self.given)]

    def _pairs(self, name: str, second: list[Table], after: State) -> tuple[Variable, Variable]:
        """Code a variable for the files as they came, and for those after."""
        first = [self.original, self.given]
        if name not in after.classes:
            tables = [*first, *second]
            together = prepare(code_variable(name, tables), tables, self.fixed).variable
            return of_files(together, (0, 1)), of_files(together, (2, 3))
        left = {
            setting: {other: value for other, value in getattr(self.fixed, setting).items() if other != name}
            for setting in ("numeric_groups", "special_codes")
        }
        plain = self.fixed.model_copy(update=left)
        return (
            prepare(code_variable(name, first), first, self.fixed).variable,
            prepare(code_variable(name, second), second, plain).variable,
        )
