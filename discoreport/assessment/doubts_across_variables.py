"""Doubts that no variable shows by itself: keys that don't meet together, codes that changed places."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from discoreport.assessment.results import Result
from discoreport.data.coding import Variable
from discoreport.data.findings.comparison import LOW_OVERLAP
from discoreport.data.findings.finding import Finding
from discoreport.data.findings.recoded import exchanged
from discoreport.measures.cells import Target
from discoreport.measures.swapped_codes import MOST_PAIRS_OF_LEVELS, Table, classes_of, relabellings

_WORSE = 0.8
"""A share of right attributions below this part of a guesser's is looked at."""
_ERRORS = 5.0
"""Standard errors by which it must be below."""
_FEWEST = 10
"""As many key combinations, of one size, must be attributed."""
_TIMES = (2, 3, 5)
_FEWEST_REPEATED = 20
_MOST_APART = 5_000
"""A key that has more levels in the original only isn't looked at together with others."""


def keys_together(of_keys: Sequence[Target], keys: Sequence[Variable]) -> Iterator[Finding]:
    """Warn where each key's levels meet well enough, but not those of all keys together."""
    for synthesis, target in enumerate(of_keys, start=1):
        apart = {}
        for place, key in enumerate(keys):
            if not key.has_levels:
                continue
            d, s = key.counts[0], key.counts[synthesis]
            only = np.flatnonzero((d > 0) & (s == 0))
            if 0 < len(only) <= _MOST_APART and 100 * d[only].sum() <= (100 - LOW_OVERLAP) * d.sum():
                apart[place] = only
        if len(apart) < 2:
            continue
        n = target.original_without(apart)
        percent = 100 * n / target.alike.n_original
        if percent < LOW_OVERLAP:
            lacking = (keys[place].counts[0][only].sum() for place, only in apart.items())
            worst = 100 * int(max(lacking)) / target.alike.n_original
            yield Finding(
                "", synthesis, "low_overlap_of_keys", "warning",
                f"only {percent:.1f} % of the original's records have in every key a value of the synthetic file, "
                f"although no key lacks those of more than {worst:.1f} %: check that both files use the same codes",
                None, n, percent,
            )  # fmt: skip


def repeated(of_keys: Sequence[Target]) -> Iterator[Finding]:
    """Warn where all records of a synthetic file were entered several times, so that nobody is unique in it."""
    for synthesis, target in enumerate(of_keys, start=1):
        keys = target.alike.keys
        sums: dict[tuple[str, int], Any] = {("all", 1): keys.number(keys.s_full > 0)}
        for times in _TIMES:
            # Where the original is made that way, a panel perhaps, an honest synthesis may be, too.
            sums["original", times] = keys.number((keys.d > 0) & (keys.d % times > 0))
            sums["synthetic", times] = keys.number((keys.s_full > 0) & (keys.s_full % times > 0))
        found = target.alike.collect(sums)
        times = next((one for one in _TIMES if found["original", one] and not found["synthetic", one]), 0)
        if times and found["all", 1] >= _FEWEST_REPEATED:
            yield Finding(
                "", synthesis, "repeated", "warning",
                f"each combination of keys occurs {times} times in the synthetic file, or a multiple of it: were "
                "records entered more than once? Nobody is unique in it then",
            )  # fmt: skip


def worse_than_a_guess(target: Variable, cells: Target, result: Result) -> Iterator[Finding]:
    """Warn where whoever is certain is right less often than somebody who guesses, by more than chance explains."""
    right_of_sure, by_guess = result.values["TCAP"], result.values["baseCAPd"]
    if right_of_sure is None or by_guess is None or right_of_sure >= _WORSE * by_guess:
        return
    full = cells.alike
    sure = full.key_disclosive_in_synthetic
    found = full.collect(
        {
            "right": full.total(full.d_full, where=full.disclosive_in_synthetic),
            "records": full.total(full.d_full, where=sure),
            # Records of one key combination are attributed alike, all right or all wrong.
            "squares": full.total(full.d_full * full.d_key_full, where=sure),
        }
    )
    records = int(found["records"])
    if not records:
        return
    if records**2 < _FEWEST * int(found["squares"]):
        return
    shares = cells.sure_by_level() / records
    # Somebody guesses who knows how common each level is among these very records, or among all.
    guess = min(float((shares**2).sum()), by_guess / 100)
    right = int(found["right"]) / records
    error = math.sqrt(guess * (1 - guess) * int(found["squares"])) / records
    if right < _WORSE * guess and guess - right > _ERRORS * error:
        yield Finding(
            target.name, result.synthesis, "worse_than_a_guess", "warning",
            f"whoever is certain is right for {100 * right:.1f} % of the records, a guesser would be for "
            f"{100 * guess:.1f} %: do codes mean the same in both files?",
            None, records, 100 * right,
        )  # fmt: skip


class Pairs:
    """Gathers how pairs of variables go together in the files: of the keys, and of each target with the keys.

    Parameters
    ----------
    keys
        In the user's order.
    """

    def __init__(self, keys: Sequence[Variable]) -> None:
        self._keys = keys
        self._variables = {key.name: key for key in keys}
        self._tables: dict[int, dict[tuple[str, str], tuple[Table, Table]]] = {}

    def add(self, cells: Target, synthesis: int, target: Variable | None = None) -> None:
        """Take up the pairs of some cells: those of a target, or those of the keys alone."""
        several = [*self._keys, *([target] if target else [])]
        if target:
            self._variables[target.name] = target
            wanted = [(place, len(self._keys)) for place in range(len(self._keys))]
        else:
            wanted = list(itertools.combinations(range(len(self._keys)), 2))
        fits = [
            (first, second)
            for first, second in wanted
            if all(several[place].has_levels for place in (first, second))
            and several[first].n_codes * several[second].n_codes <= MOST_PAIRS_OF_LEVELS
        ]
        used = {place for pair in fits for place in pair}
        classes = {place: classes_of(several[place], synthesis) for place in used}
        names = [one.name for one in several]
        kept = self._tables.setdefault(synthesis, {})
        for (first, second), counted in zip(fits, cells.tables(fits, classes), strict=True):
            kept[names[first], names[second]] = counted

    def findings(self) -> Iterator[Finding]:
        """Warn of codes that changed places."""
        for synthesis, tables in self._tables.items():
            found, supported = relabellings(tables)
            for one in found:
                yield Finding(
                    one.variable, synthesis, "levels_exchanged", "warning",
                    "it goes together with other variables as in the original once "
                    f"{len(one.classes)} of its levels change places (agreement {one.before:.2f} as it is, "
                    f"{one.after:.2f} then): do codes mean the same in both files?",
                    len(one.classes),
                )  # fmt: skip
            beside = {one.variable for one in found} | supported
            for name, variable in self._variables.items():
                if name not in beside and variable.has_levels:
                    yield from _of_shares(variable, synthesis)


def _of_shares(variable: Variable, synthesis: int) -> Iterator[Finding]:
    shares = exchanged(variable, synthesis)
    if shares:
        yield Finding(
            variable.name, synthesis, "levels_exchanged", "warning",
            f"shares of levels differ in {shares[0]:.1f} % of the records, and in {shares[1]:.1f} % once they change "
            "places: do codes mean the same in both files?",
            None, None, shares[0],
        )  # fmt: skip
