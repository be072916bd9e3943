"""Who is at risk: the levels of a variable, and how many of their records the synthetic file gives away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from discoreport.assessment.analyses.counting import Coded, code_files, count_cells, require_whole
from discoreport.assessment.analyses.result import Finite, OwnFigure, SettingsResult, SynthesesResult
from discoreport.assessment.engines import read_all
from discoreport.assessment.measuring import warn_as_assess
from discoreport.assessment.preparing import prepare
from discoreport.assessment.results import Source
from discoreport.assessment.settings import Settings
from discoreport.assessment.writing import apart
from discoreport.assessment.writing import level as written_level
from discoreport.data.coding import SMALL_CELL, Variable, code_variable, rising
from discoreport.data.table import require_columns, shared_columns
from discoreport.measures.cells import Cells
from discoreport.measures.memory import Counter, TargetCells, combine

Counts = npt.NDArray[np.int64]
Place = tuple[str, str | None, int]
"""What tells a group from all others: variable, level, and how many levels it is. The text of a level does not."""
_DENSE = 4
"""Codes below this many times the number of records are looked up in a table."""


class Group(Finite):
    """Original records with one level of a variable, and how many of them are at risk.

    Parameters
    ----------
    variable, level
        Which level of which variable; None is a missing value, or the levels that were merged.
    n_levels
        How many levels these are: 1, or those with so few records that they were put together.
    target, synthesis
        What is learnt ("" where there is no target), and from which synthetic file, counting from 1.
    n_records
        Original records with the level.
    n_unique, n_replicated
        Those that are unique on the keys (UiO), and are so in the synthetic file, too (repU).
    n_determined, n_disclosed
        Those whose keys determine the target in the original (Dorig), and those whose true target level the
        synthetic file gives away (DiSCO); None without a target.
    n_levels_exposed
        Levels of which every record is disclosed (of which every record is a replicated unique, without a target).
    """

    variable: str
    level: str | None
    n_levels: int
    target: str
    synthesis: int
    n_records: int
    n_unique: int
    n_replicated: int
    n_determined: int | None
    n_disclosed: int | None
    n_levels_exposed: int

    @property
    def merged(self) -> bool:
        """Whether several levels were put together, because one has fewer records than may be shown."""
        return self.n_levels > 1

    @property
    def place(self) -> Place:
        """Which group it is, whatever the target and the synthesis."""
        return self.variable, self.level, self.n_levels

    @property
    def written(self) -> str:
        """The level as it is written; another level may be written alike."""
        return f"{self.n_levels} levels put together" if self.merged else written_level(self.level)

    @property
    def written_whole(self) -> str:
        """The level as it is written, however long it is."""
        return self.written if self.merged else written_level(self.level, whole=True)

    @property
    def flag(self) -> str:
        """What an average would hide: "all exposed", "some levels all exposed", or ""."""
        if not self.n_levels_exposed:
            return ""
        return "all exposed" if self.n_levels_exposed == self.n_levels else "some levels all exposed"


class Groups(SettingsResult, SynthesesResult):
    """The levels of some variables with their risk; get one from `groups`. Aggregates only.

    Parameters
    ----------
    settings
        What was asked, targets written out.
    original, synthetic
        The files.
    smallest
        Levels with fewer original records than this were put together.
    groups
        For each variable, target and synthesis: levels in their order, merged ones last.
    """

    by_target = "groups"

    smallest: int
    groups: tuple[Group, ...]

    @property
    def places(self) -> tuple[Place, ...]:
        """Each group once, whatever the target and the synthesis."""
        return tuple(dict.fromkeys(one.place for one in self.groups))

    def names(self, written: Callable[[Group], str]) -> dict[Place, str]:
        """Give every group its text; those of one variable that are written alike are numbered."""
        first = {one.place: one for one in reversed(self.groups)}
        of_variable: dict[str, list[Place]] = {}
        for place in self.places:
            of_variable.setdefault(place[0], []).append(place)
        told = ((places, apart([written(first[place]) for place in places])) for places in of_variable.values())
        return {place: text for places, texts in told for place, text in zip(places, texts, strict=True)}

    @property
    def table(self) -> pd.DataFrame:
        """One row a group: its counts, UiO, repU, Dorig and DiSCO in percent of its records, and its flag.

        Every level has a text of its own, with all of its signs.
        ``average`` is DiSCO over all records (repU, without a target): what the group is to be set against.
        """
        names = self.names(lambda one: one.written_whole)
        rows = [
            {
                **one.model_dump(exclude={"level"}),
                "level": names[one.place],
                "merged": one.merged,
                "UiO": 100 * one.n_unique / one.n_records,
                "repU": 100 * one.n_replicated / one.n_records,
                "Dorig": None if one.n_determined is None else 100 * one.n_determined / one.n_records,
                "DiSCO": None if one.n_disclosed is None else 100 * one.n_disclosed / one.n_records,
                "flag": one.flag,
            }
            for one in self.groups
        ]
        counts = ["n_records", "n_unique", "n_replicated", "n_determined", "n_disclosed"]
        shares = ["UiO", "repU", "Dorig", "DiSCO"]
        columns = ["variable", "level", "n_levels", "merged", "target", "synthesis", *counts, *shares]
        table = pd.DataFrame(rows, columns=[*columns, "n_levels_exposed", "flag"])
        table = table.astype(dict.fromkeys(counts, "Int64") | dict.fromkeys(shares, "float64"))
        at_risk = table["n_disclosed"].fillna(table["n_replicated"])
        whole = at_risk.groupby([table["variable"], table["target"], table["synthesis"]]).transform("sum")
        table["average"] = 100 * whole.astype("float64") / self.original.n_records
        return table

    def percentages(self) -> Iterator[float]:
        """Give every percentage that tables show of it."""
        for share in ("UiO", "repU", "Dorig", "DiSCO", "average"):
            yield from self.table[share].dropna()

    def own_figures(self) -> Iterator[OwnFigure]:
        """Give the figures that the counts of a variable add up to."""
        counts = {"UiO": "n_unique", "repU": "n_replicated", "Dorig": "n_determined", "DiSCO": "n_disclosed"}
        sums: dict[tuple[str, str, int, str], int] = {}
        for one in self.groups:
            for measure, count in counts.items():
                number = getattr(one, count)
                place = (one.variable, one.target if measure in {"Dorig", "DiSCO"} else "", one.synthesis, measure)
                if number is not None:
                    sums[place] = sums.get(place, 0) + number
        n_targets = len({one.target for one in self.groups})
        for (_, target, synthesis, measure), number in sums.items():
            whole = number / (n_targets if measure in {"UiO", "repU"} else 1)  # the keys are counted for each target
            yield target, synthesis, measure, 100 * whole / self.original.n_records

    @property
    def fully_exposed(self) -> tuple[Group, ...]:
        """The groups that are fully exposed, or hold a level that is, by any synthetic file; the largest first."""
        most: dict[tuple[Place, str], Group] = {}
        for one in self.groups:
            place = (one.place, one.target)
            if one.n_levels_exposed > (most[place].n_levels_exposed if place in most else 0):
                most[place] = one
        return tuple(sorted(most.values(), key=lambda one: -one.n_records))


def groups(
    original: object,
    synthetic: object,
    settings: Settings,
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
        As `assess`; and where the original lacks one of the variables.

    Warns
    -----
    ComparisonWarning
        As `assess` does.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 31, 41, 41], "sex": ["f", "f", "m", "m"], "ill": ["y", "n", "n", "y"]})
    >>> found = groups(original, original, Settings(keys=["age"], targets=["ill"]), by="sex", smallest=1)
    >>> found.table[["level", "n_records", "repU", "DiSCO", "flag"]]  # 30 and 31 are alone; at 41 there are two answers
      level  n_records   repU  DiSCO         flag
    0     f          2  100.0  100.0  all exposed
    1     m          2    0.0    0.0
    """
    smallest = require_whole(smallest, 1, "groups: smallest")
    tables = read_all(original, synthetic)
    coded = code_files(tables, settings)
    names = coded.settings.keys if by is None else (by,) if isinstance(by, str) else tuple(dict.fromkeys(by))
    require_columns(names, tables[:1])
    variables = [_variable(name, coded) for name in names]
    counted = list(count_at_risk(coded))
    found: list[Group] = []
    for variable in variables:
        for at_risk in counted:
            found += _groups(variable, at_risk, smallest)
    warn_as_assess(tables, coded.settings, stacklevel=2)
    return Groups(
        settings=coded.settings,
        original=Source.of(tables[0]),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        smallest=smallest,
        groups=tuple(found),
    )


def _variable(name: str, coded: Coded) -> Variable:
    for variable in (*coded.keys, *coded.targets):
        if variable.name == name:
            return variable
    if name in shared_columns(coded.tables):
        return prepare(code_variable(name, coded.tables), coded.tables, coded.settings).variable
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


def count_at_risk(coded: Coded) -> Iterator[AtRisk]:
    """Tell for each original record whether it is at risk, target by target and synthesis by synthesis."""
    index = combine(coded.keys)
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
            flags = (rows.spread(counted.full, n_levels, where) for where in _risks(counted.left))
            yield AtRisk(counted.target, counted.synthesis, *of_keys[counted.synthesis - 1], *flags)


def _risks(left: Cells) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    kept = left.d > 0  # a cell is left out as a whole or not at all
    return kept & left.disclosive_in_original, kept & left.disclosive_in_synthetic


class _Rows:
    """The original records by the code of their cell."""

    def __init__(self, codes: Counts, n_codes: int) -> None:
        self._dense = n_codes <= _DENSE * len(codes)
        self._n_codes = n_codes
        self._found = np.empty(0, np.int64) if self._dense else rising(codes)
        self._place = codes if self._dense else np.searchsorted(self._found, codes)

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
        )


def _few(n_records: Counts, smallest: int) -> tuple[list[int], list[int]]:
    """Choose the levels that are put together, so that none is smaller than `smallest`, and those that are not."""
    by_size = [int(place) for place in np.argsort(n_records, kind="stable") if n_records[place]]
    n_few = sum(1 for place in by_size if n_records[place] < smallest)
    while 0 < n_few < len(by_size) and n_records[by_size[:n_few]].sum() < smallest:
        n_few += 1
    few = sorted(by_size[:n_few])
    return few, sorted(by_size[n_few:])
