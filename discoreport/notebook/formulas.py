"""Formulas in LaTeX -> drawings with their source as text for readers; what can't be drawn stays as it was typed."""

from __future__ import annotations

import functools
import html
import re
import warnings

from discoreport.files import data_address
from discoreport.notebook.sanitise_svg import clean_drawing

LONGEST = 600
"""Signs of a formula that is drawn."""
_MOST = 300
"""Formulas of a cell that are drawn."""
_SIZE = 16
_FORMULA = re.compile(r'<(span|div) class="math">([^<]*)</\1>')
_LABELS = re.compile(r"\\(?:label|ref)\{[^{}]*\}|\\(?:nonumber|notag)\b")
_NO_FORMULA = re.compile(r"\\begin\{(?:tabular|table|figure|itemize|enumerate|document|center)")
"""What LaTeX sets as text, of which a drawing of a formula would lose parts."""
_OLD_ARRAY = re.compile(r"\\(begin|end)\{eqnarray\*?\}")
_WIDEST = 75
"""Widths of an m that a drawing may have: a page has about fifty, and what is far wider couldn't be read on it."""
_NUMBERED = re.compile(r"(\\(?:begin|end)\{(?:align|equation|gather))\}")
"""Environments that would number their lines; notebooks don't."""
_BOX = re.compile(r'viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"')
_UNKNOWN = re.compile(r"<m(?:i|o|text)[^>]*>[^<]*\\")
"""A command that the library doesn't know, and would write out."""


def with_drawings(cleaned: str) -> str:
    """Draw the formulas of a cell, and say how many are left as they were typed.

    Parameters
    ----------
    cleaned
        HTML that has been cleaned, with formulas in elements of the class ``math``.
    """
    if 'class="math"' not in cleaned:
        return cleaned
    left = drawn = 0

    def write(found: re.Match[str]) -> str:
        nonlocal left, drawn
        image = draw(html.unescape(found[2]), display=found[1] == "div") if drawn < _MOST else None
        if image is None:
            left += 1
            return found[0]
        drawn += 1
        return f'<{found[1]} class="formula">{image}</{found[1]}>'

    written = _FORMULA.sub(write, cleaned)
    return written + (left_as_typed(left) if left else "")


def left_as_typed(n: int) -> str:
    """Say that formulas aren't drawn."""
    return f'<p class="omitted">{"A formula stands" if n == 1 else f"{n} formulas stand"} as typed.</p>'


@functools.lru_cache(maxsize=2048)
def draw(formula: str, *, display: bool) -> str | None:
    """Draw one formula.

    Returns
    -------
    str or None
        An image whose text is the formula; None where it can't be drawn, or the extra ``formulas`` is absent.
    """
    text = formula.strip().strip("$").strip()
    if not text or len(text) > LONGEST or _NO_FORMULA.search(text):
        return None
    plain = _OLD_ARRAY.sub(
        lambda found: rf"\{found[1]}{{array}}" + "{rcl}" * (found[1] == "begin"), _LABELS.sub("", text)
    )
    svg = _svg(_NUMBERED.sub(r"\1*}", plain), display=display)
    box = _BOX.search(svg or "")
    if svg is None or box is None:
        return None
    top, width, height = (float(box[n]) / _SIZE for n in (2, 3, 4))
    if width > _WIDEST:
        return None
    address = data_address("image/svg+xml", clean_drawing(svg).svg.encode("utf-8"))
    style = f"width:{width:.3f}em;height:auto" + ("" if display else f";vertical-align:{-(top + height):.3f}em")
    return f'<img alt="{html.escape(text)}" src="{address}" style="{style}">'


def _svg(text: str, *, display: bool) -> str | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the libraries' own ways
        try:
            from latex2mathml.converter import convert
            from ziamath import Latex
        except ImportError:
            return None
        try:
            if _UNKNOWN.search(convert(text)):
                return None
            return str(Latex(text, size=_SIZE, inline=not display).svg())
        except Exception:  # noqa: BLE001  # whatever it can't read stays as typed
            return None
