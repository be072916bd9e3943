"""What the synthetic file reproduces: utility against figures worked out elsewhere, and against plain Python."""

import itertools
import json
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import Settings, analyse, assess, examples, load, utility
from discoreport.errors import DataError, SettingsError
from tests.counting import put_together
from tests.engines import ENGINES, unwarned
from tests.measures.test_reference_cases import ORACLE, frames_of
from tests.records import Distribution
from tests.strategies import few, problems, sometimes

MEASURES = ["df", "VW", "S_pMSE", "pMSE", "MabsDD", "PO50"]


def found(original, synthetic, settings=None, **options):
    with unwarned():
        settings = settings or Settings(keys=[original.columns[0]], targets=[])
        return utility(original, synthetic, settings, **options)


def sets_of_files():
    """Gather the reference cases by their files: one call answers all tables of a set."""
    for name in ("sd2011", "adult"):
        path = ORACLE / name / "utility.json"
        if not path.exists():
            reason = f"the reference data {name} are not part of the project and are not here"
            yield pytest.param(None, None, marks=pytest.mark.skip(reason=reason), id=name)
            continue
        gathered = {}
        for case in json.loads(path.read_text())["cases"]:
            gathered.setdefault(tuple(case["synthetic"]), []).append(case)
        for synthetic, cases in gathered.items():
            yield pytest.param(path.parent, cases, id=f"{name}-{synthetic[0]}")


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(("folder", "cases"), list(sets_of_files()))
def test_agrees_with_the_reference(folder, cases):
    original, synthetic = frames_of(cases[0], folder)
    codes = {name: values for case in cases for name, values in case["special_codes"].items()}
    names = [case["variables"][0] for case in cases if len(case["variables"]) == 1]
    settings = Settings(keys=names[:1], targets=[], special_codes=codes)
    tables = {
        (one.synthesis, one.variables): one for one in found(original, synthetic, settings, variables=names).tables
    }
    n = 0
    for case in cases:
        for synthesis, expected in enumerate(case["expected"], start=1):
            one = tables[synthesis, tuple(case["variables"])]
            got = {"df": one.df, "VW": one.VW, "S_pMSE": one.S_pMSE, "MabsDD": one.MabsDD, "PO50": one.PO50}
            assert got == pytest.approx({name: expected[name] for name in got}, rel=1e-9, abs=1e-9), case["variables"]
            n += 1
    assert n == len(tables)


def by_brute_force(original, synthetic, names):
    """Work the measures of one table out record by record."""
    d, s = (Counter(map(tuple, frame[list(names)].fillna("(none)").values.tolist())) for frame in (original, synthetic))
    n_d, n_s = len(original), len(synthetic)
    c = n_s / (n_d + n_s)
    vw = differences = told_apart = 0
    for cell in d | s:
        difference = s[cell] - d[cell] * c / (1 - c)
        vw += difference**2 / ((d[cell] + s[cell]) * c)
        differences += abs(difference)
        told_apart += s[cell] if s[cell] * n_d > d[cell] * n_s else d[cell]
    df = len(d | s) - 1
    return {
        "df": df,
        "VW": vw,
        "S_pMSE": vw / df if df else math.nan,
        "pMSE": vw * c * (1 - c) ** 2 / (n_d + n_s),
        "MabsDD": differences / n_s,
        "PO50": 100 * told_apart / (n_d + n_s) - 50,
    }


@sometimes
@given(problem=problems())
def test_agrees_with_plain_python(problem):
    original, synthetic = problem.frames()
    result = found(original, synthetic)
    names = [*itertools.chain(((name,) for name in original), itertools.combinations(original, 2))]
    assert [one.variables for one in result.tables] == names * len(synthetic)
    for one, row in zip(result.tables, result.table.to_dict("records"), strict=True):
        expected = by_brute_force(original, synthetic[one.synthesis - 1], one.variables)
        got = {name: row[name] for name in MEASURES}
        assert got == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True), row


@sometimes
@given(problem=problems(), data=st.data())
def test_order_and_names_of_levels_do_not_matter(problem, data):
    original, synthetic = problem.frames()
    expected = found(original, synthetic).table
    again = [frame.sample(frac=1, random_state=1) for frame in (original, *synthetic)]
    first = original.columns[0]
    named = {level: f"level {number}" for number, level in enumerate(data.draw(st.permutations(problem.levels(first))))}
    for frame in again:
        frame[first] = frame[first].map(lambda level: level if pd.isna(level) else named[level])
    pd.testing.assert_frame_equal(found(again[0], again[1:]).table, expected, rtol=1e-9, atol=1e-9)


def test_identical_files_differ_in_nothing():
    frame = pd.read_csv(examples.path("original"))
    table = found(frame, frame.sample(frac=1, random_state=1), Settings(keys=["age"], targets=["sex"])).table
    assert (table[["VW", "S_pMSE", "pMSE", "MabsDD", "PO50"]] == 0).all().all()


def test_when_files_are_exchanged_the_formulas_say_what_changes():
    one, other = (pd.read_csv(examples.path(name)) for name in ("original", "synthetic_small"))
    settings = Settings(keys=["age"], targets=["sex"])
    there, back = found(one, other, settings).table, found(other, one, settings).table
    ratio = len(other) / len(one)  # c / (1 - c)
    assert back["VW"].to_numpy() == pytest.approx((there["VW"] / ratio).to_numpy())
    for same in ("df", "pMSE", "MabsDD"):
        assert back[same].to_numpy() == pytest.approx(there[same].to_numpy())


def test_a_ratio_without_denominator_is_missing():
    frame = pd.DataFrame({"country": ["here"] * 9, "sex": ["f", "m", "f"] * 3})
    table = found(frame, frame).table.set_index(["first", "second"])
    assert table.loc[("country", np.nan), "df"] == 0
    assert math.isnan(table.loc[("country", np.nan), "S_pMSE"])
    assert table.loc[("country", "sex"), "S_pMSE"] == 0


def test_numbers_are_compared_in_classes_with_codes_and_missing_values_apart():
    original = pd.DataFrame({"income": [*range(1, 101), *range(1, 101), -8, -8, None]})
    settings = Settings(keys=["income"], targets=[], special_codes={"income": [-8]})
    one = found(original, original, settings, classes=4).distributions[0]
    assert one.classes
    assert (len(one.levels), one.n_together) == (3, 3)  # -8 and missing are few, so that a class joins them
    assert sum(one.original) == 203
    assert found(original, original, settings, classes=4).tables[0].df == 5
    assert found(original, original, settings, classes=10).tables[0].df == 11


def test_what_records_are_told_apart_by_is_left_out_by_name():
    n = 300
    random = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "sex": ["f", "m"] * (n // 2),
            "number": random.permutation(n) + 10_000,
            "name": [f"Person {place}" for place in range(n)],
            "income": random.lognormal(8, 1, n),
            "wage": np.arange(n) * 17 + random.integers(0, 9, n),
            "list": [[1]] * n,
        }
    )
    result = found(frame, frame)
    assert result.compared == ("sex", "income", "wage")  # whole numbers, but with gaps between them
    reasons = {one.variable: one.reason for one in result.left_out}
    assert list(reasons) == ["number", "name", "list"]
    assert reasons["name"] == "nearly every record has a value of its own"
    assert reasons["number"] == "every record has a whole number of its own"
    with pytest.raises(SettingsError, match="utility: 'number' can't be compared"):
        found(frame, frame, variables="number")
    with pytest.raises(DataError, match="No column 'sexx'"):
        found(frame, frame, variables=["sexx"])
    with pytest.raises(DataError, match="no variable in common"):
        found(frame[["name"]], frame[["name"]])
    text = json.dumps(result.model_dump(mode="json"))
    assert "Person" not in text
    assert "10_0" not in text


def test_levels_of_few_records_are_counted_but_not_named():
    original = pd.DataFrame(
        {"village": ["Achterbach"] * 60 + ["Zwischenau"] * 3 + ["Mitte"] * 30, "sex": list("fmf") * 31}
    )
    result = found(original, original.iloc[:80])
    village = result.distributions[0]
    assert village.levels == ("Achterbach",)  # 3 alone would be known from the total: the next level joins them
    assert (village.n_together, village.original, village.synthetic) == (2, (60, 33), ((60, 20),))
    assert result.tables[0].df == 2
    assert "Zwischenau" not in json.dumps(result.model_dump(mode="json"))


def test_for_outside_no_count_of_either_file_is_small():
    one = Distribution(
        variable="v", classes=False, levels=("a", "b", "c", None), n_together=0, original=(50, 20, 30, 15),
        synthetic=((60, 2, 40, 13),),
    )  # fmt: skip
    assert one.at_least(10).levels == ("a", "c")
    assert one.at_least(10).synthetic == ((60, 40, 15),)
    assert one.at_least(10).written[-1] == "2 other levels"
    assert one.at_least(2) == one
    assert one.at_least(116) is None
    assert one.at_least(16).at_least(31).synthetic == one.at_least(31).synthetic


def test_threes_tables_are_of_the_worst_variables():
    original, synthetic = (pd.read_csv(examples.path(name)) for name in ("original", "low_fidelity"))
    settings = Settings(keys=["age"], targets=["sex"])
    result = found(original, synthetic, settings, threes=4)
    table = result.threes_table
    assert len(table) == 4
    worst = {one.variables[0] for one in result.worst(1)[:4]}
    assert {*table["first"], *table["second"], *table["third"]} == worst
    assert len(result.table) == len(found(original, synthetic, settings).table)


def test_mean_and_worst_are_told_for_each_synthesis():
    names = ("original", "synthetic_1", "low_fidelity")
    original, *synthetic = (pd.read_csv(examples.path(name)) for name in names)
    result = found(original, synthetic, Settings(keys=["age"], targets=["sex"]))
    pairs = result.table[result.table["second"].notna()]
    summary = result.summary.set_index(["variables", "synthesis"])
    for synthesis in (1, 2):
        of_file = pairs[pairs["synthesis"] == synthesis]
        assert summary.loc[(2, synthesis), "mean_S_pMSE"] == pytest.approx(of_file["S_pMSE"].mean())
        assert summary.loc[(2, synthesis), "worst_S_pMSE"] == of_file["S_pMSE"].max()
    assert summary.loc[(2, 2), "mean_S_pMSE"] > 5 * summary.loc[(2, 1), "mean_S_pMSE"]
    assert result.worst(2)[0].synthesis == result.pair.synthesis == 2
    cells = result.pair.cells
    assert [abs(one.standardised) for one in cells] == sorted((abs(one.standardised) for one in cells), reverse=True)


def test_an_assessment_holds_it_whatever_its_targets_are(tmp_path):
    paths = examples.path("original"), examples.path("synthetic_small")
    with unwarned():
        assessment = analyse(assess(*paths, keys=["age", "sex"], targets=["smoker"]), *paths, {"utility": {}})
    assert "worked_abroad" in assessment.analyses.utility.compared
    assert load(assessment.save(tmp_path / "a.json")).analyses == assessment.analyses
    assert "income" in assessment.for_targets([]).analyses.utility.compared


@pytest.mark.slow
@few
@given(problem=problems())
def test_every_engine_gives_the_same(engine, problem):
    original, synthetic = problem.frames()
    assert (
        found(original, synthetic, engine=engine, threes=3).without_files()
        == found(original, synthetic, threes=3).without_files()
    )


@pytest.mark.slow
def test_engines_put_numbers_into_the_same_classes(engine):
    frames = [pd.read_csv(examples.path(name)) for name in ("original", "synthetic_1", "low_fidelity")]
    frames = frames[: 2 if engine == "spark" else 3]  # a file takes it long
    settings = Settings(keys=["age"], targets=["sex"], special_codes={"income": [-8]})
    one, other = (found(frames[0], frames[1:], settings, engine=name) for name in (engine, "memory"))
    assert one.without_files() == other.without_files()
    assert engine in ENGINES


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=12),
    st.integers(0, 15),
)
def test_cells_are_put_together_until_none_is_small(cells, smallest):
    d, s = (np.array(of_file) for of_file in zip(*cells, strict=True))
    left = list(zip(*put_together(d, s, smallest), strict=True))
    assert sum(one for one, _ in left) == d.sum()
    assert sum(other for _, other in left) == s.sum()
    assert len(left) == 1 or not left or min(min(one) for one in left) >= smallest
    large = [one for one in cells if min(one) >= smallest and max(one) > 0]
    assert len(left) >= len(large) - (len(large) < len([one for one in cells if max(one) > 0]))


def test_numbers_are_compared_in_the_groups_of_the_settings():
    random = np.random.default_rng(2)
    frames = [pd.DataFrame({"sex": random.choice(["f", "m"], 300), "age": random.integers(18, 90, 300)}) for _ in "12"]
    settings = Settings(keys=["sex"], targets=["age"], numeric_groups={"age": [18, 30, 60, 90]})
    one, *_ = (one for one in found(*frames, settings).tables if one.variables == ("age",))
    assert one.df == 2
    cut = [frame.assign(age=pd.cut(frame["age"], [18, 30, 60, 91], right=False).astype(str)) for frame in frames]
    (other,) = (one for one in found(*cut).tables if one.variables == ("age",))
    assert one == other
    with pytest.raises(SettingsError, match="outside"):
        found(*frames, settings.model_copy(update={"numeric_groups": {"age": (18.0, 30.0, 60.0)}}))
