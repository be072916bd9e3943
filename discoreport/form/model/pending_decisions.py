"""What only people can decide, step by step: a step that waits for it is not done."""

from __future__ import annotations

from discoreport.assessment.formatting import counted, listed
from discoreport.assessment.formatting import name as written_name
from discoreport.data.findings.finding import Finding
from discoreport.form.model.open_files import Facts
from discoreport.form.model.state import FormState
from discoreport.form.model.suggested_settings import hint

_NAMED = 4


def _listed(names: list[str]) -> str:
    return listed([written_name(name) for name in names], _NAMED)


def warnings_of(state: FormState) -> tuple[Finding, ...]:
    """Give what warns about the files: as the latest figures have it, or as it was when they were read."""
    if state.assessment is not None and not state.stale:
        return state.assessment.warnings
    found = state.files.findings if state.files else ()
    return tuple(finding for finding in found if finding.severity == "warning")


def of_files(state: FormState) -> tuple[str, ...]:
    """Ask for an explanation where files don't match, or where records were copied."""
    n = len(warnings_of(state))
    if not n or state.statements.documentation.comparability.remarks.strip():
        return ()
    return (f"{counted(n, 'warning')} about the files: mend the files, or say what explains it.",)


def of_roles(state: FormState) -> tuple[str, ...]:
    """Ask for targets, and for a word on variables that call for care, other than numbers that are counted."""
    draft = state.draft
    if state.files is None or not draft.keys:
        return ()
    asked = [] if draft.targets else ["No target: choose what an intruder would like to learn."]
    said = state.statements.documentation.scenario
    careful = [
        name
        for role, names in (("keys", draft.keys), ("targets", draft.targets))
        for name in names
        if name in state.files.facts and _calls_for_care(state.files.facts[name]) and not getattr(said, role).get(name)
    ]
    if careful:
        asked.append(f"Take care of {_listed(careful)}: make it neither key nor target, or give a reason below.")
    return tuple(asked)


def _calls_for_care(facts: Facts) -> bool:
    kind = hint(facts).kind
    return kind == "unit" or (kind == "watch" and facts.kind != "number")


def undecided_numbers(state: FormState) -> list[str]:
    """Name chosen numbers that call for care, and of which nobody has said how they are counted."""
    draft, facts = state.draft, state.files.facts if state.files else {}
    decided = {*draft.numeric_groups, *draft.each_counts}
    return [
        name
        for name in (*draft.keys, *draft.targets)
        if name in facts and facts[name].kind == "number" and name not in decided and hint(facts[name]).kind == "watch"
    ]


def of_numbers(state: FormState) -> tuple[str, ...]:
    """Ask how numbers are counted that have very many values."""
    names = undecided_numbers(state) if state.draft.keys else []
    return (f"How is {_listed(names)} counted: in classes, or each number by itself?",) if names else ()
