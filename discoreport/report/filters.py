"""The filters of the templates; the only place where figures become text."""

from __future__ import annotations

import itertools
import re

from markupsafe import Markup

from discoreport.assessment.writing import level, number, percent, percentage

_INDEX = re.compile(r"_([a-z']+)")


def formula(text: str) -> Markup:
    """Write a measure's formula with its indices set low.

    Examples
    --------
    >>> formula("100 × Σ d_tq [d_tq = d_q] / N_d")
    Markup('100 × Σ d<sub>tq</sub> [d<sub>tq</sub> = d<sub>q</sub>] / N<sub>d</sub>')
    """
    parts = _INDEX.split(text)
    written = Markup()
    for plain, index in itertools.zip_longest(parts[::2], parts[1::2], fillvalue=""):
        written += plain
        written += Markup("<sub>{}</sub>").format(index) if index else ""
    return written


FILTERS = {function.__name__: function for function in (number, percentage, percent, level, formula)}
