"""What the templates see: an assessment laid out for reading, with every figure worked out."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import Share, any_file, share
from discoreport.assessment.provenance import VariableSummary
from discoreport.assessment.release.documentation import CHECKERS, Answer, ChecklistAnswer
from discoreport.assessment.release.findings import Findings
from discoreport.assessment.release.policy import Logo
from discoreport.assessment.release.thresholds import Compared, compared, followed, in_words
from discoreport.assessment.results import Flag, OneWayFlag, TwoWayFlag
from discoreport.assessment.settings import Exclusion
from discoreport.assessment.unit_risks import UnitRisk
from discoreport.assessment.worst_file import worst_file, worst_files, worst_first, worst_units
from discoreport.measures import Measure
from discoreport.measures.exclusions import REASONS
from discoreport.measures.registry import of_group
from discoreport.report.analysis_sections import AnalysisSections
from discoreport.report.figures import MOST_ROWS, InternalFigures
from discoreport.report.further_measures import FurtherMeasures
from discoreport.report.how_to_check import HowToCheck, how_to_check
from discoreport.report.level_blocks import LevelBlock, level_blocks
from discoreport.report.table_rows import SettingRow, TargetRow, UnitBlock, setting_rows, target_row, unit_blocks

PAIRS_A_TARGET, PAIRS_A_REPORT, PAIRS_AT_LEAST = 25, 40, 2
"""How many flagged pairs the report lists of a target and in all; the table that comes with it has all."""


class InternalEdition(InternalFigures):
    """The internal edition, as the templates read it.

    Parameters
    ----------
    assessment
        The record.
    logo
        Stands in for that of the policy.
    names_small_levels
        Whether levels that were put together, as few records have them, are named; not where a notebook keeps it.
    """

    name = "internal"

    def __init__(self, assessment: Assessment, logo: Logo | None = None, *, names_small_levels: bool = True) -> None:
        self.documentation = assessment.documentation
        self.otherwise = assessment.original.name
        self.organisation = assessment.policy.organisation
        self.marking = assessment.policy.marking
        self.logo = logo or assessment.policy.logo
        self.created = assessment.provenance.created
        self.record = assessment.fingerprint
        self.census = assessment.is_census
        self.assessment = assessment
        self.names_small_levels = names_small_levels
        self.policy = assessment.policy
        self.settings = assessment.settings
        self.provenance = assessment.provenance
        self.original = assessment.original
        self.synthetic = assessment.synthetic
        self.n_original = assessment.original.n_records
        self.m = len(assessment.synthetic)
        self.labels = assessment.labels
        self.warnings = assessment.warnings
        self.flags = assessment.outcome.flags
        """One that several syntheses raise alike is there once."""
        self.not_measured = assessment.not_measured
        """Measures that the version that made the assessment didn't have, by name."""
        self.open_items = assessment.open_items
        self.signed_before = assessment.signed_before
        self.asked = AnalysisSections(assessment)
        self.further = FurtherMeasures(assessment)
        self.units = "people" if assessment.documentation.source.unit.casefold() == "person" else "records"

    @cached_property
    def checking(self) -> HowToCheck:
        """What an auditor needs."""
        return how_to_check(self.assessment)

    @property
    def code(self) -> str:
        """The Python lines that repeat the assessment."""
        return self.checking.code

    @property
    def command(self) -> str:
        """The command that gives the same figures; "" where none can."""
        return self.checking.command

    def labelled(self, variable: str, level: str | None) -> str | None:
        """Add to a level what the file calls it in words."""
        return self.assessment.labelled(variable, level)

    def answer(self, flag: Flag) -> Answer | None:
        """Give what a person said of a flag."""
        return self._answers[flag]

    @cached_property
    def _answers(self) -> dict[Flag, Answer | None]:
        return dict(zip(self.flags, self.assessment.answers_to(self.flags), strict=True))

    # The files -----------------------------------------------------------------------------------

    @cached_property
    def shown_variables(self) -> tuple[VariableSummary, ...]:
        """The keys and the first targets, which the report describes one by one."""
        first = {row.name for row in self.targets[:MOST_ROWS]}
        return self.key_variables + tuple(one for one in self.target_variables if one.name in first)

    @cached_property
    def targets_to_explain(self) -> tuple[str, ...]:
        """The first targets that somebody gave a reason for; where these are few, others, too."""
        said = self.documentation.scenario.targets
        named = sorted((row.name for row in self.targets), key=lambda name: not said.get(name))[:MOST_ROWS]
        return tuple(name for name in self.assessment.targets if name in named)

    # The keys alone ------------------------------------------------------------------------------

    @cached_property
    def identity_measures(self) -> tuple[Measure, ...]:
        """The identity measures in their order."""
        return of_group("identity")

    @cached_property
    def identity_rows(self) -> tuple[tuple[int, dict[str, Share]], ...]:
        """For each synthesis its identity measures."""
        names = [entry.name for entry in self.identity_measures]
        return tuple(
            (result.synthesis, {name: share(self.assessment, result, name) for name in names})
            for result in self.assessment.identity_results
        )

    @cached_property
    def identity(self) -> dict[str, Share]:
        """The identity measures of the file that is worst for the keys."""
        return dict(self.identity_rows)[self.worst_of_keys]

    @property
    def n_pooled(self) -> int:
        """How many files an intruder has together, those of earlier releases among them."""
        found = self.assessment.analyses.pooled
        return self.m if found is None else found.n_files

    @cached_property
    def worst_of_keys(self) -> int:
        """The file with most replicated uniques, counting from 1."""
        return worst_file(self.assessment).synthesis

    def any_file(self, measure: str, target: str | None = None) -> Share | None:
        """Give the original records that at least one of several files gives away; None where that isn't known."""
        return any_file(self.assessment, measure, target)

    def spread(self, measure: str, target: str | None = None) -> tuple[float, float] | None:
        """Give the least and the largest value over several syntheses; None where there is one."""
        values = [value for value in self.assessment.values(measure, target) if value is not None]
        return (min(values), max(values)) if self.m > 1 and values else None

    # The targets ---------------------------------------------------------------------------------

    @cached_property
    def targets(self) -> tuple[TargetRow, ...]:
        """The targets, those first whose worst files give most away beyond chance."""
        worst = worst_files(self.assessment)
        return tuple(
            target_row(self.assessment, worst[name], self.labels.get(name, "")) for name in worst_first(self.assessment)
        )

    @cached_property
    def unit_risk(self) -> UnitRisk | None:
        """The identity risk of units, such as households, in the worst file; None where the settings name no unit."""
        return worst_units(self.assessment)

    @cached_property
    def unit_blocks(self) -> tuple[UnitBlock, ...]:
        """The kinds of unit of that file: all sizes, and the most exposed compositions."""
        return unit_blocks(self.assessment, self.unit_risk)

    @cached_property
    def has_gaps(self) -> bool:
        """Whether any figure of the targets that the report shows has nothing to be divided by, or wasn't measured."""
        return any(value is None for row in self.targets[:MOST_ROWS] for value in row.figures.values())

    @cached_property
    def level_blocks(self) -> tuple[LevelBlock, ...]:
        """What is given away by target level, target by target."""
        return level_blocks(self.assessment)

    @cached_property
    def flagged(self) -> tuple[TargetRow, ...]:
        """The targets with a one-way or two-way flag."""
        return tuple(row for row in self.targets if row.one_way or row.two_way)

    @cached_property
    def covered(self) -> frozenset[Flag]:
        """The pairs that the answer to their level covers: what everybody knows of everybody."""
        answers = self._answers.items()
        return frozenset(flag for flag, answer in answers if answer is not None and answer.case != flag.case)

    @cached_property
    def one_way(self) -> tuple[OneWayFlag, ...]:
        """The levels that are flagged, by target."""
        return tuple(flag for row in self.targets for flag in row.one_way)

    @cached_property
    def two_way(self) -> tuple[TwoWayFlag, ...]:
        """The pairs that are flagged, by target."""
        return tuple(flag for row in self.targets for flag in row.two_way)

    @cached_property
    def pairs_shown(self) -> tuple[TwoWayFlag, ...]:
        """The pairs that the report lists, by target."""
        return tuple(flag for row in self.flagged for flag in self.pairs_to_show(row))[:PAIRS_A_REPORT]

    def pairs_to_show(self, row: TargetRow) -> tuple[TwoWayFlag, ...]:
        """Give the pairs of a target that the report lists: those with most records, as far as they aren't covered."""
        most = max(PAIRS_AT_LEAST, min(PAIRS_A_TARGET, PAIRS_A_REPORT // len(self.flagged)))
        return tuple(flag for flag in row.two_way if flag not in self.covered)[:most]

    @cached_property
    def cap_measures(self) -> tuple[str, ...]:
        """The CAP family by name, in its order."""
        return tuple(entry.name for entry in of_group("cap"))

    # Exclusions ----------------------------------------------------------------------------------

    @cached_property
    def excludes(self) -> bool:
        """Whether the settings leave anything out."""
        return self.assessment.outcome_without_exclusions is not None

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """The reasons for which any record is left out."""
        return tuple(why for why in REASONS if any(row.removed[why] for row in self.targets))

    @cached_property
    def targets_left_out(self) -> tuple[TargetRow, ...]:
        """The targets of which any record of the original is left out."""
        return tuple(row for row in self.targets if row.left_out["original"])

    @cached_property
    def without_exclusions(self) -> InternalEdition:
        """The same with nothing left out."""
        return InternalEdition(self.assessment.without_exclusions())

    def finding_behind(self, rule: Exclusion) -> Flag | None:
        """Give the flag that an exclusion answers; None where nothing was flagged."""
        outcome = self.assessment.outcome_without_exclusions or self.assessment.outcome
        return next((flag for flag in outcome.flags if flag.case == rule.case), None)

    # Policy --------------------------------------------------------------------------------------

    @cached_property
    def compared(self) -> tuple[Compared, ...]:
        """Every figure that the policy has a threshold for, of the worst synthetic file; those above come first."""
        return compared(self.assessment)

    @property
    def thresholds_in_words(self) -> str:
        """How many figures are above the thresholds, can't be compared, or are not above."""
        return in_words(self.assessment, self.compared)

    @cached_property
    def follows(self) -> tuple[str, float] | None:
        """The target that an intruder finds most of by recoding what is known as the file was recoded, and DiSCO.

        None where nobody would find more than the assessment says of its most exposed target.
        """
        found = [
            (value, target) for (target, measure), value in followed(self.assessment).items() if measure == "DiSCO"
        ]
        value, target = max(found, default=(0.0, ""))
        shown = max((row.shares["DiSCO"].percent or 0 for row in self.targets), default=0)
        return (target, value) if value > shown else None

    @cached_property
    def above(self) -> tuple[Compared, ...]:
        """The figures that are above the organisation's thresholds."""
        return tuple(row for row in self.compared if row.above)

    @cached_property
    def findings(self) -> Findings:
        """The rows of page 1."""
        return Findings(self.assessment)

    @cached_property
    def not_comparable(self) -> tuple[Compared, ...]:
        """The figures that can't be compared with the organisation's thresholds."""
        return tuple(row for row in self.compared if row.above is None)

    @cached_property
    def unsigned(self) -> tuple[str, ...]:
        """The roles that still have to sign."""
        signed = [entry.role for entry in self.documentation.decision.sign_offs if entry.name]
        wanted = Counter({"preparer": 1, "checker": CHECKERS, "custodian": 1})
        return tuple((wanted - Counter(signed)).elements())

    def checklist_answer(self, item: str) -> ChecklistAnswer | None:
        """Give the answer to an item of the checklist; None where there is none."""
        found = (entry for entry in self.documentation.checklist if entry.item == item)
        return next((entry for entry in found if entry.answer), None)

    @cached_property
    def setting_rows(self) -> tuple[SettingRow, ...]:
        """The settings in words, keys and targets apart."""
        return setting_rows(self.settings)
