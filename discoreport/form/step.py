"""What all steps of the form have in common."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from discoreport.errors import DiscoReportError
from discoreport.form import controls as c

if TYPE_CHECKING:
    from discoreport.form.form import DisclosureForm


class Step:
    """One step: builds its controls when it is first opened, and shows the state from then on.

    Parameters
    ----------
    form
        The form it belongs to.
    """

    intro = ""
    """What the step is for, in a sentence or two."""

    def __init__(self, form: DisclosureForm) -> None:
        self.form = form
        self.state = form.state
        self.message = c.html("", "d-empty")
        self._filling = False
        self.view: Any = c.box(c.html(f"<p class='d-second'>{self.intro}</p>"), self.message, *self.build())
        self.refresh("all")

    def build(self) -> list[Any]:
        """Make the controls."""
        raise NotImplementedError

    def refresh(self, what: str) -> None:
        """Show the state; `what` has changed, see `FormState.listen`, or "all"."""
        raise NotImplementedError

    @contextlib.contextmanager
    def filling(self) -> Iterator[None]:
        """Set controls from the state without their telling the state."""
        before, self._filling = self._filling, True
        try:
            yield
        finally:
            self._filling = before

    def told(self, function: Callable[[Any], object], place: Any = None) -> Callable[[Any], None]:
        """Make a function to call on a change that a person made; errors are told in `place`."""

        def listen(value: Any) -> None:
            if not self._filling:
                with self.telling(place):
                    function(value)

        return listen

    @contextlib.contextmanager
    def telling(self, place: Any = None) -> Iterator[None]:
        """Tell an error of ours where it concerns; by default below the head of the step."""
        place = place or self.message
        place.value = ""
        try:
            yield
        except DiscoReportError as error:
            place.value = c.message(str(error), "error")

    def say(self, words: str, kind: str = "", place: Any = None) -> None:
        """Say something in the step."""
        (place or self.message).value = c.message(words, kind)
