"""Whole records of a file that are records of another: how many, and how many chance would give."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import Variable, as_index, starts_of
from discoreport.data.findings.comparison import Meeting
from discoreport.data.parallel import in_threads
from discoreport.measures.cells import Keys
from discoreport.measures.intervals import newcombe
from discoreport.measures.memory_engine import TargetCells

Prints = npt.NDArray[np.uint64]
Printed = tuple[Prints, npt.NDArray[np.int32], npt.NDArray[np.int32]]
"""Combinations of values as numbers, and the original and synthetic records of each."""
MOST_PARTS = 14
"""Variables are left out one by one and two by two up to this many; beyond that several together."""
MOST_COMBINATIONS = 50_000
"""Where more combinations of values occur, some of them are looked at, all records of each: about this many."""
MORE = 1.25
"""Records equal an original one more often than is usual where they do so this many times as often, and then some.

Models that draw values of the original's own records, as trees do, meet these up to 1.2 times as often as each other.
"""
_SELDOM = 0.001
"""What has a smaller probability by chance is no chance."""
SURELY = 1 - _SELDOM
"""Confidence of intervals that tell copies from chance."""
CLEARLY = 6.0
"""Standard deviations of a Poisson variable that chance doesn't bridge, however many variables are left out in turn."""


@dataclass(frozen=True)
class Matches:
    """Records of the original that a second file shows whole, over some variables.

    Parameters
    ----------
    n_original, n_synthetic
        Records in the two files.
    synthetic_records
        Records of the second file that equal an original record.
    original_records, unique_original_records
        Original records that they equal, and those of them that no other original record equals.
    unique_records
        Original records that no other original record equals.
    on_unique, on_the_same
        Records of the second file that equal one of these, and pairs of them that equal one and the same.
    repeated_in_original
        Original records that another original record equals.
    repeated_in_synthetic
        Records of the second file that another one of its own equals, brought to the size of the original.
    n_differing
        Combinations of values that are more frequent in one file than in the other.
    n_combinations, logs
        Combinations of values in the original, and the sum of the natural logarithms of their records.
    reordered
        Share of the second file's records that would equal an original one if the variables were independent, where one
        alone has the original's values once each: they were reordered, and where nearly every record has a value of
        its own, little else takes part in meeting.
    """

    n_original: int
    n_synthetic: int
    synthetic_records: int
    original_records: int
    unique_original_records: int
    unique_records: int
    on_unique: int
    on_the_same: int
    repeated_in_original: int
    repeated_in_synthetic: float
    n_differing: int
    n_combinations: int
    logs: float
    reordered: float

    @property
    def share(self) -> float:
        """Share of the second file's records that equal an original record, 0 to 1."""
        return self.synthetic_records / self.n_synthetic

    @property
    def usual_in_original(self) -> float:
        """Share that further records of the same population would have: that of the original's own.

        How often one of a file's records equals another one estimates how often a further record would
        (Good, "The population frequencies of species and the estimation of population parameters", 1953).
        """
        return max(self.reordered, self.repeated_in_original / self.n_original)

    @property
    def usual(self) -> float:
        """Share that chance gives: the original's own repetitions, or those of the second file where they are more.

        A model that holds some records likely draws them again and again, whether they are in the original or not.
        Records that were copied meet the original more often than each other.
        """
        return max(self.usual_in_original, min(1.0, self.repeated_in_synthetic / self.n_synthetic))

    def exceeds(self, usual: float, by: float = 0.0, confidence: float = SURELY) -> bool:
        """Tell whether more records equal an original one than is usual: by a share, and by Newcombe's interval."""
        n = max(self.n_original, self.n_synthetic)
        low, _ = newcombe(self.synthetic_records, self.n_synthetic, usual * n, n, confidence)
        return self.share > MORE * usual + by and low > 0

    @property
    def is_same(self) -> bool:
        """Whether every combination of values is just as frequent in both files."""
        return self.n_differing == 0

    @property
    def were_dealt(self) -> bool:
        """Whether unique original records are met again far more seldom than if they had been drawn at random.

        Draws from a model, and from the original itself with replacement, hit some records twice. Records that
        were taken over one by one hit each once.
        """
        beyond: bool = self.on_unique > MORE * self.reordered * self.n_synthetic
        return beyond and dealt(self.unique_records, self.on_unique, self.on_the_same)


def dealt(unique: int, on_unique: int, on_the_same: int) -> bool:
    """Tell whether unique values were met again far more seldom than chance gives; see `Matches.were_dealt`.

    Examples
    --------
    >>> dealt(400, 300, 0), dealt(400, 300, 112), dealt(4, 4, 0)  # chance gives 112 pairs; 112; one or two
    (True, False, False)
    """
    by_chance = on_unique * (on_unique - 1) / 2 / max(unique, 1)
    return by_chance - on_the_same > max(CLEARLY * math.sqrt(by_chance), by_chance / 2)


def _dealt(values: Meeting) -> bool:
    return dealt(values.unique, values.on_unique, values.on_the_same)


def reordered(meetings: Sequence[Meeting], n_original: int) -> float:
    """Give `Matches.reordered` for variables whose values meet so."""
    if not any(_dealt(one) for one in meetings):
        return 0.0
    return min(1.0, n_original * math.prod(one.share for one in meetings))


def sums(keys: Any, n_original: int, n_synthetic: int) -> dict[str, Any]:
    """Write down what `Matches` holds as sums over combinations of values, for any engine.

    Examples
    --------
    >>> d, s = np.array([1, 1, 2, 0]), np.array([1, 0, 3, 1])  # original and synthetic records of four combinations
    >>> found = matches(sums(Keys(d, s, d, s), 4, 5), 4, 5, reordered=0.0)
    >>> found.synthetic_records, found.original_records, found.unique_original_records
    (4, 3, 1)
    >>> found.repeated_in_original
    2
    """
    d, s = keys.d, keys.s
    ratio = n_original / n_synthetic
    repeated = keys.total(s, s > 1)
    if ratio < 1:  # among fewer records fewer meet another one
        repeated = keys.total(s - s * (1 - ratio) ** s / (1 - ratio), s > 1)
    return {
        "synthetic_records": keys.total(s, d > 0),
        "original_records": keys.total(d, s > 0),
        "unique_original_records": keys.number((d == 1) & (s > 0)),
        "unique_records": keys.number(d == 1),
        "on_unique": keys.total(s, d == 1),
        "on_the_same": keys.total(s * (s - 1), d == 1),
        "repeated_in_original": keys.total(d, d > 1),
        "repeated_in_synthetic": repeated,
        "n_combinations": keys.number(d > 0),
        "logs": keys.total(keys.log(d)),
        "n_differing": keys.number(d != s),
    }


def matches(found: dict[str, Any], n_original: int, n_synthetic: int, reordered: float) -> Matches:
    """Put sums that were collected together."""
    whole = {name: int(value or 0) for name, value in found.items() if name not in ("repeated_in_synthetic", "logs")}
    return Matches(
        n_original=n_original,
        n_synthetic=n_synthetic,
        **{**whole, "on_the_same": whole["on_the_same"] // 2},
        reordered=reordered,
        logs=float(found["logs"]),
        repeated_in_synthetic=float(found["repeated_in_synthetic"] or 0) * max(1.0, n_original / n_synthetic),
    )


def without_some(records: TargetCells, meetings: Sequence[Meeting]) -> Iterator[tuple[tuple[str, ...], Matches]]:
    """Compare whole records of the original and another file, with one or two variables left out in turn.

    Parameters
    ----------
    records
        The records of both by all of the variables, as keys. Where these are more than `MOST_PARTS`, several
        are left out at once.
    meetings
        For each variable how its values meet in the two files.

    Yields
    ------
    names of the variables left out, what is found without them; nothing where no record meets another then
    """
    variables = records.keys
    parts = [part.tolist() for part in np.array_split(np.arange(len(variables)), min(len(variables), MOST_PARTS))]
    left_out = [out for n in (1, 2) if n < len(parts) for out in itertools.combinations(range(len(parts)), n)]
    any_dealt = any(map(_dealt, meetings))
    printed = _print(records, parts, left_out)

    def compare_without(one: tuple[Sequence[int], Printed]) -> Matches | None:
        out, of_rest = one
        rest = [place for part, of in enumerate(parts) if part not in out for place in of]
        by_order = reordered([meetings[place] for place in rest], records.alike.n_original) if any_dealt else 0.0
        return _compare(of_rest, by_order)

    compared = in_threads(compare_without, [*zip(left_out, printed, strict=True)], records.n_cells)
    for out, found in zip(left_out, compared, strict=True):
        if found is not None:
            yield tuple(variables[place].name for part in out for place in parts[part]), found


def _print(records: TargetCells, parts: Sequence[Sequence[int]], left_out: Sequence[Sequence[int]]) -> list[Printed]:
    """Print combinations by all groups of variables but some; of many combinations, some are looked at.

    Those are the ones whose print, without what is left out, ends in zeros.

    Parameters
    ----------
    records
        By all of the variables, as keys.
    parts
        Groups of variables, by their places.
    left_out
        One or two of the groups each time.

    Returns
    -------
    list of prints, original records, synthetic records
        One of each for what is left out.
    """
    of_levels = [_of_levels(key) for key in records.keys]
    one_in = 2 ** max(0, math.ceil(math.log2(max(records.n_cells, 1) / MOST_COMBINATIONS)))
    few_bits = np.min_scalar_type(one_in - 1)  # they are enough to choose by
    last, bits = few_bits.type(one_in - 1), [levels.astype(few_bits) for levels in of_levels]

    def of_piece(piece: TargetCells) -> list[Printed]:
        piece = replace(piece)  # what is laid out is gone with it
        codes, d, s = piece.key_codes, piece.cells.d_full, piece.cells.s_full
        whole = np.zeros(len(d), np.uint64)
        own = np.zeros((len(parts), len(d)), few_bits)
        for part, places in enumerate(parts):
            for place in places:
                whole += of_levels[place][codes[place]]
                own[part] += bits[place][codes[place]]
        others = (whole.astype(few_bits) - own) & last
        own &= last
        chosen = []
        for first, *second in left_out:
            # Without both, a print ends in zeros where the rest without the first ends as the second does.
            kept = np.flatnonzero(others[first] == (own[second[0]] if second else 0))
            prints = whole[kept]
            for place in (place for part in (first, *second) for place in parts[part]):
                prints -= of_levels[place][codes[place][kept]]
            chosen.append((prints, d[kept].astype(np.int32), s[kept].astype(np.int32)))
        return chosen

    of_pieces = in_threads(of_piece, [*records.pieces()], records.n_cells)
    return [_joined(of_out) for of_out in zip(*of_pieces, strict=True)]


def _joined(parts: Sequence[Printed]) -> Printed:
    prints, d, s = map(np.concatenate, zip(*parts, strict=True)) if len(parts) > 1 else parts[0]
    return prints, d, s


def _of_levels(variable: Variable) -> Prints:
    """Give each code a number that stands for its value, drawn at random, but always the same."""
    random = np.random.default_rng([variable.n_codes, *variable.name.encode()])
    return random.integers(2**64, size=variable.n_levels + 1, dtype=np.uint64)


def _prints(variables: Sequence[Variable], file: int) -> Prints:
    """Give each record a number that stands for its values: equal where these are, else as good as never."""
    numbers = np.zeros(len(variables[0].codes[file]), np.uint64)
    for variable in variables:
        numbers += _of_levels(variable)[as_index(variable.codes[file])]
    return numbers


def equal_records(variables: Sequence[Variable], aside: Sequence[Variable], synthesis: int) -> tuple[int, float]:
    """Count the records of a synthetic file that equal an original one, in memory, and how many would by chance.

    Parameters
    ----------
    variables, aside
        Records are compared by all of them; by chance, the two groups meet independently.
    synthesis
        Which synthetic file, counting from 1.
    """
    of_kept, of_aside = ([_prints(part, file) for file in (0, synthesis)] for part in (variables, aside))
    original, synthetic = (kept + left for kept, left in zip(of_kept, of_aside, strict=True))
    expected = _equal_pairs(*of_aside) * _equal_pairs(*of_kept) / (len(original) * len(synthetic))
    return int(np.isin(synthetic, original).sum()), expected


def _equal_pairs(original: Prints, synthetic: Prints) -> float:
    """Count the pairs of an original and a synthetic record that are equal."""
    (prints, d), (others, s) = (np.unique(one, return_counts=True) for one in (original, synthetic))
    _, ours, theirs = np.intersect1d(prints, others, assume_unique=True, return_indices=True)
    return float(d[ours].astype(np.float64) @ s[theirs])


def _compare(printed: Printed, reordered: float) -> Matches | None:
    """Count what prints and their original and synthetic records tell; None where no record meets another."""
    prints, *counts = printed
    order = prints.argsort()
    starts = starts_of(prints[order])
    if not len(starts):
        return None
    d, s = (np.add.reduceat(of[order], starts, dtype=np.int64) for of in counts)
    if not ((d > 0) & (s > 0)).any():
        return None
    n = int(d.sum()), int(s.sum())
    return matches(sums(Keys(d, s, d, s), *n), *n, reordered)
