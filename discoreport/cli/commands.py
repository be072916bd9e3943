"""What each command does."""

from __future__ import annotations

import argparse
import getpass
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from discoreport import examples
from discoreport.assessment.analyses.asking import analyse
from discoreport.assessment.analyses.exposed_records import write_records_at_risk
from discoreport.assessment.analyses.options import Options
from discoreport.assessment.analyses.release_size import release_size
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.configuration import write_configuration
from discoreport.assessment.documenting import read_documentation, write_documentation
from discoreport.assessment.policy import default_policy, read_policy
from discoreport.assessment.record import load
from discoreport.assessment.repeat import command
from discoreport.assessment.settings import Settings, settings_from
from discoreport.cli import mitigating
from discoreport.cli.asking import analyses_of, asked_in
from discoreport.cli.audit import EXCEEDED, as_json, reasons_of, require_thresholds, stops
from discoreport.cli.options import given_of
from discoreport.cli.screen import Bar, say, say_findings, tell
from discoreport.cli.working import assessed, deliver, given_in, report_of, require_folder, said
from discoreport.data.connecting import ENGINE_SETTINGS, engine_from
from discoreport.errors import ComparisonWarning, ConfidentialityWarning, SettingsError, require_new

if TYPE_CHECKING:
    from discoreport.report.bundle import Certificate


def _demo(parsed: argparse.Namespace) -> int:
    require_folder(parsed.out)
    settings = settings_from(examples.SETTINGS)
    assessment = assessed(examples.path("original"), [examples.path("synthetic_1")], settings)
    policy = read_policy(examples.FOLDER / "policy.toml")
    documentation = read_documentation(examples.FOLDER / "documentation.toml")
    documented = assessment.with_policy(policy).with_documentation(documentation)
    return deliver(report_of(documented, parsed), parsed.out)


def _assess(parsed: argparse.Namespace) -> int:
    given, original, synthetic, settings = given_in(parsed)
    engine = engine_from({**given.engine, **given_of(parsed, ENGINE_SETTINGS)})
    analyses = asked_in(parsed, given.analyses)
    if parsed.write_config:
        tell(str(write_configuration(parsed.write_config, original, synthetic, settings, engine, analyses)))
        return 0
    out = parsed.out or given.out
    if out is None:
        raise SettingsError("Say where to write: --out FOLDER")
    reasons = reasons_of(parsed.fail_on)
    previous = load(parsed.previous) if parsed.previous else None
    before = previous.policy if previous else default_policy()
    require_thresholds(reasons, read_policy(parsed.policy) if parsed.policy else before)
    require_folder(Path(out))
    if parsed.records_at_risk:
        require_new(parsed.records_at_risk)
    quiet = parsed.quiet or parsed.json
    assessment = assessed(original, synthetic, settings, engine, quiet=quiet)
    if parsed.release_size:
        assessment = assessment.with_release_size(_release_size(original, synthetic, settings))
    if previous is not None:
        assessment = assessment.following(previous)
    assessment = said(assessment, parsed)
    if analyses:
        assessment = _asked(assessment, original, synthetic, analyses, quiet=quiet)
    if parsed.records_at_risk:
        _list_records(original, synthetic, settings, parsed.records_at_risk)
    status = deliver(report_of(assessment, parsed), Path(out), quiet=quiet)
    failed = stops(assessment, reasons)
    status = EXCEEDED if failed else status
    if parsed.json:
        sys.stdout.write(as_json(assessment, Path(out), failed, status) + "\n")
    for sentence in (sentence for sentences in failed.values() for sentence in sentences):
        say(f"discoreport: {sentence}")
    return status


def _asked(
    assessment: Assessment,
    original: object,
    synthetic: Sequence[object],
    analyses: Mapping[str, Options],
    *,
    quiet: bool,
) -> Assessment:
    with Bar() as bar, warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)  # said below, in full
        found = analyse(assessment, original, list(synthetic), analyses, progress=None if quiet else bar)
    known = {finding.detail for finding in assessment.findings}
    for name, result in found.analyses.filled():
        say_findings([one for one in getattr(result, "findings", ()) if one.detail not in known], f"{name}: ")
    return found


def _list_records(original: object, synthetic: Sequence[object], settings: Settings, path: Path) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        write_records_at_risk(original, list(synthetic), settings, path)
    for one in told:
        if issubclass(one.category, ConfidentialityWarning):
            say(f"Warning: {one.message}", style="bold yellow")


def _release_size(original: object, synthetic: Sequence[object], settings: Settings) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)  # the assessment has said so
        return release_size(original, synthetic[0] if len(synthetic) == 1 else list(synthetic), settings)


def _report(parsed: argparse.Namespace) -> int:
    assessment = said(load(parsed.record), parsed)
    if parsed.write_documentation:
        tell(str(write_documentation(parsed.write_documentation, assessment)))
        return 0
    if parsed.out is None:
        raise SettingsError("Say where to write: --out FOLDER")
    report = report_of(assessment, parsed)
    status = deliver(report, parsed.out, _certificate(parsed))
    if parsed.checker_layout:
        from discoreport.report.bundle import write_checker_layout

        tell(str(write_checker_layout(report, parsed.checker_layout, command=command(assessment) or "")))
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
        options=analyses_of(parsed),
    )
    words = {"holds": "holds", "fails": "DOES NOT HOLD", "unchecked": "not checked"}
    for check in checks:
        tell(f"{words[check.outcome]}: {check.what}: {check.detail}")
    outcomes = {check.outcome for check in checks}
    return 1 if "fails" in outcomes else 2 if "unchecked" in outcomes else 0


def _notebook(parsed: argparse.Namespace) -> int:
    from discoreport.notebook import write_notebook

    written = write_notebook(load(parsed.record), parsed.out, record=parsed.record, templates=parsed.templates)
    tell(str(written))
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
        tell=lambda address: tell(f"The form is at {address}\nPress Ctrl-C to stop it."),
    )
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "demo": _demo,
    "assess": _assess,
    "mitigate": mitigating.run,
    "report": _report,
    "verify": _verify,
    "notebook": _notebook,
    "form": _form,
}
"""Every command by its name."""
