"""What is given away by target level: the table with its bars, and that nothing of it gets outside."""

import json
import re

import pandas as pd
import pytest

from discoreport import Documentation, Report, assess
from discoreport.report.level_blocks import MOST_LEVELS, MOST_TARGETS, level_blocks
from tests.pages import InternalEdition, contents, fill
from tests.report.test_editions import text_of


@pytest.fixture(scope="module")
def diagnoses():
    names = ["Thalassemia", "Sarcoidosis", "Porphyria", "Narcolepsy"]
    frame = pd.DataFrame(
        {"village": [f"v{n % 97}" for n in range(970)], "diagnosis": [names[min(n % 97 // 20, 3)] for n in range(970)]}
    )
    rare = pd.DataFrame({"village": ["v0"] * 3, "diagnosis": ["Kuru"] * 3})
    return assess(pd.concat([frame, rare], ignore_index=True), frame.iloc[100:], keys="village")


def test_every_level_of_a_target_has_its_row_and_its_bar(survey):
    (block,) = [one for one in level_blocks(survey) if one.target == "employment"]
    rows = {row.words: row for row in block.rows}
    unemployed = rows["Unemployed"]
    assert (unemployed.original, unemployed.disclosed) == (328, 14)
    page = fill("sections/levels.html", InternalEdition(survey))
    assert f"width: {round(unemployed.percent, 1)}%" in page
    assert f"left: {round(unemployed.by_chance, 1)}%" in page
    assert page.count("<table") == len(survey.targets)


def test_levels_that_have_no_row_are_put_together_and_none_is_lost(survey):
    blocks = level_blocks(survey)
    assert len(blocks) <= MOST_TARGETS
    for block in blocks:
        assert len(block.rows) <= MOST_LEVELS
        assert sum(row.original for row in block.rows) == survey.original.n_records
        assert sum(row.disclosed for row in block.rows) == round(survey.value("DiSCO", block.target) * 50)


def test_sensitive_levels_have_a_row_whatever_is_given_away(survey):
    plain = {row.words for block in level_blocks(survey) for row in block.rows if block.target == "wellbeing"}
    of_all = survey.levels.query("target == 'wellbeing'")["level"].dropna()
    level = next(level for level in of_all if level not in plain and "other" not in level)
    said = survey.with_documentation(Documentation(sensitive={"wellbeing": (level,)}))
    (row,) = [row for block in level_blocks(said) for row in block.rows if row.sensitive]
    assert row.words == level
    assert "sensitive levels are underlined" in fill("sections/levels.html", InternalEdition(said))


def test_levels_are_called_as_they_are_labelled(survey):
    said = survey.with_documentation(Documentation(level_labels={"smoker": {"Yes": "smokes every day"}}))
    assert "Yes (smokes every day)" in fill("sections/levels.html", InternalEdition(said))


@pytest.mark.usefixtures("short_pdf")
def test_nothing_of_the_levels_gets_outside(diagnoses):
    said = diagnoses.with_documentation(Documentation(sensitive={"diagnosis": ("Porphyria",)}))
    inside = "\n".join(text_of(name, content) for name, content in _bundle(said, "internal").items())
    outside = _bundle(said, "external")
    rows = said.levels.query("disclosed > 0")
    assert len(rows) >= 3
    for row in rows.itertuples():
        told = [row.level, f"{row.percent:.1f} %", rf"{row.disclosed} of (?:the )?{row.original}"]
        assert row.level in inside
        assert not [
            (name, secret)
            for name, content in outside.items()
            for secret in told
            if re.search(rf"(?<!\w){secret}(?!\w)", text_of(name, content))
        ]
    assert not [name for name in outside if "levels" in name]
    assert json.loads(outside["release.json"])["documentation"]["sensitive"] == {}
    assert "Kuru" not in Report(said).html  # put together even inside


def _bundle(assessment, edition):
    return {
        name: content
        for name, content in contents(Report(assessment, edition=edition)).items()
        if not name.endswith(".png")
    }
