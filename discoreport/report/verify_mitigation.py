"""Steps that an assessed file came of, done again: whether they give that file, and the figures of the record."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePath

from discoreport.assessment.analyses.mitigation.apply import Mitigated, mitigate
from discoreport.assessment.analyses.mitigation.results import Mitigation
from discoreport.assessment.analyses.mitigation.state import as_series
from discoreport.assessment.python_warnings import unwarned
from discoreport.data.readers.read import read
from discoreport.data.readers.source_file import NEW_ENDINGS, path_of, read_like
from discoreport.errors import DiscoReportError
from discoreport.files import ending_of, sha256_of
from discoreport.report.verify_figures import Check, compared

BEFORE = "--before"
"""The option that names the file as it was before the steps."""


def steps_check(found: Mitigation, original: object, before: object, released: object) -> Iterator[Check]:
    """Do the steps again on the file as it was before them, and compare what comes of it.

    Parameters
    ----------
    found
        Of the record.
    original, before, released
        The files: the original, the one before the steps, and the one that was assessed.
    """
    what = "steps"
    if original is None or before is None:
        lacking = f"the original and the file before the steps ({found.synthetic.name}: {BEFORE} FILE)"
        yield Check(what, "unchecked", f"Not done again: that takes {lacking}.")
        return
    path, expected = path_of(before), found.synthetic.sha256
    if path is not None and expected and Path(path).is_file() and sha256_of(Path(path)) != expected:
        yield Check(what, "fails", f"'{path}' is not the file before the steps ({found.synthetic.name}).")
        return
    try:
        with unwarned():
            given = read_like(before, found.synthetic.read_as)
            again = mitigate(original, given, found.settings, [one.step for one in found.steps])
            file = _file_check(again, found, released)
    except DiscoReportError as error:
        yield Check(what, "unchecked", f"Can't be done again: {error}")
        return
    yield compared(what, found, again.mitigation.for_record())
    yield file


def _file_check(again: Mitigated, found: Mitigation, released: object) -> Check:
    """Compare the file that the steps give with the one that was assessed: by fingerprint, or else value by value."""
    what = "file after the steps"
    expected = found.result
    if expected is None:
        return Check(what, "unchecked", "The record doesn't say which file came of the steps.")
    with tempfile.TemporaryDirectory() as folder:
        name = PurePath(expected.name).name
        ending = ending_of(Path(name))
        written = again.write(Path(folder) / f"again{ending if ending in NEW_ENDINGS else '.csv'}")
        if sha256_of(written) == expected.sha256:
            return Check(what, "holds", f"The steps give {expected.name}, byte for byte.")
        if released is None:
            detail = f"Written again, {expected.name} has other bytes; name it, to compare what it holds."
            return Check(what, "unchecked", detail)
        ours, theirs = read(written, "again"), read(read_like(released, expected.read_as), "released")
    same = list(ours.columns) == list(theirs.columns) and all(
        as_series(ours.columns[one]).astype(str).equals(as_series(theirs.columns[one]).astype(str))
        for one in ours.columns
    )
    if same:
        return Check(what, "holds", f"The steps give every value of {expected.name}, in other bytes.")
    return Check(what, "fails", f"The steps give another file than {expected.name}.")
