"""The table beneath each figure: every number that is drawn, with the records behind it.

Tables are tidy: one row a value, names as the files have them. With several syntheses each has its row, and a
row "mean" holds what the figure draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.results import average
from discoreport.charts import attribute, cap, checks, identity, overview
from discoreport.charts import exclusions as before_and_after
from discoreport.charts.shares import Share, classes_by_size, expected, mean, mean_classes, share, shares
from discoreport.charts.targets import by_risk

MEAN = "mean"
"""What stands in the column ``synthesis`` where a row averages over all of them."""

_SHARE = ["percent", "n_records", "denominator", "n_denominator"]


def of_overview(assessment: Assessment) -> pd.DataFrame:
    """Give both ends of each arrow, and what is flagged or left out.

    Parameters
    ----------
    assessment
        What is drawn.

    Returns
    -------
    pandas.DataFrame
        Columns target, synthesis, measure, percent, n_records, denominator, n_denominator, and of each
        target one_way (flagged levels), two_way (number of flagged pairs), left_out (number of rules).
    """
    table = _of_targets(assessment, ("Dorig", "DiSCO"))
    flags = {target: overview.flags_of(assessment, target) for target in assessment.targets}
    table["one_way"] = [", ".join(flags[target].levels) for target in table["target"]]
    table["two_way"] = [flags[target].n_pairs for target in table["target"]]
    table["left_out"] = [flags[target].n_left_out for target in table["target"]]
    return table


def of_identity(assessment: Assessment) -> pd.DataFrame:
    """Give the identity measures: synthesis, measure, percent and the records behind it."""
    rows = [
        (synthesis, measure, *_cells(one))
        for measure in identity.MEASURES_SHOWN
        for synthesis, one in _by_synthesis(shares(assessment, measure))
    ]
    return _table(rows, ["synthesis", "measure", *_SHARE])


def of_steps(assessment: Assessment) -> pd.DataFrame:
    """Give the measures from iS to DiSDiO: target, synthesis, measure, percent and the records behind it."""
    return _of_targets(assessment, attribute.STEP_MEASURES)


def of_denominators(assessment: Assessment) -> pd.DataFrame:
    """Give the sizes of disclosive cells.

    Returns
    -------
    pandas.DataFrame
        Columns target, synthesis, n_records (disclosive ones, those of DiSCO), n_cells (that hold
        them), mean_denom, max_denom. In the row "mean" the last is the largest of all syntheses.
    """
    rows: list[tuple[Any, ...]] = []
    for target in by_risk(assessment):
        found = [_sizes_of_cells(assessment, n, target) for n in range(len(assessment.synthetic))]
        rows += [(target, str(number), *sizes) for number, sizes in enumerate(found, start=1)]
        if len(found) > 1:
            *averages, _ = map(average, zip(*found, strict=True))
            rows.append((target, MEAN, *averages, attribute.largest(assessment, target)))
    return _table(rows, ["target", "synthesis", "n_records", "n_cells", "mean_denom", "max_denom"])


def of_cap(assessment: Assessment) -> pd.DataFrame:
    """Give the CAP family: target, synthesis, measure, percent and the records behind it, or expected."""
    return _of_targets(assessment, cap.MEASURES_SHOWN)


def of_tau(assessment: Assessment) -> pd.DataFrame:
    """Give DiSCO(tau): target, synthesis, tau, percent and the records expected behind it."""
    n = assessment.original.n_records
    rows: list[tuple[Any, ...]] = []
    for target in by_risk(assessment):
        results = [result for result in assessment.outcome.results if result.target == target]
        for least in sorted(set(assessment.settings.tau)):
            place = assessment.settings.tau.index(least)
            found = [expected(result.tau[place], n) for result in results]
            rows += [(target, synthesis, least, *_cells(one)) for synthesis, one in _by_synthesis(found)]
    return _table(rows, ["target", "synthesis", "tau", *_SHARE])


def of_checks(assessment: Assessment) -> pd.DataFrame:
    """Give the flagged pairs, those with most disclosive records first.

    Returns
    -------
    pandas.DataFrame
        Columns target, target_level, key, key_level, percent (share of the key level's original records
        that have the target level), n_records and n_denominator (of which the share is made), threshold,
        disclosive (records given away, most of any synthesis), n_syntheses (that raise the flag), of_syntheses.
    """
    _, threshold = assessment.settings.two_way_threshold
    rows = [
        (
            pair.target,
            pair.target_level,
            pair.key,
            pair.key_level,
            pair.percent,
            pair.n_records,
            pair.n_denominator,
            threshold,
            pair.disclosive,
            pair.n_syntheses,
            len(assessment.synthetic),
        )
        for pair in checks.pairs(assessment)
    ]
    columns = ["target", "target_level", "key", "key_level", "percent", "n_records", "n_denominator", "threshold"]
    return _table(rows, [*columns, "disclosive", "n_syntheses", "of_syntheses"])


def of_exclusions(assessment: Assessment) -> pd.DataFrame:
    """Give Dorig and DiSCO with all records and after exclusions.

    Returns
    -------
    pandas.DataFrame
        Columns target, synthesis, measure, exclusions ("none" or "applied"), percent, n_records,
        denominator, n_denominator, left_out (records of the measure that exclusions take out).
    """
    plain = assessment.without_exclusions()
    targets = before_and_after.affected(assessment)
    rows: list[tuple[Any, ...]] = []
    for target in targets:
        for measure in before_and_after.MEASURES_SHOWN:
            for name, one in (("none", plain), ("applied", assessment)):
                found = list(_by_synthesis(shares(one, measure, target)))
                left_out = [_left_out(result, measure) for result in one.outcome.results if result.target == target]
                left_out += [average(left_out)] if len(left_out) > 1 else []
                rows += [
                    (target, synthesis, measure, name, *_cells(each), n)
                    for (synthesis, each), n in zip(found, left_out, strict=True)
                ]
    return _table(rows, ["target", "synthesis", "measure", "exclusions", *_SHARE, "left_out"])


def of_spread(assessment: Assessment) -> pd.DataFrame:
    """Give DiSCO of each synthesis and the mean: target, synthesis, measure, percent and the records behind it."""
    return _of_targets(assessment, ("DiSCO",))


def of_class_sizes(assessment: Assessment) -> pd.DataFrame:
    """Give the sizes of key combinations.

    Returns
    -------
    pandas.DataFrame
        Columns table ("original" or "synthetic"), synthesis (none for the original), size, n_classes,
        percent, n_records, denominator, n_denominator.
    """
    rows: list[tuple[Any, ...]] = []
    for table, sizes in classes_by_size(assessment).items():
        for size, several in sizes.items():
            named = [(str(number), one) for number, one in enumerate(several, start=1)]
            named += [(MEAN, mean_classes(several))] if len(several) > 1 else []
            rows += [
                (table, "" if table == "original" else synthesis, size, one.n_classes, *_cells(one.share))
                for synthesis, one in named
            ]
    return _table(rows, ["table", "synthesis", "size", "n_classes", *_SHARE])


def _of_targets(assessment: Assessment, measures: Iterable[str]) -> pd.DataFrame:
    rows = [
        (target, synthesis, measure, *_cells(one))
        for target in by_risk(assessment)
        for measure in measures
        for synthesis, one in _by_synthesis(shares(assessment, measure, target))
    ]
    return _table(rows, ["target", "synthesis", "measure", *_SHARE])


def _by_synthesis(found: Sequence[Share]) -> Iterator[tuple[str, Share]]:
    """Give each synthesis its number, and add the mean where there are several."""
    yield from ((str(number), one) for number, one in enumerate(found, start=1))
    if len(found) > 1:
        yield MEAN, mean(found)


def _cells(one: Share) -> tuple[Any, ...]:
    return one.percent, one.n_records, one.denominator, one.n_denominator


def _table(rows: Sequence[tuple[Any, ...]], columns: Sequence[str]) -> pd.DataFrame:
    """Build a table whose numbers of records are whole numbers wherever all of them are."""
    table = pd.DataFrame(rows, columns=list(columns))
    for name in table.columns:
        if name == "percent" or name.endswith("_denom"):
            table[name] = table[name].astype("float64")
        elif name.startswith("n_") or name in {"disclosive", "left_out"}:
            values = table[name].astype("float64")
            table[name] = values.astype("Int64") if (values.dropna() % 1 == 0).all() else values
    return table


def _sizes_of_cells(assessment: Assessment, n: int, target: str) -> tuple[float | None, ...]:
    result = [result for result in assessment.outcome.results if result.target == target][n]
    n_records = share(assessment, result, "DiSCO").n_records
    mean_denom, max_denom = result.values["mean_denom"], result.values["max_denom"]
    n_cells = round((n_records or 0) / mean_denom) if mean_denom else 0
    return n_records, n_cells, mean_denom, max_denom


def _left_out(result: Any, measure: str) -> float | None:
    counts = result.removed.get(measure)
    return None if counts is None else sum(n for reason, n in counts.items() if reason != "remaining")
