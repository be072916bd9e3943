"""A page made fit for paper: long tables lose their middle and say so, wide ones lie, long lines break."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Tag

MOST_ROWS, FIRST_ROWS, LAST_ROWS = 120, 60, 20
UPRIGHT, ACROSS = 150, 225
"""Signs of a line of a table, at the smallest size, on a page that stands and on one that lies."""
_PADDING = 2
_LAST_COLUMNS = 3
_TABLE = re.compile(r'<table class="data[^"]*">(?:(?!<table\b).)*?</table>', re.DOTALL)
_CELL, _LYING_CELL, _LYING = '<div class="cell ', '<div class="cell lying ', '<div class="wide-table">'
_SPANS = re.compile(r'\b(?:col|row)span="(?!1")')
_LONGEST_WORD, _LONGEST_HEAD = 24, 8
"""Signs of a word that stay on one line, in a row and in a head, which may break anywhere."""


def for_paper(page: str) -> str:
    """Make tables and code of a page fit on paper; the page itself has them whole.

    Parameters
    ----------
    page
        HTML that has been cleaned.
    """
    fitted = _TABLE.sub(lambda found: _fitted(found[0]), page).replace("<wbr>", "<br>")
    first, *cells = fitted.split(_CELL)
    return "".join([first, *((_LYING_CELL if _LYING in cell else _CELL) + cell for cell in cells)])


def _fitted(written: str) -> str:
    if "very-wide" not in written and written.count("<tr") <= MOST_ROWS:
        return written
    soup = BeautifulSoup(written, "html.parser")
    table = soup.table
    if table is None:
        return written
    rows = table.find_all("tr")
    heads = [row for row in rows if row.parent is not None and row.parent.name == "thead"]
    body = rows[len(heads) :]
    n_rows, n_columns = len(body), max((len(_cells(row)) for row in rows), default=0)
    hidden_rows = _without_middle(soup, body, n_columns) if len(body) > MOST_ROWS else 0
    left = [row for row in rows if not row.decomposed]
    widths = [] if _SPANS.search(written) else _widths(left, n_columns)
    hidden_columns = _without_columns(soup, left, widths) if sum(widths) > ACROSS else 0
    lies = sum(widths) > UPRIGHT
    sizes = ((n_rows, "rows", hidden_rows), (n_columns, "columns", hidden_columns))
    parts = [f"{n:,} {what}" for n, what, hidden in sizes if hidden]
    said = f"Of {' and '.join(parts)} the middle is left out on paper; the HTML page has it."
    note = f'<p class="omitted">{said}</p>' if parts else ""
    return f"{_LYING}{soup}{note}</div>" if lies else f"{soup}{note}"


def _cells(row: Tag) -> list[Tag]:
    return list(row.find_all(["td", "th"], recursive=False))


def _without_middle(soup: BeautifulSoup, body: list[Tag], n_columns: int) -> int:
    hidden = body[FIRST_ROWS:-LAST_ROWS]
    line = soup.new_tag("tr")
    cell = soup.new_tag("td", colspan=str(n_columns))
    cell.string = f"… {len(hidden):,} rows …"
    line.append(cell)
    hidden[0].insert_before(line)
    for row in hidden:
        row.decompose()
    return len(hidden)


def _widths(rows: list[Tag], n_columns: int) -> list[int]:
    """Say how many signs each column takes at least."""
    widths = [0] * n_columns
    for row in rows:
        for place, cell in enumerate(_cells(row)):
            longest = max(map(len, cell.get_text().split()), default=0)
            head = cell.get("scope") in {"col", "colgroup"}
            widths[place] = max(widths[place], min(longest, _LONGEST_HEAD if head else _LONGEST_WORD) + _PADDING)
    return widths


def _without_columns(soup: BeautifulSoup, rows: list[Tag], widths: list[int]) -> int:
    """Leave out the columns in the middle that don't fit; one of dots stands for them."""
    space, kept = ACROSS - sum(widths[-_LAST_COLUMNS:]) - _PADDING, 0
    while kept < len(widths) - _LAST_COLUMNS and widths[kept] <= space:
        space -= widths[kept]
        kept += 1
    last = len(widths) - _LAST_COLUMNS
    for row in rows:
        cells = _cells(row)
        if len(cells) != len(widths):
            continue
        dots = soup.new_tag(cells[kept].name)
        dots.string = "…"
        if dots.name == "th":
            dots["scope"] = "col"
        cells[kept].insert_before(dots)
        for cell in cells[kept:last]:
            cell.decompose()
    return last - kept
