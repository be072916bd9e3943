"""Where the templates lie, and the Jinja environment that fills them."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from discoreport.charts.theme import FONT_FOLDER
from discoreport.errors import DiscoReportError
from discoreport.report.filters import FILTERS


@cache
def folder() -> Path:
    """Find the templates: inside the package when it is installed, beside it in a checkout.

    Returns
    -------
    Path
        The folder that holds ``report/``.
    """
    package = Path(__file__).parent.parent
    for place in (package / "templates", package.parent / "templates"):
        if (place / "report" / "page.html").is_file():
            return place
    raise DiscoReportError("The templates of discoreport are not installed. Install the package again.")


def environment() -> ImmutableSandboxedEnvironment:
    """Build the environment: everything is escaped, nothing undefined passes, no code runs."""
    built = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(folder() / "report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    built.filters.update(FILTERS)
    built.globals["font"] = font
    return built


@cache
def font(name: str) -> Markup:
    """Give a font of the charts as a data address, so that the page fetches nothing.

    Parameters
    ----------
    name
        File name in the folder of fonts.
    """
    content = (FONT_FOLDER / name).read_bytes()
    return Markup("data:font/ttf;base64," + base64.b64encode(content).decode("ascii"))  # noqa: S704  # only base64
