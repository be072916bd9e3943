"""Step 1, Data: choose the files, see their structure, and whether they match."""

from __future__ import annotations

from typing import Any

import ipywidgets as w

from discoreport import examples
from discoreport.assessment.formatting import counted
from discoreport.assessment.formatting import listed as listing
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.release.documentation import Comparability
from discoreport.data.coding import SMALL_CELL
from discoreport.data.readers.source_file import ENDINGS
from discoreport.data.table import Table
from discoreport.errors import DataError
from discoreport.form.model import pending_decisions
from discoreport.form.model.file_choice import UPLOADED, pasted
from discoreport.form.model.open_files import MOST_LISTED, uploaded
from discoreport.form.model.pending_decisions import warnings_of
from discoreport.form.model.state import Change, FormState
from discoreport.form.panels.panel import Panel, Status
from discoreport.form.panels.reading_options import Reading
from discoreport.form.panels.saved_form import SavedForms
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.file_chooser import FileList
from discoreport.form.widgets.html import page

_FRAME = "table: "
_UPLOAD = (
    "Send a file from your computer to the program that runs this form; nothing of it is kept on disk. Up to {} MB: "
    "for a larger one write its path into the field above"
)
_MANY = 200
"""How many columns the preview shows."""


class DataPanel(Panel):
    """Chooses and reads the files."""

    name = "Data"
    called = "the data"
    purpose = "Choose the original and the synthetic files, and see whether they match"
    intro = (
        "Name the confidential original, and the synthetic file or several that were made from it. Records stay in the "
        "memory of the program that runs this form; none is shown or saved."
    )

    @staticmethod
    def status(state: FormState) -> Status:
        """Tell how far it is."""
        if state.choice.unread:
            return Status("open", "open: not read yet")
        if state.files is None:
            return Status("open", "open: choose files")
        warnings = counted(len(warnings_of(state)), "warning")
        if state.choice.others:
            return Status("problem", "problem: other files")
        if pending_decisions.of_files(state):
            return Status("open", f"open: {warnings} to explain")
        away = sum(map(len, state.draft.away.values()))
        told = (
            counted(len(state.files.tables), "file"),
            *([warnings] if warnings_of(state) else []),
            *([counted(away, "role") + " dropped"] if away else []),
        )
        return Status("done", f"done: {', '.join(told)}")

    to_decide = staticmethod(pending_decisions.of_files)

    def build(self) -> list[Any]:
        """Make the controls."""
        self.original = c.text(
            "Original file", "The confidential file: a path, or the name of a table in this notebook",
            placeholder="original.csv",
        )  # fmt: skip
        self.synthetic = c.text(
            "Synthetic files, one a line", "The files proposed for release, all made from the same original", lines=3,
            placeholder="synthetic.csv",
        )  # fmt: skip
        c.on_change(self.original, self.told(lambda _: self._typed()))
        c.on_change(self.synthetic, self.told(lambda _: self._typed()))
        self.unread = c.html()
        self.reading = Reading(self._read_otherwise, self.told)
        self.read = c.button(
            "Read the files", "Read the files into memory and compare them, variable by variable",
            self.read_files, primary=True,
        )  # fmt: skip
        self.run_buttons = (self.read,)

        self.example = c.button(
            "Try it with the example survey", "Two files that come along; made up, nobody in them exists", self._example
        )
        self.files = FileList(ENDINGS, lambda: [_FRAME + name for name in self.state.choice.names()])
        self.as_original = c.button("Take as original", "The chosen file is the confidential one", self._take_original)
        self.as_synthetic = c.button("Add as synthetic", "The chosen file is proposed for release", self._add_synthetic)
        upload = _UPLOAD.format(self.state.choice.largest_upload)
        endings = ",".join((*ENDINGS, ".gz"))
        self.upload_original = w.FileUpload(accept=endings, description="Upload the original", tooltip=upload)
        self.upload_synthetic = w.FileUpload(
            accept=endings, multiple=True, description="Upload synthetic files",
            tooltip=upload,
        )  # fmt: skip
        self.upload_original.observe(lambda _: self._uploaded(self.upload_original), "value")
        self.upload_synthetic.observe(lambda _: self._uploaded(self.upload_synthetic), "value")
        self.upload_message = c.Message()
        self.found = c.html()
        self.levels_of = c.choice(
            "Levels of", f"List the levels that {SMALL_CELL} or more original records have", [("–", "")], ""
        )
        c.on_change(self.levels_of, self.told(lambda _: self._show_levels()))
        self.levels = c.html()
        self.state.listen(lambda _: self._leave_out_unit())
        self._levels = c.box(self.levels_of, self.levels)
        self.saved_forms = SavedForms(self.context, self.context.go_to)
        largest = self.state.choice.largest_upload
        self._too_large = (
            f"Uploads take files up to {largest} MB, several together as well; what is larger never arrives, and "
            "nothing tells so. Write the path of a larger file into the field Original file or Synthetic files above, "
            "as the program that runs this form finds it."
        )
        left = c.box(
            c.heading("Which files?"), self.original, self.synthetic,
            c.box(self.upload_original, self.upload_synthetic, kind="row"),
            c.html(self._too_large, "d-second"), self.upload_message, self.reading.view,
            self.unread, c.box(self.read, self.example, kind="row"),
        )  # fmt: skip
        right = c.box(
            c.heading("Or choose them here"), self.files.where, self.files.listed,
            c.box(self.files.open_folder, self.as_original, self.as_synthetic, kind="row"), self.files.message,
            self.saved_forms.view,
        )  # fmt: skip
        remarks = Comparability.model_fields["remarks"]
        self.remarks = c.text("What explains the warnings", remarks.description or "", lines=2)
        c.on_change(
            self.remarks, self.told(lambda words: self.state.statements.say_in("comparability", remarks=words.strip()))
        )
        return [c.box(left, right, kind="columns"), self.remarks, self.found, self._levels]

    def refresh(self, change: Change) -> None:
        """Show the chosen files, and what was found in them."""
        with self.filling:
            self.original.value = self.state.choice.original
            self.synthetic.value = "\n".join(self.state.choice.synthetic)
            if change in {Change.ALL, Change.FILES}:
                files, unit = self.state.files, self.state.draft.unit
                names = [] if files is None else [one.name for one in files.facts.values() if one.kind]
                names = [name for name in names if name != unit]  # its values are shown nowhere
                self.levels_of.options = [("–", ""), *((written_name(name), name) for name in names)]
                self.levels_of.value = ""
                self._levels.layout.display = "" if files else "none"
                self.levels.value = ""
        if change in {Change.ALL, Change.FILES}:
            self.found.value = "" if self.state.files is None else self._found()
            self.saved_forms.refresh()
        self._mark()
        remarks = self.state.statements.documentation.comparability.remarks
        with self.filling:
            self.remarks.value = remarks
        self.remarks.layout.display = "" if self.state.files and (remarks or warnings_of(self.state)) else "none"
        self.example.layout.display = "none" if self.state.choice.made else ""
        self._offer()

    def _mark(self) -> None:
        """Say which chosen files have not been read, and lead on only where all have been."""
        unread = self.state.choice.unread
        self.unread.value = c.message(
            f"Not read yet: {listing(unread, 5)}. Press 'Read the files'."
            + (f" Until then all is about {listing(self.state.choice.opened_names, 5)}." if self.state.files else ""),
            "warning",
        ) if unread else ""  # fmt: skip
        c.lead(self.read, bool(unread) or self.state.files is None)
        self.leads_on(self.state.files is not None and not unread)
        self.may_lead_on(not unread)

    # Choosing ------------------------------------------------------------------------------------

    def _typed(self) -> None:
        lines = [pasted(line) for line in self.synthetic.value.splitlines()]
        self.state.choose(pasted(self.original.value), [line for line in lines if line])
        with self.filling:
            self.original.value = self.state.choice.original
            self.synthetic.value = "\n".join(self.state.choice.synthetic)
        self._offer()
        self._chosen_anew()

    def _chosen_anew(self) -> None:
        """Let everybody know that other files are chosen."""
        self._mark()
        self.state.tell(Change.WRITTEN)

    def _offer(self) -> None:
        texts = [self.state.choice.original, *self.state.choice.synthetic]
        self.reading.offer([text for text in texts if not self.state.choice.is_held(text)])

    def _read_otherwise(self, text: str, after: str) -> None:
        """Put what names a file, and says how it is read, in the place of what did before."""
        chosen = self.state.choice
        names = {text: after}
        self.state.choose(
            names.get(chosen.original, chosen.original), [names.get(one, one) for one in chosen.synthetic]
        )
        with self.filling:
            self.original.value = chosen.original
            self.synthetic.value = "\n".join(chosen.synthetic)
        self._chosen_anew()

    def _example(self) -> None:
        self.state.choose(str(examples.path("original")), [str(examples.path("synthetic_1"))])
        self.refresh(Change.STATEMENTS)
        self.read_files()

    def read_files(self) -> None:
        """Read the chosen files."""
        self.message.value = ""
        self._typed()
        self.tasks.read_files()

    def _take_original(self) -> None:
        with self.files.message.telling():
            self.original.value = self.files.chosen().removeprefix(_FRAME)

    def _add_synthetic(self) -> None:
        with self.files.message.telling():
            self._add([self.files.chosen().removeprefix(_FRAME)])

    def _add(self, names: list[str]) -> None:
        kept = [line for line in self.synthetic.value.splitlines() if line.strip() and line.strip() not in names]
        self.synthetic.value = "\n".join([*kept, *names])

    def _uploaded(self, upload: Any) -> None:
        """Take the bytes of an upload out of the widget before anything else happens to them."""
        files = [(str(file["name"]), bytes(file["content"])) for file in upload.value]
        if not files:
            return
        upload.value = ()
        with self.upload_message.telling():
            empty = [name for name, content in files if not content]
            if empty:
                raise DataError(f"{listing(empty, 5)}: nothing has arrived. {self._too_large}")
            read = [(UPLOADED + name, uploaded(name, content)) for name, content in files]  # all of them or none
            names = [self.state.choice.give(name, table) for name, table in read]
            if upload is self.upload_original:
                self.original.value = names[0]
            else:
                self._add(names)
            self._chosen_anew()  # another file may have the same name

    # What was found ------------------------------------------------------------------------------

    def _found(self) -> str:
        files = self.state.files
        if files is None:
            return ""
        original: Table = files.tables[0]
        names = list(original.columns)
        return page(
            "files",
            tables=files.tables,
            other_files=self.state.choice.others,
            away=self.state.draft.away,
            warnings=[finding for finding in files.findings if finding.severity == "warning"],
            notes=[finding for finding in files.findings if finding.severity == "note"],
            columns=[(name, original.labels.get(name, ""), files.facts.get(name)) for name in names[:_MANY]],
            n_more=max(len(names) - _MANY, 0),
        )

    def _leave_out_unit(self) -> None:
        """Take levels out of sight that are those of the unit now, in whichever step that was said."""
        if self.levels_of.value and self.levels_of.value == self.state.draft.unit:
            with self.filling:
                self.levels_of.value = self.levels.value = ""

    def _show_levels(self) -> None:
        name = self.levels_of.value
        if not name or self.state.files is None:
            self.levels.value = ""
            return
        levels = self.state.files.common_levels(name)
        self.levels.value = page("levels", levels=levels, least=SMALL_CELL, most=MOST_LISTED)
