"""A line for each of some names: reasons for figures, labels of variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pydantic.fields import FieldInfo

from discoreport.form.panels.panel import Panel
from discoreport.form.widgets import controls as c


class LinesByName:
    """A line for each of some names, such as a reason for each figure.

    Parameters
    ----------
    panel
        Where they stand.
    field
        What is said, for its title and description.
    names
        Gives the names that there is a line for.
    said
        Gives what was said so far.
    say
        Takes what is said.
    none
        What stands there without names.
    """

    def __init__(
        self,
        panel: Panel,
        field: FieldInfo,
        names: Callable[[], list[str]],
        said: Callable[[], Mapping[str, str]],
        say: Callable[[dict[str, str]], None],
        none: str,
    ) -> None:
        self.panel, self.title, self.tip = panel, field.title or "", field.description or ""
        self.names, self.said, self.say, self.none = names, said, say, none
        self.lines: dict[str, Any] = {}

    def build(self) -> Any:
        """Make the box that they stand in."""
        self.box = c.box()
        return self.box

    def show(self) -> None:
        """Show what was said, with a line for each name there is now."""
        names = self.names()
        if list(self.lines) != names or not self.box.children:
            self.lines = {name: c.text(name, self.tip, kind="wide") for name in names}
            for name, field in self.lines.items():
                c.on_change(field, self.panel.told(partial(self._say, name)))
            self.box.children = list(self.lines.values()) or [c.html(c.paragraph(self.none))]
        with self.panel.filling:
            for name, field in self.lines.items():
                field.value = self.said().get(name, "")

    def _say(self, name: str, text: str) -> None:
        self.say({one: words for one, words in {**self.said(), name: text.strip()}.items() if words})
