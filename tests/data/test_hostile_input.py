"""Input that a user may well have, and that must never make a file look safer than it is."""

import datetime
import decimal
import gzip
import math
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from discoreport import (
    Assessment,
    ComparisonWarning,
    DiscoReportError,
    Exclusion,
    Settings,
    assess,
    groups,
    read_policy,
    release_size,
    sensitivity,
)
from discoreport.assessment.analyses import ANALYSES
from discoreport.errors import DataError, SettingsError
from tests.commands import STEPS, kind_of
from tests.records import MitigationStep
from tests.tables import disco, findings, message_of

TARGET = ["a", "b", "c", "d"]


def frame(key, target=None):
    return pd.DataFrame({"key": key, "target": TARGET[: len(key)] if target is None else target})


def assert_meet(original, synthetic):
    """Assert that every key of the original is found in the synthetic file and gives away its target."""
    assessment = assess(frame(original), frame(synthetic), keys=["key"])
    assert assessment.attribute.loc[("target", 1), ["iS", "DiSCO"]].tolist() == [100, 100]
    assert assessment.identity.loc[1, "repU"] == 100
    return assessment


def assert_apart(original, synthetic):
    """Assert that no key of the original is found, and that this is said aloud."""
    with pytest.warns(ComparisonWarning):
        assessment = assess(frame(original), frame(synthetic), keys=["key"])
    assert assessment.attribute.loc[("target", 1), "iS"] == 0
    return assessment


# Values that denote the same level ---------------------------------------------------------------

WHOLE = [57, 5, -8, 0]
STORED_WHOLE = {
    "int64": pd.Series(WHOLE),
    "int8": pd.Series(WHOLE, dtype="int8"),
    "Int64": pd.Series(WHOLE, dtype="Int64"),
    "float64": pd.Series(WHOLE, dtype="float64"),
    "float32": pd.Series(WHOLE, dtype="float32"),
    "Float64": pd.Series(WHOLE, dtype="Float64"),
    "text": pd.Series([str(value) for value in WHOLE]),
    "text as object": pd.Series([str(value) for value in WHOLE], dtype=object),
    "string": pd.Series([str(value) for value in WHOLE], dtype="string"),
    "text with decimals": pd.Series([f"{value}.0" for value in WHOLE]),
    "category of int": pd.Series(WHOLE, dtype="category"),
    "category of float": pd.Series(WHOLE, dtype="float64").astype("category"),
    "category of text": pd.Series([str(value) for value in WHOLE], dtype="category"),
    "category of text with decimals": pd.Series([f"{value}.0" for value in WHOLE], dtype="category"),
    "Decimal": pd.Series([decimal.Decimal(value) for value in WHOLE]),
    "Decimal with digits": pd.Series([decimal.Decimal(f"{value}.00") for value in WHOLE]),
    "object of int": pd.Series(WHOLE, dtype=object),
    "object of int, float and numpy": pd.Series([57, 5.0, np.int16(-8), np.float32(0)], dtype=object),
    "arrow int": pd.Series(WHOLE, dtype=pd.ArrowDtype(pa.int32())),
    "arrow decimal": pd.Series([decimal.Decimal(v) for v in WHOLE], dtype=pd.ArrowDtype(pa.decimal128(9, 2))),
}


@pytest.mark.fast_cases(40)
@pytest.mark.parametrize("synthetic", STORED_WHOLE)
@pytest.mark.parametrize("original", ["int64", "float64", "text", "text with decimals", "category of int", "Decimal"])
def test_whole_numbers_meet_however_they_are_stored(original, synthetic):
    assert_meet(STORED_WHOLE[original], STORED_WHOLE[synthetic])


FRACTIONS = [0.1, 2.5, -0.3, 1e-7]
STORED_FRACTIONS = {
    "float64": pd.Series(FRACTIONS),
    "float32": pd.Series(FRACTIONS, dtype="float32"),
    "Float32": pd.Series(FRACTIONS, dtype="Float32"),
    "text": pd.Series(["0.1", "2.5", "-0.3", "0.0000001"]),
    "text with trailing zeros": pd.Series(["0.10", "2.500", "-0.30", "0.00000010"]),
    "category of float32": pd.Series(FRACTIONS, dtype="float32").astype("category"),
    "object of float32": pd.Series([np.float32(value) for value in FRACTIONS], dtype=object),
    "Decimal": pd.Series([decimal.Decimal(text) for text in ("0.1", "2.5", "-0.3", "0.0000001")]),
    "arrow dictionary of float32": pd.Series(
        pd.arrays.ArrowExtensionArray(pa.array(FRACTIONS, pa.float32()).dictionary_encode())
    ),
    "arrow float32": pd.Series(FRACTIONS, dtype=pd.ArrowDtype(pa.float32())),
}


@pytest.mark.fast_cases(20)
@pytest.mark.parametrize("synthetic", STORED_FRACTIONS)
@pytest.mark.parametrize("original", ["float64", "float32", "text", "Decimal"])
def test_fractions_meet_however_they_are_stored(original, synthetic):
    assert_meet(STORED_FRACTIONS[original], STORED_FRACTIONS[synthetic])


YES_NO = [True, False]


@pytest.mark.parametrize(
    "stored",
    [
        pd.Series(YES_NO),
        pd.Series(YES_NO, dtype="boolean"),
        pd.Series(YES_NO, dtype=object),
        pd.Series(YES_NO, dtype="category"),
        pd.Series(["True", "False"]),
        pd.Series(["true", "false"], dtype="category"),
        pd.Series(["TRUE", "FALSE"]),
        pd.Series([1, 0]),
        pd.Series([1.0, 0.0]),
        pd.Series(["1", "0"]),
        pd.Series(YES_NO, dtype=pd.ArrowDtype(pa.bool_())),
    ],
    ids=lambda stored: f"{stored.dtype} {stored[0]!r}",
)
def test_booleans_meet_however_they_are_written(stored):
    assert_meet(pd.Series(YES_NO), stored)
    assert_meet(stored, pd.Series(YES_NO))


DAYS = ["2011-05-01", "1999-12-31"]


@pytest.mark.parametrize(
    "stored",
    [
        pd.Series([datetime.date.fromisoformat(day) for day in DAYS]),
        pd.Series([datetime.datetime.fromisoformat(day) for day in DAYS], dtype=object),
        pd.Series([datetime.date.fromisoformat(day) for day in DAYS], dtype="category"),
        pd.to_datetime(pd.Series(DAYS)).astype("datetime64[ns]"),
        pd.to_datetime(pd.Series(DAYS)).astype("datetime64[s]"),
        pd.to_datetime(pd.Series(DAYS)).astype("category"),
        pd.Series(DAYS),
        pd.Series([f"{day} 00:00:00" for day in DAYS]),
        pd.Series([f"{day}T00:00:00" for day in DAYS], dtype="category"),
        pd.Series([datetime.date.fromisoformat(day) for day in DAYS], dtype=pd.ArrowDtype(pa.date32())),
        pd.Series(pd.to_datetime(pd.Series(DAYS)), dtype=pd.ArrowDtype(pa.timestamp("us"))),
    ],
    ids=lambda stored: f"{stored.dtype} {stored[0]!r}",
)
def test_days_meet_however_they_are_written(stored):
    assert_meet(pd.to_datetime(pd.Series(DAYS)), stored)
    assert_meet(stored, pd.Series([datetime.date.fromisoformat(day) for day in DAYS]))


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_meet_in_any_resolution(unit):
    moments = pd.Series(pd.to_datetime(["2011-05-01 12:30:00", "2011-05-01 12:30:01"]))
    assert_meet(moments, moments.astype(f"datetime64[{unit}]"))
    assert_meet(moments.astype(f"datetime64[{unit}]"), moments.dt.strftime("%Y-%m-%dT%H:%M:%S"))


def test_fractions_of_a_second_meet_in_any_resolution():
    moments = pd.Series(pd.to_datetime(["2011-05-01 12:30:00.250", "2011-05-01 12:30:01.500"]))
    for unit in ("ms", "us", "ns"):
        assert_meet(moments, moments.astype(f"datetime64[{unit}]"))
    assert_meet(moments, pd.Series(["2011-05-01 12:30:00.25", "2011-05-01 12:30:01.5"]))


def test_text_meets_however_it_is_stored():
    for dtype in (object, "str", "string", "category", pd.ArrowDtype(pa.string()), pd.ArrowDtype(pa.large_string())):
        assert_meet(pd.Series(["é", "ß"]), pd.Series(["é", "ß"], dtype=dtype))


def test_unused_levels_of_a_category_change_nothing():
    categories = pd.CategoricalDtype(["x", "never", "y", "nowhere"])
    assessment = assert_meet(pd.Series(["x", "y"], dtype=categories), pd.Series(["x", "y"]))
    assert findings(assessment, "key") <= {"type_change"}
    variable = assessment.variables[0]
    assert (variable.n_levels, variable.n_levels_synthetic) == (2, (2,))


def test_categories_in_another_order_meet():
    assert_meet(
        pd.Series(["x", "y"], dtype=pd.CategoricalDtype(["y", "x"], ordered=True)),
        pd.Series(["x", "y"], dtype=pd.CategoricalDtype(["x", "y"])),
    )


def test_whole_numbers_beyond_2_to_the_53_stay_distinct():
    identifiers = [2**53, 2**53 + 1, 2**63 - 1, 2**63 - 2]
    assert_meet(pd.Series(identifiers), pd.Series(identifiers, dtype="Int64"))
    assert_meet(pd.Series(identifiers), pd.Series([str(value) for value in identifiers]))
    assert_apart(pd.Series([2**53]), pd.Series([2**53 + 1]))
    assert_apart(pd.Series([2**53]), pd.Series([str(2**53 + 1)]))


def test_whole_numbers_beyond_64_bits_stay_distinct():
    identifiers = [2**64 - 1, 2**64 - 2, 2**64 + 1]
    assert_meet(pd.Series(identifiers, dtype=object), pd.Series(identifiers, dtype=object))
    assert_meet(pd.Series(identifiers[:2], dtype="uint64"), pd.Series(identifiers[:2], dtype=object))
    assert_meet(pd.Series(identifiers[:2], dtype="uint64"), pd.Series([str(value) for value in identifiers[:2]]))


def test_large_whole_numbers_with_missing_values_stay_distinct():
    identifiers = [2**53, 2**53 + 1, None]
    assert_meet(pd.Series(identifiers, dtype="Int64"), pd.Series(identifiers, dtype="Int64"))
    arrow = pa.table({"key": pa.array(identifiers, pa.int64()), "target": TARGET[:3]})
    assessment = assess(arrow, arrow, keys="key")
    assert disco(assessment) == 100


def test_large_floats_meet_whole_numbers_of_the_same_value():
    assert_meet(pd.Series([1e15, 2.0**53, 1e16]), pd.Series([10**15, 2**53, 10**16]))
    assert_meet(pd.Series([1e16, 2.0**60]), pd.Series([str(10**16), str(2**60)]))
    assert_meet(pd.Series([1e20, 1e22]), pd.Series([1e20, 1e22], dtype=object))


@pytest.mark.parametrize("dtype", [object, "category", pd.ArrowDtype(pa.decimal128(38, 0))])
def test_large_decimals_stay_distinct(dtype):
    identifiers = [2**60, 2**60 + 1]
    stored = pd.Series([decimal.Decimal(value) for value in identifiers]).astype(dtype)
    assert_meet(stored, stored)
    assert_meet(stored, pd.Series(identifiers))


def test_infinity_is_a_level_like_any_other():
    assert_meet(pd.Series([math.inf, -math.inf, 1.0]), pd.Series([math.inf, -math.inf, 1.0]))
    assert_meet(pd.Series([math.inf, -math.inf, 1.0]), pd.Series([math.inf, -math.inf, 1.0], dtype=object))


def test_negative_zero_is_zero():
    assert_meet(pd.Series([-0.0, 1.5]), pd.Series([0.0, 1.5]))
    assert_meet(pd.Series([0, 1]), pd.Series([-0.0, 1.0]))


# Missing values ----------------------------------------------------------------------------------

MISSING = [
    None,
    float("nan"),
    np.nan,
    pd.NA,
    pd.NaT,
    np.float32("nan"),
    decimal.Decimal("NaN"),
    np.datetime64("NaT", "s"),
]


@pytest.mark.parametrize("mark", MISSING, ids=repr)
def test_every_mark_for_missing_is_the_same_level(mark):
    assert_meet(pd.Series(["x", None], dtype=object), pd.Series(["x", mark], dtype=object))


def test_marks_for_missing_mixed_in_one_column_are_one_level():
    original = frame(pd.Series(MISSING, dtype=object), ["a"] * len(MISSING))
    assessment = assess(original, original, keys="key")
    assert assessment.attribute.loc[("target", 1), "max_denom"] == len(MISSING)
    assert assessment.variables[0].percent_missing == 100


def test_missing_in_numbers_meets_missing_in_text():
    assert_meet(pd.Series([1.0, np.nan]), pd.Series(["1", None]))
    assert_meet(pd.Series([1, None], dtype="Int64"), pd.Series([1.0, np.nan]))
    assert_meet(pd.Series(pd.to_datetime(["2011-05-01", None])), pd.Series(["2011-05-01", None]))
    assert_meet(pd.Series([True, None], dtype="boolean"), pd.Series(["true", None]))


def test_a_real_level_called_missing_is_not_a_missing_value():
    original = frame(["Missing", None, "x"])
    assert disco(assess(original, original, keys="key")) == 100
    assessment = assess(original, frame([None, None, "x"]), keys="key")
    assert assessment.attribute.loc[("target", 1), "iS"] == pytest.approx(200 / 3)
    left = assess(original, original, keys="key", key_missing="exclude")
    assert disco(left) == pytest.approx(200 / 3)
    named = assess(original, original, keys="key", exclude=[Exclusion(target="target", level="a")])
    assert disco(named) == pytest.approx(200 / 3)


@pytest.mark.parametrize("word", ["NA", "nan", "None", "<NA>", "NaN", "null", "(missing)"])
def test_words_for_missing_in_a_frame_are_levels(word):
    original = frame([word, None])
    assessment = assess(original, original, keys="key", key_missing="exclude")
    assert disco(assessment) == 50


def test_an_empty_text_is_a_level_and_not_a_missing_value():
    original = frame(["", None, "x"])
    assert disco(assess(original, original, keys="key")) == 100
    assert disco(assess(original, original, keys="key", key_missing="exclude")) == pytest.approx(200 / 3)
    pair = Exclusion(target="target", level="a", key="key", key_level="")
    assert disco(assess(original, original, keys="key", exclude=[pair])) == pytest.approx(200 / 3)


@pytest.mark.parametrize("empty", [[None, None], [np.nan, np.nan], pd.Series([None, None], dtype="Int64")])
def test_a_column_without_any_value_is_one_level_and_is_reported(empty):
    original = frame(empty, ["a", "a"])
    assessment = assess(original, original, keys="key")
    assert disco(assessment) == 100
    assert "all_missing" in findings(assessment, "key")


def test_a_target_without_any_value_is_one_level():
    original = frame(["x", "y"], [None, None])
    assert disco(assess(original, original, keys="key", targets="target")) == 100
    with pytest.warns(ComparisonWarning, match="target: the settings leave out every record of the original"):
        assessment = assess(original, original, keys="key", targets="target", target_missing="exclude")
    assert disco(assessment) == 0
    assert math.isnan(assessment.cap.loc[("target", 1), "TCAP"])


@pytest.mark.parametrize("dtype", ["object", "float64", "Int64", "category", "datetime64[ns]"])
def test_a_variable_without_any_value_in_the_original_is_a_target_only_where_it_is_named(dtype):
    original = SURVEY.assign(empty=pd.Series([None] * len(SURVEY), dtype=dtype))
    synthetic = original.assign(empty=1)
    assessment = assess(original, synthetic, keys="age")
    assert assessment.targets == ("sex", "income", "ill")
    assert findings(assessment, "empty") == {"all_missing", "not_assessed"}
    assert assess(synthetic, original, keys="age", targets="ill").targets == ("ill",)
    with pytest.warns(ComparisonWarning):
        assert "empty" in assess(synthetic, original, keys="age").targets
    assert assess(original, synthetic, keys="age", targets=["ill", "empty"]).targets == ("ill", "empty")


def test_a_column_without_a_name_has_one_that_can_be_read():
    frames = [SURVEY.iloc[start:].assign(**{"": np.arange(start, 20) + 100 * start}) for start in (0, 5)]
    with pytest.warns(ComparisonWarning, match=r"\(no name\), synthesis 1: only 0\.0 %") as warned:
        assessment = assess(*frames, keys="age")
    assert "the keys" not in str(warned[0].message)
    assert "\n(no name) " in str(assessment)
    assert {finding.concerns for finding in assessment.findings} == {"(no name)"}
    with pytest.warns(ComparisonWarning, match="the keys, synthesis 1: no key combination"):
        assert "Keys: (no name)" in str(assess(*frames, keys="", targets="ill"))


def test_a_column_missing_in_one_file_only_is_reported():
    with pytest.warns(ComparisonWarning):
        assessment = assess(frame(["x", "y"]), frame([None, None]), keys="key")
    assert "missing_only_in_synthetic" in findings(assessment, "key")
    with pytest.warns(ComparisonWarning):
        assessment = assess(frame([None, None]), frame(["x", "y"]), keys="key")
    assert {"all_missing", "missing_only_in_original"} <= findings(assessment, "key")


def test_categories_of_any_library_may_have_missing_values():
    values = ["x", None]
    plain = pd.DataFrame({"key": values, "target": ["a", "b"]})
    for dtype in (pl.Categorical, pl.Enum(["y", "x"])):
        polars = pl.DataFrame({"key": pl.Series(values, dtype=dtype), "target": ["a", "b"]})
        assert disco(assess(plain, polars, keys="key")) == 100
    for index in (pa.int8(), pa.uint8(), pa.uint32(), pa.int64()):
        column = pa.array(values).cast(pa.dictionary(index, pa.string()))
        assert disco(assess(plain, pa.table({"key": column, "target": ["a", "b"]}), keys="key")) == 100


# Levels that look like something else ------------------------------------------------------------


def test_keys_that_read_alike_when_joined_do_not_collide():
    original = pd.DataFrame({"k": ["a | b", "a"], "l": ["c", "b | c"], "t": ["x", "y"]})
    assessment = assess(original, original, keys=["k", "l"])
    assert assessment.identity.loc[1, "UiO"] == 100
    assert disco(assessment, "t") == 100
    other = pd.DataFrame({"k": ["a"], "l": ["b | c"], "t": ["x"]})
    with pytest.warns(ComparisonWarning):
        assessment = assess(original.iloc[:1], other, keys=["k", "l"])
    assert assessment.attribute.loc[("t", 1), "iS"] == 0


@pytest.mark.parametrize("level", ["<script>alert(1)</script>", "a\nb", "a\tb", '"', "'", "\\", "{{ x }}", "%s", "😀"])
def test_any_text_can_be_a_level(level, tmp_path):
    original = pd.DataFrame({"k": [level, level, "y"], "t": [level, level, "z"]})
    assessment = assess(original, original, keys="k", one_way_threshold=(1, 50), two_way_threshold=(1, 80), exclude=[])
    assert assessment.one_way["level"].tolist() == [level]
    assert assessment.two_way[["key_level", "level"]].to_numpy().tolist() == [[level, level]]
    excluded = assess(original, original, keys="k", exclude=[Exclusion(target="t", level=level)])
    assert disco(excluded, "t") == pytest.approx(100 / 3)


@pytest.mark.parametrize(
    "name",
    ["target", "count", "q", "d", "s", "t", "n", "a.b", "x y", "", "index", "level_0", "größe", "变量", "0", "key"],
)
def test_any_name_can_be_a_key_or_a_target(name):
    original = pd.DataFrame({name: ["x", "y", "y"], "other": ["a", "b", "c"]})
    as_key = assess(original, original, keys=[name], targets=["other"])
    assert disco(as_key, "other") == pytest.approx(100 / 3)
    as_target = assess(original, original, keys=["other"], targets=[name])
    assert disco(as_target, name) == 100
    assert disco(assess(original, original, keys=["other"]), name) == 100


def test_names_that_are_not_text_can_be_given_as_text():
    original = pd.DataFrame({0: ["x", "y"], 1: ["a", "b"]})
    assert disco(assess(original, original, keys=["0"]), "1") == 100


def test_a_lone_name_is_one_key():
    original = pd.DataFrame({"age": ["x", "y"], "a": ["a", "b"], "g": ["a", "b"], "e": ["a", "b"]})
    assert assess(original, original, keys="age").settings.keys == ("age",)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")  # each key is an identifier
def test_thirty_keys_do_not_overflow():
    rng = np.random.default_rng(1)
    n = 400
    keys = {f"key {number}": rng.permutation(n).astype(str) for number in range(30)}
    original = pd.DataFrame({**keys, "target": rng.integers(0, 3, n)})
    assessment = assess(original, original.iloc[::-1], keys=list(keys))
    assert assessment.identity.loc[1, ["UiO", "UiOiS", "repU"]].tolist() == [100, 100, 100]
    assert disco(assessment) == 100
    changed = original.copy()
    changed.loc[: n // 4 - 1, "key 0"] = changed.loc[: n // 4 - 1, "key 0"].to_numpy()[::-1]
    assessment = assess(original, changed, keys=list(keys))
    assert assessment.identity.loc[1, "UiOiS"] == 75
    pair = Exclusion(
        target="target", level=0, key="key 17", key_level=original.loc[original["target"] == 0, "key 17"].iloc[0]
    )
    assert disco(assess(original, original, keys=list(keys), exclude=[pair])) == pytest.approx(100 - 100 / n)


# Shapes ------------------------------------------------------------------------------------------

FULL = pd.DataFrame({"key": ["x", "y"], "target": ["a", "b"]})


@pytest.mark.parametrize(
    "empty",
    [
        pd.DataFrame(),
        FULL.iloc[:0],
        FULL[[]],
        pl.DataFrame(),
        pl.from_pandas(FULL).head(0),
        pa.Table.from_pandas(FULL).slice(0, 0),
        pa.table({}),
    ],
    ids=lambda empty: f"{type(empty).__module__} {empty.shape}",
)
def test_an_empty_frame_is_refused(empty):
    assert "has no" in message_of(empty, FULL, keys="key")
    assert "has no" in message_of(FULL, empty, keys="key")
    assert "has no" in message_of(FULL, [FULL, empty], keys="key")


def test_no_synthetic_file_is_refused():
    assert "no synthetic file" in message_of(FULL, [], keys="key")


def test_one_record_is_enough():
    one = FULL.iloc[:1]
    assessment = assess(one, one, keys="key")
    assert disco(assessment) == 100
    assert assessment.identity.loc[1].tolist() == [100, 100, 100, 100]


def test_files_of_different_sizes_are_each_divided_by_their_own():
    assessment = assess(FULL, [FULL, pd.concat([FULL] * 3)], keys="key")
    assert assessment.identity["repU"].tolist() == [100, 0]
    assert assessment.cap["TCAP_s"].tolist() == pytest.approx([100, 100 / 3])


def test_a_column_name_that_occurs_twice_is_refused():
    twice = pd.DataFrame([["x", "a", "b"]], columns=["key", "target", "target"])
    assert "'target' occurs twice" in message_of(twice, FULL, keys="key")
    assert "'target' occurs twice" in message_of(FULL, twice, keys="key")
    arrow = pa.table([["x"], ["a"], ["b"]], names=["key", "target", "target"])
    assert "'target' occurs twice" in message_of(FULL, arrow, keys="key")
    assert "'0' occurs twice" in message_of(pd.DataFrame([["x", "y"]], columns=[0, "0"]), FULL, keys="0")


def test_several_header_rows_are_refused_or_named():
    columns = pd.MultiIndex.from_tuples([("a", "key"), ("a", "target")])
    nested = pd.DataFrame([["x", "a"]], columns=columns)
    assert "key" in message_of(nested, FULL, keys="key")


@pytest.mark.parametrize(
    "cells",
    [
        pd.Series([["a"], ["b"]]),
        pd.Series([{"a": 1}, {"a": 2}]),
        pd.Series([("a",), ("b",)]),
        pd.Series([{"a"}, {"b"}]),
        pd.Series([np.array([1]), np.array([2])]),
        pd.Series([["a"], ["b"]], dtype=pd.ArrowDtype(pa.list_(pa.string()))),
        pd.Series([{"a": 1}, {"a": 2}], dtype=pd.ArrowDtype(pa.struct([("a", pa.int64())]))),
    ],
    ids=lambda cells: f"{cells.dtype} {cells[0]!r}",
)
def test_cells_that_hold_several_values_are_refused_by_name_where_they_are_used_and_else_warned_of(cells):
    nested = pd.DataFrame({"key": ["x", "y"], "bag": cells})
    assert "'bag'" in message_of(nested, nested, keys="key", targets="bag")
    assert "'bag'" in message_of(nested, nested, keys="bag", targets="key")
    with pytest.warns(ComparisonWarning, match="bag: was not assessed"):
        assert assess(nested, nested, keys="key").targets == ()


def test_lists_in_a_polars_frame_are_refused_by_name_where_they_are_used():
    nested = pl.DataFrame({"key": ["x", "y"], "bag": [["a"], ["b"]]})
    assert "'bag'" in message_of(nested, nested, keys="key", targets="bag")


@pytest.mark.parametrize("thing", [None, 3, {"key": ["x"]}, [1, 2], FULL["key"], pl.Series([1]), np.zeros((2, 2))])
def test_what_is_not_a_table_is_refused(thing):
    message_of(thing, FULL, keys="key")
    message_of(FULL, thing, keys="key")


def test_lazy_frames_are_read():
    lazy = pl.from_pandas(FULL).lazy()
    assert disco(assess(lazy, lazy, keys="key")) == 100


# Files that do not match -------------------------------------------------------------------------


def test_without_a_shared_key_combination_ratios_are_missing_and_a_warning_says_so():
    original = frame(["x", "y"])
    synthetic = frame(["v", "w"])
    with pytest.warns(ComparisonWarning, match="no key combination"):
        assessment = assess(original, synthetic, keys="key")
    assert assessment.attribute.loc[("target", 1), ["iS", "DiS", "DiSCO"]].tolist() == [0, 0, 0]
    assert assessment.cap.loc[("target", 1), ["DCAP_b", "TCAP_b", "TCAP"]].isna().all()
    assert math.isnan(assessment.attribute.loc[("target", 1), "mean_denom"])
    assert assessment.value("TCAP", "target") is None
    assert "no_shared_keys" in findings(assessment)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_settings_that_leave_nothing_warn_of_the_keys_or_of_the_target(engine):
    def nothing_left(original, synthetic, **settings):
        with pytest.warns(ComparisonWarning, match="leave out every record"):
            assessment = assess(original, synthetic, keys="key", engine=engine, **settings)
        left = [finding for finding in assessment.warnings if finding.finding == "nothing_left"]
        return [(finding.concerns, finding.synthesis, finding.detail.split(":")[0]) for finding in left]

    full = frame(["x", "y"], ["a", "b"])
    files = ("original", "synthetic file")
    of_original, of_synthetic = (f"the settings leave out every record of the {file}" for file in files)
    empty = pd.DataFrame({"key": pd.Series([None, None], dtype="string"), "target": ["a", "b"]})
    exclude = {"key_missing": "exclude"}
    assert nothing_left(empty, [full, full], **exclude) == [("the keys", 0, of_original)]
    assert nothing_left(full, [full, empty], **exclude) == [("the keys", 2, of_synthetic)]
    assert nothing_left(empty, full, targets=(), **exclude) == [("the keys", 0, of_original)]
    rules = [Exclusion(target="target", level=level) for level in "ab"]
    assert nothing_left(full, full, exclude=rules) == [("target", 0, of_original), ("target", 1, of_synthetic)]
    more = full.assign(other="z")
    assert nothing_left(more, frame(["x", "y"], ["a", "a"]).assign(other="z"), exclude=rules[:1]) == [
        ("target", 1, of_synthetic)
    ]


def test_a_warning_names_the_synthesis_that_does_not_match():
    with pytest.warns(ComparisonWarning, match="synthesis 2"):
        assessment = assess(frame(["x", "y"]), [frame(["x", "y"], ["t1", "t1"]), frame(["v", "w"])], keys="key")
    assert assessment.identity.loc[1, "repU"] == 100
    assert set(assessment.comparison.query("severity == 'warning' and variable == 'key'")["synthesis"]) == {2}


def test_a_synthetic_file_identical_to_the_original_gives_everything_away():
    original = pd.DataFrame({"k": ["a", "a", "b", "c"], "t": ["x", "y", "x", "x"]})
    assessment = assess(original, original, keys="k")
    attribute = assessment.attribute.loc[("t", 1)]
    assert attribute["DiSCO"] == attribute["Dorig"] == attribute["DiSDiO"] == attribute["Dsyn"] == 50
    assert assessment.identity.loc[1].tolist() == [50, 50, 50, 50]
    assert assessment.comparison["finding"].tolist() == ["copy"]


def test_levels_in_one_file_only_are_reported():
    original = frame(["x", "x", "x", "y"], ["a"] * 4)
    synthetic = frame(["x", "x", "x", "z"], ["a"] * 4)
    table = assess(original, synthetic, keys="key").comparison.set_index("finding")
    assert table.loc["levels_only_in_original", ["n_levels", "n_records", "percent"]].tolist() == [1, 1, 25]
    assert table.loc["levels_only_in_synthetic", ["n_levels", "n_records", "percent"]].tolist() == [1, 1, 25]
    assert set(table["variable"]) == {"key"}


def test_values_outside_the_range_of_the_original_are_reported():
    original = frame([1, 2, 3, 4], ["a"] * 4)
    synthetic = frame([1, 2, 3, 400], ["a"] * 4)
    table = assess(original, synthetic, keys="key").comparison.set_index("finding")
    assert table.loc["outside_range", ["n_levels", "n_records"]].tolist() == [1, 1]
    coded = assess(original, synthetic, keys="key", special_codes={"key": [400]})
    assert "outside_range" not in findings(coded)


def test_a_type_that_changes_is_reported():
    assessment = assert_meet(pd.Series([1, 2]), pd.Series(["1", "2"]))
    assert findings(assessment, "key") == {"type_change"}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [([1, 2], ["1.0", "2.0"]), ([True, False], ["true", "false"]), ([True, False], [1, 0])],
    ids=str,
)
def test_every_repair_is_reported(ours, theirs):
    assessment = assert_meet(pd.Series(ours), pd.Series(theirs))
    assert {"type_change", "repair"} <= findings(assessment, "key")


def test_codes_retyped_as_text_meet_in_every_column():
    rng = np.random.default_rng(3)
    original = pd.DataFrame({name: rng.integers(0, 4, 60) for name in ("a", "b", "c", "t")})
    synthetic = pd.DataFrame({name: rng.integers(0, 4, 60) for name in original})
    plain = assess(original, synthetic, keys=["a", "b", "c"])
    retyped = assess(original, synthetic.astype(str).astype("category"), keys=["a", "b", "c"])
    pd.testing.assert_frame_equal(plain.attribute, retyped.attribute)
    pd.testing.assert_frame_equal(plain.identity, retyped.identity)


def test_letters_against_numbers_warn():
    original = pd.DataFrame({"sex": ["M", "F"] * 10, "target": ["a", "b"] * 10})
    synthetic = pd.DataFrame({"sex": [1, 2] * 10, "target": ["a", "b"] * 10})
    with pytest.warns(ComparisonWarning, match="sex"):
        assessment = assess(original, synthetic, keys="sex")
    warned = assessment.comparison.query("variable == 'sex' and severity == 'warning'")
    assert "low_overlap" in set(warned["finding"])
    assert {finding.variable for finding in assessment.warnings} >= {"sex"}


def test_letters_against_numbers_warn_for_a_target_too():
    original = pd.DataFrame({"key": ["x", "y"] * 10, "sex": ["M", "F"] * 10})
    synthetic = pd.DataFrame({"key": ["x", "y"] * 10, "sex": [1, 2] * 10})
    with pytest.warns(ComparisonWarning, match="sex"):
        assessment = assess(original, synthetic, keys="key")
    assert disco(assessment, "sex") == 0


def test_codes_that_swap_meaning_warn():
    original = pd.DataFrame({"sex": [1] * 80 + [2] * 20, "target": ["a"] * 100})
    synthetic = pd.DataFrame({"sex": [2] * 80 + [1] * 20, "target": ["a"] * 100})
    with pytest.warns(ComparisonWarning, match="sex"):
        assessment = assess(original, synthetic, keys="sex")
    assert "different_distribution" in findings(assessment, "sex")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Yes", "yes"),
        ("yes", " yes"),
        ("yes", "yes "),
        ("north west", "northwest"),
        ("a\u00a0b", "a b"),
        ("07", "7"),
        ("007", "07"),
        ("0a1", "0A1"),
    ],
)
def test_levels_that_differ_in_spaces_capitals_or_leading_zeros_warn_and_are_not_merged(ours, theirs):
    original = frame([ours, "x", "x", "x"], ["a"] * 4)
    synthetic = frame([theirs, "x", "x", "x"], ["a"] * 4)
    with pytest.warns(ComparisonWarning, match="spaces, capitals or leading zeros"):
        assessment = assess(original, synthetic, keys="key")
    assert assessment.attribute.loc[("target", 1), "iS"] == 75
    assert "near_match" in findings(assessment, "key")


def test_leading_zeros_are_told_apart_from_numbers():
    original = frame(["007", "008"])
    assert_meet(original["key"], pd.Series(["007", "008"], dtype="category"))
    assert_apart(original["key"], pd.Series([7, 8]))


def test_numerals_that_one_file_tells_apart_are_not_merged():
    original = frame(["1", "1.0", "2"])
    assert disco(assess(original, original, keys="key")) == 100


def test_files_that_match_give_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assess(FULL, pd.concat([FULL, FULL.head(1)]), keys="key")


# Settings ----------------------------------------------------------------------------------------

SURVEY = pd.DataFrame({"age": [30, 31], "sex": ["f", "m"], "income": [1, 2], "ill": ["yes", None]})
SURVEY = pd.concat([SURVEY] * 10, ignore_index=True)  # levels of fewer records are not named in messages


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"keys": ["agee"]}, ["'agee'", "Did you mean 'age'?", "income"]),
        ({"keys": ["Age"]}, ["'Age'", "Did you mean 'age'?"]),
        ({"keys": ["age"], "targets": ["incom"]}, ["'incom'", "Did you mean 'income'?", "sex"]),
        ({"keys": ["age"], "numeric_groups": {"incom": 5}}, ["'incom'", "Did you mean 'income'?", "sex"]),
        ({"keys": ["age"], "special_codes": {"incom": [5]}}, ["'incom'", "Did you mean 'income'?", "sex"]),
        ({"keys": ["age"], "key_missing": {"agee": "exclude"}}, ["'agee'", "Did you mean 'age'?"]),
        ({"keys": ["age"], "target_missing": {"incom": "exclude"}}, ["'incom'", "Did you mean 'income'?", "ill"]),
        ({"keys": ["age"], "target_missing": {"age": "exclude"}}, ["'age'", "income"]),
        ({"keys": ["age"], "exclude": [{"target": "il", "level": "yes"}]}, ["'il'", "Did you mean 'ill'?"]),
        ({"keys": ["age"], "exclude": [{"target": "ill", "level": "yess"}]}, ["'yess'", "Did you mean 'yes'?"]),
        ({"keys": ["age"], "exclude": [{"target": "sex", "level": None}]}, ["sex", "no missing values"]),
        (
            {"keys": ["age"], "exclude": [{"target": "ill", "level": "yes", "key": "agee", "key_level": 30}]},
            ["'agee'", "Did you mean 'age'?"],
        ),
        (
            {"keys": ["age"], "exclude": [{"target": "ill", "level": "yes", "key": "age", "key_level": 32}]},
            ["'32'", "30", "31"],
        ),
        ({"keys": ["age"], "special_codes": {"income": [-8]}}, ["-8", "income"]),
    ],
    ids=str,
)
def test_an_unknown_name_is_refused_with_the_nearest_and_with_all_there_are(settings, words):
    message = message_of(SURVEY, SURVEY, **settings)
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"keys": []}, "keys"),
        ({"keys": None}, "keys"),
        ({"keys": ["age", "age"]}, "twice"),
        ({"keys": [3]}, "No column '3'"),
        ({"keys": [["age"]]}, "keys"),
        ({"keys": ["age"], "targets": ["ill", "ill"]}, "twice"),
        ({"keys": ["age"], "targets": ["age"]}, "both a key and a target"),
        ({"keys": ["age"], "key_missing": "drop"}, "key_missing"),
        ({"keys": ["age"], "key_missing": {"age": "Exclude"}}, "key_missing"),
        ({"keys": ["age"], "key_missing": None}, "key_missing"),
        ({"keys": ["age"], "target_missing": False}, "target_missing"),
        ({"keys": ["age"], "target_missing": "excluded"}, "target_missing"),
        ({"keys": ["age"], "max_denominator": 0}, "max_denominator"),
        ({"keys": ["age"], "max_denominator": -1}, "max_denominator"),
        ({"keys": ["age"], "max_denominator": "many"}, "max_denominator"),
        ({"keys": ["age"], "max_denominator": 1.5}, "max_denominator"),
        ({"keys": ["age"], "max_denominator": float("nan")}, "max_denominator"),
        ({"keys": ["age"], "max_denominator": True}, "max_denominator"),
        ({"keys": ["age"], "one_way_threshold": (50,)}, "one_way_threshold"),
        ({"keys": ["age"], "one_way_threshold": 50}, "one_way_threshold"),
        ({"keys": ["age"], "one_way_threshold": (50, 101)}, "one_way_threshold"),
        ({"keys": ["age"], "one_way_threshold": (50, float("nan"))}, "one_way_threshold"),
        ({"keys": ["age"], "two_way_threshold": (-1, 80)}, "two_way_threshold"),
        ({"keys": ["age"], "two_way_threshold": (4, "most")}, "two_way_threshold"),
        ({"keys": ["age"], "numeric_groups": {"income": 1}}, "numeric_groups"),
        ({"keys": ["age"], "numeric_groups": {"income": 2.5}}, "numeric_groups"),
        ({"keys": ["age"], "numeric_groups": {"income": True}}, "numeric_groups"),
        ({"keys": ["age"], "numeric_groups": {"income": "ten"}}, "numeric_groups"),
        ({"keys": ["age"], "numeric_groups": {"income": [3, 2, 1]}}, "rising"),
        ({"keys": ["age"], "numeric_groups": {"income": [0, float("nan"), 3]}}, "numeric_groups"),
        ({"keys": ["age"], "numeric_groups": {"income": [float("nan"), 3]}}, "numeric_groups"),
        ({"keys": ["age"], "numeric_groups": {"income": [1.5, 3]}}, "income"),
        ({"keys": ["age"], "numeric_groups": {"sex": 5}}, "aren't numbers"),
        ({"keys": ["age"], "numeric_groups": ["income"]}, "numeric_groups"),
        ({"keys": ["age"], "special_codes": {"income": [None]}}, "special_codes"),
        ({"keys": ["age"], "exclude": [{"target": "ill"}]}, "level"),
        ({"keys": ["age"], "exclude": [{"target": "ill", "levels": "yes"}]}, "level"),
        ({"keys": ["age"], "exclude": [{"target": "ill", "level": "yes", "key": "age"}]}, "key_level"),
        ({"keys": ["age"], "exclude": [{"target": "ill", "level": "yes", "key_level": 30}]}, "key"),
        ({"keys": ["age"], "exclude": [{"target": "age", "level": 30}]}, "'age'"),
        ({"keys": ["age"], "exclude": ["ill"]}, "exclude"),
        ({"keys": ["age"], "exclude": "ill"}, "exclude"),
    ],
    ids=str,
)
def test_a_setting_that_makes_no_sense_is_refused_by_name(settings, word):
    assert word in message_of(SURVEY, SURVEY, **settings)


@pytest.mark.parametrize("code", [None, float("nan"), {"missing": True}], ids=str)
def test_a_missing_value_is_no_special_code_of_any_variable(code):
    with pytest.raises(SettingsError, match="special_codes: a missing value is a level of its own as it is"):
        Settings(keys=["age"], special_codes={"income": [-8, code]})


def test_an_unknown_argument_is_refused():
    with pytest.raises(TypeError, match="max_denom"):
        assess(SURVEY, SURVEY, keys="age", max_denom=1)
    with pytest.raises((TypeError, ValueError), match="levl"):
        Exclusion(target="ill", level="yes", levl="no")


@pytest.mark.parametrize("setting", [{"numeric_groups": {"income": 5}}, {"special_codes": {"income": [1]}}])
def test_a_setting_for_a_variable_that_is_not_assessed_is_reported(setting):
    (finding,) = (
        finding
        for finding in assess(SURVEY, SURVEY, keys="age", targets="ill", **setting).findings
        if finding.finding == "not_assessed" and finding.variable == "income"
    )
    assert f"{next(iter(setting))} for it has no effect" in finding.detail


def test_a_column_that_one_synthetic_file_lacks_is_refused_by_name():
    message = message_of(SURVEY, [SURVEY, SURVEY.drop(columns="age")], keys="age")
    assert "'age'" in message
    assert "synthetic 2" in message
    assert "'ill'" in message_of(SURVEY, SURVEY.drop(columns="ill"), keys="age", targets="ill")


def test_columns_of_one_file_only_are_reported_and_not_assessed():
    assessment = assess(SURVEY, SURVEY.drop(columns="ill"), keys="age")
    assert assessment.targets == ("sex", "income")
    assert "column_only_in_original" in findings(assessment, "ill")
    with pytest.warns(ComparisonWarning, match="ill, synthesis 1: .*not assessed. Did you mean 'Ill'?"):
        assessment = assess(SURVEY.rename(columns={"ill": "Ill"}), SURVEY, keys="age")
    assert "column_only_in_synthetic" in findings(assessment, "ill")


def test_an_unknown_measure_or_target_is_refused():
    assessment = assess(SURVEY, SURVEY, keys="age")
    with pytest.raises(DiscoReportError, match="Did you mean 'DiSCO'"):
        assessment.value("disco", "ill")
    with pytest.raises(DiscoReportError, match="Did you mean 'ill'"):
        assessment.value("DiSCO", "il")
    with pytest.raises(DiscoReportError, match="No target"):
        assessment.value("DiSCO")


@pytest.mark.parametrize("level", [1, 1.0, "1", "1.0", np.int64(1), decimal.Decimal("1")])
def test_a_level_can_be_named_in_any_type(level):
    rule = Exclusion(target="income", level=level)
    excluded = assess(SURVEY, SURVEY, keys="age", exclude=[rule])
    assert disco(excluded, "income") == 50
    pair = Exclusion(target="ill", level="yes", key="income", key_level=level)
    assert disco(assess(SURVEY, SURVEY, keys="income", exclude=[pair]), "ill") == 50


def test_special_codes_can_be_named_in_any_type():
    original = frame([1, 2, 3, 4, 5, 6, -8], ["a"] * 7)
    for codes in ([-8], ["-8"], [-8.0], (-8,), -8):
        assessment = assess(original, original, keys="key", numeric_groups={"key": 3}, special_codes={"key": codes})
        assert assessment.variables[0].special_codes == ("-8",)


def test_a_result_cannot_be_changed():
    assessment = assess(SURVEY, SURVEY, keys="age")
    with pytest.raises(ValueError, match="frozen"):
        assessment.findings = ()
    table = assessment.attribute
    table.loc[:, :] = 0
    assert disco(assessment, "sex") == 100
    assert isinstance(assessment, Assessment)


# True and false, which Python counts with ---------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("max_denominator", True),
        ("numeric_groups", {"key": [False, 5]}),
        ("numeric_groups", {"key": True}),
        ("one_way_threshold", (True, 90)),
        ("two_way_threshold", (4, np.True_)),
        ("tau", [0.5, True]),
    ],
)
def test_true_is_no_number_in_the_settings(setting, value):
    with pytest.raises(SettingsError, match=rf"{setting}: .*number"):
        Settings(keys=["key"], **{setting: value})


NUMBERS = {"number": lambda value: value, "numbers": lambda value: [value], "classes": lambda value: [0, value]}


def test_true_is_no_number_in_any_option_or_step():
    models = {name: one.options for name, one in ANALYSES.items()} | STEPS
    asked = 0
    for name, model in models.items():
        for field, described in model.model_fields.items():
            write = NUMBERS.get(kind_of(described))
            if write is not None:
                asked += 1
                with pytest.raises(ValidationError) as error:
                    model.model_validate({field: write(True)})
                assert any(one["loc"][0] == field for one in error.value.errors()), (name, field)
                assert "must be a number (got True)" in str(error.value), (name, field)
    assert asked > 10


@pytest.mark.parametrize(
    ("function", "option"),
    [(groups, "smallest"), (sensitivity, "most"), (release_size, "draws"), (release_size, "seed"),
     (release_size, "sizes")],
)  # fmt: skip
@pytest.mark.parametrize("value", [True, np.False_, "many", float("nan"), 1.5])
def test_functions_take_whole_numbers_alone(function, option, value):
    table = frame([1, 1, 2, 2])
    with pytest.raises(SettingsError, match=rf"({option}|a size) must be a whole number from \d to [\d,]+ \(got"):
        function(table, table, Settings(keys=["key"]), **{option: [value] if option == "sizes" else value})


def test_true_is_no_number_in_a_policy_or_the_documentation(tmp_path):
    for text in ("small_cell_limit = true", '[[thresholds]]\nmeasure = "repU"\nlimit = true\nsource = "x"'):
        (tmp_path / "policy.toml").write_text(text)
        with pytest.raises(SettingsError, match=r"must be a number \(got True\)"):
            read_policy(tmp_path / "policy.toml")
    with pytest.raises((SettingsError, ValidationError), match=r"must be a number \(got True\)"):
        MitigationStep(what="rounded", n_records=True)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_what_is_said_of_a_broken_gzip_file_quotes_nothing_of_it(engine, tmp_path):
    (tmp_path / "o.csv.gz").write_bytes(gzip.compress(b"a,b\n1,2\n") + b"secret")
    with pytest.raises(DataError, match=r"^'o\.csv\.gz' is not a whole gzip file\.$"):
        assess(tmp_path / "o.csv.gz", tmp_path / "o.csv.gz", keys=["a"], engine=engine)


@pytest.mark.parametrize("name", ["o.csv", "o.parquet"])
def test_a_column_without_a_name_is_read_in_memory_and_refused_in_words_beyond(name, tmp_path):
    frame = pd.DataFrame({"a": [1, 2, 2], "b": list("xyy"), "": [1, 1, 1]})
    write = frame.to_csv if name.endswith("csv") else frame.to_parquet
    write(tmp_path / name, index=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        assert assess(tmp_path / name, tmp_path / name, keys=["a"], targets=["b"]).settings.keys == ("a",)
    with pytest.raises(DataError, match=r"don't take a column without a name"):
        assess(tmp_path / name, tmp_path / name, keys=["a"], targets=["b"], engine="duckdb")


@pytest.mark.slow
@pytest.mark.parametrize("level", ["inf", "?", "-9"])
def test_engines_take_the_same_numbers_for_missing_and_refuse_what_no_file_has(level, tmp_path):
    numbers = np.array([1.5, np.inf, -np.inf, -9, np.nan, 2] * 20)
    pd.DataFrame({"a": numbers, "b": list("xyzxyz") * 20}).to_parquet(tmp_path / "o.parquet", row_group_size=10)
    found = []
    for engine in ("memory", "duckdb"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ComparisonWarning)
            try:
                files = [tmp_path / "o.parquet"] * 2
                assessment = assess(*files, keys=["a"], missing_values={"a": [level]}, engine=engine)
                found.append((assessment.variables[0].n_levels, assessment.value("DiSCO", "b")))
            except DiscoReportError as error:
                found.append(str(error))
    assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.parametrize("written", [False, True])
def test_half_precision_is_compared_in_memory_and_refused_in_words_beyond_where_it_is_used(written, tmp_path):
    half = pa.array(np.array([0.1, 0.2, 0.1, 0.3] * 20, np.float16))
    original = pa.table({"h": half, "a": [1, 2, 3, 4] * 20, "b": list("xyxx") * 20})
    synthetic = original.set_column(0, "h", pa.array([0.1, 0.2, 0.1, 0.3] * 20))
    if written:
        for name, table in (("o", original), ("s", synthetic)):
            pq.write_table(table, tmp_path / f"{name}.parquet")
        original, synthetic = tmp_path / "o.parquet", tmp_path / "s.parquet"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        found = assess(original, synthetic, keys=["h"], targets=["b"])
        assert (found.value("iS", "b"), found.variables[0].n_levels) == (100, 3)
        assert assess(original, synthetic, keys=["a"], targets=["b"], engine="duckdb").value("iS", "b") == 100
    with pytest.raises(DataError, match=r"'h' of .* is stored in half precision, which the engine 'duckdb'"):
        assess(original, synthetic, keys=["h"], targets=["b"], engine="duckdb")
