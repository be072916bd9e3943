"""Which engine counts, and what happens when it can't: a clear error or a whole result, nothing left behind."""

import gzip
import shutil
import signal
import subprocess
import sys
import time

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discoreport import assess
from discoreport.assessment import engine_choice
from discoreport.errors import DataError, MissingPackageError, SettingsError
from tests.commands import in_front
from tests.engines import assert_same, clear_errors, open_tables

pytestmark = pytest.mark.filterwarnings("ignore:Records of the original")  # a file stands for both: what is read counts

FRAME = pd.DataFrame({"age": [30, 31, 41, 41] * 5, "sex": ["f", "m"] * 10, "ill": ["yes", "no", "no", "no"] * 5})
OTHER = pd.DataFrame({"age": [30, 31, 31, 41] * 5, "sex": ["f", "m"] * 10, "ill": ["yes", "no", "yes", "no"] * 5})
SETTINGS = {"keys": ["age", "sex"], "targets": ["ill"]}


@pytest.fixture
def paths(tmp_path):
    """Write both frames as Parquet, each in two files, and give the globs."""
    for name, frame in (("original", FRAME), ("synthetic", OTHER)):
        (tmp_path / name).mkdir()
        for part, rows in enumerate((frame[:7], frame[7:])):
            rows.to_parquet(tmp_path / name / f"{part}.parquet")
    return tmp_path / "original" / "*.parquet", tmp_path / "synthetic" / "*.parquet"


@pytest.mark.slow
def test_several_files_are_counted_by_duckdb_as_one(paths):
    assessment = assess(*paths, **SETTINGS)
    assert assessment.provenance.engine == "duckdb"
    assert assessment.original.n_records == 20
    expected = assess(FRAME, OTHER, **SETTINGS)
    pd.testing.assert_frame_equal(assessment.attribute, expected.attribute)
    one_each = assess(*(path.with_name("0*.parquet") for path in paths), **SETTINGS)
    assert one_each.original.n_records == 7
    folders = assess(*(path.parent for path in paths), **SETTINGS)
    assert folders.outcome == assessment.outcome


@pytest.mark.generated
def test_a_variable_is_a_target_wherever_its_only_value_is(tmp_path):
    for ending, write in ((".parquet", "to_parquet"), (".csv", "to_csv")):
        made = {"k": ["a", "b"] * 1000, "late": [None] * 1999 + ["x"], "never": pd.Series([None] * 2000, dtype="str")}
        path = tmp_path / f"late{ending}"
        getattr(pd.DataFrame(made), write)(path, index=False)
        for engine in ("memory", "duckdb"):
            assert assess(path, path, keys=["k"], engine=engine).targets == ("late",)


@pytest.mark.slow
def test_files_that_do_not_fit_are_counted_by_duckdb(paths, monkeypatch):
    files = [path.parent / "0.parquet" for path in paths]
    assert assess(*files, **SETTINGS).provenance.engine == "memory"
    monkeypatch.setattr(engine_choice, "_available", lambda: 1)
    assert assess(*files, **SETTINGS).provenance.engine == "duckdb"


@pytest.mark.slow
def test_ibis_tables_are_counted_where_they_are(paths):
    connection = ibis.duckdb.connect()
    tables = [connection.read_parquet(str(path)) for path in paths]
    assessment = assess(*tables, **SETTINGS)
    assert assessment.provenance.engine == "duckdb"
    assert_same(assessment, assess(FRAME, OTHER, **SETTINGS))
    left = connection.raw_sql("SHOW ALL TABLES").fetchall()
    assert not [row for row in left if "discoreport_" in str(row)]
    with pytest.raises(DataError, match="for all files or for none"):
        assess(tables[0], OTHER, **SETTINGS)
    with pytest.raises(DataError, match="different connections"):
        assess(tables[0], ibis.duckdb.connect().read_parquet(str(paths[1])), **SETTINGS)


@pytest.mark.slow
def test_a_frame_is_handed_to_the_engine(engine):
    named = FRAME.astype({"sex": "category"})
    frames = named, [OTHER, pl.from_pandas(OTHER), pa.Table.from_pandas(OTHER), pl.from_pandas(named).lazy()]
    if engine == "spark":  # which a file takes long
        frames = named, frames[1][-1:]
    found = assess(*frames, **SETTINGS, engine=engine)
    assert found.provenance.engine == engine
    assert_same(found, assess(*frames, **SETTINGS))


def test_a_column_of_several_types_is_an_error():
    mixed = FRAME.assign(age=FRAME["age"].astype(object).replace(30, "30"))
    with pytest.raises(DataError, match="'age' of 'original' holds values of several types"):
        assess(mixed, OTHER, **SETTINGS, engine="duckdb")


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_an_address_of_this_machine_is_a_path_and_another_an_error(engine, tmp_path):
    FRAME.to_csv(tmp_path / "my file.csv", index=False)
    address = (tmp_path / "my file.csv").as_uri()
    found = assess(address, address, **SETTINGS, engine=engine)
    assert found.original.path == str(tmp_path / "my file.csv")
    with pytest.raises(DataError, match=r"'s3://bucket/a\.parquet' isn't on this machine"):
        assess(address, "s3://bucket/a.parquet", **SETTINGS, engine=engine)


CSV = [
    "age;income;town",
    "30;1,5;A",
    "31;NA;'B'",
    '41;2,50;"x;y"',
    '41;2,75;""',
    "30;;NA",
    '30;3;"two\nlines"',
    "31;3; é ",
]


@pytest.mark.slow
def test_csv_is_read_as_in_memory(engine, tmp_path):
    settings = {"keys": ["age", "town"], "targets": ["income"], "target_missing": "exclude"}
    (tmp_path / "original.csv").write_text("\ufeff" + "\n".join(CSV[:1] + CSV[1:] * 4) + "\n", encoding="utf-8")
    for part, rows in enumerate((CSV[1:5], CSV[3:])):
        with gzip.open(tmp_path / f"synthetic_{part}.csv.gz", "wt", encoding="utf-8") as file:
            file.write("\r\n".join(CSV[:1] + rows * 3) + "\r\n")
    (tmp_path / "whole.csv").write_text("\n".join(CSV[:1] + (CSV[1:5] + CSV[3:]) * 3) + "\n", encoding="utf-8")
    found = assess(tmp_path / "original.csv", tmp_path / "synthetic_*.csv.gz", **settings, engine=engine)
    expected = assess(tmp_path / "original.csv", tmp_path / "whole.csv", **settings, engine="memory")
    assert_same(*(one.model_copy(update={"findings": ()}) for one in (found, expected)))
    assert any("'NA' read as missing" in finding.detail for finding in found.findings)


@pytest.mark.spark_cases(1)
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"age,ill\n" + b"30,no\n" * 9999 + b"41,yes,7\n", "isn't a regular table: line 10001: it has 3 fields"),
        (b"age,ill\n" + b"30,no\n" * 9999 + b"41,S\xe3o Tom\xe9\n", "can't be read as UTF-8"),
        (b"age,ill\n" + b"30,no\n" * 9999 + b"41,y\0s\n", "holds zero bytes"),
        (b"age,Age,ill\n30,31,no\n", "don't tell the columns 'age' and 'Age' apart"),
        (b"age,ill," + b"x" * 140_000 + b"\n30,no,1\n", "isn't a regular table: field larger than field limit"),
    ],
    ids=lambda content: repr(content[:20]),
)
def test_csv_that_engines_would_misread_is_an_error(engine, content, said, tmp_path, capfd):
    (tmp_path / "file.csv").write_bytes(content)
    with pytest.raises(DataError, match=said) as error:
        assess(tmp_path / "file.csv", tmp_path / "file.csv", keys="age", targets="ill", engine=engine)
    assert "41" not in str(error.value)
    assert "41" not in capfd.readouterr().err


def test_a_column_that_one_of_many_files_lacks_is_an_error(paths):
    FRAME.drop(columns="sex").to_parquet(paths[0].parent / "2.parquet")
    with pytest.raises(DataError, match=r"'2\.parquet' has no column 'sex', '0\.parquet' has one"):
        assess(*paths, **SETTINGS)


def test_types_that_differ_between_files_are_an_error(paths):
    FRAME.astype({"age": "float64"}).to_parquet(paths[0].parent / "2.parquet")
    with pytest.raises(DataError, match=r"'age' is stored as int64 in '0\.parquet' and as double in '2\.parquet'"):
        assess(*paths, **SETTINGS)


def test_a_broken_file_is_an_error(paths):
    file = paths[1].parent / "1.parquet"
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(DataError, match=r"'1\.parquet' isn't a whole Parquet file"):
        assess(*paths, **SETTINGS)


def test_a_file_that_breaks_off_inside_is_an_error(paths):
    pq.write_table(pa.table({name: FRAME[name].tolist() * 5000 for name in FRAME}), paths[1].parent / "1.parquet")
    file = paths[1].parent / "1.parquet"
    content = bytearray(file.read_bytes())
    content[4:400] = b"\xff" * 396
    file.write_bytes(content)
    with pytest.raises(DataError, match="can't count these files"):
        assess(*paths, **SETTINGS)


def test_unequal_headers_of_csv_files_are_an_error(tmp_path):
    (tmp_path / "1.csv").write_text("a,b\n1,2\n")
    (tmp_path / "2.csv").write_text("b,a\n1,2\n")
    with pytest.raises(DataError, match="same columns in the same order"):
        assess(tmp_path / "*.csv", tmp_path / "*.csv", keys="a", targets="b")


def test_no_file_no_record_and_no_table_are_errors(paths, tmp_path):
    with pytest.raises(DataError, match="No file matches"):
        assess(paths[0], tmp_path / "none*.parquet", **SETTINGS, engine="duckdb")
    FRAME[:0].to_parquet(tmp_path / "empty.parquet")
    with pytest.raises(DataError, match="no records"):
        assess(paths[0], tmp_path / "empty.parquet", **SETTINGS, engine="duckdb")
    with pytest.raises(DataError, match="Can't read a int"):
        assess(FRAME, 3, **SETTINGS, engine="duckdb")
    with pytest.raises(SettingsError, match="No engine 'duck'"):
        assess(FRAME, OTHER, **SETTINGS, engine="duck")


@pytest.mark.parametrize(("package", "engine"), [("duckdb", "duckdb"), ("ibis", "duckdb"), ("pyspark.sql", "spark")])
def test_asks_for_the_extra_by_name(paths, uninstall, package, engine):
    uninstall(package)
    with pytest.raises(MissingPackageError, match=rf"discoreport\[{engine}\]"):
        assess(*paths, **SETTINGS, engine=engine)


@pytest.mark.slow
def test_the_core_does_not_import_an_engine():
    code = "import sys, discoreport.cli; sys.exit(any(name in sys.modules for name in ('ibis', 'duckdb', 'pyspark')))"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_says_when_the_disk_is_full():
    with pytest.raises(DataError, match="disk of the temporary directory"), clear_errors():
        raise duckdb.IOException("Could not write file: No space left on device")


@pytest.mark.slow
def test_memory_limit_and_temporary_directory_are_used_and_left_empty(paths, tmp_path):
    place = tmp_path / "place"
    place.mkdir()
    assess(*paths, **SETTINGS, memory_limit="500MB", temporary_directory=place)
    assert list(place.iterdir()) == []
    with pytest.raises(SettingsError, match="memory_limit: must be a size"):
        assess(*paths, **SETTINGS, memory_limit="a lot", temporary_directory=place)
    with pytest.raises(SettingsError, match="No temporary directory"):
        assess(*paths, **SETTINGS, temporary_directory=tmp_path / "nowhere")


@pytest.mark.slow
def test_progress_names_target_and_synthesis(paths):
    told = []
    assess(
        paths[0], [paths[1], paths[1]], **SETTINGS, progress=lambda done, total, what: told.append((done, total, what))
    )
    assert [done for done, _, _ in told] == list(range(told[-1][1] + 1))
    assert [what for _, _, what in told[-3:-1]] == ["measuring ill, synthesis 2", "comparing whole records"]


def make_large(folder, n_records):
    """Write an original and a synthetic file in which every key combination is unique."""
    with duckdb.connect() as connection:
        for name in ("original", "synthetic"):
            connection.execute(
                f"COPY (SELECT i % 1000 AS a, i // 1000 % 1000 AS b, i // 1000000 AS c, hash(i) % 5 AS t "
                f"FROM range({n_records}) numbers(i)) TO '{folder / name}.parquet' (FORMAT parquet)"
            )


@pytest.fixture
def small_disk(tmp_path):
    """Give a folder on a disk of 8 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", place], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only root may make a small disk")
    yield place
    subprocess.run(["umount", place], check=True)


@pytest.mark.slow
def test_a_full_disk_is_an_error_and_leaves_nothing_behind(small_disk, tmp_path):
    make_large(tmp_path, 2_000_000)
    files = tmp_path / "original.parquet", tmp_path / "synthetic.parquet"
    limits = {"memory_limit": "150MB", "temporary_directory": small_disk}
    with pytest.raises(DataError, match="disk of the temporary directory"):
        assess(*files, keys=["a", "b", "c"], targets="t", engine="duckdb", **limits)
    assert list(small_disk.iterdir()) == []


@pytest.mark.parametrize(("free", "limit", "refused"), [(10, "1KB", True), (10**9, "1KB", False), (10, "1GB", False)])
def test_what_neither_memory_nor_disk_can_hold_is_refused_before_the_work(free, limit, refused, tmp_path, monkeypatch):
    make_large(tmp_path, 1000)
    files = tmp_path / "original.parquet", tmp_path / "synthetic.parquet"
    for module in (engine_choice, open_tables):
        monkeypatch.setattr(module, "size_of_records", lambda _, unpack=True: 10**6)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, free))
    monkeypatch.setattr(engine_choice, "connect_duckdb", lambda _: pytest.fail("at work"))
    with pytest.raises(DataError if refused else pytest.fail.Exception, match="free" if refused else "at work"):
        assess(*files, keys=["a"], targets="t", engine="duckdb", memory_limit=limit, temporary_directory=tmp_path)


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_stop_leaves_nothing_behind(tmp_path, sent):
    make_large(tmp_path, 6_000_000)
    place, out = tmp_path / "place", tmp_path / "out"
    place.mkdir()
    command = [
        sys.executable,
        "-m",
        "discoreport",
        "assess",
        tmp_path / "original.parquet",
        tmp_path / "synthetic.parquet",
    ]
    options = [
        "--key",
        "a",
        "--key",
        "b",
        "--key",
        "c",
        "--engine",
        "duckdb",
        "--temporary-directory",
        place,
        "--out",
        out,
    ]
    with in_front(sent), subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True) as process:
        while not list(place.iterdir()):
            time.sleep(0.1)
        time.sleep(3)
        process.send_signal(sent)
        said = process.stderr.read()
    assert process.returncode == 128 + sent, said
    assert "stopped; nothing was written" in said
    assert list(place.iterdir()) == []
    assert not out.exists()
