"""Figures of an assessment: a registry of charts with the tables beneath them, and the way to SVG and PNG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discoreport.assessment.assessment import Assessment
from discoreport.charts import (
    attribute,
    cap,
    checks,
    class_sizes,
    control,
    exclusions,
    groups,
    identity,
    intervals,
    mitigation,
    overview,
    releases,
    sensitivity,
    sizes,
    spread,
    tables,
    tau,
    trade,
)
from discoreport.charts.registry import NO_TARGETS, Chart, has_targets, of_analysis
from discoreport.charts.sizes import release
from discoreport.charts.vector import png, svg
from discoreport.errors import SettingsError, suggest

if TYPE_CHECKING:
    import altair as alt

__all__ = ["CHARTS", "draw", "png", "release", "svg"]

_ONE_TAU = "There are no targets, or fewer than two values of tau."

CHARTS: dict[str, Chart] = {
    chart.name: chart
    for chart in (
        Chart("overview", overview.OVERVIEW, overview.overview, has_targets, NO_TARGETS, tables.of_overview),
        Chart("identity", identity.IDENTITY, identity.identity, lambda _: True, "", tables.of_identity),
        Chart(
            "class_sizes",
            class_sizes.CLASS_SIZES,
            class_sizes.class_sizes,
            class_sizes.has_sizes,
            class_sizes.NOT_COUNTED,
            tables.of_class_sizes,
        ),
        Chart("steps", attribute.STEPS, attribute.steps, has_targets, NO_TARGETS, tables.of_steps),
        Chart(
            "denominators",
            attribute.DENOMINATORS,
            attribute.denominators,
            has_targets,
            NO_TARGETS,
            tables.of_denominators,
        ),
        Chart("cap", cap.CAP, cap.cap, has_targets, NO_TARGETS, tables.of_cap),
        Chart("tau", tau.TAU, tau.tau, tau.has_steps, _ONE_TAU, tables.of_tau),
        Chart(
            "checks", checks.CHECKS, checks.checks, checks.has_pairs, "No pair of levels is flagged.", tables.of_checks
        ),
        Chart(
            "exclusions",
            exclusions.EXCLUSIONS,
            exclusions.exclusions,
            exclusions.leaves_out,
            "No record is left out.",
            tables.of_exclusions,
        ),
        Chart(
            "spread",
            spread.SPREAD,
            spread.spread,
            spread.has_several,
            "There is one synthetic file only.",
            tables.of_spread,
        ),
        of_analysis("sensitivity", sensitivity.sensitivity, sensitivity.has_columns, sensitivity.of_sensitivity),
        of_analysis("control", control.control, control.has_excess, control.of_control),
        of_analysis("uncertainty", intervals.uncertainty, intervals.has_intervals, intervals.of_uncertainty),
        of_analysis("groups", groups.groups, groups.has_groups, groups.of_groups),
        of_analysis("release_size", sizes.release_size, sizes.has_targets, sizes.of_release_size),
        of_analysis("releases", releases.releases, releases.has_several, releases.of_releases),
        of_analysis("mitigation", mitigation.mitigation, mitigation.has_figures, mitigation.of_mitigation),
        of_analysis("trade_off", trade.trade_off, trade.has_choices, trade.of_trade_off),
    )
}
"""Every figure by its name, in the order in which a reviewer asks."""


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
    from altair.utils.schemapi import debug_mode

    with debug_mode(False):  # half the time would go into validating each of a hundred parts again; tests do that
        return chart.function(assessment)
