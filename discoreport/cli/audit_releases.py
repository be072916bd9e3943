"""A folder of releases: each is assessed as a command of its own would do it, then one page shows all."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.record import load
from discoreport.cli.assess import assess, say_doubts, say_failed
from discoreport.cli.audit_cache import Notes, made_from
from discoreport.cli.exit_codes import DONE, EXCEEDED, FAULT, NOT_WHOLE, UNREADABLE, USAGE, told
from discoreport.cli.fail_on import as_data, reasons_of, require_thresholds, stops
from discoreport.cli.messages import Bar, concerning, say, say_findings, tell, tell_programs
from discoreport.cli.subprocesses import Ended, in_a_process, in_turn
from discoreport.errors import SettingsError
from discoreport.report.releases_overview import PAGE, Release, require_ours, write_overview

CONFIGURATION, DOCUMENTATION = "assessment.toml", "documentation.toml"
MEANINGS = {
    DONE: "written",
    NOT_WHOLE: "written without the PDF",
    EXCEEDED: "written; something is found that was to stop it",
    UNREADABLE: "failed: data or a record can't be read or assessed, or nothing can be written",
    USAGE: "failed: an option, a setting or one of their files won't do",
    FAULT: "failed by a fault in discoreport itself",
}
"""What an exit code says of a release, the worst last."""
TAKEN_OVER = {
    DONE: "unchanged; its bundle is the earlier one",
    EXCEEDED: "unchanged, its bundle is the earlier one; something is found that was to stop it",
}


def audit(parsed: argparse.Namespace) -> int:
    """Assess every release of a folder that isn't known, write a bundle for each, and the overview.

    Returns
    -------
    int
        The worst exit code of all releases; see `MEANINGS`.

    Raises
    ------
    SettingsError
        Before the work: where there is no release, or the options can't be met.
    OutputError
        Before the work: where the overview would take the place of another file.
    """
    reasons = reasons_of(parsed.fail_on)
    require_thresholds(reasons, parsed.policy)
    if parsed.jobs < 1:
        raise SettingsError(f"--jobs {parsed.jobs}: give how many releases are assessed at a time, 1 or more.")
    releases, others = _folders(parsed.folder, parsed.out)
    require_ours(parsed.out)
    notes = Notes(parsed.out)
    done: list[Release] = []
    data: list[dict[str, Any]] = []
    quiet = parsed.quiet or parsed.json
    work = partial(_ended, parsed=parsed, notes=notes)
    with Bar(quiet=quiet) as bar:
        bar(0, len(releases) + 1, releases[0].name)
        for folder, ended in zip(releases, in_turn(work, releases, parsed.jobs), strict=True):
            out = parsed.out / folder.name
            sys.stderr.write(ended.said)
            code = ended.code
            if ended.words:
                words = ended.words + (f" What lies in '{out}' is of an earlier run." if out.exists() else "")
                say(f"discoreport: {folder.name}: {words}")
                done.append(Release(folder.name, error=words))
                data.append({"release": folder.name, "exit_code": code, "error": words})
            else:
                assessment = load(out)
                failed = stops(assessment, reasons)
                if ended.taken_over:
                    code = _told_again(folder.name, assessment, failed)
                done.append(Release(folder.name, assessment))
                found = as_data(assessment, out, failed, code)
                data.append({"release": folder.name, "taken_over": ended.taken_over, **found})
            if not quiet:
                tell(f"{folder.name}: {(TAKEN_OVER if ended.taken_over else MEANINGS)[code]}")
            bar(len(done), len(releases) + 1, (*(one.name for one in releases), f"{PAGE}.html")[len(done)])
        written, missing = write_overview(done, parsed.out, not_looked_at=others, templates=parsed.templates)
    codes: list[int] = [one["exit_code"] for one in data] + ([NOT_WHOLE] if missing else [])
    worst = max(codes, key=list(MEANINGS).index)
    if parsed.json:
        tell_programs({"folder": str(parsed.out), "exit_code": worst, "releases": data, "not_looked_at": others})
    elif not quiet:
        for path in written:
            tell(str(path))
    return worst


def _ended(folder: Path, *, parsed: argparse.Namespace, notes: Notes) -> Ended:
    """Assess a release, or find that it is unchanged."""
    out = parsed.out / folder.name
    options = list(_options(folder, out, parsed))
    documentation = [folder / DOCUMENTATION] if (folder / DOCUMENTATION).is_file() else []
    others = [*documentation, *([parsed.policy] if parsed.policy else []), *(parsed.earlier or ())]
    found = partial(made_from, folder / CONFIGURATION, others, parsed.templates)
    made = found()
    if not parsed.again and notes.know(out, made):
        return Ended(DONE, taken_over=True)
    ended = assessed(options, folder.name) if parsed.jobs == 1 else in_a_process(assessed, options, folder.name)
    if not ended.words:
        whole = ended.code in (DONE, EXCEEDED) and made == found()  # no file has changed meanwhile
        notes.note(out, made if whole else None)
    return ended


def assessed(options: list[str], name: str) -> Ended:
    """Assess one release as `discoreport assess` does; `name` stands before what is said of it."""
    from discoreport.cli.parser import parser

    try:
        with concerning(name):
            return Ended(assess(parser().parse_args(["assess", *options])))
    except Exception as error:  # noqa: BLE001  # whatever befalls one release, the others are assessed
        return Ended(*told(error))


def _told_again(name: str, assessment: Assessment, failed: dict[str, list[str]]) -> int:
    """Say of a release that is unchanged what its assessment said."""
    with concerning(name):
        say_findings(assessment.warnings)
        say_doubts(assessment)
        say_failed(failed)
    return EXCEEDED if failed else DONE


def _folders(folder: Path, out: Path) -> tuple[list[Path], list[str]]:
    """Find the releases of a folder, and name the folders that are none."""
    if not folder.is_dir():
        raise SettingsError(f"There is no folder '{folder}'.")
    if folder.resolve() == out.resolve():
        raise SettingsError("The bundles can't lie among the releases: name another folder with --out.")
    found = [path for path in sorted(folder.iterdir()) if path.is_dir() and path.resolve() != out.resolve()]
    releases = [path for path in found if (path / CONFIGURATION).is_file()]
    if not releases:
        raise SettingsError(
            f"No folder in '{folder}' holds {CONFIGURATION}. discoreport assess --write-config writes one."
        )
    for path in releases:
        if path.name in (f"{PAGE}.html", f"{PAGE}.pdf"):
            raise SettingsError(f"The overview is called '{path.name}': give this release another name.")
    return releases, [path.name for path in found if path not in releases and not path.name.startswith(".")]


def _options(folder: Path, out: Path, parsed: argparse.Namespace) -> Iterator[str]:
    yield f"--config={folder / CONFIGURATION}"
    yield f"--out={out}"
    yield "--quiet"
    if (folder / DOCUMENTATION).is_file():
        yield f"--documentation={folder / DOCUMENTATION}"
    yield from (f"--earlier={file}" for file in parsed.earlier or ())
    for option in ("policy", "templates", "fail_on"):
        if getattr(parsed, option) is not None:
            yield f"--{option.replace('_', '-')}={getattr(parsed, option)}"
