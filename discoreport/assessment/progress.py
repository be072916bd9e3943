"""How far the work has come."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called with steps done, steps in all, and what comes next."""


class Steps:
    """Tells how far the work has come.

    Parameters
    ----------
    progress
        Whom to tell, if anybody.
    total
        Steps in all.
    """

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, -1

    def next(self, what: str) -> None:
        """Begin the next step."""
        self._done += 1
        if self._progress:
            self._progress(self._done, self._total, what)

    def done(self) -> None:
        """End the last one."""
        if self._progress:
            self._progress(self._total, self._total, "")
