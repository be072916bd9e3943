"""Whether two files have their records in the same order."""

import numpy as np
import pandas as pd
import pytest

from discoreport import ComparisonWarning, assess, examples
from discoreport.measures.same_order import agreement

RNG = np.random.default_rng(1)
CODES = RNG.integers(0, 5, 2000)


def follows(original, synthetic):
    found = agreement(np.asarray(original), np.asarray(synthetic))
    return found is not None and found.follows


@pytest.mark.parametrize("share", [0.2, 0.5, 1])
def test_values_left_in_their_places_are_noticed(share):
    synthetic = np.where(RNG.random(2000) < share, CODES, RNG.permutation(CODES))
    assert follows(CODES, synthetic)
    assert share < 0.5 or follows(CODES, synthetic[:700])
    assert not follows(CODES, RNG.permutation(synthetic))


def test_an_order_that_was_turned_round_is_noticed():
    found = agreement(CODES, CODES[::-1])
    assert found.follows
    assert found.backwards
    assert follows(CODES, np.where(RNG.random(2000) < 0.3, CODES, RNG.permutation(CODES))[::-1])
    assert not agreement(CODES, CODES).backwards


@pytest.mark.parametrize("left_out", [[0], [0, 1, 2], [*range(0, 2000, 400)], [*range(40)]])
def test_records_that_were_left_out_hide_nothing(left_out):
    assert follows(CODES, np.delete(CODES, left_out))
    assert follows(np.delete(CODES, left_out), CODES)


@pytest.mark.parametrize(
    "ordered",
    [
        np.sort(CODES),
        np.sort(CODES)[::-1],
        np.arange(2000),
        np.tile(np.arange(12), 167),
        np.tile(np.arange(4), 500),
        np.repeat(np.arange(20), 100),
        np.zeros(2000, int),
    ],
    ids=["sorted", "downwards", "numbered", "months", "quarters", "blocks", "constant"],
)
def test_sorted_numbered_and_recurring_values_are_no_sign(ordered):
    assert not follows(ordered, ordered)


def test_random_files_are_not_cried_at():
    assert not any(follows(RNG.integers(0, k, 300), RNG.integers(0, k, 300)) for k in range(1, 60) for _ in range(20))


def test_few_records_tell_nothing():
    assert agreement(CODES[:29], CODES[:29]) is None


def test_a_partly_synthesised_file_is_warned_of_until_it_is_shuffled():
    original, honest = examples.read("original"), examples.read("synthetic_1")
    partly = honest.assign(wellbeing=original["wellbeing"], smoker=original["smoker"])
    settings = {"keys": ["sex", "age"], "targets": ["employment"]}
    with pytest.warns(ComparisonWarning, match="in the same place"):
        found = assess(original, partly, **settings)
    assert [one.finding for one in found.warnings] == ["same_order"]
    assert "wellbeing, smoker" in found.warnings[0].detail
    assert not assess(original, partly.sample(frac=1, random_state=1), **settings).warnings
    assert "order of the original" in " ".join(one.what for one in found.open_items)


def test_a_copy_is_told_of_once():
    original = pd.DataFrame({"a": RNG.integers(0, 9, 300), "b": RNG.integers(0, 9, 300)})
    with pytest.warns(ComparisonWarning):
        assert [one.finding for one in assess(original, original.copy(), keys="a").warnings] == ["copy"]


def test_a_few_copies_to_the_last_digit_are_warned_of_where_all_else_is_common():
    rng = np.random.default_rng(3)
    original, honest = (
        pd.DataFrame({"sex": rng.choice(["f", "m"], 1000), "town": rng.choice([*"abc"], 1000), "pay": rng.random(1000)})
        for _ in range(2)
    )
    some = pd.concat([original.iloc[:30], honest.iloc[30:]]).sample(frac=1, random_state=1)
    with pytest.warns(ComparisonWarning, match="30 of 1,000 synthetic records"):
        assert [one.finding for one in assess(original, some, keys="town", targets="sex").warnings] == [
            "copies_to_the_last"
        ]
    assert not assess(
        original, honest.assign(pay=rng.permutation(original["pay"])), keys="town", targets="sex"
    ).warnings
    numbered = [one.assign(pay=range(1000)) for one in (original, honest)]
    assert not assess(*numbered, keys="town", targets="sex").warnings
