"""What `membership` finds: how well somebody tells who was in the original from who was not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from discoreport.assessment.analyses.result import Finite, OwnFigure, SettingsResult, SynthesesResult
from discoreport.assessment.provenance import Source
from discoreport.data.findings.finding import Finding
from discoreport.measures.intervals import newcombe

COLUMNS = (
    "synthesis", "differing", "TPR", "FPR", "advantage", "low", "high", "precision", "recall", "F1", "relative_F1",
)  # fmt: skip
"""What a guess at membership is measured by, beside which guess it is; percentages all."""


class Called(Finite):
    """How many records of each file are called members.

    Parameters
    ----------
    synthesis
        By which synthetic file, counting from 1.
    differing
        In how many variables a synthetic record may differ, at most.
    original, control
        Records so called.
    """

    synthesis: int
    differing: int
    original: int
    control: int


@dataclass(frozen=True)
class Guess:
    """How well a guess tells members from others, in percent; None where there is nothing to divide by.

    Parameters
    ----------
    synthesis, differing
        Which guess; see `Called`.
    TPR, FPR
        The share of the original records, and of the control's, that is called a member.
    advantage, low, high
        The first less the second, in percentage points, with Newcombe's interval of 95 %.
    precision, F1, relative_F1
        At a base rate; recall is the TPR.
    """

    synthesis: int
    differing: int
    TPR: float
    FPR: float
    advantage: float
    low: float
    high: float
    precision: float | None
    F1: float | None
    relative_F1: float | None  # noqa: N815  # published measures keep their names

    @property
    def recall(self) -> float:
        """The share of the members that is called so."""
        return self.TPR


def at_base_rate(tpr: float, fpr: float, rate: float) -> tuple[float | None, float | None, float | None]:
    """Give precision, F1 and relative F1 of a guess where a share of the population are members; all from 0 to 1.

    Relative F1 is 0 for calling everybody a member and 1 for a guess that is always right; below 0 it is worse than
    calling everybody one.

    References
    ----------
    El Emam, Mosquera and Fang, "Validating a membership disclosure metric for synthetic health data", JAMIA Open 5,
    2022, doi 10.1093/jamiaopen/ooac083.

    Examples
    --------
    >>> precision, f1, relative = at_base_rate(0.8, 0.2, 0.5)
    >>> round(precision, 3), round(f1, 3), round(relative, 3)  # calling everybody a member has an F1 of 2/3
    (0.8, 0.8, 0.4)
    >>> at_base_rate(0.0, 0.0, 0.5)
    (None, None, None)
    """
    called = rate * tpr + (1 - rate) * fpr
    if not called:
        return None, None, None
    precision = rate * tpr / called
    if not precision + tpr:
        return precision, None, None
    f1, naive = 2 * precision * tpr / (precision + tpr), 2 * rate / (1 + rate)
    return precision, f1, (f1 - naive) / (1 - naive)


class Membership(SettingsResult, SynthesesResult):
    """How well somebody tells who was in the original; get one from `membership`. Aggregates only.

    Parameters
    ----------
    settings
        What was asked, targets written out.
    original, control, synthetic
        The files.
    variables
        The variables that were named; none where they are the keys.
    differing
        Up to how many variables may differ.
    base_rate
        As it was given: the share of the population that is in the original or, above 1, the size of the population;
        None where nobody said.
    called
        One for each synthesis and number of differing variables.
    findings
        How the control differs from the other files.
    """

    variables: tuple[str, ...] = ()
    control: Source
    differing: int
    base_rate: float | None = None
    called: tuple[Called, ...]
    findings: tuple[Finding, ...] = ()

    def own_figures(self) -> Iterator[OwnFigure]:
        """Give what of the original is found by all keys, where an assessment that leaves nothing out has it as iS."""
        asked, targets = self.settings, self.settings.targets or ()
        missing = any(map(asked.excludes_missing, (*asked.keys, *targets)))
        if self.variables or missing or asked.exclude or asked.max_denominator is not None or asked.unit is not None:
            return
        for one in self.guesses:
            if one.differing == 0:
                yield from ((target, one.synthesis, "iS", one.TPR) for target in targets)

    @property
    def known(self) -> tuple[str, ...]:
        """The variables that somebody knows."""
        return self.variables or self.settings.keys

    @property
    def rate(self) -> float:
        """The base rate: the share of the population, or of both files where nobody said, that is in the original."""
        n = self.original.n_records
        if self.base_rate is None:
            return n / (n + self.control.n_records)
        return n / self.base_rate if self.base_rate > 1 else self.base_rate

    def guess(self, one: Called, rate: float | None = None) -> Guess:
        """Measure a guess at a base rate; by default at that of the population."""
        n, n_control = self.original.n_records, self.control.n_records
        tpr, fpr = one.original / n, one.control / n_control
        ends = newcombe(one.original, n, one.control, n_control)
        low, high = max(ends[0], -1.0), min(ends[1], 1.0)
        plain = (tpr, fpr, tpr - fpr, low, high)
        of_rate = at_base_rate(tpr, fpr, self.rate if rate is None else rate)
        return Guess(
            one.synthesis,
            one.differing,
            *(100 * value for value in plain),
            *(None if value is None else 100 * value for value in of_rate),
        )

    @property
    def guesses(self) -> tuple[Guess, ...]:
        """Every guess, by synthesis, with fewest differing variables first."""
        return tuple(self.guess(one) for one in self.called)

    @property
    def worst(self) -> Guess:
        """The guess with the greatest advantage, of any file."""
        return max(self.guesses, key=lambda one: one.advantage)

    @property
    def of_worst_file(self) -> tuple[Called, ...]:
        """What the file with that guess calls members."""
        worst = self.worst.synthesis
        return tuple(one for one in self.called if one.synthesis == worst)

    @property
    def table(self) -> pd.DataFrame:
        """One row for each synthesis and number of differing variables; see `COLUMNS`. In percent."""
        rows = [[getattr(one, name) for name in COLUMNS] for one in self.guesses]
        return pd.DataFrame(rows, columns=list(COLUMNS)).astype(dict.fromkeys(COLUMNS[2:], "float64"))

    def percentages(self) -> Iterator[float]:
        """Give every percentage that tables show."""
        for one in self.guesses:
            yield from (value for name in COLUMNS[2:] if (value := getattr(one, name)) is not None)
