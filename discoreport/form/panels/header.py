"""What stands above the open panel: title, steps and how far they are, four figures, and the work under way."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as w

from discoreport.form.model.headline_figures import headlines
from discoreport.form.panels.panel import Context, Panel
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.html import page


class Header:
    """What stands above the open panel.

    Parameters
    ----------
    context
        What it may use of the form.
    panels
        Which panels there are.
    """

    def __init__(self, context: Context, panels: Sequence[type[Panel]]) -> None:
        self.state, self.tasks, self.panels = context.state, context.tasks, panels
        self.title = c.html()
        self.tabs = {panel.name: w.Button(tooltip=panel.purpose) for panel in panels}
        for name, tab in self.tabs.items():
            tab.on_click(_opening(context.go_to, name))
        self.steps = c.box(*self.tabs.values(), kind="steps")
        self.strip = c.html()
        self.bar = w.IntProgress(0, 0, 1, tooltip="How far the work has come")
        self.said = c.html("", "d-second")
        self.cancel = c.button("Cancel", "Give up what is under way; everything stays as it was", self.tasks.cancel)
        self.work = c.box(self.said, self.bar, self.cancel, kind="status")
        self.show_progress(None)

    def refresh(self) -> None:
        """Show the state."""
        self.show_steps()
        said = self.state.statements.documentation
        self.title.value = page("title", title=said.title or said.request.dataset)
        self.strip.value = page(
            "strip",
            stale=self.state.runs.current is not None and self.state.stale,
            headlines=headlines(self.state.assessment, self.state.key_figures),
            told_apart=self.state.held.told_apart,
        )
        self.show_saved()

    def show_steps(self) -> None:
        """Show how far each step is, and which one is open."""
        for place, (panel, tab) in enumerate(zip(self.panels, self.tabs.values(), strict=True), start=1):
            status = panel.status(self.state)
            tab.description = f"{place} {panel.title or panel.name}\n{status.words}"
            for kind in ("done", "open", "problem"):
                (tab.add_class if kind == status.kind else tab.remove_class)(f"d-{kind}")
            (tab.add_class if panel.name == self.state.panel else tab.remove_class)("d-here")

    def show_saved(self) -> None:
        """Say where the form has saved itself, or why it couldn't."""
        if self.tasks.busy:
            return
        saved = self.state.autosave
        if saved.problem:
            self.said.value = c.message(f"Not saved: {saved.problem}", "error")
        elif saved.at:
            self.said.value = f"Saved in {html.escape(saved.at.name)}: settings and answers, no data."
        else:
            self.said.value = ""

    def show_progress(self, progress: tuple[int, int, str] | None) -> None:
        """Show how far the work has come; None: there is none that takes long."""
        shown = "" if progress else "none"
        if self.bar.layout.display != shown:
            self.bar.layout.display = self.cancel.layout.display = shown
        if progress:
            done, total, what = progress
            self.bar.max, self.bar.value = max(total, 1), done
            self.said.value = html.escape(f"{what} ({done} of {total})")


def _opening(go_to: Callable[[str], object], name: str) -> Callable[[Any], None]:
    def clicked(_: Any) -> None:
        go_to(name)

    return clicked
