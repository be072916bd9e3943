"""An exclusion of one's own: variable and level from lists, with what it would do shown before it is done."""

from __future__ import annotations

import datetime
from typing import Any

from discoreport.assessment.formatting import counted
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.settings import Exclusion
from discoreport.data.coding import SMALL_CELL
from discoreport.errors import DiscoReportError, SettingsError
from discoreport.form.model.exclusions import levels_to_choose
from discoreport.form.panels.flag_card import consequence, leave_out
from discoreport.form.panels.panel import Panel
from discoreport.form.widgets import controls as c

_CHOOSE = [("choose", "")]
_MISSING, _TYPED = ("missing", ""), ("typed", "")


class _Level:
    """The choice of one level: from the list, missing, or typed where few records have it."""

    def __init__(self, panel: Panel, label: str, tooltip: str, changed: Any) -> None:
        self._panel = panel
        self.chosen = c.choice(label, tooltip, _CHOOSE, "")
        self.typed = c.text(
            f"{label}, as it is written", f"Levels of fewer than {SMALL_CELL} records are not listed", kind="wide"
        )
        self.typed.layout.display = "none"
        c.on_change(self.chosen, panel.told(self._show))
        for field in (self.chosen, self.typed):
            c.on_change(field, panel.told(changed))

    def offer(self, name: str) -> None:
        """Offer the levels of a variable."""
        state = self._panel.state
        found: list[tuple[str, str, int]] = []
        missing = False
        if name and state.files:
            found, missing = levels_to_choose(state.files, state.draft.settings(), name)
        options: list[tuple[str, Any]] = [
            (f"{text}{f', {label}' if label else ''} ({counted(n, 'record')})", ("level", text))
            for text, label, n in found
        ]
        options += [("(missing)", _MISSING)] if missing else []
        options += [(f"a level of fewer than {SMALL_CELL} records", _TYPED)] if name else []
        with self._panel.filling:
            self.chosen.options = [*_CHOOSE, *options]
            self.chosen.value, self.typed.value = "", ""
            self.typed.layout.display = "none"

    def _show(self, chosen: Any) -> None:
        self.typed.layout.display = "" if chosen == _TYPED else "none"

    @property
    def made(self) -> bool:
        """Whether a level was chosen."""
        return self.chosen.value not in ("", _TYPED) or (self.chosen.value == _TYPED and bool(self.typed.value.strip()))

    @property
    def value(self) -> str | None:
        """The level; None for missing values."""
        if self.chosen.value == _MISSING:
            return None
        return str(self.typed.value.strip() if self.chosen.value == _TYPED else self.chosen.value[1])


class OwnExclusion:
    """The fields of an exclusion that no flag asks for.

    Parameters
    ----------
    panel
        Where it stands.
    """

    def __init__(self, panel: Panel) -> None:
        self._panel, self._state = panel, panel.state
        self.target = c.choice("Target", "The variable of which a level is left out", _CHOOSE, "")
        self.level = _Level(panel, "Level", "The level that is left out", lambda _: self._preview())
        self.key = c.choice(
            "Only with key", "Leave the level out only where this key has one level", [("any record", "")], ""
        )
        self.key_level = _Level(panel, "Level of the key", "The level of that key", lambda _: self._preview())
        self.reason = c.text("Reason of this exclusion", "Why, in words that an approver can follow", kind="wide")
        c.on_change(self.reason, panel.told(lambda _: self._preview()))
        self.add = c.button("Exclude this level", "Leave these records out of the figures", self._add)
        self.consequence = c.html("", "d-second")
        self.message = c.Message()
        c.on_change(self.target, panel.told(self._of_target, self.message))
        c.on_change(self.key, panel.told(self._of_key, self.message))
        self.view = c.box(
            c.heading("An exclusion of your own", "For what no check has flagged."),
            c.box(self.target, self.level.chosen, self.level.typed, kind="row"),
            c.box(self.key, self.key_level.chosen, self.key_level.typed, kind="row"),
            c.box(self.reason, self.add, kind="row"), self.consequence, self.message,
        )  # fmt: skip
        self.show()

    def show(self) -> None:
        """Offer the targets and keys as they are now."""
        draft = self._state.draft
        for field, first, names in (
            (self.target, _CHOOSE[0], draft.targets),
            (self.key, ("any record", ""), draft.keys),
        ):
            options = (first, *((written_name(name), name) for name in names))
            if tuple(field.options) != options:
                field.options = options
                (self._of_target if field is self.target else self._of_key)("")
        self._preview()

    def _of_target(self, name: str) -> None:
        self.level.offer(name)
        self.level.chosen.disabled = not name
        self._preview()

    def _of_key(self, name: str) -> None:
        self.key_level.offer(name)
        self.key_level.chosen.layout.display = "" if name else "none"
        self._preview()

    def _rule(self) -> Exclusion:
        """Read the fields.

        Raises
        ------
        SettingsError
            Where something is not chosen yet.
        """
        if not self.target.value:
            raise SettingsError("Choose a target first.")
        if not self.level.made or (self.key.value and not self.key_level.made):
            which = "level" if not self.level.made else "level of the key"
            raise SettingsError(f"Choose the {which}; missing values are '(missing)' in the list.")
        pair = {"key": self.key.value, "key_level": self.key_level.value} if self.key.value else {}
        return Exclusion(
            target=self.target.value, level=self.level.value, reason=self.reason.value.strip(), by=self._state.by,
            on=datetime.date.today(), **pair,
        )  # fmt: skip

    def _preview(self) -> None:
        self.consequence.value = self.message.value = ""
        if not self.target.value or not self.level.made or (self.key.value and not self.key_level.made):
            return
        try:
            self.consequence.value = consequence(self._panel.context, (self._rule(),))
        except DiscoReportError as error:
            self.message.say(str(error), "error")

    def _add(self) -> None:
        with self.message.telling():
            leave_out(self._panel.context, self._rule())
            with self._panel.filling:
                self.reason.value = ""
                self.target.value = self.key.value = ""
            self._of_target("")
            self._of_key("")
            self._panel.tasks.follow()
