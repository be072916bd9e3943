"""What each command does."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from discoreport import examples
from discoreport.assessment.command_line import command
from discoreport.assessment.record import load
from discoreport.assessment.release.documentation_file import read_documentation, write_documentation
from discoreport.assessment.release.policy import read_policy
from discoreport.assessment.settings import Settings
from discoreport.cli import guide, mitigate
from discoreport.cli.analysis_options import analyses_of
from discoreport.cli.assess import assess, assessed, deliver_and_tell, report_of, with_words
from discoreport.cli.at_once import said_at_once
from discoreport.cli.audit_releases import audit
from discoreport.cli.exit_codes import DONE, FAILS, UNCHECKED
from discoreport.cli.messages import Bar, tell, tell_lines
from discoreport.cli.options import given_of
from discoreport.cli.passphrase import passphrase
from discoreport.data.engine.connection import ENGINE_SETTINGS, engine_from
from discoreport.errors import SettingsError

if TYPE_CHECKING:
    from discoreport.assessment.assessment import Assessment
    from discoreport.report.bundle import Certificate


def _demo(parsed: argparse.Namespace) -> int:
    from discoreport.report.bundle import require_replaceable

    require_replaceable(parsed.out, parsed.edition)
    settings = Settings(**examples.SETTINGS)
    assessment = assessed(examples.path("original"), [examples.path("synthetic_1")], settings)
    policy = read_policy(examples.FOLDER / "policy.toml")
    said = read_documentation(examples.FOLDER / "documentation.toml")
    documented = _signed(assessment.with_policy(policy).with_documentation(said))
    return deliver_and_tell(report_of(documented, parsed), parsed.out)


def _signed(assessment: Assessment) -> Assessment:
    """Let the made-up preparer sign what was made just now: on its day, for its fingerprint."""
    said, state, day = assessment.documentation, assessment.state, assessment.provenance.created.date()
    signatures = tuple(one.model_copy(update={"state": state, "date": day}) for one in said.decision.sign_offs)
    decision = said.decision.model_copy(update={"sign_offs": signatures})
    return assessment.with_documentation(said.model_copy(update={"decision": decision}))


def _report(parsed: argparse.Namespace) -> int:
    assessment = with_words(load(parsed.record), parsed)
    if parsed.write_documentation:
        tell(str(write_documentation(parsed.write_documentation, assessment)))
        return 0
    if parsed.out is None:
        raise SettingsError("Say where to write: --out FOLDER")
    from discoreport.report.bundle import require_replaceable

    for folder in filter(None, (parsed.out, parsed.checker_layout)):
        require_replaceable(folder, parsed.edition)
    report = report_of(assessment, parsed)
    certificate = _certificate(parsed)
    status = deliver_and_tell(report, parsed.out, certificate)
    if parsed.checker_layout:
        from discoreport.report.bundle import write_checker_layout

        made_by = command(assessment) or ""
        tell(str(write_checker_layout(report, parsed.checker_layout, command=made_by, certificate=certificate)))
    return status


def _certificate(parsed: argparse.Namespace) -> Certificate | None:
    if parsed.sign is None:
        return None
    from discoreport.report.bundle import Certificate

    return Certificate(parsed.sign, passphrase(parsed))


def _verify(parsed: argparse.Namespace) -> int:
    from discoreport.report.verify import verify

    with Bar() as bar:
        checks = verify(
            parsed.bundle,
            original=parsed.original,
            synthetic=parsed.synthetic,
            before=parsed.before,
            policy=parsed.policy,
            templates=parsed.templates,
            authorities=parsed.authorities,
            engine=engine_from(given_of(parsed, ENGINE_SETTINGS)),
            options=analyses_of(parsed),
            progress=bar,
        )
    words = {"holds": "holds", "fails": "DOES NOT HOLD", "unchecked": "not checked"}
    for check in checks:
        tell(f"{words[check.outcome]}: {check.what}: {check.detail}")
    outcomes = {check.outcome for check in checks}
    return FAILS if "fails" in outcomes else UNCHECKED if "unchecked" in outcomes else DONE


def _notebook(parsed: argparse.Namespace) -> int:
    from discoreport.notebook import write_notebook

    written = write_notebook(load(parsed.record), parsed.out, record=parsed.record, templates=parsed.templates)
    tell(str(written))
    return 0


def _form(parsed: argparse.Namespace) -> int:
    from discoreport.form.standalone_page import serve

    serve(
        parsed.original,
        parsed.synthetic,
        out=parsed.out,
        port=parsed.port,
        open_browser=not parsed.no_browser,
        theme=parsed.theme,
        open_as=parsed.open_as,
        tell=lambda address: tell_lines(f"The form is at {address}\nPress Ctrl-C to stop it."),
    )
    return 0


def _completion(parsed: argparse.Namespace) -> int:
    tell_lines(said_at_once(["completion", parsed.shell]) or "")
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "demo": _demo,
    "assess": assess,
    "audit": audit,
    "mitigate": mitigate.run,
    "report": _report,
    "verify": _verify,
    "notebook": _notebook,
    "form": _form,
    "guide": guide.run,
    "completion": _completion,
}
"""Every command by its name."""
