"""What all steps of the form have in common."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from discoreport.errors import DiscoReportError
from discoreport.form.model.state import FormState
from discoreport.form.widgets import controls as c

if TYPE_CHECKING:
    from discoreport.form.form import DisclosureForm

Kind = Literal["done", "open", "problem"]


@dataclass(frozen=True)
class Status:
    """How far a step is: a kind, and a few words that begin with it."""

    kind: Kind
    words: str


class Step:
    """One step: builds its controls when it is first opened, and shows the state from then on.

    Parameters
    ----------
    form
        The form it belongs to.
    """

    name = ""
    """On its tab, in saved forms, and for `go_to`."""
    called = ""
    """Its name in a sentence: "Go on to the checks"."""
    purpose = ""
    """What one does in it, as a tooltip."""
    intro = ""
    """What there is to know in it, in a sentence or two."""
    run_buttons: tuple[Any, ...] = ()
    """Buttons that can't be pressed while the form is at work."""

    def __init__(self, form: DisclosureForm) -> None:
        self.form = form
        self.state = form.state
        self.message = c.html("", "d-empty")
        self.filling = c.Filling()
        after = form.step_after(type(self))
        self.next = after and c.button(
            f"Go on to {after.called}", after.purpose, lambda: form.go_to(after.name), primary=True
        )
        head = c.box(c.html(f"<p class='d-second'>{self.intro}</p>"), *filter(None, [self.next]), kind="intro")
        self.view: Any = c.box(head, self.message, *self.build())
        self.refresh("all")

    @staticmethod
    def status(state: FormState) -> Status:
        """Tell how far the step is; it need not have been opened."""
        raise NotImplementedError

    def build(self) -> list[Any]:
        """Make the controls."""
        raise NotImplementedError

    def refresh(self, what: str) -> None:
        """Show the state; `what` has changed, see `FormState.listen`, or "all"."""
        raise NotImplementedError

    def leads_on(self, leads: bool) -> None:
        """Make the button that leads on the one to press next, or an ordinary one."""
        if self.next is not None:
            c.lead(self.next, leads)

    def told(self, function: Callable[[Any], object], place: Any = None) -> Callable[[Any], None]:
        """Make a function to call on a change that a person made; errors are told in `place`."""

        def listen(value: Any) -> None:
            if not self.filling.now:
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
