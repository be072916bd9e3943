"""The map of pairs: a square for every two variables, the darker the further the files are apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discoreport.charts.drawing import theme
from discoreport.charts.drawing.layout import LINE
from discoreport.charts.drawing.marks import Drawn, Layer, lines, texts
from discoreport.charts.drawing.text import width_of, wrapped

BANDS = (
    (0.0, "up to 3", "#DCE3EA"),
    (3.0, "3 to 10", "#9FB2C4"),
    (10.0, "10 to 30", "#5B7896"),
    (30.0, "above 30", "#16293D"),
)
"""From which S_pMSE on, its words, and its colour: one hue, rising in darkness, so that grey print keeps the order."""
MOST_MAPPED = 60
"""Variables on the map; those in the worst pairs where there are more."""
_LARGEST, _LEAST = 26.0, 7.0
_LEGEND = 34


def band_of(value: float) -> int:
    """Give the place of the band that a value of S_pMSE is in; a bound belongs to the band below it."""
    return max(place for place, (bound, _, _) in enumerate(BANDS) if value > bound or place == 0)


def pair_map(names: Sequence[str], values: Mapping[tuple[int, int], float | None]) -> tuple[list[Layer | Drawn], float]:
    """Draw the squares of all pairs below a diagonal that has the variables alone.

    Parameters
    ----------
    names
        Clean ones of the variables, from top to bottom; they are numbered, and the numbers stand under the columns.
    values
        S_pMSE by place of the row and of the column, which isn't larger; None where there is none.

    Returns
    -------
    list of charts, float
        The layers, and the height they take.
    """
    longest = max(width_of(f"{len(names)} {name}") for name in names)
    left = min(longest, 190) + 10
    cell = max(min(_LARGEST, (theme.WIDTH - left) / len(names)), _LEAST)
    size = min(theme.SMALL_SIZE, max(cell - 0.3, theme.LEAST_SIZE))
    top = float(_LEGEND)
    blocks = [wrapped(f"{place} {name}", left - 10, size) for place, name in enumerate(names, start=1)]
    heights = [max(cell, len(block) * size) for block in blocks]
    tops = [top + sum(heights[:place]) for place in range(len(names))]
    height = tops[-1] + heights[-1] + LINE
    written = [
        {"x": left - 6, "y": y + of_row / 2 + (n - (len(block) - 1) / 2) * size, "text": line}
        for block, y, of_row in zip(blocks, tops, heights, strict=True)
        for n, line in enumerate(block)
    ]
    squares: dict[int, list[dict[str, Any]]] = {}
    for (row, column), value in values.items():
        if value is not None:
            squares.setdefault(band_of(value), []).append(
                {
                    "x": left + column * cell + 0.5,
                    "x2": left + (column + 1) * cell - 0.5,
                    "y": tops[row] + heights[row] / 2,
                    "pair": names[row] + (f" and {names[column]}" if row != column else ""),
                    "value": f"S_pMSE {value:.3g}",
                }
            )
    drawn: list[Layer | Drawn] = [
        lines(of_band, colour=BANDS[band][2], thickness=max(cell - 1, 1)) for band, of_band in sorted(squares.items())
    ]
    every = 1 if cell > 2 * size or len(names) < 10 else 5
    numbers = [
        {"x": left + (place + 0.5) * cell, "y": height - LINE / 2, "text": f"{place + 1}"}
        for place in range(len(names))
        if not (place + 1) % every or place == 0
    ]
    return [
        *_legend(),
        texts(written, align="right", size=size),
        *drawn,
        texts(numbers, align="center", size=theme.LEAST_SIZE, colour=theme.GREY),
    ], height


def _legend() -> list[Layer | Drawn]:
    x, marks = 52.0, [texts([{"x": 0, "y": 10, "text": "S_pMSE"}], size=theme.SMALL_SIZE, strong=True)]
    for _, words, colour in BANDS:
        marks.append(lines([{"x": x, "x2": x + 14, "y": 10}], colour=colour, thickness=12))
        marks.append(texts([{"x": x + 19, "y": 10, "text": words}], size=theme.SMALL_SIZE))
        x += 19 + width_of(words, theme.SMALL_SIZE) + 18
    return [*marks]
