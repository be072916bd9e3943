"""Release size: how the measures change when fewer synthetic records are released."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from discoreport.assessment.engines import read_all
from discoreport.assessment.evaluating import evaluate
from discoreport.assessment.preparing import prepare, rules_for, warn_of, with_targets
from discoreport.assessment.settings import Settings
from discoreport.data.coding import Variable, code_variable
from discoreport.data.comparing import compare_files
from discoreport.errors import SettingsError
from discoreport.measures import MEASURES
from discoreport.measures.exclusions import exclude
from discoreport.measures.memory import Counter, combine

SHARES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
"""Sizes that are looked at by default, as shares of the synthetic file."""


def release_size(
    original: object,
    synthetic: object,
    settings: Settings,
    *,
    sizes: Sequence[int] | None = None,
    draws: int = 5,
    seed: int = 1,
) -> pd.DataFrame:
    """Evaluate every measure for smaller and smaller parts of a synthetic file.

    Parameters
    ----------
    original
        A path or a frame, as for `assess`.
    synthetic
        One file: random subsets of it are drawn, the smaller ones within the larger ones. Or a list
        of files of several sizes: each is taken as it is.
    settings
        As for `assess_with`. Numeric variables are grouped once, over the whole files.
    sizes
        Numbers of records; by default `SHARES` of the file. Not with a list of files.
    draws
        How many times the subsets are drawn.
    seed
        Starts the random numbers: the same seed gives the same subsets.

    Returns
    -------
    pandas.DataFrame
        One row for each target, size and draw: target, n_synthetic, draw, and the measures.

    Raises
    ------
    SettingsError
        Where a size isn't a whole number, is smaller than 1 or larger than the file, or sizes go with a list of files.

    Warns
    -----
    ComparisonWarning
        As `assess` does.

    References
    ----------
    Raab, Nowok and Dibben, "Practical privacy metrics for synthetic data", section 3.3.2.
    """
    tables = read_all(original, synthetic)
    settings = with_targets(settings, tables)
    if len(tables) > 2:
        if sizes is not None:
            raise SettingsError("release_size: give sizes for one synthetic file, or a list of files, not both.")
        n_records = [table.n_records for table in tables[1:]]
        parts: list[Part] = [(size, 1, None) for size in n_records]
    else:
        parts = _subsets(tables[1].n_records, sizes, draws, seed)

    findings = list(compare_files(tables))

    def prepared(name: str) -> Variable:
        found = prepare(code_variable(name, tables), tables, settings)
        findings.extend(found.findings)
        return _parted(found.variable, parts)

    keys = [prepared(name) for name in settings.keys]
    counter = Counter(combine(keys))
    rows = []
    for name in settings.targets or ():
        target = prepared(name)
        rules = rules_for(target, keys, settings)
        for (size, draw, _), cells in zip(parts, counter.of_target(target), strict=True):
            left, _ = exclude(cells, rules)
            rows.append({"target": name, "n_synthetic": size, "draw": draw, **evaluate(left, tuple(MEASURES.values()))})
    warn_of(findings, stacklevel=2)
    return pd.DataFrame(rows, columns=["target", "n_synthetic", "draw", *MEASURES]).astype(
        dict.fromkeys(MEASURES, "float64")
    )


Part = tuple[int, int, npt.NDArray[np.int64] | None]
"""Number of records, draw, and which records of the synthetic file; None for a whole file."""


def _subsets(n_records: int, sizes: Sequence[int] | None, draws: int, seed: int) -> list[Part]:
    if draws < 1:
        raise SettingsError(f"release_size: draws must be at least 1 (got {draws}).")
    chosen = sorted({max(1, round(share * n_records)) for share in SHARES} if sizes is None else set(sizes))
    for size in chosen:
        if int(size) != size or not 1 <= size <= n_records:
            raise SettingsError(f"release_size: {size} records can't be drawn from {n_records:,}.")
    random = np.random.default_rng(seed)
    orders = [random.permutation(n_records) for _ in range(draws)]
    return [(int(size), draw, order[: int(size)]) for draw, order in enumerate(orders, start=1) for size in chosen]


def _parted(variable: Variable, parts: Sequence[Part]) -> Variable:
    """Put parts of the synthetic file in the place of the synthetic files."""
    original, *files = variable.codes
    codes = [files[place] if rows is None else files[0][rows] for place, (_, _, rows) in enumerate(parts)]
    return dataclasses.replace(variable, codes=(original, *codes))
