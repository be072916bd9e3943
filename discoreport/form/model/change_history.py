"""What people have done in a form, told by what differs before and after; taken back and done again."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.release.documentation import Decision, Documentation, Section, SignOff, is_kept
from discoreport.assessment.release.policy import Policy
from discoreport.assessment.settings import Settings
from discoreport.form.model.draft_settings import Draft
from discoreport.form.model.exclusions import in_words
from discoreport.form.model.saved_form import Decided, Made

MOST_STEPS = 100
"""How many changes can be taken back."""
MOST_MADE = 1000
"""How many changes are listed, the latest ones."""
_FIRST = 2
"""How many of several changes that were made at once are named."""
_ROLES = ("keys", "targets")


@dataclass(frozen=True)
class Snapshot:
    """All that people say and choose in a form, but for the files."""

    draft: Draft
    documentation: Documentation
    policy: Policy
    decided_on: Settings | None
    decided_for: tuple[str | None, ...]
    elsewhere: tuple[Decided, ...]
    asked: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class _Step:
    before: Snapshot
    after: Snapshot
    what: str


class Changes:
    """The changes of a form: which can be taken back, and which were made by whom."""

    def __init__(self) -> None:
        self.made: list[Made] = []
        self._now: Snapshot | None = None
        self._back: list[_Step] = []
        self._forth: list[_Step] = []

    def begin(self, now: Snapshot) -> None:
        """Begin with a state from which nothing can be taken back."""
        self._now, self._back, self._forth = now, [], []

    def note(self, now: Snapshot, by: str = "") -> None:
        """Note what has changed, if anything has."""
        before, self._now = self._now, now
        if before is None or before == now:
            return
        what = in_short(differing(before, now))
        self._back = [*self._back, _Step(before, now, what)][-MOST_STEPS:]
        self._forth = []
        self._enter(what, by)

    def _enter(self, what: str, by: str) -> None:
        made = Made(at=datetime.datetime.now(datetime.UTC).replace(microsecond=0), by=by, what=what)
        if self.made and (self.made[-1].what, self.made[-1].by) == (what, by):
            self.made.pop()  # the same field once more
        self.made = [*self.made, made][-MOST_MADE:]

    @property
    def undoes(self) -> str:
        """What would be taken back; "" where there is nothing."""
        return self._back[-1].what if self._back else ""

    @property
    def redoes(self) -> str:
        """What would be done again; "" where there is nothing."""
        return self._forth[-1].what if self._forth else ""

    def undo(self, by: str = "") -> Snapshot:
        """Take the last change back: gives the state before it."""
        step = self._back.pop()
        self._forth.append(step)
        self._enter(f"taken back: {step.what}", by)
        self._now = step.before
        return step.before

    def redo(self, by: str = "") -> Snapshot:
        """Do again what was taken back last: gives the state after it."""
        step = self._forth.pop()
        self._back.append(step)
        self._enter(step.what, by)
        self._now = step.after
        return step.after


def in_short(changes: Iterable[str]) -> str:
    """Name the first of several changes, and how many more there are.

    Examples
    --------
    >>> in_short(["title", "policy", "version", "id"])
    'title; policy; and 2 more'
    """
    words = list(changes)
    more = [f"and {len(words) - _FIRST} more"] if len(words) > _FIRST else []
    return "; ".join([*words[:_FIRST], *more]) or "a change"


def differing(before: Snapshot, after: Snapshot) -> Iterator[str]:
    """Say in words what differs: roles, settings, exclusions, answers, words, policy, decision, signatures, options."""
    yield from _draft(before.draft, after.draft)
    yield from _said(before.documentation, after.documentation)
    if before.policy != after.policy:
        yield f"policy: {after.policy.called or 'the one that comes with discoreport'}"
    for name, analysis in ANALYSES.items():
        old, new = before.asked.get(name, {}), after.asked.get(name, {})
        for option in {**old, **new}:
            if old.get(option) != new.get(option):
                yield f"{analysis.title}: {analysis.options.model_fields[option].title or option}"
    if before.elsewhere != after.elsewhere and before.documentation.decision == after.documentation.decision:
        yield "decision on other figures"


def _draft(before: Draft, after: Draft) -> Iterator[str]:
    units = [unit for unit in (before.unit, after.unit) if unit is not None]
    for name in dict.fromkeys((*before.keys, *before.targets, *after.keys, *after.targets, *units)):
        if before.role(name) != after.role(name):
            yield f"role of {name}: {after.role(name) or 'none'}"
    if set(before.keys) == set(after.keys) and before.keys != after.keys:
        yield "order of the keys"
    yield from (f"exclusion of {in_words(rule)}" for rule in after.exclude if rule not in before.exclude)
    yield from (f"no longer excluded: {in_words(rule)}" for rule in before.exclude if rule not in after.exclude)
    for name in Draft.model_fields:
        old, new = getattr(before, name), getattr(after, name)
        if old == new or name in (*_ROLES, "exclude", "unit"):
            continue
        words = name.replace("_", " ")
        if isinstance(old, dict):
            of = [one for one in {**old, **new} if old.get(one) != new.get(one)]
            yield f"{words} of {', '.join(of)}"
        else:
            yield f"setting: {words}"


def _said(before: Documentation, after: Documentation) -> Iterator[str]:
    for name, field in Documentation.model_fields.items():
        old, new = getattr(before, name), getattr(after, name)
        title = field.title or name
        if old == new or (name == "status" and before.decision.decision != after.decision.decision):
            continue  # the status goes by the decision
        if name == "decision":
            yield from _decided(old, new)
        elif name == "answers":
            yield from _entries("answer to", {one.case: one for one in old}, {one.case: one for one in new})
        elif name == "checklist":
            yield from _entries("checklist:", {one.item: one for one in old}, {one.item: one for one in new})
        elif isinstance(old, Section):
            yield from _fields(title, old, new)
        else:
            yield title.lower()


def _entries(words: str, old: dict[Any, Any], new: dict[Any, Any]) -> Iterator[str]:
    for key in {**old, **new}:
        if old.get(key) != new.get(key):
            one = new.get(key) or old[key]
            yield f"{words} {key if isinstance(key, str) else in_words(one)}{'' if key in new else ' taken out'}"


def _fields(title: str, old: Section, new: Section) -> Iterator[str]:
    for name, field in type(new).model_fields.items():
        before, after = getattr(old, name), getattr(new, name)
        if before == after:
            continue
        label = (field.title or name).lower()
        if isinstance(after, dict):
            label += f" ({', '.join(one for one in {**before, **after} if before.get(one) != after.get(one))})"
        yield f"{title}: {label}"


def _decided(old: Decision, new: Decision) -> Iterator[str]:
    for name, field in Decision.model_fields.items():
        if name != "sign_offs" and not is_kept(field) and getattr(old, name) != getattr(new, name):
            yield f"decision: {name.replace('_', ' ')} {getattr(new, name) or 'taken out'}"
    if old.state != new.state and old.decision == new.decision and new.decision:
        yield "decision given again"
    before, after = old.sign_offs, new.sign_offs
    for place in range(max(len(before), len(after))):
        was, now = (entries[place] if place < len(entries) else None for entries in (before, after))
        one = next((entry for entry in (now, was) if entry is not None and _says(entry)), None)
        if was != now and one is not None:
            yield f"signature: {one.name or 'no name yet'} ({one.role})"


def _says(entry: SignOff) -> bool:
    return bool(entry.name or entry.date or entry.decision or entry.comment)
