"""Steps applied to a synthetic file, each recorded and reversible."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from discoreport.assessment.accept_settings import SettingsGiven, settings_given
from discoreport.assessment.analyses.mitigation import recoding
from discoreport.assessment.analyses.mitigation.before_and_after import Compared, StatesUtility
from discoreport.assessment.analyses.mitigation.results import Mitigation, StepEffect, StepRecord
from discoreport.assessment.analyses.mitigation.state import State
from discoreport.assessment.analyses.mitigation.steps import (
    AddVariable,
    GroupValues,
    LimitValues,
    MarkNames,
    MergeLevels,
    RemoveReplicatedUniques,
    RemoveUniquesInOriginal,
    Smooth,
    Step,
    steps_from,
)
from discoreport.assessment.measure_files import warn_as_assess
from discoreport.assessment.provenance import Source
from discoreport.assessment.settings import Settings
from discoreport.data.readers.source_file import NEW_ENDINGS, NEW_ENDINGS_IN_WORDS
from discoreport.data.table import require_columns
from discoreport.errors import DataError, OutputError, SettingsError, require_new, suggest
from discoreport.files import ending_of, write_file


@dataclass(frozen=True)
class Mitigated:
    """A synthetic file to which steps were applied; get one from `mitigate`.

    Parameters
    ----------
    mitigation
        What was done, and what came of it: for the report.
    states
        The file as it was given, and after each step.
    """

    mitigation: Mitigation
    states: tuple[State, ...] = field(repr=False)

    @property
    def frame(self) -> pd.DataFrame:
        """The file after all steps."""
        return self.states[-1].frame

    def after(self, n_steps: int) -> pd.DataFrame:
        """Give the file as it was after some steps; after 0 as it was given.

        Raises
        ------
        SettingsError
            Where there are not so many steps.
        """
        if not 0 <= n_steps < len(self.states):
            raise SettingsError(f"There are {len(self.states) - 1} steps (asked for the file after {n_steps}).")
        return self.states[n_steps].frame

    def write(self, path: str | Path) -> Path:
        """Write the file after all steps: whole, or not at all.

        Parameters
        ----------
        path
            A file that doesn't exist yet; ends in .csv, .csv.gz or .parquet.

        Raises
        ------
        OutputError
            Where it exists, can't be written, or ends in anything else.
        """
        path = Path(path)
        require_data_file(path)
        content = io.BytesIO()
        if path.suffix.lower() == ".parquet":
            self.frame.to_parquet(content, index=False)
        else:
            packed = {"method": "gzip", "mtime": 0} if path.suffix.lower() == ".gz" else None  # the same bytes again
            self.frame.to_csv(content, index=False, compression=packed)
        return write_file(path, content.getvalue(), new=True)


def require_data_file(path: Path) -> None:
    """Raise where a new synthetic file can't be called so, or is there already; to be asked before the work."""
    if ending_of(path) not in NEW_ENDINGS:
        raise OutputError(f"'{path.name}': a file ends in {NEW_ENDINGS_IN_WORDS}.")
    require_new(path)


def mitigate(
    original: object,
    synthetic: object,
    settings: SettingsGiven,
    steps: Sequence[object],
) -> Mitigated:
    """Apply steps to a synthetic file, and measure what they bring and cost.

    Parameters
    ----------
    original
        As for `assess`, in memory.
    synthetic
        One file. It is never changed.
    settings
        As for `assess_with`.
    steps
        Models of `discoreport.assessment.analyses.mitigation.steps`, or mappings with ``step`` and the same names.
        Each is applied to what the one before has left.

    Returns
    -------
    Mitigated
        The new file, the file before each step, and the record of it all.

    Raises
    ------
    DataError
        As `assess`; and where no record would be left.
    SettingsError
        Where a step names a variable or a level that isn't there, or doesn't fit the variable; or smooths a key or a
        target that isn't grouped.

    Warns
    -----
    ComparisonWarning
        As `assess` does of the file as it was given.

    Notes
    -----
    Limits, means, merged levels and classes can be read off the released file: whoever knows that somebody is 93 will
    look under "90". So the measures after every step are those of an intruder who does the same to what is known: the
    original is recoded alike, level by level, as `assess` sees levels, however either file writes them. Otherwise
    values that no longer meet would read as safety. A value that only the original has goes where the synthetic file
    would have put it: smoothed, to the mean of the neighbours that it would have there; merged by count, to where
    small levels go; in classes, to the class it lies in. A key or a target is smoothed only where the settings group
    it, as `assess` compares the released file with the original as it is. Numeric groups of the settings have the
    same breaks before and after; those of a smoothed variable are formed anew of the means, which lie closer together
    than the numbers did.

    R's synthpop does the like in `sdc`. There, too, limits apply to values beyond them, except for codes, and unique
    records are removed by keys. It smooths with a spline over the sorted values, whose stiffness cross-validation
    chooses, and which nearly meets the values at the ends; here it is a moving mean over ranks, which leaves neither
    the smallest nor the largest value as it was.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 31, 41, 41, 95], "ill": ["y", "n", "n", "n", "y"]})
    >>> synthetic = pd.DataFrame({"age": [30, 41, 41, 92, 95], "ill": ["y", "n", "n", "y", "y"]})
    >>> steps = [{"step": "limit values", "variable": "age", "top": 80}, {"step": "remove replicated uniques"}]
    >>> mitigated = mitigate(original, synthetic, Settings(keys=["age"]), steps)
    >>> mitigated.frame["age"].to_list()  # 30 is alone in both files
    [41, 41, 80, 80]
    >>> mitigated.mitigation.steps_table[["what", "n_records"]].to_numpy().tolist()
    [['age was top-coded at 80', 2], ['Replicated uniques were removed', 1]]
    >>> mitigated.mitigation.table.query("measure in ('repU', 'DiSCO')").to_numpy().tolist()
    [['ill', 'repU', 40.0, 0.0, -40.0], ['ill', 'DiSCO', 80.0, 60.0, -20.0]]
    >>> mitigated.after(1)["age"].to_list()
    [30, 41, 41, 80, 80]
    """
    settings = settings_given(settings)
    compared = Compared.open(original, synthetic, settings, "mitigate")
    mitigated = apply(compared, steps_from(steps))
    alike = StatesUtility.of(compared, len(mitigated.states))
    figures = [*map(compared.figures, mitigated.states[:-1]), mitigated.mitigation.figures]
    utility = tuple(map(alike.beside, mitigated.states, figures))
    mitigated = dataclasses.replace(mitigated, mitigation=mitigated.mitigation.model_copy(update={"utility": utility}))
    warn_as_assess([compared.original, compared.given], compared.settings)
    return mitigated


def apply(compared: Compared, steps: Sequence[Step]) -> Mitigated:
    """Do what `mitigate` does, with files that are read and coded already."""
    states = [State.of(compared.given)]
    records = []
    for step in steps:
        state, kind, n = _applied(states[-1], step, compared)
        states.append(state)
        records.append(StepRecord(step=step, what=step.words(), kind=kind, n_records=n, n_left=state.n_records))
    mitigation = Mitigation(
        settings=compared.settings,
        original=Source.of(compared.original),
        synthetic=Source.of(compared.given),
        steps=tuple(records),
        figures=compared.figures(states[-1]),
        loss=compared.loss(states[-1]),
    )
    return Mitigated(mitigation, tuple(states))


def _applied(state: State, step: Step, compared: Compared) -> tuple[State, StepEffect, int]:
    """Give the file after a step, and how many records it concerns."""
    if isinstance(step, RemoveReplicatedUniques | RemoveUniquesInOriginal):
        keys = step.keys or compared.settings.keys
        require_columns(keys, [compared.original, compared.given])
        uniques = compared.uniques(state, keys)
        rows = uniques.found_rows if isinstance(step, RemoveUniquesInOriginal) else uniques.replicated_rows
        if len(rows) == state.n_records:
            raise DataError(f"{step.words()}: no record is left.")
        return (state.without(rows) if len(rows) else state), "removed", len(rows)
    if isinstance(step, AddVariable | MarkNames):
        return _marked(state, step), "added" if isinstance(step, AddVariable) else "renamed", state.n_records
    state, n = _recoded(state, step, compared)
    if isinstance(step, Smooth):
        _require_comparable(step, compared.settings)
    return state, "changed", n


def _require_comparable(step: Smooth, settings: Settings) -> None:
    """Refuse to smooth what would then be compared value by value: none would meet, and the risk seem gone."""
    compared = (*settings.keys, *(settings.targets or ()))
    if step.variable in compared and step.variable not in settings.numeric_groups:
        raise SettingsError(
            f"{step.step}: '{step.variable}' is a key or a target, and compared value by value. Smoothed values lie "
            "near the true ones but no longer meet them, so that the risk would seem gone. Group the variable "
            f"(numeric_groups, such as {{'{step.variable}': 20}}), so that near values count as one."
        )


def _recoded(
    state: State, step: LimitValues | Smooth | MergeLevels | GroupValues, compared: Compared
) -> tuple[State, int]:
    """Change the levels of one variable, in the original alike."""
    name = step.variable
    if name not in compared.given.columns:
        known = compared.given.columns
        raise SettingsError(f"{step.step}: no column '{name}' in the synthetic file. {suggest(name, known)}")
    variable, column = state.variable(compared.coded(name)), state.columns[name]
    moves = recoding.moves_of(variable, column, step)
    changed = dataclasses.replace(
        state,
        columns={**state.columns, name: recoding.written(column, variable, moves)},
        recoded={**state.recoded, name: recoding.followed(variable, moves)},
        classes=state.classes | {name} if isinstance(step, GroupValues) else state.classes,
        smoothed=state.smoothed | {name} if isinstance(step, Smooth) else state.smoothed,
    )
    return changed, recoding.n_changed(variable, moves)


def _marked(state: State, step: AddVariable | MarkNames) -> State:
    if isinstance(step, AddVariable):
        if step.name in (*state.names.values(), *state.columns):
            raise SettingsError(f"add variable: there is a variable '{step.name}' already. Choose another name.")
        return dataclasses.replace(
            state,
            columns={**state.columns, step.name: pd.Series([step.value] * state.n_records)},
            names={step.name: step.name, **state.names},
        )
    names = {name: f"{step.prefix}{shown}{step.suffix}" for name, shown in state.names.items()}
    return dataclasses.replace(state, names=names)
