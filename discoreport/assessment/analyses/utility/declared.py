"""What a requester says they will do with the file: means, shares and counts by groups, in a line of text each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BeforeValidator, Field, model_validator

from discoreport.assessment.analyses.base import InWords
from discoreport.assessment.formatting import MISSING_LEVEL
from discoreport.assessment.settings import LevelText, Name, Names
from discoreport.assessment.toml import from_inline, in_toml, inline, validated
from discoreport.errors import SettingsError, require_kind

FigureKind = Literal["mean", "share", "count"]
MOST_DECLARED = 100
"""Analyses that one file is looked at for."""
MOST_BY = 3
"""Variables that one of them goes by."""
_HOW = (
    "write it as 'mean of income by region', 'share of smoker = Yes by age, education' or 'count of marital by region'"
)
_PATTERN = re.compile(
    rf"({'|'.join(get_args(FigureKind))})\s+(?:of\s+)?(?P<variable>.+?)"
    r"(?P<has>\s*=\s*(?P<level>.+?))?(?:\s+by\s+(?P<by>.+))?",
    re.DOTALL,
)


class Declared(InWords):
    """One of the analyses that a file is wanted for.

    Parameters
    ----------
    figure
        "mean" of a numeric variable, "share" of the records that have a level, or "count" of the records that have
        each level, in percent of all.
    variable
        Of which variable.
    level
        Which level a share is of; None for a missing value.
    by
        The variables whose levels make the groups; none for all records together.
    """

    figure: FigureKind
    variable: Name
    level: LevelText = None
    by: Annotated[Names, Field(max_length=MOST_BY)] = ()

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.figure == "share" and "level" not in self.model_fields_set:
            raise ValueError("a share needs the level that it is of, such as 'share of smoker = Yes'")
        if self.figure != "share" and self.level is not None:
            raise ValueError(f"a {self.figure} is of no single level")
        if self.variable in self.by or len({*self.by}) < len(self.by):
            raise ValueError("each variable is named once")
        return self

    @property
    def unit(self) -> str:
        """What its figures are in: "%", or "" for those of the variable."""
        return "" if self.figure == "mean" else "%"

    @property
    def variables(self) -> tuple[str, ...]:
        """All that it names."""
        return (*self.by, self.variable)

    @property
    def without_level(self) -> str:
        """Say what it is, without the level."""
        of = f"share of a level of {self.variable}" if self.figure == "share" else f"{self.figure} of {self.variable}"
        return f"{of} by {', '.join(self.by)}" if self.by else of

    def __str__(self) -> str:
        """Write it as people do; where a name holds signs of that notation, as a line of TOML."""
        level = f" = {MISSING_LEVEL if self.level is None else self.level}" if self.figure == "share" else ""
        written = f"{self.figure} of {self.variable}{level}" + (f" by {', '.join(self.by)}" if self.by else "")
        if _read(written) == self._values:
            return written
        return inline({name: in_toml([value])[0] for name, value in self._values.items()})

    @property
    def _values(self) -> dict[str, Any]:
        level = {"level": self.level} if self.figure == "share" else {}
        return {"figure": self.figure, "variable": self.variable, **level, "by": list(self.by)}


def _read(text: str) -> dict[str, Any] | None:
    """Take a line apart; None where it is none."""
    found = _PATTERN.fullmatch(text.strip())
    if found is None:
        return None
    level = found["level"] and (None if found["level"] == MISSING_LEVEL else found["level"])
    by = [name.strip() for name in (found["by"] or "").split(",") if name.strip()]
    return {
        "figure": found[1], "variable": found["variable"], **({"level": level} if found["has"] else {}), "by": by
    }  # fmt: skip


def declared_from(given: Any) -> tuple[Declared, ...]:
    """Build declared analyses of texts, of names and values, or of models.

    Parameters
    ----------
    given
        One, or several in their order.

    Raises
    ------
    SettingsError
        With the first thing that is wrong.

    Examples
    --------
    >>> one, other = declared_from(["mean income by region", "share of smoker=Yes by age, sex"])
    >>> one.figure, one.variable, one.by
    ('mean', 'income', ('region',))
    >>> str(other)
    'share of smoker = Yes by age, sex'
    """
    several = list(given) if isinstance(given, list | tuple) else [given]
    if len(several) > MOST_DECLARED:
        raise SettingsError(f"declared: at most {MOST_DECLARED} analyses (got {len(several):,}).")
    return tuple(dict.fromkeys(map(_declared, several)))


def _declared(given: Any) -> Declared:
    if isinstance(given, Declared):
        return given
    where = "declared"
    if isinstance(given, str):
        where = f"declared '{given}'"
        if given.lstrip().startswith("{"):
            given = from_inline(given, f"{where} isn't in TOML")
        else:
            read = _read(given)
            if read is None:
                raise SettingsError(f"{where}: {_HOW}.")
            given = read
    require_kind(given, Mapping, f"declared: {_HOW}")
    return validated(Declared, given, where)


DeclaredAnalyses = Annotated[
    tuple[Declared, ...],
    BeforeValidator(declared_from),
    Field(
        title="Declared analyses",
        description="what the requester will do, such as 'mean of income by region', 'share of smoker = Yes by age, "
        "education' or 'count of marital by region'",
    ),
]
