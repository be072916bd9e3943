"""Run one assessment in any engine: frames become Parquet files, and figures must be the same."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

import contextlib
import dataclasses
import tempfile
import warnings
from pathlib import Path

import pandas as pd
import pytest

from discoreport import ComparisonWarning, assess
from discoreport.assessment.assess import assess_files, assess_with
from discoreport.assessment.python_warnings import unwarned
from discoreport.data.engine import coded_tables, open_tables
from discoreport.data.engine.connection import (
    ENGINE_SETTINGS,
    ENGINES,
    Connection,
    Engine,
    clear_errors,
    connect_duckdb,
    connect_spark,
    engine_from,
)
from discoreport.data.engine.open_tables import exceed


def assess_in(engine, original, synthetic, **settings):
    """Assess frames in an engine, from Parquet; "memory" reads the same files."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        paths = []
        for number, frame in enumerate([original, *synthetic]):
            paths.append(str(Path(folder) / f"{number}.parquet"))
            frame.to_parquet(paths[-1])
        return assess(paths[0], paths[1:], **settings, engine=engine)


@contextlib.contextmanager
def most_values(number):
    """Bring so many distinct values here from an engine at most: of variables with more, they stay."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coded_tables, "MOST_VALUES", number)
        yield


QUICK = (
    '--conf "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" '
    "--conf spark.sql.adaptive.enabled=false"
)
"""For many small queries: Java doesn't optimize, nor Spark plan anew, what is over in a moment."""


@contextlib.contextmanager
def spark(master, *, partitions):
    """Start Spark for small tables; gives its session."""
    pytest.importorskip("pyspark")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_SUBMIT_ARGS", f"{QUICK} pyspark-shell")
        with connect_spark(Engine("spark", spark_master=master)) as connection:
            connection.backend._session.conf.set("spark.sql.shuffle.partitions", str(partitions))
            yield connection.backend._session


def assert_same(one, other):
    """Compare two assessments in everything that engines compute."""
    for table in ("identity", "attribute", "cap"):
        pd.testing.assert_frame_equal(getattr(one, table), getattr(other, table), rtol=1e-9, atol=1e-9)
    pd.testing.assert_frame_equal(one.exclusions, other.exclusions)
    assert one.outcome.class_sizes == other.outcome.class_sizes
    assert one.outcome.class_sizes
    for found, expected in zip(one.outcome.results, other.outcome.results, strict=True):
        assert found.tau == pytest.approx(expected.tau, abs=1e-9)
    pd.testing.assert_frame_equal(one.levels, other.levels, rtol=1e-9, atol=1e-9)
    assert one.outcome.one_way == other.outcome.one_way
    assert one.outcome.two_way == other.outcome.two_way
    assert (one.outcome_without_exclusions is None) == (other.outcome_without_exclusions is None)
    assert one.variables == other.variables
    assert comparable(one.findings) == comparable(other.findings)
    if one.outcome_without_exclusions is not None:
        assert_same(one.without_exclusions(), other.without_exclusions())


def comparable(findings):
    """Leave out how a file stores a variable, which each engine words in its own way."""
    return [
        dataclasses.replace(finding, percent=finding.percent and round(finding.percent, 9))
        for finding in findings
        if finding.finding != "type_change"
    ]
