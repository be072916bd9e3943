"""What leads where there are several files: the worst of them, by what it gives away beyond chance."""

import functools
import re

import pytest

from discoreport import examples
from discoreport.assessment.analyses import ANALYSES
from tests.engines import unwarned
from tests.policies import compared, under
from tests.records import Findings, worst_file, worst_first, worst_value
from tests.wording import in_short, opening


def test_the_worst_file_of_a_target_gives_most_away_beyond_chance_and_of_the_keys_replicates_most(survey_of_three):
    table = survey_of_three.attribute
    excess = table["DiSCO"] - table["baseDiSCO"]
    for target in survey_of_three.targets:
        assert worst_file(survey_of_three, target).synthesis == excess[target].idxmax()
    repeated = survey_of_three.values("repU")
    assert worst_file(survey_of_three).synthesis == 1 + repeated.index(max(repeated))
    assert list(worst_first(survey_of_three)) == list(excess.groupby("target").max().sort_values()[::-1].index)


def test_targets_are_ranked_by_what_is_beyond_chance_not_by_what_chance_gives(survey):
    summary = survey.summary
    assert summary.index[0] == "worked_abroad"  # as DiSCO goes
    assert summary.loc["worked_abroad", "excess"] == pytest.approx(53.78 - 54.0211947537)
    assert summary.loc["employment", "excess"] == pytest.approx(38.64 - 13.2726057248)
    assert (worst_first(survey)[0], worst_first(survey)[-1]) == ("employment", "worked_abroad")


def without_references(assessment):
    results = tuple(
        one.model_copy(update={"values": type(one.values)((k, v) for k, v in one.values.items() if k[:5] != "baseD")})
        for one in assessment.outcome.results
    )
    return assessment.model_copy(update={"outcome": assessment.outcome.model_copy(update={"results": results})})


def test_records_without_references_are_ranked_by_disco_and_have_no_excess(survey):
    earlier = without_references(survey)
    assert worst_first(earlier) == tuple(earlier.summary.index)
    assert earlier.summary["excess"].isna().all()


def test_a_threshold_on_the_excess_is_for_the_worst_file_and_a_lacking_excess_is_not_below_it(survey_of_three):
    table = survey_of_three.attribute
    worst = (table["DiSCO"] - table["baseDiSCO"])["employment"]
    between = (worst.mean() + worst.max()) / 2
    assert worst.mean() < between < worst.max()
    decided = under(survey_of_three, ("excess", between))
    row = next(one for one in compared(decided) if one.place == "employment")
    assert (row.value, row.above) == (pytest.approx(worst.max()), True)
    assert all(one.above is None for one in compared(without_references(decided)))


@pytest.mark.slow
def test_what_reads_of_several_files_leads_with_the_worst_and_names_it(survey_of_three):
    settings = survey_of_three.settings.for_targets(["employment"])
    files = [examples.path(f"synthetic_{number}") for number in (1, 2, 3)]
    original = examples.path("original")
    asked = [
        ANALYSES["releases"].run(original, files, settings, {"releases": {"low": [examples.path("low_fidelity")]}}),
        ANALYSES["sensitivity"].run(original, files, settings, {"measures": ["repU", "DiSCO"]}),
        ANALYSES["release_size"].run(original, files, settings, {}),
    ]
    told = "\n".join(in_short(functools.reduce(lambda one, found: one.with_analysis(found), asked, survey_of_three)))
    keys, most = worst_file(survey_of_three), worst_file(survey_of_three, "employment")
    highest = max(survey_of_three.values("DiSCO", "employment"))
    assert f"of {keys.values['repU']:.1f} percentage points (file {keys.synthesis} of 3, the worst)" in told
    assert f"this release {most.values['DiSCO']:.1f}\u00a0% (file {most.synthesis}, the worst), low " in told
    known = survey_of_three.values("DiSCO", "employment")
    named = f"(file {known.index(highest) + 1} of 3)"
    assert f"Release size: DiSCO of employment {highest:.1f}\u00a0% with 5,000 records {named}" in told


def test_every_line_with_a_figure_of_one_of_several_files_names_the_file(survey_of_three):
    settings = survey_of_three.settings.for_targets(["employment"])
    files = [examples.path(f"synthetic_{number}") for number in (1, 2, 3)]
    asked = {
        "control": {"control": examples.path("control")},
        "membership": {"control": examples.path("control"), "variables": ["sex", "region"], "differing": 0},
        "uncertainty": {},
        "utility": {"variables": ["sex", "employment"]},
    }
    for name, options in asked.items():
        with unwarned():
            found = ANALYSES[name].run(examples.path("original"), files, settings, options)
        (line,) = ANALYSES[name].in_short(found, survey_of_three, survey_of_three.documentation)
        assert re.search(r" \(file [123] of 3, the worst\)", line), line
    worst = survey_of_three.analyses.pooled.figure("repU")
    lines = [*ANALYSES["pooled"].in_short(survey_of_three.analyses.pooled, survey_of_three, None)]
    assert f"{worst.worst:.1f}\u00a0% by the worst file (file {worst.file} of 3), " in lines[0]
    copied = [line for line in opening(survey_of_three, Findings(survey_of_three)) if line.startswith("Whole records")]
    assert [line[: line.index(":")] for line in copied] == [f"Whole records (file {n} of 3)" for n in (1, 2, 3)]


@pytest.mark.parametrize("measure", ["repU", "DiSCO", "excess"])
def test_one_file_is_its_own_worst(survey, measure):
    target = None if measure == "repU" else "employment"
    assert worst_value(survey, measure, target) == survey.value(measure, target)
