"""The four checks: labels, structure, the order of rows, whole records, and the note for users."""

import itertools
import statistics
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import Settings, assess, examples, four_checks, mitigate, user_note
from discoreport.assessment.analyses.four_checks.checks import _disclosure
from discoreport.assessment.analyses.four_checks.structure import QUESTIONS, matches_beyond_chance
from discoreport.assessment.analyses.four_checks.write_user_note import DIFFERENCES
from discoreport.errors import SettingsError
from tests.strategies import sometimes

ORIGINAL = pd.DataFrame({"age": [30, 31, 41, 52], "ill": ["y", "n", "n", None], "pay": [100, 200, 300, 400]})


def outcomes(original, synthetic, **more):
    return {one.item: one.outcome for one in four_checks(original, synthetic, **more).items}


# Labels -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("survey_synthetic.csv", "yes"),
        ("FAKE-data.csv", "yes"),
        ("survey.csv", "no"),
        ("made-up.csv", "yes"),
        ("photosynthesis.csv", "no"),
        ("not_synthetic.csv", "no"),
        ("SyntheticSurvey.csv", "yes"),
    ],
)
def test_a_file_name_says_that_the_data_are_synthetic_or_does_not(tmp_path, name, outcome):
    ORIGINAL.to_csv(tmp_path / name, index=False)
    found = four_checks(ORIGINAL, tmp_path / name)
    assert {one.item: one.outcome for one in found.items}["file_name"] == outcome
    assert found.labelling.file_name == outcome
    assert found.labelling.variable == "no"


def test_the_folder_is_no_part_of_the_file_name(tmp_path):
    folder = tmp_path / "synthetic"
    folder.mkdir()
    ORIGINAL.to_csv(folder / "survey.csv", index=False)
    assert outcomes(ORIGINAL, folder / "survey.csv")["file_name"] == "no"


@pytest.mark.parametrize(
    ("column", "outcome"),
    [
        ({"synthetic_data": [1, 1, 1, 1]}, "yes"),
        ({"note": ["Synthetic, not real"] * 4}, "yes"),
        ({"note": ["synthetic", "synthetic", "synthetic", None]}, "no"),
        ({"note": ["synthetic", "synthetic", "synthetic", "cotton"]}, "no"),
        ({"note": ["x"] * 4}, "no"),
    ],
)
def test_a_variable_says_so_where_it_does_for_every_record(column, outcome):
    assert outcomes(ORIGINAL, ORIGINAL.assign(**column))["variable"] == outcome


@pytest.mark.parametrize(
    "column",
    [
        {"synthetic": ["no"] * 4},
        {"synthetic": [0, 0, 0, 0]},
        {"is_synthetic": [False] * 4},
        {"synthetic": ["yes", "yes", "no", "yes"]},
        {"synthetic": [1, 1, 1, None]},
        {"photosynthesis": ["yes"] * 4},
        {"synthesis": [1, 2, 3, 4]},
        {"synthetic_fibre": ["yes"] * 4},
        {"not_synthetic": [True] * 4},
        {"note": ["this is not synthetic: real data"] * 4},
        {"note": ["Real data, isn't synthetic"] * 4},
        {"note": ["non-synthetic"] * 4},
        {"note": ["synthetic: no"] * 4},
        {"note": ["no fake, no dummy: from the register"] * 4},
        {"note": ["photosynthesis"] * 4},
    ],
)
def test_a_variable_that_denies_it_or_means_something_else_does_not_say_so(column):
    found = four_checks(ORIGINAL, ORIGINAL.assign(**column))
    assert {one.item: one.outcome for one in found.items}["variable"] == "no"
    assert found.labelling.variable == "no"
    assert {one.item: one.detail for one in found.items}["no_variable_added"] == next(iter(column))


@pytest.mark.parametrize(
    "column",
    [
        {"synthetic": ["Yes"] * 4},
        {"isSynthetic": [True] * 4},
        {"synth_flag": ["y"] * 4},
        {"note": ["SYNTHETIC, not a real person"] * 4},
        {"note": ["These are not real people"] * 4},
        {"note": ["Synthetic copy of original data; not for publication"] * 4},
        {"note": ["synthetic record 1", "synthetic record 2", "synthetic record 3", "a made-up record"]},
        {"note": ["synthesised"] * 4},
    ],
)
def test_a_variable_says_so_in_the_words_that_people_use(column):
    assert outcomes(ORIGINAL, ORIGINAL.assign(**column))["variable"] == "yes"


def test_what_the_original_has_too_is_no_label():
    original = ORIGINAL.assign(synthetic_fibre=["yes", "no", "no", "no"])
    assert outcomes(original, original)["variable"] == "no"


def test_marks_that_mitigation_puts_there_are_found():
    steps = [{"step": "add variable"}, {"step": "mark names", "suffix": "_synthetic"}]
    marked = mitigate(ORIGINAL, ORIGINAL, Settings(keys=["age"]), steps).frame
    found = outcomes(ORIGINAL, marked)
    assert (found["variable"], found["names"]) == ("yes", "yes")
    renamed = four_checks(ORIGINAL, ORIGINAL.add_prefix("s_"))
    assert [one.detail for one in renamed.items if one.item == "names"] == ["3 of 3 names don't"]


def test_words_can_be_those_of_any_language():
    synthetic = ORIGINAL.assign(hinweis=["Künstliche Daten"] * 4)
    assert outcomes(ORIGINAL, synthetic)["variable"] == "no"
    assert outcomes(ORIGINAL, synthetic, words=["künstlich"])["variable"] == "yes"
    with pytest.raises(SettingsError, match="give words"):
        four_checks(ORIGINAL, ORIGINAL, words=[""])


def test_several_files_are_checked_one_by_one(tmp_path):
    for name in ("synthetic.csv", "other.csv"):
        ORIGINAL.to_csv(tmp_path / name, index=False)
    found = four_checks(ORIGINAL, [tmp_path / "synthetic.csv", tmp_path / "other.csv"])
    assert [one.outcome for one in found.items if one.item == "file_name"] == ["yes", "no"]
    assert found.labelling.file_name == "no"
    assert len(found.table) == len(found.items)


# Structure ----------------------------------------------------------------------------------------------

CHANGES = {
    "no_variable_lacking": lambda table: table.drop(columns="pay"),
    "no_variable_added": lambda table: table.assign(more=1),
    "same_order": lambda table: table[["ill", "age", "pay"]],
    "type_change": lambda table: table.assign(age=["a", "b", "c", "d"]),
    "levels_only_in_original": lambda table: table.assign(ill=["n", "n", "n", None]),
    "levels_only_in_synthetic": lambda table: table.assign(ill=["y", "n", "x", None]),
    "outside_range": lambda table: table.assign(pay=[1, 100, 200, 300]),
    "missing_only_in_original": lambda table: table.assign(ill=["y", "n", "n", "n"]),
    "missing_only_in_synthetic": lambda table: table.assign(pay=[100, 200, 300, None]),
    "no_identical_records": lambda table: table,
}


@pytest.mark.parametrize("item", CHANGES)
def test_each_difference_in_structure_is_found(item):
    found = outcomes(ORIGINAL, CHANGES[item](ORIGINAL).iloc[::-1])
    assert found[item] == "no"


def test_a_column_without_a_name_is_found_like_any_other():
    for original, synthetic, item in (
        (ORIGINAL.assign(**{"": 1}), ORIGINAL, "no_variable_lacking"),
        (ORIGINAL, ORIGINAL.assign(**{"": 1}), "no_variable_added"),
    ):
        (found,) = [one for one in four_checks(original, synthetic).items if one.item == item]
        assert (found.outcome, found.detail) == ("no", "(no name)")


def test_a_file_that_is_built_alike_has_nothing_open():
    random = np.random.default_rng(1)
    original, synthetic = (
        pd.DataFrame({name: random.integers(0, 40, 400) for name in ("a", "b", "c", "d")}) for _ in range(2)
    )
    found = four_checks(original, synthetic)
    assert {one.item for one in found.open if one.check == "structure"} == set()


def test_identifiers_that_occur_in_the_original_are_found():
    original = pd.DataFrame({"person": range(200), "ill": ["y", "n"] * 100})
    kept = original.assign(person=[*range(100, 300)])
    assert outcomes(original, kept)["no_identifiers"] == "no"
    assert outcomes(original, original.assign(person=range(1000, 1200)))["no_identifiers"] == "yes"


@sometimes
@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1), st.data())
def test_whole_records_of_the_original_are_counted(records, data):
    copied = data.draw(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyzw")), min_size=1))
    found = four_checks(pd.DataFrame(records, columns=["k", "t"]), pd.DataFrame(copied, columns=["k", "t"]))
    (item,) = [one for one in found.items if one.item == "no_identical_records"]
    both = [place for place in (0, 1) if {one[place] for one in records} & {one[place] for one in copied}] or [0, 1]
    records, copied = ([[one[place] for place in both] for one in of_file] for of_file in (records, copied))
    n_same = sum(1 for record in copied if record in records)
    n_single = sum(1 for record in copied if records.count(record) == 1)
    if n_same:
        assert item.detail.startswith(f"{n_same} of {len(copied)} records occur in the original, {n_single} of them")
    assert item.outcome == ("no" if n_same else "yes")


PEOPLE = pd.DataFrame(
    {"person": range(200), "ill": ["y", "n"] * 100, "age": [*range(20, 70)] * 4, "pay": np.arange(200) + 0.5}
)


@pytest.mark.parametrize(
    "changed",
    [
        {"person": range(1000, 1200)},
        {"person": [*range(100, 200), *range(100)]},
        {"person": None},
        {"person": "none", "pay": "none"},
    ],
)
def test_whole_records_are_found_whatever_became_of_what_identifies_them(changed):
    found = four_checks(PEOPLE, PEOPLE.assign(**changed).iloc[::-1])
    (item,) = [one for one in found.items if one.item == "no_identical_records"]
    assert item.outcome == "no"
    assert item.detail.startswith("200 of 200 records occur in the original")
    assert item.detail.endswith("Left aside: person, pay")


def test_whole_records_are_compared_by_what_identifies_where_there_is_nothing_else():
    people = PEOPLE[["person", "pay"]]
    for kept, outcome in ((people, "no"), (people.assign(pay=people["pay"].to_numpy()[::-1]), "yes")):
        assert outcomes(people, kept)["no_identical_records"] == outcome


# The order of rows --------------------------------------------------------------------------------------


@sometimes
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=6))
def test_agreeing_rows_are_set_against_all_orders(pairs):
    ours, theirs = (np.array(column) for column in zip(*pairs, strict=True))
    counts = [int(sum(a == b for a, b in zip(ours, order, strict=True))) for order in itertools.permutations(theirs)]
    spread = statistics.pstdev(counts)
    found = matches_beyond_chance(ours, theirs, 3)
    if spread == 0:
        assert np.isnan(found)
    else:
        assert found == pytest.approx((sum(ours == theirs) - statistics.mean(counts)) / spread)


def test_rows_in_the_order_of_the_original_are_found_and_shuffled_ones_are_not():
    original = examples.read("original")
    partly = original.copy()
    random = np.random.default_rng(6)
    for name in partly.columns:  # nine in ten values are somebody else's
        rows = random.random(len(partly)) < 0.9
        partly.loc[rows, name] = random.permutation(partly[name].to_numpy())[rows]
    item = [one for one in four_checks(original, partly).items if one.item == "own_order_of_rows"]
    assert item[0].detail == ", ".join(original.columns)
    shuffled = partly.sample(frac=1, random_state=3)
    assert outcomes(original, shuffled)["own_order_of_rows"] == "yes"
    for name in ("synthetic_1", "low_fidelity", "control", "synthetic_small"):
        assert outcomes(original, examples.read(name))["own_order_of_rows"] == "yes"


def test_numbers_with_many_values_are_compared_by_rank():
    random = np.random.default_rng(2)
    pay = random.normal(2000, 500, 400).round(2)
    original = pd.DataFrame({"pay": pay})
    noisy = pd.DataFrame({"pay": pay + random.normal(0, 500, 400).round(2)})
    assert outcomes(original, noisy)["own_order_of_rows"] == "no"
    assert outcomes(original, noisy.sample(frac=1, random_state=1))["own_order_of_rows"] == "yes"


# Disclosure, documentation, note ------------------------------------------------------------------------


def test_disclosure_and_documentation_stay_open_without_an_assessment():
    found = four_checks(ORIGINAL, ORIGINAL)
    assert [(one.item, one.outcome) for one in found.items if one.check in ("disclosure", "documentation")] == [
        ("assessed", "unknown"),
        ("note", "unknown"),
    ]
    assert found.note == ""


def test_disclosure_and_documentation_are_taken_from_the_assessment(documented):
    found = four_checks(examples.path("original"), examples.path("synthetic_1"), assessment=documented)
    by_item = {one.item: one for one in found.items}
    assert by_item["assessed"].outcome == ("no" if documented.unanswered else "yes")
    assert by_item["note"].outcome == "yes"
    assert found.note == user_note(documented)
    bare = four_checks(ORIGINAL, ORIGINAL, assessment=assess(ORIGINAL, ORIGINAL, keys="age"))
    assert {one.item: one.detail for one in bare.items}["note"] == (
        "the note lacks how the data were made and what they may be used for"
    )


def test_the_note_tells_users_what_they_need_and_no_risk(documented):
    note = user_note(documented)
    assert "THIS FILE IS SYNTHETIC" in note
    assert "5,000 records, 11 variables" in note
    assert documented.documentation.synthesis.software in note
    assert documented.documentation.uses.suitable in note
    assert documented.documentation.synthesis.seed not in note
    for measure in ("DiSCO", "repU", "UiO", "%"):
        assert measure not in note


def test_the_note_names_differences_and_no_level():
    ages = [30, 31, 41, 52] * 10
    original = pd.DataFrame({"age": ages, "isle": ["Skerry", "Main", "Main", None] * 10, "pay": [1, 2, 3, 4] * 10})
    synthetic = pd.DataFrame({"age": ages, "isle": ["Main", "Main", "Main", "South"] * 10})
    with pytest.warns(UserWarning, match="differ"):
        note = user_note(assess(original, synthetic, keys="age"))
    assert "- pay: Not in the synthetic file." in note
    assert "- isle: Has no missing values; the original has." in note
    for level in ("Skerry", "South", "Main"):
        assert level not in note


def test_what_is_asked_of_the_structure_can_be_told_to_users():
    assert QUESTIONS.keys() <= DIFFERENCES.keys()


def test_result_survives_json():
    found = four_checks(ORIGINAL, ORIGINAL)
    assert type(found).model_validate_json(found.model_dump_json()) == found


def test_the_note_is_refused_where_somebody_has_written_what_must_stay_inside(documented):
    said = documented.documentation
    synthesis = said.synthesis.model_copy(update={"method": f"trees, started with {said.synthesis.seed}"})
    loose = documented.with_documentation(said.model_copy(update={"synthesis": synthesis}))
    with pytest.raises(SettingsError, match=r"synthesis\.method holds the seed"):
        user_note(loose)


def test_flags_without_an_answer_are_counted_in_words():
    for n_flags, said in ((0, "assessed; no flag is unanswered"), (1, "1 flag is unanswered"), (2, "2 flags are")):
        item = _disclosure(SimpleNamespace(unanswered=("a flag",) * n_flags))
        assert item.detail.startswith(said)
