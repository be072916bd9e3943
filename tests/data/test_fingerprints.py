"""The fingerprint in a record is of what was counted, whatever becomes of the file meanwhile."""

import hashlib
import os
import shutil

import pandas as pd
import pytest

from discoreport import Settings, assess
from discoreport.cli import main
from discoreport.errors import DataError
from tests.engines import assess_files
from tests.forms import OpenFiles
from tests.tables import _READERS

pytestmark = [
    pytest.mark.filterwarnings("ignore:Records of the original"),
    pytest.mark.usefixtures("short_pdf"),
]  # a file stands for both: what is read counts

FRAME = pd.DataFrame({"age": [30, 31, 41, 41] * 5, "sex": ["f", "m"] * 10, "ill": ["yes", "no", "no", "no"] * 5})
OTHER = FRAME.assign(ill=["no", "yes", "no", "no"] * 5)
"""Of the same size, byte for byte."""
SETTINGS = {"keys": ["age", "sex"], "targets": ["ill"]}

WRITERS = {
    ".csv": lambda frame, path: frame.to_csv(path, index=False),
    ".csv.gz": lambda frame, path: frame.to_csv(path, index=False),
    ".parquet": lambda frame, path: frame.to_parquet(path),
    ".xlsx": lambda frame, path: frame.to_excel(path, index=False),
    ".sav": lambda frame, path: pytest.importorskip("pyreadstat").write_sav(frame, path),
    ".dta": lambda frame, path: frame.to_stata(path, write_index=False),
    ".xpt": lambda frame, path: pytest.importorskip("pyreadstat").write_xport(frame, path),
}


def _pair(folder, ending):
    """Write a file, and another to take its place."""
    paths = folder / f"original{ending}", folder / f"later{ending}"
    for frame, path in zip((FRAME, OTHER), paths, strict=True):
        WRITERS[ending](frame, path)
    return paths


@pytest.mark.parametrize("ending", WRITERS)
def test_a_file_replaced_while_it_is_read_has_the_fingerprint_of_what_was_read(tmp_path, monkeypatch, ending):
    path, later = _pair(tmp_path, ending)
    sha256, right = hashlib.sha256(path.read_bytes()).hexdigest(), assess(path, FRAME, **SETTINGS)
    reader = _READERS[ending]

    def read_and_replace(*given):
        try:
            return reader(*given)
        finally:
            shutil.copyfile(later, path)

    monkeypatch.setitem(_READERS, ending, read_and_replace)
    assessment = assess(path, FRAME, **SETTINGS)
    assert path.read_bytes() == later.read_bytes()
    assert assessment.original.sha256 == sha256
    assert assessment.outcome == right.outcome


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("put", [os.replace, shutil.copyfile], ids=["moved over it", "written into it"])
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("which", [0, 1], ids=["original", "synthetic"])
def test_a_file_replaced_during_the_run_is_refused_or_counted_as_it_was(tmp_path, put, engine, ending, which):
    path, later = _pair(tmp_path, ending)
    files = (path, FRAME) if not which else (FRAME, path)
    right = assess(*files, **SETTINGS)

    def replace(done, total, what):
        if what.startswith("counting") and later.exists():
            put(later, path)

    if engine == "memory":
        assert assess(*files, **SETTINGS, engine=engine, progress=replace).outcome == right.outcome
    else:
        with pytest.raises(DataError, match=r"original\S+ has changed|can't be read"):
            assess(*files, **SETTINGS, engine=engine, progress=replace)


@pytest.mark.slow
@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("change", ["added", "taken away", "replaced", "replaced and put back"])
def test_a_folder_that_changes_during_the_run_is_refused(tmp_path, change):
    folder = tmp_path / "folder"
    folder.mkdir()
    for part, rows in enumerate((FRAME[:8], FRAME[8:])):
        rows.to_parquet(folder / f"{part}.parquet")
    OTHER[8:].to_parquet(tmp_path / "later.parquet")
    last = folder / "1.parquet"
    kept = last.read_bytes()
    acts = {
        "added": lambda: shutil.copyfile(last, folder / "2.parquet"),
        "taken away": lambda: last.unlink(missing_ok=True),
        "replaced": lambda: shutil.copyfile(tmp_path / "later.parquet", last),
        "replaced and put back": lambda: (shutil.copyfile(tmp_path / "later.parquet", last), last.write_bytes(kept)),
    }

    def act(done, total, what):
        if what.startswith("counting"):
            acts[change]()

    with pytest.raises(DataError):
        assess(folder, folder, **SETTINGS, progress=act)
    if change != "taken away":
        assess(folder, folder, **SETTINGS)


@pytest.mark.slow
def test_an_open_form_refuses_to_count_a_file_that_was_replaced(tmp_path):
    path, later = _pair(tmp_path, ".parquet")
    folder = tmp_path / "folder"
    folder.mkdir()
    shutil.copyfile(path, folder / "0.parquet")
    held = OpenFiles.open(folder, [path])
    assert assess_files(held, Settings(**SETTINGS)).outcome == assess(path, path, **SETTINGS).outcome
    shutil.copyfile(later, folder / "0.parquet")
    with pytest.raises(DataError, match="'folder' has changed since it was opened"):
        assess_files(held, Settings(**SETTINGS))
    held.close()


def test_no_list_of_records_at_risk_is_written_of_another_file_than_was_assessed(tmp_path, monkeypatch, capsys):
    path, later = _pair(tmp_path, ".csv")
    from discoreport.cli import assess

    real = assess.read_all

    def replaced(*given):
        shutil.copyfile(later, path)
        return real(*given)

    monkeypatch.setattr(assess, "read_all", replaced)
    listed = tmp_path / "list.csv"
    command = ["assess", str(path), str(later), "--key", "age", "--key", "sex", "--target", "ill", "--quiet"]
    assert main([*command, "--out", str(tmp_path / "report"), "--records-at-risk", str(listed)]) == 5
    assert "has changed since it was assessed" in capsys.readouterr().err
    assert not listed.exists()
