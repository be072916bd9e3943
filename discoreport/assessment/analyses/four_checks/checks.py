"""All four checks: labelling and structure of the files, disclosure and documentation of an assessment of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from discoreport.assessment.analyses.four_checks import WORDS, check_files
from discoreport.assessment.analyses.four_checks.results import Check, CheckItem, FourChecks, Outcome
from discoreport.assessment.analyses.four_checks.write_user_note import user_note
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import counted
from discoreport.errors import SettingsError


def four_checks(
    original: object,
    synthetic: object,
    *,
    assessment: Assessment | None = None,
    words: Sequence[str] = WORDS,
) -> FourChecks:
    """Go through the four checks for synthetic data that only have the structure of the original.

    Parameters
    ----------
    original, synthetic
        As for `assess`, in memory; one synthetic file or a list of them. Labelling and structure are tested on them.
    assessment
        Of these files: disclosure and documentation are taken from it. Without it they stay open. Its unit says which
        records belong together, so that whole units that occur in the original are told of, too.
    words
        What counts as a mark, in any language; capitals don't matter. A mark is a word of its own, or begins one
        where it is longer than five letters.

    Returns
    -------
    FourChecks
        The items, and a note for users.

    Raises
    ------
    DataError
        Where a file can't be read or compared.
    SettingsError
        Where there are no words.

    Notes
    -----
    *Labelling*: the file's name, a variable that the original lacks, or the names of all variables say that the data
    are synthetic. A variable says so by its values, or by its name where each record affirms it ("yes", 1, true);
    a text that denies it ("not synthetic") says nothing. *Disclosure*: as assessed. *Structure*: variables and
    their order, types, levels, ranges, missing values; rows that follow those of the original (agreeing levels
    against random orders, Hoeffding 1951; correlated ranks for numbers with many values); whole records that occur in
    the original, apart from identifiers and from variables that have no value in common; identifiers that do.
    *Documentation*: a note for users.

    References
    ----------
    Raab, McCall and Cavin, "Four checks for low-fidelity synthetic data: recommendations for disclosure control and
    quality evaluation", 2025 (arXiv 2503.14211).

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 31, 41], "ill": ["y", "n", "n"]})
    >>> synthetic = pd.DataFrame({"note": ["synthetic"] * 3, "age": [41, 30, 35], "ill": ["n", "y", "y"]})
    >>> found = four_checks(original, synthetic)
    >>> found.table.query("check == 'labelling'")[["item", "outcome"]].to_numpy().tolist()
    [['file_name', 'unknown'], ['variable', 'yes'], ['names', 'no']]
    >>> found.table.query("item == 'no_identical_records'")["detail"].item()  # 41 n and 30 y
    '2 of 3 records occur in the original, 2 of them for a single original record'
    """
    unit = None if assessment is None else assessment.settings.unit
    return completed(check_files(original, synthetic, words, unit), assessment)


def completed(found: FourChecks, assessment: Assessment | None) -> FourChecks:
    """Add to what the files show what an assessment of them says now: disclosure, documentation, and the note.

    Parameters
    ----------
    found
        As the record holds it.
    assessment
        Of the same files, if there is one.
    """
    of_files = found.for_record()
    note, documentation = _documentation(assessment)
    items = [*of_files.items, _disclosure(assessment), documentation]
    order = get_args(Check)
    return of_files.model_copy(
        update={"items": tuple(sorted(items, key=lambda one: order.index(one.check))), "note": note}
    )


def _disclosure(assessment: Assessment | None) -> CheckItem:
    question = "Were the risks of disclosure assessed, and their flags answered?"
    outcome: Outcome = "unknown"
    detail = "assess the files, and give the assessment here"
    if assessment is not None:
        n_open = len(assessment.unanswered)
        outcome, detail = "yes", "assessed; no flag is unanswered. The figures need a judgement"
        if n_open:
            outcome, detail = "no", f"{counted(n_open, 'flag is', 'flags are')} unanswered"
    return CheckItem(
        check="disclosure", item="assessed", synthesis=0, question=question, outcome=outcome, detail=detail
    )


def _documentation(assessment: Assessment | None) -> tuple[str, CheckItem]:
    """Write the note for users, and say what it lacks."""
    note = ""
    outcome: Outcome = "unknown"
    detail = "assess the files, and give the assessment here: a note for users is written from it"
    if assessment is not None:
        said = assessment.documentation
        parts = {"how the data were made": said.synthesis, "what they may be used for": said.uses}
        lacking = [what for what, section in parts.items() if not section.filled]
        outcome, detail = ("no", f"the note lacks {' and '.join(lacking)}") if lacking else ("yes", "see the note")
        try:
            note = user_note(assessment)
        except SettingsError as error:
            outcome, detail = "no", str(error)
    question = "Is there a note that tells users how the data differ, and what they are fit for?"
    return note, CheckItem(
        check="documentation", item="note", synthesis=0, question=question, outcome=outcome, detail=detail
    )
