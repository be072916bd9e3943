"""The record: an assessment as JSON, today's and earlier ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.measured import SCHEMA_VERSION
from discoreport.errors import RecordError


def load(path: str | Path) -> Assessment:
    """Read an assessment that was saved.

    Parameters
    ----------
    path
        A file written by `Assessment.save`, by this version or an earlier one.

    Returns
    -------
    Assessment
        Equal to the one that was saved.

    Raises
    ------
    RecordError
        Where there is no such file, or it isn't an assessment, or it comes from a newer version.
    """
    path = Path(path)
    try:
        written = path.read_bytes()
    except OSError as error:
        raise RecordError(f"Can't read '{path}': {error.strerror}.") from None
    return parse(written, str(path))


def parse(written: bytes, where: str) -> Assessment:
    """Read an assessment from the bytes of its file.

    Parameters
    ----------
    written
        JSON in UTF-8.
    where
        What it is called in errors.

    Raises
    ------
    RecordError
        As `load`.
    """
    try:
        content = json.loads(written.decode("utf-8"))
    except ValueError:
        raise RecordError(f"'{where}' isn't an assessment: it isn't JSON.") from None
    if not isinstance(content, dict):
        raise RecordError(f"'{where}' isn't an assessment: it is JSON, but not an object.")
    if content.get("edition") == "external":
        raise RecordError(f"'{where}' belongs to an external edition, which holds no figures. Use the internal record.")
    found = content.get("schema_version")
    if isinstance(found, int) and found > SCHEMA_VERSION:
        raise RecordError(
            f"'{where}' has schema version {found}; this discoreport reads up to {SCHEMA_VERSION}. Use a newer one."
        )
    while content.get("schema_version") in _UPGRADES:
        content = _UPGRADES[content["schema_version"]](content)
    try:
        return Assessment.model_validate(content)
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"])
        raise RecordError(f"'{where}' isn't a whole assessment: {place}: {problem['msg']}.") from None


def _from_1(content: dict[str, Any]) -> dict[str, Any]:
    """Version 2 added documentation and policy, which may be left open."""
    return {**content, "schema_version": 2}


_UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _from_1}
"""What makes a record of one version into one of the next."""
