"""Text files: what is no regular table is refused with its line, and the same text is the same in every engine."""

import gzip

import pandas as pd
import pytest

from discoreport import ComparisonWarning, assess
from discoreport.errors import DataError

pytestmark = pytest.mark.filterwarnings("ignore:Records of the original:discoreport.ComparisonWarning")  # copies

HEADER = "height,town,ill\n"
ROWS = [f"{150 + n % 7},{'abc'[n % 3]},{'yn'[n % 2]}\n" for n in range(300)]
ENGINES = ["memory", "duckdb", pytest.param("spark", marks=pytest.mark.spark)]


def write(path, text):
    content = text if isinstance(text, bytes) else text.encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def assess_text(path, text, engine, synthetic=None):
    write(path, text)
    return assess(path, path if synthetic is None else synthetic, keys=["height", "town"], targets="ill", engine=engine)


def table(changed, first="", last=""):
    """Put some rows in the place of others; lines count from 1, the header's."""
    rows = [first or HEADER, *ROWS]
    for line, row in changed.items():
        rows[line - 1] = row
    return "".join(rows) + last


IRREGULAR = {
    "a quote that is never closed": (table({111: '"6 ft,a,y\n'}), 111),
    "a quote that the next stray one closes": (table({111: '"6 ft,a,y\n', 301: '"5 ft,a,n\n'}), 111),
    "a quote that an inch mark closes": (table({111: '"6 ft,a,y\n', 301: '5",a,n\n'}), 111),
    "a quote at the end": (table({301: '170,a,"\n'}), 301),
    "text after a closing quote": (table({5: '"6" ft,a,y\n'}), 5),
    "a space after a closing quote": (table({5: '"6 ft" ,a,y\n'}), 5),
    "a backslash before a quote": (table({5: '"6\\" ft",a,y\n'}), 5),
    "a quote inside a field": (table({7: '6" ft,a,y\n'}), 7),
    "a quote after a space": (table({7: '170, "a",y\n'}), 7),
    "a field too few": (table({9: "170,a\n"}), 9),
    "a field too many": (table({9: "170,a,y,n\n"}), 9),
    "no field but a space": (table({9: " \n"}), 9),
    "a lone carriage return": (table({12: "170,a\r,y\n"}), 12),
    "one line that ends in a carriage return": (table({12: "170,a,y\r"}), 12),
    "a line feed among carriage returns": (table({}).replace("\n", "\r", 20).replace("\n", "\r\n"), 21),
    "a field too few after a quoted line break": (table({2: '170,"a\nb",y\n', 4: "170,a\n"}), 5),
}


@pytest.mark.fast_cases(16)
@pytest.mark.spark_cases(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize(("text", "line"), IRREGULAR.values(), ids=IRREGULAR)
def test_what_is_no_regular_table_is_refused_with_its_line_and_nothing_of_it(text, line, engine, tmp_path):
    for name in ("a.csv", "b.csv.gz"):
        with pytest.raises(DataError, match=f"{name}' isn't a regular table: line {line}: ") as error:
            assess_text(tmp_path / name, text, engine)
        assert "ft" not in str(error.value)
        assert "170" not in str(error.value)


@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_zero_bytes_are_refused(engine, tmp_path):
    with pytest.raises(DataError, match="zero bytes"):
        assess_text(tmp_path / "a.csv", table({4: "170,\0,y\n"}), engine)


SWALLOWED = table({111: '170,"a,y\n', 301: '170,a",n\n'})


@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_records_that_stray_quotes_have_swallowed_are_refused(engine, tmp_path):
    with pytest.raises(DataError, match="line 111: a field in quotes spans lines and holds delimiters just where"):
        assess_text(tmp_path / "a.csv", SWALLOWED, engine)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_where_that_may_be_chance_it_is_a_warning(engine, tmp_path):
    text = table({111: '170,"a,y\n', 112: '170,a",n\n', 5: '170,"plain\ntext",y\n'})
    with pytest.warns(ComparisonWarning, match="line 112: a field in quotes spans lines"):
        assess_text(tmp_path / "a.csv", text, engine)


REGULAR = {
    "line breaks in quotes": ('170,"a\nb",y\n', "a\nb"),
    "line breaks of Windows in quotes": ('170,"a\r\nb",y\n', "a\r\nb"),
    "a carriage return in quotes": ('170,"a\rb",y\n', "a\rb"),
    "lines with delimiters in quotes": ('170,"12, High Street\nLondon",y\n', "12, High Street\nLondon"),
    "quotes within quotes": ('170,"""a"", b""",y\n', '"a", b"'),
    "nothing but a quote": ('170,"""",y\n', '"'),
    "blank lines": ("\n170,a b,y\n\n", "a b"),
    "signs of other files": ("170,a;b\t|'c,y\n", "a;b\t|'c"),
}


@pytest.mark.fast_cases(1)
@pytest.mark.spark_cases(1)
@pytest.mark.filterwarnings("error:The files:discoreport.ComparisonWarning")
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize(("row", "level"), REGULAR.values(), ids=REGULAR)
def test_every_field_is_read_as_it_was_written(row, level, engine, tmp_path):
    frame = pd.DataFrame([line.strip().split(",") for line in ROWS], columns=HEADER.strip().split(","))
    frame = frame.astype({"height": int})
    frame.loc[4] = [170, level, "y"]
    found = assess_text(tmp_path / "a.csv", table({6: row}), engine)
    frame.to_parquet(tmp_path / "b.parquet", index=False)
    expected = assess_text(tmp_path / "c.csv", table({6: row}), engine, synthetic=tmp_path / "b.parquet")
    for one in (found, expected):
        assert one.attribute.loc[("ill", 1), "iS"] == 100
        assert one.variables[1].n_levels == 4
        assert one.original.n_records == 300


@pytest.mark.fast_cases(1)
@pytest.mark.spark_cases(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_one_way(end, engine, tmp_path):
    for last in ("", end):
        text = (end.join([HEADER.strip(), *(row.strip() for row in ROWS)]) + last).encode()
        write(tmp_path / "plain.csv", HEADER + "".join(ROWS))
        found = assess_text(tmp_path / "a.csv", text, engine, synthetic=tmp_path / "plain.csv")
        assert found.identity.loc[1, "UiO"] == found.identity.loc[1, "UiOiS"]
        assert (found.original.n_records, found.attribute.loc[("ill", 1), "iS"]) == (300, 100)


def test_mixed_line_ends_are_read_in_memory_and_refused_in_words_elsewhere(tmp_path):
    text = table({}).replace("\n", "\r\n", 20)
    assert assess_text(tmp_path / "a.csv", text, "memory").original.n_records == 300
    with pytest.raises(DataError, match="line ends of one kind, or use the engine 'memory'"):
        assess_text(tmp_path / "a.csv", text, "duckdb")


@pytest.mark.fast_cases(1)
@pytest.mark.spark_cases(1)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
@pytest.mark.parametrize("name", ["s*.csv", "s[1].csv", "s?.csv", "a{b,c}.csv", "s*.parquet"])
def test_signs_in_the_name_of_a_file_are_no_pattern(name, engine, tmp_path):
    folder = tmp_path / "d[a]*"
    folder.mkdir()
    frame = pd.DataFrame({"key": [1, 2, 3], "target": list("xyz")})
    for other, values in ((name, frame), ("s1.csv", frame.tail(1)), ("s1.parquet", frame.tail(1)), ("ab.csv", frame)):
        getattr(values, "to_parquet" if other.endswith("parquet") else "to_csv")(folder / other, index=False)
    if engine == "spark" and name.endswith(".csv"):
        with pytest.raises(DataError, match="rename the file or its folder"):
            assess(folder / name, folder / name, keys="key", targets="target", engine=engine)
        return
    found = assess(folder / name, str(folder / name), keys="key", targets="target", engine=engine)
    assert (found.original.n_records, found.synthetic[0].n_records) == (3, 3)
