"""Every subset of the keys, and what each key adds: counted by hand, by an intruder, and by `assess`."""

import itertools
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import Exclusion, Settings, assess, sensitivity
from discoreport.errors import SettingsError
from discoreport.measures import MEASURES
from tests.counting import WITHOUT_KEYS, gather
from tests.intruder import Attack, Rules
from tests.measures.test_brute_force import close_to, rules_for
from tests.strategies import often, problems, sometimes

# Files this small leave many levels out, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")

ALL_MEASURES = [name for name in MEASURES if name not in WITHOUT_KEYS]


def settings_of(problem, **changed):
    chosen = {"keys": problem.keys, "targets": problem.targets, **problem.settings, **changed}
    chosen["exclude"] = [Exclusion(**rule) for rule in chosen.get("exclude", ())]
    return Settings(**chosen)


def subsets(names):
    return itertools.chain.from_iterable(itertools.combinations(names, size) for size in range(len(names) + 1))


def as_figures(values):
    return {name: float("nan") if value is None else value for name, value in values.items()}


@pytest.mark.slow
@often
@given(problems())
def test_every_subset_is_what_an_intruder_with_these_keys_counts(problem):
    found = sensitivity(*problem.frames(), settings_of(problem), measures=ALL_MEASURES)
    by_subset = {}
    for one in found.figures:
        for keys, value in zip(found.subsets, one.values, strict=True):
            by_subset.setdefault((one.target, one.synthesis, keys), {})[one.measure] = value
    expected = {}
    for target in problem.targets:
        rules = rules_for(problem, target)
        for synthesis, records in enumerate(problem.synthetic, start=1):
            for keys in subsets(problem.keys):
                known = Rules(
                    levels=rules.levels,
                    pairs={rule for rule in rules.pairs if rule[1] in keys},
                    without_missing_keys=rules.without_missing_keys & set(keys),
                    without_missing_target=rules.without_missing_target,
                    max_denominator=rules.max_denominator,
                )
                attack = Attack(problem.original, records, keys, target, known)
                expected[target, synthesis, keys] = attack.measures_of_analyses()
    assert by_subset.keys() == expected.keys()
    for place, values in expected.items():
        known = {name: value for name, value in values.items() if name not in WITHOUT_KEYS}
        assert as_figures(by_subset[place]) == close_to(known)


@pytest.mark.slow
@sometimes
@given(problems(with_settings=False), st.data())
def test_a_subset_has_the_figures_of_an_assessment_with_these_keys(problem, data):
    frames = problem.frames()
    found = sensitivity(*frames, settings_of(problem, keys=problem.keys[:1]), candidates=problem.keys[1:])
    keys = data.draw(st.sampled_from([chosen for chosen in subsets(problem.keys) if chosen]))
    assessment = assess(*frames, keys=keys, targets=problem.targets)
    for target in problem.targets:
        for measure in found.measures:
            of_file = assessment.values(measure, target)[found.file(measure, target) - 1]
            assert found.value(measure, keys, target) == pytest.approx(of_file)


@pytest.mark.slow
@sometimes
@given(problems(), st.sampled_from(["UiO", "repU", "DiSCO", "Dorig", "iS"]))
def test_shares_of_the_keys_add_up_to_the_whole(problem, measure):
    found = sensitivity(*problem.frames(), settings_of(problem), measures=measure)
    for target in found.targets or [None]:
        shares = found.shapley(measure, target)
        assert list(shares["key"]) == problem.keys
        whole = found.value(measure, problem.keys, target) - found.value(measure, (), target)
        assert shares["share"].sum() == pytest.approx(whole, abs=1e-9)


def test_shares_are_means_over_all_orders():
    random = np.random.default_rng(3)
    frames = [
        pd.DataFrame(
            {name: random.integers(0, levels, 60) for name, levels in zip("abcdt", (2, 3, 4, 5, 2), strict=True)}
        )
        for _ in range(2)
    ]
    found = sensitivity(*frames, Settings(keys=["a"], targets=["t"]), candidates=["b", "c", "d"], measures="DiSCO")
    added = dict.fromkeys("abcd", 0.0)
    orders = list(itertools.permutations("abcd"))
    for order in orders:
        for place, key in enumerate(order):
            before, after = found.value("DiSCO", order[:place]), found.value("DiSCO", order[: place + 1])
            added[key] += (after - before) / len(orders)
    assert found.shapley("DiSCO").set_index("key")["share"].to_dict() == pytest.approx(added)


def test_a_key_that_tells_nothing_has_no_share():
    original = pd.DataFrame({"age": range(8), "one": ["x"] * 8, "ill": list("ynynynyn")})
    found = sensitivity(original, original, Settings(keys=["age", "one"]), measures=["UiO", "DiSCO"])
    assert found.shapley("UiO")["share"].to_list() == [100, 0]
    assert found.shapley("DiSCO")["share"].to_list() == [100, 0]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("levels", [(2, 2, 2, 2, 2), (9, 7, 5, 3, 2), (300, 40, 2, 2, 3)])
def test_larger_files_have_the_figures_that_are_counted_subset_by_subset(levels):
    random = np.random.default_rng(sum(levels))
    names = list("abcde")
    frames = [
        pd.DataFrame({name: random.integers(0, n, size) for name, n in zip([*names, "t"], (*levels, 3), strict=True)})
        for size in (700, 450)
    ]
    settings = Settings(keys=names, targets=["t"])
    refined = sensitivity(*frames, settings, measures=ALL_MEASURES)
    # A denominator that no cell reaches excludes nothing, but makes each subset be counted on its own.
    counted = sensitivity(*frames, settings.model_copy(update={"max_denominator": 10**6}), measures=ALL_MEASURES)
    pd.testing.assert_frame_equal(refined.table, counted.table)
    assert len(refined.table) == 2**5


def test_leaving_out_and_adding_in_start_from_the_keys_of_the_settings():
    original = pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 1, 2], "c": [1, 2, 3, 4], "t": list("wxyz")})
    found = sensitivity(original, original, Settings(keys=["a", "b"], targets=["t"]), candidates="c")
    out = found.leave_one_out("repU").set_index("key")
    assert out.loc["a"].to_list() == [100, 0, 100]
    assert found.add_one_in("repU").to_numpy().tolist() == [["c", 100, 100, 0]]
    assert found.smallest_exceeding("repU", 99) == ("c",)
    assert found.smallest_exceeding("repU", 100) is None
    assert found.smallest_exceeding("iS", 0) == ()


@pytest.mark.slow
def test_too_many_subsets_are_evaluated_up_to_a_size_and_it_says_so():
    random = np.random.default_rng(1)
    names = [f"k{number}" for number in range(9)]
    frame = pd.DataFrame({name: random.integers(0, 4, 50) for name in [*names, "t"]})
    settings = Settings(keys=names[:4], targets=["t"])
    found = sensitivity(frame, frame, settings, candidates=names[4:], most=50)
    whole = sensitivity(frame, frame, settings, candidates=names[4:])
    assert not found.complete
    assert found.largest == 2
    assert whole.complete
    sizes = found.table["n_keys"].value_counts().to_dict()
    assert sizes == {0: 1, 1: 9, 2: 36, 3: 4, 4: 1, 5: 5, 9: 1}
    assert set(found.subsets) < set(whole.subsets)
    for keys in found.subsets:
        assert found.value("DiSCO", keys) == whole.value("DiSCO", keys)
    pd.testing.assert_frame_equal(found.add_one_in("DiSCO"), whole.add_one_in("DiSCO"))
    pd.testing.assert_frame_equal(found.leave_one_out("DiSCO"), whole.leave_one_out("DiSCO"))
    with pytest.raises(SettingsError, match="raise most, or name fewer"):
        found.shapley("DiSCO")
    with pytest.raises(SettingsError, match="was not evaluated"):
        found.value("DiSCO", names[:3] + names[-1:])


def test_the_file_where_the_measure_is_highest_leads_and_identity_alone():
    original = pd.DataFrame({"a": [1, 2, 3, 4]})
    halves = [pd.DataFrame({"a": [1, 2, 9, 9]}), pd.DataFrame({"a": [1, 1, 9, 9]})]
    found = sensitivity(original, halves, Settings(keys=["a"], targets=[]), measures=["UiO", "repU"])
    assert found.targets == ()
    assert (found.value("repU", ["a"]), found.file("repU")) == (50, 1)
    again = sensitivity(original, halves[::-1], Settings(keys=["a"], targets=[]), measures=["repU"])
    assert (again.value("repU", ["a"]), again.file("repU")) == (50, 2)
    assert again.shapley("repU")["share"].to_list() == [50]
    assert found.table.query("n_keys == 1")["repU"].to_list() == [50, 0]


def test_missing_keys_that_are_left_out_are_so_without_targets_too():
    original = pd.DataFrame({"a": [1, None, 3, 4]})
    settings = Settings(keys=["a"], targets=[], key_missing="exclude")
    found = sensitivity(original, original, settings, measures="UiO")
    assert (
        found.value("UiO", ["a"])
        == 75
        == assess(original, original, keys="a", targets=[], key_missing="exclude").value("UiO")
    )


def test_figures_are_missing_where_there_is_nothing_to_divide_by():
    original, synthetic = pd.DataFrame({"a": [1, 2], "t": [1, 1]}), pd.DataFrame({"a": [3, 4], "t": [1, 2]})
    found = sensitivity(original, synthetic, Settings(keys=["a"]), measures=["TCAP", "DiSCO"])
    assert found.value("TCAP", ["a"]) is None
    assert found.table["TCAP"].isna().all()
    assert found.shapley("TCAP")["share"].isna().all()


def test_progress_comes_to_the_end():
    original = pd.DataFrame({"a": [1, 2], "b": [1, 1], "t": [1, 1]})
    told = []
    sensitivity(original, [original, original], Settings(keys=["a", "b"]), progress=lambda *what: told.append(what))
    assert [done for done, *_ in told] == list(range(17))  # the keys alone, and the target
    assert told[-1] == (16, 16, "")


def test_wrong_names_are_refused_with_what_would_do():
    frame = pd.DataFrame({"a": [1, 2], "b": [1, 1], "t": [1, 1]})
    settings = Settings(keys=["a"], targets=["t"])
    with pytest.raises(SettingsError, match="both a key and a target"):
        sensitivity(frame, frame, settings, candidates=["t"])
    with pytest.raises(SettingsError, match="Did you mean 'DiSCO'"):
        sensitivity(frame, frame, settings, measures=["DISCO"])
    with pytest.raises(SettingsError, match="no key has a part"):
        sensitivity(frame, frame, settings, measures=["baseCAPd"])
    with pytest.raises(SettingsError, match="from 1"):
        sensitivity(frame, frame, settings, most=0)
    with pytest.raises(ValueError, match="No column 'c'"):
        sensitivity(frame, frame, settings, candidates=["c"])
    found = sensitivity(frame, frame, settings, candidates=["b"])
    with pytest.raises(SettingsError, match="No candidate 'c'"):
        found.value("UiO", ["c"])
    with pytest.raises(SettingsError, match="No target 'u'"):
        found.value("DiSCO", ["a"], "u")
    with pytest.raises(SettingsError, match="No measure 'CAPd'"):
        found.shapley("CAPd")


def test_result_survives_json():
    frame = pd.DataFrame({"a": [1, 2], "b": [1, 1], "t": [1, 1]})
    found = sensitivity(frame, frame, Settings(keys=["a", "b"]))
    assert type(found).model_validate_json(found.model_dump_json()) == found


# Threads -----------------------------------------------------------------------------------------


def test_an_error_in_one_thread_is_raised_after_the_results_of_the_others():
    def fails():
        yield 1
        raise ZeroDivisionError

    found, results = set(), gather([fails(), iter([2, 3]), iter([4])])
    for _ in range(4):
        found.add(next(results))
    assert found == {1, 2, 3, 4}
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_work_ends_when_nobody_wants_more_of_it():
    done = []

    def endless():
        for number in itertools.count(1):
            done.append(number)
            yield number

    results = gather([endless(), endless()])
    assert next(results) >= 1
    results.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPoolExecutor")]
