"""What people put into notebooks: nothing of it is cut, and nothing is left out without a word."""

import base64
import io
import re

import pandas as pd
import pytest
from nbformat.v4 import new_raw_cell
from PIL import Image
from pypdf import PdfReader

from discoreport.notebook.vega_outputs import drawn
from tests.notebooks import PIXEL, DiscoReportHTML, clean, code, display, export, formulas, notebook, prose

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"


def body(page):
    return page.partition('<div class="cells">')[2]


def table(source):
    """Give the rows of the first table of a text, each a list of its cells."""
    found = re.search(r"<table.*?</table>", body(export(notebook(prose(source)))), re.DOTALL)
    told = re.sub(r'<img alt="([^"]*)"[^>]*>', r"\1", found[0])  # a formula by its text
    rows = re.findall(r"<tr>(.*?)</tr>", told, re.DOTALL)
    return [[re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL)] for row in rows]


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| `x | y` | $P(A|B)$ |", ["x | y", "P(A|B)"]),
        (r"| `x \| y` | a \| b |", ["x | y", "a | b"]),
        ("| 1 |", ["1", ""]),
        ("1 | 2", ["1", "2"]),
        ("| $5 | $6 |", ["$5", "$6"]),
    ],
)
def test_a_table_keeps_its_cells(row, cells):
    assert table(f"| a | b |\n|---|:-:|\n{row}") == [["a", "b"], cells]


def test_a_row_that_is_too_long_widens_its_table():
    assert table("a | b\n--|--\n1 | 2 | 3\n4 | 5") == [["a", "b", ""], ["1", "2", "3"], ["4", "5", ""]]


def test_tables_stand_in_lists_and_quotes_and_are_text_in_code():
    for before, indent in (("- item\n\n", "  "), ("", "> ")):
        assert table(before + "\n".join(indent + line for line in ("| k | v |", "|---|---|", "| 1 | 2 |")))[1] == [
            "1",
            "2",
        ]
    page = body(export(notebook(prose("```\na | b\n--|--\n1 | 2 | 3\n```\n\n    a | b\n    --|--\n    1 | 2 | 3"))))
    assert page.count("1 | 2 | 3") == 2
    assert "<table" not in page


def test_ticks_of_a_task_list_stay():
    page = body(export(notebook(prose("- [x] done\n- [ ] open\n\n1. [X] first"))))
    assert [words in page for words in ("[x] done", "[ ] open", "[x] first")] == [True] * 3


def test_pictures_are_found_however_they_are_named(tmp_path):
    (tmp_path / "dot.png").write_bytes(base64.b64decode(PIXEL))
    Image.new("RGB", (2, 2)).save(tmp_path / "dot.webp")
    webp = base64.b64encode((tmp_path / "dot.webp").read_bytes()).decode()
    held = {"a.png": {"image/png": PIXEL}, "a b.png": {"image/png": PIXEL}, "w": {"image/webp": webp}}

    def found(source):
        made = notebook(prose(source, attachments=held))
        return body(DiscoReportHTML().from_notebook_node(made, {"metadata": {"name": "n", "path": str(tmp_path)}})[0])

    for source in (
        '<img src="attachment:a.png">',
        "![](attachment:a%20b.png)",
        "![](attachment:w)",
        '<p>and <img alt="x" src="dot.png"></p>',
        "text <img src=dot.webp> text",
        "![](dot.webp)",
    ):
        page = found(source)
        assert page.count('src="data:image/') == 1, source
        assert "not part of the notebook" not in page
    assert 'style="width:50%"' in found('<img src="dot.png" width="50%">')
    assert 'style="width:7px"' in found('<img src="dot.png" width=7>')
    assert "not part of the notebook" in found('<img src="../dot.png">')
    assert found('`<img src="dot.png">`').count("data:image") == 0
    assert "data:image/webp" in body(export(notebook(code(outputs=[{**display(), "data": {"image/webp": webp}}]))))


def test_raw_cells_are_shown_by_their_format_or_it_is_said():
    cells = [
        new_raw_cell(source, metadata={"raw_mimetype": kind} if kind else {})
        for source, kind in (
            ("as <it> is", ""),
            ("<b>bold</b>", "text/html"),
            ("*slant*", "text/markdown"),
            ("\\LaTeX", "text/latex"),
        )
    ]
    page = body(export(notebook(*cells)))
    assert "as &lt;it&gt; is" in page
    assert "<b>bold</b>" in page
    assert "<em>slant</em>" in page
    assert "LaTeX" not in page
    assert "A raw cell for another format (text/latex) is left out." in page


def test_a_formula_without_marks_keeps_every_sign(no_formulas):
    page = body(export(notebook(prose("\\begin{align}\na_1 &= b \\\\\n&= c_1\n\\end{align}"))))
    assert "a_1 &amp;= b \\\\\n&amp;= c_1" in page


def specification(**more):
    return {"mark": "bar", "data": {"values": [{"a": "A", "b": 3}]}, "encoding": {"x": {"field": "a"}}, **more}


@pytest.mark.parametrize("media_type", ["application/vnd.vegalite.v6+json", "application/vnd.vegalite.v5.20.1+json"])
def test_a_chart_by_its_specification_is_drawn(media_type):
    output = {**display(), "data": {media_type: specification(), "text/plain": "alt.Chart(...)"}}
    page = body(export(notebook(code(outputs=[output]))))
    assert "<figure><svg" in page
    assert "Chart of kind bar (x: a)" in page


def test_a_chart_as_altair_writes_it_is_drawn_and_says_what_it_shows():
    import altair

    chart = altair.Chart(pd.DataFrame({"a": [1], "b": [2]}), title="Two figures").mark_point().encode(x="a", y="b")
    page = body(export(notebook(code(outputs=[display(html=chart.to_html(), plain="alt.Chart(...)")]))))
    assert "<figure><svg" in page
    assert "Two figures" in page
    assert "vegaEmbed" not in page


@pytest.mark.parametrize(
    "data", [{"url": "https://evil.example/x.csv"}, {"sequence": {"start": 0, "stop": 1e12}}, {"graticule": True}]
)
def test_a_chart_that_fetches_or_makes_data_is_not_drawn(data):
    held = {"application/vnd.vegalite.v6+json": specification(data=data)}
    assert drawn(held, "") is None
    assert "only a notebook can show" in body(export(notebook(code(outputs=[{**display(), "data": held}]))))


def control(model, **state):
    return {"model_name": f"{model}Model", "state": state}


CONTROLS = {
    "html": control("HTML", value="<b>words</b><script>steal()</script>"),
    "slider": control("IntSlider", value=7, description="n"),
    "choice": control("Dropdown", _options_labels=["red", "green"], index=1, description="colour"),
    "tick": control("Checkbox", value=True, description="agree"),
    "secret": control("Password", value="SECRET"),
    "upload": control("FileUpload", value=[{"name": "SECRET.csv", "content": "SECRET"}]),
    "out": control("Output", outputs=[{"output_type": "stream", "name": "stdout", "text": "printed"}]),
    "box": control(
        "VBox", children=[f"IPY_MODEL_{name}" for name in ("slider", "choice", "tick", "out", "box", "none")]
    ),
    "tabs": control("Tab", children=["IPY_MODEL_html"], titles=["First"]),
    "hidden": control("VBox", children=["IPY_MODEL_secret", "IPY_MODEL_upload"]),
}


def shown(name, **more):
    output = {**display(plain="Control()"), "data": {VIEW: {"model_id": name}, "text/plain": "Control()"}}
    return body(export(notebook(code(outputs=[output]), widgets={STATE: {"state": CONTROLS}}), **more))


def test_controls_are_shown_as_they_stood():
    assert "<b>words</b>" in shown("html")
    assert "steal" not in shown("html")
    page = shown("box")
    for words in ("n: 7", "colour: green", "agree: yes", "printed"):
        assert words in page
    assert "First" in shown("tabs")
    assert "An interactive control stands here" in shown("gone")


def test_passwords_and_uploads_are_never_shown():
    assert "SECRET" not in shown("hidden")
    assert "An interactive control stands here" in shown("hidden")


def test_what_is_taken_out_of_an_output_is_named():
    page = clean("<p>seen</p><video></video><script>x()</script><iframe></iframe><object></object><button>b</button>")
    assert "Left out here: what a script would show, another page, a video, a form." in page
    assert "Left out" not in clean("<p>seen &lt;video&gt;</p>")
    assert clean("<script>x()</script>") == ""
    ticks = clean('<ul><li><input type="checkbox" checked> a</li><li><input type=checkbox> b</li></ul>')
    assert "[x]  a" in ticks
    assert "[ ]  b" in ticks


def test_other_controls_in_a_box_are_shown_or_named():
    more = {
        "day": control("DatePicker", value={"year": 2026, "month": 0, "date": 2}, description="Day"),
        "no day": control("DatePicker", value=None),
        "time": control("TimePicker", value={"hours": 7, "minutes": 5, "seconds": 0}),
        "many": control("SelectMultiple", _options_labels=["a", "b", "c"], index=[0, 2], description="Many"),
        "span": control("SelectionRangeSlider", _options_labels=["a", "b", "c"], index=[0, 2]),
        "list": control("TagsInput", value=["x", "y"]),
        "colour": control("ColorPicker", value="#ff0000"),
        "math": control("HTMLMath", value="<b>b</b> and $x^2$"),
        "play": control("Play", value=3, description="Run"),
        "quiet": control("Password", value="SECRET", layout="IPY_MODEL_none"),
        "none": {"model_name": "LayoutModel", "state": {"display": "none"}},
        "chart": control(
            "Any", spec={"mark": "bar", "data": {"values": [{"a": 1}]}, "encoding": {"x": {"field": "a"}}}
        ),
    }
    more["box"] = control("VBox", children=[f"IPY_MODEL_{name}" for name in more if name != "none"])
    output = {**display(), "data": {VIEW: {"model_id": "box"}}}
    page = body(export(notebook(code(outputs=[output]), widgets={STATE: {"state": more}})))
    for words in ("Day: 2026-01-02", "07:05", "Many: a, c", "a to c", "x, y", "#ff0000", "<b>b</b>", "<figure><svg"):
        assert words in page, words
    assert "An interactive control stands here in the notebook (Play: Run)." in page
    assert "Password" not in page
    assert "SECRET" not in page


def test_code_without_spaces_is_whole_on_paper():
    source = f"call({','.join(f'value_{n}' for n in range(60))})"
    text = PdfReader(io.BytesIO(export(notebook(code(source)), "PDF"))).pages[0].extract_text()
    assert max(map(len, text.split("\n"))) < 100
    assert source in "".join(text.split("\n"))
    assert "<wbr>" not in export(notebook(code("short_" * 14)))


def test_formulas_are_drawn_and_read_as_they_were_typed():
    pytest.importorskip("ziamath")
    aligned = "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}"
    source = f"For $d_{{tq}} < 2$:\n\n$$\n\\frac{{a}}{{b}}\n$$\n\n{aligned}\n\n| a |\n|---|\n| $P(A|B)$ |"
    page = body(export(notebook(prose(source), code(outputs=[display(latex="$\\displaystyle x^2$", plain="x**2")]))))
    for words in ("d_{tq} &lt; 2", "\\frac{a}{b}", "\\begin{align}\na &amp;= b", "P(A|B)", "\\displaystyle x^2"):
        assert f'<img alt="{words}' in page, words
    assert 'class="math"' not in page
    assert "as typed" not in page
    starred = formulas.draw(aligned.replace("align}", "align*}"), display=True)
    assert formulas.draw(aligned, display=True).partition("src=")[2] == starred.partition("src=")[2]  # no numbers


def test_a_formula_that_cannot_be_drawn_stays_and_it_is_said():
    for source in ("\\frac{", "\\unknown{a}", "x" * 700):
        page = body(export(notebook(prose(f"See ${source}$ here."))))
        assert f'<span class="math">{source}</span>' in page
        assert "A formula stands as typed." in page


def test_a_formula_runs_nothing():
    page = body(
        export(notebook(prose('$\\text{"><script>steal()</script>}$ <span class="math">"onload=steal()</span>')))
    )
    assert not re.search(r"<[^>]*steal", re.sub(r'alt="[^"]*"', "", page))


def test_what_a_notebook_hides_stays_hidden():
    def layout(**told):
        return {"model_name": "LayoutModel", "state": told}

    def label(value, layout_of):
        return {"model_name": "LabelModel", "state": {"value": value, "layout": f"IPY_MODEL_{layout_of}"}}

    controls = {
        "shown": layout(),
        "none": layout(display="none"),
        "unseen": layout(visibility="hidden"),
        "a": label("first", "shown"),
        "b": label("secret 1", "none"),
        "c": label("secret 2", "unseen"),
        "d": label("secret 3", "shown"),
        "stack": {
            "model_name": "StackModel",
            "state": {"children": ["IPY_MODEL_d", "IPY_MODEL_a"], "selected_index": 1, "layout": "IPY_MODEL_shown"},
        },
        "all": {
            "model_name": "VBoxModel",
            "state": {"children": [f"IPY_MODEL_{one}" for one in ("b", "c", "stack")], "layout": "IPY_MODEL_shown"},
        },
        "image": {"model_name": "ImageModel", "state": {}, "buffers": 5},
    }
    for root in ("all", "image"):
        output = {**display(plain="Control()"), "data": {VIEW: {"model_id": root}, "text/plain": "Control()"}}
        page = body(export(notebook(code(outputs=[output]), widgets={STATE: {"state": controls}})))
        assert "secret" not in page
        assert ("first" in page) == (root == "all")
