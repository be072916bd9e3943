"""Documentation onto an assessment: from a file, from an earlier run, and as a file to fill in."""

from __future__ import annotations

import copy
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import Table

from discoreport.assessment.documented import Documented
from discoreport.assessment.release.documentation import (
    CHECKERS,
    Answer,
    ChecklistAnswer,
    Decision,
    Documentation,
    Run,
    Section,
    SignOff,
    is_kept,
)
from discoreport.assessment.release.thresholds import known_figures, to_accept, worse_than
from discoreport.assessment.toml import given_as, in_toml, read_toml, toml_level, validated, write_toml
from discoreport.assessment.worst_file import most_exposed_first, worst_value
from discoreport.errors import SettingsError, require_path, suggest

KEPT_BY_PROGRAM = "history"
_STATE, _FOR = "state", "for"
_NOT_DECIDED = {"sign_offs", "conditions_met"}
"""Fields of a decision that can change while it stays the same."""
_FINGERPRINT = re.compile(r"[0-9a-f]{12,64}")
"""A whole one, or as much of its beginning as people copy by hand."""
_WHAT_FOR = "fingerprint of what was signed, as the report gives it; without it, that stays open"


def check(assessment: Documented, documentation: Documentation) -> None:
    """Find out whether documentation fits an assessment.

    Raises
    ------
    SettingsError
        Where it names a target, a key or an item of the checklist that doesn't exist, or answers one thing twice.
    """
    keys, targets = assessment.settings.keys, assessment.targets
    for answer in documentation.answers:
        _require("answers", answer.target, targets, "a target")
        if answer.key is not None:
            _require("answers", answer.key, keys, "a key")
    for name in documentation.scenario.keys:
        _require("scenario.keys", name, keys, "a key")
    for name in documentation.scenario.targets:
        _require("scenario.targets", name, targets, "a target")
    for field in ("labels", "level_labels", "sensitive"):
        for name in getattr(documentation, field):
            _require(field, name, variables_of(assessment), "a variable of the files")
    for figure in documentation.criteria.accepted:
        _require("criteria.accepted", figure, known_figures(assessment), "a figure")
    for entry in documentation.checklist:
        _require("checklist", entry.item, [item.item for item in assessment.policy.checklist], "an item")
    _require_once("answers", [(answer.case, str(answer)) for answer in documentation.answers])
    _require_once("checklist", [(entry.item, entry.item) for entry in documentation.checklist])


def variables_of(assessment: Documented) -> list[str]:
    """List the variables that an assessment knows: keys, targets, and those that it has a word on."""
    named = [one.name for one in assessment.variables] + [one.variable for one in assessment.findings if one.variable]
    return list(dict.fromkeys(named))


def _require(field: str, name: str, known: Sequence[str], role: str) -> None:
    if name not in known:
        raise SettingsError(f"{field}: '{name}' is not {role}. {suggest(name, known)}")


def _require_once(field: str, answered: Sequence[tuple[object, str]]) -> None:
    n_answers = Counter(what for what, _ in answered)
    twice = [written for what, written in answered if n_answers[what] > 1]
    if twice:
        raise SettingsError(f"{field}: '{twice[0]}' is answered twice. Leave one of the answers.")


def carried_over(assessment: Documented, previous: Documented) -> Documentation:
    """Take what was said of an earlier run, as far as its variables are still keys and targets.

    Decision and signatures are left behind: they are on the figures of that run. So are reasons to accept a figure
    that is worse now.

    Parameters
    ----------
    assessment, previous
        The new run, and the one before it; that one is entered into the history.
    """
    said = fitting(previous.documentation, assessment)
    worse = worse_than(previous, assessment) if said.criteria.filled else ()
    accepted = {name: why for name, why in said.criteria.accepted.items() if name not in worse}
    undecided = {"status": "draft", "decision": Decision()}
    kept = {"criteria": said.criteria.model_copy(update={"accepted": accepted})}
    return said.model_copy(update={**undecided, **kept, "history": (*said.history, run_of(previous))})


def fitting(said: Documentation, assessment: Documented) -> Documentation:
    """Leave out reasons and answers that concern variables which are neither keys nor targets of an assessment."""
    keys, targets = assessment.settings.keys, assessment.targets
    scenario = {
        "keys": {name: why for name, why in said.scenario.keys.items() if name in keys},
        "targets": {name: why for name, why in said.scenario.targets.items() if name in targets},
        "rejected": {name: why for name, why in said.scenario.rejected.items() if name not in keys},
    }
    variables = variables_of(assessment)
    labels = {name: label for name, label in said.labels.items() if name in variables}
    of_levels = {name: labels for name, labels in said.level_labels.items() if name in variables}
    named = known_figures(assessment) if said.criteria.filled else ()
    accepted = {name: why for name, why in said.criteria.accepted.items() if name in named}
    answers = [one for one in said.answers if one.target in targets and (one.key is None or one.key in keys)]
    return said.model_copy(
        update={
            "scenario": said.scenario.model_copy(update=scenario),
            "criteria": said.criteria.model_copy(update={"accepted": accepted}),
            "answers": tuple(answers),
            "labels": labels,
            "level_labels": of_levels,
            "sensitive": {name: levels for name, levels in said.sensitive.items() if name in variables},
        },
    )


def run_of(assessment: Documented) -> Run:
    """Enter an assessment into a history."""
    worst = next(iter(most_exposed_first(assessment)), None)
    return Run(
        created=assessment.provenance.created,
        discoreport=assessment.provenance.discoreport,
        settings=assessment.settings,
        record=assessment.fingerprint,
        repU=worst_value(assessment, "repU"),
        target=worst or "",
        DiSCO=None if worst is None else worst_value(assessment, "DiSCO", worst),
    )


def read_documentation(path: str | os.PathLike[str], onto: Documentation | None = None) -> Documentation:
    """Read a documentation file.

    Parameters
    ----------
    path
        TOML, with the names of `Documentation`.
    onto
        What the file leaves out is taken from here, as `added` does.

    Raises
    ------
    SettingsError
        Where it can't be read, a name is unknown, or a value won't do.

    Notes
    -----
    What a signature and a decision are on, the file says by `for`, the fingerprint that the report gives (`state` of
    an assessment), or its beginning. Where it doesn't, nobody can tell, and that is an open item.
    """
    path = require_path(path, "documentation")
    said = _said(read_toml(path), str(path))
    return said if onto is None else added(onto, said)


DocumentationGiven = Documentation | Mapping[str, Any] | str | os.PathLike[str]
"""What is said of a release, the same by name, or the path of a documentation file."""


def documentation_given(given: object) -> Documentation:
    """Take what is said of a release in each of the ways in which users give it.

    Raises
    ------
    SettingsError
        Where it is anything else, can't be read, or won't do.
    """
    return given_as(
        Documentation,
        given,
        read_documentation,
        lambda content: _said(copy.deepcopy(content), "documentation"),
        "documentation must be a Documentation, names and values, or the path of a documentation file",
    )


def _said(content: dict[str, Any], path: str) -> Documentation:
    """Read what a documentation file holds; `path` says in errors what it comes from."""
    if KEPT_BY_PROGRAM in content:
        raise SettingsError(f"'{path}': {KEPT_BY_PROGRAM}: is kept by the program. Take it out of the file.")
    for part, kind in _signed(content):
        given = [name for name, field in kind.model_fields.items() if name in part and is_kept(field)]
        if given:
            raise SettingsError(f"'{path}': decision: {given[0]} is kept by the program. Take it out of the file.")
        if _FOR in part:
            part[_STATE] = part.pop(_FOR)
            if not isinstance(part[_STATE], str) or not _FINGERPRINT.fullmatch(part[_STATE]):
                raise SettingsError(
                    f"'{path}': decision: for must be the fingerprint that the report gives beside the signatures, "
                    f"or at least its first 12 signs (got {part[_STATE]!r})."
                )
    return validated(Documentation, content, path)


def _signed(content: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], type[Section]]]:
    """Give the parts of a file that are on certain figures: the decision, and each signature."""
    decision = content.get("decision")
    if isinstance(decision, dict):
        yield decision, Decision
        entries = decision.get("sign_offs")
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                yield entry, SignOff


def added(before: Documentation, said: Documentation) -> Documentation:
    """Put what is said in place of what was said before, field by field; lists are taken whole.

    A decision or a signature that is repeated as it was stays on what it was on; another one is on what it says itself.
    """
    old, new = (one.model_dump(exclude_unset=True) for one in (before, said))
    decision, earlier = said.decision, before.decision
    if any(
        getattr(decision, name) != getattr(earlier, name)
        for name in new.get("decision", {})
        if name not in _NOT_DECIDED
    ):
        old.get("decision", {}).pop(_STATE, None)
        old.get("decision", {}).pop("figures_of", None)
    states = {one.model_copy(update={_STATE: ""}): one.state for one in earlier.sign_offs}
    for entry, one in zip(new.get("decision", {}).get("sign_offs", ()), decision.sign_offs, strict=False):
        entry[_STATE] = one.state or states.get(one, "")
    return Documentation(**_merged(old, new))


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    both = {
        name: _merged(old[name], new[name])
        for name in new
        if isinstance(old.get(name), Mapping) and isinstance(new[name], Mapping)
    }
    return {**old, **new, **both}


def write_documentation(path: str | Path, assessment: Documented) -> Path:
    """Write a documentation file to fill in: every field, every flag, every item of the checklist.

    Parameters
    ----------
    path
        The file to write.
    assessment
        What is already documented is in the file, too.

    Raises
    ------
    OutputError
        Where the file exists or can't be written.
    """
    path = Path(path)
    document = tomlkit.document()
    document.add(tomlkit.comment("What is said of the release. Leave open what doesn't apply, and then:"))
    document.add(tomlkit.comment(f"discoreport report assessment.json --documentation {path.name} --out FOLDER"))
    document.add(tomlkit.nl())
    _fill(document, _to_fill_in(assessment), assessment)
    return write_toml(path, document)


def _to_fill_in(assessment: Documented) -> Documentation:
    """Add what waits for an answer."""
    said = assessment.documentation
    answered = {answer.case for answer in said.answers}
    flags = [flag for flag in assessment.outcome.flags if flag.case not in answered]
    open_answers = [
        Answer(target=target, level=level, **({} if key is None else {"key": key, "key_level": key_level}))
        for target, level, key, key_level in (flag.case for flag in flags)
    ]
    items = {entry.item for entry in said.checklist}
    sign_offs = said.decision.sign_offs or tuple(
        SignOff(role=role) for role in ("preparer", *["checker"] * CHECKERS, "custodian")
    )
    settings = assessment.settings
    return said.model_copy(
        update={
            "answers": (*said.answers, *open_answers),
            "labels": {one.name: one.label for one in assessment.described} | said.labels,
            "checklist": (
                *said.checklist,
                *(ChecklistAnswer(item=one.item) for one in assessment.policy.checklist if one.item not in items),
            ),
            "criteria": said.criteria.model_copy(
                update={"accepted": {name: said.criteria.accepted.get(name, "") for name in to_accept(assessment)}}
            ),
            "scenario": said.scenario.model_copy(
                update={
                    "keys": {name: said.scenario.keys.get(name, "") for name in settings.keys},
                    "targets": {name: said.scenario.targets.get(name, "") for name in assessment.targets},
                }
            ),
            "decision": said.decision.model_copy(update={"sign_offs": sign_offs}),
        }
    )


def _fill(table: Any, section: Section, assessment: Documented) -> None:
    """Write the fields of a section: plain ones first, as TOML wants it, then tables, then lists of tables."""
    declared = {name: field for name, field in type(section).model_fields.items() if not is_kept(field)}
    fields = [(name, field, getattr(section, name)) for name, field in declared.items()]
    nested = [entry for entry in fields if isinstance(entry[2], Section | dict | tuple)]
    for name, field, value in fields:
        if (name, field, value) not in nested:
            _plain(table, name, value, field.description or "")
    if isinstance(section, Decision | SignOff):
        _plain(table, _FOR, section.state or None, _WHAT_FOR)
    for name, field, value in nested:
        if name == KEPT_BY_PROGRAM:
            continue
        if isinstance(value, tuple):
            entries = tomlkit.aot()
            for entry in value:
                entries.append(_answer(entry) if isinstance(entry, Answer) else _entry(entry, assessment))
            if value:
                table[name] = entries
            continue
        below = tomlkit.table()
        if field.description:
            below.add(tomlkit.comment(field.description))
        if isinstance(value, Section):
            _fill(below, value, assessment)
        else:
            below.update(in_toml(value))
        table[name] = below


def _plain(table: Any, name: str, value: object, described: str) -> None:
    if value is None:
        table.add(tomlkit.comment(f"{name} = ...    {described}".rstrip()))
    else:
        table.add(name, tomlkit.item(value).comment(described) if described else value)


def _entry(entry: Any, assessment: Documented) -> Table:
    table = tomlkit.table()
    if isinstance(entry, ChecklistAnswer):
        text = next((item.text for item in assessment.policy.checklist if item.item == entry.item), "")
        table.add(tomlkit.comment(text))
    _fill(table, entry, assessment)
    return table


def _answer(answer: Answer) -> Table:
    table = tomlkit.table()
    for name in ("target", "level") if answer.key is None else ("target", "level", "key", "key_level"):
        table.add(name, toml_level(getattr(answer, name)))
    if answer.prior_knowledge is None:
        table.add(tomlkit.comment("prior_knowledge = true or false: would anybody know this without the file?"))
    else:
        table.add("prior_knowledge", answer.prior_knowledge)
    for name in ("reason", "by", "action"):
        table.add(name, getattr(answer, name))
    if answer.on is not None:
        table.add("on", answer.on)
    return table
