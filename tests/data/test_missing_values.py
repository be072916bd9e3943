"""Values that mean "missing" in some variable: named by whoever knows, they are missing in every file and engine."""

import datetime
import warnings

import pandas as pd
import pyreadstat
import pytest

from discoreport import (
    ComparisonWarning,
    DisclosureForm,
    Settings,
    assess,
    excess_over_control,
    load,
    mitigate,
    replicated_uniques,
)
from discoreport.cli import main
from discoreport.errors import SettingsError
from tests.commands import command, python_lines, read_configuration, write_configuration
from tests.engines import assert_same, assess_in
from tests.forms import enter, find, press, shown, step

ORIGINAL = pd.DataFrame(
    {
        "age": [30, 31, 41, 41, 57, 60, 30, 31] * 3,
        "pay": ["1.5", "?", "20", "300", "?", "20", "300", "1.5"] * 3,
        "ill": ["yes", "no", "no", "no", "yes", "no", "yes", "no"] * 3,
    }
)
SYNTHETIC = ORIGINAL.assign(pay=ORIGINAL["pay"].replace("?", None).astype(float))
MARKED = {"pay": ["?"]}


def quiet(*arguments, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        return assess(*arguments, **settings)


@pytest.fixture
def files(tmp_path):
    ORIGINAL.to_csv(tmp_path / "original.csv", index=False)
    SYNTHETIC.to_csv(tmp_path / "synthetic.csv", index=False)
    return str(tmp_path / "original.csv"), str(tmp_path / "synthetic.csv")


def test_a_mark_meets_empty_fields_once_it_is_named():
    assert quiet(ORIGINAL, SYNTHETIC, keys=["age", "pay"]).value("iS", "ill") < 100
    found = quiet(ORIGINAL, SYNTHETIC, keys=["age", "pay"], missing_values=MARKED)
    assert found.value("iS", "ill") == 100
    (pay,) = (one for one in found.variables if one.name == "pay")
    assert (pay.percent_missing, pay.missing_values) == (25, ("?",))


def test_a_mark_can_be_left_out_and_leaves_numbers_to_be_grouped(files):
    settings = {"keys": ["age", "pay"], "missing_values": MARKED, "numeric_groups": {"pay": [0, 10, 1000]}}
    for sources in ((ORIGINAL, SYNTHETIC), files):
        found = quiet(*sources, **settings, key_missing={"pay": "exclude"})
        rows = found.exclusions.query("table == 'original'")
        assert rows["missing_key"].tolist() == [6]


@pytest.mark.slow
@pytest.mark.spark_cases(1)
@pytest.mark.parametrize(
    ("column", "mark"),
    [
        pytest.param([1, 2, -9] * 6, -9, id="whole number"),
        pytest.param([1.5, 2.0, -9.0] * 6, -9, id="fraction"),
        pytest.param(["a", "b", "n/a "] * 6, "n/a ", id="text"),
        pytest.param(["1.0", "b", "-9.00"] * 6, -9, id="number as text"),
        pytest.param([True, False, True] * 6, False, id="boolean"),
        pytest.param(pd.to_datetime(["2011-05-01", "2012-05-01", "1900-01-01"] * 6), "1900-01-01", id="date"),
        pytest.param(pd.Categorical(["a", "b", "?"] * 6), "?", id="category"),
        pytest.param([2**62 + 1, 2**62, 2**62 - 1] * 6, 2**62, id="large number"),
    ],
)
@pytest.mark.parametrize("engine", ["duckdb", pytest.param("spark", marks=pytest.mark.spark)], indirect=True)
def test_marks_of_every_type_are_missing_in_every_engine(column, mark, engine):
    original = pd.DataFrame({"x": column, "t": ["y", "n"] * 9})
    settings = {"keys": ["x"], "missing_values": {"x": [mark]}, "key_missing": "exclude"}
    found = assess_in("memory", original, [original], **settings)
    (x,) = (one for one in found.variables if one.name == "x")
    assert x.percent_missing == pytest.approx(
        100 * sum(str(one).startswith(str(mark)) for one in map(_plain, column)) / 18
    )
    assert_same(assess_in(engine, original, [original], **settings), found)


def _plain(value):
    if isinstance(value, str) and value.startswith("-9"):
        return "-9"
    return value.date() if isinstance(value, datetime.datetime) else int(value) if isinstance(value, float) else value


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_text_file_whose_marks_are_gone_is_read_as_numbers(files, engine):
    found = quiet(*files, keys=["age", "pay"], missing_values=MARKED, engine=engine)
    (pay,) = (one for one in found.variables if one.name == "pay")
    assert (pay.kind, found.value("iS", "ill")) == ("number", 100)


@pytest.mark.generated
def test_marks_among_more_values_than_are_brought_here_are_missing(tmp_path, most_values):
    most_values(5)
    frame = pd.DataFrame({"x": [*range(20), *[-9] * 5], "t": ["y", "n", "y", "n", "y"] * 5})
    settings = {"keys": ["x"], "missing_values": {"x": [-9]}, "key_missing": "exclude"}
    found, expected = (assess_in(engine, frame, [frame], **settings) for engine in ("duckdb", "memory"))
    pd.testing.assert_frame_equal(found.attribute, expected.attribute)
    assert found.variables == expected.variables


def test_a_value_label_names_its_code_and_the_code_its_label(tmp_path):
    coded = pd.DataFrame({"x": [1.0, 2.0, 9.0] * 6, "t": ["y", "n"] * 9})
    pyreadstat.write_sav(coded, str(tmp_path / "o.sav"), variable_value_labels={"x": {9.0: "Refused"}})
    words = coded.assign(x=coded["x"].map({1.0: "1", 2.0: "2", 9.0: "Refused"}))
    for mark in (9, "Refused"):
        found = quiet(tmp_path / "o.sav", words, keys=["x"], missing_values={"x": mark})
        (x,) = (one for one in found.variables if one.name == "x")
        assert (x.n_levels, x.percent_missing) == (2, pytest.approx(100 / 3))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"missing_values": {"pay": ["??"]}}, r"missing_values: 'pay' has no value '\?\?' in any file"),
        ({"missing_values": {"pays": ["?"]}}, "missing_values: no column 'pays' in all files. Did you mean 'pay'"),
        ({"missing_values": MARKED, "special_codes": MARKED}, "named in special_codes and in missing_values"),
    ],
)
def test_a_mark_that_leads_nowhere_is_refused(settings, words):
    with pytest.raises(SettingsError, match=words):
        assess(ORIGINAL, SYNTHETIC, keys=["age"], targets=["ill", "pay"], **settings)


def test_a_variable_of_marks_alone_is_no_target_by_default():
    original = ORIGINAL.assign(empty="?")
    assert "empty" in quiet(original, original, keys=["age"]).targets
    assert "empty" not in quiet(original, original, keys=["age"], missing_values={"empty": "?"}).targets


@pytest.mark.filterwarnings("ignore:Records of the original")  # the file is the original itself
def test_analyses_take_marks_for_missing_and_a_mitigated_file_keeps_them():
    settings = Settings(keys=["age", "pay"], targets=["ill"], missing_values=MARKED)
    found = quiet(ORIGINAL, SYNTHETIC, keys=["age", "pay"], targets=["ill"], missing_values=MARKED)
    baseline = excess_over_control(ORIGINAL, SYNTHETIC, settings, control=ORIGINAL.iloc[:8])
    row = baseline.table.set_index("measure").loc["DiSCO"]
    assert row["original"] == found.value("DiSCO", "ill")
    mitigated = mitigate(ORIGINAL, ORIGINAL, settings, [{"step": "limit values", "variable": "age", "top": 50}])
    before = mitigated.mitigation.table.query("measure == 'DiSCO'")["before"].item()
    assert before == quiet(ORIGINAL, ORIGINAL, keys=["age", "pay"], missing_values=MARKED).value("DiSCO", "ill")
    assert mitigated.frame["pay"].tolist() == ORIGINAL["pay"].tolist()
    uniques = replicated_uniques(ORIGINAL.iloc[:8], SYNTHETIC.iloc[:8], ["pay", "age"], missing_values=MARKED)
    assert uniques.replicated == 8


def test_the_frames_of_the_user_stay_as_they_are():
    before = ORIGINAL.copy(deep=True)
    quiet(ORIGINAL, SYNTHETIC, keys=["pay"], missing_values=MARKED)
    pd.testing.assert_frame_equal(ORIGINAL, before)


def test_command_line_configuration_record_and_lines_keep_the_marks(quick, files, tmp_path):
    out = tmp_path / "out"
    arguments = ["assess", *files, "--key", "age", "--key", "pay", "--missing=pay=?", "--quiet"]
    main([*arguments, f"--out={out}"])
    found = load(out / "assessment.json")
    assert found.settings.missing_values == {"pay": ("?",)}
    assert "'--missing=pay=?'" in command(found)
    assert "missing_values={'pay': ['?']}" in python_lines(found)
    written = write_configuration(tmp_path / "a.toml", files[0], [files[1]], found.settings)
    assert read_configuration(written).settings["missing_values"] == {"pay": ["?"]}


@pytest.mark.slow
def test_the_form_asks_for_marks_and_says_where_none_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    form = DisclosureForm(ORIGINAL, SYNTHETIC)
    step(form, "Scenario")
    enter(form, "Role of age", "key")
    step(form, "Settings")
    enter(form, "Values that mean missing", "pay=??")
    assert "no value &#x27;??&#x27; in any file" in shown(form)
    enter(form, "Values that mean missing", "pay=?")
    assert find(form, "Values that mean missing").value == "pay=?"
    press(form, "Run the assessment")
    assert form.assessment.settings.missing_values == {"pay": ("?",)}
    (pay,) = (one for one in form.assessment.variables if one.name == "pay")
    assert pay.percent_missing == 25
