"""The overview: one page over the records of several releases, for inside only."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release.policy import Logo
from discoreport.errors import MissingPackageError, OutputError, writing
from discoreport.files import write_file
from discoreport.report import pdf as pdf_writer
from discoreport.report import templates as html_templates
from discoreport.report.internal_edition import InternalEdition
from discoreport.version import __version__

PAGE = "overview"
"""What the page is called, without its ending; its template, too."""
_MADE_HERE = b'<meta name="generator" content="discoreport '


@dataclass(frozen=True)
class Release:
    """One release as the overview shows it.

    Parameters
    ----------
    name
        Of the folder that its bundle lies in, beside the overview.
    assessment
        Its record; None where it could not be assessed.
    error
        Why not.
    """

    name: str
    assessment: Assessment | None = None
    error: str = ""

    @cached_property
    def edition(self) -> InternalEdition | None:
        """What the report says of it."""
        return None if self.assessment is None else InternalEdition(self.assessment)

    @property
    def address(self) -> str:
        """Where its report lies, as seen from the overview."""
        return f"{quote(self.name)}/report.html"

    @property
    def unknown(self) -> bool:
        """Whether no figure is above a threshold, but one is missing that could be."""
        edition = self.edition
        return edition is not None and not edition.above and bool(edition.not_comparable)

    @property
    def weight(self) -> tuple[bool, bool, bool, float]:
        """Sorts what a reader must see first before the rest."""
        if self.edition is None:
            return False, False, False, 0
        worst = next(iter(self.edition.findings.targets), None)
        known = worst and (worst.this_file.percent if worst.excess is None else worst.excess)
        return True, not self.edition.above, not self.unknown, -(known or 0)


@dataclass(frozen=True)
class Overview:
    """What the template reads: the releases in the order of weight, and the folders that were not looked at."""

    releases: tuple[Release, ...]
    not_looked_at: tuple[str, ...]
    logo: Logo | None
    discoreport: str = __version__

    @property
    def assessed(self) -> tuple[InternalEdition, ...]:
        """Those that could be assessed."""
        return tuple(release.edition for release in self.releases if release.edition is not None)

    @property
    def failed(self) -> tuple[Release, ...]:
        """Those that could not."""
        return tuple(release for release in self.releases if release.edition is None)

    @property
    def n_above(self) -> int:
        """How many have a figure above a threshold of the policy."""
        return sum(bool(edition.above) for edition in self.assessed)

    @property
    def n_unknown(self) -> int:
        """How many others have a figure that can't be compared with a threshold."""
        return sum(release.unknown for release in self.releases)

    @property
    def n_open(self) -> int:
        """How many have something open."""
        return sum(bool(edition.open_items) for edition in self.assessed)

    @property
    def created(self) -> datetime.datetime:
        """When the last of them was assessed; now, where none was."""
        now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
        return max((edition.created for edition in self.assessed), default=now)


def write_overview(
    releases: Sequence[Release],
    folder: str | Path,
    *,
    not_looked_at: Sequence[str] = (),
    templates: str | Path | None = None,
) -> tuple[tuple[Path, ...], MissingPackageError | None]:
    """Write the overview of several releases as HTML and PDF.

    Parameters
    ----------
    releases
        At least one.
    folder
        Holds their bundles; made if need be.
    not_looked_at
        Folders that a reader might take for releases.
    templates
        An organisation's folder; see `Report`.

    Returns
    -------
    tuple
        The files written; and what is missing where the PDF can't be made for want of a library, else None.

    Raises
    ------
    OutputError
        Where a file can't be written, or takes the place of somebody else's; see `require_ours`.
    SettingsError, BrokenTemplateError
        As `Report`.
    """
    require_ours(Path(folder))
    own = None if templates is None else Path(templates)
    logo = html_templates.own_logo(own) or next((one.edition.logo for one in releases if one.edition), None)
    ordered = tuple(sorted(releases, key=lambda release: release.weight))
    overview = Overview(ordered, tuple(not_looked_at), logo)
    html = html_templates.fill(f"{PAGE}.html", overview, own)
    files = {"html": html.encode("utf-8")}
    missing = None
    try:
        files["pdf"] = pdf_writer.render(html, [], overview.created)
    except MissingPackageError as error:
        missing = error
        with writing(Path(folder)):
            Path(folder, f"{PAGE}.pdf").unlink(missing_ok=True)  # it would say what an earlier run found
    paths = (write_file(Path(folder) / f"{PAGE}.{ending}", content) for ending, content in files.items())
    return tuple(paths), missing


def require_ours(folder: Path) -> None:
    """Refuse to write over files that are called like the overview and are none.

    Raises
    ------
    OutputError
        Where there is such a page that wasn't made here, or such a PDF without its page.
    """
    page, pdf = (folder / f"{PAGE}.{ending}" for ending in ("html", "pdf"))
    try:
        ours = page.exists() and _MADE_HERE in page.read_bytes()
    except OSError as error:
        raise OutputError(f"Can't write '{page}': {error.strerror}.") from None
    for path in (page, pdf):
        if path.exists() and not ours:
            raise OutputError(f"'{path}' isn't an earlier overview. Name another folder, or remove this file.")
