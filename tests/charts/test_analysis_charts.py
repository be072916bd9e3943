"""Figures of the analyses: that every number is in their table, what they say, and that they hold up under any name."""

import functools
import json
import re
import warnings
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest

from discoreport import ComparisonWarning, Documentation, Settings, assess, examples
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.groups.group_shares import names_of_groups, shares_of_groups
from discoreport.assessment.analyses.groups.results import Groups
from discoreport.assessment.results import OneWayFlag
from discoreport.charts import CHARTS, draw
from discoreport.errors import SettingsError
from tests.charts.test_charts import HOSTILE, depth, texts_of, values_of
from tests.drawings import clean, flags_of, marks, theme, to_svg
from tests.pages import AnalysisSections
from tests.policies import under
from tests.records import worst_file
from tests.wording import NO_BREAK, in_short, percent, percentage, points

# Files this small differ, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")


def test_thresholds_are_lines_of_the_map_and_named_where_they_are_far_above(analysed):
    def drawn(**limits):
        found = draw(under(analysed, *limits.items()), "risk_utility")
        return " ".join(texts_of(found)), sum("x2" in one and "curve" not in one for one in values_of(found))

    words, n_lines = drawn()
    assert "threshold" not in words
    assert "DiSCO of trade" not in words
    of_disco, with_disco = drawn(DiSCO=25)
    assert "DiSCO of trade" in of_disco
    assert "threshold 25" in of_disco
    assert with_disco > n_lines
    assert "threshold 5" in drawn(repU=5)[0]
    assert "threshold 7" in drawn(excess=7)[0]
    far, n_far = drawn(repU=100)
    assert "threshold 100: further up" in far
    assert n_far == n_lines


FIGURES = [name for name in ANALYSES if name in CHARTS]


def asked(original, synthetic, settings, choices):
    """Assess, and run every analysis."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        assessment = assess(original, synthetic, **settings)
        for name, analysis in ANALYSES.items():
            result = analysis.run(original, synthetic, assessment.settings, choices.get(name))
            assessment = assessment.with_analysis(result)
    return assessment


def survey():
    steps = [
        {"step": "limit values", "variable": "age", "bottom": 18, "top": 85},
        {"step": "remove replicated uniques"},
        {"step": "merge levels", "variable": "region", "fewer_than": 300},
    ]
    files = {name: examples.read(name) for name in ("original", "control", "synthetic_1", "synthetic_2", "leaky")}
    choices = {
        "sensitivity": {"candidates": ["employment"], "measures": ["repU", "DiSCO"]},
        "control": {"control": files["control"]},
        "membership": {"control": files["control"], "base_rate": 0.1},
        "groups": {"by": ["region", "education", "income"]},
        "releases": {"releases": {"leaky": files["leaky"]}},
        "mitigation": {"steps": steps},
        "trade_off": {"steps": steps},
    }
    return asked(files["original"], [files["synthetic_1"], files["synthetic_2"]], examples.SETTINGS, choices)


def made_up(keys, targets, level="level", by=None, **settings):
    """Ask everything of files whose variables, levels and releases have any name."""
    random = np.random.default_rng(1)
    n = 300
    frame = pd.DataFrame({name: random.integers(0, 4, n) for name in keys})
    for place, name in enumerate(targets):
        shares = [0.8 - 0.01 * place, 0.1, 0.1 + 0.01 * place]
        frame[name] = [f"{level}{code}" for code in random.choice(3, n, p=shares)]
    original, synthetic, control = frame[:150], frame[50:200].reset_index(drop=True), frame[200:]
    steps = [{"step": "remove replicated uniques"}, {"step": "merge levels", "variable": keys[0], "fewer_than": 60}]
    choices = {
        "sensitivity": {"measures": ["repU", "DiSCO"]},
        "control": {"control": control},
        "membership": {"control": control},
        "groups": {"by": by or list(keys)[:3], "smallest": 5},
        "releases": {"releases": dict.fromkeys([*keys[:3], "b" * 40], control), "name": f"{level} this"},
        "mitigation": {"steps": steps},
        "trade_off": {"steps": steps[: 1 + (len(targets) < 20)]},
    }
    return asked(original, [synthetic], {"keys": list(keys), "targets": list(targets), **settings}, choices)


LONG = [f"satisfaction with public transport no {number:02d}" for number in range(60)]
CASES = {
    "survey": survey,
    "sixty targets": lambda: made_up([f"k{name}" for name in LONG[:5]], LONG),
    "hostile names": lambda: made_up(HOSTILE[:4], HOSTILE[4:], level="<b>{{x}}\n"),
    "keys alone": lambda: made_up(["a.b[c]", "other"], []),
}


ALL = ["survey", pytest.param("sixty targets", marks=pytest.mark.slow), "hostile names", "keys alone"]
built = functools.cache(lambda case: CASES[case]())


@functools.cache
def drawn(case):
    """Draw every figure of a case once: name -> specification."""
    assessment = built(case)
    return {name: to_svg.specify(draw(assessment, name)) for name in FIGURES if CHARTS[name].applies(assessment)}


@pytest.mark.slow
def test_every_analysis_but_the_four_checks_has_a_figure():
    assert [*FIGURES, "four_checks"] == sorted(ANALYSES, key=lambda name: name == "four_checks")
    assert list(drawn("survey")) == FIGURES
    assert set(drawn("keys alone")) == {
        "sensitivity", "membership", "groups", "releases", "mitigation", "trade_off", "utility"
    }  # fmt: skip


def test_what_was_not_asked_has_no_figure(small):
    for name in FIGURES:
        assert not CHARTS[name].applies(small)
        assert CHARTS[name].table(small).empty
        with pytest.raises(SettingsError, match=f"the analysis '{name}'"):
            draw(small, name)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("case", ALL)
def test_every_figure_is_titled_described_and_free_of_users_fields(case):
    for name, specification in drawn(case).items():
        text = json.dumps(specification, allow_nan=False)
        assert " ".join(specification["title"]["text"]) == ANALYSES[name].question
        assert specification["title"]["subtitle"]
        assert re.search(r"\d", specification["description"])
        assert specification["width"] == theme.WIDTH
        fields = set(re.findall(r'"field": "([^"]*)"', text))
        assert fields <= {"x", "x2", "y", "y2", "text", "curve", *marks.TIPS}
        assert not re.search(r'"(expr|calculate|filter|labelExpr|signal)":', text)


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("case", ["hostile names", "keys alone"])  # painting is slow
def test_every_svg_is_flat_spoken_and_sticks_out_nowhere(case):
    for specification in drawn(case).values():
        root = ET.fromstring(to_svg.normalise(to_svg.convert(specification), title=specification["description"]))
        assert depth(root) <= 6
        assert root[0].text == specification["description"]
        assert float(root.get("width")) <= theme.WIDTH + 20


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("case", ALL)
def test_every_number_that_is_drawn_is_in_the_table(case):
    for name, specification in drawn(case).items():
        table = CHARTS[name].table(built(case))
        assert not table.empty
        cells = [cell for column in table for cell in table[column] if not isinstance(cell, str) and not pd.isna(cell)]
        numbers = np.array([float(cell) for cell in cells] + [0.0, 100.0])
        written = {form(value) for value in numbers for form in (percentage, points, percent)}
        for value in values_of(specification):
            for end in ("x", "x2") if value.keys() & {"measure"} and "y2" not in value else ():
                if end in value and name not in {"trade_off", "release_size", "membership"}:
                    assert np.isclose(numbers, value[end], rtol=1e-9, atol=1e-9).any(), (name, value)
            if name == "trade_off" and value["y"] < 250:  # the scales
                continue
            for text in re.findall(r"(?<![\w.])(?:[<>] )?−?\d+\.\d(?![\d.])", value.get("text", "")):
                assert text in written, (name, text)


@pytest.mark.parametrize("case", ALL[1:3])
def test_names_are_wrapped_but_never_cut(case):
    assessment, specifications = built(case), drawn(case)

    def written(name):
        return "".join(texts_of(specifications[name])).replace(" ", "")

    for key in assessment.settings.keys:
        assert clean(key).replace(" ", "") in written("sensitivity")
    for target in assessment.targets:
        for name in ("control", "uncertainty", "mitigation"):
            assert clean(target).replace(" ", "") in written(name)
    for release in assessment.analyses.releases.releases:
        assert clean(release.name).replace(" ", "") in written("releases")


def test_the_map_is_of_the_worst_target_of_each_candidate_or_of_the_one_that_was_chosen():
    assessment = built("survey")
    table = CHARTS["risk_utility"].table(assessment).query("analysis == 'releases'").set_index("candidate")
    assert "DiSCO beyond chance, worst target, points" in texts_of(draw(assessment, "risk_utility"))
    chosen = assessment.for_targets(["smoker"])
    assert "DiSCO beyond chance of smoker, points" in texts_of(draw(chosen, "risk_utility"))
    of_one = CHARTS["risk_utility"].table(chosen)
    assert set(of_one["analysis"]) == {"releases", "release_size"}  # what steps tell is of all targets
    assert set(of_one["target"]) == {"smoker"}
    assert set(table["target"]) != {"smoker"}
    releases = assessment.analyses.releases.table.query("target == 'smoker'")
    beyond = (releases["DiSCO"] - releases["baseDiSCO"]).groupby(releases["release"]).max()
    found = of_one.query("analysis == 'releases'").set_index("candidate")["excess"]
    assert found.to_dict() == pytest.approx(beyond.to_dict())


NAMING_TARGETS = (
    "pooled", "control", "uncertainty", "groups", "release_size", "releases", "mitigation", "utility"
)  # fmt: skip


def test_figures_of_analyses_call_variables_by_their_labels():
    said = {"labels": {"marital": "Marital status", "age": "Age in years"}}
    labelled = built("survey").with_documentation(Documentation.model_validate(said))
    for name, words in (*((name, "marital (Marital status)") for name in NAMING_TARGETS), ("sensitivity", "age (Age")):
        assert words in " ".join(texts_of(draw(labelled, name))), name
        assert words not in " ".join(texts_of(drawn("survey")[name])), name


def test_shares_of_the_keys_are_drawn_in_their_order():
    found, shown = built("survey").analyses.sensitivity, values_of(drawn("survey")["sensitivity"])
    shares = found.shapley("repU").set_index("key")["share"].sort_values(ascending=False)
    places = {key: min(value["y"] for value in shown if value.get("text", "").startswith(key)) for key in shares.index}
    assert sorted(places, key=places.get) == list(shares.index)
    bars = {value["key"]: value for value in shown if value.get("measure") == "repU" and "x2" in value}
    assert {key: bar["x2"] - bar["x"] for key, bar in bars.items()} == pytest.approx(shares.to_dict())
    text = json.dumps(drawn("survey")["sensitivity"])
    assert "no keys of this assessment" in text
    assert theme.MID_GREY in text


def test_too_many_subsets_are_drawn_as_differences():
    frame = pd.DataFrame(np.random.default_rng(1).integers(0, 3, (60, 6)), columns=list("abcdef"))
    assessment = assess(frame, frame, keys=list("abcde"))
    run = ANALYSES["sensitivity"].run(frame, [frame], assessment.settings, {"most": 10, "measures": ["DiSCO"]})
    chart = draw(assessment.with_analysis(run), "sensitivity")
    table = CHARTS["sensitivity"].table(assessment.with_analysis(run))
    assert set(table["method"]) == {"difference"}
    assert "lost without a key" in " ".join(chart.title.subtitle)
    assert not run.complete


def test_the_control_is_set_against_the_file_that_adds_most():
    found, shown = built("survey").analyses.control, drawn("survey")["control"]
    assert len(found.synthetic) == 2
    for one in found.largest():
        of_files = [other.excess for other in found.excesses if (other.target, other.measure) == (one.target, "DiSCO")]
        assert one.excess == max(of_files)
        arrow = next(value for value in values_of(shown) if value.get("name") == one.target and "x2" in value)
        assert (arrow["x"], arrow["x2"]) == (one.control, one.original)
        assert f"{points(one.excess)} ({points(one.low)} to {points(one.high)})" in texts_of(shown)
    assert "5,000" in " ".join(shown["title"]["subtitle"])


def test_a_negative_excess_is_left_of_the_line():
    random = np.random.default_rng(2)
    frame = pd.DataFrame({"k": random.integers(0, 30, 200), "t": random.choice(["a", "b"], 200)})
    assessment = assess(frame[:100], frame[100:150], keys="k")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        run = ANALYSES["control"].run(frame[:100], [frame[100:150]], assessment.settings, {"control": frame[100:]})
    chart = draw(assessment.with_analysis(run), "control")
    (one,) = run.largest()
    assert one.excess < 0
    assert any(text.startswith("−") for text in texts_of(chart))
    domain = json.dumps(to_svg.specify(chart))
    assert re.search(r'"domain": \[-\d', domain)


def test_intervals_of_a_census_are_not_drawn():
    said = Documentation.model_validate({"source": {"collection": "population"}})
    census = built("survey").with_documentation(said)
    assert "over records" in texts_of(draw(built("survey"), "uncertainty"))
    assert "over records" not in texts_of(draw(census, "uncertainty"))
    assert not CHARTS["uncertainty"].table(census).query("over == 'records'")["drawn"].any()
    one = built("hostile names").with_documentation(said)
    assert not CHARTS["uncertainty"].applies(one)  # there is one synthetic file


def test_a_fully_exposed_group_is_marked_and_comes_first():
    original = pd.DataFrame({"key": range(40), "place": ["North"] * 30 + ["South"] * 10, "ill": ["y", "n"] * 20})
    synthetic = original[25:].reset_index(drop=True)
    assessment = assess(original, synthetic, keys="key", targets=["ill"])
    run = ANALYSES["groups"].run(original, [synthetic], Settings(keys=["key"], targets=["ill"]), {"by": ["place"]})
    assert isinstance(run, Groups)
    assert [(one.written, one.target) for one in run.fully_exposed] == [("South", "ill")]
    chart = draw(assessment.with_analysis(run), "groups")
    assert "100.0 ◆" in texts_of(chart)
    places = {text: v["y"] for v in values_of(chart) if (text := v.get("text", "")) in {"North (30)", "South (10)"}}
    assert places["South (10)"] < places["North (30)"]
    assert "A diamond" in " ".join(chart.title.subtitle)


def test_shares_of_groups_are_those_of_the_worst_file_of_the_target_and_of_the_keys():
    assessment = built("survey")
    found = assessment.analyses.groups
    table = found.table.set_index(["variable", "level", "target", "synthesis"])
    written = found.names(lambda one: one.written_whole)
    names = dict(zip(names_of_groups(found).items(), written.values(), strict=True))
    level_of = {(place[0], shown): whole for (place, shown), whole in names.items()}
    for line in shares_of_groups(assessment, found):
        for column in line.shares:
            worst, target = worst_file(assessment, column.target).synthesis, column.target or assessment.targets[0]
            row = table.loc[(line.variable, level_of[line.variable, line.level], target, worst)]
            assert line.shares[column] == row[column.measure]
            assert line.averages[column] == pytest.approx(assessment.values(column.measure, column.target)[worst - 1])
    told = CHARTS["groups"].table(assessment)
    for target in assessment.targets:
        worst = worst_file(assessment, target).synthesis
        numbers = set(told[told["target"] == target]["synthesis"])
        assert numbers == {f"{n} (worst)" if n == worst else f"{n}" for n in range(1, len(found.synthetic) + 1)}


ALIKE = [
    ["x" * 60 + "a" + "y" * 20, "x" * 60 + "b" + "y" * 20],  # their middle isn't shown
    ["(missing)", None],
    ["(empty text)", ""],
    ["", " "],
    ["a b", "a  b"],
]


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("levels", ALIKE)
def test_groups_whose_levels_are_written_alike_stay_apart(levels):
    n = 100
    original = pd.DataFrame({"key": [*range(n), *[0] * n], "place": [levels[0]] * n + [levels[1]] * n})
    original["ill"] = ["y", "n"] * n
    synthetic = [original[1:n].reset_index(drop=True), original[2:n].reset_index(drop=True)]
    settings = Settings(keys=["key"], targets=["ill"])
    assessment = assess(original, synthetic, keys="key", targets=["ill"])
    run = ANALYSES["groups"].run(original, synthetic, settings, {"by": ["place"]})
    assert isinstance(run, Groups)
    shares = {one.level: one.n_disclosed for one in run.groups if one.synthesis == 1}
    assert shares == {levels[0]: 99, levels[1]: 0}
    lines = shares_of_groups(assessment, run)
    column = next(column for column in lines[0].shares if column.target == "ill")
    assert [line.shares[column] for line in lines] == [99, 0]
    assert len({line.level for line in lines}) == 2
    table = CHARTS["groups"].table(assessment.with_analysis(run))
    worst = table[table["synthesis"] == "1 (worst)"]
    assert sorted(worst["DiSCO"]) == [0, 99]
    assert sorted(worst["n_records"]) == [n, n]
    assert set(worst["level"]) == set(table["level"])
    assert worst["level"].nunique() == 2


@pytest.mark.parametrize("levels", ALIKE)
def test_each_fully_exposed_group_is_listed_however_it_is_written(levels):
    n = 100
    original = pd.DataFrame({"key": range(2 * n), "place": [levels[0]] * n + [levels[1]] * n, "ill": ["y", "n"] * n})
    assessment = assess(original, original, keys="key", targets=["ill"])
    run = ANALYSES["groups"].run(original, [original], Settings(keys=["key"], targets=["ill"]), {"by": ["place"]})
    assert isinstance(run, Groups)
    assert {one.level for one in run.fully_exposed} == set(levels)
    assessment = assessment.with_analysis(run)
    assert "Groups: 2 groups fully exposed" in list(in_short(assessment))
    names = AnalysisSections(assessment).group_names
    assert len({names[one.place] for one in run.fully_exposed}) == 2


def test_a_table_of_groups_has_all_signs_of_a_level():
    long = "x" * 200
    original = pd.DataFrame({"key": range(20), "place": [long] * 10 + ["South"] * 10, "ill": ["y", "n"] * 10})
    run = ANALYSES["groups"].run(original, [original], Settings(keys=["key"], targets=["ill"]), {"by": ["place"]})
    assert isinstance(run, Groups)
    assert set(run.table["level"]) == {long, "South"}


def test_flagged_levels_that_are_written_alike_are_all_named(small):
    flag = OneWayFlag(
        synthesis=1, target="trade", level="", disclosive=40, percent=50, percent_original=40, level_total=40
    )
    flags = (flag, flag.model_copy(update={"level": " "}), flag.model_copy(update={"synthesis": 2}))
    outcome = small.outcome.model_copy(update={"one_way": flags})
    flagged = small.model_copy(update={"outcome": outcome})
    assert flagged.summary.loc["trade", "one_way"] == "(empty text) (1), (empty text) (2)"
    assert flags_of(flagged, "trade").levels == ("(empty text) (1)", "(empty text) (2)")


def test_the_assessed_release_is_orange_and_the_others_are_grey():
    by_colour = {}
    for layer in drawn("survey")["releases"]["layer"]:
        for part in layer.get("layer", ()):
            for value in part["data"]["values"]:
                if "release" in value and "x2" in value:
                    by_colour.setdefault(part["mark"]["color"], set()).add(value["release"])
    assert by_colour == {theme.SYNTHETIC: {"this release"}, theme.MID_GREY: {"leaky"}}


def test_releases_have_one_order_everywhere():
    original = pd.DataFrame({"key": range(40), "ill": ["y", "n"] * 20})
    wrong = original.assign(ill=["n", "y"] * 20)  # all keys are found, and no answer is right
    right = pd.DataFrame({"key": [*range(20)] * 2, "ill": ["y", "n"] * 20})  # no key is unique, half are right
    assessment = assess(original, wrong, keys="key", targets=["ill"])
    run = ANALYSES["releases"].run(original, [wrong], assessment.settings, {"releases": {"right": right}})
    names = ["right", "this release"]
    assert sorted(names, key=lambda name: -run.value("repU", name)) == names[::-1]
    assessment = assessment.with_analysis(run)
    assert run.by_risk(assessment) == names
    assert [row.name for row in AnalysisSections(assessment).release_rows] == names
    (line,) = [line for line in in_short(assessment) if line.startswith("Releases")]
    assert line.replace(NO_BREAK, " ") == "Releases: DiSCO of ill: right 50.0 %, this release 0.0 %"


def test_the_trade_lists_what_no_other_choice_beats():
    found = built("survey").analyses.trade_off
    table = CHARTS["trade_off"].table(built("survey"))
    named = table[table["letter"] != ""]
    assert named["efficient"].all()
    assert list(named.sort_values("letter")["two_way"]) == sorted(named["two_way"])
    texts = texts_of(drawn("survey")["trade_off"])
    assert {"A", "B"} <= set(texts)
    assert any(text.startswith("the file as it is") for text in texts)
    hollow = [one for one in found.choices if not one.efficient]
    assert hollow
    dots = [v for v in values_of(drawn("survey")["trade_off"]) if v.get("measure") == "repU" and "steps" in v]
    assert len(dots) == len(hollow) + len(named)
