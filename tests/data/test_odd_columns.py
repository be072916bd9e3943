"""Columns and files that hold more than levels: told of, and no hindrance where nobody uses them."""

import datetime
import warnings

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

from discoreport import ComparisonWarning, Settings, assess, four_checks, sensitivity
from discoreport.cli import main
from discoreport.errors import DataError, SettingsError
from tests.data.test_files_read_as import sheet

pytestmark = pytest.mark.filterwarnings("ignore:Records of the original")  # a file stands for both: what is read counts

BASE = {"age": [30, 31, 41, 42] * 6, "ill": ["yes", "no", "no", "yes", "no", "no"] * 4}
FRAME = pd.DataFrame(BASE)
ROWS = [FRAME.columns, *FRAME.itertuples(index=False)]
N = len(FRAME)


def quiet(*arguments, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        return assess(*arguments, **{"keys": ["age"], **settings})


def found(assessment, kind):
    return [one for one in assessment.findings if one.finding == kind]


def parquet(path, column):
    pq.write_table(pa.table({**BASE, "odd": column}), path)
    return path


FAR = {
    "date32": pa.array([10**7, -(10**6)] * (N // 2), pa.date32()),
    "microseconds": pa.array([8 * 10**18, -9 * 10**16] * (N // 2), pa.timestamp("us")),
    "seconds in a zone": pa.array([10**12, 0] * (N // 2), pa.timestamp("s", "UTC")),
    "long durations": pa.array([10**17, 1] * (N // 2), pa.duration("s")),
}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("name", FAR)
def test_dates_beyond_what_python_knows_are_levels_like_any_other(name, engine, tmp_path):
    path = parquet(tmp_path / "o.parquet", FAR[name])
    assert quiet(path, path, targets=["ill"], engine=engine).value("iS", "ill") == 100
    if engine == "memory" or name != "long durations":
        used = quiet(path, path, keys=["odd"], targets=["ill"], engine=engine)
        assert (used.value("iS", "ill"), used.variables[0].n_levels) == (100, 2)


def test_a_far_date_meets_the_same_date_and_near_ones_meet_text(tmp_path):
    days = pa.array([10**7, 15000, 15001, 15002] * 6, pa.date32())
    path = parquet(tmp_path / "o.parquet", days)
    near = [str(datetime.date(1970, 1, 1) + datetime.timedelta(days=day)) for day in (15000, 15001, 15002)]
    text = pd.DataFrame({**BASE, "odd": [near[0], *near] * 6})
    assert quiet(path, text, keys=["odd"], targets=["ill"]).value("iS", "ill") == 75


@pytest.mark.parametrize(
    ("ending", "write", "unit", "kind"),
    [
        ("dta", pyreadstat.write_dta, 1.0, "%td"),
        ("sav", pyreadstat.write_sav, 1e9, "DATE11"),
        ("xpt", pyreadstat.write_xport, 1.0, "DATE9."),
    ],
)
def test_dates_that_cannot_be_read_are_an_error_only_where_they_are_used(ending, write, unit, kind, tmp_path):
    path = tmp_path / f"o.{ending}"
    odd = [99999999.0 * unit, *[15000.0 + day for day in range(N - 1)]]
    near = [15000.0] * N
    write(FRAME.assign(odd=odd, near=near), str(path), variable_format={"odd": kind, "near": kind})
    used = quiet(path, path)
    assert used.targets == ("ill", "near")
    assert {one.name: one.kind for one in used.variables}["near"] == "date"
    (told,) = found(used, "not_comparable")
    assert (told.variable, told.severity) == ("odd", "warning")
    assert "before the year 1 or beyond 9999" in told.detail
    with pytest.raises(DataError, match=r"'odd' of 'o.*' can't be read: it holds dates") as raised:
        quiet(path, path, keys=["odd"])
    assert "9999999" not in str(raised.value)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_column_of_lists_that_nobody_named_does_not_stop_the_run(engine, tmp_path):
    path = parquet(tmp_path / "o.parquet", pa.array([[1], [2, 3]] * (N // 2)))
    used = quiet(path, path, engine=engine)
    assert used.targets == ("ill",)
    (told,) = found(used, "not_comparable")
    assert (told.variable, told.severity) == ("odd", "warning")
    with pytest.raises(DataError, match="no levels to compare"):
        quiet(path, path, targets=["odd"], engine=engine)


def test_frames_with_lists_are_assessed_and_checked_without_them():
    frame = FRAME.assign(odd=[[1], {"a": 2}] * (N // 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        assert quiet(frame, frame).targets == ("ill",)
        assert sensitivity(frame, frame, Settings(keys=["age"])).settings.targets == ("ill",)
        items = four_checks(frame, frame).table.set_index("item")
    assert items.loc["all_comparable", "outcome"] == "no"
    assert "odd" in items.loc["all_comparable", "detail"]


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("kind", [pa.timestamp("ns", "Europe/Berlin"), pa.time64("ns")])
def test_a_type_that_an_engine_cannot_compare_is_told_of_in_words(kind, tmp_path):
    path = parquet(tmp_path / "o.parquet", pa.array([1, 2] * (N // 2), kind))
    assert quiet(path, path, engine="memory").targets == ("ill", "odd")
    used = quiet(path, path, engine="duckdb")
    assert (used.targets, len(found(used, "not_comparable"))) == (("ill",), 1)
    with pytest.raises(DataError, match=r"the engine 'duckdb' can't compare.*Use the engine 'memory'"):
        quiet(path, path, keys=["odd"], engine="duckdb")


def test_columns_that_are_called_by_numbers_are_named_by_them():
    frame = pd.DataFrame({0: BASE["age"], 1: BASE["ill"]})
    expected = quiet(FRAME, FRAME, targets=["ill"], numeric_groups={"age": 2})
    for keys in ([0], 0, ["0"], np.array([0])):
        numbered = assess(frame, frame, keys=keys, targets=[1], numeric_groups={0: 2})
        assert numbered.value("DiSCO", "1") == expected.value("DiSCO", "ill")


def test_grouping_dates_says_what_to_do():
    frame = FRAME.assign(born=pd.to_datetime(["2001-02-03", "2002-03-04"] * (N // 2)))
    with pytest.raises(SettingsError, match=r"it holds dates. Put their years"):
        quiet(frame, frame, targets=["born"], numeric_groups={"born": 5})


@pytest.mark.parametrize(
    "words",
    [
        ["--group=net=pay=20"],
        ["--exclude=a=b=yes"],
        ["--exclude=ill=yes@a@b=3"],
        ["--code=a=b=-8"],
        ["--missing=a=b=?"],
    ],
)
def test_a_name_with_a_sign_that_options_use_is_told_where_it_goes(words, tmp_path, capsys):
    FRAME.to_csv(tmp_path / "o.csv", index=False)
    path = str(tmp_path / "o.csv")
    assert main(["assess", path, path, "--key=age", *words, f"--out={tmp_path / 'out'}"]) == 2
    assert "configuration file: --config" in capsys.readouterr().err


# What a release holds besides ----------------------------------------------------------------------


def names_of_people(path, engine):
    frame = pd.concat([FRAME] * 5)
    frame.set_axis([f"Person {number}" for number in range(len(frame))]).to_parquet(path)
    return quiet(path, path, engine=engine)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_an_index_that_names_people_is_assessed_like_a_column(engine, tmp_path):
    path = tmp_path / "o.parquet"
    used = names_of_people(path, engine)
    assert "__index_level_0__" in used.targets
    assert [one.variable for one in found(used, "identifier")] == ["__index_level_0__"]
    outcomes = four_checks(path, path).table.set_index("item")["outcome"]
    assert outcomes["no_identifiers"] == "no"


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_an_index_that_only_numbers_the_rows_is_left_aside_and_told_of(engine, tmp_path):
    path = tmp_path / "o.parquet"
    FRAME.sample(frac=1, random_state=1).to_parquet(path)
    used = quiet(path, path, engine=engine)
    assert used.targets == ("ill",)
    assert {one.severity for one in found(used, "reading")} == {"note"}
    assert "number the rows" in str(found(used, "reading")[0])


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_metadata_of_parquet_files_are_told_of_by_name(engine, tmp_path):
    path = tmp_path / "o.parquet"
    pq.write_table(pa.table(BASE).replace_schema_metadata({"remarks": "Mr Smith is in record 3"}), path)
    told = found(quiet(path, path, engine=engine), "reading")
    assert "remarks" in str(told[0])
    assert "Smith" not in str(told)


def test_further_sheets_that_look_like_data_warn_in_a_release(tmp_path):
    original = sheet(tmp_path / "o.xlsx", ("data", ROWS))
    release = sheet(tmp_path / "s.xlsx", ("release", ROWS), ("before", ROWS))
    with pytest.warns(ComparisonWarning, match="sheet 'before' looks like data"):
        assess(original, release, keys=["age"])
    hidden = sheet(tmp_path / "h.xlsx", ("release", ROWS), ("before", ROWS, True))
    with pytest.warns(ComparisonWarning, match="hidden sheet 'before' looks like data"):
        assess(original, hidden, keys=["age"])
    assert found(quiet(release, original), "also_holds")[0].severity == "note"
    few = sheet(tmp_path / "f.xlsx", ("release", ROWS), ("read me", [["made by us"], ["on Monday"]]))
    assert not found(quiet(original, few), "also_holds")


def test_a_sheet_in_sight_goes_before_a_hidden_one(tmp_path):
    rows = [FRAME.columns, *FRAME.assign(age=1).itertuples(index=False)]
    path = sheet(tmp_path / "o.xlsx", ("hidden", rows, True), ("shown", ROWS))
    used = quiet(path, FRAME)
    assert used.value("iS", "ill") == 100
    assert "sheet 'shown' read" in str(found(used, "reading")[0])


def test_hidden_columns_comments_and_properties_are_told_of(tmp_path):
    book = openpyxl.Workbook()
    for row in ROWS:
        book.active.append(list(row))
    book.active.column_dimensions["B"].hidden = True
    book.active.row_dimensions[4].hidden = True
    book.active["A2"].comment = openpyxl.comments.Comment("this is Mr Smith", "me")
    book.properties.title = "Patients of Mr Smith"
    book.save(tmp_path / "s.xlsx")
    used = quiet(FRAME, tmp_path / "s.xlsx")
    said = " ".join(map(str, found(used, "reading")))
    assert "hidden columns" in said
    assert "hidden rows" in said
    assert "document properties are filled in: title" in said
    assert "1 comments on cells" in str(found(used, "also_holds")[0])
    assert "Smith" not in str(used.findings)


def test_error_cells_of_excel_are_missing_and_told_of(tmp_path):
    book = openpyxl.Workbook()
    for row in ROWS:
        book.active.append(list(row))
    book.active["A2"], book.active["A3"] = "#DIV/0!", "#N/A"
    for cell in ("A2", "A3"):
        book.active[cell].data_type = "e"
    book.save(tmp_path / "o.xlsx")
    used = quiet(tmp_path / "o.xlsx", FRAME)
    assert used.variables[0].percent_missing == pytest.approx(100 * 2 / N)
    assert "2 error cells (such as #DIV/0!) read as missing" in " ".join(map(str, found(used, "reading")))


def test_error_cells_of_excel_in_text_files_are_missing_among_numbers(tmp_path):
    (tmp_path / "o.csv").write_text(
        "age,ill\n" + "".join(f"{age},{ill}\n" for age, ill in FRAME.values) + "#DIV/0!,no\n"
    )
    used = quiet(tmp_path / "o.csv", FRAME)
    assert (used.variables[0].kind, used.variables[0].percent_missing) == ("number", pytest.approx(100 / (N + 1)))


def test_value_labels_of_few_people_and_of_nobody_stay_out_of_the_record(tmp_path):
    coded = pd.DataFrame({"job": [1.0] * 15 + [2.0] * 3, "ill": [1.0, 2.0] * 9})
    labels = {"job": {1.0: "clerk", 2.0: "mayor of Smallville", 3.0: "nobody"}, "ill": {1.0: "yes", 2.0: "no"}}
    pyreadstat.write_sav(coded, str(tmp_path / "o.sav"), variable_value_labels=labels, note="about Mr Smith")
    used = assess(tmp_path / "o.sav", tmp_path / "o.sav", keys=["job"])
    assert {one.name: one.value_labels for one in used.variables} == {"job": {"1": "clerk"}, "ill": {}}
    assert "Smallville" not in used.model_dump_json()
    assert "Smith" not in used.model_dump_json()
    assert "notes" in str(found(used, "reading")[0])


# Codes that a file declares as missing -------------------------------------------------------------


@pytest.fixture
def declared(tmp_path):
    frame = pd.DataFrame({"age": [30.0, 40, 50, 60, 70, 999, 998, 35] * 5, "ill": [1.0, 2, 9, 1, 2, 1, 2, 1] * 5})
    pyreadstat.write_sav(frame, str(tmp_path / "o.sav"), missing_ranges={"age": [{"lo": 997, "hi": 999}], "ill": [9]})
    frame.to_csv(tmp_path / "s.csv", index=False)
    return tmp_path / "o.sav", tmp_path / "s.csv"


@pytest.mark.parametrize("turned", [False, True])
def test_declared_codes_are_no_numbers_and_stay_levels(declared, turned):
    files = declared[::-1] if turned else declared
    used = quiet(*files, targets=["ill"], numeric_groups={"age": [0, 50, 100]})
    age, ill = used.variables
    assert (age.special_codes, age.classes) == (("998", "999"), ("under 50", "50 and over"))
    assert (age.percent_missing, ill.percent_missing) == (25, 12.5)
    assert len(found(used, "declared_in_one_file")) == 2


def test_declared_codes_are_left_out_where_missing_values_are(declared):
    used = quiet(*declared, targets=["ill"], key_missing="exclude", target_missing="exclude")
    rows = used.exclusions.query("table == 'original'")
    assert (rows["missing_target"].item(), rows["missing_key"].item()) == (5, 10)
    as_marks = quiet(
        *declared, targets=["ill"], key_missing="exclude", target_missing="exclude",
        missing_values={"age": [998, 999], "ill": [9]},
    )  # fmt: skip
    pd.testing.assert_frame_equal(used.identity, as_marks.identity)
    assert used.value("DiSCO", "ill") == as_marks.value("DiSCO", "ill")


def test_codes_of_stata_leave_their_variable_one_of_numbers(tmp_path):
    frame = pd.DataFrame({"age": [30.0, 40.0, 50.0, "a", "b"] * 5, "ill": [1.0, 2.0, 1.0, 2.0, 1.0] * 5})
    pyreadstat.write_dta(frame, str(tmp_path / "o.dta"), missing_user_values={"age": ["a", "b"]})
    used = quiet(tmp_path / "o.dta", tmp_path / "o.dta", numeric_groups={"age": [0, 45, 100]})
    age = used.variables[0]
    assert (age.kind, age.special_codes, age.percent_missing) == ("number", ("a", "b"), 40)
    left = quiet(tmp_path / "o.dta", tmp_path / "o.dta", key_missing="exclude").exclusions
    assert left.query("table == 'original'")["missing_key"].item() == 10


# Encodings -----------------------------------------------------------------------------------------

TOWNS = ["Łódź", "Košice", "Győr", "Praha"]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1250", TOWNS),
        ("utf-8", [town.encode().decode("latin-1") for town in TOWNS]),
        ("cp1252", ["Málaga", "Cádiz", "Mälmö", "Paris"]),
    ],
)
def test_levels_that_would_meet_in_another_encoding_warn(encoding, text, tmp_path):
    right = TOWNS if encoding != "cp1252" else text
    original = pd.DataFrame({"town": right * 6, "ill": ["y", "n", "n"] * 8})
    frame = original.assign(town=text * 6)
    (tmp_path / "s.csv").write_bytes(frame.to_csv(index=False).encode(encoding))
    used = quiet(original, tmp_path / "s.csv", keys=["town"])
    told = found(used, "encoding")
    assert bool(told) == (encoding != "cp1252")  # Windows-1252 is what is guessed
    assert {one.severity for one in told} <= {"warning"}
    assert bool(used.value("iS", "ill") == 100) == (encoding == "cp1252")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (["M�laga", "Cádiz"], "letters that were lost"),
        (["Malaga", "Cadiz"], "nothing but accents"),
        (["M?laga", "C?diz"], "nothing but accents"),
    ],
)
def test_letters_that_were_lost_warn(text, words):
    original = pd.DataFrame({"town": ["Málaga", "Cádiz"] * 9, "ill": ["y", "n", "n"] * 6})
    (told,) = found(quiet(original, original.assign(town=text * 9), keys=["town"]), "encoding")
    assert words in told.detail
    assert "laga" not in told.detail


def test_other_letters_alone_warn_of_nothing():
    original = pd.DataFrame({"town": ["Málaga", "Cádiz", "Łódź"] * 9, "ill": ["y", "n", "n"] * 9})
    assert not found(quiet(original, original.assign(town=["Málaga", "Győr", "Sopron"] * 9), keys=["town"]), "encoding")
