"""Fields of the documentation -> controls: label and tooltip are those of its declaration."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, get_args, get_origin

import ipywidgets as w
from pydantic.fields import FieldInfo

from discoreport.assessment.documentation import Section
from discoreport.form.widgets import controls as c

_LONG = {
    "purpose", "summary", "recipients", "other_data", "earlier_releases", "sensitivity", "identifiers", "remarks",
    "method", "processing", "words", "suitable", "unsuitable", "conditions", "monitoring", "triggers", "comment",
}  # fmt: skip
"""Fields that take more than a line."""


def control(name: str, field: FieldInfo) -> Any:
    """Make the control of one field; None for what has a place of its own."""
    label, tooltip = field.title or name, field.description or field.title or name
    kind = field.annotation
    if get_origin(kind) is Literal:
        options = [(option or "–", option) for option in get_args(kind)]
        return c.choice(label, tooltip, options, field.default)
    if kind is str:
        return c.text(label, tooltip, lines=2 if name in _LONG else 1)
    if datetime.date in (kind, *get_args(kind)):
        return w.DatePicker(description=label, tooltip=tooltip)
    return None


class SectionFields:
    """The controls of one section.

    Parameters
    ----------
    kind
        The section's class.
    changed
        Called with the values that a person has changed, by name.
    only
        Names of the fields to show; by default all that have a control.
    """

    def __init__(
        self, kind: type[Section], changed: Callable[[dict[str, Any]], object], only: tuple[str, ...] = ()
    ) -> None:
        self._filling = c.Filling()
        self._changed = changed
        self.controls: dict[str, Any] = {}
        for name, field in kind.model_fields.items():
            made = control(name, field) if not only or name in only else None
            if made is not None:
                self.controls[name] = made
                c.on_change(made, partial(self._listen, name))
        self.view = c.box(*self.controls.values(), kind="columns")

    def _listen(self, name: str, value: Any) -> None:
        if not self._filling.now:
            self._changed({name: value.strip() if isinstance(value, str) else value})

    def show(self, section: Section) -> None:
        """Show what stands in a section."""
        with self._filling:
            for name, made in self.controls.items():
                value = getattr(section, name)
                if made.value != value:
                    made.value = value
