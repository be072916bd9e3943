"""What is given away by target level, laid out two by two: a block a target, a row a level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import counted
from discoreport.assessment.formatting import level as written_level
from discoreport.assessment.results import LevelRisk, together
from discoreport.assessment.worst_file import levels_of_worst, worst_first

MOST_TARGETS, MOST_LEVELS = 8, 6
"""How many targets have their levels in the report, and how many rows each; the table beside it has all."""

_LINE, _MOST_LINES = 12, 60
"""Signs on a line of a level beside another block, and the lines of a block on a page."""


@dataclass(frozen=True)
class LevelRow:
    """One level, or the others together: original records, those given away, both shares in percent."""

    words: str
    original: int
    disclosed: int
    percent: float
    by_chance: float
    sensitive: bool


@dataclass(frozen=True)
class LevelBlock:
    """The levels of one target, in the file that is worst for it."""

    target: str
    synthesis: int
    rows: tuple[LevelRow, ...]

    @property
    def sensitive(self) -> bool:
        """Whether a row is of a level that is called sensitive."""
        return any(row.sensitive for row in self.rows)

    @property
    def fits(self) -> bool:
        """Whether a page holds it in one piece, beside another."""
        return sum(1 + len(text) // _LINE for text in (self.target, *(row.words for row in self.rows))) <= _MOST_LINES


def level_blocks(assessment: Assessment) -> tuple[LevelBlock, ...]:
    """Lay out the levels of the first targets; empty where none were counted."""
    blocks = (_block(assessment, target) for target in worst_first(assessment)[:MOST_TARGETS])
    return tuple(block for block in blocks if block.rows)


def _block(assessment: Assessment, target: str) -> LevelBlock:
    found, sensitive = levels_of_worst(assessment, target), assessment.sensitive.get(target, ())

    def first(one: LevelRisk) -> tuple[bool, float]:
        return not one.n_others and one.level in sensitive, _beyond(one)

    named = sorted((one for one in found if not one.n_others), key=_beyond, reverse=True)
    if len(found) > MOST_LEVELS:
        most = sorted(named, key=first, reverse=True)[: MOST_LEVELS - 1]
        named = [one for one in named if one in most]
    others = [one for one in found if one not in named]
    rows = [*named, *([together(others)] if others else [])]
    synthesis = found[0].synthesis if found else 1
    return LevelBlock(target, synthesis, tuple(_row(assessment, one, sensitive) for one in rows))


def _beyond(one: LevelRisk) -> float:
    """Give the share of a level's records that is given away beyond chance."""
    return (one.disclosed - one.by_chance) / one.original if one.original else 0.0


def _row(assessment: Assessment, one: LevelRisk, sensitive: Sequence[str | None]) -> LevelRow:
    own = not one.n_others
    left_out = any(
        (rule.target, rule.level, rule.key) == (one.target, one.level, None) for rule in assessment.settings.exclude
    )
    words = written_level(assessment.labelled(one.target, one.level)) if own else counted(one.n_others, "other level")
    return LevelRow(
        f"{words} (left out)" if own and left_out else words,
        one.original,
        one.disclosed,
        100 * one.disclosed / one.original if one.original else 0.0,
        100 * one.by_chance / one.original if one.original else 0.0,
        own and one.level in sensitive,
    )
