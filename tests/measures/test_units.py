"""Records that belong together: whoever knows one member's keys knows those of all; counted in every engine."""

import json
import warnings
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import ComparisonWarning, Settings, assess, groups, load, sensitivity
from discoreport.assessment.analyses import ANALYSES
from discoreport.errors import DataError, SettingsError
from discoreport.measures.key_index import combine
from tests.commands import stops
from tests.engines import Engine, assert_same, assess_in
from tests.intruder import Attack, Rules
from tests.measures.test_brute_force import close_to, figures, rules_for
from tests.policies import compared, under
from tests.records import figures as verified
from tests.records import parse
from tests.report.test_analysis_report import section
from tests.strategies import few, often, problems, sometimes
from tests.tables import Table, code_variable

pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")

FOLDER = Path(__file__).parents[1] / "assessment"
CASES = json.loads((FOLDER / "beyond.json").read_text(encoding="utf-8"))["units"]
HOUSEHOLDS = [pd.read_csv(FOLDER / f"households_{name}.csv.gz") for name in ("original", "synthetic")]
ASKED = {"keys": ["sex", "age_band", "district"], "targets": ["employment", "smoker"]}


# By hand and against the published figures -----------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["memory", pytest.param("duckdb", marks=pytest.mark.slow)])
def test_gives_the_expected_figures_of_households(engine):
    found = assess_in(engine, HOUSEHOLDS[0], HOUSEHOLDS[1:], **ASKED, unit="household")
    for case in CASES:
        expected = case["expected"]
        for measure, value in expected["identity"].items():
            assert found.value(measure) == pytest.approx(value, abs=1e-9)
        for measure, value in (expected["attribute"] | expected["cap"] | expected["chance"]).items():
            assert found.value(measure, case["target"]) == pytest.approx(value, abs=1e-9)
        counted = found.units.set_index("table")
        units = expected["units"]
        assert counted["n_units"].to_dict() == {"original": units["n_original"], "synthetic": units["n_synthetic"]}
        for name in ("unique_in_original", "unique_and_in_synthetic", "unique_in_both"):
            assert counted.loc["original", name] == units[name]


def test_persons_hide_what_households_show():
    without = assess(*HOUSEHOLDS, **ASKED)
    assert without.value("repU") == 0
    assert without.value("DiSCO", "employment") == 0
    assert without.units.empty
    assert without.unit_kinds.empty


def test_counts_a_small_table_by_hand():
    # Two households of a woman and a man are alike; that of two women isn't, nor is the man alone.
    original = pd.DataFrame({"house": [1, 1, 2, 2, 3, 3, 4], "sex": list("fmmfffm"), "ill": list("ynnynnn")})
    synthetic = pd.DataFrame({"house": [7, 8, 7, 9], "sex": list("fmfm"), "ill": list("nyny")})
    found = assess(original, synthetic, keys="sex", unit="house")
    assert found.value("UiO") == pytest.approx(100 / 7)  # the man alone; the two women are the same to each other
    assert found.value("UiOiS") == pytest.approx(100 / 7)
    assert found.value("repU") == 0  # two men live alone in the synthetic file
    assert found.value("DiSCO", "ill") == pytest.approx(200 / 7)  # the two women
    assert found.units.iloc[0].tolist() == [1, "original", 4, 2, 2, 1]


def test_a_record_without_a_unit_is_a_unit_of_its_own():
    frame = pd.DataFrame({"house": [1.0, 1.0, None, None, None], "sex": list("fmfmm"), "ill": list("ynnnn")})
    found = assess(frame, frame.assign(ill="n"), keys="sex", unit="house")
    assert found.units["n_units"].tolist() == [4, 4]
    assert found.value("UiO") == 60  # both members of the couple, and the woman alone
    finding = next(one for one in found.findings if one.finding == "no_unit")
    assert (finding.severity, finding.n_records, finding.percent) == ("warning", 3, 60)


def test_values_that_mean_missing_are_no_unit():
    frame = pd.DataFrame({"house": [1, 1, -9, -9], "sex": list("fmfm"), "ill": list("ynny")})
    found = assess(frame, frame, keys="sex", unit="house", missing_values={"house": [-9]})
    assert found.units["n_units"].tolist() == [3, 3]


def test_grouped_keys_are_grouped_before_they_are_put_together():
    original = pd.DataFrame({"house": [1, 1, 2, 2], "age": [30, 3, 31, 4], "ill": list("ynny")})
    found = assess(original, original, keys="age", numeric_groups={"age": [0, 18, 99]}, unit="house")
    assert found.value("UiO") == 0
    assert found.units.loc[0, "unique_in_original"] == 0


# Brute force -----------------------------------------------------------------------------------------------------


def with_members(records, keys):
    """Write to each record what its unit's keys are, record by record."""
    known = defaultdict(list)
    for record in records:
        known[record["unit"]].append(tuple(record[key] for key in keys))
    found = []
    for record in records:
        of_unit = known[record["unit"]] if record["unit"] is not None else [tuple(record[key] for key in keys)]
        found.append(record | {"members": tuple(sorted(of_unit, key=repr))})
    return found


def units_of(records, without_missing_keys):
    """The members of each unit, and whether any of its records is left."""
    left = {}
    for number, record in enumerate(records):
        unit = ("alone", number) if record["unit"] is None else record["unit"]
        kept = not any(record[key] is None for key in without_missing_keys)
        left[unit] = (record["members"], kept or left.get(unit, ("", False))[1])
    return list(left.values())


@st.composite
def problems_with_units(draw, **how):
    problem = draw(problems(**how))
    numbers = st.sampled_from([None, 1, 2, 3, 4, 5])
    for records in (problem.original, *problem.synthetic):
        records[:] = [{**record, "unit": draw(numbers)} for record in records]
    return problem


def frames(problem):
    columns = [*problem.keys, *problem.targets, "unit"]
    original, *synthetic = (
        pd.DataFrame(records, columns=columns, dtype=object) for records in (problem.original, *problem.synthetic)
    )
    return original, synthetic


def assessed(problem, **more):
    original, synthetic = frames(problem)
    arguments = {"keys": problem.keys, "targets": problem.targets, **problem.settings, "unit": "unit", **more}
    return assess(original, synthetic, **arguments)


@pytest.mark.slow
@often
@given(problems_with_units())
def test_every_measure_is_what_an_intruder_counts_who_knows_all_members(problem):
    found = assessed(problem)
    for synthesis, records in enumerate(problem.synthetic, start=1):
        files = [with_members(one, problem.keys) for one in (problem.original, records)]
        for target in problem.targets:
            rules = rules_for(problem, target)
            attack = Attack(*files, [*problem.keys, "members"], target, rules)
            assert figures(found, target, synthesis) == close_to(attack.measures())
            pairs = {pair: n for pair, n in attack.two_way().items() if pair[0] != "members"}
            flags = [flag for flag in found.outcome.two_way if (flag.target, flag.synthesis) == (target, synthesis)]
            assert {(flag.key, flag.key_level, flag.target_level) for flag in flags} == set(pairs)
        rules = Rules(without_missing_keys=rules.without_missing_keys)
        ours, theirs = (units_of(file, rules.without_missing_keys) for file in files)
        d, s = (Counter(members for members, left in of_file if left) for of_file in (ours, theirs))
        unique = [members for members, n in d.items() if n == 1]
        in_synthetic = {members for members, _ in theirs}
        risk = found.outcome.units[synthesis - 1]
        assert (risk.n_original, risk.n_synthetic) == (len(ours), len(theirs))
        assert risk.unique_in_original == len(unique)
        assert risk.unique_and_in_synthetic == sum(members in in_synthetic for members in unique)
        assert risk.unique_in_both == sum(s[members] == 1 for members in unique)
        for key in (None, *problem.keys):
            kinds = [kind for kind in risk.kinds if kind.key == key]
            assert sum(kind.n_units for kind in kinds) == len(ours)
            assert sum(kind.n_unique for kind in kinds) == len(unique)
            assert all(kind.n_units >= 10 for kind in kinds if len(kinds) > 1)


# What must not matter --------------------------------------------------------------------------------------------


@pytest.mark.slow
@sometimes
@given(problems_with_units(), st.randoms(use_true_random=False))
def test_neither_order_nor_names_of_units_matter(problem, random):
    expected = assessed(problem)
    for records in (problem.original, *problem.synthetic):
        random.shuffle(records)
        names = dict(zip([1, 2, 3, 4, 5], random.sample(range(100, 200), 5), strict=True))
        for record in records:
            record["unit"] = names.get(record["unit"])
    again = assessed(problem)
    assert again.outcome == expected.outcome


@pytest.mark.slow
@sometimes
@given(problems())
def test_units_of_one_record_change_nothing(problem):
    for records in (problem.original, *problem.synthetic):
        records[:] = [{**record, "unit": 100 + number} for number, record in enumerate(records)]
    found, without = assessed(problem), assessed(problem, unit=None)
    assert replace_units(found) == without.outcome
    for risk, identity in zip(found.outcome.units, without.outcome.identity, strict=True):
        assert risk.n_original == len(problem.original)
        assert risk.percent_unique == pytest.approx(identity.values["UiO"])
        assert risk.percent_found == pytest.approx(identity.values["UiOiS"])
        assert risk.percent == pytest.approx(identity.values["repU"])


def replace_units(assessment):
    return assessment.outcome.model_copy(update={"units": (), "without_unit": ()})


def test_keys_are_taken_apart_again_whatever_is_behind_them():
    random = np.random.default_rng(1)
    columns = {name: pd.Series(random.integers(0, 40, 300)) for name in ("a", "b", "c", "d", "unit")}
    tables = [Table("one", columns), Table("other", {name: column[:200] for name, column in columns.items()})]
    *keys, unit = (code_variable(name, tables) for name in [*"abcd", "unit"])
    for limit in (2**62, 10**5):
        index = combine(keys, unit, limit=limit)
        for file, codes in enumerate(index.codes):
            for key, found in zip(keys, index.key_codes(codes), strict=True):
                assert np.array_equal(key.codes[file], found)


# Engines ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@few
@given(problem=problems_with_units())
def test_every_engine_gives_the_figures_of_memory(engine, problem):
    original, synthetic = frames(problem)
    arguments = {"keys": problem.keys, "targets": problem.targets, **problem.settings, "unit": "unit"}
    found = assess_in(engine, original, synthetic, **arguments)
    expected = assess_in("memory", original, synthetic, **arguments)
    assert_same(found, expected)
    assert found.outcome.units == expected.outcome.units
    assert [one.units for one in found.whole_records] == [one.units for one in expected.whole_records]


@pytest.mark.slow
def test_every_engine_gives_the_kinds_of_households(engine):
    found = assess_in(engine, HOUSEHOLDS[0], HOUSEHOLDS[1:], **ASKED, unit="household")
    expected = assess_in("memory", HOUSEHOLDS[0], HOUSEHOLDS[1:], **ASKED, unit="household")
    assert_same(found, expected)
    pd.testing.assert_frame_equal(found.unit_kinds, expected.unit_kinds)


# The variable itself ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["keys", "targets", "numeric_groups", "special_codes"])
def test_the_unit_has_no_other_role(role):
    asked = {**ASKED, role: ["household"] if role in ASKED else {"household": 5 if role[0] == "n" else [1]}}
    with pytest.raises(SettingsError, match=f"{role}: 'household' is the unit"):
        assess(*HOUSEHOLDS, **asked, unit="household")


def test_the_unit_is_in_every_file():
    with pytest.raises(DataError, match="No column 'household' in 'synthetic'"):
        assess(HOUSEHOLDS[0], HOUSEHOLDS[1].drop(columns="household"), **ASKED, unit="household")


def test_the_unit_is_no_target_unless_it_is_named():
    found = assess(*HOUSEHOLDS, keys=ASKED["keys"], unit="household")
    assert "household" not in found.targets
    assert not [one for one in found.findings if one.finding == "not_assessed"]


def test_no_value_of_the_unit_is_in_the_record():
    names = {"household": lambda table: "house-" + table["household"].astype(str)}
    found = assess(*(frame.assign(**names) for frame in HOUSEHOLDS), **ASKED, unit="household")
    assert "house-1" not in found.model_dump_json()


def test_tells_of_values_that_units_have_in_both_files():
    found = assess(*HOUSEHOLDS, **ASKED, unit="household")
    (told,) = (one for one in found.findings if one.finding == "same_units")
    assert (told.variable, told.severity, told.percent) == ("household", "warning", 100)
    assert not found.in_doubt()
    anew = HOUSEHOLDS[1].assign(household=HOUSEHOLDS[1]["household"] + 10_000)
    assert not [one for one in assess(HOUSEHOLDS[0], anew, **ASKED, unit="household").findings if one.variable]


def test_a_mere_numbering_is_only_noted():
    numbered = [frame.assign(household=frame["household"].rank(method="dense").astype(int)) for frame in HOUSEHOLDS]
    found = assess(*numbered, **ASKED, unit="household")
    (told,) = (one for one in found.findings if one.finding == "same_units")
    assert told.severity == "note"


# Copies and analyses ---------------------------------------------------------------------------------------------


def test_whole_units_that_are_copied_are_counted():
    original, synthetic = HOUSEHOLDS
    copied = original[original["household"] < 10_100].assign(household=lambda table: table["household"] + 5_000)
    found, before = (
        assess(original, file, **ASKED, unit="household").whole_records[0].units
        for file in (pd.concat([synthetic, copied]), synthetic)
    )
    n = copied["household"].nunique()
    assert found.n_synthetic == before.n_synthetic + n
    assert found.synthetic_units == before.synthetic_units + n
    assert assess(original, synthetic, **ASKED).whole_records[0].units is None


def test_each_subset_of_keys_has_the_figures_of_an_assessment_with_these_keys():
    settings = Settings(**ASKED, unit="household")
    found = sensitivity(*HOUSEHOLDS, settings, measures=["repU", "DiSCO"])
    for keys in (["sex"], ["age_band", "district"], ASKED["keys"]):
        other = assess(*HOUSEHOLDS, keys=keys, targets=ASKED["targets"], unit="household")
        assert found.value("repU", keys) == pytest.approx(other.value("repU"), abs=1e-9)
        assert found.value("DiSCO", keys, "smoker") == pytest.approx(other.value("DiSCO", "smoker"), abs=1e-9)


@pytest.mark.slow
def test_every_analysis_takes_the_unit_into_account_or_says_why_not():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        assessment = assess(*HOUSEHOLDS, **ASKED, unit="household")
    options = {
        "control": {"control": HOUSEHOLDS[1]},
        "membership": {"control": HOUSEHOLDS[1]},
        "releases": {"releases": {"other": [HOUSEHOLDS[0]]}},
        "mitigation": {"steps": [{"step": "remove replicated uniques"}]},
        "trade_off": {"steps": [{"step": "remove replicated uniques"}]},
    }
    refused, differing = set(), set()
    without = assessment.settings.model_copy(update={"unit": None})
    for name, one in ANALYSES.items():
        try:
            found = one.run(HOUSEHOLDS[0], HOUSEHOLDS[1:], assessment.settings, options.get(name))
        except SettingsError:
            refused.add(name)
            continue
        other = one.run(HOUSEHOLDS[0], HOUSEHOLDS[1:], without, options.get(name))
        if found.model_dump(exclude={"settings"}) != other.model_dump(exclude={"settings"}):
            differing.add(name)
    assert refused == {"release_size", "mitigation", "trade_off"}
    assert refused | differing | {"membership"} == set(ANALYSES)  # that looks for records one by one, and says so


def test_the_figures_of_analyses_are_those_of_the_assessment():
    assessment = assess(*HOUSEHOLDS, **ASKED, unit="household")
    for name in ("uncertainty", "groups", "sensitivity"):
        found = ANALYSES[name].run(HOUSEHOLDS[0], HOUSEHOLDS[1:], assessment.settings)
        assert assessment.with_analysis(found)  # refuses figures that are not its own


def test_groups_are_never_by_the_unit():
    with pytest.raises(SettingsError, match="'household' is the unit"):
        groups(*HOUSEHOLDS, Settings(**ASKED, unit="household"), by="household")


# The record ------------------------------------------------------------------------------------------------------


def test_the_record_keeps_units_and_is_verified_with_them(tmp_path):
    paths = [tmp_path / f"{number}.csv" for number in (1, 2)]
    for frame, path in zip(HOUSEHOLDS, paths, strict=True):
        frame.to_csv(path, index=False)
    found = assess(*paths, **ASKED, unit="household")
    again = load(found.save(tmp_path / "record.json"))
    assert again == found
    assert again.settings.unit == "household"
    assert "Units by household: 900 original units, 353 unique (39.2 %), 76 of them" in str(again)
    (check,) = verified(again, paths[0], paths[1:], Engine())
    assert check.outcome == "holds"
    changed = found.outcome.units[0].__class__(**{**vars(found.outcome.units[0]), "unique_in_both": 75})
    lying = again.model_copy(update={"outcome": again.outcome.model_copy(update={"units": (changed,)})})
    (check,) = verified(lying, paths[0], paths[1:], Engine())
    assert check.outcome == "fails"


def test_kinds_of_few_units_are_put_together_by_the_policy():
    found = assess(*HOUSEHOLDS, **ASKED, unit="household")
    careful = under(found, small_cell_limit=50)
    kinds = careful.unit_kinds
    assert kinds[kinds["kind"] != "all other kinds"]["n_units"].min() >= 50
    assert kinds.groupby("key")["n_units"].sum().unique().tolist() == [900]


@pytest.fixture(params=["memory", pytest.param("duckdb", marks=pytest.mark.slow)], scope="module")
def in_pairs(request):
    """People in pairs by chance, other pairs in each file: with the unit, and without it."""
    engine = request.param
    random = np.random.default_rng(1)

    def in_pairs(frame, first):
        return frame.assign(home=first + np.arange(len(frame)) // 2)

    people = pd.DataFrame({"town": random.integers(0, 400, 800), "ill": random.integers(0, 2, 800)})
    files = in_pairs(people, 0), in_pairs(people.sample(frac=1, random_state=1), 9000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        of_units = assess(*files, keys="town", targets="ill", unit="home", engine=engine)
        alone = assess(*files, keys="town", targets="ill", engine=engine)
    return of_units, alone


def test_it_is_told_where_one_record_alone_gives_more(in_pairs):
    of_units, alone = in_pairs
    (told,) = (one for one in of_units.warnings if one.finding == "higher_without_unit")
    assert f"repU {alone.values('repU')[0]:.1f} instead of {of_units.values('repU')[0]:.1f} %" in told.detail
    assert f"DiSCO of ill {alone.values('DiSCO', 'ill')[0]:.1f} instead" in told.detail
    assert not [one for one in alone.warnings if one.finding == "higher_without_unit"]


def test_thresholds_are_for_the_higher_of_records_and_units_and_say_which():
    households = assess(*HOUSEHOLDS, **ASKED, unit="household")
    persons, (risk,) = households.value("repU"), households.unit_risks
    assert persons < risk.percent
    between = (persons + risk.percent) / 2
    decided = under(households, ("repU", between))
    (above,) = compared(decided)
    assert (above.value, above.of, above.file, above.above) == (risk.percent, "of units by household", 1, True)
    assert [row.of for row in compared(under(households, ("UiS", 1)))] == [""]
    assert f"({above.written} of units by household)" in str(decided)
    assert f"repU: {above.written} % of units by household is above" in stops(decided, ["thresholds"])["thresholds"][0]
    for name in ("criteria", "brief"):
        assert "of units by household" in section(decided, name)
    assert not any(row.of for row in compared(under(assess(*HOUSEHOLDS, **ASKED), ("repU", between))))


def test_thresholds_are_for_one_record_where_that_is_more_exposed_than_its_unit(in_pairs):
    of_units, alone = in_pairs
    for measure, target in (("repU", None), ("DiSCO", "ill"), ("excess", "ill")):
        (more,), (less,) = (one.values(measure, target) for one in (alone, of_units))
        decided = under(of_units, (measure, (more + less) / 2))
        (row,) = compared(decided)
        assert (row.value, row.of, row.above) == (pytest.approx(more), "of one record without its home", True)
        assert not any(one.above for one in compared(under(of_units, (measure, more + 0.01))))
    assert [one.target for one in of_units.outcome.without_unit] == ["", "ill"]
    assert not alone.outcome.without_unit
    assert parse(of_units.record, "the record") == of_units
