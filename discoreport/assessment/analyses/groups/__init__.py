"""Who is at risk: the levels of a variable, and how many of their records the synthetic file gives away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from discoreport.assessment import formatting
from discoreport.assessment.accept_settings import SettingsGiven, names_given, require_no_unit, settings_given
from discoreport.assessment.analyses.base import Analysis, Options, Variables, with_options
from discoreport.assessment.analyses.count_cells import count_cells, require_whole
from discoreport.assessment.analyses.groups.results import Group, Groups
from discoreport.assessment.engine_choice import MemoryFiles, read_all
from discoreport.assessment.measure_files import warn_as_assess
from discoreport.assessment.measured import Measured
from discoreport.assessment.prepare import PreparedFiles, prepare
from discoreport.assessment.provenance import Source
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.settings import MOST_COUNTED, Whole
from discoreport.data.coding import SMALL_CELL, Variable, code_variable, renumbered
from discoreport.data.table import require_columns, shared_columns
from discoreport.measures.key_index import combine
from discoreport.measures.memory_engine import Counter, TargetCells
from discoreport.measures.tallies import DENSE

Counts = npt.NDArray[np.int64]


class GroupsOptions(Options):
    """Of `groups`."""

    by: Variables = Field(
        (), title="Groups by", description="variables of the original whose levels are looked at; by default the keys"
    )
    smallest: Whole = Field(
        SMALL_CELL,
        ge=1,
        le=MOST_COUNTED,
        title="Smallest group",
        description="levels with fewer original records than this are put together",
    )


def groups(
    original: object,
    synthetic: object,
    settings: SettingsGiven,
    *,
    by: Sequence[str] | str | None = None,
    smallest: int = SMALL_CELL,
) -> Groups:
    """Count the original records at risk level by level of some variables.

    Parameters
    ----------
    original, synthetic
        As for `assess`, in memory; one synthetic file or a list of them.
    settings
        As for `assess_with`. Where it puts a variable into classes, those are the levels.
    by
        Variables of the original, which need not be keys or targets, nor be in the synthetic files; by default
        the keys.
    smallest
        Levels with fewer original records than this are put together, with the next larger ones if need be, so
        that no smaller group is shown. How many of them are exposed record by record is told all the same.

    Returns
    -------
    Groups
        Counts that add up to those of UiO, repU, Dorig and DiSCO.

    Raises
    ------
    DataError, SettingsError
        As `assess`; and where the original lacks one of the variables, or it is the unit.

    Warns
    -----
    ComparisonWarning
        As `assess` does.

    Examples
    --------
    >>> import pandas as pd
    >>> from discoreport import Settings
    >>> original = pd.DataFrame({"age": [30, 31, 41, 41], "sex": ["f", "f", "m", "m"], "ill": ["y", "n", "n", "y"]})
    >>> found = groups(original, original, Settings(keys=["age"], targets=["ill"]), by="sex", smallest=1)
    >>> found.table[["level", "n_records", "repU", "DiSCO", "flag"]]  # 30 and 31 are alone; at 41 there are two answers
      level  n_records   repU  DiSCO         flag
    0     f          2  100.0  100.0  all exposed
    1     m          2    0.0    0.0
    """
    settings = settings_given(settings)
    smallest = require_whole(smallest, 1, "groups: smallest")
    tables = read_all(original, synthetic)
    coded = prepare(MemoryFiles(tables), settings)
    names = coded.settings.keys if by is None else names_given(by, "groups: by")
    require_columns(names, tables[:1])
    require_no_unit(coded.settings, names, "groups")
    variables = [_variable(name, coded) for name in names]
    counted = list(count_at_risk(coded))
    found: list[Group] = []
    for variable in variables:
        for at_risk in counted:
            found += _groups(variable, at_risk, smallest)
    warn_as_assess(tables, coded.settings)
    return Groups(
        settings=coded.settings,
        original=Source.of(tables[0]),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        smallest=smallest,
        groups=tuple(found),
    )


def _variable(name: str, coded: PreparedFiles) -> Variable:
    if name in coded.variables:
        return coded.variables[name]
    if name in shared_columns(coded.tables):
        return coded.variable(name).variable
    return code_variable(name, coded.tables[:1])


@dataclass(frozen=True)
class AtRisk:
    """Which original records are at risk, for one target and one synthesis.

    Parameters
    ----------
    target, synthesis
        Which; the target is "" where there is none.
    unique, replicated, determined, disclosed
        Whether each record counts for UiO, repU, Dorig and DiSCO; shape (records,). None without a target.
    """

    target: str
    synthesis: int
    unique: npt.NDArray[np.bool_]
    replicated: npt.NDArray[np.bool_]
    determined: npt.NDArray[np.bool_] | None
    disclosed: npt.NDArray[np.bool_] | None


def count_at_risk(coded: PreparedFiles) -> Iterator[AtRisk]:
    """Tell for each original record whether it is at risk, target by target and synthesis by synthesis."""
    index = combine(coded.keys, coded.unit)
    counter = Counter(index)
    rows = _Rows(index.codes[0], index.n_codes)
    of_keys = []
    for counted in count_cells(counter, (), coded.settings):
        keys = counted.of_keys.keys
        unique = keys.d == 1
        of_keys.append((rows.spread(counted.full, 1, unique), rows.spread(counted.full, 1, unique & (keys.s == 1))))
    if not coded.targets:
        yield from (AtRisk("", synthesis, *found, None, None) for synthesis, found in enumerate(of_keys, start=1))
    for target in coded.targets:
        n_levels = max(target.n_codes, 1)
        rows = _Rows(index.codes[0] * n_levels + target.codes[0], index.n_codes * n_levels)
        for counted in count_cells(counter, (target,), coded.settings):
            left, kept = counted.left, counted.left.d > 0  # a cell is left out as a whole or not at all
            risks = kept & left.disclosive_in_original, kept & left.disclosive_in_synthetic
            flags = (rows.spread(counted.full, n_levels, where) for where in risks)
            yield AtRisk(counted.target, counted.synthesis, *of_keys[counted.synthesis - 1], *flags)


class _Rows:
    """The original records by the code of their cell."""

    def __init__(self, codes: Counts, n_codes: int) -> None:
        self._dense = n_codes <= DENSE * len(codes)
        self._n_codes = n_codes
        self._place, self._found = codes, np.empty(0, np.int64)
        if not self._dense:
            (self._place,), self._found = renumbered([codes])

    def spread(self, full: TargetCells, n_levels: int, where: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Give to each original record what holds for its cell."""
        codes = full.combinations * n_levels + full.levels
        if self._dense:
            by_code = np.zeros(self._n_codes, bool)
            by_code[codes[where]] = True
        else:
            by_code = where[np.searchsorted(codes, self._found)]
        spread: npt.NDArray[np.bool_] = by_code[self._place]
        return spread


def _groups(variable: Variable, at_risk: AtRisk, smallest: int) -> Iterator[Group]:
    """Count level by level, and put small levels together."""
    codes = variable.codes[0]
    n_codes = variable.n_levels + 1
    n_records = np.bincount(codes, minlength=n_codes)
    flags = (at_risk.unique, at_risk.replicated, at_risk.determined, at_risk.disclosed)
    counts = [None if flag is None else np.bincount(codes[flag], minlength=n_codes) for flag in flags]
    decisive = counts[1] if counts[3] is None else counts[3]
    exposed = (decisive == n_records) & (n_records > 0)
    few, others = _few(n_records, smallest)
    for places in [*([place] for place in others), *([few] if len(few) else [])]:
        sums = [None if of_flag is None else int(of_flag[places].sum()) for of_flag in counts]
        yield Group(
            variable=variable.name,
            level=variable.text(int(places[0])) if len(places) == 1 else None,
            n_levels=len(places),
            target=at_risk.target,
            synthesis=at_risk.synthesis,
            n_records=int(n_records[places].sum()),
            n_unique=sums[0] or 0,
            n_replicated=sums[1] or 0,
            n_determined=sums[2],
            n_disclosed=sums[3],
            n_levels_exposed=int(exposed[places].sum()),
            levels=tuple(variable.text(place) for place in places) if len(places) > 1 else (),
        )


def _few(n_records: Counts, smallest: int) -> tuple[list[int], list[int]]:
    """Choose the levels that are put together, so that none is smaller than `smallest`, and those that are not."""
    by_size = [int(place) for place in np.argsort(n_records, kind="stable") if n_records[place]]
    n_few = sum(1 for place in by_size if n_records[place] < smallest)
    while 0 < n_few < len(by_size) and n_records[by_size[:n_few]].sum() < smallest:
        n_few += 1
    few = sorted(by_size[:n_few])
    return few, sorted(by_size[n_few:])


def _in_short(found: Groups, _: Measured, __: Documentation) -> Iterator[str]:
    exposed = {one.place for one in found.fully_exposed}
    yield f"Groups: {formatting.counted(len(exposed), 'group')} fully exposed"


def _options_from(found: Groups, _: Measured) -> dict[str, Any]:
    return {"by": tuple(dict.fromkeys(one.variable for one in found.groups)), "smallest": found.smallest}


ANALYSIS = Analysis(
    name="groups",
    title="Groups at risk",
    question="Who is at risk?",
    tells="The share of the records given away, level by level, so that no average hides a small group.",
    options=GroupsOptions,
    runs=with_options(groups),
    in_short=_in_short,
    options_from=_options_from,
)
