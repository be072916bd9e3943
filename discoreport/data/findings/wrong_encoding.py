"""Was a file read in another encoding than it was written in? Letters that are other ones, lost, or without accents."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import numpy as np

from discoreport.data.coding import Variable
from discoreport.data.findings.comparison import FILES
from discoreport.data.findings.finding import Finding

_READ_AS = ("cp1252", "latin-1", "cp1250", "cp437", "cp850", "mac-roman")
_WRITTEN_IN = (
    "utf-8", "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1257", "iso8859-2", "iso8859-9", "iso8859-15",
    "cp437", "cp850", "cp852", "mac-roman",
)  # fmt: skip
_MOST_TRIED = 2000
"""Levels of one file alone that are tried in other encodings."""


def encodings(variable: Variable, synthesis: int) -> Iterator[Finding]:
    """Warn where levels of the two files would meet if one was read in another encoding, or have lost letters."""
    if variable.numbers is not None:
        return
    d, s = variable.counts[0][:-1], variable.counts[synthesis][:-1]
    texts = variable.level_texts
    lost = [place for place, text in enumerate(texts) if "\ufffd" in text and (d[place] or s[place])]
    if lost:
        words = "levels hold the sign for letters that were lost when the file was written: write it anew, as UTF-8"
        yield Finding(variable.name, synthesis, "encoding", "warning", words, len(lost), int((d + s)[lost].sum()))
    only_d, only_s = ([texts[place] for place in np.flatnonzero((a > 0) & (b == 0))] for a, b in ((d, s), (s, d)))
    foreign = [text for text in (*only_d, *only_s) if not text.isascii()][:_MOST_TRIED]
    if not foreign:
        return
    for side, ours, theirs in (("original", only_d, set(only_s)), ("synthetic", only_s, set(only_d))):
        odd = [text for text in ours if not text.isascii()][:_MOST_TRIED]
        for read_as in _READ_AS:
            for written_in in _WRITTEN_IN:
                meeting = sum(_recoded(text, read_as, written_in) in theirs for text in odd) if odd else 0
                if meeting:
                    words = (
                        f"levels meet once the {FILES[side]} is read in another encoding: its letters seem to be "
                        f"{written_in}. Name it with encoding, or write the file anew as UTF-8"
                    )
                    yield Finding(variable.name, synthesis, "encoding", "warning", words, meeting)
                    return
    plain_d, plain_s = ({text.casefold() for text in only if text.isascii()} for only in (only_d, only_s))
    alike = [
        text
        for only, plain in ((only_d, plain_s), (only_s, plain_d))
        for text in only[:_MOST_TRIED]
        if not text.isascii() and plain & _without_accents(text)
    ]
    if alike:
        words = "levels of the two files differ in nothing but accents: one file has lost them, so that they don't meet"
        yield Finding(variable.name, synthesis, "encoding", "warning", words, len(alike))


def _recoded(text: str, read_as: str, written_in: str) -> str | None:
    """Give a text as it would be had it been read in another encoding; None where that can't be, or changes nothing."""
    try:
        found = text.encode(read_as).decode(written_in)
    except UnicodeError:
        return None
    return None if found == text else found


def _without_accents(text: str) -> set[str]:
    """Give a text as a file has it that knows no accents, or that writes "?" in the place of letters or of bytes."""
    plain = unicodedata.normalize("NFD", text.translate(_PLAIN))
    asked = ("".join(sign if sign.isascii() else mark for sign in text) for mark in ("?", "??"))
    return {form.casefold() for form in ("".join(one for one in plain if not unicodedata.combining(one)), *asked)}


_PLAIN = str.maketrans("łŁøØđĐıß", "lLoOdDis")
