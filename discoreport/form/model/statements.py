"""What people say in a form: documentation, answers, policy, and the decision on certain figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from discoreport.assessment import documenting
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.documentation import Answer, Decision, Documentation, Run
from discoreport.assessment.policy import default_policy, read_policy
from discoreport.assessment.settings import Settings
from discoreport.form.model.saving import Saved, read_saved


class Statements:
    """Documentation and policy; decision and signatures hold for the figures they were given on.

    Parameters
    ----------
    tell
        Called after each change.
    """

    def __init__(self, tell: Callable[[], object] = lambda: None) -> None:
        self.documentation = Documentation()
        self.policy = default_policy()
        self.decided_on: Settings | None = None
        self._tell = tell

    def say(self, **values: Any) -> None:
        """Change parts of the documentation by name."""
        changed = self.documentation.model_copy(update=values)
        if changed != self.documentation:
            self.documentation = changed
            self._tell()

    def say_in(self, section: str, **values: Any) -> None:
        """Change fields of one section of the documentation."""
        self.say(**{section: getattr(self.documentation, section).model_copy(update=values)})

    def reason(self, role: str, name: str, why: str) -> None:
        """Say why a variable is a key ("keys"), a target ("targets"), or was rejected as a key ("rejected")."""
        reasons = {**getattr(self.documentation.scenario, role), name: why.strip()}
        self.say_in("scenario", **{role: {one: text for one, text in reasons.items() if text}})

    def answer(self, answer: Answer) -> None:
        """Enter the answer to a flag in place of an earlier one; one that says nothing is taken out."""
        others = tuple(one for one in self.documentation.answers if one.case != answer.case)
        says = answer.prior_knowledge is not None or answer.reason.strip() or answer.action.strip()
        self.say(answers=(*others, answer) if says else others)

    def use_policy(self, path: str) -> None:
        """Read a policy file, or go back to the one that comes with discoreport where `path` is empty.

        Raises
        ------
        SettingsError
            Where it can't be read.
        """
        self.policy = read_policy(path) if path.strip() else default_policy()
        self._tell()

    def take(self, saved: Saved) -> None:
        """Take up what was saved."""
        self.documentation, self.policy, self.decided_on = saved.documentation, saved.policy, saved.decided_on

    # The decision --------------------------------------------------------------------------------

    def decision_on(self, settings: Settings | None) -> Decision:
        """Give decision and signatures where they are on the figures of these settings; else empty ones."""
        holds = settings is not None and settings == self.decided_on
        return self.documentation.decision if holds else Decision()

    def decide(self, settings: Settings, **values: Any) -> None:
        """Change decision and signatures; they are on the figures of these settings."""
        changed = self.decision_on(settings).model_copy(update=values)
        self.decided_on = settings
        self.say(decision=changed)

    # On figures ----------------------------------------------------------------------------------

    def add_to(self, assessment: Assessment, earlier: Iterable[Run]) -> Assessment:
        """Add to an assessment policy, words and earlier runs, as far as they concern its variables."""
        items = {entry.item for entry in self.policy.checklist}
        said = documenting.fitting(self.documentation, assessment)
        if assessment.settings != self.decided_on:
            status = "draft" if said.status == "decided" else said.status
            said = said.model_copy(update={"decision": Decision(), "status": status})
        said = said.model_copy(
            update={
                "checklist": tuple(entry for entry in said.checklist if entry.item in items),
                "history": (*said.history, *earlier),
            }
        )
        return assessment.with_policy(self.policy).with_documentation(said)


def words_of(path: str | Path, assessment: Assessment) -> Assessment:
    """Add to an assessment what was said of it in a form.

    Parameters
    ----------
    path
        The file in which the form saved itself.
    assessment
        Made with the settings of the form.

    Raises
    ------
    RecordError
        Where the file can't be read.
    """
    saved = read_saved(path)
    words = Statements()
    words.take(saved)
    return words.add_to(assessment, [run for run in saved.runs if run.settings != assessment.settings])
