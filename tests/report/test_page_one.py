"""Page 1: what is asked, what was found, what is open, what was decided, in this order, and on one page."""

import io
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from pypdf import PdfReader

from discoreport import ComparisonWarning, Documentation, Report, analyse, assess, examples
from tests.pages import InternalEdition, words_in
from tests.pages import pdf as pdf_writer
from tests.policies import under
from tests.wording import percentage

NAV = '<nav class="contents"'


@pytest.fixture
def no_figures(monkeypatch):
    """Leave the figures out that follow the first page, which take long."""
    monkeypatch.setattr(InternalEdition, "figures", lambda *_: ())


@pytest.fixture
def first_page(no_figures):
    """Give what makes the first page of an assessment."""
    return lambda assessment, **options: Report(assessment, **options).html.partition(NAV)[0]


def text_of(page):
    return " ".join(words_in(page.partition("<body")[2]))


def test_page_one_has_its_parts_in_order(documented, first_page):
    text = text_of(first_page(documented))
    parts = (
        "Northmoor household survey 2025", "Status", "Record", "Who asks", "For what", "Who gets it, how",
        "To be decided", "Above the organisation's thresholds, and nobody has said why",
        "Percent of the 5,000 original people",
        "Who it is", "employment 71.0", "Records that are given away", "What is open", "Decision", "Still to sign",
    )  # fmt: skip
    places = [text.find(part) for part in parts]
    assert -1 not in places, text
    assert places == sorted(places)
    assert "University of Northmoor" in text
    assert "access: registered" in text


def test_each_term_of_page_one_is_in_the_glossary(documented, no_figures):
    page = Report(documented).html
    first, _, rest = page.partition(NAV)
    linked = set(re.findall(r'href="#([^"]+)"', first))
    assert {"measure-UiO", "measure-repU", "measure-Dorig", "measure-DiSCO", "measure-baseDiSCO"} <= linked
    assert not [name for name in linked if f'id="{name}"' not in page]
    assert all(f'id="{name}"' in rest for name in linked if name.startswith("measure-"))


@pytest.mark.slow
def test_page_one_of_the_example_is_one_page(documented, first_page):
    page = re.sub(r'href="#[^"]*"', "", first_page(documented)) + "</main></body></html>"
    content = pdf_writer.render(page, [], documented.provenance.created)
    assert len(PdfReader(io.BytesIO(content)).pages) == 1


def test_no_figure_of_page_one_is_a_mean_that_hides_the_worst_file(survey_of_three, first_page):
    rows = first_page(survey_of_three).partition("<tbody>")[2].partition("</tbody>")[0].split("<tr>")[1:]
    assert len(rows) == 8
    for row, found in zip(rows, InternalEdition(survey_of_three).findings.shown, strict=True):
        assert f"file {found.synthesis} of 3" in row
        values = survey_of_three.values("DiSCO" if found.place else "repU", found.place)
        assert percentage(values[found.synthesis - 1]) in row


def test_the_figure_of_page_one_is_of_the_worst_files(survey_of_three):
    drawn = re.sub(r"<[^>]+>", " ", str(InternalEdition(survey_of_three).overview.svg))
    assert "eans over" not in drawn
    for row in InternalEdition(survey_of_three).findings.targets[:2]:
        assert percentage(row.this_file.percent) in drawn


def test_a_warning_is_boxed_and_none_is_not(survey, first_page):
    plain = survey.for_targets(["income"])
    assert 'class="warnings"' not in first_page(plain)
    strict = under(plain, ("repU", 5))
    assert "nobody has said why that can be accepted" in first_page(strict)
    accepted = strict.with_documentation(Documentation.model_validate({"criteria": {"accepted": {"repU": "few"}}}))
    page = first_page(accepted)
    assert 'class="warnings"' not in page
    assert "reason given" in page


def test_the_original_given_as_its_own_copy_is_boxed(small_files, first_page):
    original = pd.read_csv(small_files[0])
    with pytest.warns(UserWarning, match="is it a copy"):
        page = first_page(assess(original, original, keys="village"))
    box = page.partition('class="warnings"')[2].partition("<table")[0]
    assert "A copy of the original?" in box


def test_what_is_not_entered_is_said_on_page_one(small, first_page):
    assert text_of(first_page(small.with_documentation(Documentation()))).count("not entered") == 3


def test_page_one_of_the_external_edition_has_no_figure_on_risk(documented, first_page):
    inside, outside = text_of(first_page(documented)), text_of(first_page(documented, edition="external"))
    told = ("Beyond chance", "By chance", "Threshold", "What is open", "Common knowledge", "employment", "25.4", "38.6")
    for words in told:
        assert words in inside
        assert words not in outside


def with_candidates(assessment):
    original, synthetic = examples.path("original"), examples.path("synthetic_1")
    return analyse(assessment, original, synthetic, {"release_size": {"draws": 1}})


def test_page_one_has_a_map_of_risk_and_utility_where_there_are_candidates(documented, first_page):
    assert "Risk beside utility" not in text_of(first_page(documented))
    assessment = with_candidates(documented)
    page = first_page(assessment)
    text = text_of(page)
    assert text.index("Records that are given away") < text.index("Risk beside utility") < text.index("What is open")
    assert "Release size: of 7 candidates, no other one has less DiSCO beyond chance" in text
    drawn = InternalEdition(assessment).first_map
    assert drawn.svg in page
    assert "threshold" not in drawn.svg
    limited = under(assessment, ("excess", 20))
    assert "threshold 20" in InternalEdition(limited).first_map.svg


def crowded(assessment, name):
    """Give much that page 1 has to say."""
    if name == "excluded":
        rules = [{"target": "worked_abroad", "level": "No"}, {"target": "marital", "level": "Single"}]
        files = examples.path("original"), examples.path("synthetic_1")
        found = assess(*files, **examples.SETTINGS, exclude=rules)
        return found.with_policy(assessment.policy).with_documentation(assessment.documentation)
    roles = ("preparer", "checker", "checker", "custodian")
    signed = [{"role": role, "name": "A. Name", "date": "2026-11-21", "decision": "approve"} for role in roles]
    changes = {
        "sensitive": {"employment": ["Unemployed"], "smoker": ["Yes"], "worked_abroad": ["Yes"]},
        "decision": {"decision": "approve with conditions", "conditions": "Only for users. " * 8, "sign_offs": signed},
    }
    return assessment.with_documentation(Documentation.model_validate(assessment.documentation.model_dump() | changes))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["excluded", "decided"])
def test_page_one_is_one_page_however_much_it_says(documented, first_page, name):
    assessment = crowded(documented, name)
    page = re.sub(r'href="#[^"]*"', "", first_page(assessment)) + "</main></body></html>"
    assert len(PdfReader(io.BytesIO(pdf_writer.render(page, [], documented.provenance.created))).pages) == 1


@pytest.mark.slow
@pytest.mark.parametrize("files", [("leaky",), ("synthetic_1", "synthetic_2", "leaky", "synthetic_3")])
@pytest.mark.parametrize("said", [True, False])
def test_page_one_that_warns_of_copies_is_one_page(documented, first_page, files, said):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        found = assess(examples.path("original"), [examples.path(name) for name in files], **examples.SETTINGS)
    found = found.with_policy(documented.policy)
    found = found.with_documentation(documented.documentation) if said else found
    page = first_page(found)
    assert "Records of the original are in the synthetic file" in page
    page = re.sub(r'href="#[^"]*"', "", page) + "</main></body></html>"
    assert len(PdfReader(io.BytesIO(pdf_writer.render(page, [], documented.provenance.created))).pages) == 1


def test_page_one_of_long_names_has_its_decision_rather_than_a_figure(first_page):
    random = np.random.default_rng(1)
    columns = {"key": random.integers(0, 60, 300)}
    columns |= {f"{'a_long_name_' * 6}{n}": random.integers(0, 3, 300) for n in range(9)}
    original = pd.DataFrame(columns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        page = first_page(assess(original, original.sample(frac=1, random_state=2), keys="key"))
    assert "<figure>" not in page
    assert "No decision is recorded yet" in page
    long = page.partition("a_long_name_")[2].partition("</th>")[0]
    assert "<wbr>" in long


@pytest.mark.slow
def test_page_one_with_a_map_is_one_page(documented, first_page):
    page = re.sub(r'href="#[^"]*"', "", first_page(with_candidates(documented))) + "</main></body></html>"
    assert len(PdfReader(io.BytesIO(pdf_writer.render(page, [], documented.provenance.created))).pages) == 1


@pytest.mark.slow
def test_page_one_of_several_files_with_a_map_is_one_page(survey_of_three, documented, first_page):
    others = {name: [examples.path(name)] for name in ("low_fidelity", "leaky")}
    files = examples.path("original"), [examples.path(f"synthetic_{number}") for number in (1, 2, 3)]
    said = survey_of_three.with_policy(documented.policy).with_documentation(documented.documentation)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        found = analyse(said, *files, {"releases": {"releases": others}})
    page = first_page(found)
    assert "Risk beside utility" in page
    assert "Files of further analyses are in doubt" in page
    assert "file is in doubt" not in page
    page = re.sub(r'href="#[^"]*"', "", page) + "</main></body></html>"
    assert len(PdfReader(io.BytesIO(pdf_writer.render(page, [], said.provenance.created))).pages) == 1


def test_the_figure_of_several_files_is_spoken(survey_of_three):
    edition = InternalEdition(survey_of_three)
    figure = edition.overview
    assert edition.drawings[str(figure.svg)] == figure.spoken
