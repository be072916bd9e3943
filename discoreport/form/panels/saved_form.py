"""Going on with a form that was saved: the offer to do so, the list of all, and their files read again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from discoreport.form.model.autosave import where_open
from discoreport.form.model.saved_form import saved_form, saved_forms
from discoreport.form.panels.panel import Context
from discoreport.form.widgets import controls as c


class EarlierForm:
    """Offers to go on with an earlier form where there is one in the place of this one, before anything else is done.

    Parameters
    ----------
    context
        What it may use of the form.
    open_panel
        Opens a panel, without more.
    begin
        Called where the answer is to begin anew.
    """

    def __init__(
        self, context: Context, open_panel: Callable[[str], object], begin: Callable[[], object] = lambda: None
    ) -> None:
        self.context, self.state, self._open_panel, self._begin = context, context.state, open_panel, begin
        self.message = c.Message()
        self.view = c.box()
        self._look = c.button(
            "Look on", "See it as it was saved; it is left to whoever is at work on it", self._look_on
        )
        self._take = c.button(
            "Take over", "This form is the one that counts; what was saved elsewhere is kept under another name",
            self.state.take_over, primary=True,
        )  # fmt: skip
        self._taken = c.html()

    @property
    def waits(self) -> bool:
        """Whether an answer is awaited."""
        return self.state.autosave.offered is not None

    def refresh(self) -> None:
        """Show the offer, as far as there is one."""
        path, choice = self.state.autosave.offered, self.state.choice
        if path is None:
            self._show_taken()
            return
        earlier = saved_form(path)
        of = "other files"
        if not choice.made or earlier.is_of(choice.original, choice.synthetic):
            of = "the same files" if choice.made else "this folder"
        elsewhere = where_open(earlier.saved.held if earlier.saved else None)
        go_on = c.button(
            "Go on with it", "Take up files, settings and answers as they were saved", self._go_on, primary=True
        )
        look = [self._look] if elsewhere else []
        anew = c.button("Begin anew", "The earlier form is kept under another name", self._decline)
        words = (
            f"There is an earlier form of {of}, last saved on {earlier.when} in {path.name}. "
            f"In it: {earlier.contents}. "
            + (f"{elsewhere}: if you go on, this form takes over, and that one is told. " if elsewhere else "")
            + "Go on with it? If you begin anew, it is kept under another name, and the step Data can open it. Nothing "
            "is saved until you choose."
        )
        others = SavedForms(self.context, self._open_panel, leaving_out=path)
        self.view.children = [
            c.html(c.message(words)),
            c.box(go_on, *look, anew, kind="row"),
            self.message,
            others.view,
        ]

    def _show_taken(self) -> None:
        """Say that another form is at work in this one's place, where one is, and where this one saves itself."""
        taken, at = self.state.autosave.taken, self.state.autosave.at
        if taken is None:
            self.view.children = ()
            return
        beside = at.name if at not in (None, taken) and at else ""
        self._taken.value = c.message(
            f"This form is open elsewhere, and has been saved there in {taken.name}. "
            + (f"What you do here is saved in {beside}. " if beside else "What you change here is saved beside it. ")
            + "Take over, and this form takes its place; what was saved there is kept under another name. Or look on: "
            "see what was saved there by now" + (f", and {beside} is kept." if beside else "."),
            "warning",
        )
        children = (self._taken, c.box(self._take, self._look, kind="row"), self.message)
        if not self.view.children or self.view.children[0] is not self._taken:
            self.view.children = children

    def _look_on(self) -> None:
        path = self.state.autosave.offered or self.state.autosave.taken
        with self.message.telling():
            if path is not None:
                self.state.restore(path, look_on=True)
                self.read_files()

    def _decline(self) -> None:
        self.state.autosave.offered = None  # it is set aside once this one saves itself
        self._begin()

    def _go_on(self) -> None:
        with self.message.telling():
            if self.state.autosave.offered is not None:
                self.state.restore(self.state.autosave.offered)
            self.read_files()

    def read_files(self) -> None:
        """Read the files of a form that was taken up, and open its panel; the panel Data says where that can't be."""
        read_again(self.context, self._open_panel)


class SavedForms:
    """Lists the forms that are saved beside the folder of the report; each can be opened.

    Parameters
    ----------
    context
        What it may use of the form.
    open_panel
        Opens a panel.
    leaving_out
        A form that isn't listed.
    """

    def __init__(self, context: Context, open_panel: Callable[[str], object], leaving_out: Path | None = None) -> None:
        self.context, self.state, self._open_panel, self._left_out = context, context.state, open_panel, leaving_out
        self.which = c.choice(
            "Open a saved form...", "Forms beside the folder of the report, those set aside too", [("–", "")], "",
            kind="wide",
        )  # fmt: skip
        self.open = c.button("Open it", "Take up its files, settings and answers; this form is kept", self._open)
        self.message = c.Message()
        self.view = c.box(c.box(self.which, self.open, kind="row"), self.message)
        self.refresh()

    def refresh(self) -> None:
        """List what there is."""
        forms = [one for one in saved_forms(self.state.out) if one.path not in (self._left_out, self.state.autosave.at)]
        self.which.options = [
            ("–", ""), *((f"{one.when}, {one.path.name}: {one.contents}", str(one.path)) for one in forms)
        ]  # fmt: skip
        self.which.value = ""
        self.view.layout.display = "" if forms else "none"

    def _open(self) -> None:
        with self.message.telling():
            if not self.which.value:
                self.message.say("Choose one in the list first.", "error")
                return
            self.state.restore(self.which.value)
            read_again(self.context, self._open_panel)


def read_again(context: Context, open_panel: Callable[[str], object]) -> None:
    """Read the files of a form that was taken up, and open its panel."""
    wanted = context.state.panel

    def opened() -> None:
        open_panel(wanted)
        if context.state.draft.keys:
            context.tasks.run(kept=False)

    open_panel("Data")
    context.tasks.read_files(then=opened)
