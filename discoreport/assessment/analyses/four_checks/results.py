"""What `four_checks` finds: questions with their answers, and a note for users."""

from __future__ import annotations

from typing import Literal, Self

import pandas as pd

from discoreport.assessment.analyses.result import Finite, SynthesesResult
from discoreport.assessment.release.documentation import Labelling

Check = Literal["labelling", "disclosure", "structure", "documentation"]
Outcome = Literal["yes", "no", "unknown"]
OF_FILES: tuple[Check, ...] = ("labelling", "structure")
"""The checks that are tested on the files."""


class CheckItem(Finite):
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


class FourChecks(SynthesesResult):
    """The four checks, item by item; get one from `four_checks`. No verdict: what is "no" needs a look and a word.

    Parameters
    ----------
    original, synthetic
        The files.
    words
        What counted as a mark.
    items
        By check.
    note
        Plain text that goes with the file to its users; "" where there is no assessment to take it from.
    """

    words: tuple[str, ...]
    items: tuple[CheckItem, ...]
    note: str = ""

    def for_record(self) -> Self:
        """Give the part that the files alone decide: labelling and structure."""
        of_files = tuple(one for one in self.items if one.check in OF_FILES)
        return self.model_copy(update={"items": of_files, "note": ""})

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
