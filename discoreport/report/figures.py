"""The figures of a report: each drawn once, of as many targets as a page holds."""

from __future__ import annotations

import datetime
import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from markupsafe import Markup

from discoreport import charts
from discoreport.assessment.analysed import Analysed
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release.documentation import Documentation, SourceData
from discoreport.assessment.release.policy import default_policy
from discoreport.assessment.worst_file import of_worst_files
from discoreport.charts.distributions import MOST_DRAWN, distributions, n_pages
from discoreport.charts.drawing.altair_import import unchecked
from discoreport.charts.drawing.layout import WIDEST_NAME
from discoreport.charts.drawing.target_rows import named
from discoreport.charts.drawing.text import wrapped
from discoreport.charts.drawing.to_svg import undrawable
from discoreport.charts.risk_utility import first_map
from discoreport.report.first_page_room import FirstPage, first_page

if TYPE_CHECKING:
    import altair as alt

MOST_ROWS = 20
"""How many rows a table of the report has at most, and how many targets a figure; the tables beside it have all."""


@dataclass(frozen=True)
class DrawnFigure:
    """A drawn chart, what a screen reader speaks of it, and how many targets or variables it has no place for."""

    name: str
    svg: Markup
    spoken: str
    n_left_out: int = 0


class Figures:
    """The figures of one assessment, drawn when they are asked for.

    Parameters
    ----------
    assessment
        What to draw.
    targets
        Its targets, most disclosive first.
    """

    def __init__(self, assessment: Assessment, targets: Sequence[str]) -> None:
        self._assessment, self._targets = assessment, targets
        self._drawn: dict[tuple[str, tuple[str, ...]], DrawnFigure | None] = {}

    def of(self, name: str) -> tuple[DrawnFigure, ...]:
        """Draw a chart of the first targets, as many as a page holds; none where it doesn't apply.

        Distributions have a figure for every twelve variables.
        """
        if name == "distributions":
            return self._distributions
        shown = self._targets[:MOST_ROWS] if len(self._targets) > MOST_ROWS and not charts.CHARTS[name].whole else []
        figure = self._draw(name, tuple(shown))
        return () if figure is None else (figure,)

    @property
    def overview(self) -> DrawnFigure | None:
        """The chart of the first page: all targets, or the most exposed of them; each of its worst file."""
        if len(self._assessment.synthetic) > 1:
            return self._of_worst_files if self._at_first else None
        if self.overview_is_whole:
            return next(iter(self.of("overview")), None)
        return self._draw("overview", self._at_first) if self._at_first else None

    @property
    def first_map(self) -> DrawnFigure | None:
        """The map of risk and utility on the first page; None where there is one candidate."""
        return self._once("first map", (), lambda: None if undrawable() else _first_map(_Shown.of(self._assessment)))

    @property
    def _of_worst_files(self) -> DrawnFigure | None:
        def drawn() -> DrawnFigure | None:
            return _figure_of(of_worst_files(self._assessment).for_targets(self._at_first), "overview", 0)

        return self._once("overview of worst files", (), drawn)

    @property
    def _distributions(self) -> tuple[DrawnFigure, ...]:
        found, last = self._assessment.analyses.utility, n_pages(self._assessment)

        def page(number: int) -> DrawnFigure | None:
            n_left_out = max(len(found.compared) - MOST_DRAWN, 0) if found and number == last else 0

            def drawn() -> DrawnFigure | None:
                return None if undrawable() else _page_of_distributions(_Shown.of(self._assessment), number, n_left_out)

            return self._once("distributions", (str(number),), drawn)

        return tuple(figure for figure in map(page, range(1, last + 1)) if figure is not None)

    @property
    def overview_is_whole(self) -> bool:
        """Whether the first page shows all targets."""
        return len(self._targets) == len(self._at_first) > 0

    @cached_property
    def first_page(self) -> FirstPage:
        """What page 1 has room for."""
        return first_page(self._assessment)

    @cached_property
    def _at_first(self) -> tuple[str, ...]:
        """The most exposed targets, as many as the figure of the first page holds."""
        most = self.first_page.figure_lines
        written = named(self._assessment, self._targets)
        lines = itertools.accumulate(len(wrapped(name, WIDEST_NAME)) for name in written)
        return tuple(name for name, up_to in zip(self._targets, lines, strict=True) if up_to <= most)

    @property
    def drawn(self) -> tuple[DrawnFigure, ...]:
        """All figures that were asked for, each once."""
        return tuple(figure for figure in self._drawn.values() if figure is not None)

    def _draw(self, name: str, targets: tuple[str, ...]) -> DrawnFigure | None:
        """Draw a chart of some targets; of the whole assessment where none are named."""

        def drawn() -> DrawnFigure | None:
            assessment = self._assessment.for_targets(targets) if targets else self._assessment
            return _figure_of(assessment, name, len(self._targets) - len(targets) if targets else 0)

        return self._once(name, targets, drawn)

    def _once(self, name: str, targets: tuple[str, ...], draw: Callable[[], DrawnFigure | None]) -> DrawnFigure | None:
        if (name, targets) not in self._drawn:
            self._drawn[name, targets] = draw()
        return self._drawn[name, targets]


def _figure_of(assessment: Assessment, name: str, n_left_out: int) -> DrawnFigure | None:
    return None if undrawable() else _drawn(_Shown.of(assessment), name, n_left_out)


@dataclass(frozen=True)
class _Shown:
    """What figures show: what was found, and of what people say census or not, labels, sensitive levels, thresholds."""

    fingerprint: str
    assessment: Assessment = field(compare=False)

    @classmethod
    def of(cls, assessment: Assessment) -> _Shown:
        fields = {name: of for name, of in Assessment.model_fields.items() if name not in Analysed.model_fields}
        said = assessment.documentation
        plain = assessment.model_copy(
            update={
                **{name: of.get_default(call_default_factory=True) for name, of in fields.items()},
                "documentation": Documentation(
                    source=SourceData(collection=said.source.collection),
                    **{name: getattr(said, name) for name in ("labels", "level_labels", "sensitive")},
                ),
                "policy": default_policy().model_copy(
                    update={
                        name: getattr(assessment.policy, name)
                        for name in ("small_cell_limit", "sensitive", "thresholds")
                    }
                ),
                "provenance": assessment.provenance.model_copy(update={"created": datetime.datetime.min}),
            }
        )
        return cls(plain.fingerprint, plain)


@functools.lru_cache(maxsize=128)
def _drawn(shown: _Shown, name: str, n_left_out: int) -> DrawnFigure | None:
    """Draw a figure once, however often what people say of the release changes."""
    if not charts.CHARTS[name].applies(shown.assessment):
        return None
    return _written(name, charts.draw(shown.assessment, name), n_left_out)


@functools.lru_cache(maxsize=32)
def _first_map(shown: _Shown) -> DrawnFigure | None:
    """Draw the map of the first page, once."""
    if not charts.CHARTS["risk_utility"].applies(shown.assessment):
        return None
    with unchecked():
        return _written("risk_utility", first_map(shown.assessment))


@functools.lru_cache(maxsize=32)
def _page_of_distributions(shown: _Shown, page: int, n_left_out: int) -> DrawnFigure:
    """Draw twelve variables once."""
    with unchecked():
        return _written("distributions" + f"_{page}" * (page > 1), distributions(shown.assessment, page), n_left_out)


def _written(name: str, chart: alt.LayerChart, n_left_out: int = 0) -> DrawnFigure:
    return DrawnFigure(name, Markup(charts.svg(chart)), str(chart.description), n_left_out)  # noqa: S704  # built there
