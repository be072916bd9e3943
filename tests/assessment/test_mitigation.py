"""Mitigation: steps do what they say and only that, can be undone, and are measured as an intruder would see them."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import Settings, assess, examples, mitigate, trade_off
from discoreport.errors import DataError, OutputError, SettingsError
from discoreport.measures import MEASURES
from tests.commands import STEPS, LimitValues, RemoveReplicatedUniques, steps_from
from tests.intruder import IDENTITY, Attack, Rules
from tests.strategies import often, sometimes

# Files this small leave many levels out, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")

SETTINGS = Settings(keys=["age", "village"], targets=["ill"])
VILLAGES = ["Aa", "Bb", "Cc", "Dd"]


@st.composite
def files(draw, most=14):
    record = st.fixed_dictionaries(
        {
            "age": st.one_of(st.none(), st.integers(16, 24), st.just(-8)),
            "village": st.one_of(st.none(), st.sampled_from(VILLAGES)),
            "ill": st.sampled_from(["y", "n"]),
        }
    )
    original = draw(st.lists(record, min_size=1, max_size=most))
    synthetic = draw(st.lists(record, min_size=1, max_size=most))
    return original, synthetic + draw(st.lists(st.sampled_from(original), max_size=6))


def frame(records):
    table = pd.DataFrame(records, columns=["age", "village", "ill"])
    return table.astype({"age": "Int64", "village": object, "ill": object})


def records_of(table):
    return [
        {name: None if pd.isna(value) else value for name, value in record.items()}
        for record in table.to_dict("records")
    ]


def limit(record):
    age = record["age"]
    return record if age is None or age == -8 else {**record, "age": min(max(age, 18), 21)}


LIMIT = {"step": "limit values", "variable": "age", "bottom": 18, "top": 21, "keep": [-8]}


def alone(records, keys):
    counts = Counter(tuple(record[key] for key in keys) for record in records)
    return {q for q, n in counts.items() if n == 1}, set(counts)


def remove(original, synthetic, keys, found):
    unique_original, in_original = alone(original, keys)
    unique, _ = alone(synthetic, keys)
    bad = unique & (in_original if found else unique_original)
    return [record for record in synthetic if tuple(record[key] for key in keys) not in bad]


# Steps ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@often
@given(files(), st.sampled_from([("age", "village"), ("village",), ()]), st.booleans())
def test_removes_the_unique_records_that_an_intruder_would_find(problem, keys, found):
    original, synthetic = problem
    step = {"step": "remove uniques in original" if found else "remove replicated uniques", "keys": keys}
    expected = remove(original, synthetic, keys or ("age", "village"), found)
    if not expected:
        with pytest.raises(DataError, match="no record is left"):
            mitigate(frame(original), frame(synthetic), SETTINGS, [step])
        return
    mitigated = mitigate(frame(original), frame(synthetic), SETTINGS, [step])
    assert records_of(mitigated.frame) == expected
    (record,) = mitigated.mitigation.steps
    assert (record.kind, record.n_records, record.n_left) == ("removed", len(synthetic) - len(expected), len(expected))
    if not keys:
        after = mitigated.mitigation.table.set_index("measure")["after"]
        assert after["repU"] == 0


@often
@given(files())
def test_limits_concern_numbers_beyond_them_alone(problem):
    original, synthetic = problem
    mitigated = mitigate(frame(original), frame(synthetic), SETTINGS, [LIMIT])
    expected = [limit(record) for record in synthetic]
    assert records_of(mitigated.frame) == expected
    n = sum(1 for old, new in zip(synthetic, expected, strict=True) if old != new)
    assert mitigated.mitigation.steps[0].n_records == n
    assert mitigated.frame["age"].dtype == "Int64"
    for name in ("village", "ill"):
        pd.testing.assert_series_equal(mitigated.frame[name], frame(synthetic)[name], check_exact=True)


def test_limits_agree_with_bottom_and_top_coding_in_r():
    # As synthpop's sdc(): below the bottom to the bottom, above the top to the top, codes and missing values kept.
    synthetic = pd.DataFrame({"age": [17, 20, 80, 81, 97], "income": [-8.0, np.nan, 1999, 2000, 2001]})
    steps = [
        {"step": "limit values", "variable": "age", "bottom": 20, "top": 80},
        {"step": "limit values", "variable": "income", "top": 2000, "keep": [-8]},
        {"step": "add variable", "name": "flag", "value": "false_data"},
    ]
    mitigated = mitigate(synthetic, synthetic, Settings(keys=["age"]), steps)
    assert mitigated.frame["age"].to_list() == [20, 20, 80, 80, 80]
    assert mitigated.frame["income"].fillna(0).to_list() == [-8, 0, 1999, 2000, 2000]
    assert [step.n_records for step in mitigated.mitigation.steps] == [3, 1, 5]
    assert mitigated.frame.columns.to_list() == ["flag", "age", "income"]


def moving_means(values, neighbours):
    """Mean of the values from some ranks below the first of its equals to some ranks above the last of them."""
    ordered = sorted(values)
    means = {}
    for value in values:
        first, last = ordered.index(value), len(ordered) - 1 - ordered[::-1].index(value)
        window = ordered[max(first - neighbours, 0) : last + neighbours + 1]
        means[value] = sum(window) / len(window)
    return [means[value] for value in values]


@often
@given(
    st.lists(st.one_of(st.integers(0, 50), st.floats(0, 50).map(lambda x: round(x, 2))), min_size=1), st.integers(1, 9)
)
def test_smoothing_is_a_moving_mean_over_ranks(values, neighbours):
    table = pd.DataFrame({"pay": [float(value) for value in values], "ill": "y"})
    step = {"step": "smooth", "variable": "pay", "neighbours": neighbours, "digits": 9}
    mitigated = mitigate(table, table, Settings(keys=["ill"], targets=[]), [step])
    smoothed = mitigated.frame["pay"].to_list()
    assert smoothed == pytest.approx(moving_means(values, neighbours), abs=1e-6)
    order = np.argsort(values, kind="stable")
    assert np.all(np.diff(np.array(smoothed)[order]) >= 0)


def test_smoothing_hides_the_extremes_and_keeps_codes_and_whole_numbers():
    table = pd.DataFrame({"pay": pd.array([*range(100, 120), 9000, -8, None], "Int64"), "ill": "y"})
    mitigated = mitigate(
        table, table, Settings(keys=["ill"], targets=[]), [{"step": "smooth", "variable": "pay", "keep": ["-8"]}]
    )
    pay = mitigated.frame["pay"]
    assert pay.dtype == "Int64"
    assert pay.iloc[-2] == -8
    assert pd.isna(pay.iloc[-1])
    assert pay.iloc[:-2].min() > 100
    assert pay.iloc[:-2].max() < 2000


@pytest.mark.parametrize("settings", [{"keys": ["pay", "ill"]}, {"keys": ["ill"], "targets": ["pay"]}])
def test_what_is_compared_value_by_value_is_not_smoothed(settings):
    table = pd.DataFrame({"pay": [float(number) for number in range(60)], "ill": ["y", "n"] * 30})
    step = {"step": "smooth", "variable": "pay", "neighbours": 1, "digits": 3}
    with pytest.raises(SettingsError, match=r"the risk would seem gone\. Group the variable"):
        mitigate(table, table, Settings(**settings), [step])
    with pytest.raises(SettingsError, match="the risk would seem gone"):
        trade_off(table, table, Settings(**settings), [step])
    (done,) = mitigate(table, table, Settings(**settings, numeric_groups={"pay": 6}), [step]).mitigation.steps
    assert done.kind == "changed"


def test_numbers_without_whole_means_become_fractions_only_where_asked():
    table = pd.DataFrame({"pay": pd.array([1, 2, 4], "Int64"), "ill": "y"})
    step = {"step": "smooth", "variable": "pay", "neighbours": 1, "digits": 1}
    assert mitigate(table, table, Settings(keys=["ill"], targets=[]), [step]).frame["pay"].to_list() == [1.5, 2.3, 3.0]
    as_text = table.astype({"pay": "string"})
    assert mitigate(as_text, as_text, Settings(keys=["ill"], targets=[]), [step]).frame["pay"].to_list() == [
        "1.5",
        "2.3",
        "3",
    ]


@often
@given(files(), st.integers(2, 5))
def test_merging_by_count_concerns_small_levels_alone(problem, fewer_than):
    original, synthetic = problem
    step = {
        "step": "merge levels",
        "variable": "village",
        "fewer_than": fewer_than,
        "into": "elsewhere",
        "keep": ["Dd"],
    }
    mitigated = mitigate(frame(original), frame(synthetic), SETTINGS, [step])
    counts = Counter(record["village"] for record in synthetic)
    small = {level for level, n in counts.items() if n < fewer_than and level not in (None, "Dd")}
    expected = [
        {**record, "village": "elsewhere" if record["village"] in small else record["village"]} for record in synthetic
    ]
    assert records_of(mitigated.frame) == expected
    assert mitigated.mitigation.steps[0].n_records == sum(counts[level] for level in small)


def test_merging_by_mapping_and_of_numbers():
    table = pd.DataFrame({"edu": [1, 2, 3, 3], "ill": list("ynyn")})
    step = {"step": "merge levels", "variable": "edu", "mapping": {"1": "low", "2.0": "low"}}
    mitigated = mitigate(table, table.astype({"edu": "float64"}), Settings(keys=["edu"]), [step])
    assert mitigated.frame["edu"].to_list() == ["low", "low", "3", "3"]
    after = mitigated.mitigation.table.set_index("measure")["after"]
    assert after["iS"] == 100  # the original's whole numbers are merged alike
    with pytest.raises(SettingsError, match="no level '4' in the synthetic file"):
        mitigate(table, table, Settings(keys=["edu"]), [{**step, "mapping": {"4": "high"}}])


def test_classes_take_the_place_of_numbers_and_codes_stay():
    table = pd.DataFrame({"pay": [*range(100), -8, None], "ill": ["y", "n"] * 51})
    step = {"step": "group values", "variable": "pay", "groups": [0, 50, 100], "keep": [-8]}
    mitigated = mitigate(
        table, table, Settings(keys=["pay"], numeric_groups={"pay": 5}, special_codes={"pay": -8}), [step]
    )
    counts = mitigated.frame["pay"].value_counts(dropna=False).to_dict()
    assert [counts[level] for level in ("under 50", "50 and over", "-8")] == [50, 50, 1]
    assert mitigated.mitigation.steps[0].n_records == 100
    after = mitigated.mitigation.table.set_index("measure")["after"]
    assert (after["iS"], after["UiO"]) == (100, pytest.approx(100 * 2 / 102))
    by_quantiles = mitigate(table, table, Settings(keys=["pay"]), [{**step, "groups": 4}])
    assert by_quantiles.frame["pay"].nunique() == 5


def test_marks_names_and_adds_a_variable():
    table = pd.DataFrame({"age": [30, 31], "ill": ["y", "n"]})
    steps = [
        {"step": "mark names", "prefix": "syn_"},
        {"step": "add variable"},
        {"step": "mark names", "suffix": "_fake"},
        {"step": "remove replicated uniques", "keys": ["ill"]},
    ]
    with pytest.raises(DataError, match="no record is left"):
        mitigate(table, table, Settings(keys=["age"]), steps)
    mitigated = mitigate(table, table, Settings(keys=["age"]), steps[:3])
    assert mitigated.frame.columns.to_list() == ["synthetic_data_fake", "syn_age_fake", "syn_ill_fake"]
    figures = mitigated.mitigation.table
    pd.testing.assert_series_equal(figures["before"], figures["after"], check_names=False)
    assert [one.kind for one in mitigated.mitigation.steps] == ["renamed", "added", "renamed"]
    with pytest.raises(SettingsError, match="Choose another name"):
        mitigate(table, table, Settings(keys=["age"]), [{"step": "add variable", "name": "ill"}])


# Chains -----------------------------------------------------------------------------------------------

CHAIN = [
    {"step": "smooth", "variable": "pay", "neighbours": 1, "keep": [-8]},
    {"step": "remove replicated uniques"},
    LIMIT,
    {"step": "merge levels", "variable": "village", "fewer_than": 3},
    {"step": "add variable"},
    {"step": "remove uniques in original", "keys": ["village"]},
    {"step": "mark names", "prefix": "s_"},
]


@pytest.mark.slow
@sometimes
@given(files())
def test_every_state_before_a_step_can_be_had_back(problem):
    original, synthetic = (frame(records).assign(pay=lambda table: table["age"]) for records in problem)
    copies = [table.copy(deep=True) for table in (original, synthetic)]
    try:
        mitigated = mitigate(original, synthetic, SETTINGS, CHAIN)
    except DataError:
        return
    pd.testing.assert_frame_equal(mitigated.after(0), synthetic, check_exact=True)
    for n_steps in range(len(CHAIN) + 1):
        alone = mitigate(original, synthetic, SETTINGS, CHAIN[:n_steps])
        pd.testing.assert_frame_equal(mitigated.after(n_steps), alone.frame, check_exact=True)
        assert mitigated.mitigation.steps[:n_steps] == alone.mitigation.steps
    for table, copy in zip((original, synthetic), copies, strict=True):
        pd.testing.assert_frame_equal(table, copy, check_exact=True)
    with pytest.raises(SettingsError, match="7 steps"):
        mitigated.after(8)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(
    "form",
    [
        lambda table: table,
        lambda table: table.astype("category"),
        lambda table: table.astype("string"),
        lambda table: table.set_axis(range(len(table), 0, -1)),
        pl.from_pandas,
        lambda table: pa.Table.from_pandas(table, preserve_index=False),
    ],
    ids=["pandas", "category", "text", "index", "polars", "arrow"],
)
def test_any_frame_gives_the_same_file_and_figures(form):
    random = np.random.default_rng(4)
    tables = [
        pd.DataFrame(
            {
                "age": pd.array(random.integers(15, 30, 80), "Int64"),
                "village": random.choice(VILLAGES, 80),
                "ill": random.choice(["y", "n"], 80),
                "pay": pd.array(random.integers(15, 30, 80), "Int64"),
            }
        )
        for _ in range(2)
    ]
    tables[1].loc[3, ["age", "pay"]] = pd.NA
    plain = mitigate(*tables, SETTINGS, CHAIN)
    other = mitigate(form(tables[0]), form(tables[1]), SETTINGS, CHAIN)
    texts = [one.frame.astype(object).map(lambda value: "" if pd.isna(value) else str(value)) for one in (plain, other)]
    pd.testing.assert_frame_equal(*texts)
    assert plain.mitigation.figures == other.mitigation.figures
    assert plain.mitigation.loss == other.mitigation.loss
    assert plain.mitigation.steps == other.mitigation.steps


# Figures ----------------------------------------------------------------------------------------------


@often
@given(files())
def test_figures_are_what_an_intruder_counts_who_recodes_what_they_know(problem):
    original, synthetic = problem
    steps = [LIMIT, {"step": "remove replicated uniques"}]
    recoded = [limit(record) for record in original]
    after = remove(recoded, [limit(record) for record in synthetic], ("age", "village"), found=False)
    if not after:
        return
    mitigation = mitigate(frame(original), frame(synthetic), SETTINGS, steps).mitigation
    table = mitigation.table.set_index("measure")
    for column, files_of in (("before", (original, synthetic)), ("after", (recoded, after))):
        expected = Attack(*files_of, ["age", "village"], "ill", Rules()).measures()
        assert table[column].to_dict() == pytest.approx(expected, nan_ok=True)


def test_figures_before_are_those_of_assess_and_groups_stay():
    files_of = [examples.read(name) for name in ("original", "leaky")]
    settings = Settings(**examples.SETTINGS, exclude=[{"target": "worked_abroad", "level": "No"}])
    steps = [
        {"step": "limit values", "variable": "income", "top": 3000, "keep": [-8]},
        {"step": "smooth", "variable": "income", "keep": [-8]},
    ]
    mitigation = mitigate(*files_of, settings, steps).mitigation
    assessment = assess(*files_of, **settings.model_dump(exclude_unset=True))
    table = mitigation.table.set_index(["target", "measure"])
    for target in assessment.targets:
        for measure in table.loc[target].index:
            before = assessment.value(measure, None if MEASURES[measure].group == "identity" else target)
            assert table.loc[(target, measure), "before"] == pytest.approx(
                math.nan if before is None else before, nan_ok=True
            )
    others = table[table.index.get_level_values("target") != "income"]
    pd.testing.assert_series_equal(others["before"], others["after"], check_names=False)
    assert table.loc[("income", "DiSCO"), "after"] > 0


def test_grouped_keys_are_removed_and_measured_by_the_same_groups():
    files_of = [examples.read(name) for name in ("original", "leaky")]
    settings = Settings(
        keys=["sex", "region", "income"],
        targets=["marital"],
        numeric_groups={"income": 7},
        special_codes={"income": -8},
    )
    table = mitigate(*files_of, settings, [RemoveReplicatedUniques()]).mitigation.table.set_index("measure")
    assert table.loc["repU", "before"] > 0
    assert table.loc["repU", "after"] == 0


def test_keys_without_targets():
    table = pd.DataFrame({"age": [30, 31, 31]})
    mitigated = mitigate(table, table, Settings(keys=["age"], targets=[]), [RemoveReplicatedUniques()])
    assert set(mitigated.mitigation.table["measure"]) == set(IDENTITY)


# Loss -------------------------------------------------------------------------------------------------


def distance(before, after):
    counts = [Counter(values) for values in (before, after)]
    cells = set(counts[0]) | set(counts[1])
    return 50 * sum(abs(counts[0][cell] / len(before) - counts[1][cell] / len(after)) for cell in cells)


def entropy(values):
    return -sum(n / len(values) * math.log2(n / len(values)) for n in Counter(values).values())


@often
@given(files())
def test_loss_is_the_distance_of_one_and_two_way_tables(problem):
    original, synthetic = problem
    after = remove([limit(r) for r in original], [limit(r) for r in synthetic], ("age", "village"), found=True)
    if not after:
        return
    steps = [LIMIT, {"step": "remove uniques in original"}]
    loss = mitigate(frame(original), frame(synthetic), SETTINGS, steps).mitigation.loss
    names = ["age", "village", "ill"]
    one = {name: distance([r[name] for r in synthetic], [r[name] for r in after]) for name in names}
    two = [
        distance([(r[a], r[b]) for r in synthetic], [(r[a], r[b]) for r in after]) for a, b in combinations(names, 2)
    ]
    assert {row.variable: row.distance for row in loss.variables} == pytest.approx(one)
    assert loss.one_way == pytest.approx(np.mean(list(one.values())))
    assert loss.two_way == pytest.approx(np.mean(two))
    for row in loss.variables:
        before, left = ([r[row.variable] for r in records] for records in (synthetic, after))
        lost = 100 * (entropy(before) - entropy(left)) / entropy(before) if entropy(before) else 0
        assert row.detail_lost == pytest.approx(max(lost, 0), abs=1e-9)
        assert (row.n_levels_before, row.n_levels_after) == (len(set(before)), len(set(left)))


def test_nothing_done_costs_nothing():
    table = examples.read("synthetic_1")
    mitigation = mitigate(examples.path("original"), table, Settings(**examples.SETTINGS), []).mitigation
    assert (mitigation.loss.one_way, mitigation.loss.two_way, mitigation.loss.detail_lost) == (0, 0, 0)
    assert (mitigation.table["change"].dropna() == 0).all()
    assert mitigation.documentation == ()


def test_classes_cost_detail_but_move_no_distribution():
    table = pd.DataFrame({"pay": range(64), "ill": ["y", "n"] * 32})
    step = {"step": "group values", "variable": "pay", "groups": [0, 16, 32, 48, 64]}
    loss = mitigate(table, table, Settings(keys=["ill"], targets=[]), [step]).mitigation.loss
    assert loss.one_way == loss.two_way == 0
    assert loss.table.set_index("variable")["detail_lost"].to_dict() == {"pay": pytest.approx(100 * 4 / 6), "ill": 0}


# Choice, files, words ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_trade_marks_what_no_other_choice_beats():
    files_of = [examples.read(name).head(800) for name in ("original", "leaky")]
    settings = Settings(keys=["sex", "age", "region"], targets=["marital", "smoker"])
    steps = [
        LimitValues(variable="age", top=70),
        RemoveReplicatedUniques(),
        {"step": "smooth", "variable": "income", "keep": [-8]},
    ]
    told = []
    trade = trade_off(*files_of, settings, steps, progress=lambda *what: told.append(what[:2]))
    assert [one.steps for one in trade.choices] == [(), (1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (1, 2, 3)]
    assert told[-1] == (8, 8)
    for one in trade.choices:
        alone = mitigate(*files_of, settings, [steps[number - 1] for number in one.steps]).mitigation
        table = alone.table.set_index(["measure", "target"])["after"]
        assert one.repU == table["repU"].max()
        assert (one.DiSCO, one.target) == (table["DiSCO"].max(), table["DiSCO"].idxmax())
        assert one.two_way == alone.loss.two_way
        worse = [
            other
            for other in trade.choices
            if other.figures != one.figures and all(np.array(other.figures) <= np.array(one.figures))
        ]
        assert one.efficient == (not worse)
    assert len(trade.table) == 8
    with pytest.raises(SettingsError, match="more than most=4"):
        trade_off(*files_of, settings, steps, most=4)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_the_new_file_can_be_written_and_assessed(tmp_path, ending):
    original, synthetic = examples.read("original"), examples.read("leaky")
    steps = [
        {"step": "merge levels", "variable": "age", "fewer_than": 60},
        {"step": "limit values", "variable": "income", "top": 3000, "keep": [-8]},
        {"step": "remove replicated uniques", "keys": ["sex", "region", "marital"]},
        {"step": "add variable"},
    ]
    settings = Settings(**{**examples.SETTINGS, "targets": ["marital"]})
    mitigated = mitigate(original, synthetic, settings, steps)
    path = mitigated.write(tmp_path / f"released{ending}")
    kept = [str(age) for age, n in synthetic["age"].value_counts().items() if n >= 60]
    recoded = original.assign(age=[str(age) if str(age) in kept else "Other" for age in original["age"]])
    assessment = assess(recoded, path, **settings.model_dump(exclude_unset=True))
    table = mitigated.mitigation.table.set_index("measure")
    for measure in table.index:
        assert table.loc[measure, "after"] == pytest.approx(assessment.value(measure, "marital"))


def test_a_file_that_cannot_be_written_is_refused(tmp_path):
    table = pd.DataFrame({"age": [30, 31]})
    mitigated = mitigate(table, table, Settings(keys=["age"], targets=[]), [])
    with pytest.raises(OutputError, match=r"ends in \.csv"):
        mitigated.write(tmp_path / "released.xlsx")
    with pytest.raises(OutputError, match="Can't write"):
        mitigated.write(tmp_path / "nowhere" / "released.csv")


def test_steps_go_into_the_documentation_without_counts_in_their_words():
    table = pd.DataFrame({"age": [30, 31, 95, 95], "ill": list("yynn")})
    steps = [{"step": "limit values", "variable": "age", "bottom": 31, "top": 90}, RemoveReplicatedUniques(keys="ill")]
    mitigation = mitigate(table, table, Settings(keys=["age"]), steps).mitigation
    assert [(one.what, one.n_records) for one in mitigation.documentation] == [
        ("age was bottom-coded at 31 and top-coded at 90", 3),
        ("Replicated uniques were removed (on ill)", 0),
    ]
    assert type(mitigation).model_validate_json(mitigation.model_dump_json()) == mitigation


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"step": "limit values", "variable": "age"}, "needs a bottom, a top, or both"),
        ({"step": "limit values", "variable": "age", "bottom": 2, "top": 1}, "the bottom is above the top"),
        ({"step": "merge levels", "variable": "age"}, "either fewer_than or a mapping"),
        ({"step": "merge levels", "variable": "age", "fewer_than": 2, "mapping": {"1": "2"}}, "either fewer_than"),
        ({"step": "group values", "variable": "age", "groups": [3, 1]}, "in rising order"),
        ({"step": "mark names"}, "a prefix, a suffix, or both"),
        ({"step": "erase"}, "Step 1"),
        ({"step": "smooth", "variable": "age", "strength": 3}, "strength"),
        ({"step": "add variable", "name": ""}, "name"),
    ],
)
def test_steps_that_make_no_sense_are_refused(step, message):
    with pytest.raises(SettingsError, match=message):
        steps_from([step])


def test_steps_that_do_not_fit_the_file_are_refused():
    table = pd.DataFrame({"age": [30, 31], "ill": ["y", "n"]})
    settings = Settings(keys=["age"])
    with pytest.raises(SettingsError, match="Did you mean 'age'"):
        mitigate(table, table, settings, [{"step": "smooth", "variable": "agee"}])
    with pytest.raises(SettingsError, match="aren't numbers"):
        mitigate(table, table, settings, [{"step": "smooth", "variable": "ill"}])
    with pytest.raises(SettingsError, match="can't be grouped"):
        mitigate(table, table, settings, [{"step": "group values", "variable": "ill", "groups": 2}])
    with pytest.raises(SettingsError, match="one synthetic file at a time"):
        mitigate(table, [table, table], settings, [])


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_writing_touches_no_other_file_whenever_it_came(tmp_path, monkeypatch, ending):
    frame = pd.DataFrame({"age": [30, 31, 41, 41], "ill": ["y", "n", "n", "n"]})
    mitigated = mitigate(frame, frame, Settings(keys=["age"]), [{"step": "add variable"}])
    path = tmp_path / f"new{ending}"
    other = path.with_name(f".unfinished-{path.name}")
    other.write_text("somebody's")
    monkeypatch.setattr("discoreport.files.require_new", lambda _: path.write_text("came up meanwhile"))
    with pytest.raises(OutputError):
        mitigated.write(path)
    assert path.read_text() == "came up meanwhile"
    assert other.read_text() == "somebody's"
    monkeypatch.undo()
    path.unlink()
    mitigated.write(path)
    assert sorted(tmp_path.iterdir()) == sorted([other, path])


# The original alike: an intruder does to what is known what was done to the file -------------------


def risks(mitigation, column="after"):
    table = mitigation.table.set_index("measure")
    return table.loc[["UiO", "repU", "Dorig", "DiSCO"], column].tolist()


DATES = [pd.Timestamp("2011-05-01"), pd.Timestamp("2012-05-01")]
STORED = {
    "true and false, and 0 and 1": ([True, False], [1, 0], "1"),
    "0 and 1, and true and false": ([1, 0], [True, False], "True"),
    "true and false, and text": ([True, False], ["true", "false"], "true"),
    "true and false, called as the original has them": ([True, False], ["true", "false"], "True"),
    "text in capitals": (["TRUE", "FALSE"], [True, False], "True"),
    "numbers and text": ([57, 8], ["57", "8"], "57"),
    "fractions and whole numbers": ([57.0, 8.0], [57, 8], "57.0"),
    "dates and ISO text": (DATES, ["2011-05-01", "2012-05-01"], "2011-05-01"),
    "dates and text with a time": (DATES, ["2011-05-01T00:00:00", "2012-05-01T00:00:00"], "2011-05-01T00:00:00"),
    "decimal text": (["57.0", "8.5"], ["57", "8.50"], "57"),
}  # fmt: skip


@pytest.mark.fast_cases(6)
@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
@pytest.mark.parametrize("stored", STORED)
@pytest.mark.parametrize("into", ["renamed", "7"])
def test_a_mere_renaming_changes_no_figure_however_the_files_store_the_levels(stored, into):
    ours, theirs, level = STORED[stored]
    frame_of = {"age": [*range(20, 60)] * 2, "t": list("yn") * 40}
    original, synthetic = (pd.DataFrame({**frame_of, "b": values * 40}) for values in (ours, theirs))
    step = {"step": "merge levels", "variable": "b", "mapping": {level: into}}
    mitigated = mitigate(original, synthetic, Settings(keys=["age", "b"], targets=["t"]), [step])
    assert risks(mitigated.mitigation, "before") == [0, 0, 100, 100]
    assert risks(mitigated.mitigation) == [0, 0, 100, 100]
    assert mitigated.frame["b"].to_list() == [into, str(theirs[1])] * 40
    assert mitigated.mitigation.steps[0].n_records == 40


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_levels_with_value_labels_are_merged_in_both_files(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    original = pd.DataFrame({"age": [*range(20, 60)] * 2, "sex": [1, 2] * 40, "t": list("yn") * 40})
    pyreadstat.write_sav(original, tmp_path / "o.sav", variable_value_labels={"sex": {1: "male", 2: "female"}})
    settings = Settings(keys=["age", "sex"], targets=["t"])
    for synthetic, level in (
        (original, "1"),
        (original, "male"),
        (original.assign(sex=["male", "female"] * 40), "male"),
        (original.assign(sex=["male", "female"] * 40), "1"),
    ):
        step = {"step": "merge levels", "variable": "sex", "mapping": {level: "m"}}
        mitigated = mitigate(tmp_path / "o.sav", synthetic, settings, [step])
        assert risks(mitigated.mitigation) == risks(mitigated.mitigation, "before") == [0, 0, 100, 100]
        assert mitigated.frame["sex"].iloc[0] == "m"


def test_merged_into_a_level_that_both_files_have_it_meets_that_level():
    original = pd.DataFrame({"age": [*range(20, 60)] * 2, "b": [True, False] * 40, "t": list("yn") * 40})
    step = {"step": "merge levels", "variable": "b", "mapping": {"1": "0"}}
    mitigated = mitigate(
        original, original.assign(b=original["b"].astype(int)), Settings(keys="b", targets="t"), [step]
    )
    assert set(mitigated.frame["b"]) == {"0"}
    assert risks(mitigated.mitigation) == [0, 0, 0, 0]


CHANGES = [
    {"step": "limit values", "variable": "age", "bottom": 30, "top": 60},
    {"step": "smooth", "variable": "age", "neighbours": 300},
    {"step": "smooth", "variable": "age", "neighbours": 3, "digits": 2},
    {"step": "merge levels", "variable": "region", "fewer_than": 100},
    {"step": "merge levels", "variable": "region", "mapping": {"a": "b", "c": "new"}},
    {"step": "merge levels", "variable": "t", "fewer_than": 90},
    {"step": "group values", "variable": "age", "groups": 7},
    {"step": "add variable"},
]


def people(seed=0, n=600):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, n),
            "sex": random.choice(list("fm"), n),
            "region": random.choice(list("abcdef"), n),
            "t": random.choice(list("xyz"), n, p=[0.6, 0.3, 0.1]),
        }
    )


EXAMPLES = {one["step"]: one for one in CHANGES} | {
    name: {"step": name, **given}
    for name, given in {
        "mark names": {"prefix": "made_up_"},
        "remove replicated uniques": {},
        "remove uniques in original": {},
    }.items()
}


@pytest.mark.parametrize("name", STEPS)
def test_every_step_is_taken_and_told_of(name):
    assert name in EXAMPLES, f"tests/assessment/test_mitigation.py: EXAMPLES has none of the step '{name}'"
    settings = Settings(keys=["age", "sex"], targets=["t"], numeric_groups={"age": 20})
    mitigation = mitigate(people(n=60), people(1, n=60), settings, EXAMPLES[name]).mitigation
    (step,) = mitigation.steps
    assert step.n_records > 0
    (told,) = mitigation.documentation
    assert told.what == steps_from(EXAMPLES[name])[0].words()


@pytest.mark.fast_cases(10)
@pytest.mark.parametrize("groups", [20, (0, 30, 45, 60, 100)])
@pytest.mark.parametrize("steps", [*([one] for one in CHANGES), CHANGES[:3], CHANGES[4:]], ids=str)
def test_a_copy_stays_as_telling_as_a_copy_after_any_step(steps, groups):
    frame = people()
    settings = Settings(keys=["age", "sex", "region"], targets=["t"], numeric_groups={"age": groups})
    unique, replicated, determined, disclosed = risks(mitigate(frame, frame, settings, steps).mitigation)
    assert replicated == unique
    assert disclosed == determined


@pytest.mark.parametrize("seed", range(3))
def test_smoothing_lowers_no_grouped_key_by_the_scale_of_its_means(seed):
    """Classes of means are as many as those of numbers; they must not fall into few of the classes of numbers."""
    frame = people(seed)
    settings = Settings(keys=["age", "sex", "region"], targets=["t"], numeric_groups={"age": 20})
    mitigated = mitigate(frame, frame, settings, [{"step": "smooth", "variable": "age", "neighbours": 300}])
    smoothed = mitigated.frame
    both = assess(smoothed, smoothed, **settings.model_dump(exclude_unset=True))
    expected = [both.value("UiO"), both.value("repU"), both.value("Dorig", "t"), both.value("DiSCO", "t")]
    assert risks(mitigated.mitigation) == pytest.approx(expected)
    assert risks(mitigated.mitigation)[1] > 0.8 * risks(mitigated.mitigation, "before")[1]


def test_a_value_that_only_the_original_has_gets_the_mean_that_it_would_have_in_the_file():
    original = pd.DataFrame({"pay": [15, 25, 100], "t": ["x", "y", "z"]})
    synthetic = pd.DataFrame({"pay": [10, 20, 30, 90], "t": ["x", "x", "y", "z"]})
    settings = Settings(keys=["pay"], targets=["t"], numeric_groups={"pay": (0, 17, 40, 100)})
    steps = [{"step": "smooth", "variable": "pay", "neighbours": 1}]
    mitigated = mitigate(original, synthetic, settings, steps)
    assert mitigated.frame["pay"].to_list() == [15, 20, 47, 60]  # in the original 15 -> 15, 25 -> 25, 100 -> 90
    assert risks(mitigated.mitigation)[3] == risks(mitigated.mitigation, "before")[3] == pytest.approx(200 / 3)


def test_given_breaks_move_with_the_means():
    frame = people(4)
    settings = Settings(keys=["age"], targets=["t"], numeric_groups={"age": (0, 30, 45, 60, 100)})
    mitigated = mitigate(frame, frame, settings, [{"step": "smooth", "variable": "age", "neighbours": 50, "digits": 6}])
    assert risks(mitigated.mitigation) == risks(mitigated.mitigation, "before")  # no two ages have the same mean


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
@pytest.mark.parametrize("groups", [4, (0, 40, 100)])
def test_codes_that_a_file_declares_as_missing_and_marks_of_missing_values_stay_as_they_are(tmp_path, groups):
    pyreadstat = pytest.importorskip("pyreadstat")
    original = people(5)[["age", "sex", "t"]].assign(age=lambda table: table["age"].mask(table.index % 10 == 0, 999))
    pyreadstat.write_sav(original, tmp_path / "o.sav", missing_ranges={"age": [999]})
    settings = Settings(
        keys=["age", "sex"], targets=["t"], numeric_groups={"age": groups}, missing_values={"sex": ["f"]}
    )
    steps = [
        {"step": "smooth", "variable": "age", "neighbours": 20},
        {"step": "limit values", "variable": "age", "top": 60},
        {"step": "merge levels", "variable": "sex", "mapping": {"m": "man"}},
    ]
    mitigated = mitigate(tmp_path / "o.sav", tmp_path / "o.sav", settings, steps)
    unique, replicated, determined, disclosed = risks(mitigated.mitigation)
    assert (replicated, disclosed) == (unique, determined)
    assert (mitigated.frame["age"] == 999).sum() == 60
    assert set(mitigated.frame["sex"]) == {"man", "f"}
    unknown = {"step": "merge levels", "variable": "sex", "mapping": {"f": "x"}}
    with pytest.raises(SettingsError, match="no level 'f' in the synthetic file"):
        mitigate(tmp_path / "o.sav", tmp_path / "o.sav", settings, [unknown])


def test_more_neighbours_than_any_file_has_are_refused():
    frame = pd.DataFrame({"age": [1, 2, 3], "ill": list("yny")})
    with pytest.raises(SettingsError, match="neighbours"):
        mitigate(frame, frame, Settings(keys=["age"]), [{"step": "smooth", "variable": "age", "neighbours": 2**63}])
