"""Code -> words marked for the style sheet, with places where a line that is too long may break."""

from __future__ import annotations

import re

from markupsafe import Markup

from discoreport.notebook.markdown_cells import cut

LARGEST_OUTPUT = 1_000_000
"""Signs that code and an output may have by default; a picture ten times as many."""
_LONGEST_RUN = 60
"""Signs of code without a space that stay together."""
_LONGEST_LINE = 90
"""Signs of a line of code that fit on paper."""
_PIECE = re.compile(r"<[^>]*>|&[#\w]+;|[^<]", re.DOTALL)
"""A tag, or one sign."""


def highlight(source: str, lexer: str) -> Markup:
    """Mark the words of some code for the style sheet; Python where the language isn't known."""
    from pygments import highlight as write
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not source.strip():
        return Markup()
    if len(source) > LARGEST_OUTPUT:
        return Markup("{}").format(cut(source, LARGEST_OUTPUT))
    try:
        words = get_lexer_by_name(lexer or "python")
    except ClassNotFound:
        words = get_lexer_by_name("text")
    written: str = write(source, words, HtmlFormatter(nowrap=True))
    return Markup(_breakable(written.rstrip("\n")))  # noqa: S704  # the formatter escapes


def _breakable(highlighted: str) -> str:
    """Mark where lines may break that are too long: every so many signs, where there is no space; nothing is cut."""
    return "\n".join(_marked(line) if len(line) > _LONGEST_RUN else line for line in highlighted.split("\n"))


def _marked(line: str) -> str:
    pieces, run, span = [], 0, ""
    written = _PIECE.findall(line)
    if sum(not piece.startswith("<") for piece in written) <= _LONGEST_LINE:
        return line
    for piece in written:
        pieces.append(piece)
        if piece.startswith("<"):
            span = "" if piece.startswith("</") else piece
            continue
        run = 0 if piece.isspace() else run + 1
        if run == _LONGEST_RUN:
            pieces.append(f"</span><wbr>{span}" if span else "<wbr>")
            run = 0
    return "".join(pieces)
