"""What `groups` finds: how many records of each level are at risk."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd

from discoreport.assessment.analyses.result import Finite, OwnFigure, SettingsResult, SynthesesResult
from discoreport.assessment.formatting import apart
from discoreport.assessment.formatting import level as written_level

Place = tuple[str, str | None, int]
"""What tells a group from all others: variable, level, and how many levels it is. The text of a level does not."""


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
    levels
        The levels that were put together; none in records of earlier versions.
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
    levels: tuple[str | None, ...] = ()

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
    def repeatable(self) -> bool:
        """Whether the same files give the same: earlier versions did not write down what they put together."""
        return all(one.levels for one in self.groups if one.merged)

    @property
    def put_together(self) -> dict[str, tuple[str, ...]]:
        """By variable the levels that were put together, as they are written."""
        return {one.variable: tuple(map(written_level, one.levels)) for one in self.groups if one.levels}

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
                **one.model_dump(exclude={"level", "levels"}),
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
