"""Assessments that many tests look at, and the engines that many run in."""

import functools
import warnings

import pandas as pd
import pytest

from discoreport import ComparisonWarning, assess, examples
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.documentation import Documentation
from discoreport.assessment.documenting import read_documentation
from discoreport.assessment.policy import read_policy
from discoreport.data.connecting import Engine, connect_spark
from discoreport.report import Report


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


@pytest.fixture(scope="session")
def documented(survey):
    """The example survey with policy and documentation, some of it still open."""
    said = read_documentation(examples.FOLDER / "documentation.toml")
    return survey.with_policy(read_policy(examples.FOLDER / "policy.toml")).with_documentation(said)


@pytest.fixture(scope="session")
def small_files(tmp_path_factory):
    """A small original with rare values, and its synthetic file; fast to assess and to render."""
    folder = tmp_path_factory.mktemp("small")
    original = pd.DataFrame(
        {
            "village": ["Achterbach"] * 40 + ["Zwischenau"] * 3 + [f"Hamlet{n:03}" for n in range(20)],
            "trade": ["Farmer"] * 40 + ["Glassblower"] * 3 + ["Beekeeper"] * 9 + ["Farrier"] * 11,
        }
    )
    synthetic = pd.concat([original.iloc[:55], original.iloc[:2]]).reset_index(drop=True)
    paths = folder / "original.csv", folder / "synthetic.csv"
    original.to_csv(paths[0], index=False)
    synthetic.to_csv(paths[1], index=False)
    return paths


@pytest.fixture(scope="session")
def small(small_files):
    """The assessment of the small files, documented."""
    assessment = assess(*small_files, keys=["village"], two_way_threshold=(1, 50))
    return assessment.with_documentation(
        Documentation.model_validate(
            {
                "id": "S-1",
                "title": "A small release",
                "request": {"purpose": "Teaching"},
                "synthesis": {"software": "by hand", "seed": "314159"},
                "decision": {"decision": "approve", "date": "2026-11-20", "conditions": "Only for teaching."},
            }
        )
    )


@pytest.fixture
def quick(monkeypatch):
    """Write a word in place of the PDF and the pictures, which have tests of their own."""
    monkeypatch.setattr(Report, "pdf", b"a PDF")
    monkeypatch.setattr(Report, "figures", {"overview.png": b"a picture"})


STEPS = ({"step": "merge levels", "variable": "trade", "fewer_than": 10}, {"step": "remove replicated uniques"})


@pytest.fixture(scope="session")
def choices(small_files):
    """What is chosen for each analysis of the small files."""
    original, synthetic = (pd.read_csv(path) for path in small_files)
    return {
        "control": {"control": original.iloc[::2]},
        "groups": {"by": ["village", "trade"], "smallest": 3},
        "releases": {"releases": {"half": synthetic.iloc[::2], "two files": [synthetic, synthetic.iloc[:40]]}},
        "mitigation": {"steps": STEPS},
        "trade_off": {"steps": STEPS},
    }


@pytest.fixture(scope="session")
def found(small, small_files, choices):
    """Every analysis of the small files, by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        return {
            name: analysis.run(small_files[0], small_files[1:], small.settings, choices.get(name))
            for name, analysis in ANALYSES.items()
        }


@pytest.fixture(scope="session")
def analysed(small, found):
    """The assessment of the small files with every analysis."""
    return functools.reduce(lambda assessment, result: assessment.with_analysis(result), found.values(), small)


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


def pytest_collection_modifyitems(items):
    """Mark what starts Spark, which has the machine for itself."""
    for item in items:
        if "spark" in item.nodeid.lower():
            item.add_marker(pytest.mark.spark)
