"""`assess`: two files in, an assessment out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.copies import compared, count_copies, found_in, rest_of
from discoreport.assessment.engines import Files, open_files
from discoreport.assessment.evaluating import Collected, measure_keys, no_shared_keys, nothing_left, shortened
from discoreport.assessment.preparing import (
    excludes,
    missing_keys_of,
    not_assessed,
    prepare,
    rules_for,
    warn_of,
    with_targets,
)
from discoreport.assessment.progress import Progress, Steps
from discoreport.assessment.results import Provenance, Source
from discoreport.assessment.settings import (
    ONE_WAY_THRESHOLD,
    TAU,
    TWO_WAY_THRESHOLD,
    Exclusion,
    Missing,
    Settings,
    settings_from,
)
from discoreport.data.comparing import compare_files
from discoreport.data.connecting import Engine, EngineName
from discoreport.measures.exclusions import Rules


def assess(
    original: object,
    synthetic: object,
    *,
    keys: Sequence[str] | str,
    targets: Sequence[str] | str | None = None,
    numeric_groups: Mapping[str, int | Sequence[float]] | None = None,
    special_codes: Mapping[str, Sequence[object]] | None = None,
    missing_values: Mapping[str, Sequence[object]] | None = None,
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
        Variables that an intruder wants to learn. By default every shared variable that isn't a key and has a value
        in the original.
    numeric_groups
        ``{"income": 20}`` puts a variable into about 20 classes by quantiles over all files; a list
        gives the breaks themselves. Without it every distinct number is a level.
    special_codes
        ``{"income": [-8]}``: values that are codes, not numbers. Each stays a level of its own.
    missing_values
        ``{"income": ["?", -9]}``: values that mean "missing". They become missing values, in every file.
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
        What the engine may use: DuckDB memory, such as "4GB"; both a folder for what memory can't hold;
        Spark a cluster, such as "spark://host:7077".

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
        Where the files match so badly that low figures can't be taken at face value, and where a synthetic
        file has more records of the original, whole or but for a variable or two, than chance gives.

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
            "missing_values": missing_values or {},
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
        assessment = assess_files(files, settings, progress=progress)
    warn_of(assessment.warnings, stacklevel=3)
    return assessment


def assess_files(files: Files, settings: Settings, *, progress: Progress | None = None) -> Assessment:
    """Do what `assess` does with files that are open already; it warns of nothing.

    Parameters
    ----------
    files
        In any engine; they stay open.
    settings, progress
        As for `assess_with`.

    Returns
    -------
    Assessment
        As `assess` returns it, with the same errors.
    """
    settings = with_targets(settings, files.tables)
    files = files.with_missing(settings.missing_values)
    tables = files.tables
    targets = settings.targets or ()
    tell = Steps(progress, len(settings.keys) + len(targets) * len(tables) + 1)
    findings = [*compare_files(tables), *not_assessed(settings, tables)]

    prepared = []
    whole = []
    for name in settings.keys:
        tell.next(f"reading {name}")
        variable = files.code(name)
        whole.append(compared(variable))
        prepared.append(prepare(variable, tables, settings))
    keys = [one.variable for one in prepared]
    summaries = [one.summary for one in prepared]
    findings += [finding for one in prepared for finding in one.findings]
    counter = files.count(keys)
    of_keys = counter.of_keys()
    findings += no_shared_keys(of_keys)
    measured = measure_keys(of_keys, Rules(missing_keys=missing_keys_of(keys, settings)))
    leaves_out = excludes(settings)
    measured_in_full = measure_keys(of_keys, Rules()) if leaves_out else []

    kept, full = Collected(), Collected()
    for name in targets:
        tell.next(f"counting {name}")
        variable = files.code(name)
        whole.append(compared(variable))
        target = prepare(variable, tables, settings)
        summaries.append(target.summary)
        findings += target.findings
        rules = rules_for(target.variable, keys, settings)
        for synthesis, cells in enumerate(counter.of_target(target.variable), start=1):
            tell.next(f"measuring {name}, synthesis {synthesis}")
            kept.add(name, synthesis, target.variable, cells, rules, settings)
            if rules.any:
                full.add(name, synthesis, target.variable, cells, Rules(), settings)
            elif leaves_out:
                full.take(kept)
    tell.next("comparing whole records")
    whole += rest_of(files, {one.variable.name for one in whole})
    copies = count_copies(files, whole)
    findings += found_in(files, whole, copies)
    findings += nothing_left(measured, kept.results)
    findings += shortened(kept.two_way)
    files.require_unchanged()
    tell.done()
    return Assessment(
        settings=settings,
        original=Source.of(tables[0]),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        variables=tuple(summaries),
        outcome=kept.outcome(measured),
        outcome_without_exclusions=full.outcome(measured_in_full) if leaves_out else None,
        whole_records=copies,
        findings=tuple(findings),
        provenance=Provenance.now(files.engine),
    )
