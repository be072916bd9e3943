"""The options of every command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeAlias

from discoreport.assessment.command_line import OPTIONS
from discoreport.assessment.settings import Settings
from discoreport.cli.analysis_options import add_analyses, add_files
from discoreport.cli.completion import SHELLS
from discoreport.cli.exit_codes import EXCEEDED, EXIT_CODES
from discoreport.cli.fail_on import REASONS
from discoreport.cli.guide import TOPICS
from discoreport.cli.one_line_parser import OneLineParser
from discoreport.cli.options import add_option
from discoreport.data.engine.connection import ENGINE_SETTINGS, ENGINES
from discoreport.data.readers.source_file import FORMATS, NEW_ENDINGS_IN_WORDS, READ_AS
from discoreport.form.model.people import VIEWERS
from discoreport.form.model.saved_form import DEFAULT_OUT
from discoreport.form.standalone_page import PORT, THEMES
from discoreport.report.both_editions import EDITIONS
from discoreport.report.releases_overview import PAGE
from discoreport.version import __version__

_DEMO = """\
  discoreport demo
      assess the example survey and write its report into ./discoreport-demo

"""
_EXAMPLES = f"""\
examples:
{_DEMO}  discoreport assess original.csv synthetic.csv --key sex --key age --key region --out report
      all other variables with a value are targets

  discoreport assess census.parquet syn1.parquet syn2.parquet --key age --key postcode \\
      --target income --group income=20 --code income=-8 --out report
      two synthetic files; income in about 20 classes, -8 a code and not a number

  discoreport assess --config assessment.toml --policy policy.toml --fail-on thresholds,flags,warnings --json
      in a pipeline: exit code 3 where a figure is above the policy's threshold, or a flag is not answered

  discoreport assess original.csv synthetic.csv --key sex --key age --sensitivity region --control control.csv \\
      --groups education --four-checks --out report
      what an approver asks next: which key carries the risk, what the release adds, who is at risk
"""

_MITIGATE_EXAMPLES = """\
examples:
  discoreport mitigate --write-steps steps.toml
      a file to start from

  discoreport mitigate original.csv synthetic.csv --key sex --key age --steps steps.toml --trade-off
      which of the steps are worth their cost; nothing is written

  discoreport mitigate original.csv synthetic.csv --key sex --key age --steps steps.toml --out released.csv \\
      --report report
      the new file, and the bundle on it
"""

_REPORT_EXAMPLES = """\
examples:
  discoreport report report/assessment.json --write-documentation approval.toml
      a file to fill in: request, scenario, an answer to each flag, checklist, decision

  discoreport report report/assessment.json --documentation approval.toml --policy policy.toml --out approval
      the bundle for the release approval file

  discoreport report approval/assessment.json --edition external --out public
      the edition that may leave the building
"""

_VERIFY_EXAMPLES = """\
examples:
  discoreport verify approval --original original.csv --synthetic synthetic.csv
      exit code 0: all holds; 1: something doesn't; 6: something could not be checked

  discoreport verify approval --original original.csv --synthetic synthetic.csv --policy policy.toml \\
      --templates our_templates --authorities authorities.pem
      what the record says of policy, templates and signers, compared with what you know to be right
"""

_AUDIT_EXAMPLES = """\
examples:
  discoreport audit releases --out audit --policy policy.toml --fail-on thresholds,flags,warnings
      releases/census/assessment.toml, releases/panel/assessment.toml, ... : exit code 2 or 5 where a release
      could not be assessed, else 3 where one is above a threshold, has an open flag or doesn't match
"""

_NOTEBOOK_EXAMPLES = """\
examples:
  discoreport notebook report/assessment.json --out repeat.ipynb
  jupyter nbconvert --execute --to discoreport_pdf repeat.ipynb
"""


COMMON = {
    "assess": ("--key", "--target", "--group", "--code", "--missing", "--exclude", "--config", "--policy",
               "--documentation", "--fail-on", "--json", "--out"),
    "audit": ("--out", "--policy", "--fail-on", "--json", "--quiet"),
    "mitigate": ("--key", "--target", "--group", "--steps", "--write-steps", "--trade-off", "--out", "--report"),
    "report": ("--out", "--write-documentation", "--documentation", "--policy", "--edition", "--templates", "--sign"),
    "verify": ("--original", "--synthetic", "--before", "--policy", "--templates", "--authorities"),
}  # fmt: skip
"""The options that --help shows of a command, which --help-all shows whole; of other commands it shows all."""

Commands: TypeAlias = "argparse._SubParsersAction[OneLineParser]"


def parser() -> argparse.ArgumentParser:
    """Build the parser of the command line."""
    built = OneLineParser(
        prog="discoreport",
        description="Measure what a synthetic data set gives away about the records of the original, and report it.",
        epilog=_EXAMPLES + "\nexit codes:\n" + "".join(f"  {code:7}  {words}\n" for code, words in EXIT_CODES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    built.add_argument("--version", action="version", version=f"discoreport {__version__}")
    commands = built.add_subparsers(title="commands", metavar="COMMAND", required=True, dest="command")

    for add in (_demo, _assess, _audit, _mitigate, _report, _verify, _notebook, _form, _guide, _completion):
        add(commands)
    for name, command in commands.choices.items():
        command.set_defaults(its_own=command)
        command.show_first(COMMON.get(name, ()))
    return built


def _demo(commands: Commands) -> None:
    demo = commands.add_parser(
        "demo",
        help="assess the example survey and write its report into ./discoreport-demo",
        description="Assess the example survey (made up: nobody in it exists) and write its report.",
    )
    demo.add_argument(
        "--out", type=Path, default=Path("discoreport-demo"), metavar="FOLDER", help="default: %(default)s"
    )
    _edition(demo)


def _assess(commands: Commands) -> None:
    assess = commands.add_parser(
        "assess",
        help="assess synthetic files against their original and write the report",
        description="Assess one or more synthetic files against the original they were made from, and write the\n"
        "bundle: record, report, figures, tables.",
        epilog=_EXAMPLES.replace(_DEMO, ""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _files(assess)
    assess.add_argument("--out", type=Path, metavar="FOLDER", help="where to write; made if need be")
    assess.add_argument("--write-config", type=Path, metavar="FILE", help="write such a file to start from, and stop")
    assess.add_argument(
        "--previous", type=Path, metavar="RECORD", help="record of an earlier run, whose documentation and policy go on"
    )
    assess.add_argument(
        "--records-at-risk",
        type=Path,
        metavar="FILE",
        help="list the original records at risk in a file of their own, as confidential as the original",
    )
    _stops(assess)
    _settings(assess)
    _engine(assess)
    _documentation(assess)
    _policy(assess)
    _edition(assess)
    add_analyses(assess)


def _mitigate(commands: Commands) -> None:
    mitigate = commands.add_parser(
        "mitigate",
        help="apply steps to a synthetic file, write the new file, and say what they bring and cost",
        description="Apply steps to a synthetic file and write the new file: whole, or not at all. No file is\n"
        "overwritten. Says what each step changed, the risk before and after, and what was lost.",
        epilog=_MITIGATE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _files(mitigate)
    mitigate.add_argument(
        "--steps",
        action="append",
        metavar="FILE",
        help='TOML file with [[steps]], or one step such as {step = "smooth", variable = "income"}; repeat it for more',
    )
    mitigate.add_argument("--out", type=Path, metavar="FILE", help=f"the new file: {NEW_ENDINGS_IN_WORDS}")
    mitigate.add_argument("--report", type=Path, metavar="FOLDER", help="assess the new file, and write the bundle")
    mitigate.add_argument("--trade-off", action="store_true", help="try every combination of the steps, and stop")
    mitigate.add_argument("--write-steps", type=Path, metavar="FILE", help="write steps to start from, and stop")
    _fail_on(mitigate)
    _settings(mitigate)
    _documentation(mitigate)
    _policy(mitigate)
    _edition(mitigate)


def _report(commands: Commands) -> None:
    report = commands.add_parser(
        "report",
        help="write the report of a record anew: other edition, more documentation, a policy",
        description="Write the bundle for the release approval file from a record, without the data.",
        epilog=_REPORT_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    report.add_argument("record", metavar="RECORD", type=Path, help="assessment.json, or the folder of its bundle")
    report.add_argument("--out", type=Path, metavar="FOLDER", help="where to write; made if need be")
    report.add_argument(
        "--write-documentation", type=Path, metavar="FILE", help="write a documentation file to fill in, and stop"
    )
    _documentation(report)
    _policy(report)
    _edition(report)
    report.add_argument(
        "--checker-layout", type=Path, metavar="FOLDER", help="write the files for output checkers (ACRO, SACRO), too"
    )
    report.add_argument("--sign", type=Path, metavar="FILE", help="sign the PDF with this certificate (PKCS#12)")
    report.add_argument(
        "--passphrase-file",
        type=Path,
        metavar="FILE",
        help="holds the passphrase; else it is asked for",
    )
    report.add_argument("--passphrase-fd", type=int, metavar="NUMBER", help="descriptor to read it from, such as 3")
    report.add_argument("--passphrase-env", metavar="NAME", help="variable of the environment that holds it")


def _verify(commands: Commands) -> None:
    verify = commands.add_parser(
        "verify",
        help="check that a bundle still holds, and that its figures are those of the files",
        description="Check a bundle: fingerprints, what was rendered, the files, and every figure computed again.",
        epilog=_VERIFY_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verify.add_argument("bundle", metavar="BUNDLE", type=Path, help="the folder")
    verify.add_argument("--original", metavar="FILE", help="the original file")
    verify.add_argument(
        "--synthetic", metavar="FILE", nargs="+", default=[], help="the synthetic files, in their order"
    )
    verify.add_argument(
        "--before", metavar="FILE", help="where the synthetic file came of steps: the file as it was before them"
    )
    add_files(verify)
    _policy(verify)
    _templates(verify)
    verify.add_argument(
        "--authorities", type=Path, metavar="FILE", help="certificates (PEM) that vouch for who signed the report"
    )
    _engine(verify)


def _notebook(commands: Commands) -> None:
    notebook = commands.add_parser(
        "notebook",
        help="write a notebook that repeats the assessment of a record",
        description="Write a Jupyter notebook that repeats an assessment from its files.",
        epilog=_NOTEBOOK_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    notebook.add_argument("record", metavar="RECORD", type=Path, help="assessment.json, or the folder of its bundle")
    notebook.add_argument("--out", type=Path, metavar="FILE", required=True, help="the notebook to write")
    _templates(notebook)


def _form(commands: Commands) -> None:
    form = commands.add_parser(
        "form",
        help="open the form in a browser: from two files to a report without writing code",
        description="Open the form in a browser, on this machine only. Needs the extra 'app'. Stop it with Ctrl-C.",
    )
    form.add_argument("original", metavar="ORIGINAL", nargs="?", help="the confidential file; or choose it in the form")
    form.add_argument("synthetic", metavar="SYNTHETIC", nargs="*", help="synthetic files made from it")
    form.add_argument(
        "--out", type=Path, default=Path(DEFAULT_OUT), metavar="FOLDER", help="for the report; default: %(default)s"
    )
    form.add_argument("--port", type=int, default=PORT, help="where to listen; default: %(default)s")
    form.add_argument("--theme", choices=THEMES, default="light", help="default: %(default)s")
    form.add_argument(
        "--open-as", choices=VIEWERS, default="", metavar="ROLE",
        help="preparer, or 'first checker', 'second checker', custodian, who look at it and sign; default: everything",
    )  # fmt: skip
    form.add_argument("--no-browser", action="store_true", help="say the address, and open no browser")


def _guide(commands: Commands) -> None:
    guide = commands.add_parser(
        "guide",
        help="show the guide, which needs no internet: its topics, or a page",
        description="List the topics of the guide, show the page on one, or write all as one HTML page.",
    )
    guide.add_argument("topic", metavar="TOPIC", nargs="?", choices=TOPICS, help=", ".join(TOPICS))
    guide.add_argument("--html", type=Path, metavar="FILE", help="write the whole guide as one page, and stop")


def _completion(commands: Commands) -> None:
    completion = commands.add_parser(
        "completion",
        help="write what lets a shell complete commands and options",
        description="Write the completion of a shell, such as for ~/.bashrc: source <(discoreport completion bash)",
    )
    completion.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))


def _files(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "original",
        metavar="ORIGINAL",
        nargs="?",
        help=f"the confidential file ({', '.join(one.name for one in FORMATS)}); a file, wherever one is named, "
        'is a path, or a path and how it is read: \'{path = "original.csv", encoding = "cp1250"}\'',
    )
    command.add_argument("synthetic", metavar="SYNTHETIC", nargs="*", help="synthetic files made from it")
    described = "; ".join(f"{name}: {words}" for name, words in READ_AS.items())
    command.add_argument(
        "--read",
        action="append",
        metavar="OPTION=VALUE",
        help=f"how all files are read; repeat it for more. {described}",
    )
    command.add_argument(
        "--config", type=Path, metavar="FILE", help="TOML file with the same names; options go before it"
    )


def _audit(commands: Commands) -> None:
    audit = commands.add_parser(
        "audit",
        help="assess a folder of releases: a bundle for each, and one page over all",
        description="Assess every release of a folder: each folder in it that holds assessment.toml, as\n"
        "assess --write-config writes it, and documentation.toml, if there is one. Writes a bundle for\n"
        f"each, {PAGE}.html and {PAGE}.pdf. A release that fails stops none of the others.",
        epilog=_AUDIT_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    audit.add_argument("folder", metavar="FOLDER", type=Path, help="holds a folder for each release")
    audit.add_argument("--out", type=Path, metavar="FOLDER", required=True, help="where to write; made if need be")
    audit.add_argument(
        "--earlier",
        action="append",
        metavar="FILE",
        help="synthetic file of an earlier release of the same originals, pooled with each; repeat it for more",
    )
    _stops(audit)
    _policy(audit)
    _templates(audit)


def _settings(command: argparse.ArgumentParser) -> None:
    for name, option in OPTIONS.items():
        add_option(command, option, name, Settings.model_fields[name].description or "")


def _engine(command: argparse.ArgumentParser) -> None:
    command.add_argument("--engine", choices=ENGINES, help=ENGINE_SETTINGS["engine"])
    for option, name, written in (
        ("--memory-limit", "memory_limit", "SIZE"),
        ("--temporary-directory", "temporary_directory", "FOLDER"),
        ("--spark-master", "spark_master", "URL"),
    ):
        command.add_argument(option, dest=name, metavar=written, help=ENGINE_SETTINGS[name])


def _stops(command: argparse.ArgumentParser) -> None:
    command.add_argument("--quiet", action="store_true", help="say nothing but errors and warnings")
    command.add_argument("--json", action="store_true", help="say what was found as JSON, for programs")
    _fail_on(command)


def _fail_on(command: argparse.ArgumentParser) -> None:
    described = "; ".join(f"{name}: {words}" for name, (words, _) in REASONS.items())
    command.add_argument(
        "--fail-on", metavar="REASON,...", help=f"end with exit code {EXCEEDED} for any of these. {described}"
    )


def _documentation(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--documentation", type=Path, metavar="FILE", help="TOML file with request, scenario, answers, decision"
    )


def _policy(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--policy",
        type=Path,
        metavar="FILE",
        help="TOML file with the organisation's thresholds, checklist and marking",
    )


def _edition(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--edition",
        choices=EDITIONS,
        default="internal",
        help="complete, or without risk figures; default: %(default)s",
    )
    _templates(command)


def _templates(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--templates", type=Path, metavar="FOLDER", help="an organisation's own sections, words, looks and logo"
    )
