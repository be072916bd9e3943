"""Charts that a notebook holds as a Vega-Lite specification -> drawings; nothing is fetched for them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from discoreport.charts.drawing.to_svg import undrawable

_MEDIA_TYPE = re.compile(r"application/vnd\.vegalite\.v\d+(?:\.\d+)*\+json")
_EMBEDDED = re.compile(r"\}\)\(\s*(?=\{)|\bspec\s*=\s*(?=\{)")
"""Before the specification in the HTML that Altair writes."""
LARGEST = 3_000_000
"""Signs of a specification that is drawn."""
_MOST_STEPS = 100_000
_VERSION = re.compile(r"vega-lite/v(\d+)(?:\.(\d+))?")


def drawn(data: Mapping[str, Any], written: str) -> tuple[str, str] | None:
    """Draw the chart of an output, and say what it shows.

    Parameters
    ----------
    data
        The output by media types.
    written
        Its HTML, in which Altair puts the specification.

    Returns
    -------
    tuple of str, or None
        SVG, and words; None where there is no chart, where it would fetch something, or can't be drawn.
    """
    specification = next(_specifications(data, written), None)
    if specification is None or undrawable() or _fetches(specification):
        return None
    import vl_convert

    versions = set(vl_convert.get_vegalite_versions())
    named = _VERSION.search(str(specification.get("$schema", "")))
    wanted = f"{named[1]}.{named[2]}" if named else ""
    version = wanted if wanted in versions else None
    try:
        svg = str(vl_convert.vegalite_to_svg(specification, vl_version=version, allowed_base_urls=[]))
    except ValueError:
        return None
    return svg, _words(specification)


def _words(specification: Mapping[str, Any]) -> str:
    """Say what a chart shows: what it says of itself, or its title, or its kind and its fields."""
    title = specification.get("title")
    text = title.get("text") if isinstance(title, Mapping) else title
    told = specification.get("description") or (" ".join(map(str, text)) if isinstance(text, list) else text)
    if isinstance(told, str) and told.strip():
        return told.strip()[:400]
    mark, encoding = specification.get("mark"), specification.get("encoding")
    kind = mark.get("type") if isinstance(mark, Mapping) else mark
    channels = encoding.items() if isinstance(encoding, Mapping) else ()
    fields = [
        f"{name}: {one.get('field') or one.get('aggregate')}" for name, one in channels if isinstance(one, Mapping)
    ]
    named = f" of kind {kind}" if isinstance(kind, str) else ""
    return f"Chart{named}" + (f" ({', '.join(fields)})" if fields else "")


def _specifications(data: Mapping[str, Any], written: str) -> Iterator[dict[str, Any]]:
    for media_type, content in data.items():
        if _MEDIA_TYPE.fullmatch(media_type) and isinstance(content, dict) and len(json.dumps(content)) <= LARGEST:
            yield content
    if "vegaEmbed" in written and len(written) <= LARGEST:
        for found in _EMBEDDED.finditer(written):
            try:
                content, _ = json.JSONDecoder().raw_decode(written, found.end())
            except (ValueError, RecursionError):
                continue
            if isinstance(content, dict) and "vega-lite" in str(content.get("$schema", "vega-lite")):
                yield content


def _fetches(specification: object) -> bool:
    """Tell whether a chart names an address, or makes more data than it brings."""
    left = [specification]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            steps = one.get("sequence")
            if "url" in one or "graticule" in one or (isinstance(steps, dict) and not _few(steps)):
                return True
            left += one.values()
        elif isinstance(one, list):
            left += one
    return False


def _few(steps: Mapping[str, Any]) -> bool:
    numbers = [steps.get("start", 0), steps.get("stop"), steps.get("step", 1)]
    if not all(isinstance(number, int | float) for number in numbers) or not numbers[2]:
        return False
    return bool(abs((numbers[1] - numbers[0]) / numbers[2]) <= _MOST_STEPS)
