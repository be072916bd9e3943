"""Step 3, Settings: groups, special codes, missing values and thresholds, for the chosen variables only."""

from __future__ import annotations

from functools import partial
from typing import Any

from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.release.documentation import Scenario
from discoreport.assessment.settings import Settings
from discoreport.errors import SettingsError
from discoreport.form.model import pending_decisions
from discoreport.form.model.state import Change, FormState
from discoreport.form.model.suggested_settings import MANY_LEVELS, USUAL_GROUPS
from discoreport.form.model.typed_numbers import number, shares, whole
from discoreport.form.panels.numeric_variables import NumberSettings
from discoreport.form.panels.panel import Panel, Status
from discoreport.form.widgets import controls as c

_FIELDS = Settings.model_fields
_THRESHOLDS = (
    "Both numbers must be exceeded for a flag. One-way: one level of a target makes up most of what is given away. "
    "Two-way: nearly everybody with some level of a key has the same level of the target."
)


class SettingsPanel(Panel):
    """Sets how variables are counted."""

    name = "Settings"
    called = "the settings"
    purpose = "Groups of numbers, special codes, missing values and thresholds"
    intro = "Only what matters for the chosen variables is asked here. The defaults are those of the method."

    @staticmethod
    def status(state: FormState) -> Status:
        """Tell how far it is."""
        if not state.draft.keys:
            return Status("open", "open")
        if state.problem:
            return Status("problem", "problem: see there")
        n_open = len(pending_decisions.undecided_numbers(state))
        if n_open:
            return Status("open", f"open: {n_open} to decide")
        n_changed = len(state.draft.settings().changed().keys() - {"exclude"})
        return Status("done", f"done: {n_changed} changed" if n_changed else "done: defaults")

    to_decide = staticmethod(pending_decisions.of_numbers)

    def build(self) -> list[Any]:
        """Make the controls."""
        self.numbers: dict[str, NumberSettings] = {}
        self.numbers_box = c.box()
        self.propose = c.button(
            "Take the proposed groups and codes",
            f"About {USUAL_GROUPS} classes for each number with more than {MANY_LEVELS} levels that isn't a key, "
            "and the codes that were seen in the data",
            self._propose,
        )
        self.missing: dict[str, Any] = {}
        self.marks = c.text(
            "Values that mean missing, one a line", _FIELDS["missing_values"].description or "", lines=2,
            placeholder="income=-9",
        )  # fmt: skip
        c.on_change(self.marks, self.told(self._marks))
        self.missing_box = c.box()
        self.one_way = [
            c.number("One-way: records above", _FIELDS["one_way_threshold"].description or ""),
            c.number("and percent above", _FIELDS["one_way_threshold"].description or ""),
        ]
        self.two_way = [
            c.number("Two-way: cells with more records than", _FIELDS["two_way_threshold"].description or ""),
            c.number("and percent above", _FIELDS["two_way_threshold"].description or ""),
        ]
        left_out = Scenario.model_fields["left_out"]
        self.left_out = c.text(left_out.title or "", left_out.description or "", lines=2)
        c.on_change(
            self.left_out, self.told(lambda words: self.state.statements.say_in("scenario", left_out=words.strip()))
        )
        self.largest = c.number(
            "Leave out groups of more records than", _FIELDS["max_denominator"].description or "", "Empty: no limit"
        )
        self.tau = c.text(
            "Probabilities to count from (tau)", "DiSCO(tau) counts guesses at least so probable: 0 to 1, or percent",
            kind="wide",
        )  # fmt: skip
        self.threshold_message = c.Message()
        for name, fields in (("one_way_threshold", self.one_way), ("two_way_threshold", self.two_way)):
            for field in fields:
                c.on_change(
                    field,
                    self.told(partial(self._threshold, name, fields), self.threshold_message),
                )
        c.on_change(self.largest, self.told(self._largest, self.threshold_message))
        c.on_change(self.tau, self.told(lambda text: self.state.change(tau=shares(text)), self.threshold_message))
        self.defaults = c.button("Back to the defaults", "Thresholds as the method has them", self._defaults)
        self.run = c.button("Run the assessment", "Measure every target, and show the results", self._run, primary=True)
        self.run_buttons = (self.run,)
        self.missing_head = c.heading("Missing values")
        return [
            c.heading("Numbers"), self.propose, self.numbers_box,
            self.missing_head, self.missing_box, self.marks,
            c.heading("Thresholds for flags", _THRESHOLDS),
            c.box(c.box(*self.one_way, kind="row"), c.box(*self.two_way, kind="row"), kind="row"),
            c.box(self.largest, self.tau, self.defaults, kind="row"), self.threshold_message, self.left_out,
            self.run,
        ]  # fmt: skip

    def show_place(self, place: str) -> bool:
        """Bring the field that says why records are left out into sight."""
        if place != "left_out":
            return False
        self.left_out.focus()
        return True

    def refresh(self, change: Change) -> None:
        """Show what is set for the chosen variables."""
        undecided = pending_decisions.undecided_numbers(self.state)
        self.leads_on(not self.state.stale)
        c.lead(self.run, self.state.stale and not undecided)
        c.lead(self.propose, any(name not in self.state.draft.keys for name in undecided))
        if change not in {Change.ALL, Change.FILES, Change.SETTINGS}:
            return
        if change == Change.FILES:
            self.numbers.clear()
            self.missing.clear()
        draft = self.state.draft
        with self.filling:
            self._show_numbers()
            self._show_missing()
            for name, fields in (("one_way_threshold", self.one_way), ("two_way_threshold", self.two_way)):
                for field, value in zip(fields, getattr(draft, name), strict=True):
                    field.value = c.digits(value)
            self.largest.value = "" if draft.max_denominator is None else str(draft.max_denominator)
            self.left_out.value = self.state.statements.documentation.scenario.left_out
            leaves_out = draft.max_denominator is not None or not set(draft.without_missing).isdisjoint(self._chosen())
            self.left_out.layout.display = "" if leaves_out else "none"
            self.tau.value = c.digits(*draft.tau)
        if self.state.files is not None and self.state.problem:
            self.message.say(self.state.problem, "error")
        else:
            self.message.value = ""

    def _chosen(self) -> list[str]:
        return [*self.state.draft.keys, *self.state.draft.targets] if self.state.files else []

    def _long(self) -> list[str]:
        facts = self.state.files.facts if self.state.files else {}
        draft = self.state.draft
        return [
            name
            for name in self._chosen()
            if facts[name].kind == "number"
            and (facts[name].n_levels > MANY_LEVELS or name in draft.numeric_groups or name in draft.special_codes)
        ]

    def _show_numbers(self) -> None:
        views = []
        for name in self._long():
            if name not in self.numbers:
                self.numbers[name] = NumberSettings(self.context, self.filling, name)
            self.numbers[name].show()
            views.append(self.numbers[name].view)
        none = (
            "No chosen variable has numbers with many levels." if self._chosen() else "Choose keys and targets first."
        )
        self.numbers_box.children = views or [c.html(c.paragraph(none))]
        self.propose.layout.display = "" if views else "none"

    def _show_missing(self) -> None:
        facts = self.state.files.facts if self.state.files else {}
        names = [name for name in self._chosen() if facts[name].gaps or name in self.state.draft.missing_values]
        options = [("count as a level", "level"), ("leave the records out", "exclude")]
        for name in names:
            if name not in self.missing:
                tips = ("Missing is a value like any other", "Records without a value are not counted")
                field = c.toggle(written_name(name), tips, options, "level")
                c.on_change(field, self.told(partial(self._missing, name)))
                self.missing[name] = field
            self.missing[name].value = "exclude" if name in self.state.draft.without_missing else "level"
        self.missing_box.children = [self.missing[name] for name in names]
        self.missing_box.layout.display = "" if names else "none"
        self.missing_head.layout.display = self.marks.layout.display = "" if self._chosen() else "none"
        marks = self.state.draft.missing_values
        self.marks.value = "\n".join(f"{name}={level}" for name in self._chosen() for level in marks.get(name, ()))

    def _missing(self, name: str, how: str) -> None:
        others = tuple(one for one in self.state.draft.without_missing if one != name)
        self.state.change(without_missing=(*others, name) if how == "exclude" else others)

    def _marks(self, text: str) -> None:
        marks: dict[str, list[str]] = {}
        for line in text.splitlines():
            if not line.strip():
                continue
            name = max((one for one in self._chosen() if line.startswith(f"{one}=")), key=len, default=None)
            if name is None:
                raise SettingsError(f"'{line}': write a key or a target, and its value: NAME=VALUE, one a line.")
            marks.setdefault(name, []).append(line.removeprefix(f"{name}="))
        others = {
            name: levels for name, levels in self.state.draft.missing_values.items() if name not in self._chosen()
        }
        self.tasks.require_free()
        if self.state.files is not None:
            self.state.files.with_missing(marks)  # refuses what no file has
        self.state.change(missing_values={**others, **{name: tuple(levels) for name, levels in marks.items()}})

    def _threshold(self, name: str, fields: list[Any], _: str) -> None:
        records = whole(fields[0].value, "The number of records")
        percent = number(fields[1].value)
        if records is None or percent is None or not 0 <= percent <= 100:
            raise SettingsError("A threshold is a whole number of records, and a percentage from 0 to 100.")
        self.state.change(**{name: (records, percent)})

    def _largest(self, _: str) -> None:
        what = "The largest group that counts, if there is a limit,"
        self.state.change(max_denominator=whole(self.largest.value, what, least=1))

    def _defaults(self) -> None:
        names = ("one_way_threshold", "two_way_threshold", "max_denominator", "tau")
        self.threshold_message.value = ""
        self.state.change(**{name: _FIELDS[name].default for name in names})

    def _propose(self) -> None:
        draft = self.state.draft
        groups, codes = dict(draft.numeric_groups), dict(draft.special_codes)
        for name in self._long():
            if name not in draft.keys:
                groups.setdefault(name, USUAL_GROUPS)
            seen = self.numbers[name].codes_proposed
            if seen:
                codes.setdefault(name, seen)
        self.state.change(numeric_groups=groups, special_codes=codes)

    def _run(self) -> None:
        self.context.go_to("Results")
        self.tasks.run()
