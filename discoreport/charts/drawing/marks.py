"""The marks that figures are made of, and the figure that holds them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import LINE, Panel, Rows
from discoreport.charts.drawing.text import paragraph

if TYPE_CHECKING:
    import altair as alt

Layer: TypeAlias = "alt.Chart"
"""Values and a mark."""
Drawn: TypeAlias = "alt.LayerChart"
"""Layers over one another: marks that share a scale, or a whole figure."""
Values = Sequence[dict[str, Any]]
"""What marks are drawn from: fields of our own names; texts of users only as values."""


TIPS = {
    "name": "target",
    "key": "key",
    "group": "group",
    "release": "release",
    "steps": "steps",
    "pair": "pair",
    "size": "records with the same keys",
    "file": "file",
    "synthesis": "synthetic file",
    "records_released": "records released",
    "tau": "tau",
    "measure": "measure",
    "value": "value",
    "count": "records",
    "loss": "loss",
}
"""What a tooltip tells where values have it, and under which head: aggregates, as text."""
_WRITTEN = ("x", "y", "text", "name")
CURVE_STYLES: tuple[tuple[str, Sequence[float]], ...] = (
    (theme.SYNTHETIC, ()),
    (theme.INK, (6, 3)),
    (theme.GREY, (2, 3)),
    (theme.INK, (8, 3, 2, 3)),
    (theme.GREY, ()),
    (theme.SYNTHETIC, (2, 3)),
)
"""Hue and dashes of one curve after the other."""


def _chart(values: Values, mark: dict[str, Any], panel: Panel | None, **channels: Any) -> Layer:
    """Put values, a mark and its channels together; without a panel, ``x`` is in pixels, as ``y`` is in a `figure`."""
    import altair as alt

    from discoreport.charts.drawing.notebook_display import Mark

    x = panel.x() if panel else alt.X("x:Q", scale=None, axis=None)
    if values and "value" in values[0]:
        channels["tooltip"] = [alt.Tooltip(f"{tip}:N", title=head) for tip, head in TIPS.items() if tip in values[0]]
    return Mark(
        alt.Data(values=tuple(values)),  # type: ignore[no-untyped-call]
        mark=mark,  # type: ignore[arg-type]  # a MarkDef would carry a hundred empty fields along
        encoding=alt.FacetedEncoding(x=x, y=alt.Y("y:Q", axis=None), **channels),
    )


def texts(
    values: Values,
    *,
    panel: Panel | None = None,
    align: str = "left",
    colour: str = theme.INK,
    size: float = theme.TEXT_SIZE,
    strong: bool = False,
    dx: float = 0,
    dy: float = 0,
) -> Layer:
    """Draw the field ``text`` at ``x`` (pixels, or on a panel's scale) and ``y`` (pixels)."""
    import altair as alt

    mark = {"type": "text", "align": align, "color": colour, "fontSize": size, "dx": dx, "dy": dy}
    if strong:
        mark["fontWeight"] = theme.STRONG
    written = [{field: value[field] for field in _WRITTEN if field in value} for value in values]
    return _chart(written, mark, panel, text=alt.Text("text:N"))


def small(values: Values, *, align: str = "left") -> Layer:
    """Draw texts of second rank."""
    return texts(values, align=align, size=theme.SMALL_SIZE, colour=theme.GREY)


def symbols(
    values: Values,
    *,
    shape: str,
    colour: str,
    panel: Panel | None = None,
    size: float = 70,
    hollow: bool = False,
) -> Layer:
    """Draw one sign at ``x`` and ``y`` of each value."""
    fill = theme.PAPER if hollow else colour
    mark = {"type": "point", "shape": shape, "fill": fill, "stroke": colour, "strokeWidth": 1.6, "size": size}
    return _chart(values, mark, panel)


def spots(values: Values, panel: Panel | None = None) -> Layer:
    """Draw nothing at ``x`` and ``y``, but let the pointer find the values there."""
    return _chart(values, {"type": "point", "fill": "transparent", "stroke": None, "size": 120}, panel)


def lines(
    values: Values,
    *,
    colour: str,
    panel: Panel | None = None,
    thickness: float = 1,
    dash: Sequence[float] = (),
    slanting: bool = False,
) -> Layer:
    """Draw from ``x`` to ``x2`` at ``y``; with ``y2`` in the values, from ``y`` to ``y2``; slanting, both."""
    import altair as alt

    mark: dict[str, Any] = {"type": "rule", "color": colour, "strokeWidth": thickness, "strokeCap": "butt"}
    if dash:
        mark["strokeDash"] = list(dash)
    upright = bool(values) and "y2" in values[0]
    end: dict[str, Any] = {"y2": alt.Y2("y2")} if upright else {"x2": alt.X2("x2")}
    if slanting:
        end["x2"] = alt.X2("x2")
    return _chart(values, mark, panel, **end)


def curves(values: Values, *, colour: str, thickness: float = 2, dash: Sequence[float] = ()) -> Layer:
    """Draw a line through ``x`` and ``y`` (pixels) of the values with the same number ``curve``."""
    import altair as alt

    mark: dict[str, Any] = {"type": "line", "color": colour, "strokeWidth": thickness, "strokeJoin": "round"}
    if dash:
        mark["strokeDash"] = list(dash)
    return _chart(values, mark, None, detail=alt.Detail("curve:N"))


def bands(values: Values, *, colour: str) -> Layer:
    """Fill from ``y`` to ``y2`` over ``x`` (pixels) of the values with the same number ``curve``."""
    import altair as alt

    mark = {"type": "area", "color": colour, "fillOpacity": 0.14}
    return _chart(values, mark, None, y2=alt.Y2("y2"), detail=alt.Detail("curve:N"))


def grid(panel: Panel, top: float, height: float) -> Layer:
    """Draw a hairline at each tick of a panel, from below the heads to the end."""
    upright = [{"x": tick, "y": top, "y2": height} for tick in panel.ticks]
    return lines(upright, colour=theme.FAINT, panel=panel)


def bars(values: Values, panel: Panel, colour: str, *, thickness: float = 9, strong: bool = False) -> list[Layer]:
    """Draw a bar from the beginning of a panel to ``x``, with ``text`` after its end.

    A bar that would go beyond the panel ends there with a point; a missing value has no bar.
    """
    low, high = panel.domain
    known = [value for value in values if value["x"] is not None]
    drawn = [{**value, "x": low, "x2": min(value["x"], high)} for value in known]
    beyond = [{**value, "x": high} for value in known if value["x"] > high]
    ends = [{**value, "x": low if value["x"] is None else min(value["x"], high)} for value in values]
    return [
        lines(drawn, colour=colour, panel=panel, thickness=thickness),
        symbols(beyond, shape="triangle-right", colour=colour, panel=panel, size=thickness * 9),
        texts(ends, panel=panel, size=theme.SMALL_SIZE, strong=strong, dx=4),
    ]


def heads(columns: Iterable[tuple[str, Sequence[str]]], starts: Sequence[float]) -> list[Layer]:
    """Write a name, and under it a few lines of words, at the head of each column."""
    placed = list(zip(starts, columns, strict=True))
    names = [{"x": x, "y": 8, "text": name} for x, (name, _) in placed]
    below = [
        {"x": x, "y": 8 + LINE * n, "text": line} for x, (_, lines) in placed for n, line in enumerate(lines, start=1)
    ]
    return [texts(names, strong=True), small(below)]


def stacked(*marks: Layer | Drawn) -> Drawn:
    """Put marks that share a scale over one another."""
    from discoreport.charts.drawing.notebook_display import Stack

    return Stack(layer=[mark for mark in marks if _draws(mark)])


def _draws(mark: Layer | Drawn) -> bool:
    """Tell whether there is anything in a layer."""
    return bool(getattr(getattr(mark, "data", None), "values", True))


def names_of(placed: Rows) -> Layer:
    """Draw the names at the left edge."""
    return texts([value for label in placed.names for value in label.values(0)])


def names_below_heads(placed: Rows, is_head: Sequence[bool], indent: float) -> list[Layer]:
    """Draw the names at the left edge, of which some head those that follow."""
    named = list(zip(placed.names, is_head, strict=True))
    heads = [value for label, heading in named if heading for value in label.values(0)]
    below = [value for label, heading in named if not heading for value in label.values(indent)]
    return [texts(heads, strong=True), texts(below)]


def sign(
    x: float,
    words: str,
    *,
    shape: str,
    colour: str,
    size: float = 70,
    hollow: bool = False,
    strong: bool = False,
    away: float = 10,
    colour_of_words: str = "",
) -> list[Layer]:
    """Explain a sign above a figure: the words stand so many pixels right of its middle, and have its colour."""
    return [
        symbols([{"x": x, "y": 8}], shape=shape, colour=colour, size=size, hollow=hollow),
        texts([{"x": x + away, "y": 8, "text": words}], colour=colour_of_words or colour, strong=strong),
    ]


def figure(
    *layers: Layer | Drawn, height: float, question: str, subtitle: str, description: str, title: str = ""
) -> Drawn:
    """Put layers together under the house style.

    Parameters
    ----------
    layers
        One for each panel, and those that need none. Panels keep scales of their own.
    height
        Pixels of the drawing without titles.
    question, subtitle
        Its heading, and what to see.
    description
        The message in words with its figures, for those who do not see the drawing; it follows the question.
    title
        Stands in the place of the question.
    """
    import altair as alt

    from discoreport.charts.drawing.notebook_display import Figure

    head = alt.TitleParams(
        text=paragraph(title or question, theme.WIDTH, theme.TITLE_SIZE),
        subtitle=paragraph(subtitle, theme.WIDTH) if subtitle else alt.Undefined,
    )
    drawn = [layer for layer in layers if _draws(layer)]
    y = alt.Y("y:Q", scale={"domain": [0, height], "range": [0, height], "nice": False, "zero": False}, axis=None)
    for mark in itertools.chain.from_iterable(getattr(layer, "layer", [layer]) for layer in drawn):
        mark.encoding.y = y
    return Figure(
        layer=drawn,
        description=f"{question} {description}",
        title=head,
        width=theme.WIDTH,
        height=height,
        resolve=alt.Resolve(scale=alt.ScaleResolveMap(x="independent")),
        config=alt.Config(**theme.configuration()),
    )
