"""No number that somebody types exhausts the machine: each has a bound, and an error that names it in one line."""

import pytest
from pydantic import TypeAdapter

from discoreport import Policy, Settings, assess, examples, release_size
from discoreport.assessment.analyses import ANALYSES
from discoreport.errors import SettingsError
from tests.commands import STEPS

FILES = examples.path("original"), examples.path("synthetic_1")
TOLD = [
    ({"numeric_groups": {"income": 10**9}}, "numeric_groups: .* from 2 to 10,000"),
    ({"numeric_groups": {"income": list(range(20_000))}}, "numeric_groups: .* from 2 to 10,000"),
    ({"max_denominator": 10**400}, "max_denominator: must be a whole number from 1 to 1,000,000,000,000,000"),
    ({"one_way_threshold": (10**16, 5)}, "one_way_threshold: .* up to 1,000,000,000,000,000"),
    ({"tau": [0.5] * 10**6}, "tau: must be at most 1,000 numbers"),
    ({"max_denominator": 10**5000}, "thousands of digits"),
]


@pytest.mark.parametrize(("setting", "told"), TOLD, ids=[f"{place}" for place in range(len(TOLD))])
def test_an_absurd_setting_is_refused_in_one_line_that_names_the_bound(setting, told):
    with pytest.raises(SettingsError, match=told) as raised:
        assess(*FILES, keys=["sex"], **setting)
    assert len(str(raised.value)) < 250


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ({"draws": 10**6}, "draws must be a whole number from 1 to 1,000 "),
        ({"seed": 10**400}, "seed must be a whole number from 0 to 18,446,744,073,709,551,615 "),
        ({"draws": 1000, "sizes": range(1, 200)}, "1,000 draws of 199 sizes"),
    ],
)
def test_absurd_draws_are_refused_before_any_is_drawn(option, told):
    with pytest.raises(SettingsError, match=told):
        release_size(*FILES, Settings(keys=["sex"], targets=["marital"]), **option)


@pytest.mark.parametrize(
    ("name", "option", "told"),
    [
        ("release_size", {"draws": "1000000"}, "draws: must be at most 1,000 \\(got '1000000'\\)"),
        ("release_size", {"sizes": ["many"]}, "'release_size': sizes: must be a whole number \\(got 'many'\\)"),
        ("sensitivity", {"most": 10**9}, "most: must be at most 65,536"),
        ("uncertainty", {"confidence": "2"}, "confidence: must be less than 1"),
        (
            "mitigation",
            {"steps": [{"step": "group values", "variable": "income", "groups": 10**9}]},
            "Step 1, group values, groups: must be at most 10,000",
        ),
    ],
)
def test_an_absurd_option_is_refused_in_plain_words(name, option, told):
    with pytest.raises(SettingsError, match=told):
        ANALYSES[name].chosen(option)


def unbounded(schema, place=""):
    """Find whole numbers without a maximum, and lists of numbers without a largest length, in a JSON schema."""
    if isinstance(schema, list):
        return [found for one in schema for found in unbounded(one, place)]
    if not isinstance(schema, dict):
        return []
    found = [place] if schema.get("type") == "integer" and "maximum" not in schema else []
    items = schema.get("items")
    numbers = isinstance(items, dict) and items.get("type") in {"integer", "number"}
    found += [place] if numbers and "maxItems" not in schema else []
    return [*found, *(one for name, part in schema.items() for one in unbounded(part, f"{place}.{name}"))]


CHECKED_AT_THE_FILES = {"synthesis", "sizes"}
"""Whole numbers that may not be larger than the files allow."""


@pytest.mark.parametrize(
    "model", [Settings, *STEPS.values(), *(one.options for one in ANALYSES.values())], ids=lambda model: model.__name__
)
def test_every_number_that_is_typed_has_a_bound(model):
    for name, field in model.model_fields.items():
        if name in CHECKED_AT_THE_FILES or field.annotation is object or "Any" in str(field.annotation):
            continue
        schema = TypeAdapter(model).json_schema()["properties"][name] if name != "steps" else {}
        assert unbounded(schema, name) == []


def test_the_limit_of_small_cells_has_a_bound():
    assert unbounded(Policy.model_json_schema()["properties"]["small_cell_limit"]) == []
