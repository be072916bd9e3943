"""Texts that run from right to left: said of each block, as a page may mix both."""

from __future__ import annotations

import re
import unicodedata

from bs4 import BeautifulSoup
from markupsafe import Markup

_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\U00010800-\U00010fff]|[\U0001e800-\U0001efff]")
_BLOCKS = ["p", "li", "ul", "ol", "table", "th", "td", "blockquote", "dt", "dd", "figcaption", "caption", "summary"]
_HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]


def may_run_left(text: str) -> bool:
    """Tell whether a text has any sign that runs from right to left."""
    return _RIGHT.search(text) is not None


def runs_left(text: str) -> bool:
    """Tell whether a text runs from right to left: as its first letter does.

    Examples
    --------
    >>> runs_left("12 \N{HEBREW LETTER ALEF} a"), runs_left("a \N{HEBREW LETTER ALEF}")
    (True, False)
    """
    kinds = (unicodedata.bidirectional(sign) for sign in text[:10_000])
    return next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L") != "L"


def side(text: str) -> Markup:
    """Give the attribute that says so of an element; "" for a text from left to right."""
    return Markup(' dir="rtl"') if may_run_left(text) and runs_left(text) else Markup()


def say_directions(soup: BeautifulSoup) -> None:
    """Say of each block that runs from right to left that it does, unless it says so itself."""
    for block in soup.find_all([*_BLOCKS, *_HEADINGS]):
        outer = block.find_parent(dir=True)
        right = runs_left(block.get_text())
        if not block.has_attr("dir") and right != (outer is not None and outer["dir"] == "rtl"):
            block["dir"] = "rtl" if right else "ltr"
