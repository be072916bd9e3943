"""How alike two files are in one table: counts of original and synthetic records by cell -> utility measures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discoreport.data.coding import Numbers

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class CellSums:
    """What the utility measures of one table are made of.

    Parameters
    ----------
    df
        Cells that hold a record of either file, less one.
    VW
        Voas and Williamson's statistic.
    MabsDD
        Mean absolute difference of the two distributions.
    PO50
        Percentage points above 50 of the records that are told apart by the file in which their cell is commoner.
    """

    df: int
    VW: float
    MabsDD: float
    PO50: float


@dataclass(frozen=True)
class Cells:
    """The cells of one table.

    Parameters
    ----------
    codes
        Which levels each has, in rising order: mixed radix, the last variable's changing fastest. Shape (cells,).
    counts
        Records by file and cell, the original first. Shape (files, cells).
    """

    codes: Counts
    counts: Counts


def standardised(d: Counts, s: Counts) -> Numbers:
    """Give for each cell by how much it differs, in standard errors; the squares add up to VW.

    Parameters
    ----------
    d, s
        Original and synthetic records by cell; every cell holds a record of either file. Shape (cells,) each.
    """
    difference, expected = _differences(d, s)
    errors: Numbers = difference / np.sqrt(expected)
    return errors


def cell_sums(d: Counts, s: Counts) -> CellSums:
    """Measure how alike two files are in one table.

    Parameters
    ----------
    d, s
        Original and synthetic records by cell; cells without any don't count. Shape (cells,) each.

    Returns
    -------
    CellSums
        0 throughout, ``df`` apart, where both files have the same shares and sizes.

    Notes
    -----
    With c = N_s / (N_d + N_s), the synthetic share of all records: a cell of t_d original and t_s synthetic records
    is expected to have e = (t_d + t_s) c synthetic ones, and differs by t_s - t_d c / (1 - c). VW is the sum of
    difference^2 / e; MabsDD that of the absolute differences, over N_s.

    References
    ----------
    Raab, Nowok and Dibben, "Assessing, visualizing and improving the utility of synthetic data", 2021,
    arXiv:2109.12717; Voas and Williamson, "Evaluating goodness-of-fit measures for synthetic microdata", 2001.

    Examples
    --------
    Of 4 records each, 3 and 1 have the first level: the differences are -2 and 2, expected are 2 and 2.

    >>> cell_sums(np.array([3, 1]), np.array([1, 3]))
    CellSums(df=1, VW=4.0, MabsDD=1.0, PO50=25.0)
    """
    filled = (d > 0) | (s > 0)
    d, s = d[filled], s[filled]
    difference, expected = _differences(d, s)
    told_apart = int(s[difference > 0].sum() + d[difference <= 0].sum())
    return CellSums(
        df=len(d) - 1,
        VW=float((difference**2 / expected).sum()),
        MabsDD=float(np.abs(difference).sum() / s.sum()),
        PO50=100 * told_apart / int(d.sum() + s.sum()) - 50,
    )


def _differences(d: Counts, s: Counts) -> tuple[Numbers, Numbers]:
    """Give by cell the synthetic records beyond the original's share, 0 where shares agree; and those expected."""
    n_d, n_s = int(d.sum()), int(s.sum())
    difference: Numbers = (s * n_d - d * n_s) / n_d
    expected: Numbers = (d + s) * n_s / (n_d + n_s)
    return difference, expected


def put_together(d: Counts, s: Counts, smallest: int) -> tuple[Counts, Counts]:
    """Put the cells of few records together, so that nothing that is told of the others gives a small count back.

    Parameters
    ----------
    d, s
        Original and synthetic records by cell; cells without any don't count. Shape (cells,) each.
    smallest
        Neither a cell that is left nor the one of those put together has fewer records of either file, as long as
        there are cells to add.

    Returns
    -------
    tuple of arrays
        The same with the smallest cells in one, which comes last.

    Examples
    --------
    The second cell is small, and known from the total unless the next larger one joins it.

    >>> put_together(np.array([30, 4, 12, 40]), np.array([40, 9, 15, 22]), 10)
    (array([30, 40, 16]), array([40, 22, 24]))
    """
    filled = (d > 0) | (s > 0)
    d, s = d[filled], s[filled]
    least = np.minimum(d, s)
    order = np.argsort(least, kind="stable")
    n = int(np.searchsorted(least[order], smallest))
    if n:
        enough = np.minimum(np.cumsum(d[order]), np.cumsum(s[order])) >= smallest
        enough[: n - 1] = False
        n = int(np.argmax(enough)) + 1 if enough.any() else len(order)
    few, rest = order[:n], np.sort(order[n:])
    together = ([d[few].sum()], [s[few].sum()]) if n else ([], [])
    return np.append(d[rest], together[0]).astype(np.int64), np.append(s[rest], together[1]).astype(np.int64)
