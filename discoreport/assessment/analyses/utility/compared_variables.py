"""The variables as utility compares them: numbers in classes, and what can't be compared left out by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discoreport.assessment.accept_settings import require_no_unit
from discoreport.assessment.analyses.utility.results import LeftOut
from discoreport.assessment.prepare import PreparedFiles, special_codes_of
from discoreport.data.coding import Variable
from discoreport.data.findings.comparison import identifier
from discoreport.data.numeric_groups import group
from discoreport.data.table import require_columns, shared_columns
from discoreport.errors import DataError, SettingsError

CLASSES = 5
"""Numbers are compared in about this many classes, as in synthpop."""
MOST_LEVELS = 1000
"""Variables with more levels than this, such as names and free text, are left out unless they are asked for."""

_GAPS = 2
"""Whole numbers that differ from record to record and of which at least one in so many occurs number the records."""


@dataclass(frozen=True)
class Compared:
    """A variable as it is compared.

    Parameters
    ----------
    variable
        Coded over all files; numbers in classes.
    n_classes
        How many of its levels are classes of numbers; 0 where none are.
    breaks
        The bounds between the classes.
    """

    variable: Variable
    n_classes: int
    breaks: tuple[float, ...] = ()


def compared_variables(
    prepared: PreparedFiles, names: Sequence[str], classes: int
) -> tuple[list[Compared], list[LeftOut]]:
    """Code the variables, put numbers into classes, and tell what is left out.

    Parameters
    ----------
    prepared
        The files; their settings say what is a special code.
    names
        Which variables; by default all that every file has, but the unit.
    classes
        About how many classes; numbers that the settings group are in those groups.

    Raises
    ------
    DataError, SettingsError
        Where a variable that is named is in no file, or can't be compared.
    """
    require_columns(names, prepared.tables)
    unit = prepared.settings.unit
    require_no_unit(prepared.settings, names, "utility")
    shared = [name for name in shared_columns(prepared.tables) if name != unit]
    compared, left_out = [], []
    for name in dict.fromkeys(names or shared):
        try:
            found, reason = _compared(prepared, name, classes)
        except DataError as error:
            if names:
                raise
            found, reason = None, str(error)
        if found is None and names:
            raise SettingsError(f"utility: '{name}' can't be compared: {reason}.")
        if found is None or (reason and not names):
            left_out.append(LeftOut(variable=name, reason=reason))
        else:
            compared.append(dataclasses.replace(found, variable=found.variable.packed()))
    return compared, left_out


def _compared(prepared: PreparedFiles, name: str, classes: int) -> tuple[Compared | None, str]:
    """Give a variable as it is compared, None where it can't be; and why it isn't, or not unless it is asked for."""
    coded = prepared.files.code(name)
    if coded.kind == "number" and not has_labels(coded):
        if _numbers_records(coded):
            return None, "every record has a whole number of its own"
        special = special_codes_of(coded, prepared.settings)
        if name in prepared.settings.numeric_groups:
            variable, grouping = group(coded, prepared.settings.numeric_groups[name], special)
            return Compared(variable, len(grouping.labels), grouping.breaks), ""
        try:
            variable, grouping = group(coded, classes, special)
        except SettingsError:  # some aren't numbers, or nothing is left beside the codes: its levels are compared
            pass
        else:
            return Compared(variable, len(grouping.labels), grouping.breaks), ""
    if not coded.has_levels:
        return None, "it has more distinct values than can be compared"
    return Compared(coded, 0), _reason(coded)


def has_labels(coded: Variable) -> bool:
    """Tell whether numbers stand for categories: every level has its label in a file."""
    return bool(coded.labels) and all(text in coded.labels for text in coded.level_texts)


def _numbers_records(coded: Variable) -> bool:
    """Tell whether every original record has a whole number of its own and few lie between: records are numbered.

    Amounts such as incomes may differ from record to record, too, but leave gaps; they are compared in classes.
    """
    if not any(True for _ in identifier(coded, _n_records(coded))):
        return False
    if coded.numbers is None:
        return True
    own = coded.numbers[coded.counts[0][: coded.n_levels] > 0].astype(float)
    return bool(np.all(own == np.floor(own)) and own[-1] - own[0] < _GAPS * len(own))


def _reason(coded: Variable) -> str:
    """Say why the levels of a variable aren't compared unless it is asked for; empty where they are."""
    if any(True for _ in identifier(coded, _n_records(coded))):
        return "nearly every record has a value of its own"
    return f"it has more than {MOST_LEVELS:,} levels" if coded.n_levels > MOST_LEVELS else ""


def _n_records(variable: Variable) -> int:
    return int(variable.counts[0].sum())
