"""What stands in the appendix of the report: CAP family, less certain attributions, records that share their keys."""

from __future__ import annotations

from functools import cached_property

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import Classes, classes_of_worst
from discoreport.assessment.worst_file import worst_files
from discoreport.measures.identity import n_synthetic
from discoreport.measures.registry import of_group

MOST_TAUS = 11
"""How many certainties the report shows; the table that comes with it has all."""


class FurtherMeasures:
    """The further measures of an assessment, as the templates read them.

    Parameters
    ----------
    assessment
        The record.
    """

    def __init__(self, assessment: Assessment) -> None:
        self._assessment = assessment

    @cached_property
    def as_many(self) -> bool:
        """Whether every synthetic file has as many records as the original."""
        n_original = self._assessment.original.n_records
        return all(file.n_records == n_original for file in self._assessment.synthetic)

    @cached_property
    def cap(self) -> tuple[str, ...]:
        """The CAP family by name, without those that repeat others as the files have as many records."""
        family = of_group("cap")
        repeated = [one for one in family if one.of is n_synthetic and one.depends == "synthetic records"]
        return tuple(one.name for one in family if not (self.as_many and one in repeated))

    @cached_property
    def class_sizes(self) -> tuple[tuple[str, dict[str, Classes]], ...]:
        """By size of a key combination those of the original and of the worst synthetic file; sizes that occur."""
        found = classes_of_worst(self._assessment)
        sizes = dict.fromkeys(size for by_size in found.values() for size in by_size)
        rows = {size: {file: by_size[size] for file, by_size in found.items()} for size in sizes}
        return tuple((size, row) for size, row in rows.items() if any(one.n_classes for one in row.values()))

    @cached_property
    def taus(self) -> tuple[float, ...]:
        """The certainties that are shown, rising; none where there is only one."""
        taus = sorted(set(self._assessment.settings.tau))
        places = range(0, len(taus), -(-len(taus) // MOST_TAUS))
        shown = [taus[place] for place in places]
        return tuple(shown if shown[-1:] == taus[-1:] else [*shown[:-1], taus[-1]]) if len(taus) > 1 else ()

    @cached_property
    def tau(self) -> dict[str, tuple[float, ...]]:
        """By target DiSCO(tau) of its worst file at the certainties that are shown."""
        of_files = self._assessment.settings.tau
        worst = worst_files(self._assessment)
        return {
            name: tuple(worst[name].tau[of_files.index(least)] for least in self.taus)
            for name in self._assessment.targets
        }
