"""An assessment that a pipeline starts: what it says to programs, and when it stops them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release.open_items import OpenItem, exclusions, unanswered_flags
from discoreport.assessment.release.policy import Policy, default_policy, read_policy
from discoreport.assessment.release.thresholds import Compared, compared
from discoreport.data.level_text import level_text
from discoreport.errors import SettingsError, suggest
from discoreport.measures import EXCESS, FIGURES


def _flags(assessment: Assessment) -> list[str]:
    undocumented = [rule for rule in assessment.settings.exclude if not rule.documented]
    asked = {unanswered_flags: assessment.unanswered, exclusions: undocumented}
    return [_item(next(told(assessment))) for told, found in asked.items() if found]


def _item(item: OpenItem) -> str:
    return f"{item.what}. {item.detail}"


REASONS: dict[str, tuple[str, Callable[[Assessment], list[str]]]] = {
    "thresholds": (
        "a figure is above a threshold of the policy, or can't be compared with it",
        lambda one: [_sentence(row, one.not_measured) for row in _compared(one)],
    ),
    "flags": ("a flag of the checks isn't answered, or an exclusion has no reason or name", _flags),
    "warnings": (
        "the files match so badly that low figures mean nothing, or records of the original are in one of the others",
        lambda one: [*map(str, one.warnings), *(f"{name}: {finding}" for name, finding in one.doubts_of_analyses)],
    ),
    "open": ("anything at all is open", lambda one: list(map(_item, one.open_items))),
}
"""What can end a run with exit code 3."""


def reasons_of(written: str | None) -> tuple[str, ...]:
    """Read the option ``--fail-on``.

    Raises
    ------
    SettingsError
        Where there is no such reason: a run must not pass because of a misspelt word.
    """
    names = [name.strip() for name in (written or "").split(",")] if written is not None else []
    for name in names:
        if name not in REASONS:
            raise SettingsError(f"--fail-on {name}: no such reason. {suggest(name, REASONS)}")
    return tuple(dict.fromkeys(names))


def require_thresholds(reasons: Sequence[str], path: Path | None, otherwise: Policy | None = None) -> None:
    """Refuse, before the work, to look for thresholds where there are none: in a policy's file, or else in another."""
    policy = read_policy(path) if path else otherwise or default_policy()
    if "thresholds" in reasons and not policy.thresholds:
        raise SettingsError("--fail-on thresholds: the policy gives no thresholds. Name one that does: --policy FILE")


def stops(assessment: Assessment, reasons: Sequence[str]) -> dict[str, list[str]]:
    """Find what the user wants to be stopped by: for each reason, a sentence a finding."""
    found = {name: REASONS[name][1](assessment) for name in reasons}
    return {name: sentences for name, sentences in found.items() if sentences}


def as_data(assessment: Assessment, folder: Path, failed: dict[str, list[str]], exit_code: int) -> dict[str, Any]:
    """Gather what was found for programs.

    Returns
    -------
    dict
        ``record`` (SHA-256), ``folder``, ``exit_code``, ``failed`` (sentences by reason),
        ``above_thresholds``, ``not_comparable``, ``unanswered_flags``, ``open_items``, ``warnings``, ``copies``.
        Names variables and files, never levels.
    """
    compared = _compared(assessment) if assessment.policy.thresholds else []
    return {
        "record": assessment.fingerprint,
        "folder": str(folder),
        "exit_code": exit_code,
        "failed": failed,
        "above_thresholds": [_row(one) for one in compared if one.above],
        "not_comparable": [_row(one) for one in compared if one.above is None],
        "unanswered_flags": len(assessment.unanswered),
        "open_items": [asdict(item) for item in assessment.open_items],
        "warnings": len(assessment.warnings) + len(assessment.doubts_of_analyses),
        "copies": assessment.copies.to_dict("records"),
    }


def _compared(assessment: Assessment) -> list[Compared]:
    """List the figures that are above a threshold, and those that are missing, which must not pass for low."""
    rows = compared(assessment)
    without = [one for one in assessment.policy.thresholds if one not in [row.threshold for row in rows]]
    return [row for row in (*rows, *(Compared(one, "", None) for one in without)) if row.above is not False]


def _row(row: Compared) -> dict[str, Any]:
    return {
        "measure": row.threshold.measure,
        "target": row.place or None,
        "value": row.value,
        "of": row.of or None,
        "limit": row.threshold.limit,
        "source": row.threshold.source,
    }


def _sentence(row: Compared, not_measured: Sequence[str] = ()) -> str:
    beyond_chance = row.threshold.measure == EXCESS.name
    unit = "points" if beyond_chance else "%"
    limit = f"{level_text(row.threshold.limit)} {unit}"
    if not row.place and FIGURES[row.threshold.measure].group != "identity":
        return f"{row.threshold.measure}: there is no target, so nothing was compared with {limit}."
    where, of = row.name, f" {row.of}" if row.of else ""
    if row.value is None:
        needed = "baseDiSCO" if beyond_chance else row.threshold.measure
        why = "it was not measured" if needed in not_measured else "there is nothing to divide by"
        return f"{where}: {why}, so it can't be compared with {limit}."
    if not row.above:
        return (
            f"{where}: {row.value:.1f} {unit}{of} can't be compared with {limit}: by the warnings, it may be too low."
        )
    return f"{where}: {row.written} {unit}{of} is above {limit} ({row.threshold.source})."
