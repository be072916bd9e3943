"""An assessment as plain text and as HTML tables, for console and notebook."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping

import pandas as pd

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.copy_findings import in_words
from discoreport.assessment.documented import Documented
from discoreport.assessment.formatting import NOT_AVAILABLE, number, of_file, percentage
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.release.findings import Findings
from discoreport.assessment.worst_file import worst_units
from discoreport.errors import SettingsError, suggest
from discoreport.printable import in_lines, in_one_line

PARTS: Mapping[str, str] = {
    "identity": "Identity disclosure, %",
    "attribute": "Attribute disclosure, % (denominators: records)",
    "cap": "Correct attribution probability, %",
    "one_way": "One-way check: target levels that make up nearly all disclosive records",
    "two_way": "Two-way check: key levels that go with one target level",
    "exclusions": "Records left out, by table and reason",
    "comparison": "What differs between the files",
}
"""What can be shown, and under which heading."""
HEADING = (
    "Given away, % of original records, most beyond chance first (keys: UiO, repU; targets: Dorig, baseDiSCO, DiSCO)"
)
"""Of the rows that page 1 of the report has, too."""


def opening(assessment: Documented, findings: Findings) -> list[str]:
    """Say in a few lines what was assessed and what was found for the keys."""
    m = len(assessment.synthetic)
    keys = findings.keys
    lines = [
        f"Disclosure risk for {assessment.original.n_records:,} records in the original data, "
        f"from {m} synthetic file{'s' if m > 1 else ''}",
        f"Keys: {', '.join(map(written_name, assessment.settings.keys))}",
        f"Unique in the original (UiO): {percentage(keys.original.percent)} %; "
        f"replicated in the synthetic file (repU): {percentage(keys.this_file.percent)} %"
        f"{of_file(keys.synthesis, m)}",
    ]
    units = worst_units(assessment)
    if units is not None:
        lines.append(f"Units by {written_name(assessment.settings.unit or '')}: {units}{of_file(units.synthesis, m)}")
    copied = assessment.whole_records
    lines += [f"Whole records{of_file(one.synthesis, m, worst=False)}: {in_words(one)}" for one in copied]
    left_out = _left_out(assessment)
    lines += [f"Left out: {left_out}"] if left_out else []
    return [in_one_line(line) for line in (*lines, *(f"Warning: {finding}" for finding in assessment.warnings))]


def _left_out(assessment: Documented) -> str:
    """Name what the settings leave out; empty where that is nothing."""
    settings = assessment.settings
    roles = (("keys", settings.keys), ("targets", assessment.targets))
    missing = {role: [name for name in names if settings.excludes_missing(name)] for role, names in roles}
    parts = [str(rule) for rule in settings.exclude]
    parts += [f"missing values of {', '.join(map(written_name, names))}" for names in missing.values() if names]
    if settings.max_denominator is not None:
        parts.append(f"cells of more than {settings.max_denominator} records")
    return "; ".join(parts)


def summary(assessment: Documented) -> str:
    """Write the short summary: what page 1 of the report shows, and a line for each analysis."""
    findings = Findings(assessment)
    lines = opening(assessment, findings)
    lines += ["", HEADING, _plain(findings.as_texts(), index=True)]
    lines += [f"{findings.rest}."] if findings.rest else []
    further = [in_one_line(line) for line in in_short(assessment)]
    lines += ["", *further] if further else []
    return "\n".join(lines)


def parts(assessment: Documented, names: tuple[str, ...]) -> str:
    """Write chosen tables as text.

    Parameters
    ----------
    assessment
        Any.
    names
        Of `PARTS`; none: the short summary.

    Raises
    ------
    SettingsError
        Where there is no such part.
    """
    if not names:
        return summary(assessment)
    blocks = []
    for name in names:
        if name not in PARTS:
            raise SettingsError(f"No part '{name}'. {suggest(name, PARTS)}")
        table = _with_spread(assessment, name)
        body = "none" if table.empty else _plain(table, index=name in {"identity", "attribute", "cap"})
        blocks.append(f"{PARTS[name]}\n{body}")
    return "\n\n".join([*opening(assessment, Findings(assessment))[:2], *blocks])


def page(assessment: Documented) -> str:
    """Write the short summary as HTML."""
    findings = Findings(assessment)
    lines = "<br>".join(html.escape(line) for line in opening(assessment, findings))
    rest = f"<p>{html.escape(findings.rest)}.</p>" if findings.rest else ""
    return f"<p>{lines}</p><p>{HEADING}</p>{findings.as_texts().to_html(border=0)}{rest}"


def in_short(assessment: Documented) -> Iterator[str]:
    """Say what each analysis that was run has found; names variables, never a level."""
    for name, found in assessment.analyses.filled():
        yield from ANALYSES[name].in_short(found, assessment, assessment.documentation)


def _with_spread(assessment: Documented, name: str) -> pd.DataFrame:
    """Add largest, least and mean value to the tables of measures where there are several syntheses."""
    table: pd.DataFrame = getattr(assessment, name)
    if name not in {"identity", "attribute", "cap"} or len(assessment.synthetic) == 1:
        return table
    by_target = list(table.index.names) == ["target", "synthesis"]
    return pd.concat(_blocks(table, by_target))


def _blocks(table: pd.DataFrame, by_target: bool) -> Iterator[pd.DataFrame]:
    if not by_target:
        yield table
        yield table.agg(["max", "min", "mean"], skipna=False)
        return
    for target, block in table.groupby(level="target", sort=False):
        yield block
        spread = block.agg(["max", "min", "mean"], skipna=False)
        spread.index = pd.MultiIndex.from_product([[target], spread.index], names=["target", "synthesis"])
        yield spread


def _plain(table: pd.DataFrame, *, index: bool) -> str:
    figures = map(str, table.select_dtypes("float64").columns)
    formats = {name: number if name.endswith("_denom") else percentage for name in figures}  # or else a share
    return in_lines(table.to_string(formatters=formats, na_rep=NOT_AVAILABLE, index=index, max_colwidth=60))
