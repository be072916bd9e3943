"""The report: what it says, what it holds, and what it must never do."""

import datetime
import gc
import html
import itertools
import json
import re
import shutil
import subprocess
import threading
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pikepdf
import pypdf
import pytest

from discoreport import (
    ComparisonWarning,
    Documentation,
    Report,
    assess,
    charts,
    load,
    read_documentation,
    verify,
    write_bundle,
)
from discoreport.errors import MissingPackageError, SettingsError
from discoreport.report.figures import MOST_ROWS
from discoreport.report.filters import FILTERS
from discoreport.report.glossary_links import TERMS
from tests.pages import InternalEdition, PageResources, example, fill, font, internal_tables, public
from tests.pages import pdf as pdf_writer
from tests.policies import under
from tests.records import SCHEMA_VERSION, worst_file, write_documentation
from tests.tables import Table

HOSTILE = "<script>alert(1)</script>"
FACE = f"@font-face {{ font-family: Plex; src: url('{font('IBMPlexSans-Regular.ttf')}') }} body {{ font-family: Plex }}"


class Page(HTMLParser):
    """Collects the text, the tags and the addresses of a page."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.addresses, self.attributes, self.pieces = [], [], [], []
        self._silent = 0
        self.feed(html)
        self.text = re.sub(r"\s+", " ", "".join(self.pieces)).replace("\N{NO-BREAK SPACE}", " ")

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attributes]
        self.addresses += [value for name, value in attributes if name in {"href", "src", "xlink:href", "action"}]
        self._silent += tag == "style"

    def handle_endtag(self, tag):
        self._silent -= tag == "style"

    def handle_data(self, data):
        if not self._silent:
            self.pieces.append(data)


@pytest.fixture(scope="module")
def report_page(survey):
    return Page(Report(survey).html)


@pytest.fixture(scope="module")
def pdf(survey, tmp_path_factory):
    return Report(survey).write(tmp_path_factory.mktemp("report") / "report.pdf")


@pytest.fixture
def hostile_assessment():
    original = pd.DataFrame({HOSTILE: ["a", "b", "c", "c"], "{{ 7 * 7 }}": [HOSTILE, "y", "y", "y"]})
    return assess(original, original.copy(), keys=[HOSTILE])


def pdf_text(path):
    text = " ".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
    return re.sub(r"\s+", " ", text).replace("\N{NO-BREAK SPACE}", " ")


def test_first_page_says_what_was_found(report_page):
    first_page = report_page.text.partition("Contents")[0]
    assert "Percent of the 5,000 original records; most beyond chance first" in first_page
    assert "Who it is UiO, repU39.3–13.0651–" in first_page
    assert "worked_abroad84.154.053.82,689−0.2not “No”; 0 of 27 flagged pairs–none set" in first_page


def test_every_figure_of_the_tables_is_there(survey, report_page):
    for (target, _), row in survey.attribute.iterrows():
        assert target in report_page.text
        for measure in ("Dorig", "iS", "DiS", "DiSCO", "DiSDiO"):
            assert f"{row[measure]:.1f}" in report_page.text
    for source in (survey.original, *survey.synthetic):
        assert source.sha256 in report_page.text


def test_every_measure_is_explained(report_page):
    from discoreport.measures import MEASURES

    for measure in MEASURES.values():
        assert measure.meaning in report_page.text
    assert "Higher is worse, unless it says otherwise." in report_page.text


def test_the_page_fetches_nothing_and_runs_nothing(report_page):
    assert {"script", "link", "iframe", "object", "embed", "base"}.isdisjoint(report_page.tags)
    assert all(address.startswith(("#", "data:")) for address in report_page.addresses)
    assert not [name for _, name, _ in report_page.attributes if name.startswith("on")]


def test_every_figure_of_the_page_reaches_the_pdf_beside_it(survey):
    edition = InternalEdition(survey)
    page = fill("page.html", edition)
    taken = PageResources().take_out(page, edition.drawings)
    assert page.count("<svg") == len(edition.drawings) > 0
    assert "<svg" not in taken
    spoken = [html.escape(ET.fromstring(svg).findtext("{*}title")) for svg in edition.drawings]  # ours
    assert all(f'alt="{words}"' in taken for words in spoken)


def test_figures_are_drawn_once_whatever_is_said_of_the_release_and_anew_for_others(small, drawings):
    said = small.with_documentation(small.documentation.model_copy(update={"title": "Another"}))
    figures = [Report(one).html.count("<svg") for one in (small, said)]
    assert figures[0] == figures[1] > 0
    drawings.clear()
    assert "Another" in Report(said).html
    assert not drawings
    (first,) = small.outcome.results
    other = first.model_copy(update={"values": {**first.values, "DiSCO": 1.5}})
    outcome = small.outcome.model_copy(update={"results": (other,)})
    Report(small.model_copy(update={"outcome": outcome})).html  # noqa: B018  # it is drawn when it is asked for
    assert len(drawings) == figures[0]


@pytest.mark.parametrize("collection", ["population", "sample"])
def test_a_figure_goes_by_whether_the_original_is_a_census(small, found, collection):
    said = Documentation(source={"collection": collection})
    assessment = small.with_analysis(found["uncertainty"]).with_documentation(said)
    alone = (
        charts.svg(charts.draw(assessment, "uncertainty")) if charts.CHARTS["uncertainty"].applies(assessment) else ""
    )
    assert [one.svg for one in InternalEdition(assessment).figures("uncertainty")] == ([alone] if alone else [])


def test_every_address_within_the_page_leads_somewhere(report_page):
    ids = {value for _, name, value in report_page.attributes if name == "id"}
    assert {address[1:] for address in report_page.addresses if address.startswith("#")} <= ids


def test_head_cells_have_a_scope_and_tables_a_caption(report_page):
    scoped = [value for tag, name, value in report_page.attributes if tag == "th" and name == "scope"]
    assert len(scoped) == report_page.tags.count("th")
    named = [value for tag, name, value in report_page.attributes if tag == "table" and name == "aria-label"]
    assert report_page.tags.count("caption") + len(list(filter(None, named))) == report_page.tags.count("table")


@pytest.mark.slow
def test_hostile_names_and_levels_are_text(hostile_assessment, tmp_path):
    page = Page(Report(hostile_assessment).html)
    assert "script" not in page.tags
    assert HOSTILE in page.text
    assert "{{ 7 * 7 }}" in page.text
    assert "alert(1)" in pdf_text(Report(hostile_assessment).write(tmp_path / "x.pdf"))


@pytest.mark.filterwarnings("ignore:Records of the original")  # the file is the original itself
def test_a_hostile_file_name_is_text(tmp_path):
    path = tmp_path / "<img src=x onerror=alert(1)>.csv"
    path.write_text("a,b\n1,x\n2,y\n")
    page = Page(Report(assess(path, path, keys=["a"])).html)
    assert "img" not in page.tags
    assert path.name in page.text


def test_no_shared_keys_reads_as_not_available_and_not_as_safe():
    original = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "y"]})
    synthetic = pd.DataFrame({"a": [7, 8, 9], "b": ["x", "y", "y"]})
    with pytest.warns(UserWarning, match="no key combination"):
        assessment = assess(original, synthetic, keys=["a"])
    text = Page(Report(assessment).html).text
    assert "n/a" in text
    assert "no key combination of the original occurs in the synthetic file" in text
    assert "Low figures below can't be taken at face value" in text
    assert "nothing can be concluded from figures of 0" in text


def test_figures_of_which_nothing_is_left_do_not_read_as_safe():
    frame = pd.DataFrame({"a": pd.Series([None] * 3, dtype="string"), "b": ["x", "y", "y"]})
    with pytest.warns(UserWarning, match="the keys: the settings leave out every record of the original"):
        assessment = assess(frame, frame, keys=["a"], key_missing="exclude")
    text = Page(Report(assessment).html).text
    assert "The settings leave out every record, for the keys: nothing can be concluded from figures of 0." in text
    assert "Low figures below can't be taken at face value" in text


def test_exclusions_stand_with_and_without(survey_of_three):
    text = Page(Report(survey_of_three).html).text
    assert "nine in ten say so" in text
    assert "Open: no reason given" in text
    assert "1 exclusion not documented" in text
    assert "The figures of variables leave out what is listed under exclusions" in text
    before = worst_file(survey_of_three.without_exclusions(), "worked_abroad").values["DiSCO"]
    after = worst_file(survey_of_three, "worked_abroad").values["DiSCO"]
    assert f"{before:.1f}" in text
    assert f"{after:.1f}" in text


def test_what_is_known_of_a_target_hides_no_unique_record():
    frame = pd.DataFrame({"village": ["A", "B", "C", *"DDDD"], "abroad": ["No"] * 5 + ["Yes"] * 2})
    rule = {"target": "abroad", "level": "No", "reason": "everybody knows", "by": "A. Officer"}
    assessment = assess(frame, frame, keys=["village"], exclude=[rule])
    assert assessment.identity.loc[1, "repU"] == 0  # as the paper takes it, with one target
    assert assessment.value("repU") == pytest.approx(100 * 3 / 7)
    text = Page(Report(assessment).html).text
    assert "Who it is UiO, repU42.9–42.93–" in text
    assert "Exclusions of target levels don't touch these figures" in text
    assert InternalEdition(under(assessment, ("repU", 40))).above[0].value == pytest.approx(100 * 3 / 7)


def test_missing_keys_that_are_left_out_are_told_with_and_without():
    frame = pd.DataFrame({"village": ["A", None, "C", *"DDDD"], "abroad": ["No"] * 6 + ["Yes"]})
    assessment = assess(frame, frame, keys=["village"], key_missing="exclude")
    text = Page(Report(assessment).html).text
    assert "Who it is UiO, repU28.6–28.62–" in text
    assert "with nothing left out, 42.9 % are unique on the keys and 42.9 % in the synthetic file, too" in text


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("which", ["survey", "survey_of_three", "documented"])
def test_the_report_needs_only_the_saved_record(request, which, tmp_path):
    assessment = request.getfixturevalue(which)
    loaded = load(assessment.save(tmp_path / "assessment.json"))
    assert Report(loaded).html == Report(assessment).html


def test_keys_alone_make_a_report():
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [1, 1, 2]})
    text = Page(Report(assess(frame, frame, keys=["a", "b"])).html).text
    assert "attribute risk was not measured" in text


def test_another_ending_is_refused(survey, tmp_path):
    with pytest.raises(SettingsError, match=r"'\.docx'"):
        Report(survey).write(tmp_path / "x.docx")


def test_pdf_is_marked_for_archives_and_screen_readers(pdf, survey):
    with pikepdf.open(pdf) as file:
        with file.open_metadata() as metadata:
            assert metadata.get("pdfaid:part") == "3"
            assert metadata.get("pdfaid:conformance") == "A"
            assert metadata.get("{http://www.aiim.org/pdfua/ns/id/}part") == "1"
        root = file.Root
        assert str(root.Lang) == "en"
        assert root.MarkInfo.Marked
        assert root.ViewerPreferences.DisplayDocTitle
        assert root.Outlines.Count
        heads = [item for item in structure(root.StructTreeRoot) if item.get("/S") == "/TH"]
        assert heads
        assert all(scope_of(head) in {"/Column", "/Row"} for head in heads)
        figures = [item for item in structure(root.StructTreeRoot) if item.get("/S") == "/Figure"]
        assert figures
        assert all(str(figure.get("/Alt", "")) for figure in figures)
        assert (
            json.loads(file.attachments["assessment.json"].get_file().read_bytes())["schema_version"] == SCHEMA_VERSION
        )
        fonts = {str(font) for page in file.pages for font in fonts_of(page)}
        assert fonts
        assert all("+" in font for font in fonts), fonts  # a subset, embedded
        assert file.check_pdf_syntax() == []


def pdf_lines(path):
    return [line.strip() for page in pypdf.PdfReader(path).pages for line in page.extract_text().splitlines()]


def structure(item):
    yield item
    kids = item.get("/K")
    if kids is None:
        return
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and kid.get("/S") is not None:
            yield from structure(kid)


def scope_of(head):
    attributes = head.get("/A")
    listed = attributes if isinstance(attributes, pikepdf.Array) else [attributes]
    return next((str(entry["/Scope"]) for entry in listed if entry is not None and "/Scope" in entry), None)


def fonts_of(page):
    resources = page.get("/Resources", {})
    for used in resources.get("/Font", {}).values():
        yield used.BaseFont


@pytest.mark.slow
def test_graphics_states_are_not_nested_deeper_than_archives_allow(pdf):
    with pikepdf.open(pdf) as file:
        for page in file.pages:
            depth = deepest = 0
            for instruction in pikepdf.parse_content_stream(page):
                depth += {"q": 1, "Q": -1}.get(str(instruction.operator), 0)
                deepest = max(deepest, depth)
            assert deepest <= 28


@pytest.mark.slow
def test_pdf_says_what_the_page_says(pdf):
    text = pdf_text(pdf)
    assert "39.3 %" in text
    assert "Page 1 of " in text
    assert "worked_abroad" in text
    assert [text.count(f"Figure {number}. ") for number in range(1, 3)] == [1, 0]


@pytest.mark.slow
def test_the_same_assessment_gives_the_same_bytes(survey, pdf, tmp_path):
    assert Report(survey).write(tmp_path / "again.pdf").read_bytes() == pdf.read_bytes()


@pytest.fixture(params=["HarfBuzz", "fontTools"])
def subsetter(request, monkeypatch):
    """Take the unused signs out of fonts with the system's library, or as WeasyPrint does where that is absent."""
    from weasyprint.pdf import fonts

    if request.param == "fontTools":
        monkeypatch.setattr(fonts, "harfbuzz_subset", None)
    elif fonts.harfbuzz_subset is None:
        pytest.skip("Debian's libharfbuzz-subset0 is not installed")
    return request.param


@pytest.fixture
def _every_look_at_the_clock_a_day_later(monkeypatch):
    """The clock of fontTools."""
    from fontTools.ttLib.tables import _h_e_a_d

    days = itertools.count()
    monkeypatch.setattr(_h_e_a_d, "timestampNow", lambda: 3_000_000_000 + 86_400 * next(days))


@pytest.mark.slow
@pytest.mark.usefixtures("subsetter", "_every_look_at_the_clock_a_day_later")
def test_the_same_page_gives_the_same_bytes_whatever_takes_signs_out_of_the_fonts():
    page = f"<html lang=en><title>A page</title><style>{FACE}</style><h1>One</h1><p>two <b>three</b></p></html>"
    moment = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    first, second = (pdf_writer.render(page, [], moment) for _ in range(2))
    assert first == second


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.usefixtures("subsetter", "_every_look_at_the_clock_a_day_later")
def test_a_bundle_holds_right_after_it_was_written(small, small_files, tmp_path):
    checks = verify(write_bundle(small, tmp_path / "b"), original=small_files[0], synthetic=[small_files[1]])
    assert {check.outcome for check in checks} == {"holds"}, checks


def test_without_pango_the_message_names_the_packages(survey, take_pango_away, tmp_path):
    take_pango_away()
    with pytest.raises(MissingPackageError, match=re.escape("libpangoft2-1.0-0 libharfbuzz-subset0")):
        Report(survey).write(tmp_path / "x.pdf")
    assert not (tmp_path / "x.pdf").exists()
    assert Report(survey).write(tmp_path / "x.html").stat().st_size > 0


def test_pdfs_of_two_threads_leave_other_libraries_as_they_were(monkeypatch):
    from weasyprint.svg import Node

    text_before = Node.text
    first_at_work, second_at_work, first_done = (threading.Event() for _ in range(3))

    def scope(*_):
        if not first_at_work.is_set():
            first_at_work.set()
            second_at_work.wait(0.5)  # which it can't be before the first is done
        else:
            second_at_work.set()
            first_done.wait(10)

    def render(done=lambda: None):
        pdf_writer.render("<html lang='en'><title>T</title><p>Text</p>", [], datetime.datetime(2026, 1, 1))
        done()

    monkeypatch.setattr(pdf_writer, "_scope_table_heads", scope)
    first = threading.Thread(target=render, args=[first_done.set])
    first.start()
    first_at_work.wait(10)
    render()
    first.join()
    assert Node.text is text_before
    assert gc.isenabled()


def test_a_text_that_fits_but_for_the_space_at_its_end_stays_on_its_line(tmp_path):
    """The paragraphs grow by less than a space, so that the end of the line falls into it in some."""
    grown = "".join(
        f'<p style="width:{width / 10}mm">All words of a line stay on it, <em>and</em> so on</p>'
        for width in range(500, 620)
    )
    page = f"<html lang='en'><title>T</title><style>{FACE}</style>{grown}"
    (tmp_path / "grown.pdf").write_bytes(pdf_writer.render(page, [], datetime.datetime(2026, 1, 1)))
    lines = pdf_lines(tmp_path / "grown.pdf")
    assert {line for line in lines if line.startswith("All")} == {
        f"All words of a line stay on {more}".strip() for more in ("", "it,", "it, and")
    }


def of_many_targets(n_targets, n_records=400):
    """A file and one like it, with a key and so many targets of three levels."""
    random = np.random.default_rng(1)
    levels = {f"target {n}": random.integers(0, 3, n_records) for n in range(n_targets)}
    frame = pd.DataFrame({"key": random.integers(0, 60, n_records), **levels})
    return assess(frame.iloc[: n_records // 2], frame.iloc[n_records // 2 :], keys="key")


@pytest.mark.slow
def test_of_many_targets_the_most_exposed_are_told_and_where_the_rest_is():
    assessment = of_many_targets(60)
    edition = InternalEdition(assessment)
    first, rest = edition.targets[:MOST_ROWS], edition.targets[MOST_ROWS:]
    for name in ("attribute", "further_measures", "source"):
        page = fill(f"sections/{name}.html", edition)
        rows = re.findall(r'<tr><th scope="row">(target \d+)', page)
        assert set(rows) == {row.name for row in first}
        assert not {row.name for row in rest} & set(rows)
        assert f"{len(rest)} more" in page
    assert "40 more targets: see the table “attribute” that comes with this report" in fill(
        "sections/attribute.html", edition
    )
    assert {row.name for row in edition.targets} == set(internal_tables(assessment)["attribute"]["target"])
    (figure,) = edition.figures("steps")
    assert figure.n_left_out == len(rest)


@pytest.mark.slow
def test_the_report_of_the_example_has_ten_pages(documented, tmp_path):
    assert len(pypdf.PdfReader(Report(documented).write(tmp_path / "x.pdf")).pages) <= 10


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")  # files as short as these differ by chance
@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("n_targets", "pages"), [(192, 25), (50, 20)])
def test_many_targets_take_few_pages(n_targets, pages, tmp_path):
    path = Report(of_many_targets(n_targets)).write(tmp_path / "x.pdf")
    text = pdf_text(path)
    assert text.index("Figure 1") < text.index("What is open") < text.index("Contents")
    assert len(pypdf.PdfReader(path).pages) <= pages


def test_the_decision_comes_before_the_evidence_and_the_papers_of_the_file_after(documented):
    page = Report(documented).html
    order = re.findall(r'<section id="(\w+)"', page)
    first = ["decision", "scenario", "identity", "attribute", "analyses", "checks", "exclusions", "criteria"]
    assert [name for name in order if name in first] == first == order[: len(first)]
    assert order.index("checklist") < order.index("source") < order.index("limits") < order.index("provenance")
    assert order[-2:] == ["further_measures", "glossary"]
    assert "DCAP_b" not in page[page.index('id="attribute"') : page.index('id="further_measures"')]


def test_columns_that_repeat_others_where_files_are_as_long_are_left_out(survey, small):
    alike, shorter = (fill("sections/further_measures.html", InternalEdition(one)) for one in (survey, small))
    assert [name in alike for name in ("#measure-DCAP_s", "#measure-TCAP_s", "#measure-DCAP_d")] == [False, False, True]
    assert "Those that end in _s equal DCAP_d and DiSCO" in alike
    assert "#measure-TCAP_s" in shorter


def test_targets_stand_by_what_is_given_away_beyond_chance(survey):
    html = fill("sections/attribute.html", InternalEdition(survey))
    assert re.findall(r'<tr><th scope="row">(\w+)', html) == list(
        survey.summary["excess"].sort_values(ascending=False).index
    )
    page = Page(html).text
    assert "For employment, the original file itself" in page
    assert "shuffled among the synthetic records, 13.3 % would be given away by chance (baseDiSCO)" in page


OF_ANALYSES = {"membership", "rate", "worst", "pooled", "unit"}
"""Terms that a glossary has only where the report does."""


def test_the_glossary_has_the_words_of_several_files_and_of_units_where_they_are(survey, survey_of_three):
    page = Report(survey_of_three).html
    for name in ("worst", "pooled"):
        assert f'href="#term-{name}"' in page
        assert f'id="term-{name}"' in page
        assert f"term-{name}" not in fill("sections/glossary.html", InternalEdition(survey))
    assert 'id="term-unit"' not in page


def test_the_glossary_has_the_words_that_the_report_uses(survey):
    page = fill("sections/glossary.html", InternalEdition(survey))
    for word in TERMS.keys() - OF_ANALYSES:
        assert f'id="term-{word}"' in page
    assert "counts with a star are of the whole files" in page
    assert "[s*<sub>tq</sub> = s*<sub>q</sub> &gt; 0]" in page
    assert "Leaving records out makes no cell disclosive" in page


def test_a_name_from_right_to_left_does_not_turn_the_number_behind_it():
    assert FILTERS["name"]("שלום") == "שלום\N{LEFT-TO-RIGHT MARK}"
    assert FILTERS["level"]("كلا") == "كلا\N{LEFT-TO-RIGHT MARK}"
    assert FILTERS["name"]("income") == "income"


def test_each_term_of_the_glossary_that_stands_in_a_head_leads_to_it(analysed):
    page = Report(analysed).html
    heads = re.findall(r"<thead>.*?</thead>|<h[23][ >].*?</h[23]>", page, re.DOTALL)
    for name, words in TERMS.items():
        written = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)
        unlinked = [re.sub(r"<a .*?</a>", "", head, flags=re.DOTALL) for head in heads]
        told = [re.sub(r"<[^>]*>", " ", head) for head in unlinked]
        assert not [head for head in told if written.search(head)], name
        there = name != "unit"  # the settings have none
        assert (f'href="#term-{name}"' in page) is there, name
        assert (f'id="term-{name}"' in page) is there, name


def test_the_worked_example_tells_every_measure_from_the_others():
    values = [round(value, 1) for value in example().values.values()]
    assert len(values) == len(set(values))


def test_the_worst_of_several_files_is_on_the_first_page():
    random = np.random.default_rng(1)
    original = pd.DataFrame({"key": random.integers(0, 60, 300), "target": random.integers(0, 9, 300)})
    other = original.assign(target=random.permutation(original["target"]))
    with pytest.warns(ComparisonWarning, match="is it a copy"):
        several = assess(original, [other, original, other], keys="key")
    with pytest.warns(ComparisonWarning, match="is it a copy"):
        assessment = assess(original, original, keys="key")
    text = Page(Report(several).html).text
    first_page = text[: text.index("Contents")]
    assert "synthetic 2 looks like a copy of the original" in first_page
    assert "each row is of the worst of the 3 files for it" in first_page
    assert "3 files from one original:" in first_page
    (row,) = InternalEdition(several).findings.targets
    assert (row.synthesis, row.this_file.percent) == (2, assessment.value("DiSCO", "target"))
    assert "target file 2 of 3" in first_page


def test_labels_that_people_give_are_used_like_those_of_a_file(tmp_path):
    codes = pd.DataFrame({"sex": [1, 2] * 100, "edu": [1, 1] * 95 + [2] * 10})
    assessment = assess(codes, codes.iloc[:190], keys="sex", one_way_threshold=(0, 0), two_way_threshold=(0, 0))
    (tmp_path / "said.toml").write_text(
        '[labels]\nsex = "Sex of the person"\nedu = "Highest school"\n[level_labels.edu]\n1 = "primary"\n'
    )
    said = assessment.with_documentation(read_documentation(tmp_path / "said.toml"))
    page = fill("sections/scenario.html", InternalEdition(said))
    assert "Sex of the person" in page
    assert "Highest school" in page
    assert "Highest school" in fill("sections/source.html", InternalEdition(said))
    assert "Highest school" in fill("sections/attribute.html", InternalEdition(said))
    assert "1 (primary)" in fill("sections/checks.html", InternalEdition(said))
    assert set(internal_tables(said)["variables"]["label"]) == {"Sex of the person", "Highest school"}
    assert {one.label for one in public(said).variables} == {"Sex of the person", "Highest school"}
    assert load(said.save(tmp_path / "record.json")).described == said.described
    with pytest.raises(SettingsError, match="labels: 'educ' is not a variable of the files"):
        assessment.with_documentation(said.documentation.model_copy(update={"labels": {"educ": "Highest school"}}))
    write_documentation(tmp_path / "open.toml", said)
    assert read_documentation(tmp_path / "open.toml").labels == said.documentation.labels


@pytest.mark.slow
def test_levels_go_with_their_value_labels():
    codes = pd.DataFrame({"sex": [1, 2] * 100, "edu": [1, 1] * 95 + [2] * 10})
    labels = {"sex": {"1": "male", "2": "female"}, "edu": {"1": "primary"}}
    table = Table("survey.sav", {name: codes[name] for name in codes}, {"edu": "Highest school"}, labels)
    assessment = assess(table, table, keys="sex", one_way_threshold=(0, 0), two_way_threshold=(0, 0))
    text = Page(Report(assessment).html).text
    assert "Highest school" in text
    assessment = assess(table, codes.iloc[:190], keys="sex", one_way_threshold=(0, 0), two_way_threshold=(0, 0))
    text = Page(Report(assessment).html).text
    assert "1 (primary)" in text
    assert "2 (female)" in text
    assert assessment.summary.loc["edu", "one_way"] == "1 (primary)"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="Debian's poppler-utils are not installed")
def test_scripts_from_right_to_left_are_whole_in_figures(tmp_path):
    name = "مستوى التعليم"
    frame = pd.DataFrame({"key": [1, 2, 3, 4] * 5, name: ["a", "b", "b", "a"] * 5})
    path = Report(assess(frame, frame, keys="key")).write(tmp_path / "x.pdf")
    # Other readers put the letters of such scripts into order by themselves, and would hide the fault.
    text = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout
    assert name in text
    assert name[::-1] not in text


@pytest.mark.slow
def test_settings_have_all_their_digits():
    frame = pd.DataFrame({"key": [1, 2, 3, 4] * 5, "income": [5, 123456.75, 1234567, 60] * 5})
    breaks = [0, 123456.5, 1234567.25]
    settings = {"numeric_groups": {"income": breaks}, "tau": [1 / 3, 1]}
    text = Page(Report(assess(frame, frame, keys="key", **settings)).html).text
    assert "income: 0, 123456.5, 1234567.25" in text
    assert f"{1 / 3}, 1" in text


def test_two_way_counts_stand_under_what_they_count(survey):
    page = Report(survey.for_targets(["marital"])).html
    flag = next(flag for flag in survey.outcome.two_way if flag.target == "marital")
    assert re.search(r"Given away in <a [^>]*>cells</a> of more than 4", page)
    assert "Given away in all" in page
    assert flag.disclosive < flag.disclosive_total
    assert f'<td class="number">{flag.disclosive:,}</td><td class="number">{flag.disclosive_total:,}</td>' in page
    assert f"{flag.disclosive:,} of {flag.disclosive_total:,}" in str(InternalEdition(survey).figures("checks")[0].svg)
    assert "Disclosive records</th>" not in page


def test_with_several_files_page_one_leads_with_the_worst_file_and_any_and_never_with_a_mean(survey_of_three):
    page = Page(Report(survey_of_three).html).text
    any_file = survey_of_three.analyses.pooled.figure("repU").any
    worst = max(survey_of_three.values("repU"))
    brief = page[: page.index("What is open")]
    assert f"finds {any_file:.1f}" in brief
    assert f"in the worst file alone, {worst:.1f}" in brief
    assert "Any file" in brief
    assert "Worst file" in brief
    assert "mean over" not in brief
    assert "means over" not in brief
    assert f"{survey_of_three.value('repU'):.1f}" not in brief.partition("Common")[0]


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_of_many_variables_that_no_record_is_compared_by_the_first_are_named():
    n = 300
    columns = {f"id {number:02d}": np.arange(n) * 7 + number for number in range(12)}
    original = pd.DataFrame({"key": np.arange(n) % 9, "answer": np.arange(n) % 4, **columns})
    synthetic = original.assign(**{name: values + 100_000 for name, values in columns.items()})
    assessment = assess(original, synthetic, keys="key", targets=["answer"])
    assert len(assessment.whole_records[0].left_out) == 12
    page = fill("sections/comparability.html", InternalEdition(assessment))
    table = page.partition("Whole records")[2].partition("</table>")[0]
    assert "and 6 more" in table
    assert "id 06" not in table
    assert not re.findall(r'class="number[^"]*">[^<]*id 0', table)
