"""Notebooks: exporters for nbconvert in the look of the report, and notebooks that repeat an assessment."""

from discoreport.notebook.assessment_notebook import write_notebook

__all__ = ["write_notebook"]
