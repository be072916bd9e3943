"""The result of an assessment, and what people say of it: frozen, saved as JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from pydantic import Field

from discoreport.assessment import copies, documenting, text
from discoreport.assessment.documentation import Answer, Documentation
from discoreport.assessment.measured import Measured
from discoreport.assessment.open_items import OpenItem, open_items
from discoreport.assessment.policy import Policy, default_policy
from discoreport.assessment.results import Flag
from discoreport.assessment.writing import counted
from discoreport.data.comparing import Finding
from discoreport.files import write_file


class Assessment(Measured):
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
    whole_records
        How many whole records of the original each synthetic file shows; empty in records saved before these were
        counted.
    findings
        What differs between the files, and what was repaired.
    provenance
        Versions, platform, time.
    analyses
        What was found when an approver asked on; see `with_analysis`.
    documentation
        What people say about the release: request, context, answers, decision.
    policy
        What the organisation lays down.
    templates
        Of a record in a bundle: the files of the organisation's templates that its report was made with, and the
        fingerprint of each.
    """

    documentation: Documentation = Documentation()
    policy: Policy = Field(default_factory=default_policy)
    templates: dict[str, str] = Field(default_factory=dict)

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
            Where it names a target, a key or an item of the checklist that doesn't exist, or answers one thing twice.
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

    @property
    def copies_told(self) -> tuple[Finding, ...]:
        """What is to be said of whole records of the original, by the control file or else the policy."""
        found = self.analyses.control
        control = None if found is None or found.copies is None else (found.copies, found.control.n_records)
        return tuple(copies.exceeding(self.whole_records, self.policy.copies, control))

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings because of which low figures can't be taken at face value, and records that were copied."""
        return (*super().warnings, *(one for one in self.copies_told if one.severity == "warning"))

    @property
    def is_census(self) -> bool:
        """Whether the original is said to have the whole population: then nobody outside of it is inferred to."""
        found = self.analyses.uncertainty
        said = self.documentation.source.collection
        return "population" in (said, found.collection if found else "")

    def following(self, previous: Assessment) -> Assessment:
        """Take over what was said of an earlier run, and enter that run into the history.

        Parameters
        ----------
        previous
            An assessment of the same release. Reasons and answers that concern variables which are no
            longer keys or targets are left behind, and so are decision and signatures.
        """
        renewed = self.model_copy(update={"policy": previous.policy})
        return renewed.with_documentation(documenting.carried_over(self, previous))

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
            covers = of_level is not None and of_level.complete and of_level.prior_knowledge
            found.append(of_level if covers and (own is None or not own.complete) else own)
        return tuple(found)

    @property
    def unanswered(self) -> tuple[Flag, ...]:
        """The flags that nobody has answered with a reason yet; one that several syntheses raise once."""
        flags = self.outcome.flags
        answers = zip(flags, self.answers_to(flags), strict=True)
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
            f"<Assessment of {counted(self.original.n_records, 'original record')}: {counted(m, 'synthetic file')}, "
            f"{counted(len(self.settings.keys), 'key')}, {counted(len(self.targets), 'target')}>"
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
        return write_file(path, self.record)

    @property
    def record(self) -> bytes:
        """The assessment as JSON, as `save` writes it."""
        return (self.model_dump_json(indent=1) + "\n").encode("utf-8")

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the record: that of the file which `save` writes."""
        return hashlib.sha256(self.record).hexdigest()
