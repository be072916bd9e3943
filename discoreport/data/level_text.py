"""What a value denotes: its level, written as text in one way, whatever type a file stores it in."""

from __future__ import annotations

import datetime
import decimal
import math
import re
from collections.abc import Collection
from typing import Literal

import numpy as np
import pandas as pd

ValueKind = Literal["number", "boolean", "date", "text"]

WRITTEN = r"^-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$"
"""A number in any way in which one is written, leading zeros apart: they mean a code."""
_NUMERAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-][0-9]{1,3})?")
_WRITTEN = re.compile(WRITTEN)
_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(\.\d+)?)?)?")
_EXACT_POWER = 1e22
"""The last power of ten that floating point holds exactly."""
_LONG = 2000
"""Bits of a whole number that is long."""
_PLAIN_DIGITS = 30
"""Numbers with more digits before or after the point than this are written with an exponent."""


def level_text(value: object) -> str | None:
    """Write a value as the text of its level.

    Parameters
    ----------
    value
        A value as a file or a user gives it.

    Returns
    -------
    str or None
        None for a missing value. Whole numbers have no decimals; dates at midnight have no time.

    Examples
    --------
    >>> level_text(57), level_text(57.0), level_text("57"), level_text("057")
    ('57', '57', '57', '057')
    >>> level_text(float("nan")), level_text(True), level_text(datetime.date(2011, 5, 1))
    (None, 'True', '2011-05-01')
    """
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, str):
        return str.__str__(value)  # an enumeration writes its name otherwise
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, int | np.integer):
        whole = int(value)  # Python refuses to write very long ones itself
        return str(whole) if whole.bit_length() < _LONG else str(decimal.Decimal(whole))
    if isinstance(value, np.floating):
        return _float_text(float(str(value)))
    if isinstance(value, float):
        return _float_text(value)
    if isinstance(value, decimal.Decimal):
        return None if value.is_nan() else decimal_text(value)
    if isinstance(value, np.datetime64):
        return level_text(pd.Timestamp(value))
    if isinstance(value, datetime.datetime | datetime.date):
        return _date_text(value)
    if isinstance(value, datetime.timedelta | np.timedelta64):
        return None if pd.isna(value) else str(pd.Timedelta(value))
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return str(value)


def _float_text(value: float) -> str | None:
    if math.isnan(value):
        return None
    if value.is_integer() and abs(value) < _EXACT_POWER:
        return str(int(value))
    return decimal_text(decimal.Decimal(repr(value)))


def decimal_text(value: decimal.Decimal) -> str:
    """Write a decimal number in the one way that all numbers of its value are written.

    Examples
    --------
    >>> [decimal_text(decimal.Decimal(text)) for text in ("57.0", "1e16", "1e-7", "-0.0", "2.50", "1e300")]
    ['57', '10000000000000000', '0.0000001', '0', '2.5', '1E+300']
    """
    if not value.is_finite():
        return str(float(value))
    if value == 0:
        return "0"
    digits = max(28, len(value.as_tuple().digits))
    with decimal.localcontext(prec=digits, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN):
        value = value.normalize()
    return f"{value:f}" if abs(value.adjusted()) < _PLAIN_DIGITS else str(value)


def _date_text(value: datetime.date) -> str:
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:  # one instant, one level, whatever the zone it is told in
            value = value.astimezone(datetime.UTC)
        text = value.isoformat(sep=" ")
        return text.removesuffix(" 00:00:00")
    return value.isoformat()


def kind_of(value: object) -> ValueKind:
    """Tell what kind of thing a value that isn't missing is."""
    if isinstance(value, bool | np.bool_):
        return "boolean"
    if isinstance(value, int | float | np.number | decimal.Decimal):
        return "number"
    if isinstance(value, datetime.date | np.datetime64):
        return "date"
    return "text"


def number_of(text: str) -> float | None:
    """Read a numeral as programs write it; None where the text is anything else (leading zeros, signs, spaces)."""
    return float(text) if _NUMERAL.fullmatch(text) else None


def written_number(text: str) -> float | None:
    """Read a number in any way in which one is written, such as "250.00" or "1E3"; None where the text is none."""
    return float(text) if _WRITTEN.fullmatch(text) else None


def exact_text(text: str) -> str | None:
    """Write a number, in whatever way it is written, as its level is; None where the text is none."""
    return decimal_text(decimal.Decimal(text)) if _WRITTEN.fullmatch(text) else None


def text_as_number(text: str) -> str:
    """Write a plain numeral as a number's level is written; leave any other text alone.

    Examples
    --------
    >>> [text_as_number(text) for text in ("57.0", "57", "-8.50", "1e+05", "057", "3E1", "-0")]
    ['57', '57', '-8.5', '100000', '057', '3E1', '0']
    """
    if not _NUMERAL.fullmatch(text):
        return text
    if text.lstrip("-").isdigit():
        return "0" if text == "-0" else text
    return decimal_text(decimal.Decimal(text))


def is_among(text: str, levels: Collection[str]) -> bool:
    """Tell whether a text denotes one of some levels; those that are numbers are written as `text_as_number` does."""
    return text in levels or text_as_number(text) in levels


def text_as_boolean(text: str) -> str:
    """Write what reads as true or false like a boolean's level; leave any other text alone."""
    return {"true": "True", "false": "False", "1": "True", "0": "False"}.get(text.casefold(), text)


def text_as_date(text: str) -> str:
    """Write an ISO date or date and time like a date's level; leave any other text alone.

    Examples
    --------
    >>> text_as_date("2011-05-01T00:00:00.000"), text_as_date("2011-05-01 12:30"), text_as_date("1/5/2011")
    ('2011-05-01', '2011-05-01 12:30:00', '1/5/2011')
    """
    match = _DATE.fullmatch(text)
    if not match:
        return text
    day, minute, second, fraction = match.groups()
    digits = (fraction or ".").rstrip("0").rstrip(".")
    if minute in (None, "00:00") and second in (None, "00") and not digits:
        return day
    return f"{day} {minute}:{second or '00'}{digits and f'.{digits[1:]:0<6}'}"
