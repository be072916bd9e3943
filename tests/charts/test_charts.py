"""Figures: what they say, that they hold up under any name, and that their SVG is fit for pages and archives."""

import hashlib
import itertools
import json
import math
import re
import subprocess
import sys
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import discoreport
from discoreport import Documentation, Exclusion, Settings, assess, charts, release_size
from discoreport.assessment.analyses import ANALYSES
from discoreport.charts import CHARTS, checks, draw, svg, tau
from discoreport.charts.drawing.arrows import arrows
from discoreport.charts.drawing.layout import Panel
from discoreport.errors import SettingsError
from tests.drawings import _clear_of_marks, clean, marks, stacked, theme, to_svg, width_of, wrapped, xy_plane
from tests.records import most_exposed_first, worst_file, worst_first, worst_value
from tests.wording import percent, percentage
from tests.wording import points as written_points

EXAMPLES = Path(discoreport.__file__).parent / "examples"
TARGETS = ("marital", "education", "employment", "income", "wellbeing", "smoker", "worked_abroad")
NAMED = ("overview", "levels", "cap", "denominators", "tau")
HOSTILE = (
    "a.b[c]", "'\"\\", "<script>alert(1)</script>", "line\nbreak", "", "日本語の変数名" * 4, "\u202egnitrevni",
    "datum.x && 1", "{{7*7}}", "\x00nul", "]]>&amp;", "x" * 300,
)  # fmt: skip


def survey(m=1, **settings):
    return assess(
        EXAMPLES / "original.csv.gz",
        [EXAMPLES / f"synthetic_{number}.csv.gz" for number in range(1, m + 1)],
        keys=["sex", "age", "region", "settlement"],
        targets=list(TARGETS),
        numeric_groups={"income": 20},
        special_codes={"income": [-8]},
        **settings,
    )


def made_up(names, *, m=1, level="level", **settings):
    """Assess targets of any name, from nearly constant to even, each a bit worse copied than the one before."""
    random = np.random.default_rng(1)
    original = pd.DataFrame({"k1": random.integers(0, 60, 400), "k2": random.integers(0, 4, 400)})
    for n, name in enumerate(names):
        shares = np.array([1.0 / (place + 1) ** (n % 5) for place in range(6)])
        codes = random.choice(6, 400, p=shares / shares.sum())
        original[name] = [f"{level}{code}" for code in codes]
    copies = []
    for _ in range(m):
        copy = original.copy()
        for n, name in enumerate(names):
            shuffled = random.random(400) < (n % 10) / 10
            copy.loc[shuffled, name] = random.permutation(original[name])[shuffled]
        copies.append(copy)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Records of the original")  # which these copies have by design
        return assess(original, copies, keys=["k1", "k2"], targets=list(names), **settings)


CASES = {
    "survey": survey,
    "three syntheses and exclusions": lambda: survey(
        3, exclude=[Exclusion(target="worked_abroad", level="No"), Exclusion(target="smoker", level="No")]
    ),
    "one target": lambda: made_up(["only"]),
    "sixty targets": lambda: made_up([f"question_{n:02d}" for n in range(60)]),
    "long names": lambda: made_up([f"satisfaction with public transport no {n:02d}" for n in range(8)], m=2),
    "hostile names": lambda: made_up(HOSTILE, m=2, level="<b>{{x}}\n", target_missing="exclude", max_denominator=9),
}


@pytest.fixture(scope="module")
def cases():
    return {name: build() for name, build in CASES.items()}


@pytest.fixture(scope="module")
def figures(cases):
    """Draw every figure of every case once: case, name -> specification."""
    return {
        case: {name: to_svg.specify(draw(assessment, name)) for name in drawable(assessment)}
        for case, assessment in cases.items()
    }


@pytest.fixture(scope="module")
def plain(cases):
    return cases["survey"]


@pytest.fixture(scope="module")
def several(cases):
    return cases["three syntheses and exclusions"]


def texts_of(chart):
    """Collect every text in the data of a chart."""
    return [value["text"] for value in values_of(chart) if "text" in value]


def values_of(chart):
    found = []

    def search(node):
        if isinstance(node, dict):
            found.extend(node.get("data", {}).get("values", ()))
            for child in node.values():
                search(child)
        elif isinstance(node, list):
            for child in node:
                search(child)

    search(chart if isinstance(chart, dict) else to_svg.specify(chart))
    return found


def places_of(chart, names):
    """Give the height at which each name is written."""
    return {name: min(value["y"] for value in values_of(chart) if value.get("text") == name) for name in names}


def depth(element):
    return 1 + max((depth(child) for child in element), default=0)


def drawable(assessment):
    return [name for name, chart in CHARTS.items() if chart.applies(assessment)]


# The registry ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_importing_the_package_loads_no_drawing_library():
    script = "import sys, discoreport.charts; print(sorted({'altair', 'vl_convert'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_only_five_names_are_public():
    assert charts.__all__ == ["CHARTS", "draw", "png", "release", "svg"]
    assert all(name == chart.name for name, chart in CHARTS.items())


@pytest.mark.slow
def test_an_unknown_chart_is_refused_with_the_nearest_name(plain):
    with pytest.raises(SettingsError, match=r"No chart 'overveiw'\. Did you mean 'overview'"):
        draw(plain, "overveiw")


def test_a_chart_without_anything_to_show_says_why(plain, cases):
    assert not CHARTS["spread"].applies(plain)
    with pytest.raises(SettingsError, match=r"'spread' has nothing to show\. There is one synthetic file only"):
        draw(plain, "spread")
    with pytest.raises(SettingsError, match="No record is left out"):
        draw(plain, "exclusions")
    with pytest.raises(SettingsError, match="No pair of levels is flagged"):
        draw(made_up(["even"], two_way_threshold=(399, 100)), "checks")


def test_every_chart_is_drawn_in_some_case(cases):
    drawn = {name for assessment in cases.values() for name in drawable(assessment)}
    elsewhere = {"distributions", "risk_utility", "units", "utility_declared"}
    assert drawn - {"pooled"} == set(CHARTS) - set(ANALYSES) - elsewhere  # which have cases of their own


# What every figure holds ----------------------------------------------------------------------------


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("case", CASES)
def test_every_figure_is_titled_described_and_free_of_missing_numbers(figures, case):
    for name, specification in figures[case].items():
        json.dumps(specification, allow_nan=False)
        assert " ".join(specification["title"]["text"]) == CHARTS[name].title
        assert specification["title"]["subtitle"]
        assert re.search(r"\d", specification["description"])
        assert specification["width"] == theme.WIDTH


@pytest.mark.parametrize("case", CASES)
def test_no_name_of_a_user_is_a_field_or_an_expression(figures, case):
    fields = set()

    def search(node):
        if isinstance(node, dict):
            assert not {"expr", "calculate", "filter", "labelExpr", "signal"} & node.keys()
            fields.update([node["field"]] if "field" in node else [])
            for key, child in node.items():
                if key != "values":
                    search(child)
        elif isinstance(node, list):
            for child in node:
                search(child)

    for specification in figures[case].values():
        search(specification)
    assert fields <= {"x", "x2", "y", "y2", "text", "curve", *marks.TIPS}


@pytest.mark.parametrize("case", CASES)
def test_names_are_wrapped_but_never_cut(cases, figures, case):
    for name, specification in figures[case].items():
        if name in {"identity", "class_sizes", "levels", "checks", "exclusions"}:
            continue
        written = "".join(texts_of(specification)).replace(" ", "")
        n_named = tau.MOST_NAMED if name == "tau" else None  # the others are lines without a name
        for target in most_exposed_first(cases[case])[:n_named]:
            assert clean(target).replace(" ", "") in written


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_svg_is_flat_and_spoken_and_looks_as_the_converter_drew_it(figures, case):
    import vl_convert

    for name, specification in figures[case].items():
        raw = to_svg.convert(specification)
        normal = to_svg.normalise(raw, title=specification["description"])
        root = ET.fromstring(normal)
        assert depth(root) <= 6
        assert root.get("role") == "img"
        assert root[0].tag.endswith("title")
        assert root[0].text == specification["description"]
        assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
            "svg", "title", "rect", "g", "path", "line", "text", "tspan"
        }  # fmt: skip
        assert float(root.get("width")) <= theme.WIDTH + 20  # nothing sticks out
        if case == "survey" or name in {"exclusions", "spread"}:  # each figure once: painting is slow
            assert vl_convert.svg_to_png(raw) == vl_convert.svg_to_png(normal)


# Single figures -------------------------------------------------------------------------------------


def test_the_most_disclosive_target_is_on_top(plain, figures):
    for name in ("steps", "denominators", "cap"):
        places = places_of(figures["survey"][name], TARGETS)
        assert sorted(places, key=places.get) == list(plain.summary.index)


def test_the_overview_has_the_target_on_top_that_gives_most_away_beyond_chance(plain, figures):
    places = places_of(figures["survey"]["overview"], TARGETS)
    assert sorted(places, key=places.get) == list(plain.summary.sort_values("excess", ascending=False).index)


def test_the_overview_shows_both_values_of_each_target(plain, figures):
    chart = figures["survey"]["overview"]
    ends = {value["name"]: value for value in values_of(chart) if "x2" in value and "name" in value}
    marks = {value["x"] for value in values_of(chart) if "y2" in value}
    for target in TARGETS:
        assert ends[target]["x"] == plain.value("baseDiSCO", target)
        assert ends[target]["x2"] == plain.value("DiSCO", target)
        assert plain.value("Dorig", target) in marks
        assert f"{plain.value('DiSCO', target):.1f}" in texts_of(chart)
        assert written_points(plain.value("excess", target)) in texts_of(chart)
    assert texts_of(chart).count("−0.2") == 1  # worked_abroad, nothing beyond chance


def test_of_several_files_the_overview_shows_the_worst_of_each_target(several):
    table = several.attribute
    worst = (table["DiSCO"] - table["baseDiSCO"]).groupby("target").idxmax()
    ends = {one["name"]: one["x2"] for one in values_of(draw(several, "overview")) if "x2" in one and "name" in one}
    assert ends == {target: table.loc[place, "DiSCO"] for target, place in worst.items()}


def test_variables_and_levels_have_what_they_are_called_in_words(plain):
    said = {"labels": {"marital": "Marital status"}, "level_labels": {"marital": {"Divorced": "no more married"}}}
    drawn = {name: texts_of(draw(plain.with_documentation(Documentation.model_validate(said)), name)) for name in NAMED}
    for name in NAMED:
        assert "marital (Marital status)" in " ".join(drawn[name]), name
        assert "marital (Marital status)" not in " ".join(texts_of(draw(plain, name)))
    assert "Divorced (no more married)" in " ".join(drawn["levels"])


def test_no_mark_runs_through_a_number_of_the_overview():
    apart = {"DiSCO": 30.0, "baseDiSCO": 20.0, "Dorig": 70.0}
    assert _clear_of_marks(apart) == 30
    assert _clear_of_marks({**apart, "Dorig": 35.0}) == 35
    assert _clear_of_marks({**apart, "Dorig": 35.0, "baseDiSCO": 40.0}) == 40
    assert _clear_of_marks({**apart, "Dorig": None}) == 30


def test_levels_are_drawn_with_what_chance_would_give(plain):
    chart = draw(plain, "levels")
    marks = [value["x"] for value in values_of(chart) if "y2" in value]
    for row in plain.levels.query("target == 'employment' and level in ('Student', 'Retired')").itertuples():
        assert f"{row.disclosed:,} of {row.original:,}" in texts_of(chart)
        assert any(mark == pytest.approx(100 * row.by_chance / row.original) for mark in marks)
    assert "Retired of employment (697 of 1,227, by chance 94)" in chart.description
    sensitive = plain.policy.model_copy(update={"sensitive": {"employment": ("Unemployed",)}})
    assert "14 of 328" not in texts_of(chart)
    assert "14 of 328" in texts_of(draw(plain.with_policy(sensitive), "levels"))


def test_the_overview_marks_what_is_to_be_checked_by_a_sign_and_in_words(plain):
    chart = draw(plain, "overview")
    assert "check: level No; 27\u00a0pairs" in texts_of(chart)
    assert "diamond" in json.dumps(to_svg.specify(chart))
    assert "5 targets have findings to check" in chart.description


def test_descriptions_tell_the_figures(plain, several):
    top = worst_first(plain)[0]
    told = (
        f"{top} {percent(plain.value('DiSCO', top))}, {written_points(plain.value('excess', top))} points beyond chance"
    )
    by_chance = f"by chance {percent(plain.value('baseDiSCO', top))}, original {percent(plain.value('Dorig', top))}"
    assert f"{told} ({by_chance})" in draw(plain, "overview").description
    assert f"{percent(plain.value('repU'))} of the original records" in draw(plain, "identity").description
    assert "Of 3 synthetic files, each target has the one" in draw(several, "overview").description
    before = worst_value(several.without_exclusions(), "DiSCO", "worked_abroad")
    assert f"(before {percent(before)})" in draw(several, "exclusions").description


def test_one_hue_stands_for_the_original_and_one_for_the_synthetic_file(plain):
    specification = json.dumps(to_svg.specify(draw(plain, "overview")))
    used = set(re.findall(r"#[0-9A-Fa-f]{6}", specification))
    greys = {theme.INK, theme.GREY, theme.MID_GREY, theme.LIGHT_GREY, theme.FAINT, theme.PAPER}
    assert used - greys == {theme.ORIGINAL, theme.SYNTHETIC}


def test_hues_differ_in_grey_print_and_can_be_read_on_paper():
    def luminance(colour):
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    for colour in (theme.ORIGINAL, theme.SYNTHETIC, theme.INK, theme.GREY):
        assert 1.05 / (luminance(colour) + 0.05) >= 4.5
    assert (luminance(theme.SYNTHETIC) + 0.05) / (luminance(theme.ORIGINAL) + 0.05) > 1.8


def test_a_missing_value_is_said_to_be_missing():
    original = pd.DataFrame({"key": [1, 1, 2, 2], "target": ["a", "b", "a", "b"]})
    assessment = assess(original, original, keys=["key"], targets=["target"])
    assert math.isnan(assessment.attribute["mean_denom"].iloc[0])
    assert "n/a" in texts_of(draw(assessment, "cap"))
    assert any(text.startswith("n/a") for text in texts_of(draw(assessment, "denominators")))
    arrow = {"name": "target", "y": 10, "x": 5.0, "x2": None, "tip": "", "tip2": ""}
    assert "5.0 → n/a" in texts_of(stacked(*arrows([arrow], Panel(0, 100))))


def test_percentages_of_fewer_synthetic_records_may_go_beyond_a_hundred():
    original = pd.DataFrame({"key": [1] * 6 + [2] * 4, "target": ["a"] * 6 + ["b"] * 4})
    assessment = assess(original, original.iloc[[0, 9]], keys=["key"], targets=["target"])
    assert assessment.value("DCAP_s", "target") == 500
    assert "500.0" in texts_of(draw(assessment, "cap"))
    assert "beyond 100 %" in " ".join(draw(assessment, "cap").title.subtitle)
    ends = [value["x2"] for value in values_of(draw(assessment, "cap")) if "x2" in value and "name" in value]
    assert max(ends) <= 100
    assert "500.0" not in texts_of(draw(assessment, "overview"))


def test_identity_is_drawn_for_each_synthesis(plain, several):
    assert "synthetic 1" not in texts_of(draw(plain, "identity"))
    labels = texts_of(draw(several, "identity"))
    assert labels.count("synthetic 3") == 3  # UiO is the original's own
    for result in several.outcome.identity:
        assert f"{result.values['repU']:.1f}" in labels


def test_many_syntheses_are_summed_up_in_the_identity_figure():
    assessment = made_up(["target"], m=14)
    labels = texts_of(draw(assessment, "identity"))
    assert {"worst file", "lowest", "highest"} <= set(labels)
    assert "synthetic 14" not in labels


def test_sizes_of_key_combinations_are_drawn_for_both_files(plain, several):
    chart = draw(plain, "class_sizes")
    table = plain.class_sizes.set_index(["table", "size"])
    bars = [value for value in values_of(chart) if "x2" in value and "size" in value]
    assert {(value["file"], value["size"]): value["x2"] for value in bars} == table["percent"].to_dict()
    written = texts_of(chart)
    assert written.count("original") == written.count("synthetic") == 7
    assert {"1,965", "686", "50 and more", "combinations"} <= set(written)
    assert "1: 39.3\u00a0% (25.8\u00a0%)" in chart.description
    assert "20 to 49" not in chart.description  # no record has so many others
    uniques = several.class_sizes.query("table == 'synthetic' and size == '1'").set_index("synthesis")["percent"]
    worst = worst_file(several).synthesis
    assert f"{uniques[worst]:.1f}" in texts_of(draw(several, "class_sizes"))
    assert f"Synthetic values are of file {worst} of 3" in " ".join(draw(several, "class_sizes").title.subtitle)


def test_records_whose_missing_keys_do_not_count_are_told_in_the_figure_of_sizes():
    original = pd.DataFrame({"key": ["a", "a", "b", None], "target": ["x", "y", "x", "y"]})
    shown = draw(assess(original, original, keys="key", key_missing="exclude"), "class_sizes")
    told = "Left out for missing keys: 1 original record and 1 synthetic record."
    assert told in " ".join(shown.title.subtitle)
    assert "Left out" not in " ".join(draw(assess(original, original, keys="key"), "class_sizes").title.subtitle)


def test_the_spread_shows_every_synthesis_and_names_the_worst(several):
    chart = to_svg.specify(draw(several, "spread"))
    found = several.attribute["DiSCO"].loc["employment"]
    rings = [value["x"] for value in values_of(chart) if value.get("name") == "employment"]
    assert sorted(rings) == pytest.approx(sorted(found))
    worst = worst_file(several, "employment")
    assert f"{worst.values['DiSCO']:.1f} ({worst.synthesis})" in texts_of(chart)
    assert f"{found.min():.1f} to {found.max():.1f}" in texts_of(chart)


def test_checks_show_the_first_pairs_and_count_the_rest(plain, several):
    chart = draw(plain, "checks")
    names = {value["pair"] for value in values_of(chart) if "pair" in value}
    assert len(names) == checks.MOST_ROWS
    n_pairs = len(plain.two_way)
    assert f"{n_pairs - checks.MOST_ROWS} more pairs not shown" in " ".join(chart.title.subtitle)
    assert f"{n_pairs} pairs are flagged" in chart.description
    assert any(re.fullmatch(r"\d+ of [\d,]+ \(in [123] of 3\)", text) for text in texts_of(draw(several, "checks")))


def test_exclusions_show_the_targets_that_lose_records(several):
    chart = draw(several, "exclusions")
    names = {value["name"] for value in values_of(chart) if "name" in value}
    assert names == {"worked_abroad", "smoker"}
    assert "5 targets lose no records" in " ".join(chart.title.subtitle)


def test_specifications_are_small_because_they_hold_aggregates_only(figures):
    for specification in figures["survey"].values():
        assert len(json.dumps(specification)) < 60_000
        assert len(values_of(specification)) < 400  # of 5,000 records


# Certainty ------------------------------------------------------------------------------------------


def curves_of(chart):
    """Give the points of each line: name -> list of places, from left to right."""
    found = {}
    for value in values_of(chart):
        if "curve" in value and "name" in value and "y2" not in value:
            found.setdefault(value["name"], {})[value["x"], value["y"]] = None
    return {name: sorted(points) for name, points in found.items()}


def upward(chart):
    """Turn heights into percentages, by the lowest two numbers of the scale at the left."""
    marks = {}
    for value in values_of(chart):
        if value["x"] < 34 and re.fullmatch(r"[\d,]+", value.get("text", "")):
            marks.setdefault(float(value["text"].replace(",", "")), value["y"])
    (low, bottom), (high, top) = sorted(marks.items())[:2]
    return lambda y: low + (bottom - y) / (bottom - top) * (high - low)


def test_a_line_of_certainty_ends_at_disco_and_begins_at_dcap(plain, figures):
    chart = figures["survey"]["tau"]
    percent_at = upward(chart)
    lines = curves_of(chart)
    assert set(lines) == set(TARGETS)
    for target, points in lines.items():
        expected = plain.tau.query("target == @target").sort_values("tau")["DiSCO"]
        assert [percent_at(y) for _, y in points] == pytest.approx(list(expected))
        assert percent_at(points[0][1]) == pytest.approx(plain.value("DCAP_d", target))
        assert percentage(plain.value("DiSCO", target)) in texts_of(chart)
    assert "at tau = 1 it is DiSCO, at 0 it is DCAP_d (where nothing is excluded)" in (
        " ".join(chart["title"]["subtitle"])
    )


def test_the_band_of_certainty_runs_from_the_least_to_the_largest_synthesis_of_the_most_exposed_target(
    several, figures
):
    chart = figures["three syntheses and exclusions"]["tau"]
    percent_at = upward(chart)
    bands = [
        (percent_at(value["y"]), percent_at(value["y2"]))
        for value in values_of(chart)
        if "curve" in value and "y2" in value
    ]
    first = most_exposed_first(several)[0]
    table = several.tau[several.tau["target"] == first]
    values = table.groupby("tau")["DiSCO"]
    worst = table[table["synthesis"] == worst_file(several, first).synthesis].sort_values("tau")["DiSCO"]
    assert bands == [pytest.approx(pair) for pair in zip(values.min(), values.max(), strict=True)]
    assert [percent_at(y) for _, y in curves_of(chart)[first]] == pytest.approx(list(worst))
    assert not any("curve" in value and "y2" in value for value in values_of(figures["survey"]["tau"]))


def test_the_most_exposed_targets_are_named_and_the_others_counted(cases, figures):
    chart = figures["sixty targets"]["tau"]
    written = texts_of(chart)
    named = [text for text in written if text.startswith("question_")]
    assert named == most_exposed_first(cases["sixty targets"])[:8]
    assert "52 more targets" in written
    assert len(curves_of(chart)) == 60
    assert "and 54 more targets" in chart["description"]


def test_certainty_needs_two_values_and_may_be_asked_for_in_any_order():
    assert not CHARTS["tau"].applies(made_up(["target"], tau=[1]))
    assert not CHARTS["tau"].applies(made_up(["target"], tau=[1, 1]))
    with pytest.raises(SettingsError, match="fewer than two values of tau"):
        draw(made_up(["target"], tau=[]), "tau")
    mixed = draw(made_up(["target"], tau=[1, 0.25, 0.5, 0.25]), "tau")
    assert [text for text in texts_of(mixed) if text in {"0.25", "0.5", "1"}] == ["1", "0.5", "0.25"]
    assert curves_of(mixed) == curves_of(draw(made_up(["target"], tau=[0.25, 0.5, 1]), "tau"))


@pytest.mark.parametrize("places", [[5, 5, 5], [90, 10, 95, 99], [50], [0, 100, 0, 100], [40, 41, 60, 59, 58, 20]])
def test_labels_are_moved_apart_and_stay_inside_and_in_order(places):
    heights = [10 + 3 * (n % 3) for n in range(len(places))]
    middles = xy_plane.apart(places, heights, 0, 100)
    order = sorted(range(len(places)), key=lambda n: places[n])
    edges = [(middles[n] - heights[n] / 2, middles[n] + heights[n] / 2) for n in order]
    assert edges[0][0] >= 0
    assert edges[-1][1] <= 100 + 1e-9
    assert all(upper[1] <= lower[0] + 1e-9 for upper, lower in itertools.pairwise(edges))


def test_labels_with_room_stay_where_they_are():
    assert xy_plane.apart([80, 20, 50], [10, 10, 10], 0, 100) == [80, 20, 50]


@pytest.mark.parametrize("most", [0.3, 1, 7, 10, 10.1, 53.8, 99.9, 100, 101, 2000, 48842])
@pytest.mark.parametrize("n", [2, 4, 5])
def test_steps_of_a_scale_are_few_and_reach_the_end(most, n):
    ticks = xy_plane.steps_to(most, n)
    assert 2 <= len(ticks) <= n + 1
    assert ticks[-1] >= most > ticks[-2]


# Release size ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def series():
    settings = Settings(keys=("sex", "age", "region", "settlement"), targets=TARGETS)
    return release_size(
        EXAMPLES / "original.csv.gz",
        EXAMPLES / "synthetic_1.csv.gz",
        settings,
        sizes=[250, 1000, 5000],
        draws=3,
    ).table


def hostile(series):
    return series.assign(target=series["target"].map(dict(zip(TARGETS, HOSTILE, strict=False))))


@pytest.mark.slow
def test_the_release_figure_has_a_panel_for_each_of_the_most_exposed_targets(series):
    chart = to_svg.specify(charts.release(series))
    means = series[series["n_synthetic"] == 5000].groupby("target")["DiSCO"].mean().sort_values(ascending=False)
    written = texts_of(chart)
    assert [text for text in written if text in TARGETS] == list(means.index[:6])
    assert "1 more target is not shown" in " ".join(chart["title"]["subtitle"])
    assert "means over 3 draws" in " ".join(chart["title"]["subtitle"])
    assert all(written.count(measure) == 6 for measure in ("DiSCO", "DCAP_d", "TCAP"))
    assert {"0", "2,000", "4,000", "synthetic records released"} <= set(written)


def test_lines_are_means_over_the_draws_and_bands_their_range(series):
    chart = to_svg.specify(charts.release(series[series["target"] == "marital"]))
    percent_at = upward(chart)
    for measure, points in curves_of(chart).items():
        values = series[series["target"] == "marital"].groupby("n_synthetic")[measure]
        assert [percent_at(y) for _, y in points] == pytest.approx(list(values.mean()))
        spans = [value for value in values_of(chart) if value.get("name") == measure and "y2" in value]
        assert [percent_at(value["y"]) for value in spans] == pytest.approx(list(values.min()))
        assert [percent_at(value["y2"]) for value in spans] == pytest.approx(list(values.max()))
        ends = f"{measure} {percent(values.mean().iloc[0])} to {percent(values.mean().iloc[-1])}"
        assert ends in chart["description"]


@pytest.mark.slow
def test_the_release_figure_holds_up_under_any_name_and_its_svg_is_tame(series):
    import vl_convert

    specification = to_svg.specify(charts.release(hostile(series)))
    json.dumps(specification, allow_nan=False)
    written = "".join(texts_of(specification)).replace(" ", "")
    shown = series[series["n_synthetic"] == 5000].groupby("target")["DiSCO"].mean().sort_values().index[-6:]
    for target in shown:
        assert clean(HOSTILE[TARGETS.index(target)]).replace(" ", "") in written
    raw = to_svg.convert(specification)
    normal = to_svg.normalise(raw, title=specification["description"])
    root = ET.fromstring(normal)
    assert depth(root) <= 6
    assert root[0].text == specification["description"]
    assert float(root.get("width")) <= theme.WIDTH + 20
    assert vl_convert.svg_to_png(raw) == vl_convert.svg_to_png(normal)


def test_a_measure_that_is_missing_in_a_draw_has_no_point_and_no_line_across(series):
    gap = series[series["target"] == "income"].copy()
    gap.loc[(gap["n_synthetic"] == 1000) & (gap["draw"] == 2), "TCAP"] = float("nan")
    chart = charts.release(gap)
    assert len(curves_of(chart)["TCAP"]) == 2
    assert len(curves_of(chart)["DiSCO"]) == 3
    runs = {value["curve"] for value in values_of(chart) if value.get("name") == "TCAP"}
    assert len(runs) == 2
    assert "no point where it is missing" in " ".join(chart.title.subtitle)
    nowhere = charts.release(gap.assign(TCAP=float("nan")))
    assert "n/a" in texts_of(nowhere)
    assert "TCAP n/a to n/a" in nowhere.description


def test_one_file_and_one_size_can_be_drawn(series):
    one = series[(series["n_synthetic"] == 5000) & (series["draw"] == 1) & (series["target"] == "smoker")]
    chart = charts.release(one, ["DCAP_d", "DCAP_d"])
    assert texts_of(chart).count("DCAP_d") == 1
    assert " ".join(chart.title.subtitle).startswith("Each point is one synthetic file.")
    assert "With 5,000 synthetic records: smoker: DCAP_d" in chart.description
    assert theme.PERCENT_TITLE in texts_of(chart)


def test_files_of_one_size_are_no_draws(series):
    files = series[series["n_synthetic"] == 5000].assign(draw=1)
    assert "the highest of 3 files" in " ".join(charts.release(files).title.subtitle)


def test_measures_of_the_original_have_its_hue(series):
    one = series[series["target"] == "smoker"]
    assert theme.ORIGINAL in json.dumps(to_svg.specify(charts.release(one, ["Dorig", "DiSCO"])))
    assert theme.ORIGINAL not in json.dumps(to_svg.specify(charts.release(one)))


def test_the_release_figure_refuses_what_it_can_not_draw(series):
    with pytest.raises(SettingsError, match=r"No measure 'DiSC0' .* Did you mean 'DiSCO'"):
        charts.release(series, ["DiSC0"])
    with pytest.raises(SettingsError, match="No measure 'max_denom'"):
        charts.release(series, ["max_denom"])
    with pytest.raises(SettingsError, match="No measure is named"):
        charts.release(series, [])
    with pytest.raises(SettingsError, match="has no rows"):
        charts.release(series.iloc[:0])
    with pytest.raises(SettingsError, match="No column 'n_synthetic'"):
        charts.release(series.drop(columns="n_synthetic"))


# SVG ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_chart_gives_the_same_svg_in_every_process(plain, tmp_path):
    record = plain.save(tmp_path / "assessment.json")
    script = (
        "import sys, hashlib, discoreport\n"
        "from discoreport.charts import draw, svg\n"
        "chart = draw(discoreport.load(sys.argv[1]), 'overview')\n"
        "print(*(hashlib.sha256(svg(chart).encode()).hexdigest() for _ in range(2)))"
    )
    ran = subprocess.run([sys.executable, "-c", script, record], capture_output=True, text=True, check=True)
    here = hashlib.sha256(svg(draw(plain, "overview")).encode()).hexdigest()
    assert ran.stdout.split() == [here, here]


def demanding(height=60):
    """Build a chart with gradients, clips and facets, as the house style avoids them."""
    import altair as alt

    cells = alt.Data(values=[{"a": n % 5, "b": n // 5, "c": n, "f": "xyz"[n % 3]} for n in range(25)])
    heat = alt.Chart(cells).mark_rect(clip=True, opacity=0.8).encode(x="a:O", y="b:O", color="c:Q", column="f:N")
    line = alt.Chart(alt.Data(values=[{"a": 1, "b": 3}, {"a": 4, "b": 1}])).mark_line(clip=True, point=True)
    below = line.encode(x="a:Q", y="b:Q").properties(height=height)
    return alt.vconcat(heat, below).properties(description="A & <b>")


def test_gradients_clips_and_facets_are_tamed_and_look_the_same():
    import vl_convert

    raw = to_svg.convert(to_svg.specify(demanding()))
    normal = to_svg.normalise(raw)
    assert depth(ET.fromstring(raw)) > 10 >= 6 >= depth(ET.fromstring(normal))
    assert "linearGradient" in normal
    assert normal.count("userSpaceOnUse") == normal.count("<linearGradient")
    assert vl_convert.svg_to_png(raw) == vl_convert.svg_to_png(normal)


def test_ids_never_clash_between_figures_and_never_depend_on_what_was_drawn_before():
    first, other = svg(demanding()), svg(demanding(height=80))
    ids = [set(re.findall(r' id="([^"]+)"', drawn)) for drawn in (first, other)]
    assert ids[0]
    assert not ids[0] & ids[1]
    assert svg(demanding()) == first
    for drawn in (first, other):
        assert set(re.findall(r"url\(#([^)]+)\)", drawn)) <= set(re.findall(r' id="([^"]+)"', drawn))


def test_the_theme_of_the_user_does_not_change_a_figure(plain):
    import altair as alt

    before = svg(draw(plain, "identity"))
    with alt.theme.enable("dark"):
        assert svg(draw(plain, "identity")) == before


# Text -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_wrapped_lines_fit_and_lose_nothing(name):
    shown = clean(name)
    lines = wrapped(shown, 120)
    assert "".join(lines).replace(" ", "") == shown.replace(" ", "")
    assert all(width_of(line) <= 120 for line in lines)


def test_clean_text_can_be_written_as_xml():
    element = ET.Element("text")
    element.text = clean("a\x00\x1b\ud800\ufffe\u202e\tb")
    assert ET.fromstring(ET.tostring(element)).text == element.text == "a\ufffd\ufffd\ufffd\ufffd b"
