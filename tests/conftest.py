"""Assessments that many tests look at, and the engines that many run in."""

import pytest

from discoreport import assess, examples
from discoreport.data.connecting import Engine, connect_spark


@pytest.fixture(scope="session")
def survey():
    """The example survey against one synthetic file."""
    return assess(examples.path("original"), examples.path("synthetic_1"), **examples.SETTINGS)


@pytest.fixture(scope="session")
def survey_of_three():
    """The example survey against three synthetic files, with exclusions."""
    return assess(
        examples.path("original"),
        [examples.path(f"synthetic_{number}") for number in (1, 2, 3)],
        **examples.SETTINGS,
        exclude=[
            {"target": "worked_abroad", "level": "No", "reason": "nine in ten say so", "by": "A. Officer"},
            {"target": "marital", "level": "Single", "key": "age", "key_level": 16},
        ],
    )


QUICK = (
    '--conf "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" '
    "--conf spark.sql.adaptive.enabled=false"
)
"""For many small queries: Java doesn't optimize, nor Spark plan anew, what is over in a moment."""


@pytest.fixture(params=["duckdb", pytest.param("spark", marks=pytest.mark.slow)], scope="module")
def engine(request):
    """Name each engine that must give the figures of the one in memory."""
    if request.param != "spark":
        yield request.param
        return
    pytest.importorskip("pyspark")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_SUBMIT_ARGS", f"{QUICK} pyspark-shell")
        with connect_spark(Engine("spark", spark_master="local[2]")) as connection:  # one session for all tests
            connection.backend._session.conf.set("spark.sql.shuffle.partitions", "1")
            yield request.param
