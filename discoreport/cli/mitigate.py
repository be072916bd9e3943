"""The command that applies steps to a synthetic file and writes the new one."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from discoreport.assessment.analyses.mitigation import MitigationOptions
from discoreport.assessment.analyses.mitigation.apply import Mitigated, mitigate, require_data_file
from discoreport.assessment.analyses.mitigation.results import told_changes
from discoreport.assessment.analyses.mitigation.steps import MarkNames, Step, write_steps
from discoreport.assessment.analyses.trade_off import told_choices, trade_off
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.command_line import read_all_steps
from discoreport.assessment.python_warnings import unwarned
from discoreport.assessment.settings import Settings
from discoreport.cli.assess import (
    assessed,
    deliver_and_tell,
    given_in,
    report_of,
    require_report,
    say_failed,
    with_words,
)
from discoreport.cli.exit_codes import DONE, EXCEEDED
from discoreport.cli.fail_on import reasons_of, require_thresholds, stops
from discoreport.cli.messages import Bar, tell, tell_lines
from discoreport.errors import OutputError, SettingsError


def run(parsed: argparse.Namespace) -> int:
    """Write the new file; or steps to start from, or what every combination of the steps would bring."""
    if parsed.write_steps:
        tell(str(write_steps(parsed.write_steps)))
        return 0
    given, original, several, settings = given_in(parsed)
    if len(several) > 1:
        raise SettingsError(f"mitigate: give one synthetic file at a time (got {len(several)}).")
    chosen = given.analyses.get("mitigation")
    steps: Sequence[Step] = read_all_steps(parsed.steps or ())
    if not steps and isinstance(chosen, MitigationOptions):
        steps = chosen.steps
    if not steps:
        raise SettingsError(
            "Name a file of steps: --steps FILE. This writes one: discoreport mitigate --write-steps FILE"
        )
    reasons = reasons_of(parsed.fail_on)
    if set(reasons) - {"warnings"} and (parsed.trade_off or not parsed.report):
        raise SettingsError("--fail-on: without a report of the new file (--report FOLDER) only warnings can be told.")
    if reasons and parsed.report:
        require_thresholds(reasons, parsed.policy)
    if parsed.trade_off:
        found = assessed(original, several, settings, quiet=True)
        with Bar() as bar, unwarned():  # said above
            tell_lines(told_choices(trade_off(original, several[0], settings, steps, progress=bar)))
        return _status(found, reasons)
    if parsed.out is None:
        raise SettingsError("Say where to write the new file: --out FILE")
    _require_place(parsed.out)
    if parsed.report:
        _require_comparable(steps)
        require_report(parsed, parsed.report)
    found = assessed(original, several, settings, quiet=True)
    with unwarned():  # said above
        mitigated = mitigate(original, several[0], settings, steps)
    written = mitigated.write(parsed.out)
    tell_lines(told_changes(mitigated.mitigation))
    tell(str(written))
    status = _status(found, [name for name in reasons if name == "warnings"])
    if parsed.report:
        new, missing = _report(parsed, original, written, settings, mitigated)
        status = _status(new, reasons) or status or missing
    return status


def _status(assessment: Assessment, reasons: Sequence[str]) -> int:
    """Say what the user wants to be stopped by, and give the exit code."""
    failed = stops(assessment, reasons)
    say_failed(failed)
    return EXCEEDED if failed else DONE


def _report(
    parsed: argparse.Namespace, original: object, written: Path, settings: Settings, mitigated: Mitigated
) -> tuple[Assessment, int]:
    """Assess the new file, with what was done to it, and deliver the report."""
    assessment = assessed(original, [written], settings)
    assessment = assessment.with_analysis(mitigated.mitigation.with_result(written))
    steps = {"mitigation": mitigated.mitigation.documentation}
    assessment = assessment.with_documentation(assessment.documentation.model_copy(update=steps))
    assessment = with_words(assessment, parsed)
    return assessment, deliver_and_tell(report_of(assessment, parsed), parsed.report)


def _require_place(path: Path) -> None:
    """Find out before the work whether the new file can be written."""
    require_data_file(path)
    if not path.absolute().parent.is_dir() or not os.access(path.absolute().parent, os.W_OK):
        raise OutputError(f"Can't write '{path}': there is no such folder, or no permission for it.")


def _require_comparable(steps: Sequence[Step]) -> None:
    if any(isinstance(step, MarkNames) for step in steps):
        raise SettingsError(
            "--report: with marked names the new file has no variable of the original, so that it can't be assessed. "
            "Write it without --report."
        )
