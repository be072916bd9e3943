"""Going on with a form that was saved: the offer to do so, and its files read again."""

from __future__ import annotations

from collections.abc import Callable

from discoreport.form.panels.panel import Context
from discoreport.form.widgets import controls as c


class EarlierForm:
    """Offers to go on with an earlier form where there is one in the place of this one.

    Parameters
    ----------
    context
        What it may use of the form.
    open_panel
        Opens a panel, without more.
    """

    def __init__(self, context: Context, open_panel: Callable[[str], object]) -> None:
        self.state, self.tasks, self._open_panel = context.state, context.tasks, open_panel
        self.message = c.Message()
        self.view = c.box()
        self.refresh()

    def refresh(self) -> None:
        """Show the offer, as far as there is one."""
        earlier = self.state.autosave.earlier(self.state.out)
        if earlier is None:
            self.view.children = ()
            return
        go_on = c.button(
            "Go on with it", "Take up files, settings and answers as they were saved", self._go_on, primary=True
        )
        anew = c.button(
            "Begin anew", "Leave the earlier form aside; its file is kept under another name", self._decline
        )
        words = c.message(f"An earlier form saved itself in {earlier.name}.")
        self.view.children = [c.html(words), c.box(go_on, anew, kind="row"), self.message]

    def _decline(self) -> None:
        self.view.children = ()

    def _go_on(self) -> None:
        earlier = self.state.autosave.earlier(self.state.out)
        if earlier is None:
            self._decline()
            return
        with self.message.telling():
            self.state.restore(earlier)
            self.read_files()

    def read_files(self) -> None:
        """Read the files of a form that was taken up, and open its panel; the panel Data says where that can't be."""
        wanted = self.state.panel
        self.view.children = ()
        self._open_panel("Data")
        self.tasks.read_files(then=lambda: self._open(wanted))

    def _open(self, panel: str) -> None:
        self._open_panel(panel)
        if self.state.draft.keys:
            self.tasks.run(kept=False)
