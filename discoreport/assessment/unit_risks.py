"""Units, such as households: how many can be told from all others, and of which kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from discoreport.assessment import formatting
from discoreport.data.coding import Variable
from discoreport.measures.units import KindOfUnit, UnitCounts

MOST_EXPOSED = 6
"""How many kinds of unit by composition are shown; the table has all."""


@dataclass(frozen=True)
class UnitKind:
    """Original units of one size and composition, and how many of them can be told from all others.

    Parameters
    ----------
    key
        The key whose levels make the composition; None where units are alike in their size alone.
    size
        How many records each has; None where several kinds are put together, none of which has as many units as the
        small-cell limit.
    members
        The levels of the key that its records have, and how many have each; a level that is None is a missing value.
    n_units, n_unique, n_replicated
        Units; those whose records have keys that no other original unit's have together; and those of them that are
        unique so in the synthetic file, too.
    """

    key: str | None
    size: int | None
    members: tuple[tuple[str | None, int], ...]
    n_units: int
    n_unique: int
    n_replicated: int

    @property
    def percent(self) -> float:
        """The share that is unique in both files."""
        return 100 * self.n_replicated / self.n_units

    @property
    def percent_unique(self) -> float:
        """The share that is unique in the original."""
        return 100 * self.n_unique / self.n_units

    @property
    def written(self) -> str:
        """The kind in words: "3 records: Female, 2 × Male"."""
        return self.labelled(lambda _, level: level)

    def labelled(self, label: Callable[[str, str | None], str | None]) -> str:
        """Write it with labels, which are given by key and level."""
        if self.size is None:
            return "all other kinds"
        size = formatting.counted(self.size, "record")
        key = self.key or ""
        named = [(formatting.level(label(key, level)), n) for level, n in self.members]
        levels = ", ".join(level if n == 1 else f"{n:,} × {level}" for level, n in named)
        return f"{size}: {levels}" if levels else size


@dataclass(frozen=True)
class UnitRisk:
    """The identity risk of units in one synthetic file.

    Parameters
    ----------
    synthesis
        Which synthetic file, counting from 1.
    n_original, n_synthetic
        Units of the two files.
    unique_in_original, unique_and_in_synthetic, unique_in_both
        Original units whose records have keys that no other original unit's have together; those of them whose keys
        occur together in the synthetic file; and those whose keys occur there in one unit alone.
    kinds
        Of the original's units: by their size, then by their size and composition in each key.
    """

    synthesis: int
    n_original: int
    n_synthetic: int
    unique_in_original: int
    unique_and_in_synthetic: int
    unique_in_both: int
    kinds: tuple[UnitKind, ...] = ()

    @property
    def percent_unique(self) -> float:
        """Units unique in the original, % of its units."""
        return 100 * self.unique_in_original / self.n_original

    @property
    def percent_found(self) -> float:
        """Those of them that occur in the synthetic file, % of the original's units."""
        return 100 * self.unique_and_in_synthetic / self.n_original

    @property
    def percent(self) -> float:
        """Units unique in both files, % of the original's units."""
        return 100 * self.unique_in_both / self.n_original

    @property
    def sizes(self) -> tuple[UnitKind, ...]:
        """The kinds by size, rising; those of few units last, together."""
        return tuple(kind for kind in self.kinds if kind.key is None)

    @property
    def most_exposed(self) -> tuple[UnitKind, ...]:
        """The kinds by size and composition in a key of which most are unique in both files, most exposed first."""
        named = [kind for kind in self.kinds if kind.key is not None and kind.size is not None and kind.n_replicated]
        return tuple(sorted(named, key=lambda kind: (-kind.percent, -kind.n_units))[:MOST_EXPOSED])

    @property
    def shown(self) -> tuple[tuple[str, tuple[UnitKind, ...]], ...]:
        """What is shown of the kinds, below which head: all sizes, and the most exposed compositions."""
        heads = ("By size", "Most exposed, by size and one key")
        return tuple((head, kinds) for head, kinds in zip(heads, (self.sizes, self.most_exposed), strict=True) if kinds)

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"{formatting.counted(self.n_original, 'original unit')}, {self.unique_in_original:,} unique "
            f"({formatting.percentage(self.percent_unique)} %), {self.unique_in_both:,} of them in the synthetic file, "
            f"too ({formatting.percentage(self.percent)} %)"
        )


def put_together(kinds: Sequence[UnitKind], fewer_than: int) -> tuple[UnitKind, ...]:
    """Put the kinds together that fewer units have than a limit, of each key; others than these stay apart."""
    found: list[UnitKind] = []
    for key in dict.fromkeys(kind.key for kind in kinds):
        of_key = [kind for kind in kinds if kind.key == key]
        small = [kind for kind in of_key if kind.size is None or kind.n_units < fewer_than]
        found += [kind for kind in of_key if kind not in small]
        if small:
            sums = (sum(getattr(kind, name) for kind in small) for name in ("n_units", "n_unique", "n_replicated"))
            found.append(UnitKind(key, None, (), *sums))
    return tuple(found)


def unit_risks(counts: Sequence[UnitCounts], keys: Sequence[Variable]) -> tuple[UnitRisk, ...]:
    """Put what was counted into levels, as the record holds it."""
    return tuple(
        UnitRisk(
            synthesis=synthesis,
            n_original=one.n_original,
            n_synthetic=one.n_synthetic,
            unique_in_original=one.unique_in_original,
            unique_and_in_synthetic=one.unique_and_in_synthetic,
            unique_in_both=one.unique_in_both,
            kinds=tuple(_kind(kind, keys) for kind in one.kinds),
        )
        for synthesis, one in enumerate(counts, start=1)
    )


def _kind(kind: KindOfUnit, keys: Sequence[Variable]) -> UnitKind:
    key = None if kind.key is None else keys[kind.key]
    n_of = Counter(kind.codes or ())
    members = () if key is None else tuple(zip(key.texts_of([*n_of]), n_of.values(), strict=True))
    name = None if key is None else key.name
    return UnitKind(name, kind.size, members, kind.n_units, kind.n_unique, kind.n_replicated)
