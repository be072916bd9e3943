"""The history of runs: compare two of them, or return to one."""

from __future__ import annotations

from typing import Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.progress import Progress
from discoreport.assessment.settings import Exclusion, Settings
from discoreport.assessment.worst_file import worst_value
from discoreport.form.model.exclusions import in_words
from discoreport.form.model.viewers import LOOKING
from discoreport.form.panels.panel import Context
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.html import page

_LISTED = 12
"""How many runs are listed, the latest ones."""


class RunHistory:
    """Lists the runs of a form, below its panels.

    Parameters
    ----------
    context
        What it may use of the form.
    """

    def __init__(self, context: Context) -> None:
        self.state, self.tasks = context.state, context.tasks
        self.first = c.choice("Run", "A run of this form, the latest last", [("–", -1)], -1, kind="wide")
        self.second = c.choice("and run", "Another run, to compare with", [("–", -1)], -1, kind="wide")
        self.compare = c.button("Compare", "Put the figures of both runs side by side", self._compare)
        self.back = c.button("Return to the first", "Take up the settings of the run again", self._return)
        self.table = c.html()
        self.compared = c.html()
        self._compared: tuple[tuple[int, object], ...] = ()
        self.message = c.Message()
        self.view = c.box(
            c.heading("Runs so far"), self.table,
            c.box(self.first, self.second, self.compare, self.back, kind="row"), self.message, self.compared,
        )  # fmt: skip
        self.refresh()

    def refresh(self) -> None:
        """Show the runs."""
        entries = self.state.runs.entries
        self.view.layout.display = "" if len(entries) > 1 and self.state.viewer not in LOOKING else "none"
        options = [(f"{place + 1}: {_named(entry.run.settings)}", place) for place, entry in enumerate(entries)]
        for field, place in ((self.first, len(entries) - 2), (self.second, len(entries) - 1)):
            field.options = options or [("–", -1)]
            field.value = max(place, 0) if options else -1
        runs = [(place, entry.run) for place, entry in enumerate(entries, start=1)]
        self.table.value = page("runs", runs=runs[-_LISTED:])
        if any(place >= len(entries) or entries[place].run is not run for place, run in self._compared):
            self.compared.value, self._compared = "", ()  # another run has come into the place of one of them

    def _compare(self) -> None:
        self.message.value = self.compared.value = ""
        first, second = self.first.value, self.second.value

        def work(progress: Progress) -> dict[int, Assessment]:
            return {place: self.state.of_run(place, progress) for place in (first, second)}

        def show(found: dict[int, Assessment]) -> None:
            for place, assessment in found.items():
                self.state.runs.complete(place, assessment)
            self._compared = tuple((place, self.state.runs.entries[place].run) for place in (first, second))
            self.compared.value = side_by_side(found[first], found[second], (first + 1, second + 1))

        self.tasks.do(work, show, self.message)

    def _return(self) -> None:
        self.message.value = ""
        if 0 <= self.first.value < len(self.state.runs.entries):
            self.state.return_to(self.first.value)
            self.tasks.follow()


def side_by_side(first: Assessment, second: Assessment, numbers: tuple[int, int]) -> str:
    """Write the figures of two runs beside each other, and the settings that differ."""
    return page(
        "two_runs",
        runs=(first, second),
        worst=worst_value,
        several=max(len(first.synthetic), len(second.synthetic)) > 1,
        numbers=numbers,
        targets=list(dict.fromkeys([*first.targets, *second.targets])),
        differing=_differing(first.settings, second.settings),
    )


def _differing(first: Settings, second: Settings) -> list[tuple[str, str, str]]:
    pairs = ((name, getattr(first, name), getattr(second, name)) for name in Settings.model_fields)
    return [(name, _short(old), _short(new)) for name, old, new in pairs if old != new]


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(in_words(one) if isinstance(one, Exclusion) else str(one) for one in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {entry}" for name, entry in value.items()) or "none"
    return "none" if value is None else str(value)


def _named(settings: Settings) -> str:
    return ", ".join(map(written_name, settings.keys))[:60]
