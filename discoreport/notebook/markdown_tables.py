"""Tables in Markdown, written so that no cell is lost: bars inside code and formulas, rows of other lengths."""

from __future__ import annotations

import re

BAR = "\ufdd0"
"""Stands for a bar inside a cell until the page is written; no text has it, as it is no sign."""
_FENCE = re.compile(r"^[ >]*(`{3,}|~{3,})")
_DELIMITER = re.compile(r"[ >\t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_ITEM = re.compile(r" *(?:[-*+]|\d{1,9}[.)]) {1,4}(?=\S)")
_BEFORE = re.compile(r"[ >\t]*")
_WHOLE = re.compile(r"(?<!`)(`+)(?!`)[^\n]{1,500}?(?<!`)\1(?!`)|\$(?!\s)[^$\n]{1,500}?(?<!\s)\$(?!\d)")
"""Code and formulas, in which a bar parts nothing."""


def with_whole_tables(source: str) -> str:
    r"""Write every table of a text anew: with as many cells in each row, and `BAR` for bars inside cells.

    Examples
    --------
    >>> print(with_whole_tables("a | b\n--|--\n`x|y` | 2\n1 | 2 | 3").replace(BAR, "!"))
    | a | b |  |
    | -- | -- | -- |
    | `x!y` | 2 |  |
    | 1 | 2 | 3 |
    """
    if "|" not in source:
        return source
    lines, written, fence, place = source.split("\n"), [], "", 0
    lists: list[int] = []
    while place < len(lines):
        line = lines[place]
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        end = place if fence or _is_code(line, lists) else _end(lines, place)
        written += _table(lines[place:end]) if end > place else [line]
        place = max(end, place + 1)
    return "\n".join(written)


def _is_code(line: str, lists: list[int]) -> bool:
    """Tell whether a line is code by its indent; `lists` has how far the items of lists around it are indented."""
    indent = len(line) - len(line.lstrip(" \t")) + 3 * line.count("\t", 0, 4)
    if line.strip():
        while lists and indent < lists[-1]:
            lists.pop()
    around = lists[-1] if lists else 0
    item = _ITEM.match(line)
    if item and indent < around + 4:
        lists.append(len(item[0]))
    return indent >= around + 4


def _end(lines: list[str], start: int) -> int:
    """Give the line after a table that begins in a line; that line itself where none does."""
    if start + 1 >= len(lines) or "|" not in lines[start] or "|" not in lines[start + 1]:
        return start
    if not _DELIMITER.fullmatch(lines[start + 1]) or len(_cells(lines[start])) != len(_parts(lines[start + 1])):
        return start
    end = start + 2
    while end < len(lines) and "|" in lines[end] and lines[end].strip():
        end += 1
    return end


def _table(lines: list[str]) -> list[str]:
    before = _BEFORE.match(lines[0])
    indent = before[0] if before else ""
    heads, marks = _cells(lines[0]), _parts(lines[1])
    rows = [heads, marks, *(_cells(line, len(marks)) for line in lines[2:])]
    width = max(map(len, rows))
    fill = ["", "--", *[""] * (len(rows) - 2)]
    return [
        f"{indent}| " + " | ".join([*row, *[filler] * (width - len(row))]) + " |"
        for row, filler in zip(rows, fill, strict=True)
    ]


def _cells(line: str, expected: int | None = None) -> list[str]:
    """Part a row; a bar in code or a formula parts only where the row has as many cells as expected with it."""
    parts = _parts(line)
    if expected is None or len(parts) != expected:
        parts = _parts(_WHOLE.sub(lambda found: found[0].replace("\\|", BAR).replace("|", BAR), line))
    return parts


def _parts(line: str) -> list[str]:
    before = _BEFORE.match(line)
    text = line[before.end() if before else 0 :].strip().replace("\\|", BAR)
    return [part.strip() for part in text.removeprefix("|").removesuffix("|").split("|")]
