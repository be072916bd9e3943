"""Colours and weights that outputs bring along; text that couldn't be read is made darker or lighter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import tinycss2
from bs4 import BeautifulSoup, Tag
from tinycss2.color3 import RGBA, parse_color

from discoreport.charts.drawing.theme import INK

Colour = tuple[float, float, float]
Rule = tuple[str, dict[str, str]]
"""A selector, and what it says of looks."""
PROPERTIES = {"color", "background-color", "background"}
"""What says colours; each is written anew here, whatever it was."""
_WHITE, _BLACK = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0)
_READABLE = 4.5
"""The least contrast of text (WCAG 2, AA)."""
_BEGINS, _ENDS = re.compile(r"<style\b[^<>]*>", re.IGNORECASE), re.compile(r"</style\s*>", re.IGNORECASE)
_LARGEST_SHEET = 1_000_000
_WORDS = {
    "font-weight": re.compile(r"bold|bolder|normal|[1-9]00"),
    "font-style": re.compile(r"italic|oblique|normal"),
    "text-align": re.compile(r"left|right|center|start|end|justify"),
}
_STOP = r"(?:#[0-9a-fA-F]{3,8}|rgba?\([\d., %]*\)|[a-zA-Z]+)(?:\s+-?[\d.]+%){0,2}"
_GRADIENT = re.compile(rf"linear-gradient\(\s*(\d+deg|to \w+)\s*((?:,\s*{_STOP}\s*){{1,40}})\)")
_STOPS = re.compile(r",\s*(#[0-9a-fA-F]{3,8}|rgba?\([\d., %]*\)|[a-zA-Z]+)((?:\s+-?[\d.]+%){0,2})")
_MOST_MATCHES = 300_000
"""Elements times selectors that are looked at."""


def rules_of(written: str) -> list[Rule]:
    """Read what the style sheets inside some HTML say of colours, weights and sides, in their order."""
    found: list[Rule] = []
    for sheet in _sheets(written):
        if not ("color" in sheet or "background" in sheet or "font-" in sheet):
            continue
        for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
            looks = _looks(rule.content) if rule.type == "qualified-rule" else {}
            if looks:
                found += [(one.strip(), looks) for one in tinycss2.serialize(rule.prelude).split(",") if one.strip()]
    return found


def _sheets(written: str) -> Iterator[str]:
    """Give the style sheets that end; one search for an end is enough where there is none."""
    place = 0
    while begin := _BEGINS.search(written, place):
        end = _ENDS.search(written, begin.end())
        if end is None:
            return
        if end.start() - begin.end() <= _LARGEST_SHEET:
            yield written[begin.end() : end.start()]
        place = end.end()


def apply(soup: BeautifulSoup, rules: Sequence[Rule]) -> None:
    """Write what style sheets say of elements into these, before what they say of themselves."""
    by_id: dict[str, Tag] = {str(one["id"]): one for one in soup.find_all(id=True)}
    left = _MOST_MATCHES // (1 + len(soup.find_all(True)))
    looks: dict[int, tuple[Tag, dict[str, str]]] = {}
    for selector, told in rules:
        if re.fullmatch(r"#[\w-]+", selector):
            elements = [by_id[selector[1:]]] if selector[1:] in by_id else []
        else:
            left -= 1
            elements = _selected(soup, selector) if left >= 0 else []
        for one in elements:
            looks.setdefault(id(one), (one, {}))[1].update(told)
    for one, told in looks.values():
        own = str(one.get("style", ""))
        one["style"] = ";".join([*(f"{name}:{value}" for name, value in told.items()), *([own] if own else [])])


def _selected(soup: BeautifulSoup, selector: str) -> list[Tag]:
    if len(selector) > 200 or ":" in selector:
        return []
    from soupsieve import SelectorSyntaxError

    try:
        return list(soup.select(selector))
    except (SelectorSyntaxError, NotImplementedError, ValueError):
        return []


def make_readable(soup: BeautifulSoup) -> None:
    """Write all colours anew, so that every text has enough contrast with what it stands on."""
    ink = _rgb(INK, _WHITE) or _BLACK
    stack: list[tuple[Any, Colour, Colour]] = [(child, ink, _WHITE) for child in soup.children]
    while stack:
        element, text, ground = stack.pop()
        if not isinstance(element, Tag):
            continue
        if element.has_attr("style"):
            text, ground = _rewrite(element, text, ground)
        stack += [(child, text, ground) for child in element.children]


def _rewrite(element: Tag, text: Colour, ground: Colour) -> tuple[Colour, Colour]:
    """Write the style of one element anew; give the colours that hold inside it."""
    looks = _looks(str(element["style"]))
    named = looks.pop("color", ""), looks.pop("background-color", ""), looks.pop("background", "")
    own, behind, bars = _rgb(named[0], ground), _rgb(named[1] or named[2], ground), _bars(named[2], ground, text)
    kept = [f"{name}:{value}" for name, value in looks.items()]
    if behind is not None and behind != ground:
        ground = behind
        kept.append(f"background-color:{_hex(ground)}")
        text = _readable(own, ground) if own else text if contrast(text, ground) >= _READABLE else _farthest(ground)
        kept.append(f"color:{_hex(text)}")
    elif own is not None:
        text = _readable(own, ground)
        kept.append(f"color:{_hex(text)}")
    if bars:
        kept.append(f"background:{bars}")
    if kept:
        element["style"] = ";".join(kept)
    else:
        del element["style"]
    return text, ground


def _looks(written: Any) -> dict[str, str]:
    """Give what declarations say of colours, weights and sides; whatever else they say is dropped."""
    found = {}
    for one in tinycss2.parse_blocks_contents(written, skip_comments=True, skip_whitespace=True):
        if one.type != "declaration":
            continue
        value = tinycss2.serialize(one.value).strip()
        if one.lower_name in PROPERTIES or (one.lower_name in _WORDS and _WORDS[one.lower_name].fullmatch(value)):
            found[one.lower_name] = value
    return found


def _rgb(value: str, ground: Colour) -> Colour | None:
    """Read a colour as it looks on its ground; None where it is none, or can't be seen."""
    found = parse_color(value) if value else None
    if not isinstance(found, RGBA) or found.alpha == 0:
        return None
    red, green, blue = (max(0.0, min(1.0, found[n])) * found.alpha + ground[n] * (1 - found.alpha) for n in range(3))
    return red, green, blue


def _bars(value: str, ground: Colour, text: Colour) -> str:
    """Write the bars that tables draw in cells anew, pale enough for the text on them; "" where there are none."""
    found = _GRADIENT.fullmatch(value)
    if found is None:
        return ""
    stops = []
    for named, places in _STOPS.findall(found[2]):
        seen = _rgb(named, ground)
        stops.append((_hex(_readable(seen, text)) if seen else "transparent") + places)
    return f"linear-gradient({found[1]}, {', '.join(stops)})"


def _readable(colour: Colour, against: Colour) -> Colour:
    """Mix black or white to a colour, as little as its contrast needs."""
    target = _farthest(against)
    for share in range(21):
        red, green, blue = (colour[n] + (target[n] - colour[n]) * share / 20 for n in range(3))
        if contrast((red, green, blue), against) >= _READABLE:
            return red, green, blue
    return target


def _farthest(colour: Colour) -> Colour:
    return _BLACK if contrast(_BLACK, colour) >= contrast(_WHITE, colour) else _WHITE


def contrast(one: Colour, other: Colour) -> float:
    """Give the contrast of two colours, from 1 to 21.

    Examples
    --------
    >>> contrast((0, 0, 0), (1, 1, 1))
    21.0
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour)
