"""Text that a screen or a log shows, and that steers neither, whatever names and values hold."""

from __future__ import annotations

import re
import unicodedata

_LINE_ENDS = re.compile("[\n\r\t\v\f\x1c-\x1e\x85\u2028\u2029]+")
_BIDI = {*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}
"""These show what follows in another order than it stands."""


def in_one_line(text: object) -> str:
    r"""Write something in one line, without signs that move the cursor, change what was written or turn it round.

    Examples
    --------
    >>> in_one_line("income\x1b[2K\nholds: all")
    'income�[2K holds: all'
    """
    return "".join(_plain(sign) for sign in _LINE_ENDS.sub(" ", str(text)))


def in_lines(text: str) -> str:
    """Write a text of several lines likewise."""
    return "\n".join(map(in_one_line, text.split("\n")))


def _plain(sign: str) -> str:
    steers = sign in _BIDI or unicodedata.category(sign) in {"Cc", "Cs"} or "\U000e0000" <= sign <= "\U000e007f"
    return "\N{REPLACEMENT CHARACTER}" if steers else sign
