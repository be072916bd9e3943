"""What panels show as HTML: filled from ``templates/form``, where everything is escaped."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from discoreport.assessment import formatting
from discoreport.measures import FIGURES
from discoreport.report.templates import folder

_FILTERS = ("counted", "number", "percentage", "percent", "points", "name", "level")


def page(template: str, /, **shown: Any) -> Markup:
    """Fill a template of the form.

    Parameters
    ----------
    template
        Its name in ``templates/form``, without ending.
    shown
        What it shows, by name.
    """
    return Markup(_templates().get_template(f"{template}.html").render(shown))  # noqa: S704  # escaped by the template


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(folder() / "form"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {name: getattr(formatting, name) for name in _FILTERS}
    templates.globals["MEASURES"] = FIGURES
    return templates
