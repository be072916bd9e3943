"""Does a bundle still hold? Fingerprints, what was rendered, the files, and every figure computed again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.public import PublicFile, PublicRecord
from discoreport.assessment.record import json_object, parse, whole
from discoreport.assessment.results import Source
from discoreport.data.connecting import Engine
from discoreport.data.source import path_of, read_like
from discoreport.errors import DataError, DiscoReportError, MissingPackageError, RecordError
from discoreport.files import sha256_of
from discoreport.report.bundle import SUMS, contents, read_sums, with_sums
from discoreport.report.recomputing import Check, analyses, figures, named
from discoreport.report.report import RECORDS, Report

_OF_MACHINE = (".pdf", ".png")
"""Files whose bytes depend on fonts and libraries of the operating system, too."""
_SIGNED = b"/ByteRange"
"""Stands in every PDF that is signed, whatever the signature is worth."""
_MADE_BY = re.compile(rb'<meta name="generator" content="([^"]*)">')


def verify(
    bundle: str | Path,
    *,
    original: object = None,
    synthetic: Sequence[object] = (),
    templates: str | Path | None = None,
    engine: Engine = Engine(),  # noqa: B008  # frozen
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> tuple[Check, ...]:
    """Check a bundle against itself, and against the files that it was made from.

    Parameters
    ----------
    bundle
        A folder that `write_bundle` wrote.
    original, synthetic
        The files, as for `assess`. Without them the figures are not computed again.
    templates
        As for `Report`, if the bundle was written with an organisation's templates.
    engine
        Which engine counts.
    options
        By analysis the files that it took beside these, as options of `ANALYSES`, such as
        ``{"control": {"control": "control.csv"}}``. Without them such an analysis is not computed again.

    Returns
    -------
    tuple of Check
        The bundle holds where every one of them does.

    Raises
    ------
    RecordError
        Where the folder holds no record that this version can read.
    """
    files = _read(Path(bundle))
    odd = [
        path for path in sorted(Path(bundle).rglob("*")) if path.is_symlink() or not (path.is_file() or path.is_dir())
    ]
    internal, external = (files.get(name) for name in RECORDS.values())
    release: Assessment | PublicRecord
    if internal is not None:
        release = parse(internal, str(Path(bundle) / RECORDS["internal"]))
    elif external is not None:
        where = str(Path(bundle) / RECORDS["external"])
        release = whole(PublicRecord, json_object(external, where, "a record"), where, "record")
    else:
        raise RecordError(f"'{bundle}' holds no record ({' or '.join(RECORDS.values())}).")
    checks = [Check("files", "fails", f"neither file nor folder: {named([path.name for path in odd])}.")] if odd else []
    again = _again(release, templates, pdf="report.pdf" in files)
    checks += [*_fingerprints(files), *_rendered(files, again), *_signed(files, again)]
    if isinstance(release, Assessment):
        checks += _sources(release, original, synthetic)
        original, synthetic = _read_as_recorded(release, original, synthetic)
        checks += figures(release, original, synthetic, engine)
        checks += analyses(release, original, synthetic, options or {})
    else:
        checks += _synthetic(release.synthetic, synthetic)
    return tuple(checks)


def _read(folder: Path) -> dict[str, bytes]:
    try:
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    except OSError as error:
        raise RecordError(f"Can't read '{folder}': {error.strerror}.") from None
    if not files:
        raise RecordError(f"There is no bundle in '{folder}'.")
    return files


def _fingerprints(files: Mapping[str, bytes]) -> Iterator[Check]:
    """Compare the files with the list of fingerprints."""
    if SUMS not in files:
        yield Check("fingerprints", "fails", f"{SUMS} is missing.")
        return
    listed = read_sums(files[SUMS])
    present = {name: hashlib.sha256(content).hexdigest() for name, content in files.items() if name != SUMS}
    problems = {
        "missing": [name for name in listed if name not in present],
        "changed": [name for name in listed if name in present and present[name] != listed[name]],
        "not listed": [name for name in present if name not in listed],
    }
    for problem, names in problems.items():
        if names:
            yield Check("fingerprints", "fails", f"{problem}: {named(names)}.")
    if any(problems.values()):
        return
    if files[SUMS] != with_sums({name: content for name, content in files.items() if name != SUMS})[SUMS]:
        yield Check("fingerprints", "fails", f"{SUMS} holds other lines than the fingerprints of the files.")
    else:
        yield Check("fingerprints", "holds", f"{len(listed)} files are as they were written.")


def _again(
    release: Assessment | PublicRecord, templates: str | Path | None, *, pdf: bool
) -> Mapping[str, bytes] | DiscoReportError:
    """Render the bundle again from its record, or say why that can't be done."""
    try:
        return contents(Report(release, templates=templates), pdf=pdf)
    except DiscoReportError as error:
        return error


def _rendered(files: Mapping[str, bytes], again: Mapping[str, bytes] | DiscoReportError) -> Iterator[Check]:
    """Compare the bundle, byte by byte, with what its record gives."""
    what = "rendering"
    if isinstance(again, DiscoReportError):
        missing = isinstance(again, MissingPackageError)
        yield Check(what, "unchecked", str(again) if missing else f"The report can't be rendered again: {again}")
        return
    odd = sorted((again.keys() ^ files.keys()) - {SUMS})
    differing = [name for name in again if name in files and name != SUMS and not _same(name, files[name], again[name])]
    added = [name for name in differing if name.endswith(".pdf") and files[name].startswith(again[name])]
    made_by, ours = (_maker(page) for page in (files.get("report.html", b""), again["report.html"]))
    if "report.pdf" not in files:
        yield Check("PDF", "unchecked", "There is none: made where Pango is missing, or taken away.")
    if not differing and not odd:
        yield Check(what, "holds", "Report, figures and tables say what the record says.")
    elif made_by == ours and odd:
        yield Check(what, "fails", f"Missing, or not part of what the record gives: {named(odd)}.")
    elif made_by == ours and added:
        yield Check(what, "fails", f"Something else than a signature was added to: {named(added)}.")
    elif made_by == ours and all(name.endswith(_OF_MACHINE) for name in differing):
        detail = (
            f"Page and tables say what the record says; fonts of this machine may make others of: {named(differing)}."
        )
        yield Check(what, "unchecked", detail)
    elif made_by != ours:
        detail = f"Made by {made_by or 'an unknown version'}, this is {ours}: files can't be compared byte by byte."
        yield Check(what, "unchecked", detail)
    else:
        yield Check(what, "fails", f"Not what the record gives: {named(differing)}.")


def _same(name: str, found: bytes, again: bytes) -> bool:
    """Compare a file; a signature, which is looked at below, is added behind a PDF, which stays as it was."""
    signed = name.endswith(".pdf") and found.startswith(again) and _SIGNED in found[len(again) :]
    return found == again or signed


def _maker(page: bytes) -> str:
    found = _MADE_BY.search(page)
    return found.group(1).decode("utf-8", "replace") if found else ""


def _signed(files: Mapping[str, bytes], again: Mapping[str, bytes] | DiscoReportError) -> Iterator[Check]:
    """Look at the signature of the PDF, if it has one, and at what was added with it."""
    from discoreport.report.signing import check_signature, only_signed

    pdf = files.get("report.pdf", b"")
    if _SIGNED not in pdf:
        return
    try:
        signature = check_signature(pdf)
        unsigned = again.get("report.pdf") if isinstance(again, Mapping) else None
        alike = None if unsigned is None or not pdf.startswith(unsigned) else only_signed(unsigned, pdf)
    except MissingPackageError as error:
        yield Check("signature", "unchecked", str(error))
        return
    except DataError as error:
        yield Check("signature", "fails", str(error))
        return
    if signature is None:
        return
    if not signature.intact or not signature.covers_whole_file:
        yield Check("signature", "fails", f"The PDF was changed after {signature.signer} had signed it.")
    elif alike is False:
        yield Check("signature", "fails", f"{signature.signer} signed more than the record gives: the PDF was changed.")
    else:
        known = "" if signature.trusted else " This machine doesn't know the certificate: make sure whose it is."
        if alike:
            yield Check("signature", "holds", f"Signed by {signature.signer}.{known}")
        else:
            signed = f"Signed by {signature.signer}; what was signed can't be compared with the record on this machine."
            yield Check("signature", "unchecked", signed + known)


def _sources(assessment: Assessment, original: object, synthetic: Sequence[object]) -> Iterator[Check]:
    """Compare the fingerprints of the files with those in the record."""
    if original is None:
        yield Check("original file", "unchecked", "No original file was given.")
    else:
        yield _fingerprint("original file", original, assessment.original)
    yield from _synthetic(assessment.synthetic, synthetic)


def _read_as_recorded(assessment: Assessment, original: object, synthetic: Sequence[object]) -> tuple[Any, list[Any]]:
    """Give the files, each to be read as it was, unless something else is said of it."""
    read_as = [one.read_as for one in assessment.synthetic]
    files = [read_like(file, read_as[place] if place < len(read_as) else {}) for place, file in enumerate(synthetic)]
    return read_like(original, assessment.original.read_as), files


def _synthetic(expected: Sequence[Source | PublicFile], given: Sequence[object]) -> Iterator[Check]:
    if not given:
        yield Check("synthetic files", "unchecked", "No synthetic file was given.")
    elif len(given) != len(expected):
        yield Check("synthetic files", "fails", f"{len(given)} were given, the record has {len(expected)}.")
    else:
        for place, (file, source) in enumerate(zip(given, expected, strict=True), start=1):
            yield _fingerprint(f"synthetic file {place}", file, source)


def _fingerprint(what: str, file: object, source: Source | PublicFile) -> Check:
    if source.sha256 is None:
        return Check(what, "unchecked", "The record has no fingerprint: it was a frame in memory, or several files.")
    path = path_of(file)
    if path is None:
        return Check(what, "unchecked", "A frame was given; the record has the fingerprint of a file.")
    try:
        found = sha256_of(Path(path))
    except OSError as error:
        return Check(what, "unchecked", f"Can't read '{path}': {error.strerror}.")
    if found == source.sha256:
        return Check(what, "holds", f"{source.name} is the file that was assessed.")
    return Check(what, "fails", f"'{path}' is not the file that was assessed ({source.name}).")
