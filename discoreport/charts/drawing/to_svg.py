"""The one way from a Vega-Lite specification to an SVG that pages, PDF and archives take as it is.

The converter numbers ids through the life of a process, nests groups a dozen deep and writes
gradients that some viewers do not draw. Here ids come from the content, groups are dissolved where
nothing depends on them, and gradients are given in the units of the drawing. It looks the same.
Scour, which tidies SVG, leaves six levels of groups where this leaves none, knows nothing of these gradients, and makes
ids that meet those of other figures in the page.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

from discoreport.charts.drawing.fallback_font import lacking, register
from discoreport.charts.drawing.theme import register_fonts
from discoreport.errors import OutputError, SettingsError

if TYPE_CHECKING:
    import altair as alt

_TRIAL = "import vl_convert; vl_convert.vegalite_to_svg({'mark': 'point', 'data': {'values': []}})"
_SVG = "http://www.w3.org/2000/svg"
_SPEECH = {"class", "role", "pointer-events", "version"}
"""Attributes that only serve the converter's own page; the title says what is to be said."""
_OF_GROUPS = {"clip-path", "mask", "filter", "opacity"}
"""Attributes that work on a group as a whole: such a group stays."""
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_MOVE = re.compile(r"translate\((-?[\d.e+-]+)[,\s]+(-?[\d.e+-]+)\)")
_RECTANGLE = re.compile(r"M0,0h([\d.]+)v([\d.]+)h-([\d.]+)Z")


def svg(chart: alt.TopLevelMixin) -> str:
    """Turn a chart into SVG.

    Parameters
    ----------
    chart
        An Altair chart. Its description becomes the title that screen readers speak.

    Returns
    -------
    str
        One ``<svg>`` element: the same chart gives the same text, wherever and whenever it is drawn,
        and several of them can stand in one page.
    """
    specification = specify(chart)
    return normalise(convert(specification), title=str(specification.get("description", "")))


def png(chart: alt.TopLevelMixin, scale: float = 2) -> bytes:
    """Turn a chart into a PNG picture.

    Parameters
    ----------
    chart
        An Altair chart.
    scale
        Pixels of the picture for each of the figure, which is 660 wide.

    Returns
    -------
    bytes
        The content of a PNG file, with the look of `svg`: the same chart gives the same bytes.

    Raises
    ------
    SettingsError
        Where the scale is not a number above 0 and up to 10.
    """
    return picture(svg(chart), scale)


def picture(drawn: str, scale: float = 2) -> bytes:
    """Turn what `svg` gave into a PNG picture; see `png`."""
    import vl_convert

    if not 0 < scale <= 10:
        raise SettingsError(f"png: scale must be above 0 and at most 10 (got {scale}).")
    register_fonts()
    if signs := lacking(drawn):
        register(signs)
    return bytes(vl_convert.svg_to_png(drawn, scale=scale))


def specify(chart: alt.TopLevelMixin) -> dict[str, Any]:
    """Give the Vega-Lite specification of a chart, whatever theme the user has set."""
    import altair as alt

    with alt.theme.enable("none"):
        specification: dict[str, Any] = chart.to_dict(validate=False)  # every part was validated when it was made
    return specification


def convert(specification: dict[str, Any]) -> str:
    """Draw a specification as the converter does, without fetching anything."""
    return _converted(json.dumps(specification, sort_keys=True))


@functools.cache
def undrawable() -> str:
    """Say why no figure can be drawn on this machine; "" where they can be.

    The converter reserves far more addresses than it uses, and ends the whole process where it may not. Where the
    system limits them, another process finds out.
    """
    try:
        import resource
    except ImportError:  # no such limits there
        return ""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return ""
    tried = subprocess.run([sys.executable, "-c", _TRIAL], capture_output=True, check=False)  # noqa: S603
    if tried.returncode == 0:
        return ""
    return (
        f"the system limits a process to {limit / 10**9:,.0f} GB of addresses (ulimit -v), too few for what draws them"
    )


@functools.lru_cache(maxsize=128)
def _converted(specification: str) -> str:
    """Convert a specification once: the preview of a report, its bundle and its check draw the same figures."""
    if undrawable():
        raise OutputError(f"Figures can't be drawn: {undrawable()}.")
    import vl_convert

    register_fonts()
    drawn: str = vl_convert.vegalite_to_svg(specification, allowed_base_urls=[])
    return drawn


def normalise(raw: str, *, title: str = "") -> str:
    """Make the converter's SVG fit for pages, PDF and archives without changing what it looks like.

    Parameters
    ----------
    raw
        SVG as the converter writes it.
    title
        What a screen reader speaks.

    Returns
    -------
    str
        SVG of a few levels, with ids of its own.
    """
    root = ET.fromstring(raw)  # noqa: S314  (the converter has written it)
    for element in root.iter():
        _strip(element)
    _settle_gradients(root)
    _raise_defaults(root)
    _dissolve_groups(root)
    _drop_invisible(root)
    _raise_font(root)
    root.attrib = {"xmlns": _SVG, "role": "img", **dict(sorted(root.attrib.items()))}
    if title:
        spoken = ET.Element("title")
        spoken.text = title
        root.insert(0, spoken)
    _rename_ids(root)
    return ET.tostring(root, encoding="unicode")


def _strip(element: ET.Element) -> None:
    """Take off name spaces and what serves the converter's page only."""
    element.tag = element.tag.rpartition("}")[2]
    kept = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
    element.attrib = {
        name: value
        for name, value in kept.items()
        if name not in _SPEECH and not name.startswith("aria-") and (name, value) != ("opacity", "1")
    }


def _settle_gradients(root: ET.Element) -> None:
    """Give the gradient of a rectangle in the units of the drawing, where no other shape shares it."""
    uses: dict[str, list[ET.Element]] = {}
    for element in root.iter():
        for hit in _REFERENCE.findall(element.get("fill", "")):
            uses.setdefault(hit, []).append(element)
    for gradient in root.iter("linearGradient"):
        painted = uses.get(gradient.get("id", ""), [])
        shape = _RECTANGLE.fullmatch(painted[0].get("d", "")) if len(painted) == 1 else None
        if shape is None or gradient.get("gradientUnits") is not None:
            continue
        gradient.set("gradientUnits", "userSpaceOnUse")
        for end, length in (("x1", shape[1]), ("x2", shape[1]), ("y1", shape[2]), ("y2", shape[2])):
            gradient.set(end, _short(float(gradient.get(end, 1 if end == "x2" else 0)) * float(length)))


def _raise_defaults(root: ET.Element) -> None:
    """Write once, at the top, what the outermost group says for the whole drawing."""
    outermost = root.findall("g")
    if len(outermost) == 1:
        for name in outermost[0].attrib.keys() - _OF_GROUPS - {"transform", "id"}:
            root.set(name, outermost[0].attrib.pop(name))


def _dissolve_groups(parent: ET.Element) -> None:
    """Hand the attributes of groups down to what they hold, and put that in their place."""
    flat = []
    for child in parent:
        if child.tag != "g":
            flat.append(child)
            continue
        _dissolve_groups(child)
        if _OF_GROUPS & child.attrib.keys():
            flat.append(child)
            continue
        for grandchild in child:
            _inherit(grandchild, child.attrib)
            flat.append(grandchild)
    parent[:] = flat


def _inherit(element: ET.Element, attributes: dict[str, str]) -> None:
    for name, value in attributes.items():
        if name == "transform":
            composed = _compose(value, element.get("transform", ""))
            if composed:
                element.set("transform", composed)
            else:
                element.attrib.pop("transform", None)
        elif name == "display" or name not in element.attrib:
            element.set(name, value)


def _compose(outer: str, inner: str) -> str:
    """Write two transforms as one; two moves are added up, and no move is nothing."""
    first, second = _MOVE.match(outer), _MOVE.match(inner)
    if first and first.end() == len(outer):
        move = [float(first[1]), float(first[2])]
        rest = inner
        if second:
            move = [move[0] + float(second[1]), move[1] + float(second[2])]
            rest = inner[second.end() :]
        moved = f"translate({_short(move[0])},{_short(move[1])})" if any(move) else ""
        return f"{moved}{rest}"
    return f"{outer}{inner}"


def _short(number: float) -> str:
    return f"{number:.9f}".rstrip("0").rstrip(".")


def _drop_invisible(parent: ET.Element) -> None:
    """Leave out what draws nothing, and empty groups."""
    for child in list(parent):
        _drop_invisible(child)
        paintless = child.get("fill", "none") == "none" and "stroke" not in child.attrib
        if (
            child.get("display") == "none"
            or (child.tag == "g" and not len(child))
            or (child.tag == "path" and (not child.get("d") or paintless))
        ) and parent.tag in {"svg", "g"}:
            parent.remove(child)


def _raise_font(root: ET.Element) -> None:
    """Write the family once, at the top, where all texts have the same."""
    texts = list(root.iter("text"))
    if len({text.get("font-family") for text in texts}) == 1:
        for text in texts:
            root.set("font-family", text.attrib.pop("font-family", ""))


def _rename_ids(root: ET.Element) -> None:
    """Give ids numbers in the order of the drawing behind a prefix that stands for its content."""
    numbers: dict[str, int] = {}
    for element in root.iter():
        if "id" in element.attrib:
            numbers.setdefault(element.attrib["id"], len(numbers))

    def rename(prefix: str) -> None:
        for element in root.iter():
            for name, value in element.attrib.items():
                if name == "id":
                    element.set(name, f"{prefix}{numbers[value]}")
                elif name == "href" and value[1:] in numbers:
                    element.set(name, f"#{prefix}{numbers[value[1:]]}")
                else:
                    element.set(name, _REFERENCE.sub(lambda hit: f"url(#{prefix}{numbers[hit[1]]})", value))

    rename("")
    numbers = {str(number): number for number in numbers.values()}
    content = hashlib.sha256(ET.tostring(root)).hexdigest()
    rename(f"figure-{content[:12]}-")
