"""The files of a bundle in the layout that output checkers' viewers read (ACRO, SACRO Viewer).

A folder with ``results.json``, which lists the outputs, ``config.json``, the outputs themselves and ``checksums/``,
as ACRO 1.0 writes it and the viewer of November 2026 reads it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from discoreport.errors import OutputError, SettingsError, suggest

LAYOUT_VERSION = "0.4.0"
"""The layout that this is, in ACRO's counting; the viewer takes none that is older."""

KINDS = {".csv": "table", ".png": "figure", ".svg": "figure", ".txt": "text", ".json": "record", ".pdf": "report"}
"""The types of file that output checkers release, and what ours of that type are."""

LARGEST = 16 * 1024 * 1024
"""Bytes that a file to be released may have."""

_RECORDS = "records"
_TAKEN = {
    *("results.json", "config.json"),  # of the layout
    "outputs.json",  # the viewer prefers it to results.json
    *("summary.txt", "missing-files.txt", "metadata-redacted.json"),  # the viewer puts its own beside what is released
}
_PART = re.compile(r"[\w-][\w .-]*")


def checker_layout(
    files: Mapping[str, bytes],
    *,
    version: str,
    created: datetime,
    descriptions: Mapping[str, str],
    command: str,
    layout_version: str = LAYOUT_VERSION,
) -> dict[str, bytes]:
    """Lay out the files of a bundle for output checkers.

    Every file is an output by itself, waiting for review: nothing here says pass or fail.

    Parameters
    ----------
    files
        Name in the bundle, with ``/`` between folders, and content. Of the types in `KINDS`.
    version
        The version of discoreport.
    created
        When the report was made; all outputs have this time.
    descriptions
        What a file shows, by its name in the bundle; stands beside the file in the viewer.
    command
        The command that repeats the assessment.
    layout_version
        The version of ACRO that the folder says it is for. The viewer reads the default and all that are newer;
        ACRO's own `load_records` reads nothing but what names its own version.

    Returns
    -------
    dict of str to bytes
        Name in the folder, with ``/`` between folders, and content. The same for the same arguments.

    Raises
    ------
    OutputError
        Where a file can't be part of it: by its name, its type or its size, or because two would get one name.
    SettingsError
        Where something is described that isn't there.

    Examples
    --------
    >>> from datetime import UTC
    >>> made = datetime(2026, 11, 28, tzinfo=UTC)
    >>> layout = checker_layout(
    ...     {"tables/attribute.csv": b"target,DiSCO"}, version="1.0", created=made, descriptions={}, command=""
    ... )
    >>> print(*layout, sep=" ")
    tables_attribute.csv results.json config.json checksums/tables_attribute.csv.txt checksums/results.json.txt
    checksums/config.json.txt
    """
    for described in descriptions:
        if described not in files:
            raise SettingsError(f"No file '{described}' to describe. {suggest(described, files)}")
    places = _places(files)
    layout = {place: files[name] for name, place in places.items()}
    outputs = {
        PurePosixPath(place).name: _output(place, name, descriptions.get(name), created=created, command=command)
        for name, place in places.items()
    }
    tool = {"name": "discoreport", "version": version}
    layout["results.json"] = _as_json({"version": layout_version, "tool": tool, "results": outputs})
    # ACRO puts the thresholds of its own checks here. None of them was run.
    layout["config.json"] = _as_json({"tool": tool, "automatic_checks": False})
    checksums = {f"checksums/{place}.txt": hashlib.sha256(layout[place]).hexdigest().encode() for place in layout}
    return layout | checksums


def _places(files: Mapping[str, bytes]) -> dict[str, str]:
    """Say where each file goes, by its name in the bundle.

    All in one folder, as what the viewer releases is. JSON alone goes to a folder of its own: on opening a folder, the
    viewer reads all JSON files in it, which fails on Windows where they hold signs beyond ASCII.
    """
    places: dict[str, str] = {}
    names: dict[str, str] = {}
    for bundled in sorted(files):
        ending = _checked_ending(bundled, len(files[bundled]))
        flat = "_".join(bundled.split("/"))
        if flat.casefold() in _TAKEN:
            flat = f"report_{flat}"
        other = names.setdefault(flat.casefold(), bundled)
        if other != bundled:
            raise OutputError(f"'{other}' and '{bundled}' would both be called '{flat}'. Give one another name.")
        places[bundled] = f"{_RECORDS}/{flat}" if ending == ".json" else flat
    return places


def _checked_ending(name: str, size: int) -> str:
    """Refuse what can't be released, or would leave the folder."""
    if not all(_PART.fullmatch(part) for part in name.split("/")):
        raise OutputError(f"'{name}' can't be the name of an output: letters, digits and . _ - will do, / for folders.")
    ending = PurePosixPath(name).suffix.lower()
    if ending not in KINDS:
        raise OutputError(f"Output checkers don't release files such as '{name}'. {suggest(ending, KINDS)}")
    if size > LARGEST:
        limit = LARGEST // 1024**2
        raise OutputError(f"'{name}' has {size / 1024**2:.1f} MB; output checkers release files of up to {limit} MB.")
    return ending


def _output(place: str, name: str, description: str | None, *, created: datetime, command: str) -> dict[str, Any]:
    """Describe one output, with all the keys that ACRO or the viewer expect."""
    said = [description] if description else []
    if place != name:
        said.append(f"In the bundle of discoreport: {name}")
    return {
        "uid": PurePosixPath(place).name,
        "status": "review",
        "type": "custom",
        "properties": {"method": KINDS[PurePosixPath(name).suffix.lower()]},
        "files": [{"name": place, "sdc": {}}],
        "outcome": {},
        "command": command,
        "summary": "review",
        "timestamp": created.isoformat(timespec="seconds"),
        "comments": [_without_markup(text) for text in said],
        "exception": "",
        "fair": {},
    }


def _without_markup(text: str) -> str:
    """Put other brackets for those of HTML: the viewer shows comments as markup.

    Examples
    --------
    >>> _without_markup("<b>age</b>")
    '‹b›age‹/b›'
    """
    return text.replace("<", "‹").replace(">", "›")


def _as_json(content: object) -> bytes:
    """Write JSON in ASCII: the viewer reads it in the encoding of its operating system."""
    return json.dumps(content, indent=1, ensure_ascii=True).encode("ascii")
