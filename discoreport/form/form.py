"""`DisclosureForm`: from two files to a signed-off report, without writing code."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as w

from discoreport.assessment.assessment import Assessment
from discoreport.errors import RecordError, suggest
from discoreport.form.model.file_choice import LARGEST_UPLOAD
from discoreport.form.model.key_figures import KeyFigures
from discoreport.form.model.open_files import frames_in
from discoreport.form.model.saved_form import DEFAULT_OUT
from discoreport.form.model.state import FormState
from discoreport.form.panels.earlier_form import Resuming
from discoreport.form.panels.header import Head
from discoreport.form.panels.order import STEPS
from discoreport.form.panels.panel import Step
from discoreport.form.panels.run_history import History
from discoreport.form.tasks import Tasks
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.style import sheet


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
    largest_upload
        MB that the server takes as an upload; the form tells it, for larger ones never arrive.

    Notes
    -----
    Errors, such as a file that isn't there, are told in the form.

    Examples
    --------
    >>> from discoreport import DisclosureForm  # doctest: +SKIP
    >>> DisclosureForm("original.csv", "synthetic.csv")  # doctest: +SKIP
    """

    def __init__(
        self,
        original: object = None,
        synthetic: object = None,
        *,
        out: str | Path = DEFAULT_OUT,
        largest_upload: int = LARGEST_UPLOAD,
    ) -> None:
        super().__init__()
        self.largest_upload = largest_upload
        self.state = FormState(out, _names_of_notebook)
        self.tasks = Tasks(self)
        self.key_figures: KeyFigures | None = None
        self._counted: object = None
        self._steps: dict[str, Step] = {}
        self._panel = w.Stack(children=[c.box() for _ in STEPS], selected_index=0)
        self._panel.add_class("d-panel")
        self.head, self.resuming, self.history = Head(self), Resuming(self), History(self)
        self.add_class("discoreport")
        self.children = [
            c.html(f"<style>{sheet()}</style>"), self.head.title, self.resuming.view, self.head.steps,
            self.head.strip, self.head.work, self._panel, self.history.view,
        ]  # fmt: skip
        self.state.listen(self._changed)
        given = original is not None or synthetic is not None
        if given:
            self._hold(original, synthetic)
        self.open_step(STEPS[0].name)
        self.head.refresh()
        if given:
            self.tasks.read_files(then=lambda: self.open_step(STEPS[1].name))

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
        return str(source) if isinstance(source, str | Path) else self.state.choice.give(name, source)

    # Steps ---------------------------------------------------------------------------------------

    def step(self, name: str) -> Step:
        """Give a step, built where it wasn't yet."""
        if name not in self._steps:
            place = _place(name)
            self._steps[name] = STEPS[place](self)
            panels = list(self._panel.children)
            panels[place] = self._steps[name].view
            self._panel.children = panels
        return self._steps[name]

    @property
    def opened(self) -> Step:
        """The step that is in sight."""
        return self.step(STEPS[self._panel.selected_index].name)

    def step_after(self, step: type[Step]) -> type[Step] | None:
        """Give the step that follows another; None after the last."""
        return dict(itertools.pairwise(STEPS)).get(step)

    def go_to(self, name: str) -> None:
        """Open a step, and bring its head into sight and the keyboard there."""
        self.open_step(name)
        self.head.tabs[name].focus()
        self.state.save_by_itself()

    def open_step(self, name: str) -> None:
        """Open a step by its name; the first where there is none of this name."""
        name = STEPS[_place(name)].name
        known = name in self._steps
        shown = self.step(name)
        if known:
            shown.refresh("all")
        self._panel.selected_index = _place(name)
        self.state.step = name
        self.head.show_steps()

    def _changed(self, what: str) -> None:
        """Show what has changed: figures of the keys at once, the rest where it is in sight."""
        if (what == "files" or self._counted is not self.state.draft) and self.tasks.may_count:
            self._counted = self.state.draft
            self.key_figures = self.state.key_figures()
        if what == "files":
            self.resuming.refresh()
        self.head.refresh()
        if what == "settings":
            self.tasks.follow_live()
        self.opened.refresh(what)
        if what == "run":
            self.history.refresh()

    # The work under way --------------------------------------------------------------------------

    def show_progress(self, progress: tuple[int, int, str] | None) -> None:
        """Show how far the work has come; None: there is none that takes long."""
        self.head.show_progress(progress)

    def show_busy(self) -> None:
        """Let buttons be pressed, or not, and say what there is to say of it."""
        of_steps = (one for step in self._steps.values() for one in step.run_buttons)
        for one in (*of_steps, self.history.compare):
            one.disabled = self.tasks.busy
        self.head.show_saved()

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
        known: Sequence[str] = (form.state.choice.original, *form.state.choice.synthetic)
        for name, frame in (frames or {}).items():
            if name not in known:
                raise RecordError(f"The saved form has no file '{name}'. {suggest(name, known)}")
            form.state.choice.give(name, frame)
        form.resuming.read_files()
        return form

    def _repr_mimebundle_(self, **_: Any) -> Any:
        """Add what stands in where no widget can be shown."""
        bundle = super()._repr_mimebundle_()
        if bundle:
            bundle["text/html"] = "<p>A disclosure form. Run the notebook to use it.</p>"
        return bundle


def _place(name: str) -> int:
    """Find the place of a step; 0 where there is none of this name."""
    return next((place for place, step in enumerate(STEPS) if step.name == name), 0)


def _names_of_notebook() -> dict[str, Any]:
    """Give the tables among the names of the notebook."""
    import sys

    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python else None
    return {} if shell is None else frames_in(shell.user_ns)
