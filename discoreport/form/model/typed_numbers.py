"""Numbers as people write them: understood where they can mean one thing, refused in words where they can't."""

from __future__ import annotations

import math
import re

from discoreport.errors import SettingsError

_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:([ ,'’])\d{3})(?:\1\d{3})*(?:\.\d+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
_TWO_THINGS = re.compile(r"[+-]?\d{1,3}\.\d{3}")
_SPACES = re.compile(r"[\s\u00a0\u202f]+")


def number(text: str) -> float | None:
    """Read one number; None where nothing is written.

    Spaces, commas and apostrophes may part thousands, a comma may be the decimal sign, a percent sign may follow.

    Raises
    ------
    SettingsError
        Where it is no number, or can be two.

    Examples
    --------
    >>> number(" 5 000 "), number("5,000"), number("0,95"), number("80 %"), number("")
    (5000.0, 5000.0, 0.95, 80.0, None)
    >>> number("1.000")
    Traceback (most recent call last):
    ...
    discoreport.errors.SettingsError: '1.000' can be 1 or 1000: write one of these.
    """
    written = _SPACES.sub(" ", text).strip()
    plain = written.removesuffix("%").strip().replace("−", "-")
    if not plain:
        return None
    if _TWO_THINGS.fullmatch(plain) and not plain.lstrip("+-").startswith("0"):
        whole = plain.replace(".", "")
        raise SettingsError(f"'{written}' can be {float(plain):g} or {whole}: write one of these.")
    if _THOUSANDS.fullmatch(plain) and not plain.lstrip("+-").startswith("0"):
        plain = re.sub(r"[ ,'’]", "", plain)
    elif _DECIMAL_COMMA.fullmatch(plain):
        plain = plain.replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or "_" in plain:
        raise SettingsError(f"'{written}' is not a number.")
    return value


def whole(text: str, what: str, least: int = 0) -> int | None:
    """Read a whole number; None where nothing is written.

    Parameters
    ----------
    text
        As it was written.
    what
        What it is, for the message.
    least
        The smallest that will do.

    Raises
    ------
    SettingsError
        Where it is another thing.
    """
    value = number(text)
    if value is not None and (not value.is_integer() or value < least):
        raise SettingsError(f"{what} is a whole number from {least} (got '{text.strip()}').")
    return None if value is None else int(value)


def numbers(text: str) -> tuple[float, ...]:
    """Read several numbers, parted by spaces, semicolons or commas.

    Raises
    ------
    SettingsError
        Where one is no number, or where a comma can part two numbers or be a decimal sign.

    Examples
    --------
    >>> numbers("0 10 20.5"), numbers("1, 2, 3"), numbers("0,5 0,9"), numbers("")
    ((0.0, 10.0, 20.5), (1.0, 2.0, 3.0), (0.5, 0.9), ())
    >>> numbers("0,5")
    Traceback (most recent call last):
    ...
    discoreport.errors.SettingsError: '0,5' can be one number or two: put spaces between numbers, and write 0.5 for one.
    """
    written = _SPACES.sub(" ", text).replace("%", "").strip(" ;,")
    parts = [part for part in re.split(r"[; ]+|, ", written.replace(", ", " ").replace(" ;", ";")) if part]
    if len(parts) == 1 and "," in parts[0]:
        among = parts[0].split(",")
        if len(among) == 2:
            point = parts[0].replace(",", ".")
            raise SettingsError(
                f"'{parts[0]}' can be one number or two: put spaces between numbers, and write {point} for one."
            )
        parts = among
    return tuple(value for value in map(number, parts) if value is not None)


def shares(text: str) -> tuple[float, ...]:
    """Read shares from 0 to 1; those written in percent are understood.

    Raises
    ------
    SettingsError
        Where one is no share.

    Examples
    --------
    >>> shares("0 0.5 95"), shares("80 % 100 %")
    ((0.0, 0.5, 0.95), (0.8, 1.0))
    """
    of_hundred = "%" in text
    read = [value / 100 if of_hundred or 1 < value <= 100 else value for value in numbers(text)]
    if any(not 0 <= value <= 1 for value in read):
        raise SettingsError("Probabilities are numbers from 0 to 1 (or percent from 0 to 100), parted by spaces.")
    return tuple(read)
