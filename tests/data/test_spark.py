"""Spark with separate worker processes: the figures of DuckDB, nothing large collected, and a worker may die."""

import os
import signal
from pathlib import Path

import duckdb
import pytest

from discoreport import ComparisonWarning, assess
from discoreport.errors import DataError
from tests.engines import Connection, assert_same, spark

pytestmark = pytest.mark.spark

N_RECORDS = 20_000
SETTINGS = {
    "keys": ["region", "age", "house"],
    "targets": ["income"],
    "numeric_groups": {"income": 8},
    "special_codes": {"income": [-8]},
}


@pytest.fixture(scope="module")
def session():
    with spark("local-cluster[2,1,1024]", partitions=2) as started:
        yield started


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Make two files of records, nearly all with a key combination of their own."""
    folder = tmp_path_factory.mktemp("records")
    with duckdb.connect() as connection:
        for name, salt in (("original", 1), ("synthetic", 2)):
            columns = (
                "'region ' || hash(i, 1) % 18 AS region, hash(i, 2) % 90 AS age, i // 20 AS house, "
                f"'health ' || hash(i, {salt}) % 4 AS health, "
                f"CASE hash(i, 5) % 10 WHEN 0 THEN -8 WHEN 1 THEN NULL ELSE hash(i, {salt}, 6) % 900 / 4 END AS income"
            )
            path = folder / f"{name}.parquet"
            connection.execute(f"COPY (SELECT {columns} FROM range({N_RECORDS}) n(i)) TO '{path}' (FORMAT parquet)")
    return str(folder / "original.parquet"), str(folder / "synthetic.parquet")


@pytest.fixture(scope="module")
def expected(files):
    return assess(*files, **SETTINGS, engine="duckdb")


def test_workers_give_the_figures_of_duckdb_and_send_nothing_large(session, files, expected, monkeypatch):
    plans, rows = [], []
    fetch, keep = Connection.fetch, Connection.keep

    def plan(connection, expression):
        frame = session.sql(connection._sql(expression))
        plans.append(frame._jdf.queryExecution().toString())

    def fetched(connection, expression):
        plan(connection, expression)
        table = fetch(connection, expression)
        rows.append(len(table))
        return table

    def kept(connection, expression, **how):
        plan(connection, expression)
        return keep(connection, expression, **how)

    monkeypatch.setattr(Connection, "fetch", fetched)
    monkeypatch.setattr(Connection, "keep", kept)
    assert_same(assess(*files, **SETTINGS, engine="spark"), expected)
    assert len(plans) > 10
    for text in plans:
        assert "CartesianProduct" not in text
        assert "BroadcastNestedLoopJoin" not in text
    assert max(rows) < N_RECORDS / 10  # the distinct values of one variable


def test_a_worker_that_is_killed_does_not_change_the_figures(session, files, expected):
    killed = []

    def kill_one(done, total, what):
        if what.startswith("measuring") and not killed:
            killed.append(workers()[0])
            os.kill(killed[0], signal.SIGKILL)

    assert len(workers()) == 2
    found = assess(*files, **SETTINGS, engine="spark", progress=kill_one)
    assert killed
    assert_same(found, expected)


def test_a_session_that_ran_before_knows_no_table_of_ours_afterwards(session, files, tmp_path):
    """Nor of the tests before."""
    (tmp_path / "few.csv").write_text("age,ill\n30,no\n41,yes\n")
    with pytest.warns(ComparisonWarning, match="is it a copy"):
        assess(tmp_path / "few.csv", tmp_path / "few.csv", keys="age", engine="spark")
    (tmp_path / "broken.parquet").write_text("no Parquet")
    with pytest.raises(DataError, match="isn't a whole Parquet file"):
        assess(files[0], tmp_path / "broken.parquet", **SETTINGS, engine="spark")
    assert session.catalog.listTables() == []


def workers():
    """Find the worker processes among the descendants of this process."""
    found, waiting = [], [os.getpid()]
    while waiting:
        number = waiting.pop()
        try:
            command = Path(f"/proc/{number}/cmdline").read_text()
            for task in Path(f"/proc/{number}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except OSError:
            continue
        if "CoarseGrainedExecutorBackend" in command:
            found.append(number)
    return found


def test_a_local_file_that_changes_during_the_run_is_refused(files, session, tmp_path):
    path = tmp_path / "original.parquet"
    path.write_bytes(Path(files[0]).read_bytes())

    def replace(done, total, what):
        if what.startswith("counting"):
            path.write_bytes(Path(files[1]).read_bytes())

    with pytest.raises(DataError, match=r"has changed since it was opened|can't be read"):
        assess(str(path), files[1], **SETTINGS, engine="spark", progress=replace)
