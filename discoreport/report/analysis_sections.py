"""What an approver asked next, laid out for reading: the analyses that were run, and those that were not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from discoreport.assessment.analysed import led_here
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import Analysis
from discoreport.assessment.analyses.control.results import Excess
from discoreport.assessment.analyses.four_checks.checks import completed
from discoreport.assessment.analyses.four_checks.results import CheckItem, FourChecks
from discoreport.assessment.analyses.groups.group_shares import GroupShares, names_of_groups, shares_of_groups
from discoreport.assessment.analyses.groups.results import Group, Place
from discoreport.assessment.analyses.measure_columns import Column
from discoreport.assessment.analyses.membership.results import Guess
from discoreport.assessment.analyses.mitigation.loss import VariableLoss
from discoreport.assessment.analyses.mitigation.results import Figure
from discoreport.assessment.analyses.pooled.results import PooledFigure, UniqueInFiles
from discoreport.assessment.analyses.trade_off import Option
from discoreport.assessment.analyses.uncertainty.results import MeasureInterval
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.risk_utility import mapped
from discoreport.assessment.worst_file import most_exposed_first
from discoreport.data.findings.finding import Finding
from discoreport.measures.registry import of_group
from discoreport.report.key_shares import KeyShares, key_shares
from discoreport.report.utility_section import UtilitySection

OF_OTHER_FILES = ("release_size", "releases")
OF_THEIR_OWN = ("mitigation", "trade_off", "utility", *OF_OTHER_FILES)
"""Analyses that stand in another section than the rest: utility, and what could be released instead of this file."""
LOSSES = 8
"""How many variables the report lists with what they lost; the table that comes with it has all."""


@dataclass(frozen=True)
class IntervalRow:
    """The intervals of DiSCO of one target; None where there is none."""

    target: str
    records: MeasureInterval | None
    syntheses: MeasureInterval | None


@dataclass(frozen=True)
class Answered:
    """One question of the four checks with one answer, and what was found: by file, where files differ."""

    item: CheckItem
    details: dict[str, str]


@dataclass(frozen=True)
class ReleaseRow:
    """One of the releases compared: repU, and DiSCO and DCAP_d of the most exposed target; None without any."""

    name: str
    assessed: bool
    n_files: int
    repU: float | None  # noqa: N815  # published measures keep their names
    target: str | None
    DiSCO: float | None
    DCAP_d: float | None


class AnalysisSections:
    """The analyses of an assessment, as the templates read them.

    Parameters
    ----------
    assessment
        The record.
    """

    def __init__(self, assessment: Assessment) -> None:
        self._assessment = assessment
        self.found = assessment.analyses

    @cached_property
    def run(self) -> tuple[Analysis, ...]:
        """The analyses that were run and stand together, in the order in which an approver asks."""
        return tuple(ANALYSES[name] for name, _ in self.found.filled() if name not in OF_THEIR_OWN)

    @cached_property
    def of_other_files(self) -> tuple[Analysis, ...]:
        """Those of the analyses that were run that look at other files than the assessed ones."""
        return tuple(ANALYSES[name] for name, _ in self.found.filled() if name in OF_OTHER_FILES)

    @cached_property
    def not_run(self) -> tuple[Analysis, ...]:
        """The questions that nobody asked."""
        known = dict(self.found.filled())
        return tuple(one for name, one in ANALYSES.items() if name not in known)

    # Several files together ----------------------------------------------------------------------

    @cached_property
    def pooled_rows(self) -> tuple[PooledFigure, ...]:
        """RepU of the keys, then DiSCO of the targets, most by any file first."""
        return () if self.found.pooled is None else self.found.pooled.main

    @cached_property
    def most_repeated(self) -> UniqueInFiles | None:
        """The key combinations that are unique in most files; None where none is unique in any."""
        several = () if self.found.pooled is None else self.found.pooled.repeated
        return next((one for one in reversed(several) if one.combinations), None)

    # Which key carries the risk? -----------------------------------------------------------------

    @cached_property
    def key_shares(self) -> tuple[KeyShares, ...]:
        """For repU and DiSCO of the most exposed target, what each key adds."""
        return () if self.found.sensitivity is None else key_shares(self._assessment, self.found.sensitivity)

    # What does the release add? ------------------------------------------------------------------

    @cached_property
    def excesses(self) -> tuple[tuple[Excess, Excess | None], ...]:
        """By target the excess in DiSCO of the file that adds most, and that in DCAP_d of the same file."""
        found = self.found.control
        if found is None:
            return ()
        others = {(one.target, one.synthesis): one for one in found.excesses if one.measure == "DCAP_d"}
        return tuple((one, others.get((one.target, one.synthesis))) for one in found.largest())

    @cached_property
    def by_chance(self) -> dict[tuple[str, int], float | None]:
        """DiSCO by chance, by target and synthesis."""
        results = self._assessment.outcome.results
        return {(one.target, one.synthesis): one.values["baseDiSCO"] for one in results}

    @cached_property
    def n_above_control(self) -> int:
        """For how many targets the interval of the excess lies above 0."""
        return sum(one.low is not None and one.low > 0 for one, _ in self.excesses)

    @cached_property
    def control_warnings(self) -> tuple[Finding, ...]:
        """What puts the control in doubt."""
        found = self.found.control
        return () if found is None else tuple(one for one in found.findings if one.severity == "warning")

    @cached_property
    def membership_rows(self) -> tuple[Guess, ...]:
        """The guesses by the file that tells members best, with fewest differing variables first."""
        found = self.found.membership
        return () if found is None else tuple(map(found.guess, found.of_worst_file))

    @cached_property
    def membership_warnings(self) -> tuple[Finding, ...]:
        """What puts the control of membership in doubt, and isn't said of the control already."""
        found = self.found.membership
        told = {one.detail for one in self.control_warnings}
        findings = () if found is None else found.findings
        return tuple(one for one in findings if one.severity == "warning" and one.detail not in told)

    # How far could the figures be off? -----------------------------------------------------------

    @cached_property
    def interval_rows(self) -> tuple[IntervalRow, ...]:
        """The targets with the intervals of DiSCO, most exposed first."""
        found = self.found.uncertainty
        if found is None:
            return ()
        of_records = found.of_targets("records", census=self._assessment.is_census)
        of_syntheses = found.of_targets("syntheses")
        return tuple(
            IntervalRow(name, of_records.get(name), of_syntheses.get(name))
            for name in most_exposed_first(self._assessment)
            if name in of_records or name in of_syntheses
        )

    @cached_property
    def not_given(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The targets whose DiSCO has no interval in any file, by what it would be over, and the reason."""
        found = self.found.uncertainty
        if found is None or not found.repeatable:
            return {}
        by_reason: dict[tuple[str, str], dict[str, None]] = {}
        for one in found.intervals:
            if one.measure == "DiSCO" and one.reason and one.target not in found.of_targets(one.over):
                by_reason.setdefault((one.over, one.reason), {})[one.target] = None
        return {reason: tuple(names) for reason, names in by_reason.items()}

    @cached_property
    def no_intervals(self) -> dict[str, tuple[str, ...]]:
        """Identity and attribute measures that never have an interval over records, by the reason."""
        found = self.found.uncertainty
        told = {entry.name for entry in (*of_group("identity"), *of_group("attribute")) if entry.depends != "both"}
        by_reason: dict[str, dict[str, None]] = {}
        for one in found.intervals if found else ():
            if one.over == "records" and one.reason and one.measure in told:
                reason = one.reason.removeprefix(f"{one.measure} ")
                by_reason.setdefault(reason, {})[one.measure] = None
        return {reason: tuple(names) for reason, names in by_reason.items()}

    # Who is at risk? -----------------------------------------------------------------------------

    @cached_property
    def group_lines(self) -> tuple[GroupShares, ...]:
        """Every group, by variable; those that are given away most first."""
        return () if self.found.groups is None else tuple(shares_of_groups(self._assessment, self.found.groups))

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """The variables whose levels were looked at."""
        return tuple(dict.fromkeys(one.variable for one in self.group_lines))

    @cached_property
    def most_exposed(self) -> tuple[tuple[Column, GroupShares], ...]:
        """For repU and each target the group that is given away most; those furthest above the average first."""
        found = self.found.groups
        if found is None or not found.groups:
            return ()
        columns = [Column("repU", None), *(Column("DiSCO", name) for name in found.settings.targets or ())]
        lines = shares_of_groups(self._assessment, found, columns)
        most = [(column, max(lines, key=lambda one: one.shares[column])) for column in columns]
        return tuple(sorted(most, key=lambda one: -one[1].above_average[one[0]]))

    @cached_property
    def fully_exposed(self) -> tuple[Group, ...]:
        """The groups of which all records, or all those of one level, are given away, whatever the target."""
        return () if self.found.groups is None else self.found.groups.fully_exposed

    @cached_property
    def group_names(self) -> dict[Place, str]:
        """The text of each group, as its figure has it."""
        return {} if self.found.groups is None else names_of_groups(self.found.groups)

    # Fewer records ----------------------------------------------------------------------------------

    @cached_property
    def size_columns(self) -> tuple[Column, ...]:
        """What is told of each size: DiSCO and DCAP_d of the most exposed target, and repU."""
        found = self.found.release_size
        target = None if found is None else found.decisive(self._assessment)[1]
        of_keys = (Column("repU", None),)
        if found is None or target is None:
            return of_keys
        return (Column("DiSCO", target), Column("DCAP_d", target), *of_keys)

    @cached_property
    def size_rows(self) -> tuple[tuple[int, dict[Column, float | None]], ...]:
        """The numbers of records looked at, rising, with means over the draws, of files the highest."""
        found = self.found.release_size
        if found is None:
            return ()
        return tuple(
            (size, {one: found.value(one.measure, size, one.target) for one in self.size_columns})
            for size in found.n_records
        )

    # Other releases ------------------------------------------------------------------------------

    @cached_property
    def release_rows(self) -> tuple[ReleaseRow, ...]:
        """The releases compared, the one that gives away most first."""
        found = self.found.releases
        if found is None:
            return ()
        _, target = found.decisive(self._assessment)
        n_files = {one.name: len(one.synthetic) for one in found.releases}
        assessed = found.assessed(self._assessment)
        return tuple(
            ReleaseRow(
                name,
                name == assessed,
                n_files[name],
                found.value("repU", name),
                target,
                found.value("DiSCO", name, target) if target is not None else None,
                found.value("DCAP_d", name, target) if target is not None else None,
            )
            for name in found.by_risk(self._assessment)
        )

    # The four checks -----------------------------------------------------------------------------

    @cached_property
    def four_checks(self) -> FourChecks | None:
        """The four checks as they stand now, with the note for users."""
        found = self.found.four_checks
        return None if found is None else completed(found, self._assessment)

    @cached_property
    def answered(self) -> tuple[Answered, ...]:
        """The questions of the four checks; files with the same answer together."""
        found = self.four_checks
        together: dict[tuple[str, str, str], list[CheckItem]] = {}
        for one in found.items if found else ():
            together.setdefault((one.check, one.item, one.outcome), []).append(one)
        return tuple(Answered(several[0], self._by_file(several)) for several in together.values())

    def _by_file(self, items: Sequence[CheckItem]) -> dict[str, str]:
        """Give what was found by file; under "" where it concerns all of them alike."""
        synthetic = self._assessment.synthetic
        alike = len({one.detail for one in items}) == 1
        if alike and (items[0].synthesis == 0 or len(items) == len(synthetic)):
            return {"": items[0].detail}
        return {f"{one.synthesis}: {synthetic[one.synthesis - 1].name}": one.detail for one in items}

    # What does the file reproduce? ---------------------------------------------------------------

    @cached_property
    def utility(self) -> UtilitySection | None:
        """What the file reproduces of the original."""
        found = self.found.utility
        return None if found is None else UtilitySection(found)

    @cached_property
    def best_candidates(self) -> str:
        """Which candidates of the first analysis that tried some no other one beats; "" where none did."""
        return next((one.in_words(most=2) for one in mapped(self._assessment)), "")

    @cached_property
    def map_is_of_pairs(self) -> bool:
        """Whether the utility of candidates is that of pairs of variables."""
        return any(one.n_together == 2 for one in mapped(self._assessment))

    # Mitigation ----------------------------------------------------------------------------------

    @cached_property
    def mitigated(self) -> bool:
        """Whether an assessed file came of the steps; otherwise they were tried on one."""
        return led_here(self._assessment) is not None

    @cached_property
    def before_and_after(self) -> tuple[Figure, ...]:
        """RepU, and DiSCO of each target, before and after the steps."""
        return () if self.found.mitigation is None else self.found.mitigation.main_figures

    @cached_property
    def losses(self) -> tuple[VariableLoss, ...]:
        """The variables that lost most."""
        found = self.found.mitigation
        changed = [one for one in found.loss.variables if one.distance or one.detail_lost] if found else []
        return tuple(sorted(changed, key=lambda one: -max(one.distance, one.detail_lost))[:LOSSES])

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The combinations of steps that no other one beats, with the least loss first."""
        return () if self.found.trade_off is None else self.found.trade_off.options
