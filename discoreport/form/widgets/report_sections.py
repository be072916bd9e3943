"""The report's own sentences, tables and figures, section by section, for the form."""

from __future__ import annotations

import re
from html import escape

from discoreport.assessment.assessment import Assessment
from discoreport.form.widgets.style import themed
from discoreport.measures import MEASURES
from discoreport.report.internal import InternalEdition
from discoreport.report.templates import fill

_TERM = re.compile(r'<a class="term" href="#measure-(\w+)">\w+</a>')
_LINK = re.compile(r'<a href="#[^"]*">(.*?)</a>', re.DOTALL)


def section(assessment: Assessment, name: str) -> str:
    """Fill one section of the report, with terms that explain themselves and figures in the theme's colours.

    Parameters
    ----------
    assessment
        What the section is about.
    name
        Of the template in ``sections/``.
    """
    filled = fill(f"sections/{name}.html", InternalEdition(assessment))
    return themed(_LINK.sub(r"\1", _TERM.sub(lambda found: term(found[1]), filled)))


def term(name: str) -> str:
    """Write the name of a measure, with its meaning as a tooltip."""
    entry = MEASURES[name]
    return f'<abbr title="{escape(entry.stands_for)}: {escape(entry.meaning)}">{name}</abbr>'
