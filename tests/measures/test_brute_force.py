"""Every measure against an intruder who counts record by record."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import Exclusion, assess
from tests.intruder import REASONS, Attack, Rules, class_sizes
from tests.strategies import often, problems

# Files this small leave many levels out, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")


def excludes(rule, name):
    return (rule if isinstance(rule, str) else rule.get(name, "level")) == "exclude"


def rules_for(problem, target):
    chosen = problem.settings
    mine = [rule for rule in chosen["exclude"] if rule["target"] == target]
    return Rules(
        levels={rule["level"] for rule in mine if "key" not in rule},
        pairs={(rule["level"], rule["key"], rule["key_level"]) for rule in mine if "key" in rule},
        without_missing_keys={key for key in problem.keys if excludes(chosen["key_missing"], key)},
        without_missing_target=excludes(chosen["target_missing"], target),
        max_denominator=chosen["max_denominator"],
        one_way_threshold=chosen["one_way_threshold"],
        two_way_threshold=chosen["two_way_threshold"],
    )


def assess_problem(problem, **more):
    original, synthetic = problem.frames()
    chosen = problem.settings | more
    chosen["exclude"] = [Exclusion(**rule) for rule in problem.settings["exclude"]]
    return assess(original, synthetic, keys=problem.keys, targets=problem.targets, **chosen)


def attacks(problem, rules=rules_for):
    for target in problem.targets:
        for synthesis, records in enumerate(problem.synthetic, start=1):
            attack = Attack(problem.original, records, problem.keys, target, rules(problem, target))
            yield target, synthesis, attack


def figures(assessment, target, synthesis):
    by_result = {(result.target, result.synthesis): result.values for result in assessment.outcome.results}
    values = by_result[(target, synthesis)]
    return {name: float("nan") if value is None else value for name, value in values.items()}


def close_to(figures):
    return pytest.approx(figures, rel=1e-9, abs=1e-9, nan_ok=True)


@often
@given(problems())
def test_every_measure_is_what_an_intruder_counts(problem):
    assessment = assess_problem(problem)
    several = assessment.identity.index.nlevels == 2
    for target, synthesis, attack in attacks(problem):
        expected = attack.measures()
        assert figures(assessment, target, synthesis) == close_to(expected)

        shown = assessment.attribute.loc[(target, synthesis)].to_dict()
        shown |= assessment.cap.loc[(target, synthesis)].to_dict()
        if several or len(problem.targets) == 1:
            shown |= assessment.identity.loc[(target, synthesis) if several else synthesis].to_dict()
        assert shown == close_to({name: expected[name] for name in shown})
        assert {"DiSCO", "TCAP"} <= shown.keys()


@pytest.mark.generated
@often
@given(problems())
def test_figures_without_exclusions_are_those_of_an_intruder_who_is_told_nothing(problem):
    assessment = assess_problem(problem).without_exclusions()
    for target, synthesis, attack in attacks(problem, rules=lambda *_: Rules()):
        assert figures(assessment, target, synthesis) == close_to(attack.measures())
        identity = assessment.identity.loc[synthesis].to_dict()
        expected = attack.measures()
        assert identity == close_to({name: expected[name] for name in identity})


@pytest.mark.slow
@often
@given(problems())
def test_excluded_records_count_under_the_first_reason_that_applies(problem):
    assessment = assess_problem(problem)
    for target, synthesis, attack in attacks(problem):
        table = assessment.exclusions
        table = table[(table["target"] == target) & (table["synthesis"] == synthesis)]
        shown = table.set_index("table")[[*REASONS, "remaining"]].to_dict("index")
        assert shown == attack.exclusions()


def copies(problem, n):
    """Give every record n times, so that there are large classes, too."""
    return replace(problem, original=problem.original * n, synthetic=[file * (n + 1) for file in problem.synthetic])


@pytest.mark.slow
@often
@given(problems(), st.sampled_from([1, 1, 3, 9]))
def test_classes_of_the_keys_are_the_crowds_an_intruder_sees(problem, n):
    problem = copies(problem, n)
    assessment = assess_problem(problem)
    without = {key for key in problem.keys if excludes(problem.settings["key_missing"], key)}
    for shown, left_out in ((assessment, without), (assessment.without_exclusions(), set())):
        for (table, synthesis), rows in shown.class_sizes.groupby(["table", "synthesis"]):
            file = problem.original if table == "original" else problem.synthetic[synthesis - 1]
            counts = rows.set_index("size")[["n_classes", "n_records"]].itertuples(name=None)
            found = {size: (n_classes, n_records) for size, n_classes, n_records in counts}
            assert found == class_sizes(file, problem.keys, left_out)
            assert rows["percent"].to_list() == close_to([100 * n / len(file) for _, n in found.values()])


@pytest.mark.slow
@often
@given(problems(), st.sampled_from([1, 3, 9]))
def test_levels_are_given_away_as_an_intruder_counts_them_and_few_records_only_together(problem, n):
    problem = copies(problem, n)
    table = assess_problem(problem).levels
    for target, synthesis, attack in attacks(problem):
        shown = table[(table["target"] == target) & (table["synthesis"] == synthesis)]
        found = {row.level: [row.original, row.disclosed, row.by_chance] for row in shown.itertuples()}
        apart = {level: counts for level, counts in attack.levels().items() if counts[0] >= 10}
        others = [counts for counts in attack.levels().values() if counts[0] < 10]
        expected = apart | (
            {f"{len(others)} other level{'s' * (len(others) > 1)}": [*map(sum, zip(*others, strict=True))]}
            if others
            else {}
        )
        assert {level if isinstance(level, str) else None for level in found} == set(expected)
        for level, counts in found.items():
            assert counts == close_to(expected[level if isinstance(level, str) else None])


@pytest.mark.slow
@often
@given(problems())
def test_flags_are_those_an_intruder_raises(problem):
    assessment = assess_problem(problem)
    for target, synthesis, attack in attacks(problem):
        flags = [flag for flag in assessment.outcome.one_way if (flag.target, flag.synthesis) == (target, synthesis)]
        expected = attack.one_way()
        assert len(flags) == min(len(expected), 1)
        for flag in flags:
            assert (flag.disclosive, flag.percent) == pytest.approx(expected[flag.level])

        flags = [flag for flag in assessment.outcome.two_way if (flag.target, flag.synthesis) == (target, synthesis)]
        found = {
            (flag.key, flag.key_level, flag.target_level): (
                flag.disclosive,
                flag.key_target_total,
                flag.key_total,
                flag.percent,
                flag.disclosive_total,
            )
            for flag in flags
        }
        assert found == attack.two_way()
        assert len(found) == len(flags)
        assert [flag.disclosive for flag in flags] == sorted((flag.disclosive for flag in flags), reverse=True)


@pytest.mark.slow
@often
@given(problems(), st.lists(st.sampled_from([0, 0.25, 0.5, 0.75, 1]), min_size=1, unique=True))
def test_guesses_of_a_given_certainty_are_those_an_intruder_makes(problem, tau):
    table = assess_problem(problem, tau=tau).tau
    shown = {(row.target, row.synthesis, row.tau): row.DiSCO for row in table.itertuples()}
    expected = {
        (target, synthesis, least): attack.disco_at(least)
        for target, synthesis, attack in attacks(problem)
        for least in tau
    }
    assert shown == pytest.approx(expected)


@often
@given(problems())
def test_guesses_of_certainty_one_make_up_disco_and_all_guesses_dcap(problem):
    for _, _, attack in attacks(problem):
        assert attack.disco_at(1) == pytest.approx(attack.measures()["DiSCO"])
    for _, _, attack in attacks(problem, rules=lambda *_: Rules()):
        assert attack.disco_at(0) == pytest.approx(attack.measures()["DCAP_d"])
