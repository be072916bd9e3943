"""The steps that are applied to a synthetic file, put together one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from discoreport.assessment.analyses.mitigation.steps import STEPS, steps_from
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.html import page
from discoreport.form.widgets.option_fields import Fields


class MitigationSteps:
    """A list of steps, and the next one to add.

    Parameters
    ----------
    changed
        Called with the steps as plain values.
    """

    def __init__(self, changed: Callable[[list[Any]], object]) -> None:
        self._changed = changed
        self._steps: list[Any] = []
        self._variables: Sequence[str] = ()
        self.list = c.html()
        self.kind = c.choice(
            "Next step", "What is done to the file after the steps above", list(STEPS), next(iter(STEPS))
        )
        self.fields: Fields
        self._fields = c.box()
        c.on_change(self.kind, lambda _: self._show_fields())
        self.message = c.Message()
        add = c.button("Add the step", "Put it after the steps above", self._add)
        self.remove = c.button("Remove the last step", "Take it out of the list", self._remove)
        self._show_fields()
        self.view = c.box(
            self.list, c.box(self.kind, kind="row"), self._fields, c.box(add, self.remove, kind="row"), self.message
        )

    def _show_fields(self) -> None:
        self.fields = Fields(STEPS[self.kind.value].model_fields)
        self.fields.show({}, self._variables)
        self._fields.children = [self.fields.view]

    def show(self, steps: Sequence[Mapping[str, Any]], variables: Sequence[str]) -> None:
        """Show the steps, and the variables that there are to choose from."""
        self._steps = list(steps)
        if list(variables) != list(self._variables):
            self._variables = list(variables)
            self._show_fields()
        self.list.value = page("mitigation_steps", steps=steps_from(self._steps))
        self.remove.layout.display = "" if self._steps else "none"

    def _add(self) -> None:
        with self.message.telling():
            (step,) = steps_from({"step": self.kind.value, **self.fields.values()})
            self._changed([*self._steps, step.plain()])
            self._show_fields()

    def _remove(self) -> None:
        with self.message.telling():
            self._changed(self._steps[:-1])
