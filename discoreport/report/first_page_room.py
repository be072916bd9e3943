"""How much room page 1 has: for lines of the figure, and for what is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release.findings import FindingRow, Findings
from discoreport.assessment.release.open_items import OpenItem
from discoreport.charts import CHARTS
from discoreport.data.findings.finding import COPYING

_PAGE, _FIXED, _SEVERAL = 742, 292, 24
"""Points of a page, those that heads, questions and the frames of tables and boxes take, and what of several files a
question and a caption have more."""
_ROW, _LINE, _BOXED, _FIGURE, _FIGURE_LINE, _MAP = 15.8, 10.6, 12.2, 104, 17.2, 132
"""Points of a row of the findings, of a line of small text, of a line in a box, of a figure and of a line in it, and
of what the map of risk and utility takes."""
_WIDE, _HALF, _NAME, _CELL, _NARROW, _AROUND = 125, 66, 22, 20, 14, 80
"""Signs on a line of small text, of half of it, of a name, and of a cell with words; with a column more, of that;
and those around what a box says of copies."""
_MOST_OPEN, _FEWER_OPEN, _BESIDE_MAP = 8, 4, 3
MOST_LINES, MOST_WITH_MAP = 7, 1
"""How many lines of names the figure has at most, alone and where there is a map."""


@dataclass(frozen=True)
class FirstPage:
    """What page 1 has room for.

    Parameters
    ----------
    figure_lines
        Lines of names in its figure; 0 where it has no place.
    most_open
        Items of what is open; the others stand under the decision.
    """

    figure_lines: int
    most_open: int


def first_page(assessment: Assessment) -> FirstPage:
    """Reckon what page 1 has room for, by how much has to stand on it."""
    has_map = CHARTS["risk_utility"].applies(assessment)
    if has_map and len(assessment.synthetic) > 1:  # the table has more lines then, and the map is the figure
        return FirstPage(0, _BESIDE_MAP)
    items = assessment.open_items
    taken = _FIXED + _in_boxes(assessment) * _BOXED + _in_findings(assessment) + _in_decision(assessment) * _LINE
    taken += _SEVERAL * (len(assessment.synthetic) > 1)
    most = MOST_WITH_MAP if has_map else MOST_LINES
    for n_open in (_BESIDE_MAP,) if has_map else (_MOST_OPEN, _FEWER_OPEN):
        of_open = _MAP if has_map else _open_lines(items, n_open) * _LINE
        left = _PAGE - taken - of_open - _FIGURE
        if left >= _FIGURE_LINE:
            return FirstPage(min(int(left / _FIGURE_LINE), most), n_open)
    fits = _PAGE - taken - _open_lines(items, _MOST_OPEN) * _LINE >= 0
    return FirstPage(0, _BESIDE_MAP if has_map else _MOST_OPEN if fits else _FEWER_OPEN)


def _lines(text: str, width: int) -> int:
    return -(-len(text) // width)


def _in_boxes(assessment: Assessment) -> float:
    """Count the lines of the boxed warnings, frames among them."""
    told = [*assessment.findings, *assessment.copies_told]
    boxed = [-(-(len(one.detail) + _AROUND) // 93) + 0.3 for one in told if one.finding in COPYING]
    boxed += [2.3] if any(one.finding not in COPYING for one in assessment.warnings) else []
    boxed += [_lines(one.detail, 90) + 0.3 for _, one in assessment.doubts_of_analyses[:3]]
    boxed += [2.0] if assessment.policy.thresholds else []
    boxed += [2.3] if len(assessment.synthetic) > 1 or assessment.analyses.pooled else []
    return sum(boxed) + (0.8 if boxed else 0)


def _in_findings(assessment: Assessment) -> float:
    """Give the points of the findings' rows, and of what is said below them."""
    findings = Findings(assessment)
    words = _NARROW if findings.names_sensitive else _CELL
    rows = sum(_ROW + _LINE * (_row_lines(row, words, findings.n_files > 1) - 1) for row in findings.shown)
    notes = 1 + 2 * (assessment.outcome_without_exclusions is not None) + bool(findings.rest)
    notes += bool(assessment.analyses.control or assessment.analyses.mitigation)
    return rows + notes * _LINE


def _row_lines(row: FindingRow, words: int, of_several: bool) -> int:
    return max(
        _lines(f"{row.place} file 1 of 9", _NAME + 4) if of_several else _lines(row.place or "", _NAME),
        _lines("; ".join(row.accepted), words),
        _lines("; ".join(row.sensitive), words),
        _lines(row.threshold, words),
        1,
    )


def _in_decision(assessment: Assessment) -> float:
    """Count the lines of decision and signatures beyond the first of each."""
    said = assessment.documentation.decision
    signed = sum(len(f"{one.role}: {one.name}, {one.decision}") + 20 for one in said.sign_offs if one.name)
    decided = _lines(said.conditions + 60 * " ", 85) - 1 if said.decision else 0
    return decided + (signed + 200) / _WIDE


def _open_lines(items: Sequence[OpenItem], most: int) -> int:
    """Count the lines of the longer of two columns of what is open."""
    lines = [_lines(f"{one.what}. {one.detail[:85]}", _HALF) for one in items[:most]] + [1] * (len(items) > most)
    return -(-sum(lines) // 2)
