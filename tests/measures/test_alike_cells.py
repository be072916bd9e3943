"""Sums over cells that were taken together are those over the cells themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport.measures import MEASURES
from discoreport.measures.alike_cells import AlikeCells
from discoreport.measures.class_sizes import class_sizes
from tests.counting import Cells

FEW, LARGE = st.integers(0, 3), st.sampled_from([0, 1, 2, 10**6, 10**6 + 1])


@st.composite
def cells(draw):
    counts = draw(st.sampled_from([FEW, LARGE]))
    places = draw(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=1))
    return Cells.from_rows([(*place, draw(counts), draw(counts)) for place in places])


def sums(of_cells):
    of_measures = {name: entry.count(of_cells) for name, entry in MEASURES.items()}
    denominators = {("of", name): entry.of(of_cells) for name, entry in MEASURES.items() if entry.of}
    return of_measures | denominators | class_sizes(of_cells)


@given(counted=cells(), seed=st.integers(0, 9), excluded=st.booleans())
def test_every_measure_is_the_same(counted, seed, excluded):
    if excluded:
        left = np.random.default_rng(seed).random((2, len(counted.d_full))) < 0.7
        counted = counted.left(*left)
    found, expected = sums(AlikeCells.among(counted)), sums(counted)
    for name, of_cells in expected.items():
        assert found[name] == pytest.approx(of_cells, rel=1e-12), name


def test_cells_that_are_alike_are_one_row():
    rows = [(key, level, 1, 2) for key in range(1000) for level in ("yes", "no")]
    alike = AlikeCells.among(Cells.from_rows(rows))
    assert (alike.n.tolist(), alike.keys.n.tolist()) == ([1000, 1000], [1000])


def test_counts_that_do_not_fit_into_one_number_are_kept_apart():
    most = 2**22 - 1
    counted = Cells.from_rows([("a", "yes", most, most), ("b", "yes", 1, 1), ("c", "yes", 2, 1)])
    left = counted.left(np.array([True, False, False]), np.array([True, True, True]))
    assert sorted(AlikeCells.among(left).d_key_full.tolist()) == [1, 2, most]
