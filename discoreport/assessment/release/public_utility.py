"""What may leave the building of utility: how far tables are reproduced, in bands; no count, no level, no figure."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from discoreport.assessment.analyses.utility.declared_results import DeclaredResult
from discoreport.assessment.analyses.utility.results import TableUtility
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import clean
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.frozen_model import FrozenModel
from discoreport.data.coding import SMALL_CELL

Band = Literal["below 3", "3 to 10", "above 10", "not told"]
BANDS: tuple[Band, ...] = get_args(Band)
OverlapBand = Literal["half or more", "below half", "not told"]
OVERLAP_BANDS: tuple[OverlapBand, ...] = get_args(OverlapBand)
LIMITS = (3.0, 10.0)
"""S_pMSE between the bands, which the authors of the measure name."""

_HALF = 50.0
"""Overlap between its bands, in percent."""


class PublicTable(FrozenModel):
    """One variable, or two, and how far their table is reproduced: S_pMSE in bands."""

    variables: tuple[str, ...]
    band: Band


class PublicDeclared(FrozenModel):
    """One declared analysis, without a level, and how far the intervals of its groups overlap at least."""

    what: str
    band: OverlapBand


class PublicUtility(FrozenModel):
    """How far the file reproduces variables and pairs of them, sorted by name.

    Parameters
    ----------
    variables, pairs
        Those that were looked at. A table's figure would give counts back; its band is that of the table with cells of
        few records put together, and isn't told where too little is left of it.
    declared
        What the file is wanted for, in the order in which it was declared.
    """

    variables: tuple[PublicTable, ...]
    pairs: tuple[PublicTable, ...]
    declared: tuple[PublicDeclared, ...] = ()

    @property
    def declared_by_band(self) -> dict[OverlapBand, tuple[PublicDeclared, ...]]:
        """The declared analyses of each band that has any."""
        found = {band: tuple(one for one in self.declared if one.band == band) for band in OVERLAP_BANDS}
        return {band: several for band, several in found.items() if several}

    @property
    def by_band(self) -> dict[Band, tuple[tuple[PublicTable, ...], tuple[PublicTable, ...]]]:
        """The variables and the pairs of each band that has any."""
        found = {
            band: (
                tuple(one for one in self.variables if one.band == band),
                tuple(one for one in self.pairs if one.band == band),
            )
            for band in BANDS
        }
        return {band: several for band, several in found.items() if any(several)}

    @property
    def limits(self) -> Iterator[str]:
        """Say in a line each what is reproduced less closely, the furthest first: limits for the users of the file."""
        for band in reversed(BANDS[1:-1]):
            for one in itertools.chain(*self.by_band.get(band, ())):
                yield f"{' with '.join(map(written_name, one.variables))}: S_pMSE {band}"
        for declared in self.declared_by_band.get("below half", ()):
            yield f"{declared.what}: 95 % intervals overlap by less than half in some group"


def public_utility(assessment: Assessment) -> PublicUtility | None:
    """Put what was found into bands; None where utility wasn't looked at, or by an earlier version.

    Parameters
    ----------
    assessment
        Its policy says how few records make a small cell; where that is more than ten, no band is told.
    """
    found = assessment.analyses.utility
    if found is None or all(one.common is None for one in found.tables):
        return None
    named = {one.name for one in assessment.described}  # whether others were left aside isn't said
    told = assessment.policy.small_cell_limit <= SMALL_CELL
    tables = [one for one in found.tables if {*one.variables} <= named and len(one.variables) < 3]
    return PublicUtility(
        variables=_banded((one for one in tables if len(one.variables) == 1), told),
        pairs=_banded((one for one in tables if len(one.variables) == 2), told),
        declared=tuple(
            PublicDeclared(
                what=clean(one.asked.without_level), band=_overlap_band(one, assessment.policy.small_cell_limit)
            )
            for one in found.declared
            if {*one.asked.variables} <= named
        ),
    )


def _overlap_band(one: DeclaredResult, smallest: int) -> OverlapBand:
    """Tell how far intervals overlap at least, over files and groups of which no small count would come back."""
    groups = [group for group in one.groups if one.fewest(group) >= smallest]
    found = (group.overlap(synthesis) for group in groups for synthesis in range(1, len(group.synthetic) + 1))
    overlaps = [overlap for overlap in found if overlap is not None]
    if not overlaps:
        return "not told"
    return "half or more" if min(overlaps) >= _HALF else "below half"


def _banded(tables: Iterable[TableUtility], told: bool) -> tuple[PublicTable, ...]:
    """Give the band of each table, of the file where it is highest."""
    places: dict[tuple[str, ...], int] = {}
    for one in tables:
        names = tuple(sorted(one.variables))
        places[names] = max(places.get(names, 0), _place(one.common) if told else len(BANDS) - 1)
    return tuple(PublicTable(variables=names, band=BANDS[place]) for names, place in sorted(places.items()))


def _place(value: float | None) -> int:
    return len(BANDS) - 1 if value is None else sum(value >= limit for limit in LIMITS)
