"""`DisclosureForm`: from two files to a signed-off report, without writing code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as w

from discoreport.assessment.assessment import Assessment
from discoreport.errors import RecordError, suggest
from discoreport.form.model.file_choice import LARGEST_UPLOAD, Choice
from discoreport.form.model.open_files import frames_in
from discoreport.form.model.saved_form import DEFAULT_OUT
from discoreport.form.model.state import Change, FormState
from discoreport.form.model.viewers import LOOKING, viewer_of
from discoreport.form.panels import PANELS
from discoreport.form.panels.header import Header
from discoreport.form.panels.panel import Context, Panel
from discoreport.form.panels.run_history import RunHistory
from discoreport.form.panels.saved_form import EarlierForm
from discoreport.form.tasks import Tasks
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.style import unseen


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
    open_as
        "preparer", "first checker", "second checker" or "custodian": checkers and custodian look at what was
        prepared and sign, and change nothing else. By default the form shows everything.

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
        open_as: str = "",
    ) -> None:
        super().__init__()
        self.state = FormState(out, Choice(_names_of_notebook, largest_upload))
        self.state.viewer = viewer_of(open_as)
        self.tasks = Tasks(
            self.state,
            message_of=lambda name: self.panel(name).message,
            show_progress=self._show_progress,
            show_busy=self._show_busy,
        )
        self._context = Context(self.state, self.tasks, self.go_to)
        self._panels: dict[str, Panel] = {}
        self._stack = w.Stack(children=[c.box() for _ in PANELS], selected_index=0)
        self._stack.add_class("d-panel")
        self.header = Header(self._context, PANELS)
        self.earlier = EarlierForm(self._context, self.open_step, self._begin)
        self.history = RunHistory(self._context)
        self.add_class("discoreport")
        self._head = [c.html(unseen()), self.header.top, self.earlier.view]
        self.state.listen(self._changed)
        if original is not None or synthetic is not None:
            self._hold(original, synthetic)
        self.open_step("Data")
        self.header.refresh()
        if self.earlier.waits:
            self._show_earlier()
        else:
            self._begin()

    def _show_earlier(self) -> None:
        """Show the steps, or what has to be answered before them."""
        self.earlier.refresh()
        steps = (self.header.steps, self.header.stays, self._stack, self.history.view)
        self.children = [*self._head, *(() if self.earlier.waits else steps)]

    def _begin(self) -> None:
        """Show the steps, and read the files that were given."""
        self._show_earlier()
        if self.state.choice.made:
            self.tasks.read_files(then=lambda: self.open_step("Scenario"))

    def _hold(self, original: object, synthetic: object) -> None:
        """Take files that were given, frames under names of their own."""
        several = list(synthetic) if isinstance(synthetic, list | tuple) else [synthetic]
        names = [f"synthetic_{place}" for place in range(1, len(several) + 1)]
        texts = [
            self._named(source, name) for source, name in zip([original, *several], ["original", *names], strict=True)
        ]
        self.state.choose(texts[0], texts[1:])
        self.state.given = self.state.choice.texts

    def _named(self, source: object, name: str) -> str:
        if source is None:
            return ""
        return str(source) if isinstance(source, str | Path) else self.state.choice.give(name, source)

    # Panels --------------------------------------------------------------------------------------

    def panel(self, name: str) -> Panel:
        """Give a panel, built where it wasn't yet."""
        if name not in self._panels:
            place = _place(name)
            steps = [one for one in PANELS if one.open_to("")]
            following, before = steps[place + 1 : place + 2], steps[max(place - 1, 0) : place]
            if PANELS[place] not in steps:
                before = []
            self._panels[name] = PANELS[place](self._context, *(following or (None,)), *(before or (None,)))
            views = list(self._stack.children)
            views[place] = self._panels[name].view
            self._stack.children = views
        return self._panels[name]

    @property
    def opened(self) -> Panel:
        """The panel that is in sight."""
        return self.panel(PANELS[self._stack.selected_index].name)

    def go_to(self, name: str, place: str = "") -> None:
        """Open a panel, and bring one of its places, or its head, into sight and the keyboard there."""
        self.open_step(name)
        if not (place and self.opened.name == name and self.opened.show_place(place)):
            self.header.tabs[self.opened.name].focus()
        self.state.save_by_itself()
        self.earlier.refresh()

    def open_step(self, name: str) -> None:
        """Open a step by its name; the first where there is none of this name."""
        name = self._may_open(PANELS[_place(name)]).name
        known = name in self._panels
        shown = self.panel(name)
        if known:
            shown.refresh(Change.ALL)
        shown.show_ways()
        self._stack.selected_index = _place(name)
        self.state.panel = name
        self.header.show_steps()

    def _may_open(self, wanted: type[Panel]) -> type[Panel]:
        """Give a panel, or the one that whoever has the form open may see in place of it."""
        viewer = self.state.viewer
        if wanted.open_to(viewer):
            return wanted
        return next(one for one in PANELS if one.open_to(viewer) and (viewer not in LOOKING or not one.open_to("")))

    def _changed(self, change: Change) -> None:
        """Show what has changed: figures of the keys at once, the rest where it is in sight."""
        if self.tasks.may_count:
            self.state.count_keys()
        if change is Change.FILES:
            self._show_earlier()
        elif not self.earlier.waits:
            self.earlier.refresh()
        self.header.refresh()
        if change in {Change.SETTINGS, Change.ALL}:
            self.tasks.follow_live()
        if not type(self.opened).open_to(self.state.viewer):
            self.open_step(self.opened.name)
        self.opened.refresh(change)
        if change in {Change.RUN, Change.ALL}:
            self.history.refresh()

    def _show_progress(self, progress: tuple[int, int, str] | None) -> None:
        """Show how far the work has come; None: there is none that takes long."""
        self.header.show_progress(progress)

    def _show_busy(self) -> None:
        """Let buttons be pressed, or not, and say what there is to say of it."""
        of_panels = (one for panel in self._panels.values() for one in panel.run_buttons)
        for one in (*of_panels, self.history.compare):
            one.disabled = self.tasks.busy
        self.header.show_saved()

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
    def load(cls, path: str | Path, *, frames: Mapping[str, object] | None = None, open_as: str = "") -> DisclosureForm:
        """Take up a form that was saved, by `save` or by itself, and read its files again.

        Parameters
        ----------
        path
            The file.
        frames
            Tables for the files that weren't paths, by the names that they had in the form: "original",
            "synthetic_1", or the names of variables.
        open_as
            As above.

        Returns
        -------
        DisclosureForm
            Where a file is gone, the form says so, and it can be chosen anew; nothing else is lost.

        Raises
        ------
        RecordError
            Where the file can't be read, or a frame has a name that the form doesn't know.
        """
        form = cls(open_as=open_as)
        form.state.restore(path)
        known: Sequence[str] = (form.state.choice.original, *form.state.choice.synthetic)
        for name, frame in (frames or {}).items():
            if name not in known:
                raise RecordError(f"The saved form has no file '{name}'. {suggest(name, known)}")
            form.state.choice.give(name, frame)
        form.earlier.read_files()
        return form

    def _repr_mimebundle_(self, **_: Any) -> Any:
        """Add what stands in where no widget can be shown."""
        bundle = super()._repr_mimebundle_()
        if bundle:
            bundle["text/html"] = "<p>A disclosure form. Run the notebook to use it.</p>"
        return bundle


def _place(name: str) -> int:
    """Find the place of a panel; 0 where there is none of this name."""
    return next((place for place, panel in enumerate(PANELS) if panel.name == name), 0)


def _names_of_notebook() -> dict[str, Any]:
    """Give the tables among the names of the notebook."""
    import sys

    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python else None
    return {} if shell is None else frames_in(shell.user_ns)
