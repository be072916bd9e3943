"""How alike the original and a synthetic file between two steps are, and what it gives away."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

from discoreport.assessment.analyses.count_cells import of_files
from discoreport.assessment.analyses.mitigation.before_and_after import Compared
from discoreport.assessment.analyses.mitigation.results import Figure
from discoreport.assessment.analyses.mitigation.state import State, with_rows
from discoreport.assessment.analyses.utility import candidates
from discoreport.assessment.analyses.utility.candidates import RiskUtility
from discoreport.assessment.analyses.utility.compared_variables import (
    CLASSES,
    compared_variables,
    small_codes,
)
from discoreport.assessment.analyses.utility.compared_variables import (
    Compared as ComparedVariable,
)
from discoreport.assessment.engine_choice import MemoryFiles
from discoreport.assessment.prepare import prepare, special_codes_of
from discoreport.assessment.results import highest
from discoreport.data.coding import Variable, code_variable
from discoreport.data.numeric_groups import group
from discoreport.errors import SettingsError


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
            return small_codes(of_files(state.variable(self.files.coded(name)), (0, 2)))
        if name not in state.recoded:
            return compared.variable if state.kept is None else with_rows(compared.variable, state.kept)
        now = dataclasses.replace(self.files.given, columns={name: state.columns[name]})
        coded = code_variable(name, [self.files.original, now])
        if compared.n_classes:
            special = [text for text in special_codes_of(coded, self.files.settings) if text in coded.level_texts]
            with contextlib.suppress(SettingsError):  # where a number was given a name, its levels are compared
                coded, _ = group(coded, (-math.inf, *compared.breaks, math.inf), special)
        return small_codes(coded)
