"""How a figure shows itself in a notebook, without internet and whatever renderer the user has set."""

from __future__ import annotations

from typing import Any, Self

import altair as alt

from discoreport.charts.drawing.to_svg import specify, svg

VEGA_LITE = "application/vnd.vegalite.v5+json"
"""JupyterLab, Notebook 7, VS Code and Voila draw this with a Vega-Lite of their own, version 5."""
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_OPTIONS = {"actions": False, "renderer": "svg"}


class _Shared:
    """Never changed once in a figure, so that charts that hold it needn't copy it: most of the time that takes."""

    def __deepcopy__(self, _: dict[int, Any] | None = None) -> Self:
        return self


class Mark(_Shared, alt.Chart):
    """Values, a mark and its channels: a layer of a figure."""


class Stack(_Shared, alt.LayerChart):
    """Marks that share a scale, over one another: a layer of a figure."""


class Figure(alt.LayerChart):
    """A layered chart that brings its drawing along.

    A notebook that has Vega-Lite draws the specification, with tooltips; everything else, exports
    included, takes the SVG. Nothing is fetched. In all other respects it is an `altair.LayerChart`.
    """

    def _repr_mimebundle_(self, *_: Any, **__: Any) -> Any:
        """Give the specification, the SVG and the description, and what the host is to leave out."""
        specification = {**specify(self), "$schema": _SCHEMA}
        bundle = {
            VEGA_LITE: specification,
            "image/svg+xml": svg(self),
            "text/plain": str(specification.get("description", "")),
        }
        return bundle, {VEGA_LITE: {"embed_options": dict(_OPTIONS)}}
