"""Releases that an earlier audit has assessed, and that are made of the same: they need no second assessment."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from discoreport.assessment.configuration_file import read_configuration
from discoreport.assessment.provenance import Provenance
from discoreport.data.readers.source_file import path_of
from discoreport.errors import DiscoReportError
from discoreport.files import inside, sha256_of, write_file
from discoreport.report.bundle import SUMS, read_sums
from discoreport.report.templates import fingerprints

NOTES = ".discoreport-audit.json"
"""What an audit notes in its folder: of each release what it was made from, and the bundle it became."""


def made_from(configuration: Path, others: Sequence[str | Path], templates: Path | None) -> str | None:
    """Take the fingerprint of all that a release's bundle is made from.

    Parameters
    ----------
    configuration
        The file with files and settings.
    others
        Further files: documentation, policy, earlier releases.
    templates
        A folder of templates.

    Returns
    -------
    str or None
        Of every file, its path, the machine, discoreport and the libraries that it counts with. None where a file
        can't be read, or is a folder or no file at all: then nothing is known to be unchanged.
    """
    try:
        given = read_configuration(configuration)
        files: list[Any] = [configuration, *others, given.original, *given.synthetic]
        for options in given.analyses.values():
            options.with_files(files.append)
        paths = [path_of(file) for file in files]
        if any(path is None or not Path(path).is_file() for path in paths):
            return None
        prints = [[str(path), sha256_of(Path(path))] for path in paths if path is not None]
        of_templates = [str(templates), fingerprints(templates)]
    except (DiscoReportError, OSError):
        return None  # whoever assesses it says what is wrong
    made_with = Provenance.now("memory").model_dump(mode="json", exclude={"created"})
    return hashlib.sha256(json.dumps([made_with, prints, of_templates]).encode()).hexdigest()


class Notes:
    """What earlier audits have noted in a folder, and what this one does.

    Parameters
    ----------
    folder
        Of the bundles.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / NOTES
        self._noted = dict(_read(self._path))
        self._one_at_a_time = Lock()

    def know(self, bundle: Path, made: str | None) -> bool:
        """Tell whether a bundle was made from the same, and is as it was written."""
        return made is not None and self._noted.get(bundle.name) == [made, _state_of(bundle)]

    def note(self, bundle: Path, made: str | None) -> None:
        """Note what a bundle was made from; None that nobody knows."""
        state = _state_of(bundle)
        with self._one_at_a_time:  # releases that are assessed side by side are noted in threads of their own
            if made is None or state is None:
                self._noted.pop(bundle.name, None)
            else:
                self._noted[bundle.name] = [made, state]
            write_file(self._path, json.dumps(self._noted, indent=1).encode())


def _read(path: Path) -> Iterator[tuple[str, list[str | None]]]:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return
    for name, noted in content.items() if isinstance(content, dict) else ():
        if isinstance(noted, list):
            yield name, noted


def _state_of(bundle: Path) -> str | None:
    """Give the fingerprint of a bundle's list of fingerprints; None where a file isn't as listed, or isn't listed."""
    try:
        listed = (bundle / SUMS).read_bytes()
        present = {
            path.relative_to(bundle).as_posix(): sha256_of(path)
            for path in inside(bundle)
            if not path.is_dir() and path.name != SUMS
        }
    except OSError:
        return None
    return hashlib.sha256(listed).hexdigest() if present == read_sums(listed) else None
