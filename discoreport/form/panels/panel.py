"""What all panels of the form have in common, and what a panel may use of the form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from discoreport.form.model.state import Change, FormState
from discoreport.form.tasks import Tasks
from discoreport.form.widgets import controls as c

StatusKind = Literal["done", "open", "problem"]


@dataclass(frozen=True)
class Context:
    """What a panel may use of the form: what it knows, what may take long, and the way to another panel."""

    state: FormState
    tasks: Tasks
    go_to: Callable[[str], object]


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
    following
        The panel after it; None for the last.
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

    def __init__(self, context: Context, following: type[Panel] | None = None) -> None:
        self.context, self.state, self.tasks = context, context.state, context.tasks
        self.message = c.Message()
        self.decisions = c.Message()
        self.filling = c.Filling()
        self.next: Any = following and c.button(
            f"Go on to {following.called}", following.purpose, lambda: context.go_to(following.name), primary=True
        )
        head = c.box(c.html(f"<p class='d-second'>{self.intro}</p>"), *filter(None, [self.next]), kind="intro")
        self.view: Any = c.box(head, self.message, self.decisions, *self.build())
        self.refresh(Change.ALL)

    @staticmethod
    def status(state: FormState) -> Status:
        """Tell how far the step is; it need not have been opened."""
        raise NotImplementedError

    @staticmethod
    def to_decide(_: FormState) -> tuple[str, ...]:
        """Say what only a person can decide in this step, and nobody has yet: it is not done before."""
        return ()

    def build(self) -> list[Any]:
        """Make the controls."""
        raise NotImplementedError

    def refresh(self, change: Change) -> None:
        """Show the state, as far as a change concerns it."""
        raise NotImplementedError

    def leads_on(self, leads: bool) -> None:
        """Make the button that leads on the one to press next, or an ordinary one; say what is to be decided before."""
        waits = self.to_decide(self.state)
        self.decisions.say(" ".join(("To decide here:", *waits)) if waits else "", "decide")
        if self.next is not None:
            c.lead(self.next, leads and not waits)

    def may_lead_on(self, may: bool) -> None:
        """Let the button that leads on be pressed, or not."""
        if self.next is not None:
            self.next.disabled = not may

    def told(self, function: Callable[[Any], object], where: c.Message | None = None) -> Callable[[Any], None]:
        """Make a function to call on a change that a person made; errors are told below the head, or elsewhere."""
        return self.filling.told(function, where or self.message)
