"""Tables on paper: none is cut, and what is left out is said."""

import io
import re

import pandas as pd
from bs4 import BeautifulSoup
from pypdf import PdfReader

from discoreport.notebook.paper_tables import for_paper
from discoreport.notebook.unspanned_tables import plain_table
from tests.notebooks import clean, code, display, export, notebook, prose


def page(data):
    """A page with one table as pandas writes it."""
    return f'<div class="cell code">{clean(data.to_html())}</div>'


def long_table(n_rows, n_columns):
    data = pd.DataFrame([[f"r{row}c{column}x" for column in range(n_columns)] for row in range(n_rows)])
    return page(data)


def test_a_long_table_has_its_ends_on_paper_and_says_what_is_left_out():
    whole = long_table(300, 3)
    paper = for_paper(whole)
    assert all(f"r{row}c2x" in whole for row in range(300))
    assert "r0c0x" in paper
    assert "r299c2x" in paper
    assert "r150c1x" not in paper
    assert "… 220 rows …" in paper
    assert "Of 300 rows the middle is left out on paper; the HTML page has it." in paper
    short = long_table(100, 3)
    assert for_paper(short) == short


def test_a_wide_table_of_few_rows_is_parted_and_each_part_has_the_heads_of_rows():
    assert "below each other" not in for_paper(long_table(3, 8))
    paper = for_paper(long_table(3, 21))
    assert "Its 22 columns stand below each other, in 2 parts." in paper
    assert all(paper.count(f">r1c{column}x<") == 1 for column in range(21))
    assert paper.count('<th scope="row">1</th>') + paper.count('<th class="number" scope="row">1</th>') == 2
    assert "cell lying" not in paper


def test_a_wide_and_long_table_lies_and_loses_columns_only_where_it_must():
    lying = for_paper(long_table(30, 21))
    assert lying.count("cell lying") == 1
    assert all(f">r29c{column}x<" in lying for column in range(21))
    cut = for_paper(long_table(60, 40))
    assert "Of 60 rows and 41 columns the middle is left out" in cut
    for shown in ("r0c0x", "r21c39x", "r52c0x", "r59c39x"):
        assert f">{shown}<" in cut
    for hidden in ("r2c30x", "r22c0x", "r51c39x"):
        assert f">{hidden}<" not in cut


def test_heads_of_a_table_that_lies_break_behind_underscores():
    names = [f"measure_of_{column:02}" for column in range(18)] + ["x_1", "plain", "&_and_others"]
    data = pd.DataFrame([[f"word{row}" for _ in names] for row in range(30)], columns=names)
    paper = for_paper(page(data))
    assert "cell lying" in paper
    assert ">measure_<br>of_07</th>" in paper
    assert ">x_1</th>" in paper
    assert ">&amp;_<br>and_<br>others</th>" in paper or ">&amp;_and_<br>others</th>" in paper


def test_what_leads_to_a_table_lies_with_it():
    data = pd.DataFrame([[f"word{row}{column}" for column in range(21)] for row in range(30)])
    wide = code(outputs=[display(html=data.to_html())])
    cells = [prose("# Title"), prose("Before"), prose("## Part"), code("import x"), wide, prose("After")]
    paper = for_paper(export(notebook(*cells))).partition('<div class="cells">')[2]
    assert re.findall(r'class="cell (lying )?(\w+)', paper) == [
        ("", "markdown"), ("lying ", "markdown"), ("lying ", "code"), ("lying ", "code"), ("", "markdown"),
    ]  # fmt: skip


def test_what_begins_with_a_table_that_lies_has_its_title_on_that_page():
    data = pd.DataFrame([[f"word{row}{column}" for column in range(21)] for row in range(30)])
    made = notebook(prose("# Lesson\n\nBefore it."), code(outputs=[display(html=data.to_html())]))
    first = PdfReader(io.BytesIO(export(made, "PDF"))).pages[0]
    assert first.mediabox.width > first.mediabox.height
    assert all(words in first.extract_text() for words in ("Lesson", "Before it.", "word020"))


def test_a_table_with_joined_heads_is_parted_with_them():
    columns = pd.MultiIndex.from_product([["men", "women"], [f"column_number_{n}" for n in range(8)]])
    data = pd.DataFrame([[f"{row}x{column}" for column in range(16)] for row in range(2)], columns=columns)
    paper = for_paper(page(data))
    assert "in 3 parts" in paper
    parts = re.findall(r"<table.*?</table>", paper, re.DOTALL)
    assert [(part.count(">men<"), part.count(">women<")) for part in parts] == [(6, 0), (2, 4), (0, 4)]


def test_words_that_are_too_long_for_a_column_may_break_and_no_others():
    paper = for_paper(page(pd.DataFrame([["a" * 25, "b" * 24]])))
    assert f'<span class="long">{"a" * 25}</span>' in paper
    assert f"<td>{'b' * 24}</td>" in paper


def test_spans_that_would_fill_more_than_a_page_can_hold_are_one_cell():
    row = '<tr><td rowspan="9999" colspan="9999">x</td><td>last</td></tr>'
    grid = plain_table(BeautifulSoup(f"<table>{row * 300}</table>", "html.parser").table)
    assert sum(map(len, grid.body)) < 2_000_000
    assert grid.body[0][1_000].text == "last"


def test_a_long_table_keeps_the_heads_that_its_rows_share():
    index = pd.MultiIndex.from_product([["north", "south"], range(100)])
    paper = for_paper(page(pd.DataFrame({"n": [f"v{n}" for n in range(200)]}, index=index)))
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", paper, re.DOTALL)
    cells = [re.findall(r">([^<>]+)</t[hd]>", row) for row in rows]
    assert cells[1] == ["north", "0", "v0"]
    assert cells[-1] == ["south", "99", "v199"]
    assert "… 120 rows …" in paper
