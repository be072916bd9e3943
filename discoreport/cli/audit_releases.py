"""A folder of releases: each is assessed as a command of its own would do it, then one page shows all."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from discoreport.assessment.record import load
from discoreport.assessment.release.policy import default_policy, read_policy
from discoreport.cli.assess import assess
from discoreport.cli.exit_codes import DONE, EXCEEDED, FAULT, NOT_WHOLE, UNREADABLE, USAGE, told
from discoreport.cli.fail_on import as_data, reasons_of, require_thresholds, stops
from discoreport.cli.messages import concerning, say, tell, tell_programs
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


def audit(parsed: argparse.Namespace) -> int:
    """Assess every release of a folder, write a bundle for each, and the overview.

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
    require_thresholds(reasons, read_policy(parsed.policy) if parsed.policy else default_policy())
    releases, others = _folders(parsed.folder, parsed.out)
    require_ours(parsed.out)
    done: list[Release] = []
    codes: list[int] = []
    data: list[dict[str, Any]] = []
    for folder in releases:
        out = parsed.out / folder.name
        try:
            with concerning(folder.name):
                code = assess(_parsed(folder, out, parsed))
            assessment = load(out / "assessment.json")
        except Exception as error:  # noqa: BLE001  # whatever befalls one release, the others are assessed
            code, words = told(error)
            words += f" What lies in '{out}' is of an earlier run." if out.exists() else ""
            say(f"discoreport: {folder.name}: {words}")
            done.append(Release(folder.name, error=words))
            data.append({"release": folder.name, "exit_code": code, "error": words})
        else:
            done.append(Release(folder.name, assessment))
            data.append({"release": folder.name, **as_data(assessment, out, stops(assessment, reasons), code)})
        codes.append(code)
        if not parsed.quiet and not parsed.json:
            tell(f"{folder.name}: {MEANINGS[code]}")
    written, missing = write_overview(done, parsed.out, not_looked_at=others, templates=parsed.templates)
    codes += [NOT_WHOLE] if missing else []
    worst = max(codes, key=list(MEANINGS).index)
    if parsed.json:
        tell_programs({"folder": str(parsed.out), "exit_code": worst, "releases": data, "not_looked_at": others})
    elif not parsed.quiet:
        for path in written:
            tell(str(path))
    return worst


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


def _parsed(folder: Path, out: Path, parsed: argparse.Namespace) -> argparse.Namespace:
    """Give the command that assesses one release."""
    from discoreport.cli.parser import parser

    return parser().parse_args(["assess", *_options(folder, out, parsed)])


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
