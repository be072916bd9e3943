"""Texts of CSV files become numbers only where no file writes one number in two ways, alike in every engine."""

import warnings

import pandas as pd
import pytest

from discoreport import ComparisonWarning, Settings, assess, excess_over_control, mitigate
from tests.tables import code_variable, read

pytestmark = pytest.mark.filterwarnings("ignore:Records of the original:discoreport.ComparisonWarning")  # copies

ENGINES = ["memory", "duckdb", pytest.param("spark", marks=pytest.mark.spark)]


def csv(path, spellings, delimiter=","):
    pd.DataFrame({"key": spellings, "target": [f"t{n}" for n in range(len(spellings))]}).to_csv(
        path, index=False, sep=delimiter
    )
    return path


def found(original, synthetic, engine="memory", **settings):
    """Give iS, the levels of the original and the findings about the key, by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        assessment = assess(original, synthetic, keys="key", targets="target", engine=engine, **settings)
    about = {one.finding: one for one in assessment.findings if one.variable == "key"}
    return assessment.attribute.loc[("target", 1), "iS"], assessment.variables[0].n_levels, about


def levels(*paths):
    return code_variable("key", [read(path, "frame") for path in paths]).level_texts


# One file writes a number in two ways ------------------------------------------------------------

DOUBLED = {
    "decimals": ["250.0", "250.00", "120.1", "120.10"],
    "exponents": ["1E3", "1000", "10E2"],
    "signed exponents": ["1e+03", "1000", "7"],
    "a point without decimals": ["5.", "5", ".5"],
    "a leading point": [".5", "0.5"],
    "minus zero": ["-0", "0", "4"],
    "capitals": ["true", "TRUE", "False"],
    "with a mark": ["1", "1.0", "NA"],
    "more digits than floating point has": ["0.1234567890123456789", "0.1234567890123456788", "2"],
}


@pytest.mark.fast_cases(1)
@pytest.mark.spark_cases(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize("spellings", DOUBLED.values(), ids=DOUBLED)
def test_spellings_that_a_file_tells_apart_stay_levels_as_they_are_written(spellings, engine, tmp_path):
    records = spellings * 25
    ours, theirs = (csv(tmp_path / name, records) for name in ("a.csv", "b.csv"))
    frame = pd.DataFrame({"key": records, "target": [f"t{n}" for n in range(len(records))]})
    overlap, n_levels, about = found(ours, theirs, engine)
    assert (overlap, n_levels) == (100, len(spellings))
    assert "1E3" in spellings or "more than one way" in about["repair"].detail
    assert (found(ours, frame, engine)[:2]) == (found(frame, ours, engine)[:2]) == (100, len(spellings))
    assert sorted(levels(ours, theirs)) == sorted(spellings)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_it_is_enough_that_one_of_the_files_tells_them_apart(place, tmp_path):
    files = [["1.0", "2.0"], ["1.0", "2.0"], ["1.0", "2.0"]]
    files[place] = ["1.0", "1", "2.0"]
    paths = [csv(tmp_path / f"{number}.csv", spellings) for number, spellings in enumerate(files)]
    assert set(levels(*paths)) == {"1.0", "1", "2.0"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        assessment = assess(paths[0], paths[1:], keys="key", targets="target")
    assert set(assessment.variables[0].n_levels_synthetic) <= {2, 3}


def test_a_control_that_tells_spellings_apart_counts(tmp_path):
    ours, theirs = (csv(tmp_path / name, ["1.0", "2.0"] * 30) for name in ("a.csv", "b.csv"))
    control = csv(tmp_path / "c.csv", ["1.0", "1", "2.0"] * 20)
    settings = Settings(keys=["key"], targets=[])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        table = excess_over_control(ours, theirs, settings, control=control).table
    assert table["control"].tolist() == [pytest.approx(200 / 3)]


def test_what_can_be_a_code_is_shown_as_it_is_written(tmp_path):
    path = csv(tmp_path / "a.csv", ["3E1", "12", "4"])
    assert set(levels(path, path)) == {"3E1", "12", "4"}


# Across files ------------------------------------------------------------------------------------


@pytest.mark.fast_cases(1)
@pytest.mark.spark_cases(1)
@pytest.mark.filterwarnings("error:The files:discoreport.ComparisonWarning")
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize(
    ("ours", "theirs", "delimiter"),
    [
        (["57", "4"], ["57.0", "4.0"], ","),
        (["100000", "4"], ["1e+05", "4"], ","),
        (["0.00001", "4"], ["1e-05", "4"], ","),
        (["1.5", "4"], ["1,5", "4"], ";"),
        ([".5", "1."], ["0.5", "1"], ","),
        (["-0", "4"], ["0", "4"], ","),
        (["true", "false"], ["TRUE", "FALSE"], ","),
        (["NA", "4"], ["", "4"], ","),
        (["2011-05-01", "2011-05-02"], ["2011-05-01 00:00:00", "2011-05-02 00:00:00"], ","),
        (["1.0", "a"], ["1", "a"], ","),
    ],
)
def test_one_number_that_two_files_write_in_two_ways_meets(ours, theirs, delimiter, engine, tmp_path):
    paths = csv(tmp_path / "a.csv", ours * 9, delimiter), csv(tmp_path / "b.csv", theirs * 9, delimiter)
    assessment = assess(*paths, keys="key", targets="target", engine=engine)
    assert assessment.attribute.loc[("target", 1), "iS"] == 100


@pytest.mark.fast_cases(1)
@pytest.mark.spark_cases(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["3E1", "4"], ["30", "4"]),
        (["+5", "4"], ["5", "4"]),
        (["1,500", "4"], ["1500", "4"]),
        (["007", "4"], ["7", "4"]),
        (["Inf", "4"], ["inf", "4"]),
        (["\N{MINUS SIGN}5", "4"], ["-5", "4"]),
        (["1", "1.0", "2"], ["2.0", "1"]),
        (["\N{FULLWIDTH DIGIT FIVE}", "4"], ["5.0", "4.0"]),
    ],
)
def test_what_is_kept_apart_and_is_probably_the_same_is_loud(ours, theirs, engine, tmp_path):
    _, _, about = found(csv(tmp_path / "a.csv", ours * 9), csv(tmp_path / "b.csv", theirs * 9), engine)
    assert about["near_match"].severity == "warning"


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_spellings_that_numbers_of_another_file_merge_are_loud(engine, tmp_path):
    doubled = csv(tmp_path / "a.csv", ["57.0", "57", "4"] * 9)
    numbers = pd.DataFrame({"key": [57.0, 4.0] * 9, "target": "x"})
    for pair in ((doubled, numbers), (numbers, doubled)):
        overlap, _, about = found(*pair, engine)
        assert overlap == 100
        assert about["repair"].severity == "warning"
        assert "became one with another" in about["repair"].detail


# What is asked of numbers ------------------------------------------------------------------------


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_spellings_are_grouped_by_value(engine, tmp_path):
    spellings = ["1", "2", "10.0", "10", "1E3", "2.5e+01", "-8"] * 30
    path = csv(tmp_path / "a.csv", spellings)
    frame = pd.DataFrame({"key": [float(text) for text in spellings], "target": [f"t{n}" for n in range(210)]})
    settings = {"numeric_groups": {"key": [0, 5, 20, 2000]}, "special_codes": {"key": [-8]}}
    assert found(path, path, engine, **settings)[0] == 100
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        by_text, by_number = (
            assess(one, one, keys="key", targets="target", **settings, engine=engine).outcome.class_sizes
            for one in (path, frame)
        )
    assert by_text == by_number


def test_a_spelling_that_is_no_number_is_named_an_obstacle(tmp_path):
    path = csv(tmp_path / "a.csv", ["1", "1.0", "NA"] * 30)
    with pytest.raises(ValueError, match=r"aren't numbers, among them 'NA'\. If they are codes, name them"):
        assess(path, path, keys="key", targets="target", numeric_groups={"key": [0, 5]})


@pytest.mark.parametrize("spellings", [["1", "2", "30"], ["1,5", "2", "30"], ["1", "NA", "30"], ["1e+00", "2", "30"]])
def test_steps_take_numbers_of_text_files(spellings, tmp_path):
    path = csv(tmp_path / "a.csv", spellings * 9, ";")
    result = mitigate(
        path, path, Settings(keys=["key"], targets=[]), [{"step": "limit values", "variable": "key", "top": 20}]
    )
    assert pd.to_numeric(result.frame["key"]).max() == 20


# Engines -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_marks_among_numbers_are_told_alike_by_every_engine(tmp_path):
    path = csv(tmp_path / "a.csv", ["1", "NA", "30"] * 9)
    one, other = (assess(path, path, keys="key", targets="target", engine=engine) for engine in ("memory", "duckdb"))
    assert one.findings == other.findings
    assert one.variables == other.variables
