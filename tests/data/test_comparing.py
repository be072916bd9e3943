"""What the comparison of the files finds, and what it makes a noise about."""

import warnings

import numpy as np
import pandas as pd
import pytest

from discoreport import ComparisonWarning, Exclusion, Settings, assess, release_size, replicated_uniques
from tests.tables import Table

RANDOM = np.random.default_rng(1)
N = 400
ORIGINAL = pd.DataFrame(
    {
        "sex": RANDOM.choice(["f", "m"], N),
        "age": RANDOM.integers(20, 60, N),
        "income": RANDOM.integers(500, 4000, N).astype(float),
        "note": pd.Series(RANDOM.choice(["x", "y", "z"], N)).mask(RANDOM.random(N) < 0.2),
    }
)
SYNTHETIC = ORIGINAL.apply(lambda column: column.sample(N, replace=True, random_state=len(column.name)).array)


def found(synthetic, original=ORIGINAL, **settings):
    """Compare, and give the findings by variable and kind."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assessment = assess(original, synthetic, **{"keys": ["sex", "age"], **settings})
    assert bool(assessment.warnings) == any(warning.category is ComparisonWarning for warning in warned)
    return {(finding.variable, finding.finding): finding for finding in assessment.findings}


def test_files_that_match_raise_no_warning():
    assert not [finding for finding in found(SYNTHETIC).values() if finding.severity == "warning"]


def test_missing_values_that_are_text_in_one_file_are_loud():
    finding = found(SYNTHETIC.fillna({"note": "NA"}))["note", "missing_as_text"]
    assert finding.severity == "warning"
    assert finding.n_records == int(SYNTHETIC["note"].isna().sum())
    assert ("note", "missing_as_text") not in found(SYNTHETIC)


def test_codes_that_were_typed_anew_are_loud():
    assert (
        found(SYNTHETIC.assign(sex=SYNTHETIC["sex"].map({"f": 1, "m": 2})))["sex", "low_overlap"].severity == "warning"
    )


def test_codes_that_changed_places_are_loud():
    original = ORIGINAL.assign(sex=np.where(np.arange(N) < 300, "1", "2"))
    synthetic = original.assign(sex=original["sex"].map({"1": "2", "2": "1"}))
    assert found(synthetic, original)["sex", "different_distribution"].severity == "warning"


def test_another_unit_is_loud_although_the_values_are_grouped():
    findings = found(SYNTHETIC.assign(income=SYNTHETIC["income"] * 1000), numeric_groups={"income": 10})
    assert findings["income", "outside_range"].severity == "warning"


def test_a_grouped_variable_is_compared_in_its_classes():
    shifted = SYNTHETIC.assign(income=SYNTHETIC["income"] + 0.5)
    assert ("income", "low_overlap") in found(shifted)
    assert ("income", "low_overlap") not in found(shifted, numeric_groups={"income": 10})


def test_an_identifier_is_loud():
    numbered = [frame.assign(number=range(N)) for frame in (ORIGINAL, SYNTHETIC)]
    assert found(numbered[1], numbered[0])["number", "identifier"].severity == "warning"


def test_what_is_grouped_is_no_identifier():
    numbered = [frame.assign(number=range(N)) for frame in (ORIGINAL, SYNTHETIC)]
    assert ("number", "identifier") not in found(numbered[1], numbered[0], numeric_groups={"number": 10})


def test_a_column_under_another_name_is_loud_and_the_other_name_is_suggested():
    finding = found(SYNTHETIC.rename(columns={"income": "Income "}))["Income ", "column_only_in_synthetic"]
    assert finding.severity == "warning"
    assert "Did you mean 'income'?" in finding.detail


LABEL = ["synthetic"] * N


@pytest.mark.parametrize(
    ("values", "severity"),
    [
        (LABEL, "note"),
        (pd.Series(LABEL, dtype="category"), "note"),
        ([1.0] * N, "note"),
        ([None] * N, "note"),
        ([*LABEL[1:], None], "warning"),
        ([*LABEL[1:], "real"], "warning"),
        ([["synthetic"]] * N, "warning"),
    ],
)
def test_a_column_with_one_value_that_only_the_synthetic_file_has_is_a_note(values, severity):
    assert found(SYNTHETIC.assign(label=values))["label", "column_only_in_synthetic"].severity == severity
    renamed = found(SYNTHETIC.assign(incom=values).drop(columns="income"))
    assert renamed["incom", "column_only_in_synthetic"].severity == "warning"


@pytest.mark.slow
def test_a_finding_names_the_file_that_it_concerns():
    numbered = [frame.assign(number=range(N)) for frame in (ORIGINAL, SYNTHETIC)]
    with pytest.warns(ComparisonWarning) as warned:
        assessment = assess(*numbered, keys=["number"], targets=["sex", "income"])
    with pytest.warns(ComparisonWarning) as warned_of_file:
        assess(ORIGINAL, SYNTHETIC.assign(sex="x"), keys=["sex", "age"])
    said = str(warned[0].message)
    assert "number: every original record has a value of its own" in said
    assert "number: every original record has a value of its own" in str(assessment)
    assert "sex, synthesis 1: only 0.0 % of the original's records" in str(warned_of_file[0].message)


def test_small_classes_are_counted_in_words():
    for n_small, said in ((1, "1 class holds fewer"), (2, "2 classes hold fewer")):
        breaks = [500, *range(501, 501 + n_small), 4000]
        original = ORIGINAL.assign(income=ORIGINAL["income"].where(ORIGINAL["income"] > 510, 600))
        finding = found(original, original, numeric_groups={"income": breaks})["income", "small_classes"]
        assert finding.detail.startswith(said)


def test_what_is_neither_key_nor_target_is_listed():
    assert ("income", "not_assessed") in found(SYNTHETIC, targets=["note"])


def test_a_copy_is_noticed_in_any_order():
    assert found(ORIGINAL.sample(frac=1, random_state=1))["", "copy"].severity == "warning"
    assert ("", "copy") not in found(SYNTHETIC)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_file_that_is_given_twice_is_noticed(engine, tmp_path):
    paths = [tmp_path / name for name in ("one.csv", "other.csv", "again.csv")]
    for path, frame in zip(paths, (SYNTHETIC, SYNTHETIC[::-1], SYNTHETIC), strict=True):
        frame.to_csv(path, index=False)
    ORIGINAL.to_csv(tmp_path / "original.csv", index=False)
    findings = assess(tmp_path / "original.csv", [*paths, paths[0]], keys=["sex", "age"], engine=engine).findings
    twice = [(one.synthesis, one.severity, one.detail) for one in findings if one.finding == "given_twice"]
    words = "byte for byte the same file as synthesis 1: as a synthesis of its own it adds nothing"
    assert twice == [(3, "note", words), (4, "note", words)]
    assert "given_twice" not in {one.finding for one in assess(ORIGINAL, [SYNTHETIC, SYNTHETIC], keys="sex").findings}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_copy_is_noticed_whatever_became_of_what_identifies(engine):
    original = ORIGINAL.assign(number=range(N))
    others = {"keys": ["sex", "age"], "engine": engine}
    for numbers in (range(1000, 1000 + N), [*range(N)][::-1], None, range(N)):
        assert ("", "copy") in found(original.assign(number=numbers), original, **others)
        assert ("", "copy") not in found(SYNTHETIC.assign(number=numbers), original, **others)
    assert ("", "copy") in found(original, original, targets="number", **others)
    assert ("", "copy") in found(original.assign(number=0), original, targets="number", **others)
    renamed = ORIGINAL.assign(note=ORIGINAL["note"].str.upper())
    assert ("", "copy") in found(renamed, ORIGINAL, **others)


def test_levels_that_share_a_value_label_meet_their_text():
    original = Table("o", {"k": pd.Series([1, 2, 3] * 40)}, value_labels={"k": {"1": "A", "2": "Other", "3": "Other"}})
    synthetic = pd.DataFrame({"k": ["A", "Other", "Other"] * 40 + ["A"]})
    assessment = assess(original, synthetic, keys="k")
    assert assessment.warnings == ()
    assert assessment.identity.loc[1, "UiO"] == 0
    assert any("which several codes share" in finding.detail for finding in assessment.findings)


@pytest.mark.filterwarnings("error::discoreport.ComparisonWarning")
def test_other_functions_warn_as_well():
    capitals = SYNTHETIC.assign(sex=SYNTHETIC["sex"].str.upper())
    with pytest.raises(ComparisonWarning, match="spaces, capitals or leading zeros"):
        replicated_uniques(ORIGINAL, capitals, ["sex", "age"])
    with pytest.raises(ComparisonWarning, match="spaces, capitals or leading zeros"):
        release_size(ORIGINAL, capitals, Settings(keys=["sex", "age"], targets=["note"]))


def test_codes_of_which_some_have_lost_their_leading_zeros_are_loud():
    original = ORIGINAL.assign(age=[f"{number:02d}" for number in np.arange(N) % 56 + 1])
    synthetic = original.assign(age=original["age"].astype(int))
    finding = found(synthetic, original)["age", "near_match"]
    assert (finding.severity, finding.n_levels) == ("warning", 9)


@pytest.mark.parametrize(("ours", "theirs"), [("0", "00.5"), ("10", "1"), ("x0", "x")])
def test_zeros_that_do_not_lead_tell_codes_apart(ours, theirs):
    original = ORIGINAL.assign(sex=ORIGINAL["sex"].replace({"f": ours}))
    assert ("sex", "near_match") not in found(SYNTHETIC.assign(sex=SYNTHETIC["sex"].replace({"f": theirs})), original)


def test_codes_that_one_file_declares_as_missing_and_the_other_leaves_empty_are_loud():
    coded = [frame.assign(note=frame["note"].fillna("8")) for frame in (ORIGINAL, SYNTHETIC)]
    declared = [Table("t", dict(frame.items()), missing_codes={"note": frozenset({"8", "9"})}) for frame in coded]
    for files in ((declared[0], SYNTHETIC), (ORIGINAL, declared[1])):
        assert found(files[1], files[0])["note", "missing_as_code"].severity == "warning"
    n_records = int(ORIGINAL["note"].isna().sum())
    assert found(SYNTHETIC, declared[0])["note", "missing_as_code"].n_records == n_records
    some = Table(
        "t",
        dict(coded[0].assign(note=coded[0]["note"].mask(ORIGINAL["age"] < 25)).items()),
        missing_codes={"note": frozenset({"8"})},
    )
    assert ("note", "missing_as_code") in found(SYNTHETIC, some)
    for files in (declared, (declared[0], coded[1]), coded, (coded[0], SYNTHETIC)):
        assert ("note", "missing_as_code") not in found(files[1], files[0])


def test_findings_name_no_level():
    original = ORIGINAL.assign(note=[f"secret {place}" if place < 5 else "common" for place in range(N)])
    assessment_findings = found(SYNTHETIC.assign(note="common"), original)
    assert all("secret" not in finding.detail for finding in assessment_findings.values())


def test_an_exclusion_without_key_level_is_refused():
    with pytest.raises(ValueError, match="key_level"):
        Exclusion(target="note", level="x", key="age")


def test_flagged_pairs_that_are_not_listed_are_owned_up_to():
    towns = pd.DataFrame({"town": np.repeat(np.arange(1200), 6), "district": np.repeat(np.arange(1200) % 40, 6)})
    with pytest.warns(ComparisonWarning, match="is it a copy"):
        assessment = assess(towns, towns, keys="town", targets="district")
    assert len(assessment.two_way) == 1000
    assert "1,000 flagged pairs" in next(f.detail for f in assessment.findings if f.finding == "pairs_not_listed")


@pytest.mark.parametrize("n", [60, 200])
def test_small_files_of_one_population_are_not_cried_at(n):
    random = np.random.default_rng(n)

    def drawn(shares=(0.8, 0.1, 0.1)):
        return pd.DataFrame({"age": random.integers(18, 90, n), "town": random.choice([*"abc"], n, p=shares)})

    told = [found(drawn(), drawn(), keys=["age"]) for _ in range(20)]
    assert not any(kind == "different_distribution" for findings in told for _, kind in findings)
    assert ("town", "different_distribution") in found(drawn((0.1, 0.1, 0.8)), drawn(), keys=["age"])
