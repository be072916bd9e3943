"""A font of last resort: signs that the report's own type lacks, each drawn as the number of its code point."""

from __future__ import annotations

import atexit
import functools
import io
import re
import shutil
import tempfile
import unicodedata
from pathlib import Path

from discoreport.charts.drawing.theme import FONT_FOLDER
from discoreport.files import data_address

NAME = "Code points"
"""The family, as style sheets name it behind all others."""
_PARTS = re.compile(r"<style>.*?</style>|(?<=base64,)[A-Za-z0-9+/=\s]+|<[^>]*>", re.DOTALL)
_UNITS, _DIGIT = 1000, 0.42
"""Units of the square that a sign takes, and how large digits in it are."""


def lacking(page: str) -> str:
    """Give the signs of a page that its own type lacks, each once and in order; what can't be seen is none.

    Examples
    --------
    >>> lacking("<p>A \N{HANGUL SYLLABLE HAN} and \N{PARTY POPPER}</p>") == "\N{HANGUL SYLLABLE HAN}\N{PARTY POPPER}"
    True
    """
    signs = {sign for sign in _PARTS.sub(" ", page) if not sign.isascii()} - _at_hand()
    return "".join(sorted(sign for sign in signs if unicodedata.category(sign)[0] in "LMNPS" and not _selects(sign)))


def _selects(sign: str) -> bool:
    """Tell whether a sign only chooses how the one before it looks."""
    return unicodedata.name(sign, "").startswith("VARIATION SELECTOR")


def with_code_points(page: str, said: str) -> str:
    """Put the font into a page that needs it, and say so at its end.

    Parameters
    ----------
    page
        The whole of it.
    said
        HTML that says so.
    """
    signs = lacking(page)
    if not signs:
        return page
    address = data_address("font/ttf", font_of(signs))
    face = f'<style>\n@font-face {{ font-family: "{NAME}"; src: url("{address}") format("truetype"); }}\n</style>\n'
    return page.replace("</head>", f"{face}</head>", 1).replace("</main>", f"{said}</main>", 1)


@functools.cache
def _at_hand() -> frozenset[str]:
    from fontTools.ttLib import TTFont

    found = [TTFont(path).getBestCmap() for path in sorted(Path(FONT_FOLDER).glob("*.ttf"))]
    return frozenset(chr(code) for one in found for code in one)


@functools.lru_cache(maxsize=32)
def font_of(signs: str) -> bytes:
    """Make the font: a box a sign, with the digits of its code point in two rows.

    Returns
    -------
    bytes
        TrueType: the same for the same signs.
    """
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.transformPen import TransformPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import TTFont

    mono = TTFont(FONT_FOLDER / "IBMPlexMono-Regular.ttf")
    outlines, names = mono.getGlyphSet(), mono.getBestCmap()
    step = outlines[names[ord("0")]].width * _DIGIT
    glyphs, widths = {".notdef": TTGlyphPen(None).glyph()}, {".notdef": (_UNITS, 0)}
    for sign in signs:
        code = f"{ord(sign):04X}"
        columns = -(-len(code) // 2)
        width = round(columns * step + 160)
        pen = TTGlyphPen(None)
        for left, bottom, right, top, inner in ((30, -190, width - 30, 790, False), (65, -155, width - 65, 755, True)):
            corners = [(left, bottom), (left, top), (right, top), (right, bottom)]
            first, *others = corners[::-1] if inner else corners
            pen.moveTo(first)
            for corner in others:
                pen.lineTo(corner)
            pen.closePath()
        for place, digit in enumerate(code.rjust(2 * columns, "0")):
            row, column = divmod(place, columns)
            move = (_DIGIT, 0, 0, _DIGIT, 80 + column * step, 370 - 430 * row)
            outlines[names[ord(digit)]].draw(TransformPen(pen, move))
        glyphs[f"u{code}"], widths[f"u{code}"] = pen.glyph(), (width, 30)
    builder = FontBuilder(_UNITS, isTTF=True)
    builder.setupGlyphOrder([*glyphs])
    builder.setupCharacterMap({ord(sign): f"u{ord(sign):04X}" for sign in signs})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(widths)
    builder.setupHorizontalHeader(ascent=1025, descent=-275)
    builder.setupNameTable({"familyName": NAME, "styleName": "Regular", "fullName": NAME, "psName": "CodePoints"})
    builder.setupOS2(sTypoAscender=780, sTypoDescender=-220, usWinAscent=1025, usWinDescent=275)
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    content = io.BytesIO()
    builder.save(content)
    return content.getvalue()


@functools.lru_cache(maxsize=32)
def register(signs: str) -> None:
    """Make the font known to the converter that draws pictures, which takes fonts from folders alone."""
    import vl_convert

    folder = Path(tempfile.mkdtemp(prefix="discoreport-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "code-points.ttf").write_bytes(font_of(signs))
    vl_convert.register_font_directory(str(folder))
