"""The record: an assessment as JSON, today's and earlier ones."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from discoreport.assessment.analyses.result import AnalysisResult, SettingsResult
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.measured import SCHEMA_VERSION
from discoreport.assessment.settings import Settings
from discoreport.assessment.toml import Model
from discoreport.assessment.validation_errors import first_problem
from discoreport.errors import RecordError, SettingsError, require_kind
from discoreport.measures import MEASURES
from discoreport.measures.exclusions import REASONS, TABLES
from discoreport.measures.registry import of_group

RECORDS = {"internal": "assessment.json", "external": "release.json"}
"""What the record of each edition is called, in a bundle and inside the PDF."""


def load(path: str | Path) -> Assessment:
    """Read an assessment that was saved.

    Parameters
    ----------
    path
        A file written by `Assessment.save`, by this version or an earlier one, or the folder of a bundle.

    Returns
    -------
    Assessment
        Equal to the one that was saved.

    Raises
    ------
    RecordError
        Where there is no such file, or it isn't an assessment, or it comes from a newer version.
    """
    require_kind(path, str | os.PathLike, "load takes the path of a record")
    record = record_in(Path(path))
    return parse(read_bytes(record), str(record))


def record_in(place: Path) -> Path:
    """Give the record of a bundle whose folder is named; any other path as it is.

    Raises
    ------
    RecordError
        Where the folder holds none, or can't be read.
    """
    if not place.is_dir():
        return place
    try:
        held = {path.name for path in place.iterdir()}
    except OSError as error:
        raise RecordError(f"Can't read '{place}': {error.strerror}.") from None
    found = next((name for name in RECORDS.values() if name in held), None)
    if found is None:
        raise RecordError(f"'{place}' holds no record ({' or '.join(RECORDS.values())}).")
    return place / found


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
    content = json_object(written, where, "an assessment")
    if content.get("edition") == "external":
        raise RecordError(f"'{where}' belongs to an external edition, which holds no figures. Use the internal record.")
    found = content.get("schema_version")
    if isinstance(found, int) and found > SCHEMA_VERSION:
        raise RecordError(
            f"'{where}' has schema version {found}; this discoreport reads up to {SCHEMA_VERSION}. Use a newer one."
        )
    while isinstance(found, int) and found in _UPGRADES:
        try:
            content = _UPGRADES[found](content)
        except (TypeError, ValueError, LookupError):
            raise RecordError(f"'{where}' isn't a whole assessment of schema version {found}.") from None
        found = content["schema_version"]
    assessment = whole(Assessment, content, where, "assessment")
    for part, fits in _parts(assessment):
        if not fits:
            raise RecordError(f"'{where}' isn't a whole assessment: {part} don't fit the rest.")
    return assessment


def read_bytes(path: Path) -> bytes:
    """Read the file of a record.

    Raises
    ------
    RecordError
        Where it can't be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise RecordError(f"Can't read '{path}': {error.strerror}.") from None


def json_object(written: bytes, where: str, what: str) -> dict[str, Any]:
    """Read the JSON of a record.

    Parameters
    ----------
    written
        In UTF-8.
    where, what
        What it is called in errors, and what it should be, such as "an assessment".

    Raises
    ------
    RecordError
        Where it isn't JSON, or not an object.
    """
    try:
        text = written.decode("utf-8")
        content = json.loads(text)
        if "\\ud" in text.lower():  # half a sign, as no text in UTF-8 has
            json.dumps(content, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        raise RecordError(f"'{where}' isn't {what}: it isn't JSON.") from None
    if not isinstance(content, dict):
        raise RecordError(f"'{where}' isn't {what}: it is JSON, but not an object.")
    return content


def whole(model: type[Model], content: Mapping[str, Any], where: str, what: str) -> Model:
    """Build a record from its JSON.

    Raises
    ------
    RecordError
        With the first thing that is wrong.
    """
    try:
        return model.model_validate(content)
    except ValidationError as error:
        place, problem = first_problem(error)
        raise RecordError(f"'{where}' isn't a whole {what}: {place}: {problem['msg']}.") from None


def _parts(assessment: Assessment) -> Iterator[tuple[str, bool]]:
    """Tell of each part whether it fits the files, keys and targets, as all that is drawn from it relies on."""
    files, targets = range(1, len(assessment.synthetic) + 1), assessment.targets
    yield "synthetic", bool(files)
    yield "original.n_records", all(one.n_records > 0 for one in (assessment.original, *assessment.synthetic))
    roles = [("key", name) for name in assessment.settings.keys] + [("target", name) for name in targets]
    yield "variables", sorted((one.role, one.name) for one in assessment.variables) == sorted(roles)
    sizes = [(assessment.original.n_records, one.n_records) for one in assessment.synthetic]
    counted = {one.synthesis: (one.matches.n_original, one.matches.n_synthetic) for one in assessment.whole_records}
    yield "whole_records", not counted or counted == dict(zip(files, sizes, strict=True))
    yield "findings", all(0 <= one.synthesis <= len(files) for one in assessment.findings)
    for outcome in filter(None, (assessment.outcome, assessment.outcome_without_exclusions)):
        yield "outcome.identity", sorted(one.synthesis for one in outcome.identity) == [*files]
        pairs = [(target, number) for target in targets for number in files]
        yield "outcome.results", sorted((one.target, one.synthesis) for one in outcome.results) == sorted(pairs)
        for results, measures in ((outcome.identity, of_group("identity")), (outcome.results, MEASURES.values())):
            required = {entry.name for entry in measures if not entry.may_be_lacking}
            yield "measures", all(one.values.keys() >= required for one in results)
            values = [value for one in results for value in one.values.values()]
            yield "figures", all(value is None or math.isfinite(value) for value in values)
        yield (
            "removed",
            all(
                one.removed.get(table, {}).keys() >= {*REASONS, "remaining"}
                for one in outcome.results
                for table in TABLES
            ),
        )
        yield "tau", all(len(one.tau) == len(assessment.settings.tau) for one in outcome.results)
        yield "outcome.class_sizes", all(one.synthesis in files for one in outcome.class_sizes)
        yield "outcome.levels", all(one.target in targets and one.synthesis in files for one in outcome.levels)
        units = [*files] if assessment.settings.unit is not None else []
        yield "outcome.units", [one.synthesis for one in outcome.units] == units
        yield "outcome.units", all(min(one.n_original, one.n_synthetic) > 0 for one in outcome.units)
        yield (
            "outcome.without_unit",
            all(one.synthesis in files for one in outcome.without_unit),
        )
        yield "outcome.units", all(kind.n_units > 0 for one in outcome.units for kind in one.kinds)
        yield "flags", all(flag.target in targets and flag.synthesis in files for flag in outcome.flags)
    for name, result in assessment.analyses.filled():
        yield f"analyses.{name}", _belongs(result, assessment)


def _belongs(result: AnalysisResult, assessment: Assessment) -> bool:
    """Tell whether an analysis is of the files, settings and targets of the assessment that holds it."""
    try:
        assessment.with_analysis(result)
    except SettingsError:
        return False
    if not isinstance(result, SettingsResult):
        return True
    return all(one.target in ("", *(result.settings.targets or ())) for one in result.entries)


def _from_2(content: dict[str, Any]) -> dict[str, Any]:
    """Version 3 has release sizes among the analyses, with their files and settings; their seed had not been kept."""
    content = {**content, "schema_version": 3}
    sizes, files = content.pop("release_sizes", None), content["synthetic"]
    if not (sizes and files):
        return content
    whole_files = [one["n_synthetic"] for one in sizes] == [file["n_records"] for file in files] * (
        len(sizes) // len(files)
    )
    targets = list(dict.fromkeys(one["target"] for one in sizes))
    release_size = {
        "settings": Settings.model_validate(content["settings"]).for_targets(targets),
        "original": content["original"],
        "synthetic": files,
        "seed": None,
        "sizes": [{**one, "synthesis": n % len(files) + 1 if whole_files else 1} for n, one in enumerate(sizes)],
    }
    return {**content, "analyses": {**(content.get("analyses") or {}), "release_size": release_size}}


_UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {
    1: lambda content: {**content, "schema_version": 2},  # added documentation and policy, which may be left open
    2: _from_2,
}
"""What makes a record of one version into one of the next."""
