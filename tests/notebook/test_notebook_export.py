"""Notebooks as pages and PDF: what is shown, what is left out, and how it is laid out."""

import base64
import io
import re
import subprocess
import sys
from importlib.metadata import entry_points

import pandas as pd
import pikepdf
import pytest
from nbformat.v4 import new_raw_cell
from pypdf import PdfReader
from traitlets.config import Config

from discoreport import assess, charts
from discoreport.notebook.markdown_cells import LONGEST
from tests.notebooks import PIXEL, DiscoReportHTML, code, display, export, notebook, prose

HTML = {"raw_mimetype": "text/html"}


def body(page):
    return page.partition("<body")[2]


def test_nbconvert_finds_the_exporters():
    found = {one.name for one in entry_points(group="nbconvert.exporters") if one.name.startswith("discoreport")}
    kinds = ("html", "pdf", "handout", "solution", "slides")
    assert found == {f"discoreport_{kind}" for kind in kinds}


def test_title_page_comes_from_the_metadata():
    made = notebook(
        prose("# Something else\ntext"),
        title="Risk of the 2026 file",
        subtitle="First draft",
        authors=[{"name": "A. Officer"}, "B. Other"],
        organisation="Northmoor Statistics",
        date="2026-11-28",
        description="What the file gives away.",
        marking="Official",
        lang="de",
    )
    page = export(made)
    assert "<title>Risk of the 2026 file</title>" in page
    assert '<html lang="de">' in page
    for said in ("First draft", "A. Officer, B. Other", "Northmoor Statistics", "2026-11-28", "Official"):
        assert said in body(page)
    assert '<meta name="dcterms.created" content="2026-11-28T00:00:00+00:00">' in page
    assert ">Something else</h2>" in page


def test_without_metadata_the_first_heading_is_the_title_or_the_file_name_is():
    page = export(notebook(prose("# Lesson one\n\ntext\n\n## Part")))
    assert "<h1>Lesson one</h1>" in page
    assert page.partition("<body")[2].count("Lesson one") == 1
    assert '<h2 id="Part">Part</h2>' in page
    assert "<h1>lesson</h1>" in export(notebook(prose("just text")))


def test_an_option_goes_before_the_metadata():
    page = export(notebook(prose("text"), title="Old", marking="Old mark"), title="New", marking="New mark")
    assert "<h1>New</h1>" in page
    assert "New mark" in page
    assert "Old" not in page


def test_headings_are_numbered_apart_and_listed_in_the_contents():
    page = export(notebook(prose("# T\n## Same\n## Same\n### Deep *one*\n#### Too deep\nSee [there](#Same).")))
    contents = re.search(r"<nav.*?</nav>", page, re.DOTALL)[0]
    assert re.findall(r'href="#([^"]*)"', contents) == ["Same", "Same-2", "Deep-one"]
    assert '<h2 id="Same-2">Same</h2>' in page
    assert '<a href="#Same"' in body(page).replace(contents, "")
    assert "<nav" not in export(notebook(prose("## A\n## B\n## C")), contents=False)


@pytest.mark.parametrize("tag", ["remove", "remove-cell", "remove_cell"])
def test_cells_tagged_remove_are_gone(tag):
    made = notebook(prose("## Gone", tag), code("gone = 1", tag), prose("stays"))
    page = export(made)
    assert "one" not in body(page).replace("stays", "").lower().replace("none", "")


def test_input_and_output_are_hidden_by_tag_and_by_option():
    output = display(plain="OUTPUT")
    made = notebook(
        code("source_1", outputs=[output]),
        code("source_2", "hide-input", outputs=[output]),
        code("source_3", "hide-output", outputs=[output]),
    )
    page = export(made)
    assert [name in page for name in ("source_1", "source_2", "source_3")] == [True, False, True]
    assert page.count("OUTPUT") == 2
    assert "source_" not in export(made, code="hide")
    assert "source_" not in export(made, exclude_input=True)  # jupyter nbconvert --no-input
    assert export(made, code="fold").count("<details") == 2


def test_cells_for_inside_only_are_in_the_internal_edition_which_says_so():
    made = notebook(prose("public"), prose("SECRET words", "internal-only"), code("SECRET = 1", "internal-only"))
    assert "Internal edition" in export(made)
    outside = export(made, edition="external")
    assert "External edition" in outside
    assert "public" in outside
    assert "SECRET" not in outside


def test_what_nbconvert_is_told_to_leave_out_is_left_out():
    made = notebook(prose("PROSE"), code("CODE_1", "quiet"), code("CODE_2"), new_raw_cell("<b>RAW</b>", metadata=HTML))
    names = ("PROSE", "CODE_1", "CODE_2", "RAW")
    for option, gone in (
        ({}, set()),
        ({"exclude_markdown": True}, {"PROSE"}),
        ({"exclude_code_cell": True}, {"CODE_1", "CODE_2"}),
        ({"exclude_raw": True}, {"RAW"}),
        ({"config": Config({"TagRemovePreprocessor": {"remove_input_tags": {"quiet"}}})}, {"CODE_1"}),
        ({"config": Config({"TagRemovePreprocessor": {"remove_cell_tags": {"quiet"}}})}, {"CODE_1"}),
    ):
        page = body(export(made, **option))
        assert {name for name in names if name not in page} == gone, option


def test_a_picture_beside_the_notebook_is_found_whatever_its_name(tmp_path):
    for name in ("my dot.png", "größe.png"):
        (tmp_path / name).write_bytes(base64.b64decode(PIXEL))
    made = notebook(prose("![a](<my dot.png>) ![b](my%20dot.png) ![c](größe.png) ![d](%2e%2e/my%20dot.png)"))
    page, _ = DiscoReportHTML().from_notebook_node(made, {"metadata": {"name": "n", "path": str(tmp_path)}})
    assert page.count("data:image/png") == 3
    assert "not part of the notebook: d" in page


def test_what_is_cut_says_so():
    page = export(notebook(prose("x" * (LONGEST + 7))))
    assert "… 7 signs left out …" in page


def test_a_figure_of_ours_stands_in_the_page_as_a_vector_with_its_description(small):
    drawn = charts.draw(small, "overview")
    bundle, metadata = drawn._repr_mimebundle_()
    output = {"output_type": "display_data", "data": bundle, "metadata": {"image/svg+xml": metadata or {}}}
    page = export(notebook(code("draw", outputs=[output], caption="What it gives away")))
    figure = re.search(r"<figure>.*?</figure>", page, re.DOTALL)[0]
    assert figure.startswith("<figure><svg ")
    assert "<title>" in figure
    assert "<figcaption>What it gives away</figcaption>" in figure
    assert bundle["image/svg+xml"].partition("<title>")[2] in figure  # nothing that draws was lost


def test_vectors_go_before_pictures_and_pictures_are_described():
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect id="page" width="9" height="9"/></svg>'
    )
    page = export(notebook(code(outputs=[display(svg=drawing, png=PIXEL, plain="<Figure size 1x1 with 1 Axes>")])))
    assert "data:image/svg+xml" in body(page)
    assert "data:image/png" not in body(page)
    assert 'alt="Figure without a description"' in page
    told = display(png=PIXEL, plain="<Figure size 1x1>", metadata={"image/png": {"alt": "A bar."}})
    assert f'<img alt="A bar." src="data:image/png;base64,{PIXEL}">' in export(notebook(code(outputs=[told])))
    assert 'alt="By the cell"' in export(notebook(code(outputs=[display(png=PIXEL)], alt="By the cell")))


def test_tables_say_what_heads_what_and_set_figures_flush_right():
    table = pd.DataFrame({"name": ["a", "b"], "n": [1.5, None]}, index=pd.Index(["x", "y"], name="row"))
    page = export(notebook(code(outputs=[display(html=table.to_html(), plain=str(table))])))
    shown = re.search(r"<table.*?</table>", page, re.DOTALL)[0]
    assert shown.startswith('<table class="data short">')
    assert re.findall(r'scope="(\w+)"', shown) == ["col", "col", "col", "row", "row"]
    assert '<th scope="col">row</th>' in re.sub(' style="[^"]*"', "", shown)  # in one row with the columns' names
    assert re.findall(r'<td class="number">([^<]*)', shown) == ["1.5", "NaN"]
    assert re.search(r'<th class="number" scope="col">n</th>', shown)


def test_wide_tables_are_set_smaller():
    for width, size in ((7, "data"), (8, "data wide"), (13, "data very-wide")):
        table = pd.DataFrame([range(width - 1)])
        assert f'class="{size} short"' in export(notebook(code(outputs=[display(html=table.to_html())])))


def test_a_control_is_shown_by_its_static_content_or_by_a_line():
    state = {"model_id": "1", "version_major": 2, "version_minor": 0}
    page = export(notebook(code(outputs=[display(widget=state, html="<p>Step 1: files</p>", plain="Form()")])))
    assert "Step 1: files" in page
    page = export(notebook(code(outputs=[display(widget=state, plain="IntSlider(value=3)")])))
    assert "An interactive control stands here in the notebook (IntSlider)." in page
    assert "value=3" not in page


def test_what_only_runs_in_a_notebook_is_a_line():
    page = export(notebook(code(outputs=[display(html="<div id=a></div><script>run()</script>", plain="<Chart()>")])))
    assert "run()" not in page
    assert "An output that only a notebook can show stands here." in page


def test_text_is_what_a_terminal_would_leave():
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": "  1%\r 50%\r100%\n\x1b[31mred\x1b[0m <b>\n"},
        {"output_type": "stream", "name": "stderr", "text": "careful"},
        {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\x1b[0;31mE\x1b[0m: v"]},
    ]
    page = body(export(notebook(code(outputs=outputs))))
    assert '<pre class="output text">100%\nred &lt;b&gt;</pre>' in page
    assert '<pre class="output warning">careful</pre>' in page
    assert '<pre class="output error">E: v</pre>' in page


def test_what_was_printed_in_pieces_stands_together():
    outputs = [
        {"output_type": "stream", "name": name, "text": f"{name} {n}\n"}
        for name in ("stdout", "stderr")
        for n in (1, 2)
    ]
    page = body(export(notebook(code(outputs=outputs))))
    assert '<pre class="output text">stdout 1\nstdout 2</pre>' in page
    assert '<pre class="output warning">stderr 1\nstderr 2</pre>' in page


def test_long_texts_lose_their_middle_and_say_so():
    text = "\n".join(f"line {n}" for n in range(1_000))
    page = export(notebook(code(outputs=[{"output_type": "stream", "name": "stdout", "text": text}])))
    assert "line 0\n" in page
    assert "line 999" in page
    assert "line 500" not in page
    assert "… 800 lines left out …" in page


def test_mathematics_that_is_not_drawn_is_left_as_readable_text(no_formulas):
    page = export(notebook(prose("For $d_{tq} < 2$:\n\n$$\n\\sum d_{tq} / N_d\n$$\n\nA fee of $5 and $6.")))
    assert '<span class="math">d_{tq} &lt; 2</span>' in page
    assert '<div class="math">\\sum d_{tq} / N_d</div>' in page
    assert "A fee of $5 and $6." in page
    assert "2 formulas stand as typed." in page


def test_pictures_of_prose_come_from_the_cell_or_from_the_notebooks_folder_only(tmp_path):
    import base64

    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "in.png").write_bytes(base64.b64decode(PIXEL))
    (tmp_path / "out.png").write_bytes(base64.b64decode(PIXEL))
    (tmp_path / "book" / "link.png").symlink_to(tmp_path / "out.png")
    (tmp_path / "book" / "not.png").write_text("text")
    from tests.notebooks import DiscoReportHTML

    def pictures(source, **more):
        resources = {"metadata": {"name": "n", "path": str(tmp_path / "book")}}
        page, _ = DiscoReportHTML().from_notebook_node(notebook(prose(source, **more)), resources)
        return body(page).count("data:image/png"), body(page).count("a picture that is not part of the notebook")

    assert pictures("![one](in.png)") == (1, 0)
    assert pictures("![one](attachment:a.png)", attachments={"a.png": {"image/png": PIXEL}}) == (1, 0)
    for source in ("../out.png", "link.png", "not.png", "gone.png", "attachment:b.png", str(tmp_path / "out.png")):
        assert pictures(f"![one]({source})") == (0, 1), source


def test_the_page_fetches_nothing_and_looks_like_the_report(small):
    from discoreport import Report

    page, report = export(notebook(prose("# T"))), Report(small).html
    policy = re.search(r"<meta http-equiv[^>]*>", report)[0]
    assert policy in page
    assert re.search(r":root \{.*?\}", report, re.DOTALL)[0] in page
    assert not re.findall(r"(?:src|href)=\"(?!data:|#)|url\((?!\"?data:)|@import|<script|<link", page)


def test_an_organisations_folder_gives_looks_and_logo(tmp_path):
    (tmp_path / "look.css").write_text('{% include "discoreport/look.css" %} :root { --synthetic: #123456; }')
    (tmp_path / "logo.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    page = export(notebook(prose("text")), templates=str(tmp_path))
    assert "#123456" in page
    assert '<img class="logo"' in page


@pytest.mark.slow
def test_the_pdf_is_archivable_tagged_and_has_a_title(small):
    bundle, _ = charts.draw(small, "identity")._repr_mimebundle_()
    table = small.attribute.to_html()
    outputs = [{"output_type": "display_data", "data": bundle, "metadata": {}}, display(html=table)]
    made = notebook(
        prose("# A lesson\n## One\n## Two\n## Three" + "\n## More" * 5),
        code("draw()", outputs=outputs),
        date="2026-11-28",
    )
    made.metadata.authors = [{"name": "A. Officer"}]
    written = export(made, "PDF")
    assert written == export(made, "PDF")
    with pikepdf.open(io.BytesIO(written)) as document:
        described = document.open_metadata()
        assert described["pdfaid:part"] == "3"
        assert described["pdfaid:conformance"] == "A"
        assert described["pdfuaid:part"] == "1"
        assert described["dc:title"] == "A lesson"
        assert document.Root.MarkInfo.Marked
        with document.open_outline() as outline:
            assert [one.title for one in outline.root[0].children][-8:-4] == ["One", "Two", "Three", "More"]
        objects = [one for one in document.objects if isinstance(one, pikepdf.Dictionary)]
        figures = [one for one in objects if one.get("/S") == "/Figure"]
        assert figures
        assert all(str(one.get("/Alt", "")) for one in figures)
        assert all("/Scope" in one.A for one in objects if one.get("/S") == "/TH")
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(written)).pages)
    assert "Page 1 of 1" in text
    assert "DiSCO" in text


@pytest.mark.slow
def test_long_lines_of_code_break_at_spaces_and_are_never_cut():
    words = " ".join(["value_of_a_word"] * 12)
    made = notebook(code(f'words = "{words}"\nlong = "{"ab" * 200}"\ncalls = {"f(" * 120}1{")" * 120}'))
    lines = PdfReader(io.BytesIO(export(made, "PDF"))).pages[0].extract_text().split("\n")
    assert sum(line.count("value_of_a_word") for line in lines) == 12
    assert max(map(len, lines)) < 110  # what is longer leaves the page
    joined = "".join(lines)
    assert "ab" * 200 in joined
    assert "f(" * 120 + "1" + ")" * 120 in joined


def test_what_is_folded_is_left_out_on_paper():
    made = notebook(code("hidden_source = 1", outputs=[display(plain="OUTPUT")]))
    text = PdfReader(io.BytesIO(export(made, "PDF", code="fold"))).pages[0].extract_text()
    assert "OUTPUT" in text
    assert "hidden_source" not in text


@pytest.mark.slow
def test_the_command_line_of_nbconvert_writes_both(tmp_path):
    import nbformat

    nbformat.write(notebook(prose("# A lesson"), code("source_1")), tmp_path / "lesson.ipynb")
    for to, ending in (
        ("discoreport_html", "html"),
        ("discoreport_pdf", "pdf"),
        ("discoreport_handout", "handout.pdf"),
    ):
        words = ["-m", "nbconvert", "--to", to, "--DiscoReportExporter.code=hide", "lesson.ipynb"]
        subprocess.run([sys.executable, *words], cwd=tmp_path, check=True, capture_output=True)
        assert (tmp_path / f"lesson.{ending}").stat().st_size > 1_000
    assert "source_1" not in (tmp_path / "lesson.html").read_text()
    assert "A lesson" in (tmp_path / "lesson.html").read_text()


def test_our_results_are_shown_whole():
    data = pd.DataFrame({"age": [30, 31, 41, 41], "ill": ["yes", "no", "no", "no"]})
    assessment = assess(data, data, keys=["age"])
    page = export(notebook(code(outputs=[display(html=assessment._repr_html_(), plain=repr(assessment))])))
    assert "Unique in the original (UiO): 50.0 %" in page
    assert '<td class="number">' in page
