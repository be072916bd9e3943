"""Does a bundle still hold? Fingerprints, what was rendered, the files, and every figure computed again."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from discoreport.assessment.analysed import led_here
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.measured import SCHEMA_VERSION
from discoreport.assessment.progress import Progress, Steps
from discoreport.assessment.provenance import Source
from discoreport.assessment.record import RECORDS, json_object, parse, whole
from discoreport.assessment.release.policy import PolicyGiven
from discoreport.assessment.release.public_record import PublicFile, PublicRecord
from discoreport.data.engine.connection import Engine, EngineName
from discoreport.data.readers.source_file import path_of
from discoreport.errors import (
    DataError,
    DiscoReportError,
    MissingPackageError,
    RecordError,
    SettingsError,
    require_kind,
)
from discoreport.files import inside, sha256_of
from discoreport.report.bundle import SUMS, contents, read_sums, with_sums
from discoreport.report.report import Report
from discoreport.report.verify_figures import Check, analyses, figures, named, read_as_recorded
from discoreport.report.verify_mitigation import steps_check
from discoreport.report.verify_policy_and_words import (
    IS_SIGNED,
    UNSIGNED,
    names_templates,
    policy_check,
    same_words,
    signature_check,
    templates_check,
)

_OF_MACHINE = (".pdf", ".png")
"""Files whose bytes depend on fonts and libraries of the operating system, too."""
_MADE_BY = re.compile(rb'<meta name="generator" content="([^"]*)">')


def verify(
    bundle: str | Path,
    *,
    original: object = None,
    synthetic: object = (),
    before: object = None,
    policy: PolicyGiven | None = None,
    templates: str | Path | None = None,
    authorities: str | Path | None = None,
    engine: Engine | EngineName = Engine(),  # noqa: B008  # frozen
    options: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Progress | None = None,
) -> tuple[Check, ...]:
    """Check a bundle against itself, and against the files that it was made from.

    Parameters
    ----------
    bundle
        A folder that `write_bundle` wrote, or the record in it.
    original, synthetic
        The files, as for `assess`: one, or a list of them. Without them the figures are not computed again.
    before
        Where the synthetic file came of steps, the file as it was before them. Without it they are not done again.
    policy
        The organisation's policy file, or what it holds. Without it, only the policy that comes with discoreport is
        known to be right.
    templates
        The organisation's folder of templates, if the bundle was written with one. What the record names is not used.
    authorities
        A PEM file with certificates that vouch for who signed, beside those that the operating system knows. With it,
        a report without such a signature doesn't hold.
    engine
        Which engine counts, or its name; by default the one that the record names.
    options
        By analysis the files that it took beside these, as options of `ANALYSES`, such as
        ``{"control": {"control": "control.csv"}}``. Without them such an analysis is not computed again.
    progress
        Called with steps done, steps in all, and what comes next.

    Returns
    -------
    tuple of Check
        The bundle holds where every one of them does. What can't be checked without something that wasn't given is
        "unchecked"; so is what can't be read. Words that people entered hold as the record has them, and so does what
        isn't in it, such as an analysis that was taken out: where the report isn't signed, the fingerprints say so.

    Raises
    ------
    RecordError
        Where the folder holds no record that this version can read.
    """
    require_kind(bundle, str | os.PathLike, "verify takes the path of a bundle's folder")
    several = () if synthetic is None else list(synthetic) if isinstance(synthetic, list | tuple) else [synthetic]
    engine = Engine(engine) if isinstance(engine, str) else engine
    tell = Steps(progress, 5)
    tell.next("reading the bundle")
    named_record = Path(bundle).name in RECORDS.values() and Path(bundle).is_file()
    folder = Path(bundle).parent if named_record else Path(bundle)
    files, odd = _read(folder)
    internal, external = (files.get(name) for name in RECORDS.values())
    release: Assessment | PublicRecord
    if internal is not None:
        release = parse(internal, str(folder / RECORDS["internal"]))
    elif external is not None:
        where = str(folder / RECORDS["external"])
        release = whole(PublicRecord, json_object(external, where, "a record"), where, "record")
    else:
        raise RecordError(f"'{folder}' holds no record ({' or '.join(RECORDS.values())}).")
    checks = [Check("files", "fails", f"neither file nor folder: {named([path.name for path in odd])}.")] if odd else []
    tell.next("making the report again")
    again = _again(release, templates, pdf="report.pdf" in files)
    tell.next("comparing the files")
    pdf = files.get("report.pdf", b"")
    checks += [*_fingerprints(files), policy_check(release, policy), *templates_check(release, templates)]
    checks += [*_rendered(files, again)]
    checks += signature_check(pdf, again.get("report.pdf") if isinstance(again, Mapping) else None, authorities)
    if isinstance(release, Assessment):
        if original is None:
            checks.append(Check("original file", "unchecked", "No original file was given."))
        else:
            checks.append(_fingerprint("original file", original, release.original))
        checks += _synthetic(release.synthetic, several)
        as_recorded = read_as_recorded([release.original, *release.synthetic])
        original, *several = map(as_recorded, [original, *several])
        tell.next("computing every figure again")
        version = json_object(internal or b"", "", "a record").get("schema_version")
        checks += figures(release, original, several, engine, earlier=version != SCHEMA_VERSION)
        tell.next("doing the analyses again")
        checks += analyses(release, original, several, options or {})
        led = led_here(release)
        if led is not None:
            named_files = zip(several, release.synthetic, strict=False)
            released = next((file for file, one in named_files if led.led_to(one)), None)
            checks += steps_check(led, original, before, released)
    else:
        checks += _synthetic(release.synthetic, several)
    tell.done()
    return tuple(checks)


def _read(folder: Path) -> tuple[dict[str, bytes], list[Path]]:
    """Give the files of a folder by name, and what in it is neither file nor folder."""
    try:
        paths = list(inside(folder)) if folder.is_dir() else []
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths if path.is_file()}
    except OSError as error:
        raise RecordError(f"Can't read '{folder}': {error.strerror}.") from None
    if not files:
        raise RecordError(f"There is no bundle in '{folder}'.")
    return files, [path for path in paths if path.is_symlink() or not (path.is_file() or path.is_dir())]


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
        unsigned = "" if IS_SIGNED in files.get("report.pdf", b"") else f"; {UNSIGNED}"
        yield Check("fingerprints", "holds", f"{len(listed)} files are as they were written{unsigned}.")


def _again(
    release: Assessment | PublicRecord, templates: str | Path | None, *, pdf: bool
) -> Mapping[str, bytes] | DiscoReportError:
    """Render the bundle again from its record, or say why that can't be done; never with what only the record names."""
    if templates is None and names_templates(release):
        return SettingsError("that takes the organisation's templates.")
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
        yield _drawn(what, differing, files, again)
    elif made_by != ours:
        detail = f"Made by {made_by or 'an unknown version'}, this is {ours}: files can't be compared byte by byte."
        yield Check(what, "unchecked", detail)
    else:
        yield Check(what, "fails", f"Not what the record gives: {named(differing)}.")


def _drawn(what: str, differing: Sequence[str], files: Mapping[str, bytes], again: Mapping[str, bytes]) -> Check:
    """Look into files whose bytes differ, as fonts and libraries of another machine would make them."""
    page = "Page and tables say what the record says"
    of_pdf: tuple[str, ...] | None = ()
    if "report.pdf" in differing:
        try:
            of_pdf = same_words(files["report.pdf"], again["report.pdf"])
        except DataError as error:
            return Check(what, "fails", f"{page}, but not report.pdf: {error}")
    if of_pdf:
        return Check(what, "fails", f"{page}, but not report.pdf: another {named(of_pdf)}.")
    words = ", and so do text and attachments of the PDF" if "report.pdf" in differing and of_pdf is not None else ""
    detail = f"{page}{words}; fonts of this machine may make others of: {named(differing)}."
    return Check(what, "unchecked", detail)


def _same(name: str, found: bytes, again: bytes) -> bool:
    """Compare a file; a signature, which is looked at below, is added behind a PDF, which stays as it was."""
    signed = name.endswith(".pdf") and found.startswith(again) and IS_SIGNED in found[len(again) :]
    return found == again or signed


def _maker(page: bytes) -> str:
    found = _MADE_BY.search(page)
    return found.group(1).decode("utf-8", "replace") if found else ""


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
    if found == source.sha256 and Path(path).name != source.name:
        detail = f"The file that was assessed, by its fingerprint; the record calls it '{source.name}'."
        return Check(what, "unchecked", detail)
    if found == source.sha256:
        return Check(what, "holds", f"{source.name} is the file that was assessed.")
    return Check(what, "fails", f"'{path}' is not the file that was assessed ({source.name}).")
