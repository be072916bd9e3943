"""Figures of utility: distributions, twelve variables each, and the intervals of declared analyses."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from discoreport import Documentation, Report, assess, utility
from discoreport.charts import CHARTS, draw
from discoreport.charts.distributions import MOST_DRAWN, distributions, n_pages
from tests.charts.test_charts import HOSTILE, texts_of, values_of
from tests.drawings import clean, theme, to_svg
from tests.engines import unwarned
from tests.wording import estimate, number, percentage


def survey(seed, names=(), n=300, income=2000):
    random = np.random.default_rng(seed)
    levels = ["<b>a", "b", "c"]
    frame = pd.DataFrame(
        {"region": random.choice(["north", "south"], n), "income": random.normal(income, 300, n).round()}
    )
    drawn = {name: random.choice(levels, n, p=[0.5 - 0.004 * n_th, 0.3, 0.2 + 0.004 * n_th]) for n_th, name in names}
    return frame.assign(**drawn)


def looked_at(original, *synthetic, declared=()):
    with unwarned():
        assessment = assess(original, list(synthetic), keys=["region"], targets=["income"])
        found = utility(original, list(synthetic), assessment.settings, declared=declared)
        return assessment.with_analysis(found)


@pytest.fixture(scope="module")
def wide():
    names = list(enumerate([*HOSTILE, *(f"question {n:02d}" for n in range(MOST_DRAWN))]))
    return looked_at(survey(1, names), survey(2, names))


ASKED = ["mean of income by region", "share of smoker = b by school, region", "count of school"]


@pytest.fixture(scope="module")
def declared():
    names = [(0, "smoker"), (90, "school")]
    return looked_at(survey(1, names), survey(2, names), survey(3, names, income=2400), declared=ASKED)


def test_every_variable_has_a_panel_twelve_a_figure_and_the_worst_come_first(wide):
    worst = wide.analyses.utility.worst(1)
    assert len(worst) > MOST_DRAWN
    pages = [distributions(wide, page) for page in range(1, n_pages(wide) + 1)]
    told = [[text for text in texts_of(page) if text.startswith("S_pMSE")] for page in pages]
    assert [text for page in told for text in page] == [f"S_pMSE {number(one.S_pMSE)}" for one in worst[:MOST_DRAWN]]
    assert {len(page) for page in told} == {12}
    for place, page in enumerate(pages):
        assert f"{12 * place + 1} to {12 * place + 12} of {len(worst)} variables" in " ".join(page.title.subtitle)
        to_svg.convert(to_svg.specify(page))
    first = "".join(texts_of(pages[0])).replace(" ", "")
    assert all(clean(one.variables[0]).replace(" ", "") in first for one in worst[:12])
    assert texts_of(draw(wide, "distributions")) == texts_of(pages[0])


def test_a_report_has_all_figures_of_distributions_and_says_where_the_others_are(wide):
    report = Report(wide)
    page, figures = report.html, report.figures
    assert page.count("Each variable in the original") == n_pages(wide) == 5
    assert page.count("those that differ most; the others are in the table “distributions”") == 1
    names = ["distributions", *(f"distributions_{n}" for n in range(2, 6))]
    assert {f"{name}.svg" for name in names} == {name for name in figures if re.match(r"distributions.*svg", name)}
    assert {f"figures/{name}" for name in figures} == report.descriptions.keys()
    table = CHARTS["distributions"].table(wide)
    assert set(table["variable"]) == set(wide.analyses.utility.compared)
    assert "utility_declared.svg" not in figures  # nothing was declared


def test_intervals_of_both_files_stand_below_each_other_the_least_overlap_first(declared):
    table, chart = declared.analyses.utility.declared_table, draw(declared, "utility_declared")
    rows = [value for value in values_of(chart) if "file" in value]
    means = {value["value"]: value for value in rows if re.match(r"\d,\d{3}", value["value"])}
    lowest = table[table["declared"] == ASKED[0]].sort_values("overlap").drop_duplicates("group")
    assert set(lowest["synthesis"]) == {2}  # whose incomes lie elsewhere
    for row in lowest.itertuples():
        original, synthetic = (
            means[f"{estimate(value)} ({estimate(low)} to {estimate(high)})"]
            for value, low, high in (
                (row.original, row.original_low, row.original_high),
                (row.synthetic, row.synthetic_low, row.synthetic_high),
            )
        )
        assert (original["file"], synthetic["file"]) == ("original", "synthetic 2")
        assert original["x"] < synthetic["x"]
        assert 0 < synthetic["y"] - original["y"] < 20
        texts = texts_of(chart)
        assert {estimate(row.difference), percentage(row.overlap), row.group} <= {*texts}
    places = {text: min(one["y"] for one in values_of(chart) if one.get("text") == text) for text in ASKED}
    in_order = list(dict.fromkeys(table["declared"]))
    assert sorted(places, key=places.get) == in_order
    assert in_order[0] == ASKED[0]
    assert "each group has the one where the overlap is lowest" in " ".join(chart.title.subtitle)
    assert f"{ASKED[0]}, south" in chart.description or f"{ASKED[0]}, north" in chart.description


def test_a_span_is_as_long_as_its_interval_on_the_scale_of_its_analysis(declared):
    spec = to_svg.specify(draw(declared, "utility_declared"))
    spans = [value for value in values_of(spec) if value.keys() == {"x", "x2", "y"}]
    means = declared.analyses.utility.declared_table.query("declared == @ASKED[0] and synthesis == 2")
    longest = [span["x2"] - span["x"] for span in sorted(spans, key=lambda span: span["y"]) if span["y"] > 40][:4]
    wanted = [
        high - low
        for row in means.sort_values("overlap", kind="stable").itertuples()
        for low, high in ((row.original_low, row.original_high), (row.synthetic_low, row.synthetic_high))
    ]
    assert [one / longest[0] for one in longest] == pytest.approx([one / wanted[0] for one in wanted])


def test_groups_without_an_interval_have_a_dot_and_names_of_any_kind_are_drawn():
    frame = pd.DataFrame(
        {"region": ["a.b[c]"] * 20 + ["<script>"] * 20, "income": [7.0] * 20 + [*map(float, range(20))]}
    )
    assessment = looked_at(frame, frame, declared=["mean of income by region", "mean of income"])
    chart = draw(assessment, "utility_declared")
    rows = [value["value"] for value in values_of(chart) if "file" in value]
    assert rows.count("7.00") == 2
    assert "n/a" in texts_of(chart)
    assert "<script>" not in to_svg.convert(to_svg.specify(chart))


def test_where_nothing_was_declared_there_is_no_figure_of_it(wide):
    assert not CHARTS["utility_declared"].applies(wide)
    assert CHARTS["utility_declared"].table(wide).empty


def test_groups_that_have_no_place_are_counted_and_in_the_table():
    random = np.random.default_rng(4)
    frame = pd.DataFrame({"region": random.choice([f"place {n:02d}" for n in range(40)], 2000), "income": 1.0})
    frame["income"] = random.normal(0, 1, 2000)
    assessment = looked_at(frame, frame.sample(frac=1, random_state=1), declared="mean of income by region")
    chart = draw(assessment, "utility_declared")
    assert "16 more groups are in the table." in " ".join(chart.title.subtitle)
    assert len(CHARTS["utility_declared"].table(assessment)) == 40


def test_variables_and_levels_are_called_by_their_labels(declared):
    said = {"labels": {"school": "Highest school"}, "level_labels": {"school": {"c": "college"}}}
    labelled = declared.with_documentation(Documentation.model_validate(said))
    for name, words in (("utility", "school (Highest school)"), ("distributions", "school (Highest school)")):
        assert words in " ".join(texts_of(draw(labelled, name)))
        assert words not in " ".join(texts_of(draw(declared, name)))
    for name in ("distributions", "utility_declared"):
        assert "c (college)" in " ".join(texts_of(draw(labelled, name)))


def test_nothing_is_written_smaller_than_7_pt_on_paper(wide):
    names = list(enumerate(f"question {n:02d}" for n in range(12)))
    frame = survey(5, names, n=2000)
    for _, name in names:
        frame[name] = [f"{level} of many" for level in np.random.default_rng(6).integers(0, 15, 2000)]
    many = looked_at(frame, frame)
    for assessment, name in ((wide, "utility"), (wide, "distributions"), (many, "distributions")):
        drawn = to_svg.specify(draw(assessment, name))
        sizes = {float(size) for size in re.findall(r'"fontSize": ([\d.]+)', json.dumps(drawn["layer"]))}
        assert min(sizes) >= theme.LEAST_SIZE
    svg = to_svg.convert(drawn)
    height, width = (float(re.search(rf'{side}="([\d.]+)"', svg)[1]) for side in ("height", "width"))
    assert height <= 215 / 25.4 * 96  # what a page has: it isn't made smaller to fit
    assert theme.LEAST_SIZE * 170 / 25.4 * 72 / width >= 7 - 1e-9
