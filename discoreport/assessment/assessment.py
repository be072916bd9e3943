"""The result of an assessment: frozen, readable as tables, saved as JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field

from discoreport.assessment import documenting, text
from discoreport.assessment.documentation import Answer, Documentation
from discoreport.assessment.open_items import OpenItem, open_items
from discoreport.assessment.policy import Policy, default_policy
from discoreport.assessment.results import (
    ClassSize,
    Flag,
    Outcome,
    Provenance,
    ReleaseSize,
    Result,
    Source,
    VariableSummary,
)
from discoreport.assessment.settings import Settings
from discoreport.assessment.writing import level as written_level
from discoreport.data.comparing import Finding
from discoreport.errors import SettingsError, suggest, writing
from discoreport.measures import MEASURES
from discoreport.measures.exclusions import REASONS
from discoreport.measures.registry import Group, of_group

SCHEMA_VERSION: Literal[2] = 2

_SUMMARY = ("Dorig", "iS", "DiS", "DiSCO", "DiSDiO", "DCAP_d")


class Assessment(BaseModel):
    """What one or more synthetic files give away about the original.

    Holds settings and aggregates, never records. Get one from `assess` or `load`. All percentages
    are out of 100; a ratio without a denominator is missing.

    Parameters
    ----------
    settings
        What was asked, targets written out.
    original, synthetic
        The files.
    variables
        Keys and targets.
    outcome, outcome_without_exclusions
        Figures and flags; the second is None where the settings leave nothing out.
    findings
        What differs between the files, and what was repaired.
    provenance
        Versions, platform, time.
    release_sizes
        The measures for parts of the synthetic file, where that was asked for.
    documentation
        What people say about the release: request, context, answers, decision.
    policy
        What the organisation lays down.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[2] = SCHEMA_VERSION
    settings: Settings
    original: Source
    synthetic: tuple[Source, ...]
    variables: tuple[VariableSummary, ...]
    outcome: Outcome
    outcome_without_exclusions: Outcome | None = None
    findings: tuple[Finding, ...] = ()
    provenance: Provenance
    release_sizes: tuple[ReleaseSize, ...] = ()
    documentation: Documentation = Documentation()
    policy: Policy = Field(default_factory=default_policy)

    # Tables --------------------------------------------------------------------------------------

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets in the order of the settings."""
        return self.settings.targets or ()

    @property
    def identity(self) -> pd.DataFrame:
        """Identity measures in percent, one row a synthesis.

        Where exclusions depend on the target, and there are several targets, each leaves other
        records: then one row for each target and synthesis.
        """
        several = self.outcome_without_exclusions is not None and len(self.targets) > 1
        if several:
            return self._measures("identity", self.outcome.results)
        return self._measures("identity", self.identity_results).droplevel("target")

    @property
    def identity_results(self) -> tuple[Result, ...]:
        """The identity measures of the keys, one result a synthesis, as tables, texts and charts show them.

        With one target they are taken after its exclusions, as the paper does; with several, missing
        keys are all that can be left out.
        """
        return self.outcome.results if len(self.targets) == 1 else self.outcome.identity

    @property
    def class_sizes(self) -> pd.DataFrame:
        """How many records share their keys with how many others; one row for each file, synthesis and size.

        ``n_classes`` counts key combinations that as many records share as ``size`` says, ``n_records`` the
        records in them, ``percent`` is out of all records of the file. Only missing keys can be left out.
        Empty where the assessment was saved before these were counted.
        """
        rows = [
            (one.table, one.synthesis, one.size, one.n_classes, one.n_records, 100 * one.n_records / self._n_of(one))
            for one in self.outcome.class_sizes
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
    def summary(self) -> pd.DataFrame:
        """Means over syntheses, one row a target, most disclosive first, with its flags.

        ``one_way`` names the flagged levels; ``two_way`` counts the flagged pairs, one that several
        syntheses raise alike once.
        """
        rows = {name: [self.value(measure, name) for measure in _SUMMARY] for name in self.targets}
        table = pd.DataFrame.from_dict(rows, orient="index", columns=[*_SUMMARY], dtype="float64")
        table.index.name = "target"
        table["one_way"] = [self._one_way_level(name) for name in table.index]
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
    def spread(self) -> pd.DataFrame:
        """Mean, least and largest value over the syntheses; one row for each target and measure."""
        rows = []
        for target, values in self.attribute.join(self.cap).groupby(level="target", sort=False):
            spread = values.agg(["mean", "min", "max"], skipna=False).T
            rows += [(target, measure, *figures) for measure, *figures in spread.itertuples()]
        table = pd.DataFrame(rows, columns=["target", "measure", "mean", "min", "max"])
        return table.set_index(["target", "measure"])

    @property
    def release_size(self) -> pd.DataFrame:
        """The measures for parts of the synthetic file, as the function `release_size` gives them; often empty."""
        rows = [{"target": one.target, "n_synthetic": one.n_synthetic, "draw": one.draw, **one.values}
                for one in self.release_sizes]  # fmt: skip
        table = pd.DataFrame(rows, columns=["target", "n_synthetic", "draw", *MEASURES])
        return table.astype(dict.fromkeys(MEASURES, "float64"))

    def with_release_size(self, series: pd.DataFrame) -> Assessment:
        """Give the same assessment with what `release_size` found, for record and report."""
        sizes = [
            ReleaseSize(target=str(row["target"]), n_synthetic=int(row["n_synthetic"]), draw=int(row["draw"]),
                        values={name: None if pd.isna(row[name]) else float(row[name]) for name in MEASURES})
            for row in series.to_dict("records")
        ]  # fmt: skip
        for one in sizes:
            if one.target not in self.targets:
                raise SettingsError(f"No target '{one.target}'. {suggest(one.target, self.targets)}")
        return self.model_copy(update={"release_sizes": tuple(sizes)})

    @property
    def one_way(self) -> pd.DataFrame:
        """Flagged target levels: synthesis, target, level, disclosive records, and their percentage."""
        columns = ["synthesis", "target", "level", "disclosive", "percent", "percent_original", "level_total"]
        return _table(self.outcome.one_way, columns)

    @property
    def two_way(self) -> pd.DataFrame:
        """Flagged pairs of a key level and a target level, most disclosive first within target and synthesis."""
        columns = [
            "synthesis", "target", "key", "key_level", "target_level",
            "disclosive", "key_target_total", "key_total", "percent", "percent_original",
        ]  # fmt: skip
        return _table(self.outcome.two_way, columns)

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
    def comparison(self) -> pd.DataFrame:
        """What differs between the files, and what was repaired; one row a finding."""
        columns = ["variable", "synthesis", "severity", "finding", "n_levels", "n_records", "percent", "detail"]
        table = pd.DataFrame([asdict(finding) for finding in self.findings], columns=columns)
        return table.astype({"n_levels": "Int64", "n_records": "Int64", "percent": "float64"})

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings because of which low figures can't be taken at face value."""
        return tuple(finding for finding in self.findings if finding.severity == "warning")

    # Single figures ------------------------------------------------------------------------------

    def values(self, measure: str, target: str | None = None) -> list[float | None]:
        """Give one measure for each synthesis; see `value`."""
        return [result.values[measure] for result in self._rows(measure, target)]

    def value(self, measure: str, target: str | None = None) -> float | None:
        """Give one measure over all syntheses: the mean, and of ``max_denom`` the largest.

        Parameters
        ----------
        measure
            Published name.
        target
            Needed for everything but identity measures.

        Returns
        -------
        float or None
            In the measure's unit; None where it is missing in any synthesis.
        """
        values = self.values(measure, target)
        present = [value for value in values if value is not None]
        if not present or len(present) < len(values):
            return None
        return max(present) if measure == "max_denom" else sum(present) / len(present)

    def labelled(self, variable: str, level: str | None) -> str | None:
        """Add to a level what the file calls it in words, where it does: "1 (female)"."""
        labels = next((one.value_labels for one in self.variables if one.name == variable), {})
        return f"{level} ({labels[level]})" if level is not None and level in labels else level

    def without_exclusions(self) -> Assessment:
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

    def for_targets(self, names: Sequence[str]) -> Assessment:
        """Give the same assessment for some of its targets, in the order asked for."""
        for name in names:
            if name not in self.targets:
                raise SettingsError(f"No target '{name}'. {suggest(name, self.targets)}")
        rules = tuple(rule for rule in self.settings.exclude if rule.target in names)
        without = self.outcome_without_exclusions
        return self.model_copy(
            update={
                "settings": self.settings.model_copy(update={"targets": tuple(names), "exclude": rules}),
                "variables": tuple(one for one in self.variables if one.role == "key" or one.name in names),
                "outcome": self.outcome.for_targets(names),
                "outcome_without_exclusions": None if without is None else without.for_targets(names),
            }
        )

    # What people say of it -----------------------------------------------------------------------

    def with_documentation(self, documentation: Documentation) -> Assessment:
        """Give the same assessment with other words about the release.

        Parameters
        ----------
        documentation
            Takes the place of what there was.

        Raises
        ------
        SettingsError
            Where it names a target, a key or an item of the checklist that doesn't exist.
        """
        documenting.check(self, documentation)
        return self.model_copy(update={"documentation": documentation})

    def with_policy(self, policy: Policy) -> Assessment:
        """Give the same assessment under another policy.

        Raises
        ------
        SettingsError
            Where an item of the checklist is answered that the policy doesn't have.
        """
        return self.model_copy(update={"policy": policy}).with_documentation(self.documentation)

    def following(self, previous: Assessment) -> Assessment:
        """Take over what was said of an earlier run, and enter that run into the history.

        Parameters
        ----------
        previous
            An assessment of the same release. Reasons and answers that concern variables which are no
            longer keys or targets are left behind.
        """
        renewed = self.model_copy(update={"policy": previous.policy})
        return renewed.with_documentation(documenting.carried_over(self, previous))

    def answer(self, flag: Flag) -> Answer | None:
        """Give what a person said of a flag; None where nobody did.

        Where a level is common knowledge for everybody, it is so for everybody with some key level: the
        answer to the level is that to its pairs, unless they have one of their own.
        """
        by_case = {answer.case: answer for answer in self.documentation.answers}
        own, of_level = by_case.get(flag.case), by_case.get((*flag.case[:2], None, None))
        covers = of_level is not None and of_level.complete and of_level.prior_knowledge
        return of_level if covers and (own is None or not own.complete) else own

    @property
    def unanswered(self) -> tuple[Flag, ...]:
        """The flags that nobody has answered with a reason yet; one that several syntheses raise once."""
        answers = ((flag, self.answer(flag)) for flag in self.outcome.flags)
        return tuple(flag for flag, answer in answers if answer is None or not answer.complete)

    @property
    def stray_answers(self) -> tuple[Answer, ...]:
        """Answers to flags that this run doesn't have, with exclusions or without, and doesn't exclude."""
        outcomes = (self.outcome, self.outcome_without_exclusions or self.outcome)
        known = {flag.case for outcome in outcomes for flag in outcome.flags}
        known |= {rule.case for rule in self.settings.exclude}
        return tuple(answer for answer in self.documentation.answers if answer.case not in known)

    @property
    def open_items(self) -> tuple[OpenItem, ...]:
        """What a person still has to do or to look at before the release can be decided."""
        return open_items(self)

    # Reading it ----------------------------------------------------------------------------------

    def text(self, *parts: str) -> str:
        """Write chosen parts as plain text.

        Parameters
        ----------
        *parts
            "identity", "attribute", "cap", "one_way", "two_way", "exclusions", "comparison"; none:
            the short summary. With several syntheses, mean, least and largest value are added.

        Raises
        ------
        SettingsError
            Where there is no such part.
        """
        return text.parts(self, parts)

    def __str__(self) -> str:
        return text.summary(self)

    def __repr__(self) -> str:
        m = len(self.synthetic)
        return (
            f"<Assessment of {self.original.n_records:,} original records: {m} synthetic file{'s' if m > 1 else ''}, "
            f"{len(self.settings.keys)} keys, {len(self.targets)} targets>"
        )

    def _repr_html_(self) -> str:
        return text.page(self)

    # Files ---------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> Path:
        """Write the assessment as JSON.

        Parameters
        ----------
        path
            The file to write.

        Returns
        -------
        Path
            The file written.

        Raises
        ------
        OutputError
            Where it can't be written.
        """
        path = Path(path)
        with writing(path):
            path.write_bytes(self.record)
        return path

    @property
    def record(self) -> bytes:
        """The assessment as JSON, as `save` writes it."""
        return (self.model_dump_json(indent=1) + "\n").encode("utf-8")

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the record: that of the file which `save` writes."""
        return hashlib.sha256(self.record).hexdigest()

    # Helpers -------------------------------------------------------------------------------------

    def _rows(self, measure: str, target: str | None) -> Iterable[Result]:
        if measure not in MEASURES:
            raise SettingsError(f"No measure '{measure}'. {suggest(measure, MEASURES)}")
        if target is None and MEASURES[measure].group == "identity":
            return self.identity_results
        if target not in self.targets:
            raise SettingsError(f"No target '{target}'. {suggest(target or '', self.targets)}")
        return [result for result in self.outcome.results if result.target == target]

    def _n_of(self, sizes: ClassSize) -> int:
        source = self.original if sizes.table == "original" else self.synthetic[sizes.synthesis - 1]
        return source.n_records

    def _measures(self, group: Group, results: Iterable[Result]) -> pd.DataFrame:
        names = [entry.name for entry in of_group(group)]
        rows = [[result.target, result.synthesis, *(result.values[name] for name in names)] for result in results]
        table = pd.DataFrame(rows, columns=["target", "synthesis", *names]).set_index(["target", "synthesis"])
        return table.astype("float64")

    def _one_way_level(self, target: str) -> str:
        levels = [self.labelled(target, flag.level) for flag in self.outcome.one_way if flag.target == target]
        shown = [written_level(level) for level in levels]
        return ", ".join(dict.fromkeys(shown))

    def _n_pairs(self, target: str) -> int:
        flags = [flag for flag in self.outcome.two_way if flag.target == target]
        return len({(flag.key, flag.key_level, flag.target_level) for flag in flags})


def _table(flags: Iterable[BaseModel], columns: list[str]) -> pd.DataFrame:
    return pd.DataFrame([flag.model_dump() for flag in flags], columns=columns)
