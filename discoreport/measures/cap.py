"""The CAP family: how probable a correct attribution is, by several denominators."""

from __future__ import annotations

from typing import Any

from discoreport.measures import attribute
from discoreport.measures.cells import Cells
from discoreport.measures.identity import n_original, n_synthetic
from discoreport.measures.registry import Denominator, by_chance, denominator, doctests, measure

WITHOUT_KEYS = ("baseCAPd", "baseMode")
"""Measures of the target alone, which no key has a part in."""

n_certain = Denominator("original records for which the synthetic file names one value", attribute.DiS.count)


@denominator("synthetic records whose keys occur in the original")
def n_both(cells: Cells) -> Any:
    """Count the synthetic records left whose keys occur among the original records left (N_b)."""
    return cells.total(cells.s, cells.d_key > 0)


def _correct(cells: Cells) -> Any:
    return cells.total(cells.d * cells.share(cells.s, cells.s_key))


def squared_deviations(cells: Cells) -> float:
    """Sum the squared deviations of the original records' probabilities of a correct attribution from their mean.

    Parameters
    ----------
    cells
        In memory. A record that is left out has a probability of 0, as in DCAP_d.

    Examples
    --------
    >>> round(squared_deviations(Cells.example()), 4)  # 1, 1, 0, 1 and 1/3, mean 2/3: 3/9 + 4/9 + 1/9
    0.8889
    """
    probabilities = cells.share(cells.s, cells.s_key)
    mean = float(_correct(cells)) / cells.n_original
    left_out = cells.n_original - int(cells.d.sum())
    return float((cells.d * (probabilities - mean) ** 2).sum()) + left_out * mean**2


@measure(
    "cap",
    stands_for="baseline CAP",
    meaning="Probability that two original records drawn at random, the first put back, have the same level.",
    formula="100 × Σ_t (d*_t / N_d)²",
    source="Raab, Nowok, Dibben, appendix",
    of=Denominator("original records", lambda cells: cells.n_original**2),
    depends="original",
    weighed=True,
    higher_is_worse=False,
)
def baseCAPd(cells: Cells) -> Any:
    """Sum the squares of the target levels' records.

    >>> round(baseCAPd(Cells.example()), 6)  # yes 2, no 3: (4 + 9) / 25
    52.0
    """
    return cells.levels.total(cells.levels.d_full * cells.levels.d_full)


@measure(
    "cap",
    stands_for="always naming the commonest level",
    meaning="How often that would be right, for somebody who knows no keys.",
    formula="100 × max_t d*_t / N_d",
    source="the best guess that uses no key",
    of=n_original,
    depends="original",
    higher_is_worse=False,
    may_be_lacking=True,
)
def baseMode(cells: Cells) -> Any:
    """Count the original records of the commonest level.

    >>> baseMode(Cells.example())  # yes 2, no 3, of 5
    60.0
    """
    return cells.levels.largest(cells.levels.d_full, cells.levels.d_full > 0)


@measure(
    "cap",
    stands_for="CAP in the original",
    meaning="How often a guess from the keys would be right for somebody who has the original file.",
    formula="100 × Σ d_tq (d_tq / d_q) / N_d",
    source="Raab, Nowok, Dibben, appendix",
    of=n_original,
    depends="original",
    weighed=True,
)
def CAPd(cells: Cells) -> Any:
    """Sum the probabilities of a correct attribution in the original.

    >>> round(CAPd(Cells.example()), 4)  # (2 × 2/3 + 1 × 1/3 + 1 + 1) / 5
    73.3333
    """
    return cells.total(cells.d * cells.share(cells.d, cells.d_key))


@measure(
    "cap",
    stands_for="CAP in the synthetic file",
    meaning="The same in the synthetic file, as if it were real.",
    formula="100 × Σ s_tq (s_tq / s_q) / N_s",
    source="Raab, Nowok, Dibben, appendix",
    of=n_synthetic,
    depends="synthetic",
    weighed=True,
)
def CAPs(cells: Cells) -> Any:
    """Sum the probabilities of a correct attribution in the synthetic file.

    >>> round(CAPs(Cells.example()), 4)  # (1 + 1 + 1 × 1/3 + 2 × 2/3) / 5
    73.3333
    """
    return cells.total(cells.s * cells.share(cells.s, cells.s_key))


@measure(
    "cap",
    stands_for="differential CAP, of the original records",
    meaning="How often a guess from the synthetic file would be right, over all original records.",
    formula="100 × Σ d_tq (s_tq / s_q) / N_d",
    source="Raab, Nowok, Dibben, section 3.3.2",
    of=n_original,
    depends="both",
    weighed=True,
    reference="baseDCAP_d",
)
def DCAP_d(cells: Cells) -> Any:
    """Sum the probabilities of a correct attribution from the synthetic file.

    >>> round(DCAP_d(Cells.example()), 4)  # (2 × 1 + 1 × 1 + 1 × 1/3) / 5
    66.6667
    """
    return _correct(cells)


@measure(
    "cap",
    stands_for="differential CAP, of the synthetic records",
    meaning="The same sum over the number of synthetic records: too high where fewer are released.",
    formula="100 × Σ d_tq (s_tq / s_q) / N_s",
    source="Raab, Nowok, Dibben, section 3.3.2",
    of=n_synthetic,
    depends="synthetic records",
    weighed=True,
)
def DCAP_s(cells: Cells) -> Any:
    """Sum the probabilities of a correct attribution from the synthetic file.

    >>> round(DCAP_s(Cells.example()), 4)  # as DCAP_d: both files have 5 records
    66.6667
    """
    return _correct(cells)


@measure(
    "cap",
    stands_for="differential CAP, of the synthetic records found",
    meaning="The same sum over the synthetic records whose keys occur in the original.",
    formula="100 × Σ d_tq (s_tq / s_q) / N_b",
    source="Raab, Nowok, Dibben, section 3.3.2",
    of=n_both,
    depends="synthetic records",
    weighed=True,
)
def DCAP_b(cells: Cells) -> Any:
    """Sum the probabilities of a correct attribution from the synthetic file.

    >>> round(DCAP_b(Cells.example(("M 99", "no", 0, 5))), 4)  # over 5 of the 10 synthetic records
    66.6667
    """
    return _correct(cells)


@measure(
    "cap",
    stands_for="targeted CAP, of the synthetic records",
    meaning="The records of DiSCO over the number of synthetic records: too high where fewer are released.",
    formula="100 × Σ d_tq [s*_tq = s*_q > 0] / N_s",
    source="Raab, Nowok, Dibben, section 3.3.2",
    of=n_synthetic,
    depends="synthetic records",
)
def TCAP_s(cells: Cells) -> Any:
    """Count the records of DiSCO.

    >>> TCAP_s(Cells.example())  # 3 of 5
    60.0
    """
    return attribute.DiSCO.count(cells)


@measure(
    "cap",
    stands_for="targeted CAP, of the synthetic records found",
    meaning="The records of DiSCO over the synthetic records whose keys occur in the original.",
    formula="100 × Σ d_tq [s*_tq = s*_q > 0] / N_b",
    source="Raab, Nowok, Dibben, section 3.3.2",
    of=n_both,
    depends="synthetic records",
)
def TCAP_b(cells: Cells) -> Any:
    """Count the records of DiSCO.

    >>> TCAP_b(Cells.example(("M 99", "no", 0, 5)))  # 3 over 5 of the 10 synthetic records
    60.0
    """
    return attribute.DiSCO.count(cells)


@measure(
    "cap",
    stands_for="targeted CAP",
    meaning="How often an intruder who is certain is right. It hides how rarely that happens.",
    formula="100 × Σ d_tq [s*_tq = s*_q > 0] / N_bp, where N_bp is the numerator of DiS",
    source="Raab, Nowok, Dibben, section 3.3.2",
    of=n_certain,
    depends="both",
)
def TCAP(cells: Cells) -> Any:
    """Count the records of DiSCO, to be set against those of DiS.

    >>> TCAP(Cells.example())  # 3 of 4
    75.0
    """
    return attribute.DiSCO.count(cells)


@by_chance(
    "cap",
    "DCAP_d",
    formula="100 × Σ d_tq (S*_t / N_s) [s*_q > 0] / N_d",
    of=n_original,
)
def baseDCAP_d(cells: Cells) -> Any:
    """Add up the shares of each record's level in the synthetic file, where its keys occur there.

    >>> round(baseDCAP_d(Cells.example()), 6)  # yes is 3 of 5, no 2: (2 × 3/5 + 3 × 2/5) / 5
    48.0
    """
    return cells.drawn.total(cells.drawn.d * cells.drawn.chance.attributed)


__test__ = doctests(globals())
