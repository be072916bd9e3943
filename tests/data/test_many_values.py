"""Variables of more values than are brought here: read as memory reads them, compared as well, or refused in words."""

import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discoreport import ComparisonWarning, DiscoReportError, assess, verify, write_bundle

pytestmark = [pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning"), pytest.mark.usefixtures("short_pdf")]
ENGINES = ["duckdb", pytest.param("spark", marks=pytest.mark.spark)]


@pytest.fixture(autouse=True)
def _few_are_many(most_values):
    most_values(1)


def written(folder, spellings, delimiter=";"):
    frames = [pd.DataFrame({"key": [str(one) for one in column], "target": "x"}) for column in spellings]
    paths = [folder / f"{number}.csv" for number in range(len(frames))]
    for path, frame in zip(paths, frames, strict=True):
        frame.to_csv(path, index=False, sep=delimiter)
    return paths


def about(assessment):
    kept = {"repair", "near_match", "levels_only_in_original", "levels_only_in_synthetic", "outside_range"}
    return {(one.finding, one.severity, one.detail, one.n_levels, one.n_records) for one in assessment.findings
            if one.variable == "key" and one.finding in kept}  # fmt: skip


SPELLINGS = {
    "numbers": (["1", "2", "30"], ["1", "2", "31"]),
    "fractions": (["1.5", "2", "30"], ["1.50", "2.0", "31"]),
    "exponents": (["1e-05", "2", "30"], ["0.00001", "2", "1e+02"]),
    "decimal commas": (["1,5", "2", "30"], ["1,5", "2", "31"]),
    "marks": (["1", "NA", "30"], ["1", "", "30"]),
    "a file with both": (["1.0", "1", "2.0"], ["1.0", "2.0", "3.0"]),
    "both have both": (["250.0", "250.00", "120.1", "120.10"], ["250.0", "250.00", "120.1", "120.10"]),
    "minus zero": (["-0", "0", "4"], ["0", "4", "5"]),
    "codes": (["3E1", "12", "4"], ["3E1", "12", "4"]),
    "codes among numbers": (["3E1", "12a", "4"], ["30", "12A", "4"]),
    "names": (["Ann Lee", "Bob", "007", "C"], ["ann  lee", "Bob", "7", "d"]),
    "single precision": (["16.8", "0.1", "2.5"], [16.799999237060547, 0.10000000149011612, 2.5]),
}


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.spark_cases(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize("spellings", SPELLINGS.values(), ids=SPELLINGS)
def test_spellings_are_read_and_compared_as_in_memory(spellings, engine, tmp_path):
    paths = written(tmp_path, spellings)
    memory, large = (assess(*paths, keys="key", targets="target", engine=name) for name in ("memory", engine))
    pd.testing.assert_frame_equal(memory.identity, large.identity)
    pd.testing.assert_frame_equal(memory.attribute, large.attribute)
    assert about(large) == about(memory)
    assert any(one.finding == "many_values" for one in large.findings)


@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_what_is_left_as_text_is_not_grouped_and_says_what_to_do(engine, tmp_path):
    paths = written(tmp_path, [["1.0", "1", "2.0"]] * 2)
    with pytest.raises(DiscoReportError, match="written in one way in all files, or use the engine 'memory'"):
        assess(*paths, keys="key", targets="target", numeric_groups={"key": 3}, engine=engine)


NUMBERS = {
    "not a number": ([0.1, 2.0, np.nan], [0.1, np.nan, np.nan]),
    "infinite": ([0.1, np.inf, -np.inf, np.nan], [0.1, np.inf, np.inf, 2.0]),
    "single precision and infinite": ([16.799999237060547, 2.5, np.inf], [16.8, 2.5, np.nan]),
    "beyond single precision": ([16.799999237060547, 1e300, 2.5], [16.799999237060547, 1e300, np.nan]),
    "beyond whole numbers": ([16.799999237060547, 2.0**70, 2.5], [16.8, 2.0**70, 2.5]),
}


@pytest.mark.slow
@pytest.mark.spark_cases(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize("numbers", NUMBERS.values(), ids=NUMBERS)
def test_fractions_of_typed_files_are_what_they_are_in_memory(numbers, engine, tmp_path):
    paths = [tmp_path / f"{number}.parquet" for number in range(2)]
    for path, column in zip(paths, numbers, strict=True):  # NaN is stored as such, not as a missing value
        pq.write_table(pa.table({"key": pa.array(column), "target": ["x", *"y" * (len(column) - 1)]}), path)
    memory, large = (assess(*paths, keys="key", targets="target", engine=name) for name in ("memory", engine))
    pd.testing.assert_frame_equal(memory.identity, large.identity)
    pd.testing.assert_frame_equal(memory.attribute, large.attribute)
    assert any(one.finding == "many_values" for one in large.findings)


# Durations ---------------------------------------------------------------------------------------

DURATIONS = pd.to_timedelta([60, 90_061, 86_400, None] * 9, unit="s")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_durations_are_the_same_levels_in_every_engine(engine, tmp_path, most_values):
    most_values(100)
    frame = pd.DataFrame({"key": DURATIONS, "target": np.arange(36) % 5})
    frame.to_parquet(tmp_path / "a.parquet")
    text = pd.DataFrame({"key": [None if pd.isna(one) else str(one) for one in DURATIONS], "target": frame["target"]})
    text.to_csv(tmp_path / "b.csv", index=False)
    for synthetic in (tmp_path / "a.parquet", tmp_path / "b.csv"):
        found, expected = (
            assess(tmp_path / "a.parquet", synthetic, keys="key", targets="target", engine=name)
            for name in (engine, "memory")
        )
        pd.testing.assert_frame_equal(found.attribute, expected.attribute)
        assert found.attribute.loc[("target", 1), "iS"] == 100
        assert found.findings == expected.findings
    from_frame = assess(frame, frame, keys="key", targets="target", engine=engine)
    assert (from_frame.variables[0].kind, from_frame.variables[0].n_levels) == ("text", 3)
    most_values(1)
    with pytest.raises(DiscoReportError, match="isn't possible for duration"):
        assess(tmp_path / "a.parquet", tmp_path / "a.parquet", keys="key", targets="target", engine=engine)


# Verification ------------------------------------------------------------------------------------


@pytest.mark.generated
def test_a_bundle_is_checked_with_the_engine_that_it_names(tmp_path):
    paths = written(tmp_path, SPELLINGS["names"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        assessment = assess(*paths, keys="key", targets="target", engine="duckdb")
    assert any(one.finding == "many_values" for one in assessment.findings)
    write_bundle(assessment, tmp_path / "bundle")
    (figures,) = (
        check
        for check in verify(tmp_path / "bundle", original=paths[0], synthetic=paths[1:])
        if check.what == "figures"
    )
    assert figures.outcome == "holds", figures.detail
