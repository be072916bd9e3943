"""Mitigation as plain text: what each step did, risk before and after, and what was lost."""

from __future__ import annotations

import pandas as pd

from discoreport.assessment.analyses.mitigation.results import Mitigation
from discoreport.assessment.formatting import counted, number, percentage, points

_DONE = {"removed": "removed", "changed": "changed", "added": "marked", "renamed": "in renamed variables"}


def told(found: Mitigation) -> str:
    """Write what was done, repU and DiSCO of each target before and after, and the loss."""
    lines = [
        f"{one.what}: {counted(one.n_records, 'record')} {_DONE[one.kind]}, {number(one.n_left)} left"
        for one in found.steps
    ]
    of_keys = found.of_keys
    figures = [*of_keys, *(one for one in found.figures if one.measure == "DiSCO")]
    table = pd.DataFrame(
        {
            "before": [percentage(one.before) for one in figures],
            "after": [percentage(one.after) for one in figures],
            "change": [_change(one.before, one.after) for one in figures],
        },
        index=[one.measure if one in of_keys else f"{one.measure} of {one.target}" for one in figures],
    )
    return "\n".join(
        [
            *lines,
            "",
            "Risk, % of original records",
            table.to_string(),
            "",
            f"Lost: {found.loss.told}",
        ]
    )


def _change(before: float | None, after: float | None) -> str:
    return points(None if before is None or after is None else after - before)
