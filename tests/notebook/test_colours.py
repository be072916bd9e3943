"""Colours of outputs: kept where text on them can be read, and made so where not."""

import re

import pytest

from tests.notebooks import clean


def styled(style, content):
    return clean(f"<style>{style}</style>{content}")


def test_colours_of_a_styled_table_stay_in_their_cells():
    page = styled(
        "#T_1_row0_col0, #T_1_row1_col0 {background-color: darkblue; color: white; position: fixed}"
        "@import url(x); #T_1 th {font-weight: normal} .other:hover td {color: red}"
        "#T_1_row0_col1 {background: url(x)}",
        '<table id="T_1"><tr><th>h</th><td id="T_1_row0_col0" class="a">1</td>'
        '<td id="T_1_row0_col1">2</td></tr></table>',
    )
    assert '<td class="number" style="background-color:#00008b;color:#ffffff">1</td>' in page
    assert '<td class="number">2</td>' in page
    assert 'style="font-weight:normal"' in page
    assert "T_1" not in page


@pytest.mark.parametrize(
    ("style", "kept"),
    [
        ("color: #ff0000", "color:#e60000"),  # a little darker, so that it can be read
        ("color: navy", "color:#000080"),
        ("background-color: black", "background-color:#000000;color:#ffffff"),
        ("background-color: yellow; color: white", "background-color:#ffff00;color:#666666"),
        ("background-color: rgba(0, 0, 0, 0)", ""),
        ("color: expression(alert(1)); width: 3px; background: url(x)", ""),
        ("background: linear-gradient(90deg, #ddd 50%, transparent 50%)",
         "background:linear-gradient(90deg, #dddddd 50%, transparent 50%)"),
        ("background: linear-gradient(90deg, url(x) 50%, red)", ""),
    ],
)  # fmt: skip
def test_a_colour_is_kept_as_far_as_text_can_be_read_on_it(style, kept):
    page = clean(f'<p style="{style}">text</p>')
    assert page == (f'<p style="{kept}">text</p>' if kept else "<p>text</p>")


def test_text_without_a_colour_is_seen_on_a_dark_ground():
    page = clean('<div style="background: #111"><p>one <span style="color: #222">two</span></p></div>')
    assert '<div style="background-color:#111111;color:#ffffff">' in page
    found = re.search('<span style="color:#(..)', page)
    assert int(found[1], 16) > 100
