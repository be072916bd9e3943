"""The risk and the loss of a synthetic file before and after mitigation."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from discoreport.assessment.analyses.count_cells import count_cells, of_files
from discoreport.assessment.analyses.mitigation.loss import Loss, measure_loss
from discoreport.assessment.analyses.mitigation.results import Figure
from discoreport.assessment.analyses.mitigation.state import State, with_rows
from discoreport.assessment.analyses.utility import candidates
from discoreport.assessment.analyses.utility.candidates import RiskUtility
from discoreport.assessment.analyses.utility.compared_variables import CLASSES, compared_variables
from discoreport.assessment.analyses.utility.compared_variables import Compared as ComparedVariable
from discoreport.assessment.engine_choice import MemoryFiles, read_all
from discoreport.assessment.prepare import prepare, prepare_variable, special_codes_of
from discoreport.assessment.replicated_uniques import Uniques, count_uniques
from discoreport.assessment.results import highest
from discoreport.assessment.settings import Settings
from discoreport.data.coding import Variable, code_variable, level_numbers
from discoreport.data.numeric_groups import group, special_positions
from discoreport.data.table import Table
from discoreport.data.texts_as_numbers import settled
from discoreport.errors import SettingsError
from discoreport.measures.key_index import combine
from discoreport.measures.memory_engine import Counter
from discoreport.measures.registry import measures_for


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
    _coded: dict[str, Variable] = field(default_factory=dict, init=False, repr=False)

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
        if settings.unit is not None:
            raise SettingsError(
                f"Steps change or remove records one by one; what the records of one unit of '{settings.unit}' tell "
                "together would change with each. Apply them without the unit, write the file, and assess it with the "
                "unit anew."
            )
        prepared = prepare(MemoryFiles(settled([original, given])), settings)
        original, given = prepared.tables
        settings = prepared.settings
        groups: dict[str, int | tuple[float, ...]] = {}
        for name in settings.numeric_groups:
            groups[name] = (-math.inf, *prepared.variable(name).summary.breaks, math.inf)
        return cls(original, given, settings, settings.model_copy(update={"numeric_groups": groups}))

    def figures(self, after: State) -> tuple[Figure, ...]:
        """Evaluate every measure before and after, with the same groups.

        For the figures after, the original is recoded as the synthetic file was.
        """
        measured = self._measured(lambda name: self._after(name, after))
        return tuple(
            Figure(target=target, measure=measure, before=one[measure], after=other[measure])
            for target, one, other in zip(self.settings.targets or ("",), self._measured_before, measured, strict=True)
            for measure in one
        )

    def uniques(self, state: State, keys: Sequence[str]) -> Uniques:
        """Find the unique records of a state."""
        return count_uniques([self._after(name, state) for name in keys])

    def loss(self, after: State) -> Loss:
        """Compare the synthetic file with what it was, over all of its variables."""
        variables, details = [], {}
        for name in self.given.columns:
            if self.given.problem(name):
                continue
            before = self.coded(name)
            variable = after.variable(before)
            if name in after.classes:
                details[name] = of_files(before, (1,))
            elif name in after.recoded:
                place = {level: code for code, level in enumerate(variable.level_texts)}
                table = np.array([*(place[level] for level in before.level_texts), variable.n_levels], np.int32)
                variable = dataclasses.replace(
                    variable, codes=(*before.codes[:1], table[before.codes[1]], variable.codes[2])
                )
            variables.append(of_files(variable, (1, 2)))
        return measure_loss(variables, details)

    def coded(self, name: str) -> Variable:
        """Code a variable for the original, the given file, and the given file once more, for steps to recode.

        A variable that the original lacks has no records there.
        """
        if name not in self._coded:
            usable = [table for table in (self.original,) if name in table.columns and not table.problem(name)]
            files = [*usable, self.given]
            *original, given = (variable := code_variable(name, files)).codes
            codes = (*(original or [np.empty(0, np.int32)]), given, given)
            self._coded[name] = dataclasses.replace(variable, codes=codes)
        return self._coded[name]

    @cached_property
    def _measured_before(self) -> list[dict[str, float | None]]:
        return self._measured(self._before)

    def _measured(self, variable: Callable[[str], Variable]) -> list[dict[str, float | None]]:
        """Evaluate every measure, target by target."""
        keys = [variable(name) for name in self.settings.keys]
        targets = [variable(name) for name in self.settings.targets or ()]
        return [
            one.values(measures_for(targets)) for one in count_cells(Counter(combine(keys)), targets, self.settings)
        ]

    def _before(self, name: str) -> Variable:
        files = [self.original, self.given]
        return prepare_variable(of_files(self.coded(name), (0, 1)), files, self.fixed).variable

    def _after(self, name: str, state: State) -> Variable:
        variable = of_files(state.variable(self.coded(name)), (0, 2))
        groups = self.fixed.numeric_groups.get(name)
        if groups is None or name in state.classes:
            return variable
        special = self._special(name)
        if name not in state.smoothed:
            return group(variable, groups, special)[0]
        bounds = self._bounds_of_means(name, state)
        grouped, found = group(variable, (-math.inf, *bounds, math.inf), special)
        labels = group(self.coded(name), groups, special)[1].labels[: len(found.labels)]  # by rank, for exclusions
        return dataclasses.replace(grouped, texts=(*labels, *(grouped.texts or ())[len(labels) :]))

    def _special(self, name: str) -> tuple[str, ...]:
        return special_codes_of(self.coded(name), self.settings)

    def _bounds_of_means(self, name: str, state: State) -> list[float]:
        """Give the bounds of classes for a smoothed variable, as means lie elsewhere than numbers do.

        Classes by their number are formed anew of the means in the original and the given file, as `assess` would for
        both files smoothed; given breaks are moved to the first mean that a number at or above them has.
        """
        groups, special = self.settings.numeric_groups[name], self._special(name)
        before, after = (of_files(one, (0, 1)) for one in (self.coded(name), state.variable(self.coded(name))))
        if isinstance(groups, int):
            return list(group(after, groups, special)[1].breaks)
        codes = set(special_positions(before, special))
        old, new = (
            np.concatenate([np.append(level_numbers(one), np.nan)[of_file] for of_file in one.codes])
            for one in (before, after)
        )
        ordinary = np.isfinite(old) & ~np.isin(np.concatenate(before.codes), list(codes))
        first = [new[ordinary & (old >= bound)].min(initial=math.inf) for bound in groups[1:-1]]
        return sorted({float(bound) for bound in first if math.isfinite(bound)})


@dataclass(frozen=True)
class StatesUtility:
    """What the states of a synthetic file are compared by.

    The original stays as it is: what a step merges or smooths, the file no longer reproduces. Only a variable whose
    numbers were put into classes is compared in those classes.

    Parameters
    ----------
    files
        Original and synthetic file.
    variables
        Those that both have, as `utility` compares them: numbers in the classes that they have in the file as given.
    n_together
        Of how many variables tables are.
    """

    files: Compared
    variables: tuple[ComparedVariable, ...]
    n_together: int

    @classmethod
    def of(cls, files: Compared, n_states: int) -> StatesUtility:
        """Choose variables, classes and tables for so many states."""
        prepared = prepare(MemoryFiles([files.original, files.given]), files.settings)
        variables, _ = compared_variables(prepared, (), CLASSES)
        n_records = n_states * (files.original.n_records + files.given.n_records)
        return cls(files, tuple(variables), candidates.n_in_a_table(len(variables), n_states, n_records))

    def beside(self, state: State, figures: Sequence[Figure]) -> RiskUtility:
        """Give the utility of a state beside its risk.

        Parameters
        ----------
        state
            The file.
        figures
            Its measures, as `Compared.figures` gives them.
        """
        after: dict[str, dict[str, float | None]] = {}
        for one in figures:
            after.setdefault(one.target, {})[one.measure] = one.after
        beyond, target = candidates.most_beyond_chance(after.items())
        found = candidates.utilities([self._variable(one, state) for one in self.variables], self.n_together)
        return RiskUtility(
            repU=next((values["repU"] for values in after.values() if "repU" in values), None),
            excess=beyond,
            target=target,
            tables=found[0] if found else None,
            most_DiSCO=highest(one.get("DiSCO") for one in after.values()),
        )

    def _variable(self, compared: ComparedVariable, state: State) -> Variable:
        """Give a variable as the original and the state have it."""
        name = compared.variable.name
        if name in state.classes:
            return of_files(state.variable(self.files.coded(name)), (0, 2)).packed()
        if name not in state.recoded:
            return compared.variable if state.kept is None else with_rows(compared.variable, state.kept)
        now = dataclasses.replace(self.files.given, columns={name: state.columns[name]})
        coded = code_variable(name, [self.files.original, now])
        if compared.n_classes:
            special = [text for text in special_codes_of(coded, self.files.settings) if text in coded.level_texts]
            with contextlib.suppress(SettingsError):  # where a number was given a name, its levels are compared
                coded, _ = group(coded, (-math.inf, *compared.breaks, math.inf), special)
        return coded.packed()
