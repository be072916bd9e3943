"""Parts that are folded away under a button each, which the keyboard reaches as any other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from discoreport.form.widgets import controls as c


class Fold:
    """A part under its title, built when it is first unfolded.

    Parameters
    ----------
    title
        What is in it. The button says whether it shows or hides that, for those who hear the form, too.
    build
        Makes the controls; called once.
    """

    def __init__(self, title: str, build: Callable[[], Any]) -> None:
        self._title, self._build = title, build
        self.button = c.button("", "", self.turn)
        self.button.add_class("d-fold")
        self._inside = c.box()
        self.view = c.box(self.button, self._inside)
        self._show(unfolded=False)

    @property
    def made(self) -> bool:
        """Whether it was unfolded before."""
        return bool(self._inside.children)

    @property
    def unfolded(self) -> bool:
        """Whether what is in it is in sight."""
        return bool(self._inside.layout.display != "none")

    def turn(self) -> None:
        """Unfold it, or fold it away."""
        self._show(unfolded=not self.unfolded)

    def unfold(self) -> None:
        """Show what is in it."""
        self._show(unfolded=True)

    def _show(self, *, unfolded: bool) -> None:
        if unfolded and not self.made:
            self._inside.children = [self._build()]
        self._inside.layout.display = "" if unfolded else "none"
        self.button.description = f"{'Hide' if unfolded else 'Show'}: {self._title}"
        (self.button.add_class if unfolded else self.button.remove_class)("d-unfolded")
