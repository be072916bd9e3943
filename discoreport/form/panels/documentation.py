"""What is said of a release, part by part; each part makes its controls when it is first unfolded."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, get_args, get_origin

import ipywidgets as w
from pydantic.fields import FieldInfo

from discoreport.assessment.release.documentation import (
    ChecklistAnswer,
    Criteria,
    Decision,
    Documentation,
    MitigationStep,
    Section,
    SignOff,
    Yes,
    is_kept,
)
from discoreport.assessment.release.thresholds import to_accept
from discoreport.form.model.state import FormState
from discoreport.form.model.viewers import place_of, signatures
from discoreport.form.panels.lines_by_name import LinesByName
from discoreport.form.panels.panel import Panel
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.fold import Fold

_LONG = {
    "purpose", "summary", "recipients", "other_data", "earlier_releases", "sensitivity", "identifiers", "remarks",
    "method", "processing", "words", "suitable", "unsuitable", "conditions", "monitoring", "triggers", "comment",
}  # fmt: skip
"""Fields that take more than a line."""
HEAD = ("id", "title", "version", "status")
_SECTIONS = (
    "request", "context", "source", "synthesis", "comparability", "labelling", "uses", "after_release",
)  # fmt: skip
_FIELDS = Documentation.model_fields
_ELSEWHERE = (
    "A decision or signatures were recorded on other figures, and stay with those: return to that run to see them. "
    "What you enter here is on the figures as they are now."
)

_CHANGED = (
    "Answers, checklist, documentation, settings or figures have changed since this was given: it is on an earlier "
    "state, and doesn't count for this one."
)
_UNKNOWN = "Nothing says which figures and words this is on: it was read from a file that doesn't name them."


_OTHERS = "The others sign for themselves: they open the form as checker or custodian (Open as, above)."


class _Part:
    """A part of the documentation under its title; its controls are made when it is first unfolded."""

    def __init__(self, panel: Panel, name: str, title: str = "") -> None:
        self.panel, self.state, self.name = panel, panel.state, name
        self.title = title or _FIELDS[name].title or name

    def build(self) -> Any:
        """Make the controls."""
        raise NotImplementedError

    def show(self) -> None:
        """Show what was said."""
        raise NotImplementedError


class DocumentationFields:
    """The head of the documentation, and all its parts to unfold.

    Parameters
    ----------
    panel
        Where they stand.
    """

    def __init__(self, panel: Panel) -> None:
        self.state = panel.state
        self.head = SectionFields(Documentation, lambda values: self.state.statements.say(**values), HEAD)
        self.parts: dict[str, _Part | LinesByName] = {
            **{name: _Section(panel, name) for name in _SECTIONS},
            "mitigation": _Mitigation(panel, "mitigation"),
            "checklist": _Checklist(panel, "checklist"),
            "criteria": _accepted(panel),
            "labels": _labels(panel),
            "decision": _Decision(panel, "decision", "Decision and sign-off"),
        }
        self.folds = {name: Fold(part.title, partial(self._build, part)) for name, part in self.parts.items()}
        self.view = c.box(self.head.view, *(fold.view for fold in self.folds.values()))

    def refresh(self) -> None:
        """Show what was said; the step is filling its controls meanwhile."""
        self.head.show(self.state.statements.documentation)
        for name, part in self.parts.items():
            if self.folds[name].made:
                part.show()

    def unfold(self, name: str) -> None:
        """Unfold one part."""
        self.folds[name].unfold()

    def _build(self, part: _Part | LinesByName) -> Any:
        built = part.build()
        part.show()
        return built


class _Section(_Part):
    """The fields of one section."""

    def build(self) -> Any:
        said = type(getattr(self.state.statements.documentation, self.name))
        say = self.panel.told(lambda values: self.state.statements.say_in(self.name, **values))
        self.fields = SectionFields(said, say)
        return self.fields.view

    def show(self) -> None:
        self.fields.show(getattr(self.state.statements.documentation, self.name))


class _Mitigation(_Part):
    """What was done to the synthetic file, a step a line."""

    def build(self) -> Any:
        fields = MitigationStep.model_fields
        self.lines = c.text(
            _FIELDS["mitigation"].description or "", "One step a line; a number of records after a semicolon", lines=4,
            placeholder=f"{fields['what'].title}; {fields['n_records'].title}",
        )  # fmt: skip
        c.on_change(self.lines, self.panel.told(self._say))
        return c.box(self.lines)

    def show(self) -> None:
        steps = self.state.statements.documentation.mitigation
        with self.panel.filling:
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
        self.state.statements.say(mitigation=tuple(steps))


class _Checklist(_Part):
    """The items of the policy's checklist."""

    def build(self) -> Any:
        self.items: dict[str, tuple[Any, Any]] = {}
        self.box = c.box()
        return self.box

    def show(self) -> None:
        if list(self.items) != [item.item for item in self.state.statements.policy.checklist]:
            self._fill()
        said = {entry.item: entry for entry in self.state.statements.documentation.checklist}
        with self.panel.filling:
            for name, (answer, comment) in self.items.items():
                entry = said.get(name, ChecklistAnswer(item=name))
                answer.value, comment.value = entry.answer, entry.comment

    def _fill(self) -> None:
        views = []
        self.items = {}
        for item in self.state.statements.policy.checklist:
            needed = "" if item.required else " (not required)"
            tips = ("Not answered yet", "It holds", "It doesn't hold", "It doesn't apply")
            options = [(answer or "open", answer) for answer in get_args(Yes)]
            answer = c.toggle(f"Answer: {item.text}", tips, options, "", kind="hide-label")
            comment = c.text("Comment", "Stands beside the answer in the report", kind="wide", hint=False)
            for field in (answer, comment):
                c.on_change(field, self.panel.told(partial(self._say, item.item)))
            self.items[item.item] = (answer, comment)
            views.append(
                c.box(c.html(c.paragraph(item.text + needed)), c.box(answer, comment, kind="row"), kind="card")
            )
        self.box.children = views

    def _say(self, item: str, _: str) -> None:
        answer, comment = self.items[item]
        others = tuple(entry for entry in self.state.statements.documentation.checklist if entry.item != item)
        said = ChecklistAnswer(item=item, answer=answer.value, comment=comment.value)
        self.state.statements.say(checklist=(*others, said) if said.answer or said.comment else others)


def _accepted(panel: Panel) -> LinesByName:
    """Make the lines that say why figures above a threshold can be accepted."""
    state = panel.state

    def said() -> Mapping[str, str]:
        return state.statements.documentation.criteria.accepted

    return LinesByName(
        panel,
        Criteria.model_fields["accepted"],
        lambda: list(to_accept(state.assessment) if state.assessment else said()),
        said,
        lambda reasons: state.statements.say_in("criteria", accepted=reasons),
        "No figure is above a threshold of the policy.",
    )


def _labels(panel: Panel) -> LinesByName:
    """Make the lines that say what keys and targets are called in words."""
    state = panel.state
    return LinesByName(
        panel,
        _FIELDS["labels"],
        lambda: [*state.draft.keys, *state.draft.targets],
        lambda: state.statements.documentation.labels,
        lambda labels: state.statements.say(labels=labels),
        "Choose keys and targets first.",
    )


class _Decision(_Part):
    """Decision and signatures; they are on the figures as they are now."""

    def build(self) -> Any:
        self.elsewhere = c.Message()
        decide = self.panel.told(lambda values: self.state.decide(**values), self.elsewhere)
        self.fields = SectionFields(Decision, decide)
        self.sign_offs = [
            SectionFields(SignOff, self.panel.told(partial(self._sign, place), self.elsewhere))
            for place in range(len(signatures(self.state.decision)))
        ]
        self.before = [c.Message() for _ in self.sign_offs]
        self.again = [
            c.button(
                "Sign again", "Put the signature on figures and words as they are now", partial(self._again, place)
            )
            for place in range(len(self.sign_offs))
        ]
        self.others = c.html()
        self.rows = [
            c.box(one.view, before, again, kind="card")
            for one, before, again in zip(self.sign_offs, self.before, self.again, strict=True)
        ]
        words = Decision.model_fields["sign_offs"].description or ""
        self.decided_before = c.Message()
        self.decide_again = c.button(
            "Decide again", "The decision stays as it is, on figures and words as they are now", self._decide_again
        )
        return c.box(
            self.elsewhere,
            self.fields.view,
            self.decided_before,
            self.decide_again,
            c.heading(f"Sign-off: {words}", level=3),
            self.others,
            *self.rows,
        )

    def show(self) -> None:
        self.elsewhere.value = c.message(_ELSEWHERE if self.state.decided_elsewhere else "")
        self.fields.show(self.state.decision)
        for fields, entry in zip(self.sign_offs, signatures(self.state.decision), strict=False):
            fields.show(entry)
        assessment, viewer = self.state.assessment, self.state.viewer
        entries = signatures(self.state.decision)
        own = place_of(viewer, entries)
        for place, (row, before, again) in enumerate(zip(self.rows, self.before, self.again, strict=True)):
            words = stale_words(self.state, entries[place]) if place < len(entries) else ""
            before.say(words or (lacking(entries[place]) if place < len(entries) else ""), "warning")
            again.layout.display = "" if words else "none"
            row.layout.display = "" if own in (None, place) else "none"
        self.others.value = c.paragraph(_OTHERS if viewer else "")
        decision, words = self.state.decision, ""
        if assessment is not None and decision.decision:
            words = _CHANGED if assessment.decided_before else "" if decision.state else _UNKNOWN
        self.decided_before.say(words, "warning")
        self.decide_again.layout.display = "" if words else "none"

    def _again(self, place: int) -> None:
        with self.elsewhere.telling():
            self.state.sign_again(place)

    def _decide_again(self) -> None:
        with self.elsewhere.telling():
            self.state.decide(decision=self.state.decision.decision)

    def _sign(self, place: int, values: dict[str, Any]) -> None:
        entries = signatures(self.state.decision)
        entries[place] = entries[place].model_copy(update=values)
        self.state.decide(sign_offs=tuple(entries))


def stale_words(state: FormState, entry: SignOff) -> str:
    """Say why a signature doesn't count for what is there now; "" where it does, or where there is none."""
    assessment = state.assessment
    if assessment is None:
        return ""
    return _CHANGED if entry in assessment.signed_before else _UNKNOWN if entry in assessment.signed_for_unknown else ""


def lacking(entry: SignOff) -> str:
    """Say why a signature that was begun doesn't count yet; "" where it does, or where there is none."""
    begun = entry.name or entry.decision or entry.date
    return (
        f"This signature counts once it has a {' and a '.join(entry.lacking)}, too." if begun and entry.lacking else ""
    )


def control(name: str, field: FieldInfo) -> Any:
    """Make the control of one field; None for what has a place of its own."""
    if is_kept(field):
        return None
    label, tooltip = field.title or name, field.description or field.title or name
    kind = field.annotation
    if get_origin(kind) is Literal:
        options = [(option or "–", option) for option in get_args(kind)]
        return c.choice(label, tooltip, options, field.default)
    if kind is str:
        return c.text(label, tooltip, lines=2 if name in _LONG else 1)
    if datetime.date in (kind, *get_args(kind)):
        return c.hinted(w.DatePicker(description=label, tooltip=tooltip), tooltip)
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
