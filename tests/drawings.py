"""What figures are drawn with."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

from discoreport.charts.drawing import marks, theme, to_svg, xy_plane
from discoreport.charts.drawing.marks import TIPS, stacked
from discoreport.charts.drawing.text import clean, width_of, wrapped
from discoreport.charts.drawing.to_svg import picture
from discoreport.charts.drawing.xy_plane import Plane
from discoreport.charts.overview import _clear_of_marks, flags_of
