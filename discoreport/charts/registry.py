"""What a chart of the registry is, and when it can be drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from discoreport.assessment.assessment import Assessment

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd


@dataclass(frozen=True)
class Chart:
    """One figure that can be drawn from an assessment.

    Parameters
    ----------
    name
        What it is called on the command line, in templates and in file names.
    title
        The question it answers; also its heading.
    function
        Draws it.
    applies
        Whether an assessment has anything to draw.
    otherwise
        Why not, where it has not.
    table
        Gives the tidy table beneath the figure: every number drawn, with the records behind it; for
        export. It may be asked for even where there is nothing to draw, and is empty then.
    """

    name: str
    title: str
    function: Callable[[Assessment], alt.LayerChart]
    applies: Callable[[Assessment], bool]
    otherwise: str
    table: Callable[[Assessment], pd.DataFrame]


def has_targets(assessment: Assessment) -> bool:
    """Tell whether there is any target."""
    return bool(assessment.targets)


NO_TARGETS = "The assessment has no targets."
