"""Do codes mean the same in both files? Associations of pairs of variables, before and after the best relabelling.

Where two variables go together in the original, they go together in an honest synthesis, or not at all; they never go
together the other way round. Where they do, and exchanging the levels of one of them puts it right, codes were changed.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import Variable

MOST_CLASSES = 24
"""Of a variable with more levels, the commonest are looked at, or a number's classes."""
NUMBER_CLASSES = 10
MOST_PAIRS_OF_LEVELS = 2**22
"""Pairs of variables with more pairs of levels than this are left aside."""
CERTAIN = 2.0
"""Standard errors that a gain must have beyond that of the best relabelling of variables that are unrelated."""
MOST_PARTNERS = 8
"""A variable is looked at beside those that it has most to do with in the original."""
MOST_ELSEWHERE = 0.25
"""Part of the records of the classes concerned that may be in another one once they have changed places."""
AGREES = 0.5
"""Correlation of the associations in both files from which on they agree."""

Table: TypeAlias = npt.NDArray[np.float64]
Tables: TypeAlias = Mapping[tuple[str, str], tuple[Table, Table]]
"""For two variables, the original's and a synthetic file's records by class of the one and class of the other."""


@dataclass(frozen=True)
class Relabelling:
    """Levels of a variable that make the files agree once they change places.

    Parameters
    ----------
    variable
        Its name.
    before, after
        Correlation of its associations with other variables in both files, of the levels concerned.
    classes
        Class of the synthetic file, and the original's that it goes with.
    """

    variable: str
    before: float
    after: float
    classes: tuple[tuple[int, int], ...]


def classes_of(variable: Variable, synthesis: int) -> npt.NDArray[np.int64]:
    """Sort the codes of a variable into few classes; shape (levels + 1,), missing values last."""
    n = variable.n_levels + 1
    if n <= MOST_CLASSES:
        return np.arange(n)
    d, s = variable.counts[0], variable.counts[synthesis]
    if variable.numbers is not None:
        known = np.flatnonzero(d[:-1])
        upto = np.cumsum(d[known]) - 0.5 * d[known]
        of_known = np.minimum(NUMBER_CLASSES * upto // max(d[known].sum(), 1), NUMBER_CLASSES - 1)
        numbers = variable.numbers.astype(np.float64)
        # A number that the original lacks belongs to the class of the nearest that it has.
        between = (numbers[known[1:]] + numbers[known[:-1]]) / 2
        of_numbers = of_known[np.searchsorted(between, numbers)] if len(known) else np.zeros(n - 1)
        return np.append(of_numbers, NUMBER_CLASSES).astype(np.int64)
    share = d / max(d.sum(), 1) + s / max(s.sum(), 1)
    found = np.full(n, MOST_CLASSES - 1)
    found[np.argsort(-share, kind="stable")[: MOST_CLASSES - 1]] = np.arange(MOST_CLASSES - 1)
    return found


def relabellings(tables: Tables) -> tuple[list[Relabelling], set[str]]:
    """Find the variables that make the associations of the files agree much better once levels change places.

    Parameters
    ----------
    tables
        Pairs of variables; each pair once.

    Returns
    -------
    list of Relabelling
        The clearest first. Each is looked for with those before it put right: what goes together with a
        variable whose codes were changed isn't blamed for it.
    set of str
        Variables that go together with others in the synthetic file much as they do in the original.
    """
    of_variable = _by_variable(tables)
    shares = _shares(tables)
    supported = {name for name, others in of_variable.items() if _supported(others.values())}
    judged = {name: _judged(name, others, *shares[name]) for name, others in of_variable.items()}
    found: list[Relabelling] = []
    while True:
        possible = [one for one in judged.values() if one]
        if not possible:
            return found, supported
        _, clearest = max(possible, key=lambda one: one[0])
        found.append(clearest)
        name = clearest.variable
        del judged[name]
        place = np.arange(len(next(iter(of_variable[name].values()))[0]))
        for synthetic_class, original_class in clearest.classes:
            place[original_class] = synthetic_class
        for other, (d, s) in of_variable[name].items():
            of_variable[name][other] = (d, s[place])
            of_variable[other][name] = (d.T, s[place].T)
        for other in of_variable[name]:
            if other in judged:
                judged[other] = _judged(other, of_variable[other], *shares[other])


def _supported(pairs: Collection[tuple[Table, Table]]) -> bool:
    agreement = sum(float((d * s).sum()) for d, s in pairs)
    return agreement > CERTAIN * sum(math.sqrt(float((d**2).sum())) for d, _ in pairs)


def _by_variable(tables: Tables) -> dict[str, dict[str, tuple[Table, Table]]]:
    """Give each variable's associations with each other one, in both files."""
    found: dict[str, dict[str, tuple[Table, Table]]] = {}
    for (first, second), (original, synthetic) in tables.items():
        d, s = _associations(original), _associations(synthetic)
        found.setdefault(first, {})[second] = (d, s)
        found.setdefault(second, {})[first] = (d.T, s.T)
    return found


def _shares(tables: Tables) -> dict[str, tuple[Table, Table]]:
    """Give the shares of each variable's classes in both files."""
    found = {}
    for names, both in tables.items():
        for axis, name in enumerate(names):
            d, s = (counts.sum(1 - axis) / max(counts.sum(), 1) for counts in both)
            found[name] = (d, s)
    return found


def _associations(counts: Table) -> Table:
    """Give what is more or less than if the two had nothing to do with each other, in standard errors."""
    n = max(counts.sum(), 1)
    expected = np.outer(counts.sum(1), counts.sum(0)) / n
    found: Table = np.divide(counts - expected, np.sqrt(expected), out=np.zeros_like(expected), where=expected > 0)
    return found


def _beyond_chance(pair: tuple[Table, Table]) -> float:
    d, _ = pair
    return float((d**2).sum()) - (np.count_nonzero(d.any(1)) - 1) * (np.count_nonzero(d.any(0)) - 1)


def _could_gain(agreement: Table, pairs: list[tuple[Table, Table]]) -> bool:
    """Tell whether any relabelling could be certain, by what each class could gain at most.

    The error of several classes is at least the root of the sum of squares of what each would have alone (Minkowski),
    and their gain in errors at most that of the squares of each one's (Cauchy and Schwarz).
    """
    most = np.maximum(agreement.max(1) - agreement.diagonal(), 0)
    least_error = 2 * np.sum([np.sqrt((d**2).sum(1)) for d, _ in pairs], axis=0)
    gains = np.divide(most, least_error, out=np.where(most > 0, np.inf, 0), where=least_error > 0)
    at_most = np.sqrt(np.cumsum(np.sort(gains)[::-1] ** 2))
    needed = [_by_chance(n) + CERTAIN for n in range(1, len(gains) + 1)]
    return bool((at_most > needed)[1:].any())


def _by_chance(n: int) -> float:
    """Give the largest of as many draws, in standard errors, as n classes have orders."""
    return math.sqrt(2 * math.lgamma(n + 1))


def _judged(
    name: str, others: Mapping[str, tuple[Table, Table]], of_original: Table, of_synthetic: Table
) -> tuple[float, Relabelling] | None:
    """Compare the best relabelling with none; None where it isn't clearly better.

    Classes that change places must be about as common in both files then: others were merged or left out.
    """
    pairs = sorted(others.values(), key=_beyond_chance, reverse=True)[:MOST_PARTNERS]
    agreement = np.sum([s @ d.T for d, s in pairs], axis=0)  # synthetic class by original class
    if not _could_gain(agreement, pairs):
        return None
    from scipy.optimize import linear_sum_assignment  # slow to import, and seldom needed

    _, original = linear_sum_assignment(-agreement)
    moved = np.flatnonzero(original != np.arange(len(original)))
    if not len(moved):
        return None
    elsewhere = float(np.abs(of_synthetic[moved] - of_original[original[moved]]).sum()) / 2
    if elsewhere > MOST_ELSEWHERE * float(of_synthetic[moved].sum()):
        return None
    before, after = (float(agreement[moved, to].sum()) for to in (moved, original[moved]))
    sizes = [(np.sqrt((d[moved] ** 2).sum()), np.sqrt((s[moved] ** 2).sum())) for d, s in pairs]
    # If the synthetic variable had nothing to do with the others, each pair's sum would have at most this error,
    # whatever the others have to do with one another; the gain is a difference of two.
    error = 2 * sum(d for d, _ in sizes)
    length = math.sqrt(sum(d**2 for d, _ in sizes) * sum(s**2 for _, s in sizes))
    if not error or not length:
        return None
    margin = (after - before) / error - _by_chance(len(moved)) - CERTAIN
    if margin <= 0 or after < AGREES * length or before > after / 2:
        return None
    classes = tuple((int(place), int(original[place])) for place in moved)
    return margin, Relabelling(name, before / length, after / length, classes)
