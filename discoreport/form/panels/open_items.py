"""What is open, each with the way to where it is done."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import ipywidgets as w

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release.documentation import Documentation, Section
from discoreport.assessment.release.open_items import OpenItem
from discoreport.form.panels.panel import GoTo
from discoreport.form.widgets import controls as c

_PANELS = {"checks": "Checks", "scenario": "Scenario", "analyses": "Questions"}
"""The step in which something is done, by the report's section; all else is done in the step Report."""
_NOT_DOCUMENTED = "request"
"""The report's section of an item that names several which are empty."""


class OpenItems:
    """Lists what is open, each item with a button that leads to its place.

    Parameters
    ----------
    go_to
        Opens a step at one of its places.
    """

    def __init__(self, go_to: GoTo) -> None:
        self._go_to = go_to
        self._rows: list[tuple[w.Button, w.HTML, w.Widget]] = []
        self._places: list[tuple[str, str]] = []
        self.head = c.html()
        self.list = c.box()
        self.view = c.box(self.head, self.list)

    def show(self, assessment: Assessment | None) -> None:
        """List the items of an assessment; None where there is none yet."""
        items = assessment.open_items if assessment else ()
        self.head.value = "<h2>What is open</h2>" + (
            c.message("There are no figures yet; words can be entered all the same.")
            if assessment is None
            else ""
            if items
            else "<p>Nothing.</p>"
        )
        self._places = [place_of(item, assessment.documentation) for item in items] if assessment else []
        while len(self._rows) < len(items):
            lead = c.button("", "", self._leading(len(self._rows)))
            lead.add_class("d-link")
            detail = c.html("", "d-second")
            self._rows.append((lead, detail, c.box(lead, detail, kind="item")))
        for item, (lead, detail, _) in zip(items, self._rows, strict=False):
            lead.description, lead.tooltip = item.what, "Open the place where it is done"
            detail.value = escape(item.detail)
        if len(items) != len(self.list.children):
            self.list.children = [row for *_, row in self._rows[: len(items)]]

    def _leading(self, place: int) -> Callable[[], object]:
        return lambda: self._go_to(*self._places[place])

    def focus(self) -> None:
        """Bring the first item into sight, and the keyboard to it."""
        if self.list.children:
            self._rows[0][0].focus()


def place_of(item: OpenItem, said: Documentation) -> tuple[str, str]:
    """Give the step and the place in it where an item is done."""
    if item.section == _NOT_DOCUMENTED:
        for name in Documentation.model_fields:
            section = getattr(said, name)
            if isinstance(section, Section) and not section.filled and name not in {"comparability", "decision"}:
                return ("Scenario", "") if name == "scenario" else ("Report", name)
    if item.section == "exclusions":
        return ("Settings", "left_out") if item.what.startswith("Records") else ("Checks", "")
    panel = _PANELS.get(item.section, "Report")
    return panel, item.section if panel == "Report" else ""
