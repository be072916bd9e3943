"""What a change of the synthetic file costs: how far distributions moved, and how much detail is gone."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from discoreport.assessment.analyses.result import Finite
from discoreport.assessment.formatting import percent
from discoreport.data.coding import Variable
from discoreport.data.numeric_groups import group
from discoreport.errors import SettingsError
from discoreport.measures.tallies import align, tally

CLASSES = 10
"""Numbers are compared in about this many classes, by quantiles of both files together."""
MANY_LEVELS = 20
"""Numbers with more levels than this are compared in classes."""

Codes = npt.NDArray[np.int64]


class VariableLoss(Finite):
    """What a change costs for one variable.

    Parameters
    ----------
    variable
        Its name.
    distance
        Total variation distance of its distribution from that before, in percent: the share of records that would
        have to change level for the two to agree.
    n_levels_before, n_levels_after
        How many levels it has.
    detail_lost
        How much of its entropy is gone, in percent; 0 where there was none.
    """

    variable: str
    distance: float
    n_levels_before: int
    n_levels_after: int
    detail_lost: float


class Loss(Finite):
    """What a change of the synthetic file costs.

    Parameters
    ----------
    one_way, two_way
        Mean total variation distance, in percent, of the distributions of single variables, and of all pairs of
        variables; `two_way` is None where there is one variable.
    detail_lost
        Mean share of the variables' entropy that is gone, in percent.
    variables
        Each variable of its own.
    """

    one_way: float
    two_way: float | None
    detail_lost: float
    variables: tuple[VariableLoss, ...]

    @property
    def told(self) -> str:
        """What was lost, in words, without an end."""
        pairs = "" if self.two_way is None else f", those of pairs by {percent(self.two_way)}"
        moved = f"distributions of single variables moved by {percent(self.one_way)} on average{pairs}"
        return f"{moved}; {percent(self.detail_lost)} of the detail is gone"

    @property
    def table(self) -> pd.DataFrame:
        """One row a variable, the one that changed most first; `distance` and `detail_lost` in percent."""
        columns = list(VariableLoss.model_fields)
        table = pd.DataFrame([one.model_dump() for one in self.variables], columns=columns)
        return table.sort_values("distance", ascending=False, kind="stable", ignore_index=True)


def measure_loss(variables: Sequence[Variable], details: Mapping[str, Variable]) -> Loss:
    """Compare two states of a synthetic file.

    Parameters
    ----------
    variables
        As the file before (file 0) and after (file 1) has them, coded alike. Where values were replaced by classes,
        both in those classes.
    details
        By name, the variables that were put into classes, as they were before.

    Returns
    -------
    Loss
        0 throughout where nothing changed.

    Notes
    -----
    The total variation distance of two distributions p and q over the same cells is half the sum of |p - q|: here
    over the levels of one variable, and over the pairs of levels of two. Means over all variables and all pairs are
    what utility measures of synthetic data by one- and two-way tables are built on (Raab, Nowok and Dibben,
    "Assessing, visualizing and improving the utility of synthetic data", 2021). A variable that was put into classes
    is compared in its classes; what that costs is the share of its entropy that is lost (entropy as a measure of
    information loss: Willenborg and de Waal, "Elements of statistical disclosure control", 2001).
    """
    compared = [_in_classes(variable) for variable in variables]
    rows = []
    for variable, coarse in zip(variables, compared, strict=True):
        finest = details.get(variable.name, variable)
        before, after = _entropy(finest.counts[0]), _entropy(variable.counts[1])
        rows.append(
            VariableLoss(
                variable=variable.name,
                distance=_distance(coarse.codes[0].astype(np.int64), coarse.codes[1].astype(np.int64), coarse.n_codes),
                n_levels_before=int((finest.counts[0] > 0).sum()),
                n_levels_after=int((variable.counts[1] > 0).sum()),
                detail_lost=max(100 * (before - after) / before, 0.0) if before else 0.0,
            )
        )
    pairs = [_pair_distance(one, two) for one, two in itertools.combinations(compared, 2)]
    return Loss(
        one_way=float(np.mean([row.distance for row in rows])),
        two_way=float(np.mean(pairs)) if pairs else None,
        detail_lost=float(np.mean([row.detail_lost for row in rows])),
        variables=tuple(rows),
    )


def _in_classes(variable: Variable) -> Variable:
    if variable.n_levels <= MANY_LEVELS or variable.numbers is None:
        return variable
    try:
        return group(variable, CLASSES, ())[0]
    except SettingsError:  # numbers without end among them
        return variable


def _distance(before: Codes, after: Codes, n_codes: int) -> float:
    _, n_before, n_after = align(tally(before, n_codes), tally(after, n_codes))
    return 50 * float(np.abs(n_before / len(before) - n_after / len(after)).sum())


def _pair_distance(one: Variable, two: Variable) -> float:
    width = max(two.n_codes, 1)
    before, after = (a.astype(np.int64) * width + b for a, b in zip(one.codes, two.codes, strict=True))
    return _distance(before, after, max(one.n_codes, 1) * width)


def _entropy(counts: npt.NDArray[np.int64]) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum()) + 0.0
