"""Sign-off: what checkers and custodian see in place of all other steps: what was done, and their own signature."""

from __future__ import annotations

from typing import Any

from discoreport.assessment.release.documentation import Decision, Documentation, Section, SignOff
from discoreport.form.model.state import Change, FormState
from discoreport.form.model.viewers import LOOKING, Viewer, place_of, signatures
from discoreport.form.panels.documentation import SectionFields, stale_words
from discoreport.form.panels.panel import Panel, Status
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.html import page
from discoreport.report.internal_edition import InternalEdition

_LISTED = 100
"""How many flags, and how many changes, are listed."""


class SignOffPanel(Panel):
    """Shows what was prepared, and takes one person's word on it."""

    name = "Sign-off"
    called = "the sign-off"
    purpose = "What was prepared and answered by others, and your own word on it"
    intro = (
        "What was prepared, to look at and to sign. Settings, answers and words are the preparer's, and nobody can "
        "change them here; your word is on exactly what is shown, and reads as outdated after any change."
    )

    @staticmethod
    def open_to(viewer: Viewer) -> bool:
        """Tell whether somebody may open it."""
        return viewer in LOOKING

    @staticmethod
    def status(state: FormState) -> Status:
        """Tell how far it is."""
        entries = signatures(state.decision)
        place = place_of(state.viewer, entries)
        if state.assessment is None or place is None:
            return Status("open", "open")
        own = entries[place]
        if own.lacking:
            return Status("open", f"open: {', '.join(own.lacking)}")
        return Status("problem", "out of date") if stale_words(state, own) else Status("done", "signed")

    def build(self) -> list[Any]:
        """Make the controls."""
        self.of = c.html()
        self.own = SectionFields(SignOff, self.told(self._sign), ("name", "date", "decision", "comment"))
        self.stale = c.Message()
        self.again = c.button("Sign again", "Put your word on figures and words as they are now", self._again)
        self.decision = SectionFields(Decision, self.told(lambda values: self.state.decide(**values)))
        self.deciding = c.box(c.heading("The decision"), self.decision.view)
        self.said = c.html()
        return [self.of, c.box(self.own.view, self.stale, self.again, kind="card"), self.deciding, self.said]

    def refresh(self, change: Change) -> None:  # noqa: ARG002  # all of it is about everything
        """Show what was said, and one's own signature."""
        state, assessment = self.state, self.state.assessment
        entries = signatures(state.decision)
        place = place_of(state.viewer, entries)
        own = entries[place] if place is not None else SignOff()
        self.own.show(own)
        words = stale_words(state, own)
        self.stale.say(words, "warning")
        self.again.layout.display = "" if words else "none"
        self.deciding.layout.display = "" if state.viewer == "custodian" else "none"
        self.decision.show(state.decision)
        self.of.value = page("signing", viewer=state.viewer, fingerprint=assessment.state if assessment else "")
        edition = None if assessment is None else InternalEdition(assessment)
        self.said.value = "" if edition is None else page(
            "look_on",
            edition=edition,
            sections=_said(state.statements.documentation, edition),
            signatures=[one for one in entries if one.name],
            made=list(reversed(state.changes.made)),
            most=_LISTED,
        )  # fmt: skip

    def _sign(self, values: dict[str, Any]) -> None:
        entries = signatures(self.state.decision)
        place = place_of(self.state.viewer, entries)
        if place is not None:
            entries[place] = entries[place].model_copy(update=values)
            self.state.by = values.get("name", self.state.by)
            self.state.decide(sign_offs=tuple(entries))

    def _again(self) -> None:
        with self.message.telling():
            place = place_of(self.state.viewer, signatures(self.state.decision))
            if place is not None:
                self.state.sign_again(place)


def _said(said: Documentation, edition: InternalEdition) -> list[tuple[str, tuple[Any, ...]]]:
    """Give what was said by sections, those that were filled in."""
    sections = [(name, field) for name, field in Documentation.model_fields.items()]
    return [
        (field.title or name, edition.facts(name))
        for name, field in sections
        if name != "decision" and isinstance(getattr(said, name), Section) and edition.facts(name)
    ]
