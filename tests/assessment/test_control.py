"""What the original has over a control: by hand, against an intruder, and in many draws from one population."""

import math
import statistics

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import ComparisonWarning, Settings, assess, examples, excess_over_control
from discoreport.assessment.analyses.control import COMPARABLE, SHARES
from discoreport.errors import DataError, SettingsError
from discoreport.examples.make_survey import draw
from tests.assessment.test_sensitivity import settings_of
from tests.counting import newcombe, t_quantile, welch, wilson
from tests.intruder import Attack
from tests.measures.test_brute_force import close_to, rules_for
from tests.strategies import often, problems, sometimes, tables

# Files this small leave many levels out, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")

SURVEY = Settings(**examples.SETTINGS)


def with_controls(problem, data):
    records = data.draw(tables([*problem.keys, *problem.targets], 8, True))
    return records + data.draw(st.lists(st.sampled_from(problem.original), max_size=6))


def as_frame(problem, records):
    return pd.DataFrame(records, columns=[*problem.keys, *problem.targets], dtype=object)


@pytest.mark.slow
@often
@given(problems(), st.data())
def test_figures_of_the_control_are_what_an_intruder_counts_of_it(problem, data):
    problem.settings["max_denominator"] = None
    controls = with_controls(problem, data)
    found = excess_over_control(*problem.frames(), settings_of(problem), control=as_frame(problem, controls))
    rows = {(one.target, one.synthesis, one.measure): one for one in found.excesses}
    assert len(rows) == len(problem.targets) * len(problem.synthetic) * len(COMPARABLE)
    for target in problem.targets:
        rules = rules_for(problem, target)
        for synthesis, file in enumerate(problem.synthetic, start=1):
            ours, theirs = (
                Attack(records, file, problem.keys, target, rules) for records in (problem.original, controls)
            )
            for measure in COMPARABLE:
                row = rows[target, synthesis, measure]
                one, other = (attack.measures()[measure] for attack in (ours, theirs))
                assert (row.original, row.control) == close_to((one, other))
                assert row.excess == pytest.approx(one - other, abs=1e-9)
                if measure in SHARES:
                    n, n_control = len(problem.original), len(controls)
                    interval = newcombe(one * n / 100, n, other * n_control / 100, n_control)
                    assert (row.low / 100, row.high / 100) == pytest.approx(interval, abs=1e-9)
            assert_welch(rows[target, synthesis, "DCAP_d"], ours, theirs)


@pytest.mark.parametrize("n", range(10, 200))
def test_degrees_of_freedom_that_are_whole_stay_so_whatever_rounding_does(n):
    half = t_quantile(0.95, n - 1) * math.sqrt(0.3**2 / n)
    low, high = welch(0.5, 0.3, n, 0.4, 0.0, 40)  # without spread in the other file all freedom is that of the first
    assert (low, high) == pytest.approx((0.1 - half, 0.1 + half), abs=1e-12)


def assert_welch(row, ours, theirs):
    samples = []
    for attack in (ours, theirs):
        out = len(attack.d.records) - len(attack.d.left)
        samples.append([float(attack.s.certainty_left(q, t)) for q, t in attack.d.left] + [0.0] * out)
    if min(map(len, samples)) < 2:
        assert row.low is None
        return
    figures = [(statistics.mean(sample), statistics.stdev(sample), len(sample)) for sample in samples]
    ends = welch(*figures[0], *figures[1])
    if ends is None:
        assert (row.low, row.high) == (None, None)
        return
    assert (row.low / 100, row.high / 100) == pytest.approx(np.clip(ends, -1, 1), abs=1e-9)


@sometimes
@given(problems())
def test_a_control_that_is_the_original_has_no_excess_and_is_told(problem):
    problem.settings["max_denominator"] = None
    original, synthetic = problem.frames()
    with pytest.warns(ComparisonWarning, match="is it a copy"):
        found = excess_over_control(original, synthetic, settings_of(problem), control=original.iloc[::-1])
    assert {one.excess for one in found.excesses} == {0}
    assert all(one.low is None or one.low <= 0 <= one.high for one in found.excesses)


@pytest.mark.generated
@sometimes
@given(problems(), st.data())
def test_swapping_original_and_control_turns_the_sign(problem, data):
    problem.settings = {}
    original, synthetic = problem.frames()
    control = as_frame(problem, with_controls(problem, data))
    found = excess_over_control(original, synthetic, settings_of(problem), control=control)
    turned = excess_over_control(control, synthetic, settings_of(problem), control=original)
    for one, other in zip(found.excesses, turned.excesses, strict=True):
        assert one.excess == pytest.approx(-other.excess)
        if one.low is not None:
            assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


@pytest.mark.generated
@sometimes
@given(problems(), st.data())
def test_more_records_like_those_of_the_control_narrow_the_interval_and_change_nothing_else(problem, data):
    problem.settings["max_denominator"] = None
    controls = with_controls(problem, data)
    once, more = (
        excess_over_control(*problem.frames(), settings_of(problem), control=as_frame(problem, controls * n))
        for n in (1, 20)
    )
    for one, other in zip(once.excesses, more.excesses, strict=True):
        assert (one.control, one.excess) == pytest.approx((other.control, other.excess))
        if one.measure in SHARES:
            assert other.high - other.low <= one.high - one.low + 1e-9


@pytest.mark.parametrize("groups", [4, [0, 10, 20, 40, 1000], [0, 999]])
def test_values_that_only_the_control_has_change_neither_groups_nor_figures(groups):
    random = np.random.default_rng(5)
    original, synthetic = (
        pd.DataFrame({"age": random.integers(20, 50, 200), "pay": random.integers(0, 40, 200), "ill": list("yn") * 100})
        for _ in range(2)
    )
    original.loc[0, "pay"] = synthetic.loc[0, "pay"] = -8
    control = pd.DataFrame({"age": [19, 20, 21, None], "pay": [-100.0, 3.5, 5000, -8], "ill": ["y", "x", None, "n"]})
    settings = Settings(
        keys=["age", "pay"], targets=["ill"], numeric_groups={"pay": groups}, special_codes={"pay": [-8]}
    )
    found = excess_over_control(original, synthetic, settings, control=control)
    plain = assess(original, synthetic, **settings.model_dump(exclude_unset=True))
    for one in found.excesses:
        assert one.original == pytest.approx(plain.value(one.measure, "ill"))
    pays = {"pay": found.settings.numeric_groups["pay"]}
    assert pays == {"pay": tuple(groups) if isinstance(groups, list) else groups}


def test_a_value_outside_the_groups_belongs_to_the_class_at_the_end():
    original = pd.DataFrame({"pay": [1, 2, 11, 12, 21, 22], "ill": list("aabbcc")})
    control = pd.DataFrame({"pay": [-5, 10, 15, 20, 99], "ill": list("abbcc")})
    settings = Settings(keys=["pay"], numeric_groups={"pay": [0, 10, 20, 30]})
    found = excess_over_control(original, original, settings, control=control)
    assert {one.measure: one.control for one in found.excesses} == dict.fromkeys(COMPARABLE, 100)


def test_levels_that_only_the_control_has_meet_nothing():
    original = pd.DataFrame({"village": ["a", "b", None], "ill": ["y", "n", "\0"]})
    control = pd.DataFrame({"village": ["c", "d", "a", None], "ill": ["y", "n", "z", "\0"]})
    found = excess_over_control(original, original, Settings(keys=["village"]), control=control)
    assert {one.measure: one.control for one in found.excesses} == {"iS": 50, "DiS": 50, "DiSCO": 25, "DCAP_d": 25}


def test_a_control_whose_values_occur_nowhere_else_is_warned_of():
    original = pd.DataFrame({"age": range(20), "ill": ["y", "n"] * 10})
    control = pd.DataFrame({"age": range(100, 120), "ill": ["y", "n"] * 10})
    with pytest.warns(ComparisonWarning, match="0.0 % of the control's records"):
        excess_over_control(original, original, Settings(keys=["age"]), control=control)


def findings_of(control):
    found = excess_over_control(examples.read("original"), examples.read("synthetic_1"), SURVEY, control=control)
    return {finding.finding for finding in found.findings}


@pytest.mark.slow
def test_a_control_of_records_that_took_part_is_warned_of():
    original, control = examples.read("original"), examples.read("control")
    assert findings_of(control) == set()
    assert findings_of(original.sample(1000, random_state=1)) == {"control_in_original"}
    mixed = pd.concat([control.head(800), original.head(200)])  # a fifth took part
    assert findings_of(mixed) == {"control_in_original"}
    few = ["sex", "region", "smoker"]  # nearly everybody is like somebody
    coarse = Settings(keys=["sex", "region"], targets=["smoker"])
    found = excess_over_control(
        original[few], examples.read("synthetic_1")[few], coarse, control=original[few].sample(1000, random_state=1)
    )
    assert not found.findings


@pytest.mark.generated
def test_a_control_that_is_the_synthetic_file_is_warned_of():
    synthetic = examples.read("synthetic_1")
    assert "control_is_synthetic" in findings_of(synthetic.sample(frac=1, random_state=1))
    with pytest.warns(ComparisonWarning, match="is it that file"):
        findings_of(synthetic)
    doubted = assess(examples.read("original"), synthetic, **examples.SETTINGS).with_analysis(
        excess_over_control(examples.read("original"), synthetic, SURVEY, control=synthetic)
    )
    assert "Control (in doubt: see the warnings about the control): the greatest excess is " in str(doubted)


def test_never_changes_the_inputs():
    frames = [examples.read(name).head(300) for name in ("original", "synthetic_1", "control")]
    copies = [frame.copy(deep=True) for frame in frames]
    excess_over_control(frames[0], frames[1], SURVEY, control=frames[2])
    for frame, copy in zip(frames, copies, strict=True):
        pd.testing.assert_frame_equal(frame, copy, check_exact=True)


def covered(seed):
    """Draw three files from one population, and tell for each target and measure whether 0 is in the interval."""
    random = np.random.default_rng(seed)
    original, synthetic, control = draw(2000, random), draw(2500, random), draw(1500, random)
    found = excess_over_control(original, synthetic, SURVEY, control=control).table
    found["covered"] = (found["low"] <= 0) & (found["high"] >= 0)
    return found.set_index(["measure", "target"])["covered"]


@pytest.mark.slow
def test_independent_draws_from_the_population_have_no_excess():
    runs = pd.concat([covered(seed) for seed in range(4)])
    assert runs.groupby("measure").mean().min() > 0.85


@pytest.mark.generated
def test_the_interval_covers_nothing_in_93_of_100_draws_and_more():
    runs = pd.concat([covered(seed) for seed in range(100)])
    n_covered = runs.groupby(level=["measure", "target"]).sum()
    for measure in ("DiSCO", "DCAP_d"):
        assert n_covered[measure, "marital"] >= 93
    assert (runs.groupby("measure").mean() > 0.93).all()


@pytest.mark.slow
def test_a_leaky_file_is_clearly_above_the_control():
    found = excess_over_control(
        examples.path("original"), examples.path("leaky"), SURVEY, control=examples.path("control")
    )
    table = found.table.set_index(["measure", "target"])
    for measure in ("DiSCO", "DCAP_d"):
        assert (table.loc[measure, "low"] > 5).all()
    fair = excess_over_control(
        examples.path("original"), examples.path("low_fidelity"), SURVEY, control=examples.path("control")
    )
    assert (fair.table["excess"].abs() < 3).all()


def test_what_cannot_be_compared_is_refused():
    frame = pd.DataFrame({"age": [1, 2], "ill": ["y", "n"]})
    with pytest.raises(SettingsError, match="max_denominator"):
        excess_over_control(frame, frame, Settings(keys=["age"], max_denominator=1), control=frame)
    with pytest.raises(DataError, match="No column 'ill' in 'control'"):
        excess_over_control(frame, frame, Settings(keys=["age"]), control=frame[["age"]])
    with pytest.raises(SettingsError, match="such as"):
        excess_over_control(frame, frame, Settings(keys=["age"]), control=frame, confidence=95)


# Intervals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "interval"),
    [
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((6, 7, 2, 7), (0.0582, 0.8062)),
        ((5, 56, 0, 29), (-0.0381, 0.1926)),
        ((0, 10, 0, 20), (-0.1611, 0.2775)),
        ((0, 10, 0, 10), (-0.2775, 0.2775)),
        ((10, 10, 0, 20), (0.6791, 1.0)),
        ((10, 10, 0, 10), (0.6075, 1.0)),
    ],
)
def test_differences_of_proportions_are_the_published_ones(counts, interval):
    assert newcombe(*counts) == pytest.approx(interval, abs=5e-5)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (3, 3.1824), (5, 2.5706), (10, 2.2281), (29, 2.0452), (30, 2.0423), (120, 1.9799), (1001, 1.9623)],
)
def test_quantiles_of_student_are_the_published_ones(freedom, quantile):
    assert t_quantile(0.95, freedom) == pytest.approx(quantile, abs=5e-5)


def test_degrees_of_freedom_of_welch_are_not_rounded():
    # 59 by the formula, and less than that by a rounding error: floored, they would be 58.
    low, high = welch(0.5, 0.1, 30, 0.4, 0.1 * (31 / 30) ** 0.5, 31)
    assert (high - low) / 2 == pytest.approx(t_quantile(0.95, 59) * 0.1 * (2 / 30) ** 0.5, rel=1e-4)
    low, high = welch(0.5, 0.2, 3, 0.4, 0.1, 5)
    parts = 0.04 / 3, 0.01 / 5
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / 2 + parts[1] ** 2 / 4)
    assert 2 < freedom < 3
    assert (high - low) / 2 == pytest.approx(t_quantile(0.95, freedom) * sum(parts) ** 0.5)


def test_means_that_do_not_vary_have_no_interval_of_width_0():
    frame = pd.DataFrame({"age": [1, 2, 3], "ill": list("yny")})
    with pytest.warns(ComparisonWarning, match="is it a copy"):
        found = excess_over_control(frame, frame, Settings(keys=["age"]), control=frame)
    by_measure = {one.measure: one for one in found.excesses}
    assert (by_measure["DCAP_d"].excess, by_measure["DCAP_d"].low) == (0, None)
    assert by_measure["DiSCO"].high > by_measure["DiSCO"].low


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_score_interval_holds_the_share_and_stays_inside(drawn):
    low, high = wilson(*drawn)
    assert 0 <= low <= drawn[0] / drawn[1] <= high <= 1
