"""A table whose column has got another name: the earlier one works for a release, and warns."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd

_EARLIER, _NAME = "target_level", "level"


class FlaggedPairs(pd.DataFrame):
    """The table of flagged pairs; what is made of it is a plain table.

    Examples
    --------
    >>> pairs = FlaggedPairs({"key_level": ["17"], "level": ["Single"]})
    >>> list(pairs), type(pairs.head()).__name__
    (['key_level', 'level'], 'DataFrame')
    """

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    def __getitem__(self, key: Any) -> Any:
        """Give a column, or some, by the earlier name, too."""
        several = isinstance(key, list) and _EARLIER in key
        if not several and not (isinstance(key, str) and key == _EARLIER):
            return super().__getitem__(key)
        words = f"two_way: the column '{_EARLIER}' is called '{_NAME}', as everywhere; the earlier name goes with the "
        warnings.warn(f"{words}next release.", DeprecationWarning, stacklevel=2)
        if not several:
            return super().__getitem__(_NAME)
        found = super().__getitem__([_NAME if one == _EARLIER else one for one in key])
        return found.rename(columns={_NAME: _EARLIER})
