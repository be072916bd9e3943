"""A page made fit for paper: long tables lose their middle, wide ones are parted or lie, long words break."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bs4 import BeautifulSoup, Tag

from discoreport.notebook.unspanned_tables import Ends, Table, plain_table, written

MOST_ROWS, FIRST_ROWS, LAST_ROWS = 120, 60, 20
LYING_FIRST, LYING_LAST = 22, 8
"""Rows that fill a page that lies, with a heading and some code before them."""
MOST_PARTED = 14
"""Rows up to which a wide table is parted, below each other; a page is turned for longer ones."""
UPRIGHT, WIDE_UPRIGHT, USUAL_UPRIGHT, ACROSS = 150, 115, 92, 225
"""Signs of a line of a table on a page that stands, by its size from the smallest, and on one that lies."""
_MOST_PARTS = 6
_PADDING = 2
_LAST_COLUMNS = 3
_TABLE = re.compile(r'<table class="data[^"]*">(?:(?!<table\b).)*?</table>', re.DOTALL)
_CELL, _LYING_CELL, _LYING = '<div class="cell ', '<div class="cell lying ', '<div class="wide-table">'
_HEADING = re.compile(r"<h[1-6]\b")
_MOST_LEADING, _LARGEST_LEADING = 3, 4_000
_LONGEST_WORD, _LONGEST_HEAD = 24, 8
"""Signs of a word that stay on one line, in a row and in a head, which may break anywhere."""
_NAME = re.compile(r"(?<=>)[^\s<>]+_[^\s<>]+(?=</)")
_AFTER_UNDERSCORE = re.compile(r"(?<=_)")
_SPANS_ROWS = re.compile(r'\srowspan="(?!1")')
_LONG_WORDS = re.compile(rf"(?<=>)([^<>]*[^\s<>]{{{_LONGEST_WORD + 1}}}[^<>]*)(?=<)")
_LONG_WORD = re.compile(rf"[^\s<>]{{{_LONGEST_WORD + 1},}}")


def for_paper(page: str) -> str:
    """Make tables and code of a page fit on paper; the page itself has them whole.

    Parameters
    ----------
    page
        HTML that has been cleaned.
    """
    fitted = _TABLE.sub(lambda found: _fitted(found[0]), page).replace("<wbr>", "<br>")
    first, *cells = fitted.split(_CELL)
    lie = [_LYING in cell for cell in cells]
    for place in [place for place, lies in enumerate(lie) if lies]:
        begin = _leads_to(cells, place)
        lie[begin:place] = [True] * (place - begin)
    return "".join([first, *((_LYING_CELL if lies else _CELL) + cell for lies, cell in zip(lie, cells, strict=True))])


def _leads_to(cells: Sequence[str], place: int) -> int:
    """Give the first of the few cells that lead to a table: from its heading on, or the prose just before it."""
    for before in range(place - 1, max(place - 1 - _MOST_LEADING, -1), -1):
        if len(cells[before]) > _LARGEST_LEADING or "<table" in cells[before]:
            break
        if _HEADING.search(cells[before]):
            return before
    return place - 1 if place and cells[place - 1].startswith("markdown") else place


def _fitted(whole: str) -> str:
    html, n_rows = _ends_of(whole)
    soup = BeautifulSoup(html, "html.parser")
    table = soup.table
    if table is None or table.tr is None:
        return whole
    grid = plain_table(table)
    n_rows = n_rows or len(grid.body)
    widths, words = _widths(grid, _LONGEST_HEAD), _widths(grid, _LONGEST_WORD)
    if sum(widths) <= UPRIGHT:
        return _upright(soup, table, grid, sum(words), n_rows)
    return _parted(grid, words) if n_rows <= MOST_PARTED else _lying(grid, widths, n_rows)


def _ends_of(html: str) -> tuple[str, int]:
    """Leave out the middle rows of a long table before it is read, and say how many it has; 0 where all are needed."""
    if html.count("<tr") <= MOST_ROWS or _SPANS_ROWS.search(html):
        return html, 0
    heads = html.partition("</thead>")[0].count("<tr") if "</thead>" in html else 0
    before, *rows = html.split("<tr")
    n_rows = len(rows) - heads
    if n_rows <= MOST_ROWS:
        return html, 0
    return "<tr".join([before, *rows[: heads + FIRST_ROWS], *rows[-LAST_ROWS:]]), n_rows


def _upright(soup: BeautifulSoup, table: Tag, grid: Table, total: int, n_rows: int) -> str:
    """Leave a table as it is that fits, at the size at which it does, without its middle where it is long."""
    size = "very-wide" if total > WIDE_UPRIGHT else "wide" if total > USUAL_UPRIGHT else ""
    classes = [str(name) for name in table.get_attribute_list("class")]
    classes += [size] if size and not {"very-wide", size} & set(classes) else []
    if n_rows > MOST_ROWS:
        hidden = n_rows - FIRST_ROWS - LAST_ROWS
        ends = Ends(FIRST_ROWS, LAST_ROWS, hidden)
        return _with_breaks(written(grid, range(grid.n_columns), " ".join(classes), ends=ends)) + _note(
            [f"{n_rows:,} rows"]
        )
    table["class"] = " ".join(classes)
    return _with_breaks(str(soup))


def _parted(grid: Table, widths: Sequence[int]) -> str:
    """Write a wide table as several below each other, each with the heads of its rows."""
    heads = min(grid.n_heads, _LAST_COLUMNS)
    kept = sum(widths[:heads])
    parts: list[list[int]] = []
    space = 0
    for place in range(heads, grid.n_columns):
        if not parts or widths[place] > space:
            parts.append([])
            space = WIDE_UPRIGHT - kept
        parts[-1].append(place)
        space -= widths[place]
    notes = [f"Its {grid.n_columns:,} columns stand below each other, in {len(parts):,} parts."]
    if len(parts) > _MOST_PARTS:
        parts = [*parts[: _MOST_PARTS - 1], parts[-1]]
        notes = [_left_out([f"{grid.n_columns:,} columns"])]
    shown = [
        _with_breaks(written(grid, [*range(heads), *columns], "data wide short", caption=not place))
        for place, columns in enumerate(parts)
    ]
    return "".join(shown) + f'<p class="omitted">{" ".join(notes)}</p>'


def _lying(grid: Table, widths: Sequence[int], n_rows: int) -> str:
    """Write a table that is long and wide for a page that lies: its ends, where it has more than fits."""
    columns: list[int | None] = list(range(grid.n_columns))
    sizes = []
    hidden = n_rows - LYING_FIRST - LYING_LAST
    if hidden > 1:
        sizes.append(f"{n_rows:,} rows")
    if sum(widths) > ACROSS:
        columns = _without_middle(widths)
        sizes.append(f"{grid.n_columns:,} columns")
    ends = Ends(LYING_FIRST, LYING_LAST, hidden) if hidden > 1 else None
    heads, end, body = _with_breaks(written(grid, columns, "data very-wide", ends=ends)).partition("</thead>")
    heads = _NAME.sub(lambda name: _broken(name[0]), heads)
    return f"{_LYING}{heads}{end}{body}{_note(sizes)}</div>"


def _broken(name: str) -> str:
    """Break a name of several words behind its underscores, where the next word would be too much for a line."""
    lines = [""]
    for word in _AFTER_UNDERSCORE.split(name):
        if lines[-1] and len(lines[-1]) + len(word) > _LONGEST_HEAD:
            lines.append("")
        lines[-1] += word
    return "<wbr>".join(lines)


def _without_middle(widths: Sequence[int]) -> list[int | None]:
    """Choose the columns that fit, from both ends; None stands for those between."""
    last = len(widths) - _LAST_COLUMNS
    space, kept = ACROSS - sum(widths[last:]) - _PADDING, 0
    while kept < last and widths[kept] <= space:
        space -= widths[kept]
        kept += 1
    return [*range(kept), None, *range(last, len(widths))]


def _note(sizes: Sequence[str]) -> str:
    return f'<p class="omitted">{_left_out(sizes)}</p>' if sizes else ""


def _left_out(sizes: Sequence[str]) -> str:
    return f"Of {' and '.join(sizes)} the middle is left out on paper; the HTML page has it."


def _widths(grid: Table, longest_head: int) -> list[int]:
    """Say how many signs each column takes at least, where words of heads may break after so many."""
    widths = [0] * grid.n_columns
    for rows, most in ((grid.heads, longest_head), (grid.body, _LONGEST_WORD)):
        for row in rows:
            for place, cell in enumerate(row):
                longest = max(map(len, cell.text.split()), default=0) if cell.alone else 0
                widths[place] = max(widths[place], min(longest, most) + _PADDING)
    return widths


def _with_breaks(html: str) -> str:
    """Let words that are too long for a column break anywhere, and no others."""
    return _LONG_WORDS.sub(
        lambda text: _LONG_WORD.sub(lambda word: f'<span class="long">{word[0]}</span>', text[0]), html
    )
