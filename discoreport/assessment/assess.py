"""`assess`: two files in, an assessment out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from discoreport.assessment.analyses import Analyses
from discoreport.assessment.analyses.pooled.counting import PooledCounts
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.engine_choice import Files, open_files
from discoreport.assessment.measure_files import measure_files
from discoreport.assessment.progress import Progress
from discoreport.assessment.python_warnings import warn_of
from discoreport.assessment.settings import (
    ONE_WAY_THRESHOLD,
    TAU,
    TWO_WAY_THRESHOLD,
    Exclusion,
    Missing,
    Settings,
)
from discoreport.data.engine.connection import Engine, EngineName


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
    unit: str | None = None,
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
        The same, or a list of them: m synthetic files of any size, made from the one original. What they tell
        together is then found, too: `Assessment.analyses.pooled`.
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
    unit
        A variable that says in each file which records belong together, such as a household's number. The keys of all
        of them are known together then: figures are of these, and units are counted, too (`Assessment.units`).
        A record without a value is a unit of its own.
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
    settings = Settings(
        keys=keys,
        targets=targets,
        numeric_groups=numeric_groups or {},
        special_codes=special_codes or {},
        missing_values=missing_values or {},
        key_missing=key_missing,
        target_missing=target_missing,
        exclude=exclude,
        max_denominator=max_denominator,
        one_way_threshold=one_way_threshold,
        two_way_threshold=two_way_threshold,
        tau=tau,
        unit=unit,
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
    m = len(files.tables) - 1
    together = PooledCounts(m) if m > 1 else None
    found = measure_files(files, settings, progress=progress, beside=together)
    pooled = together and together.result(found.settings, found.original, found.synthetic)
    return Assessment(**dict(found), analyses=Analyses(pooled=pooled))
