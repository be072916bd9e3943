"""HTML of unknown origin -> HTML that runs nothing, fetches nothing and takes the look of the page."""

from __future__ import annotations

import base64
import binascii
import functools
import html
import re
from collections.abc import Sequence, Set
from typing import Any
from urllib.parse import unquote

import nh3
from bs4 import BeautifulSoup, Tag
from markupsafe import Markup

from discoreport.files import data_address
from discoreport.notebook.output_contrast import PROPERTIES as COLOURS
from discoreport.notebook.output_contrast import Rule, apply, make_readable, rules_of
from discoreport.notebook.sanitise_svg import DEEPEST, clean_drawing
from discoreport.notebook.text_direction import may_run_left, say_directions

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_KEPT = """
    p br hr blockquote pre code kbd samp var span div section article header footer b strong i em u s del ins mark
    small sub sup abbr cite q dfn time ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td
    figure figcaption img a details summary
"""
_TAGS = {*_HEADINGS, *_KEPT.split()}
_WITH_CONTENT = """
    script style template noscript iframe object embed applet audio video canvas map math button select textarea
    datalist dialog title
"""
_DROPPED_WHOLE = set(_WITH_CONTENT.split())
_LEFT_OUT = {
    "script": "what a script would show", "iframe": "another page", "object": "another page", "embed": "another page",
    "video": "a video", "audio": "a sound", "canvas": "a drawing that a script makes", "math": "a formula in MathML",
    "button": "a form", "select": "a form", "textarea": "a form", "progress": "a bar", "meter": "a bar",
}  # fmt: skip
"""What would be seen of elements that are dropped, for the page to say so."""
_SEEN = re.compile(rf"<({'|'.join(_LEFT_OUT)})\b", re.IGNORECASE)
_ATTRIBUTES: dict[str, set[str]] = {
    "*": {"title", "lang", "dir", "style"},
    **{name: {"id"} for name in _HEADINGS},
    "span": {"class", "id"},
    "div": {"class", "id"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "li": {"id"},
    "sup": {"id"},
    "ol": {"start", "type"},
    **{name: {"id", "class"} for name in ("table", "thead", "tbody", "tfoot", "tr", "caption", "p")},
    "th": {"colspan", "rowspan", "scope", "id", "class"},
    "td": {"colspan", "rowspan", "id", "class"},
    "col": {"span"},
    "colgroup": {"span"},
    "time": {"datetime"},
}
_STYLES = {"text-align", "font-weight", "font-style", "width", *COLOURS}
"""What a table or a text may say of its own look; sizes are those of the page, but for the width of pictures."""
_COLOURED = re.compile(r'style="[^"]*(?:color|background)')
_CLASSES = {"math", "omitted"}
_NAMED = {"table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption", "p", "div", "span"}
"""Elements that keep ids and classes until the style sheets of an output have been read."""
_TICK = re.compile(r"<input\b([^<>]{0,300})>", re.IGNORECASE)
_IS_TICK, _IS_TICKED = re.compile(r"""type\s*=\s*["']?checkbox""", re.I), re.compile(r"\bchecked\b", re.I)
_PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*")
_DRAWING = re.compile(r"data:image/svg\+xml(;[\w-]+(?:=[\w-]+)?)*,", re.IGNORECASE)
_DRAWING_BEGINS = re.compile(r"<svg[\s>]", re.IGNORECASE)
_DRAWING_ENDS = re.compile(r"</svg\s*>", re.IGNORECASE)
_ATTRIBUTE = r'(?:\s[\w-]+="[^"]*")'
_IMAGE = re.compile(rf"<img({_ATTRIBUTE}*)>")
_STYLE = re.compile(r' style="[^"]*"')
_TAG = re.compile(rf"<(/?)([a-z][a-z0-9]*){_ATTRIBUTE}*>")
_WIDTH = re.compile(r"(?:^|;)\s*width\s*:[^;]*")
_IMAGE_WIDTH = re.compile(r' style="(?:[^"]*;)?\s*width\s*:\s*(\d{1,4})(?:\.\d+)?(%|px)')
_VOID = {"br", "hr", "img", "col"}
_NUMBER = re.compile(r"[-−+]?[\d,. ]*\d%?(e[-+]?\d+)?|nan|none|n/a|inf|-inf|<na>|nat|…|\.\.\.|")
WIDE, VERY_WIDE = 8, 13
"""Columns from which on a table is set smaller."""
SHORT = 20
"""Rows up to which a table isn't split over pages."""


def clean(written: str, ids: Set[str] = frozenset()) -> Markup:
    """Take out of HTML whatever isn't text, table or a picture that it brings along.

    Parameters
    ----------
    written
        HTML from anywhere.
    ids
        Ids that headings may keep.

    Returns
    -------
    Markup
        HTML without scripts, forms, styles and addresses that a reader would fetch from; "" where
        nothing is left to be seen.
    """
    rules = rules_of(written)
    kept = nh3.clean(
        _TICK.sub(_tick, _with_drawings_as_images(written)),
        tags=_TAGS,
        clean_content_tags=_DROPPED_WHOLE,
        attributes=_ATTRIBUTES,
        attribute_filter=functools.partial(_attribute, ids, bool(rules)),
        filter_style_properties=_STYLES,
        url_schemes={"http", "https", "mailto", "data"},
        link_rel="noreferrer",
    )
    kept = _IMAGE.sub(_replace_absent, kept)
    if too_deep(kept):
        return Markup('<p class="omitted">An output whose parts are nested too deeply to be shown.</p>')
    if not seen(kept):
        return Markup()
    return Markup(_finished(kept, rules) + _left_out(written))  # noqa: S704  # cleaned above


def _left_out(written: str) -> str:
    """Say what of some HTML is left out that would be seen."""
    found = {name.lower() for name in _SEEN.findall(written)}
    named = dict.fromkeys(_LEFT_OUT[name] for name in _LEFT_OUT if name in found)
    return f'<p class="omitted">Left out here: {", ".join(named)}.</p>' if named else ""


def _finished(kept: str, rules: Sequence[Rule]) -> str:
    """Write colours that can be read, and tables in the look of the page."""
    mixed = may_run_left(kept)
    if not (rules or mixed or "<table" in kept or _COLOURED.search(kept)):
        return kept
    soup = BeautifulSoup(kept, "html.parser")
    if rules:
        apply(soup, rules)
        for one in soup.find_all(_NAMED):
            del one["id"]
            if not _CLASSES.issuperset(one.get_attribute_list("class")):
                del one["class"]
    make_readable(soup)
    _finish_tables(soup)
    if mixed:
        say_directions(soup)
    return str(soup)


def _tick(found: re.Match[str]) -> str:
    if not _IS_TICK.search(found[1]):
        return found[0]
    return "[x] " if _IS_TICKED.search(found[1]) else "[ ] "


def plain(written: str) -> str:
    """Give the text of some HTML."""
    return html.unescape(nh3.clean(written, tags=set(), clean_content_tags=_DROPPED_WHOLE)).strip()


def seen(cleaned: str) -> bool:
    """Tell whether cleaned HTML shows anything."""
    return "<img" in cleaned or "<hr" in cleaned or bool(_TAG.sub("", cleaned).strip())


def too_deep(cleaned: str) -> bool:
    """Tell whether cleaned HTML is nested deeper than `DEEPEST`."""
    level = 0
    for closes, name in _TAG.findall(cleaned):
        level += 0 if name in _VOID else -1 if closes else 1
        if level > DEEPEST:
            return True
    return False


def _attribute(ids: Set[str], has_rules: bool, element: str, name: str, value: str) -> str | None:
    match name:
        case "id" | "class" if element in _NAMED and (has_rules or value not in _CLASSES):
            return value if has_rules else None
        case "id":
            return value if value in ids else None
        case "class":
            return value if value in _CLASSES else None
        case "style" if element != "img":
            return _WIDTH.sub("", value) or None
        case "href":
            return value if re.match(r"(https?://|mailto:|#)", value, re.IGNORECASE) else None
        case "src":
            return _picture(value)
        case "width" | "height":
            return value if re.fullmatch(r"\d{1,4}%?", value) else None
        case "colspan" | "rowspan" | "span" | "start":
            return value if re.fullmatch(r"\d{1,4}", value) else None
    return value


def _picture(address: str) -> str | None:
    """Give an address that holds a picture; None for every other."""
    if _PICTURE.fullmatch(address):
        return address
    head = _DRAWING.match(address)
    if head is None:
        return None
    body = address[head.end() :]
    try:
        in_base64 = ";base64" in head[0].lower()
        drawing = clean_drawing(base64.b64decode(body).decode("utf-8") if in_base64 else unquote(body))
    except (ValueError, binascii.Error):
        return None
    return data_address("image/svg+xml", drawing.svg.encode("utf-8"))


def _with_drawings_as_images(written: str) -> str:
    """Put every drawing that ends into an address; one search for the end is enough where there is none."""
    parts, place = [], 0
    while begin := _DRAWING_BEGINS.search(written, place):
        end = _DRAWING_ENDS.search(written, begin.end())
        if end is None:
            break
        parts += [written[place : begin.start()], _as_image(written[begin.start() : end.end()])]
        place = end.end()
    return "".join([*parts, written[place:]])


def _as_image(raw: str) -> str:
    """Put a drawing inside HTML into an address of its own, so that it meets nothing else."""
    try:
        drawing = clean_drawing(raw)
    except ValueError:
        return "<img>"
    address = data_address("image/svg+xml", drawing.svg.encode("utf-8"))
    return f'<img alt="{html.escape(drawing.spoken)}" src="{address}">'


def _replace_absent(found: re.Match[str]) -> str:
    """Say so where a picture isn't part of the notebook; give every other one a description."""
    attributes = found[1]
    described = re.search(r' alt="([^"]*)"', attributes)
    if ' src="' in attributes:
        told = attributes
        if not (described and described[1]):
            told = ' alt="Picture without a description"' + attributes.replace(' alt=""', "")
        return f"<img{_STYLE.sub('', told)}{_measured(attributes)}>"
    named = f": {described[1]}" if described and described[1] else ""
    return f'<span class="omitted">[a picture that is not part of the notebook{named}]</span>'


def _measured(attributes: str) -> str:
    """Write the width that a picture is given as a style, which paper heeds, too."""
    width = re.search(r' width="(\d{1,4})(%?)"', attributes) or _IMAGE_WIDTH.search(attributes)
    return f' style="width:{width[1]}{width[2] or "px"}"' if width else ""


def _finish_tables(soup: BeautifulSoup) -> None:
    """Say what heads what, set figures flush right, and make wide tables smaller."""
    for table in soup.find_all("table"):
        rows = table.find_all("tr")
        width = max((len(row.find_all(["td", "th"], recursive=False)) for row in rows), default=0)
        size = "very-wide" if width >= VERY_WIDE else "wide" if width >= WIDE else ""
        table["class"] = " ".join(["data", *size.split(), *(["short"] if len(rows) <= SHORT else [])])
        heads = _join_heads([row for row in rows if row.parent is not None and row.parent.name == "thead"])
        body = [row for row in rows if row.parent is None or row.parent.name != "thead"]
        for cell in (cell for row in heads for cell in row.find_all("th")):
            cell["scope"] = "colgroup" if cell.get("colspan", "1") != "1" else "col"
        for cell in (cell for row in body for cell in row.find_all("th")):
            cell["scope"] = "row"
        above = [row.find_all("th") for row in heads]
        below = [row.find_all("td", recursive=False) for row in body]
        for place in range(1, width + 1):
            _align(place, above, below)


def _join_heads(rows: list[Tag]) -> list[Tag]:
    """Write the names of an index beside those of the columns, where they have a row of their own below."""
    if len(rows) < 2:
        return rows
    above, below = (row.find_all(["td", "th"], recursive=False) for row in rows[-2:])
    pairs = list(zip(above, below, strict=False))
    plain_rows = len(above) == len(below) and all(cell.get("colspan", "1") == "1" for cell in [*above, *below])
    if not plain_rows or any(upper.get_text(strip=True) and lower.get_text(strip=True) for upper, lower in pairs):
        return rows
    for upper, lower in pairs:
        if lower.get_text(strip=True):
            upper.string = lower.get_text(strip=True)
    rows[-1].decompose()
    return rows[:-1]


def _align(place: int, heads: list[Any], body: list[Any]) -> None:
    """Set a column of figures flush right; columns are counted from the last, as heads of rows may span several."""
    cells = [found[-place] for found in body if len(found) >= place]
    texts = [cell.get_text().strip().lower() for cell in cells]
    if any(texts) and all(_NUMBER.fullmatch(text) for text in texts):
        heading = [found[-place] for found in heads if len(found) >= place]
        for cell in [*cells, *(cell for cell in heading if cell.get("colspan", "1") == "1")]:
            cell["class"] = "number"
