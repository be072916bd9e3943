"""The result of an assessment: what was found and said, what is still open, and all of it as text."""

from __future__ import annotations

from discoreport.assessment import plain_text
from discoreport.assessment.documented import Documented
from discoreport.assessment.formatting import counted
from discoreport.assessment.release import documentation_file
from discoreport.assessment.release.documentation_file import DocumentationGiven
from discoreport.assessment.release.open_items import OpenItem, open_items
from discoreport.assessment.release.policy import PolicyGiven, policy_given
from discoreport.errors import require_kind


class Assessment(Documented):
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

    # What people say of it -----------------------------------------------------------------------

    def with_documentation(self, documentation: DocumentationGiven) -> Assessment:
        """Give the same assessment with other words about the release.

        Parameters
        ----------
        documentation
            A `Documentation`, the same by name, or the path of a documentation file. Takes the place of what there was.

        Raises
        ------
        SettingsError
            Where it is anything else or can't be read, names a target, a key or an item of the checklist that
            doesn't exist, or answers one thing twice.
        """
        said = documentation_file.documentation_given(documentation)
        documentation_file.check(self, said)
        return self.model_copy(update={"documentation": said})

    def with_policy(self, policy: PolicyGiven) -> Assessment:
        """Give the same assessment under another policy.

        Parameters
        ----------
        policy
            A `Policy`, the same by name, or the path of a policy file.

        Raises
        ------
        SettingsError
            Where it is anything else or can't be read, and where an item of the checklist is answered that the
            policy doesn't have.
        """
        return self.model_copy(update={"policy": policy_given(policy)}).with_documentation(self.documentation)

    def following(self, previous: Assessment) -> Assessment:
        """Take over what was said of an earlier run, and enter that run into the history.

        Parameters
        ----------
        previous
            An assessment of the same release. Reasons and answers that concern variables which are no
            longer keys or targets are left behind, and so are decision and signatures.
        """
        require_kind(previous, Assessment, "following takes an earlier assessment")
        renewed = self.model_copy(update={"policy": previous.policy})
        return renewed.with_documentation(documentation_file.carried_over(self, previous))

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
            the short summary. With several syntheses, largest, least and mean value are added.

        Raises
        ------
        SettingsError
            Where there is no such part.
        """
        return plain_text.parts(self, parts)

    def __str__(self) -> str:
        return plain_text.summary(self)

    def __repr__(self) -> str:
        m = len(self.synthetic)
        return (
            f"<Assessment of {counted(self.original.n_records, 'original record')}: {counted(m, 'synthetic file')}, "
            f"{counted(len(self.settings.keys), 'key')}, {counted(len(self.targets), 'target')}>"
        )

    def _repr_html_(self) -> str:
        return plain_text.page(self)
