"""Files of every kind: the same records give the same figures, and what can't be read is refused in words."""

import decimal
import gzip
import hashlib
import zipfile

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

from discoreport import ComparisonWarning, DiscoReportError, Exclusion, assess
from discoreport.data.readers import statistical_packages
from discoreport.data.readers.source_file import ENDINGS, FORMATS, NEW_ENDINGS, SAS, SPSS, STATA
from tests.commands import parser
from tests.documents import readme_and_guide
from tests.forms import listed
from tests.tables import _READERS, disco, findings, message_of

pytestmark = pytest.mark.filterwarnings("ignore:Records of the original")  # a file stands for both: what is read counts

SURVEY = pd.DataFrame(
    {
        "age": [30, 31, 41, 41, 57, 60],
        "sex": ["f", "m", "m", "f", "m", "f"],
        "town": ["007", "012", "012", "100", "007", "100"],
        "income": [1200.5, 900.0, None, 800.25, 1200.5, 0.1],
        "ill": ["yes", "no", "NA", "no", "a; b, \"c\"", "né"],
    }
)  # fmt: skip
KEYS = ["age", "sex", "town"]


def test_every_kind_of_file_has_a_reader_and_is_named_wherever_files_are_asked_for(tmp_path):
    assert set(_READERS) == set(ENDINGS) >= set(NEW_ENDINGS)
    assert len(ENDINGS) == len(set(ENDINGS))
    assert set(statistical_packages._READERS) == {*SPSS.endings, *STATA.endings, *SAS.endings}
    names = ", ".join(one.name for one in FORMATS)
    assert names in " ".join(parser().parse_args(["assess"]).its_own.format_help().split())
    assert f"on {names.replace(', SAS', ' and SAS')} files" in " ".join(readme_and_guide().split())
    for ending in ENDINGS:
        (tmp_path / f"survey{ending}").touch()
    (tmp_path / "survey.docx").touch()
    assert listed(tmp_path) == ([], sorted(f"survey{ending}" for ending in ENDINGS))


def write_text(frame, path, encoding="utf-8", **options):
    path.write_bytes(frame.to_csv(index=False, **options).encode(encoding))


def write_gz(frame, path):
    path.write_bytes(gzip.compress(frame.to_csv(index=False).encode()))


def write_dictionary_parquet(frame, path):
    pq.write_table(pa.Table.from_pandas(frame.astype("category"), preserve_index=False), path)


WRITERS = {
    "comma.csv": write_text,
    "COMMA.CSV": write_text,
    "semicolon.csv": lambda frame, path: write_text(frame, path, sep=";"),
    "decimal comma.csv": lambda frame, path: write_text(frame, path, sep=";", decimal=","),
    "tab.tsv": lambda frame, path: write_text(frame, path, sep="\t"),
    "tab.txt": lambda frame, path: write_text(frame, path, sep="\t"),
    "tab decimal comma.txt": lambda frame, path: write_text(frame, path, sep="\t", decimal=","),
    "pipe.txt": lambda frame, path: write_text(frame, path, sep="|"),
    "bom.csv": lambda frame, path: write_text(frame, path, "utf-8-sig"),
    "utf-16.csv": lambda frame, path: write_text(frame, path, "utf-16"),
    "windows.csv": lambda frame, path: write_text(frame, path, "cp1252"),
    "lines.csv": lambda frame, path: write_text(frame, path, lineterminator="\r\n"),
    "quoted.csv": lambda frame, path: write_text(frame, path, quoting=1),
    "packed.csv.gz": write_gz,
    "plain.parquet": lambda frame, path: frame.to_parquet(path, index=False),
    "indexed.parquet": lambda frame, path: frame.set_axis(range(5, 5 + len(frame))).to_parquet(path),
    "dictionary.parquet": write_dictionary_parquet,
    "sheet.xlsx": lambda frame, path: frame.to_excel(path, index=False),
    "spss.sav": lambda frame, path: pyreadstat.write_sav(frame, str(path)),
    "spss.zsav": lambda frame, path: pyreadstat.write_sav(frame, str(path), compress=True),
    "stata.dta": lambda frame, path: pyreadstat.write_dta(frame, str(path)),
    "sas.xpt": lambda frame, path: pyreadstat.write_xport(frame, str(path), file_format_version=5),
}


def write(path, text):
    path.write_text(text, encoding="utf-8", newline="")
    return path


# The same records in every format ----------------------------------------------------------------


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_figures_of_the_frame(name, tmp_path):
    path = tmp_path / name
    WRITERS[name](SURVEY, path)
    before = assess(SURVEY, SURVEY.iloc[::-1], keys=KEYS)
    for original, synthetic in ((path, SURVEY), (SURVEY, path), (path, str(path))):
        after = assess(original, synthetic, keys=KEYS)
        assert after.identity.equals(before.identity)
        assert after.attribute.equals(before.attribute)
        assert after.cap.equals(before.cap)
        assert after.variables[0].kind == "number"
        assert not {"levels_only_in_original", "levels_only_in_synthetic"} & findings(after)


@pytest.mark.fast_cases(8)
@pytest.mark.parametrize("name", WRITERS)
def test_the_fingerprint_of_every_file_is_kept(name, tmp_path):
    path = tmp_path / name
    WRITERS[name](SURVEY, path)
    assessment = assess(path, [path, SURVEY], keys=KEYS)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    assert assessment.original.sha256 == assessment.synthetic[0].sha256 == sha256
    assert (assessment.original.name, assessment.original.path) == (name, str(path))
    assert (assessment.original.n_records, assessment.original.n_columns) == SURVEY.shape
    frame = assessment.synthetic[1]
    assert (frame.sha256, frame.path, frame.n_records) == (None, None, len(SURVEY))


def test_the_order_of_columns_does_not_matter(tmp_path):
    ours, theirs = tmp_path / "original.csv", tmp_path / "synthetic.csv"
    write_text(SURVEY, ours)
    write_text(SURVEY[SURVEY.columns[::-1]], theirs)
    assessment = assess(ours, theirs, keys=KEYS)
    assert assessment.attribute["DiSCO"].tolist() == [100, 100]
    assert assessment.targets == ("income", "ill")


# CSV ---------------------------------------------------------------------------------------------


def test_quoted_line_breaks_stay_within_their_record(tmp_path):
    path = write(tmp_path / "a.csv", 'k,t\n"north\nwest",x\n"south, east","say ""no"""\n')
    frame = pd.DataFrame({"k": ["north\nwest", "south, east"], "t": ["x", 'say "no"']})
    assessment = assess(path, frame, keys="k")
    assert assessment.original.n_records == 2
    assert disco(assessment, "t") == 100


def test_quoted_header_may_hold_the_delimiter_of_another_file(tmp_path):
    path = write(tmp_path / "a.csv", '"a;b;c;d",t\n1,x\n2,y\n')
    assert disco(assess(path, path, keys="a;b;c;d"), "t") == 100


def test_leading_zeros_stay_text(tmp_path):
    path = write(tmp_path / "a.csv", "town,t\n007,a\n010,b\n7,c\n")
    assessment = assess(path, path, keys="town")
    assert assessment.variables[0].kind == "text"
    assert disco(assessment, "t") == 100
    frame = pd.DataFrame({"town": ["007", "010", "7"], "t": ["a", "b", "c"]})
    assert disco(assess(path, frame, keys="town"), "t") == 100
    excluded = assess(path, path, keys="town", exclude=[Exclusion(target="t", level="a", key="town", key_level="007")])
    assert disco(excluded, "t") == pytest.approx(200 / 3)


def test_leading_zeros_in_every_row_stay_text(tmp_path):
    path = write(tmp_path / "a.csv", "town,t\n007,a\n010,b\n")
    frame = pd.DataFrame({"town": [7, 10], "t": ["a", "b"]})
    with pytest.warns(ComparisonWarning):
        assessment = assess(path, frame, keys="town")
    assert assessment.attribute.loc[("t", 1), "iS"] == 0
    assert assess(path, path, keys="town").variables[0].kind == "text"


def test_a_text_level_that_reads_na_stays_a_level(tmp_path):
    path = write(tmp_path / "a.csv", "country,t\nNA,a\nDE,b\n,c\nnull,d\nNone,e\n")
    assessment = assess(path, path, keys="country", key_missing="exclude")
    assert assessment.variables[0].n_levels == 4
    assert disco(assessment, "t") == 80


@pytest.mark.parametrize("mark", ["NA", "NaN", "nan", "NULL", "null", "N/A", "#N/A", "None", "."])
def test_a_mark_for_missing_among_numbers_is_missing_and_is_reported(mark, tmp_path):
    path = write(tmp_path / "a.csv", f"income,t\n1,a\n2.5,b\n{mark},c\n,c\n")
    assessment = assess(path, path, keys="income", key_missing="exclude")
    assert assessment.variables[0].kind == "number"
    assert disco(assessment, "t") == 50
    assert any(f"'{mark}' read as missing" in detail for detail in assessment.comparison["detail"])
    frame = pd.DataFrame({"income": [1, 2.5, None, None], "t": ["a", "b", "c", "c"]})
    assert disco(assess(path, frame, keys="income"), "t") == 100


def test_a_column_of_marks_alone_stays_text(tmp_path):
    path = write(tmp_path / "a.csv", "k,t\nNA,a\nNA,a\n")
    assert assess(path, path, keys="k").variables[0].percent_missing == 0


def test_marks_differ_between_files_and_meet(tmp_path):
    ours = write(tmp_path / "a.csv", "income,t\n1,a\n2,b\nNA,c\n")
    theirs = write(tmp_path / "b.csv", "income,t\n1,a\n2,b\n.,c\n")
    assert disco(assess(ours, theirs, keys="income"), "t") == 100


def test_decimal_commas_are_read_and_reported(tmp_path):
    path = write(tmp_path / "a.csv", "income;t\n1,5;a\n2;b\n-0,25;c\n")
    frame = pd.DataFrame({"income": [1.5, 2, -0.25], "t": ["a", "b", "c"]})
    assessment = assess(path, frame, keys="income")
    assert disco(assessment, "t") == 100
    assert any("decimal comma" in detail for detail in assessment.comparison["detail"])


def test_commas_that_group_thousands_are_not_taken_for_decimals(tmp_path):
    path = write(tmp_path / "a.csv", 'income,t\n"1,500",a\n"2,500",b\n')
    assert assess(path, path, keys="income").variables[0].kind == "text"


def test_windows_1252_is_read_and_reported(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("k,t\nMünchen,€\nKöln,x\n".encode("cp1252"))
    frame = pd.DataFrame({"k": ["München", "Köln"], "t": ["€", "x"]})
    assessment = assess(path, frame, keys="k")
    assert disco(assessment, "t") == 100
    assert any("Windows-1252" in detail for detail in assessment.comparison["detail"])


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("k,t\nx,a\n".encode("utf-8-sig"))
    assert disco(assess(path, path, keys="k"), "t") == 100


def test_one_column_with_blank_lines_keeps_its_missing_values(tmp_path):
    path = write(tmp_path / "a.csv", "k\nx\n\ny\n")
    frame = pd.DataFrame({"k": ["x", None, "y"], "t": ["a", "b", "c"]})
    assert "'t'" in message_of(frame, path, keys="k", targets="t")


def test_large_whole_numbers_keep_every_digit(tmp_path):
    path = write(tmp_path / "a.csv", f"k,t\n{2**53},a\n{2**53 + 1},b\n{2**63 - 1},c\n")
    assert assess(path, path, keys="k").identity.loc[1, "UiO"] == 100
    holes = write(tmp_path / "b.csv", f"k,t\n{2**53},a\n{2**53 + 1},b\n,c\n")
    assert assess(holes, holes, keys="k").identity.loc[1, "UiO"] == 100
    marks = write(tmp_path / "c.csv", f"k,t\n{2**53},a\n{2**53 + 1},b\nNA,c\n")
    assert assess(marks, marks, keys="k").identity.loc[1, "UiO"] == 100
    wide = write(tmp_path / "d.csv", f"k,t\n{10**19},a\n{10**19 + 1},b\n{10**25},c\n")
    assert assess(wide, wide, keys="k").identity.loc[1, "UiO"] == 100


def test_true_and_false_with_holes_meet_without(tmp_path):
    ours = write(tmp_path / "a.csv", "k,t\nTrue,a\nFalse,b\n,c\n")
    theirs = pd.DataFrame({"k": pd.array([True, False, None], "boolean"), "t": ["a", "b", "c"]})
    assert disco(assess(ours, theirs, keys="k"), "t") == 100


def test_spaces_around_levels_are_kept_and_warned_of(tmp_path):
    ours = write(tmp_path / "a.csv", "k,t\nx,a\ny,b\nz,c\n")
    theirs = write(tmp_path / "b.csv", "k,t\nx,a\ny,b\nz ,c\n")
    with pytest.warns(ComparisonWarning, match="spaces"):
        assessment = assess(ours, theirs, keys="k")
    assert assessment.attribute.loc[("t", 1), "iS"] == pytest.approx(200 / 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no"),
        ("\n", "has no"),
        ("k,t\n", "has no records"),
        ("k,t", "has no records"),
        ("k,t\nx,a\nx,a,b,c\n", "isn't a regular table"),
        ("k,t\nx,a,b\ny,a,b\n", "isn't a regular table"),
        ("k,k\nx,a\n", "'k' occurs twice"),
        ("k,t\nx,a\0\n", "zero bytes"),
        ('k,t\n"x,a\n', "isn't a regular table"),
        (f"k,{'t' * 140_000}\nx,a\n", "isn't a regular table: field larger than field limit"),
        ('"k,t\n' + "x,a\n" * 40_000, "isn't a regular table"),
    ],
    ids=lambda text: repr(text[:20]),
)  # fmt: skip
def test_a_text_file_that_is_not_a_table_is_refused(text, words, tmp_path):
    path = write(tmp_path / "a.csv", text)
    message = message_of(path, SURVEY, keys="k")
    assert words in message
    assert "a.csv" in message
    assert words in message_of(SURVEY.rename(columns={"age": "k"}), path, keys="k")


# Parquet and Excel -------------------------------------------------------------------------------


def test_parquet_keeps_types_and_meets_text(tmp_path):
    path = tmp_path / "a.parquet"
    values = {
        "whole": pa.array([1, 2, None], pa.int16()),
        "decimal": pa.array([decimal.Decimal("1.50"), decimal.Decimal("2.00"), None], pa.decimal128(8, 2)),
        "single": pa.array([0.1, 0.2, None], pa.float32()),
        "flag": pa.array([True, False, None]),
        "day": pa.array(["2011-05-01", "1999-12-31", None]).cast(pa.date32()),
        "time": pa.array(["2011-05-01 12:30:00", "1999-12-31 00:00:00", None]).cast(pa.timestamp("ms")),
        "text": pa.array(["x", "y", None]).dictionary_encode(),
    }
    pq.write_table(pa.table({**values, "t": ["a", "b", "c"]}), path)
    text = write(
        tmp_path / "a.csv",
        "whole,decimal,single,flag,day,time,text,t\n"
        "1,1.5,0.1,true,2011-05-01,2011-05-01 12:30:00,x,a\n"
        "2,2,0.2,false,1999-12-31,1999-12-31 00:00:00,y,b\n"
        ",,,,,,,c\n",
    )
    assessment = assess(path, text, keys=list(values))
    assert assessment.identity.loc[1, "repU"] == 100
    assert disco(assess(text, path, keys=list(values)), "t") == 100


def test_dictionary_columns_of_numbers_meet_plain_ones(tmp_path):
    path = tmp_path / "a.parquet"
    frame = pd.DataFrame({"k": [0.1, 2.5, 57.0], "t": ["a", "b", "c"]})
    frame.astype({"k": "category"}).to_parquet(path)
    assert disco(assess(path, frame, keys="k"), "t") == 100


def test_the_first_sheet_with_content_is_read_and_others_are_reported(tmp_path):
    path = tmp_path / "a.xlsx"
    with pd.ExcelWriter(path) as book:
        SURVEY.to_excel(book, sheet_name="Data", index=False)
        SURVEY.head(1).to_excel(book, sheet_name="Notes", index=False)
    assessment = assess(path, SURVEY, keys=KEYS)
    assert assessment.original.n_records == len(SURVEY)
    assert any("'Data'" in detail for detail in assessment.comparison["detail"])


def test_dates_and_booleans_in_excel_meet_those_in_text(tmp_path):
    path = tmp_path / "a.xlsx"
    frame = pd.DataFrame({"day": pd.to_datetime(["2011-05-01", "1999-12-31"]), "flag": [True, False], "t": ["a", "b"]})
    frame.to_excel(path, index=False)
    text = write(tmp_path / "a.csv", "day,flag,t\n2011-05-01,true,a\n1999-12-31,false,b\n")
    assert assess(path, text, keys=["day", "flag"]).identity.loc[1, "repU"] == 100


def test_marks_and_zeros_in_excel_are_read_as_in_text(tmp_path):
    path = tmp_path / "a.xlsx"
    book = openpyxl.Workbook()
    for row in (["k", "income", "t"], ["007", 1, "a"], ["NA", "NA", "b"], ["x", 2.5, "c"]):
        book.active.append(row)
    book.save(path)
    frame = pd.DataFrame({"k": ["007", "NA", "x"], "income": [1, None, 2.5], "t": ["a", "b", "c"]})
    assert disco(assess(path, frame, keys=["k", "income"]), "t") == 100


@pytest.mark.parametrize("name", ["sheet.xlsx", "plain.parquet", "packed.csv.gz", "spss.sav", "stata.dta"])
def test_a_truncated_file_is_refused_by_name(name, tmp_path):
    whole, path = tmp_path / f"whole {name}", tmp_path / name
    WRITERS[name](pd.concat([SURVEY] * 50), whole)
    content = whole.read_bytes()
    for length in (len(content) // 2, 20, 3):
        path.write_bytes(content[:length])
        assert name in message_of(path, SURVEY, keys=KEYS)
        assert name in message_of(SURVEY, path, keys=KEYS)


@pytest.mark.fast_cases(1)
@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")  # values that were changed may be readable
@pytest.mark.parametrize("name", ["sheet.xlsx", "plain.parquet", "packed.csv.gz"])
def test_a_damaged_file_is_refused_by_name(name, tmp_path):
    path = tmp_path / name
    WRITERS[name](pd.concat([SURVEY] * 50), path)
    whole = path.read_bytes()
    messages = []
    for place in range(12, len(whole), len(whole) // 12):
        damaged = bytearray(whole)
        damaged[place : place + 20] = bytes(value ^ 0x55 for value in damaged[place : place + 20])
        path.write_bytes(damaged)
        try:
            assess(path, SURVEY, keys=KEYS)
        except DiscoReportError as error:
            messages.append(str(error))
    assert len(messages) > 5  # some places do no harm
    assert all(name in message for message in messages)


@pytest.mark.parametrize("name", ["sheet.xlsx", "plain.parquet", "packed.csv.gz", "spss.sav", "stata.dta", "sas.xpt"])
def test_a_file_that_is_something_else_is_refused_by_name(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 40)
    assert name in message_of(path, SURVEY, keys=KEYS)
    path.write_bytes(b"")
    assert "has no" in message_of(path, SURVEY, keys=KEYS)


@pytest.mark.parametrize("name", ["comma.csv", "packed.csv.gz", "plain.parquet", "sheet.xlsx", "spss.sav", "stata.dta"])
def test_a_file_without_records_is_refused(name, tmp_path):
    path = tmp_path / name
    WRITERS[name](SURVEY.astype("str").iloc[:0], path)
    assert "has no records" in message_of(path, SURVEY, keys=KEYS)
    assert "has no records" in message_of(SURVEY, path, keys=KEYS)


# SPSS, Stata, SAS --------------------------------------------------------------------------------

CODED = pd.DataFrame({"sex": [1.0, 2.0, 2.0, 1.0], "edu": [1, 2, 3, -8], "ill": ["yes", "no", "no", "yes"]})
LABELS = {"sex": {1: "male", 2: "female"}, "edu": {1: "primary", 2: "secondary", 3: "tertiary", -8: "refused"}}


@pytest.fixture(params=["labelled.sav", "labelled.dta"])
def labelled(request, tmp_path):
    path = tmp_path / request.param
    writer = pyreadstat.write_sav if path.suffix == ".sav" else pyreadstat.write_dta
    names = {"sex": "Sex at birth", "edu": "Education", "ill": "Ill last week"}
    writer(CODED, str(path), variable_value_labels=LABELS, column_labels=names)
    return path


def test_value_labels_meet_the_same_words_in_text(labelled, tmp_path):
    words = CODED.replace(LABELS)
    text = write(tmp_path / "a.csv", words.to_csv(index=False))
    for original, synthetic in ((labelled, text), (text, labelled)):
        assessment = assess(original, synthetic, keys=["sex", "edu"])
        assert assessment.identity.loc[1, "repU"] == 100
        assert disco(assessment, "ill") == 100
        assert "repair" in findings(assessment, "sex")


def test_labelled_codes_meet_bare_codes(labelled):
    for other in (CODED, CODED.astype(str), labelled):
        assert assess(labelled, other, keys=["sex", "edu"]).identity.loc[1, "repU"] == 100


def test_a_level_can_be_excluded_by_code_or_by_label(labelled):
    for level in (2, "2", "female"):
        rule = Exclusion(target="sex", level=level)
        assessment = assess(labelled, labelled, keys="edu", targets="sex", exclude=[rule])
        assert disco(assessment, "sex") == 50


def test_labels_of_variables_are_kept(labelled):
    assessment = assess(labelled, labelled, keys=["sex", "edu"])
    assert [variable.label for variable in assessment.variables] == ["Sex at birth", "Education", "Ill last week"]


def test_files_that_label_a_code_differently_warn(labelled, tmp_path):
    other = tmp_path / "other.sav"
    swapped = {**LABELS, "sex": {1: "female", 2: "male"}}
    pyreadstat.write_sav(CODED, str(other), variable_value_labels=swapped)
    with pytest.warns(ComparisonWarning, match="sex"):
        assessment = assess(labelled, other, keys=["sex", "edu"])
    assert "labels_disagree" in findings(assessment, "sex")


def test_values_that_spss_calls_missing_stay_distinct(tmp_path):
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(CODED, str(path), missing_ranges={"edu": [-8]}, variable_value_labels=LABELS)
    assert assess(path, CODED, keys=["sex", "edu"]).identity.loc[1, "repU"] == 100
    assessment = assess(path, path, keys=["sex", "edu"], key_missing="exclude")
    edu = assessment.variables[1]
    assert (edu.n_levels, edu.special_codes, edu.percent_missing) == (4, ("-8",), 25)


def test_codes_that_a_statistics_file_declares_as_missing_do_not_meet_empty_fields_and_warn(tmp_path):
    frame = pd.DataFrame({"k": list("abcd"), "t": [1.0, -9.0, -97.0, 2.0], "u": ["x", "y", "no", "y"]})
    pyreadstat.write_sav(
        frame, str(tmp_path / "a.sav"), missing_ranges={"t": [-9, {"lo": -99, "hi": -90}], "u": ["no"]}
    )
    letters = frame.assign(t=pd.Series([1.0, "a", "b", 2.0], dtype=object), u="y")
    pyreadstat.write_dta(letters, str(tmp_path / "a.dta"), missing_user_values={"t": ["a", "b"]})
    empty = write(tmp_path / "a.csv", "k,t,u\na,1,x\nb,,y\nc,,\nd,2,y\n")
    for name, coded in (("a.sav", {"t", "u"}), ("a.dta", {"t"})):
        for files in ((tmp_path / name, empty), (empty, tmp_path / name)):
            with pytest.warns(ComparisonWarning, match="may stand for missing values"):
                assessment = assess(*files, keys="k")
            assert {one.variable for one in assessment.findings if one.finding == "missing_as_code"} == coded
        same = assess(tmp_path / name, tmp_path / name, keys="k")
        assert not [one for one in same.findings if one.finding == "missing_as_code"]


@pytest.mark.parametrize("name", ["spss.sav", "stata.dta", "sas.xpt"])
def test_empty_text_in_statistics_files_is_missing_as_in_other_files(name, tmp_path):
    path = tmp_path / name
    frame = pd.DataFrame({"k": ["x", None, "y"], "t": ["a", "b", "c"]})
    WRITERS[name](frame, path)
    assert disco(assess(path, frame, keys="k"), "t") == 100


def test_dates_in_statistics_files_meet_those_in_text(tmp_path):
    frame = pd.DataFrame({"day": pd.to_datetime(["2011-05-01", "1999-12-31"]).date, "t": ["a", "b"]})
    text = write(tmp_path / "a.csv", "day,t\n2011-05-01,a\n1999-12-31,b\n")
    for name, writer in (("a.sav", pyreadstat.write_sav), ("a.dta", pyreadstat.write_dta)):
        writer(frame, str(tmp_path / name))
        assert disco(assess(tmp_path / name, text, keys="day"), "t") == 100


# What is not there -------------------------------------------------------------------------------


def test_a_missing_file_is_refused_with_the_nearest_name(tmp_path):
    write(tmp_path / "survey_2011.csv", "k,t\nx,a\n")
    message = message_of(tmp_path / "survey_2010.csv", SURVEY, keys="k")
    assert "survey_2010.csv" in message
    assert "Did you mean 'survey_2011.csv'?" in message
    assert "doesn't exist" in message_of(SURVEY, tmp_path / "nowhere" / "a.csv", keys="age")
    assert "is a folder" in message_of(SURVEY, tmp_path, keys="age")


@pytest.mark.parametrize("name", ["a.xls", "a.json", "a", "a.gz", "a.csv.bz2", "a.dta.gz", "a.feather"])
def test_an_unknown_ending_is_refused_with_those_there_are(name, tmp_path):
    path = write(tmp_path / name, "k,t\nx,a\n")
    message = message_of(path, SURVEY, keys="k")
    assert name in message
    assert ".parquet" in message
    assert ".sav" in message


def test_a_name_with_dots_is_read_by_its_ending(tmp_path):
    path = write(tmp_path / "survey.2011.v2.csv", "k,t\nx,a\n")
    assert disco(assess(path, path, keys="k"), "t") == 100
    packed = tmp_path / "survey.2011.v2.csv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert disco(assess(path, packed, keys="k"), "t") == 100


def test_a_column_missing_in_one_file_is_refused_with_the_name_of_the_file(tmp_path):
    ours, theirs = tmp_path / "original.csv", tmp_path / "release_2.csv"
    write_text(SURVEY, ours)
    write_text(SURVEY.rename(columns={"age": "Age"}), theirs)
    message = message_of(ours, [ours, theirs], keys="age")
    assert "release_2.csv" in message
    assert "Did you mean 'Age'?" in message


@pytest.mark.parametrize("name", ["sheet.xlsx", "spss.sav", "stata.dta", "sas.xpt"])
def test_a_package_that_is_not_installed_is_named_with_its_extra(name, tmp_path, uninstall):
    path = tmp_path / name
    WRITERS[name](SURVEY, path)
    package = "openpyxl" if name.endswith("xlsx") else "pyreadstat"
    uninstall(package)
    with pytest.raises(ImportError, match=package) as error:
        assess(path, SURVEY, keys=KEYS)
    assert isinstance(error.value, DiscoReportError)
    assert "discoreport[files]" in str(error.value)


def test_messages_quote_no_record_and_no_rare_value(tmp_path):
    path = write(tmp_path / "a.csv", "name,age,ill\nAnn Secret,31,HIV\nBob Secret,32,HIV,extra\n")
    assert "Secret" not in message_of(path, SURVEY, keys="age")
    people = pd.DataFrame({"age": [30, 31] * 10, "name": [f"Person {n}" for n in range(20)], "sex": ["f", "m"] * 10})
    for settings in (
        {"exclude": [{"target": "name", "level": "Person 99"}]},
        {"numeric_groups": {"name": 3}},
        {"special_codes": {"name": ["Person 99"]}},
    ):
        message = message_of(people, people, keys="age", **settings).replace("Person 99", "")
        assert "Person" not in message


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_file_that_may_not_be_read_is_told_of(tmp_path, close, engine):
    path = tmp_path / "a.csv"
    path.write_text("sex,ill\nf,no\n")
    close(path)
    with pytest.raises(DiscoReportError, match=r"Can't read '.*a\.csv': Permission denied"):
        assess(path, path, keys=["sex"], engine=engine)


def test_a_portable_file_of_spss_is_read(tmp_path):
    frame = pd.DataFrame({"K": [1, 2, 3], "T": ["a", "b", "b"]})
    pyreadstat.write_por(frame, str(tmp_path / "a.por"))
    assert disco(assess(tmp_path / "a.por", frame, keys=["K"]), "T") == 100


# What libraries raise ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error",
    [
        EOFError("Zwischenau"),
        NotImplementedError("compression of Zwischenau"),
        zipfile.BadZipFile("Zwischenau"),
        OverflowError("Zwischenau is out of range"),
        RuntimeError("Zwischenau\nand more"),
        RecursionError(),
        MemoryError(),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("sheet.xlsx", "pandas.read_excel"),
        ("plain.parquet", "pyarrow.parquet.read_table"),
        ("spss.sav", "pyreadstat.read_sav"),
    ],
)
def test_whatever_a_library_raises_while_reading_is_told_without_its_value(
    name, function, error, tmp_path, monkeypatch
):
    def fails(*_, **__):
        raise error

    WRITERS[name](SURVEY, tmp_path / name)
    monkeypatch.setattr(function, fails)
    message = message_of(tmp_path / name, SURVEY, keys=KEYS)
    assert name in message
    assert "Zwischenau" not in message
    assert "\n" not in message


NUMERALS = {
    "more digits than Python reads": ("1" * 5000, "1" * 4999 + "2"),
    "an exponent beyond all floating point": ("1.000000000000e9999999", "1.000000000001e9999999"),
    "a short one": ("1e999", "1e998"),
    "one that is nearly zero": ("1e-999", "0"),
    "an exponent that no number has": ("1e99999999999999999999", "2e99999999999999999999"),
}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("numerals", NUMERALS.values(), ids=NUMERALS)
def test_numbers_that_no_type_holds_are_read_and_stay_apart(numerals, engine, tmp_path):
    original = write(tmp_path / "a.csv", f"k,t\n{numerals[0]},x\n{numerals[1]},y\n")
    synthetic = write(tmp_path / "b.csv", f"k,t\n{numerals[1]},x\n{numerals[0]},y\n")
    same = assess(original, original, keys=["k"], engine=engine)
    assert (disco(same, "t"), same.variables[0].n_levels) == (100, 2)
    assert disco(assess(original, synthetic, keys=["k"], engine=engine), "t") == 0


def test_very_long_whole_numbers_in_a_frame_stay_apart():
    frame = pd.DataFrame({"k": pd.Series([10**5000, 10**5000 + 1], dtype=object), "t": ["x", "y"]})
    assert disco(assess(frame, frame, keys=["k"]), "t") == 100
