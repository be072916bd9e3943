"""Notebooks that want to run something, fetch something, or break the export: a document comes out, or a clear error."""

# ruff: noqa: E501  (hostile lines are long)
import base64
import io
import json
import re
import time

import nbformat
import pytest
from pypdf import PdfReader

from discoreport import DiscoReportError
from discoreport.notebook.sanitise_svg import clean_drawing
from tests.notebooks import PIXEL, DiscoReportHTML, clean, code, display, export, notebook, prose
from tests.pages import PageResources
from tests.stand_ins import no_network

EVIL = "https://evil.example/x"
HTML = f"""
<script>steal()</script><script src="{EVIL}"></script><style>@import "{EVIL}"; * {{background: url({EVIL})}}</style>
<img src="{EVIL}.png" onerror="steal()" alt="a cat"><img src=x onerror=steal()><img src="file:///etc/passwd">
<img src="//evil.example/y.png" srcset="{EVIL} 2x"><picture><source srcset="{EVIL}"></picture>
<iframe src="{EVIL}"></iframe><object data="{EVIL}"></object><embed src="{EVIL}"><link rel="stylesheet" href="{EVIL}">
<form action="{EVIL}"><input name=q><button>Send</button></form><base href="{EVIL}"><meta http-equiv=refresh content="0;{EVIL}">
<a href="javascript:steal()">one</a><a href="data:text/html,<script>steal()</script>">two</a><a href="vbscript:steal()">three</a>
<p style="background:url({EVIL});position:fixed;text-align:right" onclick="steal()" id="page-contents" class="room">kept</p>
<h3 id="page-contents">head</h3>
<svg xmlns="http://www.w3.org/2000/svg"><script>steal()</script><image href="{EVIL}"/><foreignObject><b>steal()</b></foreignObject>
<a href="{EVIL}"><rect width="3" height="3" onload="steal()" fill="url({EVIL})"/></a></svg>
<math><mtext><table><mglyph><style><img src=x onerror="steal()"></style></mglyph></table></mtext></math>
<table background="{EVIL}"><tr><td background="{EVIL}">cell</td></tr></table><video src="{EVIL}" poster="{EVIL}"></video>
<textarea><img src=x onerror=steal()></textarea><noscript><p title="</noscript><img src=x onerror=steal()>"></noscript>
"""
DRAWING = f"""<?xml version="1.0"?><?xml-stylesheet href="{EVIL}"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="steal()" width="9" height="9">
<script>steal()</script><style>@import url({EVIL}); rect {{fill: url({EVIL})}}</style>
<style>circle {{stroke: red; background: url({EVIL}); fill: url({EVIL})}}</style><style>text {{fill: u\\72l({EVIL})}}</style>
<image href="{EVIL}.png"/><image xlink:href="file:///etc/passwd"/><use xlink:href="{EVIL}#a"/><a xlink:href="javascript:steal()"><text>shown</text></a>
<set attributeName="href" to="javascript:steal()"/><animate attributeName="x" onbegin="steal()"/>
<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="{EVIL}"/></foreignObject>
<filter id="f"><feImage href="{EVIL}"/></filter><rect fill="url( '{EVIL}' )" style="fill:url({EVIL});stroke:red" filter="url({EVIL})"/>
<circle style="mask: url('#m') , URL({EVIL})" r="1"/><html:script xmlns:html="http://www.w3.org/1999/xhtml">steal()</html:script>
</svg>"""


def harmless(page):
    """Nothing in a page runs, and nothing is fetched; links that a reader would have to follow are allowed."""
    shown = page.partition("<body")[2]
    decoded = " ".join(
        base64.b64decode(content).decode() for content in re.findall(r"data:image/svg\+xml;base64,([^\"]*)", shown)
    )
    for text in (shown, decoded):
        tags = " ".join(re.findall(r"<[^>]*>", text))
        assert "steal" not in tags
        assert "evil.example" not in tags
        assert "/etc/passwd" not in tags
        assert not re.search(r"\son\w+=", tags)
        assert not re.search(r"<(script|iframe|object|embed|link|base|form|input|foreignObject|video)\b", tags)
    assert "<style" not in shown  # that of a drawing works inside the drawing only


def test_html_in_outputs_runs_and_fetches_nothing():
    page = export(notebook(code("x", outputs=[display(html=HTML)])))
    harmless(page)
    for kept in ("kept", "cell", "one", "two", "three"):
        assert kept in page
    assert "a picture that is not part of the notebook: a cat" in page
    assert 'style="text-align:right"' in page
    assert 'id="page-contents"' not in page  # which is a name of ours


def test_html_and_script_in_prose_run_and_fetch_nothing():
    markdown = f"# Title <script>steal()</script>\n{HTML}\n\n![cat]({EVIL})\n\n[one](javascript:steal())\n\n## <img src=x onerror=steal()>\n"
    harmless(export(notebook(prose(markdown), code("1", outputs=[display(markdown=markdown)]))))


@pytest.mark.parametrize("field", ["title", "subtitle", "organisation", "marking", "description", "date", "lang"])
def test_metadata_is_text(field):
    page = export(notebook(prose("text"), **{field: '"><script>steal()</script><img src=x onerror=steal()>'}))
    harmless(page)
    assert "<script>steal" not in page
    if field != "title":  # which nbformat requires to be text
        harmless(export(notebook(prose("text"), **{field: {"a": ["<script>steal()</script>"]}})))


def test_names_tags_and_languages_are_text():
    made = notebook(
        code("1 < 2 </code><script>steal()</script>", '"><script>steal()</script>', caption="<script>steal()</script>",
             outputs=[display(png=PIXEL, metadata={"image/png": {"alt": '"><script>steal()</script>'}})]),
        authors=[{"name": "<script>steal()</script>"}, 3, None],
        language_info={"name": '"><script>'},
    )  # fmt: skip
    page = export(made, name='"><script>steal()</script>')
    harmless(re.sub(r'alt="[^"]*"', "", page))
    assert "<script" not in page


def test_drawings_keep_shapes_and_text_only():
    cleaned = clean_drawing(DRAWING)
    assert not cleaned.alone
    drawing = cleaned.svg
    for gone in (
        "steal",
        "evil",
        "passwd",
        "script",
        "foreignObject",
        "animate",
        "set ",
        "feImage",
        "@import",
        "u\\72l",
    ):
        assert gone not in drawing, gone
    assert "<text>shown</text>" in drawing
    assert 'style="stroke:red"' in drawing
    assert "circle{stroke:red}" in drawing.replace(" ", "")
    harmless(export(notebook(code(outputs=[display(svg=DRAWING), display(html=f"<p>{DRAWING}</p>")]))))
    inside = base64.b64encode(DRAWING.encode()).decode()
    harmless(export(notebook(prose(f"![a](data:image/svg+xml;base64,{inside}) ![b](data:image/svg+xml,{DRAWING})"))))


def test_a_drawing_of_ours_is_not_taken_for_ours_where_it_holds_more():
    drawing = DRAWING.replace("<svg ", '<svg class="marks" ')
    harmless(export(notebook(code(outputs=[display(svg=drawing)]))))


@pytest.mark.parametrize(
    "drawing",
    [
        '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
        "<svg><unclosed></svg>",
        "<html/>",
        "not a drawing",
        '<svg xmlns="http://www.w3.org/2000/svg">' + "<g>" * 500 + "</g>" * 500 + "</svg>",
    ],
)
def test_a_drawing_that_cannot_be_read_gives_way_to_the_picture(drawing):
    with pytest.raises(ValueError, match="drawing"):
        clean_drawing(drawing)
    assert f"data:image/png;base64,{PIXEL}" in export(notebook(code(outputs=[display(svg=drawing, png=PIXEL)])))


def test_a_drawing_as_matplotlib_writes_it_is_shown():
    drawing = """<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="9pt" height="9pt" viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg" version="1.1">
<metadata><rdf>x</rdf></metadata><defs><style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style></defs>
<g id="axes_1"><defs><path id="m1" d="M 0 0 L 0 3.5" style="stroke: #000000; stroke-width: 0.8"/></defs>
<use xlink:href="#m1" x="3" y="3"/><g clip-path="url(#p1)"><path d="M 0 0 L 9 9"/></g></g></svg>"""
    cleaned = clean_drawing(drawing)
    assert not cleaned.alone
    kept = cleaned.svg
    assert "*{stroke-linejoin:round;stroke-linecap:butt}" in kept
    assert '<use href="#m1"' in kept
    assert 'clip-path="url(#p1)"' in kept


@pytest.mark.slow
def test_large_outputs_are_left_out_and_it_is_said():
    large = "x" * 50_000_000
    made = notebook(
        code(outputs=[display(html=f"<p>{large}</p>"), display(png=large), display(svg=large, plain=large)])
    )
    page = export(made)
    assert page.count("An output of 50.0 MB is left out.") == 3
    text = notebook(code(outputs=[{"output_type": "stream", "name": "stdout", "text": large}]), prose(large))
    assert len(export(text)) < 2_000_000


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("deep", ["<div>" * 5_000, "<b>" * 5_000, "<table><tr><td>" * 2_000, "<ul><li>" * 3_000])
def test_deep_nesting_is_left_out_and_it_is_said(deep):
    page = export(notebook(code(outputs=[display(html=deep + "text")])))
    assert "nested too deeply" in page
    export(
        notebook(prose(deep), prose("> " * 3_000), prose("* a\n" * 3_000), prose("[" * 20_000), prose("**" * 20_000))
    )


def test_what_no_file_can_hold_is_replaced():
    made = notebook(prose("bell \x07 null \x00 half \ud800 end"), code(outputs=[display(plain="\ud800\x00")]))
    made.metadata.title = "T\x00\ud800"
    page = export(made)
    page.encode("utf-8")
    assert "\x00" not in page
    assert PdfReader(io.BytesIO(export(made, "PDF"))).metadata.title == "T��"


def test_the_pdf_of_a_hostile_notebook_is_made_without_a_request():
    made = notebook(
        prose(HTML), code(outputs=[display(html=HTML), display(svg=DRAWING), display(png="AAAA")]), title="T"
    )
    with no_network() as asked:
        pdf = export(made, "PDF")
    assert "kept" in PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
    assert asked == []


def test_an_address_in_a_text_stays_a_text_in_the_pdf():
    shown = f"data:image/png;base64,{PIXEL[:20]}"
    made = notebook(
        prose(f'See {shown} and &lt;img src="{shown}"&gt; or data:a;base64,A'),
        code("print(address)", outputs=[display(plain="data:a;base64,A")]),
        prose(f"![dot](data:image/png;base64,{PIXEL})"),
    )
    page = PdfReader(io.BytesIO(export(made, "PDF"))).pages[0]
    text = page.extract_text().replace("\n", "")
    assert text.count(shown) == 2
    assert text.count("data:a;base64,A") == 2
    assert "inside:" not in text
    assert len(page.images) == 1


def test_only_what_a_page_shows_is_taken_out_of_it():
    inside = PageResources()
    kept = '<p>src="data:image/png;base64,AAAA" url(data:x;base64,AAAA)</p><img alt="a" src="data:image/png;base64,A">'
    taken = f'<style>@font-face {{src: url("data:font/ttf;base64,AAAA")}}</style><img alt="b" src="data:image/png;base64,{PIXEL}\n">'
    page = inside.take_out(taken + kept, {})
    assert page.endswith(kept)
    assert page.count("inside:") == 2
    assert "data:" not in page.removesuffix(kept)
    assert inside.fetch("inside:1").read() == base64.b64decode(PIXEL)


def test_a_drawing_is_taken_out_of_a_page_with_what_is_spoken_of_it_and_others_stay():
    inside = PageResources()
    ours, other = "<svg><title>a</title></svg>", "<svg><title>b</title></svg>"
    page = inside.take_out(f"<p>{ours}{other}</p>{ours}", {ours: 'a "b" <c>', "<svg/>": "not there"})
    image = '<img src="inside:0" alt="a &quot;b&quot; &lt;c&gt;">'
    assert page == f"<p>{image}{other}</p>{image}"
    assert inside.fetch("inside:0").read() == ours.encode()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "isn't JSON"),
        ("", "isn't JSON"),
        ("[]", "isn't a whole notebook"),
        ("{}", "isn't a whole notebook"),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code"}]}', "isn't a whole"),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": 3}', "isn't a whole notebook"),
        ('{"nbformat": 99, "nbformat_minor": 0, "metadata": {}, "cells": []}', "isn't a whole notebook"),
        ("[" * 100_000, "isn't"),
    ],
)
def test_what_is_no_notebook_is_a_clear_error(content, said):
    with pytest.raises(DiscoReportError, match=said):
        DiscoReportHTML().from_file(io.StringIO(content))


def test_odd_but_valid_outputs_are_no_error():
    odd = [
        {"output_type": "display_data", "data": {}, "metadata": {}},
        {"output_type": "display_data", "data": {"text/html": ["<b>", "x"], "text/plain": []}, "metadata": {}},
        {"output_type": "display_data", "data": {"application/json": {"a": 1}, "text/html": ""}, "metadata": {}},
        {"output_type": "error", "ename": "", "evalue": "", "traceback": []},
    ]
    made = notebook(code("", outputs=odd), {"cell_type": "raw", "id": "a", "metadata": {}, "source": "<b>"})
    assert "<b>x</b>" in export(made)


def without_look(cleaned):
    """Leave out what a table is given for its look and for readers, and gets again each time."""
    return re.sub(r' (?:class|scope)="[^"]*"', "", cleaned)


def seconds(written):
    begun = time.perf_counter()
    clean(written)
    return time.perf_counter() - begun


def test_drawings_that_never_end_take_no_more_than_their_share_of_time():
    seconds("<svg " * 20_000)
    assert seconds("<svg " * 200_000) < 40 * min(seconds("<svg " * 20_000) for _ in range(3))


def test_a_drawing_inside_a_drawing_of_ours_stays_whole():
    inner = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>'
    for kind in ("marks", "other"):
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}">{inner}<text>last</text></svg>'
        cleaned = clean_drawing(drawing)
        assert not cleaned.alone
        assert "last" in cleaned.svg
        held = PageResources()
        page = held.take_out(export(notebook(code(outputs=[display(svg=drawing)]))), {})
        assert "last</text>" not in page  # all of it is in the picture


def test_cleaning_is_settled_after_once():
    once = clean(HTML)
    assert "<table" in once
    assert without_look(clean(once)) == without_look(once)


@pytest.mark.browser
def test_nothing_runs_or_is_fetched_in_a_browser(tmp_path):
    playwright = pytest.importorskip("playwright.sync_api")
    made = notebook(
        prose(HTML), code(outputs=[display(html=HTML), display(svg=DRAWING), display(html=json.dumps(HTML))])
    )
    (tmp_path / "page.html").write_text(export(made), encoding="utf-8")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        asked, said = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.goto((tmp_path / "page.html").as_uri())
        page.wait_for_timeout(500)
        assert [url for url in asked if not url.startswith(("data:", "file:"))] == []
        assert len([url for url in asked if url.startswith("file:")]) == 1
        assert not [text for text in said if "Content Security Policy" in text]  # nothing was left for it to stop
        browser.close()


def test_a_notebook_of_an_earlier_format_is_read():
    old = {
        "nbformat": 3,
        "nbformat_minor": 0,
        "metadata": {"name": "old"},
        "worksheets": [{"cells": [{"cell_type": "markdown", "metadata": {}, "source": "# Old"}], "metadata": {}}],
    }
    page, _ = DiscoReportHTML().from_file(io.StringIO(json.dumps(old)))
    assert "<h1>Old</h1>" in page
    assert nbformat.current_nbformat == 4
