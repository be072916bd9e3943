"""What an approver sees on page 1 of releases with a planted flaw, and of releases with none."""

import html
import re
import warnings

import numpy as np
import pytest

from discoreport import ComparisonWarning, Report, assess
from discoreport.assessment.analyses import ANALYSES
from tests.documents import readme_and_guide
from tests.planted.planted import FAIR, FLAWS, N_FURTHER, SETTINGS, TARGETS, further_fair, table
from tests.policies import under

pytestmark = pytest.mark.slow
FAIR_EXCESS = 2.0
"""Percentage points that no target of a fair release exceeds."""


def reported(planted):
    made = planted.make(np.random.default_rng(7))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        found = assess(made.original, made.synthetic, **{**SETTINGS, **made.settings})
        asked = {}
        if made.earlier or len(made.synthetic) > 1:
            asked["pooled"] = {"earlier": made.earlier}
        if made.control is not None:
            asked["control"] = {"control": made.control}
        for name, choices in asked.items():
            found = found.with_analysis(ANALYSES[name].run(made.original, made.synthetic, found.settings, choices))
    found = under(found, sensitive=made.sensitive)
    return found, Report(found).html


def first_page(html_of_report):
    return html_of_report.partition('<section class="brief"')[2].partition("</section>")[0]


def boxes_of(html_of_report):
    found = re.findall(r'<p class="caution">(.*?)</p>', first_page(html_of_report), flags=re.DOTALL)
    return [" ".join(html.unescape(re.sub(r"<[^>]+>", " ", one)).split()) for one in found]


@pytest.mark.parametrize("planted", FLAWS, ids=lambda one: one.what)
def test_page_1_shows_what_was_planted_or_the_table_says_why_not(planted):
    assessment, report = reported(planted)
    boxes = boxes_of(report)
    assert not [words for words in planted.boxes if not any(words in box for box in boxes)], boxes
    assert bool(planted.boxes) == bool(boxes), boxes
    excess = assessment.summary["excess"]
    assert all(excess[name] > FAIR_EXCESS for name in planted.beyond), excess
    assert planted.says in " ".join(re.sub(r"<[^>]+>", " ", first_page(report)).split())
    assert bool(planted.why_not) != bool(planted.boxes or planted.beyond or planted.says)
    if planted.why_not:
        assert excess.max() < FAIR_EXCESS


@pytest.mark.parametrize("planted", FAIR, ids=lambda one: one.what)
def test_page_1_cries_at_no_fair_release(planted):
    assessment, report = reported(planted)
    boxes = boxes_of(report)
    assert len(boxes) == len(planted.boxes)
    assert all(words in box for words, box in zip(planted.boxes, boxes, strict=True))
    assert assessment.summary["excess"].max() < FAIR_EXCESS


def test_page_1_cries_at_no_fair_release_of_another_size_and_the_guide_has_the_highest_excess():
    """What is the highest depends on what is drawn, and so does the sentence of the guide."""
    found = [reported(further_fair(number)) for number in range(N_FURTHER)]
    assert [boxes for _, report in found if (boxes := boxes_of(report))] == []
    sizes = [assessment.original.n_records for assessment, _ in found]
    highest = max(assessment.summary["excess"].max() for assessment, _ in found)
    said = " ".join(readme_and_guide().split())
    assert f"Of {N_FURTHER} further fair ones ({min(sizes)} to {max(sizes):,} people;" in said
    assert f"the highest excess among their {N_FURTHER * len(TARGETS)} targets is {highest:.1f} points" in said
    assert f"and no excess reaches {FAIR_EXCESS:g} points" in said


def test_people_in_levels_that_the_policy_names_are_counted_on_page_1():
    planted = next(one for one in FLAWS if "rare illness" in one.what)
    assert "sensitive" in first_page(reported(planted)[1])


def test_the_guide_tells_what_is_found_and_what_not():
    assert table() in readme_and_guide()
