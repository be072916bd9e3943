"""Names beside points of a plane."""

import itertools

from discoreport.charts.drawing.point_labels import Named, along, labels_beside, meet
from tests.drawings import Plane

PLANE = Plane(0, 100, 0, 100, (0, 1), (0, 1))


def test_a_name_that_must_be_written_covers_little_and_stays_at_its_point():
    others = [(0, 0, 100, 57), (0, 57, 46, 100), (80, 57, 100, 100)]  # a line down, at the right, least is covered
    assert labels_beside([Named(50, 50, "here")], PLANE, others) == []
    ((_, place),) = labels_beside([Named(50, 50, "here", always=True)], PLANE, others)
    assert (place["x"], place["y"]) == (58, 64)
    nearer = [(0, 0, 100, 43), (0, 57, 100, 71), (0, 43, 100, 50), (0, 71, 100, 74)]  # two lines down it covers less
    ((_, place),) = labels_beside([Named(50, 50, "here", always=True)], PLANE, nearer)
    assert place["y"] == 50


def test_no_name_lies_on_a_line():
    line = along([(20, 50), (50, 50), (90, 50)])
    ((_, place),) = labels_beside([Named(50, 50, "on it")], PLANE, line)
    box = (place["x"], place["y"] - 7, place["x"] + 30, place["y"] + 7)
    assert not [piece for piece in line if meet(box, piece)]
    assert along([(1, 1)]) == []
    steep = along([(10, 0), (20, 90)])
    assert all(abs(one[1] - other[1]) <= 4 for one, other in itertools.pairwise(steep))
