"""Declared analyses: means, shares and counts by groups in both files, against plain Python; small groups hidden."""

import json
import math
from statistics import NormalDist, mean, stdev

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from discoreport import Settings, analyse, assess, examples, load, utility
from discoreport.assessment.analyses.utility.declared import declared_from
from discoreport.errors import DataError, SettingsError
from tests.engines import unwarned
from tests.pages import public_utility
from tests.records import analyses as analyses_verified
from tests.strategies import sometimes

COLUMNS = ["original", "original_low", "original_high", "synthetic", "synthetic_low", "synthetic_high", "overlap"]


def found(original, synthetic, declared, settings=None, **options):
    settings = settings or Settings(keys=[original.columns[0]], targets=[])
    with unwarned():
        return utility(original, synthetic, settings, variables=original.columns[:1], declared=declared, **options)


def table(*arguments, **options):
    return found(*arguments, **options).declared_table.set_index("group")


def survey(seed=1, n=400):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "sex": random.choice(["f", "m"], n),
            "region": random.choice(["north", "south", "west"], n, p=[0.5, 0.3, 0.2]),
            "smoker": random.choice(["Yes", "No", None], n, p=[0.3, 0.6, 0.1]),
            "income": np.where(random.random(n) < 0.1, -8, random.integers(500, 3000, n)).astype(float),
        }
    )


# By brute force ------------------------------------------------------------------------------------


def mean_of(values):
    if len(values) < 2:
        return len(values), *([*values] or [None]), None, None
    half = t.ppf(0.975, len(values) - 1) * stdev(values) / math.sqrt(len(values))
    middle = mean(values)
    return len(values), middle, *((None, None) if half == 0 else (middle - half, middle + half))


def share_of(having, n):
    z = NormalDist().inv_cdf(0.975)
    p, square = having / n, z * z / n
    half = math.sqrt(square * p * (1 - p) + square * square / 4)
    ends = ((p + square / 2 - half) / (1 + square), (p + square / 2 + half) / (1 + square))
    return 100 * p, *(100 * end for end in ends)


def overlap_of(one, other):
    inside = max(0.0, min(one[1], other[1]) - max(one[0], other[0]))
    return 50 * (inside / (one[1] - one[0]) + inside / (other[1] - other[0]))


def by_brute_force(frames, figure, by):
    """Work out every group of ten original records or more, record by record."""
    groups = sorted({tuple(row) for frame in frames for row in frame[by].itertuples(index=False, name=None)})
    expected = {}
    for group in groups:
        files = []
        for frame in frames:
            rows = [
                row
                for row in frame.to_dict("records")
                if all(row[name] == level for name, level in zip(by, group, strict=True))
            ]
            files.append(figure(frame, rows))
        expected[", ".join(group) or "all records"] = files
    return expected


def mean_income(_, rows):
    return mean_of([row["income"] for row in rows if row["income"] != -8])


def share_yes(_, rows):
    return len(rows), *share_of(sum(row["smoker"] == "Yes" for row in rows), len(rows))


def count(frame, rows):
    return len(rows), *share_of(len(rows), len(frame))


@pytest.mark.parametrize(
    ("declared", "figure", "by"),
    [
        ("mean income", mean_income, []),
        ("mean income by region, sex", mean_income, ["region", "sex"]),
        ("share smoker=Yes by region", share_yes, ["region"]),
        ("count of sex by region", count, ["region", "sex"]),
    ],
)
def test_agrees_with_plain_python(declared, figure, by):
    frames = [survey(1), survey(2, 300), survey(3, 500)]
    settings = Settings(keys=["sex"], targets=[], special_codes={"income": [-8]})
    rows = table(frames[0], frames[1:], declared, settings).reset_index().set_index(["group", "synthesis"])
    expected = by_brute_force(frames, figure, by)
    assert {group for group, _ in rows.index} == {*expected}
    for (group, synthesis), row in rows.iterrows():
        original, synthetic = expected[group][0], expected[group][synthesis]
        assert row[["n_original", *COLUMNS[:3]]].tolist() == pytest.approx(list(original), rel=1e-9)
        assert row[["n_synthetic", *COLUMNS[3:6]]].tolist() == pytest.approx(list(synthetic), rel=1e-9)
        assert row["difference"] == pytest.approx(synthetic[1] - original[1])
        assert row["overlap"] == pytest.approx(overlap_of(original[2:], synthetic[2:]), abs=1e-9)


# Properties ----------------------------------------------------------------------------------------

DECLARED = [
    "mean of income by region",
    "share of smoker = Yes by region",
    "count of region by sex",
    "mean of income",
]


@sometimes
@given(seed=st.integers(0, 10**6))
def test_identical_files_overlap_wholly_whatever_their_order(seed):
    one = survey(seed)
    rows = found(one, one.sample(frac=1, random_state=seed), DECLARED).declared_table
    assert (rows["overlap"] == 100).all()
    assert (rows["difference"] == 0).all()


@sometimes
@given(seed=st.integers(0, 10**6))
def test_when_files_are_exchanged_the_difference_changes_its_sign_alone(seed):
    one, other = survey(seed), survey(seed + 1)
    there, back = (
        found(*files, DECLARED).declared_table.set_index(["declared", "group"])
        for files in ((one, other), (other, one))
    )
    assert {*there.index} == {*back.index}
    back = back.loc[there.index]
    assert there["overlap"].to_numpy() == pytest.approx(back["overlap"].to_numpy())
    assert there["difference"].to_numpy() == pytest.approx(-back["difference"].to_numpy(), abs=1e-9)


def test_the_least_overlap_comes_first():
    rows = found(survey(1), [survey(2), survey(3)], DECLARED[:1]).declared_table
    lowest = rows.groupby("group", sort=False)["overlap"].min()
    assert lowest.tolist() == sorted(lowest)
    result = found(survey(1), [survey(2), survey(3)], DECLARED).declared[0]
    each = [one.lowest for one in result.of_files()]
    assert result.worst_file.lowest == min(each)


# Never a figure that isn't one -----------------------------------------------------------------------


def test_an_overlap_is_missing_where_a_file_has_no_interval():
    original = pd.DataFrame({"region": ["a"] * 20 + ["b"] * 20 + ["c"] * 20 + ["d"] * 20, "income": [*range(80)]})
    synthetic = original[original["region"] != "a"].drop(index=range(21, 40))
    synthetic.loc[synthetic["region"] == "d", "income"] = 7
    rows = table(original, synthetic, "mean of income by region")
    assert rows.loc["a", ["n_synthetic", "original"]].tolist() == [0, 9.5]  # no record
    assert rows.loc["a", ["synthetic", "difference", "overlap"]].isna().all()
    assert rows.loc["b", ["n_synthetic", "synthetic"]].tolist() == [1, 20]  # a single one
    assert rows.loc["b", ["synthetic_low", "overlap"]].isna().all()
    assert rows.loc["d", "synthetic"] == 7  # all the same
    assert rows.loc["d", ["synthetic_low", "overlap"]].isna().all()
    assert rows.loc["c", "overlap"] == 100
    assert rows.index[-1] == "c"  # what can't be compared is told first
    (summary,) = found(original, synthetic, "mean of income by region").declared[0].of_files()
    assert (summary.n_groups, summary.n_missing, summary.lowest) == (4, 3, 100)


def test_numbers_that_differ_by_rounding_only_have_no_interval():
    frame = pd.DataFrame({"sex": ["f"] * 30, "income": [0.1 + 0.2] * 30})
    assert table(frame, frame, "mean of income")["overlap"].isna().all()


def test_groups_of_few_original_records_are_put_together_and_not_named():
    original = pd.DataFrame(
        {
            "village": ["Achterbach"] * 60 + ["Zwischenau"] * 3 + ["Hinterwald"] * 4 + ["Mitte"] * 30,
            "income": [*range(97)],
        }
    )
    result = found(original, original, ["mean of income by village", "count of village"])
    assert [one.written for one in result.declared[0].groups] == ["Achterbach", "3 other groups"]
    assert result.declared[0].groups[1].original.n == 37
    assert "Zwischenau" not in json.dumps(result.model_dump(mode="json"))
    few = found(original.iloc[:8], original.iloc[:8], "mean of income by village").declared[0]
    assert (few.groups, few.n_small, few.of_files(), few.worst_file) == ((), 1, (), None)


# Settings --------------------------------------------------------------------------------------------


def test_means_are_of_the_numbers_themselves_and_shares_of_the_classes():
    one, other = survey(1), survey(2)
    settings = Settings(
        keys=["sex"], targets=["income"], special_codes={"income": [-8]}, numeric_groups={"income": [0, 1000, 4000]}
    )
    result = found(one, other, ["mean of income", "count of income"], settings)
    assert result.declared[0].groups[0].original.value == pytest.approx(one["income"][one["income"] != -8].mean())
    assert [group.levels for group in result.declared[1].groups] == [("under 1,000",), ("1,000 and over",), ("-8",)]
    assert result.declared[0].left_out == tuple(int((frame["income"] == -8).sum()) for frame in (one, other))


def test_missing_values_are_a_level_unless_the_settings_leave_them_out():
    one, other = survey(1), survey(2)
    declared = ["share of smoker = Yes", "count of region by smoker", "share of smoker = (missing)"]
    level, _, missing = found(one, other, declared).declared
    assert level.groups[0].original.value == pytest.approx(100 * (one["smoker"] == "Yes").mean())
    assert missing.groups[0].original.value == pytest.approx(100 * one["smoker"].isna().mean())
    settings = Settings(keys=["sex"], targets=["smoker"], target_missing="exclude")
    without, counts = found(one, other, declared[:2], settings).declared
    assert without.groups[0].original.value == pytest.approx(100 * (one["smoker"].dropna() == "Yes").mean())
    assert without.left_out == counts.left_out == (one["smoker"].isna().sum(), other["smoker"].isna().sum())
    assert sum(group.original.value for group in counts.groups) == pytest.approx(100)


def test_numbers_that_make_groups_are_levels_where_they_are_few_and_classes_otherwise():
    frame = survey(1).assign(year=[2019, 2020] * 200)
    rows = table(frame, frame, ["mean of income by year"])
    assert {*rows.index} == {"2019", "2020"}
    assert len(found(frame, frame, "count of sex by income", classes=3).declared[0].groups) == 2 * 3


@pytest.mark.parametrize(
    ("declared", "error", "message"),
    [
        ("mean of incom", DataError, "No column 'incom'"),
        ("mean of income by regio", DataError, "No column 'regio'"),
        ("mean of region", SettingsError, "'region' has no mean"),
        ("share of smoker = Maybe", SettingsError, "'smoker' has no level 'Maybe'"),
        ("share of sex = (missing)", SettingsError, "'sex' has no missing values"),
        ("share of smoker by sex", SettingsError, "a share needs the level"),
        ("median of income", SettingsError, "write it as 'mean of income by region'"),
        ("count of sex by sex", SettingsError, "each variable is named once"),
        ({"figure": "mean", "variable": "income", "level": "x"}, SettingsError, "of no single level"),
        ({"figure": "total", "variable": "income"}, SettingsError, "no such choice"),
        (5, SettingsError, "write it as"),
        ("{figure = ", SettingsError, "isn't in TOML"),
    ],
)
def test_what_is_unknown_or_will_not_do_is_refused(declared, error, message):
    with pytest.raises(error, match=message):
        found(survey(), survey(), declared)


def test_infinite_numbers_are_refused_and_the_unit_is_shown_nowhere():
    frame = survey()
    with pytest.raises(SettingsError, match="no finite number in 400 original records"):
        found(frame.assign(income=np.inf), frame, "mean of income")
    with pytest.raises(SettingsError, match="'sex' is the unit"):
        found(frame, frame, "mean of income by sex", Settings(keys=["region"], targets=[], unit="sex"))


@given(
    st.sampled_from(["mean", "share", "count"]),
    st.lists(st.text("ab =,yB{\n", min_size=1, max_size=8), min_size=1, max_size=4, unique=True),
    st.one_of(st.none(), st.text("ab =,(){\n", min_size=1, max_size=5), st.just("(missing)"), st.just("x by y")),
)
def test_whatever_names_hold_the_text_says_the_same_again(figure, names, level):
    given = {"figure": figure, "variable": names[0], "by": names[1:]} | ({"level": level} if figure == "share" else {})
    (one,) = declared_from([given])
    assert declared_from(str(one)) == (one,)


# Engines, record, outside ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.spark_cases(1)  # values stay in Spark in the next test
@pytest.mark.parametrize("many", [False, True])
def test_every_engine_gives_the_same(engine, many, most_values):
    if many:  # the values of income stay in the engine
        most_values(100)
    frames = [survey(1), survey(2), survey(3)]
    settings = Settings(keys=["sex"], targets=[], special_codes={"income": [-8]})
    one, other = (
        found(frames[0], frames[1:], [*DECLARED, "count of sex by income"], settings, engine=name)
        for name in (engine, "memory")
    )
    numbers = [name for name in COLUMNS if name != "overlap"] + ["overlap", "difference"]
    for name in numbers:
        assert one.declared_table[name].to_numpy() == pytest.approx(other.declared_table[name].to_numpy(), nan_ok=True)
    rest = ["declared", "group", "synthesis", "n_original", "n_synthetic"]
    assert one.declared_table[rest].equals(other.declared_table[rest])


@pytest.mark.slow
def test_means_of_values_that_stay_in_the_engine_are_the_same_to_the_last_digit(engine, most_values):
    most_values(100)
    random = np.random.default_rng(4)
    n = 4_000 if engine == "spark" else 200_000
    files = [
        pd.DataFrame({"sex": random.integers(0, 2, n), "pay": random.lognormal(8, 2, n).round(2)}) for _ in range(2)
    ]
    settings = Settings(keys=["sex"], targets=[])
    once = found(files[0], files[1:], ["mean of pay by sex"], settings, engine=engine)
    others = [one.sample(frac=1, random_state=7) for one in files]
    again = found(others[0], others[1:], ["mean of pay by sex"], settings, engine=engine)
    assert again.declared == once.declared
    assert len(once.declared[0].groups) == 2


def test_the_record_keeps_them_and_verify_works_them_out_again(tmp_path):
    paths = examples.path("original"), examples.path("synthetic_small")
    options = {"variables": ["sex"], "declared": ["mean of age by region", "share of smoker = Yes"]}
    with unwarned():
        assessment = analyse(assess(*paths, keys=["age", "sex"], targets=["smoker"]), *paths, {"utility": options})
    again = load(assessment.save(tmp_path / "a.json"))
    assert again.analyses == assessment.analyses
    (check,) = analyses_verified(again, paths[0], [paths[1]], {})
    assert check.outcome == "holds", check.detail
    value = again.analyses.utility.declared[0].groups[0].original
    text = (tmp_path / "a.json").read_text().replace(f"{value.value!r}", f"{value.value + 1!r}")
    (tmp_path / "a.json").write_text(text)
    (check,) = analyses_verified(load(tmp_path / "a.json"), paths[0], [paths[1]], {})
    assert check.outcome == "fails"
    assert "declared.0.groups.0.original.value" in check.detail


def outside(original, synthetic, declared, **policy):
    settings = Settings(keys=["sex"], targets=["region", "smoker", "income"])
    with unwarned():
        assessment = analyse(
            assess(original, synthetic, keys=settings.keys, targets=settings.targets), original, synthetic,
            {"utility": {"declared": declared}},
        )  # fmt: skip
    policy = assessment.policy.model_copy(update=policy)
    return public_utility(assessment.model_copy(update={"policy": policy}))


def test_outside_the_overlap_is_told_in_bands_without_level_and_small_groups():
    original, synthetic = survey(1), survey(1)
    synthetic.loc[synthetic["region"] == "west", "income"] += 5000
    declared = ["mean of income by region", "share of smoker = Yes", "mean of income"]
    told = {one.what: one.band for one in outside(original, synthetic, declared).declared}
    assert told == {
        "mean of income by region": "below half",
        "share of a level of smoker": "half or more",
        "mean of income": "below half",
    }
    west = int((original["region"] == "west").sum())
    limited = outside(original, synthetic, declared[:1], small_cell_limit=west + 1)
    assert limited.declared[0].band == "half or more"  # the group isn't told of
    assert outside(original, synthetic, declared[:1], small_cell_limit=401).declared[0].band == "not told"
    assert "- " not in "".join(limited.limits)
    assert list(outside(original, synthetic, declared[:1]).limits)[-1].startswith("mean of income by region: 95 %")


def test_the_lowest_overlap_is_told_whatever_cannot_be_compared_in_another_file():
    original = survey(1)
    west = original["region"] == "west"
    constant = original.assign(income=original["income"].mask(west, 7.0))
    far = original.assign(income=original["income"] + 5000)
    (one,) = found(original, [constant, far], ["mean of income by region"]).declared
    assert [(file.n_missing, file.lowest) for file in one.of_files()] == [(1, 100), (0, 0)]
    assert (one.worst_file.synthesis, one.worst_file.lowest) == (2, 0)


def test_outside_a_file_without_an_interval_hides_no_other_files_overlap():
    original = survey(1)
    constant, far = original.assign(income=7.0), original.assign(income=original["income"] + 5000)
    (one,) = outside(original, [constant, far], ["mean of income by region"]).declared
    assert one.band == "below half"


def test_no_small_count_of_those_with_a_level_is_told_outside():
    original = pd.DataFrame({"sex": ["f", "m"] * 100, "region": ["x"] * 200, "smoker": ["Yes"] * 9 + ["No"] * 191})
    original["income"] = range(200)
    (one,) = outside(original, original, ["share of smoker = Yes"]).declared
    assert one.band == "not told"


def test_an_assessment_takes_none_with_other_codes_of_a_declared_variable():
    one, other = survey(1), survey(2)
    with unwarned():
        assessment = assess(one, other, keys=["sex"], targets=["region"])
    settings = Settings(keys=["sex"], targets=["region"], special_codes={"income": [-8]})
    with pytest.raises(SettingsError, match="special_codes"):
        assessment.with_analysis(found(one, other, "mean of income", settings))
