"""Exercises and solutions in one notebook, told apart by the tag "solution"."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from nbformat import NotebookNode

SOLUTION = "solution"
MADE = "discoreport_made"
"""Field of a notebook's metadata: it is a handout already, or has the solutions marked."""
FEWEST_LINES, MOST_LINES = 4, 20
EMPTY_CODE, EMPTY_TEXT = "# Your answer\n", "*Your answer*"


def tags_of(cell: Mapping[str, Any]) -> frozenset[str]:
    """Give the tags of a cell."""
    tags = cell["metadata"].get("tags") or ()
    return (
        frozenset(str(tag) for tag in tags) if isinstance(tags, Sequence) and not isinstance(tags, str) else frozenset()
    )


def room_of(cell: Mapping[str, Any]) -> int:
    """Say how many lines of room a solution gets that is left out.

    Parameters
    ----------
    cell
        Its metadata may say it (`room`); else it is as long as the solution, within bounds.
    """
    asked = cell["metadata"].get("room")
    if isinstance(asked, int) and not isinstance(asked, bool) and 0 <= asked <= 60:
        return asked
    n_lines: int = cell["source"].count("\n") + 2
    return min(max(n_lines, FEWEST_LINES), MOST_LINES)


def handout(notebook: NotebookNode) -> NotebookNode:
    """Make the notebook that students fill in.

    Parameters
    ----------
    notebook
        With solutions.

    Returns
    -------
    NotebookNode
        Another one: an empty cell in the place of each solution, and no outputs anywhere, as those of
        later cells can give solutions away.
    """
    given = copy.deepcopy(notebook)
    given.metadata.pop("widgets", None)
    for cell in given.cells:
        solved = SOLUTION in tags_of(cell)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if solved:
            cell.source = EMPTY_CODE if cell.cell_type == "code" else EMPTY_TEXT
            cell.metadata = NotebookNode(tags=["answer"])
            cell.pop("attachments", None)
    return given
