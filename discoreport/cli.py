"""The command line: each command is a thin layer over a call of the library."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from discoreport import examples
from discoreport.assessment.assess import assess_with
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.configuration import Configuration, read_configuration, write_configuration
from discoreport.assessment.settings import Settings, settings_from
from discoreport.data.connecting import ENGINE_SETTINGS, ENGINES, Engine, engine_from
from discoreport.errors import (
    ComparisonWarning,
    DiscoReportError,
    MissingPackageError,
    OutputError,
    SettingsError,
    writing,
)
from discoreport.version import __version__

_EXAMPLES = """\
examples:
  discoreport demo
      assess the example survey and write its report into ./discoreport-demo

  discoreport assess original.csv synthetic.csv --key sex --key age --key region --out report
      all other variables are targets

  discoreport assess census.parquet syn1.parquet syn2.parquet --key age --key postcode \\
      --target income --group income=20 --code income=-8 --out report
      two synthetic files; income in about 20 classes, -8 a code and not a number
"""

_SLOW = 1.0
"""Seconds after which progress is shown."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments
        By default those of the process.

    Returns
    -------
    int
        0; 1 where the PDF could not be written; 2 after an error, which is told in one line; 130 where
        the user stopped it and 143 where the system did, and nothing was written.
    """
    parser = _parser()
    parsed, more = parser.parse_known_args(arguments)
    if any(word.startswith("-") for word in more) or (more and not hasattr(parsed, "synthetic")):
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if more:  # argparse takes no further files once options have begun
        parsed.synthetic += more
    with _terminated_as_interrupted() as terminated:
        try:
            run: Callable[[argparse.Namespace], int] = parsed.run
            return run(parsed)
        except DiscoReportError as error:
            _say(Text(f"discoreport: {error}", style="bold red"))
            return 2
        except KeyboardInterrupt:
            _say(Text("discoreport: stopped; nothing was written", style="bold red"))
            return 128 + (signal.SIGTERM if terminated else signal.SIGINT)


@contextlib.contextmanager
def _terminated_as_interrupted() -> Iterator[list[int]]:
    """Take the signal with which a system ends a process for Ctrl-C, so that nothing is left behind; list it."""
    terminated: list[int] = []

    def stop(number: int, frame: object) -> None:  # noqa: ARG001
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough: now it tidies up
        terminated.append(number)
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # signals go to the main thread only
        yield terminated
        return
    try:
        yield terminated
    finally:
        signal.signal(signal.SIGTERM, before)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="discoreport",
        description="Measure what a synthetic data set gives away about the records of the original, and report it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"discoreport {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    demo = commands.add_parser(
        "demo",
        help="assess the example survey and write its report into ./discoreport-demo",
        description="Assess the example survey (made up: nobody in it exists) and write its report.",
    )
    demo.add_argument(
        "--out", type=Path, default=Path("discoreport-demo"), metavar="FOLDER", help="default: %(default)s"
    )
    demo.set_defaults(run=_demo)

    command = commands.add_parser(
        "assess",
        help="assess synthetic files against their original and write the report",
        description="Assess one or more synthetic files against the original they were made from, and write\n"
        "assessment.json, report.html and report.pdf into a folder.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "original",
        metavar="ORIGINAL",
        nargs="?",
        help="the confidential file (CSV, Parquet, Excel, SPSS, Stata, SAS)",
    )
    command.add_argument("synthetic", metavar="SYNTHETIC", nargs="*", help="synthetic files made from it")
    command.add_argument("--out", type=Path, metavar="FOLDER", help="where to write; made if need be")
    command.add_argument(
        "--config", type=Path, metavar="FILE", help="TOML file with the same names; options go before it"
    )
    command.add_argument("--write-config", type=Path, metavar="FILE", help="write such a file to start from, and stop")
    for option, name, written in (
        ("--key", "keys", "NAME"),
        ("--target", "targets", "NAME"),
        ("--group", "numeric_groups", "NAME=N"),
        ("--code", "special_codes", "NAME=VALUE"),
        ("--key-missing", "key_missing", "[NAME=]RULE"),
        ("--target-missing", "target_missing", "[NAME=]RULE"),
        ("--exclude", "exclude", "TARGET=LEVEL[@KEY=LEVEL]"),
    ):
        described = f"{Settings.model_fields[name].description}; repeat it for more"
        command.add_argument(option, dest=name, action="append", metavar=written, help=described)
    for option, name, written in (
        ("--max-denominator", "max_denominator", "N"),
        ("--one-way-threshold", "one_way_threshold", "N,PERCENT"),
        ("--two-way-threshold", "two_way_threshold", "N,PERCENT"),
        ("--tau", "tau", "TAU,..."),
    ):
        command.add_argument(option, dest=name, metavar=written, help=Settings.model_fields[name].description)
    command.add_argument("--engine", choices=ENGINES, help=ENGINE_SETTINGS["engine"])
    for option, name, written in (
        ("--memory-limit", "memory_limit", "SIZE"),
        ("--temporary-directory", "temporary_directory", "FOLDER"),
        ("--spark-master", "spark_master", "URL"),
    ):
        command.add_argument(option, dest=name, metavar=written, help=ENGINE_SETTINGS[name])
    command.set_defaults(run=_assess)
    return parser


def _demo(parsed: argparse.Namespace) -> int:
    settings = settings_from(examples.SETTINGS)
    assessment = _assessed(examples.path("original"), [examples.path("synthetic_1")], settings)
    return _deliver(assessment, parsed.out)


def _assess(parsed: argparse.Namespace) -> int:
    given = read_configuration(parsed.config) if parsed.config else Configuration()
    original = parsed.original or given.original
    synthetic = parsed.synthetic or list(given.synthetic)
    if original is None or not synthetic:
        raise SettingsError("Name the original and at least one synthetic file: discoreport assess ORIGINAL SYNTHETIC")
    settings = settings_from({**given.settings, **_settings(parsed)})
    engine = engine_from({**given.engine, **_given(parsed, ENGINE_SETTINGS)})
    if parsed.write_config:
        written = write_configuration(parsed.write_config, original, synthetic, settings, engine)
        Console(highlight=False).print(Text(str(written)), soft_wrap=True)
        return 0
    out = parsed.out or given.out
    if out is None:
        raise SettingsError("Say where to write: --out FOLDER")
    _require_writable(Path(out))
    return _deliver(_assessed(original, synthetic, settings, engine), Path(out))


def _require_writable(folder: Path) -> None:
    """Find out before the work whether its results can be written."""
    existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not existing.is_dir():
        raise OutputError(f"Can't write into '{folder}': '{existing}' is a file.")
    if not os.access(existing, os.W_OK):
        raise OutputError(f"Can't write into '{folder}': no permission for '{existing}'.")


def _assessed(
    original: object,
    synthetic: Sequence[object],
    settings: Settings,
    engine: Engine = Engine(),  # noqa: B008  # frozen
) -> Assessment:
    with _Bar() as bar, warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)  # said below, in full
        assessment = assess_with(original, list(synthetic), settings, progress=bar, engine=engine)
    for finding in assessment.warnings:
        where = f"{finding.variable or 'the keys'}" + (f", synthesis {finding.synthesis}" if finding.synthesis else "")
        _say(Text(f"Warning: {where}: {finding.detail}", style="bold yellow"))
    return assessment


def _deliver(assessment: Assessment, folder: Path) -> int:
    """Write record and report, and say on the screen what was found and where it is."""
    from discoreport.report import Report

    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    report = Report(assessment)
    failure = None
    with writing(folder), tempfile.TemporaryDirectory(prefix=".discoreport-", dir=folder) as name:
        unfinished = Path(name)
        written = [assessment.save(unfinished / "assessment.json"), report.write(unfinished / "report.html")]
        try:
            written.append(report.write(unfinished / "report.pdf"))
        except MissingPackageError as error:
            failure = error
            (folder / "report.pdf").unlink(missing_ok=True)  # an older one would stand beside a newer record
        written = [path.replace(folder / path.name) for path in written]
    console = Console(highlight=False)
    for line in (str(assessment), "", *map(str, written)):
        console.print(Text(line), soft_wrap=True)
    if failure:
        _say(Text(f"discoreport: {failure}", style="bold red"))
    return 1 if failure else 0


# Options -> settings ---------------------------------------------------------------------------------


def _given(parsed: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(parsed, name) for name in names if getattr(parsed, name) is not None}


def _settings(parsed: argparse.Namespace) -> dict[str, Any]:
    """Collect the settings that were given as options, by name."""
    values = _given(parsed, Settings.model_fields)
    if "keys" not in values and not parsed.config:
        raise SettingsError("Name at least one key: --key NAME")
    if "numeric_groups" in values:
        pairs = [_pair("--group", text) for text in values["numeric_groups"]]
        values["numeric_groups"] = {name: _groups(name, text) for name, text in pairs}
    if "special_codes" in values:
        codes: dict[str, list[str]] = {}
        for name, code in (_pair("--code", text) for text in values["special_codes"]):
            codes.setdefault(name, []).append(code)
        values["special_codes"] = codes
    for option, name in (("--key-missing", "key_missing"), ("--target-missing", "target_missing")):
        if name in values:
            values[name] = _missing(option, values[name])
    if "exclude" in values:
        values["exclude"] = [_exclusion(text) for text in values["exclude"]]
    for name in ("one_way_threshold", "two_way_threshold", "tau"):
        if name in values:
            values[name] = values[name].split(",")
    return values


def _pair(option: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingsError(f"{option} {text}: write it as NAME=VALUE")
    return name, value


def _groups(name: str, text: str) -> int | list[float]:
    try:
        return int(text) if "," not in text else [float(part) for part in text.split(",")]
    except ValueError:
        raise SettingsError(f"--group {name}={text}: give a whole number, or breaks separated by commas") from None


def _missing(option: str, texts: Iterable[str]) -> str | dict[str, str]:
    rules = [_pair(option, text) if "=" in text else ("", text) for text in texts]
    for_all = [rule for name, rule in rules if not name]
    if for_all and len(rules) > 1:
        raise SettingsError(f"{option}: give one rule for all, or rules by name, not both")
    return for_all[0] if for_all else dict(rules)


def _exclusion(text: str) -> dict[str, str | None]:
    target, at, key = text.partition("@")
    name, level = _pair("--exclude", target)
    values: dict[str, str | None] = {"target": name, "level": level or None}
    if at:
        key_name, key_level = _pair("--exclude", key)
        values |= {"key": key_name, "key_level": key_level or None}
    return values


# Screen ----------------------------------------------------------------------------------------------


def _say(text: Text) -> None:
    Console(stderr=True, highlight=False).print(text, soft_wrap=True)


class _Bar:
    """Progress on the error output, from the moment that the work is slow."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._bar: Progress | None = None

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *problem: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int, what: str) -> None:
        if self._bar is None and time.monotonic() - self._start > _SLOW:
            columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.add_task(what, total=total)
            self._bar.start()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, total=total, description=what)
