"""What was measured, analysed and said of the release: all that the record of an assessment holds."""

from __future__ import annotations

import dataclasses
import hashlib
import warnings
from collections.abc import Iterable
from pathlib import Path

from pydantic import Field

from discoreport.assessment import copy_findings
from discoreport.assessment.analysed import Analysed
from discoreport.assessment.provenance import VariableSummary
from discoreport.assessment.release.documentation import Answer, Documentation, SignOff
from discoreport.assessment.release.policy import Policy, default_policy
from discoreport.assessment.results import Flag, LevelRisk, put_together
from discoreport.assessment.signed_content import state_of
from discoreport.assessment.unit_risks import UnitRisk
from discoreport.assessment.unit_risks import put_together as small_kinds
from discoreport.data.coding import SMALL_CELL
from discoreport.data.findings.finding import Finding
from discoreport.errors import ReplacedWarning, require_path
from discoreport.files import in_place_of, write_file


class Documented(Analysed):
    """The part of an `Assessment` that is kept: all of its fields, which are described there."""

    documentation: Documentation = Documentation()
    policy: Policy = Field(default_factory=default_policy)
    templates: dict[str, str] = Field(default_factory=dict)

    @property
    def described(self) -> tuple[VariableSummary, ...]:
        """The variables with what they and their levels are called in words: as was said, or else by the file."""
        said = self.documentation
        return tuple(
            one.model_copy(
                update={
                    "label": said.labels.get(one.name, one.label),
                    "value_labels": one.value_labels | said.level_labels.get(one.name, {}),
                }
            )
            for one in self.variables
        )

    @property
    def labels(self) -> dict[str, str]:
        """What variables are called in words, where that says more than the name: as was said, or by the file."""
        known = {**self.documentation.labels, **{one.name: one.label for one in self.described if one.label}}
        return {name: label for name, label in known.items() if label.strip() and label != name}

    def value_labels(self, variable: str) -> dict[str, str]:
        """Give what the levels of a variable are called in words: as was said, or else by the file."""
        return super().value_labels(variable) | self.documentation.level_labels.get(variable, {})

    @property
    def smallest_level(self) -> int:
        """How many original records a target level has at least that is told apart: by the policy, never below 10."""
        return max(self.policy.small_cell_limit, SMALL_CELL)

    @property
    def level_risks(self) -> tuple[LevelRisk, ...]:
        """What is given away of each target level; those that few records have, by the policy, are put together."""
        found = super().level_risks
        return found if self.smallest_level == SMALL_CELL else put_together(found, self.smallest_level)

    @property
    def unit_risks(self) -> tuple[UnitRisk, ...]:
        """The identity risk of units; kinds that few units have, by the policy, are put together."""
        found, limit = super().unit_risks, self.smallest_level
        if limit == SMALL_CELL:
            return found
        return tuple(dataclasses.replace(one, kinds=small_kinds(one.kinds, limit)) for one in found)

    @property
    def sensitive(self) -> dict[str, tuple[str | None, ...]]:
        """The levels that the policy or the documentation calls sensitive, by variable."""
        by_policy, said = self.policy.sensitive, self.documentation.sensitive
        return {
            name: tuple(dict.fromkeys((*by_policy.get(name, ()), *said.get(name, ()))))
            for name in dict.fromkeys((*by_policy, *said))
        }

    @property
    def copies_told(self) -> tuple[Finding, ...]:
        """What is to be said of whole records of the original, by the control file or else the policy."""
        found = self.analyses.control
        control = None if found is None or found.copies is None else (found.copies, found.control.n_records)
        return tuple(copy_findings.exceeding(self.whole_records, self.policy.copies, control))

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings because of which low figures can't be taken at face value, and records that were copied."""
        return (*super().warnings, *(one for one in self.copies_told if one.severity == "warning"))

    @property
    def is_census(self) -> bool:
        """Whether the original is said to have the whole population: then nobody outside of it is inferred to."""
        found = self.analyses.uncertainty
        said = self.documentation.source.collection
        return found.is_of_population(self.documentation) if found else said == "population"

    def answer(self, flag: Flag) -> Answer | None:
        """Give what a person said of a flag; None where nobody did.

        Where a level is common knowledge for everybody, it is so for everybody with some key level: the
        answer to the level is that to its pairs, unless they have one of their own.
        """
        return self.answers_to((flag,))[0]

    def answers_to(self, flags: Iterable[Flag]) -> tuple[Answer | None, ...]:
        """Give what a person said of each flag; see `answer`."""
        by_case = {answer.case: answer for answer in self.documentation.answers}
        found = []
        for flag in flags:
            own, of_level = by_case.get(flag.case), by_case.get((*flag.case[:2], None, None))
            covers = of_level is not None and of_level.accepts
            found.append(of_level if covers and (own is None or not own.complete) else own)
        return tuple(found)

    @property
    def unanswered(self) -> tuple[Flag, ...]:
        """The flags that nobody has answered with a reason yet; one that several syntheses raise once."""
        flags = self.outcome.flags
        answers = zip(flags, self.answers_to(flags), strict=True)
        return tuple(flag for flag, answer in answers if answer is None or not answer.complete)

    @property
    def state(self) -> str:
        """Fingerprint of what is decided on and signed.

        It covers the content of the files, settings, figures and findings, those of further questions, too, policy, and
        all that is said; not the decision and the signatures themselves, nor when all of it was made. See `state_of`.
        """
        return state_of(self.model_dump(mode="json", exclude_defaults=True))

    @property
    def signed_before(self) -> tuple[SignOff, ...]:
        """Signatures that are known to be on another state than this one."""
        signed = [one for one in self.documentation.decision.sign_offs if one.name and one.state]
        state = self.state if signed else ""
        return tuple(one for one in signed if not state.startswith(one.state))

    @property
    def signed_for_unknown(self) -> tuple[SignOff, ...]:
        """Signatures of which nobody has said what they are on."""
        return tuple(one for one in self.documentation.decision.sign_offs if one.name and not one.state)

    @property
    def decided_before(self) -> bool:
        """Whether the decision is known to be on another state than this one."""
        decision = self.documentation.decision
        return bool(decision.decision and decision.state) and not self.state.startswith(decision.state)

    @property
    def stray_answers(self) -> tuple[Answer, ...]:
        """Answers to flags that this run doesn't have, with exclusions or without, and doesn't exclude."""
        outcomes = (self.outcome, self.outcome_without_exclusions or self.outcome)
        known = {flag.case for outcome in outcomes for flag in outcome.flags}
        known |= {rule.case for rule in self.settings.exclude}
        return tuple(answer for answer in self.documentation.answers if answer.case not in known)

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

        Warns
        -----
        ReplacedWarning
            Where it takes the place of an earlier file that holds anything else.

        Raises
        ------
        OutputError
            Where it can't be written.
        """
        path, content = require_path(path, "save"), self.record
        replaced = in_place_of(path, content) if path.is_file() else ""
        written = write_file(path, content)
        if replaced:
            warnings.warn(replaced, ReplacedWarning, stacklevel=2)
        return written

    @property
    def record(self) -> bytes:
        """The assessment as JSON, as `save` writes it."""
        return (self.model_dump_json(indent=1) + "\n").encode("utf-8")

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the record: that of the file which `save` writes."""
        return hashlib.sha256(self.record).hexdigest()
