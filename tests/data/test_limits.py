"""Files that would take hours, or all of the memory, and machines that have less of it than usual."""

import gzip
import os
import subprocess
import sys
import time
import zipfile

import pandas as pd
import pytest

from discoreport import ComparisonWarning, assess
from discoreport.errors import DataError
from tests.benchmarks.run import of_a_survey
from tests.engines import exceed


@pytest.mark.slow
def test_thousands_of_renamed_columns_are_told_in_seconds():
    original = pd.DataFrame([[0] * 2000], columns=[f"q_{n}_how_often" for n in range(2000)]).assign(key=1)
    synthetic = original.rename(columns=str.upper).assign(key=1)
    with pytest.warns(ComparisonWarning):
        found = assess(original, synthetic, keys=["key"], targets=[]).comparison
    told = found[found.finding == "column_only_in_synthetic"]
    assert len(told) == 2001
    assert told.detail.str.contains("Did you mean 'q_7_how_often'?", regex=False).sum() == 1


WIDE = """
import pathlib, warnings
from discoreport import assess
warnings.simplefilter("ignore")
assess("0.csv", "1.csv", keys=["sex", "age", "region", "size", "education"], targets=["v0", "v1", "v2"])
print(pathlib.Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is told otherwise elsewhere")
def test_six_hundred_columns_take_little_memory(tmp_path):
    for seed in range(2):
        of_a_survey(5000, 600, seed).to_csv(tmp_path / f"{seed}.csv", index=False)
    python = [sys.executable, "-c", WIDE]
    ran = subprocess.run(python, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 350_000  # kilobytes; 270,000 to 290,000 are measured


def test_the_engine_is_chosen_by_what_a_compressed_file_holds(tmp_path):
    with gzip.open(tmp_path / "zeros.csv.gz", "wb") as file:
        file.write(b"a\n" + b"0\n" * 5_000_000)
    packed = (tmp_path / "zeros.csv.gz").stat().st_size
    assert packed < 100_000
    assert exceed([tmp_path / "zeros.csv.gz"], 10_000_000)
    assert not exceed([tmp_path / "zeros.csv.gz"], 10_000_002)


@pytest.mark.parametrize("n_bytes", [100, 10**9])
def test_a_compressed_file_is_not_unpacked_where_its_own_size_decides(n_bytes, tmp_path, monkeypatch):
    with gzip.open(tmp_path / "zeros.csv.gz", "wb") as file:
        file.write(b"a\n" + b"0\n" * 100_000)
    monkeypatch.setattr("discoreport.data.engine.open_tables._unpacked_size", lambda _: pytest.fail("unpacked"))
    assert exceed([tmp_path / "zeros.csv.gz"], n_bytes) == (n_bytes == 100)


def test_a_pipe_is_refused_as_it_may_never_end(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(DataError, match="pipe"):
        assess(tmp_path / "pipe.csv", tmp_path / "pipe.csv", keys=["a"])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of addresses are tried on Linux")
def test_where_addresses_are_limited_the_report_is_written_without_figures_and_says_so(tmp_path):
    pd.DataFrame({"a": [1, 2, 2], "b": list("xyy")}).to_csv(tmp_path / "o.csv", index=False)
    lines = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (20 * 10**9,) * 2);"
        "from discoreport import assess, Report;"
        "a = assess('o.csv', 'o.csv', keys=['a']); Report(a).write('report.html')"
    )
    python = [sys.executable, "-W", "ignore", "-c", lines]
    ran = subprocess.run(python, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    page = (tmp_path / "report.html").read_text()
    assert "This report has no figures" in page
    assert "<svg" not in page


def test_a_stray_cell_far_away_does_not_fill_the_memory(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [["a", "b"], *([n % 5, "x"] for n in range(50))]:
        book.active.append(row)
    book.active.cell(row=1_048_576, column=16_384, value="stray")
    book.save(tmp_path / "far.xlsx")
    with pytest.raises(DataError, match="reaches to column XFD and row 1,048,576, but only 103 of its cells"):
        assess(tmp_path / "far.xlsx", tmp_path / "far.xlsx", keys=["a"])


@pytest.mark.slow
def test_a_small_excel_file_that_unpacks_to_a_large_one_is_refused_before_it_is_read(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    book.save(tmp_path / "small.xlsx")
    with zipfile.ZipFile(tmp_path / "small.xlsx") as small, zipfile.ZipFile(tmp_path / "large.xlsx", "w", 8) as large:
        for part in small.namelist():
            filled = b"<row><c><v>1</v></c></row>" * 2_000_000 if "sheet1" in part else b""
            large.writestr(part, small.read(part).replace(b"</sheetData>", filled + b"</sheetData>"))
    assert (tmp_path / "large.xlsx").stat().st_size < 300_000
    begun = time.process_time()
    with pytest.raises(DataError, match=r"'large\.xlsx' unpacks to 52 MB, .* times its size"):
        assess(tmp_path / "large.xlsx", tmp_path / "large.xlsx", keys=["a"])
    assert time.process_time() - begun < 2
