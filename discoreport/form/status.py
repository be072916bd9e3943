"""How far each step is, in a word, and what the whole form has found, in four figures. No widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from discoreport.assessment.results import average
from discoreport.assessment.writing import counted, number, percent
from discoreport.assessment.writing import name as written_name
from discoreport.errors import DiscoReportError
from discoreport.form.state import FormState, KeyFigures

Kind = Literal["done", "open", "problem"]
STEPS = ("Data", "Scenario", "Settings", "Results", "Checks", "Report")


@dataclass(frozen=True)
class Status:
    """How far a step is: a kind, and a few words."""

    kind: Kind
    words: str


@dataclass(frozen=True)
class Headline:
    """One figure of the strip: its label, its value, a second line, and the hue of the file it is about."""

    label: str
    value: str
    more: str
    hue: str = ""


def statuses(state: FormState) -> tuple[Status, ...]:
    """Tell of each step how far it is, in the order of `STEPS`."""
    return (_data(state), _scenario(state), _settings(state), _results(state), _checks(state), _report(state))


def _data(state: FormState) -> Status:
    if state.files is None:
        return Status("open", "open: choose files")
    warnings = sum(finding.severity == "warning" for finding in state.files.findings)
    if state.other_files:
        return Status("problem", "problem: other files")
    files = counted(len(state.files.tables), "file")
    return Status("done", f"done: {files}" + (f", {counted(warnings, 'warning')}" if warnings else ""))


def _scenario(state: FormState) -> Status:
    draft = state.draft
    if not draft.keys:
        return Status("open", "open: choose keys")
    reasons = state.documentation.scenario.keys
    missing = sum(not reasons.get(name) for name in draft.keys)
    if missing:
        return Status("open", f"open: {counted(missing, 'reason')}")
    return Status("done", f"done: {counted(len(draft.keys), 'key')}, {counted(len(draft.targets), 'target')}")


def _settings(state: FormState) -> Status:
    if not state.draft.keys:
        return Status("open", "open")
    if state.problem:
        return Status("problem", "problem: see there")
    n_changed = len(state.draft.settings().changed().keys() - {"exclude"})
    return Status("done", f"done: {n_changed} changed" if n_changed else "done: defaults")


def _results(state: FormState) -> Status:
    if state.current is None:
        return Status("open", "open: not run")
    return Status("problem", "out of date") if state.stale else Status("done", "done")


def _checks(state: FormState) -> Status:
    assessment = state.assessment
    if assessment is None:
        return Status("open", "open")
    n_open = len(assessment.unanswered)
    if n_open:
        return Status("open", f"open: {counted(n_open, 'flag')}")
    return Status(
        "done", "done" + (f": {counted(len(state.draft.exclude), 'exclusion')}" if state.draft.exclude else "")
    )


def _report(state: FormState) -> Status:
    assessment = state.assessment
    if assessment is None:
        return Status("open", "open")
    n_open = len(assessment.open_items)
    if n_open:
        return Status("open", f"open: {counted(n_open, 'item')}" + (", written" if state.written else ""))
    return Status("done", "done: written" if state.written else "ready to write")


def headlines(state: FormState, keys: KeyFigures | None) -> tuple[Headline, ...]:
    """Give the figures of the strip.

    Parameters
    ----------
    state
        The form.
    keys
        What the keys as they are now show; None where they can't be counted.
    """
    return (*_of_keys(keys), *_of_targets(state))


def key_figures(state: FormState) -> KeyFigures | None:
    """Count the keys, where there are any and they can be counted."""
    if state.files is None or not state.draft.keys:
        return None
    try:
        return state.key_figures()
    except DiscoReportError:
        return None  # the step Settings says what is wrong


def _of_keys(keys: KeyFigures | None) -> tuple[Headline, Headline]:
    if keys is None:
        return (
            Headline("Unique in the original (UiO)", "–", "no keys yet", "original"),
            Headline("Replicated uniques (repU)", "–", "no keys yet", "synthetic"),
        )
    n = keys.n_original
    unique = keys.results[0].values["UiO"]
    repeated = average([result.values["repU"] for result in keys.results])
    return (
        Headline(
            "Unique in the original (UiO)",
            percent(unique),
            f"of {counted(n, 'record')}, {counted(keys.n_combinations, 'combination')} of keys",
            "original",
        ),
        Headline("Replicated uniques (repU)", percent(repeated), "unique in the synthetic file, too", "synthetic"),
    )


def _of_targets(state: FormState) -> tuple[Headline, Headline]:
    assessment = state.assessment
    if assessment is None or not assessment.targets:
        return (Headline("Most exposed target (DiSCO)", "–", "not run yet", "synthetic"), Headline("Open", "–", ""))
    worst = str(assessment.summary.index[0])
    value = assessment.value("DiSCO", worst)
    more = f"{written_name(worst)}; original: {percent(assessment.value('Dorig', worst))}"
    n_open, n_flags = len(assessment.unanswered), len(assessment.outcome.flags)
    return (
        Headline("Most exposed target (DiSCO)", percent(value), more, "synthetic"),
        Headline("Flags not answered", number(n_open), f"of {counted(n_flags, 'flag')} in this run"),
    )
