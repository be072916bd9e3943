"""The figure of declared analyses: what each gives in both files, their intervals below each other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from discoreport.assessment.analyses.utility.declared import Declared
from discoreport.assessment.analyses.utility.declared_results import (
    DeclaredGroup,
    DeclaredResult,
    Estimate,
    declared_table,
    worst_first,
)
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import estimate, percentage
from discoreport.charts.chart import Chart
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import LINE, Rows, rows
from discoreport.charts.drawing.marks import Drawn, Layer, figure, lines, small, texts
from discoreport.charts.drawing.target_rows import of_several
from discoreport.charts.drawing.text import clean, counted, level, listed, wrapped
from discoreport.charts.drawing.xy_plane import Plane, steps_to
from discoreport.charts.uncertainty import whiskers

DECLARED = "Do declared analyses give the same?"
MOST_ANALYSES, MOST_GROUPS, _LEAST = 6, 24, 4
"""Analyses that are drawn, groups of all of them, and of each at least: those that are reproduced least."""
_COLUMNS = ("original", "synthetic", "difference", "overlap, %")
_HEAD, _ROW, _WIDEST, _COLUMN, _AXIS, _BETWEEN, _AWAY = 42, 26, 170, 58, 22, 14, 5
"""Pixels: what explains the signs, a row, a name, a column of numbers, the scale below an analysis, the space after
it, and from the middle of a row to each interval."""


@dataclass(frozen=True)
class _Block:
    """One analysis: the lines of its head, its groups, where they stand, and its scale."""

    head: tuple[str, ...]
    top: float
    groups: tuple[DeclaredGroup, ...]
    placed: Rows
    ticks: tuple[float, ...]

    def plane(self, left: float, right: float) -> Plane:
        """Where its intervals are drawn."""
        return Plane(left, right, self.top, self.placed.height, (self.ticks[0], self.ticks[-1]), (0, 1))


def declared(assessment: Assessment) -> Drawn:
    """Draw what each declared analysis gives in the original and in the synthetic file, with 95 % intervals.

    Parameters
    ----------
    assessment
        With the analysis ``utility``, for which analyses were declared.

    Returns
    -------
    altair.LayerChart
        An analysis after the other, each with its own scale; the analysis, and of it the group, whose intervals
        overlap least come first. Of several files each group has the one where that is lowest.
    """
    shown = _shown(assessment)
    blocks = list(_blocks(assessment, shown))
    height = blocks[-1].placed.height + _AXIS
    columns = [theme.WIDTH - _COLUMN * n for n in (3, 2, 1, 0)]
    left, right = max(block.placed.left for block in blocks), columns[0] - _COLUMN + 4
    marks: list[Layer] = []
    for block in blocks:
        marks += _drawn(block, block.plane(left, right), columns)
    files = of_several(assessment.synthetic, ", each group has the one where the overlap is lowest")
    n_more = sum(len(one.groups) for one in _declared(assessment)) - sum(len(groups) for _, groups in shown)
    more = f" {counted(n_more, 'more group is', 'more groups are')} in the table." if n_more else ""
    return figure(
        *_signs(columns),
        *marks,
        height=height,
        question=DECLARED,
        subtitle="Figures with 95 % intervals; shares and counts in percent. Analyses, and groups of each, whose "
        f"intervals overlap least come first.{files}{more}",
        description=f"{_in_words(assessment, shown)}{files}{more}",
    )


def _declared(assessment: Assessment) -> tuple[DeclaredResult, ...]:
    found = assessment.analyses.utility
    return () if found is None else found.declared


def _shown(assessment: Assessment) -> list[tuple[Declared, tuple[DeclaredGroup, ...]]]:
    """Choose the analyses that are reproduced least, and of each the groups."""
    some = [one for one in worst_first(_declared(assessment)) if one.groups][:MOST_ANALYSES]
    return [(one.asked, one.worst[: max(_LEAST, MOST_GROUPS // len(some))]) for one in some]


def _blocks(assessment: Assessment, shown: list[tuple[Declared, tuple[DeclaredGroup, ...]]]) -> Iterator[_Block]:
    y = float(_HEAD)
    for asked, groups in shown:
        head = tuple(wrapped(clean(str(asked)), (theme.WIDTH - 4 * _COLUMN) * 0.94))  # it is bold
        names = [_named(assessment, asked, group) for group in groups]
        placed = rows(names, top=y + LINE * len(head) + 4, row_height=_ROW, widest=_WIDEST)
        yield _Block(head, y, groups, placed, _ticks(groups))
        y = placed.height + _AXIS + _BETWEEN


def _named(assessment: Assessment, asked: Declared, group: DeclaredGroup) -> str:
    """Name a group by its levels, each with what it is called in words."""
    if group.n_together or not group.levels:
        return clean(group.written)
    levels = zip(asked.variables, group.levels, strict=False)  # the last is of what is counted, where that is asked
    return ", ".join(level(assessment.labelled(*one)) for one in levels)


def _ticks(groups: tuple[DeclaredGroup, ...]) -> tuple[float, ...]:
    """Mark even steps from below all ends to above them."""
    pairs = [(group.original, group.synthetic[group.worst - 1]) for group in groups]
    ends = [
        end
        for one in itertools.chain(*pairs)
        for end in (one.value, one.low, one.high)
        if end is not None
    ] or [0.0]  # fmt: skip
    step = steps_to(max(ends) - min(ends), 4)[1]
    first, last = math.floor(min(ends) / step), math.ceil(max(ends) / step)
    return tuple(step * n for n in range(first, max(last, first + 1) + 1))


def _drawn(block: _Block, plane: Plane, columns: Sequence[float]) -> list[Layer]:
    """Draw an analysis: head, names, scale, both intervals of each group and their numbers."""
    heads = [{"x": 0, "y": block.top + LINE * (n + 0.5), "text": line} for n, line in enumerate(block.head)]
    names = [value for label in block.placed.names for value in label.values(0)]
    top, bottom = block.placed.middles[0] - _ROW / 2, block.placed.height
    hairs = [{"x": plane.x(tick), "y": top, "y2": bottom} for tick in block.ticks]
    scale = [{"x": plane.x(tick), "y": bottom + 9, "text": f"{tick:,.10g}".replace("-", "−")} for tick in block.ticks]
    files: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
    numbers: list[dict[str, Any]] = []
    overlaps: list[dict[str, Any]] = []
    for group, y in zip(block.groups, block.placed.middles, strict=True):
        synthetic = group.synthetic[group.worst - 1]
        for of_file, one, at, told in (
            (files[0], group.original, y - _AWAY, "original"),
            (files[1], synthetic, y + _AWAY, _file(group)),
        ):
            if one.value is not None:
                place = {name: None if end is None else plane.x(end) for name, end in _ends(one).items()}
                of_file.append({**place, "y": at, "file": told, "value": _written(one)})
        written = map(estimate, (group.original.value, synthetic.value, group.difference(group.worst)))
        numbers += [{"x": x, "y": y, "text": text} for x, text in zip(columns, written, strict=False)]
        overlaps.append({"x": columns[-1], "y": y, "text": percentage(group.overlap(group.worst))})
    return [
        texts(heads, strong=True),
        texts(names),
        lines(hairs, colour=theme.FAINT),
        small(scale, align="center"),
        *whiskers(files[0], None, theme.ORIGINAL),
        *whiskers(files[1], None, theme.SYNTHETIC, hollow=True),
        texts(numbers, align="right", size=theme.SMALL_SIZE),
        texts(overlaps, align="right", size=theme.SMALL_SIZE, strong=True),
    ]


def _ends(one: Estimate) -> dict[str, float | None]:
    return {"x": one.value, "low": one.low, "high": one.high}


def _file(group: DeclaredGroup) -> str:
    return "synthetic" if len(group.synthetic) == 1 else f"synthetic {group.worst}"


def _written(one: Estimate) -> str:
    """Write a figure with its interval."""
    return estimate(one.value) + ("" if one.low is None else f" ({estimate(one.low)} to {estimate(one.high)})")


def _signs(columns: Sequence[float]) -> list[Layer]:
    """Explain the signs, and head the columns of numbers."""
    drawn = []
    for x, words, colour, hollow in (
        (5.0, "original, with its interval", theme.ORIGINAL, False),
        (185.0, "synthetic, with its interval", theme.SYNTHETIC, True),
    ):
        drawn += whiskers([{"x": x + 8, "low": x, "high": x + 16, "y": 8}], None, colour, hollow=hollow)
        drawn.append(texts([{"x": x + 22, "y": 8, "text": words}], colour=colour))
    heads = [{"x": x, "y": 30, "text": text} for x, text in zip(columns, _COLUMNS, strict=True)]
    return [*drawn, small(heads, align="right")]


def _in_words(assessment: Assessment, shown: list[tuple[Declared, tuple[DeclaredGroup, ...]]]) -> str:
    told = [
        f"{clean(str(asked))}, {_named(assessment, asked, groups[0])}: original {_written(groups[0].original)}, "
        f"{_file(groups[0])} {_written(groups[0].synthetic[groups[0].worst - 1])}, overlap "
        f"{percentage(groups[0].overlap(groups[0].worst))} %"
        for asked, groups in shown[:3]
    ]
    return f"Intervals overlap least in {listed(told)}."


CHART = Chart(
    "utility_declared",
    DECLARED,
    declared,
    lambda one: bool(_shown(one)),
    "It shows what was declared for the analysis 'utility': nothing was, or no group has enough records.",
    lambda one: declared_table(_declared(one)),
    whole=True,
)
