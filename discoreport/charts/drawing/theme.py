"""How every figure looks: colours, type and sizes, defined once for charts and report alike."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from discoreport.files import keep_open

ORIGINAL = "#2F4A63"
"""The one hue of the original: a dark blue-grey."""
SYNTHETIC = "#C84E00"
"""The one hue of the synthetic file: a strong orange."""
INK = "#1A1D21"
"""Text."""
GREY = "#565E67"
"""Second-rank text, and lines that carry meaning."""
MID_GREY = "#878F97"
"""Marks of second rank."""
LIGHT_GREY = "#B0B7BE"
"""Marks of third rank."""
FAINT = "#E6E9EC"
"""Grid lines and tracks."""
PAPER = "#FFFFFF"
"""Background."""

FONT = "IBM Plex Sans"
FONTS = f"{FONT}, Arial, sans-serif"
"""The family, and what stands in where a viewer does not have it."""
FONT_FOLDER = Path(__file__).parent / "fonts"

WIDTH = 660
"""Pixels of a whole figure, labels included; a column of 170 mm takes it."""
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 15, 12, 11
LEAST_SIZE = 9.9
"""Nothing is smaller: on paper it is 7 pt."""
STRONG = 600

PERCENT_TITLE = "% of original records (higher is worse)"


@functools.cache
def register_fonts() -> None:
    """Make the bundled font known to the converter, once in a process."""
    import vl_convert

    keep_open(0)  # without it the converter breaks
    vl_convert.register_font_directory(str(FONT_FOLDER))


def configuration() -> dict[str, Any]:
    """Build the Vega-Lite configuration that all figures share."""
    return {
        "background": PAPER,
        "font": FONTS,
        "padding": 4,
        "view": {"stroke": None},
        "title": {
            "anchor": "start",
            "align": "left",
            "color": INK,
            "fontSize": TITLE_SIZE,
            "fontWeight": STRONG,
            "lineHeight": TITLE_SIZE + 4,
            "subtitleColor": GREY,
            "subtitleFontSize": TEXT_SIZE,
            "subtitleLineHeight": TEXT_SIZE + 4,
            "subtitlePadding": 6,
            "offset": 12,
        },
        "axis": {
            "domain": False,
            "ticks": False,
            "gridColor": FAINT,
            "labelColor": GREY,
            "labelFontSize": SMALL_SIZE,
            "labelPadding": 5,
            "labelFlush": False,
            "labelOverlap": False,
            "titleColor": GREY,
            "titleFontSize": SMALL_SIZE,
            "titleFontWeight": "normal",
            "titlePadding": 6,
            "titleAnchor": "start",
        },
        "text": {"color": INK, "fontSize": TEXT_SIZE, "baseline": "middle"},
        "rule": {"color": MID_GREY},
        "point": {"opacity": 1},
    }
