"""What a value denotes does not depend on its neighbours, on the order of records, or on the type a file stores."""

import decimal
import enum
import random

import numpy as np
import openpyxl
import pandas as pd
import pyreadstat
import pytest

from discoreport import ComparisonWarning, assess


class Answer(enum.StrEnum):
    YES = "yes"


class Colour(str, enum.Enum):  # noqa: UP042  # writes its name, not its value
    RED = "red"


class Code(enum.IntEnum):
    ONE = 1


def measured(original, synthetic, **settings):
    """Give iS, repU and the levels of a lone key, with a target that says nothing."""
    ours, theirs = (pd.DataFrame({"key": values, "target": "x"}) for values in (original, synthetic))
    assessment = assess(ours, theirs, keys="key", targets="target", **settings)
    return assessment.attribute.loc[("target", 1), "iS"], assessment.variables[0].n_levels


# Values that Python takes for equal --------------------------------------------------------------

MIXED = {
    "1 and True": ([True, 1, 9], 3),
    "0 and False": ([0, False, 9], 3),
    "0.0 and False": ([0.0, False, "a"], 3),
    "minus zero and False": ([-0.0, False, 0], 2),
    "numpy's 1 and True": ([np.int8(1), np.bool_(True), 1.0], 2),
    "Decimal 1 and True": ([decimal.Decimal("1.0"), True, 1], 2),
    "an enumeration's 1 and True": ([Code.ONE, True, 1], 2),
    "an enumeration's text and text": ([Colour.RED, "red", Answer.YES, "yes"], 2),
    "single and double": ([np.float32(0.1), float(np.float32(0.1)), 0.1], 2),
    "64 bits and more": ([2**70, 2.0**70, 2**70 + 1], 2),
    "1 and its text": ([1, "1", True, "True"], 2),
    "missing in every way and False": ([None, np.nan, pd.NaT, pd.NA, decimal.Decimal("NaN"), False, 0], 2),
}


@pytest.mark.parametrize(("values", "n_levels"), MIXED.values(), ids=MIXED)
def test_levels_of_mixed_values_do_not_depend_on_the_order_of_records(values, n_levels):
    original = pd.Series(values * 40, dtype=object)
    shuffled = values * 40
    random.Random(7).shuffle(shuffled)
    for synthetic in (original[::-1], pd.Series(shuffled, dtype=object)):
        assert measured(original, synthetic.reset_index(drop=True)) == (100, n_levels)


def test_true_and_1_in_a_sheet_are_two_levels_in_any_order(tmp_path):
    paths = [tmp_path / "original.xlsx", tmp_path / "synthetic.xlsx"]
    for path, values in zip(paths, ([True, 1, 9], [9, 1, True]), strict=True):
        book = openpyxl.Workbook()
        for row in [("key", "target"), *((value, "x") for value in values * 40)]:
            book.active.append(row)
        book.save(path)
    assessment = assess(*paths, keys="key")
    assert assessment.attribute.loc[("target", 1), "iS"] == 100
    assert assessment.variables[0].n_levels == 3
