"""Counting tables: all pairs at once give what each pair gives alone, however wide its variables are."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport.measures.tables_in_memory import count_pairs, count_tables
from tests.tables import Variable


def variable(name, n_levels, sizes, random):
    codes = tuple(random.integers(0, n_levels + 1, n).astype(np.uint16) for n in sizes)
    texts = tuple(map(str, range(n_levels)))
    return Variable(name, "text", ("text",) * len(sizes), codes, None, texts, has_missing=True)


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=7),
    st.lists(st.integers(1, 300), min_size=2, max_size=3),
    st.sampled_from([1, 5, 40, 256]),
    st.integers(0, 9),
)
def test_pairs_counted_at_once_are_those_counted_alone(n_levels, sizes, widest, seed):
    random = np.random.default_rng(seed)
    variables = [variable(str(place), n, sizes, random) for place, n in enumerate(n_levels)]
    pairs = list(itertools.combinations(range(len(variables)), 2))
    found = list(count_pairs(variables, widest))
    assert len(found) == len(pairs)
    for (first, second), cells in zip(pairs, found, strict=True):
        width = variables[second].n_codes
        for file, of_file in enumerate(cells.counts):
            expected = np.zeros((variables[first].n_codes, width), int)
            np.add.at(expected, (variables[first].codes[file], variables[second].codes[file]), 1)
            got = np.zeros(expected.size, int)
            got[cells.codes] = of_file
            assert (got == expected.ravel()).all()


def test_other_tables_are_counted_one_by_one():
    random = np.random.default_rng(1)
    variables = [variable(str(place), 3, (70_000, 50), random) for place in range(4)]
    pairs = list(itertools.combinations(range(4), 2))
    at_once = list(count_tables(variables, pairs))
    alone = [next(count_tables(variables, [pair])) for pair in pairs]
    for one, other in zip(at_once, alone, strict=True):
        assert one.codes.tolist() == other.codes.tolist()
        assert one.counts.tolist() == other.counts.tolist()
    (three,) = count_tables(variables, [(0, 1, 3)])
    assert three.counts.sum(axis=1).tolist() == [70_000, 50]
    assert three.counts.reshape(2, 4, 4, 4).sum(axis=(2, 3)).tolist() == variables[0].counts.tolist()
    assert list(count_tables(variables[:1], [])) == []


@pytest.mark.parametrize("widest", [1, 256])
def test_no_variable_and_one_have_no_pairs(widest):
    one = variable("a", 2, (5, 6), np.random.default_rng(1))
    assert list(count_pairs([one], widest)) == []
    assert list(count_pairs([], widest)) == []
