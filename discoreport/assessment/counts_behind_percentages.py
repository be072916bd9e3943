"""The records behind a percentage: how many there are, and of how many; by synthesis, and of the worst."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from discoreport.assessment.analysed import Analysed
from discoreport.assessment.formatting import percent
from discoreport.assessment.measured import Measured
from discoreport.assessment.results import Result
from discoreport.assessment.worst_file import worst_file
from discoreport.measures import MEASURES
from discoreport.measures.registry import Records

_OF_ORIGINAL: Records = "original records"
_OF_SYNTHETIC: Records = "synthetic records"


@dataclass(frozen=True)
class Share:
    """A percentage with the records behind it.

    Parameters
    ----------
    percent
        Out of 100; None where there is nothing to divide by.
    n_records
        Records that are counted; an expectation where the measure adds up probabilities.
    denominator, n_denominator
        Out of which records, in words, and how many those are. The number is None where neither the
        assessment holds it nor it follows from another measure.
    """

    percent: float | None
    n_records: float | None
    denominator: str
    n_denominator: float | None

    @property
    def records(self) -> int | None:
        """The records that are counted, as a whole number."""
        return None if self.n_records is None else round(self.n_records)

    @property
    def total(self) -> int | None:
        """Out of how many, as a whole number."""
        return None if self.n_denominator is None else round(self.n_denominator)

    @property
    def words(self) -> dict[str, str]:
        """The share as a tooltip tells it."""
        if self.n_records is None or self.n_denominator is None:
            return {"value": percent(self.percent), "count": f"of the {self.denominator}"}
        about = "" if self.n_records == round(self.n_records) else "about "  # an expectation
        counted = f"{about}{self.records:,} of {self.total:,} {self.denominator}"
        return {"value": percent(self.percent), "count": counted}


def share(assessment: Measured, result: Result, measure: str) -> Share:
    """Find the records behind one measure of one synthesis."""
    value, entry = result.values[measure], MEASURES[measure]
    if entry.of is None:
        raise TypeError(f"{measure} is no share.")
    records = entry.of.records
    of = _COUNTED[records](assessment, result)
    if value is None or of is None:
        return Share(value, None, records, of)
    n_records = value * of / 100
    return Share(value, round(n_records, 6) if entry.weighed else round(n_records), records, of)


def worst_share(assessment: Measured, measure: str) -> Share:
    """Find the records behind one measure of the file that is worst for the keys."""
    return share(assessment, worst_file(assessment), measure)


def shares(assessment: Measured, measure: str, target: str | None = None) -> list[Share]:
    """Find the records behind one measure for each synthesis; identity measures need no target."""
    results = (
        assessment.identity_results
        if target is None
        else [result for result in assessment.outcome.results if result.target == target]
    )
    return [share(assessment, result, measure) for result in results]


def of_original(value: float, n_original: int) -> Share:
    """Find the original records behind a percentage of them."""
    return Share(value, round(value * n_original / 100), _OF_ORIGINAL, n_original)


def expected(value: float, n_original: int) -> Share:
    """Find the original records behind a percentage of them that adds up probabilities."""
    return Share(value, round(value * n_original / 100, 6), _OF_ORIGINAL, n_original)


def any_file(assessment: Analysed, measure: str, target: str | None = None) -> Share | None:
    """Give the original records that at least one of several files gives away, those of earlier releases among them.

    None where there is one file, where a measure has no such figure, and in records saved before it was found.
    """
    found = assessment.analyses.pooled
    figure = found.figure(measure, target) if found is not None and found.n_files > 1 else None
    return None if figure is None or figure.any is None else of_original(figure.any, assessment.original.n_records)


@dataclass(frozen=True)
class Classes:
    """Key combinations of one size in one file: how many, and the share of the records in them."""

    n_classes: int
    share: Share

    @property
    def n_records(self) -> float:
        """The records in them."""
        return self.share.n_records or 0


def classes_by_size(assessment: Measured) -> dict[str, dict[str, list[Classes]]]:
    """Give by file ("original", "synthetic") and size the key combinations, one for each synthesis.

    Those of the original are the same for every synthesis and stand there once.
    """
    found: dict[str, dict[str, list[Classes]]] = {}
    for one in assessment.outcome.class_sizes:
        original = one.table == "original"
        if original and one.synthesis > 1:
            continue
        n_of = assessment.original.n_records if original else of_synthesis(assessment, one.synthesis)
        denominator = _OF_ORIGINAL if original else _OF_SYNTHETIC
        counted = Share(100 * one.n_records / n_of, one.n_records, denominator, n_of)
        found.setdefault(one.table, {}).setdefault(one.size, []).append(Classes(one.n_classes, counted))
    return found


def classes_of_worst(assessment: Measured) -> dict[str, dict[str, Classes]]:
    """Give by file and size the key combinations of the original, and of the synthetic file worst for the keys."""
    synthesis = worst_file(assessment).synthesis
    return {
        table: {size: several[synthesis - 1 if table == "synthetic" else 0] for size, several in sizes.items()}
        for table, sizes in classes_by_size(assessment).items()
    }


def tip(assessment: Measured, measure: str, target: str | None = None) -> dict[str, str]:
    """Tell a measure as a tooltip does: which file is worst, its name, its value there, and the records behind it."""
    worst = worst_file(assessment, target)
    return {**of_file(assessment, worst.synthesis), "measure": measure, **share(assessment, worst, measure).words}


def of_file(assessment: Measured, synthesis: int) -> dict[str, str]:
    """Say which of several files is the worst that a figure shows, as a tooltip does; nothing where there is one."""
    return {"synthesis": worst_name(synthesis)} if len(assessment.synthetic) > 1 else {}


def worst_name(synthesis: int) -> str:
    """Name the file that is worst of several, as tables and tooltips do."""
    return f"{synthesis} (worst)"


def of_synthesis(assessment: Measured, synthesis: int) -> int:
    """Give the number of records of one synthetic file."""
    return assessment.synthetic[synthesis - 1].n_records


def _n_both(assessment: Measured, result: Result) -> int | None:
    """Work N_b out from two measures with the same numerator; None where that is 0."""
    over_original, over_both = result.values["DCAP_d"], result.values["DCAP_b"]
    if over_both is None:
        return 0
    return round((over_original or 0) * assessment.original.n_records / over_both) if over_both else None


_COUNTED: dict[Records, Callable[[Measured, Result], int | None]] = {
    _OF_ORIGINAL: lambda assessment, _: assessment.original.n_records,
    _OF_SYNTHETIC: lambda assessment, result: of_synthesis(assessment, result.synthesis),
    "synthetic records whose keys occur in the original": _n_both,
    "original records for which the synthetic file names one value": (
        lambda _, result: result.removed.get("DiS", {}).get("remaining")
    ),
}
"""How many there are, by what a measure is out of."""
