"""The bundle: report, record, figures, tables and their fingerprints, written as a whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import tempfile
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.progress import Progress, Steps
from discoreport.assessment.record import RECORDS
from discoreport.errors import MissingPackageError, OutputError, ReplacedWarning, require_kind, require_path, writing
from discoreport.files import exchanged, in_place_of, inside, take_place, workshop, write_files
from discoreport.report.both_editions import EDITIONS, EditionName
from discoreport.report.report import Report
from discoreport.report.sacro_layout import KINDS, checker_layout
from discoreport.version import __version__

SUMS = "SHA256SUMS"
_OURS = re.compile(
    r"(report|summary|report_summary)\.(html|pdf|txt)|(figures|tables)[/_][\w-]+\.(svg|png|csv)"
    r"|(records/)?(assessment|release)\.json|results\.json|config\.json|checksums/.+\.txt"
)
"""Names of the files in a bundle, and in the layout for output checkers."""
_LEAST_FREE = 2**24
"""Bytes that a bundle may take."""
_RECORD_IN = ("", "records")
"""Where a bundle has its record, and where the layout for output checkers has it."""
N_STEPS = 3
"""Of making the files of a bundle, as progress tells them."""
_LISTED = 3
"""How many foreign files an error names."""


def write_bundle(
    assessment: Assessment,
    folder: str | Path,
    *,
    edition: EditionName = "internal",
    templates: str | Path | None = None,
    certificate: Certificate | None = None,
) -> Path:
    """Write the bundle for the release approval file.

    Parameters
    ----------
    assessment
        From `assess` or `load`.
    folder
        Made if need be. An earlier bundle in it is replaced at once; a run that fails leaves that one.
    edition, templates
        As for `Report`.
    certificate
        Signs the PDF.

    Returns
    -------
    Path
        The folder: report.pdf, report.html, figures, tables, the record, summary.txt, SHA256SUMS.

    Warns
    -----
    ReplacedWarning
        Where it takes the place of an earlier bundle that holds anything else.

    Raises
    ------
    OutputError
        Where the folder can't be written, or holds files that belong to no bundle.
    SettingsError, BrokenTemplateError, MissingPackageError
        As `Report`.
    """
    folder = require_path(folder, "write_bundle")
    report = Report(assessment, edition=edition, templates=templates)
    require_replaceable(folder, edition)
    files = signed(contents(report), certificate)
    same = (folder / SUMS).is_file() and (folder / SUMS).read_bytes() == files.get(SUMS)
    replaced = "" if same else in_place_of(folder)
    written = write_folder(folder, files)
    if replaced:
        warnings.warn(replaced, ReplacedWarning, stacklevel=2)
    return written


@dataclass(frozen=True)
class Certificate:
    """A PKCS#12 file, and the passphrase that opens it."""

    path: str | Path
    passphrase: str = field(repr=False)

    def __post_init__(self) -> None:
        require_kind(self.path, str | os.PathLike, "Certificate: path must be the path of a PKCS#12 file")
        require_kind(self.passphrase, str, "Certificate: the passphrase must be text")


def signed(files: Mapping[str, bytes], certificate: Certificate | None) -> dict[str, bytes]:
    """Sign the PDF of a bundle, if there is a certificate."""
    if certificate is None or "report.pdf" not in files:
        return dict(files)
    from discoreport.report.signing import sign

    pdf = sign(files["report.pdf"], Path(certificate.path), certificate.passphrase)
    return with_sums({name: pdf if name == "report.pdf" else files[name] for name in files if name != SUMS})


def contents(report: Report, *, pdf: bool = True, tell: Steps | None = None) -> dict[str, bytes]:
    """Make the files of a bundle.

    Parameters
    ----------
    report
        One edition.
    pdf
        Whether to make the PDF, which needs Pango.
    tell
        Takes `N_STEPS` steps.

    Returns
    -------
    dict
        Content by name; folders are written with "/".
    """
    tell = tell or Steps(None, N_STEPS)
    tell.next("drawing the figures")
    drawings = report.figures
    tell.next("writing the page")
    page = report.html.encode("utf-8")
    tell.next("making the PDF")
    files = {
        "report.html": page,
        **({"report.pdf": report.pdf} if pdf else {}),
        **{f"figures/{name}": drawn for name, drawn in drawings.items()},
        **{f"tables/{name}.csv": table for name, table in report.tables.items()},
        RECORDS[report.edition]: report.record,
        "summary.txt": report.summary.encode("utf-8"),
    }
    return with_sums(files)


def with_sums(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Add the fingerprints of all files, as ``sha256sum --check`` reads them."""
    lines = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(files.items())]
    return {**files, SUMS: "".join(lines).encode("utf-8")}


def require_replaceable(folder: Path, edition: EditionName | None = None) -> None:
    """Find out, before the work, whether a folder can be written as a whole.

    Parameters
    ----------
    folder
        There, or not.
    edition
        Of what comes into it: never in place of the other one, whose record may be the only one.

    Raises
    ------
    OutputError
        Where it is neither new nor empty nor an earlier bundle, can't be looked into as a whole, or can't be replaced.
    """
    with writing(folder):
        existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
        if not existing.is_dir():
            raise OutputError(f"Can't write into '{folder}': '{existing}' is a file.")
        with contextlib.suppress(FileNotFoundError):
            if Path.cwd().is_relative_to(folder.resolve()):
                raise OutputError(f"Can't replace '{folder}' while you are in it. Name a folder of its own.")
        _require_allowed(folder, existing)
        _require_ours(folder, folder)
        if edition is not None:
            _require_same_edition(folder, edition)


def _require_allowed(folder: Path, existing: Path) -> None:
    """Refuse a folder that the system lets nobody put in place, or not this user."""
    there = folder.exists()
    if there and folder.resolve().is_mount():
        raise OutputError(f"Can't replace '{folder}': it is a mount point. Name a folder in it.")
    beside = folder.resolve().parent if there else existing
    for place in {existing, beside}:
        if not os.access(place, os.R_OK | os.W_OK | os.X_OK):
            raise OutputError(f"Can't write into '{folder}': no permission for '{place}'.")
    rights = beside.stat()
    sticky = there and os.name == "posix" and rights.st_mode & stat.S_ISVTX
    if sticky and os.geteuid() not in (0, rights.st_uid, folder.stat().st_uid):
        raise OutputError(f"Can't replace '{folder}': it is somebody else's. Name a folder of your own.")
    free = shutil.disk_usage(beside).free
    if free < _LEAST_FREE:
        raise OutputError(f"Can't write into '{folder}': only {free / 1e6:.1f} MB are free there.")
    temporary = tempfile.gettempdir()
    free = shutil.disk_usage(temporary).free
    if free < _LEAST_FREE:
        raise OutputError(
            f"The folder of temporary files '{temporary}' has only {free / 1e6:.1f} MB free: name another one with the "
            "environment variable TMPDIR."
        )


def _require_ours(place: Path, folder: Path) -> None:
    """Refuse to replace a folder, which lies in some place at the moment, that holds anything but a bundle."""
    if not place.exists():
        return
    sums = place / SUMS
    listed = read_sums(sums.read_bytes()) if sums.is_file() else {}
    ours = any(PurePosixPath(name).name in RECORDS.values() for name in listed)
    known = {SUMS, *RECORDS.values(), *(name for name in listed if ours and _OURS.fullmatch(name))}
    folders = {parent.as_posix() for name in known for parent in PurePosixPath(name).parents}
    foreign = []
    for path in inside(place):
        name = path.relative_to(place).as_posix()
        if name not in (folders if path.is_dir() and not path.is_symlink() else known):
            foreign.append(name)
    if foreign:
        more = f" and {len(foreign) - _LISTED} more" if len(foreign) > _LISTED else ""
        raise OutputError(
            f"'{folder}' holds files that don't belong to a bundle: {', '.join(foreign[:_LISTED])}{more}. "
            "Name a folder of its own."
        )


def _require_same_edition(folder: Path, edition: EditionName) -> None:
    """Refuse to put one edition over the other."""
    for name, record in RECORDS.items():
        if name != edition and any((folder / place / record).exists() for place in _RECORD_IN):
            raise OutputError(f"'{folder}' holds the bundle of another edition ({record}). Name a folder of its own.")


def _edition_of(files: Mapping[str, bytes]) -> EditionName | None:
    """Tell which edition files are of; None where they hold no record."""
    names = {PurePosixPath(name).name for name in files}
    return next((edition for edition in EDITIONS if RECORDS[edition] in names), None)


def read_sums(content: bytes) -> dict[str, str]:
    """Read fingerprints by file name; lines that are none are passed over."""
    lines = (line.split("  ", 1) for line in content.decode("utf-8", "replace").splitlines())
    return {parts[1]: parts[0] for parts in lines if len(parts) == 2}


def write_folder(folder: str | Path, files: Mapping[str, bytes]) -> Path:
    """Write files into a folder of their own, which takes the place of an earlier one at once.

    Parameters
    ----------
    folder
        Where; see `require_replaceable`.
    files
        Content by name.

    Raises
    ------
    OutputError
        Where it can't be written. What was there before is still there.
    """
    folder = Path(folder)
    with writing(folder):
        folder = folder.resolve()
        folder.parent.mkdir(parents=True, exist_ok=True)
        with workshop(folder) as scratch:
            unfinished = scratch / "new"
            write_files(unfinished, files)
            require_replaceable(folder, _edition_of(files))  # what a user has put there meanwhile stays
            if folder.exists():
                shutil.copymode(folder, unfinished)
            former = take_place(unfinished, folder)
            if former is not None:
                try:
                    _require_ours(former, folder)  # and what was put there in the last moment
                except (OutputError, OSError):
                    if not exchanged(former, folder):
                        folder.replace(scratch / "withdrawn")
                        former.replace(folder)
                    raise
    return folder


def write_checker_layout(
    report: Report, folder: str | Path, *, command: str = "", certificate: Certificate | None = None
) -> Path:
    """Write the files of a bundle in the layout that output checkers' viewers read; see `checker_layout`.

    Parameters
    ----------
    report
        One edition.
    folder
        Made if need be; one that holds such a layout already is replaced.
    command
        What made it. Left out for the external edition.
    certificate
        Signs the PDF.
    """
    require_replaceable(Path(folder), report.edition)
    files = signed(contents(report), certificate)
    wanted = {name: content for name, content in files.items() if PurePosixPath(name).suffix in KINDS}
    laid_out = checker_layout(
        wanted,
        version=__version__,
        created=report.created,
        descriptions={name: report.descriptions[name] for name in wanted if name in report.descriptions},
        command=command if report.edition == "internal" else "",  # it names the original, keys and exclusions
    )
    return write_folder(folder, with_sums(laid_out))


def deliver(
    report: Report, folder: Path, certificate: Certificate | None = None, *, progress: Progress | None = None
) -> MissingPackageError | None:
    """Write the bundle; where the PDF can't be made for want of a library, all but the PDF.

    Returns
    -------
    MissingPackageError or None
        What was missing.
    """
    tell = Steps(progress, N_STEPS + 1)
    require_replaceable(folder, report.edition)
    try:
        files, missing = contents(report, tell=tell), None
    except MissingPackageError as error:
        files, missing = contents(report, pdf=False), error
    tell.next("writing the bundle")
    write_folder(folder, signed(files, certificate))
    return missing
