"""Step 7, Report: the rest of what is said of the release, the decision, and the files."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from discoreport.assessment.formatting import counted
from discoreport.assessment.progress import Progress
from discoreport.assessment.release.policy import Policy
from discoreport.errors import SettingsError
from discoreport.form.model.file_choice import pasted
from discoreport.form.model.report_files import report_file, write_all, write_report
from discoreport.form.model.state import Change, FormState
from discoreport.form.panels.documentation import DocumentationFields
from discoreport.form.panels.open_items import OpenItems
from discoreport.form.panels.panel import Panel, Status
from discoreport.form.panels.written_files import WrittenFiles
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.file_chooser import FileChooser
from discoreport.form.widgets.fold import Fold
from discoreport.form.widgets.html import page
from discoreport.report import Report
from discoreport.report.both_editions import EditionName

_EDITIONS: list[tuple[str, EditionName]] = [
    ("internal: complete, for the approval file", "internal"),
    ("external: for readers outside, no risk figures", "external"),
]
_MADE = 200
"""How many changes are listed."""


class ReportPanel(Panel):
    """Completes the documentation, and writes the report."""

    name = "Report"
    called = "the report"
    purpose = "What is said of the release, the decision, and the files of the report"
    intro = "Every field may be left empty: the report says which. What is written holds aggregates and your words."

    @staticmethod
    def status(state: FormState) -> Status:
        """Tell how far it is."""
        assessment = state.assessment
        if assessment is None:
            return Status("open", "open")
        changed = any(map(state.changed_since, state.written))
        written = "changed since written" if changed else "written" if state.written else ""
        n_open = len(assessment.open_items)
        if n_open:
            return Status("open", f"open: {counted(n_open, 'item')}" + (f", {written}" if written else ""))
        return Status("done", f"done: {written}" if written else "ready to write")

    def build(self) -> list[Any]:
        """Make the controls."""
        self.open_items = OpenItems(self.context.go_to)
        self.said = DocumentationFields(self)
        self.source = c.text(
            "Documentation file",
            "TOML file with what is to be said of the release",
            kind="wide",
        )
        self.take = c.button("Take up its words", "Fill the fields below from the file", self._take_up)
        self.source_message = c.Message()
        self.policy = c.text(
            "Policy file",
            "TOML file with the organisation's thresholds, checklist and marking; empty: none",
            kind="wide",
        )
        c.on_change(
            self.policy, self.told(lambda path: self.state.statements.use_policy(pasted(path)), self.source_message)
        )
        self.choosers = [FileChooser(field, (".toml",)) for field in (self.source, self.policy)]
        self.in_force = c.html("", "d-second")
        self.edition = c.choice("Edition", "Who will read it", _EDITIONS, "internal", kind="wide")
        c.on_change(self.edition, self.told(self._use_edition))
        self.out = c.text(
            "Folder of the report",
            "For the bundle; PDF and HTML are written beside it, and called like it and their edition",
            kind="wide",
        )
        c.on_change(self.out, self.told(lambda out: self.state.set_out(pasted(out))))
        self.pdf = c.button(
            "Write PDF",
            "The report as one PDF for the release approval file",
            lambda: self._write(".pdf"),
            primary=True,
        )
        self.html = c.button("Write HTML", "The report as one page that works offline", lambda: self._write(".html"))
        self.bundle = c.button(
            "Write bundle", "PDF, page, figures, tables, record and fingerprints", lambda: self._write("")
        )
        self.preview = c.button("Show preview", "The report as it would be written now", self._preview)
        self.run_buttons = (self.pdf, self.html, self.bundle, self.preview)
        self.write_message = c.Message()
        self.files = WrittenFiles(self.state)
        self.shown = c.html()
        self._shown_of: object = None
        self.code_button = c.button("Show the Python lines", "What does the same without the form", self._code)
        self.code = c.html()
        self.made = Fold("What was changed, by whom and when", self._show_made)
        self._made = c.html()
        write = c.box(
            c.heading("Write it"), self.edition, self.out,
            c.box(self.pdf, self.html, self.bundle, self.preview, kind="row"), self.write_message, self.files.view,
            self.code_button,
        )  # fmt: skip
        return [
            self.open_items.view, c.heading("The release"),
            c.box(self.choosers[0].view, self.take, self.choosers[1].view, kind="row"),
            self.source_message, self.in_force, self.said.view,
            write, self.code, self.shown, self.made.view,
        ]  # fmt: skip

    def refresh(self, change: Change) -> None:  # noqa: ARG002  # all of it is soon shown
        """Show what was said, what is open, and what was written."""
        self.open_items.show(self.state.assessment)
        with self.filling:
            self.said.refresh()
            self.edition.value = self.state.edition
            self.in_force.value = _in_force(self.state.statements.policy)
            self.out.value = self.state.out
        self.files.show()
        if self.made.made:
            self._show_made()
        if self._shown_of is not self.state.assessment or self.state.stale:
            self._hide_code()
            self._hide_preview()

    def _show_made(self) -> Any:
        self._made.value = page("changes", made=list(reversed(self.state.changes.made)), most=_MADE)
        return self._made

    def show_place(self, place: str) -> bool:
        """Bring the list of what is open, the policy, or one part of the documentation into sight."""
        if place == "open":
            self.open_items.focus()
        elif place == "criteria" and place not in self.said.parts:
            self.policy.focus()
        elif place in self.said.parts:
            self.said.unfold(place)
            self.said.folds[place].button.focus()
        else:
            return False
        return True

    # Files and edition ---------------------------------------------------------------------------

    def _take_up(self) -> None:
        with self.source_message.telling():
            path = pasted(self.source.value)
            if not path:
                raise SettingsError("Name the documentation file first.")
            self.state.read_documentation(path)
            self.source_message.say("The fields below hold what the file says.")

    def _use_edition(self, edition: str) -> None:
        self.state.edition = edition  # type: ignore[assignment]
        self._hide_preview()
        self.state.tell(Change.WRITTEN)

    # Writing -------------------------------------------------------------------------------------

    def _write(self, ending: str) -> None:
        """Write the report as a file with this ending, or the bundle where there is none."""
        with self.write_message.telling():
            assessment, out, edition = self.state.ready(), Path(self.state.out), self.state.edition
            of = self.state.parts

            def write(progress: Progress) -> tuple[list[Path], str]:
                if ending:
                    path = report_file(out, edition, ending)
                    return write_report(assessment, path, edition, progress, replace=self.state.has_written(path))
                folder = out if edition == "internal" else report_file(out, edition, "")
                return write_all(assessment, folder, edition, progress)

            self.tasks.do(write, lambda written: self._wrote(written[0], written[1], of), self.write_message)

    def _wrote(self, paths: list[Path], said: str, of: tuple[object, ...]) -> None:
        self.state.wrote(*paths, of=of)
        self.write_message.say(f"Written: {counted(len(paths), 'file')}. {said.strip()}".strip())

    def _preview(self) -> None:
        if self.shown.value:
            self._hide_preview()
            return
        with self.write_message.telling():
            of = self.state.ready(), self.state.edition
            report = Report(of[0], edition=of[1])

            def show(written: str) -> None:
                # Else something was changed meanwhile.
                if of[0] is self.state.assessment and of[1] == self.state.edition:
                    self.preview.description, self._shown_of = "Hide preview", of[0]
                    self.shown.value = page("preview", page=written)

            self.tasks.do(lambda _: report.html, show, self.write_message)

    def _hide_preview(self) -> None:
        self.shown.value, self.preview.description = "", "Show preview"

    def _code(self) -> None:
        if self.code.value:
            self._hide_code()
            return
        with self.write_message.telling():
            self.code.value, self._shown_of = page("code", code=self.state.code()), self.state.assessment
            self.code_button.description = "Hide the Python lines"

    def _hide_code(self) -> None:
        self.code.value, self.code_button.description = "", "Show the Python lines"


def _in_force(policy: Policy) -> str:
    """Say which policy the report is under."""
    thresholds = counted(len(policy.thresholds), "threshold")
    words = policy.called or "the one that comes with discoreport"
    return escape(f"Policy in force: {words}; {thresholds}, {counted(len(policy.checklist), 'item')} of the checklist.")
