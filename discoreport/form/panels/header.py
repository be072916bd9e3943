"""What stands above the open panel: title, steps and how far they are, four figures, and the work under way."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

import ipywidgets as w

from discoreport.assessment.formatting import counted
from discoreport.form.model.headline_figures import headlines, in_force
from discoreport.form.model.viewers import VIEWERS
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
            tab.on_click(lambda _, name=name: context.go_to(name))
        self.steps = c.box(*self.tabs.values(), kind="steps")
        self.strip = c.html("", "d-figures")
        self.open = w.Button(tooltip="List what is open, with the way to each")
        self.open.add_class("d-open-items")
        everybody = [("everything: one person fills it in", ""), *((one, one) for one in VIEWERS)]
        self.open_as = c.choice(
            "Open as", "Checkers and custodian look and sign; nothing else can be changed", everybody, ""
        )
        c.on_change(self.open_as, self.state.open_as)
        self.top = c.box(self.title, self.open_as, kind="top")
        self.open.on_click(lambda _: context.go_to("Report", "open"))
        self.undo = c.button("", "", lambda: self._go(self.state.undo))
        self.redo = c.button("", "", lambda: self._go(self.state.redo))
        self.bar = w.IntProgress(0, 0, 1, tooltip="How far the work has come")
        self.said = c.html("", "d-second")
        self.cancel = c.button("Cancel", "Give up what is under way; everything stays as it was", self.tasks.cancel)
        self.work = c.box(self.said, self.bar, self.cancel, self.undo, self.redo, kind="status")
        self.stays = c.box(c.box(self.strip, self.open, kind="strip-row"), self.work)
        self.stays.add_class("d-stays")
        self._shown_of: tuple[object, ...] = ()
        self.show_progress(None)

    def refresh(self) -> None:
        """Show the state."""
        self.show_steps()
        said = self.state.statements.documentation
        self.title.value = page("title", title=said.title or said.request.dataset)
        self._show_figures()
        self._show_steps_back()
        self.show_saved()

    def _show_figures(self) -> None:
        assessment, draft = self.state.assessment, self.state.draft
        stale = self.state.runs.current is not None and self.state.stale
        steps, apart = self.state.statements.documentation.mitigation, self.state.choice.told_apart
        shown_of = (assessment, self.state.key_figures, stale, draft, steps, apart)
        if [*map(id, shown_of)] == [*map(id, self._shown_of)]:
            return
        self._shown_of = shown_of
        self.strip.value = page(
            "strip",
            stale=stale,
            headlines=headlines(assessment, self.state.key_figures),
            in_force=in_force(draft, self.state.statements.documentation),
            told_apart=apart,
        )
        n_open = None if assessment is None else len(assessment.open_items)
        n_flags = 0 if assessment is None else len(assessment.unanswered)
        self.open.description = "\n".join(
            ["What is open", "–", "not run yet"]
            if n_open is None
            else [
                "What is open",
                counted(n_open, "item"),
                f"{counted(n_flags, 'flag')} not answered" if n_flags else "",
            ]
        )

    def _show_steps_back(self) -> None:
        changes = self.state.changes
        for one, verb, what, ready in (
            (self.undo, "Undo", changes.undoes, "Take the last change back"),
            (self.redo, "Redo", changes.redoes, "Do again what was taken back"),
        ):
            one.description = f"{verb}: {short(what)}" if what else verb
            one.tooltip = f"{ready}: {what}" if what else "Nothing to take back"
            one.layout.display = "" if what else "none"

    def _go(self, way: Callable[[], None]) -> None:
        way()
        self.tasks.follow()

    def show_steps(self) -> None:
        """Show how far each step is, and which one is open."""
        self.open_as.value = self.state.viewer
        place = 0
        for panel, tab in zip(self.panels, self.tabs.values(), strict=True):
            allowed = panel.open_to(self.state.viewer)
            tab.layout.display = "" if allowed else "none"
            place += allowed
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


def short(words: str, most: int = 48) -> str:
    """Cut words that are longer than a button.

    Examples
    --------
    >>> short("role of sex: key"), short("answer to worked_abroad", 12)
    ('role of sex: key', 'answer to w…')
    """
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
