"""Cells -> figures and flags: what an assessment holds of each target and synthesis."""

from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from discoreport.assessment.results import ClassSize, LevelRisk, OneWayFlag, Outcome, Result, TwoWayFlag
from discoreport.assessment.settings import Settings
from discoreport.assessment.unit_risks import UnitRisk
from discoreport.data.coding import Variable
from discoreport.data.findings.comparison import FILES
from discoreport.data.findings.finding import Finding
from discoreport.measures import MEASURES, Measure, disclosure_checks, exclusions
from discoreport.measures.attribute import disco_at
from discoreport.measures.cells import Cells, Target
from discoreport.measures.class_sizes import SIZES, TABLES, class_sizes
from discoreport.measures.exclusions import Rules
from discoreport.measures.registry import of_group

_NO_SHARED_KEYS = (
    "no key combination of the original occurs in the synthetic file: the figures of 0 say that nothing was found, "
    "and ratios without a denominator are missing"
)

_NOTHING_LEFT = "the settings leave out every record of the {}: figures of 0 say that nothing was counted"


def evaluate(cells: Cells, measures: Sequence[Measure]) -> dict[str, float | None]:
    """Evaluate measures by name; None where there is nothing to divide by."""
    return _values(cells.collect(_sums(cells, measures)), measures)


def _sums(cells: Cells, measures: Sequence[Measure]) -> dict[tuple[Any, ...], Any]:
    """Write down what each measure divides by what, for the engine to find all sums at once."""
    counts: dict[tuple[Any, ...], Any] = {("count", entry.name): entry.count(cells) for entry in measures}
    return counts | {("of", entry.name): entry.of(cells) for entry in measures if entry.of}


def _values(found: Mapping[tuple[Any, ...], Any], measures: Sequence[Measure]) -> dict[str, float | None]:
    values = {entry.name: entry.value(found["count", entry.name], found.get(("of", entry.name))) for entry in measures}
    return {name: None if math.isnan(value) else value for name, value in values.items()}


class Collected:
    """Gathers figures and flags target by target."""

    def __init__(self, units: tuple[UnitRisk, ...] = ()) -> None:
        self.units = units
        self.results: list[Result] = []
        self.one_way: list[OneWayFlag] = []
        self.two_way: list[TwoWayFlag] = []
        self.levels: list[LevelRisk] = []

    def add(
        self, target: str, synthesis: int, variable: Variable, full: Target, rules: Rules, settings: Settings
    ) -> None:
        """Evaluate the cells of one target and one synthesis under some rules, and keep what comes of it."""
        left, parts = exclusions.exclude(full, rules)
        rows = full.rows(left)
        found = rows.collect(
            {
                **_sums(rows, tuple(MEASURES.values())),
                **{("tau", least): disco_at(rows, least) for least in settings.tau},
                **exclusions.account(full, rows, parts),
            }
        )
        removed: dict[str, dict[str, int]] = {table: {} for table in exclusions.TABLES}
        for table, why in itertools.product(exclusions.TABLES, (*exclusions.REASONS, "remaining")):
            removed[table][why] = int(found[table, why])
        self.results.append(
            Result(
                target=target,
                synthesis=synthesis,
                values=_values(found, tuple(MEASURES.values())),
                removed=removed,
                tau=tuple(100 * float(found["tau", least]) / rows.n_original for least in settings.tau),
            )
        )
        counts = (float(found["count", name]) for name in ("DiSCO", "baseDiSCO"))
        self.levels += _levels(target, synthesis, variable, full, rows, *counts)
        flag = disclosure_checks.one_way(full, rows, settings.one_way_threshold)
        if flag:
            self.one_way.append(
                OneWayFlag(
                    synthesis=synthesis,
                    target=target,
                    level=variable.text(flag.level),
                    disclosive=flag.disclosive,
                    percent=flag.percent,
                    percent_original=100 * flag.disclosive / rows.n_original,
                    level_total=flag.level_total,
                )
            )
        for pair in disclosure_checks.two_way(full, left, rows, settings.two_way_threshold):
            key = full.keys[pair.key]
            self.two_way.append(
                TwoWayFlag(
                    synthesis=synthesis,
                    target=target,
                    key=key.name,
                    key_level=key.text(pair.key_level),
                    target_level=variable.text(pair.target_level),
                    disclosive=pair.disclosive,
                    key_target_total=pair.key_target_total,
                    key_total=pair.key_total,
                    percent=pair.percent,
                    percent_original=100 * pair.disclosive / rows.n_original,
                    disclosive_total=pair.disclosive_total,
                )
            )

    def take(self, other: Collected) -> None:
        """Take over what another has gathered last for the target it is at."""
        last = other.results[-1]
        mine = (last.target, last.synthesis)
        self.results.append(last)
        self.one_way += [flag for flag in other.one_way if (flag.target, flag.synthesis) == mine]
        self.two_way += [flag for flag in other.two_way if (flag.target, flag.synthesis) == mine]
        self.levels += [one for one in other.levels if (one.target, one.synthesis) == mine]

    def outcome(
        self, of_keys: Iterable[tuple[Result, tuple[ClassSize, ...]]], without_unit: tuple[Result, ...] = ()
    ) -> Outcome:
        """Give all that was kept, with what `measure_keys` has found, and what one record tells without its unit."""
        identity, sizes = zip(*of_keys, strict=True)
        return Outcome(
            identity=identity,
            results=tuple(self.results),
            one_way=tuple(self.one_way),
            two_way=tuple(self.two_way),
            class_sizes=tuple(itertools.chain(*sizes)),
            levels=tuple(self.levels),
            units=self.units,
            without_unit=without_unit,
        )


def _levels(
    target: str, synthesis: int, variable: Variable, full: Target, rows: Cells, disclosed: float, by_chance: float
) -> Iterator[LevelRisk]:
    """Give what is given away of each level that is counted apart, and of all others what is left of the sums."""
    apart = full.at_levels(rows)
    texts = variable.texts_of([one.level for one in apart])
    for one, text in zip(apart, texts, strict=True):
        yield LevelRisk(
            target=target,
            synthesis=synthesis,
            level=text,
            original=one.original,
            disclosed=one.disclosed,
            by_chance=one.by_chance,
        )
    n_others = variable.n_levels_in(0) + (variable.n_missing_in(0) > 0) - len(apart)
    if n_others:
        yield LevelRisk(
            target=target,
            synthesis=synthesis,
            level=None,
            n_others=n_others,
            original=rows.n_original - sum(one.original for one in apart),
            disclosed=round(disclosed) - sum(one.disclosed for one in apart),
            by_chance=max(by_chance - math.fsum(one.by_chance for one in apart), 0.0),
        )


def measure_keys(of_keys: Sequence[Target], rules: Rules) -> list[tuple[Result, tuple[ClassSize, ...]]]:
    """Measure the keys alone, which only missing keys can be left out of: identity, and sizes of classes."""
    measures = of_group("identity")
    found = []
    for synthesis, target in enumerate(of_keys, start=1):
        rows = target.rows(exclusions.exclude(target, rules)[0])
        sums = rows.collect({**_sums(rows, measures), **class_sizes(rows)})
        identity = Result(target="", synthesis=synthesis, values=_values(sums, measures))
        sizes = tuple(
            ClassSize(
                table=table,
                synthesis=synthesis,
                least=least,
                most=most,
                n_classes=int(sums[table, place, "n_classes"]),
                n_records=int(sums[table, place, "n_records"]),
            )
            for table in TABLES
            for place, (least, most) in enumerate(SIZES)
        )
        found.append((identity, sizes))
    return found


def no_shared_keys(of_keys: Sequence[Target]) -> Iterator[Finding]:
    """Warn where the original has no keys in common with a synthetic file."""
    for synthesis, target in enumerate(of_keys, start=1):
        keys = target.alike.keys
        shared = keys.number((keys.d > 0) & (keys.s > 0))
        if not target.alike.collect({"shared": shared})["shared"]:
            yield Finding("", synthesis, "no_shared_keys", "warning", _NO_SHARED_KEYS)


def nothing_left(
    of_keys: Iterable[tuple[Result, tuple[ClassSize, ...]]], results: Iterable[Result]
) -> Iterator[Finding]:
    """Warn where no record of a file is left, of the keys or of a target, so that figures are 0."""
    by_keys = collections.Counter[tuple[int, str]]()
    for result, sizes in of_keys:
        for size in sizes:
            by_keys[result.synthesis, size.table] += size.n_records
    left = [("", *file, n) for file, n in by_keys.items()]
    left += [
        (result.target, result.synthesis, file, result.removed[file]["remaining"])
        for result in results
        for file in TABLES
        if by_keys[result.synthesis, file]
    ]
    nothing = [(target, file, synthesis * (file == "synthetic")) for target, synthesis, file, n in left if not n]
    for target, file, synthesis in dict.fromkeys(nothing):
        yield Finding(target, synthesis, "nothing_left", "warning", _NOTHING_LEFT.format(FILES[file]))


def shortened(flags: Sequence[TwoWayFlag]) -> Iterator[Finding]:
    """Say where a key has so many flagged pairs that not all are listed."""
    listed = collections.Counter((flag.target, flag.synthesis, flag.key) for flag in flags)
    for (target, synthesis, key), n in listed.items():
        if n >= disclosure_checks.MOST_PAIRS:
            detail = f"with {key}, only the {n:,} flagged pairs with most disclosive records are listed"
            yield Finding(target, synthesis, "pairs_not_listed", "note", detail)


def differ(cells: Cells) -> bool:
    """Tell whether any cell holds more or fewer synthetic than original records."""
    return bool(cells.collect({"differ": cells.number(cells.d_full != cells.s_full)})["differ"])
