"""The figures of a report: each drawn once, of as many targets as a page holds."""

from __future__ import annotations

import datetime
import functools
import itertools
from dataclasses import dataclass, field
from functools import cached_property

from markupsafe import Markup

from discoreport import charts
from discoreport.assessment.analysed import Analysed
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release.documentation import Documentation, SourceData
from discoreport.assessment.release.policy import default_policy
from discoreport.assessment.worst_file import of_worst_files, worst_first
from discoreport.charts.distributions import MOST_DRAWN, distributions, n_pages
from discoreport.charts.drawing.altair_import import unchecked
from discoreport.charts.drawing.layout import WIDEST_NAME
from discoreport.charts.drawing.target_rows import named
from discoreport.charts.drawing.text import wrapped
from discoreport.charts.drawing.to_svg import undrawable
from discoreport.charts.risk_utility import first_map
from discoreport.report.first_page_room import FirstPage, first_page
from discoreport.report.internal_files import InternalFiles

MOST_ROWS = 20
"""How many rows a table of the report has at most, and how many targets a figure; the tables beside it have all."""
_FIRST_MAP = "first map"


@dataclass(frozen=True)
class DrawnFigure:
    """A drawn chart, what a screen reader speaks of it, and how many targets or variables it has no place for."""

    name: str
    svg: Markup
    spoken: str
    n_left_out: int = 0


class InternalFigures(InternalFiles):
    """The part of the internal edition that is drawn: each figure when it is asked for."""

    @cached_property
    def _most_exposed_first(self) -> tuple[str, ...]:
        return worst_first(self.assessment)

    @cached_property
    def _drawn(self) -> dict[tuple[object, ...], DrawnFigure | None]:
        return {}

    @cached_property
    def _first_page(self) -> FirstPage:
        return first_page(self.assessment)

    def figures(self, name: str) -> tuple[DrawnFigure, ...]:
        """Draw a chart of the first targets, as many as a page holds; none where it doesn't apply.

        Distributions have a figure for every twelve variables.
        """
        if name == "distributions":
            found, last = self.assessment.analyses.utility, n_pages(self.assessment)
            left_out = max(len(found.compared) - MOST_DRAWN, 0) if found else 0
            drawn = [self._once(name, page=n, n_left_out=left_out if n == last else 0) for n in range(1, last + 1)]
        else:
            targets = self._most_exposed_first
            parted = len(targets) > MOST_ROWS and not charts.CHARTS[name].whole
            drawn = [self._once(name, targets[:MOST_ROWS] if parted else ())]
        return tuple(figure for figure in drawn if figure is not None)

    @property
    def overview(self) -> DrawnFigure | None:
        """The chart of the first page: all targets, or the most exposed of them; each of its worst file."""
        if not self._at_first:
            return None
        if len(self.synthetic) > 1:
            return self._once("overview", self._at_first, of_worst=True)
        return self._once("overview", () if self.overview_is_whole else self._at_first)

    @property
    def first_map(self) -> DrawnFigure | None:
        """The map of risk and utility on the first page; None where there is one candidate."""
        return self._once(_FIRST_MAP)

    @property
    def overview_is_whole(self) -> bool:
        """Whether the first page shows all targets."""
        return len(self._most_exposed_first) == len(self._at_first) > 0

    @property
    def most_open(self) -> int:
        """How many open items page 1 has a place for."""
        return self._first_page.most_open

    @property
    def undrawable(self) -> str:
        """Why there are no figures; "" where there are."""
        return undrawable()

    @cached_property
    def _at_first(self) -> tuple[str, ...]:
        """The most exposed targets, as many as the figure of the first page holds."""
        written = named(self.assessment, self._most_exposed_first)
        lines = itertools.accumulate(len(wrapped(name, WIDEST_NAME)) for name in written)
        most = self._first_page.figure_lines
        return tuple(name for name, up_to in zip(self._most_exposed_first, lines, strict=True) if up_to <= most)

    @property
    def drawings(self) -> dict[str, str]:
        """The figures that were asked for, as they stand in the page, and what a screen reader speaks of each."""
        return {str(figure.svg): figure.spoken for figure in self._drawn.values() if figure is not None}

    def _once(
        self, name: str, targets: tuple[str, ...] = (), *, of_worst: bool = False, page: int = 1, n_left_out: int = 0
    ) -> DrawnFigure | None:
        """Draw a chart of some targets, or of all where none are named; none where it doesn't apply."""
        asked = name, targets, of_worst, page
        if asked not in self._drawn:
            assessment = of_worst_files(self.assessment) if of_worst else self.assessment
            if targets:
                assessment, n_left_out = assessment.for_targets(targets), len(self._most_exposed_first) - len(targets)
            self._drawn[asked] = None if undrawable() else _drawn(_Shown.of(assessment), name, page, n_left_out)
        return self._drawn[asked]


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
def _drawn(shown: _Shown, name: str, page: int, n_left_out: int) -> DrawnFigure | None:
    """Draw a figure once, however often what people say of the release changes."""
    assessment, called = shown.assessment, "risk_utility" if name == _FIRST_MAP else name
    if not charts.CHARTS[called].applies(assessment):
        return None
    with unchecked():
        if name == _FIRST_MAP:
            chart = first_map(assessment)
        else:
            chart = distributions(assessment, page) if page > 1 else charts.draw(assessment, name)
    drawn = Markup(charts.svg(chart))  # noqa: S704  # built there
    return DrawnFigure(f"{called}_{page}" if page > 1 else called, drawn, str(chart.description), n_left_out)
