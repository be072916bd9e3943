"""Numbers as people write them."""

import math

import pytest

from discoreport.errors import SettingsError
from discoreport.form.model.typed_numbers import number, numbers, shares, whole


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5000", 5000), ("5 000", 5000), ("5\u202f000", 5000), ("5,000", 5000), ("5'000", 5000), ("1,234,567", 1234567),
        ("1,234.5", 1234.5), ("0,95", 0.95), ("95 %", 95), ("95%", 95), ("-8", -8), ("−8", -8), (" 1e3 ", 1000),
        ("0.125", 0.125), ("12,5", 12.5), ("1,2345", 1.2345),
    ],
)  # fmt: skip
def test_is_understood_where_it_can_mean_one_thing(text, value):
    assert number(text) == value


@pytest.mark.parametrize("text", ["many", "1.000", "1 0", "5_000", "nan", "inf", "1,2,3", "--1", "3 4"])
def test_is_refused_in_words_where_it_can_not(text):
    with pytest.raises(SettingsError, match=text.replace(".", r"\.")):
        number(text)


def test_nothing_is_no_number():
    assert number("") is None
    assert number("  ") is None
    assert whole(" ", "It") is None


@pytest.mark.parametrize("text", ["2.5", "0", "-1"])
def test_whole_numbers_have_a_least(text):
    with pytest.raises(SettingsError, match="It is a whole number from 1"):
        whole(text, "It", least=1)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1 2 3", (1, 2, 3)), ("1, 2, 3", (1, 2, 3)), ("1;2;3", (1, 2, 3)), ("1,2,3", (1, 2, 3)),
        ("0,5 0,9", (0.5, 0.9)),         ("1,000 2,000", (1000, 2000)),
        ("0,5; 1", (0.5, 1)), ("7", (7,)), ("", ()), ("0 0.333333333333333 1", (0, 1 / 3, 1)),
    ],
)  # fmt: skip
def test_several_are_parted_by_spaces_semicolons_or_commas(text, values):
    assert numbers(text) == pytest.approx(values)


def test_a_comma_that_can_part_two_numbers_or_be_a_decimal_sign_is_refused():
    with pytest.raises(SettingsError, match="one number or two"):
        numbers("0,5")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0 0.5 1", (0, 0.5, 1)),
        ("95", (0.95,)),
        ("80 % 95 %", (0.8, 0.95)),
        ("1 %", (0.01,)),
        ("0,5 0,95", (0.5, 0.95)),
    ],
)
def test_shares_may_be_written_in_percent(text, values):
    assert all(map(math.isclose, shares(text), values))


@pytest.mark.parametrize("text", ["101", "-0.1", "often"])
def test_what_is_no_share_is_refused(text):
    with pytest.raises(SettingsError):
        shares(text)
