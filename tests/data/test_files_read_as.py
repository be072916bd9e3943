"""Files that don't say themselves how they are read: `File` says it, wherever files are named."""

import json
import warnings

import openpyxl
import pandas as pd
import pyreadstat
import pytest

from discoreport import ComparisonWarning, DisclosureForm, File, Settings, analyse, assess, excess_over_control, load
from discoreport.cli import main
from discoreport.errors import DataError, SettingsError
from tests.commands import command, python_lines, read_configuration, write_configuration
from tests.forms import enter, press, step
from tests.tables import code_variable, read

pytestmark = pytest.mark.usefixtures("short_pdf")

FRAME = pd.DataFrame(
    {
        "town": ["Łódź", "Košice", "Łódź", "Győr"] * 5,
        "pay": [1.5, 2.25, 1.5, 300.0] * 5,
        "ill": ["yes", "no", "no", "yes", "no"] * 4,
    }
)
SETTINGS = {"keys": ["town", "pay"], "targets": ["ill"]}


def quiet(*arguments, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        return assess(*arguments, **{**SETTINGS, **settings})


def sheet(path, *sheets):
    """Write sheets: title, rows, and whether it is hidden."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows, *hidden in sheets:
        made = book.create_sheet(title)
        for row in rows:
            made.append(list(row))
        made.sheet_state = "hidden" if hidden else "visible"
    book.save(path)
    return path


ROWS = [FRAME.columns, *FRAME.itertuples(index=False)]


def write_text(path, encoding="cp1250", above="", **options):
    path.write_bytes((above + FRAME.to_csv(index=False, **options)).encode(encoding))
    return path


WRITTEN = {
    "o.csv": (write_text, {"encoding": "cp1250"}),
    "semicolon.csv": (lambda path: write_text(path, "utf-8", sep=";"), {"delimiter": ";"}),
    "colon.csv": (lambda path: write_text(path, "utf-8", sep=":"), {"delimiter": ":"}),
    "tab.csv": (lambda path: write_text(path, "utf-8", sep="\t"), {"delimiter": "\\t"}),
    "titled.csv": (lambda path: write_text(path, "utf-8", "Survey, 2011\n\n"), {"skip_rows": 2}),
    "decimals.csv": (lambda path: write_text(path, "utf-8", sep=",", decimal=",", quoting=1), {"decimal": ","}),
    "titled.xlsx": (lambda path: sheet(path, ("a", [["Survey"], [], *ROWS])), {"skip_rows": 2}),
    "second.xlsx": (lambda path: sheet(path, ("read me", [["by"], ["us"]]), ("data", ROWS)), {"sheet": "data"}),
    "number.xlsx": (lambda path: sheet(path, ("read me", [["by"], ["us"]]), ("data", ROWS)), {"sheet": 2}),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_is_read_as_is_said_and_the_record_knows(name, tmp_path):
    write, read_as = WRITTEN[name]
    path = write(tmp_path / name)
    expected = quiet(FRAME, FRAME)
    found = quiet(File(path, **read_as), FRAME)
    pd.testing.assert_frame_equal(found.attribute, expected.attribute)
    assert found.value("iS", "ill") == 100
    assert list(found.original.read_as) == list(read_as)
    assert found.synthetic[0].read_as == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["semicolon.csv", "colon.csv", "titled.csv", "decimals.csv"])
def test_the_engine_beyond_memory_reads_it_so_too(name, tmp_path):
    write, read_as = WRITTEN[name]
    path = write(tmp_path / name)
    FRAME.to_csv(tmp_path / "plain.csv", index=False)
    found = quiet(File(path, **read_as), tmp_path / "plain.csv", engine="duckdb")
    assert (found.value("iS", "ill"), found.original.read_as) == (100, File(path, **read_as).read_as)


@pytest.mark.parametrize(
    ("read_as", "engine", "words"),
    [
        ({"encoding": "cp1250"}, "duckdb", "reads text files in UTF-8 alone .* or use the engine 'memory'"),
        pytest.param({"skip_rows": 2}, "spark", "skips no rows .* or use the engine", marks=pytest.mark.spark),
    ],
)
def test_what_an_engine_cannot_honour_is_refused_in_words(read_as, engine, words, tmp_path):
    with pytest.raises(DataError, match=words):
        quiet(File(write_text(tmp_path / "o.csv"), **read_as), tmp_path / "o.csv", engine=engine)
    assert quiet(File(tmp_path / "o.csv", encoding="cp1250"), FRAME).provenance.engine == "memory"


@pytest.mark.parametrize(
    ("path", "read_as", "words"),
    [
        ("o.csv", {"encoding": "cp125"}, "encoding can't be 'cp125': it is how"),
        ("o.csv", {"delimiter": ";;"}, "delimiter can't be ';;': it is the sign"),
        ("o.csv", {"decimal": ";"}, "decimal can't be ';'"),
        ("o.csv", {"skip_rows": -1}, "skip_rows can't be -1"),
        ("o.xlsx", {"sheet": 0}, "sheet can't be 0"),
        ("o.parquet", {"encoding": "cp1250"}, "encoding says nothing of such a file"),
        ("o.sav", {"delimiter": ";"}, "delimiter says nothing of such a file. It takes encoding"),
    ],
)
def test_an_option_that_will_not_do_is_refused(path, read_as, words):
    with pytest.raises(SettingsError, match=words):
        File(path, **read_as)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{path = "o.csv", encodin = "utf-8"}', "no option 'encodin' of a file. Did you mean 'encoding'"),
        ('{encoding = "utf-8"}', "a file needs its path"),
        ("{o.csv}", "write it as {path"),
    ],
)
def test_a_line_that_names_no_file_is_refused(text, words):
    with pytest.raises(SettingsError, match=words):
        read(text, "original")


def test_a_wrong_option_is_told_of_with_what_would_do(tmp_path):
    (tmp_path / "o.csv").write_bytes("a,b\nŁ,1\n".encode("cp1250"))
    with pytest.raises(DataError, match=r"isn't in utf-8. Name another encoding"):
        read(File(tmp_path / "o.csv", encoding="utf-8"), "o")
    with pytest.raises(DataError, match=r"has no sheet 'dat' that holds anything. Did you mean 'data'"):
        read(File(sheet(tmp_path / "o.xlsx", ("data", ROWS)), sheet="dat"), "o")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("o.csv", b"Survey\na,b\n1,2\n", "delimiter, skip_rows"),
        ("o.csv", b"a,a\n1,2\n", "delimiter, skip_rows"),
        ("o.csv", b"a,b\n\x81,1\n", "name its encoding"),
        ("o.csv", "a,b\n1,2\n".encode("utf-16-le"), "encoding = 'utf-16-le'"),
        ("o.csv", b"\na,b\n1,2\n", "no header line.* skip_rows"),
    ],
)
def test_a_text_file_that_cannot_be_read_names_the_option_that_mends_it(name, content, words, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=words):
        read(tmp_path / name, "o")


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_text_file_of_one_column_names_the_options_that_may_mend_it(engine, tmp_path):
    (tmp_path / "o.csv").write_text("a~b\n1~2\n")
    with pytest.raises(DataError, match=r"No column 'a' .* say so: delimiter, skip_rows"):
        assess(tmp_path / "o.csv", tmp_path / "o.csv", keys=["a"], engine=engine)


def test_a_file_without_records_says_how_it_was_read_and_which_sheets_there_are(tmp_path):
    (tmp_path / "o.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match=r"no records.* It was read with skip_rows = 1"):
        read(File(tmp_path / "o.csv", skip_rows=1), "o")
    with pytest.raises(
        DataError, match=r"Sheet 'about' of 'o.xlsx' has no records. Name another one with sheet: 'data'"
    ):
        read(sheet(tmp_path / "o.xlsx", ("about", [["About"]]), ("data", ROWS)), "o")


def test_a_sheet_with_a_title_names_the_option_that_mends_it(tmp_path):
    path = sheet(tmp_path / "deaths.xlsx", ("a", [["Lots of people", None, None], *ROWS]))
    with pytest.raises(DataError, match=r"column name '' occurs twice. .* skip_rows or sheet"):
        read(path, "o")


@pytest.mark.parametrize("ending", ["sav", "xpt", "dta"])
def test_statistics_files_in_an_old_encoding_are_read_or_say_what_would_do(ending, tmp_path):
    path = tmp_path / f"o.{ending}"
    frame = pd.DataFrame({"t": ["Muller", "Jager"] * 3, "x": [1.0, 2.0, 3.0] * 2})
    {"sav": pyreadstat.write_sav, "xpt": pyreadstat.write_xport, "dta": pyreadstat.write_dta}[ending](frame, str(path))
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"Muller", "Müller".encode("cp1252")).replace(b"Jager", "Jäger".encode("cp1252")))
    if path.read_bytes() == raw:
        pytest.skip("the file is compressed")
    with pytest.raises(DataError, match="encoding, such as"):
        read(path, "o")
    found = read(File(path, encoding="cp1252"), "o")
    assert sorted(set(found.columns["t"])) == ["Jäger", "Müller"]


def test_fields_that_hold_another_sign_do_not_decide_the_delimiter(tmp_path):
    (tmp_path / "o.csv").write_text("age;net income, in euro;sex, or gender\n30;1,5;f\n31;2,5;m\n")
    table = read(tmp_path / "o.csv", "o")
    assert list(table.columns) == ["age", "net income, in euro", "sex, or gender"]
    assert code_variable("net income, in euro", [table]).level_texts == ("1.5", "2.5")


@pytest.mark.slow
def test_configuration_files_hold_how_files_are_read(quick, tmp_path):
    write_text(tmp_path / "o.csv")
    FRAME.to_csv(tmp_path / "s.csv", index=False, sep=";")
    text = (
        'original = {path = "o.csv", encoding = "cp1250"}\nsynthetic = ["s.csv", {path = "s.csv", delimiter = ";"}]\n'
        'keys = ["town", "pay"]\ntargets = ["ill"]\n[analyses.control]\n'
        'control = {path = "o.csv", encoding = "cp1250"}\n'
    )
    (tmp_path / "a.toml").write_text(text)
    main(["assess", f"--config={tmp_path / 'a.toml'}", f"--out={tmp_path / 'out'}", "--quiet"])
    found = load(tmp_path / "out" / "assessment.json")
    assert [one.read_as for one in (found.original, *found.synthetic, found.analyses.control.control)] == [
        {"encoding": "cp1250"}, {}, {"delimiter": ";"}, {"encoding": "cp1250"},
    ]  # fmt: skip
    assert found.value("iS", "ill") == 100
    again = write_configuration(
        tmp_path / "b.toml", File(tmp_path / "o.csv", encoding="cp1250"), [tmp_path / "s.csv"], Settings(keys=["town"])
    )
    assert read_configuration(again).original == File(str(tmp_path / "o.csv"), encoding="cp1250")


@pytest.mark.slow
def test_command_lines_python_lines_and_verify_read_files_as_the_record_says(quick, tmp_path, capsys):
    write_text(tmp_path / "o.csv")
    write_text(tmp_path / "s.csv", "utf-8", "A title\n")
    out = tmp_path / "out"
    original = f'{{path = "{tmp_path / "o.csv"}", encoding = "cp1250"}}'
    words = ["--key=town", "--key=pay", "--target=ill", f"--control={original}", "--quiet"]
    synthetic = f'{{path = "{tmp_path / "s.csv"}", skip_rows = 1}}'
    main(["assess", original, synthetic, *words, f"--out={out}"])
    found = load(out / "assessment.json")
    assert found.value("iS", "ill") == 100
    assert command(found).count('encoding = "cp1250"') == 2
    assert "'encoding': 'cp1250'" in python_lines(found)
    namespace = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        exec(python_lines(found), namespace)
    pd.testing.assert_frame_equal(namespace["assessment"].attribute, found.attribute)
    capsys.readouterr()
    files = [f"--original={tmp_path / 'o.csv'}", "--synthetic", str(tmp_path / "s.csv")]
    main(["verify", str(out), *files, f"--control={tmp_path / 'o.csv'}"])
    said = capsys.readouterr().out
    assert "holds: figures" in said
    assert "holds: analysis control" in said


@pytest.mark.generated
def test_one_option_says_how_all_files_are_read_as_far_as_it_concerns_them(quick, tmp_path, capsys):
    write_text(tmp_path / "o.csv")
    FRAME.to_parquet(tmp_path / "s.parquet", index=False)
    files = [str(tmp_path / "o.csv"), str(tmp_path / "s.parquet")]
    main(["assess", *files, "--key=town", "--read=encoding=cp1250", f"--out={tmp_path / 'out'}", "--quiet"])
    found = load(tmp_path / "out" / "assessment.json")
    assert (found.original.read_as, found.synthetic[0].read_as) == ({"encoding": "cp1250"}, {})
    assert main(["assess", *files, "--key=town", "--read=sheet=2", f"--out={tmp_path / 'out'}"]) == 2
    assert "--read sheet: it says nothing of any of these files" in capsys.readouterr().err
    assert main(["assess", *files, "--key=town", "--read=sheets=2", f"--out={tmp_path / 'out'}"]) == 2
    assert "no such option. Did you mean 'sheet'" in capsys.readouterr().err


def test_analyses_take_files_and_what_reads_like_one(tmp_path):
    path = write_text(tmp_path / "o.csv")
    as_mapping = {"path": str(path), "encoding": "cp1250"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        found = excess_over_control(
            File(path, encoding="cp1250"), as_mapping, Settings(**SETTINGS), control=File(path, encoding="cp1250")
        )
        assessed = analyse(quiet(FRAME, FRAME), FRAME, FRAME, {"releases": {"releases": {"other": [as_mapping]}}})
    assert found.control.read_as == {"encoding": "cp1250"}
    assert assessed.analyses.releases.releases[1].synthetic[0].read_as == {"encoding": "cp1250"}


@pytest.mark.slow
def test_the_form_takes_how_a_file_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_text(tmp_path / "o.csv")
    FRAME.to_csv(tmp_path / "s.csv", index=False)
    form = DisclosureForm()
    enter(form, "Original file", "o.csv")
    enter(form, "Synthetic files", "s.csv")
    enter(form, "How a file is read", "o.csv")
    enter(form, "Encoding", "cp1250")
    press(form, "Read the files")
    step(form, "Scenario")
    enter(form, "Role of town", "key")
    step(form, "Settings")
    press(form, "Run the assessment")
    assert form.assessment.original.read_as == {"encoding": "cp1250"}
    assert form.assessment.value("iS", "ill") == 100
    saved = json.loads(next(tmp_path.glob("*.form.json")).read_text())
    assert saved["original"] == '{path = "o.csv", encoding = "cp1250"}'
