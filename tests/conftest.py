"""Assessments that many tests look at."""

import pytest

from discoreport import assess, examples


@pytest.fixture(scope="session")
def survey():
    """The example survey against one synthetic file."""
    return assess(examples.path("original"), examples.path("synthetic_1"), **examples.SETTINGS)


@pytest.fixture(scope="session")
def survey_of_three():
    """The example survey against three synthetic files, with exclusions."""
    return assess(
        examples.path("original"),
        [examples.path(f"synthetic_{number}") for number in (1, 2, 3)],
        **examples.SETTINGS,
        exclude=[
            {"target": "worked_abroad", "level": "No", "reason": "nine in ten say so", "by": "A. Officer"},
            {"target": "marital", "level": "Single", "key": "age", "key_level": 16},
        ],
    )
