"""What each command does."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
from rich.console import Console
from rich.text import Text

from discoreport import examples
from discoreport.assessment.analyses.release_size import release_size
from discoreport.assessment.assess import assess_with
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.configuration import Configuration, read_configuration, write_configuration
from discoreport.assessment.documenting import read_documentation, write_documentation
from discoreport.assessment.policy import default_policy, read_policy
from discoreport.assessment.record import load
from discoreport.assessment.repeat import command
from discoreport.assessment.settings import Settings, settings_from
from discoreport.cli.audit import EXCEEDED, as_json, reasons_of, require_thresholds, stops
from discoreport.cli.options import given_of, settings_of
from discoreport.cli.screen import Bar, say
from discoreport.data.connecting import ENGINE_SETTINGS, Engine, engine_from
from discoreport.errors import ComparisonWarning, OutputError, SettingsError
from discoreport.report import Report

if TYPE_CHECKING:
    from discoreport.report.bundle import Certificate


def _demo(parsed: argparse.Namespace) -> int:
    _require_writable(parsed.out)
    settings = settings_from(examples.SETTINGS)
    assessment = _assessed(examples.path("original"), [examples.path("synthetic_1")], settings)
    policy = read_policy(examples.FOLDER / "policy.toml")
    said = read_documentation(examples.FOLDER / "documentation.toml")
    return _deliver(_report_of(assessment.with_policy(policy).with_documentation(said), parsed), parsed.out)


def _assess(parsed: argparse.Namespace) -> int:
    given = read_configuration(parsed.config) if parsed.config else Configuration()
    original = parsed.original or given.original
    synthetic = parsed.synthetic or list(given.synthetic)
    if original is None or not synthetic:
        raise SettingsError("Name the original and at least one synthetic file: discoreport assess ORIGINAL SYNTHETIC")
    settings = settings_from({**given.settings, **settings_of(parsed)})
    engine = engine_from({**given.engine, **given_of(parsed, ENGINE_SETTINGS)})
    if parsed.write_config:
        _tell(str(write_configuration(parsed.write_config, original, synthetic, settings, engine)))
        return 0
    out = parsed.out or given.out
    if out is None:
        raise SettingsError("Say where to write: --out FOLDER")
    reasons = reasons_of(parsed.fail_on)
    previous = load(parsed.previous) if parsed.previous else None
    before = previous.policy if previous else default_policy()
    require_thresholds(reasons, read_policy(parsed.policy) if parsed.policy else before)
    _require_writable(Path(out))
    assessment = _assessed(original, synthetic, settings, engine, quiet=parsed.quiet or parsed.json)
    if parsed.release_size:
        assessment = assessment.with_release_size(_release_size(original, synthetic, settings))
    if previous is not None:
        assessment = assessment.following(previous)
    quiet = parsed.quiet or parsed.json
    assessment = _said(assessment, parsed)
    status = _deliver(_report_of(assessment, parsed), Path(out), quiet=quiet)
    failed = stops(assessment, reasons)
    status = EXCEEDED if failed else status
    if parsed.json:
        sys.stdout.write(as_json(assessment, Path(out), failed, status) + "\n")
    for sentence in (sentence for sentences in failed.values() for sentence in sentences):
        say(f"discoreport: {sentence}")
    return status


def _report(parsed: argparse.Namespace) -> int:
    assessment = _said(load(parsed.record), parsed)
    if parsed.write_documentation:
        _tell(str(write_documentation(parsed.write_documentation, assessment)))
        return 0
    if parsed.out is None:
        raise SettingsError("Say where to write: --out FOLDER")
    report = _report_of(assessment, parsed)
    certificate = _certificate(parsed)
    status = _deliver(report, parsed.out, certificate)
    if parsed.checker_layout:
        from discoreport.report.bundle import write_checker_layout

        made_by = command(assessment) or ""
        _tell(str(write_checker_layout(report, parsed.checker_layout, command=made_by, certificate=certificate)))
    return status


def _certificate(parsed: argparse.Namespace) -> Certificate | None:
    if parsed.sign is None:
        return None
    from discoreport.report.bundle import Certificate

    if parsed.passphrase_file is None:
        return Certificate(parsed.sign, getpass.getpass(f"Passphrase of {parsed.sign}: "))
    try:
        return Certificate(parsed.sign, parsed.passphrase_file.read_text(encoding="utf-8").rstrip("\r\n"))
    except OSError as error:
        raise SettingsError(f"Can't read '{parsed.passphrase_file}': {error.strerror}.") from None


def _verify(parsed: argparse.Namespace) -> int:
    from discoreport.report.verify import verify

    checks = verify(
        parsed.bundle,
        original=parsed.original,
        synthetic=parsed.synthetic,
        templates=parsed.templates,
        engine=engine_from(given_of(parsed, ENGINE_SETTINGS)),
    )
    words = {"holds": "holds", "fails": "DOES NOT HOLD", "unchecked": "not checked"}
    for check in checks:
        _tell(f"{words[check.outcome]}: {check.what}: {check.detail}")
    outcomes = {check.outcome for check in checks}
    return 1 if "fails" in outcomes else 2 if "unchecked" in outcomes else 0


def _notebook(parsed: argparse.Namespace) -> int:
    from discoreport.notebook import write_notebook

    written = write_notebook(load(parsed.record), parsed.out, record=parsed.record, templates=parsed.templates)
    _tell(str(written))
    return 0


def _form(parsed: argparse.Namespace) -> int:
    from discoreport.form.page import serve

    serve(
        parsed.original,
        parsed.synthetic,
        out=parsed.out,
        port=parsed.port,
        open_browser=not parsed.no_browser,
        theme=parsed.theme,
        tell=lambda address: _tell(f"The form is at {address}\nPress Ctrl-C to stop it."),
    )
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "demo": _demo,
    "assess": _assess,
    "report": _report,
    "verify": _verify,
    "notebook": _notebook,
    "form": _form,
}
"""Every command by its name."""


def _require_writable(folder: Path) -> None:
    """Find out before the work whether its results can be written."""
    from discoreport.report.bundle import require_replaceable

    existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not existing.is_dir():
        raise OutputError(f"Can't write into '{folder}': '{existing}' is a file.")
    if not os.access(existing, os.W_OK):
        raise OutputError(f"Can't write into '{folder}': no permission for '{existing}'.")
    require_replaceable(folder)


def _assessed(
    original: object,
    synthetic: Sequence[object],
    settings: Settings,
    engine: Engine = Engine(),  # noqa: B008  # frozen
    *,
    quiet: bool = False,
) -> Assessment:
    with Bar() as bar, warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)  # said below, in full
        assessment = assess_with(original, list(synthetic), settings, progress=None if quiet else bar, engine=engine)
    for finding in assessment.warnings:
        where = f"{finding.variable or 'the keys'}" + (f", synthesis {finding.synthesis}" if finding.synthesis else "")
        say(f"Warning: {where}: {finding.detail}", style="bold yellow")
    return assessment


def _release_size(original: object, synthetic: Sequence[object], settings: Settings) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)  # the assessment has said so
        return release_size(original, synthetic[0] if len(synthetic) == 1 else list(synthetic), settings)


def _said(assessment: Assessment, parsed: argparse.Namespace) -> Assessment:
    """Add policy and documentation, where they are named."""
    if parsed.policy:
        assessment = assessment.with_policy(read_policy(parsed.policy))
    if parsed.documentation:
        documentation = read_documentation(parsed.documentation, onto=assessment.documentation)
        assessment = assessment.with_documentation(documentation)
    return assessment


def _report_of(assessment: Assessment, parsed: argparse.Namespace) -> Report:
    return Report(assessment, edition=parsed.edition, templates=parsed.templates)


def _deliver(report: Report, folder: Path, certificate: Certificate | None = None, *, quiet: bool = False) -> int:
    """Write the bundle, and say on the screen what was found and where it is."""
    from discoreport.report.bundle import deliver

    missing = deliver(report, folder, certificate)
    if not quiet:
        _tell(report.summary)
        for name in sorted(path.name + ("/" if path.is_dir() else "") for path in folder.iterdir()):
            _tell(str(folder / name) + ("/" if name.endswith("/") else ""))
    if missing:
        say(f"discoreport: {missing}")
    return 1 if missing else 0


def _tell(line: str) -> None:
    Console(highlight=False).print(Text(line), soft_wrap=True)
