"""The notebook form: leads from two files to a signed-off report without writing code."""

from discoreport.form.form import DisclosureForm
from discoreport.form.state import words_of

__all__ = ["DisclosureForm", "words_of"]
