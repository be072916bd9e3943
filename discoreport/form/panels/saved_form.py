"""Going on with a form that was saved: the offer to do so, the list of all, and their files read again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from discoreport.form.model.saved_forms import saved_form, saved_forms
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

    @property
    def waits(self) -> bool:
        """Whether an answer is awaited."""
        return self.state.autosave.offered is not None

    def refresh(self) -> None:
        """Show the offer, as far as there is one."""
        path, choice = self.state.autosave.offered, self.state.choice
        if path is None:
            self.view.children = ()
            return
        earlier = saved_form(path)
        of = "other files"
        if not choice.made or earlier.is_of(choice.original, choice.synthetic):
            of = "the same files" if choice.made else "this folder"
        go_on = c.button(
            "Go on with it", "Take up files, settings and answers as they were saved", self._go_on, primary=True
        )
        anew = c.button("Begin anew", "The earlier form is kept under another name", self._decline)
        words = (
            f"There is an earlier form of {of}, last saved on {earlier.when} in {path.name}. "
            f"In it: {earlier.contents}. Go on with it? If you begin anew, it is kept under another name, and the step "
            "Data can open it. Nothing is saved until you choose."
        )
        others = SavedForms(self.context, self._open_panel, leaving_out=path)
        self.view.children = [c.html(c.message(words)), c.box(go_on, anew, kind="row"), self.message, others.view]

    def _decline(self) -> None:
        self.state.autosave.begin_anew()
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
