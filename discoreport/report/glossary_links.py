"""Links from the heads of sections and tables to the glossary: each term that stands there leads to its entry."""

from __future__ import annotations

import re

TERMS = {
    "intruder": r"intruders?",
    "key": r"keys?(?: combinations?)?|combinations? of keys",
    "target": r"targets?",
    "level": r"levels?",
    "cell": r"cells?",
    "chance": r"(?:by|beyond) chance",
    "flag": r"flags?|common knowledge",
    "exclusion": r"exclusions?",
    "threshold": r"thresholds?",
    "tau": r"tau",
    "copies": r"whole[- ](?:record )?copies",
    "membership": r"membership|advantage|[TF]PR",
    "rate": r"base rate|precision|(?:relative )?F1",
    "worst": r"worst file",
    "pooled": r"any file|together",
    "unit": r"units?",
}
"""The glossary's terms, by the end of their address, as they are written in heads."""
_HEADS = re.compile(r"<thead>.*?</thead>|<h[23][ >].*?</h[23]>", re.DOTALL)
_TAGS = re.compile(r"(<[^>]*>)")


def linked(page: str) -> str:
    """Link the terms in the heads of a page, as far as its glossary has them.

    Examples
    --------
    >>> linked('<h2>Flags</h2> <p>flags</p> <dt id="term-flag">Flag</dt>')
    '<h2><a class="term" href="#term-flag">Flags</a></h2> <p>flags</p> <dt id="term-flag">Flag</dt>'
    """
    known = [f"(?P<{name}>{words})" for name, words in TERMS.items() if f'id="term-{name}"' in page]
    if not known:
        return page
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(known)})(?![\w-])", re.IGNORECASE)

    def link(found: re.Match[str]) -> str:
        return f'<a class="term" href="#term-{found.lastgroup}">{found.group()}</a>'

    def in_head(found: re.Match[str]) -> str:
        written, inside = "", 0
        for part in _TAGS.split(found.group()):
            inside += part.startswith("<a ") - (part == "</a>")
            written += part if inside or part.startswith("<") else pattern.sub(link, part)
        return written

    return _HEADS.sub(in_head, page)
