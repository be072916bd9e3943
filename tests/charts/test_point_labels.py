"""Names beside points of a plane."""

from discoreport.charts.drawing.point_labels import Named, labels_beside
from discoreport.charts.drawing.xy_plane import Plane

PLANE = Plane(0, 100, 0, 100, (0, 1), (0, 1))


def test_a_name_that_must_be_written_covers_as_little_as_it_can():
    others = [(0, 0, 100, 68), (0, 84, 70, 100)]  # below and to the right, little is covered
    assert labels_beside([Named(50, 50, "here")], PLANE, others) == []
    ((_, place),) = labels_beside([Named(50, 50, "here", always=True)], PLANE, others)
    assert place["x"] > 50
    assert place["y"] > 70
