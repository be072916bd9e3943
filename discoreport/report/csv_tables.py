"""The tables of a report as CSV: one for each table and figure, with the counts beneath it."""

from __future__ import annotations

import csv
import io
from itertools import zip_longest

import pandas as pd

from discoreport.assessment.analyses.four_checks.checks import completed
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release.public_record import PublicRecord
from discoreport.charts import CHARTS

_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins with one of these would be worked out by a spreadsheet program."""


def internal_tables(assessment: Assessment) -> dict[str, pd.DataFrame]:
    """Collect the tables of the internal edition by name.

    Parameters
    ----------
    assessment
        The record.

    Returns
    -------
    dict
        Tidy tables without an index; those of figures are called like the figure. Empty ones are left out.
    """
    found = {
        "variables": pd.DataFrame([one.model_dump(exclude={"value_labels"}) for one in assessment.described]),
        "summary": assessment.summary.reset_index(),
        "attribute": assessment.attribute.reset_index(),
        "comparison": assessment.comparison,
        "copies": assessment.copies,
        "units_of_files": assessment.units,
        "one_way": assessment.one_way,
        "two_way": assessment.two_way,
        "thresholds": pd.DataFrame([one.model_dump() for one in assessment.policy.thresholds]),
    }
    found |= _of_analyses(assessment)
    found |= {name: chart.table(assessment) for name, chart in CHARTS.items() if chart.applies(assessment)}
    return {name: table for name, table in found.items() if len(table)}


def _of_analyses(assessment: Assessment) -> dict[str, pd.DataFrame]:
    """Collect what analyses have found beyond what their figures show."""
    found = assessment.analyses
    tables = {}
    if found.sensitivity:
        tables["key_sets"] = found.sensitivity.table
    if found.release_size:
        tables["release_size_draws"] = found.release_size.table
    if found.releases:
        tables["release_results"] = found.releases.table
    if found.four_checks:
        tables["four_checks"] = completed(found.four_checks, assessment).table
    if found.mitigation:
        tables |= {"mitigation_steps": found.mitigation.steps_table, "mitigation_loss": found.mitigation.loss.table}
    if found.utility:
        tables |= {
            "utility_summary": found.utility.summary,
            "utility_threes": found.utility.threes_table,
            "utility_pair": found.utility.pair_table,
        }
    return tables


def external_tables(record: PublicRecord) -> dict[str, pd.DataFrame]:
    """Collect the tables of the external edition: the variables, and how they differ in kind."""
    found = {
        "variables": pd.DataFrame([one.model_dump() for one in record.variables]),
        "comparison": pd.DataFrame([one.model_dump() for one in record.findings]),
    }
    if record.utility:
        tables = (*record.utility.variables, *record.utility.pairs)
        rows = [dict(zip_longest(("first", "second"), one.variables), S_pMSE=one.band) for one in tables]
        found["utility"] = pd.DataFrame(rows, columns=["first", "second", "S_pMSE"])
        found["utility_declared"] = pd.DataFrame(
            [(one.what, one.band) for one in record.utility.declared], columns=["declared", "overlap"]
        )
    return {name: table for name, table in found.items() if len(table)}


def to_csv(table: pd.DataFrame) -> bytes:
    """Write a table as CSV (RFC 4180) in UTF-8; a missing value is an empty cell.

    Parameters
    ----------
    table
        Any. Text that a spreadsheet program would take for a formula gets an apostrophe in front.

    Examples
    --------
    >>> to_csv(pd.DataFrame({"level": ["=1+1", "a"], "percent": [12.5, None]})).decode().splitlines()
    ['level,percent', "'=1+1,12.5", 'a,']
    """
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\r\n")
    rows.writerow([_cell(name) for name in table.columns])
    rows.writerows([_cell(value) for value in row] for row in table.itertuples(index=False, name=None))
    return written.getvalue().encode("utf-8")


def _cell(value: object) -> object:
    if isinstance(value, str):
        return f"'{value}" if value.lstrip().startswith(_FORMULA_SIGNS) or value.startswith(_FORMULA_SIGNS) else value
    if isinstance(value, tuple | list):
        return _cell("; ".join(str(one) for one in value))
    if value is None or pd.isna(value):  # type: ignore[call-overload]  # a scalar
        return ""
    return f"{value:.12g}" if isinstance(value, float) else value
