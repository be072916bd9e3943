"""The four checks for low-fidelity synthetic data: labelling, disclosure, structure, documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Literal

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.documentation import Labelling
from discoreport.assessment.engines import read_all
from discoreport.assessment.mitigation.state import as_series
from discoreport.assessment.results import Held, Source
from discoreport.assessment.structure import compare_structure
from discoreport.assessment.user_note import user_note
from discoreport.data.distinct import distinct
from discoreport.data.table import Table
from discoreport.errors import DataError, SettingsError

WORDS = (
    "synthetic",
    "synth",
    "fake",
    "dummy",
    "artificial",
    "simulated",
    "fictitious",
    "made-up",
    "made up",
    "not real",
)
"""Words that say that data are synthetic, unless others are given."""
Check = Literal["labelling", "disclosure", "structure", "documentation"]
Outcome = Literal["yes", "no", "unknown"]


class CheckItem(Held):
    """One question of the four checks, answered from the files where that can be done.

    Parameters
    ----------
    check, item
        Which of the four, and a name for machines.
    synthesis
        Which synthetic file, counting from 1; 0 where it concerns all.
    question
        In words; "yes" is what one hopes for.
    outcome
        "yes", "no", or "unknown" where a person has to say.
    detail
        What was found. Names variables, never a level.
    """

    check: Check
    item: str
    synthesis: int
    question: str
    outcome: Outcome
    detail: str


class FourChecks(Held):
    """The four checks, item by item; get one from `four_checks`. No verdict: what is "no" needs a look and a word.

    Parameters
    ----------
    original, synthetic
        The files.
    items
        By check.
    note
        Plain text that goes with the file to its users; "" where there is no assessment to take it from.
    """

    original: Source
    synthetic: tuple[Source, ...]
    items: tuple[CheckItem, ...]
    note: str

    @property
    def table(self) -> pd.DataFrame:
        """One row an item."""
        return pd.DataFrame([one.model_dump() for one in self.items], columns=list(CheckItem.model_fields))

    @property
    def open(self) -> tuple[CheckItem, ...]:
        """What needs a look, or a person's answer."""
        return tuple(one for one in self.items if one.outcome != "yes")

    @property
    def labelling(self) -> Labelling:
        """What was found of labels, as the documentation of a release holds it: of the file with fewest of them."""
        found = {item: {one.outcome for one in self.items if one.item == item} for item in ("file_name", "variable")}
        file_name, variable = ("no" if "no" in out else "" if "unknown" in out else "yes" for out in found.values())
        return Labelling.model_validate({"file_name": file_name, "variable": variable})


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
        Of these files: disclosure and documentation are taken from it. Without it they stay open.
    words
        What counts as a mark, in any language; capitals don't matter.

    Returns
    -------
    FourChecks
        The items, and a note for users.

    Raises
    ------
    DataError
        Where a file can't be read or compared.
    SettingsError
        Where there are no words; and as `user_note`.

    Notes
    -----
    *Labelling*: the file's name, a variable that the original lacks (its name, or the same words in every record), or
    the names of all variables say that the data are synthetic. *Disclosure*: as assessed. *Structure*: variables and
    their order, types, levels, ranges, missing values; rows that follow those of the original (agreeing levels
    against random orders, Hoeffding 1951; correlated ranks for numbers with many values); whole records that occur in
    the original; identifiers that do. *Documentation*: a note for users.

    References
    ----------
    Raab, McCall and Cavin, "Four checks for low-fidelity synthetic data: recommendations for disclosure control and
    quality evaluation", 2025 (arXiv 2503.14211).

    Examples
    --------
    >>> original = pd.DataFrame({"age": [30, 31, 41], "ill": ["y", "n", "n"]})
    >>> synthetic = pd.DataFrame({"note": ["synthetic"] * 3, "age": [41, 30, 35], "ill": ["n", "y", "y"]})
    >>> found = four_checks(original, synthetic)
    >>> found.table.query("check == 'labelling'")[["item", "outcome"]].to_numpy().tolist()
    [['file_name', 'unknown'], ['variable', 'yes'], ['names', 'no']]
    >>> found.table.query("item == 'no_identical_records'")["detail"].item()  # 41 n and 30 y
    '2 of 3 records occur in the original, 2 of them for a single original record'
    """
    if not words or not all(word.strip() for word in words):
        raise SettingsError("four_checks: give words that mark data as synthetic, such as 'synthetic'.")
    tables = read_all(original, synthetic)
    marks = re.compile("|".join(re.escape(word.casefold()) for word in words))
    items: list[CheckItem] = []
    for synthesis, table in enumerate(tables[1:], start=1):
        items += _labelling(tables[0], table, synthesis, marks)
    items += _disclosure(assessment)
    for synthesis, table in enumerate(tables[1:], start=1):
        labels = [name for name in table.columns if _marked(name, marks) or _says_so(table, name, marks)]
        for name, question, bad, good in compare_structure(tables[0], table, labels):
            items.append(
                CheckItem(
                    check="structure",
                    item=name,
                    synthesis=synthesis,
                    question=question,
                    outcome="no" if bad else "yes",
                    detail=bad or good,
                )
            )
    note = "" if assessment is None else user_note(assessment)
    items.append(_documentation(assessment))
    return FourChecks(
        original=Source.of(tables[0]),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        items=tuple(items),
        note=note,
    )


def _labelling(original: Table, table: Table, synthesis: int, marks: re.Pattern[str]) -> Iterator[CheckItem]:
    def item(name: str, question: str, outcome: Outcome, detail: str) -> CheckItem:
        return CheckItem(
            check="labelling", item=name, synthesis=synthesis, question=question, outcome=outcome, detail=detail
        )

    question = "Does the file's name say that it is synthetic?"
    if table.path is None:
        yield item("file_name", question, "unknown", "a frame has no file name")
    else:
        marked = _marked(PurePath(table.path).name, marks)
        yield item("file_name", question, "yes" if marked else "no", PurePath(table.path).name)
    own = [name for name in table.columns if name not in original.columns]
    telling = [name for name in own if _marked(name, marks) or _says_so(table, name, marks)]
    yield item(
        "variable",
        "Does a variable say so in every record?",
        "yes" if telling else "no",
        ", ".join(telling) or "no variable that the original lacks says so",
    )
    unmarked = [name for name in table.columns if not _marked(name, marks)]
    yield item(
        "names",
        "Do the names of all variables say so?",
        "no" if unmarked else "yes",
        f"{len(unmarked)} of {len(table.columns)} names don't" if unmarked else "all do",
    )


def _marked(text: str, marks: re.Pattern[str]) -> bool:
    return bool(marks.search(text.casefold()))


def _says_so(table: Table, name: str, marks: re.Pattern[str]) -> bool:
    try:
        found = distinct(as_series(table.columns[name]), name)
    except DataError:
        return False
    texts = found.level_texts()
    return bool(texts) and bool((found.codes >= 0).all()) and all(_marked(text, marks) for text in texts)


def _disclosure(assessment: Assessment | None) -> Iterator[CheckItem]:
    question = "Were the risks of disclosure assessed, and their flags answered?"
    if assessment is None:
        detail = "assess the files, and give the assessment here"
        yield CheckItem(
            check="disclosure", item="assessed", synthesis=0, question=question, outcome="unknown", detail=detail
        )
        return
    n_open = len(assessment.unanswered)
    detail = (
        f"{n_open} flags are unanswered" if n_open else "assessed; no flag is unanswered. The figures need a judgement"
    )
    yield CheckItem(
        check="disclosure",
        item="assessed",
        synthesis=0,
        question=question,
        outcome="no" if n_open else "yes",
        detail=detail,
    )


def _documentation(assessment: Assessment | None) -> CheckItem:
    outcome: Outcome = "unknown"
    detail = "assess the files, and give the assessment here: a note for users is written from it"
    if assessment is not None:
        said = assessment.documentation
        parts = {"how the data were made": said.synthesis, "what they may be used for": said.uses}
        lacking = [what for what, section in parts.items() if not section.filled]
        outcome, detail = ("no", f"the note lacks {' and '.join(lacking)}") if lacking else ("yes", "see the note")
    return CheckItem(
        check="documentation",
        item="note",
        synthesis=0,
        question="Is there a note that tells users how the data differ, and what they are fit for?",
        outcome=outcome,
        detail=detail,
    )
