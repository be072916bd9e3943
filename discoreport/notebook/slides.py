"""Where slides begin: as a notebook says in the words of nbconvert, or at its headings and solutions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from discoreport.notebook.handout import SOLUTION, tags_of

_LEFT_OUT = {"skip", "notes"}
_BEGINS = {"slide", "subslide"}
_HEADING = re.compile(r"#{1,2}\s")


def shown_on_slides(cells: Iterable[Any]) -> list[Any]:
    """Leave out the cells that are no part of a slide: those to skip, and the speaker's notes."""
    return [cell for cell in cells if _said(cell) not in _LEFT_OUT]


def begin_slides(cells: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Say of each cell whether a slide begins with it.

    Where the notebook names slides, these are they; else each heading of the first two levels begins one, and so do the
    first cells of a solution and after it.
    """
    if any(_said(cell) in _BEGINS for cell in cells):
        return [_said(cell) in _BEGINS for cell in cells]
    solved = [SOLUTION in tags_of(cell) for cell in cells]
    return [
        bool(cell["cell_type"] == "markdown" and _HEADING.match(cell["source"]))
        or (n > 0 and solved[n] != solved[n - 1])
        for n, cell in enumerate(cells)
    ]


def _said(cell: Mapping[str, Any]) -> str:
    found = cell["metadata"].get("slideshow")
    return str(found.get("slide_type", "")) if isinstance(found, Mapping) else ""
