"""Drawings of unknown origin (SVG) -> drawings that hold shapes and text and nothing else.

nh3, which cleans the HTML of notebooks, keeps addresses in styles and style sheets, and writes HTML, not XML.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

from discoreport.charts.drawing.to_svg import normalise

DEEPEST = 60
"""Levels of elements; readers and writers of pages give up soon after."""

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_ELEMENTS_WORDS = """
    svg g path rect circle ellipse line polyline polygon text tspan textPath defs use symbol clipPath mask
    linearGradient radialGradient stop pattern marker image style title desc
"""
_ELEMENTS = frozenset(_ELEMENTS_WORDS.split())
_GEOMETRY_WORDS = """
    id class version x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d points width height viewBox preserveAspectRatio
    transform gradientTransform gradientUnits spreadMethod offset clipPathUnits maskUnits maskContentUnits
    patternUnits patternContentUnits patternTransform markerWidth markerHeight markerUnits refX refY orient rotate
    textLength lengthAdjust startOffset role aria-label
"""
_GEOMETRY = frozenset(_GEOMETRY_WORDS.split())
_PRESENTATION_WORDS = """
    fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset
    stroke-linecap stroke-linejoin stroke-miterlimit opacity color stop-color stop-opacity clip-path clip-rule mask
    marker-start marker-mid marker-end font-family font-size font-style font-weight font-variant text-anchor
    text-decoration dominant-baseline alignment-baseline baseline-shift letter-spacing word-spacing display visibility
    paint-order vector-effect shape-rendering text-rendering overflow
"""
_PRESENTATION = frozenset(_PRESENTATION_WORDS.split())
_FUNCTIONS = frozenset(("rgb", "rgba", "hsl", "hsla", "translate", "scale", "rotate", "matrix", "skewx", "skewy"))
_LOCAL = re.compile(r"""url\(\s*(["']?)#[\w.:-]+\1\s*\)""")
_CALL = re.compile(r"([\w-]*)\(")
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SELECTOR = re.compile(r"[\w\s.#*,>-]*")
_PICTURE = re.compile(r"data:image/(png|jpeg);base64,[A-Za-z0-9+/=\s]*")
_OURS = re.compile(r"figure-[0-9a-f]{12}-\d+")


@dataclass(frozen=True)
class Drawing:
    """A drawing that holds shapes and text and nothing else.

    Parameters
    ----------
    svg
        Without scripts, links, animations and references to anything outside.
    spoken
        What a screen reader speaks; "" where nobody has said it.
    alone
        Whether it can stand in a page as it is, because its ids and styles meet nobody else's.
    """

    svg: str
    spoken: str
    alone: bool


def clean_drawing(raw: str, description: str = "") -> Drawing:
    """Take everything out of a drawing that isn't shape or text.

    Parameters
    ----------
    raw
        SVG from anywhere.
    description
        What a screen reader speaks, where the drawing doesn't say it itself.

    Returns
    -------
    Drawing
        What is left.

    Raises
    ------
    ValueError
        Where it isn't SVG, declares entities, or is nested deeper than `DEEPEST`.
    """
    if "<!ENTITY" in raw:
        raise ValueError("the drawing declares entities")
    try:
        root = ET.fromstring(raw.strip())  # noqa: S314  (entities are refused above)
    except ET.ParseError as error:
        raise ValueError(f"the drawing can't be read: {error}") from None
    if root.tag.rpartition("}")[2] != "svg":
        raise ValueError("the drawing isn't SVG")
    if _depth(root) > DEEPEST:
        raise ValueError("the drawing is nested too deeply")
    _clean(root)
    nested = sum(1 for _ in root.iter("svg")) > 1  # no figure of ours holds another, with sizes of its own
    of_vega = not nested and "marks" in root.get("class", "").split() and next(root.iter("style"), None) is None
    spoken = next((child for child in root if child.tag == "title"), None)
    if spoken is None and description:
        spoken = ET.Element("title")
        spoken.text = description
        root.insert(0, spoken)
    root.set("role", "img")
    root.set("xmlns", _SVG)
    told = next((one.text for one in root.iter("title") if one.text), "")
    if of_vega:
        root.attrib.pop("class", None)
        title = "" if spoken is None else spoken.text or ""
        if spoken is not None:
            root.remove(spoken)
        return Drawing(normalise(ET.tostring(root, encoding="unicode"), title=title), told, alone=True)
    alone = not nested and all(
        _OURS.fullmatch(one.get("id", "figure-000000000000-0")) and one.tag != "style" for one in root.iter()
    )
    return Drawing(ET.tostring(root, encoding="unicode"), told, alone)


def _depth(root: ET.Element) -> int:
    deepest, waiting = 0, [(root, 1)]
    while waiting:
        element, level = waiting.pop()
        deepest = max(deepest, level)
        waiting += [(child, level + 1) for child in element]
    return deepest


def _clean(element: ET.Element) -> None:
    """Clean an element and all it holds; name spaces go, as there is only one left."""
    space, _, name = str(element.tag).rpartition("}")
    element.tag = name if not space or space == "{" + _SVG else ""
    element.attrib = dict(_attributes(element))
    if name in {"title", "desc"}:
        element[:] = []
    elif name == "style":
        element[:] = []
        element.text = _style_sheet(element.text or "")
    for child in list(element):
        # a link is taken for the group that it is; comments and instructions have no name
        if isinstance(child.tag, str) and child.tag in {"a", f"{{{_SVG}}}a"}:
            child.tag = "g"
        if not isinstance(child.tag, str) or child.tag.removeprefix(f"{{{_SVG}}}") not in _ELEMENTS:
            element.remove(child)
            continue
        _clean(child)
        if child.tag == "style" and not child.text:
            element.remove(child)


def _attributes(element: ET.Element) -> Iterator[tuple[str, str]]:
    for written, value in element.attrib.items():
        name = written.removeprefix(f"{{{_XLINK}}}")
        if name == "href":
            of_picture = str(element.tag).endswith("image")
            if (of_picture and _PICTURE.fullmatch(value)) or (not of_picture and re.fullmatch(r"#[\w.:-]+", value)):
                yield "href", value
        elif name == "style":
            kept = _declarations(value)
            if kept:
                yield "style", kept
        elif (name in _GEOMETRY or name in _PRESENTATION) and _harmless(value):
            yield name, value


def _harmless(value: str) -> bool:
    """Tell whether a value calls nothing but colours, moves and parts of the drawing itself."""
    rest = _LOCAL.sub("", value)
    return "\\" not in rest and all(call.lower() in _FUNCTIONS for call in _CALL.findall(rest))


def _declarations(written: str) -> str:
    pairs = (part.partition(":") for part in _COMMENT.sub("", written).split(";"))
    kept = [
        f"{name.strip().lower()}:{value.strip()}"
        for name, _, value in pairs
        if name.strip().lower() in _PRESENTATION and _harmless(value)
    ]
    return ";".join(kept)


def _style_sheet(written: str) -> str:
    sheet = _COMMENT.sub("", written)
    if "@" in sheet or "\\" in sheet:
        return ""
    return " ".join(
        f"{selector.strip()}{{{_declarations(body)}}}"
        for selector, body in _RULE.findall(sheet)
        if _SELECTOR.fullmatch(selector)
    )
