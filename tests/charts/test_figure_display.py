"""Figures as pictures and in notebooks: the same bytes each time, and nothing fetched."""

import base64
import hashlib
import json
import re
import struct
import subprocess
import sys
import zlib

import altair as alt
import nbformat
import pytest
import vl_convert
from IPython.core.formatters import DisplayFormatter
from nbconvert import HTMLExporter

from discoreport import Settings, examples, release_size
from discoreport.charts import CHARTS, draw, png, release, svg
from discoreport.charts.drawing.notebook_display import VEGA_LITE, Figure
from discoreport.errors import SettingsError
from tests.drawings import TIPS, theme, to_svg
from tests.records import worst_files
from tests.stand_ins import no_network
from tests.wording import percent


@pytest.fixture(scope="module")
def series():
    settings = Settings(**{**examples.SETTINGS, "targets": ["marital", "income"]})
    return release_size(
        examples.path("original"), examples.path("synthetic_1"), settings, sizes=[500, 5000], draws=2
    ).table


@pytest.fixture(scope="module")
def figures(survey_of_three, series):
    drawn = {name: draw(survey_of_three, name) for name, chart in CHARTS.items() if chart.applies(survey_of_three)}
    return {**drawn, "release": release(series)}


@pytest.fixture(scope="module")
def bundles(figures):
    """Show every figure once, while nothing can be fetched."""
    with no_network() as asked:
        shown = {name: bundle_of(figure) for name, figure in figures.items()}
    assert asked == []
    return shown


def bundle_of(figure):
    return figure._repr_mimebundle_()


# PNG ------------------------------------------------------------------------------------------------


def size_of(picture):
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", picture[16:24])


@pytest.mark.slow
@pytest.mark.fast_cases(1)
def test_a_picture_has_the_size_that_is_asked_for(figures):
    drawn = svg(figures["identity"])
    width, height = (float(re.search(rf'{name}="([\d.]+)"', drawn)[1]) for name in ("width", "height"))
    for scale in (1, 2, 3):
        assert size_of(png(figures["identity"], scale)) == pytest.approx((width * scale, height * scale), abs=1)
    assert png(figures["identity"]) == png(figures["identity"], scale=2)


@pytest.mark.parametrize("scale", [0, -1, 11, float("nan")])
def test_a_picture_without_a_size_is_refused(figures, scale):
    with pytest.raises(SettingsError, match="scale must be above 0 and at most 10"):
        png(figures["identity"], scale)


@pytest.mark.slow
def test_the_same_chart_gives_the_same_picture_in_every_process(survey, tmp_path):
    record = survey.save(tmp_path / "assessment.json")
    script = (
        "import sys, hashlib, discoreport\n"
        "from discoreport.charts import draw, png\n"
        "chart = draw(discoreport.load(sys.argv[1]), 'class_sizes')\n"
        "print(*(hashlib.sha256(png(chart)).hexdigest() for _ in range(2)))"
    )
    ran = subprocess.run([sys.executable, "-c", script, record], capture_output=True, text=True, check=True)
    here = hashlib.sha256(png(draw(survey, "class_sizes"))).hexdigest()
    assert ran.stdout.split() == [here, here]


@pytest.mark.slow
def test_a_picture_is_written_in_the_font_that_comes_along(figures):
    """With another family the bundled one can't be found, and the picture is another."""
    drawn = svg(figures["identity"])
    assert "IBM Plex Sans" in drawn
    other = vl_convert.svg_to_png(drawn.replace("IBM Plex Sans", "No Such Font"), scale=2)
    assert pixels(png(figures["identity"])) == pixels(vl_convert.svg_to_png(drawn, scale=2)) != pixels(other)


def pixels(picture):
    """Take the pixels of a PNG file."""
    data, place = b"", 8
    while place < len(picture):
        length, kind = struct.unpack(">I4s", picture[place : place + 8])
        data += picture[place + 8 : place + 8 + length] if kind == b"IDAT" else b""
        place += 12 + length
    return zlib.decompress(data)


# Notebooks ------------------------------------------------------------------------------------------


def test_a_figure_brings_its_specification_and_its_drawing(figures, bundles):
    assert bundles["overview"][0]["image/svg+xml"] == svg(figures["overview"])
    for name, (data, metadata) in bundles.items():
        assert set(data) == {VEGA_LITE, "image/svg+xml", "text/plain"}, name
        assert data["text/plain"] == figures[name].description
        assert data[VEGA_LITE]["$schema"].endswith("/v5.json")
        assert metadata == {VEGA_LITE: {"embed_options": {"actions": False, "renderer": "svg"}}}
        json.dumps(data[VEGA_LITE], allow_nan=False)


def test_nothing_in_a_notebook_is_fetched(bundles):
    for data, _ in bundles.values():
        specification = {key: value for key, value in data[VEGA_LITE].items() if key != "$schema"}
        text = json.dumps(specification) + data["image/svg+xml"].replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?:|//|@import|url\((?!#)|href|<script|<image", text)
        assert "url" not in json.dumps(list(keys_of(specification)))


def keys_of(node):
    if isinstance(node, dict):
        yield from (key for key in node if key != "values")
        for child in node.values():
            yield from keys_of(child)
    elif isinstance(node, list):
        for child in node:
            yield from keys_of(child)


def rounded(drawn):
    """Leave out what differs in the last binary digit."""
    return re.sub(r"-?\d+\.\d+", lambda found: f"{float(found[0]):.3f}", drawn)


@pytest.mark.slow
def test_a_vega_lite_of_version_5_draws_the_same(bundles):
    """The oldest that is at hand; notebooks have 5.6 and later."""
    for name, (data, _) in bundles.items():
        old = vl_convert.vegalite_to_svg(data[VEGA_LITE], vl_version="5.8", allowed_base_urls=[])
        again = to_svg.normalise(old, title=data[VEGA_LITE]["description"])
        assert rounded(again) == rounded(data["image/svg+xml"]), name


def test_ipython_takes_both_and_no_renderer_is_changed(figures):
    before = alt.renderers.active, alt.renderers.options
    data, metadata = DisplayFormatter().format(figures["overview"])
    assert {VEGA_LITE, "image/svg+xml"} <= set(data)
    assert VEGA_LITE in metadata
    with alt.renderers.enable("html"):
        assert bundle_of(figures["overview"])[0].keys() == data.keys()
    assert (alt.renderers.active, alt.renderers.options) == before
    plain = alt.Chart(alt.Data(values=[])).mark_point()
    assert VEGA_LITE not in DisplayFormatter().format(plain)[0]


@pytest.mark.slow
def test_a_notebook_with_a_figure_is_valid_and_nbconvert_takes_the_drawing(bundles):
    data, metadata = bundles["class_sizes"]
    output = nbformat.v4.new_output("display_data", data=data, metadata=metadata)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1", outputs=[output])])
    nbformat.validate(notebook)
    page, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook)
    drawings = re.findall(r"data:image/svg\+xml;base64,([\w+/=]+)", page)
    drawn = page if not drawings else base64.b64decode(drawings[0]).decode()  # as an image, or in the page
    assert drawn.count("<svg") == 1
    assert "How many records share the same keys?" in drawn
    assert "vega" not in page


@pytest.mark.slow
def test_a_figure_stays_an_altair_chart(figures):
    figure = figures["overview"]
    assert isinstance(figure, alt.LayerChart)
    assert "schema/vega-lite/v" in figure.to_dict()["$schema"]
    assert json.loads(figure.to_json())["description"] == figure.description
    assert alt.Chart.from_dict(figure.to_dict()).to_dict() == figure.to_dict()
    changed = figure.properties(title="Another")
    assert isinstance(changed, Figure)
    assert changed.to_dict()["title"] == "Another"
    assert "Another" in bundle_of(changed)[0]["image/svg+xml"]


# Tooltips -------------------------------------------------------------------------------------------


def tips_of(node):
    """Find the marks with tooltips: the fields told, and the values."""
    if isinstance(node, dict):
        if "tooltip" in node.get("encoding", {}):
            yield [tip["field"] for tip in node["encoding"]["tooltip"]], node["data"]["values"]
        for child in node.values():
            yield from tips_of(child)
    elif isinstance(node, list):
        for child in node:
            yield from tips_of(child)


def test_every_figure_tells_its_values_to_the_pointer(figures):
    for name, figure in figures.items():
        found = list(tips_of(to_svg.specify(figure)))
        assert found, name
        for fields, values in found:
            assert {"value"} < set(fields) <= set(TIPS)
            assert all(isinstance(value[field], str) for value in values for field in fields)


def test_tooltips_say_how_many_records_are_behind_a_value(survey):
    told = [value for fields, values in tips_of(to_svg.specify(draw(survey, "overview"))) for value in values]
    (tip,) = [value for value in told if value["name"] == "worked_abroad" and value["measure"] == "DiSCO"]
    assert tip["value"] == "53.8\u00a0%"
    assert tip["count"] == "2,689 of 5,000 original records"


def test_tooltips_of_several_syntheses_name_the_worst_file(figures, survey_of_three):
    told = [value for _, values in tips_of(to_svg.specify(figures["steps"])) for value in values]
    worst = worst_files(survey_of_three)
    for value in told:
        assert value["synthesis"] == f"{worst[value['name']].synthesis} (worst)"
        assert value["value"] == percent(worst[value["name"]].values[value["measure"]])
    spread = [value for _, values in tips_of(to_svg.specify(figures["spread"])) for value in values]
    assert {value["synthesis"] for value in spread} == {text for n in (1, 2, 3) for text in (f"{n}", f"{n} (worst)")}


def test_what_only_the_pointer_finds_is_not_in_the_drawing(figures):
    raw = to_svg.convert(to_svg.specify(figures["tau"]))
    n_targets, n_steps = 7, 11
    assert raw.count("; tau: ") == n_targets * n_steps
    assert svg(figures["tau"]).count("<path") < n_targets * n_steps
    hues = set(re.findall(r"#[0-9a-fA-F]{6}", svg(figures["tau"])))
    assert hues <= {value for value in vars(theme).values() if isinstance(value, str)}
