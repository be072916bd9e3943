"""Code -> words marked for the style sheet, with places where a line that is too long may break."""

from __future__ import annotations

import re

from markupsafe import Markup

from discoreport.notebook.markdown_cells import cut

LARGEST_OUTPUT = 1_000_000
"""Signs that code and an output may have by default; a picture ten times as many."""
_PLAIN_FROM = 5_000
"""Signs of code from which on only words that have a look of their own are marked: each mark costs time on paper."""
_UNSTYLED = re.compile(r'<span class="(?!(?:k|kn|kd|ow|kc|c|c1|cm|ch|s|s1|s2|sd|sa|si)")[^"]*">([^<]*)</span>')
_LONGEST_LINE, _LEAST = 94, 45
"""Signs of a line of code that fit on paper, and that stand before a break at least."""
_PARTS = ",;([{"
"""Signs behind which a line may break that has no space there."""
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
    if len(source) > _PLAIN_FROM:
        written = _UNSTYLED.sub(r"\1", written)
    lines = written.rstrip("\n").split("\n")
    marked = "\n".join(_marked(line) if len(line) > _LONGEST_LINE else line for line in lines)
    return Markup(marked)  # noqa: S704  # the formatter escapes


def _marked(line: str) -> str:
    """Mark where a line that is too long breaks: behind a sign that parts, or anywhere; nothing is cut."""
    pieces = _PIECE.findall(line)
    signs = [place for place, piece in enumerate(pieces) if not piece.startswith("<")]
    begin, breaks = 0, set()
    while len(signs) - begin > _LONGEST_LINE:
        places = range(begin + _LONGEST_LINE, begin + _LEAST, -1)
        parted = (at for kind in (" ", _PARTS) for at in places if pieces[signs[at - 1]] in kind)
        begin = next(parted, begin + _LONGEST_LINE)
        breaks.add(signs[begin])
    written, span = [], ""
    for place, piece in enumerate(pieces):
        if place in breaks:
            written.append(f"</span><wbr>{span}" if span else "<wbr>")
        if piece.startswith("<"):
            span = "" if piece.startswith("</") else piece
        written.append(piece)
    return "".join(written)
