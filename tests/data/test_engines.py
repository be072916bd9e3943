"""Every engine gives the figures of the one in memory: one body of tests, run once for each engine."""

import json
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import assess
from discoreport.errors import SettingsError
from tests.engines import assert_same, assess_in, comparable, most_values
from tests.measures.test_reference_cases import assert_agrees, frames_of, load_cases
from tests.strategies import few, problems


def problems_of_cases():
    """Gather the reference cases that differ in nothing but the target: one assessment answers them all.

    Spark, which takes seconds for each, answers the first of each kind: a number of files, and settings.
    """
    gathered = {}
    for case, folder in (entry.values for entry in load_cases() if not entry.marks):
        same = [folder.name, *(case[name] for name in ("original", "synthetic", "keys", "settings"))]
        gathered.setdefault(json.dumps(same), (folder, []))[1].append(case)
    kinds = set()
    for number, (folder, cases) in enumerate(gathered.values()):
        marks = [pytest.mark.generated] if number else []
        kind = len(cases[0]["synthetic"]), *sorted(cases[0]["settings"])
        engines = ["duckdb"] if kind in kinds else ["duckdb", "spark"]
        kinds.add(kind)
        yield pytest.param(folder, cases, engines, id=f"{folder.name}-{cases[0]['id']}-{len(cases)}", marks=marks)


@pytest.mark.parametrize(("folder", "cases", "engines"), list(problems_of_cases()))
def test_gives_the_figures_of_every_reference_case(engine, folder, cases, engines):
    if engine not in engines:
        pytest.skip(f"{engine} answers one problem of each kind")
    cases = cases[:2] if engine == "spark" else cases  # further targets are counted alike
    frames = frames_of(cases[0], folder)
    arguments = {"keys": cases[0]["keys"], "targets": [case["target"] for case in cases], **cases[0]["settings"]}
    found = assess_in(engine, *frames, **arguments)
    assert_same(found, assess_in("memory", *frames, **arguments))
    for case in cases:
        assert_agrees(found.for_targets([case["target"]]), case)


@pytest.mark.slow
@few
@given(problem=problems())
def test_gives_the_figures_of_random_tables(engine, problem):
    frames = problem.frames()
    arguments = {"keys": problem.keys, "targets": problem.targets, **problem.settings}
    assert_same(assess_in(engine, *frames, **arguments), assess_in("memory", *frames, **arguments))


@pytest.mark.slow
def test_gives_the_same_figures_to_the_last_digit_each_time(engine):
    random = np.random.default_rng(5)
    n = 4_000 if engine == "spark" else 200_000
    original = pd.DataFrame({"k": random.integers(0, 30, n), "q": random.integers(0, 20, n)})
    original["t"] = (original["k"] * original["q"]) % 7 + (random.random(n) < 0.1)
    synthetic = original.assign(q=random.permutation(original["q"]))
    settings = {"keys": ["k", "q"], "targets": ["t"]}
    found = assess_in(engine, original, [synthetic], **settings).outcome
    for seed in (1, 2):
        files = [frame.sample(frac=1, random_state=seed) for frame in (original, synthetic)]
        assert assess_in(engine, files[0], files[1:], **settings).outcome == found


@pytest.mark.slow
@few
@given(data=st.data())
def test_groups_random_numbers_alike(engine, data):
    numbers = st.one_of(st.none(), st.sampled_from([-8.0, 0.1, 0.2, 0.3]), st.floats(-1e6, 1e6, width=32))
    records = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 9), numbers), min_size=4, max_size=40)
    frames = [pd.DataFrame(data.draw(records), columns=["q", "k", "t"]).astype({"t": "float64"}) for _ in range(3)]
    frames[0].loc[0, "t"] = -8.0
    if frames[0]["t"].nunique() < 2:
        frames[0].loc[1, "t"] = 5.0
    arguments = {"keys": ["q", "k"], "targets": ["t"], "numeric_groups": {"t": 4, "k": 3}, "special_codes": {"t": [-8]}}
    arguments["exclude"] = [{"target": "t", "level": -8}]
    assert_same(
        assess_in(engine, frames[0], frames[1:], **arguments), assess_in("memory", frames[0], frames[1:], **arguments)
    )


def assess_large(*arguments, **settings):
    """Assess with every variable taken for one with more distinct values than may be brought here."""
    with most_values(1):
        return assess_in(*arguments, **settings)


def figures(assessment):
    """Keep what doesn't depend on how a variable is compared."""
    return assessment.model_copy(update={"findings": (), "variables": ()})


@pytest.mark.slow
@few
@given(problem=problems())
def test_gives_the_figures_when_values_stay_in_the_engine(engine, problem):
    frames = problem.frames()
    arguments = {"keys": problem.keys, "targets": problem.targets, **problem.settings}
    large = assess_large(engine, *frames, **arguments)
    assert_same(figures(large), figures(assess_in("memory", *frames, **arguments)))


@pytest.mark.slow
def test_finds_the_same_classes_when_values_stay_in_the_engine(engine):
    random = np.random.default_rng(3)
    incomes = [np.round(random.lognormal(8, 1, 400), 2) for _ in range(3)]
    frames = [
        pd.DataFrame({"person": random.permutation(400), "sex": random.integers(0, 2, 400), "income": income})
        for income in incomes
    ]
    for one in frames:
        one.loc[:20, "income"] = -8
        one.loc[390:, "income"] = np.nan
    arguments = {
        "keys": ["sex", "person"],
        "targets": ["income"],
        "numeric_groups": {"income": 7, "person": [0, 100, 200, 399]},
        "special_codes": {"income": [-8]},
        "exclude": [{"target": "income", "level": -8, "key": "sex", "key_level": 1}],
    }
    large = assess_large(engine, frames[0], frames[1:], **arguments)
    expected = assess_in("memory", frames[0], frames[1:], **arguments)
    assert_same(figures(large), figures(expected))
    assert large.variables == expected.variables
    assert "identifier" not in {one.finding for one in large.findings}
    assert {"many_values"} == {one.finding for one in large.findings} - {one.finding for one in expected.findings}


def test_refuses_numbers_outside_given_breaks_in_the_same_words(engine):
    frame = pd.DataFrame({"sex": [1, 2] * 5, "income": range(2_000_000, 2_000_010)})
    arguments = {"keys": "sex", "numeric_groups": {"income": [0, 1234567.5]}}
    words = re.escape("20 values of 'income' lie outside the breaks 0 to 1234567.5.")
    with pytest.raises(SettingsError, match=words):
        assess_in("memory", frame, [frame], **arguments)
    with pytest.raises(SettingsError, match=words):
        assess_large(engine, frame, [frame], **arguments)


NUMBERS = pd.Series(range(200), dtype="float64")
FEW_MISSING, FEW_INFINITE = NUMBERS.where(NUMBERS > 3), NUMBERS.where(NUMBERS > 3, np.inf)


@pytest.mark.fast_cases(1)
@pytest.mark.spark_cases(1)
@pytest.mark.parametrize(
    ("original", "synthetic", "codes"),
    [
        pytest.param(NUMBERS, NUMBERS + 120, [], id="most are outside the range"),
        pytest.param(NUMBERS, NUMBERS + 20, [], id="few are outside the range"),
        pytest.param(NUMBERS, FEW_INFINITE, [], id="infinite in the synthetic file"),
        pytest.param(FEW_INFINITE, NUMBERS + 20, [], id="infinite in the original"),
        pytest.param(NUMBERS.where(NUMBERS > 3, -9), NUMBERS.where(NUMBERS > 0, -5), [-9], id="special code"),
        pytest.param(NUMBERS, FEW_MISSING, [], id="missing in the synthetic file"),
        pytest.param(FEW_MISSING, NUMBERS, [], id="missing in the original"),
        pytest.param(NUMBERS.where(NUMBERS > 300), NUMBERS, [], id="all missing in the original"),
        pytest.param(NUMBERS, NUMBERS.where(NUMBERS > 300), [], id="all missing in the synthetic file"),
        pytest.param(NUMBERS[:90], NUMBERS[:90], [], id="few records"),
    ],
)
def test_finds_the_same_differences_when_values_stay_in_the_engine(engine, original, synthetic, codes):
    frames = [pd.DataFrame({"sex": "f", "income": income}) for income in (original, synthetic)]
    arguments = {"keys": "sex", "special_codes": {"income": codes}}
    large = comparable(assess_large(engine, frames[0], frames[1:], **arguments).findings)
    expected = comparable(assess_in("memory", frames[0], frames[1:], **arguments).findings)
    in_memory = [one for one in expected if one.finding != "numbers_moved"]  # tried on every value, so in memory alone
    assert [one for one in large if one.finding != "many_values"] == in_memory


@pytest.mark.generated
@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_takes_the_same_variables_for_targets(engine, tmp_path):
    original = pd.DataFrame(
        {
            "sex": ["f", "m"] * 100,
            "empty": NOTHING,
            "float": np.nan,
            "few": [*NOTHING[1:], "x"],
            "ill": ["y", "n"] * 100,
        }
    )
    synthetic = original.assign(empty="x", float=1.5)
    arrow = pa.table({"sex": original["sex"], "float": pa.array([np.nan] * 200), "ill": original["ill"]})
    for assess_from, targets in (
        (lambda name: assess_in(name, original, [synthetic], keys="sex"), ("few", "ill")),
        (lambda name: in_csv(name, original, synthetic, tmp_path, keys="sex"), ("few", "ill")),
        (lambda name: assess(arrow, arrow, keys="sex", engine=name), ("ill",)),
    ):
        found, expected = assess_from(engine), assess_from("memory")
        assert found.targets == expected.targets == targets
        assert comparable(found.findings) == comparable(expected.findings)


def in_csv(engine, original, synthetic, folder, **settings):
    """Assess frames in an engine, from CSV files."""
    paths = [folder / f"{number}.csv" for number in range(2)]
    for path, frame in zip(paths, (original, synthetic), strict=True):
        frame.to_csv(path, index=False)
    return assess(*paths, engine=engine, **settings)


NOTHING = [None] * 200
ONLY_SYNTHETIC = {
    "label": "synthetic", "number": 1.5, "empty": NOTHING, "partly": ["synthetic", None] * 100, "various": range(200),
    "float": np.nan,
}  # fmt: skip


@pytest.mark.generated
@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_takes_the_same_columns_for_labels(engine, tmp_path):
    original = pd.DataFrame({"sex": ["f", "m"] * 100, "ill": ["y", "n", "n", "n"] * 50})
    synthetic = original.assign(**ONLY_SYNTHETIC)
    for assess_from in (
        lambda name: assess_in(name, original, [synthetic], keys="sex"),
        lambda name: in_csv(name, original, synthetic, tmp_path, keys="sex"),
        lambda name: assess(original, pa.Table.from_pandas(synthetic, preserve_index=False), keys="sex", engine=name),
    ):
        findings = assess_from(engine).findings
        assert findings == assess_from("memory").findings
        severity = {one.variable: one.severity for one in findings if one.finding == "column_only_in_synthetic"}
        assert [name for name in severity if severity[name] == "warning"] == ["partly", "various"]
