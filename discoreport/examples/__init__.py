"""The Northmoor household survey: made up, nobody in it exists. Data for demo, tests and notebooks.

The original and the control file are two samples of one made-up population (`make_survey` draws
them). ``synthetic_1`` to ``synthetic_3`` and ``synthetic_small`` were synthesised from the original
variable by variable with classification trees; in ``low_fidelity`` each variable was drawn on its
own; ``leaky`` is ``synthetic_1`` with 1,500 records replaced by originals. All of it may be used and passed on
as the program may (MIT).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from discoreport.errors import DataError, suggest

FOLDER = Path(__file__).parent
"""Holds the survey, and what is said of its release: policy.toml, documentation.toml, logo.svg."""

NAMES = (
    "original",
    "synthetic_1",
    "synthetic_2",
    "synthetic_3",
    "synthetic_small",
    "low_fidelity",
    "leaky",
    "control",
)

SETTINGS: dict[str, Any] = {
    "keys": ["sex", "age", "region", "settlement"],
    "numeric_groups": {"income": 20},
    "special_codes": {"income": [-8]},
}
"""How the demo assesses the survey: what a neighbour may know, income in classes."""

MEANINGS = {
    "sex": "Sex",
    "age": "Age in years, from 16",
    "region": "One of twelve regions",
    "settlement": "Size of the place of residence",
    "marital": "Marital status",
    "education": "Highest level of education",
    "employment": "Main occupation",
    "income": "Net income a month; -8: not applicable",
    "wellbeing": "Satisfaction with life, 0 (low) to 10",
    "smoker": "Whether the person smokes",
    "worked_abroad": "Whether the person ever worked in another country",
}
"""What each variable of the survey says."""


def path(name: str) -> Path:
    """Find one of the survey's files.

    Parameters
    ----------
    name
        One of `NAMES`.

    Returns
    -------
    Path
        A compressed CSV file, 5,000 records of 11 variables (``synthetic_small``: 1,000).

    Raises
    ------
    DataError
        Where there is no file of this name.
    """
    if name not in NAMES:
        raise DataError(f"No example file '{name}'. {suggest(name, NAMES)}")
    return FOLDER / f"{name}.csv.gz"


def read(name: str) -> pd.DataFrame:
    """Read one of the survey's files as a data frame; see `path`.

    Examples
    --------
    >>> read("original").shape
    (5000, 11)
    """
    return pd.read_csv(path(name))


def dictionary() -> pd.DataFrame:
    """Describe the variables of the original: what each says, its levels, how many records lack it.

    Examples
    --------
    >>> dictionary().loc["sex", "levels"]
    'Female; Male'
    """
    original = read("original")
    rows = {
        name: {"says": says, "levels": _levels(original[name]), "missing": int(original[name].isna().sum())}
        for name, says in MEANINGS.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("variable")


def unnamed() -> dict[str, pd.DataFrame]:
    """Give three synthetic files for an exercise, under letters that don't say which they are."""
    return {letter: read(name) for letter, name in zip("ABC", ("leaky", "low_fidelity", "synthetic_2"), strict=True)}


def _levels(values: pd.Series) -> str:
    """List the levels of words; give the range of numbers, without codes."""
    if pd.api.types.is_numeric_dtype(values):
        numbers = values[values >= 0]
        return f"{numbers.min():,.0f} to {numbers.max():,.0f}"
    return "; ".join(sorted(values.dropna().unique()))
