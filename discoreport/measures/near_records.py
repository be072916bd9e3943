"""How near the nearest synthetic record is: in how many variables it differs, found by joins, not by all pairs.

Two records differ in at most h of k variables just where they agree on all of some k - h of them. So the records that a
file has something near are those that a join over some subset of so many variables finds.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.integer]
_LIMIT = 2**62


def n_joins(n_variables: int, most: int) -> int:
    """Give the number of subsets that records are joined over, to find those that differ in at most so many."""
    return sum(math.comb(n_variables, differing) for differing in range(min(most, n_variables - 1) + 1))


def distances(
    synthetic: Sequence[Column],
    records: Sequence[Column],
    most: int,
    told: Callable[[int], object] = lambda _: None,
) -> npt.NDArray[np.int64]:
    """Give for each record in how many variables the synthetic record differs that is nearest to it.

    Parameters
    ----------
    synthetic, records
        For each variable its codes, from 0 on and alike on both sides; shape (records of the side,) each.
    most
        Beyond so many, how many doesn't matter.
    told
        Called with each number of differing variables before it is looked for.

    Returns
    -------
    numpy.ndarray
        Shape (records,); ``most + 1`` where the nearest differs in more than `most`.

    Examples
    --------
    >>> synthetic = [np.array([0, 1]), np.array([0, 1]), np.array([0, 1])]
    >>> records = [np.array([0, 0, 2]), np.array([0, 1, 3]), np.array([0, 2, 2])]
    >>> distances(synthetic, records, 2).tolist()
    [0, 2, 3]
    """
    n_variables, n_synthetic = len(synthetic), len(synthetic[0])
    columns = [np.concatenate(pair).astype(np.int64) for pair in zip(synthetic, records, strict=True)]
    whole = _numbers(columns)
    theirs, (ours, place) = _firsts(whole[:n_synthetic]), _firsts_and_places(whole[n_synthetic:])
    columns = [np.concatenate([of[:n_synthetic][theirs], of[n_synthetic:][ours]]) for of in columns]
    n_theirs = len(theirs)
    found = np.full(len(ours), most + 1, np.int64)
    for differing in range(most + 1):
        told(differing)
        if differing >= n_variables:
            found[found > differing] = differing
            break
        for subset in itertools.combinations(columns, n_variables - differing):
            open_ = np.flatnonzero(found > differing)
            if not len(open_):
                break
            numbers = _numbers([np.concatenate([of[:n_theirs], of[n_theirs:][open_]]) for of in subset])
            found[open_[np.isin(numbers[n_theirs:], numbers[:n_theirs])]] = differing
    return found[place]


def _numbers(columns: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    """Combine codes into one number a record: equal numbers mean equal codes."""
    numbers, n_numbers = np.zeros(len(columns[0]), np.int64), 1
    for codes in columns:
        width = int(codes.max(initial=0)) + 1
        if n_numbers * width >= _LIMIT:
            found, numbers = np.unique(numbers, return_inverse=True)
            n_numbers = len(found)
        numbers = numbers * width + codes
        n_numbers *= width
    return numbers


def _firsts(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """Give a place of each distinct number."""
    return np.unique(numbers, return_index=True)[1]


def _firsts_and_places(numbers: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Give a place of each distinct number, and for each number which of these it is."""
    _, firsts, places = np.unique(numbers, return_index=True, return_inverse=True)
    return firsts, places
