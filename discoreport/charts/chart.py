"""What a chart of the registry is, and when it can be drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.result import AnalysisResult
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
    whole
        Whether the report has it in one piece however many targets there are.
    """

    name: str
    title: str
    function: Callable[[Assessment], alt.LayerChart]
    applies: Callable[[Assessment], bool]
    otherwise: str
    table: Callable[[Assessment], pd.DataFrame]
    whole: bool = False


def of_analysis(
    name: str,
    function: Callable[[Assessment, Any], alt.LayerChart],
    applies: Callable[[Assessment, Any], bool],
    table: Callable[[Assessment, Any], pd.DataFrame],
    *,
    whole: bool = False,
) -> Chart:
    """Make the figure of an analysis, which there is where that was run and has anything to show.

    Parameters
    ----------
    name
        Of the analysis, and so of the figure.
    function, applies, table, whole
        As for `Chart`; the first three get the result of the analysis, too.
    """

    def found(assessment: Assessment) -> AnalysisResult | None:
        return getattr(assessment.analyses, name)  # type: ignore[no-any-return]

    def tabulate(assessment: Assessment) -> pd.DataFrame:
        import pandas as pd

        result = found(assessment)
        return pd.DataFrame() if result is None else table(assessment, result)

    return Chart(
        name,
        ANALYSES[name].question,
        lambda assessment: function(assessment, found(assessment)),
        lambda assessment: (result := found(assessment)) is not None and applies(assessment, result),
        f"It shows the analysis '{name}', which wasn't run, or has found nothing to draw.",
        tabulate,
        whole,
    )


def has_targets(assessment: Assessment) -> bool:
    """Tell whether there is any target."""
    return bool(assessment.targets)


NO_TARGETS = "The assessment has no targets."
