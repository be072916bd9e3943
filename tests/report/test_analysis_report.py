"""What an approver asked next: in the report, its tables, lines of text, and checked again from the files."""

import functools
import json
import re

import pandas as pd
import pytest

from discoreport import Documentation, Report, Settings, assess, examples, mitigate, release_size, verify
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.mitigation.results import told_changes as told_of
from discoreport.charts import CHARTS, draw
from tests.charts.test_analysis_charts import made_up
from tests.charts.test_charts import HOSTILE
from tests.commands import stops
from tests.conftest import STEPS
from tests.pages import AnalysisSections, InternalEdition, contents, fill, write_folder
from tests.pages import verify as verifying
from tests.policies import under
from tests.records import analyses, parse
from tests.wording import formatting, points

# Files this small differ, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")


def percent(value):
    """A percentage as `said` gives it."""
    return formatting.percent(value).replace(formatting.NO_BREAK, " ")


def said(html):
    """The words of a page."""
    text = re.sub(r"<svg.*?</svg>|<style.*?</style>", " ", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", text).replace("&#39;", "'").split()).replace(" ,", ",")


def section(assessment, name="analyses"):
    """One section of the internal edition."""
    return fill(f"sections/{name}.html", InternalEdition(assessment))


@pytest.fixture(scope="module")
def report(analysed):
    return Report(analysed)


@pytest.fixture(scope="module")
def sections(analysed):
    return "".join(section(analysed, name) for name in ("analyses", "utility", "mitigation"))


@pytest.fixture(scope="module")
def text(sections):
    return said(sections)


def with_words(assessment, **words):
    return assessment.with_documentation(Documentation.model_validate(words))


# The page -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_analysis_that_was_run_has_its_heading_and_is_not_said_to_be_missing(sections, text):
    for analysis in ANALYSES.values():
        assert f">{analysis.title}</h3>" in sections or analysis.name == "utility"  # a section of its own
    assert "Not asked:" not in text


def test_what_was_not_asked_is_told_in_one_sentence(small, found):
    html = section(small.with_analysis(found["groups"]))
    (sentence,) = re.findall(r"Not asked: [^<]*", html)
    for name, analysis in ANALYSES.items():
        assert (analysis.question in sentence) == (name != "groups")
        assert (f">{analysis.title}</h3>" in html) == (name == "groups")


def test_the_findings_are_those_of_the_results(analysed, text):
    worst = analysed.analyses.control.largest()[0]
    assert f"That is {points(worst.excess)} percentage points more" in text
    assert f"for {percent(worst.control)}: that is what anybody could infer from the population" in text
    share = analysed.analyses.sensitivity.value("repU", ["village"])
    assert f"repU is {percent(share)} with the 1 key of this assessment" in text
    steps = next(one for one in analysed.analyses.mitigation.figures if one.measure == "repU")
    assert f"repU goes from {percent(steps.before)} to {percent(steps.after)}" in text
    assert "These changes were tried, not made" in text
    assert "THIS FILE IS SYNTHETIC" in text
    sizes = analysed.analyses.release_size
    first, last = (percent(sizes.value("DiSCO", size, "trade")) for size in (3, 57))
    assert f"DiSCO of trade is {first} with 3 synthetic records, and {last} with 57." in text
    interval = analysed.analyses.uncertainty.of_targets("records")["trade"]
    assert f"anything from {points(interval.low)} to {percent(interval.high)} (95 % interval)" in text
    assert "which a control file answers" in text


def test_no_word_says_that_the_file_is_safe(text):
    assert not re.search(r"\b(safe|anonymous|no risk)\b", text, re.IGNORECASE)


def test_a_fully_exposed_group_is_named(analysed, text):
    exposed = analysed.analyses.groups.fully_exposed
    assert exposed
    assert f"{len(exposed)} groups have a level that is fully exposed" in text
    assert {one.level for one in exposed if not one.merged} >= {"Zwischenau"}


def test_the_group_furthest_above_the_average_leads_and_levels_that_were_put_together_are_named(analysed, text):
    most = AnalysisSections(analysed).most_exposed
    above = [line.shares[column] - line.averages[column] for column, line in most]
    assert above == sorted(above, reverse=True)
    assert {column.target for column, _ in most} == {None, *analysed.targets}
    (hamlets,) = {one.levels for one in analysed.analyses.groups.groups if one.variable == "village" and one.merged}
    assert len(hamlets) == 20
    assert f"village: {', '.join(hamlets[:12])} and 8 more" in text
    assert text.index("The group that stands out most") < text.index("The group that is given away most")


def test_what_the_file_adds_is_set_beside_what_chance_adds(survey):
    run = ANALYSES["control"].run(
        examples.path("original"), [examples.path("synthetic_1")], survey.settings.for_targets(["worked_abroad"]),
        {"control": examples.path("control")},
    )  # fmt: skip
    told = said(section(survey.for_targets(["worked_abroad"]).with_analysis(run))).replace(formatting.NO_BREAK, " ")
    assert "the file would give away 54.0 % of the original records" in told
    assert "Beyond chance it gives away −0.2" in told
    assert "adds" not in told[told.index("Control baseline") : told.index("An attribution to a control record")]


def test_other_sizes_have_the_uniques_of_the_keys_also_where_records_are_left_out(small_files):
    for rules, columns in (
        ([], ["DiSCO", "DCAP_d", "repU"]),
        ([{"target": "trade", "level": "Farmer"}], ["DiSCO", "DCAP_d", "repU"]),
    ):
        made = assess(*small_files, keys=["village"], exclude=rules)
        asked = AnalysisSections(made.with_analysis(release_size(*small_files, made.settings, sizes=[20], draws=1)))
        assert [one.measure for one in asked.size_columns] == columns
        assert [list(values) for _, values in asked.size_rows] == [list(asked.size_columns)]


def test_a_census_has_no_interval_over_records_and_says_so(analysed):
    census = with_words(analysed, source={"collection": "population"})
    text = said(section(census))
    assert "The original covers the population:" in text
    assert "had other people of the population been in the original" not in text
    assert "Records that took no part can't be of that same population" in text
    assert not AnalysisSections(census).interval_rows


def test_a_census_is_one_wherever_that_is_said(small, small_files):
    asked = ANALYSES["uncertainty"].run(small_files[0], small_files[1:], small.settings, {"collection": "population"})
    page = fill("sections/limits.html", InternalEdition(small.with_analysis(asked)))
    assert "The original covers the population" in page
    assert "Where the original is a sample" in fill("sections/limits.html", InternalEdition(small))


def test_a_control_in_doubt_is_said_to_be(small, small_files):
    run = ANALYSES["control"].run(small_files[0], small_files[1:], small.settings, {"control": small_files[0]})
    text = said(section(small.with_analysis(run)))
    assert "The control is in doubt: every combination of keys and target" in text


def test_thresholds_say_how_few_keys_are_enough(analysed):
    limits = [{"measure": "repU", "limit": 1.0, "source": "made up"}]
    policy = analysed.policy.model_copy(update={"thresholds": ()})
    policy = type(policy).model_validate({**policy.model_dump(), "thresholds": limits})
    (row, _) = AnalysisSections(analysed.with_policy(policy)).key_shares
    assert row.enough == (("village",), 1.0)
    assert "It takes no more than village to exceed" in said(section(analysed.with_policy(policy)))


def test_the_strictest_of_several_thresholds_counts(analysed):
    limits = [{"measure": "repU", "limit": limit, "source": "made up"} for limit in (99.0, 1.0, 50.0)]
    policy = type(analysed.policy).model_validate({**analysed.policy.model_dump(), "thresholds": limits})
    (row, _) = AnalysisSections(analysed.with_policy(policy)).key_shares
    assert row.enough == (("village",), 1.0)


def test_steps_that_led_to_the_file_are_told_as_made(small_files, tmp_path):
    settings = {"keys": ["village"]}
    mitigated = mitigate(*small_files, assess(*small_files, **settings).settings, STEPS)
    path = mitigated.write(tmp_path / "released.csv")
    assessment = assess(small_files[0], path, **settings).with_analysis(mitigated.mitigation.with_result(path))
    whole = with_words(assessment, mitigation=[one.model_dump() for one in mitigated.mitigation.documentation])
    text = said(section(whole, "mitigation"))
    assert "The assessed file came of synthetic.csv by 2 steps." in text
    assert "tried, not made" not in text
    assert text.count("Replicated uniques were removed") == 1  # the steps are told once
    assert Report(whole, edition="external").shown.documentation.mitigation[1].n_records is None


@pytest.mark.slow
def test_recoding_is_no_way_below_a_threshold(tmp_path):
    original = pd.DataFrame({"age": [30, 41, 42, *range(80, 90)], "ill": ["no", "no", *["yes"] * 11]})
    original.to_csv(tmp_path / "original.csv", index=False)
    steps = [{"step": "limit values", "variable": "age", "top": 80}]
    mitigated = mitigate(tmp_path / "original.csv", original, Settings(keys=["age"]), steps)
    path = mitigated.write(tmp_path / "released.csv")
    assessment = assess(tmp_path / "original.csv", path, keys=["age"])
    assert assessment.value("DiSCO", "ill") == pytest.approx(100 * 4 / 13)  # nobody of 81 to 89 is looked for under 80
    governed = under(assessment, ("DiSCO", 50))
    (plain,) = InternalEdition(governed).compared
    assert not plain.above
    assert not plain.followed
    told = governed.with_analysis(mitigated.mitigation.with_result(path))
    (followed,) = InternalEdition(told).compared
    assert (followed.value, followed.above, followed.followed) == (100, True, True)
    assert stops(told, ["thresholds"])
    page = said(Report(told).html)
    assert "Whoever recodes what is known in the same way finds more : the true value of ill for 100.0 %" in page
    assert "(original recoded alike)" in page


def test_files_with_different_answers_are_told_apart(small_files, small):
    files = [pd.read_csv(small_files[1]), pd.read_csv(small_files[1])[["trade", "village"]]]
    assessment = assess(pd.read_csv(small_files[0]), files, keys=["village"])
    run = ANALYSES["four_checks"].run(pd.read_csv(small_files[0]), files, assessment.settings)
    answered = {
        (one.item.item, one.item.outcome): one for one in AnalysisSections(assessment.with_analysis(run)).answered
    }
    assert answered["same_order", "no"].details == {"2: synthetic 2": "in another order"}
    assert answered["no_variable_lacking", "yes"].details == {"": "all of them"}
    assert AnalysisSections(small).answered == ()


def test_a_note_that_would_leak_is_not_written(analysed):
    loose = with_words(analysed, synthesis={"seed": "314159", "method": "trees, seed 314159"})
    html = said(section(loose))
    assert "can't be written: synthesis.method holds the seed" in html
    assert "THIS FILE IS SYNTHETIC" not in html


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("keys", "targets"), [(HOSTILE[:3], HOSTILE[3:6]), (["a.b[c]", "d"], [])])
def test_any_name_and_no_target_can_be_reported(keys, targets):
    assessment = made_up(keys, targets, level="<b>{{x}}\n")
    html = "".join(section(assessment, name) for name in ("analyses", "utility", "mitigation"))
    assert "<script>alert" not in html
    assert "<b>{{x}}" not in html
    for analysis in ANALYSES.values():
        assert f">{analysis.title}</h3>" in html or analysis.name == "utility"


# Tables and text ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_tables_and_figures_come_along(report):
    names = {name for name in ANALYSES if name in CHARTS}
    further = {
        "key_sets",
        "release_size_draws",
        "release_results",
        "four_checks",
        "mitigation_steps",
        "mitigation_loss",
    }
    assert names | further <= set(report.tables)
    assert {f"{name}.svg" for name in names} | {f"{name}.png" for name in names} <= set(report.figures)
    assert {f"figures/{name}.svg" for name in names} <= set(report.descriptions)


def test_each_analysis_has_a_line_in_the_summary(analysed, report):
    lines = str(analysed).splitlines()
    begins = [line.partition(":")[0] for line in lines[-11:]]
    assert ", ".join(begins) == (
        "Sensitivity, Control, Membership, Uncertainty, Groups, Release size, Releases, Four checks, Changes tried, "
        "Trade-off, Utility"
    )
    assert "Control:" in report.summary
    external = Report(analysed, edition="external").summary
    assert "Control:" not in external


def test_an_assessment_without_analyses_has_no_such_line(small):
    assert not re.search(r"^(Sensitivity|Control|Groups):", str(small), re.MULTILINE)


# Verification ---------------------------------------------------------------------------------------------


def outcomes(checks):
    return {check.what.removeprefix("analysis "): check for check in checks if check.what.startswith("analysis ")}


@pytest.mark.slow
def test_a_bundle_names_every_analysis_that_it_holds(report, small_files, tmp_path, monkeypatch):
    files = contents(report, pdf=False)
    monkeypatch.setattr(verifying, "contents", lambda *_, **__: files)  # drawing it again is tested elsewhere
    folder = write_folder(tmp_path / "bundle", files)
    checks = outcomes(verify(folder, original=small_files[0], synthetic=[small_files[1]]))
    assert list(checks) == list(ANALYSES)
    assert {name for name, check in checks.items() if check.outcome == "unchecked"} == {
        "pooled", "control", "membership", "releases"
    }  # fmt: skip
    assert {check.outcome for check in outcomes(verify(folder)).values()} == {"unchecked"}


@pytest.mark.slow
def test_analyses_of_further_files_are_run_again_with_these(analysed, small_files, choices):
    original, *synthetic = small_files
    checks = outcomes(analyses(analysed, original, synthetic, {}))
    assert "takes other files, too (control)" in checks["control"].detail
    assert "takes other files, too (earlier)" in checks["pooled"].detail
    others = {name: {name: choices[name][name]} for name in ("control", "releases")} | {"pooled": choices["pooled"]}
    others["membership"] = {"control": choices["membership"]["control"]}
    checks = outcomes(analyses(analysed, original, synthetic, others))
    assert {check.outcome for check in checks.values()} == {"holds"}
    wrong = {"control": {"control": original}}
    assert outcomes(analyses(analysed, original, synthetic, wrong))["control"].outcome == "fails"


def change(place, value):
    def changed(content):
        *path, last = place
        functools.reduce(lambda node, step: node[step], path, content["analyses"])[last] = value

    return changed


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("sensitivity", change(["sensitivity", "figures", 0, "values", 1], 0.5)),
        ("uncertainty", change(["uncertainty", "intervals", 6, "low"], 0.5)),
        ("groups", change(["groups", "groups", 0, "n_disclosed"], 1)),
        ("release_size", change(["release_size", "sizes", 0, "values", "iS"], 0.5)),
        ("four_checks", change(["four_checks", "items", 0, "outcome"], "unknown")),
        ("mitigation", change(["mitigation", "figures", 0, "after"], 0.5)),
        ("trade_off", change(["trade_off", "choices", 1, "two_way"], 0.5)),
    ],
)
def test_one_changed_figure_of_an_analysis_is_caught(analysed, small_files, name, changed):
    content = json.loads(analysed.record)
    changed(content)
    forged = parse(json.dumps(content).encode(), "forged")
    checks = outcomes(analyses(forged, small_files[0], small_files[1:], {}))
    assert [one for one, check in checks.items() if check.outcome == "fails"] == [name]
    assert "differ from what the files give" in checks[name].detail


def test_an_analysis_of_fewer_targets_is_run_again_with_these():
    frame = pd.DataFrame({"age": range(40), "ill": ["y", "n"] * 20, "rich": ["y"] * 40})
    assessment = assess(frame, frame, keys="age")
    run = ANALYSES["groups"].run(frame, [frame], assessment.settings.for_targets(["rich"]))
    checks = outcomes(analyses(assessment.with_analysis(run), frame, [frame], {}))
    assert checks["groups"].outcome == "holds"


def test_what_changes_cost_is_told_in_the_same_words_everywhere(analysed, text):
    found = analysed.analyses.mitigation
    told = found.loss.told
    assert told.replace(formatting.NO_BREAK, " ") in text
    assert told in told_of(found)
    described = draw(analysed, "mitigation").to_dict()["description"]
    assert told.replace(formatting.NO_BREAK, " ") in described.replace(formatting.NO_BREAK, " ")


def test_what_a_table_says_no_figure_repeats_and_the_bundle_has_the_figure(analysed, survey_of_three):
    assert survey_of_three.analyses.pooled is not None
    assert "what the worst file, any file" not in section(survey_of_three, "analyses").lower()
    assert CHARTS["pooled"].applies(survey_of_three)
    files = analysed.analyses.release_size
    assert len({one.n_synthetic for one in files.sizes}) > 1
    assert "What is given away where only some" in section(analysed, "mitigation")
    one = max(one.n_synthetic for one in files.sizes)
    whole = files.model_copy(update={"sizes": tuple(of for of in files.sizes if of.n_synthetic == one)})
    alone = analysed.model_copy(update={"analyses": analysed.analyses.model_copy(update={"release_size": whole})})
    assert "What is given away where only some" not in section(alone, "mitigation")
