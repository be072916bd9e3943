"""Sensitive levels that a policy names: how many of the people who have them are given away."""

import pytest

from discoreport.assessment.release.policy import default_policy, read_policy
from discoreport.assessment.release.sensitive_levels import sensitive_levels
from discoreport.errors import SettingsError


def naming(assessment, **levels):
    return assessment.with_policy(default_policy().model_copy(update={"sensitive": levels}))


def test_a_policy_counts_the_people_with_sensitive_levels(survey):
    found = sensitive_levels(naming(survey, employment=("Unemployed",), worked_abroad=("Yes",)))
    assert found["employment"][0].words == "14 of the 328 with Unemployed"
    assert found["worked_abroad"][0].words == "5 of the 458 with Yes"
    assert [one.what for one in naming(survey, employment=("Unemployed",)).open_items] == [
        one.what for one in survey.open_items
    ]


def test_of_several_files_the_one_that_gives_away_most_of_a_level_is_told(survey_of_three):
    ((level,),) = sensitive_levels(naming(survey_of_three, employment=("Unemployed",))).values()
    table = survey_of_three.levels.query("target == 'employment' and level == 'Unemployed'")
    assert len(table) == 3
    assert table["disclosed"].nunique() > 1
    assert level.worst.disclosed == table["disclosed"].max()


def test_sensitive_levels_that_nothing_is_counted_of_are_open(survey):
    named = naming(survey, employment=("Unemploied",), marital=(None,), diagnosis=("HIV",))
    items = {one.what: one.detail for one in named.open_items}
    assert items["Sensitive variables are no targets"] == "The policy names levels of diagnosis."
    assert "1 of marital" in items["Sensitive levels that aren't counted"].lower()
    assert "1 of employment" in items["Sensitive levels that aren't counted"].lower()
    assert not any("Unemploied" in one.detail for one in named.open_items)  # levels are never named there


def test_a_policy_file_names_sensitive_levels(tmp_path):
    (tmp_path / "policy.toml").write_text("[sensitive]\nemployment = ['Unemployed']\nrooms = [1, 2]\n")
    assert read_policy(tmp_path / "policy.toml").sensitive == {"employment": ("Unemployed",), "rooms": ("1", "2")}
    (tmp_path / "policy.toml").write_text("[sensitive]\nemployment = 'Unemployed'\n")
    with pytest.raises(SettingsError, match="sensitive"):
        read_policy(tmp_path / "policy.toml")
