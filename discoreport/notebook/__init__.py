"""Notebooks: exporters for nbconvert in the look of the report, and notebooks that repeat an assessment."""
