"""Tables in HTML as rows of equally many cells, so that columns can be chosen; what spans several stands in each."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from bs4 import Tag

_MOST_SPANNED = 1_000
_MOST_PLACES = 1_000_000
"""Places that cells may fill beyond their first, all together."""
_OPENING = re.compile(r'\s(?:col|row)span="[^"]*"')


@dataclass(frozen=True)
class PlainCell:
    """One place of a table; not `alone` where the cell spans other columns, too. None for a place without a cell."""

    tag: Tag | None = None
    alone: bool = True

    @property
    def text(self) -> str:
        """The text of the cell."""
        return self.tag.get_text() if self.tag is not None else ""

    @property
    def heads(self) -> bool:
        """Whether it is the head of a column or a row."""
        return self.tag is not None and self.tag.name == "th"

    @property
    def html(self) -> str:
        """The cell, as if it spanned no other place."""
        return _OPENING.sub("", str(self.tag), count=2) if self.tag is not None else "<td></td>"


NOTHING = PlainCell()


@dataclass(frozen=True)
class Ends:
    """Rows that are shown from the beginning and from the end, and how many are hidden between."""

    first: int
    last: int
    hidden: int


@dataclass(frozen=True)
class Table:
    """Heads and body, each row with a cell a column; `n_heads` columns from the left are heads of rows."""

    heads: tuple[tuple[PlainCell, ...], ...]
    body: tuple[tuple[PlainCell, ...], ...]
    n_columns: int
    n_heads: int
    caption: str


def plain_table(table: Tag) -> Table:
    """Read a table, and give each cell that spans several to all of its places."""
    rows = table.find_all("tr")
    filled: list[dict[int, PlainCell]] = [{} for _ in rows]
    left = _MOST_PLACES
    for number, row in enumerate(rows):
        place = 0
        for cell in row.find_all(["td", "th"], recursive=False):
            while place in filled[number]:
                place += 1
            wide, high = _span(cell, "colspan"), min(_span(cell, "rowspan"), len(rows) - number)
            wide, high = (wide, high) if wide * high <= left else (1, 1)
            left -= wide * high - 1
            one = PlainCell(cell, wide == 1)
            for below in filled[number : number + high]:
                below.update(dict.fromkeys(range(place, place + wide), one))
            place += wide
    width = max((max(row, default=-1) + 1 for row in filled), default=0)
    whole = [tuple(row.get(place, NOTHING) for place in range(width)) for row in filled]
    in_head = [row.parent is not None and row.parent.name == "thead" for row in rows]
    heads = tuple(row for row, heading in zip(whole, in_head, strict=True) if heading)
    body = tuple(row for row, heading in zip(whole, in_head, strict=True) if not heading)
    leading = (itertools.takewhile(lambda cell: cell.heads, row) for row in body)
    n_heads = min((len(list(heads)) for heads in leading), default=0)
    return Table(heads, body, width, n_heads, str(table.caption or ""))


def _span(cell: Tag, name: str) -> int:
    value = str(cell.get(name, "1"))
    return min(max(int(value), 1), _MOST_SPANNED) if value.isdigit() else 1


def written(
    table: Table,
    columns: Sequence[int | None],
    kind: str,
    *,
    ends: Ends | None = None,
    caption: bool = True,
) -> str:
    """Write chosen columns of a table as HTML.

    Parameters
    ----------
    table
        To write.
    columns
        Their places; None writes dots.
    kind
        Classes of the table.
    ends
        Rows to write, with a line that says how many are between; None for all.
    caption
        Whether it has its caption.
    """
    heads = "".join(_row(row, columns, "th") for row in table.heads)
    shown = table.body if ends is None else (*table.body[: ends.first], *table.body[-ends.last :])
    rows = [_row(row, columns, "td") for row in shown]
    if ends is not None:
        rows.insert(ends.first, f'<tr><td colspan="{len(columns)}">… {ends.hidden:,} rows …</td></tr>')
    said = table.caption if caption else ""
    return f'<table class="{kind}">{said}<thead>{heads}</thead><tbody>{"".join(rows)}</tbody></table>'


def _row(row: Sequence[PlainCell], columns: Sequence[int | None], kind: str) -> str:
    dots = '<th scope="col">…</th>' if kind == "th" else "<td>…</td>"
    return f"<tr>{''.join(dots if place is None else row[place].html for place in columns)}</tr>"
