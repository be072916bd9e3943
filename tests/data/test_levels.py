"""What a value denotes does not depend on its neighbours, on the order of records, or on the type a file stores."""

import decimal
import enum
import random

import numpy as np
import openpyxl
import pandas as pd
import pyreadstat
import pytest

from discoreport import assess
from tests.tables import code_variable, read

pytestmark = pytest.mark.filterwarnings("ignore:Records of the original:discoreport.ComparisonWarning")  # copies


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


def levels_of(name, *sources):
    """Give the levels as they are shown."""
    return code_variable(name, [read(source, "frame") for source in sources]).level_texts


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


@pytest.mark.skipif(
    tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1),
    reason="earlier pandas reads True in a sheet as the 1 before it; then the assessment warns",
)
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


# Single precision --------------------------------------------------------------------------------

SINGLE = [16.8, 0.1, 2.5, -0.3, 1e-7, 1000000.0625, 123.456]


def written_in_single_precision(folder):
    """Write float32 numbers in every way in which they get about; two of them bring them to double precision."""
    frame = pd.DataFrame({"key": np.array(SINGLE * 20, np.float32), "target": "x"})
    upcast = frame.assign(key=frame.key.astype(np.float64))
    frame.to_csv(folder / "frame.csv", index=False)
    upcast.to_csv(folder / "upcast.csv", index=False)
    frame.to_parquet(folder / "frame.parquet", index=False)
    upcast.to_parquet(folder / "upcast.parquet", index=False)
    frame.to_stata(folder / "float.dta", write_index=False)
    pyreadstat.write_dta(frame, str(folder / "double.dta"))
    pyreadstat.write_sav(frame, str(folder / "double.sav"))
    pyreadstat.write_xport(frame, str(folder / "double.xpt"))
    return {
        **{path.name: path for path in sorted(folder.iterdir())},
        "frame": frame,
        "upcast frame": upcast,
        "objects": upcast.assign(key=upcast.key.astype(object)),
        "nullable": frame.assign(key=frame.key.astype("Float32")),
    }


def test_numbers_of_single_precision_meet_and_are_shown_in_their_shortest_decimals(tmp_path):
    stored = written_in_single_precision(tmp_path)
    for name, synthetic in stored.items():
        for original in (stored["frame"], stored["frame.csv"]):
            assessment = assess(original, synthetic, keys="key", targets="target")
            assert assessment.attribute.loc[("target", 1), "iS"] == 100, name
    assert {"16.8", "0.1", "-0.3"} <= set(levels_of("key", stored["double.dta"], stored["float.dta"]))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_what_was_brought_to_double_precision_is_said(engine, tmp_path):
    stored = written_in_single_precision(tmp_path)
    assessment = assess(stored["frame.csv"], stored["upcast.parquet"], keys="key", targets="target", engine=engine)
    assert assessment.attribute.loc[("target", 1), "iS"] == 100
    assert any("single precision" in finding.detail for finding in assessment.findings)


def test_doubles_are_left_alone():
    values = [16.799999237060547, 0.1, 0.3]
    assert measured(values, values) == (100, 3)
    assert measured([0.1 + 0.2, 0.5], [0.3, 0.5])[0] == 50


def test_marks_of_stata_leave_single_precision_alone(tmp_path):
    path = tmp_path / "marked.dta"
    frame = pd.DataFrame({"key": [16.8, 0.1, "a"] * 40, "target": "x"})
    upcast = frame.assign(key=[float(np.float32(v)) if isinstance(v, float) else v for v in frame.key])
    pyreadstat.write_dta(upcast, str(path), missing_user_values={"key": ["a"]})
    assert assess(path, frame, keys="key", targets="target").attribute.loc[("target", 1), "iS"] == 100
