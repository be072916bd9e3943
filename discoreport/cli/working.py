"""What several commands do: take files and settings, assess, add what was said, deliver."""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from discoreport.assessment.assess import assess_with
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.configuration import Configuration, read_configuration
from discoreport.assessment.documenting import read_documentation
from discoreport.assessment.policy import read_policy
from discoreport.assessment.settings import Settings, settings_from
from discoreport.cli.options import settings_of
from discoreport.cli.screen import Bar, say, say_findings, tell
from discoreport.data.connecting import Engine
from discoreport.errors import ComparisonWarning, OutputError, SettingsError
from discoreport.report import Report

if TYPE_CHECKING:
    from discoreport.report.bundle import Certificate


def given_in(parsed: argparse.Namespace) -> tuple[Configuration, str, list[str], Settings]:
    """Give the configuration file, and files and settings of it and of the options, which go first.

    Raises
    ------
    SettingsError
        Where a file or a key is lacking, or a setting won't do.
    """
    given = read_configuration(parsed.config) if parsed.config else Configuration()
    original = parsed.original or given.original
    synthetic = parsed.synthetic or list(given.synthetic)
    if original is None or not synthetic:
        raise SettingsError(
            f"Name the original and at least one synthetic file: discoreport {parsed.command} ORIGINAL SYNTHETIC"
        )
    return given, original, synthetic, settings_from({**given.settings, **settings_of(parsed)})


def require_folder(folder: Path) -> None:
    """Find out before the work whether its results can be written."""
    from discoreport.report.bundle import require_replaceable

    existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not existing.is_dir():
        raise OutputError(f"Can't write into '{folder}': '{existing}' is a file.")
    if not os.access(existing, os.W_OK):
        raise OutputError(f"Can't write into '{folder}': no permission for '{existing}'.")
    require_replaceable(folder)


def assessed(
    original: object,
    synthetic: Sequence[object],
    settings: Settings,
    engine: Engine = Engine(),  # noqa: B008  # frozen
    *,
    quiet: bool = False,
) -> Assessment:
    """Assess files with a bar on the screen, and warn of what puts low figures in doubt."""
    with Bar() as bar, warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)  # said below, in full
        assessment = assess_with(original, list(synthetic), settings, progress=None if quiet else bar, engine=engine)
    say_findings(assessment.warnings)
    return assessment


def said(assessment: Assessment, parsed: argparse.Namespace) -> Assessment:
    """Add policy and documentation, where they are named."""
    if parsed.policy:
        assessment = assessment.with_policy(read_policy(parsed.policy))
    if parsed.documentation:
        documentation = read_documentation(parsed.documentation, onto=assessment.documentation)
        assessment = assessment.with_documentation(documentation)
    return assessment


def report_of(assessment: Assessment, parsed: argparse.Namespace) -> Report:
    """Give the report that the options ask for."""
    return Report(assessment, edition=parsed.edition, templates=parsed.templates)


def deliver(report: Report, folder: Path, certificate: Certificate | None = None, *, quiet: bool = False) -> int:
    """Write the bundle, and say on the screen what was found and where it is."""
    from discoreport.report.bundle import deliver as write

    missing = write(report, folder, certificate)
    if not quiet:
        tell(report.summary)
        for name in sorted(path.name + ("/" if path.is_dir() else "") for path in folder.iterdir()):
            tell(str(folder / name) + ("/" if name.endswith("/") else ""))
    if missing:
        say(f"discoreport: {missing}")
    return 1 if missing else 0
