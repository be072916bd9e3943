"""Forms that were saved: which there are, when, and what is in each of them."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from discoreport.assessment.formatting import counted
from discoreport.errors import RecordError
from discoreport.form.model.saved_form import ENDING, Saved, autosave_of, read_saved


@dataclass(frozen=True)
class SavedForm:
    """A form on disk.

    Parameters
    ----------
    path
        Its file.
    changed
        When it was saved last, local time.
    saved
        What is in it; None where it can't be read.
    """

    path: Path
    changed: datetime.datetime
    saved: Saved | None

    @property
    def when(self) -> str:
        """The date, to the minute."""
        return self.changed.strftime("%Y-%m-%d %H:%M")

    @property
    def contents(self) -> str:
        """What is in it, in words: files, roles, answers, runs, decision."""
        saved = self.saved
        if saved is None:
            return "it can't be read"
        said, draft = saved.documentation, saved.draft
        counts = (
            (len(draft.keys), "key"), (len(draft.targets), "target"), (len(draft.exclude), "exclusion"),
            (len({**said.scenario.keys, **said.scenario.targets}), "reason"), (len(said.answers), "answer"),
            (len(said.checklist), "item of the checklist", "items of the checklist"), (len(saved.runs), "run"),
            (sum(bool(one.name) for one in said.decision.sign_offs), "signature"),
        )  # fmt: skip
        files = [Path(text).name for text in (saved.original, *saved.synthetic) if text]
        decided = [f"decision: {said.decision.decision}"] if said.decision.decision else []
        return ", ".join([*files, *(counted(n, *words) for n, *words in counts if n), *decided]) or "nothing yet"

    def is_of(self, original: str, synthetic: Sequence[str]) -> bool:
        """Tell whether it is about these files, by path or name."""
        if self.saved is None:
            return False
        then, now = (self.saved.original, *self.saved.synthetic), (original, *synthetic)
        return [Path(one).expanduser().absolute() for one in then] == [Path(one).expanduser().absolute() for one in now]


def saved_form(path: Path) -> SavedForm:
    """Look into the file of a saved form."""
    try:
        saved = read_saved(path)
    except RecordError:
        saved = None
    return SavedForm(path, datetime.datetime.fromtimestamp(path.stat().st_mtime), saved)  # local time


def saved_forms(out: str | Path) -> tuple[SavedForm, ...]:
    """List the forms that are saved beside the folder of a report, those set aside too; the latest first."""
    folder = autosave_of(out).absolute().parent
    found = [saved_form(path) for path in folder.glob(f"*{ENDING}") if path.is_file()]
    return tuple(sorted(found, key=lambda one: one.changed, reverse=True))
