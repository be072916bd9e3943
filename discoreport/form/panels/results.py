"""Step 4, Results: what the synthetic file gives away, in the report's sentences, figures and tables."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.worst_file import worst_first
from discoreport.charts import CHARTS
from discoreport.form.model.state import Change, FormState
from discoreport.form.model.viewers import Viewer
from discoreport.form.panels.panel import STALE, Panel, Status
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.html import page
from discoreport.form.widgets.style import figure, section
from discoreport.report.internal_edition import InternalEdition

_NONE = ("no target", "")
_MOST = 12
"""How many targets a figure of the form shows at most."""


class ResultsPanel(Panel):
    """Shows figures; each target can be opened."""

    name = "Results"
    called = "the results"
    purpose = "What the synthetic file gives away, variable by variable"
    intro = "Percentages are of the original records. Higher is worse; no figure says that a file is fine."

    @staticmethod
    def open_to(viewer: Viewer) -> bool:  # noqa: ARG004  # figures are there to be looked at
        """Tell whether somebody may open it."""
        return True

    @staticmethod
    def status(state: FormState) -> Status:
        """Tell how far it is."""
        if state.runs.current is None:
            return Status("open", "open: not run")
        if not state.runs.current.settings.targets:
            return Status("open", "open: no targets")
        return Status("problem", "out of date") if state.stale else Status("done", "done")

    def build(self) -> list[Any]:
        """Make the controls."""
        self.run = c.button(
            "Run the assessment", "Measure every target with the settings as they are", self._run, primary=True
        )
        self.run_buttons = (self.run,)
        self.state_said = c.Message()
        self.finding = c.html()
        self.table = c.html()
        self.thresholds = c.html()
        names = [(chart.title, name) for name, chart in CHARTS.items()]
        self.which = c.choice("Figure", "Which of the report's figures is shown", names, "overview", kind="wide")
        c.on_change(self.which, self.told(lambda _: self._draw()))
        self.figure = c.Drawn("The figure", "d-figure")
        self.target = c.choice(
            "Open a target",
            "What an intruder finds of it, step by step",
            [_NONE],
            "",
            kind="wide",
        )
        c.on_change(self.target, self.told(lambda _: self._draw()))
        self.detail = c.Drawn("What there is about the target")
        self._drawn_of: Assessment | None = None
        self._drawn: dict[tuple[str, str], str] = {}
        self.body = c.box(
            self.finding, self.thresholds, self.table,
            c.box(self.which, kind="row"), self.figure.view,
            c.box(self.target, kind="row"), self.detail.view,
        )  # fmt: skip
        return [c.box(self.run, kind="row"), self.state_said, self.body]

    def refresh(self, change: Change) -> None:
        """Show the latest figures; say where they are not those of the settings."""
        assessment = self.state.assessment
        self.body.layout.display = "none" if assessment is None else ""
        if assessment is None:
            self.state_said.value = c.paragraph("Nothing was measured yet.")
            self.leads_on(False)
            return
        stale = self.state.stale
        c.lead(self.run, stale)
        self.leads_on(not stale)
        (self.body.add_class if stale else self.body.remove_class)("d-old")
        self.state_said.say(STALE if stale else "", "warning")
        if change in {Change.ALL, Change.RUN, Change.FILES}:
            edition = InternalEdition(assessment)
            self.finding.value = section(assessment, "finding")
            self.thresholds.value = page("thresholds", edition=edition, most=_MOST)
            self.table.value = page("targets", edition=edition)
            with self.filling:
                names = [row.name for row in edition.targets]
                before = self.target.value if self.target.value in names else ""
                self.target.options = [_NONE, *((written_name(name), name) for name in names)]
                self.target.value = before
            self._draw()

    def _run(self) -> None:
        self.message.value = ""
        self.tasks.run()

    def _draw(self) -> None:
        """Show the chosen figure and the open target; what isn't drawn yet is drawn beside everything else."""
        assessment = self.state.assessment
        if assessment is None:
            return
        if assessment is not self._drawn_of:
            self._drawn_of, self._drawn = assessment, {("target", ""): ""}
        wanted = {self.figure: ("figure", self.which.value), self.detail: ("target", self.target.value)}
        missing = [one for one in wanted.values() if one not in self._drawn]

        def show(drawn: dict[tuple[str, str], str]) -> None:
            self._drawn.update(drawn)
            for place, one in wanted.items():
                place.put(self._drawn[one])

        for place, one in wanted.items():
            if one in missing:
                place.wait()
            else:
                place.put(self._drawn[one])
        self.tasks.draw(lambda: {one: _drawn(assessment, *one) for one in missing}, show)


def _drawn(assessment: Assessment, kind: str, name: str) -> str:
    if kind == "figure":
        drawn = figure(_most_exposed(assessment), name) or figure(assessment, name)  # some concern other targets
        return drawn or c.paragraph(CHARTS[name].otherwise)
    return of_target(assessment, name) if name else ""


def _most_exposed(assessment: Assessment) -> Assessment:
    names = worst_first(assessment)
    return assessment if len(names) <= _MOST else assessment.for_targets(names[:_MOST])


def of_target(assessment: Assessment, target: str) -> str:
    """Write all there is about one target: the report's section on it, its steps, and its curve over tau."""
    of_it = assessment.for_targets([target])
    figures = [Markup(figure(of_it, name)) for name in ("steps", "tau")]  # noqa: S704
    return page("target", target=target, section=Markup(section(of_it, "attribute")), figures=figures)  # noqa: S704
