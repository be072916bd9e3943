"""What somebody finds who has several files, and uses whichever tells."""

from __future__ import annotations

from discoreport.assessment.analysed import Analysed
from discoreport.assessment.counts_behind_percentages import Share, of_original


def any_file(assessment: Analysed, measure: str, target: str | None = None) -> Share | None:
    """Give the original records that at least one of several files gives away, those of earlier releases among them.

    None where there is one file, where a measure has no such figure, and in records saved before it was found.
    """
    found = assessment.analyses.pooled
    figure = found.figure(measure, target) if found is not None and found.n_files > 1 else None
    return None if figure is None or figure.any is None else of_original(figure.any, assessment.original.n_records)
