"""Signs that no font has are drawn as their code points, never as boxes that are all alike."""

import io

from fontTools.ttLib import TTFont

from discoreport.charts.drawing.fallback_font import font_of, lacking, with_code_points
from tests.drawings import picture
from tests.pages import words_in

PAGE = "<html><head><style>p { color: red }</style></head><body><main><p>{}</p></main></body></html>"
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">'
    '<text x="5" y="20" font-family="IBM Plex Sans, Arial, sans-serif">{}</text></svg>'
)


def test_signs_of_other_scripts_are_found_and_those_of_our_type_and_of_pictures_are_not():
    assert lacking("<p>Größe ≥ 5 – 지역 🎉\u200d\ufe0f</p>") == "역지🎉"
    assert lacking('<img src="data:image/png;base64,iVBORw0KGgo="><style>p { content: "가" }</style>') == ""


def test_every_sign_has_a_glyph_of_its_own_and_the_same_signs_give_the_same_font():
    font = TTFont(io.BytesIO(font_of("가각🎉")))
    drawn = {sign: font["glyf"][font.getBestCmap()[ord(sign)]] for sign in "가각🎉"}
    assert len({tuple(glyph.coordinates) for glyph in drawn.values()}) == 3
    font_of.cache_clear()
    assert font_of("가각🎉") == font_of.__wrapped__("가각🎉")


def test_a_page_carries_the_font_only_where_it_needs_it_and_says_so():
    assert with_code_points(PAGE.replace("{}", "Region"), "<p>said</p>") == PAGE.replace("{}", "Region")
    page = with_code_points(PAGE.replace("{}", "지역"), "<p>said</p>")
    assert "@font-face" in page
    assert words_in(page)[-2:] == ["지역", "said"]


def test_pictures_of_two_signs_that_no_font_here_has_differ():
    one, other = (picture(SVG.format(sign)) for sign in "\u13a0\u13a1")  # Cherokee
    assert one != other
