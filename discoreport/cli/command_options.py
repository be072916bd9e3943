"""What each command is about, and its options.

The grammar is argparse's: options come from the registries of settings and analyses, so one that reads them from the
signatures of functions, as libraries for command lines do, would have to be told each of them again.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from discoreport.assessment.command_line import OPTIONS
from discoreport.assessment.settings import Settings
from discoreport.cli.analysis_options import add_analyses, add_files
from discoreport.cli.completion import SHELLS
from discoreport.cli.exit_codes import EXCEEDED
from discoreport.cli.fail_on import REASONS
from discoreport.cli.guide import TOPICS
from discoreport.cli.options import add_option
from discoreport.data.engine.connection import ENGINE_SETTINGS, ENGINES
from discoreport.data.readers.source_file import FORMATS, NEW_ENDINGS_IN_WORDS, READ_AS
from discoreport.form.model.saved_form import DEFAULT_OUT
from discoreport.form.model.viewers import VIEWERS
from discoreport.form.standalone_page import PORT, THEMES
from discoreport.report.both_editions import EDITIONS
from discoreport.report.releases_overview import PAGE

COMMON = {
    "assess": ("--key", "--target", "--group", "--code", "--missing", "--exclude", "--config", "--policy",
               "--documentation", "--fail-on", "--json", "--out"),
    "audit": ("--out", "--policy", "--jobs", "--again", "--fail-on", "--json", "--quiet"),
    "mitigate": ("--key", "--target", "--group", "--steps", "--write-steps", "--trade-off", "--out", "--report"),
    "report": ("--out", "--write-documentation", "--documentation", "--policy", "--edition", "--templates", "--sign"),
    "verify": ("--original", "--synthetic", "--before", "--policy", "--templates", "--authorities"),
}  # fmt: skip
"""The options that --help shows of a command, which --help-all shows whole; of other commands it shows all."""


def _path(
    command: argparse.ArgumentParser, option: str, metavar: str, words: str, default: Path | None = None
) -> argparse.Action:
    """Add an option, or what stands behind the command, that is the path of a file or a folder."""
    return command.add_argument(option, type=Path, metavar=metavar, help=words, default=default)


def _demo(demo: argparse.ArgumentParser) -> None:
    demo.description = "Assess the example survey (made up: nobody in it exists) and write its report."
    _path(demo, "--out", "FOLDER", "default: %(default)s", Path("discoreport-demo"))
    _edition(demo)


def _assess(assess: argparse.ArgumentParser) -> None:
    assess.description = (
        "Assess one or more synthetic files against the original they were made from, and write the\n"
        "bundle: record, report, figures, tables."
    )
    _files(assess)
    _path(assess, "--out", "FOLDER", "where to write; made if need be")
    _path(assess, "--write-config", "FILE", "write such a file to start from, and stop")
    _path(assess, "--previous", "RECORD", "record of an earlier run, whose documentation and policy go on")
    _path(
        assess,
        "--records-at-risk",
        "FILE",
        "list the original records at risk in a file of their own, as confidential as the original",
    )
    _stops(assess)
    _settings(assess)
    _engine(assess)
    _words_and_looks(assess)
    add_analyses(assess)


def _mitigate(mitigate: argparse.ArgumentParser) -> None:
    mitigate.description = (
        "Apply steps to a synthetic file and write the new file: whole, or not at all. No file is\n"
        "overwritten. Says what each step changed, the risk before and after, and what was lost."
    )
    _files(mitigate)
    mitigate.add_argument(
        "--steps",
        action="append",
        metavar="FILE",
        help='TOML file with [[steps]], or one step such as {step = "smooth", variable = "income"}; repeat it for more',
    )
    _path(mitigate, "--out", "FILE", f"the new file: {NEW_ENDINGS_IN_WORDS}")
    _path(mitigate, "--report", "FOLDER", "assess the new file, and write the bundle")
    mitigate.add_argument("--trade-off", action="store_true", help="try every combination of the steps, and stop")
    _path(mitigate, "--write-steps", "FILE", "write steps to start from, and stop")
    _fail_on(mitigate)
    _settings(mitigate)
    _words_and_looks(mitigate)


def _report(report: argparse.ArgumentParser) -> None:
    report.description = "Write the bundle for the release approval file from a record, without the data."
    _path(report, "record", "RECORD", "assessment.json, or the folder of its bundle")
    _path(report, "--out", "FOLDER", "where to write; made if need be")
    _path(report, "--write-documentation", "FILE", "write a documentation file to fill in, and stop")
    _words_and_looks(report)
    _path(report, "--checker-layout", "FOLDER", "write the files for output checkers (ACRO, SACRO), too")
    _path(report, "--sign", "FILE", "sign the PDF with this certificate (PKCS#12)")
    _path(report, "--passphrase-file", "FILE", "holds the passphrase; else it is asked for")
    report.add_argument("--passphrase-fd", type=int, metavar="NUMBER", help="descriptor to read it from, such as 3")
    report.add_argument("--passphrase-env", metavar="NAME", help="variable of the environment that holds it")


def _verify(verify: argparse.ArgumentParser) -> None:
    verify.description = "Check a bundle: fingerprints, what was rendered, the files, and every figure computed again."
    _path(verify, "bundle", "BUNDLE", "the folder")
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
    _path(verify, "--authorities", "FILE", "certificates (PEM) that vouch for who signed the report")
    _engine(verify)


def _notebook(notebook: argparse.ArgumentParser) -> None:
    notebook.description = "Write a Jupyter notebook that repeats an assessment from its files."
    _path(notebook, "record", "RECORD", "assessment.json, or the folder of its bundle")
    _path(notebook, "--out", "FILE", "the notebook to write").required = True
    _templates(notebook)


def _form(form: argparse.ArgumentParser) -> None:
    form.description = "Open the form in a browser, on this machine only. Needs the extra 'app'. Stop it with Ctrl-C."
    form.add_argument("original", metavar="ORIGINAL", nargs="?", help="the confidential file; or choose it in the form")
    form.add_argument("synthetic", metavar="SYNTHETIC", nargs="*", help="synthetic files made from it")
    _path(form, "--out", "FOLDER", "for the report; default: %(default)s", Path(DEFAULT_OUT))
    form.add_argument("--port", type=int, default=PORT, metavar="PORT", help="where to listen; default: %(default)s")
    form.add_argument("--theme", choices=THEMES, default="light", help="default: %(default)s")
    form.add_argument(
        "--open-as", choices=VIEWERS, default="", metavar="ROLE",
        help="preparer, or 'first checker', 'second checker', custodian, who look at it and sign; default: everything",
    )  # fmt: skip
    form.add_argument("--no-browser", action="store_true", help="say the address, and open no browser")


def _guide(guide: argparse.ArgumentParser) -> None:
    guide.description = "List the topics of the guide, show the page on one, or write all as one HTML page."
    guide.add_argument("topic", metavar="TOPIC", nargs="?", choices=TOPICS, help=", ".join(TOPICS))
    _path(guide, "--html", "FILE", "write the whole guide as one page, and stop")


def _completion(completion: argparse.ArgumentParser) -> None:
    completion.description = (
        "Write the completion of a shell, such as for ~/.bashrc: source <(discoreport completion bash)"
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
    _path(command, "--config", "FILE", "TOML file with files and settings; options go before it")


def _audit(audit: argparse.ArgumentParser) -> None:
    audit.description = (
        "Assess every release of a folder: each folder in it that holds assessment.toml, as\n"
        "assess --write-config writes it, and documentation.toml, if there is one. Writes a bundle for\n"
        f"each, {PAGE}.html and {PAGE}.pdf. A release that fails stops none of the others; one that is unchanged\n"
        "since an earlier audit keeps its bundle."
    )
    _path(audit, "folder", "FOLDER", "holds a folder for each release")
    _path(audit, "--out", "FOLDER", "where to write; made if need be").required = True
    audit.add_argument(
        "--earlier",
        action="append",
        metavar="FILE",
        help="synthetic file of an earlier release of the same originals, pooled with each; repeat it for more",
    )
    audit.add_argument(
        "--jobs", type=int, default=1, metavar="NUMBER",
        help="how many releases are assessed at a time, each in a process of its own; default: %(default)s",
    )  # fmt: skip
    audit.add_argument(
        "--again",
        action="store_true",
        help="assess unchanged releases, too: those whose files, settings, policy, documentation and templates, and "
        "version of discoreport and its libraries, are those of the bundle that is there",
    )
    _stops(audit)
    _policy(audit)
    _templates(audit)


def _settings(command: argparse.ArgumentParser) -> None:
    for name, option in OPTIONS.items():
        add_option(command, option.word, name, option.notation, Settings.model_fields[name].description or "")


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


def _words_and_looks(command: argparse.ArgumentParser) -> None:
    _path(command, "--documentation", "FILE", "TOML file with request, scenario, answers, decision")
    _policy(command)
    _edition(command)


def _policy(command: argparse.ArgumentParser) -> None:
    _path(command, "--policy", "FILE", "TOML file with the organisation's thresholds, checklist and marking")


def _edition(command: argparse.ArgumentParser) -> None:
    words = "complete, or without risk figures; default: %(default)s"
    command.add_argument("--edition", choices=EDITIONS, default="internal", help=words)
    _templates(command)


def _templates(command: argparse.ArgumentParser) -> None:
    _path(command, "--templates", "FOLDER", "an organisation's own sections, words, looks and logo")


FILL: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "demo": _demo,
    "assess": _assess,
    "audit": _audit,
    "mitigate": _mitigate,
    "report": _report,
    "verify": _verify,
    "notebook": _notebook,
    "form": _form,
    "guide": _guide,
    "completion": _completion,
}
"""What fills the parser of each command."""
