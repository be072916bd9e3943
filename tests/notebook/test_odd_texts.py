"""Texts of notebooks: other scripts and languages, footnotes, formulas, what terminals print."""

import re

import pytest

from discoreport.notebook.cell_outputs import terminal
from discoreport.notebook.code_cells import highlight
from tests.notebook.test_odd_notebooks import body, table
from tests.notebooks import PIXEL, clean, code, display, export, formulas, notebook, prose


def test_text_from_right_to_left_says_so_and_text_beside_it_does_not():
    arabic = "\N{ARABIC LETTER ALEF}\N{ARABIC LETTER BEH}"
    page = export(notebook(prose(f"## {arabic} 12 word\n\n{arabic}\n\nwords {arabic}\n\n- {arabic}"), title=arabic))
    assert f'<h1 dir="rtl">{arabic}' in page
    for words in (f'<h2 dir="rtl" id="{arabic}-12-word">', f'<p dir="rtl">{arabic}</p>', f"<p>words {arabic}</p>"):
        assert words in page
    assert '<ul dir="rtl">' in page


def test_words_of_the_page_are_english_and_say_so_in_a_notebook_of_another_language():
    cells = [prose(f"## Teil {n}") for n in range(4)]
    assert '<h2 id="page-contents" lang="en">Contents</h2>' in export(notebook(*cells, lang="de"))
    assert '<h2 id="page-contents">Contents</h2>' in export(notebook(*cells, lang="en-GB"))


def test_signs_that_no_font_has_are_drawn_as_numbers_and_it_is_said():
    said = "drawn as a box with the number of its code point"
    assert said in export(notebook(prose("\N{HANGUL SYLLABLE HAN}")))
    assert said not in export(notebook(prose("\N{LATIN SMALL LETTER A WITH DIAERESIS}")))


def test_footnotes_lead_to_their_notes_in_each_cell():
    page = body(export(notebook(*(prose("One[^1].\n\n[^1]: Note.") for _ in range(2)))))
    named = re.findall(r'id="(note[^"]*)"', page)
    assert len(set(named)) == 4
    assert sorted(named) == sorted(re.findall(r'href="#(note[^"]*)"', page))


def test_a_table_in_a_list_in_a_list_is_a_table():
    found = table("1. one\n   - two\n\n     text\n\n     | a | b |\n     |---|---|\n     | `x|y` | 2 |\n     | 3 |")
    assert found == [["a", "b"], ["x|y", "2"], ["3", ""]]


def test_amounts_of_money_are_no_formula():
    page = body(export(notebook(prose("It costs $5 or so, or $ 7 at *most*."))))
    assert "It costs $5 or so, or $ 7 at <em>most</em>." in page


def test_formulas_with_labels_and_old_environments_are_drawn():
    pytest.importorskip("ziamath")
    for source in (
        "\\begin{align} a &= b \\label{eq} \\\\ c &= d \\nonumber \\end{align}",
        "\\begin{eqnarray} a &=& b \\\\ c &=& d \\end{eqnarray}",
    ):
        assert formulas.draw(source, display=True) is not None, source
    assert formulas.draw("+".join(f"x_{n}" for n in range(90)), display=True) is None  # too wide to be read on paper


def test_latex_as_an_output_is_a_formula_or_text_with_formulas_or_the_text_beside_it():
    pytest.importorskip("ziamath")
    mixed = body(export(notebook(code(outputs=[display(latex="Words with $a^2$ and $b$", plain="x")]))))
    assert "Words with <span" in mixed
    assert mixed.count("<img") == 2
    tabular = "\\begin{tabular}{l}a \\\\ 1\\end{tabular}"
    assert "the same as text" in body(
        export(notebook(code(outputs=[display(latex=tabular, plain="the same as text")])))
    )


def test_data_that_a_notebook_unfolds_and_pictures_of_a_given_width_are_shown():
    json_only = {**display(plain="<IPython.core.display.JSON object>")}
    json_only["data"]["application/json"] = {"a": [1, {"b": None}]}
    assert '"b": null' in body(export(notebook(code(outputs=[json_only])))).replace("&#34;", '"')
    picture = display(png=PIXEL, metadata={"image/png": {"width": 120}})
    assert 'style="width:120px"' in body(export(notebook(code(outputs=[picture]))))
    assert 'style="width:50%"' in clean(f'<img alt="a" src="data:image/png;base64,{PIXEL}" style="width: 50%">')
    empty = clean(f'<img alt="" src="data:image/png;base64,{PIXEL}">')
    assert 'alt="Picture without a description"' in empty


def test_what_a_terminal_takes_back_is_gone():
    assert terminal("back\b\bd\x1b[0m") == "bad"


def test_long_texts_may_be_parted_over_pages_and_short_ones_stay_whole():
    def kind(text):
        return re.search('<pre class="output ([^"]*)"', export(notebook(code(outputs=[display(plain=text)]))))[1]

    assert kind("short") == "text"
    assert kind("line\n" * 40) == "text long"
    assert kind("x" * 4_000) == "text"  # which is cut to 2,000 signs


def test_long_code_breaks_behind_signs_that_part():
    source = "call(" + ", ".join(f"argument_{n}={n}" for n in range(12)) + ")"
    lines = re.sub("<(?!wbr)[^>]*>", "", highlight(source, "python")).split("<wbr>")
    assert "".join(lines) == source
    assert all(len(line) <= 90 for line in lines)
    assert all(line[-1] in " ,(" for line in lines[:-1])


def test_long_code_marks_only_words_that_have_a_look_of_their_own():
    source = "for x in [" + "1, " * 4_000 + "'a']:  # note"
    written = highlight(source, "python")
    assert written.count("<span") < 10
    assert '<span class="k">for</span>' in written
    assert '<span class="s1">' in written
    assert re.sub("<[^>]*>", "", written).replace("&#39;", "'") == source
    assert '<span class="mi">1</span>' in highlight("[1]", "python")
