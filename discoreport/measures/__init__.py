"""Cells in, numbers out: the published measures, each defined once, and the engines that count."""

from discoreport.measures import attribute, cap, identity
from discoreport.measures.registry import GROUPS, MEASURES, Measure

__all__ = ["GROUPS", "MEASURES", "Measure", "attribute", "cap", "identity"]
