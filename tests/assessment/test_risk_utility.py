"""Risk beside utility: of releases, sizes and steps, and which of them no other one beats."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import Settings, assess, compare_releases, load, mitigate, release_size, trade_off, utility
from discoreport.assessment.analyses.utility import candidates as few_figures
from discoreport.assessment.risk_utility import Candidate, Candidates, candidates
from tests.engines import unwarned
from tests.records import FileUtility, compared

STEPS = (
    {"step": "merge levels", "variable": "b", "mapping": {"z": "y"}},
    {"step": "remove replicated uniques"},
)


def frames(n_files=3, n_records=60):
    random = np.random.default_rng(4)
    return [
        pd.DataFrame({name: random.choice(list("xyz"), n_records - 7 * file) for name in "abcd"})
        for file in range(n_files + 1)
    ]


def pairs_of(original, synthetic):
    """Give what the analysis of utility finds over all pairs, file by file."""
    return utility(original, synthetic, Settings(keys=["a"], targets=[])).of_files(2)


SETTINGS = Settings(keys=["a", "b"], targets=["c", "d"])


def test_the_utility_of_releases_is_that_of_the_analysis():
    original, first, second, third = frames()
    with unwarned():
        found = compare_releases(original, {"one": first, "two": [second, third]}, SETTINGS)
        expected = [pairs_of(original, first), pairs_of(original, [second, third])]
    assert [one.utility for one in found.releases] == expected


def test_the_utility_of_sizes_is_that_of_the_records_released():
    original, synthetic, *_ = frames()
    found = release_size(original, synthetic, SETTINGS, sizes=[20, 53], draws=2)
    assert [(one.n_synthetic, one.draw) for one in found.utility] == [(20, 1), (53, 1), (20, 2), (53, 2)]
    (whole,) = pairs_of(original, synthetic)
    assert [one.tables for one in found.utility if one.n_synthetic == 53] == [whole, whole]
    several = release_size(original, [synthetic, synthetic.iloc[:20]], SETTINGS)
    assert [(one.synthesis, one.n_synthetic) for one in several.utility] == [(1, 53), (2, 20)]
    assert several.utility[1].tables == pairs_of(original, synthetic.iloc[:20])[0].model_copy(update={"synthesis": 2})


def test_the_utility_of_steps_is_that_of_the_file_they_lead_to():
    original, synthetic, *_ = frames()
    with unwarned():
        trade = trade_off(original, synthetic, SETTINGS, STEPS)
        mitigated = mitigate(original, synthetic, SETTINGS, STEPS)
        released = [mitigate(original, synthetic, SETTINGS, STEPS[:n]).frame for n in range(3)]
        expected = [pairs_of(original, one)[0] for one in released]
    assert [one.tables for one in mitigated.mitigation.utility] == expected
    by_steps = {one.steps: one for one in trade.choices}
    assert [by_steps[steps].utility.tables for steps in ((), (1,), (1, 2))] == expected
    for one in trade.choices:
        assert one.utility.repU == one.repU
    last = {(one.target, one.measure): one.after for one in mitigated.mitigation.figures}
    excess = {target: last[target, "DiSCO"] - last[target, "baseDiSCO"] for target in "cd"}
    worst = max(excess, key=excess.get)
    told = mitigated.mitigation.utility[-1]
    assert (told.target, told.excess) == (worst, pytest.approx(excess[worst]))
    assert told.most_DiSCO == max(last[target, "DiSCO"] for target in "cd")


def test_a_merged_level_counts_as_different_but_numbers_in_classes_do_not():
    random = np.random.default_rng(1)
    original = pd.DataFrame({"age": random.integers(0, 90, 300), "b": random.choice(list("xyz"), 300)})
    steps = [{"step": "merge levels", "variable": "b", "mapping": {"z": "y"}}]
    classes = [{"step": "group values", "variable": "age", "groups": 5}]
    settings = Settings(keys=["age"], targets=["b"])
    with unwarned():
        before, merged = mitigate(original, original, settings, steps).mitigation.utility
        _, grouped = mitigate(original, original, settings, classes).mitigation.utility
        _, limited = mitigate(
            original, original, settings, [{"step": "limit values", "variable": "age", "top": 88}]
        ).mitigation.utility
    assert before.tables.mean_MabsDD == grouped.tables.mean_MabsDD == limited.tables.mean_MabsDD == 0
    assert merged.tables.mean_MabsDD == pytest.approx(2 * (original["b"] == "z").mean())


def test_where_pairs_are_too_many_single_variables_are_compared(monkeypatch):
    original, synthetic, *_ = frames()
    monkeypatch.setattr(few_figures, "MOST_TABLES", 5)
    found = compare_releases(original, {"one": synthetic}, SETTINGS).releases[0].utility
    assert found == utility(original, synthetic, Settings(keys=["a"], targets=[])).of_files(1)


def tables(difference):
    return FileUtility(
        synthesis=1, n_tables=1, mean_S_pMSE=1, worst_S_pMSE=1, mean_MabsDD=difference, worst_MabsDD=1, mean_PO50=0,
        worst_PO50=0, worst=("a", "b"),
    )  # fmt: skip


@given(st.lists(st.tuples(st.one_of(st.none(), st.integers(-3, 9)), st.integers(0, 9)), min_size=1, max_size=12))
def test_a_candidate_is_efficient_where_no_other_one_beats_it(made):
    tried = Candidates(
        "releases", tuple(Candidate(str(n), False, None, risk, "", tables(far)) for n, (risk, far) in enumerate(made))
    )
    known = [(risk, far) for risk, far in made if risk is not None]
    best = {
        one for one in known if not any(r <= one[0] and f <= one[1] and (r, f) != one for r, f in known)
    }  # fmt: skip
    efficient = [(one.excess, round(one.difference / 100)) for one in tried.efficient("excess")]
    assert sorted(efficient) == sorted(best)  # of those alike the first
    assert tried.efficient("repU") == ()


def test_candidates_are_those_of_every_analysis_and_the_assessed_one_is_known(analysed):
    gathered = {one.analysis: one for one in candidates(analysed)}
    assert list(gathered) == ["releases", "mitigation", "trade_off", "release_size"]
    for one in gathered.values():
        assert sum(candidate.assessed for candidate in one.tried) == 1
    releases = gathered["releases"].tried
    result = analysed.analyses.releases
    for one in releases:
        values = [figures.values for figures in result.results if figures.release == one.name]
        assert one.repU == max(found["repU"] for found in values)
        assert one.DiSCO == max(found["DiSCO"] for found in values)
        assert one.excess == max(found["DiSCO"] - found["baseDiSCO"] for found in values)
    sizes = gathered["release_size"].tried
    assert [one.difference for one in sizes][-1] == min(one.difference for one in sizes)


def test_records_of_an_earlier_version_have_no_map_and_verify_says_so(analysed, tmp_path):
    path = tmp_path / "assessment.json"
    analysed.save(path)
    held = json.loads(path.read_text())

    def without(value):
        if isinstance(value, dict):
            return {name: without(one) for name, one in value.items() if name != "utility"}
        return [without(one) for one in value] if isinstance(value, list) else value

    held["analyses"] = without(held["analyses"])
    path.write_text(json.dumps(held))
    earlier = load(path)
    assert candidates(earlier) == ()
    for name in ("releases", "mitigation", "trade_off", "release_size"):
        now = getattr(analysed.analyses, name)
        check = compared(name, getattr(earlier.analyses, name), now)
        assert (check.outcome, "utility" in check.detail) == ("unchecked", True), check
        assert compared(name, now, now).outcome == "holds"
    other = earlier.analyses.trade_off.choices[0].model_copy(update={"repU": 99.0})
    wrong = earlier.analyses.trade_off.model_copy(update={"choices": (other, *earlier.analyses.trade_off.choices[1:])})
    assert compared("trade_off", wrong, analysed.analyses.trade_off).outcome == "fails"


def test_one_candidate_needs_no_map():
    original, synthetic, *_ = frames()
    with unwarned():
        assessment = assess(original, synthetic, keys=["a"])
        found = compare_releases(original, {"this release": synthetic}, assessment.settings)
    assert candidates(assessment.with_analysis(found)) == ()
