"""Attribute measures: what the keys give away about a target."""

from __future__ import annotations

from typing import Any

from discoreport.measures.cells import Cells
from discoreport.measures.identity import n_original, n_synthetic
from discoreport.measures.registry import Denominator, Measure, by_chance, doctests, measure


@measure(
    "attribute",
    stands_for="Disclosive in Original",
    meaning="Original records whose keys determine the target in the original file itself.",
    formula="100 × Σ d_tq [d*_tq = d*_q] / N_d",
    source="Raab, Nowok, Dibben, section 3.3 and appendix",
    of=n_original,
    depends="original",
)
def Dorig(cells: Cells) -> Any:
    """Count the original records that the original itself would give away.

    >>> Dorig(Cells.example())  # F 31 and M 41 have one level each: 2 of 5
    40.0
    """
    return cells.total(cells.d, cells.disclosive_in_original)


@measure(
    "attribute",
    stands_for="Disclosive in Synthetic",
    meaning="Synthetic records whose keys determine the target in the synthetic file, as if it were real.",
    formula="100 × Σ s_tq [s*_tq = s*_q] / N_s",
    source="Raab, Nowok, Dibben, section 3.3 and appendix",
    of=n_synthetic,
    depends="synthetic",
)
def Dsyn(cells: Cells) -> Any:
    """Count the synthetic records with keys that have one target level.

    >>> Dsyn(Cells.example())  # F 30 and F 31, one record each, of 5
    40.0
    """
    return cells.total(cells.s, cells.disclosive_in_synthetic)


@measure(
    "attribute",
    stands_for="in Synthetic",
    meaning="Original records whose key combination occurs in the synthetic file.",
    formula="100 × Σ d_tq [s*_q > 0] / N_d",
    source="Raab, Nowok, Dibben, section 3.3.1",
    of=n_original,
    depends="both",
)
def iS(cells: Cells) -> Any:
    """Count the original records that an intruder would find in the synthetic file.

    >>> iS(Cells.example())  # all keys occur
    100.0
    """
    return cells.total(cells.d, cells.s_key_full > 0)


@measure(
    "attribute",
    stands_for="Disclosive in Synthetic, of the original",
    meaning="Original records for which the synthetic file names one target level, right or wrong.",
    formula="100 × Σ d_tq [some t' has s*_t'q = s*_q > 0] / N_d",
    source="Raab, Nowok, Dibben, section 3.3.1",
    of=n_original,
    depends="both",
    reference="baseDiS",
)
def DiS(cells: Cells) -> Any:
    """Count the original records about which an intruder would be certain.

    >>> DiS(Cells.example())  # F 30 (3 records) and F 31 (1), of 5
    80.0
    """
    return cells.total(cells.d, cells.key_disclosive_in_synthetic)


@measure(
    "attribute",
    stands_for="Disclosive in Synthetic, Correct in Original",
    meaning="Original records whose true target level the synthetic file gives away with certainty.",
    formula="100 × Σ d_tq [s*_tq = s*_q > 0] / N_d",
    source="Raab, Nowok, Dibben, section 3.3.1",
    of=n_original,
    depends="both",
    reference="baseDiSCO",
)
def DiSCO(cells: Cells) -> Any:
    """Count the original records about which an intruder would be certain, and right.

    >>> DiSCO(Cells.example())  # F 30 yes (2) and F 31 no (1), of 5
    60.0
    """
    return cells.total(cells.d, cells.disclosive_in_synthetic)


@measure(
    "attribute",
    stands_for="Disclosive in Synthetic, Disclosive in Original",
    meaning="As DiSCO, counting only records that the original itself would give away.",
    formula="100 × Σ d_tq [s*_tq = s*_q > 0, d*_tq = d*_q] / N_d",
    source="Raab, Nowok, Dibben, section 3.3.1",
    of=n_original,
    depends="other records",
)
def DiSDiO(cells: Cells) -> Any:
    """Count the records of DiSCO whose keys have one target level in the original, too.

    >>> DiSDiO(Cells.example())  # F 31 only, of 5
    20.0
    """
    return cells.total(cells.d, cells.disclosive_in_synthetic & cells.disclosive_in_original)


@measure(
    "attribute",
    stands_for="largest denominator",
    meaning="Most original records in one of the cells that make up DiSCO. Large ones hint at common knowledge.",
    formula="max d_tq over cells with s*_tq = s*_q > 0",
    source="Raab, Nowok, Dibben, section 3.3.1",
    of=None,
    depends="number",
    unit="records",
    higher_is_worse=False,
)
def max_denom(cells: Cells) -> Any:
    """Give the most records that one disclosive cell of the synthetic file gives away at once.

    >>> max_denom(Cells.example())  # F 30 yes has 2
    2.0
    """
    return cells.largest(cells.d, cells.disclosive_in_synthetic)


@measure(
    "attribute",
    stands_for="mean denominator",
    meaning="Mean number of original records in the cells that make up DiSCO.",
    formula="Σ d_tq / #{cells}, over cells with s*_tq = s*_q > 0 and d_tq > 0",
    source="Raab, Nowok, Dibben, section 3.3.1",
    of=Denominator("cells", lambda cells: cells.number(cells.disclosive_in_synthetic & (cells.d > 0))),
    depends="number",
    unit="records",
    higher_is_worse=False,
)
def mean_denom(cells: Cells) -> Any:
    """Give the mean number of records in the cells that make up DiSCO.

    >>> mean_denom(Cells.example())  # cells of 2 and 1
    1.5
    """
    return DiSCO.count(cells)


@by_chance(
    "attribute",
    "DiS",
    formula="100 × Σ d_q Σ_t H(s*_q, S*_t, N_s) [s*_q > 0] / N_d, where H(n, K, N) = C(K, n) / C(N, n)",
    of=n_original,
)
def baseDiS(cells: Cells) -> Any:
    """Add up the probabilities that the synthetic records with a record's keys would all have one level by chance.

    >>> round(baseDiS(Cells.example()), 6)  # F 30 and F 31 hold one record each: certain; M 41 three: 3/5 2/4 1/3
    82.0
    """
    return cells.drawn.total(cells.drawn.d * cells.drawn.chance.certain)


@by_chance(
    "attribute",
    "DiSCO",
    formula="100 × Σ d_tq H(s*_q, S*_t, N_s) [s*_q > 0] / N_d, where H(n, K, N) = C(K, n) / C(N, n)",
    of=n_original,
)
def baseDiSCO(cells: Cells) -> Any:
    """Add up the probabilities that the synthetic records with a record's keys would all have its level by chance.

    >>> round(baseDiSCO(Cells.example()), 6)  # yes is 3 of 5, no 2: F 30 2 × 3/5 + 2/5, F 31 2/5, M 41 (no) 0
    40.0
    """
    return cells.drawn.total(cells.drawn.d * cells.drawn.chance.correct)


EXCESS = Measure(
    "excess",
    "attribute",
    stands_for="DiSCO beyond chance",
    meaning="What the file gives away beyond the target's own distribution, in percentage points; it may be negative.",
    formula="DiSCO − baseDiSCO",
    source="the difference of both",
    count=lambda cells: DiSCO.count(cells) - baseDiSCO.count(cells),
    of=n_original,
    depends="chance",
    weighed=True,
    may_be_lacking=True,
)
"""A figure like a measure, but no column of the tables of measures: it is the difference of two of them."""


def disco_at(cells: Cells, tau: float) -> Any:
    """Count original records that the synthetic file gives away with at least a given certainty.

    Parameters
    ----------
    cells
        Cells of one target and one synthesis.
    tau
        Least share p = s_tq / s_q of a level among the synthetic records with its keys, 0 to 1.

    Returns
    -------
    number
        Sum of d_tq p over cells with p >= tau: the numerator of DiSCO at 1, of DCAP at 0.

    Examples
    --------
    >>> cells = Cells.example()
    >>> float(disco_at(cells, 1.0))  # as DiSCO
    3.0
    >>> round(float(disco_at(cells, 0.0)), 3)  # and M 41 no, with p = 1/3
    3.333
    """
    return cells.total(cells.attributable, cells.certainty >= tau)


__test__ = doctests(globals())
