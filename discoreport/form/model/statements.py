"""What people say in a form: documentation, answers, policy, and the decision on certain figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release import documentation_file
from discoreport.assessment.release.documentation import Answer, Decision, Documentation, Run, SignOff, Status
from discoreport.assessment.release.policy import default_policy, read_policy
from discoreport.assessment.settings import CaseOf, Settings
from discoreport.form.model.exclusions import EXCLUDED, answers_with
from discoreport.form.model.saved_form import Decided, Saved, read_saved


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
        self.files: tuple[str | None, ...] = ()
        """SHA-256 of the files that figures are made of at present."""
        self.decided_on: Settings | None = None
        self.decided_for: tuple[str | None, ...] = ()
        self.elsewhere: tuple[Decided, ...] = ()
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

    def answer_to(self, case: CaseOf) -> Answer | None:
        """Give a person's own answer to a flag; None where there is none."""
        return next((one for one in self.documentation.answers if one.case == case), None)

    def answer(self, *answers: Answer) -> None:
        """Enter answers to flags in place of earlier ones; one that says nothing is taken out."""
        cases = {answer.case for answer in answers}
        others = (one for one in self.documentation.answers if one.case not in cases)
        says = (one for one in answers if one.prior_knowledge is not None or one.reason.strip() or one.action.strip())
        self.say(answers=(*others, *says))

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
        """Take up what was saved; forms of earlier versions have what an exclusion says among people's own answers."""
        said, excluded = saved.documentation, {rule.case for rule in saved.draft.exclude}
        own = tuple(one for one in said.answers if one.action != EXCLUDED or one.case not in excluded)
        self.documentation = said.model_copy(update={"answers": own}) if own != said.answers else said
        self.files = saved.fingerprints
        self.policy, self.decided_on, self.elsewhere = saved.policy, saved.decided_on, saved.elsewhere
        self.decided_for = saved.decided_for or (saved.fingerprints if saved.decided_on else ())

    # The decision --------------------------------------------------------------------------------

    def use_files(self, files: tuple[str | None, ...]) -> None:
        """Say which files figures are made of from now on; tables in memory may be others each time."""
        self.files = files
        if None in files:
            self.decided_on, self.decided_for = None, ()

    def decision_on(self, settings: Settings | None) -> Decision:
        """Give decision and signatures where they are on figures of the present files with these settings; or none."""
        if settings is None:
            return Decision()
        if self._decided_on(settings):
            return self.documentation.decision
        return next((one.decision for one in self.elsewhere if self._is_on(one, settings)), Decision())

    def _decided_on(self, settings: Settings) -> bool:
        return settings == self.decided_on and self.decided_for == self.files

    def _is_on(self, decided: Decided, settings: Settings) -> bool:
        return decided.settings == settings and decided.files in ((), self.files)

    def decide(self, assessment: Assessment, **values: Any) -> None:
        """Change decision and signatures; what is changed of them is on an assessment as it is.

        A signature without its `state` is a new one; a comment may be changed without signing again.
        """
        before = self.decision_on(assessment.settings)
        changed = before.model_copy(update=values)
        state = assessment.state
        if {name for name in values if name not in {"sign_offs", "conditions_met"}}:
            made = assessment.provenance.created.date()
            stamp = {"state": state, "figures_of": made} if changed.decision else {"state": "", "figures_of": None}
            changed = changed.model_copy(update=stamp)
        kept = {_signed(one) for one in before.sign_offs}
        sign_offs = [
            one if _signed(one) in kept else one.model_copy(update={"state": state if one.name else ""})
            for one in changed.sign_offs
        ]
        changed = changed.model_copy(update={"sign_offs": tuple(sign_offs)})
        self.put(assessment, changed, _status_after(self.documentation.status, before, changed))

    def put(self, assessment: Assessment, decision: Decision, status: Status | None = None) -> None:
        """Put a decision and signatures beside the figures of an assessment; they are on what they say themselves.

        The status stays as it is where none is given.
        """
        if decision == self.decision_on(assessment.settings):
            return
        others = [one for one in self.elsewhere if not self._is_on(one, assessment.settings)]
        before = self.documentation.decision
        if not self._decided_on(assessment.settings) and before.filled:
            others.append(Decided(settings=self.decided_on, decision=before, files=self.decided_for))
        self.elsewhere, self.decided_on, self.decided_for = tuple(others), assessment.settings, self.files
        now = {"decision": decision, "status": status or self.documentation.status}
        self.documentation = self.documentation.model_copy(update=now)
        self._tell()

    # On figures ----------------------------------------------------------------------------------

    def add_to(self, assessment: Assessment, earlier: Iterable[Run]) -> Assessment:
        """Add to an assessment policy, words and earlier runs, as far as they concern its variables."""
        assessment = assessment.with_policy(self.policy)
        items = {entry.item for entry in self.policy.checklist}
        said = documentation_file.fitting(self.documentation, assessment)
        if not self._decided_on(assessment.settings):
            decision = self.decision_on(assessment.settings)
            undecided = said.status == "decided" and not decision.filled
            status = "draft" if undecided else said.status
            said = said.model_copy(update={"decision": decision, "status": status})
        said = said.model_copy(
            update={
                "answers": answers_with(assessment, said.answers),
                "checklist": tuple(entry for entry in said.checklist if entry.item in items),
                "history": (*said.history, *earlier),
            }
        )
        return assessment.with_documentation(said)


def _signed(entry: SignOff) -> SignOff:
    return entry.model_copy(update={"comment": ""})


def _status_after(status: Status, before: Decision, after: Decision) -> Status:
    """Have the status go by the decision, where that was taken or taken back."""
    if after.decision and not before.decision and status in {"draft", "submitted"}:
        return "decided"
    return "submitted" if before.decision and not after.decision and status == "decided" else status


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
