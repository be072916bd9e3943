"""How the report writes numbers, and an assessment in short."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

from discoreport.assessment import formatting
from discoreport.assessment.formatting import NO_BREAK, estimate, number, percent, percentage, points
from discoreport.assessment.plain_text import in_short, opening
