"""The figure of two-way flags: disclosures that the level of one key explains."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import percent, percentage
from discoreport.charts.chart import Chart
from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import Panel, rows
from discoreport.charts.drawing.marks import Drawn, bars, figure, grid, heads, lines, names_of, stacked
from discoreport.charts.drawing.text import clean, counted, level, listed, paragraph
from discoreport.charts.figure_tables import table_of

CHECKS = "Which disclosures might be general knowledge?"
MOST_ROWS = 25


@dataclass(frozen=True)
class Pair:
    """A flagged pair of levels, as all syntheses together raise it.

    Parameters
    ----------
    target, target_level, key, key_level
        Levels with what the file calls them in words.
    percent, n_records, n_denominator
        Original records with the pair, as a share of those with the key level.
    disclosive, disclosive_total
        Records given away in cells that the check counts, most of any synthesis, and in cells of any size; the second
        is None in records saved before it was kept.
    n_syntheses
        How many raise the flag.
    """

    target: str
    target_level: str
    key: str
    key_level: str
    percent: float
    n_records: int
    n_denominator: int
    disclosive: int
    disclosive_total: int | None
    n_syntheses: int

    @property
    def of_all(self) -> str:
        """The records that the check counts, of all that the pair gives away."""
        return f"{self.disclosive:,}" + ("" if self.disclosive_total is None else f" of {self.disclosive_total:,}")

    @property
    def name(self) -> str:
        """The pair on one line."""
        return f"{clean(self.target)}: {self.target_level}, where {clean(self.key)}: {self.key_level}"


def checks(assessment: Assessment) -> Drawn:
    """Draw the flagged pairs of a key level and a target level, those with most disclosive records on top.

    Parameters
    ----------
    assessment
        What to draw.

    Returns
    -------
    altair.LayerChart
        Share of the original records with the key level that have the target level, and disclosive records in the
        cells that the check counts, of all; of several syntheses the one with most. The first 25 pairs.
    """
    found = pairs(assessment)
    shown = found[:MOST_ROWS]
    m = len(assessment.synthetic)
    at_least, threshold = assessment.settings.two_way_threshold
    top, number, gap = 58, 40, 16
    beside = 120 if m > 1 else 78
    placed = rows([pair.name for pair in shown], top=top, widest=270)
    width = theme.WIDTH - placed.left - number - gap - beside
    share = Panel(placed.left, placed.left + width * 0.6, ticks=(0, 50, 100), title="%")
    start = share.right + number + gap
    most = max(pair.disclosive for pair in shown)
    records = Panel(start, start + width * 0.4, domain=(0, most), ticks=(0, most), title="records")
    shares = [
        {
            "pair": pair.name,
            "y": y,
            "x": pair.percent,
            "text": percentage(pair.percent),
            "measure": "share in the original",
            "value": percent(pair.percent),
            "count": f"{pair.n_records:,} of {pair.n_denominator:,} original records with the key level",
        }
        for pair, y in zip(shown, placed.middles, strict=True)
    ]
    counts = [
        {
            "pair": pair.name,
            "y": y,
            "x": pair.disclosive,
            "text": pair.of_all + (f" (in {pair.n_syntheses} of {m})" if m > 1 else ""),
            "measure": f"given away in cells of more than {at_least:,}",
            "value": pair.of_all,
        }
        for pair, y in zip(shown, placed.middles, strict=True)
    ]
    limit = [{"x": threshold, "y": top - 6, "y2": placed.height}]
    more = f" {counted(len(found) - len(shown), 'more pair')} not shown." if len(found) > len(shown) else ""
    of_share = f"of the records with the key level; line:\u00a0{threshold:g}\u00a0%"
    of_files = ", most of any synthetic file" if m > 1 else ""
    of_records = f"records in cells of more than {at_least:,}, of all{of_files}"
    below_share = paragraph(of_share, share.right - share.left + number, theme.SMALL_SIZE)
    below_records = paragraph(of_records, records.right - records.left + beside, theme.SMALL_SIZE)
    told = [f"{pair.name} ({pair.of_all}, share {pair.percent:.1f} %)" for pair in shown[:3]]
    return figure(
        names_of(placed),
        *heads([("Share in the original", below_share)], [share.left]),
        *heads([("Given away", below_records)], [records.left]),
        stacked(
            grid(share, top - 6, placed.height),
            *bars(shares, share, theme.ORIGINAL),
            lines(limit, panel=share, colour=theme.INK, dash=(3, 3)),
        ),
        stacked(grid(records, top - 6, placed.height), *bars(counts, records, theme.SYNTHETIC)),
        height=placed.height,
        question=CHECKS,
        subtitle=f"Pairs of levels that go together in more than {threshold:g} % of the original records, in cells of "
        f"more than {counted(at_least, 'record')}. Those with most records given away are on top.{more}",
        description=f"{counted(len(found), 'pair is', 'pairs are')} flagged. "
        + f"Most records, in cells of more than {at_least:,}: {listed(told)}.",
    )


def pairs(assessment: Assessment) -> list[Pair]:
    """Put the flags of the same pair in several syntheses together; most disclosive records first."""
    found: dict[tuple[str, str, str | None, str | None], Pair] = {}
    for flag in assessment.outcome.two_way:
        pair = (flag.target, flag.key, flag.key_level, flag.target_level)
        before = found.get(pair)
        most = before if before and before.disclosive >= flag.disclosive else flag
        found[pair] = Pair(
            target=flag.target,
            target_level=level(assessment.labelled(flag.target, flag.target_level)),
            key=flag.key,
            key_level=level(assessment.labelled(flag.key, flag.key_level)),
            percent=flag.percent,
            n_records=flag.key_target_total,
            n_denominator=flag.key_total,
            disclosive=most.disclosive,
            disclosive_total=most.disclosive_total,
            n_syntheses=1 + (before.n_syntheses if before else 0),
        )
    return sorted(found.values(), key=lambda pair: -pair.disclosive)


def checks_table(assessment: Assessment) -> pd.DataFrame:
    """Give the flagged pairs, those with most disclosive records first.

    Returns
    -------
    pandas.DataFrame
        Columns target, target_level, key, key_level, percent (share of the key level's original records
        that have the target level), n_records and n_denominator (of which the share is made), threshold,
        disclosive (records given away in cells that the check counts, most of any synthesis), disclosive_total (in
        cells of any size), n_syntheses (that raise the flag), of_syntheses.
    """
    _, threshold = assessment.settings.two_way_threshold
    of_pairs, m = map(astuple, pairs(assessment)), len(assessment.synthetic)
    rows = [(*one[:7], threshold, *one[7:], m) for one in of_pairs]
    columns = ["target", "target_level", "key", "key_level", "percent", "n_records", "n_denominator", "threshold"]
    return table_of(rows, [*columns, "disclosive", "disclosive_total", "n_syntheses", "of_syntheses"])


CHART = Chart(
    "checks",
    CHECKS,
    checks,
    lambda one: bool(one.outcome.two_way),
    "No pair of levels is flagged.",
    checks_table,
    whole=True,
)
