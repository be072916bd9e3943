"""`assess`: two files in, an assessment out."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.engines import Files, open_files
from discoreport.assessment.results import (
    OneWayFlag,
    Outcome,
    Provenance,
    Result,
    Source,
    TwoWayFlag,
    VariableSummary,
)
from discoreport.assessment.settings import (
    ONE_WAY_THRESHOLD,
    TAU,
    TWO_WAY_THRESHOLD,
    Exclusion,
    Missing,
    Settings,
    settings_from,
)
from discoreport.data.coding import Variable, code_variable
from discoreport.data.comparing import Finding, compare, compare_files
from discoreport.data.connecting import Engine, EngineName
from discoreport.data.grouping import FEWEST_CLASSES, Grouping, group, special_positions
from discoreport.data.reading import Table, require_columns, shared_columns
from discoreport.errors import ComparisonWarning, SettingsError, suggest
from discoreport.measures import MEASURES, Measure, checks, exclusions
from discoreport.measures.attribute import disco_at
from discoreport.measures.cells import Cells, Target
from discoreport.measures.exclusions import Rules
from discoreport.measures.registry import of_group

Progress = Callable[[int, int, str], None]
"""Called with steps done, steps in all, and what comes next."""


def assess(
    original: object,
    synthetic: object,
    *,
    keys: Sequence[str] | str,
    targets: Sequence[str] | str | None = None,
    numeric_groups: Mapping[str, int | Sequence[float]] | None = None,
    special_codes: Mapping[str, Sequence[object]] | None = None,
    key_missing: Missing | Mapping[str, Missing] = "level",
    target_missing: Missing | Mapping[str, Missing] = "level",
    exclude: Sequence[Exclusion | Mapping[str, Any]] = (),
    max_denominator: int | None = None,
    one_way_threshold: tuple[int, float] = ONE_WAY_THRESHOLD,
    two_way_threshold: tuple[int, float] = TWO_WAY_THRESHOLD,
    tau: Sequence[float] = TAU,
    progress: Progress | None = None,
    engine: EngineName = "auto",
    memory_limit: str | None = None,
    temporary_directory: str | Path | None = None,
    spark_master: str | None = None,
) -> Assessment:
    """Measure what one or more synthetic files give away about the records of the original.

    Parameters
    ----------
    original
        A path, or a pandas, Polars, PyArrow or Ibis table. It is never changed. A glob or a folder of
        Parquet or CSV files that have the same columns counts as one file.
    synthetic
        The same, or a list of them: m synthetic files of any size, made from the one original.
    keys
        Variables that an intruder may know.
    targets
        Variables that an intruder wants to learn. By default every shared variable that isn't a key.
    numeric_groups
        ``{"income": 20}`` puts a variable into about 20 classes by quantiles over all files; a list
        gives the breaks themselves. Without it every distinct number is a level.
    special_codes
        ``{"income": [-8]}``: values that are codes, not numbers. Each stays a level of its own.
    key_missing, target_missing
        "level" (a missing value is a level of its own) or "exclude", for all or by name.
    exclude
        Target levels that are not counted; see `Exclusion`.
    max_denominator
        Leave out cells with more records than this.
    one_way_threshold, two_way_threshold
        Records and percentage that must both be exceeded for a flag.
    tau
        Certainties of an attribution, 0 to 1, from which on it counts, for `Assessment.tau`.
    progress
        Called with steps done, steps in all, and what comes next.
    engine
        "memory", "duckdb" (beyond memory, on this machine) or "spark"; by default memory where the files
        fit, else DuckDB. Ibis tables are counted where they are. The figures are the same.
    memory_limit, temporary_directory, spark_master
        What the engine may use; see `Engine`.

    Returns
    -------
    Assessment
        Settings and aggregates; no records.

    Raises
    ------
    DataError
        Where a file or a column is not there or can't be compared.
    SettingsError
        Where a setting is unknown, names a level that no file has, or contradicts another.

    Warns
    -----
    ComparisonWarning
        Where the files match so badly that low figures can't be taken at face value.

    Notes
    -----
    The method is that of Raab, Nowok and Dibben, "Practical privacy metrics for synthetic data".

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 31, 41, 41], "ill": ["yes", "no", "no", "no"]})
    >>> synthetic = pd.DataFrame({"age": [30, 31, 31, 41], "ill": ["yes", "no", "yes", "no"]})
    >>> assessment = assess(original, synthetic, keys=["age"])
    >>> float(assessment.attribute.loc[("ill", 1), "DiSCO"])  # ages 30 and 41: three of four records
    75.0
    """
    settings = settings_from(
        {
            "keys": keys,
            "targets": targets,
            "numeric_groups": numeric_groups or {},
            "special_codes": special_codes or {},
            "key_missing": key_missing,
            "target_missing": target_missing,
            "exclude": exclude,
            "max_denominator": max_denominator,
            "one_way_threshold": one_way_threshold,
            "two_way_threshold": two_way_threshold,
            "tau": tau,
        }
    )
    used = Engine(engine, memory_limit, temporary_directory, spark_master)
    return assess_with(original, synthetic, settings, progress=progress, engine=used)


def assess_with(
    original: object,
    synthetic: object,
    settings: Settings,
    *,
    progress: Progress | None = None,
    engine: Engine = Engine(),  # noqa: B008  # frozen
) -> Assessment:
    """Do what `assess` does, with settings that are an object already.

    Parameters
    ----------
    original, synthetic, progress
        As for `assess`.
    settings
        As a configuration file, a form or an earlier assessment holds them.
    engine
        Which engine counts.

    Returns
    -------
    Assessment
        As `assess` returns it, with the same errors and warnings.
    """
    with open_files(original, synthetic, engine) as files:
        assessment = _assess(files, settings, progress)
    _warn(assessment)
    return assessment


def _assess(files: Files, settings: Settings, progress: Progress | None) -> Assessment:
    tables = files.tables
    settings = with_targets(settings, tables)
    targets = settings.targets or ()
    tell = _Steps(progress, len(settings.keys) + len(targets) * len(tables))
    findings = [*compare_files(tables), *_unused(settings)]

    key_inputs = []
    for name in settings.keys:
        tell.next(f"reading {name}")
        key_inputs.append(prepare(name, tables, settings, findings, files.code(name)))
    counter = files.count([one.variable for one in key_inputs])
    key_results, shared = _identity(counter.of_keys())
    findings += shared

    kept, full = _Collected(), _Collected()
    target_inputs = []
    for name in targets:
        tell.next(f"counting {name}")
        prepared = prepare(name, tables, settings, findings, files.code(name))
        target_inputs.append(prepared.summary)
        rules = rules_for(prepared.variable, [one.variable for one in key_inputs], settings)
        for synthesis, cells in enumerate(counter.of_target(prepared.variable), start=1):
            tell.next(f"measuring {name}, synthesis {synthesis}")
            kept.add(name, synthesis, prepared.variable, cells, rules, settings)
            if rules.any:
                full.add(name, synthesis, prepared.variable, cells, Rules(), settings)
            elif _excludes(settings):
                full.take(kept)
    tell.done()
    return Assessment(
        settings=settings,
        original=Source.of(tables[0]),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        variables=tuple(one.summary for one in key_inputs) + tuple(target_inputs),
        outcome=kept.outcome(key_results),
        outcome_without_exclusions=full.outcome(key_results) if _excludes(settings) else None,
        findings=tuple(findings),
        provenance=Provenance.now(files.engine),
    )


@dataclass(frozen=True)
class Prepared:
    """A variable ready to be counted, and what is to be said of it."""

    variable: Variable
    summary: VariableSummary


class _Steps:
    """Tells how far the work has come."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, -1

    def next(self, what: str) -> None:
        self._done += 1
        if self._progress:
            self._progress(self._done, self._total, what)

    def done(self) -> None:
        if self._progress:
            self._progress(self._total, self._total, "")


def with_targets(settings: Settings, tables: Sequence[Table]) -> Settings:
    """Check the names against the files, and write out the targets."""
    require_columns(settings.keys, tables)
    require_columns(settings.targets or (), tables)
    shared = shared_columns(tables)
    for setting in ("numeric_groups", "special_codes"):
        for name in getattr(settings, setting):
            if name not in shared:
                raise SettingsError(f"{setting}: no column '{name}' in all files. {suggest(name, shared)}")
    if settings.targets is not None:
        return settings
    targets = tuple(name for name in shared if name not in settings.keys)
    return settings_from({**settings.model_dump(exclude_unset=True), "targets": targets})


def prepare(
    name: str, tables: Sequence[Table], settings: Settings, findings: list[Finding], coded: Variable | None = None
) -> Prepared:
    """Code one variable where it isn't yet, compare the files on it, and group it where asked."""
    variable = code_variable(name, tables) if coded is None else coded
    codes = settings.special_codes.get(name, ())
    special = special_positions(variable, codes)
    findings += compare(variable, tables, special)
    grouping = Grouping((), "", ())
    missing = variable.n_missing_in(0)
    levels = [variable.n_levels_in(file) for file in range(len(tables))]
    if name in settings.numeric_groups:
        variable, grouping = group(variable, settings.numeric_groups[name], codes)
        if grouping.method == "equal widths":
            findings.append(
                Finding(
                    name,
                    0,
                    "grouping",
                    "note",
                    f"quantiles gave fewer than {FEWEST_CLASSES} classes; classes of equal width were formed",
                )
            )
    summary = VariableSummary(
        name=name,
        label=tables[0].labels.get(name, ""),
        role="key" if name in settings.keys else "target",
        kind=variable.kind,
        n_levels=levels[0],
        n_levels_synthetic=tuple(levels[1:]),
        percent_missing=100 * missing / tables[0].n_records,
        special_codes=tuple(code for code in codes if code is not None),
        classes=grouping.labels,
        breaks=grouping.breaks,
        grouped_by=grouping.method,
    )
    return Prepared(variable, summary)


def _excludes(settings: Settings) -> bool:
    """Tell whether any setting can leave records out."""
    names = (*settings.keys, *(settings.targets or ()))
    return bool(settings.exclude or settings.max_denominator or any(map(settings.excludes_missing, names)))


def rules_for(target: Variable, keys: Sequence[Variable], settings: Settings) -> Rules:
    """Translate the exclusions that concern one target into codes."""
    levels, pairs = [], []
    for rule in settings.exclude:
        if rule.target != target.name:
            continue
        level = _code(target, rule.level, rule)
        if rule.key is None:
            levels.append(level)
        else:
            place = settings.keys.index(rule.key)
            pairs.append((level, place, _code(keys[place], rule.key_level, rule)))
    leave_out = settings.excludes_missing
    return Rules(
        levels=tuple(levels),
        missing_target=target.n_levels if target.has_missing and leave_out(target.name) else None,
        missing_keys=tuple(key.n_levels if key.has_missing and leave_out(key.name) else None for key in keys),
        pairs=tuple(pairs),
        max_denominator=settings.max_denominator,
    )


def _code(variable: Variable, level: str | None, rule: Exclusion) -> int:
    try:
        return variable.code_of(level)
    except KeyError:
        pass
    if level is None:
        raise SettingsError(f"exclude {rule}: '{variable.name}' has no missing values in any file.")
    raise SettingsError(
        f"exclude {rule}: '{variable.name}' has no level '{level}' in any file. {suggest(level, variable.level_texts)}"
    )


class _Collected:
    """Gathers figures and flags target by target."""

    def __init__(self) -> None:
        self.results: list[Result] = []
        self.one_way: list[OneWayFlag] = []
        self.two_way: list[TwoWayFlag] = []

    def add(
        self, target: str, synthesis: int, variable: Variable, full: Target, rules: Rules, settings: Settings
    ) -> None:
        left, parts = exclusions.exclude(full, rules)
        found = left.collect(
            {
                **_sums(left, tuple(MEASURES.values())),
                **{("tau", least): disco_at(left, least) for least in settings.tau},
                **exclusions.account(full.cells, left, parts),
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
                tau=tuple(100 * float(found["tau", least]) / left.n_original for least in settings.tau),
            )
        )
        flag = checks.one_way(full, left, settings.one_way_threshold)
        if flag:
            self.one_way.append(
                OneWayFlag(
                    synthesis=synthesis,
                    target=target,
                    level=variable.text(flag.level),
                    disclosive=flag.disclosive,
                    percent=flag.percent,
                    percent_original=100 * flag.disclosive / left.n_original,
                    level_total=flag.level_total,
                )
            )
        for pair in checks.two_way(full, left, settings.two_way_threshold):
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
                    percent_original=100 * pair.disclosive / left.n_original,
                )
            )

    def take(self, other: _Collected) -> None:
        """Take over what another has gathered last for the target it is at."""
        last = other.results[-1]
        mine = (last.target, last.synthesis)
        self.results.append(last)
        self.one_way += [flag for flag in other.one_way if (flag.target, flag.synthesis) == mine]
        self.two_way += [flag for flag in other.two_way if (flag.target, flag.synthesis) == mine]

    def outcome(self, identity: tuple[Result, ...]) -> Outcome:
        return Outcome(
            identity=identity, results=tuple(self.results), one_way=tuple(self.one_way), two_way=tuple(self.two_way)
        )


def evaluate(cells: Cells, measures: Sequence[Measure]) -> dict[str, float | None]:
    """Evaluate measures by name; None where there is nothing to divide by."""
    return _values(cells.collect(_sums(cells, measures)), measures)


def _sums(cells: Cells, measures: Sequence[Measure]) -> dict[tuple[str, Any], Any]:
    """Write down what each measure divides by what, for the engine to find all sums at once."""
    counts = {("count", entry.name): entry.count(cells) for entry in measures}
    return counts | {("of", entry.name): entry.of(cells) for entry in measures if entry.of}


def _values(found: Mapping[tuple[str, Any], Any], measures: Sequence[Measure]) -> dict[str, float | None]:
    values = {entry.name: entry.value(found["count", entry.name], found.get(("of", entry.name))) for entry in measures}
    return {name: None if math.isnan(value) else value for name, value in values.items()}


def _unused(settings: Settings) -> Iterator[Finding]:
    used = (*settings.keys, *(settings.targets or ()))
    for setting in ("numeric_groups", "special_codes"):
        for name in getattr(settings, setting):
            if name not in used:
                yield Finding(
                    name, 0, "unused_setting", "note", f"{setting} names it, but it is neither key nor target"
                )


def _identity(counted: Sequence[Cells]) -> tuple[tuple[Result, ...], list[Finding]]:
    """Evaluate the identity measures, and warn where the files have no keys in common."""
    results, findings = [], []
    measures = of_group("identity")
    for synthesis, cells in enumerate(counted, start=1):
        shared = cells.keys.number((cells.keys.d > 0) & (cells.keys.s > 0))
        found = cells.collect({**_sums(cells, measures), ("shared", ""): shared})
        results.append(Result(target="", synthesis=synthesis, values=_values(found, measures)))
        if not found["shared", ""]:
            words = (
                "no key combination of the original occurs in the synthetic file: the figures of 0 say that nothing "
                "was found, and ratios without a denominator are missing"
            )
            findings.append(Finding("", synthesis, "no_shared_keys", "warning", words))
    return tuple(results), findings


def _warn(assessment: Assessment) -> None:
    loud = [finding for finding in assessment.findings if finding.severity == "warning"]
    if not loud:
        return
    lines = [f"{finding.variable or 'keys'} (synthesis {finding.synthesis}): {finding.detail}" for finding in loud[:8]]
    more = [f"and {len(loud) - 8} more; see .comparison"] if len(loud) > 8 else []
    warnings.warn("The files don't match well. " + "; ".join(lines + more), ComparisonWarning, stacklevel=4)
