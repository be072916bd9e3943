"""Findings on one variable that nothing obvious shows: encodings, marks for missing values, names, numbers moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from discoreport.data.coding import Variable
from discoreport.data.findings import likely_missing, recoded
from discoreport.data.findings.finding import Finding
from discoreport.data.findings.wrong_encoding import encodings
from discoreport.data.table import Table


def doubts(variable: Variable, tables: Sequence[Table], special: Sequence[int] = ()) -> Iterator[Finding]:
    """Warn of what was likely recoded in one of the files; of variables whose levels are here.

    Parameters
    ----------
    variable, tables, special
        As for `discoreport.data.findings.comparison.compare`.
    """
    for synthesis in range(1, len(tables) * variable.has_levels):
        yield from encodings(variable, synthesis)
        yield from _missing_as_level(variable, synthesis, tables, special)
        yield from _recoded(variable, synthesis, special)


def _missing_as_level(
    variable: Variable, synthesis: int, tables: Sequence[Table], special: Sequence[int]
) -> Iterator[Finding]:
    """Look for a level that means "missing" in one file, where the other has missing values, or no such level.

    A record or two that the other file has alike, as a level or as a gap, don't make up for the rest.
    """
    texts = likely_missing.texts(variable)
    for ours, theirs in ((0, synthesis), (synthesis, 0)):
        declared = tables[ours].missing_codes.get(variable.name, frozenset())
        declared -= tables[theirs].missing_codes.get(variable.name, frozenset())
        codes = [place for place, text in enumerate(variable.level_texts) if text in declared] if declared else []
        likely = [place for place in likely_missing.codes(variable, ours) if place not in special]
        for finding, places, certain in (
            ("missing_as_code", codes, True),
            ("missing_as_code", [place for place in likely if place not in codes], False),
            ("missing_as_text", texts, True),
        ):
            found = likely_missing.meant(variable, places, ours, theirs, certain)
            if found:
                words, n_records = found
                share = 100 * n_records / int(variable.counts[ours].sum())
                yield Finding(variable.name, synthesis, finding, "warning", words, None, n_records, share)


def _recoded(variable: Variable, synthesis: int, special: Sequence[int]) -> Iterator[Finding]:
    """Look for levels under other names, numbers that were moved, and dates with day and month exchanged."""
    found = recoded.renamed(variable, synthesis, likely_missing.texts(variable))
    if found:
        likely = "; ".join(f"'{ours}' may be '{theirs}'" for ours, theirs in found.pairs)
        yield Finding(
            variable.name, synthesis, "levels_renamed", "warning",
            "levels of the original are lacking, and about as many records have levels that the original lacks"
            f"{f': {likely}' if likely else ''}. Use the same codes in both files",
            found.n_levels, found.n_records, 100 * found.n_records / int(variable.counts[0].sum()),
        )  # fmt: skip
    moved = recoded.moved(variable, synthesis, special)
    if moved:
        yield Finding(
            variable.name, synthesis, "numbers_moved", "warning",
            f"the original's numbers ({moved.how}) would be distributed as the synthetic file's: as they are, "
            f"{moved.before:.1f} % of the records differ, and then {moved.after:.1f} %. "
            "Use the same unit and coding in both files",
            None, None, moved.before,
        )  # fmt: skip
    dates = recoded.day_and_month(variable, synthesis)
    if dates:
        yield Finding(
            variable.name, synthesis, "day_and_month", "warning",
            f"{dates[0]:.1f} % of the original's records find their date in the synthetic file, with day and month "
            f"exchanged {dates[1]:.1f} % would. Write dates alike in both files",
            None, None, dates[0],
        )  # fmt: skip
