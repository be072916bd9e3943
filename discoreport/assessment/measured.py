"""What was measured: settings, figures, flags and findings, readable as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Literal, Self

import pandas as pd

from discoreport.assessment.copy_findings import Copies
from discoreport.assessment.deprecated_column import FlaggedPairs
from discoreport.assessment.formatting import apart, counted
from discoreport.assessment.formatting import level as written_level
from discoreport.assessment.frozen_model import FrozenModel
from discoreport.assessment.provenance import Provenance, Source, VariableSummary
from discoreport.assessment.results import EXCESS, LevelRisk, Outcome, Result, figure_of, over_syntheses
from discoreport.assessment.settings import Settings
from discoreport.assessment.unit_risks import UnitRisk
from discoreport.data.findings.finding import BESIDE, Finding, mismatched
from discoreport.errors import SettingsError, require_kind, suggest
from discoreport.measures import MEASURES
from discoreport.measures.exclusions import REASONS
from discoreport.measures.registry import Group, measures_for, of_group

SCHEMA_VERSION: Literal[3] = 3

_SUMMARY = ("Dorig", "iS", "DiS", "DiSCO", "DiSDiO", "DCAP_d", "baseDiSCO", EXCESS)


class Measured(FrozenModel):
    """The part of an `Assessment` that was measured. Its fields are described there."""

    schema_version: Literal[3] = SCHEMA_VERSION
    settings: Settings
    original: Source
    synthetic: tuple[Source, ...]
    variables: tuple[VariableSummary, ...]
    outcome: Outcome
    outcome_without_exclusions: Outcome | None = None
    whole_records: tuple[Copies, ...] = ()
    findings: tuple[Finding, ...] = ()
    provenance: Provenance

    # Tables --------------------------------------------------------------------------------------

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets in the order of the settings."""
        return self.settings.targets or ()

    @property
    def identity(self) -> pd.DataFrame:
        """Identity measures in percent, one row a synthesis.

        Exclusions that depend on the target are taken out, as the paper does. Where there are several
        targets, each leaves other records: then one row for each target and synthesis.
        """
        if self.outcome_without_exclusions is None or not self.targets:
            return self._measures("identity", self.identity_results).droplevel("target")
        table = self._measures("identity", self.outcome.results)
        return table.droplevel("target") if len(self.targets) == 1 else table

    @property
    def identity_results(self) -> tuple[Result, ...]:
        """The identity measures of the keys, one result a synthesis, as texts, charts and thresholds take them.

        Missing keys are all that can be left out: what is known of a target doesn't hide who is unique.
        """
        return self.outcome.identity

    @property
    def class_sizes(self) -> pd.DataFrame:
        """How many records share their keys with how many others; one row for each file, synthesis and size.

        ``n_classes`` counts key combinations that as many records share as ``size`` says, ``n_records`` the
        records in them, ``percent`` is out of all records of the file. Only missing keys can be left out.
        Empty where the assessment was saved before these were counted.
        """
        files = {"original": [self.original] * len(self.synthetic), "synthetic": self.synthetic}
        rows = [
            (one.table, one.synthesis, one.size, one.n_classes, one.n_records, 100 * one.n_records / of.n_records)
            for one in self.outcome.class_sizes
            for of in [files[one.table][one.synthesis - 1]]
        ]
        return pd.DataFrame(rows, columns=["table", "synthesis", "size", "n_classes", "n_records", "percent"])

    @property
    def attribute(self) -> pd.DataFrame:
        """Attribute measures, one row for each target and synthesis."""
        return self._measures("attribute", self.outcome.results)

    @property
    def cap(self) -> pd.DataFrame:
        """The CAP family in percent, one row for each target and synthesis."""
        return self._measures("cap", self.outcome.results)

    @property
    def not_measured(self) -> tuple[str, ...]:
        """Measures that the version that made the assessment didn't have; their figures are missing."""
        results = self.outcome.results or self.outcome.identity
        known = measures_for(self.outcome.results)
        return tuple(
            entry.name
            for entry in known
            if entry.may_be_lacking and any(entry.name not in one.values for one in results)
        )

    @property
    def summary(self) -> pd.DataFrame:
        """Means over syntheses, one row a target, most disclosive first, with its flags.

        ``excess`` is DiSCO minus baseDiSCO: percentage points beyond what the target's own distribution gives.
        ``one_way`` names the flagged levels; ``two_way`` counts the flagged pairs, one that several
        syntheses raise alike once.
        """
        rows = {name: [self.value(measure, name) for measure in _SUMMARY] for name in self.targets}
        table = pd.DataFrame.from_dict(rows, orient="index", columns=[*_SUMMARY], dtype="float64")
        table.index.name = "target"
        levels = (map(written_level, self.one_way_levels(name)) for name in table.index)
        table["one_way"] = [", ".join(apart([*of_target])) for of_target in levels]
        table["two_way"] = [self._n_pairs(name) for name in table.index]
        return table.sort_values("DiSCO", ascending=False, kind="stable")

    @property
    def tau(self) -> pd.DataFrame:
        """DiSCO(tau) in percent: target, synthesis, tau, DiSCO.

        Counts original records times the probability that the synthetic file attributes them
        rightly, where it is at least tau. At 1 that is DiSCO; at 0, with nothing excluded, DCAP_d.
        """
        rows = [
            (result.target, result.synthesis, least, value)
            for result in self.outcome.results
            for least, value in zip(self.settings.tau, result.tau, strict=True)
        ]
        return pd.DataFrame(rows, columns=["target", "synthesis", "tau", "DiSCO"])

    @property
    def level_risks(self) -> tuple[LevelRisk, ...]:
        """What is given away of each target level; see `levels`."""
        return self.outcome.levels

    @property
    def levels(self) -> pd.DataFrame:
        """What is given away of each target level; one row for each target, synthesis and level.

        ``original`` counts the original records of the level, ``disclosed`` those of DiSCO, ``percent`` is their share,
        and ``by_chance`` the records that DiSCO would have if the target were shuffled among the synthetic records.
        Levels with fewer than 10 original records, or than the policy's small-cell limit where that is higher, are put
        together, as "2 other levels"; a missing value is a level.
        Empty where the assessment was saved before these were counted.
        """
        rows = [
            (
                one.target,
                one.synthesis,
                counted(one.n_others, "other level") if one.n_others else one.level,
                one.original,
                one.disclosed,
                100 * one.disclosed / one.original,
                one.by_chance,
            )
            for one in self.level_risks
        ]
        columns = ["target", "synthesis", "level", "original", "disclosed", "percent", "by_chance"]
        return pd.DataFrame(rows, columns=columns)

    @property
    def spread(self) -> pd.DataFrame:
        """Mean, least and largest value over the syntheses; one row for each target and measure."""
        rows = []
        for target, values in self.attribute.join(self.cap).groupby(level="target", sort=False):
            spread = values.agg(["mean", "min", "max"], skipna=False).T
            rows += [(target, measure, *figures) for measure, *figures in spread.itertuples()]
        table = pd.DataFrame(rows, columns=["target", "measure", "mean", "min", "max"])
        return table.set_index(["target", "measure"])

    @property
    def one_way(self) -> pd.DataFrame:
        """Flagged target levels: target, synthesis, level, all of its disclosive records, and their percentage."""
        columns = ["target", "synthesis", "level", "disclosive", "percent", "percent_original", "level_total"]
        return pd.DataFrame([flag.model_dump() for flag in self.outcome.one_way], columns=columns)

    @property
    def two_way(self) -> pd.DataFrame:
        """Flagged pairs of a key level and a target level, most disclosive first within target and synthesis.

        ``disclosive`` counts records in cells of more than the settings' number of records, which the check goes by;
        ``disclosive_total`` all that the pair gives away.
        """
        columns = [
            "target", "synthesis", "level", "key", "key_level",
            "disclosive", "key_target_total", "key_total", "percent", "percent_original", "disclosive_total",
        ]  # fmt: skip
        flags = (flag.model_dump() for flag in self.outcome.two_way)
        return FlaggedPairs([{**flag, "level": flag["target_level"]} for flag in flags], columns=columns)

    @property
    def exclusions(self) -> pd.DataFrame:
        """Records left out for each reason, and remaining; one row for each target, synthesis and table."""
        rows = [
            {"target": result.target, "synthesis": result.synthesis, "table": table, **counts}
            for result in self.outcome.results
            for table, counts in result.removed.items()
        ]
        columns = ["target", "synthesis", "table", *REASONS, "remaining"]
        return pd.DataFrame(rows, columns=columns)

    @property
    def copies(self) -> pd.DataFrame:
        """Whole records of the original in the synthetic files: how many equal one, and how many originals they show.

        Over every variable that the files share, identifiers left out, with values as `assess` compares them:
        ``synthetic_records`` equal an original record; they show ``original_records``, and ``unique_original_records``
        of these are equalled by no other original record. Empty where the assessment was saved before these were
        counted.
        """
        columns = ["synthetic_records", "original_records", "unique_original_records"]
        rows = [(one.synthesis, *(getattr(one.matches, name) for name in columns)) for one in self.whole_records]
        return pd.DataFrame(rows, columns=["synthesis", *columns])

    @property
    def unit_risks(self) -> tuple[UnitRisk, ...]:
        """The identity risk of units, one a synthesis; empty where the settings name none."""
        return self.outcome.units

    @property
    def units(self) -> pd.DataFrame:
        """The identity risk of units, such as households; two rows a synthesis, of the original and the synthetic file.

        ``n_units`` counts units; of the original ``unique_in_original`` those whose records' keys no other original
        unit has together, ``unique_and_in_synthetic`` and ``unique_in_both`` those of them that the synthetic file has,
        and that are unique there, too. Empty where the settings name no unit.
        """
        columns = ["synthesis", "table", "n_units", "unique_in_original", "unique_and_in_synthetic", "unique_in_both"]
        rows: list[tuple[object, ...]] = []
        for one in self.unit_risks:
            found = (one.unique_in_original, one.unique_and_in_synthetic, one.unique_in_both)
            rows += [(one.synthesis, "original", one.n_original, *found)]
            rows += [(one.synthesis, "synthetic", one.n_synthetic, None, None, None)]
        return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[2:], "Int64"))

    @property
    def unit_kinds(self) -> pd.DataFrame:
        """Kinds of original units: synthesis, key, kind, n_units, unique_in_original, unique_in_both, percent.

        Units of one size, and of one size and composition in one key; ``percent`` of them are unique in both files.
        Kinds of fewer than 10 units, or than the policy's small-cell limit where that is higher, are put together.
        """
        rows = [
            (risk.synthesis, kind.key or "", kind.written, kind.n_units, kind.n_unique, kind.n_replicated, kind.percent)
            for risk in self.unit_risks
            for kind in risk.kinds
        ]
        columns = ["synthesis", "key", "kind", "n_units", "unique_in_original", "unique_in_both", "percent"]
        return pd.DataFrame(rows, columns=columns)

    @property
    def comparison(self) -> pd.DataFrame:
        """What differs between the files, and what was repaired; one row a finding."""
        columns = ["variable", "synthesis", "severity", "finding", "n_levels", "n_records", "percent", "detail"]
        table = pd.DataFrame(
            [asdict(finding) for finding in dict.fromkeys((*self.findings, *self.warnings))], columns=columns
        )
        return table.astype({"n_levels": "Int64", "n_records": "Int64", "percent": "float64"})

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings because of which low figures can't be taken at face value."""
        return tuple(finding for finding in self.findings if finding.severity == "warning")

    @property
    def mismatched(self) -> bool:
        """Whether a warning says that the files don't match."""
        return mismatched(self.findings)

    def in_doubt(self, target: str | None = None) -> bool:
        """Tell whether a low figure can't be taken at face value, be it of a target or (None) of the keys alone.

        It can't where there is a warning about a key, the whole file, or the target. Files that don't match make
        figures lower, never higher: one that is high says what it says.
        """
        concerned = {"", *self.settings.keys, *([] if target is None else [target])}
        return any(one.variable in concerned and one.finding not in BESIDE for one in self.warnings)

    # Single figures ------------------------------------------------------------------------------

    def values(self, measure: str, target: str | None = None) -> list[float | None]:
        """Give one measure for each synthesis; see `value`."""
        require_kind(measure, str, "measure: must be the name of one")
        rows = self._rows("DiSCO" if measure == EXCESS else measure, target)
        return [figure_of(result.values, measure) for result in rows]

    def value(self, measure: str, target: str | None = None) -> float | None:
        """Give one measure over all syntheses: the mean, and of ``max_denom`` the largest.

        Parameters
        ----------
        measure
            Published name, or "excess": DiSCO minus baseDiSCO.
        target
            Needed for everything but identity measures.

        Returns
        -------
        float or None
            In the measure's unit; None where it is missing in any synthesis.
        """
        return over_syntheses(measure, self.values(measure, target))

    def value_labels(self, variable: str) -> dict[str, str]:
        """Give what the levels of a variable are called in words, where they are."""
        return next((one.value_labels for one in self.variables if one.name == variable), {})

    def labelled(self, variable: str, level: str | None) -> str | None:
        """Add to a level what it is called in words, where it is: "1 (female)"."""
        labels = self.value_labels(variable)
        return f"{level} ({labels[level]})" if level is not None and level in labels else level

    def one_way_levels(self, target: str) -> list[str | None]:
        """Give the flagged levels of a target, labelled; one that several syntheses raise once."""
        levels = dict.fromkeys(flag.level for flag in self.outcome.one_way if flag.target == target)
        return [self.labelled(target, level) for level in levels]

    def without_exclusions(self) -> Self:
        """Give the same assessment with nothing left out; itself where nothing is."""
        if self.outcome_without_exclusions is None:
            return self
        plain: dict[str, Any] = {
            "exclude": (),
            "max_denominator": None,
            "key_missing": "level",
            "target_missing": "level",
        }
        return self.model_copy(
            update={
                "settings": self.settings.model_copy(update=plain),
                "outcome": self.outcome_without_exclusions,
                "outcome_without_exclusions": None,
            }
        )

    def for_targets(self, names: Sequence[str]) -> Self:
        """Give the same assessment for some of its targets, in the order asked for."""
        for name in names:
            if name not in self.targets:
                raise SettingsError(f"No target '{name}'. {suggest(name, self.targets)}")
        without = self.outcome_without_exclusions
        return self.model_copy(
            update={
                "settings": self.settings.for_targets(names),
                "variables": tuple(one for one in self.variables if one.role == "key" or one.name in names),
                "outcome": self.outcome.for_targets(names),
                "outcome_without_exclusions": None if without is None else without.for_targets(names),
            }
        )

    # Helpers -------------------------------------------------------------------------------------

    def _rows(self, measure: str, target: str | None) -> Iterable[Result]:
        if measure not in MEASURES:
            raise SettingsError(f"No measure '{measure}'. {suggest(measure, MEASURES)}")
        if target is None and MEASURES[measure].group == "identity":
            return self.identity_results
        if target not in self.targets:
            raise SettingsError(f"No target '{target}'. {suggest(target or '', self.targets)}")
        return [result for result in self.outcome.results if result.target == target]

    def _measures(self, group: Group, results: Iterable[Result]) -> pd.DataFrame:
        names = [entry.name for entry in of_group(group)]
        rows = [[result.target, result.synthesis, *(result.values[name] for name in names)] for result in results]
        table = pd.DataFrame(rows, columns=["target", "synthesis", *names]).set_index(["target", "synthesis"])
        return table.astype("float64")

    def _n_pairs(self, target: str) -> int:
        flags = [flag for flag in self.outcome.two_way if flag.target == target]
        return len({(flag.key, flag.key_level, flag.target_level) for flag in flags})
