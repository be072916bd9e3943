"""Figures next to the organisation's thresholds, and which of them are above."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from discoreport.assessment.analysed import Analysed, led_here
from discoreport.assessment.analyses.result import named
from discoreport.assessment.documented import Documented
from discoreport.assessment.formatting import number, percentage
from discoreport.assessment.release.policy import Threshold, is_risk
from discoreport.assessment.results import EXCESS, excess, figure_of, highest
from discoreport.assessment.worst_file import worst_first
from discoreport.measures import FIGURES, MEASURES


@dataclass(frozen=True)
class Compared:
    """A figure next to the organisation's threshold. `place` is a target, or "" for the keys.

    `followed` says that it is the figure of an intruder who recodes what is known as the file was recoded;
    `in_doubt` that the files match so badly that a low figure means nothing. Where the settings name a unit, `of` says
    of whom it is, if not of records whose whole unit is known, and `file` of which synthetic file, counting from 1.
    """

    threshold: Threshold
    place: str
    value: float | None
    followed: bool = False
    in_doubt: bool = False
    of: str = ""
    file: int | None = None

    @property
    def target(self) -> str | None:
        """The target that it is a figure of, whatever it is called; None for the keys."""
        return None if FIGURES[self.threshold.measure].group == "identity" else self.place

    @property
    def name(self) -> str:
        """What it is called, also by the reason why it is accepted: the measure, and of which target."""
        return named(self.threshold.measure, self.place)

    @property
    def written(self) -> str:
        """The figure, with as many decimals as tell it from the threshold where it is above."""
        if self.value is None or not self.above:
            return percentage(self.value)
        written = (f"{self.value:.{decimals}f}" for decimals in itertools.count(1))
        return next(text for text in written if float(text) > self.threshold.limit)

    @property
    def above(self) -> bool | None:
        """Whether it is above; None where it can't be compared."""
        if self.value is None:
            return None
        return self.value > self.threshold.limit or (None if self.in_doubt else False)


def followed(assessment: Analysed) -> dict[tuple[str, str], float]:
    """Figures of an intruder who recodes what is known as the assessed file was recoded, by target and measure.

    Those of the assessment are taken with the original as it is. Under "" are identity measures.
    """
    found = led_here(assessment)
    if found is None:
        return {}
    figures: dict[tuple[str, str], float] = {}
    for one in found.figures:
        case = ("" if MEASURES[one.measure].group == "identity" else one.target, one.measure)
        if one.after is not None:
            figures[case] = max(one.after, figures.get(case, one.after))
    for target in found.settings.targets or ():
        beyond = excess({name: figures.get((target, name)) for name in ("DiSCO", "baseDiSCO")})
        figures |= {} if beyond is None else {(target, EXCESS): beyond}
    return figures


def compared(assessment: Documented) -> tuple[Compared, ...]:
    """Set every figure that the policy has a threshold for beside it, of the worst synthetic file.

    Where the settings name a unit, the highest counts of what is found by the keys of all its records, by those of one
    record alone, and for identity risk of units themselves.

    Parameters
    ----------
    assessment
        With its policy.

    Returns
    -------
    tuple of Compared
        Those above come first, then those that can't be compared; of each the keys, then the targets with most
        beyond chance.
    """
    order = {target: place for place, target in enumerate((None, *worst_first(assessment)))}
    by_recoding = followed(assessment)
    rows = [
        _compare(assessment, threshold, place, by_recoding.get((place, threshold.measure)))
        for threshold in assessment.policy.thresholds
        for place in ([""] if FIGURES[threshold.measure].group == "identity" else assessment.targets)
    ]
    return tuple(sorted(rows, key=lambda row: (row.above is not True, row.above is False, order[row.target])))


def in_words(assessment: Documented, rows: Sequence[Compared]) -> str:
    """Say how many figures are above, not above, or can't be compared; "none set" where there is no threshold."""
    if not assessment.policy.thresholds:
        return "none set"
    counts = Counter(row.above for row in rows)
    parts = [(counts[True], "above"), (counts[None], "can't be compared"), (counts[False], "not above")]
    return ", ".join(f"{number(n)} {what}" for n, what in parts if n) or "nothing to compare"


def to_accept(assessment: Documented) -> tuple[str, ...]:
    """Name the figures that are above a threshold or can't be compared with it."""
    return tuple(dict.fromkeys(row.name for row in compared(assessment) if row.above is not False))


def known_figures(assessment: Documented) -> tuple[str, ...]:
    """Name every figure that a threshold could be set for."""
    return tuple(
        named(entry.name, place)
        for entry in FIGURES.values()
        if is_risk(entry)
        for place in ([""] if entry.group == "identity" else assessment.targets)
    )


def worse_than(before: Documented, after: Documented) -> tuple[str, ...]:
    """Name the figures above a threshold or not comparable with it that were lower, or weren't there, before."""
    known = {row.name: row.value for row in compared(before)}
    return tuple(
        row.name
        for row in compared(after.model_copy(update={"policy": before.policy}))
        if row.above is not False and (row.value is None or row.value > (known.get(row.name) or 0))
    )


def _compare(assessment: Documented, threshold: Threshold, place: str, followed: float | None) -> Compared:
    target = None if FIGURES[threshold.measure].group == "identity" else place
    in_doubt = assessment.in_doubt(target)
    value, of, file = _largest(_by_whom(assessment, threshold.measure, target), threshold.limit)
    if followed is not None and followed > (value or 0):
        return Compared(threshold, place, followed, followed=True, in_doubt=in_doubt)
    return Compared(threshold, place, value, in_doubt=in_doubt, of=of, file=file)


def _by_whom(assessment: Documented, measure: str, target: str | None) -> dict[str, list[float | None]]:
    """Give one measure by file, of records, and where there are units, of these and of records known without them."""
    found, unit = {"": assessment.values(measure, target)}, assessment.settings.unit
    if unit is None:
        return found
    if measure in _OF_UNITS:
        found[f"of units by {unit}"] = [getattr(one, _OF_UNITS[measure]) for one in assessment.unit_risks]
    alone = [one.values for one in assessment.outcome.without_unit if one.target == (target or "")]
    found[f"of one record without its {unit}"] = [figure_of(one, measure) for one in alone]
    return found


_OF_UNITS = {"UiO": "percent_unique", "UiOiS": "percent_found", "repU": "percent"}
"""The identity measures that are known of units, too, by what `UnitRisk` calls them."""


def _largest(found: Mapping[str, Sequence[float | None]], limit: float) -> tuple[float | None, str, int | None]:
    """Give the largest value, of whom it is, and of which file.

    None where one is missing that could be above the limit while no other is.
    """
    values = [(value, of, file) for of, by_file in found.items() for file, value in enumerate(by_file, start=1)]
    largest = highest(value for value, *_ in values)
    if largest is None or (largest <= limit and any(value is None for value, *_ in values)):
        return None, "", None
    return next(one for one in values if one[0] == largest)
