"""Step 6, Report: the rest of what is said of the release, the decision, and the files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, get_args

import ipywidgets as w

from discoreport.assessment.documentation import (
    CHECKERS,
    ChecklistAnswer,
    Documentation,
    MitigationStep,
    Role,
    Section,
    SignOff,
    Yes,
)
from discoreport.assessment.policy import Policy
from discoreport.assessment.writing import counted
from discoreport.form import controls as c
from discoreport.form.delivering import write_all, write_file
from discoreport.form.fields import SectionFields
from discoreport.form.step import Step
from discoreport.form.working import Progress
from discoreport.report import Report
from discoreport.report.edition import EDITIONS

_SECTIONS = (
    "request", "context", "source", "synthesis", "comparability", "labelling", "uses", "after_release",
)  # fmt: skip
_HEAD = ("id", "title", "version", "status")
_FIELDS = Documentation.model_fields


class ReportStep(Step):
    """Completes the documentation, and writes the report."""

    intro = "Every field may be left open: the report says what is. What is written holds aggregates and your words."

    def build(self) -> list[Any]:
        """Make the controls."""
        self.open_items = c.html()
        self.head = SectionFields(Documentation, lambda values: self.state.say(**values), _HEAD)
        self.elsewhere = c.html("", "d-empty")
        self.sections: dict[str, SectionFields] = {}
        self._folds: list[tuple[str, str, Callable[[], Any]]] = [
            *((name, _FIELDS[name].title or name, lambda name=name: self._section(name)) for name in _SECTIONS),
            ("mitigation", _FIELDS["mitigation"].title or "", self._mitigation),
            ("checklist", _FIELDS["checklist"].title or "", self._checklist),
            ("decision", "Decision and sign-off", self._decision),
        ]
        self.checklist: dict[str, tuple[Any, Any]] = {}
        self.sign_offs: list[SectionFields] = []
        self.fold = w.Accordion(children=[c.box() for _ in self._folds], selected_index=None)
        for place, (_, title, _make) in enumerate(self._folds):
            self.fold.set_title(place, title)
        self._made: set[int] = set()
        self.fold.observe(lambda change: self._unfold(change["new"]), "selected_index")

        self.policy = c.text(
            "Policy file",
            "TOML file with the organisation's thresholds, checklist and marking; empty: none",
            kind="wide",
        )
        c.on_change(self.policy, self.told(self._use_policy))
        self.in_force = c.html("", "d-second")
        self.edition = c.choice(
            "Edition", "Complete, or for readers outside, without risk figures", list(EDITIONS), "internal"
        )
        c.on_change(self.edition, self.told(self._use_edition))
        self.out = c.text("Folder of the report", "Made if need be; the form saves itself beside it", kind="wide")
        c.on_change(self.out, self.told(self.state.set_out))
        self.pdf = c.button(
            "Write PDF",
            "The report as one PDF for the release approval file",
            lambda: self._write("report.pdf"),
            primary=True,
        )
        self.html = c.button(
            "Write HTML", "The report as one page that works offline", lambda: self._write("report.html")
        )
        self.bundle = c.button(
            "Write bundle", "PDF, page, figures, tables, record and fingerprints", lambda: self._write("")
        )
        self.preview = c.button("Show preview", "The report as it would be written now", self._preview)
        self.run_buttons = (self.pdf, self.html, self.bundle, self.preview)
        self.write_message = c.html("", "d-empty")
        self.files = c.html()
        self.shown = c.html()
        self.code_button = c.button("Show the Python lines", "What does the same without the form", self._code)
        self.code = c.html()
        return [
            self.open_items, c.html("<h2>The release</h2>"), self.head.view, self.fold,
            c.html("<h2>Write it</h2>"), c.box(self.policy, self.edition, self.out, kind="row"), self.in_force,
            c.box(self.pdf, self.html, self.bundle, self.preview, self.code_button, kind="row"),
            self.write_message, self.files, self.code, self.shown,
        ]  # fmt: skip

    def refresh(self, what: str) -> None:
        """Show what was said, what is open, and what was written."""
        assessment = self.state.assessment
        if assessment is None:
            self.open_items.value = c.message("There are no figures yet; words can be entered all the same.")
        else:
            items = "".join(
                f"<li><b>{escape(item.what)}.</b> {escape(item.detail)}</li>" for item in assessment.open_items
            )
            self.open_items.value = f"<h2>What is open</h2><ul>{items or '<li>Nothing.</li>'}</ul>"
        with self.filling():
            self.head.show(self.state.documentation)
            for name, fields in self.sections.items():
                fields.show(self.state.decision if name == "decision" else getattr(self.state.documentation, name))
            self.elsewhere.value = c.message(_ELSEWHERE if self.state.decided_elsewhere else "")
            self._show_checklist()
            self._show_sign_offs()
            self.edition.value = self.state.edition
            self.in_force.value = _in_force(self.state.policy)
            self.out.value = self.state.out
        self._show_files()
        if what in {"settings", "run"} and self.code.value:
            self.code.value = ""

    # Fields --------------------------------------------------------------------------------------

    def _unfold(self, place: int | None) -> None:
        if place is None or place in self._made:
            return
        self._made.add(place)
        children = list(self.fold.children)
        children[place] = self._folds[place][2]()
        self.fold.children = children
        self.refresh("all")

    def open_section(self, name: str) -> None:
        """Unfold one part of the documentation."""
        self.fold.selected_index = [one for one, _, _ in self._folds].index(name)

    def _section(self, name: str) -> Any:
        kind: type[Section] = type(getattr(self.state.documentation, name))
        change = self.state.decide if name == "decision" else partial(self.state.say_in, name)
        self.sections[name] = SectionFields(kind, self.told(lambda values: change(**values), self.elsewhere))
        return self.sections[name].view

    def _mitigation(self) -> Any:
        fields = MitigationStep.model_fields
        self.mitigation = c.text(
            _FIELDS["mitigation"].description or "", "One step a line; a number of records after a semicolon", lines=4
        )
        self.mitigation.placeholder = f"{fields['what'].title}; {fields['n_records'].title}"
        c.on_change(self.mitigation, self.told(self._mitigated))
        steps = self.state.documentation.mitigation
        with self.filling():
            self.mitigation.value = "\n".join(
                step.what if step.n_records is None else f"{step.what}; {step.n_records}" for step in steps
            )
        return self.mitigation

    def _mitigated(self, text: str) -> None:
        steps = []
        for line in filter(None, map(str.strip, text.splitlines())):
            what, _, n = line.rpartition(";")
            records = n.strip().replace(",", "")
            if what and records.isdigit():
                steps.append(MitigationStep(what=what, n_records=int(records)))
            else:
                steps.append(MitigationStep(what=line))
        self.state.say(mitigation=tuple(steps))

    def _checklist(self) -> Any:
        self.checklist_box = c.box()
        self._fill_checklist()
        return self.checklist_box

    def _fill_checklist(self) -> None:
        views = []
        self.checklist = {}
        for item in self.state.policy.checklist:
            needed = "" if item.required else " (not required)"
            tips = ("Not answered yet", "It holds", "It doesn't hold", "It doesn't apply")
            options = [(answer or "open", answer) for answer in get_args(Yes)]
            answer = c.toggle(f"Answer to {item.item}", tips, options, "", kind="hide-label")
            comment = c.text("Comment", "Stands beside the answer in the report", kind="wide")
            for field in (answer, comment):
                c.on_change(field, self.told(partial(self._checked, item.item)))
            self.checklist[item.item] = (answer, comment)
            views.append(
                c.box(c.html(f"<p>{escape(item.text)}{needed}</p>"), c.box(answer, comment, kind="row"), kind="card")
            )
        self.checklist_box.children = views

    def _checked(self, item: str, _: str) -> None:
        answer, comment = self.checklist[item]
        others = tuple(entry for entry in self.state.documentation.checklist if entry.item != item)
        said = ChecklistAnswer(item=item, answer=answer.value, comment=comment.value)
        self.state.say(checklist=(*others, said) if said.answer or said.comment else others)

    def _show_checklist(self) -> None:
        if not self.checklist:
            return
        if list(self.checklist) != [item.item for item in self.state.policy.checklist]:
            self._fill_checklist()
        said = {entry.item: entry for entry in self.state.documentation.checklist}
        for name, (answer, comment) in self.checklist.items():
            entry = said.get(name, ChecklistAnswer(item=name))
            answer.value, comment.value = entry.answer, entry.comment

    def _decision(self) -> Any:
        fields = self._section("decision")
        self.sign_offs = [SectionFields(SignOff, partial(self._signed, place)) for place in range(len(self._roles()))]
        rows = [c.box(one.view, kind="card") for one in self.sign_offs]
        words = _FIELDS["decision"].annotation.model_fields["sign_offs"].description  # type: ignore[union-attr]
        return c.box(self.elsewhere, fields, c.html(f"<h3>Sign-off: {escape(words or '')}</h3>"), *rows)

    def _roles(self) -> list[SignOff]:
        said = list(self.state.decision.sign_offs)
        wanted: list[Role] = ["preparer", *["checker"] * CHECKERS, "custodian"]  # type: ignore[list-item]
        for entry in said:
            if entry.role in wanted:
                wanted.remove(entry.role)
        return [*said, *(SignOff(role=role) for role in wanted)]

    def _signed(self, place: int, values: dict[str, Any]) -> None:
        entries = self._roles()
        entries[place] = entries[place].model_copy(update=values)
        with self.telling(self.elsewhere):
            self.state.decide(sign_offs=tuple(entries))

    def _show_sign_offs(self) -> None:
        for fields, entry in zip(self.sign_offs, self._roles(), strict=False):
            fields.show(entry)

    # Policy and edition --------------------------------------------------------------------------

    def _use_policy(self, path: str) -> None:
        self.state.use_policy(path)

    def _use_edition(self, edition: str) -> None:
        self.state.edition = edition  # type: ignore[assignment]
        self.shown.value = ""
        self.state.tell("written")

    # Writing -------------------------------------------------------------------------------------

    def _report(self) -> Report:
        return Report(self.state.ready(), edition=self.state.edition)

    def _write(self, name: str) -> None:
        with self.telling(self.write_message):
            assessment, out, edition = self.state.ready(), Path(self.state.out), self.state.edition

            def write(progress: Progress) -> tuple[list[Path], str]:
                if name:
                    return write_file(assessment, out / name, edition, progress)
                return write_all(assessment, out, edition, progress)

            self.form.work(write, self._wrote, self, self.write_message)

    def _wrote(self, written: tuple[list[Path], str]) -> None:
        paths, said = written
        self.state.wrote(*paths)
        n = len(paths)
        self.say(f"Written: {counted(n, 'file')}. {said}".strip(), place=self.write_message)

    def _show_files(self) -> None:
        present = [path for path in self.state.written if path.exists()]
        items = "".join(f"<li>{escape(str(path))} ({path.stat().st_size / 1000:,.0f} kB)</li>" for path in present)
        self.files.value = f'<ul class="d-files">{items}</ul>' if items else ""

    def _preview(self) -> None:
        if self.shown.value:
            self.shown.value, self.preview.description = "", "Show preview"
            return
        with self.telling(self.write_message):
            report = self._report()
            self.form.work(lambda _: report.html, self._show_preview, self, self.write_message)

    def _show_preview(self, page: str) -> None:
        self.preview.description = "Hide preview"
        self.shown.value = f'<iframe sandbox title="Preview of the report" srcdoc="{escape(page)}"></iframe>'

    def _code(self) -> None:
        if self.code.value:
            self.code.value, self.code_button.description = "", "Show the Python lines"
            return
        with self.telling(self.write_message):
            self.code.value = code_with_button(self.state.code())
            self.code_button.description = "Hide the Python lines"


_ELSEWHERE = (
    "A decision or signatures were recorded on other figures, and stay with those: return to that run to see them. "
    "What you enter here is on the figures as they are now."
)


def _in_force(policy: Policy) -> str:
    """Say which policy the report is under."""
    named = " ".join(part for part in (policy.organisation, policy.name, policy.version) if part)
    thresholds = counted(len(policy.thresholds), "threshold")
    words = named or "the one that comes with discoreport"
    return escape(f"Policy in force: {words}; {thresholds}, {counted(len(policy.checklist), 'item')} of the checklist.")


_COPY = (
    "const t=this.nextElementSibling.textContent,b=this;"
    "const d=()=>{b.textContent='Copied'};"
    "const s=()=>{const r=document.createRange();r.selectNodeContents(b.nextElementSibling);"
    "const g=getSelection();g.removeAllRanges();g.addRange(r);document.execCommand('copy')&&d()};"
    "navigator.clipboard?navigator.clipboard.writeText(t).then(d,s):s()"
)


def code_with_button(code: str) -> str:
    """Write Python lines with a button that copies them; a click on the lines selects all of them."""
    return (
        f'<button class="d-action" type="button" title="Put the lines on the clipboard" onclick="{escape(_COPY)}">'
        f'Copy</button><pre class="d-code">{escape(code)}</pre>'
    )
