"""What ``assess`` does, and what other commands do likewise."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from discoreport.assessment.analyses.base import Options
from discoreport.assessment.analyses.groups.records_at_risk_file import caution, write_list
from discoreport.assessment.analyses.result import same_files
from discoreport.assessment.analyses.run import analyse
from discoreport.assessment.assess import assess_with
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.configuration_file import Configuration, read_configuration, write_configuration
from discoreport.assessment.engine_choice import MemoryFiles, read_all
from discoreport.assessment.prepare import prepare
from discoreport.assessment.provenance import Source
from discoreport.assessment.python_warnings import unwarned
from discoreport.assessment.record import load
from discoreport.assessment.release.documentation_file import read_documentation
from discoreport.assessment.release.policy import read_policy
from discoreport.assessment.settings import Settings
from discoreport.cli.analysis_options import asked_in
from discoreport.cli.exit_codes import EXCEEDED, NOT_WHOLE
from discoreport.cli.fail_on import as_data, reasons_of, require_thresholds, stops
from discoreport.cli.messages import Bar, say, say_findings, tell, tell_lines, tell_programs
from discoreport.cli.options import given_of, read_alike, settings_of, signs_hinted
from discoreport.data.engine.connection import ENGINE_SETTINGS, Engine, engine_from
from discoreport.errors import DataError, OutputError, SettingsError, require_new
from discoreport.files import in_place_of
from discoreport.report import Report

if TYPE_CHECKING:
    from discoreport.report.bundle import Certificate


NOT_IN_CONFIGURATION = ("policy", "documentation", "previous", "templates", "records_at_risk", "fail_on")
"""Options that a configuration file can't hold."""


def assess(parsed: argparse.Namespace) -> int:
    """Assess one release and write its bundle.

    Returns
    -------
    int
        As `discoreport.cli.main`.
    """
    given, original, synthetic, settings = given_in(parsed)
    engine = engine_from({**given.engine, **given_of(parsed, ENGINE_SETTINGS)})
    analyses = {
        name: options.with_files(lambda file: read_alike([file], parsed, lenient=True)[0])
        for name, options in asked_in(parsed, given.analyses).items()
    }
    out = parsed.out or given.out
    if parsed.write_config:
        tell(str(write_configuration(parsed.write_config, original, synthetic, settings, engine, analyses, out)))
        left = [f"--{name.replace('_', '-')}" for name in NOT_IN_CONFIGURATION if getattr(parsed, name)]
        if left:
            say(f"discoreport: the file has no place for {', '.join(left)}: give it again with --config")
        return 0
    if out is None:
        raise SettingsError("Say where to write: --out FOLDER")
    reasons = reasons_of(parsed.fail_on)
    previous = load(parsed.previous) if parsed.previous else None
    require_thresholds(reasons, parsed.policy, previous.policy if previous else None)
    require_report(parsed, Path(out))
    if parsed.records_at_risk:
        require_new(parsed.records_at_risk)
        if Path(out).resolve() in parsed.records_at_risk.resolve().parents:
            raise OutputError(
                f"--records-at-risk: '{parsed.records_at_risk}' lies in the bundle's folder, which goes to the "
                "approval file. The list holds records of the original: write it elsewhere."
            )
    quiet = parsed.quiet or parsed.json
    with signs_hinted(parsed):
        assessment = assessed(original, synthetic, settings, engine, quiet=quiet)
    if previous is not None:
        assessment = assessment.following(previous)
    assessment = with_words(assessment, parsed)
    if analyses:
        assessment = _asked(assessment, original, synthetic, analyses, quiet=quiet)
    if parsed.records_at_risk:
        _list_records(assessment, original, synthetic, settings, parsed.records_at_risk)
    status = deliver_and_tell(report_of(assessment, parsed), Path(out), quiet=quiet)
    failed = stops(assessment, reasons)
    status = EXCEEDED if failed else status
    if parsed.json:
        tell_programs(as_data(assessment, Path(out), failed, status))
    say_failed(failed)
    return status


def say_failed(failed: Mapping[str, Sequence[str]]) -> None:
    """Say what was found that was to stop it, as `stops` gives it."""
    for sentence in (sentence for sentences in failed.values() for sentence in sentences):
        say(f"discoreport: {sentence}")


def say_doubts(assessment: Assessment) -> None:
    """Say what analyses warn of, each with its name."""
    for name, finding in assessment.doubts_of_analyses:
        say_findings([finding], f"{name}: ")


def given_in(parsed: argparse.Namespace) -> tuple[Configuration, object, list[object], Settings]:
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
    original, *synthetic = read_alike([original, *synthetic], parsed)
    with signs_hinted(parsed):
        return given, original, synthetic, Settings(**{**given.settings, **settings_of(parsed)})


def _asked(
    assessment: Assessment,
    original: object,
    synthetic: Sequence[object],
    analyses: Mapping[str, Options],
    *,
    quiet: bool,
) -> Assessment:
    with Bar(quiet=quiet) as bar, unwarned():  # said below, in full
        found = analyse(assessment, original, list(synthetic), analyses, progress=bar)
    say_doubts(found)
    return found


def _list_records(
    assessment: Assessment, original: object, synthetic: Sequence[object], settings: Settings, path: Path
) -> None:
    tables = read_all(original, list(synthetic))
    if not same_files([Source.of(one) for one in tables], (assessment.original, *assessment.synthetic)):
        raise DataError("--records-at-risk: a file has changed since it was assessed. Assess it again.")
    coded = prepare(MemoryFiles(tables), settings)
    say(f"Warning: {caution(write_list(coded, path))}", style="bold yellow")


def assessed(
    original: object,
    synthetic: Sequence[object],
    settings: Settings,
    engine: Engine = Engine(),  # noqa: B008  # frozen
    *,
    quiet: bool = False,
) -> Assessment:
    """Assess files, and say on the screen how far the work is and where the files don't match."""
    with Bar(quiet=quiet) as bar, unwarned():  # said below, in full
        assessment = assess_with(original, list(synthetic), settings, progress=bar, engine=engine)
    say_findings(assessment.warnings)
    return assessment


def require_report(parsed: argparse.Namespace, folder: Path) -> None:
    """Find out before the work whether what the report takes can be read, and the bundle be written."""
    from discoreport.report.bundle import require_replaceable
    from discoreport.report.templates import environment

    if parsed.policy:
        read_policy(parsed.policy)
    if parsed.documentation:
        read_documentation(parsed.documentation)
    environment(parsed.templates)
    require_replaceable(folder, parsed.edition)


def with_words(assessment: Assessment, parsed: argparse.Namespace) -> Assessment:
    """Add policy and documentation, where they are named."""
    if parsed.policy:
        assessment = assessment.with_policy(read_policy(parsed.policy))
    if parsed.documentation:
        documentation = read_documentation(parsed.documentation, onto=assessment.documentation)
        assessment = assessment.with_documentation(documentation)
    return assessment


def report_of(assessment: Assessment, parsed: argparse.Namespace) -> Report:
    """Make the report in the edition and with the templates that were asked for."""
    return Report(assessment, edition=parsed.edition, templates=parsed.templates)


def deliver_and_tell(
    report: Report, folder: Path, certificate: Certificate | None = None, *, quiet: bool = False
) -> int:
    """Write the bundle, and say on the screen what was found and where it is."""
    from discoreport.report.bundle import deliver

    replaced = in_place_of(folder)
    with Bar(quiet=quiet) as bar:
        missing = deliver(report, folder, certificate, progress=bar)
    if not quiet:
        tell_lines(report.summary)
        if replaced:
            tell(replaced)
        for name in sorted(path.name + ("/" if path.is_dir() else "") for path in folder.iterdir()):
            tell(str(folder / name) + ("/" if name.endswith("/") else ""))
    if missing:
        say(f"discoreport: {missing}")
    return NOT_WHOLE if missing else 0
