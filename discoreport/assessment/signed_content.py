"""The fingerprint of what is decided on and signed: all that a record holds, but for what is listed here."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from discoreport.assessment.provenance import Source

LEFT_OUT = {
    ("schema_version",): "the form of the record, which loading one of an earlier version changes",
    ("provenance",): "when, where and with what it was made: the same figures made again are the same",
    ("templates",): "taken down when the report is written, which is after signing",
    ("policy", "file"): "where the policy was read from; all that it says counts",
    ("documentation", "decision"): "the decision and the signatures themselves",
    ("documentation", "status"): "goes by the decision",
    ("documentation", "history"): "figures of earlier runs",
}
"""What a signature isn't on, by its place in the record, and why. Where files lay isn't either, but what they hold."""
_SAID_IN_ANY_ORDER = ("answers", "checklist")
_OF_A_FILE = {name for name, field in Source.model_fields.items() if field.is_required()}


def state_of(record: dict[str, Any]) -> str:
    """Give the fingerprint of what a signature is on: files, settings, figures, findings, analyses, policy, words.

    Parameters
    ----------
    record
        As plain values of JSON, without what is as it would be by default: later versions have more fields.

    Returns
    -------
    str
        SHA-256 in hexadecimal digits. Figures count to nine digits, as engines add up in other orders.
    """
    content = _without(record, ())
    said = content.setdefault("documentation", {})
    for name in _SAID_IN_ANY_ORDER:
        said.get(name, []).sort(key=str)
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode("utf-8")).hexdigest()


def _without(value: Any, place: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        dropped = {"path"} if value.keys() >= _OF_A_FILE else set()
        names = [name for name in value if name not in dropped and (*place, name) not in LEFT_OUT]
        return {name: _without(value[name], (*place, name)) for name in names}
    if isinstance(value, list):
        return [_without(one, (*place, "")) for one in value]
    return f"{value:.9g}" if isinstance(value, float) else value
