"""What people say about a release: request, context, scenario, answers, checklist, decision. No figures."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints
from pydantic.fields import FieldInfo

from discoreport.assessment.frozen_model import FrozenModel
from discoreport.assessment.settings import Case, LevelText, Settings, Whole

Access = Literal["", "open", "registered", "licensed", "secure"]
Yes = Literal["", "yes", "no", "n.a."]
Status = Literal["draft", "submitted", "decided", "withdrawn"]
Verdict = Literal["", "approve", "approve with conditions", "request changes", "reject"]
Role = Literal["preparer", "checker", "custodian"]


def _given(reasons: dict[str, str]) -> dict[str, str]:
    return {name: why for name, why in reasons.items() if why.strip()}


Reasons = Annotated[
    dict[Annotated[str, StringConstraints(strip_whitespace=False)], str],
    AfterValidator(_given),
]
"""Reasons or labels by name; a blank one is none."""

CHECKERS = 2
"""How many people check a release, independently of each other and of the preparer."""


def _field(title: str, description: str = "", default: Any = "", *, public: bool = False, kept: bool = False) -> Any:
    """Declare a field: its words, and whether the external edition may show it, or the program keeps it by itself."""
    extra: dict[str, Any] = {"public": public} | ({"kept": True} if kept else {})
    return Field(default, title=title, description=description, json_schema_extra=extra)


def is_public(field: FieldInfo) -> bool:
    """Tell whether the external edition may show a field."""
    return isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("public") is True


def is_kept(field: FieldInfo) -> bool:
    """Tell whether the program keeps a field, and nobody fills it in."""
    return isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("kept") is True


class Section(FrozenModel):
    """One part of the documentation; everything in it may be left open."""

    model_config = ConfigDict(str_strip_whitespace=True)

    @property
    def filled(self) -> bool:
        """Whether anything was entered."""
        return self != type(self)()

    def entries(self, *, public: bool = False) -> Iterator[tuple[str, FieldInfo, Any]]:
        """Give name, declaration and value of each field that was filled in, or only of those for everybody."""
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if is_kept(field):
                continue
            if value not in ("", None, (), {}) and (is_public(field) or not public):
                yield name, field, value


class Request(Section):
    """Who asks for what."""

    project: str = _field("Project", "name or number of the project", public=True)
    requester: str = _field("Requester", "person or unit that asks for the release", public=True)
    custodian: str = _field("Custodian", "who is responsible for the original data", public=True)
    dataset: str = _field("Data set", "name of the data set", public=True)
    purpose: str = _field("Purpose", "what the synthetic file is for", public=True)
    users: str = _field("Users", "who will use it", public=True)
    clearance: str = _field("Kind of clearance", "such as release to the public, or transfer to a project", public=True)


class Context(Section):
    """Where the file goes, and what it could meet there."""

    access: Access = _field("Access", "open, registered, licensed or secure", public=True)
    summary: str = _field("Summary", "the context in a sentence or two, for readers outside", public=True)
    recipients: str = _field("Recipients", "who gets the file, and under which agreement")
    other_data: str = _field("Other data", "what recipients could link it with")
    earlier_releases: str = _field("Earlier releases", "from the same original, real or synthetic")
    sensitivity: str = _field("Sensitivity", "what harm a disclosure would do")
    impact_assessment: str = _field("Impact assessment", "reference of the data protection impact assessment")


class SourceData(Section):
    """What the original file is."""

    unit: str = _field("Unit", 'what a record stands for: "person", "household", "business"', public=True)
    collection: Literal["", "population", "sample"] = _field(
        "Population or sample", "whether the original has everybody of the population", public=True
    )
    population: str = _field("Population", "its size, or the share of it that the original has, such as 5 %")
    period: str = _field("Period", "the time that the data are about", public=True)
    identifiers: str = _field("Direct identifiers", "which ones were removed, and how", public=True)


class Comparability(Section):
    """What is said of how the files match."""

    remarks: str = _field("Remarks", "explains the warnings about the files, if there are any")


class Synthesis(Section):
    """How the synthetic files were made."""

    software: str = _field("Software", "name and version", public=True)
    method: str = _field("Method", "such as sequential CART", public=True)
    processing: str = _field("Post-processing", "what was done to the file afterwards", public=True)
    privacy_budget: str = _field("Privacy budget", "epsilon and delta, where the method has any", public=True)
    seed: str = _field("Seed", "of the random numbers; never leaves the building")


class Labelling(Section):
    """Whether somebody who comes across the file sees that it is synthetic."""

    file_name: Yes = _field("File name says so", "yes, no or n.a.", public=True)
    variable: Yes = _field("A variable or value says so", "yes, no or n.a.", public=True)
    note: Yes = _field("An accompanying note says so", "yes, no or n.a.", public=True)
    words: str = _field("Words used", "how the file is marked", public=True)


class Scenario(Section):
    """Who might try what, and why these variables."""

    intruder: str = _field("Intruder", "who might try, and why")
    keys: Reasons = _field("Keys", "for each key, why an intruder may know it", {})
    rejected: Reasons = _field("Rejected keys", "variables considered as keys, and why they are none", {})
    targets: Reasons = _field("Targets", "for each target, why it is sensitive", {})
    left_out: str = _field(
        "Records left out", "why those with missing values, or in cells of many records, don't count"
    )


class Criteria(Section):
    """What is said of figures beside the organisation's thresholds."""

    accepted: Reasons = _field(
        "Above a threshold",
        "for each figure that is above a threshold or can't be compared with it, why it can be accepted",
        {},
    )


class MitigationStep(Section):
    """One thing that was done to the synthetic file."""

    what: str = _field("What was done", public=True)
    n_records: Whole | None = _field("Records changed", default=None)


class Uses(Section):
    """What the synthetic file may be used for."""

    suitable: str = _field("Fit for", "such as teaching, writing code", public=True)
    unsuitable: str = _field("Not fit for", "such as publishing estimates", public=True)


class Answer(Case):
    """What a person says of a flag: whether anybody would know this without the file.

    Parameters
    ----------
    target, level, key, key_level
        The flag that it answers.
    prior_knowledge
        Whether it is common knowledge.
    reason, by, on
        Why, who says so, and when. An answer without a reason leaves the flag open.
    action
        What is done about it.
    """

    prior_knowledge: bool | None = None
    reason: str = ""
    by: str = ""
    on: datetime.date | None = None
    action: str = ""

    @property
    def complete(self) -> bool:
        """Whether it says yes or no, and why."""
        return self.prior_knowledge is not None and bool(self.reason.strip())

    @property
    def accepts(self) -> bool:
        """Whether it says that this is common knowledge, and why."""
        return self.complete and bool(self.prior_knowledge)


class ChecklistAnswer(Section):
    """One item of the policy's checklist, answered."""

    item: str = _field("Item")
    answer: Yes = _field("Answer", "yes, no or n.a.")
    comment: str = _field("Comment")


class SignOff(Section):
    """One person's word on the release."""

    role: Role = _field("Role", "preparer, checker or custodian", "checker")
    name: str = _field("Name")
    date: datetime.date | None = _field("Date", default=None)
    decision: Verdict = _field("Decision", "approve, approve with conditions, request changes or reject")
    comment: str = _field("Comment")
    state: str = _field("State", "fingerprint of what was signed; a documentation file names it by `for`", kept=True)

    @property
    def lacking(self) -> tuple[str, ...]:
        """The fields without which it doesn't count."""
        needed = {"name": self.name, "date": self.date, "decision": self.decision}
        return tuple(name for name, value in needed.items() if not value)


class Decision(Section):
    """What was decided."""

    decision: Verdict = _field("Decision", "approve, approve with conditions, request changes or reject", public=True)
    date: datetime.date | None = _field("Date", "of the decision", None, public=True)
    conditions: str = _field("Conditions", public=True)
    conditions_met: Yes = _field(
        "Conditions met", "yes once what has to be done before the release is done, n.a. where nothing has to be"
    )
    review_by: datetime.date | None = _field("Review by", "when the decision has to be looked at again", None)
    sign_offs: tuple[SignOff, ...] = _field("Sign-off", "preparer, two independent checkers, custodian", ())
    state: str = _field(
        "State", "fingerprint of what was decided on; a documentation file names it by `for`", kept=True
    )
    figures_of: datetime.date | None = _field("Figures of", "the day on which these figures were made", None, kept=True)


class AfterRelease(Section):
    """What happens once the file is out."""

    monitoring: str = _field("Monitoring", "who watches for misuse and new data, and how")
    contact: str = _field("Contact", "whom to tell of a problem")
    triggers: str = _field("New assessment", "what would call for one")


class Run(FrozenModel):
    """An earlier run of the assessment.

    Parameters
    ----------
    created, discoreport
        When, and with which version.
    settings
        What was asked.
    record
        SHA-256 of its record.
    repU, target, DiSCO
        What it found: replicated uniques, and the most exposed target, in percent of the original.
    """

    created: datetime.datetime
    discoreport: str
    settings: Settings
    record: str
    repU: float | None = None  # noqa: N815  # published measures keep their names
    target: str = ""
    DiSCO: float | None = None


class Documentation(Section):
    """Everything about a release that isn't measured; it goes into the record and the report.

    Every field may be left open: the report says what is. `with_documentation` of an assessment adds it.
    """

    id: str = _field("Id", "of the report, in your own numbering", public=True)
    title: str = _field("Title", "of the report", public=True)
    version: str = _field("Version", "of the report", public=True)
    status: Status = _field("Status", "draft, submitted, decided or withdrawn", "draft", public=True)
    request: Request = _field("Request", default=Request())
    context: Context = _field("Release context", default=Context())
    source: SourceData = _field("Source data", default=SourceData())
    synthesis: Synthesis = _field("Synthesis", default=Synthesis())
    comparability: Comparability = _field("Comparability", default=Comparability())
    labelling: Labelling = _field("Labelling", default=Labelling())
    scenario: Scenario = _field("Scenario", default=Scenario())
    criteria: Criteria = _field("Criteria", default=Criteria())
    labels: Reasons = _field("Labels", "what a variable is called in words; in place of what its file says", {})
    level_labels: dict[str, Reasons] = _field("Level labels", "what levels are called in words, by variable", {})
    sensitive: dict[str, tuple[LevelText, ...]] = _field(
        "Sensitive levels", "target levels that are sensitive, by variable, beside those of the policy", {}
    )
    answers: tuple[Answer, ...] = _field("Answers", "to the flags of the checks", ())
    mitigation: tuple[MitigationStep, ...] = _field("Mitigation", "what was done to the synthetic file", ())
    uses: Uses = _field("Limits of the data", default=Uses())
    checklist: tuple[ChecklistAnswer, ...] = _field("Checklist", "answers to the policy's items", ())
    decision: Decision = _field("Decision", default=Decision())
    after_release: AfterRelease = _field("After release", default=AfterRelease())
    history: tuple[Run, ...] = _field("History", "earlier runs, the latest last; kept by the program", ())
