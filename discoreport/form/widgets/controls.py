"""Controls with a label and a tooltip each, and boxes to put them in."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any

import ipywidgets as w

from discoreport.data.level_text import level_text
from discoreport.errors import DiscoReportError

NO_WIDTH = "auto"
_WIDTHS = frozenset({"d-wide", "d-narrow", "d-several"})


def html(content: str = "", *classes: str) -> Any:
    """Show HTML; whoever calls has escaped what came from files and people."""
    made = w.HTML(content, tooltip="")
    for name in classes:
        made.add_class(name)
    return made


def heading(words: str, below: str = "", *, level: int = 2) -> Any:
    """Show a heading, with a sentence below it."""
    second = f'<p class="d-second">{escape(below)}</p>' if below else ""
    return html(f"<h{level}>{escape(words)}</h{level}>{second}")


def paragraph(words: str) -> str:
    """Write a sentence as HTML; none gives nothing."""
    return f"<p>{escape(words)}</p>" if words else ""


def box(*children: Any, kind: str = "") -> Any:
    """Put controls below each other, or as `kind` says: "row", "columns", "card"; each with its hint."""
    shown = [with_hint(child) for child in children]
    made = w.VBox(shown) if kind in {"", "card", "list", "chooser", "item"} else w.HBox(shown)
    if kind:
        made.add_class(f"d-{kind}")
    return made


def with_hint(control: Any) -> Any:
    """Put a line below a control that says what to enter, where it has one that its label doesn't say already."""
    hint = getattr(control, "hint", "")
    if not hint or hint == control.description:
        return control
    below = html(escape(f"{hint[:1].upper()}{hint[1:]}"), "d-hint")
    made = w.VBox([control, below])
    for name in ("d-field", *(one for one in control._dom_classes if one in _WIDTHS)):
        made.add_class(name)
    w.dlink((control.layout, "display"), (made.layout, "display"))
    return made


def hinted(made: Any, hint: str) -> Any:
    """Have a control show a hint below it, wherever it is put."""
    made.hint = hint
    return made


def text(
    label: str,
    tooltip: str,
    value: str = "",
    *,
    lines: int = 1,
    placeholder: str = "",
    kind: str = "",
    hint: bool = True,
) -> Any:
    """Ask for text; it counts when the field is left or Enter is pressed. The tooltip is its hint, too."""
    make = w.Text if lines == 1 else w.Textarea
    more = {} if lines == 1 else {"rows": lines}
    made = make(value, description=label, tooltip=tooltip, placeholder=placeholder, continuous_update=False, **more)
    return hinted(_classed(made, kind), tooltip if hint else "")


def number(label: str, tooltip: str, hint: str = "") -> Any:
    """Ask for a number; as text, so that what is wrong can be said in words. Empty is none."""
    return hinted(text(label, tooltip, kind="narrow", hint=False), hint)


def digits(*numbers: float) -> str:
    """Write numbers with all their digits, as a field takes them back: separated by spaces."""
    return " ".join(level_text(number) or "" for number in numbers)


def choice(label: str, tooltip: str, options: Sequence[Any], value: Any = None, *, kind: str = "") -> Any:
    """Ask for one of a few things."""
    made = w.Dropdown(options=options, value=value, description=label, tooltip=tooltip)
    return hinted(_classed(made, kind), tooltip)


def toggle(label: str, tooltips: Sequence[str], options: Sequence[Any], value: Any, *, kind: str = "") -> Any:
    """Ask for one of very few things, all in sight."""
    made = w.ToggleButtons(options=options, value=value, description=label, tooltip="", tooltips=list(tooltips))
    made.style.button_width = NO_WIDTH
    made.style.description_width = "initial"
    return _classed(made, kind)


def pick(label: str, tooltip: str, options: Sequence[Any] = (), *, rows: int = 8) -> Any:
    """Ask for one entry of a list."""
    return hinted(w.Select(options=options, description=label, tooltip=tooltip, rows=rows), tooltip)


def button(label: str, tooltip: str, click: Callable[[], object], *, primary: bool = False) -> Any:
    """Offer an action."""
    made = w.Button(description=label, tooltip=tooltip)
    made.add_class("d-action")
    if primary:
        made.add_class("d-primary")
    made.on_click(lambda _: click())
    return made


def put_in(place: Any, views: Sequence[Any]) -> None:
    """Put views into a box, unless they are in it already: what has the focus keeps it."""
    if tuple(place.children) != tuple(views):
        place.children = views


def lead(made: Any, leads: bool) -> None:
    """Make a button the one of its step that leads on, or an ordinary one."""
    (made.add_class if leads else made.remove_class)("d-primary")


def _classed(made: Any, kind: str) -> Any:
    for name in kind.split():
        made.add_class(f"d-{name}")
    return made


class Message(w.HTML):  # type: ignore[misc]
    """Where something is said to whoever fills in the form; empty, it takes no room."""

    def __init__(self) -> None:
        super().__init__(tooltip="")  # none would read "null"
        self.add_class("d-empty")

    def say(self, words: str, kind: str = "") -> None:
        """Say something in place of what was said before; `kind` as for `message`."""
        self.value = message(words, kind)

    @contextlib.contextmanager
    def telling(self) -> Iterator[None]:
        """Tell an error of ours here; what was said before goes."""
        self.value = ""
        try:
            yield
        except DiscoReportError as error:
            self.say(str(error), "error")


class Drawn:
    """A place for something that takes a while to be drawn: until it is there, what is in sight is marked as of before.

    Parameters
    ----------
    what
        Its name in a sentence: "The figure".
    classes
        As for `html`.
    """

    def __init__(self, what: str, *classes: str) -> None:
        self._what = what
        self.said = Message()
        self.picture = html("", *classes)
        self.view = box(self.said, self.picture)
        self.view.add_class("d-drawn")

    def wait(self) -> None:
        """Say that it is being drawn, and mark what was drawn before."""
        before = " What is in sight is of before." if self.picture.value else ""
        self.said.say(f"{self._what} is being drawn.{before}")
        self.picture.add_class("d-waits")

    def put(self, drawn: str) -> None:
        """Show what was drawn."""
        self.picture.value = drawn
        self.said.say("")
        self.picture.remove_class("d-waits")


class Filling:
    """Says whether controls are being filled from the state (``with filling:``), so that they need not tell it."""

    def __init__(self) -> None:
        self._depth = 0

    @property
    def now(self) -> bool:
        """Whether they are."""
        return self._depth > 0

    def __enter__(self) -> None:
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1

    def told(self, function: Callable[[Any], object], where: Message) -> Callable[[Any], None]:
        """Make a function to call on a change that a person made; its errors are told in a message."""

        def listen(value: Any) -> None:
            if not self.now:
                with where.telling():
                    function(value)

        return listen


def on_change(control: Any, function: Callable[[Any], object]) -> None:
    """Call a function with the new value of a control."""
    control.observe(lambda change: function(change["new"]), "value")


# Pieces of HTML ----------------------------------------------------------------------------------


def message(content: str, kind: str = "") -> str:
    """Write a message in a box; `kind` is "error", "warning" or nothing. Empty content gives no box."""
    if not content:
        return ""
    role = ' role="alert"' if kind == "error" else ' role="status"'
    return f'<div class="d-message d-{kind or "note"}"{role}>{escape(content)}</div>'
