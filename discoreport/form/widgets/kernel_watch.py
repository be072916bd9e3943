"""Has a page say so where the program behind it has ended, and end it once the page is closed."""

from __future__ import annotations

from pathlib import Path

from discoreport.form.model.saved_form import autosave_of
from discoreport.form.widgets.html import page


def watch(out: str | Path) -> str:
    """Write the part of a page that looks after its kernel; the server answers at ``/discoreport/kernel``.

    Parameters
    ----------
    out
        Folder of the report, beside which the form saves itself.
    """
    return page("kernel_watch", saved=autosave_of(out).name)
