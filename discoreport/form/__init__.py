"""The notebook form: leads from two files to a signed-off report without writing code."""

from typing import TYPE_CHECKING

from discoreport.form.model.statements import words_of

if TYPE_CHECKING:
    from discoreport.form.form import DisclosureForm

__all__ = ["DisclosureForm", "words_of"]


def __getattr__(name: str) -> object:
    """Import the widgets when they are asked for: the command line reads names from here without them."""
    if name == "DisclosureForm":
        from discoreport.form.form import DisclosureForm

        return DisclosureForm
    raise AttributeError(f"module 'discoreport.form' has no attribute '{name}'")
