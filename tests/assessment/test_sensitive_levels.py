"""Sensitive levels that a policy names: how many of the people who have them are given away."""

import pytest

from discoreport import Documentation, load, read_documentation, read_policy
from discoreport.assessment.release.sensitive_levels import sensitive_levels
from discoreport.errors import SettingsError
from tests.policies import under
from tests.records import write_documentation


def naming(assessment, **levels):
    return under(assessment, sensitive=levels)


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
    assert items["Sensitive variables are no targets"] == "Levels are called sensitive of diagnosis."
    assert "1 of marital" in items["Sensitive levels that aren't counted"].lower()
    assert "1 of employment" in items["Sensitive levels that aren't counted"].lower()
    assert not any("Unemploied" in one.detail for one in named.open_items)  # levels are never named there


def test_documentation_names_sensitive_levels_as_a_policy_does(survey, tmp_path):
    (tmp_path / "said.toml").write_text("[sensitive]\nemployment = ['Unemployed', {missing = true}]\n")
    said = read_documentation(tmp_path / "said.toml")
    both = naming(survey, employment=("Student", "Unemployed")).with_documentation(said)
    assert both.sensitive == {"employment": ("Student", "Unemployed", None)}
    assert [one.words for one in sensitive_levels(both)["employment"]][1] == "14 of the 328 with Unemployed"
    assert both.without_exclusions().for_targets(["employment"]).sensitive == both.sensitive
    write_documentation(tmp_path / "open.toml", both)
    assert read_documentation(tmp_path / "open.toml").sensitive == said.sensitive
    assert load(both.save(tmp_path / "record.json")).sensitive == both.sensitive
    assert survey.state == survey.with_documentation(Documentation()).state != both.state
    with pytest.raises(SettingsError, match="sensitive: 'diagnosis' is not a variable"):
        survey.with_documentation(Documentation(sensitive={"diagnosis": ("HIV",)}))


def test_a_small_cell_limit_of_the_policy_puts_levels_together(survey):
    limited = under(survey, small_cell_limit=350, sensitive={"employment": ("Unemployed",)})
    before, after = survey.levels, limited.levels
    assert (before.query("not level.str.contains('other', na=False)")["original"] < 350).any()
    told = after.query("target == 'employment'").set_index("level")
    assert "Unemployed" not in told.index
    assert told.index[-1] == "3 other levels"
    assert told.loc["3 other levels", "original"] == 203 + 240 + 328
    for name in ("original", "disclosed", "by_chance"):
        assert after.groupby("target")[name].sum().to_dict() == pytest.approx(
            before.groupby("target")[name].sum().to_dict()
        )
    assert under(limited, small_cell_limit=3).levels.equals(before)
    items = {one.what: one.detail for one in limited.open_items}
    assert "fewer than 350" in items["Sensitive levels that aren't counted"]


def test_a_policy_file_names_sensitive_levels(tmp_path):
    (tmp_path / "policy.toml").write_text("[sensitive]\nemployment = ['Unemployed']\nrooms = [1, 2]\n")
    assert read_policy(tmp_path / "policy.toml").sensitive == {"employment": ("Unemployed",), "rooms": ("1", "2")}
    (tmp_path / "policy.toml").write_text("[sensitive]\nemployment = 'Unemployed'\n")
    with pytest.raises(SettingsError, match="sensitive"):
        read_policy(tmp_path / "policy.toml")
