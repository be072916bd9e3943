"""Where the templates lie, an organisation's own among them, and the Jinja environment that fills them."""

from __future__ import annotations

import datetime
import re
import traceback
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from jinja2.exceptions import TemplateError, TemplateSyntaxError
from jinja2.runtime import LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Cycler, Joiner
from markupsafe import Markup

from discoreport.assessment.release.policy import MEDIA_TYPES, Logo
from discoreport.charts.drawing import theme
from discoreport.errors import BrokenTemplateError, DiscoReportError, SettingsError
from discoreport.files import data_address, inside, sha256_of
from discoreport.report.both_editions import Edition
from discoreport.report.figures import MOST_ROWS
from discoreport.report.filters import FILTERS


@cache
def folder() -> Path:
    """Find the templates: inside the package when it is installed, beside it in a checkout.

    Returns
    -------
    Path
        The folder that holds ``report/``, ``nbconvert/`` and ``form/``.
    """
    package = Path(__file__).parent.parent
    for place in (package / "templates", package.parent / "templates"):
        if (place / "report" / "page.html").is_file():
            return place
    raise DiscoReportError("The templates of discoreport are not installed. Install the package again.")


_OWNERS = (str, list, tuple, dict, datetime.date, Edition, LoopContext, Cycler)
"""What templates may call the methods of."""


_OF_TEMPLATES = (
    TemplateError, ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""What a template can raise."""


class _Sandbox(ImmutableSandboxedEnvironment):
    """Lets templates read what they are given, and call macros, globals and methods of plain values, nothing else."""

    def is_safe_callable(self, obj: Any) -> bool:
        owner = getattr(getattr(obj, "__wrapped__", obj), "__self__", None)  # Jinja wraps str.format
        known = isinstance(obj, Macro | LoopContext | Joiner) or any(obj is one for one in self.globals.values())
        return super().is_safe_callable(obj) and (known or isinstance(owner, _OWNERS))


class _InsideLoader(FileSystemLoader):
    """Loads templates of one folder; a link that leads out of it isn't followed."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        try:
            source, filename, is_current = super().get_source(environment, template)
        except UnicodeDecodeError as error:
            raise BrokenTemplateError(
                f"'{Path(self.searchpath[0]) / template}' isn't text in UTF-8: {error}."
            ) from None
        root = Path(self.searchpath[0]).resolve()
        if not Path(filename).resolve().is_relative_to(root):
            raise BrokenTemplateError(f"'{filename}' leads out of '{root}'.")
        return source, filename, is_current


@cache
def environment(own: Path | None = None) -> ImmutableSandboxedEnvironment:
    """Build the environment: everything is escaped, nothing undefined passes, no code runs.

    Parameters
    ----------
    own
        An organisation's folder. A file in it takes the place of ours of the same name, which it can
        still reach under ``discoreport/``.

    Raises
    ------
    SettingsError
        Where there is no such folder.
    """
    if own is not None and not own.is_dir():
        raise SettingsError(f"There is no template folder '{own}'. Name the folder, or none.")
    fingerprints(own)  # what can't be read would be taken for what isn't there, and ours stand in for it
    ours: BaseLoader = ChoiceLoader([_InsideLoader(folder() / name) for name in ("report", "nbconvert")])
    loaders = [] if own is None else [_InsideLoader(own)]
    built = _Sandbox(
        loader=ChoiceLoader([*loaders, ours, PrefixLoader({"discoreport": ours})]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=True,
    )
    built.filters.update(FILTERS)
    looks = {name: value for name, value in vars(theme).items() if isinstance(value, str | int) and name.isupper()}
    built.globals |= {"font": font, "most_rows": MOST_ROWS, "theme": SimpleNamespace(**looks)}
    return built


def fill(name: str, report: object, own: Path | None = None) -> str:
    """Fill a template.

    Parameters
    ----------
    name
        Its file name in the folder ``report/`` or ``nbconvert/``.
    report
        What the templates read: an edition of the report, or a notebook.
    own
        An organisation's folder; see `environment`.

    Raises
    ------
    BrokenTemplateError
        Where a template of the organisation can't be read or filled; says which file, line and why.
    """
    try:
        return environment(own).get_template(name).render(report=report)
    except TemplateSyntaxError as error:
        raise BrokenTemplateError(f"'{error.filename}', line {error.lineno}: {error.message}") from error
    except _OF_TEMPLATES as error:
        place = _place_of(error, own)
        if place is None:
            raise
        reason = " ".join(str(getattr(error, "message", None) or error).split())
        raise BrokenTemplateError(f"{place}: {type(error).__name__}: {reason}") from error


def _place_of(error: BaseException, own: Path | None) -> str | None:
    """Find file and line of the innermost template in which an error arose; None where all of them are ours."""
    places = [step for step in traceback.extract_tb(error.__traceback__) if step.filename.endswith((".html", ".css"))]
    if own is None or not places:
        return None
    return f"'{places[-1].filename}', line {places[-1].lineno}"


def words_in(page: str) -> list[str]:
    """List what a page says, line by line: its texts, what stands for pictures, and what style sheets add."""
    reader = _Words(convert_charrefs=True)
    reader.feed(page)
    reader.close()
    return [line for found in reader.text.splitlines() if (line := " ".join(found.split()))]


_INLINE = (
    "a", "abbr", "b", "cite", "code", "dfn", "em", "i", "kbd", "mark", "q", "s", "small", "span", "strong", "sub",
    "sup", "time", "u", "wbr",
)  # fmt: skip
_SPOKEN = ("alt", "title", "aria-label", "content")


class _Words(HTMLParser):
    """Reads the words of a page; signs within a line of text don't part it."""

    def __init__(self, *, convert_charrefs: bool) -> None:
        super().__init__(convert_charrefs=convert_charrefs)
        self.text, self._within = "", ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._within = tag
        self.text += "" if tag in _INLINE else "\n"
        self.text += "".join(f"\n{value}\n" for name, value in attributes if name in _SPOKEN and value)

    def handle_endtag(self, tag: str) -> None:
        self._within = ""
        self.text += "" if tag in _INLINE else "\n"

    def handle_data(self, data: str) -> None:
        if self._within == "style":
            data = "\n".join(one for pair in re.findall(r""""([^"]*)"|'([^']*)'""", data) for one in pair)
        self.text += data if self._within != "script" else ""


def fingerprints(own: Path | None) -> dict[str, str]:
    """Take the fingerprint of each file in an organisation's folder; none where there is no folder."""
    try:
        files = [path for path in inside(own) if path.is_file()] if own is not None and own.is_dir() else []
        return {path.relative_to(str(own)).as_posix(): sha256_of(path) for path in files}
    except OSError as error:
        raise SettingsError(f"Can't read the templates in '{own}': {error.strerror}.") from None


def own_logo(own: Path | None) -> Logo | None:
    """Read the logo of an organisation's folder; None where it has none."""
    if own is None:
        return None
    found = [path for ending in MEDIA_TYPES if (path := own / f"logo{ending}").exists()]
    if found and not found[0].resolve().is_relative_to(own.resolve()):
        raise SettingsError(f"The logo '{found[0]}' leads out of '{own}'.")
    return Logo.read(found[0]) if found else None


@cache
def font(name: str) -> Markup:
    """Give a font of the charts as a data address, so that the page fetches nothing.

    Parameters
    ----------
    name
        File name in the folder of fonts.

    Raises
    ------
    ValueError
        Where there is none of this name.
    """
    if name not in [path.name for path in theme.FONT_FOLDER.iterdir()]:
        raise ValueError(f"no font '{name}'")
    content = (theme.FONT_FOLDER / name).read_bytes()
    return Markup(data_address("font/ttf", content))  # noqa: S704  # only base64
