"""Assessments that many tests look at, and the engines that many run in."""

import contextlib
import errno
import functools
import hashlib
import os
import sys
import warnings
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from discoreport import (
    ComparisonWarning,
    Documentation,
    Report,
    assess,
    charts,
    examples,
    read_documentation,
    read_policy,
)
from discoreport.assessment.analyses import ANALYSES
from tests import engines
from tests.pages import pdf as pdf_writer
from tests.pages import report as reports

RENDER = pdf_writer.render

sys.modules.setdefault("rfc3987_syntax", None)
"""It comes with JupyterLab; jsonschema, and so altair, would spend seconds on its grammar, which nothing here uses."""


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
    """Write a word in place of PDFs and pictures, which have tests of their own."""
    monkeypatch.setattr(pdf_writer, "render", lambda *_, **__: b"a PDF")
    monkeypatch.setattr(Report, "figures", {"overview.png": b"a picture"})


@pytest.fixture
def no_pages(quick, monkeypatch):
    """Write a word in place of reports, too."""
    monkeypatch.setattr(Report, "html", "a page")


class _NoPango:
    """Finds what draws PDFs without the library of the system that it needs."""

    def find_spec(self, name, *_):
        if name == "weasyprint":
            raise OSError("cannot load library 'libgobject-2.0-0'")


@pytest.fixture
def take_pango_away(monkeypatch):
    """Give what makes the machine one that lacks Pango."""

    def take():
        monkeypatch.setattr(sys, "meta_path", [_NoPango(), *sys.meta_path])
        monkeypatch.delitem(sys.modules, "weasyprint", raising=False)
        monkeypatch.setattr(pdf_writer, "render", RENDER)

    return take


@pytest.fixture
def uninstall(monkeypatch):
    """Give what makes packages ones that aren't installed."""

    def uninstall(*packages):
        for package in packages:
            for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
                monkeypatch.delitem(sys.modules, name)
            monkeypatch.setitem(sys.modules, package, None)

    return uninstall


@pytest.fixture
def close(monkeypatch):
    """Give what makes a file or folder one that may not be read, though a test that runs as root may read all."""
    open_file, look = Path.open, os.scandir

    def close(place):
        def refusing(usual):
            def refuse(path, *arguments, **options):
                if isinstance(path, str | os.PathLike) and Path(path) == place:
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(place))
                return usual(path, *arguments, **options)

            return refuse

        monkeypatch.setattr(Path, "open", refusing(open_file))
        monkeypatch.setattr(os, "scandir", refusing(look))

    return close


class Drawings(list):
    """Names of the figures that are drawn; `before` is called at the beginning of each."""

    before = staticmethod(lambda: None)


@pytest.fixture
def drawings(monkeypatch):
    """List the figures that are drawn."""
    listed, draw = Drawings(), charts.draw

    def listing(assessment, name):
        listed.append(name)
        listed.before()
        return draw(assessment, name)

    monkeypatch.setattr(charts, "draw", listing)
    return listed


@pytest.fixture
def most_values():
    """Give what sets how many distinct values are brought here from an engine, as `tests.engines.most_values`."""
    with contextlib.ExitStack() as stack:
        yield lambda number: stack.enter_context(engines.most_values(number))


@pytest.fixture(scope="module")
def short_pdf():
    """Put one line that stands for the page into PDFs, and few bytes for pictures: what is inside them is real."""

    def short(html, attachments, created, **_):
        head = html.partition("<body")[0]
        line = f"<body><h1>{hashlib.sha256(html.encode()).hexdigest()}</h1></body></html>"
        return RENDER(head + line, attachments, created)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pdf_writer, "render", short)
        patch.setattr(reports, "picture", lambda drawn: hashlib.sha256(drawn.encode()).hexdigest().encode())
        yield


STEPS = ({"step": "merge levels", "variable": "trade", "fewer_than": 10}, {"step": "remove replicated uniques"})


@pytest.fixture(scope="session")
def choices(small_files):
    """What is chosen for each analysis of the small files."""
    original, synthetic = (pd.read_csv(path) for path in small_files)
    return {
        "pooled": {"earlier": [original.iloc[::3]]},
        "control": {"control": original.iloc[::2]},
        "membership": {"control": original.iloc[::2], "variables": ["village", "trade"], "base_rate": 0.05},
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


@pytest.fixture(scope="session")
def spark():
    """One session for all tests but those of Spark's own workers, which run before."""
    with engines.spark("local[2]", partitions=1):
        yield


@pytest.fixture(params=["duckdb", pytest.param("spark", marks=pytest.mark.spark)], scope="module")
def engine(request):
    """Name each engine that must give the figures of the one in memory, or those that a test asks for."""
    if request.param == "spark":
        request.getfixturevalue("spark")
    return request.param


PARTS = ("browser", "spark", "notebook", "generated")
"""Parts of the slow tests that can be run alone."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark what is slow, and leave out what need not run in Spark: cases beyond the number that a test gives."""
    cases, run = Counter(), []
    for item in items:
        in_spark = item.get_closest_marker("spark") is not None
        test = item.nodeid.partition("[")[0], in_spark
        cases[test] += 1
        enough = item.get_closest_marker("spark_cases" if in_spark else "fast_cases")
        beyond = enough is not None and cases[test] > enough.args[0]
        if beyond and not in_spark:
            item.add_marker(pytest.mark.generated)
        if any(item.get_closest_marker(part) for part in PARTS):
            item.add_marker(pytest.mark.slow)
        if not (beyond and in_spark):
            run.append(item)
    items[:] = sorted(run, key=lambda item: item.path.name != "test_spark.py")  # Spark has one session at a time
