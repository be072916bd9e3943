"""Which variables are proposed as keys: by names, by whole labels, and by what values look like."""

import numpy as np
import pandas as pd
import pytest

from discoreport.form.model.likely_keys import known_to_others, looks_like, says_unit
from tests.tables import Table, code_variable


def looks(values, labels=None):
    column = pd.Series(values)
    tables = [Table(name, {"x": column}, value_labels={"x": labels or {}}) for name in "ab"]
    return looks_like(code_variable("x", tables))


DRAWS = np.random.default_rng(4)
ADULTS = np.minimum(17 + DRAWS.gamma(2.2, 14, 4000), 90).astype(int)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("AGEP", ""), ("agea", "Age of respondent, calculated"), ("RespondentAge", ""), ("age_grp5", ""),
        ("q2_AGE", ""),         ("SEX", "RESPONDENTS SEX"), ("gndr", "Gender"), ("RACE", "RACE OF RESPONDENT"),
        ("racecen1", "What is r's race"),
        ("rac1p", ""), ("HISPAN", ""), ("native-country", ""), ("REGION", "REGION OF INTERVIEW"), ("placesize", ""),
        ("statefip", ""), ("v12", "Number of persons in the household"), ("v13", "How old are you?"),
        ("v14", "Were you born in this country?"), ("v15", "In what year were you born?"), ("occupation", ""),
        ("x9", "Place of birth: town"), ("hh_size", ""), ("birth_year", ""), ("childs", "Number of children"),
        ("age_band", ""), ("AgeBand", ""), ("age_bin", ""), ("age_bracket", ""), ("age_range", ""), ("agegroup10", ""),
        ("age_categories", ""), ("birth_cohort", ""), ("birth_decade", ""), ("region_grouped", ""),
        ("age_interval", ""),
    ],
)  # fmt: skip
def test_names_and_whole_labels_say_what_others_know(name, label):
    assert known_to_others(name, label)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("pres20", "Voted in the presidential race"), ("presidential_race", ""), ("household_income", ""),
        ("hhincome", ""), ("sexfreq", "Frequency of sex during last year"), ("agewed", "Age when first married"),
        ("agekdbrn", "R's age when 1st child born"), ("chldidel", "Ideal number of children"), ("agency", ""),
        ("confed", "Confidence in the federal sector"), ("natcity", "Solving problems of big cities"),
        ("nateduc", "State of the education system"), ("racdif1", "Differences due to discrimination by race"),
        ("fnlwgt", ""), ("capital-gain", ""), ("hours-per-week", ""), ("marital-status", ""), ("wage", ""),
        ("language", ""), ("xmarsex", "Sex with person other than spouse"), ("wkracism", "Racial slurs at work"),
        ("partrace", "Race of partner"), ("income", "Household income"), ("income_band", ""), ("bmi_range", ""),
        ("age_first_job_band", ""), ("fear", "Afraid to walk in the area"),
    ],
)  # fmt: skip
def test_such_words_among_others_say_nothing(name, label):
    assert not known_to_others(name, label)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (ADULTS, "ages"),
        ([*ADULTS, *[99] * 60], "ages"),
        (2021 - ADULTS, "years of birth"),
        (["Male", "Female"] * 50, "sexes"),
        (["Mann", "Frau", "keine Angabe"] * 50, "sexes"),
        (["White", "Black", "Asian-Pac-Islander", "Other"] * 50, "ethnic groups"),
        (np.repeat([0, 15, 30, 40, 50, 60, 70, 85, 100, *range(1, 60)], [400] * 9 + [5] * 59), ""),
        (np.where(DRAWS.random(4000) < 0.5, 40, ADULTS), ""),
        (ADULTS * 1000, ""),
        (ADULTS + 0.5, ""),
        (ADULTS + 60, ""),
        (range(5000), ""),
        (["yes", "no"] * 50, ""),
        ([1, 2] * 50, ""),
    ],
)
def test_values_look_like_what_they_are(values, expected):
    assert looks(values) == expected


def test_values_are_known_by_their_labels():
    assert looks([1, 2] * 40, {"1": "MALE", "2": "FEMALE"}) == "sexes"


def test_what_values_look_like_counts_where_no_word_has_said_something_else():
    assert "look like ages" in known_to_others("q3", "", "ages")
    assert "look like ages" in known_to_others("wiek", "Wiek respondenta", "ages")
    assert not known_to_others("v4", "Age at first marriage", "ages")
    assert not known_to_others("spouse_sex", "", "sexes")


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("household_id", ""), ("hhid", ""), ("HHID", ""), ("householdNumber", ""), ("household", ""), ("hh_nr", ""),
        ("person_number", ""), ("pid", ""), ("patient_id", ""), ("v1", "Household number"), ("idhogar", ""),
        ("v2", "Identifier of the household: pseudonymised"), ("student.id", ""), ("family_no", ""),
    ],
)  # fmt: skip
def test_numbers_that_several_records_share_are_likely_units(name, label):
    assert says_unit(name, label, 1500, 5000)
    assert not says_unit(name, label, 5000, 5000)  # every record is for itself
    assert not says_unit(name, label, 12, 5000)  # a count, or a kind


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("household_income", ""), ("id", ""), ("number", ""), ("zip", ""), ("company_id", ""),
        ("income", "Income of person"),
        ("v3", "Number of rooms"), ("person_weight", ""), ("hhsize", ""), ("interviewer_id", ""), ("key", ""),
    ],
)  # fmt: skip
def test_other_numbers_are_no_units(name, label):
    assert not says_unit(name, label, 1500, 5000)
