"""What the command line says on the screen."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING

from discoreport.printable import in_lines, in_one_line

if TYPE_CHECKING:
    from rich.progress import Progress

    from discoreport.data.findings.finding import Finding

SLOW = 1.0
"""Seconds after which progress is shown."""


_CONCERNED = ContextVar("concerned", default="")


@contextlib.contextmanager
def concerning(release: str) -> Iterator[None]:
    """Put the name of a release before whatever is said on the error output."""
    before = _CONCERNED.set(f"{release}: ")
    try:
        yield
    finally:
        _CONCERNED.reset(before)


def say(text: str, *, style: str = "bold red") -> None:
    """Say something on the error output, in one line."""
    _print(in_one_line(_CONCERNED.get() + text), style=style, stderr=True)


def tell(text: str) -> None:
    """Say something on the output, in one line."""
    _print(in_one_line(text))


def tell_lines(text: str) -> None:
    """Say a text of several lines on the output."""
    _print(in_lines(text))


def _print(text: str, *, style: str = "", stderr: bool = False) -> None:
    from rich.console import Console  # slow to import, and help and version need none of it
    from rich.text import Text

    Console(stderr=stderr, highlight=False).print(Text(text, style=style), soft_wrap=True)


def tell_programs(content: object) -> None:
    """Say something on the output as JSON."""
    sys.stdout.write(json.dumps(content, indent=1, ensure_ascii=True) + "\n")  # any terminal can write it


def say_findings(findings: Iterable[Finding], place: str = "") -> None:
    """Warn of what puts low figures in doubt; `place` stands before each."""
    for finding in findings:
        if finding.severity == "warning":
            say(f"Warning: {place}{finding}", style="bold yellow")


class Bar:
    """Progress on the error output, from the moment that the work is slow; only on a terminal.

    Parameters
    ----------
    quiet
        Whether nothing is to be shown there, either.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self._wanted = not quiet and sys.stderr.isatty()
        self._start = time.monotonic()
        self._bar: Progress | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *problem: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int, what: str) -> None:
        """Show how far the work has come; see `assess`."""
        if self._bar is None and self._wanted and time.monotonic() - self._start > SLOW:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # slow to import

            columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
            both = sys.stdout.isatty()  # what is told meanwhile comes above the bar, but never into the other output
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=both)
            self._bar.add_task(in_one_line(what), total=total)
            self._bar.start()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, total=total, description=in_one_line(what))
