"""What is said of a release, part by part; each part makes its controls when it is first unfolded."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import Any, Protocol, get_args

import ipywidgets as w

from discoreport.assessment.documentation import (
    CHECKERS,
    ChecklistAnswer,
    Decision,
    Documentation,
    MitigationStep,
    Role,
    SignOff,
    Yes,
)
from discoreport.form.panels.panel import Step
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.section_fields import SectionFields

HEAD = ("id", "title", "version", "status")
_SECTIONS = (
    "request", "context", "source", "synthesis", "comparability", "labelling", "uses", "after_release",
)  # fmt: skip
_FIELDS = Documentation.model_fields
_ELSEWHERE = (
    "A decision or signatures were recorded on other figures, and stay with those: return to that run to see them. "
    "What you enter here is on the figures as they are now."
)


class Part(Protocol):
    """One part of the documentation."""

    title: str

    def build(self) -> Any:
        """Make the controls."""

    def show(self) -> None:
        """Show what was said."""


class DocumentationFields:
    """The head of the documentation, and all its parts to unfold.

    Parameters
    ----------
    step
        Where they stand.
    """

    def __init__(self, step: Step) -> None:
        self.state = step.state
        self.head = SectionFields(Documentation, lambda values: self.state.words.say(**values), HEAD)
        self.parts: dict[str, Part] = {
            **{name: _Section(step, name) for name in _SECTIONS},
            "mitigation": _Mitigation(step),
            "checklist": _Checklist(step),
            "decision": _Decision(step),
        }
        self.fold = w.Accordion(children=[c.box() for _ in self.parts], selected_index=None)
        for place, part in enumerate(self.parts.values()):
            self.fold.set_title(place, part.title)
        self._made: dict[int, Part] = {}
        self.fold.observe(lambda change: self._unfold(change["new"]), "selected_index")
        self.view = c.box(self.head.view, self.fold)

    def refresh(self) -> None:
        """Show what was said; the step is filling its controls meanwhile."""
        self.head.show(self.state.words.documentation)
        for part in self._made.values():
            part.show()

    def unfold(self, name: str) -> None:
        """Unfold one part."""
        self.fold.selected_index = list(self.parts).index(name)

    def _unfold(self, place: int | None) -> None:
        if place is None or place in self._made:
            return
        part = list(self.parts.values())[place]
        children = list(self.fold.children)
        children[place] = part.build()
        self.fold.children = children
        self._made[place] = part
        part.show()


class _Section:
    """The fields of one section."""

    def __init__(self, step: Step, name: str) -> None:
        self.step, self.state, self.name = step, step.state, name
        self.title = _FIELDS[name].title or name

    def build(self) -> Any:
        said = type(getattr(self.state.words.documentation, self.name))
        say = self.step.told(lambda values: self.state.words.say_in(self.name, **values))
        self.fields = SectionFields(said, say)
        return self.fields.view

    def show(self) -> None:
        self.fields.show(getattr(self.state.words.documentation, self.name))


class _Mitigation:
    """What was done to the synthetic file, a step a line."""

    def __init__(self, step: Step) -> None:
        self.step, self.state = step, step.state
        self.title = _FIELDS["mitigation"].title or ""

    def build(self) -> Any:
        fields = MitigationStep.model_fields
        self.lines = c.text(
            _FIELDS["mitigation"].description or "", "One step a line; a number of records after a semicolon", lines=4,
            placeholder=f"{fields['what'].title}; {fields['n_records'].title}",
        )  # fmt: skip
        c.on_change(self.lines, self.step.told(self._say))
        return self.lines

    def show(self) -> None:
        steps = self.state.words.documentation.mitigation
        with self.step.filling:
            self.lines.value = "\n".join(
                step.what if step.n_records is None else f"{step.what}; {step.n_records}" for step in steps
            )

    def _say(self, text: str) -> None:
        steps = []
        for line in filter(None, map(str.strip, text.splitlines())):
            what, _, n = line.rpartition(";")
            records = n.strip().replace(",", "")
            if what and records.isascii() and records.isdecimal():
                steps.append(MitigationStep(what=what, n_records=int(records)))
            else:
                steps.append(MitigationStep(what=line))
        self.state.words.say(mitigation=tuple(steps))


class _Checklist:
    """The items of the policy's checklist."""

    def __init__(self, step: Step) -> None:
        self.step, self.state = step, step.state
        self.title = _FIELDS["checklist"].title or ""
        self.items: dict[str, tuple[Any, Any]] = {}

    def build(self) -> Any:
        self.box = c.box()
        return self.box

    def show(self) -> None:
        if list(self.items) != [item.item for item in self.state.words.policy.checklist]:
            self._fill()
        said = {entry.item: entry for entry in self.state.words.documentation.checklist}
        with self.step.filling:
            for name, (answer, comment) in self.items.items():
                entry = said.get(name, ChecklistAnswer(item=name))
                answer.value, comment.value = entry.answer, entry.comment

    def _fill(self) -> None:
        views = []
        self.items = {}
        for item in self.state.words.policy.checklist:
            needed = "" if item.required else " (not required)"
            tips = ("Not answered yet", "It holds", "It doesn't hold", "It doesn't apply")
            options = [(answer or "open", answer) for answer in get_args(Yes)]
            answer = c.toggle(f"Answer to {item.item}", tips, options, "", kind="hide-label")
            comment = c.text("Comment", "Stands beside the answer in the report", kind="wide")
            for field in (answer, comment):
                c.on_change(field, self.step.told(partial(self._say, item.item)))
            self.items[item.item] = (answer, comment)
            views.append(
                c.box(c.html(f"<p>{escape(item.text)}{needed}</p>"), c.box(answer, comment, kind="row"), kind="card")
            )
        self.box.children = views

    def _say(self, item: str, _: str) -> None:
        answer, comment = self.items[item]
        others = tuple(entry for entry in self.state.words.documentation.checklist if entry.item != item)
        said = ChecklistAnswer(item=item, answer=answer.value, comment=comment.value)
        self.state.words.say(checklist=(*others, said) if said.answer or said.comment else others)


class _Decision:
    """Decision and signatures; they are on the figures as they are now."""

    title = "Decision and sign-off"

    def __init__(self, step: Step) -> None:
        self.step, self.state = step, step.state
        self.elsewhere = c.html("", "d-empty")

    def build(self) -> Any:
        decide = self.step.told(lambda values: self.state.decide(**values), self.elsewhere)
        self.fields = SectionFields(Decision, decide)
        self.sign_offs = [
            SectionFields(SignOff, self.step.told(partial(self._sign, place), self.elsewhere))
            for place in range(len(self._roles()))
        ]
        rows = [c.box(one.view, kind="card") for one in self.sign_offs]
        words = Decision.model_fields["sign_offs"].description or ""
        return c.box(self.elsewhere, self.fields.view, c.html(f"<h3>Sign-off: {escape(words)}</h3>"), *rows)

    def show(self) -> None:
        self.elsewhere.value = c.message(_ELSEWHERE if self.state.decided_elsewhere else "")
        self.fields.show(self.state.decision)
        for fields, entry in zip(self.sign_offs, self._roles(), strict=False):
            fields.show(entry)

    def _roles(self) -> list[SignOff]:
        said = list(self.state.decision.sign_offs)
        wanted: list[Role] = ["preparer", *["checker"] * CHECKERS, "custodian"]  # type: ignore[list-item]
        for entry in said:
            if entry.role in wanted:
                wanted.remove(entry.role)
        return [*said, *(SignOff(role=role) for role in wanted)]

    def _sign(self, place: int, values: dict[str, Any]) -> None:
        entries = self._roles()
        entries[place] = entries[place].model_copy(update=values)
        self.state.decide(sign_offs=tuple(entries))
