"""What all panels of the form have in common, and what a panel may use of the form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from discoreport.form.model.state import Change, FormState
from discoreport.form.model.viewers import LOOKING, Viewer
from discoreport.form.tasks import Tasks
from discoreport.form.widgets import controls as c

StatusKind = Literal["done", "open", "problem"]
STALE = "The settings have changed since these figures were made."


class GoTo(Protocol):
    """Opens a step by its name, at one of its places."""

    def __call__(self, name: str, place: str = "") -> object:
        """Open it."""


@dataclass(frozen=True)
class Context:
    """What a panel may use of the form: what it knows, what may take long, and the way to another panel."""

    state: FormState
    tasks: Tasks
    go_to: GoTo


@dataclass(frozen=True)
class Status:
    """How far a step is: a kind, and a few words that begin with it."""

    kind: StatusKind
    words: str


class Panel:
    """One step of the form: builds its controls when it is first opened, and shows the state from then on.

    Parameters
    ----------
    context
        What it may use of the form.
    following, before
        The panel after it, and the one before it; None where there is none.
    """

    name = ""
    """In saved forms, and for `Context.go_to`."""
    title = ""
    """On its tab; `name` where it has none of its own."""
    called = ""
    """Its name in a sentence: "Go on to the checks"."""
    purpose = ""
    """What one does in it, as a tooltip."""
    intro = ""
    """What there is to know in it, in a sentence or two."""
    run_buttons: tuple[Any, ...] = ()
    """Buttons that can't be pressed while the form is at work."""

    def __init__(
        self, context: Context, following: type[Panel] | None = None, before: type[Panel] | None = None
    ) -> None:
        self.context, self.state, self.tasks = context, context.state, context.tasks
        self.message = c.Message()
        self.decisions = c.Message()
        self.filling = c.Filling()
        self.next = [_leading("Go on to", following, context, primary=True) for _ in range(2)] if following else []
        back = [_leading("Back to", before, context)] if before else []
        self._ways = [*((one, following) for one in self.next), *((one, before) for one in back)]
        head = c.box(c.html(f"<p class='d-second'>{self.intro}</p>"), *self.next[:1], kind="intro")
        foot = c.box(*back, *self.next[1:], kind="foot")
        self.view: Any = c.box(head, self.message, self.decisions, *self.build(), foot)
        self.refresh(Change.ALL)

    @staticmethod
    def open_to(viewer: Viewer) -> bool:
        """Tell whether somebody may open it."""
        return viewer not in LOOKING

    @staticmethod
    def status(state: FormState) -> Status:
        """Tell how far the step is; it need not have been opened."""
        raise NotImplementedError

    @staticmethod
    def to_decide(state: FormState) -> tuple[str, ...]:  # noqa: ARG004
        """Say what only a person can decide in this step, and nobody has yet: it is not done before."""
        return ()

    def build(self) -> list[Any]:
        """Make the controls."""
        raise NotImplementedError

    def refresh(self, change: Change) -> None:
        """Show the state, as far as a change concerns it."""
        raise NotImplementedError

    def leads_on(self, leads: bool) -> None:
        """Make the buttons that lead on the ones to press next, or ordinary ones; say what is to be decided before."""
        waits = self.to_decide(self.state)
        self.decisions.say(" ".join(("To decide here:", *waits)) if waits else "", "decide")
        for one in self.next:
            c.lead(one, leads and not waits)

    def show_ways(self) -> None:
        """Offer the ways to those steps only that whoever has the form open may see."""
        for button, panel in self._ways:
            button.layout.display = "" if panel is not None and panel.open_to(self.state.viewer) else "none"

    def show_place(self, place: str) -> bool:  # noqa: ARG002  # most steps have no places
        """Bring a place of the step into sight, and the keyboard to it; False where there is none of this name."""
        return False

    def may_lead_on(self, may: bool) -> None:
        """Let the buttons that lead on be pressed, or not."""
        for one in self.next:
            one.disabled = not may

    def told(self, function: Callable[[Any], object], where: c.Message | None = None) -> Callable[[Any], None]:
        """Make a function to call on a change that a person made; errors are told below the head, or elsewhere."""
        return self.filling.told(function, where or self.message)


def _leading(words: str, panel: type[Panel], context: Context, *, primary: bool = False) -> Any:
    return c.button(f"{words} {panel.called}", panel.purpose, lambda: context.go_to(panel.name), primary=primary)
