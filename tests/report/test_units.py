"""Units, such as households, in the report."""

import re
from pathlib import Path

import pandas as pd
import pytest

from discoreport import Report, assess, write_bundle
from discoreport.assessment.analyses import ANALYSES
from discoreport.charts import draw
from tests.drawings import to_svg
from tests.report.test_analysis_report import said, section

# Both files number their households alike, which is told of, and not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")

FILES = [
    pd.read_csv(Path(__file__).parents[1] / "assessment" / f"households_{name}.csv.gz")
    for name in ("original", "synthetic")
]


@pytest.fixture(scope="module")
def of_households():
    return assess(*FILES, keys=["sex", "age_band", "district"], targets=["employment"], unit="household")


def test_the_report_counts_units_apart_from_records(of_households):
    told = said(section(of_households, "identity")).replace("\N{NO-BREAK SPACE}", " ")
    assert "By unit (household)" in told
    assert "Of 900 original units, 353 (39.2 %) are unique" in told
    assert not set(FILES[0]["household"].astype(str)[:50]) & set(told.split())  # their numbers are shown nowhere


def test_the_word_unit_leads_to_the_glossary(of_households):
    page = Report(of_households).html
    assert 'id="term-unit"' in page
    assert re.search(r'<h3>By <a class="term" href="#term-unit">unit</a>', page)
    assert "term-unit" not in section(of_households, "identity")  # no head, no link


def test_units_are_evidence_of_singling_out(of_households):
    told = said(section(of_households, "criteria"))
    assert "76 of 900 units by household (8.4 %) unique in both files" in told.replace("\N{NO-BREAK SPACE}", " ")
    without = assess(*FILES, keys=["sex", "age_band", "district"], targets=["employment"])
    assert "units by" not in said(section(without, "criteria"))


def test_the_figure_of_units_shows_their_kinds_and_no_number_of_theirs(of_households):
    specification = to_svg.specify(draw(of_households, "units"))
    assert "Most exposed:" in specification["description"]
    assert "76 of them in the synthetic file" in specification["description"]
    assert not any(str(number) in str(specification) for number in FILES[0]["household"][:50])


def test_the_finding_that_form_and_overview_show_counts_units_apart(of_households):
    told = said(section(of_households, "finding")).replace("\N{NO-BREAK SPACE}", " ")
    assert "Keys are those of all records with the same household: of 900 such units, 8.4 % (76) are unique" in told
    alone = assess(*FILES, keys=["sex", "age_band", "district"], targets=["employment"])
    assert "units" not in said(section(alone, "finding"))


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("edition", ["internal", "external"])
def test_no_value_of_the_unit_is_in_anything_that_is_written(tmp_path, edition):
    named = [
        frame.assign(qzu_unit="QZU_" + frame["household"].astype(str)).drop(columns="household") for frame in FILES
    ]
    assessment = assess(*named, keys=["sex", "age_band", "district"], targets=["employment"], unit="qzu_unit")
    for name in ("sensitivity", "uncertainty", "groups", "four_checks", "utility", "pooled"):
        one = ANALYSES[name]
        found = one.run(named[0], named[1:], assessment.settings, one.chosen({}), None)
        assessment = assessment.with_analysis(found)
    write_bundle(assessment, tmp_path / edition, edition=edition)
    written = [path for path in (tmp_path / edition).rglob("*") if path.is_file()]
    assert len(written) > 5
    for path in written:
        content = path.read_bytes().lower()
        assert b"qzu_" not in content.replace(b"qzu_unit", b""), path
        assert edition == "internal" or b"qzu_unit" not in content, path
