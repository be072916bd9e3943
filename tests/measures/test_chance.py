"""What a file gives away by chance, its target shuffled among its records."""

import json
import random
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import assess, examples
from discoreport.measures.chance import all_among
from tests.strategies import problems, sometimes

EXPECTED = json.loads((Path(__file__).parents[1] / "assessment" / "beyond.json").read_text(encoding="utf-8"))
BEYOND = EXPECTED["chance"]
FILES = sorted({case["synthetic"] for case in BEYOND})
EXACT = 1e-9


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("file", FILES)
@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_the_example_survey_has_the_references_worked_out_elsewhere(file):
    cases = [case for case in BEYOND if case["synthetic"] == file]
    (keys,) = {tuple(case["keys"]) for case in cases}
    targets = [case["target"] for case in cases]
    found = assess(examples.FOLDER / "original.csv.gz", examples.FOLDER / file, keys=list(keys), targets=targets)
    table = found.attribute.join(found.cap)
    for case in cases:
        row = table.loc[(case["target"], 1), list(case["expected"])]
        assert row.to_dict() == pytest.approx(case["expected"], abs=EXACT)
    for case in EXPECTED["levels"]:
        if case["synthetic"] == file:
            assert_levels(found.levels.query(f"target == '{case['target']}'"), case["expected"])


def assert_levels(shown, expected):
    """Compare a target's levels with what is expected of each; few of the original's records are put together."""
    rows = shown.set_index("level")
    small = [one for one in expected if one["original"] < 10]
    for one in expected:
        if one not in small:
            row = rows.loc[one["level"] if one["level"] is not None else rows.index.isna()].squeeze()
            assert row[["original", "disclosed"]].tolist() == [one["original"], one["disclosed"]]
            assert row["by_chance"] == pytest.approx(one["by_chance"], abs=EXACT)
            assert row["percent"] == pytest.approx(100 * one["disclosed"] / one["original"])
    others = [name for name in rows.index if isinstance(name, str) and name.endswith((" other level", " other levels"))]
    assert others == ([f"{len(small)} other level{'s' * (len(small) > 1)}"] if small else [])
    for name in others:
        for counted in ("original", "disclosed", "by_chance"):
            assert rows.loc[name, counted] == pytest.approx(sum(one[counted] for one in small), abs=EXACT)


def exactly(n, k, n_all):
    """The probability that n of n_all records are all among k of them, by fractions of whole numbers."""
    few, many = sorted((n, n_all - k))
    found = Fraction(n <= k)
    for taken in range(few if found else 0):
        found *= Fraction(n_all - many - taken, n_all - taken)
    return found


@pytest.mark.parametrize("n_all", [1, 2, 7, 40, 1000, 10**8, 10**8 + 7])
def test_probabilities_are_exact_in_files_of_any_size(n_all):
    some = [0, 1, 2, 3, 14, 15, 16, 17, 60, n_all // 3, n_all // 2]
    sizes = sorted({size for one in some for size in (one, n_all - one) if 0 <= size <= n_all})
    cases = [(n, k) for n in sizes for k in sizes if min(n, n_all - k) <= 60]
    n, k = np.array(cases).T
    expected = [float(exactly(*case, n_all)) for case in cases]
    assert all_among(n, k, n_all) == pytest.approx(expected, abs=1e-12, rel=1e-10)


def test_probabilities_are_exact_where_many_records_are_nearly_all_of_one_level():
    few, n_all = 20_000, 10**8
    digits = 10**40
    expected = digits
    for taken in range(few):
        expected = expected * (n_all - few - taken) // (n_all - taken)
    found = all_among(np.array([few]), np.array([n_all - few]), n_all)
    assert found == pytest.approx([expected / digits], rel=1e-10)


def shuffled_figures(original, synthetic, n_draws, shuffler):
    """DiS, DiSCO and DCAP_d of many orders of the synthetic target; records are (keys, level)."""
    keys, levels = [q for q, _ in synthetic], [t for _, t in synthetic]
    found = defaultdict(list)
    for _ in range(n_draws):
        shuffler.shuffle(levels)
        held = defaultdict(Counter)
        for q, t in zip(keys, levels, strict=True):
            held[q][t] += 1
        found["baseDiS"].append(sum(len(held.get(q, ())) == 1 for q, _ in original))
        found["baseDiSCO"].append(sum(held[q].keys() == {t} for q, t in original if q in held))
        found["baseDCAP_d"].append(sum(held[q][t] / held[q].total() for q, t in original if q in held))
    return {name: [100 * n / len(original) for n in figures] for name, figures in found.items()}


@sometimes
@given(problems(with_settings=False), st.randoms(use_true_random=False))
@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_the_references_are_the_means_of_many_shuffles(problem, shuffler):
    original, synthetic = problem.frames()
    assessment = assess(original, synthetic, keys=problem.keys, targets=problem.targets)
    for result in assessment.outcome.results:
        files = [
            [(tuple(record[key] for key in problem.keys), record[result.target]) for record in records]
            for records in (problem.original, problem.synthetic[result.synthesis - 1])
        ]
        for name, figures in shuffled_figures(*files, 200, random.Random(shuffler.random())).items():
            error = stdev(figures) / len(figures) ** 0.5
            assert result.values[name] == pytest.approx(fmean(figures), abs=5 * error + EXACT)
