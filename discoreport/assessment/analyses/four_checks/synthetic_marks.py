"""Marks of synthetic data: whether a name, a text or a column says that data are synthetic, and means it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from discoreport.assessment.analyses.mitigation.state import as_series
from discoreport.data.distinct_values import distinct
from discoreport.data.table import Table
from discoreport.errors import DataError

_STANDS_ALONE = 5
"""Words of up to so many letters stand alone ("synth" is no "synthesizer"); longer ones may be inflected."""
_AFFIRMED = {"1", "true", "t", "yes", "y", "ja", "oui", "si", "sí", "sim", "tak"}
"""Values by which a variable called "synthetic" says so of a record."""
_NEUTRAL = {"is", "are", "a", "this", "data", "dataset", "set", "file", "record", "records", "row", "rows", "flag"}
"""What a name may hold besides the mark; `synthetic_fibre` speaks of something else."""
_REAL = r"(?:real|original|actual|true|genuine)\b"
_DENIAL = re.compile(
    r"\b(?:not|no|non|never|neither|nor|without|cannot|\w+n['’]t|nicht|kein\w*|pas|niet|geen|ikke|inte)\b"
    rf"(?! (?:an? |any |of )*{_REAL})"
)
"""A word that denies what follows, unless that is that the data are real."""
_DENIED_AT_LAST = re.compile(r"(?:\b(?:no|not|false|none|never|nein|non)|[:=] *(?:0|n))\W*$")
_CLAUSES = re.compile(r"[.;:!?\n]+")


@dataclass(frozen=True)
class Marks:
    """Words that mark data as synthetic, in any language; capitals don't matter.

    Parameters
    ----------
    words
        One or more.
    """

    words: Sequence[str]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(rf"(?<![^\W\d_]){_written(word)}" for word in self.words))

    def are_in(self, text: str) -> bool:
        """Tell whether a text has one of the words, which nothing before it in the same clause denies.

        Examples
        --------
        >>> marks = Marks(["synthetic", "synth", "not real"])
        >>> [marks.are_in(text) for text in ("isSynthetic", "synth_age", "Synthetic, not a real person", "not real")]
        [True, True, True, True]
        >>> [marks.are_in(text) for text in ("photosynthesis", "not_synthetic", "this isn't synthetic: real data")]
        [False, False, False]
        """
        return any(
            not _DENIAL.search(clause[: found.start()])
            for clause in _CLAUSES.split(_spaced(text))
            for found in self._pattern.finditer(clause)
        )

    def are_said_by(self, table: Table, name: str) -> bool:
        """Tell whether a variable says so in every record: by its values, or by its name where all affirm it."""
        try:
            found = distinct(as_series(table.columns[name]), name)
        except DataError:
            return False
        texts = [text.strip() for text in found.level_texts()]
        if not texts or not (found.codes >= 0).all():
            return False
        if all(self.are_in(text) and not _DENIED_AT_LAST.search(text.casefold()) for text in texts):
            return True
        return self._name(name) and {text.casefold() for text in texts} <= _AFFIRMED

    def _name(self, name: str) -> bool:
        rest = self._pattern.sub(" ", _spaced(name))
        return self.are_in(name) and set(re.findall(r"[^\W\d_]+", rest)) <= _NEUTRAL


def _spaced(text: str) -> str:
    """Write a text in small letters, with spaces where names have capitals, underscores or hyphens."""
    return re.sub(r"[\s_-]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)).casefold()


def _written(word: str) -> str:
    parts = _spaced(word).split()
    alone = len("".join(parts)) <= _STANDS_ALONE
    return " ".join(map(re.escape, parts)) + (r"(?![^\W\d_])" if alone else r"[^\W\d_]*")
