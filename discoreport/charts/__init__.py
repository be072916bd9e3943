"""Figures of an assessment, a file each with the table beneath it, and the way to SVG and PNG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discoreport.assessment.assessment import Assessment
from discoreport.charts import (
    cap,
    checks,
    class_sizes,
    control,
    denominators,
    distributions,
    exclusions,
    groups,
    identity,
    levels,
    membership,
    mitigation,
    overview,
    pooled,
    release_size,
    releases,
    risk_utility,
    sensitivity,
    spread,
    steps,
    tau,
    trade_off,
    uncertainty,
    units,
    utility,
    utility_declared,
)
from discoreport.charts.chart import Chart
from discoreport.charts.drawing.altair_import import unchecked
from discoreport.charts.drawing.to_svg import png, svg
from discoreport.charts.release_size import release
from discoreport.errors import SettingsError, suggest

if TYPE_CHECKING:
    import altair as alt

__all__ = ["CHARTS", "draw", "png", "release", "svg"]

CHARTS: dict[str, Chart] = {
    figure.CHART.name: figure.CHART
    for figure in (
        overview,
        identity,
        class_sizes,
        units,
        levels,
        steps,
        denominators,
        cap,
        tau,
        checks,
        exclusions,
        spread,
        pooled,
        sensitivity,
        control,
        membership,
        uncertainty,
        groups,
        release_size,
        releases,
        mitigation,
        trade_off,
        utility,
        utility_declared,
        distributions,
        risk_utility,
    )
}
"""Every figure by its name, in the order in which a reviewer asks. A figure is a file, and its line here."""


def draw(assessment: Assessment, name: str) -> alt.LayerChart:
    """Draw one figure of an assessment.

    Parameters
    ----------
    assessment
        What to draw.
    name
        A name from `CHARTS`.

    Returns
    -------
    altair.LayerChart
        With title, subtitle and a description that tells its message in words. In a notebook it shows
        itself without internet.

    Raises
    ------
    SettingsError
        Where there is no such chart, or the assessment has nothing to draw in it; see `Chart.applies`.
    """
    if name not in CHARTS:
        raise SettingsError(f"No chart '{name}'. {suggest(name, CHARTS)}")
    chart = CHARTS[name]
    if not chart.applies(assessment):
        raise SettingsError(f"The chart '{name}' has nothing to show. {chart.otherwise}")
    with unchecked():
        return chart.function(assessment)
