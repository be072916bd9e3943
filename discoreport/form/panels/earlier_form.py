"""Going on with a form that was saved: the offer to do so, and its files read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discoreport.form.panels.data import DataStep
from discoreport.form.widgets import controls as c

if TYPE_CHECKING:
    from discoreport.form.form import DisclosureForm


class Resuming:
    """Offers to go on with an earlier form where there is one in the place of this one.

    Parameters
    ----------
    form
        The form.
    """

    def __init__(self, form: DisclosureForm) -> None:
        self.form, self.state = form, form.state
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
        self.view.children = [c.html(words), c.box(go_on, anew, kind="row")]

    def _decline(self) -> None:
        self.view.children = ()

    def _go_on(self) -> None:
        earlier = self.state.autosave.earlier(self.state.out)
        self.view.children = ()
        if earlier is not None:
            with self.form.step(DataStep.name).telling():
                self.state.restore(earlier)
                self.read_files()

    def read_files(self) -> None:
        """Read the files of a form that was taken up, and open its step; the step Data says where that can't be."""
        wanted = self.state.step
        self.view.children = ()
        self.form.open_step(DataStep.name)
        self.form.tasks.read_files(then=lambda: self._open(wanted))

    def _open(self, step: str) -> None:
        self.form.open_step(step)
        if self.state.draft.keys:
            self.form.tasks.run(kept=False)
