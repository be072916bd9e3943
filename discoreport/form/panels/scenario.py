"""Step 2, Scenario: which variables an intruder may know, which ones to learn, and why."""

from __future__ import annotations

from typing import Any

from discoreport.assessment.formatting import counted
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.release.documentation import Scenario
from discoreport.form.model import pending_decisions
from discoreport.form.model.open_files import Facts
from discoreport.form.model.state import Change, FormState
from discoreport.form.model.suggested_settings import Hint, hint
from discoreport.form.panels.panel import Panel, Status
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.html import page

_ROLES = [("Key", "key"), ("Target", "target"), ("Neither", "")]
_ROLE_TOOLTIPS = (
    "An intruder may know this of a person, and looks it up",
    "An intruder wants to learn this",
    "Not assessed",
)
_LEGEND = "Key: an intruder may know it of a person. Target: they want to learn it. Neither: it is not assessed."
_EACH = "none: each record is for itself"
_ROWS = 25
"""How many variables are listed at a time."""


class _Row:
    """One variable in the list, used again for another after a search."""

    def __init__(self, panel: ScenarioPanel) -> None:
        self.name = ""
        self._shown: tuple[object, ...] = ()
        self.words = c.html()
        self.role = c.toggle("Role", _ROLE_TOOLTIPS, _ROLES, "", kind="hide-label")
        c.on_change(self.role, panel.told(lambda role: panel.state.set_role(self.name, role)))
        self.view = c.box(self.words, self.role, kind="variable")

    def show(self, facts: Facts, role: str, said: Hint) -> None:
        """Show a variable."""
        self.name = facts.name
        if self._shown != (facts, role, said):
            self._shown = (facts, role, said)
            self.words.value = page("variable", facts=facts, hint=said, is_unit=role == "unit")
            self.role.value = "" if role == "unit" else role
            self.role.description = f"Role of {written_name(facts.name)}"
            self.role.disabled = bool(facts.problem) or role == "unit"


class ScenarioPanel(Panel):
    """Gives variables their roles, with reasons."""

    name = "Scenario"
    called = "the scenario"
    purpose = "Who might try what: which variables an intruder may know, and which ones to learn"
    intro = (
        "Think of somebody who has the synthetic file and knows a few things about a person in the original. Those "
        "things are the keys; what they would like to learn are the targets. Figures above follow each choice."
    )

    @staticmethod
    def status(state: FormState) -> Status:
        """Tell how far it is."""
        draft = state.draft
        if not draft.keys:
            return Status("open", "open: choose keys")
        if not draft.targets:
            return Status("open", "open: choose targets")
        if pending_decisions.of_roles(state):
            return Status("open", "open: take care")
        reasons = state.statements.documentation.scenario.keys
        missing = sum(not reasons.get(name) for name in draft.keys)
        if missing:
            return Status("open", f"open: {counted(missing, 'reason')}")
        return Status("done", f"done: {counted(len(draft.keys), 'key')}, {counted(len(draft.targets), 'target')}")

    to_decide = staticmethod(pending_decisions.of_roles)

    def build(self) -> list[Any]:
        """Make the controls."""
        self.search = c.text("Search", "Part of a name or a label", placeholder="all variables", kind="wide")
        self.search.continuous_update = True
        c.on_change(self.search, lambda _: self._list())
        self.which = c.choice(
            "Show", "Which variables are listed",
            [("all", "all"), ("keys", "key"), ("targets", "target"), ("neither", ""), ("suggested keys", "hint")],
            "all",
            kind="narrow",
        )  # fmt: skip
        c.on_change(self.which, lambda _: self._list())
        self.suggested = c.button(
            "Take the suggested keys",
            "Make all variables keys that others can likely see or know",
            self._take_suggested,
        )
        self.rows: list[_Row] = []
        self.list = c.box(kind="list")
        self.count = c.html("", "d-second")
        self.further = c.button("Show more", "List more variables", self._more)
        self._limit = _ROWS
        self.unit = c.choice(
            "Records that belong together", "A variable with the number of a household, or of a person whose records "
            "they are. Whoever knows one of them knows the keys of all; its values are shown nowhere",
            [(_EACH, "")], "",
        )  # fmt: skip
        c.on_change(self.unit, self.told(self._set_unit))
        self.take_unit = c.button(
            "", "Records with the same value of it belong together", lambda: self._set_unit(self._likely_unit())
        )
        self.live = c.html()
        self.intruder = c.text(
            Scenario.model_fields["intruder"].title or "", Scenario.model_fields["intruder"].description or "", lines=3,
            placeholder="a neighbour who looks for somebody they know",
        )  # fmt: skip
        c.on_change(self.intruder, self.told(lambda words: self.state.statements.say_in("scenario", intruder=words)))
        self.reasons = c.box()
        self._reasons: dict[tuple[str, str], Any] = {}
        self.rejected = c.choice(
            Scenario.model_fields["rejected"].title or "", Scenario.model_fields["rejected"].description or "",
            [("Name a variable", "")], "",
        )  # fmt: skip
        c.on_change(self.rejected, self.told(self._reject))
        left = c.box(
            c.heading("Variables", _LEGEND), c.box(self.search, self.which, kind="row"), self.suggested,
            self.list, c.box(self.count, self.further, kind="row"), self.unit, self.take_unit,
        )  # fmt: skip
        right = c.box(self.live, c.heading("Why these"), self.intruder, self.reasons, self.rejected)
        return [c.box(left, right, kind="columns")]

    def refresh(self, change: Change) -> None:
        """Show roles, reasons, and what the keys show."""
        if change in {Change.ALL, Change.FILES, Change.SETTINGS}:
            self._list()
            self._show_unit()
            self._show_reasons()
        if change == Change.STATEMENTS:
            self._show_reasons()
        self._show_live()
        self.leads_on(bool(self.state.draft.keys))
        c.lead(self.suggested, not self.state.draft.keys)

    def hint(self, name: str) -> Hint:
        """Say what to think of before giving a variable a role."""
        facts = self.state.files.facts[name] if self.state.files else None
        return Hint("", "") if facts is None else hint(facts, grouped=name in self.state.draft.numeric_groups)

    # The list ------------------------------------------------------------------------------------

    def _wanted(self) -> list[str]:
        if self.state.files is None:
            return []
        words, which = self.search.value.casefold().split(), self.which.value
        return [
            name
            for name, facts in self.state.files.facts.items()
            if all(word in f"{facts.name} {facts.label}".casefold() for word in words)
            and (
                which == "all"
                or (self.hint(name).kind == "key" if which == "hint" else self.state.draft.role(name) == which)
            )
        ]

    def _list(self) -> None:
        files = self.state.files
        wanted = self._wanted()
        shown = wanted[: self._limit]
        while len(self.rows) < len(shown):
            self.rows.append(_Row(self))
        with self.filling:
            for row, name in zip(self.rows, shown, strict=False):
                row.show(files.facts[name], self.state.draft.role(name), self.hint(name))  # type: ignore[union-attr]
        c.put_in(self.list, [row.view for row in self.rows[: len(shown)]])
        all_ = len(files.facts) if files else 0
        self.count.value = f"{len(shown)} of {counted(all_, 'variable')}" if files else "Read the files first."
        self.further.layout.display = "" if len(wanted) > len(shown) else "none"
        open_ = [name for name in self._suggested() if name not in self.state.draft.keys]
        self.suggested.disabled = not open_
        self.suggested.description = "Take the suggested keys" + (
            f": {', '.join(written_name(name) for name in open_[:6])}" if open_ else ""
        )

    def _more(self) -> None:
        self._limit += _ROWS
        self._list()
        self._show_reasons()

    def _suggested(self) -> list[str]:
        return [name for name in (self.state.files.facts if self.state.files else ()) if self.hint(name).kind == "key"]

    def _take_suggested(self) -> None:
        draft = self.state.draft
        order = list(self.state.files.facts) if self.state.files else []
        for name in self._suggested():
            if name not in draft.keys:
                draft = draft.with_role(name, "key", order)
        self.state.change(keys=draft.keys, targets=draft.targets)

    def _show_unit(self) -> None:
        facts, unit = self.state.files.facts if self.state.files else {}, self.state.draft.unit
        usable = [name for name, of in facts.items() if not of.problem]
        with self.filling:
            self.unit.options = [(_EACH, ""), *((f"those with the same {written_name(name)}", name) for name in usable)]
            self.unit.value = unit if unit in usable else ""
        likely = self._likely_unit()
        self.take_unit.description = f"Take the suggested one: {written_name(likely)}"
        self.take_unit.layout.display = "" if likely and unit is None else "none"

    def _likely_unit(self) -> str:
        """Give the variable that likely says which records belong together, the largest units first; "" for none."""
        facts = self.state.files.facts.values() if self.state.files else ()
        likely = [one for one in facts if self.hint(one.name).kind == "unit"]
        return min(likely, key=lambda one: one.n_levels).name if likely else ""

    def _set_unit(self, name: str) -> None:
        if name:
            self.state.set_role(name, "unit")
        elif self.state.draft.unit is not None:
            self.state.set_role(self.state.draft.unit, "")

    # Reasons -------------------------------------------------------------------------------------

    def _show_reasons(self) -> None:
        said, draft = self.state.statements.documentation.scenario, self.state.draft
        rejected = [name for name in said.rejected if name not in draft.keys]
        wanted = [
            *(("keys", name) for name in draft.keys),
            *(("rejected", name) for name in rejected),
            *(("targets", name) for name in (draft.targets[: self._limit] if draft.keys else ())),
        ]
        heads = {
            "keys": "Keys: why would anybody know it?",
            "rejected": "Rejected as keys: why?",
            "targets": "Targets: why is it sensitive?",
        }
        views = []
        with self.filling:
            self.intruder.value = said.intruder
            for place, (role, name) in enumerate(wanted):
                if place == 0 or wanted[place - 1][0] != role:
                    views.append(self._head(role, heads[role]))
                field = self._reason(role, name)
                field.value = getattr(said, role).get(name, "")
                views.append(field)
            others = [name for name in (self.state.files.facts if self.state.files else ()) if name not in draft.keys]
            left = [name for name in others if name not in rejected]
            self.rejected.options = [("Name a variable", ""), *((written_name(name), name) for name in left)]
            self.rejected.value = ""
        c.put_in(self.reasons, views)

    def _head(self, role: str, words: str) -> Any:
        if (role, "") not in self._reasons:
            self._reasons[role, ""] = c.heading(words, level=3)
        return self._reasons[role, ""]

    def _reason(self, role: str, name: str) -> Any:
        if (role, name) not in self._reasons:
            title = Scenario.model_fields[role].description or ""
            field = c.text(written_name(name), title, hint=False)
            c.on_change(field, self.told(lambda why: self.state.statements.reason(role, name, why)))
            self._reasons[role, name] = field
        return self._reasons[role, name]

    def _reject(self, name: str) -> None:
        if name:
            self.state.statements.reason("rejected", name, "considered; say why it is no key")

    def _show_live(self) -> None:
        state = self.state
        self.live.value = page("keys", keys=state.draft.keys, figures=state.key_figures, problem=state.problem)
