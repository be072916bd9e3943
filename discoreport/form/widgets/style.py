"""How the form looks; and sections and figures of the report as the form shows them, in the notebook's theme."""

from __future__ import annotations

import functools
import importlib
import re
from html import escape
from pathlib import Path

from discoreport.assessment.assessment import Assessment
from discoreport.charts.drawing import theme
from discoreport.form.widgets.html import page
from discoreport.report.internal_edition import InternalEdition
from discoreport.report.templates import fill

_HUES = {
    theme.ORIGINAL: "--d-original",
    theme.SYNTHETIC: "--d-synthetic",
    theme.INK: "--d-ink",
    theme.GREY: "--d-second",
    theme.MID_GREY: "--d-mid",
    theme.LIGHT_GREY: "--d-light",
    theme.FAINT: "--d-track",
    theme.PAPER: "--d-paper",
}
"""The colours of the figures, and what they are called in the form's own sheet."""
_WHITE = re.compile(r'"(?:white|#fff)"', re.IGNORECASE)
_NAMES = ("ORIGINAL", "SYNTHETIC", "INK", "MID_GREY", "LIGHT_GREY", "GREY", "FAINT", "PAPER")
_TERM = re.compile(r'<a class="term" href="#measure-(\w+)">\w+</a>')
_LINK = re.compile(r'<a href="#[^"]*">(.*?)</a>', re.DOTALL)


@functools.cache
def sheet() -> str:
    """Give the style sheet of the form, with the colours of the figures."""
    css = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
    return re.sub(rf"\b({'|'.join(_NAMES)})\b", lambda found: str(getattr(theme, found[1])), css)


def unseen() -> str:
    """Give what the form has besides what is seen: its style sheet, what each measure means, and roles and states.

    Notebooks run no scripts in a widget; but a style sheet may say what is to be done once it is there.
    """
    script = (Path(__file__).parent / "roles_and_states.js").read_text(encoding="utf-8")
    return f'<style onload="{escape(script)}">{sheet()}</style>{page("glossary")}'


def get_ready_to_draw() -> None:
    """Load what draws figures, which takes seconds, before anybody waits for it."""
    from discoreport.charts.drawing.to_svg import convert, undrawable

    if undrawable():
        return
    importlib.import_module("altair")
    convert({"mark": "point", "data": {"values": []}})


def figure(assessment: Assessment, name: str) -> str:
    """Draw a figure as SVG in the colours of the notebook's theme; "" where there is nothing to draw."""
    from discoreport.charts import CHARTS, draw, svg
    from discoreport.charts.drawing.to_svg import undrawable

    if undrawable():
        return f"<p>Figures can't be drawn: {escape(undrawable())}.</p>"
    return themed(svg(draw(assessment, name))) if CHARTS[name].applies(assessment) else ""


def themed(drawn: str) -> str:
    """Let the colours of an SVG follow the theme."""
    drawn = _WHITE.sub(f'"{theme.PAPER}"', drawn)
    for colour, name in _HUES.items():
        drawn = re.sub(rf'"{colour}"', f'"var({name}, {colour})"', drawn, flags=re.IGNORECASE)
    return drawn


def section(assessment: Assessment, name: str) -> str:
    """Fill one section of the report, with terms that explain themselves and figures in the theme's colours.

    Parameters
    ----------
    assessment
        What the section is about.
    name
        Of the template in ``sections/``.
    """
    filled = fill(f"sections/{name}.html", InternalEdition(assessment, names_small_levels=False))
    return themed(_LINK.sub(r"\1", _TERM.sub(lambda found: page("term", name=found[1]).strip(), filled)))
