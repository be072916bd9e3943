"""What takes a while to be drawn: until it is there, what is in sight is marked as of before."""

from __future__ import annotations

from discoreport.form.widgets import controls as c

_WAITS = "d-waits"


class Drawn:
    """A place for something that is drawn beside everything else.

    Parameters
    ----------
    what
        Its name in a sentence: "The figure".
    classes
        As for `html`.
    """

    def __init__(self, what: str, *classes: str) -> None:
        self._what = what
        self.said = c.Message()
        self.picture = c.html("", *classes)
        self.view = c.box(self.said, self.picture)
        self.view.add_class("d-drawn")

    def wait(self) -> None:
        """Say that it is being drawn, and mark what was drawn before."""
        before = " What is in sight is of before." if self.picture.value else ""
        self.said.say(f"{self._what} is being drawn.{before}")
        self.picture.add_class(_WAITS)

    def put(self, drawn: str) -> None:
        """Show what was drawn."""
        self.picture.value = drawn
        self.said.say("")
        self.picture.remove_class(_WAITS)
