"""`DisclosureForm`: from two files to a signed-off report, without writing code."""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as w

from discoreport.assessment.assessment import Assessment
from discoreport.errors import DiscoReportError, RecordError, suggest
from discoreport.form import controls as c
from discoreport.form.checks_step import ChecksStep
from discoreport.form.data_step import DataStep
from discoreport.form.draft import Draft
from discoreport.form.files import HeldFiles, frames_in
from discoreport.form.history import History
from discoreport.form.look import sheet
from discoreport.form.report_step import ReportStep
from discoreport.form.results_step import ResultsStep
from discoreport.form.saving import DEFAULT_OUT
from discoreport.form.scenario_step import ScenarioStep
from discoreport.form.settings_step import SettingsStep
from discoreport.form.state import LIVE, FormState, KeyFigures
from discoreport.form.status import STEPS, headlines, key_figures, statuses
from discoreport.form.step import Step
from discoreport.form.working import Cancelled, Progress, Request, Worker

_STEPS: tuple[type[Step], ...] = (DataStep, ScenarioStep, SettingsStep, ResultsStep, ChecksStep, ReportStep)
_TOOLTIPS = (
    "Choose the original and the synthetic files, and see whether they match",
    "Who might try what: which variables an intruder may know, and which ones to learn",
    "Groups of numbers, special codes, missing values and thresholds",
    "What the synthetic file gives away, variable by variable",
    "What is common knowledge, and what is left out because of that",
    "What is said of the release, the decision, and the files of the report",
)


class DisclosureForm(w.VBox):  # type: ignore[misc]
    """A form that leads from two files to a disclosure report; display it in a notebook.

    What is displayed and saved in the notebook are settings, words and aggregates, never records. The
    form saves itself, without data, beside the folder of the report after each change.

    Parameters
    ----------
    original
        The confidential file: a path, or a table as for `assess`. None: choose it in the form.
    synthetic
        The synthetic file, or a list of several.
    out
        Folder for the report.

    Notes
    -----
    Errors, such as a file that isn't there, are told in the form.

    Examples
    --------
    >>> from discoreport import DisclosureForm  # doctest: +SKIP
    >>> DisclosureForm("original.csv", "synthetic.csv")  # doctest: +SKIP
    """

    def __init__(self, original: object = None, synthetic: object = None, *, out: str | Path = DEFAULT_OUT) -> None:
        super().__init__()
        self.state = FormState(out, _names_of_notebook)
        self._steps: dict[int, Step] = {}
        self._worker = Worker(self._show_progress, self._show_busy)
        self._pictures = Worker(lambda _: None)
        self.key_figures: KeyFigures | None = None
        self._counted: Draft | None = None
        self._build()
        self.state.listen(self._changed)
        if original is not None or synthetic is not None:
            self._hold(original, synthetic)
        self.open_step(0)
        if original is not None or synthetic is not None:
            self.read_files(then=lambda: self.open_step(1))

    def _hold(self, original: object, synthetic: object) -> None:
        """Take files that were given, frames under names of their own."""
        several = list(synthetic) if isinstance(synthetic, list | tuple) else [synthetic]
        names = [f"synthetic_{place}" for place in range(1, len(several) + 1)]
        texts = [
            self._named(source, name) for source, name in zip([original, *several], ["original", *names], strict=True)
        ]
        self.state.choose(texts[0], texts[1:])

    def _named(self, source: object, name: str) -> str:
        if source is None:
            return ""
        return str(source) if isinstance(source, str | Path) else self.state.give(name, source)

    # What it is made of --------------------------------------------------------------------------

    def _build(self) -> None:
        self.add_class("discoreport")
        self._style = c.html(f"<style>{sheet()}</style>")
        self._title = c.html()
        self._tabs = [
            w.Button(description=name, tooltip=tooltip) for name, tooltip in zip(STEPS, _TOOLTIPS, strict=True)
        ]
        for place, tab in enumerate(self._tabs):
            tab.on_click(lambda _, place=place: self.go_to(place))
        steps = c.box(*self._tabs, kind="steps")
        self._strip = c.html()
        self._bar = w.IntProgress(0, 0, 1, tooltip="How far the work has come")
        self._said = c.html("", "d-second")
        self._cancel = c.button("Cancel", "Give up what is under way; everything stays as it was", self.cancel)
        self._status = c.box(self._said, self._bar, self._cancel, kind="status")
        self._resume = c.box()
        self._panel = w.Stack(children=[c.box() for _ in STEPS], selected_index=0)
        self._panel.add_class("d-panel")
        self.history = History(self)
        self.children = [
            self._style, self._title, self._resume, steps, self._strip, self._status, self._panel, self.history.view,
        ]  # fmt: skip
        self._show_progress(None)
        self._offer_earlier()
        self._show_head()

    def _offer_earlier(self) -> None:
        earlier = self.state.earlier
        if earlier is None:
            self._resume.children = ()
            return
        go_on = c.button(
            "Go on with it", "Take up files, settings and answers as they were saved", self._go_on, primary=True
        )
        anew = c.button(
            "Begin anew", "Leave the earlier form aside; its file is kept under another name", self._begin_anew
        )
        words = c.message(f"An earlier form saved itself in {earlier.name}.")
        self._resume.children = [c.html(words), c.box(go_on, anew, kind="row")]

    def _go_on(self) -> None:
        earlier = self.state.earlier
        self._resume.children = ()
        if earlier is not None:
            self._restore(earlier)

    def _begin_anew(self) -> None:
        self._resume.children = ()

    def _restore(self, path: Path) -> None:
        """Take up a saved form and open its files; where that can't be, the step Data says why."""
        step = self._step(0)
        with step.telling():
            self.state.restore(path)
            wanted = self.state.step
            self.read_files(then=lambda: self._after_restoring(wanted))

    def _after_restoring(self, step: int) -> None:
        self.open_step(step)
        if self.state.draft.keys:
            self.run(kept=False)

    # Steps ---------------------------------------------------------------------------------------

    def _step(self, place: int) -> Step:
        if place not in self._steps:
            self._steps[place] = _STEPS[place](self)
            panels = list(self._panel.children)
            panels[place] = self._steps[place].view
            self._panel.children = panels
        return self._steps[place]

    def go_to(self, step: int | str) -> None:
        """Open a step, and bring its head into sight and the keyboard there."""
        self.open_step(step)
        self._tabs[self._panel.selected_index].focus()

    def open_step(self, step: int | str) -> None:
        """Open a step.

        Parameters
        ----------
        step
            Its place, from 0, or its name.
        """
        place = STEPS.index(step) if isinstance(step, str) else step
        known = place in self._steps
        shown = self._step(place)
        if known:
            shown.refresh("all")
        self._panel.selected_index = place
        self.state.step = place
        self._show_tabs()

    def _changed(self, what: str) -> None:
        """Show what has changed: figures of the keys at once, the rest where it is in sight."""
        if (what == "files" or self._counted != self.state.draft) and self.may_count:
            self._counted = self.state.draft
            self.key_figures = key_figures(self.state)
        if what == "files":
            self._offer_earlier()
        live = what == "settings" and self._live
        self._show_head()
        if live:
            self.run(kept=False)
        shown = self._steps.get(self._panel.selected_index)
        if shown is not None:
            shown.refresh(what)
        if what == "run":
            self.history.refresh()

    @property
    def may_count(self) -> bool:
        """Whether something quick may be counted right now: a connection beyond memory does one thing at a time."""
        return not self.busy or self.state.files is None or self.state.files.engine == "memory"

    @property
    def _live(self) -> bool:
        state = self.state
        return state.files is not None and not state.problem and state.stale and state.seconds < LIVE

    # Work ----------------------------------------------------------------------------------------

    def read_files(self, then: Callable[[], object] = lambda: None) -> None:
        """Read the chosen files, and do something after that."""

        def taken(files: HeldFiles) -> None:
            self.state.take(files)
            then()

        self.work(self.state.open, taken, self._step(0))

    def run(self, *, kept: bool = True) -> None:
        """Assess the files with the settings as they are.

        Parameters
        ----------
        kept
            False for a run that only follows a change, and that the next one replaces in the history.
        """
        step = self._step(self._panel.selected_index) if self._panel.selected_index is not None else self._step(3)
        try:
            settings = self.state.draft.settings()
        except DiscoReportError as error:
            step.say(str(error), "error")
            return
        started = time.monotonic()

        def taken(assessment: Assessment) -> None:
            self.state.seconds = time.monotonic() - started
            self.state.accept(assessment, kept=kept)

        self.work(lambda progress: self.state.compute(progress, settings), taken, step)

    def follow(self) -> None:
        """Run again after an action that asks for it, unless figures are on their way already."""
        if self.state.stale and not self.busy and not self.state.problem and self.state.files is not None:
            self.run()

    def work(
        self, function: Callable[[Progress], Any], then: Callable[[Any], object], step: Step, place: Any = None
    ) -> None:
        """Do something that may take long, with progress, and tell errors in a step, or in a place of it."""

        def ended(error: BaseException) -> None:
            if isinstance(error, Cancelled):
                return
            if not isinstance(error, DiscoReportError):
                words = f"The program itself has failed ({type(error).__name__}); the log has more. Nothing was lost."
                step.say(words, "error", place)
                raise error
            step.say(str(error), "error", place)

        def done(result: Any) -> None:
            with step.telling(place):
                then(result)

        self._worker.start(Request(function, done, ended))

    def draw(self, function: Callable[[], Any], then: Callable[[Any], object]) -> None:
        """Draw figures beside everything else; only the latest request is shown."""

        def ended(error: BaseException) -> None:
            if not isinstance(error, Cancelled):
                raise error

        self._pictures.start(Request(lambda _: function(), then, ended))  # type: ignore[arg-type]

    def cancel(self) -> None:
        """Give up what is under way."""
        self._worker.cancel()

    @property
    def busy(self) -> bool:
        """Whether files are being read or figures being made."""
        return self._worker.busy

    # The head ------------------------------------------------------------------------------------

    def _show_head(self) -> None:
        self._show_tabs()
        said = self.state.documentation
        title = said.title or said.request.dataset
        self._title.value = (
            f'<div class="d-title">Disclosure report{f"<small>{html.escape(title)}</small>" if title else ""}</div>'
        )
        stale = " d-stale" if self.state.current is not None and self.state.stale else ""
        figures = "".join(
            f'<div><span>{one.label}</span><b class="d-{one.hue}">{html.escape(one.value)}</b>'
            f"<span>{html.escape(one.more)}</span></div>"
            for one in headlines(self.state, self.key_figures)
        )
        self._strip.value = f'<div class="d-strip{stale}" role="status">{figures}</div>'
        self._show_saved()

    def _show_saved(self) -> None:
        if self.busy:
            return
        if self.state.not_saved:
            self._said.value = c.message(f"Not saved: {self.state.not_saved}", "error")
        elif self.state.saved_at:
            self._said.value = f"Saved in {html.escape(self.state.saved_at.name)}: settings and answers, no data."
        else:
            self._said.value = ""

    def _show_tabs(self) -> None:
        for place, (tab, name, status) in enumerate(zip(self._tabs, STEPS, statuses(self.state), strict=True)):
            tab.description = f"{place + 1} {name}\n{status.words}"
            for kind in ("done", "open", "problem"):
                (tab.add_class if kind == status.kind else tab.remove_class)(f"d-{kind}")
            here = place == self._panel.selected_index
            (tab.add_class if here else tab.remove_class)("d-here")

    def _show_progress(self, progress: tuple[int, int, str] | None) -> None:
        shown = "" if progress else "none"
        if self._bar.layout.display != shown:
            self._bar.layout.display = self._cancel.layout.display = shown
        if progress:
            done, total, what = progress
            self._bar.max, self._bar.value = max(total, 1), done
            self._said.value = html.escape(f"{what} ({done} of {total})")

    def _show_busy(self) -> None:
        for step in self._steps.values():
            for one in getattr(step, "run_buttons", ()):
                one.disabled = self.busy
        self._show_saved()

    # For Python ----------------------------------------------------------------------------------

    @property
    def assessment(self) -> Assessment | None:
        """The latest result, with all that was said of it; None before the first run."""
        return self.state.assessment

    @property
    def record(self) -> bytes | None:
        """The record of the latest result as JSON, as the bundle holds it; None before the first run."""
        return None if self.state.assessment is None else self.state.assessment.record

    def code(self) -> str:
        """Write the Python lines that do the same without the form.

        Raises
        ------
        SettingsError
            Before the first run.
        """
        return self.state.code()

    def save(self, path: str | Path) -> Path:
        """Save the form: paths, settings, answers, words. No data, and no figures.

        Parameters
        ----------
        path
            A file; `load` reads it.

        Raises
        ------
        OutputError
            Where it can't be written.
        """
        return self.state.save(path)

    @classmethod
    def load(cls, path: str | Path, *, frames: Mapping[str, object] | None = None) -> DisclosureForm:
        """Take up a form that was saved, by `save` or by itself, and read its files again.

        Parameters
        ----------
        path
            The file.
        frames
            Tables for the files that weren't paths, by the names that they had in the form: "original",
            "synthetic_1", or the names of variables.

        Returns
        -------
        DisclosureForm
            Where a file is gone, the form says so, and it can be chosen anew; nothing else is lost.

        Raises
        ------
        RecordError
            Where the file can't be read, or a frame has a name that the form doesn't know.
        """
        form = cls()
        form.state.restore(path)
        known: Sequence[str] = (form.state.original, *form.state.synthetic)
        for name, frame in (frames or {}).items():
            if name not in known:
                raise RecordError(f"The saved form has no file '{name}'. {suggest(name, known)}")
            form.state.give(name, frame)
        wanted = form.state.step
        form._resume.children = ()
        form.open_step(0)
        form.read_files(then=lambda: form._after_restoring(wanted))
        return form

    def _repr_mimebundle_(self, **_: Any) -> Any:
        """Add what stands in where no widget can be shown."""
        bundle = super()._repr_mimebundle_()
        if bundle:
            bundle["text/html"] = "<p>A disclosure form. Run the notebook to use it.</p>"
        return bundle


def _names_of_notebook() -> dict[str, Any]:
    """Give the tables among the names of the notebook."""
    import sys

    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python else None
    return {} if shell is None else frames_in(shell.user_ns)
